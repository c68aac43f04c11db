use super::edge_system::EdgeSystem;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, Limits, Step};
use crate::Vec3;
use crate::quantity::NonNegative;

/// Constraints on accelerations, linearised at the start of the step, with feedback \[Witkin, Gleicher & Welch 1990\]: C'' = -ks C -
/// kd C', which is grad C a + (grad C)' v = -ks C - kd grad C v at x_n and v_n.
///
/// (grad C) M⁻¹ (grad C)ᵀ lambda = grad C a~ + (grad C)' v + ks C + kd C' with a~ = (v~ - v_n) / dt, then a = a~ - M⁻¹ (grad C)ᵀ
/// lambda, v = v_n + dt a, x = x_n + dt v: one solve a step, whatever strain it leaves. The paper leaves the integrator open; here
/// it is that of the candidate x~ = x_n + dt v~. [`Linearised`](super::Linearised) has velocities in place of accelerations, a
/// deviation from this paper.
///
/// Without feedback lengths drift, from rest exactly as those of `Linearised`: C is quadratic, so that grad C(x_n+1) v = dt (grad C)' v
/// where grad C(x_n) v = 0. With it a strain decays as an oscillator, ks <= kd²/4 without swings; steps beyond about
/// 1 / kd or 1 / sqrt(ks) make it swing and grow.
pub struct Accelerations {
    constraints: EdgeConstraints,
    limits: Limits,
    feedback: Feedback,
    system: EdgeSystem,
    lambda: Vec<f64>,
    /// v_n \[m/s\], at rest until a step begins.
    v: Vec<Vec3>,
}

/// Feedback of constraints on accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feedback {
    /// ks \[1/s²\].
    pub stiffness: NonNegative,
    /// kd \[1/s\].
    pub damping: NonNegative,
}

impl Feedback {
    /// C'' = 0: nothing leads a length back.
    pub const NONE: Feedback = Feedback { stiffness: NonNegative::ZERO, damping: NonNegative::ZERO };
}

impl Default for Feedback {
    /// Critically damped at 10/s, the rate of [`Baumgarte`](super::Baumgarte): an assumption.
    fn default() -> Feedback {
        Feedback { stiffness: NonNegative::known(100.0), damping: NonNegative::known(20.0) }
    }
}

impl Accelerations {
    /// For `constraints` with this `feedback`; `limits` say only which steps are called converged.
    pub fn new(constraints: EdgeConstraints, limits: Limits, feedback: Feedback) -> Accelerations {
        let (system, lambda) = (EdgeSystem::new(&constraints), vec![0.0; constraints.edges().len()]);
        let v = vec![Vec3::zeros(); constraints.particle_count()];
        Accelerations { constraints, limits, feedback, system, lambda, v }
    }
}

impl ConstraintMethod for Accelerations {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn begin(&mut self, v: &[Vec3]) {
        self.v.copy_from_slice(v);
    }

