//! What follows from results: statistics, verdicts on claims, the report and its page.

pub mod article;
pub mod citation;
pub mod claims;
pub mod criterion;
pub mod frozen;
pub mod judged;
pub mod page;
pub mod published;
pub mod report;
pub mod ro_crate;
pub mod rule;
pub mod sample;
pub mod statistics;
mod terms;
mod verdict;
pub mod words;
