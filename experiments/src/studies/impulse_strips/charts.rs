//! The charts of the study, each from its tables alone.

use chart::{Axis, Color, Corner, Dash, Direction, Figure, Layer, Marker, Palette, Panel};
use lab::judge::published::Precision;
use lab::judge::statistics::median;
use lab::prelude::*;

use super::accuracy::{Accuracy, AccuracyRow, SYSTEMS};
use super::linear::KINDS;
use super::linear_verdicts::{Counted, part_counts, part_times};
use super::printed::{Printed, PrintedRow};
use super::rivals::{Rivals, WAYS};
use super::scene::{LENGTH, Pins, RunRow, STEP, STRIPS, is_usual};
use super::sides::Sides;
use super::steps::Steps;
use super::thread_verdicts::gains;
use super::time_verdicts::{PLAUSIBLE, PUBLISHED, Timed, is_few, timed};
use super::times::Times;
use super::verdicts::usual;
use crate::published::{BENDER, Curve};

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

/// What the text says of figure 5, each number once: times, bounds of times, and times of five iterations.
fn published_times() -> Vec<Layer> {
    let strains = ["allowed strain 1 %", "allowed strain 0.1 %", "allowed strain 0.01 %"];
    let of = |wanted: Precision| -> Vec<[f64; 2]> {
        let values = strains.into_iter().flat_map(|strain| Curve::new(BENDER, "5", strain).values());
        let mut points: Vec<[f64; 2]> = values
            .filter(|value| value.precision == wanted)
            .filter_map(|value| Some([value.x?.middle(), value.y.middle()]))
            .collect();
        points.dedup(); // 1 and 0.1 % have the same bound
        points
    };
    let times_real =
        ["real time over time, at most five iterations, allowed strain 0.1 %", "real time over time, at most five iterations"];
    let five = times_real
        .into_iter()
        .flat_map(|name| Curve::new(BENDER, "", name).values())
        .filter_map(|value| Some([value.x?.middle(), STEP / value.y.middle()]))
        .collect();
    let [of_figure, of_text] =
        [Curve::new(BENDER, "5", strains[0]), Curve::new(BENDER, "", times_real[0])].map(|curve| curve.label());
    let published = |label: &str, what: &str, points: Vec<[f64; 2]>, marker: Marker| {
        Layer::points(format!("{label}: {what}"), Palette::GREY, points).marker(marker)
    };
    vec![
        published(&of_figure, "upper bounds, of 1 and 0.1 % at 30, of 0.01 % at 50", of(Precision::Below), Marker::Cross),
        published(&of_figure, "about, 0.01 % at 10", of(Precision::About), Marker::OpenDiamond),
        published(&of_text, "five iterations", five, Marker::OpenSquare),
    ]
}

/// Figure 5: times a step.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let sheets = timed::<Times>(results)?;
    let sheets: Vec<Timed> = sheets.into_iter().filter(|sheet| usual(&sheet.row)).collect();
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
        if threads == "all" {
            layers.extend(published_times());
        }
        Panel::new(side_axis(), Axis::log("seconds a step"), layers).titled(title).legend_outside()
    };
    let caption = "Medians of the repeats over the first steps of a hanging sheet of 1 m, each run alone on the machine; below the line a \
                   step takes less than it simulates. Published on four cores of 2008, and so drawn beside all threads only: \
                   bounds that times stay below, of 1 and 0.1 % at 30 particles a side and of 0.01 % at 50; about a time, of 0.01 \
                   % at 10; and times of five iterations.";
    let panels = vec![panel("all", "all threads"), panel("one", "one thread")];
    Ok(Figure { of_times: true, ..Figure::new("times", "Figure 5: time of a step by grid and tolerance", caption, panels) })
}

/// What threads gain.
pub fn threads(results: &Results) -> Result<Figure, ResultsError> {
    let gains = gains(results)?;
    let mut layers = vec![
        Layer::rule("published, four cores (Bender 2008, 4)", Palette::GREY, Direction::Horizontal, 1.9),
        Layer::rule("no gain", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted),
    ];
    for (k, tolerance) in tolerances(gains.iter().map(|(row, _)| row)).into_iter().enumerate() {
        let of = gains.iter().filter(|(row, _)| row.tolerance == tolerance && !is_few(row));
        let points = of.filter_map(|(row, ratios)| Some([row.side as f64, median(ratios)?])).collect();
        layers.extend(marked(name(tolerance), Palette::series(k), points));
    }
    let panel = Panel::new(side_axis(), Axis::linear("time, one thread / all threads"), layers).legend_outside();
    let caption = "Median over the repeats of the ratio of times; the results have the same bits.";
    Ok(Figure { of_times: true, ..Figure::new("threads", "What the threads of this machine gain", caption, vec![panel]) })
}

