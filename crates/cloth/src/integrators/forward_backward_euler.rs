use super::{Integrator, IntegratorEntry, Make};
use crate::{State, System, Vec3};

/// Forward-backward Euler \[Boxerman 2003, eq. 4.5\]: explicit, symplectic without damping, stable up to a limit on the step.
#[derive(Clone, Debug)]
pub struct ForwardBackwardEuler {
    a: Vec<Vec3>,
}

impl ForwardBackwardEuler {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "fb-euler",
        label: "FB Euler",
        about: "forward-backward or symplectic Euler, stable up to a limit on the step",
        one_step: true,
        first_step: [1.0, 0.0], // v - 0.5 first, then x + 0.1 * 0
        make: Make::Explicit(|particle_count| Box::new(ForwardBackwardEuler::new(particle_count))),
    };

    /// For a system of `particle_count` particles.
    pub fn new(particle_count: usize) -> ForwardBackwardEuler {
        ForwardBackwardEuler { a: vec![Vec3::zeros(); particle_count] }
    }
}

impl Integrator for ForwardBackwardEuler {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        system.accelerate(&state.x, &state.v, &mut self.a);
        for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&self.a) {
            *v += dt * a; //  v_{n+1} = v_n + dt M⁻¹ f(x_n, v_n)
            *x += dt * *v; // x_{n+1} = x_n + dt v_{n+1}
        }
    }
}
