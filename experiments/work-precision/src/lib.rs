//! Which integrator reaches which error for the least work, and in the least time?
//!
//! The papers compare schemes at one step, or by whether they look right. Here every integrator runs the same scenes over the same
//! ladder of steps, and its error against a converged reference stands against its work: the chart of the literature on ordinary
//! differential equations.

mod ball;
mod charts;
mod discussion;
mod methods;
mod references;
mod samples;
mod scenes;

use kit::prelude::*;

topics! {
    runs: RunRanges,
    large_steps: LargeStepRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "work-precision",
        title: "Error against work and time, every integrator",
        source: "Hairer & Wanner, Solving Ordinary Differential Equations; Boxerman 2003, section 4.2.3",
        about: "Sheets, a drape, a flag and a chain by every integrator over one ladder of steps. The error is the distance of particles to a converged \
                reference at four times; work counts forces, linearisations, products and iterations in operations. Beside them, random sheets of the thesis by \
                backward Euler and BDF2 at steps of up to a second.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
