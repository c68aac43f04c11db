//! Quantiles, intervals and fits. Deterministic: resampling has its own stream.

use rand::RngExt;

use crate::measure::streams::stream;

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Arithmetic mean; none of an empty list.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The `p`-quantile, 0 <= p <= 1, by linear interpolation between the two nearest values in order; none of an empty list.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = p.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (place - place.floor()) * (above - below))
}

/// The median; none of an empty list.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Share of the values for which something holds; none of an empty list.
pub fn share<T>(values: &[T], holds: impl Fn(&T) -> bool) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().filter(|value| holds(value)).count() as f64 / values.len() as f64)
}

/// Chance that an interval misses the number that it is of, over both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss(f64);

impl Miss {
    /// Five per cent: an interval by itself.
    pub const ONE: Miss = Miss(0.05);

    /// A share of five per cent, so that all of several intervals miss with that at most (Bonferroni).
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

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// Interval of a statistic, by the percentile bootstrap over cases; `name` chooses the stream. None where the
/// statistic has no value on the cases themselves or on a twentieth of the resamples, and of a single case, which tells nothing of
/// others.
pub fn bootstrap<T: Copy>(name: &str, cases: &[T], miss: Miss, statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Interval> {
    statistic(cases)?;
    if cases.len() < 2 {
        return None;
    }
    let mut stream = stream("bootstrap", name, 0, 0);
    let mut sample = cases.to_vec();
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        sample.fill_with(|| cases[stream.random_range(0..cases.len())]);
        values.extend(statistic(&sample).filter(|value| value.is_finite()));
    }
    if values.len() * 20 < RESAMPLES * 19 {
        return None;
    }
    Some(Interval { low: quantile(&values, 0.5 * miss.0)?, high: quantile(&values, 1.0 - 0.5 * miss.0)? })
}

/// ln of the binomial coefficient.
fn ln_choose(n: f64, k: f64) -> f64 {
    libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0)
}

/// Distribution-free interval of a median: the k-th smallest and the k-th largest value, with the largest k for which a fair
/// coin shows fewer than k heads in as many throws as there are values with a chance of at most half the miss. None of too few values:
/// at 5 % of fewer than six.
pub fn median_interval(values: &[f64], miss: Miss) -> Option<Interval> {
    let count = values.len();
    let n = count as f64;
    let mut tail = 0.0;
    let heads = (0..count).take_while(|&k| {
        tail += libm::exp(ln_choose(n, k as f64) - n * core::f64::consts::LN_2);
        tail <= 0.5 * miss.0
    });
    let k = heads.count().checked_sub(1)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(Interval { low: sorted[k], high: sorted[count - 1 - k] })
}

/// Score interval of a share (Wilson 1927); none without cases.
pub fn share_interval(hits: usize, cases: usize, miss: Miss) -> Option<Interval> {
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

/// y = intercept + slope x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Value at zero.
    pub intercept: f64,
    /// Change per unit of x.
    pub slope: f64,
}

/// The line of least squares through points; none through fewer than two, or where all x agree.
pub fn line(points: &[[f64; 2]]) -> Option<Line> {
    let count = points.len() as f64;
    let [mx, my] = [0, 1].map(|q| points.iter().map(|point| point[q]).sum::<f64>() / count);
    let (mut xx, mut xy) = (0.0, 0.0);
    for [x, y] in points {
        xx += (x - mx) * (x - mx);
        xy += (x - mx) * (y - my);
    }
    (points.len() >= 2 && xx > 0.0).then(|| Line { slope: xy / xx, intercept: my - xy / xx * mx })
}

/// y = factor x^exponent, with the interval of its exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// Value at x = 1.
    pub factor: f64,
    pub exponent: f64,
    /// 95 % interval of the exponent, by bootstrap over points.
    pub interval: Option<Interval>,
}

impl PowerLaw {
    /// The law at x.
    pub fn at(&self, x: f64) -> f64 {
        self.factor * libm::pow(x, self.exponent)
    }
}

