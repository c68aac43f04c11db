use super::{Integrator, IntegratorEntry, Make};
use crate::{State, System, Vec3};

/// Forward Euler \[Boxerman 2003, eq. 4.4\]: unstable without damping whatever the step.
#[derive(Clone, Debug)]
pub struct ForwardEuler {
    a: Vec<Vec3>,
}

impl ForwardEuler {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "forward-euler",
        label: "forward Euler",
        about: "explicit, unstable without damping whatever the step",
        one_step: true,
        first_step: [1.05, 0.0], // x + 0.1 * 0.5, v - 0.5
        make: Make::Explicit(|particle_count| Box::new(ForwardEuler::new(particle_count))),
    };

    /// For a system of `particle_count` particles.
    pub fn new(particle_count: usize) -> ForwardEuler {
        ForwardEuler { a: vec![Vec3::zeros(); particle_count] }
    }
}

impl Integrator for ForwardEuler {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        system.accelerate(&state.x, &state.v, &mut self.a);
        for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&self.a) {
            *x += dt * *v; // x_{n+1} = x_n + dt v_n
            *v += dt * a; //  v_{n+1} = v_n + dt M⁻¹ f(x_n, v_n)
        }
    }
}
