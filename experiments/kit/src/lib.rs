//! Measuring, judging and drawing that studies share. No study is known here.
#![allow(missing_docs)] // of studies alone: what a name says by itself is not said again

pub mod claimed;
pub mod costs;

mod failure;
pub mod judging;
pub mod method_colors;
pub mod pictures;
pub mod prelude;
pub mod published;
pub mod ranges;
pub mod recorded;
pub mod rules;
pub mod run_watch;
pub mod search;
pub mod sheets;
pub mod status;
pub mod stiffness;
pub mod table;
pub mod text_table;
pub mod topic;
pub mod units;
pub mod words;
pub mod workspace;

pub use failure::Failure;
