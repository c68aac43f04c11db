//! The integrators, each with the settings that show its order.

use cloth::integrators::{BogackiShampine, IntegratorEntry, Iterations, ProjectiveDynamics, Sbdf2, entries};
use cloth::projective::Acceleration;
use kit::prelude::*;

use super::super::selection::{Held, Subject};
use super::{Kind, Rung};

/// An integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// One of the registry; of those with linear systems Newton converges, with exact Jacobians.
    Plain(&'static IntegratorEntry),
    /// The pair of orders 3 and 2 with no bound on its error: a part a step.
    BogackiShampine,
    /// SBDF2 with all couplings explicit; with all of them implicit it is BDF2.
    ExplicitSbdf2,
    /// With rho_inf.
    GeneralizedAlpha(f64),
    /// Until it converges, by L-BFGS.
    ProjectiveDynamics,
}

/// No bound on errors \[m\].
const UNBOUNDED: f64 = 1e20;

/// Most iterations of projective dynamics, and pairs of its L-BFGS.
const ITERATIONS: usize = 1000;
const PAIRS: usize = 5;

/// No coupling is implicit.
const EXPLICIT: Splitting = Splitting::Families { stretch: false, shear: false, bend: false };

/// All of them. Schemes that choose parts or couplings by the state are made of these: steps by stretch, IMEX and AIMEX; filters
/// and collisions come behind them.
pub fn schemes() -> impl Iterator<Item = Scheme> {
    let others = [Scheme::BogackiShampine, Scheme::ExplicitSbdf2];
    let damped = [0.0, 0.5, 1.0].map(Scheme::GeneralizedAlpha);
    entries().map(Scheme::Plain).chain(others).chain(damped).chain([Scheme::ProjectiveDynamics])
}

impl Scheme {
    /// Its name in the tables.
    pub fn name(self) -> String {
        match self {
            Scheme::Plain(entry) => entry.label.into(),
            Scheme::BogackiShampine => "Bogacki-Shampine".into(),
            Scheme::ExplicitSbdf2 => "SBDF2, explicit".into(),
            Scheme::GeneralizedAlpha(rho_inf) => format!("generalized-alpha {rho_inf}"),
            Scheme::ProjectiveDynamics => "projective dynamics".into(),
        }
    }

    /// Its name in scene files.
    fn key(self) -> &'static str {
        match self {
            Scheme::Plain(entry) => entry.name,
            Scheme::BogackiShampine => "bogacki-shampine",
            Scheme::ExplicitSbdf2 => "sbdf2",
            Scheme::GeneralizedAlpha(_) => "generalized-alpha",
            Scheme::ProjectiveDynamics => ProjectiveDynamics::NAME,
        }
    }

    /// Whether steps have to resolve the highest frequency.
    pub fn is_explicit(self) -> bool {
        match self {
            Scheme::Plain(entry) => !entry.is_implicit() || entry.name == "implicit-damping",
            Scheme::BogackiShampine | Scheme::ExplicitSbdf2 => true,
            Scheme::GeneralizedAlpha(_) | Scheme::ProjectiveDynamics => false,
        }
    }

    /// The integrator, whose iterations end where velocities change by less than `tolerance` \[m/s\].
    ///
    /// # Errors
    /// A parameter outside its range.
    pub fn integrator(self, system: &dyn System, tolerance: f64) -> Result<Box<dyn Integrator>, ModelError> {
        let newton = Newton::Converged { tolerance, limit: 50 };
        let settings = Settings { newton, terms: Terms::Exact, ..Settings::converged() };
        Ok(match self {
            Scheme::Plain(entry) => entry.integrator(system, settings),
            Scheme::BogackiShampine => {
                let range = "a tolerance";
                let out = |_| ModelError::OutOfRange { quantity: "the bound of an error", range, value: UNBOUNDED };
                Box::new(BogackiShampine::new(system.particle_count(), Positive::try_from(UNBOUNDED).map_err(out)?))
            }
            Scheme::ExplicitSbdf2 => Box::new(Sbdf2::new(system, settings, EXPLICIT)),
            Scheme::GeneralizedAlpha(rho_inf) => {
                Box::new(GeneralizedAlpha::new(system, settings, DissipationLimit::new(rho_inf)?))
            }
            Scheme::ProjectiveDynamics => {
                let acceleration = Acceleration::QuasiNewton { pairs: PAIRS };
                let iterations = Iterations { limit: ITERATIONS, tolerance: Some(tolerance), acceleration };
                Box::new(ProjectiveDynamics::new(system, iterations))
            }
        })
    }

    /// Rungs of it begin so: a case, and the highest order that can show there.
    pub fn rung(self, case: &str, system: &dyn System, highest: u32) -> Rung {
        let order = self.integrator(system, 1.0).map_or(0, |scheme| scheme.order());
        Rung { case: case.into(), kind: Kind::Integrator, method: self.name(), expected: order.min(highest), ..Rung::default() }
    }
}

impl Held for Scheme {
    fn subject(&self) -> Subject {
        Subject::Method([self.key().into(), self.name()])
    }
}

/// What went wrong on the way of an integrator.
pub fn trouble(scheme: &dyn Integrator) -> Option<String> {
    let Work { newton_limited, indefinite, .. } = scheme.work();
    let counts = [(newton_limited, "Newton iterations did not converge"), (indefinite, "matrices were not definite")];
    let words: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}
