//! Direct solvers of sparse systems of scalars, ordered by faer: a pattern is analysed once, its values are filled in and factored
//! as often as they change. One thread, the same bits on every processor.

pub(crate) mod cholesky;
mod ldl;
mod lu;
mod ordered_lu;
mod pattern;
mod pivot;
mod tridiagonal;

pub use cholesky::ScalarCholesky;
pub use ldl::{LdlFactors, ScalarLdl};
pub use lu::ScalarLu;
pub use ordered_lu::ScalarOrderedLu;
pub use pattern::ScalarPattern;
pub use pivot::{PivotError, SmallestPivot};
pub use tridiagonal::Tridiagonal;
