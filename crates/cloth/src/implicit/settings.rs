use linsolve::{Decompose, DiagonalKind, PreconditionerKind, Start};

use crate::Terms;

/// How the linear system of a stage is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Projected conjugate gradients.
    ConjugateGradients {
        /// c of the stopping rule tol² = c dt \[1/s\]; 0.01 in the thesis.
        tolerance: f64,
        /// Preconditioner.
        preconditioner: PreconditionerKind,
        /// Initial iterate and stopping rule.
        start: Start,
        /// Most iterations; of each component, where the system is decomposed.
        iteration_limit: usize,
        /// Whether and how the connected components of the system are solved each by itself \[Boxerman 2003, ch. 6\].
        decompose: Option<Decompose>,
    },
    /// Sparse Cholesky: the reference.
    Direct,
}

impl Default for Solver {
    /// As in the thesis: c = 0.01, constrained preconditioner, corrected start; not decomposed.
    fn default() -> Solver {
        Solver::ConjugateGradients {
            tolerance: 0.01,
            preconditioner: PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
            start: Start::Corrected,
            iteration_limit: 10_000,
            decompose: None,
        }
    }
}

/// How often a stage is linearised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Newton {
    /// Once, at the state before the step: the semi-implicit scheme of Baraff & Witkin \[Boxerman 2003, eq. 4.11\].
    #[default]
    Once,
    /// Until the velocities change by less than `tolerance` \[m/s\], at most `limit` times.
    Converged {
        /// Largest change of a velocity at which it ends \[m/s\].
        tolerance: f64,
        /// Most iterations.
        limit: usize,
    },
}

/// In which form the matrices of linear systems are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MatrixForm {
    /// On a grid, where the couplings are springs of one and the solver allows it; in block compressed rows elsewhere.
    #[default]
    Fastest,
    /// In block compressed rows, as is usual: work grows with the blocks that are filled.
    BlockRows,
}

/// In which precision conjugate gradients iterate; solutions meet the same tolerance in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Precision {
    /// Double.
    #[default]
    Double,
    /// Single, refined in double precision: [`GridCg::solve_in_single`](linsolve::grid::GridCg::solve_in_single). An iteration takes
    /// about half the time; what a solve takes besides, to round its matrix and to refine, is worth that of some five iterations.
    /// It pays where a solve has some tens of them, to any tolerance that rounding in double precision allows. Counts of iterations
    /// are not those of double precision: a percent or so apart for one system, anything in runs that a loose tolerance leaves to
    /// chance. So no study that compares counts uses it.
    ///
    /// Only for whole systems on a grid with diagonal blocks or no preconditioner; all others are solved in double precision.
    Single,
}

/// Settings of an implicit scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Of its linear systems.
    pub solver: Solver,
    /// Of its Newton iteration.
    pub newton: Newton,
    /// Of its Jacobians.
    pub terms: Terms,
    /// Of its matrices.
    pub form: MatrixForm,
    /// Of its iterations.
    pub precision: Precision,
}

impl Settings {
    /// Newton to the rounding of velocities of order one, with a direct solver: for references and tests of order.
    pub fn converged() -> Settings {
        Settings { solver: Solver::Direct, newton: Newton::Converged { tolerance: 1e-11, limit: 50 }, ..Settings::default() }
    }
}
