use super::filter::filtered_step;
use super::observer::Midway;
use super::{Adaptation, Cause, Collisions, Filter, Unwatched};
use crate::contact::{Contacts, Repulsion};
use crate::implicit::{SolvedSystem, Work};
use crate::integrators::Integrator;
use crate::{Memory, State, System};

/// Takes the steps of a run: a scheme, a constraint method behind it, the adaptation of its steps, and collisions of the whole
/// step, each of the last three where there is one.
pub struct Stepper {
    scheme: Box<dyn Integrator>,
    filter: Option<Filter>,
    adaptation: Option<Adaptation>,
    collisions: Option<Collisions>,
}

impl Stepper {
    /// A scheme alone.
    pub fn new(scheme: Box<dyn Integrator>) -> Stepper {
        Stepper { scheme, filter: None, adaptation: None, collisions: None }
    }

    /// Filters its steps, those of a scheme of one step, without solids of its own.
    pub fn filtered(self, filter: Filter) -> Stepper {
        Stepper { filter: Some(filter), ..self }
    }

    /// Adapts its steps.
    pub fn adapted(self, adaptation: Adaptation) -> Stepper {
        Stepper { adaptation: Some(adaptation), ..self }
    }

    /// Leads its steps around collisions.
    pub fn colliding(self, collisions: Collisions) -> Stepper {
        Stepper { collisions: Some(collisions), ..self }
    }

    /// Declared order of accuracy in positions and velocities, without collisions: these are of first order.
    pub fn order(&self) -> u32 {
        let behind = self.filter.as_ref().map_or(u32::MAX, |filter| filter.method().order());
        self.scheme.order().min(behind)
    }

    /// Replaces `state` by the state `dt` \[s\] later. A scheme of two steps begins anew after a step that collisions changed.
    ///
    /// # Errors
    /// Why the step came to no end; the state is then of no use.
    ///
    /// # Panics
    /// Where the system or the state has another number of particles than the scheme was made for.
    pub fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) -> Result<(), Cause> {
        self.step_telling(system, dt, state, &mut Midway { eye: &mut Unwatched, step: 1, evaluations: &|| 0 })
    }

    /// As [`Stepper::step`], watched `midway`: a step may take long.
    pub(super) fn step_telling(
        &mut self,
        system: &dyn System,
        dt: f64,
        state: &mut State,
        midway: &mut Midway,
    ) -> Result<(), Cause> {
        if let Some(collisions) = &mut self.collisions {
            collisions.begin(dt, state);
        }
        let (scheme, filter) = (&mut *self.scheme, &mut self.filter);
        match &mut self.adaptation {
            Some(adaptation) => adaptation.parts(scheme, filter, system, dt, state, midway)?,
            None => filtered_step(scheme, filter, system, dt, state, midway)?,
        }
        finite(state)?;
        if let Some(collisions) = &mut self.collisions
            && collisions.finish(dt, state)?
        {
            self.scheme.restart();
            finite(state)?;
        }
        Ok(())
    }

    /// Goes on with the counts of what took the steps before, whose particles may be others.
    #[must_use]
    pub fn after(mut self, before: &Stepper) -> Stepper {
        if let (Some(filter), Some(former)) = (&mut self.filter, &before.filter) {
            filter.go_on(former);
        }
        if let (Some(collisions), Some(former)) = (&mut self.collisions, &before.collisions) {
            collisions.go_on(former);
        }
        self
    }

    /// Writes down, or reads back, what its next step takes from the `steps` before, beside the state.
    pub(super) fn remember(&mut self, steps: u64, memory: &mut Memory) {
        self.scheme.remember(memory);
        self.filter.iter_mut().for_each(|filter| filter.remember(memory));
        self.adaptation.iter_mut().for_each(|adaptation| adaptation.remember(memory));
        self.collisions.iter_mut().for_each(|collisions| collisions.after(steps));
    }

    /// The constraint method behind the scheme, as the last step left it, be it one that failed.
    pub fn filter(&self) -> Option<&Filter> {
        self.filter.as_ref()
    }

    /// What leads its steps around collisions, as the last step left it, be it one that was refused.
    pub fn collisions(&self) -> Option<&Collisions> {
        self.collisions.as_ref()
    }

    /// Contacts of the last step; none for a scheme that meets no solids.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.scheme.contacts()
    }

    /// Repulsion of the cloth by itself; none for a scheme without it.
    pub fn repulsion(&self) -> Option<&Repulsion> {
        self.scheme.repulsion()
    }

    /// The linear system of the last step, as [`Integrator::last_system`].
    pub fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.scheme.last_system()
    }

    /// Work of its linear systems, and rejected parts, so far; explicit schemes of a fixed step count none.
    pub fn work(&self) -> Work {
        let mut work = self.scheme.work();
        if let Some(adaptation) = &self.adaptation {
            work.rejected += adaptation.rejected();
            work.accepted_beyond += adaptation.accepted_beyond();
        }
        work
    }
}

/// Refuses a state of numbers that are not finite.
fn finite(state: &State) -> Result<(), Cause> {
    if state.is_finite() { Ok(()) } else { Err(Cause::NotFinite) }
}
