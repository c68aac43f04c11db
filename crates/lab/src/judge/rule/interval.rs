//! Intervals of statistics at any level, for answers that several numbers share.

use rand::RngExt;

use crate::judge::statistics::{Interval, quantile};
use crate::measure::streams::stream;

/// The chance that an interval misses what it is of, over both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss(f64);

impl Miss {
    /// That of an interval by itself: 5 %.
    pub const ONE: Miss = Miss(0.05);

    /// That of each of several, so that all of them miss with 5 % at most (Bonferroni).
    pub fn of_each(count: usize) -> Miss {
        Miss(Miss::ONE.0 / count.max(1) as f64)
    }

    /// The standard normal quantile to either side.
    pub fn normal(self) -> f64 {
        if self == Miss::ONE {
            return 1.959_963_984_540_054;
        }
        // P(|Z| > z) = erfc(z / sqrt 2) falls
        let (mut low, mut high) = (0.0, 40.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if libm::erfc(middle * core::f64::consts::FRAC_1_SQRT_2) > self.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

/// Distribution-free interval of a median: the k-th smallest and the k-th largest value, with the largest k for which a fair coin
/// shows fewer than k heads in as many throws with a chance of at most half the miss. None of too few values.
pub fn of_median(values: &[f64], miss: Miss) -> Option<Interval> {
    let (count, n) = (values.len(), values.len() as f64);
    let ln_factorial = |n: f64| libm::lgamma(n + 1.0);
    let mut tail = 0.0;
    let heads = (0..count).take_while(|&k| {
        let k = k as f64;
        tail += libm::exp(ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) - n * core::f64::consts::LN_2);
        tail <= 0.5 * miss.0
    });
    let k = heads.count().checked_sub(1)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(Interval { low: sorted[k], high: sorted[count - 1 - k] })
}

/// Score interval of a share (Wilson 1927); none without cases.
pub fn of_share(hits: usize, cases: usize, miss: Miss) -> Option<Interval> {
    if cases == 0 {
        return None;
    }
    let (n, p, z) = (cases as f64, hits as f64 / cases as f64, miss.normal());
    let centre = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // at the ends the score is the end itself, but for rounding
    let low = if hits == 0 { 0.0 } else { (centre - half) / scale };
    let high = if hits == cases { 1.0 } else { (centre + half) / scale };
    Some(Interval { low, high })
}

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// Percentile bootstrap over clusters by their places; `name` chooses the stream. None where the statistic has no value on a
/// twentieth of the resamples.
pub fn by_bootstrap(name: &str, clusters: usize, miss: Miss, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    let mut stream = stream("bootstrap", name, 0, 0);
    let mut sample = vec![0; clusters];
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        sample.fill_with(|| stream.random_range(0..clusters));
        values.extend(statistic(&sample).filter(|value| value.is_finite()));
    }
    if values.len() * 20 < RESAMPLES * 19 {
        return None;
    }
    Some(Interval { low: quantile(&values, 0.5 * miss.0)?, high: quantile(&values, 1.0 - 0.5 * miss.0)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::statistics::{bootstrap, mean, median_interval, share_interval};

    #[test]
    fn at_the_level_of_one_they_are_those_of_charts() {
        let values: Vec<f64> = (0..57).map(|k| libm::sin(f64::from(k))).collect();
        assert_eq!(of_median(&values, Miss::ONE), median_interval(&values));
        assert_eq!(of_share(9, 57, Miss::ONE), share_interval(9, 57));
        let of = |sample: &[usize]| mean(&sample.iter().map(|k| values[*k]).collect::<Vec<_>>());
        let places: Vec<usize> = (0..57).collect();
        let charts = bootstrap("test", &places, of).unwrap();
        let ours = by_bootstrap("test", 57, Miss::ONE, of).unwrap();
        assert!((charts.low - ours.low).abs() < 1e-12 && (charts.high - ours.high).abs() < 1e-12);
    }

    #[test]
    fn the_normal_quantile_is_that_of_tables() {
        assert!((Miss(0.05 + 1e-17).normal() - 1.959_964).abs() < 1e-6);
        assert!((Miss(0.01).normal() - 2.575_829).abs() < 1e-6, "{}", Miss(0.01).normal());
        assert!((Miss::of_each(50).normal() - 3.290_527).abs() < 1e-6, "one in a thousand");
    }

    #[test]
    fn several_numbers_widen_the_interval_of_each() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        // of 20 throws, three heads or fewer have a chance of .13 %, four or fewer of .59 %, five or fewer of 2.07 %
        let [one, two, five] = [1, 2, 5].map(|count| of_median(&values, Miss::of_each(count)).unwrap());
        assert_eq!([one.low, two.low, five.low], [6.0, 5.0, 4.0]);
        assert_eq!(
            [of_median(&values[..6], Miss::ONE).is_some(), of_median(&values[..6], Miss::of_each(2)).is_some()],
            [true, false]
        );
        let share = of_share(9, 10, Miss::of_each(5)).unwrap();
        let usual = of_share(9, 10, Miss::ONE).unwrap();
        assert!(share.low < usual.low && usual.high < share.high);
    }
}
