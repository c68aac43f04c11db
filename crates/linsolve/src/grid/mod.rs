//! Symmetric systems of 3x3 blocks on a grid, in a form that keeps pace with memory.
//!
//! Couplings of a grid lie on eight diagonals above that of the matrix (see [`STEPS`]). Those that are not there, or would lead
//! around an edge, have zero coefficients, so that there are no index arrays, no edge cases, and eight rows at a time are eight
//! lanes of a vector. Beyond the first cache an iteration of conjugate gradients takes as long as its bytes:
//!
//! | bytes a row | matrix | preconditioner | vectors and constraints | in all |
//! | --- | --- | --- | --- | --- |
//! | block compressed rows | 760 | 72 | 568 | 1400 |
//! | here | 240 | 48 | 240 | 528 |
//!
//! - A coupling adds B = a I + m mᵀ to both of its diagonal blocks and -B to the other two: four numbers instead of nine, three
//!   beyond neighbours, where a is zero, and nothing on the diagonal but what does not come from couplings.
//! - Coefficients lie in tiles \[coefficient\]\[8 rows\] in the order in which they are read: one stream, not 33.
//! - Vectors are three arrays each ([`GridVector`]), so that a neighbour's coordinates are a load at an offset.
//! - Each coupling is evaluated once; what it gives to its second row waits in registers and in two short buffers.
//! - So is a system assembled ([`GridAssembly`]): whatever couples rows evaluates eight [`Couplings`] at a time, once for their
//!   coefficients and for what they add to both of their rows of a right-hand side.
//! - Where no coupling leads further than to a neighbour, as where bending is explicit, passes leave the other steps out as a whole: a
//!   product then takes half the time, and four fifths where each tile asks step by step.
//! - An iteration passes over memory twice: x, p and A p with its pᵀ A p; then r, h and rᵀ h. A p takes the place of h, which p has
//!   been made of by then, and h that of A p: four vectors in place of five, with which an iteration within the caches takes a twentieth to a sixth less.
//! - In single precision ([`GridSingle`]) all of it takes half the bytes; matrices, vectors and passes are those of double precision
//!   with another number in them.

mod assembly;
mod block_diagonal;
mod cg;
mod choice;
mod constrained_tiles;
mod diagonal_blocks;
mod direction_pass;
mod large_component;
mod multigrid;
mod operator;
mod refinement;
mod residual_pass;
mod rows;
mod shape;
mod single;
mod stencil;
mod tile;
mod vector;
mod vectors;

pub use assembly::{Coupling, Couplings, GridAssembly};
pub use block_diagonal::GridBlockDiagonal;
pub use cg::{GridCg, MultigridReport};
pub use choice::GridChoice;
pub use multigrid::GridMultigrid;
pub use operator::{GridOperator, GridProduct};
pub use refinement::RefinementReport;
pub use shape::{GridPlace, GridShape, STEPS};
pub use single::GridSingle;
pub use vector::GridVector;

pub(crate) use block_diagonal::invert_tile;
pub(crate) use diagonal_blocks::GridDiagonal;
pub(crate) use large_component::LargeComponent;
pub(crate) use rows::GridRows;
pub(crate) use tile::SymmetricTile;

/// Rows of a tile.
const LANES: usize = 8;

/// Tiles that a sum takes before it sums these sums: 512 rows, as in a dot product of the general form.
const CHUNK_TILES: usize = 64;

/// Rows of these.
const CHUNK: usize = LANES * CHUNK_TILES;
