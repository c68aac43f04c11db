use std::ops::ControlFlow;

use cloth::run::{Observer, Run, StepReport};
use scene::Scene;

use super::growth::Growth;
use super::momentum::Momentum;
use super::summary::Measured;
use super::warn;

/// Tells of the first part of a step that is accepted beyond its limit, and of the first tear or pin that could not be had, at once: each
/// such step may take long, and the summary comes at the end.
#[derive(Default)]
pub(super) struct Warning {
    is_beyond: bool,
    is_whole: bool,
}

impl Observer for Warning {
    fn beyond_limit(&mut self, step: u64) {
        if !std::mem::replace(&mut self.is_beyond, true) {
            warn(format_args!(
                "in step {step} a part was accepted beyond its limit, being the shortest there is: raise `limit` or `tolerance`, or \
                 shorten `step`"
            ));
        }
    }

    fn stepped(&mut self, _: &Run, report: &StepReport) -> ControlFlow<()> {
        if let Some(refused) = &report.refused
            && !std::mem::replace(&mut self.is_whole, true)
        {
            warn(format_args!(
                "before step {} the cloth could not be torn, or let go, and goes on as it was: {refused}",
                report.step
            ));
        }
        ControlFlow::Continue(())
    }
}

/// The watch of a run: what is told at once, its energy, and its momentum where nothing but weight changes that.
pub(super) struct Watch {
    warning: Warning,
    pub growth: Growth,
    pub momentum: Option<Momentum>,
}

impl Watch {
    /// Of a run from where it is.
    pub fn new(scene: &Scene, run: &Run) -> Watch {
        Watch { warning: Warning::default(), growth: Growth::new(run), momentum: Momentum::new(scene, run) }
    }

    /// Looks at the state with its energies; where that takes forces, if it is due or `at_once`.
    pub fn look(&mut self, run: &Run, measured: &Measured, at_once: bool) {
        self.growth.look(run, measured, at_once);
        self.momentum.iter_mut().for_each(|momentum| momentum.look(run));
    }
}

impl Observer for Watch {
    fn beyond_limit(&mut self, step: u64) {
        self.warning.beyond_limit(step);
    }

    fn stepped(&mut self, run: &Run, report: &StepReport) -> ControlFlow<()> {
        let _ = self.growth.stepped(run, report);
        self.warning.stepped(run, report)
    }
}
