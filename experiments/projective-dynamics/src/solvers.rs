//! What solves a step of backward Euler, iteration by iteration.

use cloth::integrators::{Iterations, ProjectiveDynamics};
use cloth::projective::Acceleration;
use kit::method_colors;
use kit::prelude::*;

words! {
    /// A way to solve a step.
    pub enum Way {
        /// Local and global steps in turn.
        LocalGlobal = "local-global",
        /// With Chebyshev's weights.
        Chebyshev = "Chebyshev",
        /// L-BFGS about the matrix of the global step.
        QuasiNewton = "L-BFGS",
        /// Newton with a line search, filtered matrices, factored.
        Filtered = "Newton, filtered",
        /// Newton with a line search, all terms while the matrix is positive definite, factored.
        Exact = "Newton, exact",
        /// Newton with a line search, filtered matrices, conjugate gradients to a tenth.
        Inexact = "Newton, inexact",
    }
}

/// What is asked of conjugate gradients within Newton, over the right side \[-\].
const INEXACT: f64 = 0.1;
/// Spectral radius of Chebyshev's weights \[-\] and pairs of L-BFGS, those of the scenes.
const RHO: f64 = 0.9;
const PAIRS: usize = 5;
/// A change of velocities at which no way ends \[m/s\]: iterations are counted.
const NEVER: f64 = 1e-300;

impl Way {
    /// Whether it is one of projective dynamics.
    pub fn is_projective(self) -> bool {
        matches!(self, Way::LocalGlobal | Way::Chebyshev | Way::QuasiNewton)
    }

    /// Its colour.
    pub fn color(self) -> Color {
        method_colors::color(self.name())
    }

    /// It with so many iterations in each step.
    pub fn with(self, cloth: &dyn System, limit: usize) -> Box<dyn Integrator> {
        let projective = |acceleration| -> Box<dyn Integrator> {
            Box::new(ProjectiveDynamics::new(cloth, Iterations { limit, tolerance: None, acceleration }))
        };
        let newton = |solver: Solver, terms: Terms| -> Box<dyn Integrator> {
            let newton = Newton::Descending { tolerance: NEVER, limit };
            Box::new(BackwardEuler::new(cloth, Settings { solver, newton, terms, ..Settings::default() }))
        };
        match self {
            Way::LocalGlobal => projective(Acceleration::None),
            Way::Chebyshev => projective(Acceleration::Chebyshev { rho: RHO }),
            Way::QuasiNewton => projective(Acceleration::QuasiNewton { pairs: PAIRS }),
            Way::Filtered => newton(Solver::Direct, Terms::Filtered),
            Way::Exact => newton(Solver::Direct, Terms::Exact),
            Way::Inexact => {
                newton(Solver::ConjugateGradients(ConjugateGradients::to(Tolerance::Fixed(INEXACT))), Terms::Filtered)
            }
        }
    }

    /// Iterations after which it is looked at: every one of the first, then each a quarter more than the one before up to a most of
    /// local and global steps, and half more up to a twentieth of that for Newton.
    pub fn looks(self, most: usize) -> impl Iterator<Item = usize> {
        let (quarters, most) = if self.is_projective() { (5, most) } else { (6, (most / 20).max(1)) };
        std::iter::successors(Some(1_usize), move |n| Some((n + 1).max(n * quarters / 4))).take_while(move |n| *n <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_dense_at_first_and_end_at_the_most() {
        let looks: Vec<usize> = Way::LocalGlobal.looks(30).collect();
        assert_eq!(looks, [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27]);
        assert_eq!(Way::Exact.looks(400).collect::<Vec<_>>(), [1, 2, 3, 4, 6, 9, 13, 19]);
    }
}
