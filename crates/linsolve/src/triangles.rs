use crate::block::{is_finite, multiply, multiply_transposed};
use crate::upper_rows::{Upper, UpperRows};
use crate::{BlockRows, Breakdown, Constraint, Mat3, Preconditioner, Vec3};

/// P = (D + U)ᵀ D⁻¹ (D + U) with block diagonal D and strictly upper U, which is what incomplete Cholesky without fill and
/// symmetric relaxation leave of S A S + c (I - S).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangles<'a> {
    /// Where U is not zero.
    pub pattern: Upper<'a>,
    /// U, the block of every slot.
    pub upper: &'a [Mat3],
    /// D⁻¹, shape \[rows\].
    pub inverses: &'a [Mat3],
}

impl Preconditioner for Triangles<'_> {
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        let rows = self.inverses.len();
        assert_eq!([r.len(), h.len()], [rows; 2], "rows of r and h, of {rows} that are factored");
        let Triangles { pattern, upper, inverses } = *self;
        h.copy_from_slice(r);
        for row in 0..rows {
            let y = multiply(&inverses[row], &h[row]); // (D + U)ᵀ y = r, from the first row on
            for slot in pattern.slots(row) {
                h[pattern.columns[slot] as usize] -= multiply_transposed(&upper[slot], &y);
            }
            h[row] = y;
        }
        for row in (0..rows).rev() {
            let mut sum = Vec3::zeros();
            for slot in pattern.slots(row) {
                sum += multiply(&upper[slot], &h[pattern.columns[slot] as usize]);
            }
            h[row] -= multiply(&inverses[row], &sum); // (D + U) h = D y, from the last row on
        }
    }
}

/// A matrix without its fully constrained rows, and memory for its [`Triangles`].
#[derive(Clone, Debug, Default)]
pub(crate) struct TriangularRows {
    matrix: UpperRows,
    upper: Vec<Mat3>,
    inverses: Vec<Mat3>,
}

impl TriangularRows {
    /// Takes a matrix and factors it by `factor` into U and D⁻¹. Where that breaks down, P = I.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor<T>(
        &mut self,
        matrix: &BlockRows,
        constraints: &[Constraint],
        factor: impl FnOnce(Upper<'_>, &[Constraint], &mut [Mat3], &mut [Mat3]) -> Result<T, Breakdown>,
    ) -> Result<T, Breakdown> {
        let rows = matrix.pattern().rows();
        assert_eq!(constraints.len(), rows, "one constraint for each row");
        let couples = |row: usize| (constraints[row].ndof() > 0).then_some(row as u32);
        self.matrix.fill(matrix, 0..rows, couples);
        self.upper.clear();
        self.upper.reserve(matrix.pattern().above_count());
        self.upper.resize(self.matrix.view().columns.len(), Mat3::zeros());
        self.inverses.resize(rows, Mat3::zeros());
        let factored = factor(self.matrix.view(), constraints, &mut self.upper, &mut self.inverses);
        if factored.is_err() {
            identity(&mut self.upper, &mut self.inverses);
        }
        factored
    }

    pub fn triangles(&self) -> Triangles<'_> {
        Triangles { pattern: self.matrix.view(), upper: &self.upper, inverses: &self.inverses }
    }
}

/// P = I.
pub(crate) fn identity(upper: &mut [Mat3], inverses: &mut [Mat3]) {
    upper.fill(Mat3::zeros());
    inverses.fill(Mat3::identity());
}

/// Overwrites `upper` and `diagonal` with the blocks of S A S + c (I - S) above and on the diagonal.
///
/// # Errors
/// [`Breakdown::NotFinite`] at the first row with a block that is not.
pub(crate) fn project(
    matrix: Upper<'_>,
    constraints: &[Constraint],
    upper: &mut [Mat3],
    diagonal: &mut [Mat3],
) -> Result<(), Breakdown> {
    for (row, constraint) in constraints.iter().enumerate() {
        diagonal[row] = constraint.project_block(&matrix.diagonal[row]);
        let mut finite = is_finite(&diagonal[row]);
        for slot in matrix.slots(row) {
            let other = &constraints[matrix.columns[slot] as usize];
            upper[slot] = match (constraint, other) {
                (Constraint::Free, Constraint::Free) => matrix.blocks[slot],
                _ => constraint.projection() * matrix.blocks[slot] * other.projection(),
            };
            finite &= is_finite(&upper[slot]);
        }
        if !finite {
            return Err(Breakdown::NotFinite { row });
        }
    }
    Ok(())
}
