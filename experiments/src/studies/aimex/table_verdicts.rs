//! The verdicts on table 4.1: how often each splitting occurs, and its ratios of CG iterations and of times. Criteria stand in
//! `claims/*.toml`; one that was changed after a run says so there.

use lab::claims::{Finding, Verdict};
use lab::report::{short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, binomial_range, bootstrap, mean, median};

use super::runs::RunRow;
use super::shares::ShareRow;
use super::times::{SCHEMES, TimeRow};
use super::verdicts::{by_reading, counterparts, reading, runs, too_few};
use crate::sheets::SPLITTINGS;

/// Published runs of each splitting of 500 \[Boxerman 2003, table 4.1\].
pub const PUBLISHED_COUNTS: [u32; 4] = [412, 18, 37, 33];

/// Published ratios of CG iterations, and of times.
pub const PUBLISHED_ITERATIONS: [f64; 4] = [1.00, 1.02, 0.96, 0.47];
pub const PUBLISHED_TIMES: [f64; 4] = [0.83, 0.71, 0.71, 0.47];

/// B-AIMEX-SHARE.
pub fn shares(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<ShareRow> = results.rows("shares")?.into_iter().map(|row| row.row).collect();
    let drawn: u32 = PUBLISHED_COUNTS.iter().sum();
    let at = |threshold: f64| -> Vec<f64> { rows.iter().filter(|row| row.threshold == threshold).map(|row| row.share).collect() };
    let verdict = |shares: &[f64]| {
        let holds = |k: usize| {
            let [low, high] = binomial_range(drawn, shares[k]);
            (low..=high).contains(&PUBLISHED_COUNTS[k])
        };
        match (0..shares.len()).filter(|&k| holds(k)).count() {
            4 => Verdict::Reproduced,
            _ if holds(0) => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        }
    };
    let describe = |shares: &[f64]| {
        let expected = shares.iter().map(|share| format!("{:.0}", share * f64::from(drawn)));
        expected.collect::<Vec<_>>().join(", ")
    };
    let shares = at(0.2);
    if shares.len() != SPLITTINGS.len() {
        return Err(too_few("no shares at the threshold of the thesis"));
    }
    let ranges = shares.iter().map(|share| binomial_range(drawn, *share)).map(|[low, high]| format!("{low} to {high}"));
    let mut readings = vec![];
    let mut thresholds: Vec<f64> = rows.iter().map(|row| row.threshold).collect();
    thresholds.dedup();
    for threshold in thresholds {
        let shares = at(threshold);
        readings.push(reading(
            format!("threshold {threshold}"),
            format!("{} of 500 expected", describe(&shares)),
            Some(verdict(&shares)),
        ));
    }
    if let Ok(sets) = runs(results) {
        let counts = SPLITTINGS.map(|splitting| sets.iter().filter(|row| row.splitting == splitting).count().to_string());
        readings.push(reading("the sets drawn here", format!("{} of {}", counts.join(", "), sets.len()), None));
    }
    Ok(Finding {
        verdict: verdict(&shares),
        measured: format!("{} of 500 expected", describe(&shares)),
        value: Some(shares[0]),
        interval: None,
        cases: drawn as usize,
        left_out: 0,
        reason: format!(
            "95 % of all draws of 500 have {} sets; both mixed splittings are equally likely, since both families draw from the same \
             lists, so 18 against 37 is not what the lists give",
            ranges.collect::<Vec<_>>().join(", ")
        ),
        readings,
    })
}

/// Ratio by splitting: its value, its interval, and how many it rests on.
type ByRatio = [Option<(f64, Option<Interval>, usize)>; 4];

/// Mean ratio of CG iterations of each splitting.
pub fn iteration_ratios(rows: &[RunRow]) -> ByRatio {
    SPLITTINGS.map(|splitting| {
        let of = rows.iter().filter(|row| row.splitting == splitting);
        let ratios: Vec<f64> = of.filter_map(RunRow::iteration_ratio).collect();
        Some((mean(&ratios)?, bootstrap(splitting, &ratios, mean), ratios.len()))
    })
}

fn describe_ratios(ratios: &ByRatio) -> String {
    let describe = |ratio: &Option<(f64, Option<Interval>, usize)>| {
        ratio.map_or_else(|| "none".into(), |(value, interval, _)| short_within(value, interval))
    };
    ratios.iter().map(describe).collect::<Vec<_>>().join("; ")
}

