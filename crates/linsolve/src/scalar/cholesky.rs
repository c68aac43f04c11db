use faer::Side;
use faer::prelude::Reborrow;
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::simplicial::SymbolicSimplicialCholesky;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};

use super::{PivotError, ScalarPattern, SmallestPivot};
use crate::Vec3;
use crate::panels::{Columns, NodePanels, Panels, Pivots, VectorMemory};

/// Sparse Cholesky factorisation of a symmetric positive definite matrix as L D Lᵀ, ordered by minimum degree, in panels: the same
/// bits on every processor.
pub struct ScalarCholesky {
    pattern: ScalarPattern,
    values: Vec<f64>,
    panels: Panels,
    memory: VectorMemory,
}

impl ScalarCholesky {
    /// Analyses a pattern made by [`ScalarPattern::lower`].
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(pattern: &ScalarPattern) -> ScalarCholesky {
        let panels = panels(&pattern.symbolic, SymmetricOrdering::Amd, pattern.places());
        ScalarCholesky { values: vec![0.0; pattern.entries()], pattern: pattern.clone(), panels, memory: VectorMemory::default() }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarCholesky::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Entries of L, its diagonal included, without the zeros that panels store.
    pub fn factor_entries(&self) -> u64 {
        self.panels.entries
    }

    /// Floating-point operations of a factorisation, nominally Σ c_j² over the entries c_j of the columns of L.
    pub fn factor_operations(&self) -> u64 {
        self.panels.squares
    }

    /// Floating-point operations of a solve, nominally 4 for each entry of L.
    pub fn solve_operations(&self) -> u64 {
        4 * self.panels.entries
    }

    /// Factors the values. The relative size of a pivot is D_j / A_jj.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or the matrix not positive definite up to rounding; there is no factor then.
    pub fn factor(&mut self) -> Result<SmallestPivot, PivotError> {
        self.pattern.check_finite(&self.values)?;
        self.panels.factor(&self.values, Pivots::Positive).map_err(|column| PivotError::Deficient { column })?;
        let mut smallest = SmallestPivot::none();
        for (column, pivot) in self.panels.pivots() {
            smallest.see(column, pivot / self.pattern.diagonal(&self.values, column));
        }
        smallest.checked()
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factor.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&mut self, b: &mut [f64]) {
        self.panels.solve(b);
    }

    /// Overwrites `b`, shape \[unknowns\], with the solutions of A x = b for each of its coordinates, by the last factor, which is
    /// read once for all three.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve_vectors(&mut self, b: &mut [Vec3]) {
        self.panels.solve_vectors(b, &mut self.memory);
    }
}

/// Panels for a matrix with such a `lower` triangle, or with such a pattern in both; `entries` are row and column of its values.
///
/// # Panics
/// Where the memory does not suffice for the factor.
pub(crate) fn panels<const SYMMETRIC: bool>(
    lower: &SymbolicSparseColMat<usize>,
    ordering: SymmetricOrdering<'_, usize>,
    entries: impl Iterator<Item = (usize, usize)>,
) -> Panels<SYMMETRIC> {
    let symbolic = analysed(lower, ordering);
    Panels::new(columns(&symbolic), &order(&symbolic), entries)
}

/// Panels for matrices of nodes on a graph with such a `lower` triangle, ordered by minimum degree.
///
/// # Panics
/// Where the memory does not suffice for the factor.
pub(crate) fn node_panels(lower: &SymbolicSparseColMat<usize>) -> NodePanels {
    let symbolic = analysed(lower, SymmetricOrdering::Amd);
    NodePanels::new(columns(&symbolic), &order(&symbolic))
}

/// Where the factor of a matrix with such a lower triangle is not zero, column by column.
///
/// # Panics
/// Where the memory does not suffice for the factor.
pub(super) fn analysed(lower: &SymbolicSparseColMat<usize>, ordering: SymmetricOrdering<'_, usize>) -> SymbolicCholesky<usize> {
    let supernodal_flop_ratio_threshold = SupernodalThreshold::FORCE_SIMPLICIAL;
    let parameters = CholeskySymbolicParams { supernodal_flop_ratio_threshold, ..Default::default() };
    factorize_symbolic_cholesky(lower.rb(), Side::Lower, ordering, parameters).expect("enough memory for the factor")
}

/// The unknown that is eliminated first, second and so on.
pub(super) fn order(symbolic: &SymbolicCholesky<usize>) -> Vec<usize> {
    match symbolic.perm() {
        Some(order) => order.arrays().0.to_vec(),
        None => (0..symbolic.nrows()).collect(),
    }
}

/// The columns of a factor that was [`analysed`].
fn columns(symbolic: &SymbolicCholesky<usize>) -> Columns<'_> {
    let raw: &SymbolicSimplicialCholesky<usize> = match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(raw) => raw,
        SymbolicCholeskyRaw::Supernodal(_) => unreachable!("simplicial factors were asked for"),
    };
    Columns { starts: raw.col_ptr(), rows: raw.row_idx() }
}
