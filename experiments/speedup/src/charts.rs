//! The charts of the study, each from its tables alone.

use kit::prelude::*;

use super::gains::{Gain, ratios, time_gains, work_gains};
use super::methods::{METHODS, PLAIN_AT, SCENES, TIMED, TOGETHER_AT, TOGETHER_BEND_AT};

/// The gain of all techniques together.
const TOGETHER: Claimed<'static> = Claimed::of("B-TOTAL", "speed-up");

/// Gains over the plain simulator by method and scene, each with the interval of its median.
fn by_method(
    label: &str,
    title: &str,
    among: &[usize],
    gain: impl Fn(usize) -> Result<Vec<Gain>, ResultsError>,
) -> Result<Panel, ResultsError> {
    let methods: Vec<usize> = among.iter().copied().filter(|k| *k != PLAIN_AT).collect();
    let gains: Result<Vec<Vec<Gain>>, ResultsError> = methods.iter().map(|method| gain(*method)).collect();
    let gains = gains?;
    let published = TOGETHER.band(Direction::Horizontal);
    let published = published.map(|band| band.labelled(format!("{}: all together", TOGETHER.label())));
    let mut layers: Vec<Layer> = published.into_iter().collect();
    layers.push(Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0));
    for (k, scene) in SCENES.iter().enumerate() {
        let shift = 0.12 * (k as f64 - 0.5 * (SCENES.len() - 1) as f64);
        let bars = gains.iter().enumerate().filter_map(|(place, gains)| {
            let ratios = ratios(gains, Some(k));
            let Estimate { value, interval, .. } = Estimate::median(&ratios)?;
            let [low, high] = interval.map_or_else(|| extremes(&ratios), |Interval { low, high }| Some([low, high]))?;
            Some([place as f64 + 1.0 + shift, value, low, high])
        });
        layers.push(Layer::error_bars(scene.name, Palette::series(k), bars.collect()).marker(MARKERS[k % MARKERS.len()]));
    }
    let counted = |gains: &Vec<Gain>| SCENES.iter().enumerate().map(|(k, _)| ratios(gains, Some(k)).len()).collect::<Vec<_>>();
    let counts: Vec<usize> = gains.iter().flat_map(counted).filter(|count| *count > 0).collect();
    let sets = match (counts.iter().min(), counts.iter().max()) {
        (Some(least), Some(most)) if least < most => format!(", n = {least} to {most} sets a scene"),
        (Some(least), _) => format!(", n = {least} sets a scene"),
        _ => String::new(),
    };
    let names = methods.iter().map(|method| METHODS[*method].name);
    Ok(Panel::new(Axis::categories("", names), Axis::log(label), layers).titled(format!("{title}{sets}")))
}

/// Work by method and scene.
pub fn work(results: &Results) -> Result<Figure, ResultsError> {
    let all: Vec<usize> = (0..METHODS.len()).collect();
    let rows = by_method("rows multiplied, plain / method", "rows of the matrix multiplied by a vector", &all, |method| {
        work_gains(results, method, PLAIN_AT, |row| row.rows)
    })?;
    let iterations = by_method("CG iterations, plain / method", "iterations of conjugate gradients", &all, |method| {
        work_gains(results, method, PLAIN_AT, |row| row.iterations)
    })?;
    let caption = "Medians over the sets of each scene that finish by both methods, with 95 % intervals; above 1 the method does less. \
                   Iterations of decomposed systems are counted in every component, however small, and say little.";
    let panels = vec![rows, iterations];
    Ok(Figure::new("work", "Work saved by each technique alone and by all together", caption, panels).with_one_legend())
}

/// Marks of the scenes.
const MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::OpenCircle, Marker::OpenSquare];
/// Sides between which sheets are of one size.
const SIZES: [usize; 5] = [0, 21, 41, 61, usize::MAX];
const MEDIAN: &str = "median of all scenes by size";

/// Work against the size of the sheet.
pub fn size(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |method: usize| -> Result<Panel, ResultsError> {
        let gains = work_gains(results, method, PLAIN_AT, |row| row.rows)?;
        let mut layers: Vec<Layer> = TOGETHER.band(Direction::Horizontal).into_iter().collect();
        layers.push(Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0));
        for (k, scene) in SCENES.iter().enumerate() {
            let of = gains.iter().filter(|gain| gain.scene == k);
            let points = of.map(|gain| [(gain.side * gain.side) as f64, gain.ratio]);
            layers.push(Layer::points(scene.name, Palette::series(k), points.collect()).marker(MARKERS[k % MARKERS.len()]));
        }
        let medians = SIZES.windows(2).filter_map(|sizes| {
            let sides = gains.iter().filter(|gain| (sizes[0]..sizes[1]).contains(&gain.side));
            let (sides, ratios): (Vec<f64>, Vec<f64>) = sides.map(|gain| (gain.side as f64, gain.ratio)).unzip();
            let side = median(&sides)?;
            Some(Estimate::median(&ratios)?.bar(side * side))
        });
        let medians: Vec<[f64; 4]> = medians.collect();
        layers.push(Layer::line(MEDIAN, Palette::BLACK, medians.iter().map(|[x, y, ..]| [*x, *y]).collect()));
        layers.push(Layer::error_bars(MEDIAN, Palette::BLACK, medians));
        let axis = Axis::log("rows multiplied, plain / method");
        Ok(Panel::new(Axis::log("n, particles"), axis, layers).titled(format!(
            "{}, n = {} sets",
            METHODS[method].name,
            gains.len()
        )))
    };
    let title = "Work saved by all techniques together against the size of the sheet";
    let caption = "Each set that finishes by both methods, and medians over the sheets of up to 20, 40, 60 and 80 particles a side, with \
                   95 % intervals where there are sets enough for one.";
    Ok(Figure::new("size", title, caption, vec![panel(TOGETHER_AT)?, panel(TOGETHER_BEND_AT)?]).with_one_y().with_one_legend())
}

/// Times by method and scene.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let panel = by_method("time, plain / method", "time", &TIMED, |method| time_gains(results, method, PLAIN_AT))?;
    let caption = "Medians over the timed sheets of each scene that finish by both methods, with their smallest and largest ratios; each \
                   sheet by the ratio of the medians of its repeats with matrices in block rows, measured alone and in turn on one \
                   machine.";
    Ok(Figure {
        of_times: true,
        ..Figure::new("times", "Time saved by 3x3 blocks and by all techniques together", caption, vec![panel]).with_one_legend()
    })
}
