//! The charts of the study, each from its tables alone.

use chart::{Axis, Color, Corner, Direction, Figure, Layer, Marker, Palette, Panel};
use lab::judge::statistics::{PowerLaw, median};
use lab::prelude::*;

use super::cost_verdicts::time_ratios;
use super::published;
use super::samples::{Counts, Part, counts_of, exponent, first, law, main_counts, rows, rows_of, sized_counts, tolerances};
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STEP, Scene};
use super::systems::{Readings, SystemRow};
use super::times;
use super::tolerances::{SCENES, ToleranceRow};

/// A preconditioner of the thesis in a chart.
struct Series {
    name: &'static str,
    color: Color,
    marker: Marker,
    iterations: fn(&Counts) -> f64,
}

const NONE: Series = Series { name: "none", color: Palette::BLACK, marker: Marker::OpenSquare, iterations: |counts| counts.none };
const BLOCKS: Series =
    Series { name: "A-Block", color: Palette::VERMILLION, marker: Marker::OpenTriangle, iterations: |counts| counts.a_block };
const CP: Series = Series { name: "CP", color: Palette::BLUE, marker: Marker::OpenCircle, iterations: |counts| counts.cp };
/// On pinned sheets both are equal.
const BOTH: Series = Series { name: "A-Block = CP", ..CP };

/// What is drawn of a scene.
fn series(scene: &Scene) -> Vec<Series> {
    if scene.slides() { vec![NONE, BLOCKS, CP] } else { vec![NONE, BOTH] }
}

const PARTICLES: &str = "n, number of particles";
const KAPPA: &str = "kappa  [–]";
const TOLERANCE: &str = "c of tol = c dt  [1/s]";
const A_SOLVE: &str = "CG iterations a solve";
const RATIO: &str = "CG iterations / those of none";

/// Two ends of a power law.
fn ends(law: &PowerLaw, sample: &[Counts], x: fn(&Counts) -> f64) -> Vec<[f64; 2]> {
    let low = sample.iter().map(x).fold(f64::INFINITY, f64::min);
    let high = sample.iter().map(x).fold(0.0, f64::max);
    if low < high { [low, high].map(|x| [x, law.at(x)]).to_vec() } else { vec![] }
}

/// Iterations a solve against a number, log/log; with fitted laws and their exponents where that is n.
fn iterations(sample: &[Counts], scene: &Scene, x: fn(&Counts) -> f64, label: &str, title: &str) -> Panel {
    let mut layers = vec![];
    let fitted = label == PARTICLES;
    for series in series(scene) {
        let points = sample.iter().map(|counts| [x(counts), (series.iterations)(counts) / counts.solves]).collect();
        let name = if fitted { "" } else { series.name };
        layers.push(Layer::points(name, series.color, points).marker(series.marker));
    }
    for series in series(scene).into_iter().filter(|_| fitted) {
        if let Some(law) = law(series.name, sample, series.iterations) {
            let name = format!("{}: exponent {}", series.name, short(law.exponent));
            let drawn = ends(&law, sample, x);
            if let [low, high] = drawn[..] {
                layers.extend(published::law(title, series.name, &law, [low[0], high[0]]));
            }
            layers.push(Layer::line(name, series.color, drawn));
        }
    }
    let legend = if fitted { Corner::Outside } else { Corner::Freest };
    Panel { legend, ..Panel::new(Axis::log(label), Axis::log(A_SOLVE), layers).titled(title) }
}

/// Iterations over those of none against a number, semilog; with medians by size where that is n.
fn ratios(sample: &[Counts], scene: &Scene, x: fn(&Counts) -> f64, label: &str, title: &str) -> Panel {
    let published = published::ratios(title);
    // what is published at 1 would lie under it
    let is_one = |layer: &Layer| matches!(layer, Layer::Line { points, .. } if points.iter().all(|[_, y]| *y == 1.0));
    let mut layers = vec![];
    if !published.iter().any(is_one) {
        layers.push(Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0));
    }
    let ratio = |series: &Series, counts: &Counts| (series.iterations)(counts) / counts.none;
    let drawn: Vec<Series> = series(scene).into_iter().skip(1).collect();
    let by_size = label == PARTICLES;
    for series in &drawn {
        let points = sample.iter().map(|counts| [x(counts), ratio(series, counts)]).collect();
        let name = if by_size { "" } else { series.name };
        layers.push(Layer::points(name, series.color, points).marker(series.marker));
    }
    for series in drawn.iter().filter(|_| by_size) {
        let mut sorted = sample.to_vec();
        sorted.sort_by(|a, b| a.particles.total_cmp(&b.particles));
        let sizes = sorted.chunk_by(|a, b| a.particles == b.particles);
        let middle = |size: &[Counts]| median(&size.iter().map(|counts| ratio(series, counts)).collect::<Vec<_>>());
        let medians = sizes.filter_map(|size| Some([size[0].particles, middle(size)?])).collect();
        layers.push(Layer::line(format!("{}, median", series.name), series.color, medians));
    }
    layers.extend(published);
    let most = sample.iter().flat_map(|counts| drawn.iter().map(|series| ratio(series, counts))).fold(1.2, f64::max);
    Panel::new(Axis::log(label), Axis::linear(RATIO).range(0.0, 1.05 * most), layers).titled(title)
}

