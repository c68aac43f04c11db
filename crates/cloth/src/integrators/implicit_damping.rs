use super::{Integrator, IntegratorEntry, Make};
use crate::implicit::{Settings, SolvedSystem, Splitting, Stage, Weights, Work};
use crate::{Memory, State, System, Vec3};

/// The implicit-explicit scheme of Bridson, Marino & Fedkiw \[2003\]: forces that depend on positions are explicit, by central
/// differences, and what depends on velocities is implicit in them, in linear systems without stiffness. Stable up to dt² ks = 4 m
/// whatever the damping.
///
/// Forces that are explicit in every scheme, as drag is, are taken at the end of the step with v_n + dt a_n for its velocity, which
/// keeps the order.
pub struct ImplicitDamping {
    stage: Stage,
    a: Vec<Vec3>,
    /// x_{n+1} and v_n + dt a_n.
    end: State,
}

impl ImplicitDamping {
    /// Its entry in the registry.
    pub const ENTRY: IntegratorEntry = IntegratorEntry {
        name: "implicit-damping",
        label: "implicit damping",
        about: "damping implicit, springs explicit by central differences, second order",
        one_step: true,
        first_step: [1.025, 0.045 / 1.1], // w = v - 0.25, x + 0.1 w, (w - 0.2 x') / 1.1
        make: Make::Implicit(|system, settings| Box::new(ImplicitDamping::new(system, settings))),
    };

    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings) -> ImplicitDamping {
        let zeros = vec![Vec3::zeros(); system.particle_count()];
        ImplicitDamping { stage: Stage::new(system, settings), a: zeros.clone(), end: State::at_rest(zeros) }
    }
}

impl Integrator for ImplicitDamping {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        let ImplicitDamping { stage, a, end } = self;
        system.accelerate(&state.x, &state.v, a);
        stage.work.count_all_forces(system.coupling_count());
        for i in 0..a.len() {
            end.v[i] = state.v[i] + dt * a[i];
            state.v[i] += 0.5 * dt * a[i]; //    v_{n+1/2} = v_n + dt/2 a(x_n, v_n)
            state.x[i] += dt * state.v[i]; //    x_{n+1} = x_n + dt v_{n+1/2}
        }
        end.x.copy_from_slice(&state.x);
        stage.split(system, &Splitting::Implicit, dt, end);
        let weights = Weights { h: 0.5 * dt, g: 0.0 };
        stage.solve(system, dt, weights, None, state); // v_{n+1} = v_{n+1/2} + dt/2 a(x_{n+1}, v_{n+1})
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::{ForwardBackwardEuler, Rk4};
    use crate::oscillator::{Oscillator, theory};
    use crate::{Cloth, DampingForm, Drag, Elastic, Grid, Material, Pin};

    #[test]
    fn it_amplifies_as_in_theory_and_is_stable_up_to_one_step_whatever_the_damping() {
        for b in [0.0, 0.3, 5.0, 1e4] {
            let radius = |a: f64| {
                let oscillator = Oscillator { mass: 0.5, ks: 0.5 * a, kd: 0.5 * b };
                let measured = oscillator.amplification(&mut ImplicitDamping::new(&oscillator, Settings::converged()), 1.0);
                let expected = theory::implicit_damping(a, b);
                assert!((measured.trace - expected.trace).abs() < 1e-12, "{measured:?} {expected:?}");
                assert!((measured.determinant - expected.determinant).abs() < 1e-12, "{measured:?} {expected:?}");
                measured.spectral_radius()
            };
            assert!(radius(3.99) <= 1.0 + 1e-12 && radius(0.1) <= 1.0 + 1e-12 && radius(4.01) > 1.0 + 1e-9, "b = {b}");
        }
    }

    /// A sheet in the wind that hangs from two corners and has begun to fall, damped by `damping` \[N s/m\].
    fn sheet(damping: f64, form: DampingForm) -> (Cloth, State) {
        let elastic = Elastic { stiffness: 30.0, damping };
        let drag = Drag { air_density: 1.2, coefficient: 2.0, wind: Vec3::new(2.0, 1.0, 0.5) };
        let material = Material {
            density: 0.3,
            stretch: elastic,
            shear: elastic,
            bend: 0.0,
            damping: form,
            compression: true,
            air: 1e-3,
            drag: Some(drag),
            ..Material::default()
        };
        let cloth = Cloth::new(Grid::new(5, 4, 0.1).unwrap(), material, &[Pin::At(0, 0), Pin::At(4, 0)]).unwrap();
        let mut start = cloth.at_rest();
        start.x.iter_mut().enumerate().for_each(|(i, x)| x.z = 0.005 * (i % 3) as f64);
        (cloth, start)
    }

    fn run(scheme: &mut dyn Integrator, (cloth, start): &(Cloth, State), dt: f64, steps: u32) -> State {
        let mut state = start.clone();
        (0..steps).for_each(|_| scheme.step(cloth, dt, &mut state));
        state
    }

    #[test]
    fn it_is_of_second_order_on_a_sheet_with_one_linear_system_a_step() {
        let scene = sheet(0.02, DampingForm::Plain);
        let exact = run(&mut Rk4::new(20), &scene, 0.1 / 4000.0, 4000);
        let errors = [100, 200].map(|steps| {
            let mut scheme = ImplicitDamping::new(&scene.0, Settings { newton: Default::default(), ..Settings::converged() });
            let found = run(&mut scheme, &scene, 0.1 / f64::from(steps), steps);
            assert_eq!(scheme.work().solves, u64::from(steps));
            let of = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            [of(&found.x, &exact.x), of(&found.v, &exact.v)]
        });
        for k in 0..2 {
            let order = libm::log2(errors[0][k] / errors[1][k]);
            assert!((order - 2.0).abs() < 0.1, "order {order} of component {k}: {errors:?}");
        }
    }

    #[test]
    fn damping_that_explicit_schemes_cannot_bear_costs_no_shorter_steps() {
        for form in [DampingForm::Plain, DampingForm::Projected] {
            let scene = sheet(5.0, form); // dt kd / m = 3.3
            let explicit = run(&mut ForwardBackwardEuler::new(20), &scene, 2e-3, 200);
            assert!(!explicit.is_finite() || explicit.v.iter().any(|v| v.norm() > 1e3), "{form:?}");
            let implicit = run(&mut ImplicitDamping::new(&scene.0, Settings::default()), &scene, 2e-3, 200);
            assert!(implicit.v.iter().all(|v| v.norm() < 5.0) && implicit.x[12] != scene.1.x[12], "{form:?}");
        }
    }
}
