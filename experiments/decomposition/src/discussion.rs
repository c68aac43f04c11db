//! What a reader of the thesis would want to know.

use kit::prelude::*;

use super::assumptions::{AS_PRINTED, BENDING_IMPLICIT, CONVERGED, GROUND, SCENES, Scene};
use super::changes::{by_reading, changes, in_scene, signed, two_digits};
use super::groups::Runs;
use super::runs::{Counting, RunRow};
use super::shares::{BENDING, EXPLICIT, Shares};
use super::{cuts, schwarz};

/// Rows of the first sets under a reading in a scene, and those of the main group on the same sets.
fn under(results: &Results, scene: &Scene, name: &str) -> Result<[Vec<RunRow>; 2], ResultsError> {
    let found = by_reading(results, scene)?.into_iter().find(|compared| compared.name == name);
    Ok(found.map_or_else(Default::default, |Compared { rows, usual, .. }| [rows, usual]))
}

/// Runs of the first sets that are lost under a reading and in the main group, of all in the four scenes.
fn lost_under(results: &Results, name: &str) -> Result<String, ResultsError> {
    let scenes = SCENES.iter().map(|scene| under(results, scene, name)).collect::<Result<Vec<_>, _>>()?;
    let lost = |which: usize| scenes.iter().flat_map(|scene| &scene[which]).filter(|row| !row.is_finished()).count();
    let all: usize = scenes.iter().map(|[rows, _]| rows.len()).sum();
    Ok(format!("{} of {all} in place of {}", lost(0), lost(1)))
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let missing = || too_few("no set finished");
    let mut lines = vec![];
    for scene in &SCENES {
        let rows = in_scene(results, scene)?;
        let [all, free] = [Counting::AllRows, Counting::FreeRows].map(|counting| mean(&changes(&rows, counting)));
        let [all, free] = [all.ok_or_else(missing)?, free.ok_or_else(missing)?];
        lines.push(format!("{} {}, of which decomposing alone {}", scene.name, signed(all), signed(free)));
    }
    let shares = results.without_sets::<Shares>()?;
    let share = |counted: &str, limit: f64| shares.iter().find(|row| row.counted == counted && row.limit == limit);
    let [explicit, bending] =
        [share(EXPLICIT, 0.2), share(BENDING, 1.0)].map(|row| row.map_or_else(|| "none".into(), |row| two_digits(row.share)));
    let [implicit_bend, explicit_bend] = under(results, &GROUND, BENDING_IMPLICIT)?;
    let components = |rows: &[RunRow]| {
        let components = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.components);
        mean(&components.collect::<Vec<_>>()).map_or_else(|| "none".into(), short)
    };
    let alone = |rows: &[RunRow]| mean(&changes(rows, Counting::FreeRows)).map_or_else(String::new, signed);
    let rows = results.rows::<Runs>()?;
    let left_out = || rows.iter().filter(|row| !row.row.is_finished());
    let beyond = || rows.iter().filter(|row| row.row.sheet.bending_number > 1.0);
    let other_laws: Vec<String> = shares
        .iter()
        .filter_map(|row| Some((row.counted.strip_prefix(BENDING)?.strip_prefix(", ")?, row.share)))
        .map(|(law, share)| format!("{} with {law}", two_digits(share)))
        .collect();
    let other_laws = if other_laws.is_empty() { String::new() } else { format!(" ({})", other_laws.join(", ")) };
    let differences: Vec<f64> = rows.iter().filter(|row| row.row.is_finished()).filter_map(|row| row.row.difference).collect();
    let lines = lines.join("; ");
    let (joined, separate) = (components(&implicit_bend), components(&explicit_bend));
    let (alone_joined, alone_separate) = (alone(&implicit_bend), alone(&explicit_bend));
    let (lost, runs, lost_beyond) =
        (left_out().count(), rows.len(), left_out().filter(|row| row.row.sheet.bending_number > 1.0).count());
    let (all_beyond, finished_beyond) = (beyond().count(), beyond().filter(|row| row.row.is_finished()).count());
    let (lost_printed, lost_converged, lost_joined) =
        (lost_under(results, AS_PRINTED)?, lost_under(results, CONVERGED)?, lost_under(results, BENDING_IMPLICIT)?);
    let apart = short(median(&differences).unwrap_or(0.0));
    Ok(format!(
        "Mean change of the RV count against the full solver: {lines}. The two numbers part where particles stick: a fully \
         constrained row needs no product, whether or not the rest falls apart, and a footnote of the thesis says that a full \
         solver could skip it too. What is left is what smaller systems save that converge by themselves.\n\n\
         What decides the result on the sphere is friction: the thesis says that cloth sticks in some of its experiments and \
         slips in others, by its friction constants, and gives none. A particle that slides keeps two degrees of freedom and \
         goes on joining its neighbours; only one that sticks drops out. What decides it on the ground is how much of the time \
         the sheet lies there.\n\n\
         Adaptive splitting has no part in it: with the lists of the thesis {explicit} of all families are explicit at the \
         threshold of 0.2, so the matrix thins out only where springs are compressed and bending, always explicit, joins \
         nothing. Where bending is implicit, compressed parts stay joined: on the ground there are then {joined} components instead of \
         {separate}, and decomposing alone changes the count by {alone_joined} instead of {alone_separate}.\n\n\
         {lost} of {runs} runs gain energy and are counted apart. By the usual law the bending number exceeds 1 in {bending} of all \
         combinations of the lists{other_laws}; of the runs that gain energy {lost_beyond} have such a number, and of all {all_beyond} \
         that have it {finished_beyond} come to their end. Of the runs of the first sets {lost_printed} with tol = c dt are lost with tol² \
         = c dt as printed, {lost_converged} with systems solved to 1e-8, {lost_joined} with bending implicit. A component stops by its \
         own residual, where the full solver weighs all rows together, so the two runs of a set drift apart: by {apart} of the mesh \
         spacing in the median.\n\n{}\n\n{}",
        schwarz::discussion(results)?,
        cuts::discussion(results)?
    ))
}
