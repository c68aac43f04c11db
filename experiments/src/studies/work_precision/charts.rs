//! The charts of the study, each from its tables alone.

use super::methods::others;
use super::samples::{Sample, SceneRuns, scenes};
use crate::prelude::*;

/// A method that a chart shows by a line of its own: filled circles, open ones where linear systems are solved loosely, squares where
/// Newton's method is iterated, triangles where steps adapt.
type Shown = (&'static str, Color, Marker);

/// Methods that are the cheapest for some error in some scene, or that everybody takes.
const FRONT: &[Shown] = &[
    ("FB Euler", Palette::VERMILLION, Marker::Circle),
    ("RK4", Palette::BLACK, Marker::Circle),
    ("AIMEX, c = 0.01", Palette::ORANGE, Marker::OpenCircle),
    ("backward Euler, c = 0.01", Palette::BLUE, Marker::OpenCircle),
    ("BDF2, exact, c = 0.01", Palette::GREEN, Marker::OpenCircle),
    ("SBDF2, exact", Palette::SKY, Marker::Circle),
    ("midpoint, exact", Palette::PURPLE, Marker::Circle),
    ("midpoint, exact, c = 0.01", Palette::PURPLE, Marker::OpenCircle),
];

/// Explicit schemes and those that are so in part; other explicit ones of the registry are shown by squares.
const EXPLICIT: &[Shown] = &[
    ("forward Euler", Palette::GREY, Marker::Circle),
    ("FB Euler", Palette::VERMILLION, Marker::Circle),
    ("FB Euler, steps by stretch", Palette::VERMILLION, Marker::Triangle),
    ("RK4", Palette::BLACK, Marker::Circle),
    ("IMEX", Palette::GREEN, Marker::Circle),
    ("AIMEX", Palette::ORANGE, Marker::Circle),
    ("SBDF2, fixed, exact", Palette::PURPLE, Marker::Circle),
    ("SBDF2, exact", Palette::SKY, Marker::Circle),
];

/// Implicit schemes, once linearised and converged.
const IMPLICIT: &[Shown] = &[
    ("backward Euler", Palette::BLUE, Marker::Circle),
    ("backward Euler, converged", Palette::BLUE, Marker::Square),
    ("BDF2, exact", Palette::GREEN, Marker::Circle),
    ("BDF2, exact, converged", Palette::GREEN, Marker::Square),
    ("midpoint, exact", Palette::PURPLE, Marker::Circle),
    ("midpoint, exact, converged", Palette::PURPLE, Marker::Square),
    ("generalized-alpha 0, exact", Palette::ORANGE, Marker::Circle),
    ("generalized-alpha 0.5, exact", Palette::VERMILLION, Marker::Circle),
    ("generalized-alpha 0.5, exact, converged", Palette::VERMILLION, Marker::Square),
];

/// What a scheme of order 2 loses by filtered Jacobians and loose solves.
const VARIANTS: &[Shown] = &[
    ("midpoint", Palette::ORANGE, Marker::Circle),
    ("midpoint, exact", Palette::PURPLE, Marker::Circle),
    ("midpoint, exact, c = 0.01", Palette::PURPLE, Marker::OpenCircle),
    ("midpoint, exact, converged", Palette::PURPLE, Marker::Square),
    ("BDF2", Palette::YELLOW, Marker::Circle),
    ("BDF2, exact", Palette::GREEN, Marker::Circle),
    ("BDF2, exact, c = 0.01", Palette::GREEN, Marker::OpenCircle),
];

/// Errors that are shown \[-\].
const ERRORS: [f64; 2] = [1e-7, 1.0];

type Point = fn(&Sample) -> Option<[f64; 2]>;

/// A scene: a line a method.
pub fn panel(scene: &SceneRuns, shown: &[Shown], axes: [Axis; 2], point: Point) -> Panel {
    let mut layers = vec![];
    for (name, color, marker) in shown {
        let points: Vec<[f64; 2]> = scene.of(name).filter_map(point).collect();
        if *marker != Marker::Triangle {
            layers.push(Layer::line(*name, *color, points.clone())); // adaptive steps do not follow those that are asked for
        }
        layers.push(Layer::points(*name, *color, points).marker(*marker));
    }
    let [x, y] = axes;
    let mut panel = Panel::new(x, y, layers).titled(scene.scene.clone());
    panel.legend = Corner::None;
    panel
}

/// Scenes of the charts that do not show all.
const SOME: [&str; 3] = ["soft sheet", "stiff sheet", "flag"];

/// A panel for each of the `of` scenes, all of them where none is named, with the legend of all below the last one.
fn figure(
    results: &Results,
    [name, title, caption]: [&str; 3],
    of: &[&str],
    shown: &[Shown],
    axes: [Axis; 2],
    point: Point,
) -> Result<Figure, ResultsError> {
    let scenes = scenes(results)?;
    let chosen = scenes.iter().filter(|scene| of.is_empty() || of.contains(&scene.scene.as_str()));
    let mut panels: Vec<Panel> = chosen.map(|scene| panel(scene, shown, axes.clone(), point)).collect();
    if let Some(last) = panels.last_mut() {
        last.legend = Corner::Outside;
    }
    Ok(Figure { columns: 2, ..Figure::new(name, title, caption, panels) })
}

fn error_axis() -> Axis {
    Axis::log("error over length").range(ERRORS[0], ERRORS[1])
}

/// A run at its error, or at the least that is shown.
fn shown_at(at: f64, error: Option<f64>) -> Option<[f64; 2]> {
    error.map(|error| [at, error.max(ERRORS[0])])
}

fn by_work(run: &Sample) -> Option<[f64; 2]> {
    shown_at(run.row.work, run.row.error)
}

fn work_axes() -> [Axis; 2] {
    [Axis::log("work  [evaluations of all forces]"), error_axis()]
}

/// Error against work, the methods on the front.
pub fn work(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Runs that came to their end, a mark a step of 2^-k s; further to the left is cheaper, further down more accurate. Work counts \
                   operations of forces, linearisations, products and iterations, in units of an evaluation of all forces. A line that ends on \
                   the left is unstable with larger steps; one of AIMEX jumps where all its springs become explicit. Runs more accurate than 1e-7 stand at the lower edge.";
    figure(results, ["work", "Error against work", caption], &[], FRONT, work_axes(), by_work)
}

/// Error against work of explicit schemes.
pub fn explicit(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the first chart; SBDF2 chooses its explicit springs by their dampers unless it is fixed.";
    let others = others().enumerate().map(|(k, method)| (method.name, Palette::series(k), Marker::Square));
    let shown: Vec<Shown> = EXPLICIT.iter().copied().chain(others).collect();
    figure(
        results,
        ["explicit", "Error against work: explicit and partly explicit schemes", caption],
        &SOME,
        &shown,
        work_axes(),
        by_work,
    )
}

/// Error against work of implicit schemes.
pub fn implicit(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the first chart; squares iterate Newton's method until it converges.";
    figure(results, ["implicit", "Error against work: implicit schemes", caption], &SOME, IMPLICIT, work_axes(), by_work)
}

/// Error against work of the variants of two schemes.
pub fn variants(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Error against the step. One linearisation with the filtered Jacobian makes a scheme of order 2 one of order 1; with the exact one it \
                   keeps its order; solves to the tolerance of the thesis, c = 0.01, keep it until their own error shows.";
    let axes = [Axis::log("step  [s]"), error_axis()];
    let point: Point = |run| shown_at(run.row.step, run.row.error);
    figure(
        results,
        ["variants", "Filtered and exact Jacobians, tight and loose solves", caption],
        &["soft sheet", "slack sheet"],
        VARIANTS,
        axes,
        point,
    )
}

/// Error against time.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the chart of work, in seconds of one core: medians of the repeats of each run, alone and in turn.";
    let axes = [Axis::log("time of the run  [s]"), error_axis()];
    let point: Point = |run| shown_at(run.seconds?, run.row.error);
    Ok(Figure { of_times: true, ..figure(results, ["times", "Error against time", caption], &[], FRONT, axes, point)? })
}

