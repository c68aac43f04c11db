//! The charts of the study, each from its tables alone.

use kit::prelude::*;

use super::assumptions::{AS_PRINTED, CONVERGED};
use super::differences::{MOST, by_reading, differences, most, runs};
use super::ratios::{ITERATIONS, TIME, iteration_ratios, published, published_runs, time_ratios};
use super::runs::{Readings, RunRow, Runs};
use super::shares::Shares;

/// Differences below this are drawn in the middle of a band below it \[h\].
const SMALLEST: f64 = 1e-6;
const BELOW: f64 = 2e-7;
const TOO_SMALL: &str = "less than 10⁻⁶ h";

/// A difference as it is drawn.
fn shown(difference: f64) -> f64 {
    if difference < SMALLEST { (SMALLEST * BELOW).sqrt() } else { difference }
}

/// How each splitting looks.
const COLORS: [Color; 4] = [Palette::BLUE, Palette::SKY, Palette::ORANGE, Palette::VERMILLION];
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted];
const MARKERS: [Marker; 4] = [Marker::OpenCircle, Marker::Square, Marker::Triangle, Marker::Diamond];

/// Values against the share of values up to each, as they are shown.
fn shares(values: &[f64]) -> Vec<[f64; 2]> {
    cumulative(values.iter().copied().map(shown))
}

/// Largest differences: how they are distributed, and at which density they occur.
pub fn difference(results: &Results) -> Result<Figure, ResultsError> {
    let rows = runs(results)?;
    let of = |splitting: Treatment| rows.iter().filter(|row| row.sheet.splitting == splitting).cloned().collect::<Vec<_>>();
    let mut layers = vec![
        Layer::band(format!("most: {}", MOST.label()), Palette::GREY, Direction::Vertical, SMALLEST, most()),
        Layer::band(TOO_SMALL, Palette::BLACK, Direction::Vertical, BELOW, SMALLEST),
        Layer::line("all", Palette::BLACK, shares(&differences(&rows))),
    ];
    for ((splitting, color), dash) in Treatment::ALL.into_iter().zip(COLORS).zip(DASHES) {
        layers.push(Layer::line(splitting.name(), color, shares(&differences(&of(splitting)))).dash(dash));
    }
    let label = "largest difference of positions  [h]";
    let shares = Panel::new(Axis::log(label).range(BELOW, 100.0), Axis::linear("share of sets").range(0.0, 1.0), layers)
        .titled("how many sets stay below a difference")
        .legend_outside();
    let points = |splitting: Treatment| {
        let finished = rows.iter().filter(|row| row.sheet.splitting == splitting && row.is_finished());
        finished.filter_map(|row| Some([row.sheet.bending_number.max(1e-8), shown(row.difference?)])).collect::<Vec<_>>()
    };
    let mut layers = vec![
        Layer::rule("explicit bending unstable to the right", Palette::BLACK, Direction::Vertical, 1.0).dash(Dash::Dotted),
        Layer::rule(format!("most below {} h: {}", most(), MOST.label()), Palette::GREY, Direction::Horizontal, most()),
        Layer::band(TOO_SMALL, Palette::BLACK, Direction::Horizontal, BELOW, SMALLEST),
    ];
    for ((splitting, color), marker) in Treatment::ALL.into_iter().zip(COLORS).zip(MARKERS) {
        layers.push(Layer::points(splitting.name(), color, points(splitting)).marker(marker));
    }
    let bending = Panel::new(Axis::log("bending number  32.1 kb dt²/m  [–]"), Axis::log(label).range(BELOW, 20.0), layers)
        .titled("what sets the schemes apart")
        .legend_outside();
    let caption = format!(
        "Each set by the largest difference of any coordinate within a second, over the mesh spacing. The thesis finds most below {} h. \
         Differences below 10⁻⁶ h are drawn in the darker band.",
        most()
    );
    Ok(Figure::new("difference", "Largest difference between AIMEX and the implicit scheme", caption, vec![shares, bending]))
}

