//! What does adaptive implicit-explicit integration gain, and what does it change? \[Boxerman 2003, 4.2 to 4.4; Stuyck 2018, 3.4\]
//!
//! AIMEX treats a spring explicitly where its numerical stiffness is at most 0.2, decided per spring and per step. The thesis
//! reports that it stays stable while springs switch, that most results differ by less than a tenth of the mesh spacing from
//! those of the implicit scheme, and what it saves, by splitting. Both schemes run the same random sheets, step by step side by
//! side; tolerance, friction and the treatment of bending are varied, because the verdicts hang on them.

mod assumptions;
mod charts;
mod differences;
mod discussion;
mod ratios;
mod scene_charts;

use kit::prelude::*;

topics! {
    runs: RunRanges,
    shares,
    stability: StabilityRanges,
    adaptive: AdaptiveRanges,
    times: TimeRanges,
    scenes,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "aimex",
        title: "Adaptive implicit-explicit integration",
        source: "Boxerman 2003, sections 4.2 to 4.4; Stuyck 2018, section 3.4",
        about: "Sheets that hang from two corners or fall onto a table or a sphere, drawn from the lists of the thesis, run for one \
                second by semi-implicit backward Euler and by AIMEX, which treats a spring explicitly where its numerical \
                stiffness is at most 0.2 and bending always.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
