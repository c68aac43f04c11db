//! What the tests of the methods share.

use super::{ConstraintMethod, Edge, EdgeConstraints, FilterReport, Step};
use crate::{Grid, Vec3};

/// A chain of edges of 1 m.
pub fn chain(masses: &[f64], pinned: &[bool]) -> EdgeConstraints {
    let edges: Vec<Edge> = (1..masses.len()).map(|j| Edge { i: j - 1, j, rest: 1.0 }).collect();
    EdgeConstraints::new(&edges, masses, pinned).unwrap()
}

/// A step of 0.1 s that starts where its candidate is, projected.
pub fn projected(method: &mut dyn ConstraintMethod, candidate: &[Vec3]) -> (FilterReport, Vec<Vec3>) {
    let mut x = candidate.to_vec();
    let step = Step { dt: 0.1, start: candidate, candidate };
    (method.project(&step, &mut x), x)
}

/// Sum of the masses times how far they moved \[kg m\].
pub fn momentum_moved(masses: &[f64], from: &[Vec3], to: &[Vec3]) -> Vec3 {
    (0..masses.len()).map(|k| masses[k] * (to[k] - from[k])).sum()
}

/// A flat sheet whose particles are displaced by up to `by` \[m\] along each axis.
pub fn scrambled(grid: &Grid, by: f64) -> Vec<Vec3> {
    let shift = |k: usize| 2.0 * ((k as f64 * 0.618_033_988_749_895) % 1.0) - 1.0;
    let shifts = (0..).map(|k| by * Vec3::new(shift(3 * k + 1), shift(3 * k + 2), shift(3 * k + 3)));
    grid.flat().into_iter().zip(shifts).map(|(x, shift)| x + shift).collect()
}
