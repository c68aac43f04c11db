//! What a user who wants cloth to tear would want to know.

use super::costs;
use super::meshes::Faces;
use super::paths::{PathRow, Paths};
use super::sheets::Weave;
use super::stretch::Stretched;
use super::ties::{TieRow, Tied};
use super::torn::Way;
use crate::prelude::*;

/// What is left between the sides of a tear, by springs.
fn ties(rows: &[TieRow]) -> String {
    let heads =
        ["springs", "torn sheets", "sides that left", "tied at once", "tied at the end", "pieces", "pieces where the mesh opens"];
    let lines = Weave::ALL.map(|weave| {
        let torn: Vec<&TieRow> = rows.iter().filter(|row| row.weave == weave && row.is_torn()).collect();
        let sum = |of: fn(&TieRow) -> usize| torn.iter().map(|row| of(row)).sum::<usize>();
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
    table(&heads, lines)
}

/// When tears run and which way, by mesh and way to tear.
fn tears(rows: &[PathRow]) -> String {
    let [coarse, fine] =
        [rows.iter().map(|row| row.side).min(), rows.iter().map(|row| row.side).max()].map(Option::unwrap_or_default);
    let steepest = rows.iter().map(|row| row.angle).fold(0.0, f64::max);
    let oblique = |row: &PathRow| row.angle > 0.0 && row.angle < 45.0;
    let number = |found: Option<f64>, unit: &str| found.map_or_else(String::new, |found| format!("{found:.3}{unit}"));
    let heads = [
        "mesh".to_owned(),
        "tears".into(),
        format!("strain at which it runs, {coarse} a side"),
        format!("{fine} a side"),
        format!("{fine} a side, pulled at {steepest}°"),
        "beside the normal of an oblique pull".into(),
        "detour".into(),
    ];
    let kinds = Faces::ALL.into_iter().flat_map(|faces| [Way::Simple, Way::Open].map(|way| (faces, way)));
    let lines = kinds.map(|(faces, way)| {
        let of = |kind: &dyn Fn(&PathRow) -> bool, quantity: fn(&PathRow) -> Option<f64>| {
            let rows = rows.iter().filter(|row| row.faces == faces && row.way == way && row.status == FINISHED && kind(row));
            median(&rows.filter_map(quantity).collect::<Vec<_>>())
        };
        let runs = |side: usize, angle: f64| of(&|row| row.side == side && row.angle == angle, |row| row.runs);
        vec![
            faces.name().into(),
            way.name().into(),
            number(runs(coarse, 0.0), ""),
            number(runs(fine, 0.0), ""),
            number(runs(fine, steepest), ""),
            number(of(&oblique, |row| row.beside), "°"),
            number(of(&|_| true, |row| row.detour), ""),
        ]
    });
    table(&heads.each_ref().map(String::as_str), lines)
}

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let (tied, squares) = (results.without_sets::<Tied>()?, results.without_sets::<Paths>()?);
    let hung = results.without_sets::<Stretched>()?;
    let torn = |way: Way| hung.iter().filter(move |row| row.way == way && row.tears > 0 && row.status == FINISHED);
    let with_tears = |way| mean(&torn(way).map(|row| row.tears as f64 / row.steps.max(1) as f64).collect::<Vec<_>>());
    let share = |way| with_tears(way).map_or_else(|| "none".into(), percent);
    let lost = left_out(squares.iter().map(|row| row.status.as_str()));
    Ok(format!(
        "{}\n\nA side that leaves has company: both diagonals of the squares beside it and the bend springs over it go on joining what it \
         joined, and leave later, when they are too long themselves. With sides alone there is nothing of this kind. What has to go with a \
         side is what lies across the tear, which the mesh that opens sees to: springs are those of the torn mesh. That a tear is easy to \
         implement and moves in an interesting way is nothing to be measured; the frames of the scenes `torn-sheet`, `torn-by-sphere` and \
         `torn-banner` show it.\n\n\
         {}\n\nA limit of stretch is no property of the cloth alone. A finer mesh sees more of the strain about the end of a tear, which \
         so runs under less load the finer the mesh is. Where the mesh opens only sides are looked at, and the sides of squares see \
         nothing of stretch along their diagonals but half of it: squares bear more along their diagonals than along their sides, and a \
         tear under an oblique pull follows rows and columns. Diagonals that are springs with limits of their own make leaving springs \
         less partial. On triangles the strength varies from place to place with the mesh; {} of the {} squares tore elsewhere than from \
         the notch as well; {lost}.\n\n\
         {}\n\nOf the steps of sheets that tear {} have one where springs leave, and {} where the mesh opens.",
        ties(&tied),
        tears(&squares),
        squares.iter().filter(|row| row.elsewhere > 0).count(),
        squares.len(),
        costs::told(results)?,
        share(Way::Simple),
        share(Way::Open),
    ))
}
