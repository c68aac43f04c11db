//! Does what the textbook asserts of cloth hold? \[Stuyck 2018, 3-5, 7\]
//!
//! Its chapters on explicit integration, mass-spring models and implicit integration state in words what this study measures: which
//! steps are stable, what damping does, how springs shape cloth, what one Newton step is worth; that on the continuum, by its
//! contents, what springs lack. Three statements of the thesis
//! that no experiment of its own tests are judged beside them: the area that slack springs keep, the criterion of stability of
//! triangles, and decomposition on clothing.

mod chapters;
mod discussion;
mod drape_charts;
mod patches;
mod times_verdicts;
mod weave;

use kit::prelude::*;

#[cfg(test)]
#[allow(dead_code, reason = "a recipe of CONTRIBUTING.md that is compiled in place")]
#[path = "../../../examples/recipes/gain.rs"]
mod recipe;

topics! {
    drapes: DrapeRanges,
    springs: SpringRanges,
    stiffness: StiffRanges,
    explicit: ExplicitRanges,
    damping: DampingRanges,
    hanging: HangingRanges,
    swing: SwingRanges,
    implicit: ImplicitRanges,
    frames: FrameRanges,
    times: TimeRanges,
    ends,
    areas: AreaRanges,
    elements: ElementRanges,
    clothing: ClothingRanges,
    continuum: ContinuumRanges,
    turning: TurningRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "textbook",
        title: "What the textbook says of cloth, put to the test",
        source: "Stuyck 2018, chapters 3 to 5 and 7; Boxerman 2003, sections 3.2, 4.4.1 and 6.4.3",
        about: "Random sheets of the textbook's mass-spring model, each statement with the runs that can tell: explicit and \
                backward Euler, with and without damping, other springs and masses; and three conjectures of the thesis, on \
                surfaces, triangles and trousers.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
