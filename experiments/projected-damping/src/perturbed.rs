//! Random starts of the printed scene.

use kit::prelude::*;

use super::fall::{Damping, Fall, plainly};
use super::runs::{RunRow, row};
use super::scene::SceneRanges;

ranges!(PerturbedRanges {
    //! How the start of the printed scene is perturbed.
    sets: Count,
    /// Largest height over h \[-\].
    height: Positive,
});

/// The printed scene, its particles a hair above or below the plane at the start, with three tolerances: the claims are judged over
/// these starts.
pub struct Perturbed {
    pub scene: SceneRanges,
    pub ranges: PerturbedRanges,
}

impl Perturbed {
    /// Those of the study.
    pub fn new(ranges: &super::Ranges) -> Perturbed {
        Perturbed { scene: ranges.scene.clone(), ranges: ranges.perturbed.clone() }
    }

    /// A start of the scene without damping that is not quite flat.
    pub fn start(&self, stream: &mut ChaCha8Rng) -> Fall {
        let fall = self.scene.fall(Damping::None, self.scene.settings());
        let most = self.ranges.height.get() * fall.spacing;
        let heights = (0..fall.side * fall.side).map(|_| most * (2.0 * stream.random::<f64>() - 1.0)).collect();
        Fall { heights, ..fall }
    }

    /// What the starts go by.
    pub fn words(&self) -> String {
        format!("{} h", plainly(self.ranges.height.get()))
    }
}

impl Group for Perturbed {
    const NAME: &'static str = "perturbed";
    const ABOUT: &'static str = "the printed scene with random heights, small against the spacing, at the start, a run a row";
    type Case = Fall;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Fall {
        self.start(stream)
    }

    fn measure(&self, fall: &Fall) -> Vec<RunRow> {
        let margin = self.scene.energy_margin.get();
        let value = self.words();
        let mut rows = vec![];
        for settings in self.scene.readings_of_tolerance() {
            for damping in self.scene.dampings() {
                rows.push(row("heights", &value, &Fall { damping, settings, ..fall.clone() }, margin));
            }
        }
        rows
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Perturbed::new(ranges))
}
