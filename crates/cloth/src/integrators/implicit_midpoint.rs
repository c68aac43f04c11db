use super::{Integrator, IntegratorEntry, Make};
use crate::implicit::{Settings, SolvedSystem, Splitting, Stage, Weights, Work};
use crate::{Memory, State, System, Vec3};

/// The implicit midpoint rule, y_{n+1} = y_n + dt phi((y_n + y_{n+1}) / 2): half a step of backward Euler, reflected.
pub struct ImplicitMidpoint {
    stage: Stage,
    base: State,
}

impl ImplicitMidpoint {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "implicit-midpoint",
        label: "midpoint",
        about: "second order with newton",
        one_step: true,
        first_step: [1.0 + 3.0 / 111.0, 60.0 / 111.0 - 0.5], // w = (v - 0.2) / 1.11, x + 0.1 w, 2 w - v
        make: Make::Implicit(|system, settings| Box::new(ImplicitMidpoint::new(system, settings))),
    };

    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings) -> ImplicitMidpoint {
        let base = State::at_rest(vec![Vec3::zeros(); system.particle_count()]);
        ImplicitMidpoint { stage: Stage::new(system, settings), base }
    }
}

impl Integrator for ImplicitMidpoint {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.base.copy_from(state);
        self.stage.split(system, &Splitting::Implicit, dt, state);
        self.stage.solve(system, dt, Weights::equal(0.5 * dt), Some(&self.base), state); // y_m = y_n + dt/2 phi(y_m)
        let State { x, v } = &self.base;
        for (middle, start) in state.x.iter_mut().zip(x).chain(state.v.iter_mut().zip(v)) {
            *middle = 2.0 * *middle - start; // y_{n+1} = 2 y_m - y_n
        }
    }

    fn reject(&mut self) {
        self.stage.reject();
    }

    fn remember(&mut self, memory: &mut Memory) {
        self.stage.remember(memory);
    }

    fn work(&self) -> Work {
        self.stage.work
    }

    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.stage.last_system()
    }
}
