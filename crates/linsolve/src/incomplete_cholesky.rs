use crate::block::inverse_of_positive_definite;
use crate::triangles::project;
use crate::upper_rows::Upper;
use crate::{Breakdown, Constraint, Mat3, Operator, Triangular};

/// The first shift sigma after a breakdown; each further one is twice the one before.
const FIRST_SHIFT: f64 = 1e-3;

/// Most shifts: the last one makes the diagonal blocks 8000 times as large.
const SHIFT_LIMIT: usize = 24;

/// Constrained incomplete Cholesky factorisation without fill, IC(0), of S A S + c (I - S) in 3x3 blocks: L Lᵀ is that matrix
/// wherever A has a block, and fully constrained rows take no part.
///
/// Without fill a pivot may fail to be positive definite though A is. The diagonal blocks are then multiplied by 1 + sigma,
/// sigma = 0.001, 0.002, 0.004, ..., until none does \[Manteuffel 1980\].
#[derive(Clone, Copy, Debug)]
pub struct IncompleteCholesky;

impl IncompleteCholesky {
    /// Its entry in the registry. It breaks down where a block is not finite, a diagonal block not positive definite, or none of 24
    /// shifts enough.
    pub const ENTRY: Triangular = Triangular { name: "incomplete-cholesky", label: "incomplete Cholesky", factor };
}

/// Overwrites `upper` and `inverses` with U and D⁻¹; how many shifts that took.
fn factor(matrix: Upper<'_>, constraints: &[Constraint], upper: &mut [Mat3], inverses: &mut [Mat3]) -> Result<usize, Breakdown> {
    let mut shift = 0.0;
    let mut shifts = 0;
    loop {
        project(matrix, constraints, upper, inverses)?;
        inverses.iter_mut().for_each(|block| *block *= 1.0 + shift);
        match eliminate(matrix, upper, inverses) {
            Ok(()) => return Ok(shifts),
            Err(row) => {
                let itself = constraints[row].project_block(&matrix.diagonal[row]);
                if shifts == SHIFT_LIMIT || inverse_of_positive_definite(&itself).is_none() {
                    return Err(Breakdown::NotPositiveDefinite { row });
                }
                shift = if shifts == 0 { FIRST_SHIFT } else { 2.0 * shift };
                shifts += 1;
            }
        }
    }
}

/// Turns the blocks above the diagonal into U and those on it into D⁻¹, row by row:
/// A_ij <- A_ij - U_kiᵀ D_k⁻¹ U_kj for k < i <= j, where (k, i), (k, j) and (i, j) are in the pattern. The error is the first
/// row whose pivot is not positive definite.
fn eliminate(pattern: Upper<'_>, upper: &mut [Mat3], diagonal: &mut [Mat3]) -> Result<(), usize> {
    for k in 0..pattern.rows() {
        let inverse = inverse_of_positive_definite(&diagonal[k]).ok_or(k)?;
        diagonal[k] = inverse;
        let slots = pattern.slots(k);
        for first in slots.clone() {
            let i = pattern.columns[first] as usize;
            let weight = (inverse * upper[first]).transpose(); // U_kiᵀ D_k⁻¹
            diagonal[i] -= weight * upper[first];
            let mut row = pattern.slots(i);
            for second in first + 1..slots.end {
                let j = pattern.columns[second];
                row.start += pattern.columns[row.clone()].iter().take_while(|&&column| column < j).count();
                if row.start < row.end && pattern.columns[row.start] == j {
                    upper[row.start] -= weight * upper[second];
                }
            }
        }
    }
    Ok(())
}
