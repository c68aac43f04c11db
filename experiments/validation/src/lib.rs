//! Does cloth bend, hang, buckle and stretch as closed forms say? \[SPEC section 12\]
//!
//! Each case is a scene whose answer is known without any simulation, `crates/analytic`: measured over known, against the number
//! of elements, for every law that applies. What is at rest is found by damped Newton.

mod alike;
mod board;
pub mod boards;
mod discussion;
mod ladder;
mod meshes;
mod moving;
pub mod selection;
mod shadow;
mod strips;

use kit::prelude::*;

pub use moving::Kind;

topics! {
    cantilever: CantileverRanges,
    bending_length: LadderRanges,
    fabric_strips: LadderRanges,
    roll_up: LadderRanges,
    end_shear: LadderRanges,
    standing_strip: LadderRanges,
    pinched: LadderRanges,
    catenary: CatenaryRanges,
    patch: PatchRanges,
    shapes: ShapeRanges,
    moving_shapes: MovingShapeRanges,
    pendulum: PendulumRanges,
    hanging_chain: ChainRanges,
    folded_chain: FoldedRanges,
    car_axis: AxisRanges,
    beam: BeamRanges,
    waves: WaveRanges,
    strip_modes: StripRanges,
    drape: DrapeRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "validation",
        title: "Cloth held against exact solutions",
        source: "closed forms and high-precision solutions, `crates/analytic`",
        about: "Scenes whose answer is known without a simulation: strips that bend under their weight, under moments and \
                forces, that \
                buckle, chains that hang, patches that are stretched. Measured over known against the number of elements, for \
                every law \
                of bending and every method that applies.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
