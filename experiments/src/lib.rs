//! The studies of the papers and the commands of the driver.

pub mod cli;
mod commands;
pub mod export_system;
mod failure;
mod output;
mod profile;
pub mod ranges;
pub mod sheets;
pub mod simulate;
mod sources;
pub mod studies;
mod whole;
mod workspace;

pub use failure::Failure;
