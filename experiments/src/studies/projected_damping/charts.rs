//! The charts of the study, each from its tables alone.

use lab::prelude::*;
use std::collections::BTreeMap;

use chart::{Axis, Color, Dash, Direction, Figure, Layer, Marker, Mesh, Palette, Panel, Snapshot, View, Wires};
use lab::judge::statistics::{median, quantile};

use super::bending::Bending;
use super::energies::{EnergyRow, FrameRow, Frames};
use super::fall::WINDOW;
use super::oscillation::Trend;
use super::runs::{Perturbed, Readings, RunRow, Sets};
use super::trio::{DAMPINGS, Measure, NONE, PLAIN, PROJECTED, Ratio, Series, measure, series, trios};

/// Colours of the three dampings.
const COLORS: [Color; 3] = [Palette::BLUE, Palette::VERMILLION, Palette::GREEN];

const NO_DAMPING: &str = "no damping";

/// Smallest and largest, a twentieth wider.
fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)]);
    if low > high {
        return [0.0, 1.0];
    }
    [low - 0.05 * (high - low), high + 0.05 * (high - low)]
}

/// A damping with its coefficient, in words.
fn title(damping: &str, coefficient: f64) -> String {
    match damping {
        "none" => NO_DAMPING.into(),
        _ => format!("{damping} damping, kd = {coefficient} N s/m"),
    }
}

/// An energy of a row.
type Energy = fn(&EnergyRow) -> Option<f64>;

const PARTS: [(&str, Energy); 4] = [
    ("kinetic", |row| row.kinetic),
    ("internal", |row| row.internal),
    ("gravitational", |row| row.gravitational),
    ("total", |row| row.total),
];

const INTERNAL: [(&str, Energy); 3] = [("stretch", |row| row.stretch), ("shear", |row| row.shear), ("bend", |row| row.bend)];

fn over_time(series: &Series, energy: Energy) -> Vec<[f64; 2]> {
    series.rows.iter().filter_map(|row| Some([row.time, energy(row)?])).collect()
}

/// Figures 4.4 to 4.6 of the thesis: energies over time, a row a damping.
pub fn energies(results: &Results) -> Result<Figure, ResultsError> {
    let series = series(results)?;
    let printed = &series[..series.len().min(3)];
    let mut panels = vec![];
    let ends = |energies: &[(&str, Energy)]| {
        extent(printed.iter().flat_map(|run| energies.iter().flat_map(|(_, energy)| run.rows.iter().filter_map(energy))))
    };
    let (all, inside) = (ends(&PARTS), ends(&INTERNAL));
    for run in printed {
        let coefficient = run.rows.first().map_or(0.0, |row| row.coefficient);
        let panel = |energies: &[(&str, Energy)], [low, high]: [f64; 2], title: String| {
            let layers = energies.iter().enumerate().map(|(k, (name, energy))| {
                let color = if *name == "total" { Palette::BLACK } else { Palette::series(k) };
                Layer::line(*name, color, over_time(run, *energy))
            });
            let axes = [Axis::linear("time  [s]"), Axis::linear("energy  [J]").range(low, high)];
            let [x, y] = axes;
            Panel::new(x, y, layers.collect()).titled(title)
        };
        let left = panel(&PARTS, all, title(&run.damping, coefficient)).legend_outside();
        let right = panel(&INTERNAL, inside, format!("{}: internal", title(&run.damping, coefficient))).legend_outside();
        panels.extend([left, right]);
    }
    let solver = printed.first().map_or("", |run| run.solver.as_str());
    let mut figure = Figure::new(
        "energies",
        "Energies of the falling sheet",
        format!(
            "Figures 4.4 to 4.6 of the thesis, a row each: all energies at the left, those of the springs at the right, each column on equal axes. \
             Solved with {solver}."
        ),
        panels,
    );
    figure.columns = 2;
    Ok(figure)
}

/// The high-passed internal energy, a panel a solver.
pub fn oscillation(results: &Results) -> Result<Figure, ResultsError> {
    let series = series(results)?;
    let passed: Vec<Vec<[f64; 2]>> = series.iter().map(|run| run.oscillation(WINDOW, Trend::Average)).collect();
    let [low, high] = extent(passed.iter().flatten().map(|point| point[1]));
    let panels = series.chunks(3).zip(passed.chunks(3)).map(|(runs, passed)| {
        let layers = runs.iter().zip(passed).enumerate().map(|(k, (run, points))| {
            let coefficient = run.rows.first().map_or(0.0, |row| row.coefficient);
            Layer::line(title(&run.damping, coefficient), COLORS[k % COLORS.len()], points.clone())
        });
        let y = Axis::linear("high-passed internal energy  [J]").range(low, high);
        Panel::new(Axis::linear("time  [s]"), y, layers.collect()).titled(runs[0].solver.clone()).legend_outside()
    });
    Ok(Figure::new(
        "oscillation",
        "Oscillation of the internal energy",
        format!(
            "Internal energy minus its centred average over {WINDOW} s, with both readings of the tolerance of the thesis and with exact solves."
        ),
        panels.collect(),
    ))
}

