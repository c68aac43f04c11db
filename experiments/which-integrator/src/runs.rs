//! Every scene by every contestant at every step.

use std::sync::{Mutex, PoisonError};

use kit::prelude::*;
use kit::stiffness::stable_step;
use race::contestants::{Prepared, Solves};
use race::ladder::{SAMPLES, below, nearest, step_of};
use race::rows::{Errors, RaceRow, compared};
use race::runs::{distances, follow};

use super::charts;
use super::contestants::{Contestant, contestants};
use super::references::{DrawnScene, Place, References, Scenes, places};
use super::scenes::{Draw, Kind};

ranges!(Setup {
    //! A scene, how large it is, and how it is stepped.
    scene: Kind,
    /// Particles along a shorter edge.
    side: Side,
    /// Draws of its material.
    draws: Count,
    /// How long it moves \[s\].
    duration: Positive,
    /// Steps of all contestants \[s\]; explicit ones have others besides, from their bound of stability on.
    steps: List<Positive>,
    /// Most work of a run, in millions of nominal operations.
    budget: Count,
});

ranges!(RunRanges {
    //! Scenes, and what a run may cost.
    scenes: List<Setup>,
    /// Most work of a reference, in millions of nominal operations.
    reference_budget: Count,
    /// Measurements of each run for its time.
    repeats: Count,
});

impl Setup {
    /// Most nominal operations of a run.
    pub fn operations(&self) -> f64 {
        1e6 * f64::from(self.budget.get())
    }
}

impl RunRanges {
    /// Most nominal operations of a reference.
    pub fn operations_of_reference(&self) -> f64 {
        1e6 * f64::from(self.reference_budget.get())
    }
}

row! {
    /// A scene by a contestant with a step.
    pub struct RunRow {
        /// what is simulated
        pub scene: String,
        /// particles along a shorter edge
        pub side: u64,
        /// number of the draw
        pub draw: u64,
        /// factor of stiffness that was drawn
        pub stiffness: f64,
        /// factor of density that was drawn
        pub density: f64,
        /// particles of the cloth
        pub particles: u64,
        /// integrator, or a constraint method behind one; what follows a comma is a variant
        pub contestant: String,
        /// dt, time step; the longest of adaptive steps \[s\]
        pub step: f64,
        /// finished, gains energy or not finite; costs more: nothing is wrong, but it would exceed the budget; refused: did not
        /// run, or ended at collisions that could not be resolved
        pub status: Status,
        /// what went wrong, in linear systems, Newton iterations and constraint methods too
        pub reason: Option<String>,
        /// steps of dt taken
        pub steps: u64,
        /// evaluations of forces
        pub evaluations: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// nominal floating-point operations of forces, linear systems, constraint methods and collisions
        pub operations: f64,
        /// distances to the reference
        pub errors: Errors,
        /// largest |x| / L - 1 at any of these times
        pub strain: Option<f64>,
        /// energy at the end less that of the reference, over what a fall by the size of the cloth gains and what it has in motion and
        /// springs at the start; without weight over at least mass (size / duration)² / 2
        pub energy_drift: Option<f64>,
        /// how long the cloth moves \[s\]
        pub duration: f64,
    }
}

impl RunRow {
    /// Whether the run came to its end.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }

    /// Whether it is timed: a run that is far from the reference from the beginning answers nothing.
    pub fn is_timed(&self) -> bool {
        self.is_finished() && self.errors.until(1).is_some_and(|error| error <= FAR)
    }

    /// With what a race says of the run.
    fn told(self, row: RaceRow) -> RunRow {
        let RaceRow { status, reason, steps, evaluations, solves, iterations, operations, errors, strain, energy_drift, .. } =
            row;
        RunRow { status, reason, steps, evaluations, solves, iterations, operations, errors, strain, energy_drift, ..self }
    }
}

/// What is measured: a contestant of a scene, and the place of its step.
#[derive(Clone, Copy, Debug)]
struct Task {
    place: Place,
    contestant: usize,
    rung: usize,
}

/// A task with what was drawn for it.
#[derive(Clone, Debug)]
pub struct Case {
    place: Place,
    draw: Draw,
    contestant: Contestant,
    rung: usize,
}

/// A scene by a contestant, ready to run, and its steps from one time of comparison to the next.
struct Runner {
    prepared: Prepared,
    between: Vec<u64>,
}

/// The steps of a contestant, by its name, in a draw.
type Ladders = HashMap<(usize, String), Vec<u64>>;

/// Error at the first time of comparison beyond which a run is not timed \[-\].
const FAR: f64 = 0.03;
/// Times that of a run that is at least as accurate beyond which a run cannot come first, by their times among others \[-\].
const NEAR: f64 = 1.5;
/// Steps of an explicit contestant from its bound of stability on.
const BELOW: u64 = 3;

