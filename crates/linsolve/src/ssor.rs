use crate::block::inverse_of_positive_definite;
use crate::triangles::{TriangularRows, project};
use crate::upper_rows::Upper;
use crate::{BlockRows, Breakdown, Constraint, Mat3, Preconditioner, Triangular, Vec3};

/// The relaxation of symmetric Gauss-Seidel.
const GAUSS_SEIDEL: f64 = 1.0;

/// Constrained symmetric successive over-relaxation (SSOR) of S A S + c (I - S) = D + U + Uᵀ in 3x3 blocks:
/// P = (D' + U)ᵀ D'⁻¹ (D' + U) / (2 - omega), D' = D / omega. Fully constrained rows take no part.
///
/// omega = 1, the default, is symmetric Gauss-Seidel.
#[derive(Clone, Debug)]
pub struct Ssor {
    omega: f64,
    rows: TriangularRows,
}

impl Default for Ssor {
    /// omega = 1.
    fn default() -> Ssor {
        Ssor::new(GAUSS_SEIDEL)
    }
}

impl Ssor {
    /// Its entry in the registry: symmetric Gauss-Seidel.
    pub const ENTRY: Triangular = Triangular {
        name: "ssor",
        label: "SSOR",
        factor: |matrix, constraints, upper, inverses| factor(GAUSS_SEIDEL, matrix, constraints, upper, inverses).map(|()| 0),
    };

    /// Of no rows, until it is factored, with the relaxation `omega` \[-\], 0 < omega < 2.
    ///
    /// # Panics
    /// Where omega is outside its range.
    pub fn new(omega: f64) -> Ssor {
        assert!(omega > 0.0 && omega < 2.0, "omega = {omega} is not between 0 and 2");
        Ssor { omega, rows: TriangularRows::default() }
    }

    /// Factors the diagonal blocks of a matrix and takes the others; allocates only for a larger pattern than ever before.
    ///
    /// # Errors
    /// [`Breakdown`] at the first block that is not finite, or on the diagonal not positive definite. The preconditioner is
    /// I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let omega = self.omega;
        self.rows.factor(matrix, constraints, |matrix, constraints, upper, inverses| {
            factor(omega, matrix, constraints, upper, inverses)
        })
    }
}

impl Preconditioner for Ssor {
    /// Overwrites `h` with P⁻¹ r.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        self.rows.triangles().apply(r, h);
        h.iter_mut().for_each(|h| *h *= 2.0 - self.omega);
    }
}

/// Overwrites `upper` and `inverses` with U and omega D⁻¹.
fn factor(
    omega: f64,
    matrix: Upper<'_>,
    constraints: &[Constraint],
    upper: &mut [Mat3],
    inverses: &mut [Mat3],
) -> Result<(), Breakdown> {
    project(matrix, constraints, upper, inverses)?;
    for (row, block) in inverses.iter_mut().enumerate() {
        *block = omega * inverse_of_positive_definite(block).ok_or(Breakdown::NotPositiveDefinite { row })?;
    }
    Ok(())
}
