use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::prelude::Reborrow;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side};

use super::{PivotError, ScalarPattern, SmallestPivot};

/// How the columns of a factor are stored and worked on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Factors {
    /// One by one: the same bits on every processor.
    #[default]
    Simplicial,
    /// In dense panels: faster from some thousand unknowns on, with bits that depend on the processor's instructions.
    Supernodal,
}

/// Sparse Cholesky factorisation L Lᵀ of a symmetric positive definite matrix, ordered by minimum degree.
pub struct ScalarCholesky {
    pattern: ScalarPattern,
    values: Vec<f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    /// For each column of L in its order: the column of the matrix, where L_jj is stored, where A_jj is.
    diagonal: Vec<(usize, usize, usize)>,
    /// Σ c_j and Σ c_j² over the columns of L.
    entries: u64,
    operations: u64,
    memory: MemBuffer,
}

impl ScalarCholesky {
    /// Analyses a pattern made by [`ScalarPattern::lower`].
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(pattern: &ScalarPattern, factors: Factors) -> ScalarCholesky {
        let threshold = match factors {
            Factors::Simplicial => SupernodalThreshold::FORCE_SIMPLICIAL,
            Factors::Supernodal => SupernodalThreshold::FORCE_SUPERNODAL,
        };
        let parameters = CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
        let symbolic = factorize_symbolic_cholesky(pattern.symbolic.rb(), Side::Lower, SymmetricOrdering::Amd, parameters)
            .expect("enough memory for the factor");
        let order = order(&symbolic);
        let mut diagonal = Vec::with_capacity(order.len());
        let (mut entries, mut operations) = (0, 0);
        let mut column_of = |place: usize, count: usize| {
            let column = order[diagonal.len()];
            diagonal.push((column, place, pattern.symbolic.col_ptr()[column]));
            entries += count as u64;
            operations += (count * count) as u64;
        };
        match symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(raw) => {
                raw.col_ptr().windows(2).for_each(|ends| column_of(ends[0], ends[1] - ends[0]));
            }
            SymbolicCholeskyRaw::Supernodal(raw) => {
                for s in 0..raw.n_supernodes() {
                    let width = raw.supernode_end()[s] - raw.supernode_begin()[s];
                    let height = width + raw.supernode(s).pattern().len();
                    for k in 0..width {
                        column_of(raw.col_ptr_for_val()[s] + k * height + k, height - k);
                    }
                }
            }
        }
        let factoring = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let solving = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        ScalarCholesky {
            values: vec![0.0; pattern.entries()],
            pattern: pattern.clone(),
            factor: vec![0.0; symbolic.len_val()],
            symbolic,
            diagonal,
            entries,
            operations,
            memory: MemBuffer::new(factoring.or(solving)),
        }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarCholesky::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Entries of L, its diagonal included.
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

    /// Factors the values. The relative size of a pivot is L_jj² / A_jj.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or the matrix not positive definite up to rounding; there is no factor then.
    pub fn factor(&mut self) -> Result<SmallestPivot, PivotError> {
        self.pattern.check_finite(&self.values)?;
        let factored = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            SparseColMatRef::new(self.pattern.symbolic.rb(), &self.values),
            Side::Lower,
            Default::default(), // no regularisation
            Par::Seq,
            MemStack::new(&mut self.memory),
            Default::default(),
        );
        if let Err(LltError::NonPositivePivot { index }) = factored {
            return Err(PivotError::Deficient { column: self.diagonal[index - 1].0 });
        }
        let mut smallest = SmallestPivot::none();
        for &(column, of_factor, of_matrix) in &self.diagonal {
            let root = self.factor[of_factor];
            smallest.see(column, root * root / self.values[of_matrix]);
        }
        smallest.checked()
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factor.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&mut self, b: &mut [f64]) {
        let b = MatMut::from_column_major_slice_mut(b, self.pattern.unknowns(), 1);
        let factor = LltRef::<usize, f64>::new(&self.symbolic, &self.factor);
        factor.solve_in_place_with_conj(Conj::No, b, Par::Seq, MemStack::new(&mut self.memory));
    }
}

/// The unknown that is eliminated first, second and so on.
pub(super) fn order(symbolic: &SymbolicCholesky<usize>) -> Vec<usize> {
    match symbolic.perm() {
        Some(order) => order.arrays().0.to_vec(),
        None => (0..symbolic.nrows()).collect(),
    }
}
