//! Inextensible cloth \[Goldenthal 2007; Bender 2008\]: edges that keep their length, and methods that make a candidate step keep
//! them, a method per file.
//!
//! A method is a filter between the forces and the collisions of a step: candidate positions come in, positions come out in which
//! no edge is strained beyond a bound. [`Filtered`](crate::integrators::Filtered) puts it behind a scheme.

mod edge_system;
mod edges;
mod failures;
mod fast_projection;
#[cfg(test)]
mod fixtures;
mod gauss_seidel_limiting;
mod icd;
mod jacobi_limiting;
mod limits;
mod linearised;
mod method;
mod motion;
mod pbd;
mod projected_newton;
mod rank;
mod report;
mod shake;
mod step_and_project;
mod strain;
mod strips;
mod sweeps;
mod waves;
mod xpbd;

pub use edge_system::SystemSize;
pub use edges::{Edge, EdgeConstraints};
pub use failures::FailureCase;
pub use fast_projection::FastProjection;
pub use gauss_seidel_limiting::GaussSeidelLimiting;
pub use icd::Icd;
pub use jacobi_limiting::JacobiLimiting;
pub use limits::Limits;
pub use linearised::Linearised;
pub use method::Method;
pub use motion::residual_of_motion;
pub use pbd::Pbd;
pub use rank::rank_of_gradient;
pub use report::{FilterWork, Report, Stop};
pub use shake::Shake;
pub use step_and_project::StepAndProject;
pub use strain::{Strain, StrainOf};
pub use strips::{Directions, Division, ImpulseStrips, PartWork, Schedule, StripSettings};
pub use xpbd::Xpbd;

use crate::Vec3;

/// A step that is to be filtered; all shapes \[particle_count\].
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// dt \[s\], > 0.
    pub dt: f64,
    /// Positions at the start of the step x_n \[m\].
    pub start: &'a [Vec3],
    /// Candidate positions x~ at its end \[m\]: where forces alone lead.
    pub candidate: &'a [Vec3],
}

/// A method that makes steps keep the length of edges, with the memory that it needs.
pub trait ConstraintMethod: Send {
    /// The edges, and the masses that they move.
    fn constraints(&self) -> &EdgeConstraints;

    /// Moves `x` \[m\], which begins as the candidate, until no edge is strained beyond the bound, or as far as the method comes.
    /// After [`Stop::Converged`] and [`Stop::IterationLimit`] `x` is the last iterate; otherwise it is to be thrown away.
    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> Report;

    /// Corrects `v` \[m/s\], the velocities that belong to the projected positions `x`, where the method has constraints on
    /// velocities; adds its work to the report.
    fn correct_velocities(&mut self, _step: &Step<'_>, _x: &[Vec3], _v: &mut [Vec3], _report: &mut Report) {}

    /// Projects positions `x`, which begin as the candidate, and lets velocities `v`, which begin as those of the candidate, follow:
    /// v += (x - x~) / dt. For a candidate x~ = x_n + dt v~ this is v = (x - x_n) / dt \[Goldenthal 2007, algorithm 1\].
    fn filter(&mut self, step: &Step<'_>, x: &mut [Vec3], v: &mut [Vec3]) -> Report {
        let mut report = self.project(step, x);
        for ((v, x), candidate) in v.iter_mut().zip(&*x).zip(step.candidate) {
            *v += (x - candidate) / step.dt;
        }
        if report.stop.is_usable() {
            self.correct_velocities(step, x, v, &mut report);
        }
        report
    }
}
