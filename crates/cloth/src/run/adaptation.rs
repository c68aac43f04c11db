use crate::{State, System};

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
pub(super) const WHOLE: u32 = 1 << MOST_HALVINGS;

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

    /// Length of the next part in units of the shortest one, with `left` of them to go, and whether parts of another length were
    /// taken before: parts end where the step does.
    pub(super) fn part(&mut self, left: u32) -> (u32, bool) {
        let unit = |halvings: u32| 1_u32 << (MOST_HALVINGS - halvings);
        let before = self.halvings;
        while unit(self.halvings) > left || !left.is_multiple_of(unit(self.halvings)) {
            self.set_halvings(self.halvings + 1);
        }
        (unit(self.halvings), self.halvings != before)
    }

    /// Notes the state before a part.
    pub(super) fn begin(&mut self, state: &State) {
        self.before.copy_from(state);
    }

    /// Whether a state keeps the limit.
    pub(super) fn is_within_limit(&self, system: &dyn System, state: &State) -> bool {
        self.limit == f64::INFINITY || (state.is_finite() && system.largest_stretch(&state.x) <= self.limit)
    }

    /// Whether a part of a filter that failed may be tried again: the state that it leaves is then one beyond the limit.
    pub(super) fn watches_states(&self) -> bool {
        self.limit < f64::INFINITY
    }

    /// Takes a part back, where it can be halved.
    pub(super) fn reject(&mut self, state: &mut State) -> bool {
        if self.halvings == MOST_HALVINGS {
            return false;
        }
        state.copy_from(&self.before);
        self.rejected += 1;
        self.set_halvings(self.halvings + 1);
        true
    }

    /// Counts a part that is accepted although it is beyond the limit.
    pub(super) fn accept_beyond(&mut self) {
        self.accepted_beyond += 1;
    }

    /// Counts a part that is accepted; true where the next one is twice as long.
    pub(super) fn accept(&mut self) -> bool {
        self.successes = self.successes.saturating_add(1);
        let doubles = self.successes >= self.patience && self.halvings > 0;
        if doubles {
            self.set_halvings(self.halvings - 1);
        }
        doubles
    }

    fn set_halvings(&mut self, halvings: u32) {
        (self.halvings, self.successes) = (halvings, 0);
    }
}
