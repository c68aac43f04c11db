//! The board of methods and cases.

use super::board::board;
use super::cantilever;
use crate::prelude::*;

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let entries = [cantilever::entries(results)?].into_iter().flatten().collect::<Vec<_>>();
    Ok(board(&entries))
}
