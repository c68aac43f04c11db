//! What every topic of a study needs: `use lab::prelude::*;`.

pub use serde::{Deserialize, Serialize};

pub use crate::judge::claims::{Finding, Reading, Verdict};
pub use crate::judge::criterion::Estimate;
pub use crate::judge::words::{percent, percent_within, short, short_within};
pub use crate::measure::reseeded::{Reseeded, Seeds};
pub use crate::measure::streams::ChaCha8Rng;
pub use crate::results::{Results, ResultsError, Row};
pub use crate::{Group, Once, row};
