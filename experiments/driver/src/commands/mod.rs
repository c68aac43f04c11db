//! The commands of the driver, a file each.

pub mod article;
pub mod audit;
pub mod claim;
pub mod compare;
pub mod completions;
mod expected;
pub mod figure;
mod folder;
pub mod freeze;
pub mod list;
pub mod merge;
pub mod options;
pub mod plan;
pub mod plot;
pub mod race;
pub mod report;
pub mod repro;
pub mod run;
mod shard;
pub mod smoke;
pub mod status;
pub mod submit;
pub mod validate;
pub mod verify;
pub mod view;
