//! Strips against other ways to go through the edges.

use kit::prelude::*;

use super::scene::{Hanging, Pushes, RunRow, STRIPS, Size, Tolerance, Way};
use super::steps::Steps;

ranges!(RivalRanges {
    //! Sizes and limits.
    /// Grids, the first ones of the main group.
    sizes: List<Size>,
    /// Sides of the sheet \[m\], the main one first.
    lengths: List<Positive>,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: Count,
});

/// Ways that are compared.
pub const WAYS: [Way; 3] = [STRIPS, Way::Single, Way::Forests];

/// Hanging sheets by each way.
#[derive(Clone)]
pub struct Rivals(pub RivalRanges);

impl Group for Rivals {
    const NAME: &'static str = "rivals";
    const ABOUT: &'static str = "hanging sheets by strips, by single constraints in turn and by spanning forests";
    const SCENES: &'static str = Steps::NAME;
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        (WAYS.len() * self.0.sizes.values().len() * self.0.lengths.values().len()) as u64
    }

    fn scene(&self, set: u64) -> u64 {
        set / WAYS.len() as u64 % self.0.sizes.values().len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let size = self.0.sizes.values()[self.scene(set) as usize];
        let way = WAYS[set as usize % WAYS.len()];
        let length = self.0.lengths.values()[set as usize / WAYS.len() / self.0.sizes.values().len()].get();
        (Hanging { way, length, ..Hanging::usual(size, self.0.tolerance, self.0.iterations) }, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Rivals(ranges.rivals.clone()))
}
