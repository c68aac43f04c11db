//! What a user who wants cloth to tear would want to know.

use kit::prelude::*;

use super::costs;
use super::meshes::Faces;
use super::paths::{PathRow, Paths};
use super::sheets::Weave;
use super::stretch::Stretched;
use super::ties::{TieRow, Tied};
use super::torn::Way;

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
    let sides = distinct(rows.iter().map(|row| row.side));
    let (Some(&coarse), Some(&fine)) = (sides.first(), sides.last()) else { return String::new() };
    let angles = distinct(rows.iter().map(|row| row.angle));
    let mut heads = vec!["mesh".to_owned(), "tears".into()];
    heads.extend([coarse, fine].map(|side| format!("strain at which it runs, median over directions, {side} a side")));
    heads.extend(angles.iter().map(|angle| format!("beside the normal of a pull at {angle}°, {fine} a side")));
    heads.push("opened sides over its way".into());
    let kinds = Faces::ALL.into_iter().flat_map(|faces| [Way::Simple, Way::Open].map(|way| (faces, way)));
    let lines = kinds.map(|(faces, way)| {
        let of = |kind: &dyn Fn(&PathRow) -> bool, quantity: fn(&PathRow) -> Option<f64>| {
            let rows =
                rows.iter().filter(|row| row.faces == faces && row.way == way && row.status == Status::Finished && kind(row));
            median(&rows.filter_map(quantity).collect::<Vec<_>>())
        };
        let number = |found: Option<f64>, places: usize, unit: &str| {
            found.map_or_else(String::new, |found| format!("{found:.places$}{unit}"))
        };
        let mut cells = vec![faces.name().to_owned(), way.name().into()];
        cells.extend([coarse, fine].map(|side| number(of(&|row| row.side == side, |row| row.runs), 3, "")));
        let beside = |angle: &f64| of(&|row| row.side == fine && row.angle == *angle, |row| row.beside);
        cells.extend(angles.iter().map(|angle| number(beside(angle), 0, "°")));
        cells.push(number(of(&|row| row.side == fine, |row| row.detour), 1, ""));
        cells
    });
    table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), lines)
}

/// How the strain at which tears run changes with the mesh and with the direction of the pull, in words.
fn load(rows: &[PathRow]) -> String {
    let of = |way: Way, angle: f64| {
        let of = rows.iter().filter(move |row| {
            row.faces == Faces::Grid && row.way == way && row.angle == angle && row.status == Status::Finished
        });
        of.filter_map(|row| Some([row.side as f64, row.runs?])).collect::<Vec<[f64; 2]>>()
    };
    let steepest = rows.iter().map(|row| row.angle).fold(0.0, f64::max);
    let words = [Way::Simple, Way::Open].map(|way| {
        let finest = |angle: f64| {
            let points = of(way, angle);
            let side = points.iter().map(|[side, _]| *side).fold(0.0, f64::max);
            median(&points.iter().filter(|[own, _]| *own == side).map(|[_, runs]| *runs).collect::<Vec<_>>())
        };
        let falls = power_law("runs", &of(way, 0.0)).map_or("nothing".into(), |law| format!("{:.2}", law.exponent));
        let along =
            finest(steepest).zip(finest(0.0)).map_or("nothing".into(), |(steep, straight)| format!("{:.2}", steep / straight));
        (falls, along)
    });
    let [(falls, along), (falls_open, along_open)] = words;
    format!(
        "On grids that are pulled along their warp a tear runs at a strain that goes as the particles a side to the power of \
         {falls} where springs leave and of {falls_open} where the mesh opens: a limit of stretch is no property of the cloth \
         alone, since a finer mesh sees more of the strain about the end of a tear. On the finest grids a pull at {steepest}° \
         takes {along} times the strain of one along the warp where springs leave, of which the diagonals have limits too, and \
         {along_open} times where the mesh opens, by its sides alone, which see half of a stretch along the diagonals. A tear on \
         a grid that lies as far beside the normal as the pull beside the warp follows a row or a column; between both it may part \
         in two."
    )
}

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let (tied, squares) = (results.without_sets::<Tied>()?, results.without_sets::<Paths>()?);
    let hung = results.without_sets::<Stretched>()?;
    let torn = |way: Way| hung.iter().filter(move |row| row.way == way && row.tears > 0 && row.status == Status::Finished);
    let with_tears = |way| mean(&torn(way).map(|row| row.tears as f64 / row.steps.max(1) as f64).collect::<Vec<_>>());
    let share = |way| with_tears(way).map_or_else(|| "none".into(), percent);
    let lost = left_out(squares.iter().map(|row| row.status));
    let through = squares.iter().filter(|row| row.through.is_some()).count();
    Ok(format!(
        "{}\n\nA side that leaves has company: both diagonals of the squares beside it and the bend springs over it go on joining \
         what it joined until they are too long themselves; sides alone have none. What has to go with a side is whatever lies \
         across the tear, as where the mesh opens, whose springs are those of the torn mesh. That a tear is easy to implement and \
         moves in an interesting way is nothing to be measured; the frames of the scenes `torn-sheet`, `torn-by-sphere` and \
         `torn-banner` show it.\n\n\
         {}\n\n{} Of {} squares {through} tore through, and {} tore elsewhere than from the notch as well; {lost}.\n\n\
         {}\n\nOf the steps of sheets that hang and tear {} have one where springs leave, and {} where the mesh opens.",
        ties(&tied),
        tears(&squares),
        load(&squares),
        squares.len(),
        squares.iter().filter(|row| row.elsewhere > 0).count(),
        costs::told(results)?,
        share(Way::Simple),
        share(Way::Open),
    ))
}