/// The least drift of the energy that is shown \[-\].
const NO_DRIFT: f64 = 1e-7;

/// Methods whose energies are compared.
const ENERGY: &[Shown] = &[
    ("FB Euler", Palette::VERMILLION, Marker::Circle),
    ("RK4", Palette::BLACK, Marker::Circle),
    ("AIMEX", Palette::ORANGE, Marker::Circle),
    ("backward Euler", Palette::BLUE, Marker::Circle),
    ("BDF2, exact", Palette::GREEN, Marker::Circle),
    ("SBDF2, exact", Palette::SKY, Marker::Circle),
    ("midpoint, exact", Palette::PURPLE, Marker::Circle),
    ("generalized-alpha 0, exact", Palette::YELLOW, Marker::Circle),
];

/// Drift of the energy against the step.
pub fn energy(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Energy at the end less that of the reference, without its sign, over the energy of a fall by the scene's length; less than 1e-7 \
                   stands at the lower edge.";
    let axes = [Axis::log("step  [s]"), Axis::log("energy drift").range(NO_DRIFT, 1.0)];
    let point: Point = |run| {
        let drift = run.row.energy_drift?.abs();
        Some([run.row.step, drift.max(NO_DRIFT)])
    };
    figure(results, ["energy", "Energy that is lost or gained", caption], &SOME, ENERGY, axes, point)
}
