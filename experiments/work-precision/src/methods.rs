//! The integrators that are compared.

use cloth::implicit::{ConjugateGradients, Newton, Settings, Splitting, Tolerance};
use cloth::integrators::{
    BackwardEuler, Bdf2, DissipationLimit, ForwardBackwardEuler, ForwardEuler, GeneralizedAlpha, ImplicitMidpoint, Integrator,
    IntegratorEntry, Iterations, PLAIN, ProjectiveDynamics, Rk4, Sbdf2,
};
use cloth::oscillator::Oscillator;
use cloth::projective::Acceleration;
use cloth::run::{Adaptation, Stepper};
use cloth::{ModelError, System, Terms};

use super::scenes::Scene;

/// The scheme of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// One of the registry.
    Plain(&'static IntegratorEntry),
    /// FB Euler with steps by stretch.
    ForwardBackwardByStretch,
    BackwardEuler(Splitting),
    /// Backward Euler with steps by stretch.
    BackwardByStretch,
    Sbdf2(Splitting),
    /// With rho_inf.
    GeneralizedAlpha(f64),
    /// Backward Euler whose Newton iterations descend.
    Descending,
    /// Ten iterations a step, or as many as it takes to converge.
    ProjectiveDynamics(Acceleration),
}

/// How accurately a linear system is solved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Solves {
    /// So that what is left does not show beside the error of the scheme.
    Tight,
    /// To the tolerance of the thesis.
    Usual,
}

/// Which Jacobians a scheme linearises with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Jacobians {
    /// Positive semidefinite whatever the state.
    Filtered,
    /// As exact as the scene allows, see [`Scene::exact`].
    Exact,
}

/// An integrator with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Its name in the tables.
    pub name: &'static str,
    pub scheme: Scheme,
    /// Whether Newton's method is iterated.
    pub converged: bool,
    pub jacobians: Jacobians,
    /// How linear systems are solved.
    pub solves: Solves,
}

/// Residual over dt² at which a linear system is solved \[1/s²\], relative to its right side in the norm of the preconditioner:
/// the dv of a step is then wrong by about dt² of itself, less than a scheme of order 2 is.
const TIGHT: f64 = 0.1;

/// Residual at which a linear system is solved where Newton is iterated, for all steps, since its next iteration corrects what is
/// left \[-\].
const WITHIN_NEWTON: f64 = 1e-4;

/// c of tol = c dt \[1/s\], the default.
const USUAL: f64 = 0.01;

/// Change of velocities over dt³ at which Newton's method ends \[m/s⁴\], the least such change \[m/s\], and its most iterations:
/// an error of order 2 in a step is of order dt³.
const NEWTON: f64 = 1.0;
const NEWTON_LEAST: f64 = 1e-10;
const NEWTON_LIMIT: usize = 30;

/// Most iterations of conjugate gradients.
const ITERATIONS: usize = 3000;

/// Springs to the nearest neighbours implicit, the rest explicit.
const STRETCH: Splitting = Splitting::Families { stretch: true, shear: false, bend: false };

const fn method(name: &'static str, scheme: Scheme) -> Method {
    Method { name, scheme, converged: false, jacobians: Jacobians::Filtered, solves: Solves::Tight }
}

const fn plain(entry: &'static IntegratorEntry) -> Method {
    method(entry.label, Scheme::Plain(entry))
}

const BACKWARD: Method = plain(&BackwardEuler::ENTRY);
const BDF2: Method = plain(&Bdf2::ENTRY);
const MIDPOINT: Method = plain(&ImplicitMidpoint::ENTRY);
const AIMEX: Scheme = Scheme::BackwardEuler(Splitting::Adaptive { threshold: 0.2, bend: false });
const ADAPTIVE_SBDF2: Scheme = Scheme::Sbdf2(Splitting::AdaptiveSecondOrder { modal_factor: 20.0 });

impl Method {
    const fn called(self, name: &'static str) -> Method {
        Method { name, ..self }
    }

    const fn exact(self) -> Method {
        Method { jacobians: Jacobians::Exact, ..self }
    }

    const fn converged(self) -> Method {
        Method { converged: true, ..self }
    }

    const fn usual(self) -> Method {
        Method { solves: Solves::Usual, ..self }
    }
}

