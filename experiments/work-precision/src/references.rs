//! The converged reference of each scene, and how far it is from others.

use std::sync::{Arc, OnceLock};

use kit::prelude::*;
use kit::ranges::Ranged;

use super::methods::CHECK;
use super::scenes::{Kind, Scene};

/// Times at which states are compared, equally far apart; the last one is the end.
pub const TIMES: u32 = 4;

ranges!(Setup {
    //! Scenes, how they are stepped, and for how long.
    scene: Kind,
    /// Particles along an edge, or in a chain.
    side: Side,
    /// Coarsest steps between two times of comparison.
    coarse_steps: Count,
    /// Steps are 2^-k s.
    steps: Ladder,
});

/// k of the steps 2^-k s: the coarsest, the finest, and that of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ladder([Whole<0, 24>; 3]);

impl Ladder {
    /// k of the coarsest step.
    pub fn coarsest(self) -> u32 {
        self.0[0].get()
    }

    /// k of the finest step.
    pub fn finest(self) -> u32 {
        self.0[1].get()
    }

    /// k of the reference.
    pub fn reference(self) -> u32 {
        self.0[2].get()
    }
}

impl Ranged for Ladder {
    fn read(value: &toml::Value) -> Result<Ladder, RangeError> {
        let ladder: [Whole<0, 24>; 3] = Ranged::read(value)?;
        let [coarsest, finest, reference] = ladder.map(Whole::get);
        match coarsest < finest && finest < reference {
            true => Ok(Ladder(ladder)),
            false => Err(RangeError::here(format!("must rise, not be {coarsest}, {finest}, {reference}"))),
        }
    }
}

impl Setup {
    /// dt \[s\] of a step 2^-k s.
    pub fn step(k: u32) -> f64 {
        1.0 / f64::from(1_u32 << k)
    }

    /// Steps of 2^-k s between two times of comparison.
    pub fn steps_between(&self, k: u32) -> u64 {
        u64::from(self.coarse_steps.get()) << (k - self.steps.coarsest())
    }

    /// The times of comparison \[s\].
    pub fn times(&self) -> [f64; TIMES as usize] {
        let between = f64::from(self.coarse_steps.get()) * Setup::step(self.steps.coarsest());
        std::array::from_fn(|j| (j + 1) as f64 * between)
    }

    /// States at the times of comparison by a scheme with steps of 2^-k s, or the run that is not finished.
    fn states(&self, scene: &Scene, stepper: &mut Stepper, k: u32) -> Result<Vec<State>, RunWatch> {
        let (mut state, between) = (scene.start.clone(), self.steps_between(k));
        let mut course = RunWatch::of_energy(scene.energy(&state), scene.fall(), u64::from(TIMES) * between);
        let (mut states, mut steps) = (vec![], 0_u64);
        while course.goes_on() {
            let ended = stepper.step(scene.system(), Setup::step(k), &mut state);
            course.watch_step(ended, scene.system(), &state, || scene.energy(&state));
            steps += 1;
            if steps.is_multiple_of(between) {
                states.push(state.clone());
            }
        }
        if course.status() == Status::Finished { Ok(states) } else { Err(course) }
    }
}

/// What runs are measured against.
pub struct Reference {
    /// States at the times of comparison.
    pub states: Vec<State>,
    /// Energies there \[J\].
    pub energies: Vec<f64>,
}

/// References by scene, each made where it is first asked for: a function of the setup alone.
#[derive(Clone)]
pub struct References {
    setups: Arc<Vec<(Setup, OnceLock<Option<Reference>>)>>,
}

impl References {
    /// Of scenes.
    pub fn new(setups: &List<Setup>) -> References {
        References { setups: Arc::new(setups.values().iter().map(|setup| (setup.clone(), OnceLock::new())).collect()) }
    }

    /// The reference of the scene at a place in the list: RK4 at its finest step. None where that is not finished.
    pub fn of(&self, place: usize, scene: &Scene) -> Option<&Reference> {
        let (setup, reference) = &self.setups[place];
        let make = || {
            let states = setup.states(scene, &mut by_rk4(scene), setup.steps.reference()).ok()?;
            let energies = states.iter().map(|state| scene.energy(state)).collect();
            Some(Reference { states, energies })
        };
        reference.get_or_init(make).as_ref()
    }
}

