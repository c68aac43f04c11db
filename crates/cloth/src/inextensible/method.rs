use super::{ConstraintMethod, EdgeConstraints, FastProjection, Icd, Limits, Linearised, Pbd, Shake, StepAndProject};

/// A constraint method by name, with what is its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// [`FastProjection`].
    FastProjection,
    /// [`Icd`].
    Icd,
    /// [`StepAndProject`].
    StepAndProject,
    /// [`Shake`].
    Shake,
    /// [`Linearised`].
    Linearised,
    /// [`Pbd`].
    Pbd,
}

impl Method {
    /// Its name in tables and scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::FastProjection => "fast projection",
            Method::Icd => "icd",
            Method::StepAndProject => "step and project",
            Method::Shake => "shake",
            Method::Linearised => "linearised",
            Method::Pbd => "pbd",
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
        }
    }
}