/// Table 4.1: counts, ratios of iterations and of times, by splitting.
pub fn table(results: &Results, threshold: f64) -> Result<Figure, ResultsError> {
    let rows = runs(results)?;
    let shares = results.without_sets::<Shares>()?;
    let expected = shares.iter().filter(|row| row.threshold == threshold).map(|row| 500.0 * row.share);
    let counted = Treatment::ALL
        .map(|splitting| 500.0 * rows.iter().filter(|row| row.sheet.splitting == splitting).count() as f64 / rows.len() as f64);
    let places = |values: &[f64], shift: f64| {
        values.iter().enumerate().map(|(k, value)| [k as f64 + 1.0 + shift, *value]).collect::<Vec<_>>()
    };
    let axis = || Axis::categories("stretch/shear", Treatment::ALL.map(Treatment::name));
    let layers = vec![
        Layer::points(ITERATIONS.label(), Palette::GREY, places(&Treatment::ALL.map(published_runs), -0.15))
            .marker(Marker::Diamond),
        Layer::points("all combinations of the lists", Palette::BLACK, places(&expected.collect::<Vec<_>>(), 0.0))
            .marker(Marker::Cross),
        Layer::points("sets drawn here", Palette::BLUE, places(&counted, 0.15)),
    ];
    let counts = Panel::new(axis(), Axis::log("sets of 500").range(5.0, 1000.0), layers).titled("runs");
    let ratios = iteration_ratios(&rows);
    let bars = ratios.iter().enumerate().filter_map(|(k, ratio)| Some((*ratio)?.bar(k as f64 + 1.1)));
    let y = Axis::linear("CG iterations, AIMEX / implicit").range(0.0, 1.6);
    let layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        published(ITERATIONS, -0.1),
        Layer::error_bars("mean, 95 % interval", Palette::BLUE, bars.collect::<Vec<_>>()),
    ];
    let iterations = Panel::new(axis(), y, layers).titled("iterations of conjugate gradients");
    let caption = "How AIMEX treats stretch and shear in how many of 500 sets, and the ratio of iteration counts over the sets of each splitting.";
    Ok(Figure::new("table-4-1", "Table 4.1: runs and CG iterations by splitting", caption, vec![counts, iterations]))
}

/// Table 4.1: times.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let ratios = time_ratios(results)?;
    let place = |splitting: Treatment| Treatment::ALL.iter().position(|other| *other == splitting).unwrap_or(0) as f64;
    let points = ratios.iter().map(|(splitting, time)| [place(*splitting) + 1.1, *time]);
    let layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        published(TIME, -0.1),
        Layer::points("sheets", Palette::BLUE, points.collect::<Vec<_>>()).marker(Marker::OpenCircle),
    ];
    let panel = Panel::new(
        Axis::categories("stretch/shear", Treatment::ALL.map(Treatment::name)),
        Axis::linear("time, AIMEX / implicit"),
        layers,
    );
    let caption = "Each sheet by the ratio of the median times of both schemes with matrices in block rows, measured alone and in turn on one machine.";
    Ok(Figure { of_times: true, ..Figure::new("times", "Table 4.1: times by splitting", caption, vec![panel]) })
}

