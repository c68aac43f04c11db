//! How cases are drawn, measured, timed and resumed.

pub mod bisection;
pub(crate) mod group;
pub mod identity;
pub(crate) mod parts;
pub(crate) mod progress;
pub mod reseeded;
pub(crate) mod row;
pub mod run;
pub(crate) mod run_error;
pub mod streams;
mod times;