/// Every scene by every contestant at every step.
pub struct Runs {
    ranges: RunRanges,
    scenes: Scenes,
    tasks: Vec<Task>,
    ladders: Mutex<Ladders>,
}

impl Runs {
    fn new(ranges: RunRanges, scenes: Scenes) -> Runs {
        let mut tasks = vec![];
        let any = Draw { stiffness: 1.0, density: 1.0 };
        for place in places(&ranges) {
            let setup = &ranges.scenes.values()[place.setup];
            for (contestant, who) in contestants(setup.scene, &any).iter().enumerate() {
                let rungs = setup.steps.values().len() + BELOW as usize + who.shorter as usize;
                tasks.extend((0..rungs).map(|rung| Task { place, contestant, rung }));
            }
        }
        Runs { ranges, scenes, tasks, ladders: Mutex::default() }
    }

    fn setup(&self, place: Place) -> &Setup {
        &self.ranges.scenes.values()[place.setup]
    }

    /// What runs a contestant in a scene. Nothing keeps it: those of all draws would take gigabytes, and it takes moments to make.
    fn runner(&self, case: &Case, drawn: &DrawnScene) -> Result<Runner, String> {
        let prepared = drawn.template.prepare(&case.contestant.choice()?, Solves::AsTheScene)?;
        let key = (case.place.all, case.contestant.name.clone());
        let ladders = || self.ladders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(between) = ladders().get(&key).cloned() {
            return Ok(Runner { prepared, between });
        }
        let (setup, duration) = (self.setup(case.place), prepared.scene.duration);
        let mut between: Vec<u64> = setup.steps.values().iter().map(|step| nearest(duration, step.get())).collect();
        let shortest = between.iter().copied().max().unwrap_or(1);
        between.extend((1..=case.contestant.shorter).map(|halves| shortest << halves));
        if prepared.scene.scheme.is_explicit() {
            let simulation = prepared.simulation(setup.steps.values()[0].get()).map_err(|invalid| invalid.to_string())?;
            let bound = stable_step(simulation.model().system(), &prepared.start);
            between
                .extend(Some(bound).filter(|bound| bound.is_finite()).map_or(vec![], |bound| below(duration, bound, 2 * BELOW)));
        }
        between.sort_unstable();
        between.dedup();
        ladders().insert(key, between.clone());
        Ok(Runner { prepared, between })
    }

