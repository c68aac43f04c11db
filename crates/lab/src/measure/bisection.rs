//! Search for the largest number for which something holds.

/// A bisection in the logarithm, as a state machine: ask for the [`next`](LogBisection::next) number, try it, and
/// [`tell`](LogBisection::tell) whether it holds. The ends of the bracket are never tried themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogBisection {
    low: f64,
    high: f64,
    ratio: f64,
    held: bool,
    failed: bool,
}

/// Where a bisection ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// It holds below and fails above this number, to the resolution.
    At(f64),
    /// It held wherever it was tried, up to the upper end of the bracket.
    HoldsThroughout,
    /// It failed wherever it was tried, down to the lower end.
    FailsThroughout,
}

impl LogBisection {
    /// Between `low` and `high`, 0 < low < high, until their ratio is at most `ratio` > 1.
    pub fn new(low: f64, high: f64, ratio: f64) -> LogBisection {
        LogBisection { low, high, ratio, held: false, failed: false }
    }

    /// The number to be tried next, or nothing when the bracket is narrow enough.
    pub fn next(&self) -> Option<f64> {
        (self.high > self.low * self.ratio).then(|| self.middle())
    }

    /// What came of the number that [`next`](LogBisection::next) gave.
    pub fn tell(&mut self, holds: bool) {
        let middle = self.middle();
        if holds {
            self.low = middle;
            self.held = true;
        } else {
            self.high = middle;
            self.failed = true;
        }
    }

    /// Where the search stands.
    pub fn found(&self) -> Found {
        match (self.held, self.failed) {
            (true, true) => Found::At(self.middle()),
            (_, false) => Found::HoldsThroughout,
            (false, true) => Found::FailsThroughout,
        }
    }

    /// The geometric mean of the bracket.
    fn middle(&self) -> f64 {
        (self.low * self.high).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(limit: f64) -> (Found, u32) {
        let mut bisection = LogBisection::new(1e-12, 1e2, 1.01);
        let mut tries = 0;
        while let Some(number) = bisection.next() {
            bisection.tell(number <= limit);
            tries += 1;
        }
        (bisection.found(), tries)
    }

    #[test]
    fn finds_a_limit_to_its_resolution() {
        for limit in [3.7e-9, 1e-5, 2.2] {
            let (found, tries) = search(limit);
            let Found::At(number) = found else { panic!("{found:?}") };
            assert!((number / limit - 1.0).abs() < 0.01, "{number} {limit}");
            assert_eq!(tries, 12); // 14 decades: 2^12 parts of a ratio of 1.0079
        }
    }

    #[test]
    fn ends_of_the_bracket_are_told_apart() {
        assert_eq!(search(1e3).0, Found::HoldsThroughout);
        assert_eq!(search(1e-13).0, Found::FailsThroughout);
    }
}
