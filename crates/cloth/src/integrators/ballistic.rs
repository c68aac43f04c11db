use super::Integrator;
use crate::{State, System, Vec3};

/// Flight under forces that stay what they are at the start of the step \[Bender 2008, eqs. 1-2\]: exact under gravity alone, of
/// first order otherwise.
#[derive(Clone, Debug)]
pub struct Ballistic {
    a: Vec<Vec3>,
}

impl Ballistic {
    /// For a system of `particle_count` particles.
    pub fn new(particle_count: usize) -> Ballistic {
        Ballistic { a: vec![Vec3::zeros(); particle_count] }
    }
}

impl Integrator for Ballistic {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        system.accelerate(&state.x, &state.v, &mut self.a);
        for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&self.a) {
            *x += dt * *v + 0.5 * dt * dt * a; // c(t + h) = c(t) + v(t) h + F / 2m h²
            *v += dt * a; //                      v(t + h) = v(t) + F / m h
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Net;

    #[test]
    fn a_throw_is_exact_whatever_the_step() {
        let net = Net::new(vec![2.0], vec![false], vec![]).unwrap();
        let throw = |steps: u32| {
            let mut state = State { x: vec![Vec3::zeros()], v: vec![Vec3::new(1.0, 0.0, 3.0)] };
            let mut scheme = Ballistic::new(1);
            for _ in 0..steps {
                scheme.step(&net, 0.5 / f64::from(steps), &mut state);
            }
            state
        };
        let expected = Vec3::new(0.5, 0.0, 1.5 - 0.125 * crate::GRAVITY);
        for steps in [1, 7] {
            let state = throw(steps);
            assert!((state.x[0] - expected).norm() < 1e-14, "{state:?}");
            assert!((state.v[0] - Vec3::new(1.0, 0.0, 3.0 - 0.5 * crate::GRAVITY)).norm() < 1e-14);
        }
    }
}
