//! What came of a claim, in a word.

use serde::{Deserialize, Serialize};

use crate::judge::terms::terms;

terms! {
    /// What came of a claim; best first.
    #[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        Reproduced = "reproduced": "the criterion is met",
        /// A formula that the paper prints with a slip holds as its errata correct it.
        ReproducedAsCorrected = "reproduced as corrected":
            "what is printed does not hold, and meets the criterion once a slip is corrected",
        DirectionOnly = "direction only": "the effect is there, with another size than published",
        NotReproduced = "not reproduced": "neither the criterion is met nor that of direction only, where there is one",
        Inconclusive = "inconclusive": "the measurement cannot tell: its own spread or error is too large",
        Underspecified = "underspecified": "the paper leaves too much open to be held to a number",
        Inconsistent = "inconsistent in the paper": "the paper contradicts itself, so that no measurement can meet all it says",
        HardwareBound = "hardware-bound": "the number depends on the machine of its time",
    }
}

impl Verdict {
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
}
