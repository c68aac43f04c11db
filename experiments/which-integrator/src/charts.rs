//! Error against time at every size, and who comes to an accuracy how fast.

use kit::prelude::*;

use super::decision::{Situation, Wanted, plain, situations};
use super::scenes::Kind;

/// Contestants that are shown, with their variants as one each.
const SHOWN: [(&str, Marker); 10] = [
    ("fb-euler", Marker::Circle),
    ("rk4", Marker::Square),
    ("backward-euler", Marker::Diamond),
    ("bdf2", Marker::Circle),
    ("implicit-midpoint", Marker::OpenCircle),
    ("generalized-alpha", Marker::Triangle),
    ("aimex", Marker::Square),
    ("projective-dynamics", Marker::OpenDiamond),
    ("fb-euler+xpbd", Marker::OpenCircle),
    ("fb-euler+fast-projection", Marker::Triangle),
];

/// Errors and times that are shown.
const ERRORS: [f64; 2] = [1e-6, 0.3];

/// Runs of a contestant that no other one of it beats in both time and error, fast ones first: medians over draws of a step, with the
/// fastest and the slowest.
fn front(situation: &Situation, contestant: &str) -> Vec<[f64; 4]> {
    let times = situation.times(ASKED);
    let runs = situation.draws.iter().flat_map(|draw| &draw.runs).filter(|run| plain(&run.row.contestant) == contestant);
    let known = runs.filter_map(|run| {
        let key = (run.row.contestant.clone(), run.row.step.to_bits());
        Some((key, (run.seconds?[0], run.row.errors.until(times)?)))
    });
    let of = |runs: Vec<(f64, f64)>| {
        let (seconds, errors): (Vec<f64>, Vec<f64>) = runs.into_iter().unzip();
        let [low, high] = extremes(&seconds)?;
        Some([median(&seconds)?, median(&errors)?, low, high])
    };
    let mut points: Vec<[f64; 4]> = grouped(known).into_iter().filter_map(|(_, runs)| of(runs)).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut least = f64::INFINITY;
    points.retain(|point| {
        let is_better = point[1] < least;
        least = least.min(point[1]);
        is_better
    });
    points
}

/// Error against time, a panel a scene and a size.
pub fn errors(results: &Results) -> Result<Figure, ResultsError> {
    let situations = situations(results)?;
    let panel = |situation: &Situation| {
        let mut layers = vec![];
        let times = situation.times(ASKED).max(1);
        let estimate = situation.estimates().map(|all| all[times - 1]);
        if let Some(estimate) = estimate.filter(|estimate| *estimate > ERRORS[0]) {
            let grey = Palette::GREY;
            layers.push(Layer::band(
                "what the reference cannot tell",
                grey,
                Direction::Horizontal,
                ERRORS[0],
                estimate.min(ERRORS[1]),
            ));
        }
        for (k, (name, marker)) in SHOWN.into_iter().enumerate() {
            let points = front(situation, name);
            let line = points.iter().map(|[x, y, ..]| [*x, *y]).collect();
            layers.push(Layer::line(name, Palette::series(k), line));
            let bars: Vec<[f64; 4]> = points.into_iter().filter(|point| (ERRORS[0]..=ERRORS[1]).contains(&point[1])).collect();
            layers.push(Layer::error_bars_across(name, Palette::series(k), bars).marker(marker));
        }
        let x = Axis::log("time over that of the cloth  [-]");
        let y = Axis::log("error over the size  [-]").range(ERRORS[0], ERRORS[1]);
        let (kind, until) = (situation.kind.label(), situation.until(ASKED));
        let title = match situation.kind {
            Kind::Trousers => format!("{kind}, {} particles{until}", situation.particles),
            _ => format!("{kind}, {} a side{until}", situation.side),
        };
        Panel::new(x, y, layers).titled(title)
    };
    let caption = "What each contestant reaches in which time, at the best of its steps and variants: runs that another one of the same contestant beats \
                   in both are left out. Medians over draws of the material, bars from the fastest to the slowest. Left of 1 is faster than real \
                   time, on one thread. Errors count as long as the reference tells 1 %.";
    let panels = situations.iter().map(panel).collect();
    Ok(Figure {
        columns: 4,
        of_times: true,
        ..Figure::new("errors", "Error against time, by cloth and size", caption, panels).with_one_legend()
    })
}

/// The accuracy of the chart over sizes.
const ASKED: Wanted = Wanted::Within(0.01);

/// Time to come within 1 %, over the size, a panel a scene.
pub fn sizes(results: &Results) -> Result<Figure, ResultsError> {
    let situations = situations(results)?;
    let panel = |kind: Kind| {
        let mine: Vec<&Situation> = situations.iter().filter(|situation| situation.kind == kind).collect();
        let layers = SHOWN.into_iter().enumerate().flat_map(|(k, (name, marker))| {
            let at = |situation: &&Situation| {
                let variants = situation.contestants().into_iter().filter(|variant| plain(variant) == name);
                let best = variants.filter_map(|variant| situation.best_of(variant, ASKED));
                let [seconds, low, high] = best.min_by(|a, b| a.cost[0].total_cmp(&b.cost[0]))?.cost;
                Some([situation.side as f64, seconds, low, high])
            };
            Layer::line_with_bars(name, Palette::series(k), mine.iter().filter_map(at).collect())
                .map(|layer| layer.marker(marker))
        });
        let y = Axis::log("time over that of the cloth  [-]");
        Panel::new(Axis::log("particles a side"), y, layers.collect()).titled(kind.label())
    };
    let has_sizes = |kind: &Kind| situations.iter().filter(|situation| situation.kind == *kind).count() > 1;
    let caption = "The least time in which each contestant comes within 1 % of the reference, at the best of its steps and variants; bars from the \
                   fastest to the slowest draw of the material. Where a line ends, it does not come there at a price that was paid.";
    let panels = Kind::ALL.into_iter().filter(has_sizes).map(panel).collect();
    Ok(Figure {
        columns: 3,
        of_times: true,
        ..Figure::new("sizes", "Time to come within 1 %, by size", caption, panels).with_one_legend()
    })
}
