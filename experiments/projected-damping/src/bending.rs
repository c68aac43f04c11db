//! The printed scene with other laws of bending, over the same random starts.

use kit::prelude::*;

use super::fall::{Fall, plainly};
use super::perturbed::Perturbed;
use super::runs::{RunRow, row};

ranges!(Ranges {
    //! What is varied.
    /// Number of starts.
    sets: Count,
    /// kb \[N/m\].
    bends: List<NonNegative>,
});

/// Random starts of the printed scene, as the perturbed ones, with other stiffness of its bend springs, with explicit ones, and by
/// the other laws of the line that the thesis does not print.
pub struct Bending {
    pub starts: Perturbed,
    /// What is varied.
    pub ranges: Ranges,
}

/// Where else than from 0.9 L on bend springs push by a line, as in the study of AIMEX.
const LAWS: [(&str, f64); 4] = [
    ("a line from 0.99 L", 0.99),
    ("a line from 0.7 L", 0.7),
    ("a line throughout", 0.0),
    ("the polynomial alone, with its jump", 1.0),
];

/// Name of the reading in tables.
pub const BENDING: &str = "bending";

impl Group for Bending {
    const NAME: &'static str = "bending";
    const ABOUT: &'static str =
        "perturbed starts of the printed scene with other stiffness and other laws of bending, a run a row";
    const SCENES: &'static str = Perturbed::NAME;
    type Case = Fall;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Fall {
        self.starts.start(stream)
    }

    fn measure(&self, fall: &Fall) -> Vec<RunRow> {
        let (scene, bends) = (&self.starts.scene, self.ranges.bends.values());
        let stiff = bends.iter().map(|kb| (format!("kb = {} N/m", plainly(kb.get())), Fall { bend: kb.get(), ..fall.clone() }));
        let explicit = ("explicit".to_owned(), Fall { bends_explicitly: true, ..fall.clone() });
        let laws = LAWS.iter().map(|&(name, line_from)| (name.to_owned(), Fall { line_from, ..fall.clone() }));
        let mut rows = vec![];
        for (value, fall) in stiff.chain([explicit]).chain(laws) {
            for damping in scene.dampings() {
                rows.push(row(BENDING, &value, &Fall { damping, ..fall.clone() }, scene.energy_margin.get()));
            }
        }
        rows
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Bending { starts: Perturbed::new(ranges), ranges: ranges.bending.clone() })
}
