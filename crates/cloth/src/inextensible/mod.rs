//! Inextensible cloth \[Goldenthal 2007; Bender 2008\]: edges that keep their length, and methods that make a candidate step keep
//! them, a method per file.
//!
//! A method is a filter between the forces and the collisions of a step: candidate positions come in, positions come out in which
//! no edge is strained beyond a bound. [`Filter`](crate::run::Filter) puts it behind a scheme.

mod accelerations;
mod baumgarte;
mod edge_system;
mod edges;
mod entry;
mod failures;
#[cfg(test)]
mod fixtures;
mod gauss_seidel_limiting;
mod limits;
mod motion;
mod projected_newton;
mod rank;
#[cfg(test)]
#[allow(dead_code, reason = "a recipe of CONTRIBUTING.md that is compiled in place")]
#[path = "../../../../examples/recipes/shuttle.rs"]
mod recipe;
mod report;
mod strain;
mod strips;
mod sweeps;
mod waves;
mod xpbd;

pub use accelerations::{Accelerations, Feedback};
pub use baumgarte::Baumgarte;
pub use edge_system::SystemSize;
pub use edges::{Edge, EdgeConstraints};
pub use entry::MethodEntry;
pub use failures::FailureCase;
pub use gauss_seidel_limiting::GaussSeidelLimiting;
pub use limits::Limits;
pub use motion::residual_of_motion;
pub use rank::rank_of_gradient;
pub use report::{FilterReport, FilterStop, FilterWork};
pub use strain::{Strain, StrainOf};
pub use strips::{Directions, Division, ImpulseStrips, PartWork, Schedule, StripSettings};
pub use xpbd::Xpbd;

use crate::quantity::NonNegative;
use crate::{Memory, Vec3};

/// Constraint methods without parameters of their own, a line each, its file and its type: makes both known, and names them beside
/// the others.
macro_rules! registry {
    ($($file:ident: $method:ident,)*) => {
        $(
            mod $file;
            pub use $file::$method;
        )*

        /// A constraint method by name, with what is its own.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum MethodKind {
            $(
                #[doc = concat!("[`", stringify!($method), "`].")]
                $method,
            )*
            /// [`GaussSeidelLimiting`].
            GaussSeidelLimiting {
                /// What the orders of the sweeps are drawn from.
                seed: u64,
            },
            /// [`Xpbd`].
            Xpbd {
                /// alpha, compliance of an edge \[m/N\].
                compliance: NonNegative,
                /// Sweeps a step, at least one; as a rule one.
                sweeps: u64,
            },
            /// [`Baumgarte`].
            Baumgarte {
                /// alpha, at which lengths are led back \[1/s\].
                rate: NonNegative,
            },
            /// [`Accelerations`].
            Accelerations(Feedback),
            /// [`ImpulseStrips`].
            ImpulseStrips(StripSettings),
        }

        impl MethodKind {
            /// Those without parameters of their own, in the order in which they are listed.
            pub const PLAIN: &[(MethodKind, MethodEntry)] = &[$((MethodKind::$method, $method::ENTRY)),*];

            /// Its name in tables and scene files.
            pub fn name(&self) -> &'static str {
                match self {
                    $(MethodKind::$method => $method::ENTRY.name,)*
                    MethodKind::GaussSeidelLimiting { .. } => "gauss-seidel-limiting",
                    MethodKind::Xpbd { .. } => "xpbd",
                    MethodKind::Baumgarte { .. } => "baumgarte",
                    MethodKind::Accelerations(_) => "linearised-accelerations",
                    MethodKind::ImpulseStrips(_) => "impulse-strips",
                }
            }

            /// The method with the memory for `constraints`.
            pub fn build(&self, constraints: EdgeConstraints, limits: Limits) -> Box<dyn ConstraintMethod> {
                match *self {
                    $(MethodKind::$method => Box::new($method::new(constraints, limits)),)*
                    MethodKind::GaussSeidelLimiting { seed } => Box::new(GaussSeidelLimiting::new(constraints, limits, seed)),
                    MethodKind::Xpbd { compliance, sweeps } => Box::new(Xpbd::new(constraints, limits, compliance, sweeps)),
                    MethodKind::Baumgarte { rate } => Box::new(Baumgarte::new(constraints, limits, rate)),
                    MethodKind::Accelerations(feedback) => Box::new(Accelerations::new(constraints, limits, feedback)),
                    MethodKind::ImpulseStrips(settings) => Box::new(ImpulseStrips::new(constraints, limits, settings)),
                }
            }
        }
    };
}

registry! {
    fast_projection: FastProjection,
    icd: Icd,
    step_and_project: StepAndProject,
    shake: Shake,
    rattle: Rattle,
    linearised: Linearised,
    jacobi_limiting: JacobiLimiting,
    pbd: Pbd,
}

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
    /// Order of accuracy that it leaves to a scheme whose steps it filters, if that has it, where nothing is damped.
    fn order(&self) -> u32 {
        1
    }

    /// The edges, and the masses that they move.
    fn constraints(&self) -> &EdgeConstraints;

    /// Notes velocities `v` \[m/s\], shape \[particle_count\], at the start of a step, where the method acts on accelerations.
    fn begin(&mut self, _v: &[Vec3]) {}

    /// Moves `x` \[m\], which begins as the candidate, until no edge is strained beyond the bound, or as far as the method comes.
    /// After [`FilterStop::Converged`] and [`FilterStop::IterationLimit`] `x` is the last iterate; otherwise it is to be thrown away.
    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport;

    /// Corrects `v` \[m/s\], the velocities that belong to the projected positions `x`, where the method has constraints on
    /// velocities; adds its work to the report.
    fn correct_velocities(&mut self, _step: &Step<'_>, _x: &[Vec3], _v: &mut [Vec3], _report: &mut FilterReport) {}

    /// Writes down, or reads back, what the next step takes from earlier ones: nothing but for methods that draw at random.
    fn remember(&mut self, _memory: &mut Memory) {}

    /// Projects positions `x`, which begin as the candidate, and lets velocities `v`, which begin as those of the candidate,
    /// follow: v += (x - x~) / dt. For a candidate x~ = x_n + dt v~ this is v = (x - x_n) / dt \[Goldenthal 2007, algorithm 1\].
    fn filter(&mut self, step: &Step<'_>, x: &mut [Vec3], v: &mut [Vec3]) -> FilterReport {
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
