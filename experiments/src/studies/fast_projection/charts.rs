//! The charts of the drape and of the chain, each from its table alone.

use chart::{Axis, Color, Dash, Figure, Layer, Marker, Mesh, Palette, Panel, Snapshot, Solid, View};
use lab::prelude::*;

use super::chain::{ChainRow, WAYS, Way};
use super::looks::{LookRow, Looks};
use super::moving_verdicts::percent;
use super::rivals::Rival;
use super::samples::{DrapeRun, Which, chain as chain_rows, chosen, chosen_chains, drape, repeats, same, seconds};
use super::scenes::{RADIUS, sphere};
use crate::published::{Curve, GOLDENTHAL};

/// A line with a mark at each of its points.
fn curve(label: &str, color: Color, dash: Dash, mut points: Vec<[f64; 2]>) -> [Layer; 2] {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    [Layer::line(label, color, points.clone()).dash(dash), Layer::points("", color, points)]
}

/// Series of different colours.
const COLOURS: usize = 7;

/// A panel with a curve a method, of the chosen ones of some runs; a method none of whose runs is has its place in the legend.
fn by_method(
    title: &str,
    axes: [Axis; 2],
    (rows, which): (&[DrapeRun], Which),
    keep: impl Fn(&DrapeRun) -> bool,
    point: impl Fn(&DrapeRun) -> Option<[f64; 2]>,
) -> Panel {
    let runs = chosen(rows, which).filter(|run| keep(run));
    let is_tried =
        |rival: &Rival| rows.iter().any(|run| run.row.method == rival.name() && run.row.elastic == "explicit" && keep(run));
    let mut points: Vec<(Rival, Vec<[f64; 2]>)> = Rival::ALL.iter().map(|rival| (*rival, vec![])).collect();
    for run in runs {
        let method = points.iter_mut().find(|(rival, _)| rival.name() == run.row.method);
        if let (Some((_, points)), Some(point)) = (method, point(run)) {
            points.push(point);
        }
    }
    let of = |(k, (rival, points)): (usize, (Rival, Vec<[f64; 2]>))| {
        let again = k >= COLOURS; // colours repeat, with other lines and marks
        let dash = if again { Dash::Dashed } else { Dash::Solid };
        if points.is_empty() {
            let missing = Layer::points(format!("{}: no step", rival.name()), Palette::series(k), vec![]).marker(Marker::Cross);
            return is_tried(&rival).then(|| vec![missing]);
        }
        let [line, marks] = curve(rival.name(), Palette::series(k), dash, points);
        Some(vec![line, if again { marks.marker(Marker::OpenSquare) } else { marks }])
    };
    let layers = points.into_iter().enumerate().filter_map(of).flatten().collect();
    let [x, y] = axes;
    Panel::new(x, y, layers).titled(title).legend_outside()
}

fn strain_axis() -> Axis {
    Axis::log("permissible strain").reversed()
}

