use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::prelude::Reborrow;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::lu::simplicial::{
    SimplicialLu, factorize_simplicial_numeric_lu, factorize_simplicial_numeric_lu_scratch,
};
use faer::sparse::linalg::lu::{LuSymbolicParams, SymbolicLu, factorize_symbolic_lu};
use faer::{Conj, MatMut, Par};

use super::{PivotError, ScalarPattern, SmallestPivot};

/// Sparse factorisation P A Q = L U of any square matrix with partial pivoting, column by column: the same bits on every
/// processor.
pub struct ScalarLu {
    pattern: ScalarPattern,
    values: Vec<f64>,
    symbolic: SymbolicLu<usize>,
    lu: SimplicialLu<usize, f64>,
    rows: Vec<usize>,
    places: Vec<usize>,
    memory: MemBuffer,
    /// Right side and correction of the refinement.
    right: Vec<f64>,
    correction: Vec<f64>,
}

impl ScalarLu {
    /// Analyses a pattern made by [`ScalarPattern::full`].
    ///
    /// # Panics
    /// Where the memory does not suffice.
    pub fn new(pattern: &ScalarPattern) -> ScalarLu {
        let unknowns = pattern.unknowns();
        let parameters =
            LuSymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL, ..Default::default() };
        let symbolic = factorize_symbolic_lu(pattern.symbolic.rb(), parameters).expect("enough memory for the analysis");
        let factoring = factorize_simplicial_numeric_lu_scratch::<usize, f64>(unknowns, unknowns);
        let solving = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        ScalarLu {
            values: vec![0.0; pattern.entries()],
            pattern: pattern.clone(),
            symbolic,
            lu: SimplicialLu::new(),
            rows: vec![0; unknowns],
            places: vec![0; unknowns],
            memory: MemBuffer::new(factoring.or(solving)),
            right: vec![0.0; unknowns],
            correction: vec![0.0; unknowns],
        }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarLu::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Fills in a symmetric matrix, given by a lower triangle of the same unknowns.
    ///
    /// # Panics
    /// Where an entry is outside the pattern.
    pub fn fill_symmetric(&mut self, lower: &ScalarPattern, values: &[f64]) {
        self.values.fill(0.0);
        for ((row, column), value) in lower.places().zip(values) {
            for (row, column) in [(row, column), (column, row)] {
                self.values[self.pattern.place(row, column).expect("an entry of the pattern")] = *value;
            }
        }
    }

    /// Entries of L and U of the last factorisation, which the pivots decide on; none where it failed.
    pub fn factor_entries(&self) -> u64 {
        match self.lu.ncols() {
            0 => 0,
            n => (self.lu.l_factor_unsorted().col_ptr()[n] + self.lu.u_factor_unsorted().col_ptr()[n]) as u64,
        }
    }

    /// Floating-point operations of the last factorisation: two for each entry of L_k times each U_kj, a quotient for each of L.
    pub fn factor_operations(&self) -> u64 {
        if self.lu.ncols() == 0 {
            return 0;
        }
        let (l, u) = (self.lu.l_factor_unsorted().symbolic(), self.lu.u_factor_unsorted().symbolic());
        let below = |k: usize| (l.col_ptr()[k + 1] - l.col_ptr()[k] - 1) as u64;
        let above = |j: usize| &u.row_idx()[u.col_ptr()[j]..u.col_ptr()[j + 1] - 1];
        (0..self.lu.ncols()).map(|j| above(j).iter().map(|k| 2 * below(*k)).sum::<u64>() + below(j)).sum()
    }

    /// Floating-point operations of a solve by the last factors: two for each entry of L and of U.
    pub fn solve_operations(&self) -> u64 {
        2 * self.factor_entries()
    }

    /// Factors the values. The relative size of a pivot is abs(U_jj) to the largest abs(A) of its column.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or the matrix singular up to rounding; there is no factor then.
    pub fn factor(&mut self) -> Result<SmallestPivot, PivotError> {
        self.pattern.check_finite(&self.values)?;
        let order = self.symbolic.col_perm();
        let factored = factorize_simplicial_numeric_lu(
            &mut self.rows,
            &mut self.places,
            &mut self.lu,
            SparseColMatRef::new(self.pattern.symbolic.rb(), &self.values),
            order,
            MemStack::new(&mut self.memory),
        );
        let order = order.arrays().0;
        if let Err(error) = factored {
            let column = match error {
                faer::sparse::linalg::LuError::SymbolicSingular { index } => order[index],
                faer::sparse::linalg::LuError::Generic(_) => 0,
            };
            return Err(PivotError::Deficient { column });
        }
        let u = self.lu.u_factor_unsorted();
        let mut smallest = SmallestPivot::none();
        for (j, &column) in order.iter().enumerate() {
            let pivot = u.val()[u.col_ptr()[j + 1] - 1].abs(); // the last of its column
            let largest =
                self.pattern.column(&self.values, column).fold(0.0, |largest: f64, (_, value)| largest.max(value.abs()));
            smallest.see(column, pivot / largest);
        }
        smallest.checked()
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factors, refined once, and returns the relative
    /// residual max abs(b - A x) / max abs(b) \[-\].
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns, or nothing was factored.
    pub fn solve(&mut self, b: &mut [f64]) -> f64 {
        let unknowns = self.pattern.unknowns();
        assert!(b.len() == unknowns && self.lu.ncols() == unknowns, "a factored matrix of {unknowns} unknowns");
        let ScalarLu { pattern, values, symbolic, lu, rows, places, memory, right, correction } = self;
        refined_once(pattern, values, [right, correction], b, |b| {
            lu.solve_in_place_with_conj(
                PermRef::new_checked(rows, places, unknowns),
                symbolic.col_perm(),
                Conj::No,
                MatMut::from_column_major_slice_mut(b, unknowns, 1),
                Par::Seq,
                MemStack::new(memory),
            );
        })
    }
}

/// Overwrites `b` with the solution of A x = b that `solve` gives, refined once; the relative residual max abs(b - A x) / max
/// abs(b) \[-\].
pub(super) fn refined_once(
    pattern: &ScalarPattern,
    values: &[f64],
    [right, correction]: [&mut [f64]; 2],
    b: &mut [f64],
    mut solve: impl FnMut(&mut [f64]),
) -> f64 {
    right.copy_from_slice(b);
    solve(b);
    pattern.residual(values, right, b, correction);
    solve(correction);
    b.iter_mut().zip(&*correction).for_each(|(x, correction)| *x += correction);
    pattern.residual(values, right, b, correction);
    relative(correction, right)
}

/// max abs(r) / max abs(b), zero for r = 0; infinite where something is not a number.
pub(super) fn relative(r: &[f64], b: &[f64]) -> f64 {
    let largest = |values: &[f64]| {
        values.iter().fold(0.0, |largest: f64, value| if value.is_nan() { f64::INFINITY } else { largest.max(value.abs()) })
    };
    match largest(r) {
        0.0 => 0.0,
        residual => {
            let relative = residual / largest(b);
            if relative.is_nan() { f64::INFINITY } else { relative }
        }
    }
}
