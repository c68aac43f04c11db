//! What came of a claim, in a word.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What came of a claim.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The criterion is met.
    Reproduced,
    /// A formula that the paper prints with a slip holds as its errata correct it.
    ReproducedAsCorrected,
    /// The effect is there, with another size.
    DirectionOnly,
    /// The criterion is not met.
    NotReproduced,
    /// The measurement cannot tell.
    Inconclusive,
    /// The paper leaves too much open.
    Underspecified,
    /// The paper contradicts itself.
    Inconsistent,
    /// It depends on the machine of its time.
    HardwareBound,
}

impl Verdict {
    /// All, best first.
    pub const ALL: [Verdict; 8] = [
        Verdict::Reproduced,
        Verdict::ReproducedAsCorrected,
        Verdict::DirectionOnly,
        Verdict::NotReproduced,
        Verdict::Inconclusive,
        Verdict::Underspecified,
        Verdict::Inconsistent,
        Verdict::HardwareBound,
    ];

    /// Its word, and what it says of a claim, as a part of a sentence.
    fn words(self) -> [&'static str; 2] {
        match self {
            Verdict::Reproduced => ["reproduced", "the criterion is met"],
            Verdict::ReproducedAsCorrected => {
                ["reproduced as corrected", "what is printed does not hold, and meets the criterion once a slip is corrected"]
            }
            Verdict::DirectionOnly => ["direction only", "the effect is there, with another size than published"],
            Verdict::NotReproduced => {
                ["not reproduced", "neither the criterion is met nor that of direction only, where there is one"]
            }
            Verdict::Inconclusive => ["inconclusive", "the measurement cannot tell: its own spread or error is too large"],
            Verdict::Underspecified => ["underspecified", "the paper leaves too much open to be held to a number"],
            Verdict::Inconsistent => {
                ["inconsistent in the paper", "the paper contradicts itself, so that no measurement can meet all it says"]
            }
            Verdict::HardwareBound => ["hardware-bound", "the number depends on the machine of its time"],
        }
    }

    /// A sign for it, which tells it from the others without colour.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Reproduced => "✓",
            Verdict::ReproducedAsCorrected => "c",
            Verdict::DirectionOnly => "~",
            Verdict::NotReproduced => "✗",
            Verdict::Inconclusive => "?",
            Verdict::Underspecified => "u",
            Verdict::Inconsistent => "≠",
            Verdict::HardwareBound => "h",
        }
    }

    /// What it says of a claim, as a part of a sentence.
    pub fn meaning(self) -> &'static str {
        self.words()[1]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.words()[0])
    }
}