/// Sides that have runs at more than one strain, and the strain that has runs at most sides.
fn sides(rows: &[DrapeRun]) -> Vec<usize> {
    let mut sides: Vec<usize> = rows.iter().map(|row| row.row.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let strains = |side: usize| {
        let mut strains: Vec<u64> = rows.iter().filter(|row| row.row.side == side).map(|row| row.row.strain.to_bits()).collect();
        strains.sort_unstable();
        strains.dedup();
        strains.len()
    };
    sides.retain(|side| strains(*side) > 1);
    sides
}

/// Vertices of the chain of which the paper gives a ratio of times.
const PUBLISHED_VERTICES: usize = 80;

/// The permissible strain of figures 4b and 5b.
const ONE_PERCENT: f64 = 0.01;

/// Work of the drape by permissible strain, for runs that hold the bound and for those that are accurate as well.
pub fn drape_work(results: &Results) -> Result<Figure, ResultsError> {
    let rows = drape(results)?;
    let mut panels = vec![];
    for side in sides(&rows) {
        for (which, words) in [(Which::Cheapest, "holds the bound"), (Which::Accurate, "accurate as well")] {
            let keep = |row: &DrapeRun| row.row.side == side;
            let axes = [strain_axis(), Axis::log("nominal operations")];
            let title = format!("{side} x {side}, cheapest step that {words}").replace("that accurate", "that is accurate");
            let point = |run: &DrapeRun| Some([run.row.strain, run.row.operations as f64]);
            panels.push(by_method(&title, axes, (&rows, which), keep, point));
        }
    }
    let figure = Figure::new(
        "drape-work",
        "Work of one simulated second of drape against the permissible strain",
        "Nominal floating-point operations of factorisations, solves and sweeps, each method at its cheapest step. A method that is missing at a \
         strain holds it with no step within its budget.",
        panels,
    );
    Ok(Figure { columns: 2, ..figure })
}

/// Steps that the methods take.
pub fn drape_steps(results: &Results) -> Result<Figure, ResultsError> {
    let rows = drape(results)?;
    let of = |side: usize| {
        let keep = |row: &DrapeRun| row.row.side == side;
        let axes = [strain_axis(), Axis::log("steps a second")];
        let title = format!("{side} x {side}, cheapest step that holds the bound");
        by_method(&title, axes, (&rows, Which::Cheapest), keep, |run| Some([run.row.strain, f64::from(run.row.rate)]))
    };
    Ok(Figure::new(
        "drape-steps",
        "Steps a second at which each method is cheapest",
        "Steps are tried by doubling, from 30 a second.",
        sides(&rows).into_iter().map(of).collect(),
    ))
}

/// Work of the drape by size at 1 %.
pub fn drape_size(results: &Results) -> Result<Figure, ResultsError> {
    let rows = drape(results)?;
    let panel = |which, words: &str| {
        let keep = |row: &DrapeRun| same(row.row.strain, ONE_PERCENT);
        let axes = [Axis::log("vertices"), Axis::log("nominal operations")];
        let point = |run: &DrapeRun| Some([(run.row.side * run.row.side) as f64, run.row.operations as f64]);
        by_method(words, axes, (&rows, which), keep, point)
    };
    Ok(Figure::new(
        "drape-size",
        "Work of one simulated second of drape against resolution, 1 % strain",
        "As figure 5b of the paper, in nominal operations, each method at its cheapest step.",
        vec![
            panel(Which::Cheapest, "cheapest step that holds the bound"),
            panel(Which::Accurate, "cheapest step that is accurate as well"),
        ],
    ))
}

/// Which methods have no admissible step that is accurate as well, and where, in words.
fn missing(rows: &[DrapeRun]) -> String {
    let mut places: Vec<(usize, &str, Vec<f64>)> = vec![];
    for run in rows.iter().filter(|run| run.row.elastic == "explicit") {
        let (side, method, strain) = (run.row.side, run.row.method.as_str(), run.row.strain);
        let is_same = |other: &DrapeRun| other.row.side == side && other.row.method == method && same(other.row.strain, strain);
        if chosen(rows, Which::Accurate).any(is_same) {
            continue;
        }
        match places.iter_mut().find(|(of, name, _)| *of == side && *name == method) {
            Some((_, _, strains)) if strains.contains(&strain) => {}
            Some((_, _, strains)) => strains.push(strain),
            None => places.push((side, method, vec![strain])),
        }
    }
    places.sort_by_key(|(side, _, _)| *side);
    let strains = |strains: &[f64]| strains.iter().map(|strain| percent(*strain)).collect::<Vec<_>>().join(", ");
    let of_side = |sheets: &[(usize, &str, Vec<f64>)]| {
        let methods = sheets.iter().map(|(_, method, at)| format!("{method} ({})", strains(at)));
        format!("{0} x {0}: {1}", sheets[0].0, methods.collect::<Vec<_>>().join(", "))
    };
    let sides: Vec<String> = places.chunk_by(|a, b| a.0 == b.0).map(of_side).collect();
    if sides.is_empty() { String::new() } else { format!("Tried, without an admissible step: {}.", sides.join("; ")) }
}

/// Times of the drape by strain and by size.
pub fn drape_times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = drape(results)?;
    let seconds = seconds(results, "drape")?;
    let counts = repeats(results, "drape")?;
    let mut panels = vec![];
    for side in sides(&rows) {
        let keep = |row: &DrapeRun| row.row.side == side;
        let axes = [strain_axis(), Axis::log("time of a simulated second [s]")];
        let point = |run: &DrapeRun| Some([run.row.strain, *seconds.get(&run.set)?]);
        panels.push(by_method(&format!("{side} x {side}"), axes, (&rows, Which::Accurate), keep, point));
    }
    let keep = |row: &DrapeRun| same(row.row.strain, ONE_PERCENT);
    let axes = [Axis::linear("vertices"), Axis::log("time of a simulated second [s]")];
    let vertices = |run: &DrapeRun| Some([(run.row.side * run.row.side) as f64, *seconds.get(&run.set)?]);
    panels.push(by_method("1 % strain", axes, (&rows, Which::Accurate), keep, vertices));
    Ok(Figure {
        of_times: true,
        columns: 2,
        ..Figure::new(
            "drape-times",
            "Time of one simulated second of drape",
            format!(
                "As figures 5a and 5b of the paper: medians of the timed runs of each method at its cheapest step within 0.05 m of the reference, alone \
                 and in turn on one core; of {} of {} cases, which take long, a single run. Figure 5b is linear on both axes in the paper. {}",
                counts.values().filter(|count| **count == 1).count(),
                counts.len(),
                missing(&rows)
            ),
            panels,
        )
    })
}

