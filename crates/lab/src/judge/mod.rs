//! What follows from results: statistics, verdicts on claims, the report and its page.

pub(crate) mod agreement;
pub mod claims;
pub mod criterion;
mod headline;
pub(crate) mod page;
mod pictures;
pub mod published;
pub mod report;
pub mod sample;
pub mod section;
pub mod statistics;
pub mod words;
