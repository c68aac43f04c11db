//! Which integrator should I use?
//!
//! Cloth as people simulate it, at 11 to 200 particles a side: sheets of soft and of stiff springs, a drape on a ball, a flag in wind, a
//! ribbon that is twisted until it lies on itself, trousers on a figure. Every integrator and constraint method of the registries
//! runs each scene over a ladder of steps; the errors are distances to a reference that is known to so much, times are of one
//! thread. From them a table: what to take for which cloth, size and accuracy, and in real time.

mod charts;
mod contestants;
mod decision;
mod discussion;
mod references;
mod scenes;

use kit::prelude::*;

pub use decision::first_page;

topics! {
    runs: RunRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "which-integrator",
        title: "Which integrator to take",
        source: "all five publications; error against time as Hairer & Wanner, Solving Ordinary Differential Equations",
        about: "Sheets, a drape, a flag, a ribbon and trousers of 11 to 200 particles a side by every integrator and constraint method over a ladder of \
                steps: error against a reference whose own error is estimated, largest strain, work and time; and from them which to take.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