/// Solves of the chain by strain and by size.
pub fn chain(results: &Results) -> Result<Figure, ResultsError> {
    let rows = chain_rows(results)?;
    let (vertices, accuracy) = rows.first().map_or((0, 0.0), |row| (row.row.vertices, row.row.accuracy));
    let panel = |title: &str, x: Axis, keep: &dyn Fn(&ChainRow) -> bool, at: &dyn Fn(&ChainRow) -> f64| {
        let mut layers = vec![];
        for (k, way) in WAYS.iter().enumerate() {
            for (which, dash, words) in
                [(Which::Cheapest, Dash::Solid, ""), (Which::Accurate, Dash::Dashed, ", accurate as well")]
            {
                let points = chosen_chains(&rows, way.name(), which, accuracy).filter(|row| keep(&row.row));
                let points = points.map(|row| [at(&row.row), row.row.solves as f64]).collect();
                layers.extend(curve(&format!("{}{words}", way.name()), Palette::series(k), dash, points));
            }
        }
        Panel::new(x, Axis::log("linear systems"), layers).titled(title).legend_outside()
    };
    Ok(Figure::new(
        "chain",
        "Linear systems of one simulated second of a chain",
        "As figure 4 of the paper, in linear systems solved: tridiagonal ones of one unknown an edge for the projection, of three unknowns a \
         vertex for springs. Each at its cheapest step; springs with the best of all stiffnesses.",
        vec![
            panel(&format!("{vertices} vertices"), strain_axis(), &|row| row.vertices == vertices, &|row| row.strain),
            panel("1 % strain", Axis::log("vertices"), &|row| same(row.strain, ONE_PERCENT), &|row| row.vertices as f64),
        ],
    ))
}

/// Title of the panel of figure 4b.
const AT_ONE_PERCENT: &str = "1 % strain";

/// Chains of which no run of a way is accurate, in words.
fn inaccurate(rows: &[Row<ChainRow>], accuracy: f64) -> String {
    let mut found: Vec<String> = vec![];
    for row in rows.iter().map(|row| &row.row).filter(|row| same(row.accuracy, accuracy)) {
        let is_same = |other: &&Row<ChainRow>| other.row.vertices == row.vertices && same(other.row.strain, row.strain);
        if chosen_chains(rows, &row.way, Which::Accurate, accuracy).any(|other| is_same(&other)) {
            continue;
        }
        let words = format!("{} of {} vertices at {}", row.way, row.vertices, percent(row.strain));
        if !found.contains(&words) {
            found.push(words);
        }
    }
    if found.is_empty() { String::new() } else { format!("Tried, without an admissible step: {}.", found.join("; ")) }
}

