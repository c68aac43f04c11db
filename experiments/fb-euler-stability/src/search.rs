//! The search of a critical step: a bisection of each trial, then a walk about what it found, one simulation a lane.

use cloth::Masses;
use cloth::lanes::{InstructionSet, Outcome, Sheet, Trial, sweep};
use kit::prelude::*;
use kit::recorded::{self, Surroundings};
use lab::measure::bisection::{Found, LogBisection};

use super::fringe::{Bounds, Fringe, Pace};
use super::sheets::{Case, Sheets};

/// A search of the critical step, one lane's: a bisection, and a walk along the fringe of what that found.
pub struct Search {
    /// What the search is for.
    pub index: usize,
    trial: Trial,
    bisection: LogBisection,
    pace: Pace,
    fringe: Option<Fringe>,
    /// Largest |x| / L in the last stable run of the bisection.
    stretch: Option<f64>,
    /// Runs of the bisection.
    pub trials: u32,
}

impl Search {
    /// The next run, if the bracket is still too wide.
    fn next(&mut self) -> Option<Trial> {
        let mut step = self.bisection.next();
        if let (None, Found::At(limit)) = (step, self.bisection.found()) {
            step = self.fringe.get_or_insert(Fringe::new(limit, self.pace)).next();
        }
        step.map(|dt| Trial { dt, ..self.trial })
    }

    fn tell(&mut self, outcome: Outcome) {
        if let Some(fringe) = &mut self.fringe {
            fringe.tell(outcome.stable);
            return;
        }
        self.bisection.tell(outcome.stable);
        self.trials += 1;
        if outcome.stable {
            self.stretch = Some(outcome.stretch);
        }
    }

    /// Shows runs just below and just above the limit to whoever looks, in the textbook form, since no lane shows its states.
    fn show(&self, n: usize) {
        let Found::At(limit) = self.bisection.found() else { return };
        for dt in [1.0, 1.1].map(|times| times * limit).into_iter().filter(|_| recorded::is_on()) {
            let Sheet { spacing, density, stretch, shear, damping, mass_by_area, .. } = self.trial.sheet;
            let masses = if mass_by_area { Masses::ByArea } else { Masses::Equal };
            let material = Material { density, stretch, shear, bend: 0.0, damping, masses, ..Material::default() };
            let pins = [Pin::At(0, 0), Pin::At(n - 1, 0)];
            let Ok(cloth) = Grid::new(n, n, spacing).and_then(|grid| Cloth::new(grid, material, &pins)) else { return };
            recorded::surround(|| Surroundings { dt: Some(dt), solids: vec![] });
            let (mut state, mut scheme) = (cloth.at_rest(), ForwardBackwardEuler::new(n * n));
            let mut shown = FilmRecorder::new(self.trial.steps.into());
            for _ in 0..self.trial.steps {
                scheme.step(&cloth, dt, &mut state);
                shown.step(&cloth, &state);
            }
        }
    }

    /// How it ended, why there is no critical step, and the critical step \[s\].
    fn status(&self) -> (Status, Option<&'static str>, Option<f64>) {
        match self.bisection.found() {
            Found::At(step) => (Status::Measured, None, Some(step)),
            Found::HoldsThroughout => (Status::StableThroughout, Some("no step of the bracket was unstable"), None),
            Found::FailsThroughout => (Status::UnstableThroughout, Some("no step of the bracket was stable"), None),
        }
    }
}

row! {
    /// What the search of a critical step came to.
    pub struct Critical {
        /// measured, skipped, stable throughout or unstable throughout
        pub status: Status,
        /// why there is no critical step
        pub reason: Option<String>,
        /// largest stable step, to the resolution of the search \[s\]
        pub critical_step: Option<f64>,
        /// dt/m (ks dt + 2 kd) of the stiffer family at the critical step
        pub critical_kappa: Option<f64>,
        /// what the walk about it found
        pub bounds: Bounds,
        /// largest |x|/L of any spring in the last stable run of the bisection
        pub stretch: Option<f64>,
    }
}

impl Case {
    /// What its search came to; it was skipped without one.
    pub fn critical(&self, search: Option<&Search>) -> Critical {
        let (status, reason, critical_step) = search.map_or((Status::Skipped, self.skipped(), None), Search::status);
        let fringe = search.and_then(|search| search.fringe.as_ref());
        Critical {
            status,
            reason: reason.map(Into::into),
            critical_step,
            critical_kappa: critical_step.map(|dt| self.sheet.linearised().numerical_stiffness(dt)),
            bounds: fringe.map(Fringe::bounds).unwrap_or_default(),
            stretch: search.and_then(|search| search.stretch),
        }
    }
}

impl Sheets {
    /// Runs a search for each trial, all of n x n particles, with a walk along its fringe; `found` is called as it ends, with the
    /// index of the trial.
    pub fn search(&self, n: usize, trials: impl Iterator<Item = (usize, Trial)>, pace: Pace, mut found: impl FnMut(Search)) {
        let [low, high] = self.ranges.bracket.get();
        let mut queue = trials.map(|(index, trial)| {
            let bisection = LogBisection::new(low, high, self.ranges.resolution.get());
            Search { index, trial, bisection, pace, fringe: None, stretch: None, trials: 0 }
        });
        sweep(InstructionSet::best(), n, |ended| {
            let mut next = ended.map(|(mut search, outcome): (Search, Outcome)| {
                search.tell(outcome);
                search
            });
            loop {
                let mut search = next.take().or_else(|| queue.next())?;
                match search.next() {
                    Some(trial) => return Some((search, trial)),
                    None => {
                        search.show(n);
                        found(search);
                    }
                }
            }
        });
    }
}
