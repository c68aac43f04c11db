use thiserror::Error;

use crate::ModelError;
use crate::contact::{CollisionError, CollisionReport};
use crate::inextensible::{FilterReport, FilterStop};

/// What a step of a run did.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// The time at its end \[s\].
    pub time: f64,
    /// What the constraint method did, where there is one.
    pub filter: Option<FilterReport>,
    /// What was done about collisions, where they are looked for.
    pub collisions: Option<CollisionReport>,
    /// Particles that were split, or springs that left, before it.
    pub torn: u64,
    /// Why cloth that is too long could not be torn before it, or pins could not let go: it goes on as it was.
    pub refused: Option<ModelError>,
}

/// A step that came to no end. The run keeps the state before it.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("step {step}, from {time} s: {cause}")]
pub struct StepError {
    /// Number of the step, from 1.
    pub step: u64,
    /// The time at its start \[s\], that of the last good state.
    pub time: f64,
    /// Why.
    pub cause: Cause,
}

/// Why a step comes to no end.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum Cause {
    /// A coordinate is not a finite number.
    #[error("a position or velocity is not a finite number; a shorter step, or an implicit integrator, may keep it finite")]
    NotFinite,
    /// The constraint method.
    #[error("the constraint method ended without a position: {}", .0.name())]
    Filter(FilterStop),
    /// Collisions.
    #[error("collisions could not be resolved: {0}")]
    Collisions(#[from] CollisionError),
    /// Its observer, between two parts of it.
    #[error("it was given up between two of its parts")]
    GivenUp,
}

/// The end of a run that was followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// It came to its end.
    Finished,
    /// An observer asked for its end.
    Stopped,
    /// A step came to none.
    Failed(StepError),
}
