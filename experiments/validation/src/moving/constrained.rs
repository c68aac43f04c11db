//! The constraint methods, each behind a scheme that leaves them their order.

use cloth::inextensible::{Baumgarte, Division, Edge, Method, StripSettings};
use cloth::integrators::ImplicitDamping;
use kit::prelude::*;

use super::{Kind, Outcome, Rung};

/// What the orders of Gauss-Seidel's sweeps are drawn from.
const SEED: u64 = 1;

/// Permissible strain \[-\].
const STRAIN: f64 = 1e-11;

/// Most linear systems, and most sweeps, of a step.
const SOLVES: u64 = 50;
const SWEEPS: u64 = 300;

/// All of them. XPBD without compliance, a sweep a step; impulse strips on the whole tree of edges.
pub fn methods() -> impl Iterator<Item = Method> {
    let strips = StripSettings {
        division: Division::Forests,
        directions: Directions::Preview,
        velocities: None,
        schedule: Schedule::Serial,
    };
    let others = [
        Method::GaussSeidelLimiting { seed: SEED },
        Method::Xpbd { compliance: NonNegative::ZERO, sweeps: 1 },
        Method::Baumgarte { rate: Baumgarte::RATE },
        Method::ImpulseStrips(strips),
    ];
    Method::PLAIN.iter().map(|(method, _)| *method).chain(others)
}

/// Whether a method sweeps over the edges; others solve linear systems of all of them.
fn sweeps(method: Method) -> bool {
    let plain = Method::PLAIN.iter().find(|(other, _)| *other == method);
    plain.map_or(!matches!(method, Method::Baumgarte { .. }), |(_, entry)| entry.iterations == cloth::inextensible::Entry::SWEEPS)
}

/// A method that keeps `edges` among the particles of a `system`, behind FB Euler as in \[Goldenthal 2007\], or behind central
/// differences where the method has an order to leave to them.
///
/// # Errors
/// Edges that mean nothing.
pub fn filtered(method: Method, system: &dyn System, edges: &[Edge]) -> Result<Filtered, Invalid> {
    let constraints = EdgeConstraints::new(edges, system.masses(), system.pinned())?;
    let limits = Limits::new(STRAIN, if sweeps(method) { SWEEPS } else { SOLVES })?;
    let method = method.build(constraints, limits);
    let forces: Box<dyn Integrator> = match method.order() {
        1 => Box::new(ForwardBackwardEuler::new(system.particle_count())),
        _ => Box::new(ImplicitDamping::new(system, Settings::converged())),
    };
    Ok(Filtered::new(forces, method))
}

/// Rungs of a method begin so: a case, and the highest order that can show there.
pub fn rung(method: Method, case: &str, scheme: Result<Filtered, Invalid>, highest: u32) -> Rung {
    let expected = scheme.map_or(0, |scheme| scheme.order()).min(highest);
    Rung { case: case.into(), kind: Kind::ConstraintMethod, method: method.name().into(), expected, ..Rung::default() }
}

/// An outcome, with what the method says of its steps.
pub fn told(scheme: &Filtered, outcome: Outcome) -> Outcome {
    let (work, last) = (scheme.filter_work(), scheme.last());
    let limited =
        (work.limited > 0).then(|| format!("{} of {} steps ended beyond the bound of strain", work.limited, work.steps));
    Outcome { stop: (!last.stop.is_usable()).then(|| last.stop.name()), reason: limited, ..outcome }
}
