use super::edge_system::EdgeSystem;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, Limits, MethodEntry, Shake, Step};
use crate::Vec3;

/// RATTLE \[Andersen 1983; Goldenthal 2007, 4\]: positions as [`Shake`], and velocities that leave lengths as they are,
/// grad C(x_{n+1}) v = 0 by (grad C) M⁻¹ (grad C)ᵀ mu = grad C v, v -= M⁻¹ (grad C)ᵀ mu with gradients at x_{n+1}.
///
/// Behind a scheme of second order it is of second order where nothing is damped: dampers see velocities before the constraints
/// act, which is of first order. Behind [`ImplicitDamping`](crate::integrators::ImplicitDamping), which is the scheme of Verlet without
/// damping, it is the printed method under gravity alone; other forces of the second half of a step are taken before the
/// constraints.
pub struct Rattle {
    shake: Shake,
    end: EdgeSystem,
    mu: Vec<f64>,
}

impl Rattle {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry =
        MethodEntry { name: "rattle", about: "shake, with velocities that keep lengths too", iterations: MethodEntry::SOLVES };

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Rattle {
        let (end, mu) = (EdgeSystem::new(&constraints), vec![0.0; constraints.edges().len()]);
        Rattle { shake: Shake::new(constraints, limits), end, mu }
    }
}

impl ConstraintMethod for Rattle {
    fn order(&self) -> u32 {
        2
    }

    fn constraints(&self) -> &EdgeConstraints {
        self.shake.constraints()
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        self.shake.project(step, x)
    }

