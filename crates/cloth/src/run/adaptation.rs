use super::filter::filtered_step;
use super::observer::Midway;
use super::{Cause, Filter};
use crate::integrators::Integrator;
use crate::{Memory, State, System};

/// Steps adapted to the stretch of the cloth \[Baraff & Witkin 1998; Stuyck 2018, 3.4\] and to the Newton iteration. A part of a step
/// is rejected and halved where it leaves some spring longer than the limit, or where a Newton iteration did not converge in it.
/// After a run of successes parts are doubled, up to the step that is asked for.
pub struct Adaptation {
    /// Largest |x| / L that is accepted \[-\], > 1; infinite where only Newton iterations are watched.
    limit: f64,
    /// The part is the step that is asked for over two to this power.
    halvings: u32,
    successes: u32,
    /// Successes after which the part is doubled.
    patience: u32,
    before: State,
    rejected: u64,
    accepted_beyond: u64,
}

/// Most halvings of the step that is asked for; a part as short as this is accepted whatever it does.
const MOST_HALVINGS: u32 = 10;

/// A step in units of its shortest part.
const WHOLE: u32 = 1 << MOST_HALVINGS;

impl Adaptation {
    /// Successes after which the part is doubled, if nothing is said: an assumption.
    pub const PATIENCE: u32 = 4;

    /// For a system of `particle_count` particles, to the stretch `limit` \[-\], > 1. With an infinite limit no state is rejected,
    /// be it stretched or not finite, but only a Newton iteration that did not converge.
    pub fn new(limit: f64, particle_count: usize) -> Adaptation {
        let before = State::at_rest(vec![crate::Vec3::zeros(); particle_count]);
        Adaptation { limit, halvings: 0, successes: 0, patience: Adaptation::PATIENCE, before, rejected: 0, accepted_beyond: 0 }
    }

    /// Doubles the part after so many successes, >= 1, in place of [`Adaptation::PATIENCE`].
    pub fn doubling_after(self, successes: u32) -> Adaptation {
        Adaptation { patience: successes, ..self }
    }

    /// Parts that were rejected so far.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// Parts that were accepted beyond the limit so far, being the shortest there are.
    pub fn accepted_beyond(&self) -> u64 {
        self.accepted_beyond
    }

    /// Advances by `dt` \[s\] in parts of dt / 2^k, each of them filtered, and told `midway`.
    ///
    /// # Errors
    /// Why a part could not be filtered, or that the step was given up after it.
    pub(super) fn parts(
        &mut self,
        scheme: &mut dyn Integrator,
        filter: &mut Option<Filter>,
        system: &dyn System,
        dt: f64,
        state: &mut State,
        midway: &mut Midway,
    ) -> Result<(), Cause> {
        let mut left = WHOLE;
        while left > 0 {
            let unit = WHOLE >> self.halvings;
            if unit > left || !left.is_multiple_of(unit) {
                self.set_halvings(self.halvings + 1, scheme); // to end at dt exactly
                continue;
            }
            self.before.copy_from(state);
            let limited = scheme.work().newton_limited;
            filtered_step(scheme, filter, system, dt * f64::from(unit) / f64::from(WHOLE), state, midway)?;
            let work = scheme.work();
            midway.tried(&work, filter.as_ref().map_or(0, |filter| filter.filter_work().operations))?;
            let converged = work.newton_limited == limited;
            let tame = converged && self.is_within_limit(system, state);
            if !tame && self.halvings < MOST_HALVINGS {
                state.copy_from(&self.before);
                scheme.reject();
                self.rejected += 1;
                self.set_halvings(self.halvings + 1, scheme);
                continue;
            }
            if !tame {
                self.accepted_beyond += 1;
                midway.beyond_limit();
            }
            left -= unit;
            self.successes = self.successes.saturating_add(1);
            if self.successes >= self.patience && self.halvings > 0 {
                self.set_halvings(self.halvings - 1, scheme);
            }
        }
        Ok(())
    }

    /// Writes down, or reads back, the length of the next part.
    pub(super) fn remember(&mut self, memory: &mut Memory) {
        for number in [&mut self.halvings, &mut self.successes] {
            let mut count = u64::from(*number);
            memory.count(&mut count);
            *number = count as u32;
        }
        self.halvings = self.halvings.min(MOST_HALVINGS);
    }

    fn is_within_limit(&self, system: &dyn System, state: &State) -> bool {
        self.limit == f64::INFINITY || (state.is_finite() && system.largest_stretch(&state.x) <= self.limit)
    }

    fn set_halvings(&mut self, halvings: u32, scheme: &mut dyn Integrator) {
        (self.halvings, self.successes) = (halvings, 0);
        scheme.change_step();
    }
}
