//! A case that integrators move in one way and constraint methods in another.

use cloth::inextensible::MethodKind;

use super::super::selection::{Held, Subject};
use super::constrained::methods;
use super::schemes::{Scheme, schemes};

/// How a case is moved.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// By an integrator, under forces alone.
    Integrator(Scheme),
    /// By a constraint method, which keeps edges.
    Edges(MethodKind),
}

impl Way {
    /// Every integrator, then every constraint method.
    pub fn all() -> impl Iterator<Item = Way> {
        schemes().map(Way::Integrator).chain(methods().map(Way::Edges))
    }
}

impl Held for Way {
    fn subject(&self) -> Subject {
        match self {
            Way::Integrator(scheme) => scheme.subject(),
            Way::Edges(method) => Subject::Method([method.name().into(), method.name().into()]),
        }
    }
}
