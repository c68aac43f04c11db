//! Every scene by every integrator at every step.

use cloth::run::Counted;
use kit::prelude::*;

use super::charts;
use super::methods::{FIRST, MINIMISERS, Method, others};
use super::references::{Checks, NO_REFERENCE, Reference, References, Setup, TIMES, rms};
use super::scenes::Scene;

ranges!(RunRanges {
    //! Scenes, and what a run may cost.
    scenes: List<Setup>,
    /// Work at which a run is given up, in evaluations of all forces.
    budget: Count,
    /// Measurements of each run for its time.
    repeats: Count,
});

/// Distance to the reference at any time of comparison up to which a run has an error, over the length of the scene \[-\]: a bound
/// of accuracy, not of stability.
const FARTHEST: f64 = 1.0;

row! {
    /// A scene by an integrator with a step.
    pub struct RunRow {
        /// what is simulated
        pub scene: String,
        /// the integrator; c = 0.01 is the tolerance of its linear systems, solved to a residual of 0.1 dt² / s² otherwise, or of
        /// 1e-4 where Newton iterates
        pub method: String,
        /// its declared order
        pub order: u32,
        /// dt, time step; the longest of adaptive steps \[s\]
        pub step: f64,
        /// finished, gains energy or not finite; costs more: nothing is wrong, but it would exceed the budget; refused: means
        /// nothing
        pub status: Status,
        /// what went wrong, in linear systems and Newton iterations too
        pub reason: Option<String>,
        /// steps of dt taken
        pub steps: u64,
        /// evaluations of forces, of all couplings or of the explicit ones
        pub evaluations: u64,
        /// linearisations of the implicit couplings
        pub linearisations: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// products of a matrix and a vector
        pub products: u64,
        /// steps that were rejected
        pub rejected: u64,
        /// nominal floating-point operations of all of these, over those of an evaluation of all forces
        pub work: f64,
        /// distance to the reference over the scene's length, rms over particles and times; none beyond a length, the bound of
        /// accuracy
        pub error: Option<f64>,
        /// difference of velocities to the reference, rms over particles and times \[m/s\]
        pub velocity_error: Option<f64>,
        /// energy at the end less that of the reference, over that of a fall by the length
        pub energy_drift: Option<f64>,
    }
}

impl RunRow {
    /// Whether the run came to its end.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// What is measured: place of the scene, integrator, and k of the step 2^-k s.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    place: usize,
    method: Method,
    k: u32,
}

/// Every scene by every integrator at every step.
pub struct Runs {
    ranges: RunRanges,
    references: References,
    tasks: Vec<Task>,
}

/// Share of its steps after which a run that will cost more than it may is given up.
const SOON: u64 = 16;

impl Runs {
    /// All of them, one integrator after the other at each step of each scene.
    pub fn new(ranges: RunRanges, references: References) -> Runs {
        let mut tasks = vec![];
        for methods in [FIRST.to_vec(), MINIMISERS.to_vec(), others().collect()] {
            for (place, setup) in ranges.scenes.values().iter().enumerate() {
                let scene = setup.scene.scene(setup.side.get() as usize);
                let suits = |method: &Method| scene.as_ref().map_or(true, |scene| method.suits(scene));
                for k in setup.steps.coarsest()..=setup.steps.finest() {
                    let suiting = methods.iter().copied().filter(suits);
                    tasks.extend(suiting.map(|method| Task { place, method, k }));
                }
            }
        }
        Runs { ranges, references, tasks }
    }

    /// A task before its run.
    fn begin(&self, task: &Task) -> RunRow {
        RunRow {
            scene: self.ranges.scenes.values()[task.place].scene.label(),
            method: task.method.name.into(),
            order: task.method.order(),
            step: Setup::step(task.k),
            status: Status::Refused,
            ..RunRow::default()
        }
    }

    /// The run to its end, or until it is beyond hope or budget, with what looks at its energy: its row without what is compared
    /// with a reference, and the states at the times of comparison that it came to.
    ///
    /// # Errors
    /// A parameter outside its range.
    fn simulate(&self, task: &Task, scene: &Scene, energy: impl Fn(&State) -> f64) -> Result<(RunRow, Vec<State>), ModelError> {
        let setup = &self.ranges.scenes.values()[task.place];
        let (dt, between) = (Setup::step(task.k), setup.steps_between(task.k));
        let total = u64::from(TIMES) * between;
        let system = Counted::new(scene.system());
        let mut stepper = task.method.stepper(scene, dt)?;
        let mut state = scene.start.clone();
        let budget = f64::from(self.ranges.budget.get());
        let mut course = RunWatch::of_energy(energy(&state), scene.fall(), total);
        let (mut is_dear, mut steps, mut states) = (false, 0, vec![]);
        let evaluations = |system: &Counted<'_>| if task.method.counts_forces() { 0 } else { system.evaluations() };
        while course.goes_on() {
            let ended = stepper.step(&system, dt, &mut state);
            steps += 1;
            course.watch_step(ended, scene.system(), &state, || energy(&state));
            if course.status() == Status::NotFinite {
                break;
            }
            let cost = scene.costs.work(evaluations(&system), &stepper.work());
            let expected = if steps * SOON >= total { cost * total as f64 / steps as f64 } else { cost };
            if expected > budget {
                is_dear = true;
                course.end_early(|| energy(&state));
                break;
            }
            if steps.is_multiple_of(between) {
                states.push(state.clone());
            }
        }
        let work = stepper.work();
        let is_dear = is_dear && course.status() == Status::Finished;
        let status = if is_dear { Status::CostsMore } else { course.status() };
        let dear = is_dear.then(|| format!("on the way to more than {budget} evaluations of forces"));
        let reasons: Vec<String> = course.reason().or(dear).into_iter().chain(trouble(&work)).collect();
        let row = RunRow {
            status,
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            steps,
            evaluations: evaluations(&system) + work.evaluations,
            linearisations: work.linearisations,
            solves: work.solves,
            iterations: work.iterations,
            products: work.products,
            rejected: work.rejected,
            work: scene.costs.work(evaluations(&system), &work),
            ..self.begin(task)
        };
        Ok((row, states))
    }
}

