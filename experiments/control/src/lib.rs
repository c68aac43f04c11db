//! Can cloth be led through key frames, and what does its gradient cost? \[Stuyck 2018, 8; Wojtan, Mucha & Turk 2006\]
//!
//! Random sheets that are let go, and forces that are looked for so that they come to where they are wanted: how near they come,
//! what the weights of the goal do, what a search by the gradient of the adjoint state saves, what that gradient takes. The
//! material of a recorded motion is found by the same gradient.

mod discussion;
mod sheets;
mod simplex;
mod steering;
mod wishes;

use kit::prelude::*;

topics! {
    reach: ReachRanges,
    tuning: TuningRanges,
    searches: SearchRanges,
    costs: CostRanges,
    fits: FitRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "control",
        title: "Cloth that is led, by gradients of its runs",
        source: "Stuyck 2018, chapter 8",
        about: "Random sheets of springs and of a continuum, let go from where they are held, and led to key frames by forces that are \
                found by the gradient of the adjoint state: how near they come, what the forces cost, what other searches take, what a \
                gradient takes; and materials that are found from noisy positions.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
