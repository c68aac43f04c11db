//! Criteria in three values: one rule for every claim.
//!
//! A number meets a criterion where the whole of its 95 % interval does, misses it where no part does, and leaves it open where the
//! interval straddles a bound, whatever the size of the sample. Slack stands in the criterion itself, as a range around what is
//! published; the rule adds none.

use std::fmt;

use crate::judge::statistics::{Interval, bootstrap, median, median_interval, share_interval};
use crate::judge::verdict::Verdict;
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
        Some(Estimate { value: median(values)?, interval: median_interval(values), cases: values.len() })
    }

    /// The share of `hits` in `cases`, with its score interval; none without cases.
    pub fn share(hits: usize, cases: usize) -> Option<Estimate> {
        let interval = share_interval(hits, cases)?;
        Some(Estimate { value: hits as f64 / cases as f64, interval: Some(interval), cases })
    }

    /// Any statistic over independent cases, with its bootstrap interval, of at least [`FEWEST`] cases; `name` chooses the stream.
    pub fn of<T: Copy>(name: &str, cases: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<Estimate> {
        let value = statistic(cases)?;
        let interval = if cases.len() < FEWEST { None } else { bootstrap(name, cases, statistic) };
        Some(Estimate { value, interval, cases: cases.len() })
    }

    /// A share with its interval, in per cent.
    pub fn percent(&self) -> String {
        percent_within(self.value, self.interval)
    }

    /// Whether it lies in the range from `low` to `high`.
    pub fn lies_within(&self, low: f64, high: f64) -> Answer {
        self.lies_above(low).and(self.lies_below(high))
    }

    /// Whether it lies above a bound, or on it.
    pub fn lies_above(&self, bound: f64) -> Answer {
        self.interval.map_or(Answer::Open, |interval| answer(interval.low >= bound, interval.high < bound))
    }

    /// Whether it lies below a bound, or on it.
    pub fn lies_below(&self, bound: f64) -> Answer {
        self.interval.map_or(Answer::Open, |interval| answer(interval.high <= bound, interval.low > bound))
    }
}

/// The number with its interval, to three significant digits.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short_within(self.value, self.interval))
    }
}

fn answer(yes: bool, no: bool) -> Answer {
    match (yes, no) {
        (true, _) => Answer::Yes,
        (_, true) => Answer::No,
        _ => Answer::Open,
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

    /// All of them; yes of none.
    pub fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
        answers.into_iter().fold(Answer::Yes, Answer::and)
    }
}

/// The verdict on a claim of which the criterion, and that of its direction, came to these answers.
pub fn verdict(holds: Answer, direction: Answer) -> Verdict {
    match (holds, direction) {
        (Answer::Yes, _) => Verdict::Reproduced,
        (Answer::No, Answer::Yes) => Verdict::DirectionOnly,
        (Answer::No, Answer::No) => Verdict::NotReproduced,
        (Answer::Open, _) | (Answer::No, Answer::Open) => Verdict::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: f64, high: f64) -> Estimate {
        Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 30 }
    }

    #[test]
    fn an_interval_that_straddles_a_bound_tells_nothing() {
        assert_eq!(between(0.26, 0.34).lies_within(0.25, 0.35), Answer::Yes);
        assert_eq!(between(0.36, 0.40).lies_within(0.25, 0.35), Answer::No);
        assert_eq!(between(0.30, 0.40).lies_within(0.25, 0.35), Answer::Open);
        assert_eq!(between(0.10, 0.90).lies_within(0.25, 0.35), Answer::Open, "wider than the range");
        assert_eq!(between(1.0, 1.2).lies_above(1.0), Answer::Yes);
        assert_eq!(between(0.8, 0.9).lies_above(1.0), Answer::No);
        assert_eq!(between(0.9, 1.1).lies_below(1.0), Answer::Open);
    }

    #[test]
    fn few_cases_have_no_interval_and_decide_nothing() {
        let few = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(Estimate::median(&few).unwrap().lies_within(0.0, 10.0), Answer::Open);
        let six = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(Estimate::median(&six).unwrap().lies_within(1.0, 6.0), Answer::Yes);
        let mean = |sample: &[f64]| crate::judge::statistics::mean(sample);
        assert_eq!(Estimate::of("few", &[1.0; FEWEST - 1], mean).unwrap().interval, None);
        assert_eq!(Estimate::of("enough", &[1.0; FEWEST], mean), Some(Estimate::exact(1.0, FEWEST)));
    }

    #[test]
    fn verdicts_of_open_answers_are_open() {
        use Answer::{No, Open, Yes};
        assert_eq!(verdict(Yes, No), Verdict::Reproduced);
        assert_eq!(verdict(No, Yes), Verdict::DirectionOnly);
        assert_eq!(verdict(No, No), Verdict::NotReproduced);
        assert_eq!(verdict(Open, Yes), Verdict::Open);
        assert_eq!(verdict(No, Open), Verdict::Open);
        assert_eq!((Yes.and(Open), No.and(Open)), (Open, No));
        assert_eq!((Answer::all([Yes, Open, No]), Answer::all([])), (No, Yes));
    }
}
