//! The linear systems of both schemes: their condition at some times, and what solving them costs by tolerance and unknown.

use cloth::implicit::DiagonalKind;
use kit::method_colors::color;
use kit::prelude::*;
use kit::ranges::{Ranged, word};
use linsolve::{BlockDiagonal, BlockRows, ConstrainedSystem, Identity, extreme_eigenvalues};

use super::flag::{Flag, Flags, Scheme, gradients};
use super::flag_run::{Run, Unknown};
use super::runs::compared;
use super::select::named;

ranges!(SystemRanges {
    //! Systems and solves.
    /// Time steps \[s\].
    steps: List<Positive>,
    /// Times at which systems are looked at \[s\].
    times: List<Positive>,
    /// Iterations of Lanczos.
    lanczos: Count,
    /// Rules by which conjugate gradients end.
    tolerances: List<Rule>,
    /// Simulated time of the solves that are counted \[s\].
    duration: Positive,
    /// Simulated time after which a run is compared with one of direct solves \[s\].
    compared: Positive,
    /// Measurements of each for its time.
    repeats: Count,
});

/// A tolerance.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// c of tol² = c dt \[1/s\].
    RootOfStep(Positive),
    /// c of tol = c dt \[1/s\].
    Step(Positive),
    /// tol, whatever the step \[-\].
    Fixed(Positive),
}

impl Ranged for Rule {
    fn read(value: &toml::Value) -> Result<Rule, RangeError> {
        word(value)
    }
}

impl Rule {
    fn tolerance(self) -> Tolerance {
        match self {
            Rule::RootOfStep(c) => Tolerance::RootOfStep(c.get()),
            Rule::Step(c) => Tolerance::Step(c.get()),
            Rule::Fixed(tol) => Tolerance::Fixed(tol.get()),
        }
    }

    fn words(self) -> String {
        match self {
            Rule::RootOfStep(c) => format!("sqrt({} dt)", c.get()),
            Rule::Step(c) => format!("{} dt", c.get()),
            Rule::Fixed(tol) => tol.get().to_string(),
        }
    }
}

row! {
    /// The system of a step, or why there is none.
    pub struct SystemRow {
        /// the time integrator; generalized-alpha with rho_inf = 0
        pub scheme: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished; of the last row of a run that ended early: unstable or refused
        pub status: Status,
        /// why the run ended early, or what has no condition
        pub reason: Option<String>,
        /// t \[s\]
        pub time: f64,
        /// largest over smallest eigenvalue of A for the free particles, as Lanczos sees it
        pub condition: Option<f64>,
        /// the same of P⁻¹ A with the constrained blocks P
        pub condition_blocks: Option<f64>,
    }
}

/// Systems of the paper's flag.
#[derive(Clone)]
pub struct Systems {
    pub flag: Flags,
    pub ranges: SystemRanges,
}

impl Systems {
    /// Adds the systems of a run to `rows`, and why there are no more of them if it blows up.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn follow(&self, scheme: Scheme, step: f64, rows: &mut Vec<SystemRow>) -> Result<(), ModelError> {
        let setting = self.flag.setting();
        let flag = self.flag.flag(&setting)?;
        let mut run = Run::new(&flag, scheme, self.flag.settings(&setting), step)?;
        for time in self.ranges.times.values() {
            if !run.reach(time.get()) {
                let reason = Some(format!("not finite after {} steps", run.steps));
                let row = SystemRow::begin(scheme, step);
                rows.push(SystemRow { status: Status::Unstable, reason, time: run.time(), ..row });
                return Ok(());
            }
            let row = SystemRow { time: run.time(), ..SystemRow::begin(scheme, step) };
            rows.push(match run.last_system() {
                Some(system) => row.measured(conditions(&system, self.ranges.lanczos.get() as usize)),
                None => SystemRow { reason: Some("no step ends by then".into()), ..row },
            });
        }
        Ok(())
    }
}

/// Condition of a system without a preconditioner and with constrained blocks; none where it is not positive definite.
pub fn conditions(system: &ConstrainedSystem<'_, BlockRows>, lanczos: usize) -> [Option<f64>; 2] {
    let &ConstrainedSystem { operator, constraints, .. } = system;
    // no symmetry of the flag is in it
    let start: Vec<Vec3> =
        (0..system.rows()).map(|i| Vec3::new(1.0, ((7 * i) % 5) as f64 - 2.0, ((3 * i) % 11) as f64 - 4.0)).collect();
    let mut blocks = BlockDiagonal::new(DiagonalKind::Constrained);
    let ratio = |[low, high]: [f64; 2]| Some(high / low).filter(|ratio| ratio.is_finite() && low > 0.0);
    let plain = extreme_eigenvalues(operator, constraints, &Identity, &start, lanczos).and_then(ratio);
    let factored = blocks.factor(operator, constraints).ok();
    [plain, factored.and_then(|()| extreme_eigenvalues(operator, constraints, &blocks, &start, lanczos)).and_then(ratio)]
}

