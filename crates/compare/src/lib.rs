//! Results of two commits side by side.
//!
//! Rows depend on neither time nor machine, so they are compared exactly, as text. Times are compared where both sides ran on
//! one machine; what decides about them is two builds that take turns. The crate reads finished results and knows no cloth.
#![allow(missing_docs)] // what a name and its type say is not said again

mod builds;
mod charts;
pub mod cli;
mod comparison;
mod git;
mod mistake;
mod page;
mod ranks;
mod rows;
mod runs;
mod side;
mod study;
mod table;
mod times;
mod verdicts;
mod worktree;

pub use comparison::{Comparison, Named, Outcome, StudyDifference, compare};
pub use git::Repository;
pub use mistake::Mistake;
pub use ranks::{benjamini_hochberg, mann_whitney};
pub use rows::{ColumnDifference, TableDifference};
pub use side::{Side, Wanted};
pub use study::{StudyResults, Timing};
pub use table::{Field, Table};
pub use times::{BuiltTime, CommittedTime, Decision, Times};
pub use verdicts::{VerdictChange, Verdicts};
