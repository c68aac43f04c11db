use super::LANES;
use super::plan::{Panel, Plan};
use crate::lanes::{Eight, Kernel};

/// Columns that are worked on together: each number of a right side is loaded once for so many of L.
const BLOCK: usize = 4;

/// Overwrites three right sides `x` in the order of elimination with the solutions of L D Lᵀ x = b, each column of L read once for
/// all three.
pub(super) struct SolutionOfVectors<'a> {
    pub plan: &'a Plan,
    pub lower: &'a [f64],
    pub pivots: &'a [f64],
    pub x: &'a mut [Vec<f64>; 3],
    pub local: &'a mut [Vec<f64>; 3],
}

impl Kernel for SolutionOfVectors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let SolutionOfVectors { plan, lower, pivots, x, local } = self;
        for panel in &plan.panels {
            let height = panel.height();
            for q in 0..3 {
                local[q][..panel.width].copy_from_slice(&x[q][panel.start..panel.end()]);
                local[q][panel.width..height].fill(0.0);
            }
            forward::<E>(panel, lower, local);
            for q in 0..3 {
                x[q][panel.start..panel.end()].copy_from_slice(&local[q][..panel.width]);
                let below = &local[q][panel.first_below()..];
                for (row, change) in plan.below(panel).iter().zip(below) {
                    x[q][*row] += change;
                }
            }
        }
        for x in x.iter_mut() {
            x.iter_mut().zip(pivots).for_each(|(x, pivot)| *x /= pivot);
        }
        for panel in plan.panels.iter().rev() {
            let height = panel.height();
            for q in 0..3 {
                local[q][..height].fill(0.0);
                local[q][..panel.width].copy_from_slice(&x[q][panel.start..panel.end()]);
                let below = &mut local[q][panel.first_below()..];
                for (row, value) in plan.below(panel).iter().zip(below) {
                    *value = x[q][*row];
                }
            }
            backward::<E>(panel, lower, local);
            for q in 0..3 {
                x[q][panel.start..panel.end()].copy_from_slice(&local[q][..panel.width]);
            }
        }
    }
}

/// local = L⁻¹ local for the columns of a panel.
#[inline(always)]
fn forward<E: Eight>(panel: &Panel, lower: &[f64], local: &mut [Vec<f64>; 3]) {
    let blocks = panel.width / BLOCK * BLOCK;
    for first in (0..blocks).step_by(BLOCK) {
        eliminate::<E, BLOCK>(panel, lower, first, local);
    }
    for first in blocks..panel.width {
        eliminate::<E, 1>(panel, lower, first, local);
    }
}

/// Subtracts N columns of L from `first` on, times their unknowns, from the rows below.
#[inline(always)]
fn eliminate<E: Eight, const N: usize>(panel: &Panel, lower: &[f64], first: usize, local: &mut [Vec<f64>; 3]) {
    let height = panel.height();
    let l = &lower[panel.factor + first * height..panel.factor + (first + N) * height];
    let mut unknowns = [[0.0; N]; 3];
    for q in 0..3 {
        for k in 0..N {
            unknowns[q][k] = local[q][first + k];
            for j in 0..k {
                unknowns[q][k] -= l[j * height + first + k] * unknowns[q][j];
            }
        }
    }
    let mut factors = [[E::splat(0.0); N]; 3];
    for q in 0..3 {
        for k in 0..N {
            factors[q][k] = E::splat(unknowns[q][k]);
        }
    }
    let [x, y, z] = local;
    let (x, y, z) = (&mut x[..height], &mut y[..height], &mut z[..height]);
    for row in (first - first % LANES..height).step_by(LANES) {
        let mut values = [E::load_from(x, row), E::load_from(y, row), E::load_from(z, row)];
        for k in 0..N {
            let column = E::load_from(l, k * height + row); // zero down to its diagonal
            for q in 0..3 {
                values[q] = values[q] - column * factors[q][k];
            }
        }
        values[0].store_to(x, row);
        values[1].store_to(y, row);
        values[2].store_to(z, row);
    }
}

/// local = L⁻ᵀ local for the columns of a panel.
#[inline(always)]
fn backward<E: Eight>(panel: &Panel, lower: &[f64], local: &mut [Vec<f64>; 3]) {
    let blocks = panel.width / BLOCK * BLOCK;
    for first in (blocks..panel.width).rev() {
        substitute::<E, 1>(panel, lower, first, local);
    }
    for first in (0..blocks).step_by(BLOCK).rev() {
        substitute::<E, BLOCK>(panel, lower, first, local);
    }
}

/// Finds the N unknowns from `first` on by those of the rows below.
#[inline(always)]
fn substitute<E: Eight, const N: usize>(panel: &Panel, lower: &[f64], first: usize, local: &mut [Vec<f64>; 3]) {
    let height = panel.height();
    let l = &lower[panel.factor + first * height..panel.factor + (first + N) * height];
    let mut unknowns = [[0.0; N]; 3];
    for q in 0..3 {
        for k in 0..N {
            unknowns[q][k] = std::mem::take(&mut local[q][first + k]); // no part of the sums below
        }
    }
    let [x, y, z] = local;
    let (x, y, z) = (&x[..height], &y[..height], &z[..height]);
    let mut sums = [[E::splat(0.0); N]; 3];
    for row in (first - first % LANES..height).step_by(LANES) {
        let values = [E::load_from(x, row), E::load_from(y, row), E::load_from(z, row)];
        for k in 0..N {
            let column = E::load_from(l, k * height + row);
            for q in 0..3 {
                sums[q][k] = sums[q][k] + column * values[q];
            }
        }
    }
    for q in 0..3 {
        for k in (0..N).rev() {
            unknowns[q][k] -= sums[q][k].sum();
            for j in k + 1..N {
                unknowns[q][k] -= l[k * height + first + j] * unknowns[q][j];
            }
            local[q][first + k] = unknowns[q][k];
        }
    }
}
