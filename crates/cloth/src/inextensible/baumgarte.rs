use super::{ConstraintMethod, EdgeConstraints, FilterReport, Limits, Linearised, Step};
use crate::Vec3;
use crate::quantity::NonNegative;

/// Constraints linearised at the start of the step that are led back by restoring springs \[Baumgarte 1972; House 1996, as in
/// Goldenthal 2007, 2\]: grad C(x_n) v = -alpha C(x_n), one solve a step, whatever strain it leaves.
///
/// Strain decays as exp(-alpha t), or by 1 - alpha dt a step: it swings from alpha dt = 1 on and grows from alpha dt = 2 on, and
/// what a step leaves out is not undone within it. With alpha = 0 it is [`Linearised`].
pub struct Baumgarte {
    linearised: Linearised,
    /// alpha \[1/s\].
    rate: f64,
}

impl Baumgarte {
    /// alpha, if nothing is said \[1/s\]: an assumption.
    pub const RATE: NonNegative = NonNegative::known(10.0);

    /// For `constraints` that are led back at a `rate` alpha \[1/s\]; `limits` say only which steps are called converged.
    pub fn new(constraints: EdgeConstraints, limits: Limits, rate: NonNegative) -> Baumgarte {
        Baumgarte { linearised: Linearised::new(constraints, limits), rate: rate.get() }
    }
}

impl ConstraintMethod for Baumgarte {
    fn constraints(&self) -> &EdgeConstraints {
        self.linearised.constraints()
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        self.linearised.solve_once(step, self.rate * step.dt, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Net;
    use crate::inextensible::Edge;
    use crate::inextensible::fixtures::chain;
    use crate::integrators::ForwardBackwardEuler;
    use crate::run::Filter;
    use crate::{State, System};

    fn rate(alpha: f64) -> NonNegative {
        NonNegative::try_from(alpha).unwrap()
    }

    #[test]
    fn a_step_by_hand_takes_its_share_of_the_length_away() {
        // 1.2 long: C = 1.2² - 1 = 0.44, gradient 2.4; alpha dt = 1/2 of it over the gradient is 0.22 / 2.4 of a metre
        let mut method = Baumgarte::new(chain(&[1.0; 2], &[true, false]), Limits::new(1e-3, 1).unwrap(), rate(5.0));
        let (start, candidate) = ([Vec3::zeros(), 1.2 * Vec3::x()], [Vec3::zeros(), Vec3::new(1.5, 0.1, 0.0)]);
        let (mut x, mut v) = (candidate, [Vec3::zeros(), Vec3::new(3.0, 1.0, 0.0)]);
        let report = method.filter(&Step { dt: 0.1, start: &start, candidate: &candidate }, &mut x, &mut v);
        let shorter = 0.22 / 2.4;
        assert!((x[1] - Vec3::new(1.2 - shorter, 0.1, 0.0)).norm() < 1e-15 && report.solves == 1, "{x:?}");
        assert!((v[1] - Vec3::new(-10.0 * shorter, 1.0, 0.0)).norm() < 1e-14, "{v:?}");
    }

    /// Strain of a pendulum that begins 1 % too long and at rest, after each of 60 steps of 1/100 s without weight.
    fn strains(alpha: f64) -> Vec<f64> {
        let mut net = Net::new(vec![1.0; 2], vec![true, false], vec![]).unwrap();
        net.gravity = Vec3::zeros();
        let constraints = EdgeConstraints::new(&[Edge { i: 0, j: 1, rest: 1.0 }], net.masses(), net.pinned()).unwrap();
        let method = Baumgarte::new(constraints, Limits::new(1e-3, 1).unwrap(), rate(alpha));
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(2), Filter::new(Box::new(method)));
        let mut state = State::at_rest(vec![Vec3::zeros(), 1.01 * Vec3::x()]);
        let mut step = || {
            filter.step(&mut forces, &net, 0.01, &mut state).unwrap();
            state.x[1].x - 1.0
        };
        (0..60).map(|_| step()).collect()
    }

    #[test]
    fn strain_decays_at_its_rate_swings_and_grows() {
        let slow = strains(10.0);
        assert!(slow.windows(2).all(|pair| (pair[1] / pair[0] - 0.9).abs() < 1e-3), "{slow:?}");
        let swinging = strains(150.0);
        assert!(swinging.windows(2).all(|pair| pair[1] * pair[0] <= 0.0) && swinging[59].abs() < 1e-12, "{swinging:?}");
        let growing = strains(210.0);
        assert!(growing[20].abs() > 2.0 * growing[0].abs(), "{growing:?}");
        assert!(strains(0.0).iter().all(|strain| (strain - 0.01).abs() < 1e-14), "nothing leads it back");
    }

    #[test]
    fn a_pendulum_stays_near_its_length_where_linearised_constraints_drift() {
        let run = |alpha: f64| {
            let net = Net::new(vec![1.0; 2], vec![true, false], vec![]).unwrap();
            let constraints = EdgeConstraints::new(&[Edge { i: 0, j: 1, rest: 1.0 }], net.masses(), net.pinned()).unwrap();
            let method = Baumgarte::new(constraints, Limits::new(1e-3, 1).unwrap(), rate(alpha));
            let (mut forces, mut filter) = (ForwardBackwardEuler::new(2), Filter::new(Box::new(method)));
            let mut state = State::at_rest(vec![Vec3::zeros(), Vec3::x()]);
            (0..2000).for_each(|_| filter.step(&mut forces, &net, 0.01, &mut state).unwrap());
            state.x[1].norm() - 1.0
        };
        let (drifted, restored) = (run(0.0), run(10.0));
        assert!(drifted > 0.1 && restored < 0.02 && restored.abs() < 0.1 * drifted, "{drifted} {restored}");
    }
}
