use super::{Integrator, IntegratorEntry, Make};
use crate::contact::{Contacts, Repulsion};
use crate::implicit::{Settings, SolvedSystem, Splitting, Stage, Weights, Work};
use crate::{Memory, State, System};

/// Backward Euler: with one Newton step the semi-implicit scheme of Baraff & Witkin \[Boxerman 2003, eq. 4.11\], with more the
/// nonlinear one (4.9). With a splitting it becomes the implicit-explicit scheme (4.13), or the adaptive one of 4.4.
pub struct BackwardEuler {
    stage: Stage,
    splitting: Splitting,
    repulsion: Option<Repulsion>,
}

impl BackwardEuler {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "backward-euler",
        label: "backward Euler",
        about: "all springs implicit",
        one_step: true,
        first_step: [1.0 + 0.5 / 62.0, 5.0 / 62.0], // v' = (v - 0.4) / 1.24, x + 0.1 v'
        make: Make::WithContacts(|system, settings, contacts, repulsion| {
            Box::new(BackwardEuler::new(system, settings).touching(contacts, repulsion))
        }),
    };

    /// For a system of the size and the couplings of `system`, all implicit.
    pub fn new(system: &dyn System, settings: Settings) -> BackwardEuler {
        BackwardEuler::split(system, settings, Splitting::Implicit)
    }

    /// With a splitting: IMEX by family, or AIMEX per spring and step.
    pub fn split(system: &dyn System, settings: Settings, splitting: Splitting) -> BackwardEuler {
        BackwardEuler { stage: Stage::new(system, settings), splitting, repulsion: None }
    }

    /// This scheme with solids to meet and cloth that repels itself, as far as there are any.
    pub fn touching(mut self, contacts: Option<Contacts>, repulsion: Option<Repulsion>) -> BackwardEuler {
        self.stage.contacts = contacts;
        self.repulsion = repulsion;
        self
    }

    /// This scheme with solids to collide with.
    pub fn with_contacts(mut self, contacts: Contacts) -> BackwardEuler {
        self.stage.contacts = Some(contacts);
        self
    }

    /// This scheme with cloth that repels itself: explicit forces at the start of a step.
    pub fn with_repulsion(mut self, repulsion: Repulsion) -> BackwardEuler {
        self.repulsion = Some(repulsion);
        self
    }

    /// Which couplings were implicit in the last step.
    pub fn implicit(&self) -> &[bool] {
        &self.stage.implicit
    }

    /// Groups of the particles in the last linear system, if that was decomposed: 0 for those that were fully constrained,
    /// otherwise the number of the component, from 1 in the order of their first particles.
    pub fn groups(&self) -> Option<&[u32]> {
        self.stage.groups()
    }
}

impl Integrator for BackwardEuler {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.stage.split(system, &self.splitting, dt, state);
        if let Some(repulsion) = &mut self.repulsion {
            repulsion.add_forces(dt, system.masses(), &state.x, &state.v, &mut self.stage.explicit);
        }
        self.stage.solve(system, dt, Weights::equal(dt), None, state); // X = x_n, V = v_n, h = dt
    }

    fn reject(&mut self) {
        self.stage.reject();
    }

    fn remember(&mut self, memory: &mut Memory) {
        self.stage.remember(memory);
    }

    fn contacts(&self) -> Option<&Contacts> {
        self.stage.contacts.as_ref()
    }

    fn repulsion(&self) -> Option<&Repulsion> {
        self.repulsion.as_ref()
    }

    fn work(&self) -> Work {
        self.stage.work
    }

    /// W dv = dt (f + dt K v) \[Boxerman 2003, eq. 4.11\] with its constraints.
    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.stage.last_system()
    }
}
