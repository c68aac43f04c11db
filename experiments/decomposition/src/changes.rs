//! Changes of the RV count by scene and by reading, for charts and in words.

use kit::prelude::*;

use super::assumptions::Scene;
use super::groups::{Readings, Runs};
use super::runs::{Counting, RunRow};

/// A relative change with its sign, in per cent.
pub fn signed(value: f64) -> String {
    format!("{:+.1} %", 100.0 * value)
}

/// A share in per cent, to two decimals.
pub fn two_digits(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Rows of the main group in a scene.
pub fn in_scene(results: &Results, scene: &Scene) -> Result<Vec<RunRow>, ResultsError> {
    let rows = results.without_sets::<Runs>()?.into_iter();
    Ok(rows.filter(|row| row.scene == scene.name).collect())
}

/// Rows of a scene under each reading in the order of the table.
pub fn by_reading(results: &Results, scene: &Scene) -> Result<Vec<Compared<RunRow>>, ResultsError> {
    let [mut main, mut readings] = [results.rows::<Runs>()?, results.rows::<Readings>()?];
    [&mut main, &mut readings].into_iter().for_each(|rows| rows.retain(|row| row.row.scene == scene.name));
    Ok(compared(main, readings, |row| &row.reading))
}

/// Relative changes of the RV count of the sets that finished.
pub fn changes(rows: &[RunRow], counting: Counting) -> Vec<f64> {
    let rows = rows.iter().filter(|row| row.is_finished());
    rows.filter_map(|row| Some(row.ratio(counting)? - 1.0)).collect()
}
