//! Does generalized-alpha let cloth move more freely than backward Euler, at the same cost? \[Parks & Forsyth 2002\]
//!
//! A flag of triangles is driven at two corners for half of a minute and then held for another half: all energy that it loses then
//! is the integrator's doing. The paper gives neither size nor stiffness, so verdicts rest on drawn scenes and on a map of them;
//! one tuned scene, whose rates are near the published ones, draws its figure 2.

mod discussion;
mod flag_run;
mod measures;
mod runs;
mod select;

use kit::prelude::*;

topics! {
    flag: Flags,
    settings: SettingRanges,
    paper: PaperRanges,
    map: MapRanges,
    swings: SwingRanges,
    limits: LimitRanges,
    courses: CourseRanges,
    systems: SystemRanges,
    radii: RadiusRanges,
    orders: OrderRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "generalized-alpha",
        title: "Generalized-alpha against backward Euler",
        source: "Parks & Forsyth 2002",
        about: "A flag of 116 points, driven at two corners for 30 s and then held for 30 s, by backward Euler and by generalized-alpha: how fast \
                each loses the energy that nothing takes, how the flag swings, and what a step costs.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