/// Iterations by grid.
pub fn iterations(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Steps>()?;
    let rivals = results.without_sets::<Rivals>()?;
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
        let is_way = |row: &RunRow| row.method == way.name() && is_usual(row.length);
        layers.extend(marked(way.name(), Palette::series(k), of(&rivals, &is_way)));
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

/// Iterations a step by the side of the sheet, and what the published times have room for.
pub fn sides(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Sides>()?;
    let axes = |y: &str| (Axis::log("side of the sheet, m"), Axis::log(y));
    let of = |pins: Pins, wanted: &dyn Fn(&RunRow) -> bool, value: fn(&RunRow) -> f64| -> Vec<[f64; 2]> {
        let rows = runs.iter().filter(|row| row.pins == pins.name() && row.air == 0.0 && row.strain.is_some() && wanted(row));
        let mut points: Vec<[f64; 2]> = rows.map(|row| [row.length, value(row)]).filter(|[_, y]| *y > 0.0).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let mut layers = vec![];
    for (k, published) in PUBLISHED.iter().enumerate() {
        let label = format!("{0} x {0}, {1}", published.side, name(published.tolerance));
        let is_point = |row: &RunRow| row.side == published.side && row.tolerance == published.tolerance && !is_few(row);
        layers.extend(marked(label, Palette::series(k), of(Pins::Row, &is_point, |row| row.iterations)));
        layers.push(
            Layer::points("", Palette::series(k), of(Pins::Opposite, &is_point, |row| row.iterations)).marker(Marker::Cross),
        );
    }
    for (side, dash) in [(30, Dash::Dashed), (50, Dash::Dotted), (10, Dash::DashDot)] {
        if let Some(published) = PUBLISHED.iter().find(|published| published.side == side) {
            let rule =
                Layer::rule(format!("room, {side} x {side}"), Palette::GREY, Direction::Horizontal, published.iterations());
            layers.push(rule.dash(dash));
        }
    }
    let (x, y) = axes("iterations a step, mean");
    let mut counts = Panel::new(x, y, layers).titled("iterations; crosses: pins at opposite corners");
    let mut layers = vec![];
    let mut grids: Vec<usize> = runs.iter().filter(|row| is_few(row)).map(|row| row.side).collect();
    grids.sort_unstable();
    grids.dedup();
    for (k, side) in grids.into_iter().enumerate() {
        let is_few = |row: &RunRow| row.side == side && is_few(row);
        let largest = of(Pins::Row, &is_few, |row| row.strain.unwrap_or(0.0));
        layers.extend(marked(format!("{side} x {side}, largest"), Palette::series(k), largest));
        let mean = of(Pins::Row, &is_few, |row| row.mean.unwrap_or(0.0));
        layers.extend(marked(format!("{side} x {side}, mean at the end"), Palette::series(k + 2), mean));
    }
    layers.push(Layer::rule("twice its length", Palette::GREY, Direction::Horizontal, 1.0));
    layers.push(Layer::rule("plausible, mean", Palette::GREY, Direction::Horizontal, PLAUSIBLE).dash(Dash::Dotted));
    let (x, y) = axes("abs(strain)");
    let mut few = Panel::new(x, y, layers).titled("five iterations a step");
    counts.legend = Corner::Outside;
    few.legend = Corner::Outside;
    let caption = "Grey: the iterations that the published times of a grid have room for, where one takes a fifth of the \
                   published time of five. The side of the sheet is not stated in the paper; with edges of 1 m it is 9, 29 and 49 \
                   m.";
    Ok(Figure::new("sides", "The unstated side of the sheet", caption, vec![counts, few]))
}

/// How far sheets come with directions as printed.
pub fn printed(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Printed>()?;
    let mut sides: Vec<usize> = runs.iter().map(|row| row.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let panel = |side: usize| {
        let mut layers = vec![];
        for (k, pins) in [Pins::Row, Pins::Opposite, Pins::One].into_iter().enumerate() {
            let of = runs.iter().filter(|row| row.side == side && row.pins == pins.name());
            // apart by pins, so that points do not hide each other
            let place = |row: &PrintedRow| [row.fall * (0.9 + 0.1 * k as f64), f64::from(row.steps) / f64::from(row.of)];
            layers.push(Layer::points(pins.name(), Palette::series(k), of.map(place).collect()));
        }
        let axis = Axis::log("free fall of a step / length of an edge");
        Panel::new(axis, Axis::linear("share of the steps until one fails"), layers)
            .titled(format!("{side} x {side}"))
            .legend_outside()
    };
    let caption = "Directions of the start of the step, one factorisation a part and step; by side, step, slack, and \
                   what is held. At 1 every step was done; at 0 the first one failed.";
    Ok(Figure::new("printed", "Where the method as printed carries a sheet", caption, sides.into_iter().map(panel).collect()))
}

/// Errors with and without the velocity pass.
pub fn accuracy(results: &Results) -> Result<Figure, ResultsError> {
    let all = results.without_sets::<Accuracy>()?;
    let (tight, steps) = all.first().map_or((0.0, 0), |row| (row.tolerance, row.steps));
    let panel = |directions: &str, title: &str, [what, unit]: [&str; 2], of: fn(&AccuracyRow) -> Option<[f64; 2]>| {
        let here: Vec<&AccuracyRow> =
            all.iter().filter(|row| row.directions == directions && row.tolerance == tight && row.steps == steps).collect();
        let mut layers = vec![];
        let points = |system: &str| -> Vec<[f64; 2]> {
            here.iter()
                .filter(|row| row.system == system)
                .filter_map(|row| of(row))
                .filter(|p| p[0] > 0.0 && p[1] > 0.0)
                .collect()
        };
        let every: Vec<[f64; 2]> = SYSTEMS.iter().flat_map(|system| points(system)).collect();
        let low = every.iter().map(|p| p[0].min(p[1])).fold(f64::INFINITY, f64::min);
        let high = every.iter().map(|p| p[0].max(p[1])).fold(0.0, f64::max);
        if !every.is_empty() {
            layers.push(Layer::line("the same", Palette::GREY, vec![[low, low], [high, high]]));
        }
        for (k, system) in SYSTEMS.iter().enumerate() {
            layers.push(Layer::points(*system, Palette::series(k), points(system)));
        }
        Panel::new(Axis::log(format!("{what} without the pass, {unit}")), Axis::log(format!("{what} with it, {unit}")), layers)
            .titled(title)
            .legend_outside()
    };
    let panels = vec![
        panel("preview", "directions of the preview", ["error of positions", "m"], |row| {
            Some([row.position?, row.position_with?])
        }),
        panel("preview", "directions of the preview", ["error of velocities", "m/s"], |row| {
            Some([row.velocity?, row.velocity_with?])
        }),
        panel("frozen", "directions as printed", ["error of positions", "m"], |row| Some([row.position?, row.position_with?])),
        panel("frozen", "directions as printed", ["error of velocities", "m/s"], |row| Some([row.velocity?, row.velocity_with?])),
    ];
    let caption = "Root mean square errors after half a second from random starts, with steps of 1/30 s and a tolerance that is not felt, against small \
                   steps of second order. Below the line the velocity pass makes it better.";
    let figure = Figure::new("accuracy", "What the velocity correction brings", caption, panels);
    Ok(Figure { columns: 2, ..figure })
}

/// Operations and numbers of one part.
pub fn linear(results: &Results) -> Result<Figure, ResultsError> {
    let order = Curve::new(BENDER, "", "exponent of time and space of an acyclic part against n");
    let panel = |label: &str, count: Counted| -> Result<Panel, ResultsError> {
        let mut layers = vec![];
        for (k, kind) in KINDS.iter().enumerate() {
            let points = part_counts(results, kind, count)?;
            if let ([first, .., last], 0) = (&points[..], k) {
                let lines = order.power_law(*first, [first[0], last[0]]);
                layers.extend(lines.into_iter().map(|line| line.labelled(format!("{}: O(n), height ours", order.label()))));
            }
            layers.extend(marked(*kind, Palette::series(k), points));
        }
        Ok(Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log(label), layers).legend_outside())
    };
    Ok(Figure::new(
        "linear",
        "Work and space of one acyclic part",
        "A free strip, by its tridiagonal matrix and as a tree by algorithms 1 and 2; the published O(n) through the shortest strip.",
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
    let panel =
        Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log("seconds a projection"), layers).legend_outside();
    let caption =
        "One factorisation and one solve of a free strip with all that a projection does besides; medians of the repeats.";
    Ok(Figure { of_times: true, ..Figure::new("linear-times", "Time of one acyclic part", caption, vec![panel]) })
}
