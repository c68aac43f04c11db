//! What a user who wants cloth to tear would want to know.

use super::ties::{self, Tied};
use super::sheets::Weave;
use crate::prelude::*;

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = results.without_sets::<Tied>()?;
    let heads = ["springs", "torn sheets", "sides that left", "tied at once", "tied at the end", "pieces", "pieces where the mesh opens"];
    let lines = Weave::ALL.map(|weave| {
        let torn: Vec<_> = rows.iter().filter(|row| row.weave == weave && row.left > 0 && row.status == FINISHED).collect();
        let sum = |of: fn(&ties::TieRow) -> usize| torn.iter().map(|row| of(row)).sum::<usize>();
        let share = |of| percent(sum(of) as f64 / sum(|row| row.left).max(1) as f64);
        let per_sheet = |of| format!("{:.1}", sum(of) as f64 / torn.len().max(1) as f64);
        vec![
            weave.name().into(),
            torn.len().to_string(),
            sum(|row| row.left).to_string(),
            share(|row| row.tied_at_once),
            share(|row| row.tied),
            per_sheet(|row| row.pieces),
            per_sheet(|row| row.pieces_open),
        ]
    });
    Ok(table(&heads, lines))
}
