use std::path::{Path, PathBuf};

use lab::files::FileError;
use thiserror::Error;

/// Why nothing could be compared. Every message is one line that names the place and the remedy.
#[derive(Debug, Error)]
#[allow(missing_docs)] // messages say what their parts are
pub enum Mistake {
    /// Wrong options.
    #[error("{0}")]
    Usage(String),
    /// Neither a revision nor a folder.
    #[error("`{0}` is neither a revision of this repository nor a folder; `git log --oneline -- results` lists revisions")]
    Unknown(String),
    /// A revision is named where there is no repository, or git cannot be run.
    #[error("git cannot be asked in {}: {reason}; run compare inside a checkout, or name two folders", folder.display())]
    Git { folder: PathBuf, reason: String },
    /// A side without results.
    #[error(
        "{0} holds no results; `git log --oneline -- results` lists revisions that have some, `clothlab repro --full` makes them"
    )]
    NoResults(String),
    /// A range without what was asked for.
    #[error("no commit of {range} holds {what}; `git log --oneline -- results` lists revisions that have some")]
    NoneInRange { range: String, what: String },
    /// A claim that no commit judges.
    #[error("no commit of {range} judges the claim `{claim}`; {near}")]
    NoClaim { claim: String, range: String, near: String },
    /// A study that a side does not have.
    #[error("{place} holds no results of the study `{study}`; it has {known}")]
    NoStudy { place: String, study: String, known: String },
    /// Files written by a version of the program that this one cannot read.
    #[error("{place} is of another version of results: {reason}; measure it anew, or name other studies with --study")]
    Version { place: String, reason: String },
    /// A damaged, truncated or incomplete file.
    #[error("{place}: {reason}; restore it with git, or measure it anew")]
    Damaged { place: String, reason: String },
    /// Changes that a build of a commit would leave out.
    #[error(
        "the checkout {} has changes that are not committed ({first}), which a build of HEAD leaves out; commit or stash them, \
         or name the second revision",
        root.display()
    )]
    Dirty { root: PathBuf, first: String },
    /// A commit that does not build.
    #[error("{revision} does not build: {reason}; see `cargo build --release` there")]
    Build { revision: String, reason: String },
    /// A study that cannot be measured at a commit.
    #[error("{revision} cannot measure {study}: {reason}; check --study, --sets and --profile")]
    Run { revision: String, study: String, reason: String },
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Stopped from outside.
    #[error("interrupted; the temporary worktrees are removed")]
    Interrupted,
    /// Something that no input explains.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Mistake {
    pub(crate) fn reading(path: &Path, source: std::io::Error) -> Mistake {
        FileError::read(path, source).into()
    }

    /// The exit code: 2 for what the user can mend, 1 otherwise.
    pub fn exit_code(&self) -> u8 {
        match self {
            Mistake::Internal(_) | Mistake::Interrupted => 1,
            _ => 2,
        }
    }
}
