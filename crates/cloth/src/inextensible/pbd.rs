use super::sweeps::{EDGE_OPERATIONS, sweep_until};
use super::waves::{Sweep, Waves};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;
use crate::quantity::Positive;

/// Position based dynamics \[Müller et al. 2006\]: every edge in turn is moved to its rest length, in the order of the mesh, sweep
/// after sweep: nonlinear Gauss-Seidel over all constraints. With a stiffness k below one it is moved by that share of its way.
#[derive(Clone, Debug)]
pub struct Pbd {
    constraints: EdgeConstraints,
    limits: Limits,
    waves: Waves,
    /// k \[-\].
    stiffness: f64,
}

impl Pbd {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "pbd",
        about: "position based dynamics: one edge after the other in the order of the mesh",
        iterations: MethodEntry::SWEEPS,
    };

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Pbd {
        Pbd { waves: Waves::new(&constraints), constraints, limits, stiffness: 1.0 }
    }

    /// With a stiffness k other than one \[-\] \[Müller et al. 2006, 3.3\].
    pub fn with_stiffness(self, stiffness: Positive) -> Pbd {
        Pbd { stiffness: stiffness.get(), ..self }
    }
}

impl ConstraintMethod for Pbd {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, _step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        if self.stiffness == 1.0 {
            return self.waves.sweep_until(&self.constraints, self.limits, Sweep::InTurn, x);
        }
        let (edges, w, stiffness) = (self.constraints.edges(), self.constraints.inverse_masses(), self.stiffness);
        sweep_until(&self.constraints, self.limits, x, |x, report| {
            report.operations += EDGE_OPERATIONS * edges.len() as u64;
            edges.iter().enumerate().try_for_each(|(k, edge)| {
                let d = edge.vector(x);
                let length = d.norm();
                if length == 0.0 {
                    return Err(FilterStop::Coincident { edge: k });
                }
                edge.pull(stiffness * (length - edge.rest) / ((w[edge.i] + w[edge.j]) * length) * d, w, x);
                Ok(())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::{Edge, FilterStop};

    fn two_edges(limits: Limits) -> Pbd {
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }, Edge { i: 1, j: 2, rest: 1.0 }];
        Pbd::new(EdgeConstraints::new(&edges, &[1.0, 1.0, 1.0], &[true, false, false]).unwrap(), limits)
    }

    fn projected(method: &mut Pbd, candidate: [Vec3; 3]) -> (FilterReport, [Vec3; 3]) {
        let mut x = candidate;
        let step = Step { dt: 0.1, start: &candidate, candidate: &candidate };
        (method.project(&step, &mut x), x)
    }

    #[test]
    fn a_sweep_by_hand() {
        let candidate = [0.0, 1.5, 3.5].map(|x| Vec3::new(x, 0.0, 0.0));
        let (report, x) = projected(&mut two_edges(Limits::new(1e-3, 1).unwrap()), candidate);
        // the first edge moves particle 1 alone to 1; the second, now 2.5 long, moves both its ends by 0.75
        assert_eq!(x.map(|x| x.x), [0.0, 1.75, 2.75]);
        assert_eq!((report.stop, report.iterations, report.before, report.after), (FilterStop::IterationLimit, 1, 1.0, 0.75));
    }

    #[test]
    fn a_stiffness_is_the_share_of_the_way() {
        let candidate = [0.0, 1.5, 3.5].map(|x| Vec3::new(x, 0.0, 0.0));
        let method = two_edges(Limits::new(1e-3, 1).unwrap());
        let (report, x) = projected(&mut method.clone().with_stiffness(Positive::try_from(0.5).unwrap()), candidate);
        // particle 1 to 1.25; the second edge, now 2.25 long, moves both its ends by half of 0.625
        assert_eq!(x.map(|x| x.x), [0.0, 1.5625, 3.1875]);
        assert_eq!((report.iterations, report.operations), (1, 48));
        let whole = projected(&mut method.clone().with_stiffness(Positive::try_from(1.0).unwrap()), candidate);
        assert_eq!(whole, projected(&mut method.clone(), candidate));
    }

    #[test]
    fn it_converges_to_the_bound_and_conserves_momentum() {
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }, Edge { i: 1, j: 2, rest: 1.0 }];
        let masses = [1.0, 2.0, 5.0];
        let mut method = Pbd::new(EdgeConstraints::new(&edges, &masses, &[false; 3]).unwrap(), Limits::new(1e-9, 200).unwrap());
        let candidate = [Vec3::zeros(), Vec3::new(1.5, 0.2, 0.0), Vec3::new(1.7, 1.0, 0.4)];
        let (report, x) = projected(&mut method, candidate);
        assert_eq!(report.stop, FilterStop::Converged);
        assert!(report.after < 1e-9 && report.iterations > 2, "{report:?}");
        let moved: Vec3 = (0..3).map(|k| masses[k] * (x[k] - candidate[k])).sum();
        assert!(moved.norm() < 1e-14);
    }

    #[test]
    fn what_cannot_be_projected_is_a_status() {
        let mut method = two_edges(Limits::new(1e-3, 5).unwrap());
        let (report, _) = projected(&mut method, [Vec3::zeros(), Vec3::zeros(), Vec3::x()]);
        assert_eq!(report.stop, FilterStop::Coincident { edge: 0 });
        let (report, _) = projected(&mut method, [Vec3::zeros(), f64::NAN * Vec3::x(), Vec3::x()]);
        assert_eq!(report.stop, FilterStop::NotFinite);
    }
}
