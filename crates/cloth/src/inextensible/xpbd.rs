use super::sweeps::EDGE_OPERATIONS;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, Step};
use crate::Vec3;
use crate::quantity::NonNegative;

/// Extended position based dynamics by small steps \[Macklin 2016, eqs. 17-18; Macklin 2019\]: few sweeps a step over all edges,
/// as a rule one, with a compliance that does not depend on the step. Accuracy is asked for by the step, not by iterations: the
/// sweeps are done also where the bound is kept, and no more of them where it is not.
#[derive(Clone, Debug)]
pub struct Xpbd {
    constraints: EdgeConstraints,
    limits: Limits,
    compliance: f64,
    sweeps: u64,
    multipliers: Vec<f64>,
}

impl Xpbd {
    /// For `constraints` of `compliance` alpha \[m/N\], with `sweeps` a step, at most the limit of iterations, at least one.
    pub fn new(constraints: EdgeConstraints, limits: Limits, compliance: NonNegative, sweeps: u64) -> Xpbd {
        let multipliers = vec![0.0; constraints.edges().len()];
        Xpbd { constraints, limits, compliance: compliance.get(), sweeps: sweeps.clamp(1, limits.iterations()), multipliers }
    }
}

impl ConstraintMethod for Xpbd {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    /// Each edge in turn, with C = abs(d) - l \[m\], alpha~ = alpha / dt² and lambda from zero:
    /// dlambda = (-C - alpha~ lambda) / (w_i + w_j + alpha~), x_i -= w_i dlambda u, x_j += w_j dlambda u.
    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let (edges, w) = (self.constraints.edges(), self.constraints.inverse_masses());
        let mut report = FilterReport::begin(self.constraints.largest_strain(x));
        if report.stop == FilterStop::NotFinite {
            return report;
        }
        let alpha = self.compliance / (step.dt * step.dt); // alpha~ [1/kg]
        self.multipliers.fill(0.0);
        for _ in 0..self.sweeps {
            for (k, edge) in edges.iter().enumerate() {
                let d = edge.vector(x);
                let length = d.norm();
                if length == 0.0 {
                    return report.ended(FilterStop::Coincident { edge: k });
                }
                let lambda = self.multipliers[k];
                let factor = (length - edge.rest + alpha * lambda) / ((w[edge.i] + w[edge.j] + alpha) * length);
                self.multipliers[k] -= factor * length; // dlambda = -factor |d|
                edge.pull(factor * d, w, x);
            }
            report.iterations += 1;
            report.operations += EDGE_OPERATIONS * edges.len() as u64;
        }
        report.after = self.constraints.largest_strain(x);
        report.judged(self.limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::fixtures::{chain, momentum_moved, projected};
    use crate::inextensible::{Edge, Pbd};

    fn compliance(alpha: f64) -> NonNegative {
        NonNegative::try_from(alpha).unwrap()
    }

    #[test]
    fn a_sweep_by_hand() {
        // the step of the fixture is 0.1 s, so alpha = 0.01 m/N is alpha~ = 1/kg
        let candidate = [0.0, 1.5, 3.5].map(|x| Vec3::new(x, 0.0, 0.0));
        let limits = Limits::new(1e-3, 10).unwrap();
        let mut method = Xpbd::new(chain(&[1.0; 3], &[true, false, false]), limits, compliance(0.01), 1);
        let (report, x) = projected(&mut method, &candidate);
        // first edge: dlambda = -0.5 / (0 + 1 + 1); second, 2.25 long: dlambda = -1.25 / (1 + 1 + 1)
        assert!((x[1].x - (1.25 + 1.25 / 3.0)).abs() < 1e-15 && (x[2].x - (3.5 - 1.25 / 3.0)).abs() < 1e-15, "{x:?}");
        assert_eq!((report.iterations, report.stop), (1, FilterStop::IterationLimit));
    }

    #[test]
    fn many_sweeps_reach_the_balance_of_spring_and_inertia() {
        // one edge of two free particles: alpha~ lambda = -C and C after = C + (w_i + w_j) lambda
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }];
        let masses = [1.0, 4.0];
        let constraints = EdgeConstraints::new(&edges, &masses, &[false; 2]).unwrap();
        let candidate = [Vec3::zeros(), Vec3::new(0.0, 1.6, 0.0)];
        let mut method = Xpbd::new(constraints, Limits::new(1e-3, 10).unwrap(), compliance(0.02), 5);
        let (report, x) = projected(&mut method, &candidate);
        let expected = 0.6 * 2.0 / (1.25 + 2.0); // alpha~ / (w + alpha~) of the stretch
        assert!((edges[0].strain(&x) - expected).abs() < 1e-15);
        assert!(momentum_moved(&masses, &candidate, &x).norm() < 1e-15);
        assert_eq!((report.iterations, report.stop), (5, FilterStop::IterationLimit));
    }

    #[test]
    fn without_compliance_it_is_a_sweep_of_position_based_dynamics() {
        let limits = Limits::new(1e-3, 1).unwrap();
        let candidate = [Vec3::zeros(), Vec3::new(1.5, 0.2, 0.0), Vec3::new(1.7, 1.0, 0.4)];
        let constraints = chain(&[1.0, 2.0, 5.0], &[false; 3]);
        let (one, x) = projected(&mut Xpbd::new(constraints.clone(), limits, compliance(0.0), 1), &candidate);
        let (other, y) = projected(&mut Pbd::new(constraints, limits), &candidate);
        assert!(one.after == other.after && one.stop == other.stop && x == y, "{x:?} {y:?}");
    }

    #[test]
    fn it_converges_by_its_sweeps_alone_and_says_what_it_cannot() {
        let limits = Limits::new(0.5, 3).unwrap();
        let mut method = Xpbd::new(chain(&[1.0; 2], &[true, false]), limits, compliance(0.0), 9);
        let (report, x) = projected(&mut method, &[Vec3::zeros(), 1.2 * Vec3::x()]);
        assert_eq!((report.stop, report.iterations, x[1]), (FilterStop::Converged, 3, Vec3::x()));
        assert_eq!(projected(&mut method, &[Vec3::zeros(); 2]).0.stop, FilterStop::Coincident { edge: 0 });
        assert_eq!(projected(&mut method, &[Vec3::zeros(), f64::NAN * Vec3::x()]).0.stop, FilterStop::NotFinite);
    }
}
