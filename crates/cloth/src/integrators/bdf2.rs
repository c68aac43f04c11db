use super::{IntegratorEntry, Make, Sbdf2};
use crate::System;
use crate::implicit::{Settings, Splitting};

/// The two-step backward differentiation formula, 3/2 y_{n+1} - 2 y_n + 1/2 y_{n-1} = dt phi_{n+1} \[Boxerman 2003, 4.2.1\],
/// started by backward Euler: [`Sbdf2`] with every coupling implicit, which is what [`Bdf2::new`] makes. Steps must be equal.
#[derive(Clone, Copy, Debug)]
pub enum Bdf2 {}

impl Bdf2 {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "bdf2",
        label: "BDF2",
        about: "second order with newton",
        one_step: false,
        first_step: [1.0 + 0.5 / 62.0, 5.0 / 62.0], // a step of backward Euler
        make: Make::Implicit(|system, settings| Box::new(Bdf2::new(system, settings))),
    };

    /// For a system of the size and the couplings of `system`.
    #[allow(clippy::new_ret_no_self)] // a special case of another scheme
    pub fn new(system: &dyn System, settings: Settings) -> Sbdf2 {
        Sbdf2::new(system, settings, Splitting::Implicit)
    }
}
