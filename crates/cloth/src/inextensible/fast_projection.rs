use linsolve::scalar::SmallestPivot;

use super::edge_system::{EdgeSystem, SystemSize, fill_values};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;

/// Fast projection \[Goldenthal 2007, algorithm 1\]: the shortest steps, in the norm of the masses, towards constraints that are
/// linearised anew at every iterate, until every edge is within the bound. A close point on the constraints, not the closest.
///
/// A chain of edges in their order has a tridiagonal solver, everything else sparse Cholesky factors.
pub struct FastProjection {
    constraints: EdgeConstraints,
    limits: Limits,
    system: EdgeSystem,
    mu: Vec<f64>,
    total: Vec<f64>,
}

impl FastProjection {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "fast-projection",
        about: "of Goldenthal et al.: all edges at once by a direct solver, until all are within the strain",
        iterations: MethodEntry::SOLVES,
    };

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> FastProjection {
        let system = EdgeSystem::new(&constraints);
        FastProjection::with(constraints, limits, system)
    }

    /// For `constraints`, within `limits`, with sparse factors for chains as well.
    pub fn sparse(constraints: EdgeConstraints, limits: Limits) -> FastProjection {
        let system = EdgeSystem::sparse(&constraints);
        FastProjection::with(constraints, limits, system)
    }

    fn with(constraints: EdgeConstraints, limits: Limits, system: EdgeSystem) -> FastProjection {
        let edges = constraints.edges().len();
        FastProjection { constraints, limits, system, mu: vec![0.0; edges], total: vec![0.0; edges] }
    }

    /// How large its linear system is.
    pub fn system_size(&self) -> SystemSize {
        self.system.size()
    }

    /// The smallest pivot of the last factorisation that succeeded.
    pub fn smallest_pivot(&self) -> SmallestPivot {
        self.system.smallest
    }

    /// dt² lambda of the last step, the sum over its iterations \[kg m\], shape \[edges\].
    pub fn multipliers(&self) -> &[f64] {
        &self.total
    }

    /// One step of the projection.
    fn iterate(&mut self, x: &mut [Vec3], report: &mut FilterReport) -> Result<(), FilterStop> {
        self.system.factor_at(&self.constraints, x, report)?;
        fill_values(&self.constraints, x, &mut self.mu);
        self.system.solve(&mut self.mu, report); // dt² (grad C) M⁻¹ (grad C)ᵀ dlambda = C  [Goldenthal 2007, eq. 7]
        self.system.correct(&self.constraints, &self.mu, x); // dx = -dt² M⁻¹ (grad C)ᵀ dlambda  [Goldenthal 2007, eq. 5]
        self.total.iter_mut().zip(&self.mu).for_each(|(total, mu)| *total += mu);
        report.iterations += 1;
        report.after = self.constraints.largest_strain(x);
        Ok(())
    }
}

