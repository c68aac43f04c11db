use super::factorisation::{BLOCK, add_to_columns, add_to_left, leave, subtract_products};
use super::plan::Plan;
use super::solution::{backward, forward, subtract};
use super::{Columns, LANES};
use crate::lanes::{Eight, InstructionSet, Kernel};

/// The factors L and U of a matrix whose pattern is symmetric, in an order that is fixed with the pattern. Columns of L and of Uᵀ stand in
/// panels of the same shape, and all that panels of L D Lᵀ do is done twice.
pub(crate) struct LuPanels {
    plan: Plan,
    set: InstructionSet,
    /// Whether each entry is above the diagonal in the order of elimination, or on it, or below.
    sides: Vec<std::cmp::Ordering>,
    /// L below its diagonal of ones, and Uᵀ below its diagonal.
    factors: [Vec<f64>; 2],
    /// The diagonal of U.
    pivots: Vec<f64>,
    /// Lower triangles of what panels leave for their parents, and of its transpose.
    left: [Vec<f64>; 2],
    /// Right side in the order of the plan, rows of a panel.
    right: Vec<f64>,
    local: Vec<f64>,
}

impl LuPanels {
    /// Analyses a factor L with `columns`, whose unknowns are eliminated in `order`; `entries` are row and column of the whole matrix
    /// in the order of their values.
    pub fn new(columns: Columns<'_>, order: &[usize], entries: impl Iterator<Item = (usize, usize)> + Clone) -> LuPanels {
        let plan = Plan::new(columns, order, entries.clone());
        let (unknowns, height) = (order.len(), plan.height());
        let mut places = vec![0; unknowns];
        plan.order.iter().enumerate().for_each(|(place, unknown)| places[*unknown] = place);
        let factors = || vec![0.0; plan.factor_size];
        let left = || vec![0.0; plan.left_size];
        LuPanels {
            set: InstructionSet::best(),
            sides: entries.map(|(row, column)| places[row].cmp(&places[column])).collect(),
            factors: [factors(), factors()],
            pivots: vec![0.0; unknowns],
            left: [left(), left()],
            right: vec![0.0; unknowns],
            local: vec![0.0; height],
            plan,
        }
    }

    /// Runs on this instruction set; the bits stay.
    #[cfg(test)]
    pub fn run_on(&mut self, set: InstructionSet) {
        self.set = set;
    }

    /// Factors the matrix of `values`, finite numbers.
    ///
    /// # Errors
    /// The unknown whose pivot is zero or not finite.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), usize> {
        let [lower, upper] = &mut self.factors;
        lower.fill(0.0);
        upper.fill(0.0);
        for ((place, side), value) in self.plan.places.iter().zip(&self.sides).zip(values) {
            if side.is_ge() {
                lower[*place] = *value;
            }
            if side.is_le() {
                upper[*place] = *value;
            }
        }
        let LuPanels { plan, set, pivots, left, .. } = self;
        set.run(Factorisation { plan, lower, upper, pivots, left }).map_err(|column| self.plan.order[column])
    }

    /// Unknown and pivot in the order of elimination.
    pub fn pivots(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.plan.order.iter().copied().zip(self.pivots.iter().copied())
    }

    /// Overwrites `b` with the solution by the last factors.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&mut self, b: &mut [f64]) {
        assert_eq!(b.len(), self.right.len(), "unknowns");
        let LuPanels { plan, set, factors: [lower, upper], pivots, right, local, .. } = self;
        for (place, unknown) in right.iter_mut().zip(&plan.order) {
            *place = b[*unknown];
        }
        set.run(Solution { plan, lower, upper, pivots, x: right, local });
        for (place, unknown) in right.iter().zip(&plan.order) {
            b[*unknown] = *place;
        }
    }
}

/// A factorisation of a matrix whose values are in their places; gives the column whose pivot ended it.
struct Factorisation<'a> {
    plan: &'a Plan,
    lower: &'a mut [f64],
    upper: &'a mut [f64],
    pivots: &'a mut [f64],
    left: &'a mut [Vec<f64>; 2],
}

impl Kernel for Factorisation<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), usize> {
        let Factorisation { plan, lower, upper, pivots, left: [left, left_transposed] } = self;
        for panel in &plan.panels {
            let height = panel.height();
            let of_panel = panel.factor..panel.factor + panel.width * height;
            let (lower, upper) = (&mut lower[of_panel.clone()], &mut upper[of_panel]);
            for child in plan.children(panel) {
                add_to_columns(plan, child, panel, left, lower);
                add_to_columns(plan, child, panel, left_transposed, upper);
            }
            factor_panel::<E>(height, lower, upper, &mut pivots[panel.start..panel.end()]).map_err(|k| panel.start + k)?;
            leave::<E>(panel, lower, upper, left);
            leave::<E>(panel, upper, lower, left_transposed);
            for child in plan.children(panel) {
                add_to_left(plan, child, panel, left);
                add_to_left(plan, child, panel, left_transposed);
            }
        }
        Ok(())
    }
}

/// Overwrites the columns of a panel by those of L and of Uᵀ.
#[inline(always)]
fn factor_panel<E: Eight>(height: usize, lower: &mut [f64], upper: &mut [f64], pivots: &mut [f64]) -> Result<(), usize> {
    let width = pivots.len();
    for first in (0..width).step_by(BLOCK) {
        let begin = first - first % LANES;
        let block = BLOCK.min(width - first);
        if first > 0 {
            let (l, of_l) = lower.split_at_mut(first * height);
            let (u, of_u) = upper.split_at_mut(first * height);
            for (known, factors, target) in [(&*l, &*u, of_l), (&*u, &*l, of_u)] {
                match block {
                    BLOCK => {
                        subtract_products::<E, BLOCK>(known, factors, first, height, target, height, [begin, begin, first]);
                    }
                    _ => {
                        for k in 0..block {
                            let column = &mut target[k * height..];
                            subtract_products::<E, 1>(known, factors, first, height, column, height, [begin, begin, first + k]);
                        }
                    }
                }
            }
        }
        for k in first..first + block {
            let (l, column) = lower[first * height..(k + 1) * height].split_at_mut((k - first) * height);
            let (u, row) = upper[first * height..(k + 1) * height].split_at_mut((k - first) * height);
            for (l, u) in l.chunks_exact(height).zip(u.chunks_exact(height)) {
                subtract::<E>(l, u[k], begin, column);
                subtract::<E>(u, l[k], begin, row);
            }
            let pivot = row[k];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(k);
            }
            pivots[k] = pivot;
            column[begin..=k].fill(0.0); // what stands above the diagonals means nothing
            row[begin..=k].fill(0.0);
            let inverse = E::splat(1.0 / pivot);
            for row in (begin..height).step_by(LANES) {
                (E::load_from(column, row) * inverse).store_to(column, row);
            }
        }
    }
    Ok(())
}

/// Overwrites `x`, a right side in the order of elimination, with the solution: L, then U.
struct Solution<'a> {
    plan: &'a Plan,
    lower: &'a [f64],
    upper: &'a [f64],
    pivots: &'a [f64],
    x: &'a mut [f64],
    local: &'a mut [f64],
}

impl Kernel for Solution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Solution { plan, lower, upper, pivots, x, local } = self;
        forward::<E>(plan, lower, x, local);
        backward::<E>(plan, upper, Some(pivots), x, local);
    }
}
