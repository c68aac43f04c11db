use faer::prelude::Reborrow;
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::SymmetricOrdering;

use crate::block::all_finite;
use crate::constraint::{impose, project};
use crate::panels::{Panels, Pivots};
use crate::scalar::cholesky::panels;
use crate::{BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, Vec3};

/// Sparse Cholesky factorisation of S A S + c (I - S), the reference of the iterative solver: analysed once for a pattern,
/// factored anew for every system.
///
/// It is of one thread, and its bits do not depend on the processor.
pub struct SparseCholesky {
    pattern: BlockPattern,
    /// Lower triangle of the scalar matrix by columns; columns 3 i .. 3 i + 3 are those of row i of blocks.
    lower: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    panels: Panels,
    /// Right side, then the projected solution, three for each row.
    u: Vec<f64>,
    /// (I - S) z and its product.
    prescribed: Vec<Vec3>,
    product: Vec<Vec3>,
}

impl SparseCholesky {
    /// Analyses a pattern: orders it by minimum degree and finds where its factor is non-zero.
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(pattern: &BlockPattern) -> SparseCholesky {
        let unknowns = 3 * pattern.rows();
        let mut starts = vec![0];
        let mut scalar_rows = Vec::new();
        for row in 0..pattern.rows() {
            for q in 0..3 {
                let below = [row].into_iter().chain(pattern.above(row)); // of the diagonal, in the columns of the row
                scalar_rows.extend(below.flat_map(|other| 3 * other..3 * other + 3).skip(q));
                starts.push(scalar_rows.len());
            }
        }
        let entries = scalar_rows.len();
        let lower = SymbolicSparseColMat::new_checked(unknowns, unknowns, starts, None, scalar_rows);
        let places = (0..unknowns).flat_map(|column| lower.rb().row_idx_of_col(column).map(move |row| (row, column)));
        SparseCholesky {
            pattern: pattern.clone(),
            panels: panels(&lower, SymmetricOrdering::Amd, places),
            lower,
            values: vec![0.0; entries],
            u: vec![0.0; unknowns],
            prescribed: vec![Vec3::zeros(); pattern.rows()],
            product: vec![Vec3::zeros(); pattern.rows()],
        }
    }

    /// Number of entries of the factor L that may be other than zero, its diagonal included.
    pub fn factor_entries(&self) -> usize {
        self.panels.entries as usize
    }

    /// Floating-point operations of a factorisation, nominally Σ c_j² over the entries c_j of the columns of L.
    pub fn factor_operations(&self) -> u64 {
        self.panels.squares
    }

    /// Floating-point operations of a solve by the factor, nominally 4 for each entry of L.
    pub fn solve_operations(&self) -> u64 {
        4 * self.panels.entries
    }

    /// Overwrites `x`, shape \[rows\], with the solution of a system: x = u + (I - S) z, where u is in range(S) and
    /// (S A S + c (I - S)) u = S (b - A (I - S) z), with c > 0 for each row; the thesis has c = 1 \[Boxerman 2003, eq. 5.3\], for
    /// which the solution is the same.
    ///
    /// # Errors
    /// [`Breakdown`] where the matrix or the right side is not finite or the matrix not positive definite on range(S). A matrix
    /// that is singular up to rounding may pass.
    ///
    /// # Panics
    /// Where a length differs from the number of rows, or the pattern from the one that was analysed.
    pub fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, x: &mut [Vec3]) -> Result<(), Breakdown> {
        let rows = system.rows();
        assert_eq!(x.len(), rows, "rows of x");
        assert!(*system.operator.pattern() == self.pattern, "the matrix has another pattern than was analysed");
        fill_projected(system, self.lower.col_ptr(), &mut self.values)?;
        self.panels
            .factor(&self.values, Pivots::Positive)
            .map_err(|unknown| Breakdown::NotPositiveDefinite { row: unknown / 3 })?;

        self.prescribed.fill(Vec3::zeros());
        impose(system.constraints, system.z, &mut self.prescribed);
        system.unprojected_residual(&self.prescribed, &mut self.product);
        project(system.constraints, &mut self.product); // b̂ = S (b - A (I - S) z)  [Boxerman 2003, fig. 5.2]
        self.solve_factored(x);
        impose(system.constraints, system.z, x); // x = S u + (I - S) z
        match x.iter().position(|x| !all_finite(&[*x])) {
            Some(row) => Err(Breakdown::NotFinite { row }),
            None => Ok(()),
        }
    }

    /// Overwrites `x`, shape \[rows\], with the solution for another right side `b` by the factor of the last system, where nothing
    /// is prescribed: (S A S + c (I - S)) x = S b. Without meaning where that system broke down.
    ///
    /// # Panics
    /// Where a length differs from the number of rows.
    pub fn solve_again(&mut self, constraints: &[Constraint], b: &[Vec3], x: &mut [Vec3]) {
        assert_eq!([constraints.len(), b.len(), x.len()], [self.pattern.rows(); 3], "rows of the constraints, of b and of x");
        self.product.copy_from_slice(b);
        project(constraints, &mut self.product);
        self.solve_factored(x);
    }

    /// Overwrites `x` with the solution for the projected right side, which `product` holds.
    fn solve_factored(&mut self, x: &mut [Vec3]) {
        for (u, right) in self.u.chunks_exact_mut(3).zip(&self.product) {
            u.copy_from_slice(right.as_slice());
        }
        self.panels.solve(&mut self.u);
        for (x, u) in x.iter_mut().zip(self.u.chunks_exact(3)) {
            x.copy_from_slice(u);
        }
    }
}

/// Overwrites `values` with the lower triangle of S A S + c (I - S), whose scalar columns begin at `starts`.
fn fill_projected(system: &ConstrainedSystem<'_, BlockRows>, starts: &[usize], values: &mut [f64]) -> Result<(), Breakdown> {
    for (row, constraint) in system.constraints.iter().enumerate() {
        let s = constraint.projection();
        let diagonal = [(row, system.operator.diagonal(row))];
        for (place, (column, block)) in diagonal.into_iter().chain(system.operator.above(row)).enumerate() {
            let projected = match (constraint, &system.constraints[column]) {
                _ if column == row => constraint.project_block(block),
                (Constraint::Free, Constraint::Free) => *block,
                (_, other) => s * block * other.projection(),
            };
            if !crate::block::is_finite(&projected) {
                return Err(Breakdown::NotFinite { row });
            }
            // entry (3 column + p, 3 row + q) is that at (q, p) of the block at (row, column)
            for q in 0..3 {
                let start = starts[3 * row + q] + 3 * place;
                for p in if column == row { q..3 } else { 0..3 } {
                    values[start + p - q] = projected[(q, p)];
                }
            }
        }
    }
    Ok(())
}
