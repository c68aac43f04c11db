//! The charts of the drape, each from its table alone.

use kit::method_colors::color;
use kit::prelude::*;

use super::drape::Drape;
use super::drape_run::Forces;
use super::rivals::Rival;
use super::samples::{DrapeRun, Which, chosen, percent, same};

/// A line with a mark at each of its points, from left to right.
pub fn curve(label: &str, color: Color, dash: Dash, mut points: Vec<[f64; 2]>) -> [Layer; 2] {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let marker = if dash == Dash::Solid { Marker::Circle } else { Marker::OpenCircle };
    [Layer::line(label, color, points.clone()).dash(dash), Layer::points(label, color, points).marker(marker)]
}

/// A method in words.
fn words(rival: Rival) -> &'static str {
    match rival {
        Rival::FastProjection => "fast projection",
        Rival::Icd => "implicit constraint direction (ICD)",
        Rival::IcdProjected => "ICD by projected gradients",
        Rival::StepAndProject => "step and project",
        Rival::Shake => "SHAKE",
        Rival::JacobiLimiting => "strain limiting, all edges at once",
        Rival::GaussSeidelLimiting => "strain limiting, edges in turn",
        Rival::StretchLimiting => "limiting of stretch alone, edges in turn",
        Rival::Pbd => "position based dynamics (PBD)",
        Rival::SoftPbd => "PBD, stiffness 0.7",
        Rival::Xpbd => "XPBD, 1 sweep a step",
        Rival::XpbdOf4 => "XPBD, 4 sweeps a step",
        Rival::XpbdOf16 => "XPBD, 16 sweeps a step",
        Rival::ImpulseStrips => "impulse strips",
    }
}

/// How a variant differs from the method whose colour it has.
fn look(rival: Rival) -> (Dash, Marker) {
    match rival {
        Rival::IcdProjected | Rival::SoftPbd | Rival::XpbdOf4 => (Dash::Dashed, Marker::OpenSquare),
        Rival::XpbdOf16 => (Dash::Dotted, Marker::OpenTriangle),
        _ => (Dash::Solid, Marker::Circle),
    }
}

/// A panel with a curve a method, of the chosen ones of some runs: at an x the y of each with the ends of its interval.
fn by_method(
    title: &str,
    [x, y]: [Axis; 2],
    (rows, which): (&[DrapeRun], Which),
    keep: impl Fn(&DrapeRun) -> bool,
    point: impl Fn(&DrapeRun) -> Option<[f64; 4]>,
) -> Panel {
    let mut layers = vec![];
    for rival in Rival::ALL {
        let runs = chosen(rows, which).filter(|run| run.row.method == rival.name() && keep(run));
        let mut points: Vec<[f64; 4]> = runs.filter_map(&point).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        if points.is_empty() {
            continue;
        }
        let (color, (dash, marker)) = (color(rival.name()), look(rival));
        let [line, bars] = Layer::line_with_bars(words(rival), color, points.clone());
        let marks = match points.iter().any(|[_, _, low, high]| low < high) {
            true => bars,
            false => Layer::points(words(rival), color, points.iter().map(|[x, y, ..]| [*x, *y]).collect()),
        };
        layers.extend([line.dash(dash), marks.marker(marker)]);
    }
    Panel::new(x, y, layers).titled(title)
}

/// A point without an interval.
fn exact(x: f64, y: f64) -> Option<[f64; 4]> {
    Some([x, y, y, y])
}

pub fn strain_axis() -> Axis {
    Axis::log("permissible strain").reversed()
}

/// Sides that have runs at more than one strain, and the strain that has runs at most sides.
fn sides(rows: &[DrapeRun]) -> Vec<usize> {
    let mut sides: Vec<usize> = distinct(rows.iter().map(|row| row.row.side));
    let strains = |side: usize| {
        let strains: Vec<u64> = distinct(rows.iter().filter(|row| row.row.side == side).map(|row| row.row.strain.to_bits()));
        strains.len()
    };
    sides.retain(|side| strains(*side) > 1);
    sides
}

/// The permissible strain of figures 4b and 5b.
pub const ONE_PERCENT: f64 = 0.01;