/// Lines between kept particles that are neighbours.
fn wires(side: usize) -> Vec<[usize; 2]> {
    let mut wires = vec![];
    for j in 0..side {
        for i in 0..side {
            let at = j * side + i;
            if i + 1 < side {
                wires.push([at, at + 1]);
            }
            if j + 1 < side {
                wires.push([at, at + side]);
            }
        }
    }
    wires
}

/// The sheet at a few times, a column a damping.
pub fn sheets(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Frames>()?;
    let mut pictures: Vec<(&FrameRow, Vec<[f64; 3]>)> = vec![];
    for Row { row, .. } in &rows {
        let same =
            |first: &FrameRow| first.damping == row.damping && first.coefficient == row.coefficient && first.time == row.time;
        if pictures.last().is_none_or(|(first, _)| !same(first)) {
            pictures.push((row, vec![]));
        }
        if let (Some((_, vertices)), [Some(x), Some(y), Some(z)]) = (pictures.last_mut(), [row.x, row.y, row.z]) {
            vertices.push([x, y, z]);
        }
    }
    let mut times: Vec<f64> = pictures.iter().map(|(first, _)| first.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let corners = |pick: fn(f64, f64) -> f64, from: f64| {
        [0, 1, 2].map(|k| pictures.iter().flat_map(|(_, vertices)| vertices).map(|vertex| vertex[k]).fold(from, pick))
    };
    let keep = vec![corners(f64::min, 0.0), corners(f64::max, 0.0)];
    let mut panels = vec![];
    for time in &times {
        for (first, vertices) in pictures.iter().filter(|(first, _)| first.time == *time) {
            let side = (vertices.len() as f64).sqrt().round() as usize;
            let faces: Vec<[usize; 4]> = (0..side.saturating_sub(1))
                .flat_map(|j| (0..side - 1).map(move |i| j * side + i))
                .map(|at| [at, at + 1, at + side + 1, at + side])
                .collect();
            let wires = Wires::new("", Palette::BLACK, wires(side)).width(0.6);
            let mesh = Mesh::new(vertices.clone()).rounded(1e-6).surface("", Color(222, 235, 247), &faces).wires(wires);
            let picture = Snapshot::new(View::new(-60.0, 15.0), vec![mesh]).keeping(keep.clone());
            let damping = title(&first.damping, first.coefficient);
            panels.push(Panel::snapshot(picture).titled(format!("{damping}, {time} s")));
        }
    }
    let columns = panels.len() / times.len().max(1);
    let mut figure = Figure::new(
        "sheets",
        "Figure 4.1: the falling sheet",
        "The scene of figure 4.1 at equal times, a column a damping; every third row and column of particles is drawn at paper scale. Plain damping \
         with the coefficient of the projected one keeps it from falling.",
        panels,
    );
    figure.columns = columns;
    Ok(figure)
}

/// Loss and oscillation over the coefficient.
pub fn coefficients(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Readings>()?;
    let runs: Vec<&RunRow> = rows.iter().map(|row| &row.row).collect();
    let mut tolerances = trios(&rows).into_iter().filter(|([first, ..], _)| first.reading == "tol = c dt");
    let undamped = tolerances.next_back().and_then(|(_, trio)| trio.runs[0].clone().ok());
    let panel = |label: &str, value: fn(&Measure) -> f64, late: bool| {
        let mut layers = vec![];
        if let Some(undamped) = undamped.as_ref().map(value) {
            if late {
                let band = Layer::band("within 20 % of it", Palette::SKY, Direction::Horizontal, 0.8 * undamped, 1.2 * undamped);
                layers.push(band);
            }
            layers.push(Layer::rule(NO_DAMPING, COLORS[0], Direction::Horizontal, undamped));
        }
        for (k, damping) in DAMPINGS.iter().enumerate().skip(1) {
            for (reading, tight) in [("tight, coefficient", true), ("coefficient", false)] {
                let of = |row: &&&RunRow| row.reading == reading && row.damping == *damping;
                let mut points: Vec<[f64; 2]> =
                    runs.iter().filter(of).filter_map(|row| Some([row.coefficient, value(&measure(row).ok()?)])).collect();
                points.sort_by(|a, b| a[0].total_cmp(&b[0]));
                if tight {
                    layers.push(Layer::line(format!("{damping}, tight solves"), COLORS[k], points));
                } else {
                    let marker = if k == 1 { Marker::OpenTriangle } else { Marker::OpenCircle };
                    layers.push(Layer::points(format!("{damping}, tol = c dt"), COLORS[k], points).marker(marker));
                }
            }
        }
        let y = if late { Axis::linear(label) } else { Axis::log(label) };
        Panel::new(Axis::log("damping coefficient  kd  [N s/m]"), y, layers).legend_outside()
    };
    Ok(Figure::new(
        "coefficients",
        "Loss and oscillation over the damping coefficient",
        "The printed scene with other coefficients. Where a run gains energy or did not converge there is no point. Plain damping beyond \
         1 N s/m loses less again, since the sheet hardly falls.",
        vec![
            panel("energy lost at 2 s  [J]", |run| run.late, true),
            panel("rms of the high-passed internal energy  [J]", |run| run.oscillation, false),
        ],
    ))
}

/// What the claims compare, under every reading.
pub fn readings(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Readings>()?;
    let [perturbed, bending]: [Vec<Row<RunRow>>; 2] = [results.rows::<Perturbed>()?, results.rows::<Bending>()?];
    let mut starts: BTreeMap<String, Vec<[Measure; 3]>> = BTreeMap::new();
    for ([first, ..], trio) in trios(&perturbed) {
        starts.entry(format!("starts, {}", first.solver)).or_default().extend(trio.finished());
    }
    for ([first, ..], trio) in trios(&bending) {
        starts.entry(format!("starts, bending: {}", first.value)).or_default().extend(trio.finished());
    }
    let trios: Vec<_> = trios(&rows).into_iter().map(|(_, trio)| trio).collect();
    let mut names: Vec<String> = trios.iter().map(|trio| trio.name.clone()).collect();
    names.extend(starts.keys().cloned());
    let panel = |label: &str, color: Color, value: Ratio, criterion: Layer| {
        let points = trios.iter().enumerate().filter_map(|(k, trio)| Some([k as f64 + 1.0, value(&trio.finished()?)]));
        let bars = starts.values().enumerate().filter_map(|(k, runs)| {
            let values: Vec<f64> = runs.iter().map(value).collect();
            Some([(trios.len() + k) as f64 + 1.0, median(&values)?, quantile(&values, 0.0)?, quantile(&values, 1.0)?])
        });
        let layers = vec![
            criterion,
            Layer::rule("as without damping", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted),
            Layer::points("measured", color, points.collect()),
            Layer::error_bars("median and extremes", Palette::BLACK, bars.collect()),
        ];
        Panel::new(Axis::categories("", names.clone()), Axis::log(label), layers).legend_outside()
    };
    let at_least = |least: f64| Layer::band("criterion", Palette::SKY, Direction::Horizontal, least, f64::INFINITY);
    let mut figure = Figure::new(
        "readings",
        "How the comparisons move with solver, step, mesh and scheme",
        "Each reading changes one thing in the printed scene. Where one of the three runs gains energy, is not finite or did not converge there \
         is no point. Bars: starts whose particles lie a little above or below the plane.",
        vec![
            panel("oscillation, none / projected  [–]", COLORS[0], NONE.parts[0].ratio, at_least(2.0)),
            panel("loss at 0.5 s, plain / none  [–]", COLORS[1], PLAIN.parts[0].ratio, at_least(1.5)),
            panel(
                "loss at 2 s, projected / none  [–]",
                COLORS[2],
                PROJECTED.parts[0].ratio,
                Layer::band("criterion", Palette::SKY, Direction::Horizontal, 0.8, 1.2),
            ),
        ],
    );
    figure.columns = 1;
    Ok(figure)
}

/// Random sheets: loss and oscillation with both dampings over those without.
pub fn sets(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sets>()?;
    let trios = trios(&rows);
    let solver = trios.first().map_or("", |([first, ..], _)| first.solver.as_str());
    let carrying: Vec<_> = trios.iter().filter(|([first, ..], _)| first.solver == solver).collect();
    let panel = |y: Axis, value: fn(&Measure) -> f64, band: Layer| {
        let mut layers =
            vec![band, Layer::rule("as without damping", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted)];
        for (k, damping) in DAMPINGS.iter().enumerate().skip(1) {
            let points = carrying.iter().filter_map(|(rows, trio)| {
                let (row, runs) = (rows[k], trio.finished()?);
                let scheme = row.step * row.stretch_stiffness.max(row.shear_stiffness);
                Some([row.coefficient / scheme, value(&runs[k]) / value(&runs[0])])
            });
            let marker = if k == 1 { Marker::OpenTriangle } else { Marker::OpenCircle };
            layers.push(Layer::points(*damping, COLORS[k], points.collect()).marker(marker));
        }
        Panel::new(Axis::log("coefficient over that of the scheme,  kd / (dt ks)  [–]"), y, layers).legend_outside()
    };
    Ok(Figure::new(
        "sets",
        "Random sheets with both dampings of equal coefficient",
        "Each set of which all three runs finished, with tol = c dt. Backward Euler damps a spring as a damper of dt ks does. Where plain \
         damping loses less than none the sheet hardly falls.",
        vec![
            panel(
                Axis::log("loss, damped / undamped  [–]"),
                |run| run.late,
                Layer::band("within 20 %", Palette::SKY, Direction::Horizontal, 0.8, 1.2),
            ),
            panel(
                Axis::log("oscillation, damped / undamped  [–]").range(2e-3, 20.0),
                |run| run.oscillation,
                Layer::band("at most half", Palette::SKY, Direction::Horizontal, 0.0, 0.5),
            ),
        ],
    ))
}
