//! The harness of numerical studies: it knows nothing of cloth.

pub mod chart;
pub mod files;
