//! What do the techniques of the thesis gain over a plain implicit simulator, each alone and all together? \[Boxerman 2003, 7\]
//!
//! The thesis concludes that adaptive implicit-explicit integration, the constrained preconditioner with the corrected start, and
//! decomposition together double to triple the speed, and gives no experiment for it. Here sheets from its lists run by a plain
//! simulator, by each technique added alone, and by all of them, in its scenes: work for many sheets, time for some.

mod charts;
mod gains;
mod methods;

use kit::prelude::*;

topics! {
    runs: RunRanges,
    times: TimeRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "speedup",
        title: "All techniques against a plain implicit simulator",
        source: "Boxerman 2003, chapter 7",
        about: "Sheets drawn from the lists of the thesis, one second each in six scenes, by semi-implicit backward Euler with the \
                conjugate gradients of Baraff and Witkin, by each technique of the thesis added to that alone, and by all of them.",
        discussion: gains::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
