//! A run of a contestant through the times of comparison, its work counted.

use std::ops::ControlFlow;

use cloth::implicit::Work;
use cloth::inextensible::FilterStop;
use cloth::run::{Cause, Model, Observer, Run, StepError};
use cloth::{ModelError, State, Vec3};
use kit::costs::{OperationModel, SPRINGS, TRIANGLES};
use kit::prelude::{RunWatch, Status};
use kit::recorded::{self, FilmRecorder, Surroundings};
use kit::run_watch::HOPELESS;
use scene::Scene;

use crate::contestants::Prepared;
use crate::ladder::{SAMPLES, step_of};

/// Share of its steps after which a run that will cost more than it may is given up, and the steps after which one is whose steps
/// all cost the same: a scheme of several steps may begin by dearer ones.
const SOON: u64 = 16;
const EVEN: u64 = 8;
/// Times that steps of other schemes may cost more at first than all of them do in the mean.
const UNEVEN: f64 = 1.5;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// As [`RunWatch`] says, or [`Status::CostsMore`], or [`Status::Refused`].
    pub status: Status,
    /// What went wrong.
    pub reason: Option<String>,
    /// Steps taken.
    pub steps: u64,
    /// Nominal floating-point operations.
    pub operations: f64,
    /// Evaluations of all forces, apart from those that the work counts.
    pub evaluations: u64,
    pub work: Work,
    /// States at the times of comparison that it came to.
    pub states: Vec<State>,
    /// Energies \[J\] and largest |x| / L - 1 there.
    pub energies: Vec<f64>,
    pub strains: Vec<f64>,
}

/// What does not depend on the contestant.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// Diagonal of the box that the cloth lies in at the start \[m\], > 0.
    pub size: f64,
    /// Energy that it gains in a fall by that size \[J\], and what it has in motion and springs at the start; without weight at least
    /// what a way of that size within the run takes, > 0.
    pub fall: f64,
    /// Whether nothing but the scheme adds to its energy: no moving pins or solids, no wind, no repulsion.
    pub is_left_alone: bool,
}

impl Measures {
    /// Of a scene that begins as `start`.
    pub fn of(scene: &Scene, model: &Model, start: &State) -> Measures {
        let [mut low, mut high] = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for x in &start.x {
            (low, high) = (low.inf(x), high.sup(x));
        }
        let size = (high - low).norm();
        let energies = model.energies(start);
        let moving = energies.total() - energies.gravitational;
        let mass: f64 = model.system().masses().iter().sum();
        let fall = match mass * model.gravity().norm() * size {
            0.0 => moving.max(0.5 * mass * (size / scene.duration) * (size / scene.duration)), // rounding alone may be moving
            weight => weight + moving,
        };
        let driven = scene.solids_move() || !scene.motions.is_empty() || scene.repulsion.is_some();
        let blown = scene.gusts.is_some() || model.drag().is_some_and(|drag| drag.wind != Vec3::zeros());
        let or_one = |value: f64| if value.is_finite() && value > 0.0 { value } else { 1.0 };
        Measures { size: or_one(size), fall: or_one(fall), is_left_alone: !driven && !blown }
    }
}

/// Distances of states at the times of comparison, rms over particles \[m\]; none where one has none.
pub fn distances(a: &[State], b: &[State]) -> Option<Vec<f64>> {
    pairwise(a, b, |a, b| rms(&a.x, &b.x))
}

/// Largest difference of velocities there, rms over particles \[m/s\].
pub fn velocity_distance(a: &[State], b: &[State]) -> Option<f64> {
    pairwise(a, b, |a, b| rms(&a.v, &b.v)).map(|all| largest(&all))
}

fn pairwise(a: &[State], b: &[State], between: impl Fn(&State, &State) -> f64) -> Option<Vec<f64>> {
    let is_whole = a.len() == b.len() && !a.is_empty();
    is_whole.then(|| a.iter().zip(b).map(|(a, b)| between(a, b)).collect())
}

/// The largest of distances, all of which are numbers if that is.
pub fn largest(all: &[f64]) -> f64 {
    all.iter().copied().fold(0.0, |most, distance| if distance > most || distance.is_nan() { distance } else { most })
}

