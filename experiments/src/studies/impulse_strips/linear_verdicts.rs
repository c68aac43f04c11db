//! The verdict on the cost of one part.

use lab::judge::statistics::{PowerLaw, median, power_law};
use lab::prelude::*;

use super::linear::{KINDS, Linear, PartRow};
use super::scene::RunRow;
use super::time_verdicts::{is_few, reading};
use super::verdicts::{steps_where, usual, word};

/// Median seconds of a projection of a part, by its kind.
pub fn part_times(results: &Results, kind: &str) -> Result<Vec<[f64; 2]>, ResultsError> {
    let seconds = part_seconds(results, kind)?;
    Ok(seconds.iter().filter_map(|(edges, seconds)| Some([*edges, median(seconds)?])).collect())
}

/// Seconds of a projection of a part, one a repeat, by its kind: edges and times.
fn part_seconds(results: &Results, kind: &str) -> Result<Vec<(f64, Vec<f64>)>, ResultsError> {
    let times = results.times("linear")?;
    let of = |row: Row<PartRow>| {
        let seconds = times.iter().filter(|time| time.set == row.set);
        (row.row.edges as f64, seconds.map(|time| time.seconds / row.row.projections as f64).collect())
    };
    let rows = results.rows::<Linear>()?.into_iter().filter(|row| row.row.kind == kind);
    Ok(rows.map(of).collect())
}

/// What is counted of a part.
pub type Counted = fn(&PartRow) -> u64;

/// Operations or numbers of parts, by their kind.
pub fn part_counts(results: &Results, kind: &str, count: Counted) -> Result<Vec<[f64; 2]>, ResultsError> {
    let parts = results.without_sets::<Linear>()?.into_iter().filter(|row| row.kind == kind);
    Ok(parts.map(|row| [row.edges as f64, count(&row) as f64]).collect())
}

/// Fewest edges of the parts whose times are fitted: what a call costs whatever the part weighs on shorter ones.
const LONG: f64 = 100.0;

/// The exponents of times, a power law a repeat, over parts of at least `least` edges.
fn exponents(parts: &[(f64, Vec<f64>)], least: f64) -> Vec<f64> {
    let long: Vec<&(f64, Vec<f64>)> = parts.iter().filter(|(edges, _)| *edges >= least).collect();
    let repeats = long.iter().map(|(_, seconds)| seconds.len()).min().unwrap_or(0);
    let law = |k: usize| power_law("repeat", &long.iter().map(|(edges, seconds)| [*edges, seconds[k]]).collect::<Vec<_>>());
    (0..repeats).filter_map(law).map(|law| law.exponent).collect()
}

/// D-LINEAR.
pub fn linear(results: &Results) -> Result<Finding, ResultsError> {
    let (mut readings, mut counts_hold, mut times_hold) = (vec![], Answer::Yes, Answer::Yes);
    let mut first = None;
    for kind in KINDS {
        let counts: [(&str, Counted); 2] = [("operations", |row| row.factor + row.solve), ("numbers", |row| row.entries)];
        for (name, count) in counts {
            let points = part_counts(results, kind, count)?;
            let law = power_law(name, &points);
            counts_hold = counts_hold
                .and(law.map_or(Answer::Open, |law| Estimate::exact(law.exponent, points.len()).lies_within(0.95, 1.05)));
            readings.push(reading(format!("{kind}, {name}"), exponent(law.map(|law| law.exponent))));
        }
        let parts = part_seconds(results, kind)?;
        let time = Estimate::median(&exponents(&parts, LONG));
        let holds = time.map_or(Answer::Open, |time| time.lies_within(0.9, 1.1));
        times_hold = times_hold.and(holds);
        let words = time.map_or_else(|| "-".into(), |time| format!("n to the power {}", short_within(time.value, time.interval)));
        readings.push(Reading::new(format!("{kind}, time"), words, verdict(holds, Answer::No)));
        let all = Estimate::median(&exponents(&parts, 0.0));
        let holds = all.map_or(Answer::Open, |time| time.lies_within(0.9, 1.1));
        let words = all.map_or_else(|| "-".into(), |time| format!("n to the power {}", short_within(time.value, time.interval)));
        readings.push(Reading::new(format!("{kind}, time, short parts too"), words, verdict(holds, Answer::No)));
        first = first.or(time);
    }
    let full = |row: &RunRow| usual(row) && !is_few(row) && row.is_within();
    let whole: Vec<[f64; 2]> = steps_where(results, full)?
        .iter()
        .map(|row| [(2 * row.side * (row.side - 1)) as f64, row.operations / row.iterations])
        .filter(|point| point[1].is_finite())
        .collect();
    let whole = power_law("sheets", &whole).map(|law: PowerLaw| law.exponent);
    readings.push(reading("an iteration over a whole sheet, operations by its edges", exponent(whole)));
    let time = first.ok_or_else(|| ResultsError::TooFew("fewer than two parts were timed".into()))?;
    Ok(Finding::new(
        verdict(counts_hold.and(times_hold), counts_hold),
        format!("time of a strip grows as n to the power {}", word(Some(time.value))),
        "operations and numbers are exact; times are of this machine, an exponent a repeat, with the interval of their order \
                 statistics. A solver whose operations grow faster than n would overturn it",
    )
    .rests_on(&time)
    .form(Form::Number)
    .readings(readings))
}

/// An exponent in words.
fn exponent(exponent: Option<f64>) -> String {
    exponent.map_or_else(|| "-".into(), |exponent| format!("n to the power {}", word(Some(exponent))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_parts_do_not_bend_the_exponent_of_long_ones() {
        let time = |edges: f64| (edges, vec![1e-6 + 1e-8 * edges, 2e-6 + 1e-8 * edges]);
        let parts: Vec<(f64, Vec<f64>)> = [10.0, 30.0, 1000.0, 10_000.0, 100_000.0].map(time).into();
        let (long, all) = (exponents(&parts, 1000.0), exponents(&parts, 0.0));
        assert!(long.len() == 2 && long.iter().all(|e| (e - 1.0).abs() < 0.05), "{long:?}");
        assert!(all.iter().all(|e| *e < 0.9), "{all:?}");
    }
}