/// Work of the drape by permissible strain, for runs that hold the bound and for those that are accurate as well.
pub fn drape_work(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Drape>()?;
    let mut panels = vec![];
    for side in sides(&rows) {
        for (which, words) in [(Which::Cheapest, "holds the bound"), (Which::Accurate, "accurate as well")] {
            let keep = |row: &DrapeRun| row.row.side == side;
            let axes = [strain_axis(), Axis::log("nominal operations")];
            let title = format!("{side} x {side}, cheapest step that {words}").replace("that accurate", "that is accurate");
            let point = |run: &DrapeRun| exact(run.row.strain, run.row.operations as f64);
            panels.push(by_method(&title, axes, (&rows, which), keep, point));
        }
    }
    let title = "Work of one simulated second of drape against the permissible strain";
    let caption = "Nominal floating-point operations of factorisations, solves and sweeps, each method at its cheapest step. A method \
                   that is missing at a strain holds it with no step within its budget.";
    let figure = Figure::new("drape-work", title, caption, panels);
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

/// Steps that the methods take.
pub fn drape_steps(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Drape>()?;
    let of = |side: usize| {
        let keep = |row: &DrapeRun| row.row.side == side;
        let axes = [strain_axis(), Axis::log("steps a second")];
        let title = format!("{side} x {side}, cheapest step that holds the bound");
        by_method(&title, axes, (&rows, Which::Cheapest), keep, |run| exact(run.row.strain, f64::from(run.row.rate)))
    };
    let caption = "Steps are tried by doubling, from 30 a second.";
    let panels = sides(&rows).into_iter().map(of).collect();
    Ok(Figure::new("drape-steps", "Steps a second at which each method is cheapest", caption, panels).with_one_legend())
}

/// Work of the drape by size at 1 %.
pub fn drape_size(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Drape>()?;
    let panel = |which, words: &str| {
        let keep = |row: &DrapeRun| same(row.row.strain, ONE_PERCENT);
        let axes = [Axis::log("vertices"), Axis::log("nominal operations")];
        let point = |run: &DrapeRun| exact((run.row.side * run.row.side) as f64, run.row.operations as f64);
        by_method(words, axes, (&rows, which), keep, point)
    };
    let title = "Work of one simulated second of drape against resolution, 1 % strain";
    let caption = "As figure 5b of the paper, in nominal operations, each method at its cheapest step.";
    let panels = vec![
        panel(Which::Cheapest, "cheapest step that holds the bound"),
        panel(Which::Accurate, "cheapest step that is accurate as well"),
    ];
    Ok(Figure::new("drape-size", title, caption, panels).with_one_legend())
}

/// Which methods have no admissible step that is accurate as well, and where, in words.
fn missing(rows: &[DrapeRun]) -> String {
    let mut places: Vec<(usize, &str, Vec<f64>)> = vec![];
    for run in rows.iter().filter(|run| run.row.elastic == Forces::Explicit) {
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
    let rows = results.rows::<Drape>()?;
    let all = seconds::<Drape>(results)?;
    let mut panels = vec![];
    for side in sides(&rows) {
        let keep = |row: &DrapeRun| row.row.side == side;
        let axes = [strain_axis(), Axis::log("time of a simulated second [s]")];
        let point = |run: &DrapeRun| bar_of_repeats(run.row.strain, all.get(&run.set)?);
        panels.push(by_method(&format!("{side} x {side}"), axes, (&rows, Which::Accurate), keep, point));
    }
    let keep = |row: &DrapeRun| same(row.row.strain, ONE_PERCENT);
    let axes = [Axis::linear("vertices"), Axis::log("time of a simulated second [s]")];
    let vertices = |run: &DrapeRun| bar_of_repeats((run.row.side * run.row.side) as f64, all.get(&run.set)?);
    panels.push(by_method("1 % strain", axes, (&rows, Which::Accurate), keep, vertices));
    let title = "Time of one simulated second of drape";
    let (once, of, missing) = (all.values().filter(|times| times.len() == 1).count(), all.len(), missing(&rows));
    let caption = format!(
        "As figures 5a and 5b of the paper: medians of the timed runs of each method, with the fastest and the slowest, at its cheapest \
         step within 0.05 m of the reference, alone and in turn on one core; of {once} of {of} cases, which take long, a single run. Figure 5b \
         is linear on both axes in the paper. {missing}"
    );
    Ok(Figure { of_times: true, columns: 2, ..Figure::new("drape-times", title, caption, panels).with_one_legend() })
}
