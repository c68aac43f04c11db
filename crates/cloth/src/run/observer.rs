use std::ops::ControlFlow;

use super::{Run, StepReport};

/// Watches a run, and may end it.
pub trait Observer {
    /// In the midst of a step, from 1, a part is accepted beyond its limit, being the shortest there is.
    fn beyond_limit(&mut self, _step: u64) {}

    /// A step came to its end.
    fn stepped(&mut self, _run: &Run, _report: &StepReport) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Observer for Unwatched {}
