//! Whether the machine was the same for both builds: a fixed piece of work, timed beside each of their turns.
//!
//! It belongs to this program, not to the builds, so that only the machine can change its time. Where it did, nothing is said
//! about the times of the builds.

use std::hint::black_box;
use std::time::Instant;

use lab::judge::statistics::{Interval, Miss, bootstrap};
use serde::Serialize;

use crate::ranks::{median_of, ratio_of_medians};

/// Largest relative change of the control that leaves the verdict on times alone.
const STILL: f64 = 0.01;
/// Rows and columns of a matrix of 4 MB, which no inner cache holds.
const SHAPE: [usize; 2] = [1024, 512];
/// How often a vector goes through it.
const SWEEPS: usize = 120;
/// Steps of a chain of which each waits for the one before.
const STEPS: usize = 12_000_000;

/// Times of the control in the turns of two builds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// Median over rounds beside the old build \[s\].
    pub old: f64,
    /// Median over rounds beside the new build \[s\].
    pub new: f64,
    /// New over old.
    pub ratio: f64,
    /// Its 95 % interval, by bootstrap over rounds.
    pub interval: Option<[f64; 2]>,
    /// Whether the machine was another one for the new build: the interval leaves out 1, and the ratio is more than 1 % from it.
    pub moved: bool,
}

impl Control {
    /// From the times beside the old and the new build of every round; none without rounds.
    pub fn of(rounds: &[[f64; 2]]) -> Option<Control> {
        let found = ratio_of_medians(rounds)?;
        let interval = bootstrap("control", rounds, Miss::ONE, ratio_of_medians).map(|Interval { low, high }| [low, high]);
        let leaves_out_1 = interval.is_some_and(|[low, high]| low > 1.0 || high < 1.0);
        let moved = leaves_out_1 && (found - 1.0).abs() > STILL;
        Some(Control { old: median_of(rounds, 0)?, new: median_of(rounds, 1)?, ratio: found, interval, moved })
    }
}

/// Does the work, and says how long it took \[s\].
pub fn work() -> f64 {
    let [rows, columns] = SHAPE;
    let matrix: Vec<f64> = (0..rows * columns).map(|k| (k % 7) as f64 / 1e4).collect();
    let mut x: Vec<f64> = vec![1.0; columns];
    let begin = Instant::now();
    for _ in 0..black_box(SWEEPS) {
        for (row, cells) in matrix.chunks_exact(columns).enumerate() {
            let product: f64 = cells.iter().zip(&x).map(|(a, b)| a * b).sum();
            x[row % columns] = product.min(1.0);
        }
    }
    let mut chain = black_box(0.4);
    for _ in 0..black_box(STEPS) {
        chain = 3.7 * chain * (1.0 - chain);
    }
    black_box((x, chain));
    begin.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_slowed_down_is_told() {
        let slowed: Vec<[f64; 2]> = (0..5).map(|k| [0.2 + 0.001 * f64::from(k), 0.21 + 0.001 * f64::from(k)]).collect();
        let found = Control::of(&slowed).unwrap();
        assert!(found.moved && (found.ratio - 0.212 / 0.202).abs() < 1e-12, "{found:?}");
        let quickened: Vec<[f64; 2]> = slowed.iter().map(|[old, new]| [*new, *old]).collect();
        assert!(Control::of(&quickened).unwrap().moved);
    }

    #[test]
    fn noise_and_changes_below_a_percent_leave_times_alone() {
        // 5 % to and fro
        let shaken = [[0.20, 0.21], [0.21, 0.20], [0.20, 0.20], [0.21, 0.20], [0.20, 0.21]];
        let found = Control::of(&shaken).unwrap();
        assert!(!found.moved, "{found:?}");
        // 0.8 %, always
        assert!(!Control::of(&[[0.2, 0.2016]; 5]).unwrap().moved);
        assert!(Control::of(&[[0.2, 0.2024]; 5]).unwrap().moved);
        assert_eq!(Control::of(&[]), None);
    }

    #[test]
    fn the_work_takes_a_while() {
        assert!((0.01..60.0).contains(&work()));
    }
}