fn particles(counts: &Counts) -> f64 {
    counts.particles
}

fn kappa(counts: &Counts) -> f64 {
    counts.kappa
}

/// Figures 5.3 and 5.4.
pub fn pinned_size(results: &Results) -> Result<Figure, ResultsError> {
    let sample = main_counts(results, &PINNED, Part::Whole)?;
    Ok(Figure::new(
        "pinned-size",
        "Figures 5.3 and 5.4: iterations against the number of particles, pinned sheets",
        "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner. Each preconditioner \
         runs by itself; tol = 0.01 dt. The thesis has about 30 % fewer with A-Block and CP.",
        vec![
            iterations(&sample, &PINNED, particles, PARTICLES, "figure 5.3"),
            ratios(&sample, &PINNED, particles, PARTICLES, "figure 5.4"),
        ],
    ))
}

/// Sheets of one size, and of all sizes, against kappa.
fn against_kappa(results: &Results, scene: &Scene, titles: [&str; 2]) -> Result<Vec<Panel>, ResultsError> {
    let all = main_counts(results, scene, Part::Whole)?;
    let mut panels = vec![];
    for (side, fixed) in sized_counts(results, scene, Part::Whole)? {
        panels.push(iterations(&fixed, scene, kappa, KAPPA, &format!("{}, {side} x {side} particles", titles[0])));
        panels.push(ratios(&fixed, scene, kappa, KAPPA, &format!("{}, {side} x {side} particles", titles[1])));
    }
    panels.push(iterations(&all, scene, kappa, KAPPA, &format!("{}, all sizes", titles[0])));
    panels.push(ratios(&all, scene, kappa, KAPPA, &format!("{}, all sizes", titles[1])));
    Ok(panels)
}

/// Figures 5.5 and 5.6.
pub fn pinned_stiffness(results: &Results) -> Result<Figure, ResultsError> {
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "pinned-stiffness",
            "Figures 5.5 and 5.6: iterations against the numerical stiffness, pinned sheets",
            "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner, against the larger kappa of \
         stretch and shear; tol = 0.01 dt. The thesis does not say at which n its figures are; it has 30 to 35 % fewer at kappa from 100 to 1000 \
         and more than 50 % in extreme cases.",
            against_kappa(results, &PINNED, ["figure 5.5", "figure 5.6"])?,
        )
    })
}

/// Figures 5.7 and 5.8, and the same without friction.
pub fn sphere_size(results: &Results) -> Result<Figure, ResultsError> {
    let sliding = main_counts(results, &SLIDING, Part::Whole)?;
    let late = main_counts(results, &SLIDING, Part::Late)?;
    let frictionless = counts_of(&rows::<Readings>(results, &FRICTIONLESS, &STEP)?, Part::Whole);
    let panels = vec![
        iterations(&sliding, &SLIDING, particles, PARTICLES, "figure 5.7, Coulomb friction"),
        ratios(&sliding, &SLIDING, particles, PARTICLES, "figure 5.8, Coulomb friction"),
        ratios(&late, &SLIDING, particles, PARTICLES, "figure 5.8, second half of the run"),
        ratios(&frictionless, &FRICTIONLESS, particles, PARTICLES, "figure 5.8, no friction"),
    ];
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "sphere-size",
            "Figures 5.7 and 5.8: iterations against the number of particles, on a sphere",
            "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner. Each preconditioner \
             runs by itself; tol = 0.01 dt. The thesis has exponents of 0.512 without preconditioner and 0.436 with CP, about 30 % fewer \
             iterations with CP, and more with A-Block than without. Its text gives no heights: the grey lines of figure 5.7 have its \
             exponents through the middle of our fits.",
            panels,
        )
    })
}

