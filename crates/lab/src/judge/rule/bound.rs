//! Bounds that a number is held against, as they are written: `< 1`, `0.25 to 0.35`, `± 25 %`.

use std::fmt;

use thiserror::Error;

use crate::judge::criterion::{Answer, Estimate};

/// A bound on a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// From one number to another, which may be infinite; whether the ends are left out.
    Between([f64; 2], bool),
    /// As far from what is published.
    Around(f64),
    /// As far from it, as a share of it.
    Share(f64),
    /// That many times as much or as little.
    Factor(f64),
    /// From one end of the published range to the other.
    Published,
}

/// One of the two answers to a claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    Direction,
    Size,
}

/// Ends of the bounds of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    pub direction: Option<[f64; 2]>,
    pub size: Option<[f64; 2]>,
}

impl Side {
    pub const ALL: [Side; 2] = [Side::Direction, Side::Size];

    /// It in a word.
    pub fn word(self) -> &'static str {
        match self {
            Side::Direction => "direction",
            Side::Size => "size",
        }
    }
}

impl Ends {
    /// Those of an answer.
    pub fn of(&self, side: Side) -> Option<[f64; 2]> {
        match side {
            Side::Direction => self.direction,
            Side::Size => self.size,
        }
    }
}

/// Text that is no bound.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "`{text}` is no bound: say `< 1`, `>= 0.5`, `= 0`, `0.25 to 0.35`, or against what is published `± 0.1`, `± 25 %`, `factor 1.5` or `published`"
)]
pub struct NoBound {
    text: String,
}

impl Bound {
    /// Reads a bound.
    ///
    /// # Errors
    /// Text that is none.
    pub fn read(text: &str) -> Result<Bound, NoBound> {
        let refused = || NoBound { text: text.into() };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(refused);
        let positive = |text: &str| number(text).and_then(|value| if value >= 0.0 { Ok(value) } else { Err(refused()) });
        let plain = text.trim();
        let after = |sign: &str| plain.strip_prefix(sign);
        let kind = if plain == "published" {
            Kind::Published
        } else if let Some(slack) = after("±") {
            match slack.trim().strip_suffix('%') {
                Some(percent) => Kind::Share(positive(percent)? / 100.0),
                None => Kind::Around(positive(slack)?),
            }
        } else if let Some(factor) = after("factor") {
            Kind::Factor(positive(factor).ok().filter(|factor| *factor >= 1.0).ok_or_else(refused)?)
        } else if let Some(high) = after("<=") {
            Kind::Between([f64::NEG_INFINITY, number(high)?], false)
        } else if let Some(low) = after(">=") {
            Kind::Between([number(low)?, f64::INFINITY], false)
        } else if let Some(high) = after("<") {
            Kind::Between([f64::NEG_INFINITY, number(high)?], true)
        } else if let Some(low) = after(">") {
            Kind::Between([number(low)?, f64::INFINITY], true)
        } else if let Some(value) = after("=") {
            Kind::Between([number(value)?; 2], false)
        } else {
            let (low, high) = plain.split_once(" to ").ok_or_else(refused)?;
            let ends = [number(low)?, number(high)?];
            if ends[0] > ends[1] {
                return Err(refused());
            }
            Kind::Between(ends, false)
        };
        Ok(Bound { text: plain.into(), kind })
    }

    /// True for a bound around a published number.
    pub fn needs_published(&self) -> bool {
        !matches!(self.kind, Kind::Between(..))
    }

    /// Its ends; none where it is against what is published and nothing is.
    pub fn ends(&self, published: Option<[f64; 2]>) -> Option<[f64; 2]> {
        let around = |low: fn(f64, f64) -> f64, high: fn(f64, f64) -> f64, by: f64| {
            let [least, most] = published?;
            let (a, b) = (low(least, by), high(most, by));
            Some([a.min(b), a.max(b)])
        };
        match self.kind {
            Kind::Between(ends, _) => Some(ends),
            Kind::Around(slack) => around(|value, by| value - by, |value, by| value + by, slack),
            // of a negative number the ends change places
            Kind::Share(share) => around(|value, by| (1.0 - by) * value, |value, by| (1.0 + by) * value, share),
            Kind::Factor(factor) => around(|value, by| value / by, |value, by| value * by, factor),
            Kind::Published => published,
        }
    }

    /// The answer of an estimate: met with all of its interval, missed with all, open else.
    pub fn answer(&self, found: &Estimate, published: Option<[f64; 2]>) -> Answer {
        let Some((interval, [low, high])) = found.interval.zip(self.ends(published)) else { return Answer::Open };
        let is_exact = interval.low == interval.high;
        if let (Kind::Between(_, true), true) = (self.kind, is_exact) {
            return Answer::from(low < found.value && found.value < high);
        }
        match () {
            () if interval.low >= low && interval.high <= high => Answer::Yes,
            () if interval.high < low || interval.low > high => Answer::No,
            () => Answer::Open,
        }
    }
}

/// As it was written.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::statistics::Interval;

    #[test]
    fn bounds_have_the_ends_that_they_say() {
        let ends = |text: &str, published: [f64; 2]| Bound::read(text).unwrap().ends(Some(published)).unwrap();
        let inf = f64::INFINITY;
        assert_eq!(ends("<= 0.01", [0.0; 2]), [-inf, 0.01]);
        assert_eq!(ends(">1", [0.0; 2]), [1.0, inf]);
        assert_eq!(ends("= 1", [0.0; 2]), [1.0, 1.0]);
        assert_eq!(ends("-0.05 to 0", [0.0; 2]), [-0.05, 0.0]);
        assert_eq!(ends("± 0.5", [2.0; 2]), [1.5, 2.5]);
        assert_eq!(ends("± 25 %", [2.0; 2]), [1.5, 2.5]);
        assert_eq!(ends("± 25 %", [-2.0; 2]), [-2.5, -1.5]);
        assert_eq!(ends("factor 2", [3.0; 2]), [1.5, 6.0]);
        assert_eq!(ends("published", [2.0, 3.0]), [2.0, 3.0]);
        assert_eq!(ends("± 0.5", [2.0, 3.0]), [1.5, 3.5]);
        assert_eq!(Bound::read("± 0.1").unwrap().ends(None), None);
        for text in ["about 3", "", "<", "3", "2 to 1", "± -1", "factor 0.5", "< nan", "± x %", "1 to"] {
            assert!(Bound::read(text).unwrap_err().to_string().contains("is no bound"), "{text}");
        }
    }

    #[test]
    fn an_interval_meets_a_bound_misses_it_or_leaves_it_open() {
        let answer = |text: &str, value: f64, ends: Option<[f64; 2]>| {
            let interval = ends.map(|[low, high]| Interval { low, high });
            Bound::read(text).unwrap().answer(&Estimate { value, interval, cases: 9 }, Some([1.0; 2]))
        };
        assert_eq!(answer("< 1", 0.5, Some([0.2, 0.9])), Answer::Yes);
        assert_eq!(answer("< 1", 0.5, Some([0.2, 1.1])), Answer::Open);
        assert_eq!(answer("< 1", 1.5, Some([1.2, 1.9])), Answer::No);
        assert_eq!(answer("< 1", 0.5, None), Answer::Open);
        assert_eq!([answer("< 1", 1.0, Some([1.0; 2])), answer("<= 1", 1.0, Some([1.0; 2]))], [Answer::No, Answer::Yes]);
        assert_eq!(answer("± 0.1", 1.05, Some([0.95, 1.1])), Answer::Yes);
        assert_eq!(answer("= 1", 0.9, Some([0.9; 2])), Answer::No);
    }
}
