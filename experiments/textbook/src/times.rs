//! Sheets by explicit and by implicit Euler, timed alone and in turn.

use kit::prelude::*;

use super::implicit::{RATES, TO_TOLERANCE};
use super::times_verdicts;
use super::weave::{Weave, Weaves, symplectic_limit};

ranges!(TimeRanges {
    //! Sheets and runs.
    sheets: Count,
    /// What they are drawn from.
    weaves: Weaves,
    /// Damping ratio of the fastest mode \[-\], log-uniform.
    zeta: Ends,
    /// Simulated time \[s\].
    duration: Positive,
    /// Measurements of each.
    repeats: Count,
});

/// Explicit Euler.
pub const EXPLICIT: &str = "explicit Euler";
/// Forward-backward Euler.
pub const SYMPLECTIC: &str = "FB Euler";
/// Linearised backward Euler.
pub const ONCE: &str = "backward Euler, once";
/// Backward Euler.
pub const CONVERGED: &str = "backward Euler, converged";

pub const METHODS: [&str; 4] = [EXPLICIT, SYMPLECTIC, ONCE, CONVERGED];

impl TimeRanges {
    /// A sheet and its damping ratio.
    fn of(&self, stream: &mut ChaCha8Rng) -> (Weave, f64) {
        let weave = Weave::draw(&self.weaves, stream);
        (weave, log_uniform(stream, self.zeta.get()))
    }

    /// A damped sheet.
    pub fn draw(&self, stream: &mut ChaCha8Rng) -> Weave {
        let (weave, zeta) = self.of(stream);
        weave.damped(zeta)
    }
}

/// Share of the largest step that explicit schemes take \[-\].
const SAFE: f64 = 0.7;

row! {
    /// A sheet by a method.
    pub struct TimeRow {
        /// the scheme, and how often it is linearised
        pub method: String,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs \[N/m\]
        pub stiffness: f64,
        /// damping ratio of the fastest mode, about
        pub zeta: f64,
        /// dt \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
    }
}

/// A sheet, its damping ratio and a method.
pub type Case = (Weave, f64, &'static str);

/// Sheets, each by every method.
pub struct Times(pub TimeRanges);

/// A scheme for a sheet.
pub fn scheme(net: &Net, method: &str) -> Box<dyn Integrator> {
    let implicit = |newton: Newton| Box::new(BackwardEuler::new(net, Settings { newton, ..Settings::default() }));
    match method {
        EXPLICIT => Box::new(ForwardEuler::new(net.particle_count())),
        SYMPLECTIC => Box::new(ForwardBackwardEuler::new(net.particle_count())),
        ONCE => implicit(Newton::Once),
        _ => implicit(TO_TOLERANCE),
    }
}

/// The step that a method takes \[s\].
pub fn step(damped: &Weave, net: &Net, method: &str) -> f64 {
    match method {
        EXPLICIT => SAFE * damped.limit(),
        SYMPLECTIC => SAFE * symplectic_limit(net, &damped.flat()),
        _ => 1.0 / f64::from(RATES[1]),
    }
}

impl Times {
    /// Over a known step, or that of the method \[s\].
    fn row(&self, &(weave, zeta, method): &Case, known: Option<f64>) -> Option<TimeRow> {
        let damped = weave.damped(zeta);
        let net = damped.net(&damped.corners()).ok()?;
        let step = known.unwrap_or_else(|| step(&damped, &net, method));
        let (mut scheme, mut state) = (scheme(&net, method), State::at_rest(damped.flat()));
        let steps = (self.0.duration.get() / step).ceil() as u64;
        (0..steps).for_each(|_| scheme.step(&net, step, &mut state));
        let work = scheme.work();
        Some(TimeRow {
            method: method.into(),
            side: weave.side,
            density: weave.density,
            stiffness: weave.stretch,
            zeta,
            step,
            steps,
            solves: work.solves,
            iterations: work.iterations,
        })
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "sheets by explicit and by implicit schemes, a set a method: their times stand in timings.csv";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        METHODS.len() as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / METHODS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let (weave, zeta) = self.0.of(stream);
        (weave, zeta, METHODS[set as usize % METHODS.len()])
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        self.row(case, None).into_iter().collect()
    }

    /// The run alone: its step is known.
    fn repeat(&self, case: &Case, known: &[TimeRow]) -> Vec<TimeRow> {
        self.row(case, known.first().map(|row| row.step)).into_iter().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone())).derive(Derived::new("matched", times_verdicts::matched))
}
