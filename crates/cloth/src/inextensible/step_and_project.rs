use linsolve::scalar::SmallestPivot;

use super::edge_system::{EdgeSystem, SystemSize, correct, fill_gradients, fill_values};
use super::motion::{residual_of_motion, tolerance_of_motion};
use super::{ConstraintMethod, EdgeConstraints, Limits, Report, Step, Stop};
use crate::Vec3;

/// Step and project \[Goldenthal 2007, 4.2\]: the point on the constraints that is closest to the candidate in the norm of the
/// masses, the extremum of W = 1/2 dxᵀ M dx + C(x)ᵀ mu with mu = dt² lambda.
///
/// By a sequence of projections onto constraints linearised at the last iterate, each from the candidate anew:
/// (grad C) M⁻¹ (grad C)ᵀ mu = C(x_j) + grad C (x~ - x_j), x_{j+1} = x~ - M⁻¹ (grad C)ᵀ mu, gradients at x_j. The systems are those of
/// fast projection; the convergence is linear, since the curvature of the constraints is left out. [`Icd`](super::Icd) finds the
/// same point by Newton's method.
pub struct StepAndProject {
    constraints: EdgeConstraints,
    limits: Limits,
    /// Largest residual of motion of a result \[m\], by default the bound of strain times the shortest rest length.
    pub motion_tolerance: f64,
    system: EdgeSystem,
    gradients: Vec<Vec3>,
    mu: Vec<f64>,
    residual: Vec<Vec3>,
}

impl StepAndProject {
    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> StepAndProject {
        let (edges, particles) = (constraints.edges().len(), constraints.particle_count());
        StepAndProject {
            motion_tolerance: tolerance_of_motion(&constraints, limits.strain()),
            system: EdgeSystem::new(&constraints),
            constraints,
            limits,
            gradients: vec![Vec3::zeros(); edges],
            mu: vec![0.0; edges],
            residual: vec![Vec3::zeros(); particles],
        }
    }

    /// How large its linear system is.
    pub fn system_size(&self) -> SystemSize {
        self.system.size()
    }

    /// The smallest pivot of the last factorisation that succeeded.
    pub fn smallest_pivot(&self) -> SmallestPivot {
        self.system.smallest()
    }

    /// A projection from the candidate; returns the residual of motion \[m\].
    fn iterate(&mut self, step: &Step<'_>, x: &mut [Vec3], report: &mut Report) -> Result<f64, Stop> {
        if let Some(edge) = self.constraints.coincident(x) {
            return Err(Stop::Coincident { edge });
        }
        fill_gradients(&self.constraints, x, &mut self.gradients);
        fill_values(&self.constraints, x, &mut self.mu);
        for ((mu, edge), gradient) in self.mu.iter_mut().zip(self.constraints.edges()).zip(&self.gradients) {
            *mu += gradient.dot(&(edge.vector(step.candidate) - edge.vector(x))); // C(x_j) + grad C (x~ - x_j)
        }
        self.system.factor(&self.gradients, report)?;
        self.system.solve(&mut self.mu, report);
        x.copy_from_slice(step.candidate);
        correct(&self.constraints, &self.gradients, &self.mu, x); // x~ - M⁻¹ (grad C)ᵀ mu
        report.iterations += 1;
        report.after = self.constraints.largest_strain(x);
        Ok(residual_of_motion(&self.constraints, step.candidate, x, &self.mu, &mut self.residual))
    }
}

impl ConstraintMethod for StepAndProject {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> Report {
        let mut report = Report::begin(self.constraints.largest_strain(x));
        let mut motion = 0.0;
        while report.after.is_finite() && (report.after > self.limits.strain() || motion > self.motion_tolerance) {
            if report.iterations == self.limits.iterations() {
                return report.ended(Stop::IterationLimit);
            }
            match self.iterate(step, x, &mut report) {
                Ok(residual) => motion = residual,
                Err(stop) => return report.ended(stop),
            }
        }
        let stop = if report.after.is_finite() && motion.is_finite() { Stop::Converged } else { Stop::NotFinite };
        report.ended(stop)
    }
}
