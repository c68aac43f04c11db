use faer::sparse::linalg::cholesky::SymmetricOrdering;

use super::cholesky::panels;
use super::lu::refined_once;
use super::{PivotError, ScalarPattern, SmallestPivot};
use crate::panels::{Panels, Pivots};

/// Sparse factorisation P A Pᵀ = L U of a matrix with a symmetric pattern, ordered by minimum degree, in panels: the same bits on
/// every processor.
///
/// Nothing is pivoted. It is for matrices that are nearly symmetric and positive definite; whether the factors are of use is told
/// by the residual of a solve.
pub struct ScalarOrderedLu {
    pattern: ScalarPattern,
    values: Vec<f64>,
    panels: Panels<false>,
    /// Right side and correction of the refinement.
    right: Vec<f64>,
    correction: Vec<f64>,
}

impl ScalarOrderedLu {
    /// Analyses a pattern made by [`ScalarPattern::full`].
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(pattern: &ScalarPattern) -> ScalarOrderedLu {
        let unknowns = pattern.unknowns();
        let below: Vec<(usize, usize)> = pattern.places().filter(|(row, column)| row > column).collect();
        let lower = ScalarPattern::lower(unknowns, &below);
        ScalarOrderedLu {
            values: vec![0.0; pattern.entries()],
            pattern: pattern.clone(),
            panels: panels(&lower.symbolic, SymmetricOrdering::Amd, pattern.places()),
            right: vec![0.0; unknowns],
            correction: vec![0.0; unknowns],
        }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarOrderedLu::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The values of the matrix.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Floating-point operations of a factorisation: two for each entry of L_k times each U_kj, a quotient for each of L.
    pub fn factor_operations(&self) -> u64 {
        2 * self.panels.squares + self.right.len() as u64 - 3 * self.panels.entries // Σ 2 b_j² + b_j, b_j = c_j - 1
    }

    /// Floating-point operations of a solve without refinement: two for each entry of L and of U.
    pub fn solve_operations(&self) -> u64 {
        4 * self.panels.entries
    }

    /// Factors the values. The relative size of a pivot is abs(U_jj) to the largest abs(A) of its column.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or a pivot no more than rounding, which does not say that the matrix is
    /// singular, only that this order of elimination does not suit it.
    pub fn factor(&mut self) -> Result<SmallestPivot, PivotError> {
        self.pattern.check_finite(&self.values)?;
        self.panels.factor(&self.values, Pivots::NotZero).map_err(|column| PivotError::Deficient { column })?;
        let mut smallest = SmallestPivot::none();
        for (column, pivot) in self.panels.pivots() {
            let values = self.pattern.column(&self.values, column);
            let largest = values.fold(0.0, |largest: f64, (_, value)| largest.max(value.abs()));
            smallest.see(column, pivot.abs() / largest);
        }
        smallest.checked()
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factors, refined once, and returns the relative
    /// residual max abs(b - A x) / max abs(b) \[-\].
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&mut self, b: &mut [f64]) -> f64 {
        let ScalarOrderedLu { pattern, values, panels, right, correction, .. } = self;
        refined_once(pattern, values, [right, correction], b, |b| panels.solve(b))
    }
}
