use cloth::integrators::{Integrator, IntegratorEntry, Make};
use cloth::{State, System, Vec3};

/// Heun's method \[Heun 1900\]: a step with the mean of the slopes at its start and where forward Euler ends.
#[derive(Clone, Debug)]
pub struct Heun {
    a: [Vec<Vec3>; 2],
    predicted: State,
}

impl Heun {
    /// How scenes, races and boards know it.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "heun",
        label: "Heun",
        about: "of order 2, by the mean of two slopes",
        one_step: true,
        first_step: [1.025, 0.04], // x + 0.05 (0.5 + 0), v - 0.05 (5 + 4.2)
        make: Make::Explicit(|particle_count| Box::new(Heun::new(particle_count))),
    };

    /// For a system of `particle_count` particles.
    pub fn new(particle_count: usize) -> Heun {
        let zeros = vec![Vec3::zeros(); particle_count];
        Heun { a: [zeros.clone(), zeros.clone()], predicted: State::at_rest(zeros) }
    }
}

impl Integrator for Heun {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        let ([a0, a1], predicted) = (&mut self.a, &mut self.predicted);
        system.accelerate(&state.x, &state.v, a0);
        for i in 0..state.particle_count() {
            predicted.x[i] = state.x[i] + dt * state.v[i]; // x~ = x_n + dt v_n
            predicted.v[i] = state.v[i] + dt * a0[i]; //      v~ = v_n + dt a(x_n, v_n)
        }
        system.accelerate(&predicted.x, &predicted.v, a1);
        for i in 0..state.particle_count() {
            state.x[i] += 0.5 * dt * (state.v[i] + predicted.v[i]); // x_{n+1} = x_n + dt/2 (v_n + v~)
            state.v[i] += 0.5 * dt * (a0[i] + a1[i]); //               v_{n+1} = v_n + dt/2 (a(x_n, v_n) + a(x~, v~))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::implicit::Settings;
    use cloth::oscillator::Oscillator;

    #[test]
    fn its_first_step_is_the_one_by_hand() {
        // x'' = -4 x - 2 x', from (1, 0.5) with dt = 0.1
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 };
        let mut state = State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] };
        Heun::ENTRY.integrator(&oscillator, Settings::default()).step(&oscillator, 0.1, &mut state);
        let [x, v] = Heun::ENTRY.first_step;
        assert!((state.x[0].x - x).abs() < 1e-15 && (state.v[0].x - v).abs() < 1e-15, "{state:?}");
    }
}
