//! The chart of a race: error against time, work and step.

use chart::{Axis, ChartError, Color, Direction, Figure, Layer, Marker, Palette, Panel};
use kit::method_colors::color;
use race::ranking::{Target, Timed, interval};
use race::reference::Reference;

/// Marks of contestants that share a colour.
const MARKERS: [Marker; 5] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::OpenCircle, Marker::OpenDiamond];

/// Least error that is drawn, over the estimate of the reference, or as it is where there is none \[-\].
const LEAST: f64 = 0.1;
/// What is farther away than this is no error any more \[-\].
const FARTHEST: f64 = 10.0;

/// Colours of names, and marks by which those of one colour are told apart.
fn looks(names: &[&str]) -> Vec<(Color, Marker)> {
    let mut looks: Vec<(Color, Marker)> = vec![];
    for name in names {
        let plain = name.split([':', '+']).next_back().filter(|_| name.contains('+')).unwrap_or(name);
        let plain = plain.split(':').next().unwrap_or(plain);
        let mut own = color(plain);
        if own == Palette::GREY || looks.iter().any(|(taken, _)| *taken == own) {
            let free = (0..11).map(Palette::series).find(|color| {
                looks.iter().all(|(taken, _)| taken != color)
                    && names.iter().all(|other| color != &kit::method_colors::color(other))
            });
            own = free.unwrap_or(if own == Palette::GREY { Palette::series(looks.len()) } else { own });
        }
        let twins = looks.iter().filter(|(taken, _)| *taken == own).count();
        looks.push((own, MARKERS[twins % MARKERS.len()]));
    }
    looks
}

/// The chart as SVG.
///
/// # Errors
/// What the drawing refuses.
pub fn draw(
    runs: &[(String, Vec<Timed>)],
    reference: Option<&Reference>,
    target: Target,
    title: &str,
) -> Result<String, ChartError> {
    let names: Vec<&str> = runs.iter().map(|(name, _)| name.as_str()).collect();
    let looks = looks(&names);
    let estimate = reference.and_then(|reference| reference.estimates.get(target.times - 1).copied());
    let floor = estimate.map_or(0.0, |estimate| LEAST * estimate);
    let error = |run: &Timed| {
        let error = target.error_of(&run.row).filter(|error| run.row.is_finished() && *error <= FARTHEST);
        error.map(|error| error.max(floor))
    };
    let errors = || runs.iter().flat_map(|(_, runs)| runs).filter_map(error).filter(|error| *error > 0.0);
    let low = errors().fold(f64::INFINITY, f64::min).min(estimate.map_or(f64::INFINITY, |estimate| 0.5 * estimate));
    let high = errors().fold(0.0, f64::max).max(2.0 * low);
    let y = || match low.is_finite() && low > 0.0 {
        true => Axis::log("error over the size").range(0.5 * low, 2.0 * high),
        false => Axis::log("error over the size"),
    };
    type Across = fn(&Timed) -> Option<[f64; 3]>;
    let panels: [(&str, &str, Across); 3] = [
        ("time of one thread", "time  [s]", |run| interval(&run.times)),
        ("work", "nominal operations", |run| Some([run.row.operations; 3]).filter(|[operations, ..]| *operations > 0.0)),
        ("step", "step  [s]", |run| run.row.step.map(|step| [step; 3])),
    ];
    let panel = |(title, label, across): (&str, &str, Across)| {
        let mut layers = vec![];
        if let Some(estimate) = estimate.filter(|estimate| *estimate > 0.5 * low) {
            let band =
                Layer::band("below what the reference can tell", Palette::GREY, Direction::Horizontal, 0.5 * low, estimate);
            layers.push(band);
        }
        for ((name, runs), (color, marker)) in runs.iter().zip(&looks) {
            let point = |run: &Timed| error(run).zip(across(run)).map(|(y, [x, low, high])| [x, y, low, high]);
            let points: Vec<[f64; 4]> = runs.iter().filter_map(point).filter(|[x, y, ..]| *x > 0.0 && *y > 0.0).collect();
            layers.push(Layer::line(name.as_str(), *color, points.iter().map(|[x, y, ..]| [*x, *y]).collect()));
            let marks = match points.iter().any(|[_, _, low, high]| low < high) {
                true => Layer::error_bars_across(name.as_str(), *color, points),
                false => Layer::points(name.as_str(), *color, points.iter().map(|[x, y, ..]| [*x, *y]).collect()),
            };
            layers.push(marks.marker(*marker));
        }
        Panel::new(Axis::log(label), y(), layers).titled(title)
    };
    let caption = "Runs that came to their end, a mark a step; further to the left is cheaper, further down more accurate. Times are medians of \
                   runs alone on one thread, with the fastest and the slowest where there are several.";
    let figure = Figure::new("race", title, caption, panels.into_iter().map(panel).collect());
    Figure { columns: 2, of_times: true, ..figure }.with_one_legend().svg()
}