/// Figures 5.9 and 5.10.
pub fn sphere_stiffness(results: &Results) -> Result<Figure, ResultsError> {
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "sphere-stiffness",
            "Figures 5.9 and 5.10: iterations against the numerical stiffness, on a sphere with Coulomb friction",
            "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner, against the larger kappa of \
         stretch and shear; tol = 0.01 dt. The thesis has about 70 % fewer with CP at typical kappa, and more with A-Block as kappa grows.",
            against_kappa(results, &SLIDING, ["figure 5.9", "figure 5.10"])?,
        )
    })
}

/// The readings of the tolerance that sheets on the sphere are run under.
const READINGS: [Reading; 4] = [ROOT, STEP, FIRST, CONVERGED];

/// Exponents of n by reading of the tolerance.
pub fn exponents(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for scene in [PINNED, SLIDING] {
        let mut layers = vec![];
        if scene == SLIDING {
            layers.extend([NONE, CP].iter().filter_map(|series| published::exponent_rule(series.name)));
        }
        for (k, series) in [NONE, CP].into_iter().enumerate() {
            let mut bars = vec![];
            for (place, reading) in READINGS.iter().enumerate() {
                let sample = counts_of(&rows_of(results, &scene, reading)?, Part::Whole);
                let exponent = exponent(series.name, &sample, series.iterations);
                bars.extend(exponent.and_then(|exponent| bar(place as f64 + [0.9, 1.1][k], &exponent)));
            }
            layers.push(Layer::error_bars(series.name, series.color, bars));
        }
        let names: Vec<&str> = READINGS.iter().map(|reading| reading.name).collect();
        panels.push(
            Panel::new(Axis::categories("tolerance", names), Axis::linear("exponent of n"), layers)
                .titled(scene.name)
                .legend_outside(),
        );
    }
    Ok(Figure::new(
        "exponents",
        "How iterations grow with the number of particles, by reading of the tolerance",
        "Exponents of the power laws of least squares of iterations a solve against n, with 95 % intervals, over the sheets all runs of which end without \
         gaining energy. The thesis prints tol² = c dt, under which the larger sheets come apart.",
        panels,
    ))
}

/// A preconditioner of the first sets, with its iterations.
type Kind = (&'static str, Color, fn(&ToleranceRow) -> u64);

const KINDS: [Kind; 6] = [
    ("diagonal", Palette::ORANGE, |row| row.diagonal),
    ("A-Block", Palette::VERMILLION, |row| row.a_block),
    ("CP", Palette::BLUE, |row| row.cp),
    ("SSOR", Palette::GREEN, |row| row.ssor),
    ("IC", Palette::PURPLE, |row| row.ic),
    ("multigrid", Palette::SKY, |row| row.multigrid),
];

/// All preconditioners by tolerance.
pub fn preconditioners(results: &Results) -> Result<Figure, ResultsError> {
    let tolerances = tolerances(results)?;
    let mut panels = vec![];
    for scene in SCENES {
        let mut layers = vec![Layer::rule("none", NONE.color, Direction::Horizontal, 1.0)];
        for (k, (name, color, iterations)) in KINDS.into_iter().enumerate() {
            let mut bars = vec![];
            for tolerance in &tolerances {
                let rows = first(results, &scene, *tolerance)?;
                let ratios = rows.iter().filter(|row| row.none > 0).map(|row| iterations(row) as f64 / row.none as f64);
                let ratios: Vec<f64> = ratios.collect();
                let place = tolerance * libm::pow(10.0, 0.12 * (k as f64 - 2.5));
                bars.extend(Estimate::median(&ratios).and_then(|estimate| bar(place, &estimate)));
            }
            layers.push(Layer::error_bars(name, color, bars));
        }
        let axis = Axis::log(TOLERANCE).range(3e-6, 0.3);
        panels.push(Panel::new(axis, Axis::linear(RATIO).range(0.0, 1.3), layers).titled(scene.name).legend_outside());
    }
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "preconditioners",
            "All preconditioners by tolerance",
            "Median ratio of iterations to those without preconditioner with its 95 % interval, over the sheets that are solved \
             by all, more of them with the c of the thesis; SSOR and incomplete Cholesky are constrained like CP, and an \
             iteration of theirs costs more than two; one of multigrid costs about four.",
            panels,
        )
    })
}

fn bar(place: f64, estimate: &Estimate) -> Option<[f64; 4]> {
    let interval = estimate.interval?;
    Some([place, estimate.value, interval.low, interval.high])
}