/// B-AIMEX-CG.
pub fn iterations(results: &Results) -> Result<Finding, ResultsError> {
    let rows = runs(results)?;
    let verdict = |ratios: &ByRatio| {
        let near = |k: usize| ratios[k].is_some_and(|(value, ..)| (value - PUBLISHED_ITERATIONS[k]).abs() <= 0.1);
        let fewer = ratios[3].is_some_and(|(value, ..)| value < 1.0);
        match ((0..3).all(near), near(3), fewer) {
            (true, true, _) => Verdict::Reproduced,
            (true, false, true) => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        }
    };
    let ratios = iteration_ratios(&rows);
    let cases = rows.iter().filter_map(RunRow::iteration_ratio).count();
    if ratios.iter().any(Option::is_none) {
        return Err(too_few("some splitting has no set that finished"));
    }
    let mut readings = vec![];
    let medians = SPLITTINGS.map(|splitting| {
        let ratios = rows.iter().filter(|row| row.splitting == splitting).filter_map(RunRow::iteration_ratio);
        median(&ratios.collect::<Vec<_>>()).map_or_else(|| "none".into(), short)
    });
    readings.push(reading("medians instead of means", medians.join("; "), None));
    let summed = SPLITTINGS.map(|splitting| {
        let of = || rows.iter().filter(|row| row.splitting == splitting && row.is_finished());
        let sum = |count: fn(&RunRow) -> u64| of().map(count).sum::<u64>() as f64;
        short(sum(|row| row.aimex_iterations) / sum(|row| row.implicit_iterations).max(1.0))
    });
    readings.push(reading("sums over all sets instead of means of ratios", summed.join("; "), None));
    for configuration in ["corners", "table", "sphere"] {
        let part: Vec<RunRow> = rows.iter().filter(|row| row.configuration == configuration).cloned().collect();
        let ratios = iteration_ratios(&part);
        readings.push(reading(format!("{configuration} only"), describe_ratios(&ratios), Some(verdict(&ratios))));
    }
    let first = iteration_ratios(&counterparts(results)?);
    readings.push(reading("the first sets, as in the main group", describe_ratios(&first), None));
    for (name, rows) in by_reading(results)? {
        readings.push(reading(format!("the first sets, {name}"), describe_ratios(&iteration_ratios(&rows)), None));
    }
    Ok(Finding {
        verdict: verdict(&ratios),
        measured: describe_ratios(&ratios),
        value: None,
        interval: None,
        cases,
        left_out: rows.len() - cases,
        reason: format!(
            "of implicit/implicit, implicit/explicit, explicit/implicit and explicit/explicit sets there are {}; how few iterations the \
             fully implicit scheme needs at small steps decides the last ratio",
            ratios.map(|ratio| ratio.map_or(0, |(.., count)| count).to_string()).join(", ")
        ),
        readings,
    })
}

/// Ratio of the median times of both schemes for every sheet, with its splitting.
pub fn time_ratios(results: &Results) -> Result<Vec<(String, f64)>, ResultsError> {
    let rows: Vec<Row<TimeRow>> = results.rows("times")?;
    let times = results.times("times")?;
    let seconds = |set: u64| median(&times.iter().filter(|time| time.set == set).map(|time| time.seconds).collect::<Vec<_>>());
    let pairs = rows.chunk_by(|a, b| a.set / SCHEMES.len() as u64 == b.set / SCHEMES.len() as u64);
    let ratio = |pair: &[Row<TimeRow>]| match pair {
        [aimex, implicit] if [aimex, implicit].iter().all(|row| row.row.status == "finished") => {
            Some((aimex.row.splitting.clone(), seconds(aimex.set)? / seconds(implicit.set)?))
        }
        _ => None,
    };
    Ok(pairs.filter_map(ratio).collect())
}

/// B-AIMEX-SPEED: how far from the published ratio of times counts as the same.
const NEAR: f64 = 0.1;

/// B-AIMEX-SPEED.
pub fn speed(results: &Results) -> Result<Finding, ResultsError> {
    let ratios = time_ratios(results)?;
    let by_splitting: ByRatio = SPLITTINGS.map(|splitting| {
        let of: Vec<f64> = ratios.iter().filter(|(of, _)| of == splitting).map(|(_, ratio)| *ratio).collect();
        Some((median(&of)?, bootstrap(splitting, &of, median), of.len()))
    });
    if by_splitting.iter().any(Option::is_none) {
        return Err(too_few("some splitting has no sheet that finished"));
    }
    let interval = |k: usize| by_splitting[k].and_then(|(_, interval, _)| interval);
    // an interval wider than the range that it is compared with would meet any number
    let is_disturbed = |k: usize| interval(k).is_none_or(|interval| interval.high - interval.low > 2.0 * NEAR);
    let near = |k: usize| {
        let published = PUBLISHED_TIMES[k];
        interval(k).is_some_and(|interval| interval.low <= published + NEAR && interval.high >= published - NEAR)
    };
    let faster = |k: usize| by_splitting[k].is_some_and(|(value, ..)| value < 1.0);
    let verdict = match ((0..4).all(near), (0..4).all(faster)) {
        _ if (0..4).any(is_disturbed) => Verdict::Inconclusive,
        (true, _) => Verdict::Reproduced,
        (false, true) => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let readings = SPLITTINGS.iter().zip(&by_splitting).zip(PUBLISHED_TIMES).enumerate();
    let readings = readings.filter_map(|(k, ((splitting, ratio), published))| {
        let (value, interval, count) = (*ratio)?;
        let measured = format!("{} over {count} sheets, published {published}", short_within(value, interval));
        let verdict = match near(k) {
            _ if is_disturbed(k) => Verdict::Inconclusive,
            true => Verdict::Reproduced,
            false => Verdict::NotReproduced,
        };
        Some(reading(*splitting, measured, Some(verdict)))
    });
    Ok(Finding {
        verdict,
        measured: describe_ratios(&by_splitting),
        value: None,
        interval: None,
        cases: ratios.len(),
        left_out: results.rows::<TimeRow>("times")?.len() / SCHEMES.len() - ratios.len(),
        reason: "times of this machine, both schemes in turn, matrices in block rows; what explicit springs save is their Jacobians and their blocks in every \
                 product"
            .into(),
        readings: readings.collect(),
    })
}
