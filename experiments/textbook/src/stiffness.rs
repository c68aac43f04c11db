//! How stiff the equations of cloth are. S-STIFF.

use kit::prelude::*;

use super::weave::modes;

ranges!(StiffRanges {
    //! Lists that sheets are drawn from.
    sets: Count,
    /// What they are drawn from; configuration, bending, air and step do not matter.
    lists: Lists,
});

row! {
    /// The fastest mode of a sheet.
    pub struct StiffRow {
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// smallest real part of an eigenvalue \[1/s\]
        pub real: f64,
        /// largest magnitude of an eigenvalue \[1/s\]
        pub magnitude: f64,
        /// real part of the eigenvalue of the largest magnitude \[1/s\]
        pub of_fastest: f64,
    }
}

/// Random sheets of the thesis' lists.
pub struct Stiff(pub StiffRanges);

impl Group for Stiff {
    const NAME: &'static str = "stiffness";
    const ABOUT: &'static str = "eigenvalues of random sheets at rest";
    type Case = Sheet;
    type Row = StiffRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn measure(&self, sheet: &Sheet) -> Vec<StiffRow> {
        let Sheet { stretch, shear, .. } = *sheet;
        let bonds: [([i32; 2], Elastic); 4] = [([1, 0], stretch), ([0, 1], stretch), ([1, 1], shear), ([-1, 1], shear)];
        let modes = modes(sheet.mass(), &bonds, 8);
        let real = modes.iter().map(|mode| mode.real()).fold(0.0, f64::min);
        let fastest = modes.iter().max_by(|a, b| a.magnitude().total_cmp(&b.magnitude()));
        let (magnitude, of_fastest) = fastest.map_or((0.0, 0.0), |mode| (mode.magnitude(), mode.real()));
        vec![StiffRow { density: sheet.density, spacing: sheet.spacing, real, magnitude, of_fastest }]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Stiff(ranges.stiffness.clone()))
}