/// Root of the mean square distance of particles \[the unit of what is compared\].
pub fn rms(a: &[Vec3], b: &[Vec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    (sum / a.len().max(1) as f64).sqrt()
}

/// Counts the operations of a run.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    costs: OperationModel,
    /// Whether the work of the scheme has all evaluations of forces.
    has_all: bool,
    /// Operations of the search for collisions in a step.
    searched: u64,
}

/// Nominal operations of a contact that pushes, and of a particle in the search of a step for collisions of cloth with itself: so
/// that they take about as long as others do.
const CONTACT: u64 = 3000;
const SEARCHED: u64 = 1000;

impl Counter {
    /// The counter of a run that begins.
    pub fn of(scene: &Scene, model: &Model) -> Counter {
        let coupling = if matches!(model, Model::Continuum(_)) { TRIANGLES } else { SPRINGS };
        let has_all = matches!(scene.scheme, cloth::run::Scheme::ProjectiveDynamics(_));
        let particles = model.system().particle_count() as u64;
        let searched = if scene.self_collision.is_some() { SEARCHED * particles } else { 0 };
        Counter { costs: OperationModel::new(model.system(), coupling), has_all, searched }
    }

    /// Nominal operations so far, those of a step that failed included.
    fn operations(&self, simulation: &Run) -> f64 {
        let filtered = simulation.filter().map_or(0, |filtered| filtered.filter_work().operations);
        self.nominal(simulation.evaluations(), simulation.work(), filtered, simulation.steps(), contacts(simulation))
    }

    /// Nominal operations of the evaluations of all forces and the `work` of so many steps, with those of a constraint method and
    /// with contacts that push.
    pub fn nominal(&self, evaluations: u64, mut work: Work, filtered: u64, steps: u64, contacts: u64) -> f64 {
        let evaluations = if self.has_all { 0 } else { evaluations };
        if evaluations > 0 && work.linearisations == 0 {
            work.evaluations = 0; // those are counted
        }
        work.direct += filtered + self.searched * steps + CONTACT * contacts;
        let unit = self.costs.work(0, &Work { direct: 1, ..Work::default() });
        self.costs.work(evaluations, &work) / unit
    }
}

/// Contacts of the cloth with itself that have pushed so far.
fn contacts(simulation: &Run) -> u64 {
    simulation.collisions().map_or(0, |colliding| colliding.collision_work().contacts)
}

/// Gives a step up between its parts once the run has cost more than it may.
struct Budget {
    counter: Counter,
    budget: f64,
    steps: u64,
    contacts: u64,
}

