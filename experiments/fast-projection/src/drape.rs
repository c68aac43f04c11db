//! The drape of figure 5: the cheapest step of every method at a permissible strain.

use cloth::inextensible::Strain;
use kit::prelude::*;
use std::sync::{Arc, Mutex};

use super::drape_run::{Forces, Run, Task, status_of};
use super::rivals::{Caps, Rival};
use super::scenes::rms_distance;
use super::search::{Chosen, Price, Priced, cheapest};
use super::{drape_charts, drape_verdicts};

ranges!(DrapeRanges {
    //! Which methods run where, and how steps are searched.
    /// Steps a second that are tried, coarse ones first; multiples of 30.
    rates: List<Count>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Nominal operations that a run may cost, in millions for each particle.
    budget: Positive,
    /// That of a run by the implicit constraint direction with factors of its indefinite systems.
    budget_of_icd: Positive,
    /// Linear systems a step may take.
    solves: Count,
    /// Sweeps a step may take.
    sweeps: Count,
    /// Time at which positions are compared with a reference \[s\].
    compared_at: Positive,
    /// Root mean square distance from it that counts as accurate \[m\].
    accuracy: Positive,
    /// Steps a second of the reference, by fast projection to a strain of 1e-4.
    reference: Count,
    /// Measurements of the time of each cheapest accurate run.
    repeats: Count,
    /// What runs.
    jobs: List<Job>,
});

ranges!(Job {
    //! Methods at permissible strains on sheets.
    #![derive(PartialEq)]
    /// Which methods.
    methods: List<Rival>,
    /// Permissible strains \[-\].
    strains: List<Positive>,
    /// Particles a side.
    sides: List<Side>,
    /// How the forces of the diagonal springs are integrated before the projection.
    elastic: Forces,
});

row! {
    /// A run at one step.
    pub struct DrapeRow {
        /// constraint method
        pub method: String,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// particles a side
        pub side: usize,
        /// how the diagonal springs are integrated before the projection
        pub elastic: Forces,
        /// steps a second
        pub rate: u32,
        /// finished within all bounds, or why not: iteration limit or left the bound (of strain; the latter XPBD, of a number of
        /// sweeps a step), energy bound (a run that gains more than is admitted), costs more, budget; lost: gains energy or not
        /// finite; refused: means nothing, and has no gain, no strains and no lowest point
        pub status: Status,
        /// why it is lost, and how the method ended in its last step
        pub reason: Option<String>,
        /// simulated time \[s\]
        pub reached: f64,
        /// corrections of the positions: linear systems, or sweeps
        pub iterations: u64,
        /// numeric factorisations
        pub factorisations: u64,
        /// solves with a factor
        pub solves: u64,
        /// nominal floating-point operations of factorisations, solves and sweeps
        pub operations: u64,
        /// edges that turned by more than a right angle in a step
        pub turned_over: u64,
        /// largest energy gain over that of a fall by 1 m, 30 times a second; 0.1 is admitted
        pub gain: Option<f64>,
        /// largest strain before collisions, over all steps; of stretch-limiting of edges that are too long
        pub largest: Option<f64>,
        /// worst 99th percentile of strain before collisions, 30 times a second
        pub percentile99: Option<f64>,
        /// worst median of the same
        pub median: Option<f64>,
        /// worst mean of the same
        pub mean: Option<f64>,
        /// largest strain after collisions, 30 times a second
        pub largest_collided: Option<f64>,
        /// worst 99th percentile of the same
        pub percentile99_collided: Option<f64>,
        /// worst median of the same
        pub median_collided: Option<f64>,
        /// worst mean of the same
        pub mean_collided: Option<f64>,
        /// lowest point at the end \[m\]
        pub lowest: Option<f64>,
        /// root mean square distance from the reference \[m\]
        pub error: Option<f64>,
        /// whether it is the cheapest
        pub chosen: Chosen,
    }
}

/// Energy gain that a run may have at any frame to be admitted \[-\]: a criterion of the claims, stricter than that it is finished.
pub const ADMITTED_GAIN: f64 = 0.1;

/// Frames a second at which strain and energy are looked at.
pub const FRAMES: u32 = 30;

impl DrapeRow {
    /// Whether the run is finished, within the bounds of strain, of energy and of cost.
    pub fn holds(&self) -> bool {
        self.status == Status::Finished
    }
}

