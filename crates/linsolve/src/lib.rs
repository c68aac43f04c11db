//! Symmetric positive definite systems of 3x3 blocks, some of whose rows are constrained: operators, projected conjugate
//! gradients for the whole \[Boxerman 2003, ch. 5\] or for each connected component \[Boxerman 2003, ch. 6\], preconditioners,
//! and a sparse Cholesky factorisation as their reference. Sparse systems of scalars, also indefinite and nonsymmetric ones, are
//! solved directly in [`scalar`].
//!
//! The problem is S A x = S b, (I - S) x = (I - S) z \[Boxerman 2003, eq. 5.2\]: a row of three unknowns obeys its equations in
//! the directions that S leaves free and follows z in the others. A row stands for a particle, but nothing here knows cloth.
//!
//! Every sum runs in an order that depends on nothing but the number of rows, on one thread and without fused multiply-add,
//! so that equal systems give equal bits. Only whole components are spread over threads, where that is asked for.
//!
//! ```
//! use linsolve::{BlockDiagonal, BlockPattern, BlockRows, ConstrainedSystem, Constraint, DiagonalKind, Mat3, ProjectedCg};
//! use linsolve::{Settings, Start, SolveStop, Vec3};
//!
//! // a chain of three rows whose first one is held at z
//! let mut matrix = BlockRows::new(BlockPattern::new(3, &[(0, 1), (1, 2)]));
//! for row in 0..3 {
//!     matrix.add_diagonal(row, &(3.0 * Mat3::identity()));
//! }
//! for edge in 0..2 {
//!     matrix.add_pair(edge, &-Mat3::identity());
//! }
//! let b = [Vec3::z(); 3];
//! let constraints = [Constraint::Fixed, Constraint::plane(Vec3::x())?, Constraint::Free];
//! let z = [Vec3::x(); 3];
//!
//! let mut preconditioner = BlockDiagonal::new(DiagonalKind::Constrained);
//! preconditioner.factor(&matrix, &constraints)?;
//! let system = ConstrainedSystem { operator: &matrix, b: &b, constraints: &constraints, z: &z };
//! let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 100 };
//! let mut x = [Vec3::zeros(); 3];
//! let report = ProjectedCg::new(3).solve(&system, &mut x, &preconditioner, &settings);
//! assert_eq!((report.stop, x[0], x[1].x), (SolveStop::Converged, Vec3::x(), 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregation;
mod any_preconditioner;
mod automatic;
mod block;
mod block_rows;
mod breakdown;
mod components;
mod constrained_system;
mod constraint;
mod decomposed_cg;
mod direct;
mod dot;
mod error_estimate;
pub mod grid;
pub mod lanes;
pub mod matrix_market;
mod operator;
mod packed_rows;
mod panels;
mod preconditioner;
mod projected_cg;
#[cfg(test)]
#[allow(dead_code, reason = "a recipe of CONTRIBUTING.md that is compiled in place")]
#[path = "../../../examples/recipes/l1_jacobi.rs"]
mod recipe;
pub mod scalar;
mod schwarz;
mod spectrum;
mod symmetric_rows;
mod triangles;
mod upper_rows;

pub use aggregation::Aggregation;
pub use any_preconditioner::{AnyPreconditioner, PreconditionerKind, Triangular};
pub use block::{Mat3, Vec3};
pub use block_rows::{BlockPattern, BlockRows};
pub use breakdown::Breakdown;
pub use constrained_system::ConstrainedSystem;
pub use constraint::{Constraint, InvalidDirection, project};
pub use decomposed_cg::{Decompose, DecomposedCg, DecomposedReport};
pub use direct::SparseCholesky;
pub use operator::Operator;
pub use packed_rows::PackedRows;
pub use preconditioner::{BlockDiagonal, DiagonalKind, Identity, Preconditioner};
pub use projected_cg::{ProjectedCg, Settings, SolveReport, SolveStop, Start};
pub use schwarz::{Parts, Schwarz};
pub use spectrum::extreme_eigenvalues;

/// Preconditioners by triangles, a line each, its file and its type: makes both known and lists their entries.
macro_rules! registry {
    ($($file:ident: $preconditioner:ident,)*) => {
        $(
            mod $file;
            pub use $file::$preconditioner;
        )*

        /// The preconditioners by triangles, in the order in which they are listed.
        pub const TRIANGULAR: &[Triangular] = &[$($preconditioner::ENTRY),*];
    };
}

registry! {
    incomplete_cholesky: IncompleteCholesky,
    ssor: Ssor,
}
