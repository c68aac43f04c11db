//! Results of two commits side by side.
//!
//! Rows depend on neither time nor machine, so they are compared exactly, as text. Times are compared where both sides ran on
//! one machine; what decides about them is two builds that take turns. The crate reads finished results and knows no cloth.
#![allow(missing_docs)] // what a name and its type say is not said again

#[cfg(test)]
mod alarms;
mod bisect;
mod bisect_report;
mod builds;
mod change;
mod charts;
pub mod cli;
mod commits;
mod comparison;
mod contents;
mod control;
mod difference;
mod git;
mod history;
mod history_report;
mod mistake;
mod near;
mod outcome;
mod page;
mod pairs;
mod ranks;
mod report;
mod rows;
mod runs;
mod side;
mod step;
mod study;
mod summary;
mod table;
mod timeline;
mod times;
mod verdicts;
mod work;
mod worktree;

pub use bisect::{Bisection, Cause, Flip, Judgement};
pub use change::Change;
pub use commits::{Commit, Range};
pub use comparison::{Comparison, Named, compare};
pub use control::Control;
pub use difference::StudyDifference;
pub use git::Repository;
pub use history::{Entry, History};
pub use mistake::Mistake;
pub use outcome::Outcome;
pub use ranks::{benjamini_hochberg, mann_whitney};
pub use rows::{ColumnDifference, Point, TableDifference};
pub use runs::{Build, Measurement, take_turns};
pub use side::{Side, Wanted};
pub use step::{Step, WorkOfTable};
pub use study::{StudyResults, Timing};
pub use summary::Summary;
pub use table::{Field, Table};
pub use times::{BuiltTime, CommittedTime, Decision, Times, decide};
pub use verdicts::{VerdictChange, Verdicts};
pub use work::Work;
