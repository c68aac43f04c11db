//! The verdicts on times.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{percent, short, short_within};
use lab::results::{Results, ResultsError};
use lab::statistics::{Interval, PowerLaw, bootstrap, median, power_law};

use super::linear::{KINDS, PartRow};
use super::scene::{LENGTH, LIMITED, RunRow, STEP};
use super::verdicts::{per_cent, rows, steps_where, word};

/// Seconds a step of a timed sheet, one a repeat.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The sheet.
    pub row: RunRow,
    /// Seconds a step.
    pub seconds: Vec<f64>,
}

impl Timed {
    /// The median over the repeats.
    pub fn median(&self) -> Option<f64> {
        median(&self.seconds)
    }
}

/// All timed sheets that came to their end.
pub fn timed(results: &Results) -> Result<Vec<Timed>, ResultsError> {
    let times = results.times("times")?;
    let of = |row: lab::results::Row<RunRow>| {
        let seconds = times.iter().filter(|time| time.set == row.set);
        let seconds = seconds.map(|time| time.seconds / f64::from(row.row.steps.max(1))).collect();
        Timed { row: row.row, seconds }
    };
    Ok(results.rows("times")?.into_iter().map(of).filter(|sheet| sheet.row.strain.is_some()).collect())
}

/// Whether a sheet was timed with few iterations.
pub fn is_few(row: &RunRow) -> bool {
    row.limit < 100
}

/// The sheet of `side` at `tolerance`, on all threads or one.
fn find<'a>(sheets: &'a [Timed], side: usize, tolerance: f64, few: bool, threads: &str) -> Option<&'a Timed> {
    sheets.iter().find(|sheet| {
        let row = &sheet.row;
        row.side == side && row.tolerance == tolerance && is_few(row) == few && row.threads == threads
    })
}

fn reading(name: impl Into<String>, measured: impl Into<String>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict: None }
}

/// Seconds a step in words, as times real time.
fn seconds(sheet: &Timed) -> String {
    let value = sheet.median().unwrap_or(f64::NAN);
    let limited = if sheet.row.status == LIMITED { ", some steps at the limit of iterations" } else { "" };
    format!("{} ms a step, {} times real time{limited}", short(1e3 * value), short(STEP / value))
}

/// Sheets, tolerances and most seconds a step that are published.
const PUBLISHED: [(usize, f64, f64); 4] = [(30, 1e-3, STEP), (30, 1e-2, STEP), (10, 1e-4, STEP / 6.0), (50, 1e-4, 6.0 * STEP)];

/// D-TIME.
pub fn time(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = timed(results)?;
    let judge = |threads: &str| {
        let (mut words, mut held, mut found) = (vec![], 0, 0);
        for (side, tolerance, most) in PUBLISHED {
            if let Some((sheet, value)) = find(&sheets, side, tolerance, false, threads).and_then(|s| Some((s, s.median()?))) {
                found += 1;
                held += usize::from(value < most);
                words.push(format!("{side} x {side} at {}: {}", per_cent(tolerance), seconds(sheet)));
            }
        }
        let verdict = match (found, held) {
            (found, _) if found < PUBLISHED.len() => Verdict::Inconclusive,
            (found, held) if found == held => Verdict::HardwareBound,
            _ => Verdict::NotReproduced,
        };
        (verdict, words.join("; "), found)
    };
    let (verdict, measured, cases) = judge("all");
    let (one, words, _) = judge("one");
    let mut readings = vec![Reading { name: "one thread".into(), measured: words, verdict: Some(one) }];
    let longer = steps_where(results, |row| super::verdicts::usual(row) && !is_few(row))?;
    for (side, tolerance, _) in PUBLISHED {
        let run = longer.iter().find(|row| row.side == side && row.tolerance == tolerance);
        let Some((run, sheet)) = run.zip(find(&sheets, side, tolerance, false, "all")) else { continue };
        let factor = run.iterations / sheet.row.iterations;
        if let Some(value) = sheet.median().map(|seconds| seconds * factor).filter(|value| value.is_finite()) {
            let words = format!("{} ms a step, {} times real time", short(1e3 * value), short(STEP / value));
            let name = format!("{side} x {side} at {}, with the iterations a step of {} steps", per_cent(tolerance), run.steps);
            readings.push(reading(name, words));
        }
    }
    let largest = sheets.iter().map(|sheet| sheet.row.side).max().unwrap_or(0);
    let all = sheets.iter().filter(|sheet| sheet.row.side == largest && sheet.row.threads == "all" && !is_few(&sheet.row));
    readings
        .extend(all.map(|sheet| reading(format!("{largest} x {largest} at {}", per_cent(sheet.row.tolerance)), seconds(sheet))));
    Ok(Finding {
        verdict,
        measured: if measured.is_empty() { "no sheet of the published sizes was timed".into() } else { measured },
        value: None,
        interval: None,
        cases,
        left_out: PUBLISHED.len() - cases,
        reason: "times of this machine, each run alone; the published ones are of four cores of 2008, and no counts are given by which to compare \
                 the work"
            .into(),
        readings,
    })
}

