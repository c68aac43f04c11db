//! What does solving each connected component of the system by itself save? \[Boxerman 2003, ch. 6\]
//!
//! Springs that are compressed or explicit leave no block in the matrix, and fully constrained particles cut it: what is left may
//! fall apart into components, each solved by projected conjugate gradients of its own. The thesis counts rows multiplied by
//! vectors (the RV count) of the full and the decomposing solver. Both run the same random sheets here, step by step side by
//! side. A decomposing solver also skips rows of fully constrained particles, which a full one could do too: both counts of
//! the full solver are kept, so that either saving is seen by itself.
//!
//! The last chapter of the thesis looks ahead: parts of the mesh as a preconditioner, and springs that are cut where their ends
//! hardly move relative to each other.

mod assumptions;
mod changes;
mod charts;
mod discussion;
mod figure_charts;
mod groups;
mod solvers;

use kit::prelude::*;

topics! {
    runs: RunRanges,
    shares,
    extremes,
    times: TimeRanges,
    figures: FigureRanges,
    schwarz: SchwarzRanges,
    schwarz_times: SchwarzTimeRanges,
    cuts: CutRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "decomposition",
        title: "Systems decomposed into their components",
        source: "Boxerman 2003, chapter 6",
        about: "Sheets of 1.5 m that hang from two corners, fall onto a sphere beside their centre or to the ground, drawn from the \
                lists of the thesis, run for one second, or until they rest on the ground, by AIMEX with systems solved as a whole \
                and component by component.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
