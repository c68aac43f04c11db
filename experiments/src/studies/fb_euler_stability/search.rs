//! The search of a critical step: a bisection of each trial, then a walk about what it found, one simulation a lane.

use cloth::lanes::{InstructionSet, Outcome, Trial, sweep};
use lab::measure::bisection::{Found, LogBisection};

use super::fringe::{Bounds, Fringe, Pace};
use super::sheets::Sheets;

/// Status of a set whose limit was found.
pub const MEASURED: &str = "measured";

/// A search of the critical step, one lane's: a bisection, and a walk along the fringe of what that found.
pub struct Search {
    /// What the search is for.
    pub index: usize,
    trial: Trial,
    bisection: LogBisection,
    pace: Pace,
    fringe: Option<Fringe>,
    /// Largest |x| / L in the last stable run of the bisection.
    pub stretch: Option<f64>,
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

    /// What the walk found; none without a limit.
    pub fn bounds(&self) -> Option<Bounds> {
        self.fringe.as_ref().map(Fringe::bounds)
    }

    /// How it ended, why there is no critical step, and the critical step \[s\].
    pub fn status(&self) -> (&'static str, Option<&'static str>, Option<f64>) {
        match self.bisection.found() {
            Found::At(step) => (MEASURED, None, Some(step)),
            Found::HoldsThroughout => ("stable throughout", Some("no step of the bracket was unstable"), None),
            Found::FailsThroughout => ("unstable throughout", Some("no step of the bracket was stable"), None),
        }
    }
}

impl Sheets {
    /// Runs a search for each trial, all of n x n particles, with a walk along its fringe; `found` is called as it ends, with the index of
    /// the trial.
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
                    None => found(search),
                }
            }
        });
    }
}
