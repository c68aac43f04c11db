//! The linear systems of both schemes: their condition at some times, and what solving them costs by tolerance and start.

use cloth::implicit::{DiagonalKind, Settings, Start};
use cloth::quantity::Positive;
use cloth::{Invalid, Vec3};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use linsolve::{BlockDiagonal, BlockRows, ConstrainedSystem, Identity, extreme_eigenvalues};
use serde::{Deserialize, Serialize};

use super::flag::{FlagRanges, Run, Scheme, gradients};
use super::runs::{FINISHED, REFUSED, UNSTABLE, compared};
use crate::ranges::{Count, List};

/// Systems and solves.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SystemRanges {
    /// Time steps \[s\].
    pub steps: List<Positive>,
    /// Times at which systems are looked at \[s\].
    pub times: List<Positive>,
    /// Iterations of Lanczos.
    pub lanczos: Count,
    /// c of the stopping rule tol² = c dt \[1/s\].
    pub tolerances: List<Positive>,
    /// Simulated time of the solves that are counted \[s\].
    pub duration: Positive,
    /// Measurements of each for its time.
    pub repeats: Count,
}

/// The system of a step, or why there is none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SystemRow {
    pub scheme: String,
    pub step: f64,
    pub status: String,
    pub reason: Option<String>,
    pub time: f64,
    pub condition: Option<f64>,
    pub condition_blocks: Option<f64>,
}

const SYSTEM_COLUMNS: &[Column] = &[
    Column::text("scheme", "the time integrator; generalized-alpha with rho_inf = 0"),
    Column::number("step", "s", "dt, time step"),
    Column::text("status", "finished; of the last row of a run that ended early: unstable or refused"),
    Column::text("reason", "why the run ended early, or what has no condition"),
    Column::number("time", "s", "t"),
    Column::number("condition", "-", "largest over smallest eigenvalue of A for the free particles, as Lanczos sees it"),
    Column::number("condition_blocks", "-", "the same of P⁻¹ A with the constrained blocks P"),
];

/// Systems of the paper's flag.
#[derive(Clone)]
pub struct Systems {
    pub flag: FlagRanges,
    pub ranges: SystemRanges,
}

impl Systems {
    fn rows(&self, scheme: Scheme, step: f64) -> Vec<SystemRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(scheme, step, &mut rows) {
            rows.push(SystemRow { reason: Some(invalid.to_string()), ..SystemRow::begin(scheme, step) });
        }
        rows
    }

    /// Adds the systems of a run to `rows`, and why there are no more of them if it blows up.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn follow(&self, scheme: Scheme, step: f64, rows: &mut Vec<SystemRow>) -> Result<(), Invalid> {
        let setting = self.flag.setting();
        let flag = self.flag.flag(&setting)?;
        let mut run = Run::new(&flag, scheme, self.flag.settings(&setting), step)?;
        for time in self.ranges.times.values() {
            while run.time() < time.get() - 0.5 * step {
                if !run.step() {
                    let reason = Some(format!("not finite after {} steps", run.steps));
                    let row = SystemRow::begin(scheme, step);
                    rows.push(SystemRow { status: UNSTABLE.into(), reason, time: run.time(), ..row });
                    return Ok(());
                }
            }
            let row = SystemRow { time: run.time(), ..SystemRow::begin(scheme, step) };
            rows.push(match run.last_system() {
                Some(system) => row.measured(self.conditions(&system)),
                None => SystemRow { reason: Some("no step ends by then".into()), ..row },
            });
        }
        Ok(())
    }

    /// Condition without a preconditioner and with constrained blocks.
    fn conditions(&self, system: &ConstrainedSystem<'_, BlockRows>) -> [Option<f64>; 2] {
        let &ConstrainedSystem { operator, constraints, .. } = system;
        let lanczos = self.ranges.lanczos.get() as usize;
        // no symmetry of the flag is in it
        let start: Vec<Vec3> =
            (0..system.rows()).map(|i| Vec3::new(1.0, ((7 * i) % 5) as f64 - 2.0, ((3 * i) % 11) as f64 - 4.0)).collect();
        let mut blocks = BlockDiagonal::new(DiagonalKind::Constrained);
        let ratio = |[low, high]: [f64; 2]| Some(high / low).filter(|ratio| ratio.is_finite());
        let plain = extreme_eigenvalues(operator, constraints, &Identity, &start, lanczos).and_then(ratio);
        let factored = blocks.factor(operator, constraints).ok();
        [plain, factored.and_then(|()| extreme_eigenvalues(operator, constraints, &blocks, &start, lanczos)).and_then(ratio)]
    }
}

impl SystemRow {
    /// Of a scheme at a step, before anything is measured.
    fn begin(scheme: Scheme, step: f64) -> SystemRow {
        let (scheme, status) = (scheme.name().into(), REFUSED.into());
        SystemRow { scheme, step, status, reason: None, time: 0.0, condition: None, condition_blocks: None }
    }