/// A row with one more reason, before those that it has.
fn with_reason(reason: String, row: RunRow) -> RunRow {
    let reason = row.reason.map_or(reason.clone(), |earlier| format!("{reason}; {earlier}"));
    RunRow { reason: Some(reason), ..row }
}

/// A row with the errors of a run that came to its end, unless it is farther from the reference than counts as an error.
fn compared(row: RunRow, states: &[State], reference: &Reference, scene: &Scene) -> RunRow {
    let mean = |values: &[f64]| (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt();
    let pairs = || states.iter().zip(&reference.states);
    let errors: Vec<f64> = pairs().map(|(state, reference)| rms(&state.x, &reference.x) / scene.length).collect();
    let velocities: Vec<f64> = pairs().map(|(state, reference)| rms(&state.v, &reference.v)).collect();
    let drift = states.last().zip(reference.energies.last());
    let most = errors.iter().copied().fold(0.0, f64::max);
    if most > FARTHEST {
        return with_reason(format!("{most:.3e} lengths from the reference"), row);
    }
    RunRow {
        error: Some(mean(&errors)),
        velocity_error: Some(mean(&velocities)),
        energy_drift: drift.map(|(state, energy)| (scene.energy(state) - energy) / scene.fall()),
        ..row
    }
}

/// What went wrong in linear systems and Newton iterations, in words.
fn trouble(work: &Work) -> Option<String> {
    let kinds = [
        (work.limited, "systems hit the limit of iterations"),
        (work.indefinite, "systems were not positive definite"),
        (work.not_finite, "systems met a number that is not finite"),
        (work.newton_limited, "Newton iterations did not converge"),
        (work.accepted_beyond, "steps went beyond the limit of stretch"),
    ];
    let words: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "every scene by every integrator at every step: its error, its work and its energy";
    type Case = Task;
    type Row = RunRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.tasks.to_vec()
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    /// A median needs no repeats where a run takes long: its times differ by some percent, those of methods by factors.
    fn enough(&self) -> f64 {
        0.02
    }

    fn kin(&self, task: &Task) -> u64 {
        u64::from(task.k)
    }

    fn measure(&self, task: &Task) -> Vec<RunRow> {
        let setup = &self.ranges.scenes.values()[task.place];
        let scene = setup.scene.scene(setup.side.get() as usize);
        let run = scene.and_then(|scene| Ok((self.simulate(task, &scene, |state| scene.energy(state))?, scene)));
        let ((row, states), scene) = match run {
            Ok(run) => run,
            Err(invalid) => return vec![RunRow { reason: Some(invalid.to_string()), ..self.begin(task) }],
        };
        let reference = self.references.of(task.place, &scene);
        vec![match reference {
            _ if !row.is_finished() => row,
            Some(reference) => compared(row, &states, reference, &scene),
            None => with_reason(NO_REFERENCE.into(), row),
        }]
    }

    /// The simulation alone, of what came to its end.
    fn repeat(&self, task: &Task, known: &[RunRow]) -> Vec<RunRow> {
        let setup = &self.ranges.scenes.values()[task.place];
        let scene = setup.scene.scene(setup.side.get() as usize);
        let Some(known) = known.first() else { return vec![] };
        let again = scene.ok().filter(|_| known.is_finished()).and_then(|scene| self.simulate(task, &scene, |_| 0.0).ok());
        let Some((row, _)) = again else { return vec![known.clone()] };
        let RunRow { reason, error, velocity_error, energy_drift, .. } = known.clone(); // what needs the reference
        vec![RunRow { reason, error, velocity_error, energy_drift, ..row }]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let scenes = &ranges.runs.scenes;
    let references = References::new(scenes);
    let checks = Checks { setups: scenes.clone(), references: references.clone() };
    let checked = scenes.values().iter().map(|setup| {
        let [.., end] = setup.times();
        check_steps("runs.scenes", end, Setup::step(setup.steps.reference()))
    });
    Topic::of(Runs::new(ranges.runs.clone(), references))
        .table(checks)
        .plot("work", charts::work)
        .plot("times", charts::times)
        .plot("explicit", charts::explicit)
        .plot("implicit", charts::implicit)
        .plot("variants", charts::variants)
        .plot("energy", charts::energy)
        .checked(checked.collect())
}
