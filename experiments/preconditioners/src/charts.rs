//! The charts of the study, each from its tables alone.

use kit::prelude::*;

use super::published;
use super::readings::{READINGS, Readings};
use super::samples::{Counts, Part, counts_of, exponent, law, main_counts, rows, rows_of, sized_counts};
use super::scenes::{FRICTIONLESS, PINNED, SLIDING, STEP, Scene};

/// A preconditioner of the thesis in a chart.
pub struct Series {
    pub name: &'static str,
    pub color: Color,
    pub marker: Marker,
    pub iterations: fn(&Counts) -> f64,
}

pub const NONE: Series =
    Series { name: "none", color: Palette::BLACK, marker: Marker::OpenSquare, iterations: |counts| counts.none };
const BLOCKS: Series =
    Series { name: "A-Block", color: Palette::VERMILLION, marker: Marker::OpenTriangle, iterations: |counts| counts.a_block };

const CP: Series = Series { name: "CP", color: Palette::BLUE, marker: Marker::OpenCircle, iterations: |counts| counts.cp };
/// On pinned sheets both are equal.
const BOTH: Series = Series { name: "A-Block = CP", ..CP };

/// What is drawn of a scene.
pub fn series(scene: &Scene) -> Vec<Series> {
    if scene.slides() { vec![NONE, BLOCKS, CP] } else { vec![NONE, BOTH] }
}

/// Exponents of n without preconditioner and with CP.
pub const EXPONENTS: [Claimed<'static>; 2] = [Claimed::of("B-ORDER", "none"), Claimed::of("B-ORDER", "CP")];

pub const PARTICLES: &str = "n, number of particles";
const KAPPA: &str = "kappa  [–]";

pub const TOLERANCE: &str = "c of tol = c dt  [1/s]";
const A_SOLVE: &str = "CG iterations a solve";

pub const RATIO: &str = "CG iterations / those of none";

/// Two ends of a power law.
pub fn ends(law: &PowerLaw, sample: &[Counts], x: fn(&Counts) -> f64) -> Vec<[f64; 2]> {
    let low = sample.iter().map(x).fold(f64::INFINITY, f64::min);
    let high = sample.iter().map(x).fold(0.0, f64::max);
    if low < high { [low, high].map(|x| [x, law.at(x)]).to_vec() } else { vec![] }
}

/// Iterations a solve against a number, log/log; with fitted laws and their exponents where that is n.
pub fn iterations(sample: &[Counts], scene: &Scene, x: fn(&Counts) -> f64, label: &str, title: &str) -> Panel {
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
pub fn ratios(sample: &[Counts], scene: &Scene, x: fn(&Counts) -> f64, label: &str, title: &str) -> Panel {
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

pub fn particles(counts: &Counts) -> f64 {
    counts.particles
}

fn kappa(counts: &Counts) -> f64 {
    counts.kappa
}

/// Figures 5.3 and 5.4.
pub fn pinned_size(results: &Results) -> Result<Figure, ResultsError> {
    let sample = main_counts(results, &PINNED, Part::Whole)?;
    let title = "Figures 5.3 and 5.4: iterations against the number of particles, pinned sheets";
    let caption = format!(
        "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner. Each preconditioner runs by \
         itself; tol = 0.01 dt. The thesis has about {:.0} % fewer with A-Block and CP.",
        100.0 * Claimed::of("B-CP-FREE-N", "saving").published()
    );
    let panels = vec![
        iterations(&sample, &PINNED, particles, PARTICLES, "figure 5.3"),
        ratios(&sample, &PINNED, particles, PARTICLES, "figure 5.4"),
    ];
    Ok(Figure::new("pinned-size", title, caption, panels))
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
    let title = "Figures 5.5 and 5.6: iterations against the numerical stiffness, pinned sheets";
    let [least, most] = Claimed::of("B-CP-FREE-KAPPA", "saving at typical kappa").range().unwrap_or([f64::NAN; 2]);
    let largest = Claimed::of("B-CP-FREE-KAPPA", "largest saving").published();
    let [least, most, largest] = [least, most, largest].map(|saving| 100.0 * saving);
    let caption = format!(
        "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner, against the larger kappa of \
         stretch and shear; tol = 0.01 dt. The thesis does not say at which n its figures are; it has {least:.0} to {most:.0} % fewer at \
         kappa from 100 to 1000 and more than {largest:.0} % in extreme cases."
    );
    let panels = against_kappa(results, &PINNED, ["figure 5.5", "figure 5.6"])?;
    Ok(Figure { columns: 2, ..Figure::new("pinned-stiffness", title, caption, panels) })
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
    let title = "Figures 5.7 and 5.8: iterations against the number of particles, on a sphere";
    let [none, cp] = EXPONENTS.map(Claimed::published);
    let caption = format!(
        "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner. Each preconditioner runs by \
         itself; tol = 0.01 dt. The thesis has exponents of {none} without preconditioner and {cp} with CP, about {:.0} % fewer iterations \
         with CP, and more with A-Block than without. Its text gives no heights: the grey lines of figure 5.7 have its exponents through \
         the middle of our fits.",
        100.0 * Claimed::of("B-CP-CON-N", "saving").published()
    );
    Ok(Figure { columns: 2, ..Figure::new("sphere-size", title, caption, panels) })
}

/// Figures 5.9 and 5.10.
pub fn sphere_stiffness(results: &Results) -> Result<Figure, ResultsError> {
    let title = "Figures 5.9 and 5.10: iterations against the numerical stiffness, on a sphere with Coulomb friction";
    let caption = format!(
        "Each run by its mean number of iterations a solve, and by the ratio to that without preconditioner, against the larger kappa of \
         stretch and shear; tol = 0.01 dt. The thesis has about {:.0} % fewer with CP at typical kappa, and more with A-Block as kappa \
         grows.",
        100.0 * Claimed::of("B-CP-CON-KAPPA", "saving at typical kappa").published()
    );
    let panels = against_kappa(results, &SLIDING, ["figure 5.9", "figure 5.10"])?;
    Ok(Figure { columns: 2, ..Figure::new("sphere-stiffness", title, caption, panels) })
}

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
    let title = "How iterations grow with the number of particles, by reading of the tolerance";
    let caption = "Exponents of the power laws of least squares of iterations a solve against n, with 95 % intervals, over the sheets all \
                   runs of which end without gaining energy. The thesis prints tol² = c dt, under which the larger sheets come apart.";
    Ok(Figure::new("exponents", title, caption, panels))
}

pub fn bar(place: f64, estimate: &Estimate) -> Option<[f64; 4]> {
    let interval = estimate.interval?;
    Some([place, estimate.value, interval.low, interval.high])
}
