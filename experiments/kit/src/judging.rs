//! What judges and charts of several studies do with the rows of a table.

use std::cmp::Ordering;
use std::collections::HashMap;

use lab::judge::statistics::{median, quantile};
use lab::prelude::*;

/// What to say where too little was measured.
pub fn too_few(what: impl Into<String>) -> ResultsError {
    ResultsError::TooFew(what.into())
}

/// A Markdown table: its heads, and the cells of each line.
pub fn table(heads: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = format!("| {} |\n|{}", heads.join(" | "), " --- |".repeat(heads.len()));
    lines.into_iter().for_each(|cells| table += &format!("\n| {} |", cells.join(" | ")));
    table
}

/// Share of those that hold; none where there are no cases.
pub fn share_of(holds: impl IntoIterator<Item = bool>) -> Option<Estimate> {
    let (mut hits, mut cases) = (0, 0);
    for holds in holds {
        hits += usize::from(holds);
        cases += 1;
    }
    Estimate::share(hits, cases)
}

/// Each value once, in rising order.
pub fn distinct<T: PartialOrd>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    values.dedup();
    values
}

/// Each value once, in the order in which it is met first.
pub fn first_of_each<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    grouped(values.into_iter().map(|value| (value, ()))).into_iter().map(|(value, _)| value).collect()
}

/// Values that share a key, keys in the order in which they are met first.
pub fn grouped<K: PartialEq, T>(values: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = vec![];
    for (key, value) in values {
        match groups.iter_mut().find(|(of, _)| *of == key) {
            Some((_, group)) => group.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// Rows of a reading, and those of the main group on the same sets.
pub struct Compared<R> {
    pub name: String,
    /// Under it.
    pub rows: Vec<R>,
    /// In the main group.
    pub usual: Vec<R>,
}

/// Rows of other readings beside those of the main group, by reading in the order of the table.
pub fn compared<R: Clone>(main: Vec<Row<R>>, readings: Vec<Row<R>>, name: fn(&R) -> &str) -> Vec<Compared<R>> {
    let main: HashMap<u64, R> = main.into_iter().map(|row| (row.set, row.row)).collect();
    let rows = readings.into_iter().map(|Row { set, row, .. }| (name(&row).to_owned(), (main.get(&set).cloned(), row)));
    let of = |(name, pairs): (String, Vec<(Option<R>, R)>)| {
        let (usual, rows): (Vec<Option<R>>, Vec<R>) = pairs.into_iter().unzip();
        Compared { name, rows, usual: usual.into_iter().flatten().collect() }
    };
    grouped(rows).into_iter().map(of).collect()
}

/// Times of each set of a group that was timed \[s\].
pub fn seconds<G: Group>(results: &Results) -> Result<HashMap<u64, Vec<f64>>, ResultsError> {
    let mut seconds: HashMap<u64, Vec<f64>> = HashMap::new();
    for time in results.times(G::NAME)? {
        seconds.entry(time.set).or_default().push(time.seconds);
    }
    Ok(seconds)
}

/// Median time of each set of a group that was timed \[s\].
pub fn median_seconds<G: Group>(results: &Results) -> Result<HashMap<u64, f64>, ResultsError> {
    Ok(seconds::<G>(results)?.into_iter().filter_map(|(set, times)| Some((set, median(&times)?))).collect())
}

/// Smallest and largest; none where there are no values.
pub fn extremes(values: &[f64]) -> Option<[f64; 2]> {
    Some([quantile(values, 0.0)?, quantile(values, 1.0)?])
}

/// Values in rising order, each with the share of values up to it.
pub fn cumulative(values: impl IntoIterator<Item = f64>) -> Vec<[f64; 2]> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    values.into_iter().enumerate().map(|(k, value)| [value, (k + 1) as f64 / count]).collect()
}

/// Repeats at an x of a chart: their median, and the fastest and the slowest as an interval.
pub fn bar_of_repeats(x: f64, seconds: &[f64]) -> Option<[f64; 4]> {
    let [low, high] = extremes(seconds)?;
    Some([x, median(seconds)?, low, high])
}

/// Smallest and largest; infinity and minus infinity where there are no values.
pub fn extent(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    values.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart_and_brought_together() {
        assert_eq!(distinct([2.0, 0.5, 2.0, 1.0]), [0.5, 1.0, 2.0]);
        assert_eq!(grouped([("b", 1), ("a", 2), ("b", 3)]), [("b", vec![1, 3]), ("a", vec![2])]);
        assert_eq!(extent([2.0, -1.0, 3.0]), [-1.0, 3.0]);
        assert_eq!(cumulative([2.0, 1.0]), [[1.0, 0.5], [2.0, 1.0]]);
    }

    #[test]
    fn a_table_has_a_line_of_cells_under_its_heads() {
        assert_eq!(table(&["a", "b"], [vec!["1".into(), String::new()]]), "| a | b |\n| --- | --- |\n| 1 |  |");
    }
}