impl ConstraintMethod for FastProjection {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, _step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let report = FilterReport::begin(self.constraints.largest_strain(x));
        self.total.fill(0.0);
        report.until(self.limits, 0.0, |report| self.iterate(x, report).map(|()| 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::Edge;

    fn chain(masses: &[f64], pinned: &[usize], strain: f64) -> (EdgeConstraints, Limits) {
        let edges: Vec<Edge> = (1..masses.len()).map(|j| Edge { i: j - 1, j, rest: 1.0 }).collect();
        let held: Vec<bool> = (0..masses.len()).map(|k| pinned.contains(&k)).collect();
        (EdgeConstraints::new(&edges, masses, &held).unwrap(), Limits::new(strain, 30).unwrap())
    }

    fn projected(method: &mut FastProjection, candidate: &[Vec3]) -> (FilterReport, Vec<Vec3>) {
        let mut x = candidate.to_vec();
        let step = Step { dt: 0.1, start: candidate, candidate };
        (method.project(&step, &mut x), x)
    }

    #[test]
    fn the_first_step_by_hand() {
        let limits = Limits::new(1e-3, 1).unwrap();
        // C = 1.25, grad C = 3, one free end: x - 1.25 / 3; both ends free, masses 1 and 2: it is shared two to one
        let candidate = [Vec3::zeros(), 1.5 * Vec3::x()];
        let (report, x) = projected(&mut FastProjection::new(chain(&[1.0, 2.0], &[0], 0.1).0, limits), &candidate);
        assert!((x[1].x - (1.5 - 1.25 / 3.0)).abs() < 1e-15 && x[0] == Vec3::zeros());
        assert_eq!((report.stop, report.iterations, report.factorisations, report.solves), (FilterStop::IterationLimit, 1, 1, 1));
        assert_eq!((report.before, report.operations), (0.5, 1)); // one unknown: no factor, one quotient
        let (_, x) = projected(&mut FastProjection::new(chain(&[1.0, 2.0], &[], 0.1).0, limits), &candidate);
        assert!((x[0].x - 2.0 / 3.0 * 1.25 / 3.0).abs() < 1e-15 && (x[1].x - (1.5 - 1.25 / 9.0)).abs() < 1e-15);
    }

    #[test]
    fn two_coupled_edges_by_hand() {
        // a right angle of edges 2 long at a free corner of mass 1 between pins: the system is diagonal, 16 each, C = 3
        let (constraints, _) = chain(&[1.0; 3], &[0, 2], 0.1);
        let mut method = FastProjection::new(constraints, Limits::new(0.1, 1).unwrap());
        let (_, x) = projected(&mut method, &[2.0 * Vec3::y(), Vec3::zeros(), 2.0 * Vec3::x()]);
        assert!((x[1] - Vec3::new(0.75, 0.75, 0.0)).norm() < 1e-15);
        // collinear instead, one pin: (16 -16; -16 32) mu = (3, 3), so mu = (9, 6)/16
        let (constraints, _) = chain(&[1.0; 3], &[0], 0.1);
        let mut method = FastProjection::new(constraints, Limits::new(0.1, 1).unwrap());
        let (_, x) = projected(&mut method, &[Vec3::zeros(), 2.0 * Vec3::x(), 4.0 * Vec3::x()]);
        assert!((x[1].x - 1.25).abs() < 1e-14 && (x[2].x - 2.5).abs() < 1e-14, "{x:?}");
    }

    /// A sheet of 6 x 5 thrown about.
    fn sheet(pinned: bool) -> (EdgeConstraints, Vec<f64>, Vec<Vec3>) {
        let grid = Grid::new(6, 5, 0.1).unwrap();
        let count = grid.particle_count();
        let masses: Vec<f64> = (0..count).map(|k| 0.1 + 0.02 * (k % 4) as f64).collect();
        let held: Vec<bool> = (0..count).map(|k| pinned && k == 0).collect();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &held).unwrap();
        let x = (0..count).map(|k| {
            let (u, v) = ((k % 6) as f64, (k / 6) as f64);
            Vec3::new(0.1 * u + 0.01 * libm::sin(3.0 * v), 0.11 * v, 0.03 * libm::sin(u + 2.0 * v))
        });
        (constraints, masses, x.collect())
    }

    #[test]
    fn it_converges_quadratically_and_keeps_momentum() {
        let (constraints, masses, candidate) = sheet(false);
        let strains: Vec<f64> = (1..=4)
            .map(|iterations| {
                let mut method = FastProjection::new(constraints.clone(), Limits::new(1e-11, iterations).unwrap());
                let (report, x) = projected(&mut method, &candidate);
                let moved = (0..masses.len()).map(|k| masses[k] * (x[k] - candidate[k])).fold(Vec3::zeros(), |sum, m| sum + m);
                assert!(moved.norm() < 1e-15 && (x[7] - candidate[7]).norm() > 1e-4);
                report.after
            })
            .collect();
        for pair in strains.windows(2) {
            assert!(pair[1] < 20.0 * pair[0] * pair[0] + 1e-14, "{strains:?}");
        }
        assert!(strains[0] > 1e-2 && strains[3] < 1e-11, "{strains:?}");
    }

    #[test]
    fn a_chain_and_the_sparse_solver_agree() {
        let (constraints, limits) = chain(&[1.0, 2.0, 0.5, 0.7, 1.1], &[0], 1e-10);
        let candidate: Vec<Vec3> = (0..5).map(|k| Vec3::new(0.9 * f64::from(k), 0.3 * f64::from(k % 3), 0.1)).collect();
        let (report, by_chain) = projected(&mut FastProjection::new(constraints.clone(), limits), &candidate);
        assert!(report.stop == FilterStop::Converged && report.iterations > 2, "{report:?}");
        let mut sparse = FastProjection::sparse(constraints, limits);
        let (of_sparse, x) = projected(&mut sparse, &candidate);
        assert_eq!(of_sparse.iterations, report.iterations);
        let largest = x.iter().zip(&by_chain).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(largest < 1e-13 && of_sparse.operations > report.operations, "{largest}");
        assert_eq!(sparse.system_size(), SystemSize { unknowns: 4, entries: 10, factor_entries: 7 });
    }

    #[test]
    fn a_taut_row_between_two_pins_is_singular() {
        let straight = |k: i32| Vec3::new(1.01 * f64::from(k), 0.0, 0.0);
        let candidate: Vec<Vec3> = (0..6).map(straight).collect();
        let (constraints, limits) = chain(&[1.0; 6], &[0, 5], 1e-3);
        for mut method in [FastProjection::new(constraints.clone(), limits), FastProjection::sparse(constraints.clone(), limits)]
        {
            let (report, x) = projected(&mut method, &candidate);
            assert!(matches!(report.stop, FilterStop::Singular { .. }), "{report:?}");
            assert_eq!((report.iterations, x), (0, candidate.clone()));
        }
        // sagging a little it is regular, but no state has edges as short: the limit is a status
        let sagging: Vec<Vec3> = (0..6).map(|k| straight(k) + 0.05 * f64::from(k % 2) * Vec3::z()).collect();
        let mut apart = sagging.clone();
        apart[5].x += 0.5;
        let (report, _) = projected(&mut FastProjection::new(constraints, limits), &apart);
        assert!(report.after > limits.strain(), "{report:?}");
        match report.stop {
            FilterStop::IterationLimit => assert_eq!(report.iterations, 30),
            stop => assert!(matches!(stop, FilterStop::Singular { .. }), "{report:?}"),
        }
    }

    #[test]
    fn what_cannot_be_projected_is_a_status() {
        let (constraints, limits) = chain(&[1.0; 3], &[0], 1e-3);
        let mut method = FastProjection::new(constraints, limits);
        let stop_of = |method: &mut FastProjection, x: [Vec3; 3]| projected(method, &x).0.stop;
        assert_eq!(stop_of(&mut method, [Vec3::zeros(), Vec3::x(), Vec3::x()]), FilterStop::Coincident { edge: 1 });
        assert_eq!(stop_of(&mut method, [Vec3::zeros(), f64::NAN * Vec3::x(), Vec3::y()]), FilterStop::NotFinite);
        assert_eq!(stop_of(&mut method, [Vec3::zeros(), 1e200 * Vec3::x(), Vec3::y()]), FilterStop::NotFinite);
        assert_eq!(stop_of(&mut method, [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()]), FilterStop::Converged);
        let (constraints, limits) = chain(&[1.0; 2], &[0, 1], 1e-3); // no edge is left
        assert_eq!(projected(&mut FastProjection::new(constraints, limits), &[Vec3::zeros(); 2]).0.stop, FilterStop::Converged);
    }

    #[test]
    fn a_pinned_sheet_comes_within_the_bound() {
        let (constraints, _, candidate) = sheet(true);
        let mut method = FastProjection::new(constraints, Limits::new(1e-6, 20).unwrap());
        let (report, x) = projected(&mut method, &candidate);
        assert!(report.stop == FilterStop::Converged && report.before > 0.05 && report.after < 1e-6, "{report:?}");
        assert_eq!(x[0], candidate[0]);
        assert!(method.smallest_pivot().relative > 1e-3 && report.operations > 1000);
    }
}