    /// With its conditions, as far as there are any.
    fn measured(self, [condition, condition_blocks]: [Option<f64>; 2]) -> SystemRow {
        let both = condition.is_some() && condition_blocks.is_some();
        let reason = (!both).then(|| "not positive definite, or not finite".into());
        SystemRow { status: FINISHED.into(), reason, condition, condition_blocks, ..self }
    }
}

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "condition of the linear systems of the paper's flag at some times";
    const COLUMNS: &'static [Column] = SYSTEM_COLUMNS;
    const SAMPLED: bool = false;
    type Case = (Scheme, f64);
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        compared(self.ranges.steps.values()).len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        compared(self.ranges.steps.values())[set as usize]
    }

    fn kin(&self, (_, step): &Self::Case) -> u64 {
        (1.0 / step) as u64
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<SystemRow>)) {
        for (k, &(scheme, step)) in cases.iter().enumerate() {
            done(k, self.rows(scheme, step));
        }
    }
}

/// The first seconds of a run by a tolerance and a start.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CostRow {
    pub step: f64,
    pub tolerance: f64,
    pub start: String,
    pub scheme: String,
    pub status: String,
    pub reason: Option<String>,
    pub steps: u64,
    pub solves: u64,
    pub iterations: u64,
    pub products: u64,
}

const COST_COLUMNS: &[Column] = &[
    Column::number("step", "s", "dt, time step"),
    Column::number("tolerance", "1/s", "c of the stopping rule tol² = c dt"),
    Column::text("start", "of conjugate gradients: original as Baraff and Witkin, corrected from the last solution"),
    Column::text("scheme", "the time integrator; generalized-alpha with rho_inf = 0"),
    Column::text("status", "finished, unstable or refused"),
    Column::text("reason", "what went wrong"),
    Column::integer("steps", "steps taken"),
    Column::integer("solves", "linear systems solved"),
    Column::integer("iterations", "iterations of conjugate gradients"),
    Column::integer("products", "products of a matrix and a vector"),
];

/// Words for starts in tables.
fn start_name(start: Start) -> &'static str {
    match start {
        Start::Original => "original",
        Start::Corrected => "corrected",
    }
}

/// The first seconds of the paper's flag, timed: both schemes by every tolerance and start, one Newton step.
#[derive(Clone)]
pub struct Cost(pub Systems);

/// A scheme, a step, a tolerance and a start.
type CostCase = (Scheme, f64, f64, Start);

impl Cost {
    fn cases(&self) -> Vec<CostCase> {
        let SystemRanges { steps, tolerances, .. } = &self.0.ranges;
        let mut cases = vec![];
        for step in steps.values() {
            for tolerance in tolerances.values() {
                for start in [Start::Original, Start::Corrected] {
                    let both = compared(&[*step]).into_iter();
                    cases.extend(both.map(|(scheme, step)| (scheme, step, tolerance.get(), start)));
                }
            }
        }
        cases
    }

    fn row(&self, case: &CostCase) -> CostRow {
        let &(scheme, step, tolerance, start) = case;
        let row = CostRow {
            step,
            tolerance,
            start: start_name(start).into(),
            scheme: scheme.name().into(),
            status: REFUSED.into(),
            reason: None,
            steps: 0,
            solves: 0,
            iterations: 0,
            products: 0,
        };
        match self.measured(case, row.clone()) {
            Ok(measured) => measured,
            Err(invalid) => CostRow { reason: Some(invalid.to_string()), ..row },
        }
    }

    /// A row with what its run cost.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn measured(&self, &(scheme, step, tolerance, start): &CostCase, row: CostRow) -> Result<CostRow, Invalid> {
        let Systems { flag: ranges, ranges: SystemRanges { duration, .. } } = &self.0;
        let setting = ranges.setting();
        let flag = ranges.flag(&setting)?;
        let settings =
            Settings { solver: gradients(tolerance, start), newton: setting.newton, terms: setting.terms, ..Settings::default() };
        let mut run = Run::new(&flag, scheme, settings, step)?;
        while run.time() < duration.get() - 0.5 * step && run.step() {}
        let (work, finite) = (run.work(), run.state.is_finite());
        Ok(CostRow {
            status: if finite { FINISHED } else { UNSTABLE }.into(),
            reason: (!finite).then(|| format!("not finite after {} steps", run.steps)),
            steps: run.steps,
            solves: work.solves,
            iterations: work.iterations,
            products: work.products,
            ..row
        })
    }
}

impl Group for Cost {
    const NAME: &'static str = "cost";
    const ABOUT: &'static str =
        "work of both schemes on the first seconds of the paper's flag by tolerance and start: times stand in timings.csv";
    const COLUMNS: &'static [Column] = COST_COLUMNS;
    const SAMPLED: bool = false;
    type Case = CostCase;
    type Row = CostRow;

    fn sets(&self) -> u64 {
        self.cases().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.ranges.repeats.get()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> CostCase {
        self.cases()[set as usize]
    }

    fn measure_block(&self, cases: &[CostCase], done: &mut dyn FnMut(usize, Vec<CostRow>)) {
        for (k, case) in cases.iter().enumerate() {
            done(k, vec![self.row(case)]);
        }
    }
}
