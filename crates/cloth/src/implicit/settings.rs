use linsolve::{Decompose, DiagonalKind, PreconditionerKind, Start};
use serde::Deserialize;

use super::Cuts;
use crate::Terms;

/// When conjugate gradients end: the bound tol on sqrt(rᵀ P⁻¹ r) over that of the right side. The thesis prints "tol² = c k", with
/// k its step, and calls the results stable \[Boxerman 2003, 5.3.1\]: of the two readings of it here, only the second one is, to
/// the letter the larger sheets come apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// tol² = c dt, as printed; c \[1/s\].
    RootOfStep(f64),
    /// tol = c dt; c \[1/s\].
    Step(f64),
    /// tol, whatever the step \[-\].
    Fixed(f64),
    /// The strain \[-\] that a solve may leave wrong, besides tol = 0.01: for the error e of the velocities, eᵀ A e is at least h g k (d·e)²
    /// for each spring along d, so that with eᵀ A e <= tol² k L² its strain is not wrong by more, to first order. The left side is estimated by the
    /// iteration itself, whatever the preconditioner; k L² is [`System::strain_energy`](crate::System::strain_energy), and where a
    /// system has none it is tol = 1e-4 alone.
    Strain(f64),
}

/// tol beside a bound on the strain, and in place of one \[-\].
const BESIDE_STRAIN: f64 = 1e-2;
const WITHOUT_STRAIN: f64 = 1e-4;

impl Tolerance {
    /// tol² for a step of dt.
    pub fn squared(self, dt: f64) -> f64 {
        match self {
            Tolerance::RootOfStep(c) => c * dt,
            Tolerance::Step(c) => (c * dt) * (c * dt),
            Tolerance::Fixed(tol) => tol * tol,
            Tolerance::Strain(_) => BESIDE_STRAIN * BESIDE_STRAIN,
        }
    }
}

/// How the linear system of a stage is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Projected conjugate gradients.
    ConjugateGradients(ConjugateGradients),
    /// Sparse Cholesky: the reference.
    Direct,
}

impl Solver {
    /// What scenes take that say nothing of a solver: [`ConjugateGradients::automatic`].
    pub fn automatic() -> Solver {
        Solver::ConjugateGradients(ConjugateGradients::automatic(ConjugateGradients::STRAIN))
    }

    /// Whether solves are to leave momenta exact; those of a direct solver do.
    pub(super) fn keeps_momentum(&self) -> bool {
        matches!(self, Solver::ConjugateGradients(gradients) if gradients.momentum)
    }

    /// Settings of conjugate gradients of one solve in a step of dt; the direct solver, which has none, ignores them.
    pub(super) fn gradients(&self, dt: f64, strain_energy: Option<f64>) -> linsolve::Settings {
        let gradients = match *self {
            Solver::ConjugateGradients(gradients) => gradients,
            Solver::Direct => ConjugateGradients::default(),
        };
        gradients.settings(dt, strain_energy)
    }
}

impl Default for Solver {
    /// [`ConjugateGradients::default`], as the papers have it.
    fn default() -> Solver {
        Solver::ConjugateGradients(ConjugateGradients::default())
    }
}

/// How conjugate gradients solve a linear system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConjugateGradients {
    /// When they end.
    pub tolerance: Tolerance,
    /// What every residual is multiplied by.
    pub preconditioner: PreconditionerKind,
    /// Initial iterate and stopping rule.
    pub start: Start,
    /// Most iterations; of each component, where the system is decomposed.
    pub iteration_limit: usize,
    /// Whether and how the connected components of the system are solved each by itself \[Boxerman 2003, ch. 6\].
    pub decompose: Option<Decompose>,
    /// Momentum of pieces of cloth that nothing holds: true where a solve leaves it exact, whatever else it leaves wrong. Where nothing
    /// touches such a piece, its residuals have no torque either.
    pub momentum: bool,
}

impl Default for ConjugateGradients {
    /// tol = 0.01 dt, constrained preconditioner, corrected start, 10,000 iterations; not decomposed, nor with momenta exact.
    fn default() -> ConjugateGradients {
        ConjugateGradients {
            tolerance: Tolerance::Step(0.01),
            preconditioner: PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
            start: Start::Corrected,
            iteration_limit: 10_000,
            decompose: None,
            momentum: false,
        }
    }
}

impl ConjugateGradients {
    /// Those that hold for cloth of any size and stiffness: a preconditioner by the matrix, no strain wrong by more than `strain`
    /// \[-\], and momenta exact. By multigrid on a grid solves start from what is prescribed and not from the change found last, which says little of the
    /// next one there; by aggregation and by blocks of the diagonal they start from that change. The stopping rule stays that of the
    /// corrected start.
    pub fn automatic(strain: f64) -> ConjugateGradients {
        let preconditioner = PreconditionerKind::Automatic;
        ConjugateGradients { preconditioner, momentum: true, ..ConjugateGradients::to(Tolerance::Strain(strain)) }
    }

