use super::{
    ConstraintMethod, EdgeConstraints, FastProjection, GaussSeidelLimiting, Icd, ImpulseStrips, JacobiLimiting, Limits,
    Linearised, Pbd, Shake, StepAndProject, StripSettings, Xpbd,
};
use crate::quantity::NonNegative;

/// A constraint method by name, with what is its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the methods of these names
pub enum Method {
    FastProjection,
    Icd,
    StepAndProject,
    Shake,
    Linearised,
    Pbd,
    JacobiLimiting,
    GaussSeidelLimiting {
        /// What the orders of the sweeps are drawn from.
        seed: u64,
    },
    Xpbd {
        /// alpha, compliance of an edge \[m/N\].
        compliance: NonNegative,
        /// Sweeps a step, at least one; as a rule one.
        sweeps: u64,
    },
    ImpulseStrips(StripSettings),
}

impl Method {
    /// Its name in tables and scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::FastProjection => "fast-projection",
            Method::Icd => "icd",
            Method::StepAndProject => "step-and-project",
            Method::Shake => "shake",
            Method::Linearised => "linearised",
            Method::Pbd => "pbd",
            Method::JacobiLimiting => "jacobi-limiting",
            Method::GaussSeidelLimiting { .. } => "gauss-seidel-limiting",
            Method::Xpbd { .. } => "xpbd",
            Method::ImpulseStrips(_) => "impulse-strips",
        }
    }

    /// The method with the memory for `constraints`.
    pub fn build(&self, constraints: EdgeConstraints, limits: Limits) -> Box<dyn ConstraintMethod> {
        match *self {
            Method::FastProjection => Box::new(FastProjection::new(constraints, limits)),
            Method::Icd => Box::new(Icd::new(constraints, limits)),
            Method::StepAndProject => Box::new(StepAndProject::new(constraints, limits)),
            Method::Shake => Box::new(Shake::new(constraints, limits)),
            Method::Linearised => Box::new(Linearised::new(constraints, limits)),
            Method::Pbd => Box::new(Pbd::new(constraints, limits)),
            Method::JacobiLimiting => Box::new(JacobiLimiting::new(constraints, limits)),
            Method::GaussSeidelLimiting { seed } => Box::new(GaussSeidelLimiting::new(constraints, limits, seed)),
            Method::Xpbd { compliance, sweeps } => Box::new(Xpbd::new(constraints, limits, compliance, sweeps)),
            Method::ImpulseStrips(settings) => Box::new(ImpulseStrips::new(constraints, limits, settings)),
        }
    }
}
