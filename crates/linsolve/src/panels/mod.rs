//! Sparse factors L D Lᵀ of symmetric matrices, and L U of others on a symmetric pattern, in dense panels \[Duff & Reid 1983, the
//! multifrontal method\]: neighbouring columns of L with nearly the same rows are stored and worked on together, in
//! [lanes](crate::lanes), and what a panel leaves of its rows is added to the panel of their parent. Nothing is pivoted. Every sum
//! has an order that the pattern alone decides on, so that all instruction sets give the same bits.

mod factorisation;
mod nodes;
mod plan;
mod products;
mod solution;
mod vectors;

use self::factorisation::Factorisation;
pub(crate) use self::nodes::{NodeMatrix, NodeMemory, NodePanels};
use self::plan::Plan;
use self::solution::Solution;
use self::vectors::SolutionOfVectors;
use crate::Vec3;
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
    /// One that is not above zero, or not finite, ends the factorisation.
    Positive,
    /// One that is zero or not finite ends the factorisation.
    NotZero,
    /// One of at most `smallest` is replaced by `replacement` with its sign; one that is not finite ends the factorisation.
    Replaced {
        /// Too small.
        smallest: f64,
        /// Stands for it.
        replacement: f64,
    },
}

/// What a solution of three systems at a time needs besides the factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorMemory {
    /// Right sides in the order of the plan.
    x: [Vec<f64>; 3],
    /// Rows of a panel.
    local: [Vec<f64>; 3],
}

/// The factors of a matrix on a pattern that is analysed once, in an order that is fixed with the pattern: L D Lᵀ of a `SYMMETRIC`
/// one, L and U of another one whose pattern is symmetric. Columns of L and of Uᵀ stand in panels of one shape, and both are found
/// in one way; with symmetry Uᵀ is L D, and only L has to be found.
pub(crate) struct Panels<const SYMMETRIC: bool = true> {
    plan: Plan,
    set: InstructionSet,
    /// L below its diagonal of ones, panel by panel, and Uᵀ below its diagonal; L D of the panel under way.
    factors: [Vec<f64>; 2],
    /// The diagonal of D or U, in the order of the plan.
    pivots: Vec<f64>,
    /// Lower triangles of what panels leave for their parents and, without symmetry, of its transpose.
    left: [Vec<f64>; 2],
    /// Right side in the order of the plan, rows of a panel.
    right: Vec<f64>,
    local: Vec<f64>,
    /// Σ c_j and Σ c_j² over the entries c_j of the columns of L, its diagonal included, without the zeros that panels store.
    pub entries: u64,
    pub squares: u64,
}

impl<const SYMMETRIC: bool> Panels<SYMMETRIC> {
    /// Analyses a factor L with `columns`, whose unknowns are eliminated in `order`; `entries` are row and column of the matrix,
    /// or of the lower triangle of a symmetric one, in the order of their values.
    pub fn new(columns: Columns<'_>, order: &[usize], entries: impl Iterator<Item = (usize, usize)>) -> Self {
        let plan = Plan::new(columns, order, 1, entries);
        let (unknowns, height) = (order.len(), plan.height());
        let (upper_size, left_size) = if SYMMETRIC { (plan.scaled_size, 0) } else { (plan.factor_size, plan.left_size) };
        let counts = columns.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u64);
        Panels {
            set: InstructionSet::best(),
            factors: [vec![0.0; plan.factor_size], vec![0.0; upper_size]],
            pivots: vec![0.0; unknowns],
            left: [vec![0.0; plan.left_size], vec![0.0; left_size]],
            right: vec![0.0; unknowns],
            local: vec![0.0; height],
            entries: counts.clone().sum(),
            squares: counts.map(|count| count * count).sum(),
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
        let Panels { plan, set, factors: [lower, upper], pivots, left, .. } = self;
        lower.fill(0.0);
        if !SYMMETRIC {
            upper.fill(0.0);
        }
        for ((place, side), value) in plan.places.iter().zip(&plan.sides).zip(values) {
            if SYMMETRIC || side.is_ge() {
                lower[*place] = *value;
            }
            if !SYMMETRIC && side.is_le() {
                upper[*place] = *value;
            }
        }
        let factorisation = Factorisation::<SYMMETRIC> { plan, lower, upper, pivots, left, policy };
        set.run(factorisation).map_err(|column| plan.order[column])
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
        let Panels { plan, set, factors: [lower, upper], pivots, right, local, .. } = self;
        for (place, unknown) in right.iter_mut().zip(&plan.order) {
            *place = b[*unknown];
        }
        set.run(Solution::<SYMMETRIC> { plan, lower, upper, pivots, x: right, local });
        for (place, unknown) in right.iter().zip(&plan.order) {
            b[*unknown] = *place;
        }
    }
}

impl Panels {
    /// Overwrites `b` with the solutions of three systems by the last factors, one for each coordinate; `memory` is reused.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve_vectors(&mut self, b: &mut [Vec3], memory: &mut VectorMemory) {
        let Panels { plan, set, factors: [lower, _], pivots, right, local, .. } = self;
        assert_eq!(b.len(), right.len(), "unknowns");
        let VectorMemory { x, local: rows } = memory;
        for q in 0..3 {
            x[q].resize(right.len(), 0.0);
            rows[q].resize(local.len(), 0.0);
            for (place, unknown) in x[q].iter_mut().zip(&plan.order) {
                *place = b[*unknown][q];
            }
        }
        set.run(SolutionOfVectors { plan, lower, pivots, x, local: rows });
        for q in 0..3 {
            for (place, unknown) in x[q].iter().zip(&plan.order) {
                b[*unknown][q] = *place;
            }
        }
    }

    /// Adds Σ_k L_jk² abs(D_k) to `terms`, shape \[unknowns\].
    pub fn add_terms(&mut self, terms: &mut [f64]) {
        let Panels { plan, factors: [lower, _], pivots, local, .. } = self;
        for panel in &plan.panels {
            let height = panel.height();
            let local = &mut local[..height];
            local.fill(0.0);
            for (k, column) in panel.columns(lower).enumerate() {
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
