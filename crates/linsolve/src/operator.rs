use crate::{Mat3, Vec3};

/// A symmetric matrix A of 3x3 blocks, known by its products.
pub trait Operator {
    /// Number of rows of blocks, which is the length of every vector.
    fn rows(&self) -> usize;

    /// Overwrites `y` with A x; both shapes \[rows\].
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]);

    /// Overwrites `blocks`, shape \[rows\], with the diagonal blocks of A.
    fn diagonal_blocks(&self, blocks: &mut [Mat3]);
}
