//! The table of a race: a row a contestant and a rung.

use std::sync::Arc;

use scene::{Scene, Scheme};

use super::Request;
use super::contestants::{Contestant, Prepared, Solves, Template};
use super::ladder::{Rung, around, ascending, below, nearest};
use super::reference::Reference;
use super::rival::{self, Rival};
use super::runs::{Measures, Outcome, distances, follow, velocity_distance};
use crate::prelude::*;
use crate::stiffness::stable_step;

row! {
    /// Distances of particles to the reference at the times of comparison, rms over particles and over the size of the cloth.
    #[derive(Copy)]
    pub struct Errors {
        /// distance of particles to the reference, rms over particles and over the size of the cloth, at a fourth of the time
        pub error_1: Option<f64>,
        /// the same at a half
        pub error_2: Option<f64>,
        /// at three fourths
        pub error_3: Option<f64>,
        /// at the end
        pub error_4: Option<f64>,
    }
}

impl Errors {
    /// From distances and the size of the cloth \[m\].
    pub fn of(distances: &[f64], size: f64) -> Errors {
        let at = |k: usize| distances.get(k).and_then(|distance| finite(distance / size));
        Errors { error_1: at(0), error_2: at(1), error_3: at(2), error_4: at(3) }
    }

    /// The largest up to one of the times of comparison, counted from 1; none where one of them is none.
    pub fn until(&self, times: usize) -> Option<f64> {
        let Errors { error_1, error_2, error_3, error_4 } = *self;
        let mut until = [error_1, error_2, error_3, error_4].into_iter().take(times.max(1));
        until.try_fold(0.0, |most: f64, error| Some(most.max(error?)))
    }
}

row! {
    /// A run of a contestant.
    pub struct RaceRow {
        /// integrator or constraint method with its parameters, or the command of a rival
        pub contestant: String,
        /// dt, time step, the longest of adaptive steps; none for a contestant that was refused \[s\]
        pub step: Option<f64>,
        /// `tolerance` of the solver of linear systems where the race gives one
        pub tolerance: Option<f64>,
        /// finished, gains energy or not finite; costs more: nothing is wrong, but it is beyond the budget; refused: did not run,
        /// or ended at collisions that could not be resolved
        pub status: String,
        /// what went wrong, in linear systems, Newton iterations and constraint methods too
        pub reason: Option<String>,
        /// steps of dt taken
        pub steps: u64,
        /// evaluations of forces, of all couplings or of the explicit ones
        pub evaluations: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// steps, or parts of them, that were rejected
        pub rejected: u64,
        /// nominal floating-point operations of forces, linear systems, constraint methods and collisions
        pub operations: f64,
        /// distances to the reference
        pub errors: Errors,
        /// difference of velocities to the reference, rms over particles, the largest at any time of comparison \[m/s\]
        pub velocity_error: Option<f64>,
        /// largest |x| / L - 1 at any time of comparison
        pub strain: Option<f64>,
        /// that less the one of the reference
        pub strain_error: Option<f64>,
        /// energy at the end less that of the reference, over that of a fall by the size of the cloth
        pub energy_drift: Option<f64>,
    }
}

impl RaceRow {
    /// Whether the run came to its end.
    pub fn is_finished(&self) -> bool {
        self.status == FINISHED
    }
}

/// The row of a run, with what its states are compared with.
pub fn compared(begun: RaceRow, outcome: &Outcome, reference: Option<&Reference>, measures: &Measures) -> RaceRow {
    let Outcome { status, reason, steps, operations, evaluations, work, states, energies, strains } = outcome;
    let strain =
        strains.iter().copied().fold(None, |most: Option<f64>, strain| Some(most.map_or(strain, |most| most.max(strain))));
    let is_finished = *status == FINISHED;
    let reference = reference.filter(|_| is_finished);
    let most = |strains: &[f64]| strains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let row = RaceRow {
        status: (*status).into(),
        reason: reason.clone(),
        steps: *steps,
        evaluations: evaluations + work.evaluations,
        solves: work.solves,
        iterations: work.iterations,
        rejected: work.rejected,
        operations: finite(*operations).unwrap_or_default(),
        strain: strain.filter(|_| is_finished).and_then(finite),
        ..begun
    };
    let Some(reference) = reference else { return row };
    let has_velocities = !energies.is_empty(); // a rival has positions alone
    RaceRow {
        errors: distances(states, &reference.states).map_or(Errors::default(), |all| Errors::of(&all, measures.size)),
        velocity_error: velocity_distance(states, &reference.states).filter(|_| has_velocities).and_then(finite),
        strain_error: strain.map(|strain| strain - most(&reference.strains)).and_then(finite),
        energy_drift: energies
            .last()
            .zip(reference.energies.last())
            .map(|(end, other)| (end - other) / measures.fall)
            .and_then(finite),
        ..row
    }
}

/// A run that is to be measured: its contestant, and how it is run; one that was refused has no rung.
#[derive(Clone, Debug)]
pub struct Task {
    pub contestant: usize,
    pub rung: Option<(Rung, Arc<Prepared>)>,
}

/// All that takes part, and what it is measured against.
pub struct Field {
    pub measures: Measures,
    /// \[s\]
    pub duration: f64,
    pub contestants: Vec<Contestant>,
    pub tasks: Vec<Task>,
    pub rivals: Vec<Rival>,
    /// The rival and the rung of each of its runs.
    pub rival_tasks: Vec<(usize, Rung)>,
    pub reference: Option<Reference>,
    /// Most operations of a run.
    pub budget: f64,
}