    /// The strain that a solve may leave wrong where nothing is said \[-\]: a bound on the worst spring if the whole error were in it, of
    /// which single springs see a small part.
    pub const STRAIN: f64 = 1e-2;

    /// Those of one solve in a step of dt, of a system whose [`System::strain_energy`](crate::System::strain_energy) is given: what
    /// the estimate of eᵀ A e is to come down to, where a strain is asked for and there is such an energy, is `error` there.
    fn settings(&self, dt: f64, strain_energy: Option<f64>) -> linsolve::Settings {
        let &ConjugateGradients { mut tolerance, start, iteration_limit, .. } = self;
        let error = match (tolerance, strain_energy) {
            (Tolerance::Strain(strain), Some(energy)) => Some(strain * strain * energy),
            (Tolerance::Strain(_), None) => {
                tolerance = Tolerance::Fixed(WITHOUT_STRAIN);
                None
            }
            _ => None,
        };
        linsolve::Settings { start, tolerance_squared: tolerance.squared(dt), error, iteration_limit }
    }

    /// The default ones to another tolerance.
    pub fn to(tolerance: Tolerance) -> ConjugateGradients {
        ConjugateGradients { tolerance, ..ConjugateGradients::default() }
    }
}

/// How often a stage is linearised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Newton {
    /// Once, at the state before the step: the semi-implicit scheme of Baraff & Witkin \[Boxerman 2003, eq. 4.11\].
    #[default]
    Once,
    /// Once, and again where springs, linearised, did not foresee a strain that they resist within the step, of more than `strain` \[-\]:
    /// those that turn are longer than a line has them, and those that were slack may come taut. At most `limit` times.
    Foreseen {
        /// Largest strain that may be left so \[-\].
        strain: f64,
        /// Most iterations.
        limit: usize,
    },
    /// Until the velocities change by less than `tolerance` \[m/s\], at most `limit` times.
    Converged {
        /// Largest change of a velocity at which it ends \[m/s\].
        tolerance: f64,
        /// Most iterations.
        limit: usize,
    },
    /// Until then, as a minimum: from where the state stands each way is halved until the energy whose slope is the equation of the
    /// stage falls \[Stuyck 2018, 6.3\]. A matrix of all terms that is not positive definite gives way to the filtered one. Where a
    /// force has no potential, a coupling is explicit, or solids are met, ways are gone whole.
    Descending {
        /// Largest change of a velocity at which it ends \[m/s\].
        tolerance: f64,
        /// Most iterations.
        limit: usize,
    },
}

impl Newton {
    /// Scenes take this where nothing is said: to a strain that shows, three times what solves may leave wrong.
    pub const WATCHED: Newton = Newton::Foreseen { strain: 3.0 * ConjugateGradients::STRAIN, limit: 5 };

    /// True where iterations go on until changes are small.
    pub fn converges(&self) -> bool {
        matches!(self, Newton::Converged { .. } | Newton::Descending { .. })
    }
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
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 53 bits.
    #[default]
    Double,
    /// Single, refined in double precision: [`GridCg::solve_in_single`](linsolve::grid::GridCg::solve_in_single). An iteration
    /// takes about half the time; what a solve takes besides, to round its matrix and to refine, is worth that of some five
    /// iterations. It pays where a solve has some tens of them, to any tolerance that rounding in double precision allows. Counts
    /// of iterations are not those of double precision: a percent or so apart for one system, anything in runs that a loose
    /// tolerance leaves to chance. So no study that compares counts uses it.
    ///
    /// By multigrid it is the cycles that are in single precision, and nothing is refined. Only for whole systems on a grid with diagonal
    /// blocks, multigrid or no preconditioner; all others are solved in double precision.
    Single,
}

/// Settings of an implicit scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // their types say what they are
pub struct Settings {
    pub solver: Solver,
    pub newton: Newton,
    pub terms: Terms,
    pub form: MatrixForm,
    pub precision: Precision,
    /// Springs that are explicit though their splitting has them implicit; none where there are no cuts.
    pub cuts: Option<Cuts>,
}

impl From<ConjugateGradients> for Settings {
    /// The default ones with this solver.
    fn from(gradients: ConjugateGradients) -> Settings {
        Settings { solver: Solver::ConjugateGradients(gradients), ..Settings::default() }
    }
}

impl Settings {
    /// Newton to the rounding of velocities of order one, with a direct solver: for references and tests of order.
    pub fn converged() -> Settings {
        Settings { solver: Solver::Direct, newton: Newton::Converged { tolerance: 1e-11, limit: 50 }, ..Settings::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_by_hand() {
        let near = |tolerance: Tolerance, squared: f64| (tolerance.squared(0.02) / squared - 1.0).abs() < 1e-15;
        assert!(
            near(Tolerance::Step(0.01), 4e-8) && near(Tolerance::RootOfStep(0.01), 2e-4) && near(Tolerance::Fixed(0.1), 1e-2)
        );
        assert_eq!(ConjugateGradients::default().tolerance, Tolerance::Step(0.01));
    }
}
