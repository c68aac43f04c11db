//! The board of methods and cases, and what it says.

use super::bending_length::BendingLengths;
use super::board::{Entry, board};
use super::cantilever::Cantilevers;
use super::end_shear::Shears;
use super::ladder::entries;
use super::moving::{self, Kind};
use super::pinched::Pinches;
use super::roll_up::RollUps;
use super::standing_strip::Standing;
use super::{beam, car_axis, catenary, folded_chain, hanging_chain, patch, pendulum, strip_modes, waves};
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
    let entries: Vec<Entry> = [
        entries::<Cantilevers>(results)?,
        entries::<BendingLengths>(results)?,
        entries::<RollUps>(results)?,
        entries::<Shears>(results)?,
        entries::<Standing>(results)?,
        entries::<Pinches>(results)?,
        catenary::entries(results)?,
        patch::entries(results)?,
    ]
    .into_iter()
    .flatten()
    .collect();
    Ok(format!(
        "{}\n\nErrors are the largest over all loads of a case, on the finest mesh; orders are powers of the size of elements between the \
         last two. *Alternating, left, right* are the diagonals of cells along the strip; a method passes where its finest error is within \
         the bound.\n\n{}",
        board(&entries),
        motions(results)?
    ))
}