/// The runs of a contestant.
fn rungs(template: &Template, contestant: &Contestant, request: &Request) -> Vec<(Rung, Arc<Prepared>)> {
    let Ok(choice) = &contestant.entry else { return vec![] };
    let mut rungs = vec![];
    let mut add = |solves: Solves, tolerance: Option<f64>| {
        let Ok(prepared) = template.prepare(choice, solves) else { return false }; // it has been prepared before
        let prepared = prepared.shared();
        let between = steps(&prepared, request);
        rungs.extend(between.into_iter().map(|between| (Rung { between, tolerance }, Arc::clone(&prepared))));
        prepared.scene.scheme.is_implicit()
    };
    match request.tolerances.as_slice() {
        [] => _ = add(Solves::AsTheScene, None),
        [first, others @ ..] => {
            // without linear systems there is one tolerance as good as any
            if template.prepare(choice, Solves::AsTheScene).is_ok_and(|prepared| prepared.scene.scheme.is_implicit()) {
                [first].into_iter().chain(others).for_each(|tolerance| _ = add(Solves::To(*tolerance), Some(*tolerance)));
            } else {
                add(Solves::AsTheScene, None);
            }
        }
    }
    rungs
}

/// Steps from one time of comparison to the next, for each rung.
fn steps(prepared: &Prepared, request: &Request) -> Vec<u64> {
    let Scene { duration, step, scheme, .. } = &prepared.scene;
    if !request.steps.is_empty() {
        return ascending(request.steps.iter().map(|step| nearest(*duration, *step)).collect());
    }
    let mut between = around(*duration, *step, request.rungs);
    if !matches!(scheme, Scheme::Plain(entry, _) if !entry.is_implicit()) {
        return between;
    }
    if let Ok(simulation) = prepared.simulation(*step) {
        let bound = simulation.with_system(|system| stable_step(system, &prepared.start));
        if bound.is_finite() {
            between.extend(below(*duration, bound, request.rungs));
        }
    }
    ascending(between)
}

impl Field {
    /// Without a reference yet.
    pub fn new(template: &Template, contestants: Vec<Contestant>, measures: Measures, scene: &Scene, request: &Request) -> Field {
        let mut tasks = vec![];
        for (k, contestant) in contestants.iter().enumerate() {
            let rungs = rungs(template, contestant, request);
            if rungs.is_empty() {
                tasks.push(Task { contestant: k, rung: None });
            }
            tasks.extend(rungs.into_iter().map(|rung| Task { contestant: k, rung: Some(rung) }));
        }
        let between = match request.steps.as_slice() {
            [] => around(scene.duration, scene.step, request.rungs),
            steps => ascending(steps.iter().map(|step| nearest(scene.duration, *step)).collect()),
        };
        let rungs = || between.iter().map(|between| Rung { between: *between, tolerance: None });
        let rival_tasks = (0..request.rivals.len()).flat_map(|k| rungs().map(move |rung| (k, rung))).collect();
        Field {
            measures,
            duration: scene.duration,
            contestants,
            tasks,
            rivals: vec![],
            rival_tasks,
            reference: None,
            budget: request.operations(),
        }
    }

    /// The row of a run, with what its states are compared with.
    pub fn row(&self, begun: RaceRow, outcome: &Outcome) -> RaceRow {
        compared(begun, outcome, self.reference.as_ref(), &self.measures)
    }

    /// A task before its run.
    fn begin(&self, task: &Task) -> RaceRow {
        let rung = task.rung.as_ref().map(|(rung, _)| *rung);
        RaceRow {
            contestant: self.contestants[task.contestant].name.clone(),
            step: rung.map(|rung| rung.step(self.duration)),
            tolerance: rung.and_then(|rung| rung.tolerance),
            status: REFUSED.into(),
            ..RaceRow::default()
        }
    }
}

/// Our own contestants.
pub struct Runs(pub Arc<Field>);

impl Group for Runs {
    const NAME: &'static str = "race";
    const ABOUT: &'static str = "the scene by each contestant at each step";
    const SAMPLED: bool = false;
    type Case = Task;
    type Row = RaceRow;

    fn sets(&self) -> u64 {
        self.0.tasks.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Task {
        self.0.tasks[set as usize].clone()
    }

    /// Runs of many steps first.
    fn kin(&self, task: &Task) -> u64 {
        task.rung.as_ref().map_or(0, |(rung, _)| rung.between)
    }

    fn measure(&self, task: &Task) -> Vec<RaceRow> {
        let begun = self.0.begin(task);
        let Some((rung, prepared)) = &task.rung else {
            return vec![RaceRow { reason: self.0.contestants[task.contestant].entry.clone().err(), ..begun }];
        };
        match follow(prepared, &self.0.measures, rung.between, self.0.budget) {
            Ok(outcome) => vec![self.0.row(begun, &outcome)],
            Err(invalid) => vec![RaceRow { reason: Some(invalid.to_string()), ..begun }],
        }
    }
}

/// Programs of others.
pub struct Rivals(pub Arc<Field>);

impl Group for Rivals {
    const NAME: &'static str = "rivals";
    const ABOUT: &'static str = "the scene by each rival at each step";
    const SAMPLED: bool = false;
    type Case = (usize, Rung);
    type Row = RaceRow;

    fn sets(&self) -> u64 {
        self.0.rival_tasks.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> (usize, Rung) {
        self.0.rival_tasks[set as usize]
    }

    fn measure(&self, &(rival, rung): &(usize, Rung)) -> Vec<RaceRow> {
        vec![rival::measure(&self.0, rival, rung)]
    }
}
