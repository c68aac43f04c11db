//! Where results go, which files they are, and why they cannot be published.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::FileError;
use crate::measure::run_error::RunError;
use crate::results::ResultsError;
use crate::sums::{SUMS, SUMS_OF_TIMES};
use chart::ChartError;

/// Why results could not be published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Results that cannot be read back.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A file that is no result of the study, where one would be written.
    #[error("{} is there, and is not a result of the study {study}; move it away, or choose another --out", path.display())]
    Foreign { path: PathBuf, study: &'static str },
    /// A chart that cannot be drawn.
    #[error("the chart {name}: {error}")]
    Chart { name: &'static str, error: ChartError },
    /// A claim that cannot be judged.
    #[error("the claim {claim}: {error}")]
    Judge { claim: &'static str, error: ResultsError },
    /// A chart or a judge that panicked.
    #[error("{what} panicked")]
    Panicked { what: String },
    /// A file that is no report or table of verdicts, where one would be written.
    #[error("{} is there, and was not written by this program; move it away, or choose another folder", path.display())]
    ForeignReport { path: PathBuf },
    /// A group that the study does not have.
    #[error(transparent)]
    Group(#[from] RunError),
}

/// Where results go.
pub struct Places<'a> {
    /// Folder of tables, verdicts and checksums.
    pub results: &'a Path,
    /// Folder of charts.
    pub plots: &'a Path,
    /// The folder of charts as seen from that of results, ending in `/`.
    pub plots_from_results: &'a str,
}

/// The file of verdicts that depend on neither time nor machine.
pub const CLAIMS: &str = "claims.csv";

/// The file of verdicts that rest on times.
pub const CLAIMS_OF_TIMES: &str = "claims-of-times.csv";

/// The files of the numbers behind these verdicts.
pub const NUMBERS: &str = "claims-numbers.csv";
pub const NUMBERS_OF_TIMES: &str = "claims-numbers-of-times.csv";

/// Tables of verdicts with those of their numbers: of claims that depend on neither time nor machine, and of those that rest on
/// times.
pub const VERDICTS: [[&str; 2]; 2] = [[CLAIMS, NUMBERS], [CLAIMS_OF_TIMES, NUMBERS_OF_TIMES]];

/// The files of numbers.
pub(crate) const NUMBERS_OF_CLAIMS: [&str; 2] = [NUMBERS, NUMBERS_OF_TIMES];

/// The files beside the tables, all of which a folder of results has.
pub(crate) const BESIDE: [&str; 9] =
    [CLAIMS, CLAIMS_OF_TIMES, NUMBERS, NUMBERS_OF_TIMES, "datapackage.json", "timings.csv", "run.json", SUMS, SUMS_OF_TIMES];

/// Says that files are getting their names; while it is there, they are ours whatever they are.
pub const PUBLISHING: &str = ".publishing";
