//! The charts of the flag over time, each from its table alone.

use chart::{Axis, Dash, Figure, Layer, Marker, Palette, Panel};
use lab::prelude::*;

use super::charts::{color, named, outside};
use super::courses::{CourseRow, Courses, FrameRow, Frames};
use super::runs::FINISHED;
use crate::published::{Curve, PARKS};

/// When the corners are held \[s\].
const HELD: f64 = 30.0;

/// Energies below this are drawn as this \[J\].
const LEAST_ENERGY: f64 = 1e-9;

/// Marks at the ends of published decays, which would look the same without them.
const ENDS: [Marker; 4] = [Marker::OpenSquare, Marker::OpenCircle, Marker::OpenTriangle, Marker::OpenDiamond];

/// The decay that the paper fits to the energy of the held flag, from where a run stands then to its end, with a mark there and its
/// rate in the legend.
fn published_decay(run: &[Row<CourseRow>], marker: Marker) -> Vec<Layer> {
    let held = run.iter().find(|row| row.row.time >= HELD && row.row.energy.is_some_and(|energy| energy > LEAST_ENERGY));
    let (Some(held), Some(last)) = (held, run.last()) else { return vec![] };
    let (scheme, step) = (named(&held.row.scheme, None), held.row.step);
    let name = format!("decay rate of {scheme}");
    let curve = Curve::new(PARKS, "2", &name);
    let from = [held.row.time, held.row.energy.unwrap_or(LEAST_ENERGY)];
    let of_step = curve.values().into_iter().filter(|value| value.x.is_some_and(|at| at.low <= step && step <= at.high));
    let lines = curve.decay(step, from, last.row.time).into_iter().zip(of_step);
    let named = lines.flat_map(|(line, value)| {
        let label = format!("{}: {scheme}, {step} s, {} 1/s", curve.label(), value.y.middle());
        let end = match &line {
            Layer::Line { points, .. } => points.last().copied(),
            _ => None,
        };
        let end = Layer::points(label.clone(), Palette::GREY, end.into_iter().collect()).marker(marker);
        [line.labelled(label), end]
    });
    named.collect()
}

