use super::{Integrator, IntegratorEntry, Make};
use crate::{State, System, Vec3};

/// The classical Runge-Kutta scheme of order 4 on (x, v)' = (v, M⁻¹ f), the baseline of explicit schemes.
#[derive(Clone, Debug)]
pub struct Rk4 {
    stage: State,
    sum: State,
    a: Vec<Vec3>,
}

impl Rk4 {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "rk4",
        label: "RK4",
        about: "the classical Runge-Kutta scheme, of order 4",
        one_step: true,
        first_step: [1.02635, 0.0405], // Taylor polynomials of degree 4
        make: Make::Explicit(|particle_count| Box::new(Rk4::new(particle_count))),
    };

    /// For a system of `particle_count` particles.
    pub fn new(particle_count: usize) -> Rk4 {
        let zeros = State::at_rest(vec![Vec3::zeros(); particle_count]);
        Rk4 { stage: zeros.clone(), sum: zeros, a: vec![Vec3::zeros(); particle_count] }
    }
}

/// (weight in the sum, place of the next stage) of k1, k2, k3, k4.
const STAGES: [(f64, f64); 4] = [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0), (1.0 / 6.0, 0.0)];

impl Integrator for Rk4 {
    fn order(&self) -> u32 {
        4
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        let Rk4 { stage, sum, a } = self;
        stage.copy_from(state);
        sum.copy_from(state);
        for (weight, next) in STAGES {
            system.accelerate(&stage.x, &stage.v, a); // k = (v, M⁻¹ f(x, v)) at the stage
            for i in 0..a.len() {
                let (kx, kv) = (stage.v[i], a[i]);
                sum.x[i] += weight * dt * kx; // y_{n+1} = y_n + dt (k1 + 2 k2 + 2 k3 + k4) / 6
                sum.v[i] += weight * dt * kv;
                stage.x[i] = state.x[i] + next * dt * kx; // Y = y_n + c dt k
                stage.v[i] = state.v[i] + next * dt * kv;
            }
        }
        state.copy_from(sum);
    }
}
