use super::Integrator;
use crate::System;
use crate::contact::{Contacts, Repulsion};
use crate::implicit::Settings;

/// A scheme without parameters of its own, as scenes, their documentation, studies that compare schemes, and tests know it.
#[derive(Clone, Copy, Debug)]
pub struct IntegratorEntry {
    /// Its name in scene files.
    pub name: &'static str,
    /// Its name in tables and charts.
    pub label: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Whether a step starts from one state alone: constraint methods can then filter it.
    pub one_step: bool,
    /// x and v after its first step, of 0.1 s, of x'' = -4 x - 2 x' from (1, 0.5), by hand.
    pub first_step: [f64; 2],
    /// How it is made.
    pub make: Make,
}

/// How a scheme is made, by what it needs.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// An explicit one, for so many particles.
    Explicit(fn(usize) -> Box<dyn Integrator>),
    /// One with linear systems, for a system of that size and those couplings.
    Implicit(fn(&dyn System, Settings) -> Box<dyn Integrator>),
    /// One that also meets solids, and under which cloth repels itself.
    WithContacts(MakeWithContacts),
}

type MakeWithContacts = fn(&dyn System, Settings, Option<Contacts>, Option<Repulsion>) -> Box<dyn Integrator>;

impl IntegratorEntry {
    /// The scheme with the memory for `system`; `settings` are of its linear systems, if it has any.
    pub fn integrator(&self, system: &dyn System, settings: Settings) -> Box<dyn Integrator> {
        match self.make {
            Make::Explicit(make) => make(system.particle_count()),
            Make::Implicit(make) => make(system, settings),
            Make::WithContacts(make) => make(system, settings, None, None),
        }
    }

    /// Whether it solves linear systems.
    pub fn is_implicit(&self) -> bool {
        !matches!(self.make, Make::Explicit(_))
    }
}

impl PartialEq for IntegratorEntry {
    fn eq(&self, other: &IntegratorEntry) -> bool {
        self.name == other.name
    }
}
