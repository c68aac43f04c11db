//! Rules of claims as data: which cases of which tables, which number of each, which statistic of these, and which bounds it is held
//! against.

pub mod bound;
pub mod cases;
pub mod entry;
pub mod expression;
pub mod finding;
pub mod found;
pub mod frame;
pub mod function;
pub mod keys;
pub mod outcome;
pub mod plan;
pub mod prose;
pub mod scope;
pub mod tables;
pub mod verdict;

#[cfg(test)]
mod tests;
