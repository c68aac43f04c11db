use crate::{Constraint, Operator, Vec3};

/// S A x = S b, (I - S) x = (I - S) z \[Boxerman 2003, eq. 5.2\], or in one line (S A + (I - S)) x = S b + (I - S) z
/// \[Boxerman 2003, eq. 5.3\].
pub struct ConstrainedSystem<'a, O: ?Sized> {
    /// A, symmetric, and positive definite on range(S).
    pub operator: &'a O,
    /// Right side, shape \[rows\].
    pub b: &'a [Vec3],
    /// S, shape \[rows\].
    pub constraints: &'a [Constraint],
    /// Prescribed motion, shape \[rows\]; (I - S) z is all that the solution takes from it.
    pub z: &'a [Vec3],
}

impl<O: Operator + ?Sized> ConstrainedSystem<'_, O> {
    /// Number of rows.
    ///
    /// # Panics
    /// Unless b, the constraints and z have as many rows as A.
    pub fn rows(&self) -> usize {
        let rows = self.operator.rows();
        let lengths = [self.b.len(), self.constraints.len(), self.z.len()];
        assert_eq!(lengths, [rows; 3], "rows of b, of the constraints and of z, in a system of {rows}");
        rows
    }

    /// Number of rows that are not fully constrained.
    pub fn free_rows(&self) -> usize {
        self.constraints.iter().filter(|constraint| constraint.ndof() > 0).count()
    }

    /// Overwrites `residual` with b - A x, the force by which the constraints act if x is the solution: a product with A, for
    /// the caller to count; both shapes \[rows\].
    ///
    /// # Panics
    /// Where a length differs from the number of rows.
    pub fn unprojected_residual(&self, x: &[Vec3], residual: &mut [Vec3]) {
        let rows = self.rows();
        assert_eq!([x.len(), residual.len()], [rows; 2], "rows of x and of the residual");
        self.operator.apply(x, residual);
        for (residual, b) in residual.iter_mut().zip(self.b) {
            *residual = b - *residual;
        }
    }
}
