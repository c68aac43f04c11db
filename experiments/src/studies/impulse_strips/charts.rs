//! The charts of the study, each from its tables alone.

use lab::chart::{Axis, Color, Corner, Direction, Figure, Layer, Mesh, Palette, Panel, Snapshot, View, Wires};
use lab::results::{Results, ResultsError};
use lab::statistics::median;

use super::linear::KINDS;
use super::relaxed::ParticleRow;
use super::rivals::WAYS;
use super::scene::{LENGTH, RunRow, STEP, STRIPS};
use super::time_verdicts::{Counted, Timed, gains, is_few, part_counts, part_times, timed};
use super::verdicts::{rows, usual};

/// Permissible strains of some rows, large first.
fn tolerances<'a>(rows: impl Iterator<Item = &'a RunRow>) -> Vec<f64> {
    let mut tolerances: Vec<f64> = rows.map(|row| row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    tolerances
}

/// A permissible strain as the paper writes it.
fn name(tolerance: f64) -> String {
    format!("tolerance {tolerance}")
}

fn side_axis() -> Axis {
    Axis::linear("n, particles a side").whole_numbers()
}

/// Line and marks.
fn marked(label: impl Into<String>, color: Color, points: Vec<[f64; 2]>) -> [Layer; 2] {
    [Layer::line("", color, points.clone()), Layer::points(label, color, points)]
}

/// Figure 5: times a step.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let sheets = timed(results)?;
    let panel = |threads: &str, title: &str| {
        let of = |wanted: &dyn Fn(&RunRow) -> bool| -> Vec<[f64; 2]> {
            let sheets = sheets.iter().filter(|sheet| sheet.row.threads == threads && wanted(&sheet.row));
            sheets.filter_map(|sheet: &Timed| Some([sheet.row.side as f64, sheet.median()?])).collect()
        };
        let mut layers = vec![Layer::rule("1/30 s", Palette::GREY, Direction::Horizontal, STEP)];
        let full = sheets.iter().map(|sheet| &sheet.row).filter(|row| !is_few(row));
        for (k, tolerance) in tolerances(full).into_iter().enumerate() {
            let points = of(&|row| row.tolerance == tolerance && !is_few(row));
            layers.extend(marked(name(tolerance), Palette::series(k), points));
        }
        layers.extend(marked("five iterations", Palette::BLACK, of(&is_few)));
        let mut panel = Panel::new(side_axis(), Axis::log("seconds a step"), layers).titled(title);
        panel.legend = Corner::Outside;
        panel
    };
    let caption = "Medians of the repeats over the first steps of a hanging sheet of 1 m, each run alone on the machine; below the line a \
                   step takes less than it simulates. Published on four cores of 2008.";
    let panels = vec![panel("all", "all threads"), panel("one", "one thread")];
    Ok(Figure { of_times: true, ..Figure::new("times", "Figure 5: time of a step by grid and tolerance", caption, panels) })
}

/// What threads gain.
pub fn threads(results: &Results) -> Result<Figure, ResultsError> {
    let gains = gains(results)?;
    let mut layers = vec![
        Layer::rule("published, four cores", Palette::VERMILLION, Direction::Horizontal, 1.9),
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
    ];
    for (k, tolerance) in tolerances(gains.iter().map(|(row, _)| row)).into_iter().enumerate() {
        let of = gains.iter().filter(|(row, _)| row.tolerance == tolerance && !is_few(row));
        let points = of.filter_map(|(row, ratios)| Some([row.side as f64, median(ratios)?])).collect();
        layers.extend(marked(name(tolerance), Palette::series(k), points));
    }
    let mut panel = Panel::new(side_axis(), Axis::linear("time, one thread / all threads"), layers);
    panel.legend = Corner::Outside;
    let caption = "Median over the repeats of the ratio of times; the results have the same bits.";
    Ok(Figure { of_times: true, ..Figure::new("threads", "What the threads of this machine gain", caption, vec![panel]) })
}

