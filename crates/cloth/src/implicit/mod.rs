//! What the implicit schemes share: which couplings are implicit, the linear system of a stage, and how it is solved.

mod block_form;
mod cuts;
mod grid_form;
mod line_search;
mod linear;
mod momentum;
mod settings;
mod splitting;
mod stage;
mod work;

pub use linsolve::{Decompose, DiagonalKind, Parts, PreconditionerKind, Start};

pub use cuts::Cuts;
pub use linear::{LinearSystem, SolvedSystem};
pub use settings::{ConjugateGradients, MatrixForm, Newton, Precision, Settings, Solver, Tolerance};
pub use splitting::Splitting;
pub(crate) use stage::{Stage, Weights, add_air, add_coupling};
pub use work::Work;
