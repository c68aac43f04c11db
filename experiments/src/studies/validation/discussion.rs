//! The board of methods and cases, and what it says.

use super::bending_length::BendingLengths;
use super::board::{Entry, board};
use super::cantilever::Cantilevers;
use super::end_shear::Shears;
use super::ladder::entries;
use super::pinched::Pinches;
use super::roll_up::RollUps;
use super::standing_strip::Standing;
use super::{catenary, patch};
use crate::prelude::*;

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
         the bound.",
        board(&entries)
    ))
}
