use faer::Side;
use faer::prelude::Reborrow;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::simplicial::SymbolicSimplicialCholesky;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};

use super::{PivotError, ScalarPattern, SmallestPivot};
use crate::panels::{Columns, Panels, Pivots};

/// Sparse Cholesky factorisation of a symmetric positive definite matrix as L D Lᵀ, ordered by minimum degree, in panels: the same
/// bits on every processor.
pub struct ScalarCholesky {
    pattern: ScalarPattern,
    values: Vec<f64>,
    panels: Panels,
    /// Σ c_j and Σ c_j² over the columns of L.
    entries: u64,
    operations: u64,
}

impl ScalarCholesky {
    /// Analyses a pattern made by [`ScalarPattern::lower`].
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(pattern: &ScalarPattern) -> ScalarCholesky {
        let symbolic = factorize_symbolic_cholesky(pattern.symbolic.rb(), Side::Lower, SymmetricOrdering::Amd, simplicial())
            .expect("enough memory for the factor");
        let columns = columns(&symbolic);
        let (entries, operations) = work(columns);
        let panels = Panels::new(columns, &order(&symbolic), pattern.places());
        ScalarCholesky { values: vec![0.0; pattern.entries()], pattern: pattern.clone(), panels, entries, operations }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarCholesky::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Entries of L, its diagonal included, without the zeros that panels store.
    pub fn factor_entries(&self) -> u64 {
        self.entries
    }

    /// Floating-point operations of a factorisation, nominally Σ c_j² over the entries c_j of the columns of L.
    pub fn factor_operations(&self) -> u64 {
        self.operations
    }

    /// Floating-point operations of a solve, nominally 4 for each entry of L.
    pub fn solve_operations(&self) -> u64 {
        4 * self.entries
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
}

/// Columns of the factor one by one.
pub(crate) fn simplicial() -> CholeskySymbolicParams<'static> {
    CholeskySymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL, ..Default::default() }
}

/// The unknown that is eliminated first, second and so on.
pub(crate) fn order(symbolic: &SymbolicCholesky<usize>) -> Vec<usize> {
    match symbolic.perm() {
        Some(order) => order.arrays().0.to_vec(),
        None => (0..symbolic.nrows()).collect(),
    }
}

/// The columns of a factor that was analysed as [`simplicial`].
pub(crate) fn columns(symbolic: &SymbolicCholesky<usize>) -> Columns<'_> {
    let raw: &SymbolicSimplicialCholesky<usize> = match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(raw) => raw,
        SymbolicCholeskyRaw::Supernodal(_) => unreachable!("simplicial factors were asked for"),
    };
    Columns { starts: raw.col_ptr(), rows: raw.row_idx() }
}

/// Σ c_j and Σ c_j² over the columns of L with their diagonal.
pub(super) fn work(columns: Columns<'_>) -> (u64, u64) {
    let counts = columns.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u64);
    counts.fold((0, 0), |(sum, squares), count| (sum + count, squares + count * count))
}
