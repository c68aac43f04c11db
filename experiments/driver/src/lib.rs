//! The commands of clothlab, for any list of studies.
#![allow(missing_docs)] // of programs alone: what a name says by itself is not said again

mod children;
pub mod cli;
pub mod commands;
mod control;
mod export_system;
mod fit;
mod frozen;
mod init;
mod interrupts;
pub mod output;
mod overrides;
pub mod profile;
pub mod program;
pub mod report_files;
mod simulate;
pub mod sources;
mod sweep;
mod whole;
pub mod workspace;
