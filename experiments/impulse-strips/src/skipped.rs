//! Hanging sheets without and with the velocity pass, timed alone from several starts.

use kit::prelude::*;

use super::scene::{Hanging, Pushes, RunRow, Size, Tolerance};

ranges!(SkippedRanges {
    //! What is timed.
    /// Grids, and how many steps from the start are timed.
    sizes: List<Size>,
    /// Random starts of each.
    starts: Count,
    /// Permissible strain, of the pass too.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: Count,
    /// Measurements of each.
    repeats: Count,
});

/// Hanging sheets, each start without the pass and with it.
#[derive(Clone)]
pub struct Skipped(pub SkippedRanges);

impl Group for Skipped {
    const NAME: &'static str = "skipped";
    const ABOUT: &'static str =
        "the first steps of hanging sheets without and with the velocity pass, by start: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        2 * u64::from(self.0.starts.get()) * self.0.sizes.values().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / 2
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let SkippedRanges { sizes, starts, tolerance, iterations, .. } = &self.0;
        let size = sizes.values()[(self.scene(set) / u64::from(starts.get())) as usize];
        let usual = Hanging::usual(size, *tolerance, *iterations);
        (Hanging { velocities: !set.is_multiple_of(2), ..usual }, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Skipped(ranges.skipped.clone()))
}
