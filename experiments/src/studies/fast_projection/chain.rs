//! The chain of figure 4: fast projection against springs stiff enough to hold the same strain.

use cloth::Vec3;
use cloth::implicit::{Newton, Settings, Solver};
use cloth::inextensible::{FastProjection, Limits};
use cloth::integrators::{BackwardEuler, Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use cloth::{Net, State, Terms};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scenes::Scene;
use super::search::{Priced, cheapest};
use crate::ranges::{Count, Ends, List};

/// Chains, strains, and how steps and stiffnesses are searched.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ChainRanges {
    /// Permissible strains \[-\], at the number of vertices of figure 4a.
    pub strains: List<Positive>,
    /// That number.
    pub vertices: Count,
    /// Numbers of vertices of figure 4b, at its permissible strain \[-\].
    pub sizes: List<Count>,
    /// That strain.
    pub strain: Positive,
    /// Steps a second that are tried, coarse ones first.
    pub rates: List<Count>,
    /// Linear systems that a run may solve.
    pub budget: Count,
    /// Stiffnesses of springs \[N/m\], four a decade, then bisection of the lower edge.
    pub stiffness: Ends,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// Time at which positions are compared with a reference \[s\].
    pub compared_at: Positive,
    /// Largest distance from it that counts as accurate \[m\].
    pub accuracy: Positive,
    /// Steps a second of the reference.
    pub reference: Count,
    /// Measurements of the time of each cheapest run.
    pub repeats: Count,
}

/// How the chain is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Explicit forces and fast projection.
    Projection,
    /// Springs by backward Euler with one Newton step.
    Springs,
    /// Springs by backward Euler to convergence.
    ConvergedSprings,
}

/// Ways, in the order of the tables.
pub const WAYS: [Way; 3] = [Way::Projection, Way::Springs, Way::ConvergedSprings];

impl Way {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Projection => "fast projection",
            Way::Springs => "springs, one Newton step",
            Way::ConvergedSprings => "springs, converged",
        }
    }
}

/// A chain at a permissible strain, integrated in a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// The way.
    pub way: Way,
    /// Vertices.
    pub vertices: usize,
    /// Permissible strain \[-\].
    pub strain: f64,
}

/// A run at one step, with the best stiffness found for it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ChainRow {
    pub way: String,
    pub vertices: usize,
    pub strain: f64,
    pub rate: u32,
    pub stiffness: Option<f64>,
    pub window: Option<f64>,
    pub status: String,
    pub solves: u64,
    pub largest: f64,
    pub error: Option<f64>,
    pub cheapest: bool,
    pub cheapest_accurate: bool,
}

const COLUMNS: &[Column] = &[
    Column::text("way", "how the chain is integrated"),
    Column::integer("vertices", "vertices of the chain"),
    Column::number("strain", "-", "permissible abs(strain)"),
    Column::integer("rate", "steps a second"),
    Column::number(
        "stiffness",
        "N/m",
        "of the springs: the one of those that hold the bound with the least work, accurate ones first",
    ),
    Column::number("window", "decades", "width of the range of stiffnesses that hold the bound"),
    Column::text("status", "holds, or why not: the strain, the budget, Newton, no finite number"),
    Column::integer("solves", "linear systems solved in the simulated time"),
    Column::number(
        "largest",
        "-",
        "largest abs(strain) over all steps; of springs that do not hold, the least of all stiffnesses",
    ),
    Column::number("error", "m", "largest distance of a vertex from the reference"),
    Column::boolean("cheapest", "whether it is the cheapest that holds the bound"),
    Column::boolean("cheapest_accurate", "whether it is the cheapest that is accurate as well"),
];

/// Status of a run that kept the bound to its end.
const HOLDS: &str = "holds";

/// Status of a run that was given up, since it cost more than another one or than the budget.
const COSTS_MORE: &str = "costs more";
const BUDGET: &str = "budget";

/// Stiffnesses a decade of the scan, steps of the bisection of its lower edge.
const A_DECADE: u32 = 4;
const BISECTIONS: u32 = 5;

/// Newton's tolerance \[m/s\] and its limit: converged to far below what the strain asks for.
const NEWTON: Newton = Newton::Converged { tolerance: 1e-7, limit: 50 };

/// What came of a run.
#[derive(Clone, Debug)]
struct Outcome {
    status: &'static str,
    solves: u64,
    largest: f64,
    error: Option<f64>,
}

struct Tried {
    row: ChainRow,
    accuracy: f64,
}

impl Priced for Tried {
    fn cost(&self) -> u64 {
        self.row.solves
    }

    fn is_admissible(&self) -> bool {
        self.row.holds()
    }

    fn is_accurate(&self) -> bool {
        self.row.error.is_some_and(|error| error <= self.accuracy)
    }

    fn is_beyond_budget(&self) -> bool {
        self.row.status == BUDGET
    }
}

