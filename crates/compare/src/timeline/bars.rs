//! Rows that changed, work and times, a small chart a commit.

use super::markup::escaped;
use crate::history::Entry;
use crate::history_report::work_in_brief;
use crate::page::percent;
use crate::summary::Summary;

/// Height of a chart.
const HEIGHT: f64 = 44.0;
/// Width of a chart.
const WIDTH: f64 = 40.0;
/// What becomes of rows, with the class of its bar.
const KINDS: [&str; 5] = ["bits", "rounding", "real", "added", "removed"];

fn counts(summary: &Summary) -> [usize; 5] {
    [summary.rows_bits, summary.rows_rounding, summary.rows_real, summary.rows_added, summary.rows_removed]
}

pub fn body(entries: &[Entry]) -> String {
    let mut rows = rows_changed(entries);
    let ratios = |ratio: &dyn Fn(&Entry) -> Option<f64>| entries.iter().map(ratio).collect::<Vec<_>>();
    let work = ratios(&|entry| Some(entry.step.as_ref()?.work.first()?.work.ratio()));
    let in_brief = |entry: &Entry| entry.step.as_ref().map_or_else(String::new, work_in_brief);
    rows += &changes(
        "work",
        "largest change of operations, iterations or products",
        &work,
        &entries.iter().map(in_brief).collect::<Vec<_>>(),
    );
    if entries.iter().any(|entry| entry.seconds > 0.0) {
        let times = ratios(&|entry| entry.step.as_ref()?.time_ratio());
        let measured = |entry: &Entry| {
            let times = entry.step.iter().flat_map(|step| &step.times);
            times.map(|time| format!("{}: {:.1} s to {:.1} s", time.study, time.old, time.new)).collect::<Vec<_>>().join("; ")
        };
        let measured: Vec<String> = entries.iter().map(measured).collect();
        rows += &changes("times", "of studies timed anew on one machine; they decide nothing", &times, &measured);
        rows += &seconds(entries);
    }
    format!("<tbody class=\"bars\">\n{rows}</tbody>\n")
}

fn row(name: &str, about: &str, cells: &str) -> String {
    format!("<tr><th scope=\"row\">{name}<small>{about}</small></th>{cells}</tr>\n")
}

fn bar(class: &str, x: f64, y: f64, width: f64, height: f64) -> String {
    format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")
}

fn cell(title: &str, bars: &str, told: &str) -> String {
    format!(
        "<td title=\"{}\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\">{bars}</svg><span>{}</span></td>",
        escaped(title),
        escaped(told)
    )
}

/// Five bars a commit, on a logarithmic scale.
fn rows_changed(entries: &[Entry]) -> String {
    let all = entries.iter().filter_map(|entry| entry.step.as_ref()).flat_map(|step| counts(&step.comparison.summary));
    let scale = |count: usize| libm::log1p(count as f64);
    let most = scale(all.max().unwrap_or(0)).max(1.0);
    let of_entry = |entry: &Entry| {
        let Some(step) = &entry.step else { return "<td></td>".into() };
        let counts = counts(&step.comparison.summary);
        let height = |count: usize| scale(count) / most * HEIGHT;
        let width = WIDTH / KINDS.len() as f64;
        let bars = counts.iter().zip(KINDS).enumerate().filter(|(_, (count, _))| **count > 0);
        let bars: String = bars
            .map(|(k, (count, kind))| bar(kind, k as f64 * width + 1.0, HEIGHT - height(*count), width - 2.0, height(*count)))
            .collect();
        let total: usize = counts.iter().sum();
        cell(&step.comparison.summary.rows(), &bars, &if total == 0 { "·".into() } else { compact(total) })
    };
    let cells: String = entries.iter().map(of_entry).collect();
    let kinds: String = KINDS.map(|kind| format!("<span><i class=\"{kind}\"></i>{kind}</span> ")).concat();
    row("rows changed", &format!("logarithmic: {}", kinds.trim_end()), &cells)
}

/// Bars up or down from a line: more or less than before.
fn changes(name: &str, about: &str, ratios: &[Option<f64>], titles: &[String]) -> String {
    let sizes = ratios.iter().flatten().map(|ratio| libm::log(*ratio).abs());
    let most = sizes.fold(0.0, f64::max).max(0.05);
    let middle = HEIGHT / 2.0;
    let of_entry = |(ratio, title): (&Option<f64>, &String)| {
        let line = bar("line", 0.0, middle - 0.5, WIDTH, 1.0);
        let Some(ratio) = ratio else { return cell(title, &line, "·") };
        let height = libm::log(*ratio) / most * (middle - 1.0);
        let (class, top) = if height > 0.0 { ("more", middle - height) } else { ("less", middle) };
        cell(title, &(line + &bar(class, 10.0, top, 20.0, height.abs())), &percent_in_brief(ratio - 1.0))
    };
    row(name, about, &ratios.iter().zip(titles).map(of_entry).collect::<String>())
}

fn seconds(entries: &[Entry]) -> String {
    let most = entries.iter().map(|entry| entry.seconds).fold(0.0, f64::max);
    let mut before = None;
    let of_entry = |entry: &Entry| {
        let height = entry.seconds / most * HEIGHT;
        let machines = entry.machines.iter().cloned().collect::<Vec<_>>().join("; ");
        let class = if before.as_ref().is_some_and(|before| *before != machines) { "elsewhere" } else { "seconds" };
        let title = format!("{:.1} s on {machines}", entry.seconds);
        before = Some(machines);
        cell(&title, &bar(class, 10.0, HEIGHT - height, 20.0, height), &compact(entry.seconds as usize))
    };
    let cells: String = entries.iter().map(of_entry).collect();
    row("all cases  [s]", "<i class=\"elsewhere\"></i>other machines than before", &cells)
}

/// A number in at most five characters.
fn compact(count: usize) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

fn percent_in_brief(change: f64) -> String {
    match 100.0 * change {
        large if large >= 1000.0 => format!("×{:.0}", change + 1.0),
        some if some.abs() >= 10.0 => format!("{some:+.0} %"),
        some if some.abs() >= 0.1 => format!("{some:+.1} %"),
        _ => percent(change),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([7, 9999, 10_000, 120_471, 2_500_000].map(compact), ["7", "9999", "10k", "120k", "2.5M"]);
        assert_eq!([0.5, -0.034, 99.0].map(percent_in_brief), ["+50 %", "-3.4 %", "×100"]);
    }
}
