//! The field of a race: who runs in which steps, and what is measured of it.

use std::sync::Arc;

use kit::prelude::*;
use kit::stiffness::stable_step;
use race::contestants::{Contestant, Prepared, Solves, Template};
use race::ladder::{Rung, around, ascending, below, nearest};
use race::reference::Reference;
use race::rows::{RaceRow, compared};
use race::runs::{Measures, Outcome, follow};
use scene::Scene;

use super::Request;
use super::rival::{self, Rival};

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
        let Ok(prepared) = template.prepare(choice, solves) else { return }; // it has been prepared before
        let prepared = prepared.shared();
        let between = steps(&prepared, request);
        rungs.extend(between.into_iter().map(|between| (Rung { between, tolerance }, Arc::clone(&prepared))));
    };
    // without linear systems there is one tolerance as good as any
    let solves = || template.prepare(choice, Solves::AsTheScene).is_ok_and(|prepared| prepared.scene.scheme.is_implicit());
    if request.tolerances.is_empty() || !solves() {
        add(Solves::AsTheScene, None);
    } else {
        request.tolerances.iter().for_each(|tolerance| add(Solves::To(*tolerance), Some(*tolerance)));
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
    if !scheme.is_explicit() {
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
            status: Status::Refused,
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