impl Priced for DrapeRow {
    fn price(&self) -> Price {
        Price { cost: self.operations, status: self.status, error: self.error }
    }

    fn chosen(&mut self) -> &mut Chosen {
        &mut self.chosen
    }
}

/// Positions of references by side.
type References = Mutex<HashMap<usize, Arc<Vec<Vec3>>>>;

/// Every task.
pub struct Drape {
    ranges: DrapeRanges,
    references: References,
}

impl Drape {
    /// The group for its ranges.
    pub fn new(ranges: DrapeRanges) -> Drape {
        Drape { ranges, references: References::default() }
    }

    /// All tasks, methods side by side.
    pub fn tasks(ranges: &DrapeRanges) -> Vec<Task> {
        let mut tasks: Vec<Task> = vec![];
        for job in ranges.jobs.values() {
            for side in job.sides.values() {
                for strain in job.strains.values() {
                    for &rival in job.methods.values() {
                        let task = Task { rival, strain: strain.get(), side: side.get() as usize, elastic: job.elastic };
                        if !tasks.contains(&task) {
                            tasks.push(task);
                        }
                    }
                }
            }
        }
        tasks
    }

    fn caps(&self) -> Caps {
        Caps { solves: self.ranges.solves.get().into(), sweeps: self.ranges.sweeps.get().into() }
    }

    /// Positions at the time of comparison, by fast projection with small steps: computed once for a side.
    fn reference(&self, side: usize) -> Option<Arc<Vec<Vec3>>> {
        if let Some(known) = self.references.lock().ok()?.get(&side) {
            return Some(known.clone());
        }
        let rate = self.ranges.reference.get();
        let task = Task { rival: Rival::FastProjection, strain: 1e-4, side, elastic: Forces::Explicit };
        let steps = (self.ranges.compared_at.get() * f64::from(rate)).round() as u64;
        let mut run = Run::new(&task, self.caps())?;
        let mut course = run.course(steps);
        while course.goes_on() {
            let ended = run.step(1.0 / f64::from(rate));
            course.watch_step(ended, &run.scene.net, &run.state, || run.energy());
        }
        let reference = (course.status() == Status::Finished && run.filter.converged()).then(|| Arc::new(run.state.x))?;
        self.references.lock().ok()?.insert(side, reference.clone());
        Some(reference)
    }

    /// The run of a task at a rate, until it ends or costs more than `cap` operations; `energy` is what its course looks at,
    /// `compare` gives its distance \[m\] from the reference.
    fn run(
        &self,
        task: &Task,
        rate: u32,
        cap: u64,
        energy: impl Fn(&Run) -> f64,
        compare: impl Fn(&[Vec3]) -> Option<f64>,
    ) -> DrapeRow {
        let refused = DrapeRow::refused(task, rate);
        let Some(mut run) = Run::new(task, self.caps()) else { return refused };
        let dt = 1.0 / f64::from(rate);
        let steps = (self.ranges.duration.get() * f64::from(rate)).round() as u64;
        let compared = (self.ranges.compared_at.get() * f64::from(rate)).round() as u64;
        let mut strains = StrainOf::default();
        let mut row = refused.begun();
        let (mut course, mut given_up) = (RunWatch::of_energy(energy(&run), run.fall(), steps), None);
        while course.goes_on() && given_up.is_none() {
            let ended = run.step(dt);
            course.watch_step(ended, &run.scene.net, &run.state, || energy(&run));
            let step = course.taken();
            let work = *run.filter.filter_work();
            row.reached = step as f64 * dt;
            (row.iterations, row.factorisations, row.solves) = (work.iterations, work.factorisations, work.solves);
            (row.operations, row.turned_over) = (work.operations, work.turned_over);
            let last = *run.filter.last();
            if last.after.is_finite() {
                raise(&mut row.largest, last.after);
            }
            if !run.filter.converged() {
                given_up = Some(task.rival.status(last.stop));
                break;
            }
            if step.is_multiple_of(u64::from(rate / FRAMES).max(1)) {
                let constraints = &run.scene.constraints;
                row.look(&strains.state(constraints, run.filter.projected()), &strains.state(constraints, &run.state.x));
                raise(&mut row.gain, run.scene.gain(&run.state));
                if row.gain.is_some_and(|gain| gain > ADMITTED_GAIN) {
                    given_up = Some(Status::EnergyBound);
                    break;
                }
            }
            if step == compared {
                row.error = compare(&run.state.x);
            }
            if row.operations >= cap && step < steps {
                given_up = Some(if cap < self.budget(task) { Status::CostsMore } else { Status::Budget });
            }
        }
        if given_up.is_some() {
            course.end_early(|| energy(&run));
        }
        (row.status, row.reason) = status_of(&course, given_up, &run);
        row.lowest =
            Some(run.state.x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)).filter(|_| course.status() != Status::NotFinite);
        row
    }

    fn budget(&self, task: &Task) -> u64 {
        let each = if task.rival == Rival::Icd { self.ranges.budget_of_icd } else { self.ranges.budget };
        (each.get() * 1e6 * (task.side * task.side) as f64) as u64 // a cast that saturates
    }
}

