//! What the methods that sweep over the edges share: the loop until the bound is kept, the projection of one edge.

use super::{Edge, EdgeConstraints, Limits, Report, Stop};
use crate::Vec3;

/// Floating-point operations of an edge in a sweep: difference, norm, factor, two updates.
pub(super) const EDGE_OPERATIONS: u64 = 24;

/// Improves `x` \[m\] by `sweep` until no edge is strained beyond the bound, or the limit of iterations comes, or a sweep says why it
/// cannot go on. Each sweep counts as an iteration and adds its other work to the report itself.
pub(super) fn sweep_until(
    constraints: &EdgeConstraints,
    limits: Limits,
    x: &mut [Vec3],
    mut sweep: impl FnMut(&mut [Vec3], &mut Report) -> Result<(), Stop>,
) -> Report {
    let mut report = Report::begin(constraints.largest_strain(x));
    while report.after.is_finite() && report.after > limits.strain() {
        if report.iterations == limits.iterations() {
            return report.ended(Stop::IterationLimit);
        }
        if let Err(stop) = sweep(x, &mut report) {
            return report.ended(stop);
        }
        report.iterations += 1;
        report.after = constraints.largest_strain(x);
    }
    let stop = if report.after.is_finite() { Stop::Converged } else { Stop::NotFinite };
    report.ended(stop)
}

/// Moves edge `k` to its rest length along itself, the lighter end further.
#[inline]
pub(super) fn project_edge(k: usize, edge: &Edge, w: &[f64], x: &mut [Vec3]) -> Result<(), Stop> {
    let (u, length) = edge.direction(x).ok_or(Stop::Coincident { edge: k })?;
    edge.pull((length - edge.rest) / (w[edge.i] + w[edge.j]) * u, w, x); // (|d| - l) / (w_i + w_j) d/|d|
    Ok(())
}
