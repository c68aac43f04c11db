use super::LANES;
use super::plan::Plan;
use crate::lanes::{Eight, Kernel};

/// Overwrites `x`, a right side in the order of elimination, with the solution: L, D, then Lᵀ.
pub(super) struct Solution<'a> {
    pub plan: &'a Plan,
    pub factor: &'a [f64],
    pub pivots: &'a [f64],
    pub x: &'a mut [f64],
    pub local: &'a mut [f64],
}

impl Kernel for Solution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Solution { plan, factor, pivots, x, local } = self;
        for panel in &plan.panels {
            let (height, width) = (panel.height(), panel.width);
            let local = &mut local[..height];
            local[..width].copy_from_slice(&x[panel.start..panel.end()]);
            local[width..].fill(0.0);
            for (k, column) in panel.columns(factor).enumerate() {
                let y = E::splat(local[k]);
                for row in (k - k % LANES..height).step_by(LANES) {
                    (E::load_from(local, row) - E::load_from(column, row) * y).store_to(local, row); // L is zero down to its diagonal
                }
            }
            x[panel.start..panel.end()].copy_from_slice(&local[..width]);
            for (row, change) in plan.below(panel).iter().zip(&local[panel.first_below()..]) {
                x[*row] += change;
            }
        }
        x.iter_mut().zip(pivots).for_each(|(x, pivot)| *x /= pivot);
        for panel in plan.panels.iter().rev() {
            let (height, width) = (panel.height(), panel.width);
            let local = &mut local[..height];
            local.fill(0.0);
            local[..width].copy_from_slice(&x[panel.start..panel.end()]);
            for (row, value) in plan.below(panel).iter().zip(&mut local[panel.first_below()..]) {
                *value = x[*row];
            }
            for k in (0..width).rev() {
                let column = &factor[panel.factor + k * height..panel.factor + (k + 1) * height];
                let mut sums = E::splat(0.0);
                for row in (k - k % LANES..height).step_by(LANES) {
                    sums = sums + E::load_from(column, row) * E::load_from(local, row);
                }
                local[k] -= sums.sum();
            }
            x[panel.start..panel.end()].copy_from_slice(&local[..width]);
        }
    }
}
