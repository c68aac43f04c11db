//! What of a series in time is oscillation: its high-passed part.

/// What is taken for the slow part of a series, fitted in a centred window around each time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Trend {
    /// The mean over the window.
    Average,
    /// The value of the parabola of least squares \[Savitzky & Golay 1964\].
    Parabola,
}

/// Steps on either side of a window of `width` \[s\] with steps of `dt` \[s\]: at least two, since a parabola through three values
/// leaves nothing.
pub fn half_window(width: f64, dt: f64) -> usize {
    ((0.5 * width / dt).round() as usize).max(2)
}

/// The series minus its trend over `half` values on either side, where there is a whole window: `half` values fewer at each end.
pub fn high_passed(series: &[f64], half: usize, trend: Trend) -> Vec<f64> {
    let m = half as f64;
    let weight = |k: usize| {
        let j = k as f64 - m;
        match trend {
            Trend::Average => 1.0 / (2.0 * m + 1.0),
            // 3 (3 m² + 3 m - 1 - 5 j²) / ((2m - 1)(2m + 1)(2m + 3))
            Trend::Parabola => {
                3.0 * (3.0 * m * m + 3.0 * m - 1.0 - 5.0 * j * j) / ((2.0 * m - 1.0) * (2.0 * m + 1.0) * (2.0 * m + 3.0))
            }
        }
    };
    let weights: Vec<f64> = (0..=2 * half).map(weight).collect();
    let slow = |window: &[f64]| window.iter().zip(&weights).fold(0.0, |sum, (value, weight)| sum + weight * value);
    series.windows(2 * half + 1).map(|window| window[half] - slow(window)).collect()
}

/// Root of the mean square; none where there are no values or it is no number.
pub fn rms(values: &[f64]) -> Option<f64> {
    let square = values.iter().fold(0.0, |sum, value| sum + value * value) / values.len() as f64;
    lab::finite(square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(value: fn(f64) -> f64) -> Vec<f64> {
        (0..101).map(|k| value(f64::from(k) * 0.01)).collect()
    }

    fn largest(values: &[f64]) -> f64 {
        values.iter().fold(0.0, |most, value| value.abs().max(most))
    }

    #[test]
    fn slow_parts_leave_nothing() {
        for trend in [Trend::Average, Trend::Parabola] {
            let line = high_passed(&series(|t| 3.0 - 2.0 * t), 5, trend);
            assert_eq!(line.len(), 91);
            assert!(largest(&line) < 1e-13, "{trend:?}");
        }
        let parabola = series(|t| 1.0 + t - 4.0 * t * t);
        assert!(largest(&high_passed(&parabola, 5, Trend::Parabola)) < 1e-13);
        // by hand: the mean of j² over -5..=5 is 10, so the average is off by 4 * 10 * 0.01²
        assert!((largest(&high_passed(&parabola, 5, Trend::Average)) - 4e-3).abs() < 1e-13);
    }

    #[test]
    fn a_swing_that_fits_the_window_passes_whole() {
        // eleven values are one period: its mean over the window is zero
        let swing = series(|t| libm::sin(2.0 * std::f64::consts::PI * t / 0.11));
        let passed = high_passed(&swing, 5, Trend::Average);
        let middle = &swing[5..swing.len() - 5];
        assert!(passed.iter().zip(middle).all(|(a, b)| (a - b).abs() < 1e-12));
        let rms = rms(&passed[..88]).unwrap(); // eight periods
        assert!((rms - 0.5_f64.sqrt()).abs() < 1e-12, "{rms}");
    }

    #[test]
    fn windows_and_nothing() {
        assert_eq!([half_window(0.1, 0.01), half_window(0.1, 0.02), half_window(0.1, 1.0)], [5, 3, 2]);
        assert_eq!(rms(&[]), None);
        assert_eq!(rms(&high_passed(&[1.0, 2.0], 2, Trend::Average)), None);
        assert_eq!(rms(&[f64::MAX, 1.0]), None);
    }
}
