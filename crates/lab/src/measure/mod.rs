//! How cases are drawn, measured, timed and resumed.

pub mod audit;
pub mod bisection;
pub(crate) mod group;
pub mod identity;
pub mod merge;
pub(crate) mod parts;
pub(crate) mod progress;
pub mod published_rows;
pub mod reseeded;
pub(crate) mod row;
pub mod run;
pub(crate) mod run_error;
pub mod schedule;
pub mod shard;
pub mod share;
pub mod streams;
mod times;
pub mod work;
