//! The studies of the papers and the commands of the driver.
#![allow(missing_docs)] // a program: what a name says by itself is not said again

pub mod cli;
mod commands;
pub mod control;
pub mod costs;
pub mod course;
pub mod export_system;
mod failure;
pub mod fit;
pub mod init;
mod interrupts;
pub mod judging;
mod looks;
mod output;
mod overrides;
mod pictures;
pub mod prelude;
pub mod profile;
pub mod published;
pub mod race;
pub mod ranges;
pub mod recorded;
pub mod search;
pub mod sheets;
pub mod simulate;
mod sources;
pub mod stiffness;
pub mod studies;
pub mod survivors;
pub mod sweep;
pub mod text_table;
pub mod topic;
mod units;
mod whole;
mod words;
mod workspace;

pub use failure::Failure;
