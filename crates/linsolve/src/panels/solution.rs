use super::LANES;
use super::plan::Plan;
use crate::lanes::{Eight, Kernel, Lanes};

/// Overwrites `x`, a right side in the order of elimination, with the solution: L, D, then Lᵀ, or L, then U.
pub(super) struct Solution<'a, const SYMMETRIC: bool> {
    pub plan: &'a Plan,
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    pub pivots: &'a [f64],
    pub x: &'a mut [f64],
    pub local: &'a mut [f64],
}

impl<const SYMMETRIC: bool> Kernel for Solution<'_, SYMMETRIC> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Solution { plan, lower, upper, pivots, x, local } = self;
        forward::<E>(plan, lower, x, local);
        if SYMMETRIC {
            x.iter_mut().zip(pivots).for_each(|(x, pivot)| *x /= pivot);
            backward::<E>(plan, lower, None, x, local);
        } else {
            backward::<E>(plan, upper, Some(pivots), x, local);
        }
    }
}

/// x = L⁻¹ x for columns of L below a diagonal of ones.
#[inline(always)]
fn forward<E: Eight>(plan: &Plan, lower: &[f64], x: &mut [f64], local: &mut [f64]) {
    for panel in &plan.panels {
        let (height, width) = (panel.height(), panel.width);
        let local = &mut local[..height];
        local[..width].copy_from_slice(&x[panel.start..panel.end()]);
        local[width..].fill(0.0);
        for (k, column) in panel.columns(lower).enumerate() {
            subtract::<E>(column, local[k], k - k % LANES, local); // L is zero down to its diagonal
        }
        x[panel.start..panel.end()].copy_from_slice(&local[..width]);
        for (row, change) in plan.below(panel).iter().zip(&local[panel.first_below()..]) {
            x[*row] += change;
        }
    }
}

/// x = U⁻¹ x for rows of U behind its diagonal, which is of ones where there are no `pivots`.
#[inline(always)]
fn backward<E: Eight>(plan: &Plan, upper: &[f64], pivots: Option<&[f64]>, x: &mut [f64], local: &mut [f64]) {
    for panel in plan.panels.iter().rev() {
        let (height, width) = (panel.height(), panel.width);
        let local = &mut local[..height];
        local.fill(0.0);
        local[..width].copy_from_slice(&x[panel.start..panel.end()]);
        for (row, value) in plan.below(panel).iter().zip(&mut local[panel.first_below()..]) {
            *value = x[*row];
        }
        for k in (0..width).rev() {
            let row_of_u = &upper[panel.factor + k * height..panel.factor + (k + 1) * height];
            let mut sums = E::splat(0.0);
            for row in (k - k % LANES..height).step_by(LANES) {
                sums = sums + E::load_from(row_of_u, row) * E::load_from(local, row);
            }
            local[k] -= sums.sum();
            if let Some(pivots) = pivots {
                local[k] /= pivots[panel.start + k];
            }
        }
        x[panel.start..panel.end()].copy_from_slice(&local[..width]);
    }
}

/// Subtracts a multiple of one column from another one, from row `begin` on.
#[inline(always)]
pub(super) fn subtract<E: Lanes>(known: &[E::Number], factor: E::Number, begin: usize, column: &mut [E::Number]) {
    let factor = E::splat(factor.into());
    for row in (begin..column.len()).step_by(LANES) {
        (E::load_from(column, row) - E::load_from(known, row) * factor).store_to(column, row);
    }
}
