//! Comparisons of commits, folders and builds.

mod builds;
mod committed;
mod history;
mod repository;
mod results;
