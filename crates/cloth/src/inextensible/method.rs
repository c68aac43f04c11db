use super::{ConstraintMethod, EdgeConstraints, FastProjection, Limits, Pbd};

/// A constraint method by name, with what is its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// [`FastProjection`].
    FastProjection,
    /// [`Pbd`].
    Pbd,
}

impl Method {
    /// Its name in tables and scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::FastProjection => "fast projection",
            Method::Pbd => "pbd",
        }
    }

    /// The method with the memory for `constraints`.
    pub fn build(&self, constraints: EdgeConstraints, limits: Limits) -> Box<dyn ConstraintMethod> {
        match *self {
            Method::FastProjection => Box::new(FastProjection::new(constraints, limits)),
            Method::Pbd => Box::new(Pbd::new(constraints, limits)),
        }
    }
}
