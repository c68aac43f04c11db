//! Constrained multigrid on a grid: how many iterations conjugate gradients take then hardly depends on the number of rows or on how
//! stiff the springs are, as long as cloth is taut.
//!
//! - **Coarse rows** are every second one along both directions, for any nx and ny, down to at most nine, which are solved directly.
//!   Between them is bilinear interpolation P, and Pᵀ brings residuals down.
//! - **Coarse matrices** are those of coarse springs. They follow the matrix of each step: shares of its couplings are added up. It
//!   takes as long as some ten iterations with diagonal blocks. A hierarchy kept from the rest shape would save that, but took twice
//!   the iterations on a taut sheet in its own plane, and up to thirteen times as many on one that had turned out of it.
//! - **Smoothing** is one step of block-Jacobi before and one after, damped so that it converges for any matrix of springs. The cycle
//!   is its own transpose, so that the preconditioner is symmetric positive definite, whatever the coarse matrices are.
//! - **Constraints**: S is applied to all that comes to the finest level, so that P⁻¹ maps range(S) into range(S) and is positive
//!   definite there. Coarse rows are held by the energy that it takes to move what is prescribed.
//! - **Stalls**: where neighbouring springs differ by orders of magnitude, as in cloth that is partly slack, what is smooth for the
//!   matrix is not smooth on the grid, and no coarse row sees it. A cycle takes as long as some four iterations with diagonal blocks;
//!   where it gains less than these would, by a bound, the solve goes on with them. Strips two rows wide stall too: their coarse cells
//!   are long and do not bend in their plane.

mod coarse_tile;
mod coarsen_pass;
mod coarsening;
mod coarsest;
mod hierarchy;
mod single;
mod smoothing;
mod stall;
mod transfer;

pub use hierarchy::GridMultigrid;
pub(super) use stall::Watch;

#[cfg(test)]
mod tests;
