use linsolve::scalar::SmallestPivot;

use super::edge_system::{EdgeSystem, SystemSize, fill_values};
use super::motion::{residual_of_motion, tolerance_of_motion};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;

/// Step and project \[Goldenthal 2007, 4.2\]: the point on the constraints that is closest to the candidate in the norm of the
/// masses, the extremum of W = 1/2 dxᵀ M dx + C(x)ᵀ mu with mu = dt² lambda.
///
/// By a sequence of projections of the candidate onto constraints linearised at the last iterate:
/// (grad C) M⁻¹ (grad C)ᵀ mu = C(x_j) + grad C (x~ - x_j), x_{j+1} = x~ - M⁻¹ (grad C)ᵀ mu, gradients at x_j. The systems are
/// those of fast projection; the convergence is linear, since the curvature of the constraints is left out. Where that is so large
/// that the residual of motion does not fall, the part of an iteration along the constraints is shortened, by halves, while the
/// part towards them is kept, and lengthened again after a run of successes. [`Icd`](super::Icd) finds the same point by Newton's
/// method.
pub struct StepAndProject {
    constraints: EdgeConstraints,
    limits: Limits,
    /// Largest residual of motion of a result \[m\], by default the bound of strain times the shortest rest length.
    pub motion_tolerance: f64,
    system: EdgeSystem,
    mu: Vec<f64>,
    /// Multipliers of the part of an iteration towards the constraints, and where that alone leads \[m\].
    towards: Vec<f64>,
    projected: Vec<Vec3>,
    residual: Vec<Vec3>,
}

impl StepAndProject {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry = MethodEntry {
        name: "step-and-project",
        about: "the same root as the nearest point that keeps all lengths",
        iterations: MethodEntry::SOLVES,
    };

    /// Least share that the part along the constraints is shortened to.
    const LEAST_SHARE: f64 = 1.0 / 64.0;
    /// Iterations whose residual falls before a longer part is tried.
    const FALLS: u64 = 10;

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> StepAndProject {
        let (edges, particles) = (constraints.edges().len(), constraints.particle_count());
        StepAndProject {
            motion_tolerance: tolerance_of_motion(&constraints, limits.strain()),
            system: EdgeSystem::new(&constraints),
            constraints,
            limits,
            mu: vec![0.0; edges],
            towards: vec![0.0; edges],
            projected: vec![Vec3::zeros(); particles],
            residual: vec![Vec3::zeros(); particles],
        }
    }

    /// How large its linear system is.
    pub fn system_size(&self) -> SystemSize {
        self.system.size()
    }

    /// The smallest pivot of the last factorisation that succeeded.
    pub fn smallest_pivot(&self) -> SmallestPivot {
        self.system.smallest
    }

    /// A projection of the candidate, `share` of its way along the constraints; returns the residual of motion \[m\].
    fn iterate(&mut self, step: &Step<'_>, share: f64, x: &mut [Vec3], report: &mut FilterReport) -> Result<f64, FilterStop> {
        let constraints = &self.constraints;
        self.system.factor_at(constraints, x, report)?;
        fill_values(constraints, x, &mut self.towards);
        for (k, (edge, gradient)) in constraints.edges().iter().zip(&self.system.gradients).enumerate() {
            let along = gradient.dot(&(edge.vector(step.candidate) - edge.vector(x)));
            self.mu[k] = self.towards[k] + along; // C(x_j) + grad C (x~ - x_j)
        }
        self.system.solve(&mut self.mu, report);
        if share < 1.0 {
            self.system.solve(&mut self.towards, report);
            self.projected.copy_from_slice(x);
            self.system.correct(constraints, &self.towards, &mut self.projected); // x_j - M⁻¹ (grad C)ᵀ S⁻¹ C(x_j)
        }
        x.copy_from_slice(step.candidate);
        self.system.correct(constraints, &self.mu, x); // x~ - M⁻¹ (grad C)ᵀ mu
        if share < 1.0 {
            x.iter_mut().zip(&self.projected).for_each(|(x, projected)| *x = projected + share * (*x - projected));
        }
        report.iterations += 1;
        report.after = constraints.largest_strain(x);
        Ok(residual_of_motion(constraints, step.candidate, x, &self.mu, &mut self.residual))
    }
}

impl ConstraintMethod for StepAndProject {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let report = FilterReport::begin(self.constraints.largest_strain(x));
        let (mut motion, mut share, mut falls) = (0.0, 1.0_f64, 0);
        report.until(self.limits, self.motion_tolerance, |report| {
            let residual = self.iterate(step, share, x, report)?;
            falls = if report.iterations == 1 || residual <= (1.0 - 0.25 * share) * motion { falls + 1 } else { 0 };
            if falls == 0 {
                share = (0.5 * share).max(StepAndProject::LEAST_SHARE);
            } else if falls % StepAndProject::FALLS == 0 {
                share = (2.0 * share).min(1.0);
            }
            motion = residual;
            Ok(residual)
        })
    }
}
