//! What came of a claim, in a word.

use serde::{Deserialize, Serialize};

use crate::judge::terms::terms;

terms! {
    /// What came of a claim, by both of its answers; best first.
    #[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        Reproduced = "reproduced": "the effect is there, as large as published",
        /// A formula that the paper prints with a slip holds as its errata correct it.
        ReproducedAsCorrected = "reproduced as corrected":
            "what is printed does not hold, and does once a slip is corrected",
        DirectionMet = "direction met": "the effect is there, and no size of it is published",
        SizeOpen = "direction met, size open": "the effect is there, and the sample cannot tell whether it is as large as published",
        DirectionOnly = "direction only": "the effect is there, with another size than published",
        SizeMissed = "size missed, direction open": "the size is another than published, and the sample cannot tell whether the effect is there",
        NotReproduced = "not reproduced": "the effect is not there, or not as large as published where a size is all that is",
        #[serde(alias = "inconclusive")]
        Open = "open": "the measurement cannot tell: its own spread or error is too large",
        #[serde(alias = "underspecified")]
        SettingDecides = "open by a setting": "the answer depends on a setting that the paper does not print",
        Inconsistent = "inconsistent in the paper": "the paper contradicts itself, so that no measurement can meet all it says",
        #[serde(alias = "hardware-bound")]
        Described = "described": "a number of its time or without a bound: what is measured stands beside it, and nothing is decided",
    }
}

impl Verdict {
    /// A sign for it, which tells it from the others without colour.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Reproduced => "✓",
            Verdict::ReproducedAsCorrected => "c",
            Verdict::DirectionMet => "→",
            Verdict::SizeOpen => "↗",
            Verdict::DirectionOnly => "~",
            Verdict::SizeMissed => "≁",
            Verdict::NotReproduced => "✗",
            Verdict::Open => "?",
            Verdict::SettingDecides => "u",
            Verdict::Inconsistent => "≠",
            Verdict::Described => "d",
        }
    }

    /// Its word as a part of names: letters and dashes alone.
    pub fn slug(self) -> String {
        self.to_string().replace([' ', ','], "-")
    }

    /// True where the claim holds, as far as it says something.
    pub fn holds(self) -> bool {
        matches!(self, Verdict::Reproduced | Verdict::ReproducedAsCorrected | Verdict::DirectionMet)
    }
}