/// Original and corrected start.
pub fn start(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for scene in [PINNED, SLIDING] {
        let mut layers = vec![
            Layer::band("published (Boxerman 2003, 5.2)", Palette::GREY, Direction::Horizontal, 0.45, 0.75),
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        ];
        let markers = [Marker::OpenSquare, Marker::Circle, Marker::OpenTriangle, Marker::OpenDiamond];
        for ((k, tolerance), marker) in tolerances(results)?.into_iter().enumerate().zip(markers.into_iter().cycle()) {
            let rows = first(results, &scene, tolerance)?;
            let started = rows.iter().filter(|row| row.cp_original > 0);
            let points = started.map(|row| [(row.side * row.side) as f64, row.cp as f64 / row.cp_original as f64]);
            let layer = Layer::points(format!("c = {tolerance}"), Palette::series(k), points.collect());
            layers.push(layer.marker(marker));
        }
        let y = Axis::linear("CG iterations, corrected / original start").range(0.0, 1.6);
        panels.push(Panel::new(Axis::log(PARTICLES), y, layers).titled(scene.name).legend_outside());
    }
    Ok(Figure::new(
        "start",
        "Iterations with the corrected start against the original one",
        "CP on the same systems, started from the previous solution with the corrected stopping rule, over the start and stopping rule of \
         Baraff & Witkin.",
        panels,
    ))
}

/// Sheets that are lost under each reading of the tolerance.
pub fn lost(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for scene in [PINNED, SLIDING] {
        let mut layers = vec![];
        for (k, reading) in READINGS.iter().enumerate() {
            let rows = rows_of(results, &scene, reading)?;
            let share = |low: usize, high: usize| {
                let of_size: Vec<&SystemRow> = rows.iter().filter(|row| (low..=high).contains(&row.side)).collect();
                let lost = of_size.iter().filter(|row| !row.is_finished()).count();
                Estimate::share(lost, of_size.len())
            };
            let sizes = [(5, 20), (25, 40), (45, 60), (65, 80)];
            let place = |(low, high): (usize, usize)| 0.5 * (low + high) as f64 + 1.2 * (k as f64 - 1.5);
            let bars = sizes.iter().filter_map(|size| bar(place(*size), &share(size.0, size.1)?)).collect();
            layers.push(Layer::error_bars(reading.name, Palette::series(k), bars));
        }
        let y = Axis::linear("share of sheets that are lost").range(0.0, 1.0);
        panels.push(Panel::new(Axis::linear("particles a side"), y, layers).titled(scene.name).legend_outside());
    }
    Ok(Figure::new(
        "lost",
        "Sheets that gain energy or come apart, by reading of the tolerance",
        "A sheet is lost where any of its runs, without preconditioner, with A-Block or with CP, gains more energy than a fall by its length or ends in \
         numbers that are not finite; shares of sheets by size, with 95 % intervals. The thesis calls its results stable.",
        panels,
    ))
}

/// Times of all preconditioners.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let names: Vec<&str> = times::METHODS.iter().map(|method| method.name).collect();
    let mut panels = vec![];
    for scene in times::SCENES {
        let [mut seconds, mut iterations] = [vec![], vec![]];
        for (k, name) in names.iter().enumerate() {
            let ratios = time_ratios(results, name, scene.name)?;
            seconds.extend(ratios.iter().map(|(ratio, _)| [k as f64 + 1.1, *ratio]));
            let counted = ratios.iter().filter(|(_, [_, blocks])| blocks.iterations > 0);
            let counted = counted.map(|(_, [other, blocks])| other.iterations as f64 / blocks.iterations as f64);
            iterations.extend(counted.map(|ratio| [k as f64 + 0.9, ratio]));
        }
        let mut layers = vec![
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points("CG iterations", Palette::ORANGE, iterations).marker(Marker::OpenDiamond),
            Layer::points("time", Palette::BLUE, seconds).marker(Marker::OpenCircle),
        ];
        let cp = names.iter().position(|name| *name == CP.name).filter(|_| scene == PINNED);
        layers.extend(cp.and_then(|k| published::cost_of_cp(k as f64 + 1.3)));
        let y = Axis::log("ratio to A-Block");
        panels.push(Panel::new(Axis::categories("preconditioner", names.clone()), y, layers).titled(scene.name));
    }
    let caption = "Each sheet by the ratio of the median time of a whole run, and of its iterations, to those with A-Block; tol = 0.01 dt, \
                   measured alone and in turn on one machine. The thesis gives the time of CP on pinned sheets alone, 0.8 % more on average.";
    Ok(Figure { of_times: true, ..Figure::new("times", "Times by preconditioner", caption, panels) })
}