/// Root of the mean square distance of particles \[the unit of what is compared\].
pub fn rms(a: &[Vec3], b: &[Vec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    (sum / a.len() as f64).sqrt()
}

row! {
    /// How far another solution is from a reference, or why nobody knows.
    pub struct CheckRow {
        /// what is simulated
        pub scene: String,
        /// the other solution
        pub against: String,
        /// its time step \[s\]
        pub step: f64,
        /// when the two are compared \[s\]
        pub time: f64,
        /// finished, gains energy, not finite or refused; no reference where that is not finished
        pub status: Status,
        /// what went wrong: there is no distance then
        pub reason: Option<String>,
        /// rms distance of particles over the length of the scene
        pub distance: Option<f64>,
        /// rms difference of velocities \[m/s\]
        pub velocity_distance: Option<f64>,
        /// largest |x| / L of a spring of the reference then
        pub stretch: Option<f64>,
    }
}

/// Every reference against two others.
#[derive(Clone)]
pub struct Checks {
    /// The scenes.
    pub setups: List<Setup>,
    pub references: References,
}

/// Why there is nothing to compare with.
pub const NO_REFERENCE: &str = "the reference is not finished";

/// What a reference is checked against.
pub const CHECKS: [&str; 2] = ["RK4 with twice the step", "midpoint, converged and extrapolated"];

impl Checks {
    /// A row for each time of comparison.
    fn check(&self, place: usize, check: usize) -> Vec<CheckRow> {
        let setup = &self.setups.values()[place];
        let k = if check == 0 { setup.steps.reference() - 1 } else { setup.steps.finest() };
        let failed = |status: Status, reason: Option<String>| -> Vec<CheckRow> {
            let row = |time| CheckRow {
                scene: setup.scene.label(),
                against: CHECKS[check].into(),
                step: Setup::step(k),
                time,
                status,
                reason: reason.clone(),
                ..CheckRow::default()
            };
            setup.times().map(row).into()
        };
        let scene = match setup.scene.scene(setup.side.get() as usize) {
            Ok(scene) => scene,
            Err(invalid) => return failed(Status::Refused, Some(invalid.to_string())),
        };
        let Some(reference) = self.references.of(place, &scene) else {
            return failed(Status::NoReference, Some(NO_REFERENCE.into()));
        };
        let others = match others(setup, &scene, check, k) {
            Ok(others) => others,
            Err(invalid) => return failed(Status::Refused, Some(invalid.to_string())),
        };
        let rows = match &others {
            Ok(_) => failed(Status::Finished, None),
            Err(course) => failed(course.status(), course.reason().map(|reason| format!("the other solution {reason}"))),
        };
        let of = |(j, (row, reference)): (usize, (CheckRow, &State))| {
            let other = others.as_ref().ok().map(|others| &others[j]);
            CheckRow {
                distance: other.map(|other| rms(&other.x, &reference.x) / scene.length),
                velocity_distance: other.map(|other| rms(&other.v, &reference.v)),
                stretch: Some(scene.system().largest_stretch(&reference.x)),
                ..row
            }
        };
        rows.into_iter().zip(&reference.states).enumerate().map(of).collect()
    }
}

fn by_rk4(scene: &Scene) -> Stepper {
    Stepper::new(Box::new(Rk4::new(scene.system().particle_count())))
}

/// States of the solution that a check compares with the reference, by steps of 2^-k s, or a run of it that is not finished.
///
/// # Errors
/// A parameter outside its range.
fn others(setup: &Setup, scene: &Scene, check: usize, k: u32) -> Result<Result<Vec<State>, RunWatch>, ModelError> {
    if check == 0 {
        return Ok(setup.states(scene, &mut by_rk4(scene), k));
    }
    let midpoint = |k: u32| Ok(setup.states(scene, &mut CHECK.stepper(scene, Setup::step(k))?, k));
    let (coarse, mut fine) = match (midpoint(k - 1)?, midpoint(k)?) {
        (Ok(coarse), Ok(fine)) => (coarse, fine),
        (Err(course), _) | (_, Err(course)) => return Ok(Err(course)),
    };
    for (fine, coarse) in fine.iter_mut().zip(&coarse) {
        let State { x, v } = fine;
        for (fine, coarse) in x.iter_mut().zip(&coarse.x).chain(v.iter_mut().zip(&coarse.v)) {
            *fine = (4.0 * *fine - coarse) / 3.0; // the error of order 2 cancels
        }
    }
    Ok(Ok(fine))
}

impl Group for Checks {
    const NAME: &'static str = "references";
    const ABOUT: &'static str = "the reference of each scene, RK4 at a fine step, against two others";
    const SAMPLED: bool = false;
    type Case = (usize, usize);
    type Row = CheckRow;

    fn sets(&self) -> u64 {
        (self.setups.values().len() * CHECKS.len()) as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> (usize, usize) {
        (set as usize / CHECKS.len(), set as usize % CHECKS.len())
    }

    fn measure(&self, (place, check): &(usize, usize)) -> Vec<CheckRow> {
        self.check(*place, *check)
    }
}
