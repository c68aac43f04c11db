use serde::Deserialize;

use crate::integrators::{ForwardBackwardEuler, ForwardEuler, Integrator, Rk4};

/// The scheme that a scene names.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// `"forward-euler"`, [`ForwardEuler`].
    ForwardEuler,
    /// `"fb-euler"`, [`ForwardBackwardEuler`].
    #[default]
    FbEuler,
    /// `"rk4"`, [`Rk4`].
    Rk4,
}

impl Scheme {
    /// The scheme with the memory for `particle_count` particles.
    pub fn integrator(self, particle_count: usize) -> Box<dyn Integrator> {
        match self {
            Scheme::ForwardEuler => Box::new(ForwardEuler::new(particle_count)),
            Scheme::FbEuler => Box::new(ForwardBackwardEuler::new(particle_count)),
            Scheme::Rk4 => Box::new(Rk4::new(particle_count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oscillator::Oscillator;
    use crate::{State, Vec3};

    #[test]
    fn names_give_their_schemes() {
        // x'' = -4 x from (1, 0.5) with dt = 0.1, a = -4: the schemes differ in the first step
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 0.0 };
        let x = |scheme: Scheme| {
            let mut state = State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] };
            scheme.integrator(1).step(&oscillator, 0.1, &mut state);
            state.x[0].x
        };
        assert!((x(Scheme::ForwardEuler) - 1.05).abs() < 1e-15); // x + 0.1 * 0.5
        assert!((x(Scheme::FbEuler) - 1.01).abs() < 1e-15); //      x + 0.1 (0.5 - 0.4)
        assert!((x(Scheme::Rk4) - (libm::cos(0.2) + 0.25 * libm::sin(0.2))).abs() < 1e-5);
    }
}
