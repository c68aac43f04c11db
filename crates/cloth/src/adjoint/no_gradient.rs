use thiserror::Error;

use super::Constant;
use crate::ModelError;

/// A force that the adjoint step does not differentiate.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum Obstacle {
    /// Drag is taken explicitly, at the start of a step, and depends on normals.
    #[error("drag has no derivative here; leave out `drag`")]
    Drag,
}

/// Why there is no gradient.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum NoGradient {
    /// A force without a derivative.
    #[error("{0}")]
    Obstacle(Obstacle),
    /// A constant that the material does not have.
    #[error("the material has no constant `{0}`, or not one for all springs")]
    Constant(Constant),
    /// A constant of a value without meaning.
    #[error("{0}")]
    ModelError(#[from] ModelError),
    /// Steps that do not solve their equation.
    #[error("only converged steps have a gradient: Newton must iterate to a tolerance, with the direct solver")]
    Settings,
    /// A particle or a step that the run does not have.
    #[error("{what} {given} lies outside the run, which has {count} of them")]
    Outside { what: &'static str, given: usize, count: usize },
    /// Newton ended without a solution.
    #[error(
        "step {step} does not converge: where a damper ends with its spring forces jump, so let springs act in compression, or \
         shorten `step`, or raise the `limit` of Newton"
    )]
    NotConverged { step: usize },
    /// A state that is not finite.
    #[error("the run blows up in step {step}; shorten `step`")]
    BlewUp { step: usize },
    /// The system of the adjoint step is singular, or was solved badly.
    #[error("the adjoint system of step {step} is not positive definite: the cloth buckles there; shorten `step`")]
    Singular { step: usize },
}
