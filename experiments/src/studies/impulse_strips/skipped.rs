//! Hanging sheets without and with the velocity pass, timed alone from several starts.

use super::scene::{Hanging, Pushes, RunRow, Size, Tolerance};
use crate::ranges::{Count, List};
use lab::prelude::*;

/// What is timed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedRanges {
    /// Grids, and how many steps from the start are timed.
    pub sizes: List<Size>,
    /// Random starts of each.
    pub starts: Count,
    /// Permissible strain, of the pass too.
    pub tolerance: Tolerance,
    /// Most iterations a step.
    pub iterations: Count,
    /// Measurements of each.
    pub repeats: Count,
}

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
