//! What charts and verdicts read from the tables: cheapest runs and their times.

use kit::prelude::*;

use super::chain::ChainRow;
use super::drape::DrapeRow;
use super::drape_run::Forces;
use super::search::Chosen;

/// Which run of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Which {
    /// The cheapest that holds the bound.
    Cheapest,
    /// The cheapest that is near the reference as well.
    Accurate,
}

/// A run of the drape, with the set that it belongs to.
pub type DrapeRun = Row<DrapeRow>;

/// The chosen runs of the drape with explicit elastic forces.
pub fn chosen(rows: &[DrapeRun], which: Which) -> impl Iterator<Item = &DrapeRun> {
    rows.iter().filter(move |row| row.row.elastic == Forces::Explicit && which.of(row.row.chosen))
}

/// The chosen runs of a way of the chain, at a distance from the reference \[m\] that counts as accurate.
pub fn chosen_chains<'a>(
    rows: &'a [Row<ChainRow>],
    way: &'a str,
    which: Which,
    accuracy: f64,
) -> impl Iterator<Item = &'a Row<ChainRow>> {
    let asked = rows.iter().filter(move |row| row.row.way == way && same(row.row.accuracy, accuracy));
    asked.filter(move |row| which.of(row.row.chosen))
}

impl Which {
    fn of(self, chosen: Chosen) -> bool {
        match self {
            Which::Cheapest => chosen.cheapest,
            Which::Accurate => chosen.cheapest_accurate,
        }
    }
}

/// Strains are equal where they were written equal.
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs()
}

/// The widest ratio of two times of one run; none where no run was timed twice.
pub fn widest_ratio(times: &HashMap<u64, Vec<f64>>) -> Option<f64> {
    let repeated = times.values().filter(|times| times.len() > 1);
    repeated.filter_map(|times| Some(quantile(times, 1.0)? / quantile(times, 0.0)?)).max_by(f64::total_cmp)
}

/// Times `a` over times `b`, round by round: the median with the interval of its order statistics. Of fewer rounds than that
/// takes, all ratios of any two, widened by the `widest` ratio of two times of one run; no interval where that is not known.
pub fn time_ratio(a: &[f64], b: &[f64], widest: Option<f64>) -> Option<Estimate> {
    let paired: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b).collect();
    let ratio = Estimate::median(&paired)?;
    if ratio.interval.is_some() {
        return Some(ratio);
    }
    let widened = |widest: f64| {
        let ends = |times: &[f64]| Some([quantile(times, 0.0)?, quantile(times, 1.0)?]);
        let ([a_low, a_high], [b_low, b_high]) = (ends(a)?, ends(b)?);
        Some(Interval { low: a_low / b_high / widest, high: a_high / b_low * widest })
    };
    Some(Estimate { interval: widest.and_then(widened), ..ratio })
}

/// The exponent of a power law through named points, with the range that it has where any one of them is left out: a fit that no
/// point alone decides. None through fewer than two points, and without a range through fewer than four.
pub fn exponent(points: &[[f64; 2]]) -> Option<Estimate> {
    let logs: Vec<[f64; 2]> = points.iter().filter(|p| p.iter().all(|q| *q > 0.0)).map(|p| p.map(libm::log)).collect();
    let value = line(&logs)?.slope;
    let without = |k: usize| {
        let others: Vec<[f64; 2]> = logs.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, p)| *p).collect();
        line(&others).map(|line| line.slope)
    };
    let slopes: Vec<f64> = (0..logs.len()).filter_map(without).collect();
    let interval =
        (logs.len() >= 4).then(|| Some(Interval { low: quantile(&slopes, 0.0)?, high: quantile(&slopes, 1.0)? })).flatten();
    Some(Estimate { value, interval, cases: logs.len() })
}

/// The ends of the interval of a number; anything without one.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.interval.map_or([f64::NEG_INFINITY, f64::INFINITY], |interval| [interval.low, interval.high])
}

/// A number with its interval, in words.
pub fn words(estimate: &Estimate) -> String {
    match estimate.interval {
        Some(Interval { low, high }) if low < high => {
            format!("{} ({} to {})", short(estimate.value), short(low), short(high))
        }
        _ => short(estimate.value),
    }
}

/// A strain in percent, also where it is far below one.
pub fn percent(strain: f64) -> String {
    format!("{} %", short(100.0 * strain))
}

/// A number in words, none where there is none.
pub fn word(value: Option<f64>, words: fn(f64) -> String) -> String {
    value.map_or_else(|| "none".into(), words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_times_pair_rounds_or_allow_for_scatter() {
        let (slow, fast) = ([2.0, 4.0, 2.2, 2.4, 2.0, 6.0], [1.0, 2.0, 1.0, 1.0, 1.0, 3.0]);
        let paired = time_ratio(&slow, &fast, None).unwrap();
        assert_eq!(paired.interval, Some(Interval { low: 2.0, high: 2.4 }));
        let once = |widest| time_ratio(&[3.0, 3.3], &[1.0], widest).unwrap().interval;
        assert_eq!(once(None), None);
        assert_eq!(once(Some(1.5)), Some(Interval { low: 2.0, high: 3.3 * 1.5 }));
        assert_eq!(time_ratio(&[], &[1.0], Some(1.0)), None);
        assert_eq!(widest_ratio(&HashMap::from([(1, vec![1.0]), (2, vec![2.0, 3.0])])), Some(1.5));
    }

    #[test]
    fn exponents_have_the_range_of_fits_with_a_point_left_out() {
        let cubes: Vec<[f64; 2]> = (1..6).map(|k| [f64::from(k), f64::from(k * k * k)]).collect();
        let found = exponent(&cubes).unwrap();
        assert!((found.value - 3.0).abs() < 1e-12 && found.interval.unwrap().low > 3.0 - 1e-12);
        let mut bent = cubes.clone();
        bent[4][1] *= 9.0;
        let interval = exponent(&bent).unwrap().interval.unwrap();
        assert!((interval.low - 3.0).abs() < 1e-12 && interval.high > 3.5, "{interval:?}");
        assert_eq!(exponent(&cubes[..3]).unwrap().interval, None);
        assert_eq!(exponent(&cubes[..1]), None);
    }
}
