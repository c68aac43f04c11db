use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::measure::group::RowError;
use crate::results::ResultsError;

/// Why cases could not be measured.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A part file that is damaged in its middle.
    #[error("{} is damaged at line {line}; move it away, or measure everything anew with --fresh", path.display())]
    Damaged { path: PathBuf, line: usize },
    /// A part file of another version of the program.
    #[error(
        "{} is a journal of format {format}, and this program keeps format {known}; choose another --out, or measure everything anew \
         with --fresh",
        path.display()
    )]
    OtherFormat { path: PathBuf, format: u32, known: u32 },
    /// A part file that is gone or lacks cases, while the tables that were made from it are there.
    #[error(
        "{} holds {held} of the {cases} cases of the group {group} that stand in the tables beside it; measure the whole study, \
         without --only, with --fresh where its cases are to be forgotten",
        path.display()
    )]
    Incomplete { path: PathBuf, group: &'static str, held: usize, cases: usize },
    /// Results of another identity.
    #[error("{} holds results {difference}; choose another --out, or replace them all with --fresh, without --only", path.display())]
    Foreign { path: PathBuf, difference: String },
    /// A part file of another study.
    #[error("{} holds cases of the study {study}, this run is of {wanted}; choose another --out", path.display())]
    OtherStudy { path: PathBuf, study: String, wanted: String },
    /// A file that would be forgotten as a part file, and is none.
    #[error("{} is no journal of this program; move it away, or choose another --out", path.display())]
    NoJournal { path: PathBuf },
    /// Another process is at work in the folder.
    #[error("another run is writing into {}; wait for it, or choose another --out", path.display())]
    Busy { path: PathBuf },
    /// A plan of a shard that cannot be read.
    #[error("{} is no plan of a shard of this version; choose another folder, or measure the shard anew with --fresh", path.display())]
    NoShard { path: PathBuf },
    /// A folder of another shard, or of something else.
    #[error("{} holds {what}; choose another --out", path.display())]
    OtherShard { path: PathBuf, what: String },
    /// No such group.
    #[error("the study {study} has no group `{group}`; it has {known}")]
    UnknownGroup { study: String, group: String, known: String },
    /// A set that the group does not have.
    #[error("the group {group} has the sets 0 to {last}, not {set}")]
    UnknownSet { group: &'static str, set: u64, last: u64 },
    /// Published results that cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A row that cannot stand in a table.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Threads that cannot be started.
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A measurement that panicked.
    #[error("group {group}: the measurement of the sets {sets:?} panicked")]
    Panicked { group: &'static str, sets: Vec<u64> },
    /// A group that leaves out a set that it was to measure.
    #[error("group {group}, set {set}: its measurement came to no report")]
    Unreported { group: &'static str, set: u64 },
    /// A case whose rows are others when it is measured again.
    #[error("group {group}, set {set}: measured again, its rows are others")]
    NotRepeatable { group: &'static str, set: u64 },
}
