//! The board of methods and cases.

use super::board::board;
use super::moving::{self, Kind};
use super::{beam, cantilever, car_axis, folded_chain, hanging_chain, pendulum, strip_modes, waves};
use crate::prelude::*;

/// What moves, at the worst of the amplitudes or modes of each case: by integrators, constraint methods and meshes.
fn motions(results: &Results) -> Result<String, ResultsError> {
    let integrated = [
        ("pendulum", pendulum::rungs(results)?),
        ("hanging chain", hanging_chain::rungs(results)?),
        ("folded chain", folded_chain::rungs(results)?),
        ("car axis", car_axis::rungs(results)?),
        ("beam", beam::rungs(results)?),
    ];
    let meshed = [("waves", waves::rungs(results)?), ("clamped strip", strip_modes::rungs(results)?)];
    let [integrators, methods] = [Kind::Integrator, Kind::ConstraintMethod].map(|kind| moving::board(kind, &integrated));
    Ok(format!(
        "What moves: whether errors fall with the order of the method, at the worst amplitude or mode of a case, that order and \
         the finest error; for the folded chain whether its time is within 1 %.\n\n{integrators}\n\n{methods}\n\n{}",
        moving::board(Kind::Mesh, &meshed)
    ))
}

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let entries = [cantilever::entries(results)?].into_iter().flatten().collect::<Vec<_>>();
    Ok(format!("{}\n\n{}", board(&entries), motions(results)?))
}
