//! Strips against other ways to go through the edges.

use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::scene::{Hanging, STRIPS, Size, Tolerance, Way};
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
pub type Rivals = Listed<RivalRanges>;

impl SheetList for RivalRanges {
    const NAME: &'static str = "rivals";
    const ABOUT: &'static str = "hanging sheets by strips, by single constraints in turn and by spanning forests";
    const SCENES: &'static str = Steps::NAME;

    fn all(&self) -> Vec<(u64, Hanging)> {
        let mut all = vec![];
        for length in self.lengths.values() {
            for (place, size) in (0..).zip(self.sizes.values()) {
                let usual = Hanging { length: length.get(), ..Hanging::usual(*size, self.tolerance, self.iterations) };
                all.extend(WAYS.map(|way| (place, Hanging { way, ..usual })));
            }
        }
        all
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.rivals.clone()))
}
