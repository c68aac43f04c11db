use std::fmt;
use std::process::ExitCode;

use lab::files::FileError;
use lab::measure::run::RunError;
use lab::publish::PublishError;
use lab::results::ResultsError;

/// Why a command could not do what it was asked; each kind has its exit code.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage, bad input, or output that cannot be written: exit code 2. One line that names place and remedy.
    Usage(String),
    /// The study could not finish for a reason inside the program: exit code 1.
    Internal(String),
    /// Two results that must be equal are not: exit code 4.
    Determinism(String),
    /// Files that are not as their checksums say: exit code 4. One line that names all of them and the remedy.
    Damaged(String),
    /// A run that ended otherwise than it should, with its results written: exit code 5. One line with the remedy.
    Lost(String),
    /// Another program has failed and said why: its exit code.
    Told(u8),
    /// The reader of the output has gone away: exit code 0, without a word.
    ReaderGone,
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::ReaderGone => 0,
            Failure::Told(code) => *code,
            Failure::Internal(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Determinism(_) | Failure::Damaged(_) => 4,
            Failure::Lost(_) => 5,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Damaged(message) | Failure::Lost(message) => write!(f, "{message}"),
            Failure::Internal(message) => write!(f, "internal error: {message}"),
            Failure::Determinism(message) => write!(f, "determinism broken: {message}"),
            Failure::Told(_) | Failure::ReaderGone => Ok(()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::UnknownGroup { study, group, known } => {
                let meant = scene::did_you_mean(&group, known.split(", "));
                Failure::Usage(format!("the study {study} has no group `{group}`; it has {known}{meant}"))
            }
            RunError::NotRepeatable { .. } => Failure::Determinism(error.to_string()),
            RunError::Row(_) | RunError::Panicked { .. } | RunError::Unreported { .. } | RunError::Threads(_) => {
                Failure::Internal(error.to_string())
            }
            _ => Failure::Usage(error.to_string()),
        }
    }
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Failure {
        match error {
            // a table of another version of the study, or a damaged one: the message names it and the remedy
            PublishError::Judge { error: ResultsError::Unreadable { .. }, .. } => Failure::Usage(error.to_string()),
            PublishError::Chart { .. } | PublishError::Judge { .. } | PublishError::Panicked { .. } => {
                Failure::Internal(error.to_string())
            }
            _ => Failure::Usage(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_another_version_is_no_fault_of_the_program() {
        let judge = |error| Failure::from(PublishError::Judge { claim: "S-MASS", error }).to_string();
        let table =
            ResultsError::Unreadable { path: "results/textbook/swing.csv".into(), reason: "its columns are not set".into() };
        assert_eq!(judge(table), "the claim S-MASS: results/textbook/swing.csv: its columns are not set; measure it anew");
        assert!(judge(ResultsError::TooFew("none".into())).starts_with("internal error: "));
    }
}
