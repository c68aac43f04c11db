//! The board of what moves.

use super::moving::{self, Kind};
use super::{beam, car_axis, folded_chain, hanging_chain, pendulum, strip_modes, waves};
use crate::prelude::*;

/// Methods and cases, at the worst of the amplitudes or modes of each case: integrators, constraint methods and meshes.
pub fn motions(results: &Results) -> Result<String, ResultsError> {
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
        "**What moves.** Whether errors fall with the order of the method, at the worst amplitude or mode of a case, that order \
         and the finest error; for the folded chain whether its time is within 1 %. Nothing stands where a method has no part in \
         a case: implicit schemes need symmetric derivatives, which the car axis without its constraints does not have, and the \
         beam has no edges.\n\n{integrators}\n\n{methods}\n\n{}",
        moving::board(Kind::Mesh, &meshed)
    ))
}