/// The power law of least squares in the logarithms; points that are not positive are left out.
pub fn power_law(name: &str, points: &[[f64; 2]]) -> Option<PowerLaw> {
    let positive = points.iter().filter(|point| point.iter().all(|q| *q > 0.0));
    let logs: Vec<[f64; 2]> = positive.map(|point| point.map(libm::log)).collect();
    let fit = line(&logs)?;
    let interval = bootstrap(name, &logs, Miss::ONE, |sample| Some(line(sample)?.slope));
    Some(PowerLaw { factor: libm::exp(fit.intercept), exponent: fit.slope, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_medians_and_shares_by_hand() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        // of 20 throws, five heads or fewer have a chance of 2.07 %, six or fewer of 5.8 %: tables give the 6th and the 15th value
        assert_eq!(median_interval(&values, Miss::ONE), Some(Interval { low: 6.0, high: 15.0 }));
        assert_eq!(median_interval(&values[..6], Miss::ONE), Some(Interval { low: 1.0, high: 6.0 }), "2 · 2⁻⁶ = 3.1 %");
        assert_eq!(median_interval(&values[..5], Miss::ONE), None, "2 · 2⁻⁵ = 6.3 %");
        assert_eq!(median_interval(&[], Miss::ONE), None);
        let share = share_interval(9, 10, Miss::ONE).unwrap(); // 0.596 to 0.982, as tables have it
        assert!((share.low - 0.5958).abs() < 1e-4 && (share.high - 0.9821).abs() < 1e-4, "{share:?}");
        assert_eq!(share_interval(0, 0, Miss::ONE), None);
        assert_eq!(share_interval(10, 10, Miss::ONE).map(|share| share.high), Some(1.0));
    }

    #[test]
    fn quantiles_by_hand() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 0.9), Some(3.7));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<[f64; 2]> = (1..30).map(|k| f64::from(k) * 3.0).map(|x| [x, 0.2 * libm::pow(x, 1.7)]).collect();
        let law = power_law("test", &points).unwrap();
        assert!((law.exponent - 1.7).abs() < 1e-12 && (law.factor - 0.2).abs() < 1e-12);
        let interval = law.interval.unwrap();
        assert!(interval.high - interval.low < 1e-10);
        assert!((law.at(9.0) / points[2][1] - 1.0).abs() < 1e-12);
        assert_eq!(line(&[[1.0, 2.0], [1.0, 3.0]]), None);
    }

    #[test]
    fn bootstrap_of_a_share_has_the_width_of_the_binomial() {
        let cases: Vec<bool> = (0..400).map(|k| k % 10 != 0).collect();
        let interval = bootstrap("test", &cases, Miss::ONE, |sample| share(sample, |hit| *hit)).unwrap();
        // 0.9 ± 1.96 sqrt(0.9 * 0.1 / 400) = 0.9 ± 0.029
        assert!((interval.low - 0.871).abs() < 0.006 && (interval.high - 0.929).abs() < 0.006, "{interval:?}");
        assert_eq!(bootstrap("test", &cases, Miss::ONE, |sample| share(sample, |hit| *hit)), Some(interval));
        assert_eq!(bootstrap("test", &[] as &[bool], Miss::ONE, |sample| share(sample, |hit| *hit)), None);
        assert_eq!(bootstrap("test", &[true], Miss::ONE, |sample| share(sample, |hit| *hit)), None);
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
        let [one, two, five] = [1, 2, 5].map(|count| median_interval(&values, Miss::of_each(count)).unwrap());
        assert_eq!([one.low, two.low, five.low], [6.0, 5.0, 4.0]);
        assert_eq!([1, 2].map(|count| median_interval(&values[..6], Miss::of_each(count)).is_some()), [true, false]);
        let [one, five] = [1, 5].map(|count| share_interval(9, 10, Miss::of_each(count)).unwrap());
        assert!(five.low < one.low && one.high < five.high);
    }
}
