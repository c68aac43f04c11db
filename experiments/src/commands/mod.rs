//! The commands of the driver, a file each.

pub mod article;
mod expected;
mod folder;
pub mod list;
pub mod options;
pub mod plot;
pub mod report;
pub mod repro;
pub mod run;
pub mod smoke;
pub mod validate;
pub mod verify;
pub mod view;