    /// [`FilterStop::IterationLimit`](super::FilterStop::IterationLimit) says that the one solve left an edge beyond the bound.
    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let mut report = FilterReport::begin(self.constraints.largest_strain(x));
        if !report.after.is_finite() {
            return report;
        }
        if let Err(stop) = self.system.factor_at(&self.constraints, step.start, &mut report) {
            return report.ended(stop);
        }
        let (ks, kd, dt) = (self.feedback.stiffness.get(), self.feedback.damping.get(), step.dt);
        for ((lambda, edge), gradient) in self.lambda.iter_mut().zip(self.constraints.edges()).zip(&self.system.gradients) {
            let v = edge.vector(&self.v);
            let turning = 2.0 * v.norm_squared() / edge.rest; //                  (grad C)' v
            let feedback = ks * edge.value(step.start) + kd * gradient.dot(&v);
            let way = edge.vector(x) - edge.vector(step.start) - dt * v; //       dt² a~
            *lambda = gradient.dot(&way) + dt * dt * (turning + feedback); //     dt² lambda is solved for
        }
        self.system.solve(&mut self.lambda, &mut report);
        self.system.correct(&self.constraints, &self.lambda, x);
        report.iterations += 1;
        report.after = self.constraints.largest_strain(x);
        report.judged(self.limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::MethodKind;
    use crate::inextensible::fixtures::chain;
    use crate::integrators::ForwardBackwardEuler;
    use crate::run::Filter;
    use crate::{Net, State};

    fn feedback(ks: f64, kd: f64) -> Feedback {
        let [stiffness, damping] = [ks, kd].map(|value| NonNegative::try_from(value).unwrap());
        Feedback { stiffness, damping }
    }

    #[test]
    fn a_step_by_hand_adds_what_leads_the_length_back() {
        // 1.2 m long for 1 m: C = 0.44, grad C = 2.4; v = (0.5, 2): C' = 1.2, (grad C)' v = 2 (0.25 + 4); a~ = (-1, 0.5)
        let limits = Limits::new(1e-3, 1).unwrap();
        let mut method = Accelerations::new(chain(&[1.0; 2], &[true, false]), limits, feedback(3.0, 2.0));
        let (start, v_n) = ([Vec3::zeros(), 1.2 * Vec3::x()], [Vec3::zeros(), Vec3::new(0.5, 2.0, 0.0)]);
        let v_candidate = v_n[1] + 0.1 * Vec3::new(-1.0, 0.5, 0.0);
        let candidate = [Vec3::zeros(), start[1] + 0.1 * v_candidate];
        let (mut x, mut v) = (candidate, [Vec3::zeros(), v_candidate]);
        method.begin(&v_n);
        let report = method.filter(&Step { dt: 0.1, start: &start, candidate: &candidate }, &mut x, &mut v);
        let back = (-2.4 + 8.5 + 3.0 * 0.44 + 2.0 * 1.2) / 2.4; // m/s², along the edge
        assert!((x[1] - candidate[1] + 0.01 * back * Vec3::x()).norm() < 1e-15 && report.solves == 1, "{x:?}");
        assert!((v[1] - v_candidate + 0.1 * back * Vec3::x()).norm() < 1e-14, "{v:?}");
    }

    /// A pendulum of 1 m and 1 kg by steps of 1/100 s from `x`, under `gravity` \[m/s²\]: its strain after each.
    fn strains(feedback: Feedback, x: Vec3, gravity: f64, steps: usize) -> Vec<f64> {
        let mut net = Net::new(vec![1.0; 2], vec![true, false], vec![]).unwrap();
        net.gravity = -gravity * Vec3::z();
        let method = MethodKind::Accelerations(feedback);
        let method = method.build(chain(&[1.0; 2], &[true, false]), Limits::new(1e-3, 1).unwrap());
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(2), Filter::new(method));
        let mut state = State::at_rest(vec![Vec3::zeros(), x]);
        let mut step = || {
            filter.step(&mut forces, &net, 0.01, &mut state).unwrap();
            state.x[1].norm() - 1.0
        };
        (0..steps).map(|_| step()).collect()
    }

    #[test]
    fn a_strain_decays_as_a_critically_damped_oscillator_and_stays_without_feedback() {
        let decaying = strains(Feedback::default(), 1.01 * Vec3::x(), 0.0, 60);
        for (k, strain) in decaying.iter().enumerate() {
            let t = 10.0 * 0.01 * (k + 1) as f64;
            let expected = 0.01 * (1.0 + t) * libm::exp(-t);
            assert!((strain - expected).abs() < 5e-4, "{strain} {expected}");
        }
        assert!(decaying[59] < 3e-4 && decaying.iter().all(|strain| *strain > 0.0));
        assert!(strains(Feedback::NONE, 1.01 * Vec3::x(), 0.0, 60).iter().all(|strain| (strain - 0.01).abs() < 1e-14));
    }

    #[test]
    fn a_pendulum_drifts_without_feedback_and_stays_near_its_length_with_it() {
        let largest = |feedback| strains(feedback, Vec3::x(), 9.81, 2000).iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let (drifted, restored) = (largest(Feedback::NONE), largest(Feedback::default()));
        assert!(drifted > 0.1 && restored < 0.05 && restored < 0.2 * drifted, "{drifted} {restored}");
    }
}
