//! Criteria in three values: one rule for every claim.
//!
//! A number meets a criterion where the whole of its 95 % interval does, misses it where no part does, and leaves it open where the
//! interval straddles a bound, whatever the size of the sample. Slack stands in the criterion itself, as a range around what is
//! published; the rule adds none.

use std::fmt;

use crate::judge::statistics::{Interval, Miss, bootstrap, median, median_interval, share_interval};
use crate::judge::words::{percent_within, short_within};

/// Fewest cases that a bootstrap is made over: resamples of a handful show the handful.
pub const FEWEST: usize = 20;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its interval; none where the cases are too few to have one.
    pub interval: Option<Interval>,
    /// Cases that it rests on.
    pub cases: usize,
}

/// What a criterion comes to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answer {
    /// It is met.
    Yes,
    /// It is not.
    No,
    /// The measurement cannot tell.
    Open,
}

impl Estimate {
    /// A number without spread: an identity, a count, what one run that is asked for by name came to.
    pub fn exact(value: f64, cases: usize) -> Estimate {
        Estimate { value, interval: Some(Interval { low: value, high: value }), cases }
    }

    /// The median, with the interval of its order statistics; none of an empty list, and no interval of fewer than six values.
    pub fn median(values: &[f64]) -> Option<Estimate> {
        Some(Estimate { value: median(values)?, interval: median_interval(values, Miss::ONE), cases: values.len() })
    }

    /// The share of `hits` in `cases`, with its score interval; none without cases.
    pub fn share(hits: usize, cases: usize) -> Option<Estimate> {
        let interval = share_interval(hits, cases, Miss::ONE)?;
        Some(Estimate { value: hits as f64 / cases as f64, interval: Some(interval), cases })
    }

    /// Any statistic over independent cases, with its bootstrap interval, of at least [`FEWEST`] cases; `name` chooses the stream.
    pub fn of<T: Copy>(name: &str, cases: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Estimate> {
        let value = statistic(cases)?;
        let interval = if cases.len() < FEWEST { None } else { bootstrap(name, cases, Miss::ONE, statistic) };
        Some(Estimate { value, interval, cases: cases.len() })
    }

    /// A bar of error of a chart: its place, the value, and the ends of the interval, the value itself without one.
    pub fn bar(&self, place: f64) -> [f64; 4] {
        let Interval { low, high } = self.interval.unwrap_or(Interval { low: self.value, high: self.value });
        [place, self.value, low, high]
    }

    /// A share with its interval, in per cent.
    pub fn percent(&self) -> String {
        percent_within(self.value, self.interval)
    }
}

/// The number with its interval, to three significant digits.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short_within(self.value, self.interval))
    }
}

impl From<bool> for Answer {
    fn from(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

impl Answer {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Yes => "met",
            Answer::No => "missed",
            Answer::Open => "open",
        }
    }

    /// Both.
    pub fn and(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::No, _) | (_, Answer::No) => Answer::No,
            (Answer::Yes, Answer::Yes) => Answer::Yes,
            _ => Answer::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_cases_have_no_interval() {
        let few = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(Estimate::median(&few).unwrap().interval, None);
        let six = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(Estimate::median(&six).unwrap().interval, Some(Interval { low: 1.0, high: 6.0 }));
        let mean = |sample: &[f64]| crate::judge::statistics::mean(sample);
        assert_eq!(Estimate::of("few", &[1.0; FEWEST - 1], mean).unwrap().interval, None);
        assert_eq!(Estimate::of("enough", &[1.0; FEWEST], mean), Some(Estimate::exact(1.0, FEWEST)));
    }

    #[test]
    fn a_miss_decides_and_an_open_answer_leaves_it_open() {
        use Answer::{No, Open, Yes};
        assert_eq!([Yes.and(Yes), Yes.and(Open), No.and(Open)], [Yes, Open, No]);
    }
}
