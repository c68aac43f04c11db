//! Up to which step is forward-backward Euler stable? \[Boxerman 2003, 4.1.3, with 3.1.3 and 4.1.4; Stuyck 2018, 3.3\]
//!
//! The thesis derives a limit on the numerical stiffness, kappa = dt/m (ks dt + 2 kd) <= 1/2, and tests it by bisection on
//! 500 random sheets. So do we, and look at every step near each limit, since stability is not always monotone; and we ask which of
//! three predictions the limit follows, what the verdict owes to chance, to its threshold, to the extension gate, to the damping
//! form and to the masses, and check the smaller statements around it: the chain in one dimension, the bar against its
//! differential equation, the amplification of one spring, the regions of stability.

mod discussion;
mod fringe;
mod plane;
mod raggedness;
mod search;

use kit::prelude::*;

topics! {
    sheets: SheetRanges,
    readings,
    scans: ScanRanges,
    draws: Ranges,
    chains: Ranges,
    bars: Ranges,
    springs: Ranges,
    regions: RegionRanges,
    spirals: SpiralRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "fb-euler-stability",
        title: "Stability of forward-backward Euler",
        source: "Boxerman 2003, sections 3.1.3, 4.1.3, 4.1.4; Stuyck 2018, section 3.3",
        about: "A square sheet, held at two corners, falls from the horizontal for a fixed number of steps. For random sets of mesh, \
                density, stiffness and damping, bisection finds the largest step with which forward-backward Euler stays stable; the \
                numerical stiffness there is compared with the thesis' bound of one half. Steps of 0.5 % near it show how sharp it is, \
                and five further draws what is chance. The bracket spans many decades whatever the \
                theory says.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
