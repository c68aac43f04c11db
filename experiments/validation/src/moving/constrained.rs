//! The constraint methods, each behind a scheme that leaves them their order.

use cloth::inextensible::{Baumgarte, Division, Edge, MethodKind, StripSettings};
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
pub fn methods() -> impl Iterator<Item = MethodKind> {
    let strips = StripSettings {
        division: Division::Forests,
        directions: Directions::Preview,
        velocities: None,
        schedule: Schedule::Serial,
    };
    let others = [
        MethodKind::GaussSeidelLimiting { seed: SEED },
        MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 1 },
        MethodKind::Baumgarte { rate: Baumgarte::RATE },
        MethodKind::ImpulseStrips(strips),
    ];
    MethodKind::PLAIN.iter().map(|(method, _)| *method).chain(others)
}

/// Whether a method sweeps over the edges; others solve linear systems of all of them.
fn sweeps(method: MethodKind) -> bool {
    let plain = MethodKind::PLAIN.iter().find(|(other, _)| *other == method);
    plain.map_or(!matches!(method, MethodKind::Baumgarte { .. }), |(_, entry)| {
        entry.iterations == cloth::inextensible::MethodEntry::SWEEPS
    })
}

/// A method that keeps `edges` among the particles of a `system`, behind FB Euler as in \[Goldenthal 2007\], or behind central
/// differences where the method has an order to leave to them.
///
/// # Errors
/// Edges that mean nothing.
pub fn filtered(method: MethodKind, system: &dyn System, edges: &[Edge]) -> Result<Stepper, ModelError> {
    let constraints = EdgeConstraints::new(edges, system.masses(), system.pinned())?;
    let limits = Limits::new(STRAIN, if sweeps(method) { SWEEPS } else { SOLVES })?;
    let method = method.build(constraints, limits);
    let forces: Box<dyn Integrator> = match method.order() {
        1 => Box::new(ForwardBackwardEuler::new(system.particle_count())),
        _ => Box::new(ImplicitDamping::new(system, Settings::converged())),
    };
    Ok(Stepper::new(forces).filtered(Filter::new(method)))
}

/// Rungs of a method begin so: a case, and the highest order that can show there.
pub fn rung(method: MethodKind, case: &str, stepper: Result<Stepper, ModelError>, highest: u32) -> Rung {
    let expected = stepper.map_or(0, |stepper| stepper.order()).min(highest);
    Rung { case: case.into(), kind: Kind::ConstraintMethod, method: method.name().into(), expected, ..Rung::default() }
}

/// An outcome, with what the method says of its steps.
pub fn told(stepper: &Stepper, outcome: Outcome) -> Outcome {
    let Some(filter) = stepper.filter() else { return outcome };
    let (work, last) = (filter.filter_work(), filter.last());
    let limited =
        (work.limited > 0).then(|| format!("{} of {} steps ended beyond the bound of strain", work.limited, work.steps));
    Outcome { stop: (!last.stop.is_usable()).then(|| last.stop.into()), reason: limited, ..outcome }
}
