//! Sparse factors L D Lᵀ of symmetric matrices, and L U of others on a symmetric pattern, in dense panels \[Duff & Reid 1983, the multifrontal method\]: neighbouring columns of L
//! with nearly the same rows are stored and worked on together, in [lanes](crate::lanes), and what a panel leaves of its rows is
//! added to the panel of their parent. Nothing is pivoted. Every sum has an order that the pattern alone decides on, so that all
//! instruction sets give the same bits.

mod factorisation;
mod lu;
mod plan;
mod solution;

pub(crate) use self::lu::LuPanels;

use self::factorisation::Factorisation;
use self::plan::Plan;
use self::solution::Solution;
use crate::lanes::InstructionSet;

/// Rows of a panel come in tiles of so many.
const LANES: usize = 8;

/// The columns of L in the order of elimination, each with its rows, the diagonal first; ascending.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    /// Where the columns begin, and the end.
    pub starts: &'a [usize],
    /// Their rows.
    pub rows: &'a [usize],
}

/// What becomes of a pivot that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pivots {
    /// One that is not above zero ends the factorisation.
    Positive,
    /// One of at most `smallest` is replaced by `replacement` with its sign; one that is not finite ends the factorisation.
    Replaced {
        /// Too small.
        smallest: f64,
        /// Stands for it.
        replacement: f64,
    },
}

/// The factors of a symmetric matrix on a pattern that is analysed once.
pub(crate) struct Panels {
    plan: Plan,
    set: InstructionSet,
    /// L below its diagonal, panel by panel.
    factor: Vec<f64>,
    /// D, in the order of the plan.
    pivots: Vec<f64>,
    /// L D of the panel under way.
    scaled: Vec<f64>,
    /// What panels leave for their parents.
    left: Vec<f64>,
    /// Right side in the order of the plan, rows of a panel.
    right: Vec<f64>,
    local: Vec<f64>,
}

impl Panels {
    /// Analyses a factor with `columns`, whose unknowns are eliminated in `order`; `entries` are row and column of the matrix's
    /// lower triangle in the order of their values.
    pub fn new(columns: Columns<'_>, order: &[usize], entries: impl Iterator<Item = (usize, usize)>) -> Panels {
        let plan = Plan::new(columns, order, entries);
        let (unknowns, height) = (order.len(), plan.height());
        Panels {
            set: InstructionSet::best(),
            factor: vec![0.0; plan.factor_size],
            pivots: vec![0.0; unknowns],
            scaled: vec![0.0; plan.scaled_size],
            left: vec![0.0; plan.left_size],
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
    /// The unknown whose pivot ended it.
    pub fn factor(&mut self, values: &[f64], policy: Pivots) -> Result<(), usize> {
        self.factor.fill(0.0);
        for (place, value) in self.plan.places.iter().zip(values) {
            self.factor[*place] = *value;
        }
        let Panels { plan, set, factor, pivots, scaled, left, .. } = self;
        set.run(Factorisation { plan, factor, pivots, scaled, left, policy }).map_err(|column| self.plan.order[column])
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
        let Panels { plan, set, factor, pivots, right, local, .. } = self;
        for (place, unknown) in right.iter_mut().zip(&plan.order) {
            *place = b[*unknown];
        }
        set.run(Solution { plan, factor, pivots, x: right, local });
        for (place, unknown) in right.iter().zip(&plan.order) {
            b[*unknown] = *place;
        }
    }

    /// Adds Σ_k L_jk² abs(D_k) to `terms`, shape \[unknowns\].
    pub fn add_terms(&mut self, terms: &mut [f64]) {
        let Panels { plan, factor, pivots, local, .. } = self;
        for panel in &plan.panels {
            let height = panel.height();
            let local = &mut local[..height];
            local.fill(0.0);
            for (k, column) in panel.columns(factor).enumerate() {
                let pivot = pivots[panel.start + k].abs();
                local.iter_mut().zip(column).for_each(|(term, l)| *term += l * l * pivot);
            }
            for (term, unknown) in local.iter().zip(&plan.order[panel.start..panel.end()]) {
                terms[*unknown] += term;
            }
            for (term, row) in local[panel.first_below()..].iter().zip(plan.below(panel)) {
                terms[plan.order[*row]] += term;
            }
        }
    }
}

#[cfg(test)]
mod tests;
