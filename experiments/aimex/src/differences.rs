//! Differences between both schemes, for the charts and in words. What decides stands in `claims/*.toml`.

use kit::prelude::*;

use super::runs::{Readings, RunRow, Runs};

/// Largest difference over h of most sets \[Boxerman 2003, 4.4.3\].
pub const MOST: Curve<'static> = Curve::new(BOXERMAN, "", "largest difference in most cases");

/// The number of [`MOST`].
pub fn most() -> f64 {
    MOST.number().unwrap_or(f64::NAN)
}

/// Rows of the other readings, by reading in the order of the table.
pub fn by_reading(results: &Results) -> Result<Vec<Compared<RunRow>>, ResultsError> {
    Ok(compared(results.rows::<Runs>()?, results.rows::<Readings>()?, |row| &row.reading))
}

/// Rows of the main group.
pub fn runs(results: &Results) -> Result<Vec<RunRow>, ResultsError> {
    results.without_sets::<Runs>()
}

/// Largest differences over h of the sets that finished.
pub fn differences(rows: &[RunRow]) -> Vec<f64> {
    rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.difference).collect()
}

/// Largest differences over h of a set in the main group and under another reading.
pub type Pair = [f64; 2];

/// Pairs of the sets that finish under both readings.
pub fn pairs(compared: &Compared<RunRow>) -> Vec<Pair> {
    let difference = |row: &RunRow| row.difference.filter(|_| row.is_finished());
    let both = compared.usual.iter().zip(&compared.rows);
    both.filter_map(|(usual, other)| Some([difference(usual)?, difference(other)?])).collect()
}

/// The share of sets below [`most`] in place of that of the main group, of those that finish under both; none where no change is found
/// beyond its interval.
pub fn change(name: &str, pairs: &[Pair]) -> Option<String> {
    let most = most();
    let below = |pairs: &[Pair], which: usize| share(pairs, |pair| pair[which] < most);
    let change = Estimate::of(name, pairs, |pairs| Some(below(pairs, 1)? - below(pairs, 0)?))?.interval?;
    let [usual, other] = [below(pairs, 0)?, below(pairs, 1)?].map(percent);
    (change.low > 0.0 || change.high < 0.0).then(|| format!("{other} in place of {usual}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_where_its_interval_is_clear_of_zero() {
        let of = |pair: fn(u32) -> Pair| change("a reading", &(0..20).map(pair).collect::<Vec<_>>());
        let mended = of(|k| [if k < 5 { 0.0 } else { 1.0 }, if k < 18 { 0.0 } else { 1.0 }]);
        assert_eq!(mended.as_deref(), Some("90.0 % in place of 25.0 %"));
        assert_eq!(of(|k| if k < 5 { [0.05, 0.06] } else { [1.0, 2.0] }), None, "the same sets");
        assert_eq!(of(|k| [if k == 0 { 0.0 } else { 1.0 }, 1.0]), None, "one set, by chance");
    }
}