impl ChainRow {
    /// Whether the run kept the bound to its end.
    pub fn holds(&self) -> bool {
        self.status == HOLDS
    }
}

/// Every task.
pub struct Chains(pub ChainRanges);

impl Chains {
    fn tasks(&self) -> Vec<Task> {
        let ranges = &self.0;
        let by_strain = ranges.strains.values().iter().map(|strain| (ranges.vertices, strain.get()));
        let by_size = ranges.sizes.values().iter().map(|size| (*size, ranges.strain.get()));
        let mut tasks: Vec<Task> = vec![];
        for (vertices, strain) in by_strain.chain(by_size) {
            for way in WAYS {
                let task = Task { way, vertices: vertices.get() as usize, strain };
                if !tasks.contains(&task) {
                    tasks.push(task);
                }
            }
        }
        tasks
    }

    /// Follows the chain; `step` advances it, and says what it solved so far and whether it came to an end, with its reason.
    fn follow(
        &self,
        scene: &Scene,
        bound: f64,
        rate: u32,
        cap: u64,
        reference: &[Vec3],
        mut step: impl FnMut(f64, &mut State) -> (u64, Option<&'static str>),
    ) -> Outcome {
        let dt = 1.0 / f64::from(rate);
        let steps = (self.0.duration.get() * f64::from(rate)).round() as u64;
        let compared = (self.0.compared_at.get() * f64::from(rate)).round() as u64;
        let mut state = scene.start.clone();
        let mut outcome = Outcome { status: HOLDS, solves: 0, largest: 0.0, error: None };
        for k in 1..=steps {
            let (solves, ended) = step(dt, &mut state);
            outcome.solves = solves;
            let strain = scene.constraints.largest_strain(&state.x);
            if strain.is_finite() {
                outcome.largest = outcome.largest.max(strain);
            }
            let ended = ended.or(if !state.is_finite() {
                Some("not finite")
            } else if strain > bound {
                Some("strain")
            } else if solves >= cap && k < steps {
                Some(if cap < self.budget() { COSTS_MORE } else { BUDGET })
            } else {
                None
            });
            if let Some(reason) = ended {
                outcome.status = reason;
                return outcome;
            }
            if k == compared {
                let distances = state.x.iter().zip(reference).map(|(a, b)| (a - b).norm());
                outcome.error = Some(distances.fold(0.0, f64::max));
            }
        }
        outcome
    }

    fn budget(&self) -> u64 {
        self.0.budget.get().into()
    }

    fn projection(&self, scene: &Scene, bound: f64, rate: u32, cap: u64, reference: &[Vec3]) -> Option<Outcome> {
        let limits = Limits::new(bound, 100).ok()?;
        let method = Box::new(FastProjection::new(scene.constraints.clone(), limits));
        let mut filtered = Filtered::new(Box::new(ForwardBackwardEuler::new(scene.constraints.particle_count())), method);
        Some(self.follow(scene, bound, rate, cap, reference, |dt, state| {
            filtered.step(&scene.net, dt, state);
            (filtered.filter_work().solves, (!filtered.converged()).then(|| filtered.last().stop.name()))
        }))
    }

    fn springs(&self, scene: &Scene, task: &Task, stiffness: f64, rate: u32, cap: u64, reference: &[Vec3]) -> Option<Outcome> {
        let net: Net = scene.with_springs(stiffness).ok()?;
        let newton = if task.way == Way::Springs { Newton::Once } else { NEWTON };
        let mut scheme =
            BackwardEuler::new(&net, Settings { solver: Solver::Direct, newton, terms: Terms::Filtered, ..Settings::default() });
        Some(self.follow(scene, task.strain, rate, cap, reference, |dt, state| {
            scheme.step(&net, dt, state);
            let work = scheme.work();
            (work.solves, (work.newton_limited > 0).then_some("Newton did not converge"))
        }))
    }

    /// The reference: fast projection with small steps to a tight bound.
    fn reference(&self, scene: &Scene) -> Vec<Vec3> {
        let rate = self.0.reference.get();
        let mut state = scene.start.clone();
        let Ok(limits) = Limits::new(1e-6, 100) else { return state.x };
        let method = Box::new(FastProjection::new(scene.constraints.clone(), limits));
        let mut filtered = Filtered::new(Box::new(ForwardBackwardEuler::new(scene.constraints.particle_count())), method);
        for _ in 0..(self.0.compared_at.get() * f64::from(rate)).round() as u64 {
            filtered.step(&scene.net, 1.0 / f64::from(rate), &mut state);
        }
        state.x
    }

    /// The run at a rate; of springs the best of all stiffnesses.
    fn run(&self, scene: &Scene, task: &Task, rate: u32, cap: u64, reference: &[Vec3]) -> ChainRow {
        let row = ChainRow {
            way: task.way.name().into(),
            vertices: task.vertices,
            strain: task.strain,
            rate,
            stiffness: None,
            window: None,
            status: "refused".into(),
            solves: 0,
            largest: 0.0,
            error: None,
            cheapest: false,
            cheapest_accurate: false,
        };
        let with = |row: ChainRow, Outcome { status, solves, largest, error }: Outcome| ChainRow {
            status: status.into(),
            solves,
            largest,
            error,
            ..row
        };
        if task.way == Way::Projection {
            return match self.projection(scene, task.strain, rate, cap, reference) {
                Some(outcome) => with(row, outcome),
                None => row,
            };
        }
        let mut runs: Vec<(f64, Outcome)> = vec![];
        let mut tried = |stiffness: f64| -> bool {
            let Some(outcome) = self.springs(scene, task, stiffness, rate, cap, reference) else { return false };
            let holds = outcome.status == HOLDS;
            runs.push((stiffness, outcome));
            holds
        };
        let [from, to] = self.0.stiffness.get();
        let count = (libm::log10(to / from) * f64::from(A_DECADE)).round() as u32;
        let at = |k: f64| from * libm::pow(10.0, k / f64::from(A_DECADE));
        let holding: Vec<u32> = (0..=count).filter(|k| tried(at(f64::from(*k)))).collect();
        let mut window = None;
        if let (Some(first), Some(last)) = (holding.first(), holding.last()) {
            let (mut low, mut high) = (f64::from(*first) - 1.0, f64::from(*first));
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                if tried(at(middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            window = Some((f64::from(*last) - high) / f64::from(A_DECADE));
        }
        let accuracy = self.0.accuracy.get();
        let rank = |(stiffness, outcome): &(f64, Outcome)| {
            let inaccurate = outcome.error.is_none_or(|error| error > accuracy);
            (outcome.status != HOLDS, inaccurate, if outcome.status == HOLDS { outcome.solves } else { 0 }, *stiffness)
        };
        let order = |a: &(bool, bool, u64, f64), b: &(bool, bool, u64, f64)| {
            (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(a.3.total_cmp(&b.3))
        };
        let least = runs.iter().map(|(_, outcome)| outcome.largest).fold(f64::INFINITY, f64::min);
        match runs.iter().min_by(|a, b| order(&rank(a), &rank(b))) {
            Some((stiffness, outcome)) if outcome.status == HOLDS => {
                with(ChainRow { stiffness: Some(*stiffness), window, ..row }, outcome.clone())
            }
            Some((_, outcome)) => {
                let status =
                    if runs.iter().all(|(_, run)| run.status == "costs more") { "costs more" } else { "no stiffness holds" };
                ChainRow { largest: least, solves: outcome.solves, status: status.into(), ..row }
            }
            None => row,
        }
    }

    fn search(&self, task: &Task) -> Vec<ChainRow> {
        let Ok(scene) = Scene::chain(task.vertices) else { return vec![] };
        let (reference, accuracy) = (self.reference(&scene), self.0.accuracy.get());
        let rates = self.0.rates.values().iter().map(|rate| rate.get());
        let found =
            cheapest(rates, self.budget(), |rate, cap| Tried { row: self.run(&scene, task, rate, cap, &reference), accuracy });
        let mark = |(k, tried): (usize, Tried)| ChainRow {
            cheapest: found.cheapest == Some(k),
            cheapest_accurate: found.accurate == Some(k),
            ..tried.row
        };
        found.runs.into_iter().enumerate().map(mark).collect()
    }
}

impl Group for Chains {
    const NAME: &'static str = "chain";
    const ABOUT: &'static str = "a hanging chain by fast projection and by springs of every stiffness, from coarse to fine steps";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Task;
    type Row = ChainRow;

    fn sets(&self) -> u64 {
        self.tasks().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Task {
        self.tasks()[set as usize]
    }

    fn kin(&self, task: &Task) -> u64 {
        task.vertices as u64 * if task.way == Way::Projection { 1 } else { 100 }
    }

    fn measure_block(&self, cases: &[Task], done: &mut dyn FnMut(usize, Vec<ChainRow>)) {
        for (k, task) in cases.iter().enumerate() {
            done(k, self.search(task));
        }
    }

    /// The cheapest run alone, with its stiffness.
    fn repeat(&self, task: &Task, known: &[ChainRow]) -> Vec<ChainRow> {
        let Ok(scene) = Scene::chain(task.vertices) else { return vec![] };
        let again = |row: &ChainRow| {
            let outcome = match row.stiffness {
                _ if !row.cheapest => None,
                None => self.projection(&scene, task.strain, row.rate, self.budget(), &scene.start.x),
                Some(stiffness) => self.springs(&scene, task, stiffness, row.rate, self.budget(), &scene.start.x),
            };
            match outcome {
                Some(Outcome { status, solves, largest, .. }) => {
                    ChainRow { status: status.into(), solves, largest, ..row.clone() }
                }
                None => row.clone(),
            }
        };
        known.iter().map(again).collect()
    }
}
