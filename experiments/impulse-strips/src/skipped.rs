//! Hanging sheets without and with the velocity pass, timed alone from several starts.

use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::scene::{Hanging, Size, Tolerance};

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

impl SheetList for SkippedRanges {
    const NAME: &'static str = "skipped";
    const ABOUT: &'static str =
        "the first steps of hanging sheets without and with the velocity pass, by start: their times stand in timings.csv";

    fn all(&self) -> Vec<(u64, Hanging)> {
        let starts = self.sizes.values().iter().flat_map(|size| (0..self.starts.get()).map(move |_| size));
        let of = |(start, size): (u64, &Size)| {
            let usual = Hanging::usual(*size, self.tolerance, self.iterations);
            [false, true].map(|velocities| (start, Hanging { velocities, ..usual }))
        };
        (0..).zip(starts).flat_map(of).collect()
    }

    fn repeats(&self) -> u32 {
        self.repeats.get()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.skipped.clone()))
}
