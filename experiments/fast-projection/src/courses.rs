//! Where a chain goes, step by step, however far a run follows it.

use cloth::implicit::{Newton, Settings, Solver};
use cloth::inextensible::{FastProjection, Limits};
use cloth::integrators::{BackwardEuler, ForwardBackwardEuler, Integrator};
use cloth::run::Filter;
use cloth::{ModelError, Net, State, Terms, Vec3};
use kit::recorded::FilmRecorder;
use kit::status::Status;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::chain::Way;
use super::scenes::Scene;

/// Newton's tolerance \[m/s\] and its limit: converged to far below what the strain asks for.
const NEWTON: Newton = Newton::Converged { tolerance: 1e-7, limit: 50 };

/// A chain after a step.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Linear systems so far.
    pub solves: u64,
    /// Largest strain \[-\].
    pub strain: f64,
    /// Whether all coordinates are finite numbers.
    pub is_finite: bool,
    /// Why the method ended, if it did.
    pub ended: Option<Status>,
    /// Largest distance from the reference \[m\], when it is compared.
    pub error: Option<f64>,
}

/// What a chain is compared with.
struct Measure {
    scene: Scene,
    /// Positions at the time of comparison, or why there are none.
    reference: Result<Vec<Vec3>, String>,
    /// That time \[s\].
    compared_at: f64,
}

/// A chain of some vertices, with the courses of its springs so far.
pub struct Chain {
    measure: Measure,
    /// By how springs are integrated, steps a second and stiffness as bits.
    courses: HashMap<(Way, u32, u64), Course>,
}

/// A chain of springs under way. The permissible strain decides how far it is followed, not where it goes: runs share it.
struct Course {
    net: Net,
    scheme: BackwardEuler,
    state: State,
    /// After each step so far.
    seen: Vec<Seen>,
}

impl Chain {
    /// A chain, its reference or why there is none, and when \[s\] it is compared.
    pub fn new(scene: Scene, reference: Result<Vec<Vec3>, String>, compared_at: f64) -> Chain {
        Chain { measure: Measure { scene, reference, compared_at }, courses: HashMap::new() }
    }

    /// Why it has no reference, where it has none.
    pub fn without_reference(&self) -> Option<&str> {
        self.measure.reference.as_ref().err().map(String::as_str)
    }

    /// Tells of it after steps 1, 2, … by fast projection.
    ///
    /// # Errors
    /// A bound that means nothing.
    pub fn projected(&self, bound: f64, rate: u32) -> Result<impl FnMut(u64) -> Seen + '_, ModelError> {
        let Measure { scene, .. } = &self.measure;
        let method = Box::new(FastProjection::new(scene.constraints.clone(), Limits::new(bound, 100)?));
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(scene.constraints.particle_count()), Filter::new(method));
        let (mut state, mut shown) =
            (scene.start.clone(), FilmRecorder::new((self.measure.compared_at * f64::from(rate)) as u64));
        Ok(move |step| {
            let is_finite = filter.step(&mut forces, &scene.net, 1.0 / f64::from(rate), &mut state).is_ok();
            if is_finite {
                shown.step(&scene.net, &state);
            }
            let ended = (!filter.converged()).then(|| filter.last().stop.into());
            let seen = self.measure.seen(&state, rate, step, filter.filter_work().solves, ended);
            Seen { is_finite: is_finite && seen.is_finite, ..seen }
        })
    }

    /// Tells of it after any step by springs.
    ///
    /// # Errors
    /// A stiffness that means nothing.
    pub fn of_springs(&mut self, way: Way, stiffness: f64, rate: u32) -> Result<impl FnMut(u64) -> Seen + '_, ModelError> {
        let Chain { measure, courses } = self;
        let course = match courses.entry((way, rate, stiffness.to_bits())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(Course::new(&measure.scene, way, stiffness)?),
        };
        Ok(move |step| {
            while (course.seen.len() as u64) < step {
                course.go_on(measure, rate);
            }
            course.seen[step as usize - 1]
        })
    }
}

impl Course {
    fn new(scene: &Scene, way: Way, stiffness: f64) -> Result<Course, ModelError> {
        let net = scene.with_springs(stiffness)?;
        let newton = if way == Way::Springs { Newton::Once } else { NEWTON };
        let settings = Settings { solver: Solver::Direct, newton, terms: Terms::Filtered, ..Settings::default() };
        let scheme = BackwardEuler::new(&net, settings);
        Ok(Course { net, scheme, state: scene.start.clone(), seen: vec![] })
    }

    fn go_on(&mut self, measure: &Measure, rate: u32) {
        self.scheme.step(&self.net, 1.0 / f64::from(rate), &mut self.state);
        let work = self.scheme.work();
        let ended = (work.newton_limited > 0).then_some(Status::NewtonNotConverged);
        let step = self.seen.len() as u64 + 1;
        self.seen.push(measure.seen(&self.state, rate, step, work.solves, ended));
    }
}

impl Measure {
    fn seen(&self, state: &State, rate: u32, step: u64, solves: u64, ended: Option<Status>) -> Seen {
        let compared = (self.compared_at * f64::from(rate)).round() as u64;
        let reference = self.reference.as_ref().ok().filter(|_| step == compared);
        let error = reference.map(|reference| {
            let distances = state.x.iter().zip(reference).map(|(a, b)| (a - b).norm());
            distances.fold(0.0, f64::max)
        });
        Seen { solves, strain: self.scene.constraints.largest_strain(&state.x), is_finite: state.is_finite(), ended, error }
    }
}
