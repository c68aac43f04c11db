//! The chain of figure 4: fast projection against springs stiff enough to hold the same strain.

use cloth::inextensible::{FastProjection, FilterStop};
use kit::prelude::*;

use super::chain_verdicts;
use super::courses::{Chain, Seen};
use super::scenes::Scene;
use super::search::{Chosen, Price, Priced, cheapest};

ranges!(ChainRanges {
    //! Chains, strains, and how steps and stiffnesses are searched.
    /// Permissible strains \[-\], at the number of vertices of figure 4a.
    strains: List<Positive>,
    vertices: Count,
    /// Numbers of vertices of figure 4b, at its permissible strain \[-\].
    sizes: List<Count>,
    strain: Positive,
    /// Steps a second that are tried, coarse ones first.
    rates: List<Count>,
    /// Linear systems that a run may solve.
    budget: Count,
    /// Stiffnesses of springs \[N/m\], four a decade, then bisection of the lower edge.
    stiffness: Ends,
    /// Simulated time \[s\].
    duration: Positive,
    /// Time at which positions are compared with a reference \[s\].
    compared_at: Positive,
    /// Largest distances from it that count as accurate \[m\]: that of the claims, then others, which are tried at every strain.
    accuracies: List<Positive>,
    /// Steps a second of the reference.
    reference: Count,
    /// Measurements of the time of each cheapest accurate run.
    repeats: Count,
});

words! {
    /// How the chain is integrated.
    pub enum Way {
        /// Explicit forces and fast projection.
        Projection = "fast projection",
        /// Springs by backward Euler with one Newton step.
        Springs = "springs, one Newton step",
        /// Springs by backward Euler to convergence.
        ConvergedSprings = "springs, converged",
    }
}

/// A chain at a permissible strain, integrated in a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    pub way: Way,
    pub vertices: usize,
    /// Permissible strain \[-\].
    pub strain: f64,
    /// Distance from the reference that counts as accurate \[m\].
    pub accuracy: f64,
}

row! {
    /// A run at one step, with the best stiffness found for it.
    pub struct ChainRow {
        /// how the chain is integrated
        pub way: String,
        /// vertices of the chain
        pub vertices: usize,
        /// permissible abs(strain)
        pub strain: f64,
        /// distance from the reference that counts as accurate \[m\]
        pub accuracy: f64,
        /// steps a second; 0 of a chain that means nothing
        pub rate: u32,
        /// of the springs: the one of those that hold the bound with the least work, accurate ones first \[N/m\]
        pub stiffness: Option<f64>,
        /// width of the range of stiffnesses that hold the bound \[decades\]
        pub window: Option<f64>,
        /// holds, or why not: the strain, the budget, Newton, no finite number; refused: means nothing
        pub status: Status,
        /// why it was refused, or why there is no reference
        pub reason: Option<String>,
        /// linear systems solved in the simulated time
        pub solves: u64,
        /// largest abs(strain) over all steps; of springs that do not hold, the least of all stiffnesses; none of a chain that
        /// was refused
        pub largest: Option<f64>,
        /// largest distance of a vertex from the reference; none without one \[m\]
        pub error: Option<f64>,
        /// whether it is the cheapest
        pub chosen: Chosen,
    }
}

/// Stiffnesses a decade of the scan, steps of the bisection of its lower edge.
const A_DECADE: u32 = 4;
const BISECTIONS: u32 = 5;

impl Priced for ChainRow {
    fn price(&self) -> Price {
        Price { cost: self.solves, status: self.status, error: self.error }
    }

    fn chosen(&mut self) -> &mut Chosen {
        &mut self.chosen
    }
}

impl ChainRow {
    /// Of a task at a rate, before anything is measured.
    fn begin(task: &Task, rate: u32) -> ChainRow {
        ChainRow {
            way: task.way.name().into(),
            vertices: task.vertices,
            strain: task.strain,
            accuracy: task.accuracy,
            rate,
            status: Status::Refused,
            ..ChainRow::default()
        }
    }

    fn refused(self, invalid: &ModelError) -> ChainRow {
        ChainRow { reason: Some(invalid.to_string()), ..self }
    }

    /// Whether the run kept the bound to its end.
    pub fn holds(&self) -> bool {
        self.status == Status::Holds
    }
}

/// Neighbours of one size, with the place of the first one.
fn of_one_size(cases: &[Task]) -> impl Iterator<Item = (usize, &[Task])> {
    let sizes = cases.chunk_by(|a, b| a.vertices == b.vertices);
    sizes.scan(0, |first, tasks| {
        *first += tasks.len();
        Some((*first - tasks.len(), tasks))
    })
}

/// Every task.
pub struct Chains(pub ChainRanges);

