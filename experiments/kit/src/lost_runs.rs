//! Means over the runs that finish, weighted for those that do not.
//!
//! Where runs are lost, the mean of the others is that of the sheets that can be simulated. Each finished run stands here for as
//! many of its stratum as were drawn for one that finished, so that strata count as they were drawn; within a stratum those that
//! are lost are taken to be like those that are not.

use std::collections::BTreeMap;

/// Values of finished runs with their weights: `value` is none of a run that was lost. A stratum of which no run finishes has no
/// weight, and is counted in `unseen`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighted {
    /// Value and weight, drawn over finished of its stratum, of each finished run.
    pub values: Vec<[f64; 2]>,
    /// Runs in strata of which none finishes.
    pub unseen: usize,
}

impl Weighted {
    /// Of runs by stratum.
    pub fn new<K: Ord>(runs: impl IntoIterator<Item = (K, Option<f64>)>) -> Weighted {
        let mut strata: BTreeMap<K, (usize, Vec<f64>)> = BTreeMap::new();
        for (stratum, value) in runs {
            let (drawn, values) = strata.entry(stratum).or_default();
            *drawn += 1;
            values.extend(value);
        }
        let mut weighted = Weighted::default();
        for (drawn, values) in strata.into_values() {
            if values.is_empty() {
                weighted.unseen += drawn;
            }
            let weight = drawn as f64 / values.len().max(1) as f64;
            weighted.values.extend(values.into_iter().map(|value| [value, weight]));
        }
        weighted
    }
}

/// The weighted mean; none of an empty list.
pub fn weighted_mean(values: &[[f64; 2]]) -> Option<f64> {
    let weight: f64 = values.iter().map(|[_, weight]| weight).sum();
    (weight > 0.0).then(|| values.iter().map(|[value, weight]| value * weight).sum::<f64>() / weight)
}

/// The weighted median: the smallest value up to which half of the weight lies; none of an empty list.
pub fn weighted_median(values: &[[f64; 2]]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let half = 0.5 * sorted.iter().map(|[_, weight]| weight).sum::<f64>();
    let mut sum = 0.0;
    sorted
        .into_iter()
        .find(|[_, weight]| {
            sum += weight;
            sum >= half
        })
        .map(|[value, _]| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_stand_for_those_that_were_lost_beside_them() {
        let runs =
            [("stiff", Some(1.0)), ("stiff", None), ("stiff", None), ("soft", Some(4.0)), ("soft", Some(4.0)), ("thin", None)];
        let weighted = Weighted::new(runs);
        assert_eq!(weighted, Weighted { values: vec![[4.0, 1.0], [4.0, 1.0], [1.0, 3.0]], unseen: 1 });
        assert_eq!(weighted_mean(&weighted.values), Some(11.0 / 5.0));
        assert_eq!(weighted_median(&weighted.values), Some(1.0));
        assert_eq!((weighted_mean(&[]), weighted_median(&[])), (None, None));
    }
}
