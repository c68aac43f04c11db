//! The charts of the study, each from its tables alone.

use kit::method_colors::color;
use kit::prelude::*;

use super::methods::others;
use super::samples::{Sample, SceneRuns, scenes};

/// A method that a chart shows by a line of its own: filled circles, open ones where linear systems are solved loosely, squares
/// where Newton's method is iterated, triangles where steps adapt, open diamonds and dashes where Jacobians are filtered.
type Shown = (&'static str, Marker);

/// Methods that are the cheapest for some error in some scene, or that everybody takes.
const FRONT: &[Shown] = &[
    ("FB Euler", Marker::Circle),
    ("RK4", Marker::Circle),
    ("AIMEX, c = 0.01", Marker::OpenCircle),
    ("backward Euler, c = 0.01", Marker::OpenCircle),
    ("BDF2, exact, c = 0.01", Marker::OpenCircle),
    ("SBDF2, exact", Marker::Circle),
    ("midpoint, exact", Marker::Circle),
    ("midpoint, exact, c = 0.01", Marker::OpenCircle),
];

/// Explicit schemes and those that are so in part; other explicit ones of the registry are shown by squares.
const EXPLICIT: &[Shown] = &[
    ("forward Euler", Marker::Circle),
    ("FB Euler", Marker::Circle),
    ("FB Euler, steps by stretch", Marker::Triangle),
    ("RK4", Marker::Circle),
    ("IMEX", Marker::Circle),
    ("AIMEX", Marker::Circle),
    ("SBDF2, fixed, exact", Marker::Circle),
    ("SBDF2, exact", Marker::Circle),
];

/// Implicit schemes, once linearised and converged.
const IMPLICIT: &[Shown] = &[
    ("backward Euler", Marker::Circle),
    ("backward Euler, converged", Marker::Square),
    ("BDF2, exact", Marker::Circle),
    ("BDF2, exact, converged", Marker::Square),
    ("midpoint, exact", Marker::Circle),
    ("midpoint, exact, converged", Marker::Square),
    ("generalized-alpha 0, exact", Marker::Circle),
    ("generalized-alpha 0.5, exact", Marker::Circle),
    ("generalized-alpha 0.5, exact, converged", Marker::Square),
    ("projective dynamics", Marker::Circle),
    ("projective dynamics, L-BFGS, converged", Marker::Square),
];

/// What a scheme of order 2 loses by filtered Jacobians and loose solves.
const VARIANTS: &[Shown] = &[
    ("midpoint", Marker::OpenDiamond),
    ("midpoint, exact", Marker::Circle),
    ("midpoint, exact, c = 0.01", Marker::OpenCircle),
    ("midpoint, exact, converged", Marker::Square),
    ("BDF2", Marker::OpenDiamond),
    ("BDF2, exact", Marker::Circle),
    ("BDF2, exact, c = 0.01", Marker::OpenCircle),
];

/// x and y of a run, and the ends of its interval in x.
type Point = fn(&Sample) -> Option<[f64; 4]>;

/// Values that are shown; less stands in a band below them \[-\].
const VALUES: [f64; 2] = [1e-7, 1.0];
const BELOW: f64 = 3e-8;

/// A value as it is shown.
fn shown_at(at: f64, value: Option<f64>) -> Option<[f64; 4]> {
    value.map(|value| [at, if value < VALUES[0] { 0.5 * (BELOW + VALUES[0]) } else { value }, at, at])
}

fn value_axis(label: &str) -> Axis {
    Axis::log(label).range(BELOW, VALUES[1])
}

/// Triangles whose long sides fall, or rise, with the orders 1, 2 and 4 over an axis of the given ends, with the orders beside
/// them.
fn slopes([low, high]: [f64; 2], rises: bool) -> Vec<Layer> {
    let decades = libm::log10(high / low);
    if !decades.is_finite() || decades <= 0.0 {
        return vec![];
    }
    let along = |share: f64| low * libm::pow(10.0, share * decades);
    let mut layers = vec![];
    let mut words = vec![];
    for (k, order) in [1, 2, 4].into_iter().enumerate() {
        // falling errors leave the upper right corner free, rising ones the lower right
        let ends = [along(0.72 + 0.1 * k as f64), along(0.79 + 0.1 * k as f64)];
        let fall = libm::pow(ends[1] / ends[0], -f64::from(order));
        let (top, bottom) = if rises { (2e-6, 2e-6 * fall) } else { (0.6, 0.6 * fall) };
        let [left, right] = if rises { [bottom, top] } else { [top, bottom] };
        let (start, corner) = ([ends[0], left], [ends[usize::from(rises)], bottom]);
        let sides = vec![start, [ends[1], right], corner, start];
        layers.push(Layer::line("slopes of orders 1, 2 and 4", Palette::GREY, sides));
        words.push(([libm::sqrt(ends[0] * ends[1]), 0.45 * bottom], order.to_string()));
    }
    layers.push(Layer::texts(words));
    layers
}

/// A scene: a line a method, what is too small to be shown, and slopes.
pub fn panel(scene: &SceneRuns, shown: &[(&'static str, Color, Marker)], [x, y]: [Axis; 2], point: Point, rises: bool) -> Panel {
    let mut layers = vec![Layer::band("less than 1e-7", Palette::GREY, Direction::Horizontal, BELOW, VALUES[0])];
    let of = |name: &str| -> Vec<[f64; 4]> { scene.of(name).filter_map(point).collect() };
    for (name, color, marker) in shown {
        let runs = of(name);
        let points: Vec<[f64; 2]> = runs.iter().map(|[x, y, ..]| [*x, *y]).collect();
        let dash = if *marker == Marker::OpenDiamond { Dash::Dashed } else { Dash::Solid };
        if *marker != Marker::Triangle {
            layers.push(Layer::line(*name, *color, points.clone()).dash(dash)); // adaptive steps do not follow those that are asked for
        }
        let marks = match runs.iter().any(|[_, _, low, high]| low < high) {
            true => Layer::error_bars_across(*name, *color, runs),
            false => Layer::points(*name, *color, points),
        };
        layers.push(marks.marker(*marker));
    }
    let ends = extent(shown.iter().flat_map(|(name, ..)| of(name)).map(|point| point[0]));
    layers.extend(slopes(ends, rises));
    Panel::new(x, y, layers).titled(scene.scene.clone())
}

/// Scenes of the charts that do not show all.
const SOME: [&str; 3] = ["soft sheet", "stiff sheet", "flag"];

/// A panel for each of the `of` scenes, all of them where none is named, with one legend.
fn figure(
    results: &Results,
    [name, title, caption]: [&str; 3],
    of: &[&str],
    shown: &[Shown],
    (axes, point): ([Axis; 2], Point),
) -> Result<Figure, ResultsError> {
    let scenes = scenes(results)?;
    let chosen = scenes.iter().filter(|scene| of.is_empty() || of.contains(&scene.scene.as_str()));
    let shown: Vec<_> = shown.iter().map(|(name, marker)| (*name, color(name), *marker)).collect();
    let rises = axes[0].label == STEP;
    let panels = chosen.map(|scene| panel(scene, &shown, axes.clone(), point, rises)).collect();
    Ok(Figure { columns: 2, ..Figure::new(name, title, caption, panels) }.with_one_legend())
}

/// Label of an axis of steps, over which errors rise.
const STEP: &str = "step  [s]";

fn over_work() -> ([Axis; 2], Point) {
    ([Axis::log("work  [evaluations of all forces]"), value_axis(ERROR)], |run| shown_at(run.row.work, run.row.error))
}

const ERROR: &str = "error over length";

/// Error against work, the methods on the front.
pub fn work(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Runs that came to their end, a mark a step of 2^-k s; further to the left is cheaper, further down more accurate. Work counts \
                   operations of forces, linearisations, products and iterations, in units of an evaluation of all forces. A line that ends on \
                   the left is unstable with larger steps; one of AIMEX jumps where all its springs become explicit. Runs more accurate than 1e-7 stand in the grey band. The triangles are slopes of work that doubles with the number of \
                   steps.";
    figure(results, ["work", "Error against work", caption], &[], FRONT, over_work())
}

/// Error against work of explicit schemes.
pub fn explicit(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the first chart; SBDF2 chooses its explicit springs by their dampers unless it is fixed.";
    let shown: Vec<Shown> = EXPLICIT.iter().copied().chain(others().map(|method| (method.name, Marker::Square))).collect();
    figure(results, ["explicit", "Error against work: explicit and partly explicit schemes", caption], &SOME, &shown, over_work())
}

/// Error against work of implicit schemes.
pub fn implicit(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the first chart; squares iterate Newton's method until it converges.";
    figure(results, ["implicit", "Error against work: implicit schemes", caption], &SOME, IMPLICIT, over_work())
}

/// Error against work of the variants of two schemes.
pub fn variants(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Error against the step. One linearisation with the filtered Jacobian makes a scheme of order 2 one of order 1; with the exact one it \
                   keeps its order; solves to the tolerance of the thesis, c = 0.01, keep it until their own error shows.";
    let axes = [Axis::log(STEP), value_axis(ERROR)];
    let point: Point = |run| shown_at(run.row.step, run.row.error);
    figure(
        results,
        ["variants", "Filtered and exact Jacobians, tight and loose solves", caption],
        &["soft sheet", "slack sheet"],
        VARIANTS,
        (axes, point),
    )
}

/// Error against time.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the chart of work, in seconds of one core: medians of the repeats of each run, with the fastest and the slowest, alone and in turn.";
    let axes = [Axis::log("time of the run  [s]"), value_axis(ERROR)];
    let point: Point = |run| {
        let ([x, y, ..], [low, high]) = (shown_at(run.seconds?, run.row.error)?, run.extremes?);
        Some([x, y, low, high])
    };
    Ok(Figure { of_times: true, ..figure(results, ["times", "Error against time", caption], &[], FRONT, (axes, point))? })
}

/// Methods whose energies are compared.
const ENERGY: &[Shown] = &[
    ("FB Euler", Marker::Circle),
    ("RK4", Marker::Circle),
    ("AIMEX", Marker::Circle),
    ("backward Euler", Marker::Circle),
    ("BDF2, exact", Marker::Circle),
    ("SBDF2, exact", Marker::Circle),
    ("midpoint, exact", Marker::Circle),
    ("generalized-alpha 0, exact", Marker::Circle),
];

/// Drift of the energy against the step.
pub fn energy(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Energy at the end less that of the reference, without its sign, over the energy of a fall by the scene's length; less than 1e-7 \
                   stands in the grey band.";
    let axes = [Axis::log(STEP), value_axis("energy drift")];
    let point: Point = |run| shown_at(run.row.step, run.row.energy_drift.map(f64::abs));
    figure(results, ["energy", "Energy that is lost or gained", caption], &SOME, ENERGY, (axes, point))
}