/// Ratios of times, one thread over all, repeat by repeat, for sheets of at least `side`.
pub fn gains(results: &Results) -> Result<Vec<(RunRow, Vec<f64>)>, ResultsError> {
    let sheets = timed(results)?;
    let pair = |pair: &[Timed]| {
        let [one, all] = pair else { return None };
        let same = one.row.threads == "one" && all.row.threads == "all" && one.row.side == all.row.side;
        same.then(|| (one.row.clone(), one.seconds.iter().zip(&all.seconds).map(|(one, all)| one / all).collect()))
    };
    Ok(sheets.chunks_exact(2).filter_map(pair).collect())
}

/// Particles a side from which on a sheet has enough to share.
const LARGE: usize = 30;

/// Whether an interval of times, or of exponents of them, is wider than the range that it is compared with: such an interval would
/// meet any number.
fn is_wider(interval: Interval, [low, high]: [f64; 2]) -> bool {
    interval.high - interval.low > high - low
}

fn overlaps(interval: Interval, [low, high]: [f64; 2]) -> bool {
    interval.low <= high && interval.high >= low
}

/// D-CORES: published gain of four cores plus or minus 0.2.
const PUBLISHED_GAIN: [f64; 2] = [1.7, 2.1];

/// The verdict on what threads gain, and why.
fn gained(interval: Option<Interval>) -> (Verdict, &'static str) {
    match interval {
        None => (Verdict::Inconclusive, "too few sheets for an interval"),
        Some(interval) if interval.high < 1.0 => {
            (Verdict::NotReproduced, "the interval lies below 1: threads cost more than they bring on this machine")
        }
        Some(interval) if overlaps(interval, PUBLISHED_GAIN) => {
            if is_wider(interval, PUBLISHED_GAIN) {
                (Verdict::Inconclusive, "the interval is wider than the range that it is compared with")
            } else {
                (Verdict::Reproduced, "the interval overlaps that of the paper")
            }
        }
        Some(interval) if interval.low > 1.0 => {
            (Verdict::DirectionOnly, "the interval lies above 1 and misses the published gain")
        }
        Some(_) => (Verdict::HardwareBound, "the interval reaches to both sides of 1: this machine does not tell"),
    }
}

