use crate::dot::dot;
use crate::{Mat3, Vec3};

/// A symmetric matrix A of 3x3 blocks, known by its products.
pub trait Operator {
    /// Number of rows of blocks, which is the length of every vector.
    fn rows(&self) -> usize;

    /// Overwrites `y` with A x; both shapes \[rows\].
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]);

    /// Overwrites `y` with A x and gives xᵀ y: to the bit what [`Operator::apply`] and a dot product give, which an operator may
    /// form while it is at it.
    fn apply_and_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        self.apply(x, y);
        dot(x, y)
    }

    /// Overwrites `blocks`, shape \[rows\], with the diagonal blocks of A.
    fn diagonal_blocks(&self, blocks: &mut [Mat3]);
}
