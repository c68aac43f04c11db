use super::edge_system::EdgeSystem;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, Limits, MethodEntry, Step};
use crate::Vec3;

/// Constraints linearised at the start of the step, on velocities: grad C(x_n) v = 0, a baseline that \[Goldenthal 2007, 2\]
/// argues against.
///
/// Deviation from \[Witkin, Gleicher & Welch 1990\], whose constraints act on accelerations with feedback:
/// [`Accelerations`](super::Accelerations).
///
/// (grad C) M⁻¹ (grad C)ᵀ mu = grad C v~ with gradients at x_n, v = v~ - M⁻¹ (grad C)ᵀ mu, x = x_n + dt v: one solve a step,
/// whatever strain it leaves. Nothing leads a length back: what a step leaves out stays, and lengths drift;
/// [`Baumgarte`](super::Baumgarte) leads them back.
pub struct Linearised {
    constraints: EdgeConstraints,
    limits: Limits,
    system: EdgeSystem,
    mu: Vec<f64>,
}

impl Linearised {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "linearised",
        about: "constraints linearised at the start of the step, which drift: one solve a step, whatever is left",
        iterations: None,
    };

    /// For `constraints`; `limits` say only which steps are called converged.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Linearised {
        let edges = constraints.edges().len();
        let system = EdgeSystem::new(&constraints);
        Linearised { constraints, limits, system, mu: vec![0.0; edges] }
    }

    /// Leads `x` where dt grad C(x_n) v = -`share` C(x_n).
    pub(super) fn solve_once(&mut self, step: &Step<'_>, share: f64, x: &mut [Vec3]) -> FilterReport {
        let mut report = FilterReport::begin(self.constraints.largest_strain(x));
        if !report.after.is_finite() {
            return report;
        }
        if let Err(stop) = self.system.factor_at(&self.constraints, step.start, &mut report) {
            return report.ended(stop);
        }
        for ((mu, edge), gradient) in self.mu.iter_mut().zip(self.constraints.edges()).zip(&self.system.gradients) {
            *mu = gradient.dot(&(edge.vector(x) - edge.vector(step.start))); // dt grad C v~
            if share > 0.0 {
                *mu += share * edge.value(step.start);
            }
        }
        self.system.solve(&mut self.mu, &mut report);
        self.system.correct(&self.constraints, &self.mu, x);
        report.iterations += 1;
        report.after = self.constraints.largest_strain(x);
        report.judged(self.limits)
    }
}

impl ConstraintMethod for Linearised {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    /// [`FilterStop::IterationLimit`](super::FilterStop::IterationLimit) says that the one solve left an edge beyond the bound.
    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        self.solve_once(step, 0.0, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::{Edge, FilterStop};

    #[test]
    fn a_step_by_hand_keeps_the_velocity_off_the_edge() {
        // a pendulum moving outwards and sideways: only the sideways part is left, and the edge is longer after the step
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }];
        let constraints = EdgeConstraints::new(&edges, &[1.0, 3.0], &[true, false]).unwrap();
        let mut method = Linearised::new(constraints, Limits::new(1e-3, 5).unwrap());
        let start = [Vec3::zeros(), Vec3::x()];
        let candidate = [Vec3::zeros(), Vec3::new(1.2, 0.1, 0.0)];
        let (mut x, mut v) = (candidate, [Vec3::zeros(), Vec3::new(2.0, 1.0, 0.0)]);
        let report = method.filter(&Step { dt: 0.1, start: &start, candidate: &candidate }, &mut x, &mut v);
        assert!((x[1] - Vec3::new(1.0, 0.1, 0.0)).norm() < 1e-15 && (v[1] - Vec3::y()).norm() < 1e-14);
        assert_eq!((report.stop, report.solves), (FilterStop::IterationLimit, 1));
        assert!((report.after - (1.01_f64.sqrt() - 1.0)).abs() < 1e-15);
        let at_once = Step { dt: 0.1, start: &[Vec3::zeros(); 2], candidate: &candidate };
        assert_eq!(method.project(&at_once, &mut x).stop, FilterStop::Coincident { edge: 0 });
        x[1].x = f64::NAN;
        assert_eq!(method.project(&Step { dt: 0.1, start: &start, candidate: &candidate }, &mut x).stop, FilterStop::NotFinite);
    }
}
