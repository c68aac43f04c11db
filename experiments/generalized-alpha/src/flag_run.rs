//! A flag under way, and what is seen of it.

use cloth::implicit::{LinearSystem, Settings, Work};
use cloth::integrators::{BackwardEuler, DissipationLimit, GeneralizedAlpha, Integrator, Rk4};
use cloth::{ModelError, State, System};
use kit::run_watch;
use kit::words::words;
use linsolve::{BlockRows, ConstrainedSystem};

use super::flag::{Flag, Scheme};
use super::systems::conditions;

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time \[s\].
    pub time: f64,
    /// Energy \[J\].
    pub energy: f64,
    /// Mean place of the lower edge out of the plane \[m\].
    pub swing: f64,
}

/// A scheme on a flag.
pub struct Run<'a> {
    flag: &'a Flag,
    scheme: Box<dyn Integrator>,
    dt: f64,
    /// Where it is.
    pub state: State,
    /// Steps so far.
    pub steps: u64,
}

words! {
    /// The unknown of generalized-alpha's linear systems.
    pub enum Unknown {
        /// The whole motion of a step, as (14) has it.
        Motion = "motion",
        /// The change of the velocities, as with backward Euler.
        Change = "change",
    }
}

impl<'a> Run<'a> {
    /// A run with steps of `dt` \[s\], its linear systems as printed.
    ///
    /// # Errors
    /// rho_inf outside 0..=1.
    pub fn new(flag: &'a Flag, scheme: Scheme, settings: Settings, dt: f64) -> Result<Run<'a>, ModelError> {
        Run::solving_for(flag, scheme, settings, dt, Unknown::Motion)
    }

    /// A run with steps of `dt` \[s\], the linear systems of generalized-alpha in an unknown.
    ///
    /// # Errors
    /// rho_inf outside 0..=1.
    pub fn solving_for(
        flag: &'a Flag,
        scheme: Scheme,
        settings: Settings,
        dt: f64,
        unknown: Unknown,
    ) -> Result<Run<'a>, ModelError> {
        let scheme: Box<dyn Integrator> = match scheme {
            Scheme::BackwardEuler => Box::new(BackwardEuler::new(&flag.cloth, settings)),
            Scheme::GeneralizedAlpha(limit) => {
                let scheme = GeneralizedAlpha::new(&flag.cloth, settings, DissipationLimit::new(limit)?);
                Box::new(match unknown {
                    Unknown::Motion => scheme.as_printed(), // the flag has no dampers
                    Unknown::Change => scheme,
                })
            }
            Scheme::Rk4 => Box::new(Rk4::new(flag.cloth.particle_count())),
        };
        Ok(Run { flag, scheme, dt, state: flag.start.clone(), steps: 0 })
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// Work so far.
    pub fn work(&self) -> Work {
        self.scheme.work()
    }

    /// The linear system of the last step; none of an explicit scheme.
    pub fn last_system(&self) -> Option<ConstrainedSystem<'_, BlockRows>> {
        match self.scheme.last_system()?.system {
            LinearSystem::Blocks(system) => Some(system),
            LinearSystem::Grid(_) => None,
        }
    }

    /// Advances by a step; whether the state is one still.
    pub fn step(&mut self) -> bool {
        self.flag.drive.set(self.time(), self.dt, &mut self.state);
        self.scheme.step(&self.flag.cloth, self.dt, &mut self.state);
        self.steps += 1;
        self.state.is_finite()
    }

    /// Advances until `time` \[s\], unless a state is not finite on the way; whether it is there.
    pub fn reach(&mut self, time: f64) -> bool {
        while self.state.is_finite() && self.time() < time - 0.5 * self.dt {
            self.step();
        }
        self.state.is_finite()
    }

    /// What there is to see now.
    pub fn sample(&self) -> Sample {
        let energy = self.flag.cloth.energies(&self.state).total();
        Sample { time: self.time(), energy, swing: self.flag.swing(&self.state) }
    }

    /// Runs for `duration` \[s\] with a sample every `every` \[s\], from the start on; ends early where it blows up: by the rule
    /// of all studies, or where a sample has the energy of [`HOPELESS`] falls. What such a flag loses later is the energy of the
    /// blow-up.
    pub fn course(&mut self, duration: f64, every: f64) -> Course {
        let stride = ((every / self.dt).round() as u64).max(1);
        let steps = (duration / self.dt).round() as u64;
        let mut samples = vec![self.sample()];
        let (start, fall) = (samples[0].energy, self.flag.fall);
        let mut watched = run_watch::RunWatch::of_energy(start, fall, steps);
        let mut hopeless = None;
        while watched.goes_on() && hopeless.is_none() {
            let sample = (self.step() && self.steps.is_multiple_of(stride)).then(|| self.sample());
            let is_finite = self.state.is_finite() && sample.is_none_or(|sample| sample.energy.is_finite());
            watched.watch_energy(is_finite, || self.sample().energy);
            watched.show(&self.flag.cloth, &self.state);
            samples.extend(sample);
            if sample.is_some_and(|sample| sample.energy - start > HOPELESS * fall) {
                hopeless = Some(format!("has the energy of {HOPELESS} falls by its side after {} steps", self.steps));
            }
        }
        let blown = watched.reason().or(hopeless);
        let conditions = match (&blown, self.last_system()) {
            (None, Some(system)) => conditions(&system, LANCZOS),
            _ => [None; 2],
        };
        Course { samples, blown, end: self.state.clone(), work: self.work(), steps: self.steps, conditions }
    }
}

/// Iterations of Lanczos for the condition of a run's last system.
pub(super) const LANCZOS: usize = 400;

/// Energy gain, over a fall by the flag's side, at which a run has blown up whatever it loses again \[-\].
pub(super) const HOPELESS: f64 = 100.0;

/// What came of a run.
pub struct Course {
    /// Its samples, at equal times.
    pub samples: Vec<Sample>,
    /// Where it ended.
    pub end: State,
    /// How it blew up; none where it did not.
    pub blown: Option<String>,
    /// Work of its linear systems.
    pub work: Work,
    /// Steps taken.
    pub steps: u64,
    /// Condition of the last linear system, without a preconditioner and with constrained blocks; none of an explicit scheme.
    pub conditions: [Option<f64>; 2],
}