/// Iterations by grid.
pub fn iterations(results: &Results) -> Result<Figure, ResultsError> {
    let runs: Vec<RunRow> = rows(results, "steps")?;
    let rivals: Vec<RunRow> = rows(results, "rivals")?;
    let most = runs.iter().map(|row| row.limit).max().unwrap_or(0);
    let of = |rows: &[RunRow], wanted: &dyn Fn(&RunRow) -> bool| -> Vec<[f64; 2]> {
        let rows = rows.iter().filter(|row| row.strain.is_some() && row.iterations > 0.0 && wanted(row));
        rows.map(|row| [row.side as f64, row.iterations]).collect()
    };
    let axes = || (Axis::log("n, particles a side").whole_numbers(), Axis::log("iterations a step, mean"));
    let mut layers = vec![];
    for (k, tolerance) in tolerances(runs.iter().filter(|row| usual(row) && row.limit == most)).into_iter().enumerate() {
        let points = of(&runs, &|row| usual(row) && row.limit == most && row.tolerance == tolerance);
        layers.extend(marked(name(tolerance), Palette::series(k), points));
    }
    let (x, y) = axes();
    let mut by_tolerance = Panel::new(x, y, layers).titled("strips");
    let varied = runs.iter().find(|row| row.limit == most && !row.is_sized(LENGTH, row.arc)).map_or(0.01, |row| row.tolerance);
    let strips = |row: &RunRow| row.method == STRIPS.name() && row.limit == most && row.tolerance == varied;
    let mut layers = vec![];
    layers.extend(marked("1 m, arc of 0.5 rad", Palette::BLACK, of(&runs, &|row| strips(row) && usual(row))));
    layers.extend(marked("velocities too", Palette::GREY, of(&runs, &|row| strips(row) && row.velocities)));
    let mut others: Vec<(String, f64, f64)> = vec![];
    for row in runs.iter().filter(|row| strips(row) && !usual(row) && !row.velocities) {
        let (length, arc) = (row.length, row.arc);
        let label = if row.is_sized(LENGTH, arc) { format!("arc of {arc} rad") } else { format!("{length} m") };
        if others.iter().all(|(known, _, _)| *known != label) {
            others.push((label, length, arc));
        }
    }
    for (k, (label, length, arc)) in others.into_iter().enumerate() {
        layers.extend(marked(
            label,
            Palette::series(k),
            of(&runs, &|row| strips(row) && row.is_sized(length, arc) && !row.velocities),
        ));
    }
    let (x, y) = axes();
    let mut variants = Panel::new(x, y, layers).titled(format!("strips, {}", name(varied)));
    let mut layers = vec![];
    for (k, way) in WAYS.iter().enumerate() {
        layers.extend(marked(way.name(), Palette::series(k), of(&rivals, &|row| row.method == way.name())));
    }
    if let Some(limit) = rivals.first().map(|row| row.limit) {
        layers.push(Layer::rule("limit", Palette::GREY, Direction::Horizontal, f64::from(limit)));
    }
    let (x, y) = axes();
    let mut divisions = Panel::new(x, y, layers).titled("against other divisions");
    for panel in [&mut by_tolerance, &mut variants, &mut divisions] {
        panel.legend = Corner::Outside;
    }
    Ok(Figure::new(
        "iterations",
        "Iterations a step by grid",
        "A hanging sheet with steps of 1/30 s; an iteration solves all rows and all columns once, or sweeps over all edges once. Steps \
         that exhaust the limit of iterations count with it. Runs that fail are not drawn.",
        vec![by_tolerance, variants, divisions],
    ))
}

/// Figure 4: shapes.
pub fn relaxed(results: &Results) -> Result<Figure, ResultsError> {
    let particles: Vec<ParticleRow> = rows(results, "relaxed")?;
    let sheets = particles.chunk_by(|a, b| a.tolerance == b.tolerance && a.method == b.method);
    let picture = |sheet: &[ParticleRow]| {
        let first = sheet.first()?;
        let vertices: Option<Vec<[f64; 3]>> = sheet.iter().map(|p| Some([p.x?, p.y?, p.z?])).collect();
        let columns = sheet.iter().take_while(|p| p.row == 0).count();
        let faces = |k: &usize| k % columns + 1 < columns && k + columns < sheet.len();
        let faces: Vec<[usize; 4]> = (0..sheet.len()).filter(faces).map(|k| [k, k + 1, k + columns + 1, k + columns]).collect();
        let beside = |k: usize| (k % columns + 1 < columns).then_some([k, k + 1]);
        let below = |k: usize| (k + columns < sheet.len()).then_some([k, k + columns]);
        let segments = (0..sheet.len()).flat_map(|k| [beside(k), below(k)]).flatten().collect();
        let wires = Wires::new("", Palette::BLUE, segments).width(0.6);
        let mesh = Mesh::new(vertices?).surface("", Color(235, 240, 246), &faces).wires(wires);
        let title = format!("tolerance {}: {}", first.tolerance, first.status);
        Some(Panel::snapshot(Snapshot::new(View::new(-60.0, 12.0), vec![mesh])).titled(title))
    };
    let figure = Figure::new(
        "relaxed",
        "Figure 4: sheets pinned at two corners, after some seconds",
        "41 x 41 particles and 3280 edges at paper scale, of which every fourth row and column is drawn. There is no resistance \
         of the air, no shear and no bending: the sheets still swing. A sheet that fails has no picture.",
        sheets.filter_map(picture).collect(),
    );
    Ok(Figure { columns: 2, ..figure })
}

/// Operations and numbers of one part.
pub fn linear(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |label: &str, count: Counted| -> Result<Panel, ResultsError> {
        let mut layers = vec![];
        for (k, kind) in KINDS.iter().enumerate() {
            layers.extend(marked(*kind, Palette::series(k), part_counts(results, kind, count)?));
        }
        let mut panel = Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log(label), layers);
        panel.legend = Corner::Outside;
        Ok(panel)
    };
    Ok(Figure::new(
        "linear",
        "Work and space of one acyclic part",
        "A free strip, by its tridiagonal matrix and as a tree by algorithms 1 and 2.",
        vec![
            panel("operations of a factorisation and a solve", |row| row.factor + row.solve)?,
            panel("numbers of the factor", |row| row.entries)?,
        ],
    ))
}

/// Times of one part.
pub fn linear_times(results: &Results) -> Result<Figure, ResultsError> {
    let mut layers = vec![];
    for (k, kind) in KINDS.iter().enumerate() {
        layers.extend(marked(*kind, Palette::series(k), part_times(results, kind)?));
    }
    let mut panel = Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log("seconds a projection"), layers);
    panel.legend = Corner::Outside;
    let caption =
        "One factorisation and one solve of a free strip with all that a projection does besides; medians of the repeats.";
    Ok(Figure { of_times: true, ..Figure::new("linear-times", "Time of one acyclic part", caption, vec![panel]) })
}