    fn begin(&self, case: &Case) -> RunRow {
        let setup = self.setup(case.place);
        RunRow {
            scene: setup.scene.label().into(),
            side: setup.side.get().into(),
            draw: case.place.draw.into(),
            stiffness: case.draw.stiffness,
            density: case.draw.density,
            contestant: case.contestant.name.clone(),
            status: Status::Refused,
            duration: setup.duration.get(),
            ..RunRow::default()
        }
    }
}

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "every scene by every contestant at every step: its error, its strain and its work";
    const SAMPLED: bool = false;
    /// All contestants have as many places as one with the most steps.
    const EVERY_SET: bool = false;
    type Case = Case;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.tasks.len() as u64
    }

    /// All contestants meet the same draw.
    fn scene(&self, set: u64) -> u64 {
        self.tasks[set as usize].place.all as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let Task { place, contestant, rung } = self.tasks[set as usize];
        let draw = Draw::of(stream);
        let contestant = contestants(self.setup(place).scene, &draw).swap_remove(contestant);
        Case { place, draw, contestant, rung }
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    /// A median needs no repeats where a run takes long: its times differ by some percent, those of contestants by factors.
    fn enough(&self) -> f64 {
        0.02
    }

    /// Those that no run of the same draw beats by far, at any error and up to any time of comparison.
    fn worth_timing(&self, measured: &[Once<RunRow>]) -> Vec<u64> {
        let runs = measured.iter().filter_map(|once| {
            let row = once.rows.first().filter(|row| row.is_timed())?;
            Some((self.tasks[once.set as usize].place.all, (once.set, once.seconds, row)))
        });
        let worth = grouped(runs).into_iter().flat_map(|(_, runs)| {
            let beats = |fast: &RunRow, slow: &RunRow| {
                (1..=SAMPLES as usize).all(|times| match (fast.errors.until(times), slow.errors.until(times)) {
                    (Some(fast), Some(slow)) => fast <= slow,
                    (fast, _) => fast.is_some(),
                })
            };
            let can_be_first = |(_, seconds, row): &&(u64, f64, &RunRow)| {
                runs.iter().all(|(_, least, fast)| NEAR * least >= *seconds || !beats(fast, row))
            };
            runs.iter().filter(can_be_first).map(|(set, ..)| *set).collect::<Vec<_>>()
        });
        let mut worth: Vec<u64> = worth.collect();
        worth.sort_unstable();
        worth
    }

    /// Large sheets first, draw by draw: what waits for a reference is few.
    fn kin(&self, case: &Case) -> u64 {
        let setup = self.setup(case.place);
        (u64::from(setup.side.get()) << 32) + (self.scenes.count() - case.place.all) as u64
    }

    /// No row where a contestant has fewer steps.
    fn measure(&self, case: &Case) -> Vec<RunRow> {
        let begun = self.begin(case);
        let because = |why: &str| match case.rung {
            0 => vec![RunRow { reason: Some(why.into()), ..begun.clone() }],
            _ => vec![],
        };
        let drawn = match self.scenes.at(case.place, self.setup(case.place), &case.draw) {
            Ok(drawn) => drawn,
            Err(why) => return because(why),
        };
        let Runner { prepared, between } = match self.runner(case, drawn) {
            Ok(runner) => runner,
            Err(why) => return because(&why),
        };
        let Some(&between) = between.get(case.rung) else { return vec![] };
        let begun =
            RunRow { step: step_of(prepared.scene.duration, between), particles: drawn.particles as u64, ..begun.clone() };
        match follow(&prepared, &drawn.measures, between, self.setup(case.place).operations()) {
            Ok(outcome) => {
                let told = compared(RaceRow::default(), &outcome, drawn.reference.as_ref().ok(), &drawn.measures);
                vec![begun.told(told)]
            }
            Err(invalid) => vec![RunRow { reason: Some(invalid.to_string()), ..begun }],
        }
    }

    /// The stepping alone, which leads to the same errors.
    fn repeat(&self, case: &Case, known: &[RunRow]) -> Vec<RunRow> {
        let again = || {
            let known = known.first().filter(|row| row.is_timed())?;
            let drawn = self.scenes.at(case.place, self.setup(case.place), &case.draw).ok()?;
            let Runner { prepared, between } = self.runner(case, drawn).ok()?;
            let between = *between.get(case.rung)?;
            let mut simulation = prepared.simulation(step_of(prepared.scene.duration, between)).ok()?;
            let mut states = vec![];
            for _ in 0..SAMPLES {
                (0..between).try_for_each(|_| simulation.step().map(drop)).ok()?;
                states.push(simulation.state().clone());
            }
            let distances = drawn.reference.as_ref().ok().and_then(|reference| distances(&states, &reference.states));
            let errors = distances.map_or(Errors::default(), |all| Errors::of(&all, drawn.measures.size));
            Some(RunRow { errors, ..known.clone() })
        };
        again().map_or_else(|| known.to_vec(), |row| vec![row])
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ranges = &ranges.runs;
    let scenes = Scenes::new(ranges);
    let shortest = |setup: &Setup| setup.steps.values().iter().map(|step| step.get()).fold(f64::INFINITY, f64::min);
    let checked = ranges.scenes.values().iter().map(|setup| check_steps("runs.scenes", setup.duration.get(), shortest(setup)));
    Topic::of(Runs::new(ranges.clone(), scenes.clone()))
        .table(References::new(ranges.clone(), scenes))
        .plot("errors", charts::errors)
        .plot("sizes", charts::sizes)
        .checked(checked.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::ranges::Ranged;

    #[test]
    fn what_is_beaten_by_far_at_its_own_error_is_not_timed() {
        let scene = "{ scene = \"drape\", side = 5, draws = 2, duration = 0.1, steps = [0.01], budget = 1 }";
        let text = format!("runs = {{ scenes = [{scene}], reference_budget = 1, repeats = 1 }}");
        let ranges = RunRanges::read(&toml::from_str::<toml::Table>(&text).unwrap()["runs"]).unwrap();
        let runs = Runs::new(ranges.clone(), Scenes::new(&ranges));
        let other = runs.tasks.iter().position(|task| task.place.all == 1).unwrap() as u64;
        let once = |set, seconds, error: f64| {
            let error = Some(error);
            let errors = Errors { error_1: error, error_2: error, error_3: error, error_4: error };
            Once { set, seconds, rows: vec![RunRow { status: Status::Finished, errors, ..RunRow::default() }] }
        };
        let measured = [
            once(0, 1.0, 1e-3),
            once(1, 1.4, 2e-3),     // near
            once(2, 2.0, 2e-3),     // beaten
            once(3, 9.0, 1e-4),     // more accurate than all
            once(4, 0.1, 2.0),      // far from the reference
            once(other, 9.0, 1e-2), // of another draw
        ];
        assert_eq!(runs.worth_timing(&measured), [0, 1, 3, other]);
    }
}