/// Differences and iteration ratios under each reading.
pub fn readings(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Readings>()?;
    let last = rows.iter().map(|row| row.set).max();
    let main = results.rows::<Runs>()?;
    let mut names = vec!["as in the main group".to_owned()];
    let mut samples: Vec<Vec<f64>> = vec![
        main.iter().filter(|row| Some(row.set) <= last && row.row.is_finished()).filter_map(|row| row.row.difference).collect(),
    ];
    for Row { row, .. } in rows {
        let place = names.iter().position(|name| *name == row.reading).unwrap_or_else(|| {
            names.push(row.reading.clone());
            samples.push(vec![]);
            names.len() - 1
        });
        samples[place].extend(row.difference.filter(|_| row.is_finished()));
    }
    let bars = samples.iter().enumerate().filter_map(|(k, sample)| {
        let at = |p| Some(shown(quantile(sample, p)?));
        Some([(k + 1) as f64, at(0.5)?, at(0.25)?, at(0.75)?])
    });
    let layers = vec![
        Layer::band(TOO_SMALL, Palette::GREY, Direction::Horizontal, BELOW, SMALLEST),
        Layer::rule(format!("{} h", most()), Palette::GREEN, Direction::Horizontal, most()),
        Layer::error_bars("median and middle half", Palette::BLUE, bars.collect::<Vec<_>>()),
    ];
    let panel = Panel::new(Axis::categories("", names), Axis::log("largest difference of positions  [h]"), layers);
    let caption = "The first sets of the main group, with the treatment of bending, the tolerance of the solver and the friction of \
                   solids varied one at a time. Friction concerns sheets on solids only.";
    Ok(Figure::new("readings", "The difference between both schemes under other assumptions", caption, vec![panel]))
}

/// What the reading of the tolerance changes: sets that are lost, and the ratios of table 4.1.
pub fn tolerance(results: &Results) -> Result<Figure, ResultsError> {
    let compared = by_reading(results)?;
    let of = |name: &str| compared.iter().find(|compared| compared.name == name);
    let usual = of(AS_PRINTED).map(|compared| ("tol = c dt", compared.usual.as_slice()));
    let others = [("tol² = c dt", of(AS_PRINTED)), ("tol = 1e-8", of(CONVERGED))];
    let others = others.map(|(name, compared)| Some((name, compared?.rows.as_slice())));
    let readings: Vec<(&str, &[RunRow])> = [usual].into_iter().chain(others).flatten().collect();
    let lost = |status: &[Status]| {
        let shares = readings.iter().enumerate().filter_map(|(k, (_, rows))| {
            let lost = share_of(rows.iter().map(|row| status.contains(&row.status)))?;
            Some(lost.bar(k as f64 + 1.0 + 0.05 * status.len() as f64))
        });
        shares.collect::<Vec<_>>()
    };
    let x = Axis::categories("", readings.iter().map(|(name, _)| *name));
    let y = Axis::linear("share of sets that are lost").range(0.0, 1.0);
    let layers = vec![
        Layer::error_bars("by AIMEX alone", Palette::ORANGE, lost(&[Status::AimexUnstable])),
        Layer::error_bars("by the implicit scheme too", Palette::BLUE, lost(&[Status::ImplicitUnstable, Status::BothUnstable])),
    ];
    let shares = Panel::new(x, y, layers).titled("runs that gain energy");
    let mut layers = vec![Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0), published(ITERATIONS, -0.25)];
    for (k, (name, rows)) in readings.iter().enumerate() {
        let ratios = iteration_ratios(rows);
        let bars = ratios.iter().enumerate().filter_map(|(at, ratio)| Some((*ratio)?.bar(at as f64 + 0.9 + 0.15 * k as f64)));
        layers.push(Layer::error_bars(*name, [Palette::BLUE, Palette::ORANGE, Palette::GREEN][k % 3], bars.collect::<Vec<_>>()));
    }
    let y = Axis::linear("CG iterations, AIMEX / implicit").range(0.0, 1.6);
    let ratios = Panel::new(Axis::categories("stretch/shear", Treatment::ALL.map(Treatment::name)), y, layers)
        .titled("table 4.1")
        .legend_outside();
    let caption = "The first sets by conjugate gradients to tol = c dt, to tol² = c dt as printed, c = 0.01, and to 1e-8: the share of \
                   sets that are lost, and the mean ratios of iterations over the others. Intervals of 95 %; ratios of fewer than twenty \
                   sets have none.";
    Ok(Figure::new("tolerance", "What the reading of the tolerance changes", caption, vec![shares, ratios]))
}
