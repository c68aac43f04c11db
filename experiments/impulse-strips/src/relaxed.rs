//! The sheets of figure 4, with their shapes.

use kit::pictures::sheet as cloth;
use kit::prelude::*;

use super::scene::{Hanging, RunRow, Size, Tolerance, Way};

ranges!(RelaxedRanges {
    //! Which sheets, and how they are shown.
    /// Grid and steps.
    size: Size,
    /// Permissible strains.
    tolerances: List<Tolerance>,
    /// Most iterations a step.
    iterations: Count,
    /// Every how many particles along each side one is kept for the picture.
    stride: Count,
});

row! {
    /// A particle of the last state of a sheet, with what was measured of the sheet.
    pub struct ParticleRow {
        /// permissible abs(strain)
        pub tolerance: f64,
        /// how the edges are held together
        pub method: String,
        /// finished with every step within the tolerance, or with some at the iteration limit; lost: gains energy or not finite
        pub status: Status,
        /// steps until the end, or until it is lost
        pub steps: u32,
        /// iterations a step, mean
        pub iterations: f64,
        /// largest abs(strain) of all steps; this and what follows empty where it is lost
        pub strain: Option<f64>,
        /// how far the lowest particle is below the pins in the last state \[m\]
        pub drop: Option<f64>,
        /// of a particle, from 0
        pub column: usize,
        /// of a particle, from 0
        pub row: usize,
        /// its position in the last state, to 0.1 mm \[m\]
        pub x: Option<f64>,
        /// its position in the last state, to 0.1 mm \[m\]
        pub y: Option<f64>,
        /// its position in the last state, to 0.1 mm \[m\]
        pub z: Option<f64>,
    }
}

/// Each tolerance by directions of the preview, the first one also by frozen ones.
#[derive(Clone)]
pub struct Relaxed(pub RelaxedRanges);

/// To the tenth of a millimetre, which is what a picture shows.
fn rounded(q: f64) -> f64 {
    (q * 1e4).round() / 1e4
}

impl Group for Relaxed {
    const NAME: &'static str = "relaxed";
    const ABOUT: &'static str =
        "the sheets of figure 4 after some seconds of gravity, with every so many particles of their shape";
    const SAMPLED: bool = false;
    type Case = Hanging;
    type Row = ParticleRow;

    fn sets(&self) -> u64 {
        2 * self.0.tolerances.values().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Hanging {
        let tolerance = self.0.tolerances.values()[set as usize / 2];
        let way = Way::Strips([Directions::Preview, Directions::Frozen][set as usize % 2]);
        Hanging { way, ..Hanging::usual(self.0.size, tolerance, self.0.iterations) }
    }

    fn measure(&self, case: &Hanging) -> Vec<ParticleRow> {
        let stride = self.0.stride.get() as usize;
        let mut places = vec![];
        let RunRow { tolerance, method, status, steps, iterations, strain, drop, .. } = case.run(None, |state, grid| {
            let kept = |n: usize| (0..n).step_by(stride);
            for (row, column) in kept(grid.ny()).flat_map(|row| kept(grid.nx()).map(move |column| (row, column))) {
                places.push((column, row, state.map(|state| state.x[grid.index(column, row)])));
            }
            if state.is_none() {
                places.truncate(1); // a sheet without a shape keeps one row
            }
        });
        let of = |(column, row, at): (usize, usize, Option<Vec3>)| ParticleRow {
            tolerance,
            method: method.clone(),
            status,
            steps,
            iterations,
            strain,
            drop,
            column,
            row,
            x: at.map(|at| rounded(at.x)),
            y: at.map(|at| rounded(at.y)),
            z: at.map(|at| rounded(at.z)),
        };
        places.into_iter().map(of).collect()
    }
}

/// Figure 4: shapes.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let particles = results.without_sets::<Relaxed>()?;
    let sheets = particles.chunk_by(|a, b| a.tolerance == b.tolerance && a.method == b.method);
    let picture = |sheet: &[ParticleRow]| {
        let first = sheet.first()?;
        let vertices: Option<Vec<[f64; 3]>> = sheet.iter().map(|p| Some([p.x?, p.y?, p.z?])).collect();
        let columns = sheet.iter().take_while(|p| p.row == 0).count();
        let mesh = cloth(vertices?, columns);
        let title = format!("tolerance {}: {}", first.tolerance, first.status);
        Some(Panel::snapshot(Snapshot::new(View::new(-60.0, 12.0), vec![mesh])).titled(title))
    };
    let title = "Figure 4: sheets of 41 x 41 particles pinned at two corners, after some seconds";
    let caption = "41 x 41 particles and 3280 edges at paper scale. There is no \
                   resistance of the air, no shear and no bending: the sheets still swing. A sheet that fails has no picture.";
    let figure = Figure::new("relaxed", title, caption, sheets.filter_map(picture).collect());
    Ok(Figure { columns: 2, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Relaxed(ranges.relaxed.clone())).plot("relaxed", chart).places(&[("relaxed", 1)])
}
