//! How many iterations of conjugate gradients does a preconditioner save, and the start from the previous solution?
//! \[Boxerman 2003, 5.2 and 5.3\]
//!
//! Cloth in contact is a linear system of which some rows are constrained. The thesis takes the constraints into the 3x3
//! diagonal blocks that precondition it, and reports how many iterations that saves against the blocks as they are and against
//! none. As there, every preconditioner runs the whole simulation; tolerance, contact and start are varied, because the verdicts
//! hang on them, and the same systems are solved by all preconditioners besides.

mod charts;
mod contest;
mod discussion;
mod drift;
mod method;
mod published;
mod samples;
mod scenes;

use kit::prelude::*;

topics! {
    systems: SystemRanges,
    readings: ReadingRanges,
    stiffness: StiffnessRanges,
    order: OrderRanges,
    tolerances: ToleranceRanges,
    times: TimeRanges,
    multigrid: MultigridRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "preconditioners",
        title: "Preconditioners and starts of projected conjugate gradients",
        source: "Boxerman 2003, sections 5.2 and 5.3",
        about: "Sheets of one metre that hang from two corners or fall onto a sphere, drawn from the lists of the thesis, run for one \
                second by semi-implicit backward Euler with each preconditioner, and under each reading of what the thesis says of its \
                tolerance.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
