//! Cases that an answer would take: how many decide it nine times in ten, by the spread of those at hand.
//!
//! A number of n cases is taken as normal about the present one, and its interval as shrinking as 1/sqrt(n). Lost cases are as many a
//! case as now, and what they add to an interval does not shrink.

use super::bound::Side;
use super::outcome::{Judgement, NumberFound};
use crate::judge::criterion::Answer;
use crate::judge::statistics::Miss;

/// The chance with which an answer is wanted.
const POWER: f64 = 0.9;
/// Fewest cases that tell anything: a median of six has an interval.
const FEWEST: u64 = 6;
/// More cases than anybody measures.
const MOST: u64 = 1_000_000;

/// Cases that decide an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    Cases(u64),
    /// No number of cases decides it while as many are lost.
    Never,
}

/// An answer with the cases that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The view, the number and the stratum.
    pub name: String,
    /// Direction or size.
    pub side: &'static str,
    /// The answer at hand.
    pub answer: Answer,
    /// Cases at hand, and how many of them were lost.
    pub cases: usize,
    pub lost: usize,
    /// Cases if the truth is what was found.
    pub as_found: Wanted,
    /// Cases if the truth is what is published, where something is.
    pub as_published: Option<Wanted>,
}

impl Planned {
    pub fn is_open(&self) -> bool {
        self.answer == Answer::Open
    }

    /// The answer at hand in a word.
    pub fn word(&self) -> &'static str {
        self.answer.word()
    }
}

/// A number with its spread.
#[derive(Clone, Copy, Debug)]
struct Spread {
    value: f64,
    /// From the ends of its own interval to it.
    own: [f64; 2],
    /// From the ends of its interval with lost cases to those of its own.
    lost: [f64; 2],
    cases: f64,
}

/// Standard normal distribution.
fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z * core::f64::consts::FRAC_1_SQRT_2)
}

impl Spread {
    /// The spread of a number with an interval that tells something.
    fn of(number: &NumberFound) -> Option<Spread> {
        let (value, found) = (number.found.estimate.value, &number.found);
        let (own, whole) = (found.own?, found.estimate.interval?);
        let spread = Spread {
            value,
            own: [value - own.low, own.high - value],
            lost: [own.low - whole.low, whole.high - own.high],
            cases: (found.estimate.cases + found.lost) as f64,
        };
        let tells = spread.own.iter().all(|side| side.is_finite()) && spread.own.iter().sum::<f64>() > 0.0;
        tells.then_some(spread)
    }

    /// The same about another truth, on which its spread rests in proportion.
    fn about(self, truth: f64) -> Spread {
        let factor = truth / self.value;
        let scaled = |sides: [f64; 2]| {
            if factor < 0.0 { [-factor * sides[1], -factor * sides[0]] } else { sides.map(|side| factor * side) }
        };
        Spread { value: truth, own: scaled(self.own), lost: scaled(self.lost), ..self }
    }

    /// The chance that `cases` decide whether it lies between two ends, one of `shared` answers.
    fn power(&self, [low, high]: [f64; 2], shared: usize, cases: f64) -> f64 {
        let shrunk = (self.cases / cases).sqrt();
        let deviation = 0.5 * (self.own[0] + self.own[1]) / Miss::ONE.normal() * shrunk;
        let reach = |by: f64| [0, 1].map(|side| by * self.own[side] * shrunk + self.lost[side]);
        let [under, over] = reach(1.0);
        let between =
            |from: f64, to: f64| (below((to - self.value) / deviation) - below((from - self.value) / deviation)).max(0.0);
        let met = between(low + under, high - over);
        let [under, over] = reach(Miss::of_each(shared).normal() / Miss::ONE.normal());
        met + between(f64::NEG_INFINITY, low - over) + between(high + under, f64::INFINITY)
    }

    fn wanted(&self, ends: [f64; 2], shared: usize) -> Wanted {
        let decides = |cases: u64| self.power(ends, shared, cases as f64) >= POWER;
        let (mut low, mut high) = (FEWEST - 1, FEWEST);
        while !decides(high) {
            if high >= MOST {
                return Wanted::Never;
            }
            (low, high) = (high, 2 * high);
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if decides(middle) { high = middle } else { low = middle }
        }
        Wanted::Cases(high)
    }
}

/// The plan of each answer of a judgement that has an interval.
pub fn plan(judgement: &Judgement) -> Vec<Planned> {
    let mut planned = vec![];
    for view in &judgement.views {
        for side in Side::ALL {
            let answer_of = |number: &NumberFound| *{ number.answers }.of(side);
            let shared = view.numbers.iter().filter(|number| answer_of(number).is_some()).count();
            for number in &view.numbers {
                let of = answer_of(number).zip(number.ends.of(side)).zip(Spread::of(number));
                let Some(((answer, ends), spread)) = of else { continue };
                // a published range is met by what lies in its middle; nothing is in proportion to zero
                let truth = number.published.map(|[low, high]| 0.5 * (low + high)).filter(|_| side == Side::Size);
                let truth = truth.filter(|truth| (truth / spread.value).is_normal());
                let name = [view.name.as_str(), &number.called, &number.stratum];
                planned.push(Planned {
                    name: name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
                    side: side.word(),
                    answer,
                    cases: number.found.estimate.cases + number.found.lost,
                    lost: number.found.lost,
                    as_found: spread.wanted(ends, shared),
                    as_published: truth.map(|truth| spread.about(truth).wanted(ends, shared)),
                });
            }
        }
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundred cases of a standard deviation of 1, of which the interval is that of their mean.
    fn spread(value: f64, lost: f64) -> Spread {
        let own = Miss::ONE.normal() / 10.0;
        Spread { value, own: [own; 2], lost: [lost; 2], cases: 100.0 }
    }

    #[test]
    fn the_number_of_cases_is_that_of_the_textbook() {
        // (1.96 + 1.2816)² / 0.2² cases tell a mean of 0.2 standard deviations from zero with 90 %
        let [low, high] = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(spread(0.2, 0.0).wanted([0.0, high], 1), Wanted::Cases(263));
        assert_eq!(spread(-0.2, 0.0).wanted([low, 0.0], 1), Wanted::Cases(263));
        // a miss that is one of two asks 2.2414 in place of 1.96
        assert_eq!(spread(-0.2, 0.0).wanted([0.0, high], 1), Wanted::Cases(263));
        assert_eq!(spread(-0.2, 0.0).wanted([0.0, high], 2), Wanted::Cases(311));
        assert_eq!(spread(0.0, 0.0).wanted([0.0, high], 1), Wanted::Never, "on the bound itself");
    }

    #[test]
    fn what_lost_cases_add_does_not_shrink() {
        let ends = [0.0, f64::INFINITY];
        assert_eq!(spread(0.2, 0.1).wanted(ends, 1), Wanted::Cases(1051), "half of the way is left");
        assert_eq!(spread(0.2, 0.25).wanted(ends, 1), Wanted::Never);
    }

    #[test]
    fn another_truth_scales_the_spread() {
        let found = spread(0.5, 0.0);
        // deviation of 2 about 1, and a bound 0.2 away
        assert_eq!(found.about(1.0).wanted([0.8, f64::INFINITY], 1), Wanted::Cases(1051));
        assert_eq!(found.about(-1.0).wanted([f64::NEG_INFINITY, -0.8], 1), Wanted::Cases(1051));
    }
}