impl Chains {
    fn tasks(&self) -> Vec<Task> {
        let ranges = &self.0;
        let by_strain = || ranges.strains.values().iter().map(|strain| (ranges.vertices, strain.get()));
        let by_size = || ranges.sizes.values().iter().map(|size| (*size, ranges.strain.get()));
        let mut tasks: Vec<Task> = vec![];
        for (k, accuracy) in ranges.accuracies.values().iter().enumerate() {
            for (vertices, strain) in by_strain().chain(by_size().filter(|_| k == 0)) {
                for way in Way::ALL {
                    let task = Task { way, vertices: vertices.get() as usize, strain, accuracy: accuracy.get() };
                    if !tasks.contains(&task) {
                        tasks.push(task);
                    }
                }
            }
        }
        tasks
    }

    /// Follows a chain to its end, or to where it leaves the bound or costs more than `cap`; `after` tells of it after step k.
    fn follow(&self, begin: ChainRow, cap: u64, mut after: impl FnMut(u64) -> Seen) -> ChainRow {
        let steps = (self.0.duration.get() * f64::from(begin.rate)).round() as u64;
        let mut row = ChainRow { status: Status::Holds, solves: 0, largest: Some(0.0), error: None, ..begin };
        for k in 1..=steps {
            let Seen { solves, strain, is_finite, ended, error } = after(k);
            row.solves = solves;
            if strain.is_finite() {
                row.largest = row.largest.map(|largest| largest.max(strain));
            }
            let ended = ended.or(if !is_finite {
                Some(Status::NotFinite)
            } else if strain > row.strain {
                Some(Status::Strain)
            } else if solves >= cap && k < steps {
                Some(if cap < self.budget() { Status::CostsMore } else { Status::Budget })
            } else {
                None
            });
            if let Some(reason) = ended {
                row.status = reason;
                break;
            }
            row.error = row.error.or(error);
        }
        row
    }

    fn budget(&self) -> u64 {
        self.0.budget.get().into()
    }