/// D-CORES.
pub fn cores(results: &Results) -> Result<Finding, ResultsError> {
    let gains = gains(results)?;
    let of = |least: usize| -> Vec<f64> {
        let large = gains.iter().filter(|(row, _)| row.side >= least);
        large.filter_map(|(_, ratios)| median(ratios)).collect()
    };
    let large = of(LARGE);
    let value = median(&large).ok_or_else(|| ResultsError::TooFew("no large sheet was timed on one thread and on all".into()))?;
    let interval = bootstrap("D-CORES", &large, median);
    let (verdict, judged) = gained(interval);
    let mut sides: Vec<usize> = gains.iter().map(|(row, _)| row.side).collect();
    sides.dedup();
    let of_side = |side: usize| -> Vec<f64> {
        gains.iter().filter(|(row, _)| row.side == side).filter_map(|(_, ratios)| median(ratios)).collect()
    };
    let readings = sides.into_iter().map(|side| reading(format!("{side} x {side}"), word(median(&of_side(side)))));
    Ok(Finding {
        verdict,
        measured: format!("{} times as fast on all threads as on one", short(value)),
        value: Some(value),
        interval,
        cases: large.len(),
        left_out: 0,
        reason: format!(
            "{judged}; times of this machine with its own number of cores; published on four. Threads meet three times an iteration: after \
             the rows, after the columns and after the strains. Eight strips are one piece of work, so that few strips are shared unequally"
        ),
        readings: readings.collect(),
    })
}

/// D-FIVE.
pub fn five(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = timed(results)?;
    let runs = steps_where(results, |row| is_few(row) && row.method == super::scene::STRIPS.name())?;
    let tolerance = runs.first().map_or(1e-3, |row| row.tolerance);
    let of = |side: usize, length: f64| runs.iter().find(|row| row.side == side && row.length == length);
    let stable = |row: &RunRow| row.strain.is_some_and(|strain| strain <= 1.0);
    let plausible = |row: &RunRow| row.mean.is_some_and(|mean| mean <= 0.05);
    let fast =
        |side: usize, most: f64| find(&sheets, side, tolerance, true, "all").and_then(Timed::median).is_some_and(|s| s <= most);
    let words = |row: &RunRow| {
        format!(
            "{0} x {0}, {1} m: largest strain {2} of {3} steps; last state largest {4}, mean {5}",
            row.side,
            short(row.length),
            word(row.strain),
            row.steps,
            word(row.last),
            word(row.mean)
        )
    };
    let pair = of(30, LENGTH).zip(of(50, LENGTH));
    let verdict = match pair {
        None => Verdict::Inconclusive,
        Some((middle, large)) => {
            let is_fast = fast(30, STEP / 3.7) && fast(50, STEP);
            let both = |holds: &dyn Fn(&RunRow) -> bool| holds(middle) && holds(large);
            match (both(&stable), both(&plausible), is_fast) {
                (true, true, true) => Verdict::HardwareBound,
                (true, false, true) => Verdict::DirectionOnly,
                _ => Verdict::NotReproduced,
            }
        }
    };
    let mut readings: Vec<Reading> = runs
        .iter()
        .filter(|row| !row.is_sized(LENGTH, row.arc) || ![30, 50].contains(&row.side))
        .map(|row| reading("strains", words(row)))
        .collect();
    let few = sheets.iter().filter(|sheet| is_few(&sheet.row));
    readings
        .extend(few.map(|sheet| reading(format!("{0} x {0}, threads: {1}", sheet.row.side, sheet.row.threads), seconds(sheet))));
    let pair: Vec<&RunRow> = pair.into_iter().flat_map(|(a, b)| [a, b]).collect();
    let mut measured: Vec<String> = pair.iter().map(|row| words(row)).collect();
    measured.extend(
        [30, 50]
            .iter()
            .filter_map(|side| find(&sheets, *side, tolerance, true, "all"))
            .map(|sheet| format!("{0} x {0}: {1}", sheet.row.side, seconds(sheet))),
    );
    Ok(Finding {
        verdict,
        measured: if measured.is_empty() { "no sheet of the published sizes was run".into() } else { measured.join("; ") },
        value: None,
        interval: None,
        cases: pair.len(),
        left_out: 0,
        reason: "strains are exact, times those of this machine; a picture that looks plausible is ours to define".into(),
        readings,
    })
}

/// Median seconds of a projection of a part, by its kind.
pub fn part_times(results: &Results, kind: &str) -> Result<Vec<[f64; 2]>, ResultsError> {
    let times = results.times("linear")?;
    let of = |row: lab::results::Row<PartRow>| {
        let seconds: Vec<f64> = times.iter().filter(|time| time.set == row.set).map(|time| time.seconds).collect();
        Some([row.row.edges as f64, median(&seconds)? / row.row.projections as f64])
    };
    let rows = results.rows::<PartRow>("linear")?.into_iter().filter(|row| row.row.kind == kind);
    Ok(rows.filter_map(of).collect())
}

