use super::waves::{Sweep, Waves};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, Limits, MethodEntry, Step};
use crate::Vec3;

/// Strain limiting, all edges at once \[Provot 1995; Bridson 2002\]: what moves each edge beyond the bound to its rest length, all
/// from the same positions, is summed and scaled by one factor. To the bound itself the sweeps would stall.
///
/// With the edges' directions u as rows of J, A = J M⁻¹ Jᵀ and D its diagonal, a sweep takes the strained lengths s to
/// (I - omega A D⁻¹) s to first order. An edge shares each of its ends with at most n - 1 others, n the most edges of a movable
/// particle, so the sums of the rows of abs(D⁻¹ A), and with them its eigenvalues, are n at most: no error grows for omega <= 2/n,
/// and those that an end at the border or a bend leaves below n decay. In a sheet of quads n is 4 and omega 1/2. The same factor
/// for all keeps momentum.
#[derive(Clone, Debug)]
pub struct JacobiLimiting {
    constraints: EdgeConstraints,
    limits: Limits,
    factor: f64,
    waves: Waves,
}

impl JacobiLimiting {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "jacobi-limiting",
        about: "strain limiting of Provot, all edges at once, averaged",
        iterations: MethodEntry::SWEEPS,
    };

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> JacobiLimiting {
        let w = constraints.inverse_masses();
        let mut edges_of = vec![0_u32; w.len()];
        for end in constraints.edges().iter().flat_map(|edge| [edge.i, edge.j]).filter(|end| w[*end] > 0.0) {
            edges_of[end] += 1;
        }
        let most = edges_of.iter().copied().max().unwrap_or(0);
        let factor = 2.0 / f64::from(most.max(2));
        JacobiLimiting { waves: Waves::new(&constraints), constraints, limits, factor }
    }

    /// omega, by which summed corrections are scaled \[-\].
    pub fn factor(&self) -> f64 {
        self.factor
    }
}

impl ConstraintMethod for JacobiLimiting {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, _step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let sweep = Sweep::Together { factor: self.factor, bound: self.limits.strain() };
        self.waves.sweep_until(&self.constraints, self.limits, sweep, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::fixtures::{chain, momentum_moved, projected, scrambled};
    use crate::inextensible::{Edge, FilterStop};

    #[test]
    fn a_sweep_by_hand() {
        // a chain of particles 0 (held), 1, 2 has two edges at its middle: omega is 1
        let mut method = JacobiLimiting::new(chain(&[1.0; 3], &[true, false, false]), Limits::new(1e-3, 1).unwrap());
        assert_eq!(method.factor(), 1.0);
        let (report, x) = projected(&mut method, &[0.0, 1.5, 3.5].map(|x| Vec3::new(x, 0.0, 0.0)));
        // the first edge would move particle 1 by -0.5; the second, 2 long, particles 1 and 2 by 0.5 and -0.5
        assert_eq!(x.iter().map(|x| x.x).collect::<Vec<_>>(), [0.0, 1.5, 3.0]);
        assert_eq!((report.stop, report.iterations, report.after), (FilterStop::IterationLimit, 1, 0.5));
    }

    #[test]
    fn edges_within_the_bound_are_left_alone() {
        let mut method = JacobiLimiting::new(chain(&[1.0; 3], &[true, false, false]), Limits::new(0.25, 1).unwrap());
        let (_, x) = projected(&mut method, &[0.0, 1.125, 2.625].map(|x| Vec3::new(x, 0.0, 0.0)));
        // the first edge is an eighth too long, which is allowed; the second a half
        assert_eq!(x.iter().map(|x| x.x).collect::<Vec<_>>(), [0.0, 1.375, 2.375]);
    }

    #[test]
    fn it_pulls_a_sheet_into_its_bound_and_conserves_momentum() {
        let grid = Grid::new(6, 6, 0.2).unwrap();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &[0.1; 36], &[false; 36]).unwrap();
        let candidate = scrambled(&grid, 0.05);
        let mut method = JacobiLimiting::new(constraints, Limits::new(1e-3, 5000).unwrap());
        assert_eq!(method.factor(), 0.5);
        let (report, x) = projected(&mut method, &candidate);
        assert!(report.stop == FilterStop::Converged && report.before > 0.1 && report.iterations > 3, "{report:?}");
        assert!(momentum_moved(&[0.1; 36], &candidate, &x).norm() < 1e-14);
    }

    #[test]
    fn what_converges_least_is_a_folded_grid_and_does_not_grow() {
        // all four edges of every particle in a line with alternating signs: D⁻¹ A has its largest eigenvalues
        let grid = Grid::new(8, 8, 1.0).unwrap();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &[1.0; 64], &[false; 64]).unwrap();
        let folded: Vec<Vec3> = (0..64).map(|k| Vec3::new(if (k / 8 + k % 8) % 2 == 0 { -0.6 } else { 0.6 }, 0.0, 0.0)).collect();
        let mut method = JacobiLimiting::new(constraints, Limits::new(1e-6, 200).unwrap());
        let (report, _) = projected(&mut method, &folded);
        assert!(report.after < report.before, "{report:?}");
    }

    #[test]
    fn what_cannot_be_projected_is_a_status() {
        let mut method = JacobiLimiting::new(chain(&[1.0; 3], &[true, false, false]), Limits::new(1e-3, 5).unwrap());
        let (report, _) = projected(&mut method, &[Vec3::zeros(), Vec3::zeros(), Vec3::x()]);
        assert_eq!(report.stop, FilterStop::Coincident { edge: 0 });
        let none = EdgeConstraints::new(&[] as &[Edge], &[1.0], &[false]).unwrap();
        let (report, _) = projected(&mut JacobiLimiting::new(none, Limits::new(0.1, 1).unwrap()), &[Vec3::zeros()]);
        assert_eq!((report.stop, report.iterations), (FilterStop::Converged, 0));
    }
}
