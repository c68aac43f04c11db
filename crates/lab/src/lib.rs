//! The harness of numerical studies: sampling, running, resuming, records, statistics, charts, claims, report.
//!
//! A study is a list of groups; a group is a table of like rows, each a pure function of its inputs. The harness owns
//! the loop, the seeds, the threads, the files and the clock. It knows nothing of cloth.

mod agreement;
pub mod bisection;
pub mod chart;
pub mod claims;
pub mod criterion;
pub mod files;
mod foreign;
mod group;
mod headline;
pub mod identity;
mod page;
mod parts;
mod pictures;
mod progress;
pub mod provenance;
pub mod publish;
pub mod published;
pub mod report;
pub mod results;
pub mod run;
mod run_error;
pub mod sample;
pub mod statistics;
pub mod streams;
pub mod study;
pub mod terminal;
mod times;

pub use group::{Column, ColumnKind, Group, RowError, Table, table};
pub use parts::{damaged_journals, part_files};
pub use progress::Progress;

/// A number, or nothing where it is NaN or an infinity: what could not be measured is an empty cell.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