    /// The reference: fast projection with small steps to a tight bound; or how that ended early.
    fn reference(&self, scene: &Scene) -> Result<Vec<Vec3>, String> {
        let rate = self.0.reference.get();
        let mut state = scene.start.clone();
        let limits = Limits::new(1e-6, 100).map_err(|invalid| invalid.to_string())?;
        let method = Box::new(FastProjection::new(scene.constraints.clone(), limits));
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(scene.constraints.particle_count()), Filter::new(method));
        for step in 1..=(self.0.compared_at.get() * f64::from(rate)).round() as u64 {
            let ended = filter.step(&mut forces, &scene.net, 1.0 / f64::from(rate), &mut state);
            let stop = if ended.is_ok() && state.is_finite() { filter.last().stop } else { FilterStop::NotFinite };
            if !stop.is_usable() {
                return Err(format!("no reference: {} after {step} steps", stop.name()));
            }
        }
        Ok(state.x)
    }

    /// The run at a rate; of springs the best of all stiffnesses.
    fn run(&self, chain: &mut Chain, task: &Task, rate: u32, cap: u64) -> ChainRow {
        let row = ChainRow { reason: chain.without_reference().map(str::to_owned), ..ChainRow::begin(task, rate) };
        if task.way == Way::Projection {
            return match chain.projected(task.strain, rate) {
                Ok(seen) => self.follow(row, cap, seen),
                Err(invalid) => row.refused(&invalid),
            };
        }
        let mut runs: Vec<ChainRow> = vec![];
        let mut refused = None;
        let mut tried = |stiffness: f64| -> bool {
            let seen = match chain.of_springs(task.way, stiffness, rate) {
                Ok(seen) => seen,
                Err(invalid) => {
                    refused = Some(invalid);
                    return false;
                }
            };
            let run = self.follow(ChainRow { stiffness: Some(stiffness), ..row.clone() }, cap, seen);
            let holds = run.holds();
            runs.push(run);
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
        let accuracy = task.accuracy;
        let rank = |run: &ChainRow| {
            let inaccurate = run.error.is_none_or(|error| error > accuracy);
            (!run.holds(), inaccurate, if run.holds() { run.solves } else { 0 }, run.stiffness.unwrap_or_default())
        };
        let order = |a: &(bool, bool, u64, f64), b: &(bool, bool, u64, f64)| {
            (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(a.3.total_cmp(&b.3))
        };
        let least = runs.iter().filter_map(|run| run.largest).fold(f64::INFINITY, f64::min);
        match runs.iter().min_by(|a, b| order(&rank(a), &rank(b))) {
            Some(run) if run.holds() => ChainRow { window, ..run.clone() },
            Some(run) => {
                let status = if runs.iter().all(|run| run.status == Status::CostsMore) {
                    Status::CostsMore
                } else {
                    Status::NoStiffnessHolds
                };
                ChainRow { largest: Some(least), solves: run.solves, status, ..row }
            }
            None => refused.map_or(row.clone(), |invalid| row.refused(&invalid)),
        }
    }

    /// The chain of a task, with its reference.
    ///
    /// # Errors
    /// Too few vertices.
    fn chain(&self, task: &Task) -> Result<Chain, ModelError> {
        let scene = Scene::chain(task.vertices)?;
        let reference = self.reference(&scene);
        Ok(Chain::new(scene, reference, self.0.compared_at.get()))
    }

    fn search(&self, task: &Task, chain: &mut Chain) -> Vec<ChainRow> {
        let rates = self.0.rates.values().iter().map(|rate| rate.get());
        cheapest(rates, self.budget(), task.accuracy, |rate, cap| self.run(chain, task, rate, cap))
    }
}

impl Group for Chains {
    const NAME: &'static str = "chain";
    const ABOUT: &'static str = "a hanging chain by fast projection and by springs of every stiffness, from coarse to fine steps, by the accuracy that is asked for";
    /// Chains of springs of one size, which share their courses.
    const BLOCK: usize = 100;
    type Case = Task;
    type Row = ChainRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.tasks()
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    /// Each permissible strain has one chain.
    fn enough(&self) -> f64 {
        f64::INFINITY
    }

    fn kin(&self, task: &Task) -> u64 {
        let weight = match task.way {
            Way::Projection => 1,
            Way::Springs => 100,
            Way::ConvergedSprings => 101,
        };
        weight * task.vertices as u64
    }

    fn measure(&self, case: &Task) -> Vec<ChainRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Task], done: &mut dyn FnMut(usize, Vec<ChainRow>)) {
        for (first, tasks) in of_one_size(cases) {
            let mut chain = self.chain(&tasks[0]);
            for (k, task) in tasks.iter().enumerate() {
                let rows = match &mut chain {
                    Ok(chain) => self.search(task, chain),
                    Err(invalid) => vec![ChainRow::begin(task, 0).refused(invalid)],
                };
                done(first + k, rows);
            }
        }
    }

    /// The cheapest accurate run alone, with its stiffness.
    fn repeat(&self, task: &Task, known: &[ChainRow]) -> Vec<ChainRow> {
        let Ok(scene) = Scene::chain(task.vertices) else { return known.to_vec() };
        let mut chain = Chain::new(scene, Ok(vec![]), self.0.compared_at.get());
        let mut again = |row: &ChainRow| {
            let run = match row.stiffness {
                _ if !row.chosen.cheapest_accurate => None,
                None => {
                    let seen = chain.projected(task.strain, row.rate).ok();
                    seen.map(|seen| self.follow(row.clone(), self.budget(), seen))
                }
                Some(stiffness) => {
                    let seen = chain.of_springs(task.way, stiffness, row.rate).ok();
                    seen.map(|seen| self.follow(row.clone(), self.budget(), seen))
                }
            };
            run.map_or_else(|| row.clone(), |run| ChainRow { error: row.error, ..run })
        };
        known.iter().map(&mut again).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ChainRanges { duration, compared_at, rates, reference, .. } = &ranges.chain;
    let all: Vec<u32> = rates.values().iter().chain([reference]).map(|rate| rate.get()).collect();
    let checked = [("chain.duration", duration), ("chain.compared_at", compared_at)];
    let checked = checked.map(|(key, time)| check_rates(key, time.get(), all.iter().copied()));
    Topic::of(Chains(ranges.chain.clone()))
        .plot("chain", chain_verdicts::chart)
        .plot("chain-times", chain_verdicts::chain_times)
        .derive(Derived::new("chain-gains", chain_verdicts::gain_rows).of_times())
        .derive(Derived::new("chain-laws", chain_verdicts::laws).of_times())
        .places(&[("chain", -1), ("chain-times", -1)])
        .checked(checked.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_share_courses_have_the_rows_of_each_alone() {
        let ranges = r#"
            strains = [0.1, 0.03, 0.01]
            vertices = 8
            sizes = [8]
            strain = 0.01
            rates = [30, 60, 120]
            budget = 2000
            stiffness = [10.0, 1e5]
            duration = 0.3
            compared_at = 0.2
            accuracies = [0.05, 0.1]
            reference = 480
            repeats = 1
        "#;
        let chains = Chains(kit::ranges::stated(ranges));
        let tasks = chains.tasks();
        assert_eq!(tasks.len(), 2 * 3 * Way::ALL.len());
        let rows = |tasks: &[Task]| {
            let mut rows = vec![vec![]; tasks.len()];
            chains.measure_block(tasks, &mut |k, found| rows[k] = found);
            rows
        };
        let alone: Vec<_> = tasks.iter().flat_map(|task| rows(&[*task])).collect();
        assert_eq!(rows(&tasks), alone);
        let held = alone.iter().flatten().filter(|row| row.stiffness.is_some() && row.error.is_some()).count();
        assert!(held >= 12, "{held} rows of springs that hold");
        // what is measured again for its time is what was found
        for (task, found) in tasks.iter().zip(&alone) {
            for (again, row) in chains.repeat(task, found).iter().zip(found) {
                assert_eq!((again.solves, again.largest, &again.status), (row.solves, row.largest, &row.status));
            }
        }
    }
}
