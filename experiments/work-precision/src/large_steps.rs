//! Are backward Euler and BDF2 stable at any step? Modes of the linear sheet, and random sheets of the thesis' model \[Boxerman
//! 2003, 4.2.3\].

use cloth::oscillator::Oscillator;
use kit::prelude::*;
use kit::sheets::EnergyGain;

ranges!(LargeStepRanges {
    //! Which sheets are drawn, and their steps.
    /// Number of sheets.
    sets: Count,
    /// Time steps \[s\].
    steps: List<Positive>,
    /// Steps of a run.
    taken: Count,
    /// What sheets are drawn from; the step that is drawn is not used.
    lists: Lists,
});

words! {
    /// The two schemes.
    pub enum Scheme {
        BackwardEuler = "backward Euler",
        Bdf2 = "BDF2",
    }
}

impl Scheme {
    fn integrator(self, cloth: &Cloth, settings: Settings) -> Box<dyn Integrator> {
        match self {
            Scheme::BackwardEuler => Box::new(BackwardEuler::new(cloth, settings)),
            Scheme::Bdf2 => Box::new(Bdf2::new(cloth, settings)),
        }
    }
}

/// How a step is solved: its name in tables, Newton steps, and when conjugate gradients end.
pub type Kind = (&'static str, Newton, Tolerance);

/// A residual that leaves nothing to be seen, and one for Newton's method, which corrects what is left \[-\].
const TIGHT: f64 = 1e-6;
const WITHIN_NEWTON: f64 = 1e-4;

/// Kinds of runs; the claim is about the first one.
pub const KINDS: [Kind; 4] = [
    ("once, 0.01 dt", Newton::Once, Tolerance::Step(0.01)),
    ("once, sqrt(0.01 dt)", Newton::Once, Tolerance::RootOfStep(0.01)),
    ("once, 1e-6", Newton::Once, Tolerance::Fixed(TIGHT)),
    ("converged, 1e-4", Newton::Converged { tolerance: 1e-4, limit: 8 }, Tolerance::Fixed(WITHIN_NEWTON)),
];

/// Most iterations of conjugate gradients.
const ITERATIONS: usize = 2000;

row! {
    /// A sheet by a scheme at a step.
    pub struct LargeStepRow {
        /// the integrator
        pub scheme: String,
        /// Newton steps, and the residual over the right side at which conjugate gradients end
        pub solves: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// numerical stiffness of the stiffer springs at this step
        pub kappa: f64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
        /// what went wrong
        pub reason: Option<String>,
        /// largest energy gain in the last tenth of the run, over a fall by the sheet's length
        pub gain: Option<f64>,
        /// largest energy gain after any step, over a fall by the sheet's length
        pub most: Option<f64>,
        /// steps whose Newton iteration did not converge
        pub unconverged: u64,
    }
}

/// Random sheets by both schemes at steps from small to very large.
pub struct LargeSteps(pub LargeStepRanges);

impl LargeSteps {
    fn row(&self, sheet: &Sheet, scheme: Scheme, kind: &Kind, dt: f64) -> LargeStepRow {
        let row = LargeStepRow {
            scheme: scheme.name().into(),
            solves: kind.0.into(),
            step: dt,
            kappa: sheet.kappas(dt).into_iter().fold(0.0, f64::max),
            status: Status::Refused,
            ..LargeStepRow::default()
        };
        match self.run(sheet, scheme, kind, dt, row.clone()) {
            Ok(run) => run,
            Err(invalid) => LargeStepRow { reason: Some(invalid.to_string()), ..row },
        }
    }

    /// A row with what came of the run.
    ///
    /// # Errors
    /// A quantity outside its range.
    fn run(&self, sheet: &Sheet, scheme: Scheme, kind: &Kind, dt: f64, row: LargeStepRow) -> Result<LargeStepRow, ModelError> {
        let cloth = sheet.cloth()?;
        let gradients = ConjugateGradients { iteration_limit: ITERATIONS, ..ConjugateGradients::to(kind.2) };
        let mut scheme = scheme.integrator(&cloth, Settings { newton: kind.1, ..Settings::from(gradients) });
        let mut state = sheet.start(&cloth);
        let mut course = RunWatch::new(&cloth, &state, u64::from(self.0.taken.get()));
        let mut most = EnergyGain::new(&cloth, &state);
        while course.goes_on() {
            scheme.step(&cloth, dt, &mut state);
            course.watch(&cloth, &state);
            most.watch(&cloth, &state);
        }
        let finite = |gain: f64| Some(gain).filter(|gain| gain.is_finite());
        Ok(LargeStepRow {
            status: course.status(),
            reason: course.reason(),
            gain: finite(course.gain()),
            most: finite(most.most()),
            unconverged: scheme.work().newton_limited,
            ..row
        })
    }
}

impl Group for LargeSteps {
    const NAME: &'static str = "large-steps";
    const ABOUT: &'static str = "random sheets of the thesis' model by backward Euler and BDF2 at steps from small to very large";
    type Case = Sheet;
    type Row = LargeStepRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn measure(&self, sheet: &Sheet) -> Vec<LargeStepRow> {
        let mut rows = vec![];
        for scheme in Scheme::ALL {
            for kind in &KINDS {
                rows.extend(self.0.steps.values().iter().map(|step| self.row(sheet, scheme, kind, step.get())));
            }
        }
        rows
    }
}

row! {
    /// A mode of the linear sheet by a scheme.
    pub struct ModeRow {
        /// the integrator
        pub scheme: String,
        /// omega dt of the mode
        pub omega_dt: f64,
        /// its damping ratio
        pub zeta: f64,
        /// largest amplification in a step
        pub radius: f64,
    }
}

/// omega dt and damping ratios of the modes.
const OMEGA_DT: [f64; 13] = [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
const ZETA: [f64; 5] = [0.0, 0.01, 0.1, 1.0, 10.0];

/// Modes of rho x'' = ks lap x + kd lap x', each an oscillator.
pub struct Modes;

impl Modes {
    fn radius(scheme: Scheme, oscillator: &Oscillator) -> f64 {
        let settings = Settings { solver: Solver::Direct, ..Settings::default() };
        match scheme {
            Scheme::BackwardEuler => {
                oscillator.amplification(&mut BackwardEuler::new(oscillator, settings), 1.0).spectral_radius()
            }
            Scheme::Bdf2 => {
                let mut bdf2 = Bdf2::new(oscillator, settings);
                let step = |before: &State, state: &mut State| {
                    bdf2.follow(before);
                    bdf2.step(oscillator, 1.0, state);
                };
                oscillator.two_step_amplification(step).spectral_radius()
            }
        }
    }
}

impl Group for Modes {
    const NAME: &'static str = "modes";
    const ABOUT: &'static str = "amplification of the modes of the linear sheet by backward Euler and BDF2";
    type Case = Scheme;
    type Row = ModeRow;

    fn listed(&self) -> Vec<Self::Case> {
        Scheme::ALL.to_vec()
    }

    fn measure(&self, &scheme: &Scheme) -> Vec<ModeRow> {
        let of = |zeta: f64| {
            OMEGA_DT.map(|omega_dt| ModeRow {
                scheme: scheme.name().into(),
                omega_dt,
                zeta,
                radius: Modes::radius(scheme, &Oscillator::with_damping_ratio(omega_dt, zeta)),
            })
        };
        ZETA.into_iter().flat_map(of).collect()
    }
}

/// Share of random sheets that are stable, over the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<LargeSteps>()?;
    let steps: Vec<f64> = distinct(rows.iter().map(|row| row.row.step));
    let panel = |scheme: Scheme| {
        let layers = KINDS.iter().enumerate().flat_map(|(k, (kind, ..))| {
            let at = |step: f64| {
                let mine: Vec<&LargeStepRow> = (rows.iter().map(|row| &row.row))
                    .filter(|row| {
                        row.scheme == scheme.name() && row.solves == *kind && row.step == step && row.status != Status::Refused
                    })
                    .collect();
                let share = share_of(mine.iter().map(|row| row.status == Status::Finished))?;
                let Interval { low, high } = share.interval?;
                Some([step, share.value, low, high])
            };
            let points = steps.iter().filter_map(|&step| at(step)).collect();
            Layer::line_with_bars(format!("Newton {kind}"), Palette::series(k), points)
        });
        let y = Axis::linear("share of sheets that are stable").range(0.0, 1.05);
        Panel::new(Axis::log("step  [s]"), y, layers.collect()).titled(scheme.name()).legend_outside()
    };
    let caption = "Random sheets of the thesis' model, held at two corners, after as many steps at each size. Stable: finite, and in the \
                   last tenth of the steps no more energy gained than a fall by the sheet's length sets free; shares with 95 % intervals. \
                   Named are Newton steps and the residual at which linear solves end.";
    let title = "Stability of backward Euler and BDF2 at large steps";
    Ok(Figure { columns: 2, ..Figure::new("large-steps", title, caption, Scheme::ALL.map(panel).to_vec()) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(LargeSteps(ranges.large_steps.clone())).table(Modes).plot("large-steps", chart)
}
