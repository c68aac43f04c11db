use std::ops::ControlFlow;

use super::{Cause, Run, StepReport};
use crate::implicit::Work;

/// Watches a run, and may end it.
pub trait Observer {
    /// In the midst of a step, from 1, a part is accepted beyond its limit, being the shortest there is.
    fn beyond_limit(&mut self, _step: u64) {}

    /// In the midst of a step, a part of it was tried: the evaluations of all forces so far, the work of the scheme, and the
    /// operations of the constraint method. A step that is broken off here ends with [`Cause::GivenUp`].
    fn tried(&mut self, _evaluations: u64, _work: &Work, _filtered: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A step came to its end.
    fn stepped(&mut self, _run: &Run, _report: &StepReport) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Observer for Unwatched {}

/// Who watches a step in its midst, and what they are told.
pub(super) struct Midway<'a> {
    pub eye: &'a mut dyn Observer,
    /// Number of the step, from 1.
    pub step: u64,
    /// Evaluations of all forces so far.
    pub evaluations: &'a dyn Fn() -> u64,
}

impl Midway<'_> {
    /// A part is accepted beyond its limit.
    pub fn beyond_limit(&mut self) {
        self.eye.beyond_limit(self.step);
    }

    /// A part was tried, with the work of the scheme and the operations of the constraint method so far.
    pub fn tried(&mut self, work: &Work, filtered: u64) -> Result<(), Cause> {
        match self.eye.tried((self.evaluations)(), work, filtered) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Cause::GivenUp),
        }
    }
}
