//! What charts and verdicts read from the tables: cheapest runs and their times.

use std::collections::HashMap;

use lab::results::{Results, ResultsError, Row};
use lab::statistics::median;

use super::chain::ChainRow;
use super::drape::DrapeRow;

/// Which run of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Which {
    /// The cheapest that holds the bound.
    Cheapest,
    /// The cheapest that is near the reference as well.
    Accurate,
}

/// A run of the drape, with the set that it belongs to.
pub type DrapeRun = Row<DrapeRow>;

/// All runs of the drape.
pub fn drape(results: &Results) -> Result<Vec<DrapeRun>, ResultsError> {
    results.rows("drape")
}

/// All runs of the chain.
pub fn chain(results: &Results) -> Result<Vec<Row<ChainRow>>, ResultsError> {
    results.rows("chain")
}

/// Times of each set of a group that was timed \[s\].
pub fn times(results: &Results, group: &str) -> Result<HashMap<u64, Vec<f64>>, ResultsError> {
    let mut times: HashMap<u64, Vec<f64>> = HashMap::new();
    for time in results.times(group)? {
        times.entry(time.set).or_default().push(time.seconds);
    }
    Ok(times)
}

/// Median time of each set of a group that was timed \[s\].
pub fn seconds(results: &Results, group: &str) -> Result<HashMap<u64, f64>, ResultsError> {
    Ok(medians(&times(results, group)?))
}

/// Median of the times of each set.
pub fn medians(times: &HashMap<u64, Vec<f64>>) -> HashMap<u64, f64> {
    times.iter().filter_map(|(set, times)| Some((*set, median(times)?))).collect()
}

/// How often each set of a group was timed.
pub fn repeats(results: &Results, group: &str) -> Result<HashMap<u64, usize>, ResultsError> {
    Ok(times(results, group)?.into_iter().map(|(set, times)| (set, times.len())).collect())
}

/// The chosen runs of the drape with explicit elastic forces.
pub fn chosen(rows: &[DrapeRun], which: Which) -> impl Iterator<Item = &DrapeRun> {
    rows.iter().filter(move |row| row.row.elastic == "explicit" && which.of(row.row.cheapest, row.row.cheapest_accurate))
}

/// The chosen runs of a way of the chain.
pub fn chosen_chains<'a>(rows: &'a [Row<ChainRow>], way: &'a str, which: Which) -> impl Iterator<Item = &'a Row<ChainRow>> {
    rows.iter().filter(move |row| row.row.way == way && which.of(row.row.cheapest, row.row.cheapest_accurate))
}

impl Which {
    fn of(self, cheapest: bool, accurate: bool) -> bool {
        match self {
            Which::Cheapest => cheapest,
            Which::Accurate => accurate,
        }
    }
}

/// Strains are equal where they were written equal.
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs()
}
