//! The charts of the study, each from its tables alone.

use kit::prelude::*;
use lab::judge::published::Precision;

use super::scene::{RunRow, STEP, usual};
use super::time_verdicts::{Timed, is_few, timed};
use super::times::Times;

/// Permissible strains of some rows, large first.
pub fn tolerances<'a>(rows: impl Iterator<Item = &'a RunRow>) -> Vec<f64> {
    let mut tolerances: Vec<f64> = rows.map(|row| row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    tolerances
}

/// A permissible strain as the paper writes it.
pub fn name(tolerance: f64) -> String {
    format!("tolerance {tolerance}")
}

fn side_axis() -> Axis {
    Axis::linear("n, particles a side").whole_numbers()
}

/// Line and marks.
pub fn marked(label: impl Into<String>, color: Color, points: Vec<[f64; 2]>) -> [Layer; 2] {
    Layer::marked_line(label, color, points)
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
        let of = |wanted: &dyn Fn(&RunRow) -> bool| -> Vec<[f64; 4]> {
            let sheets = sheets.iter().filter(|sheet| sheet.row.threads == threads && wanted(&sheet.row));
            sheets.filter_map(|sheet: &Timed| bar_of_repeats(sheet.row.side as f64, &sheet.seconds)).collect()
        };
        let mut layers = vec![Layer::rule("1/30 s", Palette::GREY, Direction::Horizontal, STEP)];
        let full = sheets.iter().map(|sheet| &sheet.row).filter(|row| !is_few(row));
        for (k, tolerance) in tolerances(full).into_iter().enumerate() {
            let points = of(&|row| row.tolerance == tolerance && !is_few(row));
            layers.extend(Layer::line_with_bars(name(tolerance), Palette::series(k), points));
        }
        layers.extend(Layer::line_with_bars("five iterations", Palette::BLACK, of(&is_few)));
        if threads == "all" {
            layers.extend(published_times());
        }
        Panel::new(side_axis(), Axis::log("seconds a step"), layers).titled(title)
    };
    let caption = "Medians of the repeats over the first steps of a hanging sheet of 1 m, with the fastest and the slowest, each run alone on the machine; below the line a \
                   step takes less than it simulates. Published on four cores of 2008, and so drawn beside all threads only: \
                   bounds that times stay below, of 1 and 0.1 % at 30 particles a side and of 0.01 % at 50; about a time, of 0.01 \
                   % at 10; and times of five iterations.";
    let panels = vec![panel("all", "all threads"), panel("one", "one thread")];
    let figure = Figure::new("times", "Figure 5: time of a step by grid and tolerance", caption, panels);
    Ok(Figure { of_times: true, ..figure.with_one_y().with_one_legend() })
}

/// Ratios of times, one thread over all, repeat by repeat, of the sheets of figure 5.
fn gains(results: &Results) -> Result<Vec<(RunRow, Vec<f64>)>, ResultsError> {
    let sheets = timed::<Times>(results)?;
    let pair = |pair: &[Timed]| {
        let [one, all] = pair else { return None };
        let same = one.row.threads == "one" && all.row.threads == "all" && usual(&one.row);
        same.then(|| (one.row.clone(), one.over(all)))
    };
    Ok(sheets.chunk_by(|a, b| a.set / 2 == b.set / 2).filter_map(pair).collect())
}

/// What threads gain.
pub fn threads(results: &Results) -> Result<Figure, ResultsError> {
    let gains = gains(results)?;
    let gain = Claimed::of("D-CORES", "speed-up");
    let label = format!("{}: four cores", gain.label());
    let rules = gain.rules(Direction::Horizontal).into_iter();
    let mut layers: Vec<Layer> = rules.map(|rule| rule.labelled(label.clone())).collect();
    layers.push(Layer::rule("no gain", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted));
    for (k, tolerance) in tolerances(gains.iter().map(|(row, _)| row)).into_iter().enumerate() {
        let of = gains.iter().filter(|(row, _)| row.tolerance == tolerance && !is_few(row));
        let points = of.filter_map(|(row, ratios)| bar_of_repeats(row.side as f64, ratios)).collect();
        layers.extend(Layer::line_with_bars(name(tolerance), Palette::series(k), points));
    }
    let panel = Panel::new(side_axis(), Axis::linear("time, one thread / all threads"), layers).legend_outside();
    let caption =
        "Median over the repeats of the ratio of times, with the smallest and the largest; the results have the same bits.";
    Ok(Figure { of_times: true, ..Figure::new("threads", "What the threads of this machine gain", caption, vec![panel]) })
}
