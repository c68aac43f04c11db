use super::sweeps::{EDGE_OPERATIONS, sweep_until};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;

/// Position based dynamics \[Müller et al. 2006\] whose sweeps go over the edges and back again.
#[derive(Clone, Debug)]
pub struct Shuttle {
    constraints: EdgeConstraints,
    limits: Limits,
}

impl Shuttle {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry =
        MethodEntry { name: "shuttle", about: "pbd, over the edges and back again", iterations: MethodEntry::SWEEPS };

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Shuttle {
        Shuttle { constraints, limits }
    }
}

impl ConstraintMethod for Shuttle {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, _step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let (edges, w) = (self.constraints.edges(), self.constraints.inverse_masses());
        sweep_until(&self.constraints, self.limits, x, |x, report| {
            report.operations += 2 * EDGE_OPERATIONS * edges.len() as u64;
            (0..edges.len()).chain((0..edges.len()).rev()).try_for_each(|k| {
                let (edge, d) = (&edges[k], edges[k].vector(x));
                let length = d.norm();
                if length == 0.0 {
                    return Err(FilterStop::Coincident { edge: k });
                }
                edge.pull((length - edge.rest) / (w[edge.i] + w[edge.j]) * (d / length), w, x); // both ends by their inverse masses
                Ok(())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::fixtures::chain;
    use crate::integrators::ForwardBackwardEuler;
    use crate::run::Filter;
    use crate::{Net, State, System};

    #[test]
    fn it_holds_a_pendulum() {
        let net = Net::new(vec![1.0; 3], vec![true, false, false], vec![]).unwrap();
        let method = Shuttle::new(chain(net.masses(), net.pinned()), Limits::new(1e-6, 1000).unwrap());
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(3), Filter::new(Box::new(method)));
        let mut state = State::at_rest(vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()]);
        let (begin, mut lowest): (f64, f64) = (net.energy(&state), 0.0);
        for _ in 0..2000 {
            filter.step(&mut forces, &net, 1e-3, &mut state).unwrap();
            assert!(filter.converged() && net.energy(&state) < begin + 0.1, "{:?}", filter.last());
            lowest = lowest.min(state.x[2].z);
        }
        assert!(state.x[0] == Vec3::zeros() && lowest < -1.5 && lowest > -2.0 - 1e-5, "{lowest} m");
    }
}