impl DrapeRow {
    /// Of a run that is refused.
    pub fn refused(task: &Task, rate: u32) -> DrapeRow {
        DrapeRow {
            method: task.rival.name().into(),
            strain: task.strain,
            side: task.side,
            elastic: task.elastic,
            rate,
            status: Status::Refused,
            ..DrapeRow::default()
        }
    }

    /// The row of a run that begins.
    fn begun(self) -> DrapeRow {
        let none = Some(0.0);
        DrapeRow {
            status: Status::Finished,
            gain: none,
            largest: none,
            percentile99: none,
            median: none,
            mean: none,
            largest_collided: none,
            percentile99_collided: none,
            median_collided: none,
            mean_collided: none,
            ..self
        }
    }

    /// Takes the strains of a frame into account, before and after collisions.
    fn look(&mut self, before: &Strain, after: &Strain) {
        raise(&mut self.percentile99, before.percentile99);
        raise(&mut self.median, before.median);
        raise(&mut self.mean, before.mean);
        raise(&mut self.largest_collided, after.largest);
        raise(&mut self.percentile99_collided, after.percentile99);
        raise(&mut self.median_collided, after.median);
        raise(&mut self.mean_collided, after.mean);
    }
}

/// The larger of what a run has seen so far and `value`.
fn raise(seen: &mut Option<f64>, value: f64) {
    *seen = seen.map(|seen| seen.max(value));
}

impl Group for Drape {
    const NAME: &'static str = "drape";
    const ABOUT: &'static str =
        "a sheet that falls over a sphere: every method from coarse to fine steps until finer ones cost more";
    type Case = Task;
    type Row = DrapeRow;

    fn listed(&self) -> Vec<Self::Case> {
        Drape::tasks(&self.ranges)
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    fn kin(&self, task: &Task) -> u64 {
        (task.side * task.side) as u64
    }

    fn measure(&self, task: &Task) -> Vec<DrapeRow> {
        let accuracy = self.ranges.accuracy.get();
        let rates = self.ranges.rates.values().iter().map(|rate| rate.get());
        let compare = |x: &[Vec3]| self.reference(task.side).map(|reference| rms_distance(&reference, x));
        cheapest(rates, self.budget(task), accuracy, |rate, cap| self.run(task, rate, cap, Run::energy, compare))
    }

    /// The cheapest accurate run alone, without the reference and without the looks at its energy that told that it is finished.
    fn repeat(&self, task: &Task, known: &[DrapeRow]) -> Vec<DrapeRow> {
        let again = |row: &DrapeRow| match row.chosen.cheapest_accurate {
            true => DrapeRow { chosen: row.chosen, ..self.run(task, row.rate, self.budget(task), |_| 0.0, |_| row.error) },
            false => row.clone(),
        };
        known.iter().map(again).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let DrapeRanges { duration, compared_at, rates, reference, .. } = &ranges.drape;
    let all: Vec<u32> = rates.values().iter().chain([reference]).map(|rate| rate.get()).collect();
    let checked = [("drape.duration", duration), ("drape.compared_at", compared_at)];
    let checked = checked.map(|(key, time)| check_rates(key, time.get(), all.iter().copied()));
    Topic::of(Drape::new(ranges.drape.clone()))
        .plot("drape-work", drape_charts::drape_work)
        .plot("drape-times", drape_charts::drape_times)
        .plot("drape-size", drape_charts::drape_size)
        .plot("drape-steps", drape_charts::drape_steps)
        .derive(Derived::new("standings", drape_verdicts::standings).of_times())
        .derive(Derived::new("drape-laws", drape_verdicts::laws).of_times())
        .checked(checked.into_iter().collect())
}
