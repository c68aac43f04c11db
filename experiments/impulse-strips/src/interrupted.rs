//! Hanging sheets whose iterations are interrupted.

use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::scene::{FROZEN, Hanging, STRIPS, Size, Tolerance};

ranges!(InterruptedRanges {
    //! Sheets and limits.
    /// Grids and steps.
    sizes: List<Size>,
    /// Sides of the sheet \[m\].
    lengths: List<Positive>,
    /// Most iterations a step.
    limits: List<Count>,
    /// Permissible strain.
    tolerance: Tolerance,
});

impl SheetList for InterruptedRanges {
    const NAME: &'static str = "interrupted";
    const ABOUT: &'static str = "hanging sheets by grid, side, limit of iterations, few of them, and directions";

    fn all(&self) -> Vec<(u64, Hanging)> {
        let InterruptedRanges { sizes, lengths, limits, tolerance } = self;
        let of = |(place, size): (u64, &Size)| {
            let usual = Hanging::usual(*size, *tolerance, limits.values()[0]);
            let by_limit = limits.values().iter().map(move |limit| Hanging { iterations: *limit, ..usual });
            let by_length = |run: Hanging| lengths.values().iter().map(move |length| Hanging { length: length.get(), ..run });
            let by_way = |run: Hanging| [STRIPS, FROZEN].map(|way| Hanging { way, ..run });
            by_limit.flat_map(by_length).flat_map(by_way).map(|run| (place, run)).collect::<Vec<_>>()
        };
        (0..).zip(sizes.values()).flat_map(of).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.interrupted.clone()))
}
