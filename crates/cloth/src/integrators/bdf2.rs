use super::{Entry, Integrator, Make, Sbdf2};
use crate::implicit::{Settings, SolvedSystem, Splitting, Work};
use crate::{State, System};

/// The two-step backward differentiation formula, 3/2 y_{n+1} - 2 y_n + 1/2 y_{n-1} = dt phi_{n+1} \[Boxerman 2003, 4.2.1\], started
/// by backward Euler: [`Sbdf2`] with every coupling implicit. Steps must be equal.
pub struct Bdf2(Sbdf2);

impl Bdf2 {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        name: "bdf2",
        label: "BDF2",
        about: "second order with newton",
        one_step: false,
        first_step: [1.0 + 0.5 / 62.0, 5.0 / 62.0], // a step of backward Euler
        make: Make::Implicit(|system, settings| Box::new(Bdf2::new(system, settings))),
    };

    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings) -> Bdf2 {
        Bdf2(Sbdf2::new(system, settings, Splitting::Implicit))
    }

    /// Takes `before` for the state one step before the next one, in place of what it remembers.
    pub fn follow(&mut self, before: &State) {
        self.0.follow(before);
    }
}

impl Integrator for Bdf2 {
    fn order(&self) -> u32 {
        self.0.order()
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.0.step(system, dt, state);
    }

    fn restart(&mut self) {
        self.0.restart();
    }

    fn reject(&mut self) {
        self.0.reject();
    }

    fn work(&self) -> Work {
        self.0.work()
    }

    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.0.last_system()
    }
}