/// Those that the tables begin with, in their order. What follows a comma is a variant of what stands before it.
pub const FIRST: &[Method] = &[
    plain(&ForwardEuler::ENTRY),
    plain(&ForwardBackwardEuler::ENTRY),
    method("FB Euler, steps by stretch", Scheme::ForwardBackwardByStretch),
    plain(&Rk4::ENTRY),
    method("IMEX", Scheme::BackwardEuler(STRETCH)),
    method("AIMEX", AIMEX),
    method("AIMEX, c = 0.01", AIMEX).usual(),
    method("SBDF2, fixed, exact", Scheme::Sbdf2(STRETCH)).exact(),
    method("SBDF2, exact", ADAPTIVE_SBDF2).exact(),
    method("SBDF2, exact, c = 0.01", ADAPTIVE_SBDF2).exact().usual(),
    BACKWARD,
    BACKWARD.called("backward Euler, c = 0.01").usual(),
    BACKWARD.called("backward Euler, exact").exact(),
    BACKWARD.called("backward Euler, converged").converged(),
    method("backward Euler, steps by stretch", Scheme::BackwardByStretch),
    BDF2,
    BDF2.called("BDF2, exact").exact(),
    BDF2.called("BDF2, exact, c = 0.01").exact().usual(),
    BDF2.called("BDF2, exact, converged").exact().converged(),
    MIDPOINT,
    MIDPOINT.called("midpoint, exact").exact(),
    MIDPOINT.called("midpoint, exact, c = 0.01").exact().usual(),
    MIDPOINT.called("midpoint, converged").converged(),
    CHECK,
    method("generalized-alpha 0", Scheme::GeneralizedAlpha(0.0)),
    method("generalized-alpha 0, exact", Scheme::GeneralizedAlpha(0.0)).exact(),
    method("generalized-alpha 0, exact, converged", Scheme::GeneralizedAlpha(0.0)).exact().converged(),
    method("generalized-alpha 0.5, exact", Scheme::GeneralizedAlpha(0.5)).exact(),
    method("generalized-alpha 0.5, exact, c = 0.01", Scheme::GeneralizedAlpha(0.5)).exact().usual(),
    method("generalized-alpha 0.5, exact, converged", Scheme::GeneralizedAlpha(0.5)).exact().converged(),
    method("generalized-alpha 0.9, exact, converged", Scheme::GeneralizedAlpha(0.9)).exact().converged(),
    method("generalized-alpha 1, exact", Scheme::GeneralizedAlpha(1.0)).exact(),
    method("generalized-alpha 1, exact, converged", Scheme::GeneralizedAlpha(1.0)).exact().converged(),
];

/// The other scheme that references are checked against.
pub const CHECK: Method = MIDPOINT.called("midpoint, exact, converged").exact().converged();

/// The other explicit schemes of the registry. Their runs come last, so that the numbers of all other sets stay what they are.
pub fn others() -> impl Iterator<Item = Method> {
    let explicit = PLAIN.iter().filter(|entry| !entry.is_implicit()).map(plain);
    explicit.filter(|method| FIRST.iter().all(|first| first.scheme != method.scheme))
}

/// Backward Euler as a minimum: Newton with a line search, and projective dynamics. Their runs come after those of [`FIRST`].
pub const MINIMISERS: &[Method] = &[
    method("backward Euler, line search", Scheme::Descending).exact().converged(),
    method("projective dynamics", Scheme::ProjectiveDynamics(Acceleration::None)),
    method("projective dynamics, L-BFGS", Scheme::ProjectiveDynamics(Acceleration::QuasiNewton { pairs: 5 })),
    method("projective dynamics, L-BFGS, converged", Scheme::ProjectiveDynamics(Acceleration::QuasiNewton { pairs: 5 }))
        .converged(),
];

/// Most iterations of projective dynamics where it is to converge.
const LOCAL_GLOBAL_LIMIT: usize = 1000;

/// All of them.
pub fn methods() -> impl Iterator<Item = Method> {
    FIRST.iter().chain(MINIMISERS).copied().chain(others())
}