/// Figure 2: energy over time.
pub fn energy(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Courses>()?;
    let runs: Vec<&[Row<CourseRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let coarse = runs.iter().filter(|run| run[0].row.scheme != "rk4").map(|run| run[0].row.step).fold(0.0, f64::max);
    let line = |run: &&[Row<CourseRow>], from: f64| {
        let CourseRow { scheme, step, .. } = &run[0].row;
        let points = run
            .iter()
            .filter(|row| row.row.time >= from)
            .filter_map(|row| Some([row.row.time, row.row.energy?.max(LEAST_ENERGY)]));
        let dash = if *step == coarse { Dash::Dashed } else { Dash::Solid };
        Layer::line(format!("{}, {step} s", named(scheme, None)), color(scheme), points.collect()).dash(dash)
    };
    let panel = |start: &str, from: f64, title: &str| {
        let (x, y) = (Axis::linear("time [s]"), Axis::log("energy over that at rest [J]"));
        let mine: Vec<_> = runs.iter().filter(|run| run[0].row.start == start).collect();
        let mut layers: Vec<Layer> = mine.iter().map(|run| line(run, from)).collect();
        layers.extend(mine.iter().zip(ENDS.into_iter().cycle()).flat_map(|(run, end)| published_decay(run, end)));
        outside(Panel::new(x, y, layers).titled(title))
    };
    Ok(Figure::new(
        "energy",
        "Energy of the flag: driven for 30 s, then held",
        "As figure 2, of the tuned scene, which was chosen for its rates: with exact integration the energy of the second half is constant. Energy over \
         that of the flag at rest under its weight. Dotted: the rates that the paper fits, from where each run stands when the corners are held, each with its own mark at the end.",
        vec![
            panel("flat", 0.0, "started flat"),
            panel("flat", 30.0, "started flat, corners held"),
            panel("resting", 30.0, "started at rest, corners held"),
        ],
    ))
}

/// The swing of the lower edge near the end.
pub fn swing(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Courses>()?;
    let runs: Vec<&[Row<CourseRow>]> = rows.chunk_by(|a, b| a.set == b.set).filter(|run| run[0].row.start == "resting").collect();
    let end = rows.iter().map(|row| row.row.time).fold(0.0, f64::max);
    let mut steps: Vec<f64> = runs.iter().filter(|run| run[0].row.scheme != "rk4").map(|run| run[0].row.step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let panel = |step: f64| {
        let mine = runs.iter().filter(|run| run[0].row.step == step || run[0].row.scheme == "rk4");
        let layers = mine.map(|run| {
            let CourseRow { scheme, .. } = &run[0].row;
            let late = run.iter().filter(|row| row.row.time >= end - 6.0);
            let points = late.filter_map(|row| Some([row.row.time, 100.0 * row.row.swing?]));
            Layer::line(named(scheme, None), color(scheme), points.collect())
        });
        let (x, y) = (Axis::linear("time [s]"), Axis::linear("lower edge out of the plane [cm]"));
        outside(Panel::new(x, y, layers.collect()).titled(format!("dt = {step} s")))
    };
    Ok(Figure::new(
        "swing",
        "Swing of the lower edge, 26 s after the corners were held",
        "Period and amplitude of figures 3 to 6, beside a reference that loses next to no energy. Started at rest.",
        steps.into_iter().map(panel).collect(),
    ))
}

/// Figures 3 to 6: half a swing as profiles of the flag.
pub fn frames(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Frames>()?;
    let widest = rows.iter().filter_map(|row| row.row.z).map(f64::abs).fold(0.0, f64::max) * 105.0;
    let panel = |run: &[Row<FrameRow>]| {
        let frames = run.chunk_by(|a, b| a.row.frame == b.row.frame).filter(|frame| frame[0].row.status == FINISHED);
        let layers = frames.enumerate().map(|(k, frame)| {
            let mut points: Vec<[f64; 2]> = profile(frame).iter().filter_map(|row| Some([100.0 * row.z?, row.y?])).collect();
            points.sort_by(|a, b| a[1].total_cmp(&b[1]));
            Layer::line(format!("{:.2} s", frame[0].row.time), Palette::series(k), points)
        });
        let FrameRow { scheme, step, .. } = &run[0].row;
        let ended =
            run.last().filter(|row| row.row.status != FINISHED).map_or_else(String::new, |row| format!(": {}", row.row.status));
        let x = Axis::linear("out of the plane [cm]").range(-widest, widest);
        let figure = figure_of(scheme, *step).map_or_else(String::new, |figure| format!("figure {figure}: "));
        let title = format!("{figure}{}, {step} s{ended}", named(scheme, None));
        outside(Panel::new(x, Axis::linear("height [m]"), layers.collect()).titled(title))
    };
    let mut runs: Vec<&[Row<FrameRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    // figures in their order, then what the paper does not show
    runs.sort_by_key(|run| figure_of(&run[0].row.scheme, run[0].row.step).unwrap_or("none"));
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "frames",
            "Half a swing of the flag",
            "What figures 3 to 6 show as pictures, as profiles: a column of points in its middle, from a turn of the lower edge on; the horizontal \
             axis is stretched. Of the tuned scene, started at rest.",
            runs.into_iter().map(panel).collect(),
        )
    })
}

/// The figure of the paper that shows a scheme at a step.
fn figure_of(scheme: &str, step: f64) -> Option<&'static str> {
    let figures = match scheme {
        "backward-euler" => ["3", "5"],
        "generalized-alpha" => ["4", "6"],
        _ => return None,
    };
    figures.into_iter().find(|figure| Curve::new(PARKS, figure, "step").number() == Some(step))
}

/// Points of the column in the middle.
fn profile(frame: &[Row<FrameRow>]) -> Vec<&FrameRow> {
    let columns = frame.iter().filter_map(|row| row.row.column).max().unwrap_or(0);
    frame.iter().map(|row| &row.row).filter(|row| row.column == Some(columns / 2)).collect()
}
