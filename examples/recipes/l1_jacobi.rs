use crate::triangles::project;
use crate::upper_rows::Upper;
use crate::{Breakdown, Constraint, Mat3, Triangular};

/// Jacobi in the l1 norm \[Baker, Falgout, Kolev & Yang 2011\]: D is diagonal and holds the sums of abs(A_ij) over the rows, so that
/// D - A is positive semidefinite; U = 0.
#[derive(Clone, Copy, Debug)]
pub struct L1Jacobi;

impl L1Jacobi {
    /// Its entry in the registry.
    pub const ENTRY: Triangular = Triangular { name: "l1-jacobi", label: "l1 Jacobi", factor };
}

/// Overwrites `upper` with zeros and `inverses` with D⁻¹.
fn factor(matrix: Upper<'_>, constraints: &[Constraint], upper: &mut [Mat3], inverses: &mut [Mat3]) -> Result<usize, Breakdown> {
    project(matrix, constraints, upper, inverses)?;
    inverses.iter_mut().for_each(|block| *block = Mat3::from_diagonal(&block.abs().column_sum()));
    for row in 0..inverses.len() {
        for slot in matrix.slots(row) {
            let block = std::mem::replace(&mut upper[slot], Mat3::zeros()).abs();
            inverses[row] += Mat3::from_diagonal(&block.column_sum());
            inverses[matrix.columns[slot] as usize] += Mat3::from_diagonal(&block.row_sum_tr()); // of its transpose, below the diagonal
        }
    }
    for (row, block) in inverses.iter_mut().enumerate() {
        *block = block.try_inverse().ok_or(Breakdown::NotPositiveDefinite { row })?;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AnyPreconditioner, BlockPattern, BlockRows, ConstrainedSystem, Preconditioner, PreconditionerKind, ProjectedCg, Settings,
        SparseCholesky, Start, Vec3,
    };

    #[test]
    fn it_solves_a_chain_whose_first_row_is_held() {
        let mut matrix = BlockRows::new(BlockPattern::new(3, &[(0, 1), (1, 2)]));
        (0..3).for_each(|row| matrix.add_diagonal(row, &(3.0 * Mat3::identity())));
        (0..2).for_each(|edge| matrix.add_pair(edge, &-Mat3::identity()));
        let constraints = [Constraint::Fixed, Constraint::Free, Constraint::Free];
        let mut preconditioner = AnyPreconditioner::new(PreconditionerKind::Triangular(&L1Jacobi::ENTRY));
        preconditioner.factor(&matrix, &constraints).unwrap();
        let mut h = [Vec3::zeros(); 3];
        preconditioner.apply(&[Vec3::repeat(1.0); 3], &mut h);
        assert_eq!(h[1..], [Vec3::repeat(0.25); 2]); // sums of 3 + 1; the held row takes no part

        let system = ConstrainedSystem { operator: &matrix, b: &[Vec3::z(); 3], constraints: &constraints, z: &[Vec3::x(); 3] };
        let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-24, error: None, iteration_limit: 10 };
        let [mut x, mut expected] = [[Vec3::zeros(); 3]; 2];
        let report = ProjectedCg::new(3).solve(&system, &mut x, &preconditioner, &settings);
        SparseCholesky::new(matrix.pattern()).solve(&system, &mut expected).unwrap();
        assert!(report.stop.is_solved() && x[0] == Vec3::x(), "{report:?}");
        assert!((0..3).all(|row| (x[row] - expected[row]).norm() < 1e-12), "{x:?} {expected:?}");
    }
}