impl Method {
    /// The order that it should show where forces are smooth: a scheme of order 2 that linearises once, and not exactly, is of
    /// order 1.
    pub fn order(&self) -> u32 {
        let declared = match self.scheme {
            Scheme::Plain(entry) => entry.integrator(&Oscillator::with_damping_ratio(1.0, 0.0), Settings::default()).order(),
            Scheme::Sbdf2(_) | Scheme::GeneralizedAlpha(_) => 2,
            Scheme::ForwardBackwardByStretch | Scheme::BackwardEuler(_) | Scheme::BackwardByStretch => 1,
            Scheme::Descending | Scheme::ProjectiveDynamics(_) => 1,
        };
        let is_explicit = matches!(self.scheme, Scheme::Plain(entry) if !entry.is_implicit());
        if is_explicit || self.converged || self.jacobians == Jacobians::Exact { declared } else { 1 }
    }

    /// Whether it differs in a scene from the schemes that it is made of.
    pub fn suits(&self, scene: &Scene) -> bool {
        match &self.scheme {
            Scheme::BackwardEuler(splitting) | Scheme::Sbdf2(splitting) => scene.is_split_by(splitting),
            Scheme::Descending => scene.has_potential(),
            _ => true,
        }
    }

    /// Whether its own work counts all evaluations of forces.
    pub fn counts_forces(&self) -> bool {
        matches!(self.scheme, Scheme::ProjectiveDynamics(_))
    }

    /// Change of velocities at which iterations end in steps of `dt` \[m/s\].
    fn enough(dt: f64) -> f64 {
        (NEWTON * dt * dt * dt).max(NEWTON_LEAST)
    }

    /// Settings of an implicit scheme at a step of `dt` \[s\].
    fn settings(&self, scene: &Scene, dt: f64) -> Settings {
        let residual = if self.converged { WITHIN_NEWTON } else { TIGHT * dt * dt };
        let tolerance = match self.solves {
            Solves::Tight => Tolerance::Fixed(residual),
            Solves::Usual => Tolerance::Step(USUAL),
        };
        let gradients = ConjugateGradients { iteration_limit: ITERATIONS, ..ConjugateGradients::to(tolerance) };
        let newton = match self.converged {
            true if self.scheme == Scheme::Descending => {
                Newton::Descending { tolerance: Method::enough(dt), limit: NEWTON_LIMIT }
            }
            true => Newton::Converged { tolerance: Method::enough(dt), limit: NEWTON_LIMIT },
            false => Newton::Once,
        };
        let terms = match self.jacobians {
            Jacobians::Filtered => Terms::Filtered,
            Jacobians::Exact => scene.exact,
        };
        Settings { newton, terms, ..Settings::from(gradients) }
    }

    /// What takes its steps of `dt` \[s\].
    ///
    /// # Errors
    /// A parameter outside its range.
    pub fn stepper(&self, scene: &Scene, dt: f64) -> Result<Stepper, ModelError> {
        let (system, settings): (&dyn System, Settings) = (scene.system(), self.settings(scene, dt));
        let count = system.particle_count();
        let scheme: Box<dyn Integrator> = match self.scheme {
            Scheme::Plain(entry) => entry.integrator(system, settings),
            Scheme::ForwardBackwardByStretch => Box::new(ForwardBackwardEuler::new(count)),
            Scheme::BackwardEuler(splitting) => Box::new(BackwardEuler::split(system, settings, splitting)),
            Scheme::Descending | Scheme::BackwardByStretch => Box::new(BackwardEuler::new(system, settings)),
            Scheme::ProjectiveDynamics(acceleration) => {
                let iterations = match self.converged {
                    true => Iterations { limit: LOCAL_GLOBAL_LIMIT, tolerance: Some(Method::enough(dt)), acceleration },
                    false => Iterations { acceleration, ..Iterations::default() },
                };
                Box::new(ProjectiveDynamics::new(system, iterations))
            }
            Scheme::Sbdf2(splitting) => Box::new(Sbdf2::new(system, settings, splitting)),
            Scheme::GeneralizedAlpha(rho_inf) => {
                Box::new(GeneralizedAlpha::new(system, settings, DissipationLimit::new(rho_inf)?))
            }
        };
        let stepper = Stepper::new(scheme);
        Ok(match self.scheme {
            Scheme::ForwardBackwardByStretch | Scheme::BackwardByStretch => {
                stepper.adapted(Adaptation::new(scene.stretch, count))
            }
            _ => stepper,
        })
    }
}