impl Observer for Budget {
    fn tried(&mut self, evaluations: u64, work: &Work, filtered: u64) -> ControlFlow<()> {
        let spent = self.counter.nominal(evaluations, *work, filtered, self.steps, self.contacts);
        if spent > self.budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Follows a run with so many steps from one time of comparison to the next, until it comes to its end, goes wrong, or is on the way
/// to more than `budget` operations.
///
/// # Errors
/// As [`Scene::run`].
pub fn follow(prepared: &Prepared, measures: &Measures, between: u64, budget: f64) -> Result<Outcome, ModelError> {
    follow_while(prepared, measures, between, budget, &|| true).map(Option::unwrap_or_default)
}

/// Follows a run as [`follow`] does, as long as it is wanted; none where it is no longer.
///
/// # Errors
/// As [`Scene::run`].
pub fn follow_while(
    prepared: &Prepared,
    measures: &Measures,
    between: u64,
    budget: f64,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Option<Outcome>, ModelError> {
    let dt = step_of(prepared.scene.duration, between);
    let mut simulation = prepared.simulation_within(dt, budget)?;
    recorded::surround(|| Surroundings { dt: Some(dt), solids: prepared.scene.solids.iter().map(|(solid, _)| *solid).collect() });
    let mut filmed = FilmRecorder::new(SAMPLES * between);
    let counter = Counter::of(&prepared.scene, simulation.model());
    let mut within = Budget { counter, budget, steps: 0, contacts: 0 };
    let total = SAMPLES * between;
    let mut outcome = Outcome::default();
    // what is driven may gain energy, but never so much
    let energy = |simulation: &Run| {
        let total = simulation.energies().total();
        let is_sane = total.abs() <= HOPELESS * measures.fall;
        if measures.is_left_alone || !is_sane { total } else { 0.0 }
    };
    let mut course = RunWatch::of_energy(energy(&simulation), measures.fall, total);
    let (soon, uneven) = match steps_cost_the_same(&prepared.scene) {
        true => (total.div_ceil(SOON).min(EVEN), 1.0),
        false => (total.div_ceil(SOON), UNEVEN),
    };
    let mut is_dear = false;
    while course.goes_on() {
        if !is_wanted() {
            return Ok(None);
        }
        (within.steps, within.contacts) = (simulation.steps(), contacts(&simulation));
        let ended = simulation.step_watched(&mut within);
        filmed.step(simulation.model().system(), simulation.state());
        if let Err(StepError { cause, .. }) = ended {
            is_dear = matches!(cause, Cause::GivenUp | Cause::Filter(FilterStop::TooDear));
            if is_dear {
                course.end_early(|| energy(&simulation));
            } else {
                course.watch_energy(false, || f64::NAN);
            }
            break;
        }
        course.watch_energy(true, || energy(&simulation));
        let steps = simulation.steps();
        let cost = counter.operations(&simulation);
        let expected = if steps >= soon { cost.max(cost * total as f64 / (uneven * steps as f64)) } else { cost };
        if expected > budget {
            is_dear = true;
            course.end_early(|| energy(&simulation));
            break;
        }
        if steps.is_multiple_of(between) {
            outcome.states.push(simulation.state().clone());
            outcome.energies.push(simulation.energies().total());
            outcome.strains.push(simulation.largest_stretch() - 1.0);
        }
    }
    (outcome.steps, outcome.work, outcome.evaluations) = (simulation.steps(), simulation.work(), simulation.evaluations());
    outcome.operations = counter.operations(&simulation);
    let unresolved = matches!(simulation.failed(), Some(StepError { cause: Cause::Collisions(_), .. }));
    let at = format!("after {} of {total} steps", outcome.steps);
    (outcome.status, outcome.reason) = match course.status() {
        Status::NotFinite if unresolved => (Status::Refused, Some(format!("collisions could not be resolved {at}"))),
        Status::Finished if is_dear => {
            (Status::CostsMore, Some(format!("on the way to more than {budget:.1e} operations {at}; --budget allows more")))
        }
        status => (status, course.reason()),
    };
    let trouble = trouble(&outcome.work, &simulation);
    outcome.reason = Some([outcome.reason.take(), trouble].into_iter().flatten().collect::<Vec<_>>().join("; "));
    outcome.reason = outcome.reason.filter(|reason| !reason.is_empty());
    Ok(Some(outcome))
}

/// Whether each step of a scene costs as much as the others but the first few, so that these tell what all will cost.
fn steps_cost_the_same(scene: &Scene) -> bool {
    let Scene { scheme, inextensible, self_collision, adaptive_steps, .. } = scene;
    scheme.is_explicit() && inextensible.is_none() && self_collision.is_none() && adaptive_steps.is_none()
}

/// What went wrong in solves, in words.
fn trouble(work: &Work, simulation: &Run) -> Option<String> {
    let [limited, failed] = simulation.filter().map_or([0; 2], |filtered| {
        let work = filtered.filter_work();
        [work.limited, work.failed]
    });
    let kinds = [
        (work.limited, "systems hit the limit of iterations"),
        (work.indefinite, "systems were not positive definite"),
        (work.not_finite, "systems met a number that is not finite"),
        (work.newton_limited, "Newton iterations did not converge"),
        (work.accepted_beyond, "parts of steps were accepted beyond their limit"),
        (limited, "steps hit the limit of iterations of the constraint method"),
        (failed, "steps were not filtered"),
    ];
    let words: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::choice::Choice;
    use crate::contestants::{Solves, Template};

    #[test]
    fn an_explicit_run_that_costs_too_much_is_given_up_after_a_few_steps_and_others_after_a_share_of_theirs() {
        let text = "step = 1e-3\nduration = 0.2\npins = [\"bottom-left\"]\n[mesh]\nnx = 6\nny = 6\nspacing = 0.1\n\
                    [material]\ndensity = 0.5\nstretch = { stiffness = 100.0, damping = 0.1 }\nbend = 0.01\n";
        let (template, whole) = Template::of(Path::new("sheet.toml"), text.into()).unwrap();
        let measures = Measures::of(&whole.scene, whole.simulation.model(), whole.simulation.state());
        let between = 50;
        let total = SAMPLES * between;
        for (asks, given_up) in [("rk4", EVEN), ("fb-euler+fast-projection", total.div_ceil(SOON))] {
            let prepared = template.prepare(&Choice::read(asks).unwrap(), Solves::AsTheScene).unwrap();
            let run = |budget: f64| follow(&prepared, &measures, between, budget).unwrap();
            let whole = run(f64::INFINITY);
            assert_eq!((whole.status, whole.steps), (Status::Finished, total), "{asks}");
            assert_eq!(run(whole.operations).status, Status::Finished, "{asks}: just within its budget");
            let dear = run(0.5 * whole.operations);
            assert_eq!((dear.status, dear.steps), (Status::CostsMore, given_up), "{asks}");
        }
    }

    /// Pins that lead the cloth about give it energy, but not that of a million falls: a run that explodes is no finished one.
    #[test]
    fn a_driven_run_that_explodes_gains_energy() {
        let text = "step = 2e-2\nduration = 0.8\npins = [\"bottom-left\"]\n[mesh]\nnx = 6\nny = 6\nspacing = 0.1\n\
                    [material]\ndensity = 0.5\nstretch = { stiffness = 100.0, damping = 0.1 }\nbend = 0.01\n\
                    [[motion]]\npins = [\"bottom-left\"]\nvelocity = [0.5, 0, 0]\n";
        let (template, whole) = Template::of(Path::new("driven.toml"), text.into()).unwrap();
        let measures = Measures::of(&whole.scene, whole.simulation.model(), whole.simulation.state());
        assert!(!measures.is_left_alone);
        for (asks, status) in [("backward-euler", Status::Finished), ("forward-euler", Status::GainsEnergy)] {
            let prepared = template.prepare(&Choice::read(asks).unwrap(), Solves::AsTheScene).unwrap();
            let ran = follow(&prepared, &measures, 10, f64::INFINITY).unwrap();
            assert_eq!(ran.status, status, "{asks}: {:?}", ran.reason);
            assert_eq!(ran.states.len() < SAMPLES as usize, status == Status::GainsEnergy, "{asks}");
        }
    }

    /// Without weight and at rest there is rounding in springs at most, which is no energy to compare with.
    #[test]
    fn a_scene_without_weight_has_a_unit_of_energy() {
        let text = "step = 1e-2\nduration = 0.5\npins = [\"left\"]\n[mesh]\nnx = 4\nny = 5\nspacing = 0.1\n\
                    [material]\ndensity = 0.5\ngravity = [0, 0, 0]\n[[motion]]\npins = [\"left\"]\nturn = [1, 0, 0]\n";
        let (_, whole) = Template::of(Path::new("twisted.toml"), text.into()).unwrap();
        let run = &whole.simulation;
        let measures = Measures::of(&whole.scene, run.model(), run.state());
        let mass: f64 = run.model().system().masses().iter().sum();
        assert!((measures.size - 0.5).abs() < 1e-12 && (measures.fall - 0.5 * mass).abs() < 1e-12, "{measures:?}");
    }

    /// A step of a thousand parts is not waited for.
    #[test]
    fn a_run_is_given_up_in_the_midst_of_a_step_that_costs_too_much() {
        let text = "step = 1e-2\nduration = 0.2\npins = [\"bottom-left\"]\nadaptive_steps = { stretch_limit = 1.000001 }\n\
                    [mesh]\nnx = 6\nny = 6\nspacing = 0.1\n\
                    [material]\ndensity = 0.5\nstretch = { stiffness = 100.0, damping = 0.1 }\nbend = 0.01\n";
        let (template, whole) = Template::of(Path::new("sheet.toml"), text.into()).unwrap();
        let measures = Measures::of(&whole.scene, whole.simulation.model(), whole.simulation.state());
        let prepared = template.prepare(&Choice::read("backward-euler").unwrap(), Solves::AsTheScene).unwrap();
        let run = |budget: f64| follow(&prepared, &measures, 5, budget).unwrap();
        let step = run(f64::INFINITY).operations / (5 * SAMPLES) as f64;
        let dear = run(0.1 * step);
        assert_eq!((dear.status, dear.steps), (Status::CostsMore, 0));
        assert!(dear.operations < 0.15 * step, "{} of {step}", dear.operations);
    }
}