/// Times of the chain by strain and by size.
pub fn chain_times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = chain_rows(results)?;
    let seconds = seconds(results, "chain")?;
    let (vertices, accuracy) = rows.first().map_or((0, 0.0), |row| (row.row.vertices, row.row.accuracy));
    let without = inaccurate(&rows, accuracy);
    let panel = |title: &str, x: Axis, keep: &dyn Fn(&ChainRow) -> bool, at: &dyn Fn(&ChainRow) -> f64| {
        let of = |(k, way): (usize, &Way)| {
            let runs = chosen_chains(&rows, way.name(), Which::Accurate, accuracy).filter(|row| keep(&row.row));
            let points = runs.filter_map(|row| Some([at(&row.row), *seconds.get(&row.set)?])).collect();
            curve(way.name(), Palette::series(k), Dash::Solid, points)
        };
        let mut layers: Vec<Layer> = WAYS.iter().enumerate().flat_map(of).collect();
        // the paper gives a ratio, so that its springs stand over the projection that was measured
        let projected = chosen_chains(&rows, Way::Projection.name(), Which::Accurate, accuracy).filter(|row| keep(&row.row));
        let at_published = projected.filter(|row| row.row.vertices == PUBLISHED_VERTICES && same(row.row.strain, ONE_PERCENT));
        let ratio = Curve::new(GOLDENTHAL, "4b", "speed-up of fast projection over implicit springs");
        for (row, time) in at_published.filter_map(|row| Some((row, *seconds.get(&row.set)?))).filter(|_| title == AT_ONE_PERCENT)
        {
            let label = format!("{}: {} x ours", ratio.label(), ratio.number().unwrap_or(f64::NAN));
            layers.extend(ratio.mark(at(&row.row), |ratio| ratio * time).map(|mark| mark.labelled(label)));
        }
        Panel::new(x, Axis::log("time of a simulated second [s]"), layers).titled(title).legend_outside()
    };
    Ok(Figure {
        of_times: true,
        ..Figure::new(
            "chain-times",
            "Time of one simulated second of a chain",
            format!(
                "As figure 4 of the paper, of the runs of the chart before, the cheapest that hold the bound and are accurate as well: medians of the \
                 repeats, alone and in turn on one core. Figure 4b is linear on both axes in the paper, which gives no times: the grey mark is \
                 its 25 times our own time of the projection. {without}"
            ),
            vec![
                panel(&format!("{vertices} vertices"), strain_axis(), &|row| row.vertices == vertices, &|row| row.strain),
                panel(AT_ONE_PERCENT, Axis::linear("vertices"), &|row| same(row.strain, ONE_PERCENT), &|row| row.vertices as f64),
            ],
        )
    })
}

/// The drapes of figure 6.
pub fn looks(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Looks>()?;
    let reached: Vec<(&LookRow, [cloth::Vec3; 2])> = rows.iter().filter_map(|row| Some((row, row.places()?))).collect();
    let last = reached.chunk_by(|(a, _), (b, _)| same(a.time, b.time)).last().unwrap_or_default();
    let side = last.first().map_or(0, |(row, _)| row.side);
    let cells = (0..side.saturating_sub(1)).flat_map(|j| (0..side.saturating_sub(1)).map(move |i| j * side + i));
    let faces: Vec<[usize; 4]> = cells.map(|k| [k, k + 1, k + side + 1, k + side]).collect();
    let picture = |title: &str, which: usize| {
        let vertices = last.iter().map(|(_, places)| places[which].into()).collect();
        let sheet = Mesh::new(vertices).surface("", Palette::SKY, &faces).rounded(1e-4);
        let ball = Solid::sphere(sphere().into(), RADIUS, Palette::GREY).rounded(1e-4);
        Panel::snapshot(Snapshot::new(View::new(-60.0, 20.0), vec![sheet, ball])).titled(title)
    };
    let time = last.first().map_or(0.0, |(row, _)| row.time);
    Ok(Figure::new(
        "looks",
        format!("The same drape by fast projection and by the implicit constraint direction, {time} s"),
        "As figure 6 of the paper: the same sheet, step and permissible strain.",
        vec![picture("fast projection", 0), picture("implicit constraint direction", 1)],
    ))
}
