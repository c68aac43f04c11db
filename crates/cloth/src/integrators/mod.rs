//! Schemes that advance a [`System`] by one time step, a method per file.

mod added;
mod ballistic;
mod bogacki_shampine;
mod entry;
mod generalized_alpha;
mod projective_dynamics;
mod sbdf2;

pub use added::{NotAdded, add, entries};
pub use ballistic::Ballistic;
pub use bogacki_shampine::BogackiShampine;
pub use entry::{IntegratorEntry, Make};
pub use generalized_alpha::{DissipationLimit, GeneralizedAlpha};
pub use projective_dynamics::{Iterations, ProjectiveDynamics};
pub use sbdf2::Sbdf2;

use crate::contact::{Contacts, Repulsion};
use crate::implicit::{SolvedSystem, Work};
use crate::{Memory, State, System};

/// Schemes without parameters of their own, a line each, its file and its type: makes both known and lists their entries.
macro_rules! registry {
    ($($file:ident: $scheme:ident,)*) => {
        $(
            mod $file;
            pub use $file::$scheme;
        )*

        /// The schemes of this crate without parameters of their own, in the order in which they are listed.
        pub const PLAIN: &[IntegratorEntry] = &[$($scheme::ENTRY),*];
    };
}

registry! {
    forward_euler: ForwardEuler,
    forward_backward_euler: ForwardBackwardEuler,
    rk4: Rk4,
    backward_euler: BackwardEuler,
    bdf2: Bdf2,
    implicit_midpoint: ImplicitMidpoint,
    implicit_damping: ImplicitDamping,
}

/// A scheme with the memory that it needs; a step allocates nothing.
pub trait Integrator {
    /// Declared order of accuracy in positions and velocities.
    fn order(&self) -> u32;

    /// Replaces `state` by the state `dt` \[s\] later.
    ///
    /// # Panics
    /// Where the system or the state has another number of particles than the scheme was made for.
    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State);

    /// As [`Integrator::step`], with `beyond` called at each part of it that is accepted beyond its limit, in the midst of a step
    /// that may take long; only schemes whose steps follow their error have such parts.
    fn step_telling(&mut self, system: &dyn System, dt: f64, state: &mut State, _beyond: &mut dyn FnMut()) {
        self.step(system, dt, state);
    }

    /// Forgets earlier steps: before a step from another state. One-step schemes have nothing to forget.
    fn restart(&mut self) {}

    /// Forgets what holds for steps of one length only: before a step of another length.
    fn change_step(&mut self) {
        self.restart();
    }

    /// Takes back what the scheme remembers of its last step, which was rejected.
    fn reject(&mut self) {}

    /// Writes down, or reads back, what the next step takes from earlier ones beside the state. One-step schemes without contacts,
    /// and without linear systems that start from the last solution, remember nothing.
    fn remember(&mut self, _memory: &mut Memory) {}

    /// Contacts of the last step; none for a scheme that meets no solids.
    fn contacts(&self) -> Option<&Contacts> {
        None
    }

    /// Repulsion of the cloth by itself; none for a scheme without it.
    fn repulsion(&self) -> Option<&Repulsion> {
        None
    }

    /// Work of its linear systems, and rejected steps, so far; explicit schemes of a fixed step count none.
    fn work(&self) -> Work {
        Work::default()
    }

    /// The linear system of the last step, for other solvers to solve as well: with several Newton iterations that of the last
    /// one, with a step in parts that of the last part. None before the first step, and for a scheme that solves none.
    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::implicit::Settings;
    use crate::oscillator::Oscillator;

    /// Flight is no scheme of scenes: it leads to the candidates of constraint methods.
    const BALLISTIC: IntegratorEntry = IntegratorEntry {
        name: "ballistic",
        label: "ballistic",
        about: "flight",
        one_step: true,
        first_step: [1.025, 0.0], // x + 0.1 * 0.5 - 0.005 * 5, v - 0.5
        make: Make::Explicit(|particle_count| Box::new(Ballistic::new(particle_count))),
    };

    fn schemes() -> impl Iterator<Item = IntegratorEntry> {
        PLAIN.iter().copied().chain([BALLISTIC])
    }

    fn unit_state() -> State {
        State { x: vec![Vec3::new(1.0, 0.0, 0.0)], v: vec![Vec3::new(0.5, 0.0, 0.0)] }
    }

    /// x and v of x'' = -omega² x - 2 zeta omega x' at time t, from (1, 0.5).
    fn exact(omega: f64, zeta: f64, t: f64) -> (f64, f64) {
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        let decay = libm::exp(-zeta * omega * t);
        let (sin, cos) = (libm::sin(damped * t), libm::cos(damped * t));
        let b = (0.5 + zeta * omega) / damped;
        (decay * (cos + b * sin), decay * ((b * damped - zeta * omega) * cos - (damped + zeta * omega * b) * sin))
    }

    #[test]
    fn every_scheme_has_its_declared_order() {
        let (omega, zeta, end) = (3.0, 0.2, 1.0);
        let oscillator = Oscillator::with_damping_ratio(omega, zeta);
        for entry in schemes() {
            let make = || entry.integrator(&oscillator, Settings::converged());
            let error = |steps: u32| {
                let (mut scheme, mut state) = (make(), unit_state());
                for _ in 0..steps {
                    scheme.step(&oscillator, end / f64::from(steps), &mut state);
                }
                let (x, v) = exact(omega, zeta, end);
                [(state.x[0].x - x).abs(), (state.v[0].x - v).abs()]
            };
            let (coarse, fine) = (error(400), error(800));
            for k in 0..2 {
                let order = libm::log2(coarse[k] / fine[k]);
                assert!((order - f64::from(make().order())).abs() < 0.12, "{}: order {order} of component {k}", entry.label);
            }
        }
    }

    #[test]
    fn one_step_by_hand() {
        // x'' = -4 x - 2 x', from (1, 0.5) with dt = 0.1: a = -5
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 };
        for entry in schemes() {
            let [x, v] = entry.first_step;
            let mut state = unit_state();
            entry.integrator(&oscillator, Settings::converged()).step(&oscillator, 0.1, &mut state);
            assert!((state.x[0].x - x).abs() < 1e-15 && (state.v[0].x - v).abs() < 1e-15, "{}: {state:?}", entry.label);
        }
    }

    #[test]
    fn fb_euler_bounds_the_energy_that_forward_euler_lets_grow() {
        let oscillator = Oscillator::with_damping_ratio(1.0, 0.0);
        let energy = |state: &State| state.x[0].norm_squared() + state.v[0].norm_squared();
        let [mut forward, mut forward_backward] = [unit_state(), unit_state()];
        let start = energy(&forward);
        let (mut explicit, mut symplectic) = (ForwardEuler::new(1), ForwardBackwardEuler::new(1));
        for _ in 0..10_000 {
            explicit.step(&oscillator, 0.1, &mut forward);
            symplectic.step(&oscillator, 0.1, &mut forward_backward);
        }
        assert!(energy(&forward) > 1e40 * start);
        assert!((energy(&forward_backward) / start - 1.0).abs() < 0.11);
    }
}