impl SystemRow {
    /// Of a scheme at a step, before anything is measured.
    fn begin(scheme: Scheme, step: f64) -> SystemRow {
        let (scheme, status) = (scheme.name().into(), Status::Refused);
        SystemRow { scheme, step, status, reason: None, time: 0.0, condition: None, condition_blocks: None }
    }

    /// With its conditions, as far as there are any.
    fn measured(self, [condition, condition_blocks]: [Option<f64>; 2]) -> SystemRow {
        let both = condition.is_some() && condition_blocks.is_some();
        let reason = (!both).then(|| "not positive definite, or not finite".into());
        SystemRow { status: Status::Finished, reason, condition, condition_blocks, ..self }
    }
}

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "condition of the linear systems of the paper's flag at some times";
    type Case = (Scheme, f64);
    type Row = SystemRow;

    fn listed(&self) -> Vec<Self::Case> {
        compared(self.ranges.steps.values())
    }

    fn kin(&self, (_, step): &Self::Case) -> u64 {
        (1.0 / step) as u64
    }

    fn measure(&self, &(scheme, step): &Self::Case) -> Vec<SystemRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(scheme, step, &mut rows) {
            rows.push(SystemRow { reason: Some(invalid.to_string()), ..SystemRow::begin(scheme, step) });
        }
        rows
    }
}

row! {
    /// The first seconds of a run by a tolerance and an unknown.
    pub struct CostRow {
        /// dt, time step \[s\]
        pub step: f64,
        /// tol, the bound on the residual over the right side, in the norm of the preconditioner
        pub tolerance: String,
        /// tol at this step
        pub residual: f64,
        /// the time integrator; generalized-alpha with rho_inf = 0
        pub scheme: String,
        /// of its linear systems: the change of the velocities, or the whole motion of a step as printed for generalized-alpha
        pub unknown: String,
        /// finished, unstable or refused
        pub status: Status,
        /// what went wrong
        pub reason: Option<String>,
        /// steps taken
        pub steps: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients, started from zero
        pub iterations: u64,
        /// products of a matrix and a vector
        pub products: u64,
        /// iterations until it is compared with the run of direct solves
        pub early: Option<u64>,
        /// rms distance of its particles to those of the same scheme with direct solves at that time \[m\]
        pub distance: Option<f64>,
    }
}

/// The first seconds of the tuned flag, timed: both schemes by every tolerance, one Newton step, conjugate gradients started from
/// zero.
#[derive(Clone)]
pub struct Cost(pub Systems);

/// A scheme, a step, a tolerance and an unknown.
type CostCase = (Scheme, f64, Rule, Unknown);

impl Cost {
    /// The pair of each step and tolerance as printed, and generalized-alpha with the unknown of backward Euler.
    fn cases(&self) -> Vec<CostCase> {
        let SystemRanges { steps, tolerances, .. } = &self.0.ranges;
        let [euler, alpha] = super::flag::COMPARED;
        let kinds = [(euler, Unknown::Change), (alpha, Unknown::Motion), (alpha, Unknown::Change)];
        let crossed = steps.values().iter().flat_map(|step| tolerances.values().iter().map(move |rule| (step.get(), *rule)));
        crossed.flat_map(|(step, rule)| kinds.map(|(scheme, unknown)| (scheme, step, rule, unknown))).collect()
    }

    fn row(&self, case: &CostCase, known: Option<&CostRow>) -> CostRow {
        let &(scheme, step, rule, unknown) = case;
        let row = CostRow {
            step,
            tolerance: rule.words(),
            residual: rule.tolerance().squared(step).sqrt(),
            scheme: scheme.name().into(),
            unknown: unknown.name().into(),
            status: Status::Refused,
            early: known.and_then(|known| known.early),
            distance: known.and_then(|known| known.distance),
            ..CostRow::default()
        };
        let compares = known.is_none();
        match self.measured(case, row.clone(), compares) {
            Ok(measured) => measured,
            Err(invalid) => CostRow { reason: Some(invalid.to_string()), ..row },
        }
    }

