use super::Integrator;
use crate::implicit::Work;
use crate::{State, System};

/// Steps adapted to the stretch of the sheet \[Baraff & Witkin 1998; Stuyck 2018, 3.4\] and to the Newton iteration: a step after
/// which some spring is longer than the limit, or which a Newton iteration ended without converging, is rejected and halved; after
/// a run of successes the step is doubled, up to the one that is asked for.
pub struct AdaptiveSteps {
    scheme: Box<dyn Integrator>,
    /// Largest |x| / L that is accepted \[-\], > 1; infinite where only Newton iterations are watched.
    limit: f64,
    /// The step is the one that is asked for over two to this power.
    halvings: u32,
    successes: u32,
    /// Successes after which the step is doubled.
    patience: u32,
    before: State,
    rejected: u64,
    accepted_beyond: u64,
    /// What is to be done at the first part of a step that is accepted beyond the limit.
    tell: Option<Box<dyn FnOnce()>>,
}

/// Most halvings of the step that is asked for; a step as short as this is accepted whatever it does.
const MOST_HALVINGS: u32 = 10;

impl AdaptiveSteps {
    /// Successes after which the step is doubled, if nothing is said: an assumption.
    pub const PATIENCE: u32 = 4;

    /// Adapts the steps of `scheme` on a system of `particle_count` particles to the stretch `limit` \[-\], > 1. With an
    /// infinite limit no state is rejected, be it stretched or not finite, but only a Newton iteration that did not converge.
    pub fn new(scheme: Box<dyn Integrator>, limit: f64, particle_count: usize) -> AdaptiveSteps {
        let before = State::at_rest(vec![crate::Vec3::zeros(); particle_count]);
        let patience = AdaptiveSteps::PATIENCE;
        AdaptiveSteps { scheme, limit, halvings: 0, successes: 0, patience, before, rejected: 0, accepted_beyond: 0, tell: None }
    }

    /// Doubles the step after so many successes, >= 1, in place of [`AdaptiveSteps::PATIENCE`].
    pub fn doubling_after(self, successes: u32) -> AdaptiveSteps {
        AdaptiveSteps { patience: successes, ..self }
    }

    fn is_within_limit(&self, system: &dyn System, state: &State) -> bool {
        self.limit == f64::INFINITY || (state.is_finite() && system.largest_stretch(&state.x) <= self.limit)
    }

    fn set_halvings(&mut self, halvings: u32) {
        self.halvings = halvings;
        self.successes = 0;
        self.scheme.change_step();
    }
}

impl Integrator for AdaptiveSteps {
    fn order(&self) -> u32 {
        self.scheme.order()
    }

    /// Advances by `dt` in steps of dt / 2^k.
    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        // what is left of dt, in units of dt / 2^MOST_HALVINGS
        let mut left = 1_u32 << MOST_HALVINGS;
        while left > 0 {
            let unit = 1_u32 << (MOST_HALVINGS - self.halvings);
            if unit > left || !left.is_multiple_of(unit) {
                self.set_halvings(self.halvings + 1); // to end at dt exactly
                continue;
            }
            self.before.copy_from(state);
            let part = dt * f64::from(unit) / f64::from(1_u32 << MOST_HALVINGS);
            let limited = self.scheme.work().newton_limited;
            self.scheme.step(system, part, state);
            let converged = self.scheme.work().newton_limited == limited;
            let tame = converged && self.is_within_limit(system, state);
            if !tame && self.halvings < MOST_HALVINGS {
                state.copy_from(&self.before);
                self.scheme.reject();
                self.rejected += 1;
                self.set_halvings(self.halvings + 1);
                continue;
            }
            if !tame {
                self.accepted_beyond += 1;
                self.tell.take().into_iter().for_each(|tell| tell());
            }
            left -= unit;
            self.successes = self.successes.saturating_add(1);
            if self.successes >= self.patience && self.halvings > 0 {
                self.set_halvings(self.halvings - 1);
            }
        }
    }

    fn restart(&mut self) {
        self.scheme.restart();
    }

    fn change_step(&mut self) {
        self.scheme.change_step();
    }

    fn tell_beyond(&mut self, tell: Box<dyn FnOnce()>) {
        self.tell = Some(tell);
    }

    fn inner(&self) -> Option<&dyn Integrator> {
        Some(&*self.scheme)
    }

    fn work(&self) -> Work {
        let mut work = self.scheme.work();
        work.rejected += self.rejected;
        work.accepted_beyond += self.accepted_beyond;
        work
    }
}
