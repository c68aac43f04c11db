//! The harness of numerical studies: sampling, running, resuming, records, statistics, charts, claims, report.
//!
//! A study is a list of groups; a group is a table of like rows, each a pure function of its inputs. The harness owns
//! the loop, the seeds, the threads, the files and the clock. It knows nothing of cloth.
#![allow(missing_docs)] // what a name and its type say is not said again

pub mod files;
mod foreign;
pub mod judge;
pub mod measure;
mod places;
pub mod prelude;
pub mod provenance;
pub mod publish;
pub mod results;
mod staged;
pub mod study;
pub mod sums;
pub mod tables;
pub mod terminal;

pub use measure::group::{Group, Once, RowError, Table, table};
pub use measure::parts::{damaged_journals, part_files};
pub use measure::progress::{Progress, unshown};
pub use measure::row::{Cell, Cells, Column, ColumnKind, Record, TableRow};

/// A number, or nothing where it is NaN or an infinity: what could not be measured is an empty cell.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