    /// A row with what its run cost, and how far it is from one of direct solves where that is asked for.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn measured(&self, case: &CostCase, row: CostRow, compares: bool) -> Result<CostRow, ModelError> {
        let Systems { flag: ranges, ranges: SystemRanges { duration, compared, .. } } = &self.0;
        let setting = ranges.setting();
        let flag = ranges.flag(&setting)?;
        let solver = gradients(case.2.tolerance(), Start::Original);
        let mut run = self.run(&flag, case, solver)?;
        let (mut early, mut distance) = (row.early, row.distance);
        if compares {
            let mut direct = self.run(&flag, case, Solver::Direct)?;
            for run in [&mut run, &mut direct] {
                run.reach(compared.get());
            }
            early = Some(run.work().iterations);
            distance = apart(&run.state, &direct.state);
        }
        let finite = run.reach(duration.get()); // a run that blew up before it was compared takes no further step
        let work = run.work();
        Ok(CostRow {
            status: if finite { Status::Finished } else { Status::Unstable },
            reason: (!finite).then(|| format!("not finite after {} steps", run.steps)),
            steps: run.steps,
            solves: work.solves,
            iterations: work.iterations,
            products: work.products,
            early,
            distance,
            ..row
        })
    }

    /// A run with a solver.
    ///
    /// # Errors
    /// A scheme that means nothing.
    fn run<'a>(&self, flag: &'a Flag, &(scheme, step, _, unknown): &CostCase, solver: Solver) -> Result<Run<'a>, ModelError> {
        let setting = self.0.flag.setting();
        let settings = Settings { solver, newton: setting.newton, terms: setting.terms, ..Settings::default() };
        Run::solving_for(flag, scheme, settings, step, unknown)
    }
}

/// Root mean square of the distances of particles \[m\]; none where it is not finite.
fn apart(a: &State, b: &State) -> Option<f64> {
    let squares: f64 = a.x.iter().zip(&b.x).map(|(a, b)| (a - b).norm_squared()).sum();
    Some((squares / a.x.len() as f64).sqrt()).filter(|distance| distance.is_finite())
}

impl Group for Cost {
    const NAME: &'static str = "cost";
    const ABOUT: &'static str =
        "work of both schemes on the first seconds of the tuned flag by tolerance and unknown: times stand in timings.csv";
    type Case = CostCase;
    type Row = CostRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.cases()
    }

    fn repeats(&self) -> u32 {
        self.0.ranges.repeats.get()
    }

    /// Pairs of a step and a tolerance are compared one by one.
    fn enough(&self) -> f64 {
        f64::INFINITY
    }

    fn measure(&self, case: &CostCase) -> Vec<CostRow> {
        vec![self.row(case, None)]
    }

    /// The run alone, without the one of direct solves.
    fn repeat(&self, case: &CostCase, known: &[CostRow]) -> Vec<CostRow> {
        vec![self.row(case, known.first())]
    }
}

/// Condition of the systems over time.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Systems>()?;
    let coarse = rows.iter().map(|row| row.row.step).fold(0.0, f64::max);
    let panel = |title: &str, pick: fn(&SystemRow) -> Option<f64>| {
        let layers = rows.chunk_by(|a, b| a.set == b.set).map(|run| {
            let SystemRow { scheme, step, .. } = &run[0].row;
            let points = run.iter().filter_map(|row| Some([row.row.time, pick(&row.row)?])).collect();
            let dash = if *step == coarse { Dash::Dashed } else { Dash::Solid };
            Layer::line(format!("{}, {step} s", named(scheme, None)), color(scheme), points).dash(dash)
        });
        Panel::new(Axis::linear("time [s]"), Axis::log("condition number"), layers.collect()).titled(title).legend_outside()
    };
    let caption = "Largest over smallest eigenvalue of the systems that both schemes solve, without a preconditioner and with constrained blocks.";
    let panels = vec![panel("as they are", |row| row.condition), panel("with constrained blocks", |row| row.condition_blocks)];
    Ok(Figure::new("systems", "Condition of the linear systems", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let systems = Systems { flag: ranges.flag.clone(), ranges: ranges.systems.clone() };
    let SystemRanges { steps, duration, compared, times, .. } = &ranges.systems;
    let checked = [("flag.duration", ranges.flag.duration), ("systems.duration", *duration), ("systems.compared", *compared)];
    let times = times.values().iter().map(|time| ("systems.times", *time));
    let checked = checked.into_iter().chain(times).map(|(key, time)| check_list(key, time, steps));
    Topic::of(systems.clone()).table(Cost(systems)).plot("systems", chart).checked(checked.collect())
}