/// What is counted of a part.
pub type Counted = fn(&PartRow) -> u64;

/// Operations or numbers of parts, by their kind.
pub fn part_counts(results: &Results, kind: &str, count: Counted) -> Result<Vec<[f64; 2]>, ResultsError> {
    let parts = rows::<PartRow>(results, "linear")?.into_iter().filter(|row| row.kind == kind);
    Ok(parts.map(|row| [row.edges as f64, count(&row) as f64]).collect())
}

/// D-LINEAR: exponents of times that count as linear.
const LINEAR: [f64; 2] = [0.9, 1.1];

/// D-LINEAR.
pub fn linear(results: &Results) -> Result<Finding, ResultsError> {
    let (mut readings, mut counts_hold, mut times_hold, mut disturbed) = (vec![], true, true, false);
    let mut value = None;
    for kind in KINDS {
        let counts: [(&str, Counted); 2] = [("operations", |row| row.factor + row.solve), ("numbers", |row| row.entries)];
        for (name, count) in counts {
            let law = power_law(name, &part_counts(results, kind, count)?);
            counts_hold &= law.is_some_and(|law| (law.exponent - 1.0).abs() <= 0.05);
            readings.push(reading(format!("{kind}, {name}"), exponent(law)));
        }
        let law = power_law(kind, &part_times(results, kind)?);
        let interval = law.and_then(|law| law.interval);
        times_hold &= interval.is_some_and(|interval| overlaps(interval, LINEAR));
        disturbed |= interval.is_none_or(|interval| is_wider(interval, LINEAR));
        readings.push(reading(format!("{kind}, time"), exponent(law)));
        value = value.or(law);
    }
    let whole: Vec<[f64; 2]> = steps_where(results, |row| super::verdicts::usual(row) && !is_few(row))?
        .iter()
        .map(|row| [(2 * row.side * (row.side - 1)) as f64, row.operations / row.iterations])
        .filter(|point| point[1].is_finite())
        .collect();
    readings.push(reading("an iteration over a whole sheet, operations by its edges", exponent(power_law("sheets", &whole))));
    let verdict = match (counts_hold, times_hold) {
        (false, _) => Verdict::NotReproduced,
        _ if disturbed => Verdict::Inconclusive,
        (true, true) => Verdict::Reproduced,
        (true, false) => Verdict::DirectionOnly,
    };
    let law = value.ok_or_else(|| ResultsError::TooFew("fewer than two parts were timed".into()))?;
    Ok(Finding {
        verdict,
        measured: format!("time of a strip grows as n to the power {}", short(law.exponent)),
        value: Some(law.exponent),
        interval: law.interval,
        cases: part_times(results, KINDS[0])?.len(),
        left_out: 0,
        reason: format!("operations and numbers are exact; times of this machine. Tolerance of exponents {}", percent(0.05)),
        readings,
    })
}

/// An exponent in words.
fn exponent(law: Option<PowerLaw>) -> String {
    law.map_or_else(|| "-".into(), |law| format!("n to the power {}", short_within(law.exponent, law.interval)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_fail_to_gain_and_wide_intervals_decide_nothing() {
        let verdict = |low: f64, high: f64| gained(Some(Interval { low, high })).0;
        assert_eq!(verdict(0.714, 0.766), Verdict::NotReproduced);
        assert_eq!(verdict(0.9, 1.1), Verdict::HardwareBound);
        assert_eq!(verdict(1.1, 1.3), Verdict::DirectionOnly);
        assert_eq!(verdict(1.75, 2.0), Verdict::Reproduced);
        assert_eq!(verdict(1.5, 2.5), Verdict::Inconclusive);
        assert_eq!(gained(None).0, Verdict::Inconclusive);
    }
}
