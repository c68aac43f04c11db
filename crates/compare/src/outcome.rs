//! The outcome of a comparison.

use serde::Serialize;

/// What follows from a comparison.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing differs.
    Same,
    /// Something was added, holds better, takes less time, differs in rounding or is a smaller sample; nothing else changed.
    NoRegression,
    /// Rows really changed or are gone, a verdict got worse, or a group takes more time.
    Regression,
    /// Rows differ although the code and the ranges are the same.
    DeterminismBroken,
}

impl Outcome {
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Same | Outcome::NoRegression => 0,
            Outcome::Regression => 3,
            Outcome::DeterminismBroken => 4,
        }
    }

    /// In words.
    pub fn told(self) -> &'static str {
        match self {
            Outcome::Same => "the same: every row and every verdict",
            Outcome::NoRegression => "no regression",
            Outcome::Regression => "a regression, or a change that only a person can judge",
            Outcome::DeterminismBroken => "determinism broken: the same code on the same ranges gave other rows",
        }
    }
}
