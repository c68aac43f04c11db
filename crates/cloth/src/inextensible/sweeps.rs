//! What the methods that sweep over the edges share: the loop until the bound is kept.

use super::{EdgeConstraints, FilterReport, FilterStop, Limits};
use crate::Vec3;

/// Floating-point operations of an edge in a sweep: difference, norm, factor, two updates.
pub(super) const EDGE_OPERATIONS: u64 = 24;

/// Of squares of lengths, far above what rounding does to them \[-\].
pub(super) const MARGIN: f64 = 1e-12;

/// Improves `x` \[m\] by `sweep` until no edge is strained beyond the bound, or the limit of iterations comes, or a sweep says why
/// it cannot go on. Each sweep counts as an iteration and adds its other work to the report itself.
pub(super) fn sweep_until(
    constraints: &EdgeConstraints,
    limits: Limits,
    x: &mut [Vec3],
    sweep: impl FnMut(&mut [Vec3], &mut FilterReport) -> Result<(), FilterStop>,
) -> FilterReport {
    sweep_until_strain(limits, x, |x| constraints.largest_strain(x), sweep)
}

/// Improves positions that `x` stands for, whose largest abs(strain) \[-\] is measured by `largest_strain`.
pub(super) fn sweep_until_strain<X: ?Sized>(
    limits: Limits,
    x: &mut X,
    largest_strain: impl Fn(&X) -> f64,
    mut sweep: impl FnMut(&mut X, &mut FilterReport) -> Result<(), FilterStop>,
) -> FilterReport {
    FilterReport::begin(largest_strain(x)).until(limits, 0.0, |report| {
        sweep(x, report)?;
        report.iterations += 1;
        report.after = largest_strain(x);
        Ok(0.0)
    })
}
