//! What a reader of the paper would want to know.

use kit::prelude::*;

use super::bursts;
use super::chain_verdicts::ratio_in_words;
use super::drape::Drape;
use super::drape_verdicts;
use super::rivals::SOFT;
use super::samples::percent;

/// In plain words, from the results.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Drape>()?;
    let searched = rows.chunk_by(|a, b| a.set == b.set);
    let nowhere: Vec<String> = searched
        .filter(|runs| runs.iter().all(|run| !run.row.holds()))
        .filter_map(|runs| {
            let last = &runs.last()?.row;
            let place = format!("{} at {} on {} x {}", last.method, percent(last.strain), last.side, last.side);
            Some(format!("{place} ({})", last.status))
        })
        .collect();
    let (chain, bursts) = (ratio_in_words(results)?, bursts::words(results)?);
    let nowhere = if nowhere.is_empty() { "none".into() } else { nowhere.join("; ") };
    let (cheapest, table) = (drape_verdicts::cheapest(results)?, drape_verdicts::table(results)?);
    Ok(format!(
        "Every method is searched in the same way: steps from coarse to fine, each run for its whole second, until finer steps cost more than the \
         cheapest run that holds the bound and lies near the reference. Nominal operations count factorisations, solves and sweeps; assembly of \
         matrices and forces is in the times only.\n\n\
         Least time at each strain and size, of all methods that were tried there, at their cheapest step that holds the bound within 0.05 \
         m of the reference: {cheapest}.\n\n\
         XPBD takes one sweep a step, or four or 16, without compliance: its steps are what is refined. One that leaves an edge beyond the bound \
         ends its run, with the status *left the bound*; the other methods iterate up to a limit. *soft-pbd* is position based dynamics that moves an edge by {SOFT} of its way a sweep. *xpbd-4*, \
         *xpbd-16* and *soft-pbd* were tried on one sheet alone.\n\n\
         Strain limiting moves edges that are too short as well, since every method here is held to both; *stretch-limiting* moves and counts \
         only those that are too long, as Provot does. Edges that are short are wrinkles to it.\n\n\
         On the chain at 1 %: {chain}.\n\n\
         The paper's algorithm 1 projects while the strain exceeds a threshold. Printed so, a step within the bound stays as it is, and \
         the strain that has gathered goes in one step: velocities of strain over the step. This study takes the print. The simulator \
         corrects every step unless told otherwise. Largest energy gained by a swing without air, over its weight, under both: {bursts}.\n\n\
         Drapes that a method holds with no step that was tried, with the status of its finest one: {nowhere}.\n\n\
         Times in this table are medians over the timed runs, of which a run that takes long has only one.\n\n{table}"
    ))
}