    fn correct_velocities(&mut self, _step: &Step<'_>, x: &[Vec3], v: &mut [Vec3], report: &mut FilterReport) {
        let constraints = self.shake.constraints();
        if let Err(stop) = self.end.factor_at(constraints, x, report) {
            *report = report.ended(stop);
            return;
        }
        for ((mu, edge), gradient) in self.mu.iter_mut().zip(constraints.edges()).zip(&self.end.gradients) {
            *mu = gradient.dot(&edge.vector(v)); // grad C v
        }
        self.end.solve(&mut self.mu, report);
        self.end.correct(constraints, &self.mu, v); // v -= M⁻¹ (grad C)ᵀ mu
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::Settings;
    use crate::inextensible::fixtures::chain;
    use crate::inextensible::{Edge, FilterStop};
    use crate::integrators::ImplicitDamping;
    use crate::run::{Filter, Stepper};
    use crate::{Elastic, Net, NetSpring, State};

    #[test]
    fn a_step_by_hand_turns_the_velocity_with_the_edge() {
        let constraints = chain(&[1.0, 3.0], &[true, false]);
        let mut method = Rattle::new(constraints, Limits::new(1e-11, 50).unwrap());
        let (start, candidate) = ([Vec3::zeros(), Vec3::x()], [Vec3::zeros(), Vec3::new(1.2, 0.6, 0.0)]);
        let (mut x, mut v) = (candidate, [Vec3::zeros(), Vec3::new(2.0, 6.0, 0.0)]);
        let report = method.filter(&Step { dt: 0.1, start: &start, candidate: &candidate }, &mut x, &mut v);
        assert_eq!(report.stop, FilterStop::Converged);
        assert!((x[1] - Vec3::new(0.8, 0.6, 0.0)).norm() < 1e-10, "along the edge as it was: {x:?}");
        // (2, 6) - (0.4, 0) / 0.1 = (-2, 6), of which (-0.6, 0.8) * 6 is across the edge as it is
        assert!((v[1] - Vec3::new(-3.6, 4.8, 0.0)).norm() < 1e-8, "{v:?}");
    }

    /// A double pendulum, its end on a damped spring.
    fn pendulum(elastic: Elastic) -> (Net, State) {
        let spring = NetSpring { i: 2, j: 3, rest: 0.5, elastic };
        let net = Net::new(vec![1.0, 2.0, 1.0, 1.0], vec![true, false, false, true], vec![spring]).unwrap();
        let x = vec![Vec3::zeros(), Vec3::new(0.8, 0.0, -0.6), Vec3::new(0.8, 1.0, -0.6), Vec3::new(0.0, 1.0, -1.0)];
        (net, State::at_rest(x))
    }

    /// The scheme of Verlet, damping implicit, filtered.
    fn filtered(net: &Net, method: impl FnOnce(EdgeConstraints, Limits) -> Box<dyn ConstraintMethod>) -> Stepper {
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }, Edge { i: 1, j: 2, rest: 1.0 }];
        let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).unwrap();
        let scheme = Box::new(ImplicitDamping::new(net, Settings::converged()));
        Stepper::new(scheme).filtered(Filter::new(method(constraints, Limits::new(1e-11, 100).unwrap())))
    }

    use crate::System;

    /// Order in positions and velocities over a second of the pendulum.
    fn orders(damping: f64) -> [f64; 2] {
        let (net, start) = pendulum(Elastic { stiffness: 20.0, damping });
        let run = |steps: u32| {
            let (mut scheme, mut state) = (filtered(&net, |edges, limits| Box::new(Rattle::new(edges, limits))), start.clone());
            assert_eq!(scheme.order(), 2);
            (0..steps).for_each(|_| scheme.step(&net, 1.0 / f64::from(steps), &mut state).unwrap());
            let filter = scheme.filter().unwrap();
            let edges = filter.method().constraints().edges();
            assert!(edges.iter().all(|edge| edge.gradient(&state.x).dot(&edge.vector(&state.v)).abs() < 1e-12), "{state:?}");
            assert_eq!(filter.filter_work().failed + filter.filter_work().limited, 0);
            state
        };
        let exact = run(12_800);
        let [coarse, fine] = [200, 400].map(|steps| {
            let state = run(steps);
            let of = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            [of(&state.x, &exact.x), of(&state.v, &exact.v)]
        });
        [0, 1].map(|k| libm::log2(coarse[k] / fine[k]))
    }

    #[test]
    fn it_is_of_second_order_without_damping_and_its_velocities_keep_lengths() {
        let (undamped, damped) = (orders(0.0), orders(0.5));
        assert!(undamped.iter().all(|order| (order - 2.0).abs() < 0.1), "{undamped:?}");
        assert!(damped.iter().all(|order| (order - 1.0).abs() < 0.35), "{damped:?}");
    }

    #[test]
    fn energy_under_gravity_swings_about_its_start() {
        let (net, start) = pendulum(Elastic { stiffness: 0.0, damping: 0.0 });
        let mut scheme = filtered(&net, |edges, limits| Box::new(Rattle::new(edges, limits)));
        let mut state = start.clone();
        let worst = |scheme: &mut Stepper, state: &mut State| {
            (0..2000).fold(0.0, |worst: f64, _| {
                scheme.step(&net, 5e-3, state).unwrap();
                worst.max((net.energy(state) - net.energy(&start)).abs())
            })
        };
        let first = worst(&mut scheme, &mut state);
        let later = (0..4).map(|_| worst(&mut scheme, &mut state)).fold(0.0, f64::max);
        let exchanged = 20.0; // J: the weight of both masses times what they fall
        assert!(first < 1e-3 * exchanged && later < 2.0 * first, "{first} J at first, {later} J later");
    }

    #[test]
    fn lengths_that_velocities_cannot_keep_are_a_status() {
        // a taut row between two pins: positions are left alone, velocities have no solution
        let mut method = Rattle::new(chain(&[1.0; 3], &[true, false, true]), Limits::new(1e-6, 10).unwrap());
        let row = [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()];
        let (mut x, mut v) = (row, [Vec3::zeros(), Vec3::y(), Vec3::zeros()]);
        let report = method.filter(&Step { dt: 0.1, start: &row, candidate: &row }, &mut x, &mut v);
        assert!(matches!(report.stop, FilterStop::Singular { .. }), "{report:?}");
    }
}
