//! Cloth in time: what is composed ([`Scenario`]), and what it becomes ([`Run`]), step by step.

mod adaptation;
mod collisions;
mod counted;
mod filter;
mod holds;
mod length_constraint;
mod model;
mod observer;
mod report;
mod scenario;
mod scheme;
mod stepper;
mod subject;
mod supply;
mod tears;

pub use adaptation::Adaptation;
pub use collisions::{CollisionWork, Collisions};
pub use counted::Counted;
pub use filter::Filter;
pub use length_constraint::LengthConstraint;
pub use model::{Model, Surface};
pub use observer::{Observer, Unwatched};
pub use report::{Cause, Ending, StepError, StepReport};
pub use scenario::{Motion, PinTerms, Scenario, Sewing, SolidContact, SolidReach};
pub use scheme::{Scheme, StretchLimit};
pub use stepper::Stepper;
pub use subject::{MeshAndMaterial, Sheet, TriangleMaterial, Triangles};
pub use supply::Supply;
pub use tears::{Tear, TearMode, Torn};

use std::sync::Arc;

use crate::adjoint::{self, Forces};
use crate::contact::{Contacts, Repulsion};
use crate::implicit::{SolvedSystem, Work};
use crate::{Drive, Energies, Guides, Gusts, Memory, ModelError, State, System, Ties, Vec3};
use holds::{Holds, tied};
use observer::Midway;
use tears::{Rebuilt, Tears};

/// Cloth in time, step by step. A step allocates nothing of its own.
///
/// A step from t to t + dt is, in this order:
/// 1. Cloth that is too long tears, and pins whose time has come let go. Model and scheme are made anew after either; counts and
///    time go on.
/// 2. Held particles that are driven get the velocities that lead them to where they are to be at t + dt; so do soft pins and
///    stitches their places and lengths.
/// 3. Wind is that of t + dt/2, forces those of the step. Guides stand around them.
/// 4. Collisions note where the step starts.
/// 5. The scheme steps, at once or in parts of dt / 2^k; each part is filtered by the constraint method, and then accepted or
///    halved by the adaptation. Its observer may give it up after each of them.
/// 6. Collisions lead the whole step. A scheme of two steps begins anew after one that they changed.
/// 7. A step that failed, or whose numbers are not finite, is taken back: the run keeps the last good state and goes no further.
/// 8. Observers look.
pub struct Run {
    model: Model,
    stepper: Stepper,
    drives: Vec<Drive>,
    guides: Guides,
    holds: Holds,
    gusts: Option<Arc<Gusts>>,
    forced: Option<Forced>,
    /// The time at which it starts \[s\].
    begins: f64,
    dt: f64,
    state: State,
    before: State,
    steps: u64,
    failed: Option<StepError>,
    tears: Option<Tears>,
    /// Work of the schemes before tears.
    former: Work,
    evaluations: u64,
}

/// Further forces on its particles.
struct Forced {
    forces: Forces,
    /// \[N\], shape \[interval\]\[particle\].
    u: Vec<Vec3>,
    /// Those of a step \[N\], shape \[particle_count\].
    field: Vec<Vec3>,
}

impl Run {
    /// A run of `model` from `start` with steps of `dt` \[s\], > 0: by [`Scenario::run`], or of what takes the steps itself.
    ///
    /// # Errors
    /// A state of another size than the mesh or not finite, or a step that is not a finite number above zero.
    pub fn new(model: impl Into<Model>, stepper: Stepper, dt: f64, start: State) -> Result<Run, ModelError> {
        let model = model.into();
        start.check_size(model.system().particle_count())?;
        if !start.is_finite() {
            return Err(ModelError::StateNotFinite);
        }
        if !(dt.is_finite() && dt > 0.0) {
            return Err(ModelError::OutOfRange { quantity: "the time step", range: "a finite number above zero", value: dt });
        }
        Ok(Run {
            model,
            stepper,
            drives: vec![],
            guides: Guides::default(),
            holds: Holds::default(),
            gusts: None,
            forced: None,
            begins: 0.0,
            dt,
            before: start.clone(),
            state: start,
            steps: 0,
            failed: None,
            tears: None,
            former: Work::default(),
            evaluations: 0,
        })
    }

    /// From a time on \[s\].
    fn begin_at(self, begins: f64) -> Run {
        Run { begins, ..self }
    }

    /// Whose cloth tears.
    fn with_tears(self, tears: Option<Tears>) -> Run {
        Run { tears, ..self }
    }

    /// With held particles that are moved: each drive sets their velocities before every step.
    #[must_use]
    pub fn with_drives(self, drives: Vec<Drive>) -> Run {
        Run { drives, ..self }
    }

    /// With particles that are held to lines or planes.
    #[must_use]
    pub fn with_guides(self, guides: Guides) -> Run {
        Run { guides, ..self }
    }

    /// With ties and pins that let go.
    fn with_holds(self, holds: Holds) -> Run {
        Run { holds, ..self }
    }

    /// With wind that changes in time: that of a step is the one in its middle.
    #[must_use]
    pub fn with_gusts(self, gusts: Option<Arc<Gusts>>) -> Run {
        Run { gusts, ..self }
    }

    /// Under further forces `u` \[N\], shape \[interval\]\[particle\]; schemes that keep their systems on a grid do not take them.
    ///
    /// # Panics
    /// Where there are not as many as [`Forces::count`] says, or one acts on a particle that the mesh does not have.
    #[must_use]
    pub fn with_forces(self, forces: Forces, u: Vec<Vec3>) -> Run {
        let count = self.model.system().particle_count();
        assert!(u.len() == forces.count() && forces.particles().iter().all(|particle| *particle < count), "forces of the run");
        let field = vec![Vec3::zeros(); count];
        Run { forced: Some(Forced { forces, u, field }), ..self }
    }

    /// Tears the cloth where it is too long: how much, and why it could not be torn.
    fn tear(&mut self) -> (u64, Option<ModelError>) {
        let Some(tears) = &mut self.tears else { return (0, None) };
        let before = tears.torn().count;
        match tears.tear(&self.model, &self.state, &self.stepper) {
            Ok(None) => (0, None),
            Err(refused) => (0, Some(refused)),
            Ok(Some(Rebuilt { model, stepper, state })) => {
                let torn = tears.torn().count - before;
                self.former += self.stepper.work();
                (self.model, self.stepper, self.state) = (model, stepper, state);
                self.before = self.state.clone();
                (torn, None)
            }
        }
    }

    /// Lets go of pins whose time has come; why it could not.
    fn let_go(&mut self) -> Option<ModelError> {
        match self.holds.let_go(self.steps, &self.state, &self.stepper, &mut self.drives) {
            Ok(None) => None,
            Err(refused) => Some(refused),
            Ok(Some((model, stepper))) => {
                self.former += self.stepper.work();
                (self.model, self.stepper) = (model, stepper);
                None
            }
        }
    }

    /// All that the steps to come take from those before, for [`Run::recall`] by another run of the same scenario.
    pub fn memory(&mut self) -> Memory {
        let mut memory = Memory::new();
        let written = self.remember(&mut memory);
        debug_assert_eq!(written, Ok(()), "only what is read can be wrong");
        memory
    }

    /// Goes on where a run of the same scenario left off with `words` of its [`Run::memory`]: states are those of that run, bit for
    /// bit. Counts of work begin anew.
    ///
    /// # Errors
    /// [`ModelError::Memory`] for words that are not of this scenario, and as [`Scenario::run`]; this run is then of no use.
    pub fn recall(&mut self, words: Vec<u64>) -> Result<(), ModelError> {
        let mut memory = Memory::of(words);
        self.remember(&mut memory)?;
        if memory.fits() && self.state.is_finite() { Ok(()) } else { Err(ModelError::Memory) }
    }

    fn remember(&mut self, memory: &mut Memory) -> Result<(), ModelError> {
        memory.count(&mut self.steps);
        self.holds.remember(memory);
        let torn = match &mut self.tears {
            Some(tears) => tears.remember(&self.model, memory)?,
            None => None,
        };
        if let Some(model) = &torn {
            self.state = State::at_rest(model.rest());
        }
        memory.state(&mut self.state);
        if memory.is_read() {
            if let (Some(tears), Some(model)) = (&self.tears, torn) {
                (self.stepper, self.model) = (tears.stepper(&model, &self.state)?, model);
            }
            if let Some(made) =
                self.holds.after(self.steps, self.begins, self.dt, &self.state, &self.stepper, &mut self.drives)?
            {
                (self.model, self.stepper) = made;
            }
            self.before = self.state.clone();
        }
        self.stepper.remember(self.steps, memory);
        Ok(())
    }

    /// Advances by dt, in the order that [`Run`] gives.
    ///
    /// # Errors
    /// The step that came to no end, and why. The run keeps its last good state; further steps give the same error.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.step_watched(&mut Unwatched)
    }

    /// Advances by dt as [`Run::step`] does, watched by `eye`.
    ///
    /// # Errors
    /// As [`Run::step`].
    pub fn step_watched(&mut self, eye: &mut dyn Observer) -> Result<StepReport, StepError> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let (torn, tear_refused) = self.tear();
        let refused = self.let_go().or(tear_refused);
        self.before.copy_from(&self.state);
        let t = self.time();
        self.drives.iter().for_each(|drive| drive.set(t, self.dt, &mut self.state));
        self.holds.advance(t, self.dt);
        if let Some(gusts) = &self.gusts {
            self.model.set_wind(gusts.at(t + 0.5 * self.dt));
        }
        match self.take(eye) {
            Ok(()) => self.steps += 1,
            Err(cause) => {
                std::mem::swap(&mut self.state, &mut self.before);
                let failed = StepError { step: self.steps + 1, time: t, cause };
                self.failed = Some(failed);
                return Err(failed);
            }
        }
        let filter = self.stepper.filter().map(|filter| *filter.last());
        let collisions = self.stepper.collisions().and_then(|collisions| collisions.last().ok());
        Ok(StepReport { step: self.steps, time: self.time(), filter, collisions, torn, refused })
    }

    /// Takes the step of the system with its ties, forces and guides.
    fn take(&mut self, eye: &mut dyn Observer) -> Result<(), Cause> {
        let mut system = self.model.system();
        let (tied, forced, guided);
        if !self.holds.ties.is_empty() {
            tied = self.holds.ties.of(system);
            system = &tied;
        }
        if let Some(Forced { forces, u, field }) = &mut self.forced {
            forces.fill(self.steps as usize, u, field);
            forced = adjoint::Forced { system, forces: field };
            system = &forced;
        }
        if !self.guides.is_empty() {
            guided = self.guides.of(system);
            system = &guided;
        }
        let counted = Counted::new(system);
        let evaluations = || self.evaluations + counted.evaluations();
        let mut midway = Midway { eye, step: self.steps + 1, evaluations: &evaluations };
        let ended = self.stepper.step_telling(&counted, self.dt, &mut self.state, &mut midway);
        self.evaluations += counted.evaluations();
        ended
    }

    /// Goes on to `steps` in all, each of them watched by `eye`.
    pub fn follow(&mut self, steps: u64, eye: &mut dyn Observer) -> Ending {
        while self.steps < steps {
            match self.step_watched(eye) {
                Ok(report) => {
                    if eye.stepped(self, &report).is_break() {
                        return Ending::Stopped;
                    }
                }
                Err(StepError { cause: Cause::GivenUp, .. }) => return Ending::Stopped,
                Err(failed) => return Ending::Failed(failed),
            }
        }
        Ending::Finished
    }

    /// The cloth.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where it was before the last step; where it is now before the first one, and after a tear with the particles that there are
    /// since.
    pub fn before(&self) -> &State {
        &self.before
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time now \[s\].
    pub fn time(&self) -> f64 {
        self.begins + self.steps as f64 * self.dt
    }

    /// dt \[s\].
    pub fn step_length(&self) -> f64 {
        self.dt
    }

    /// The step that came to no end, if one did.
    pub fn failed(&self) -> Option<StepError> {
        self.failed
    }

    /// Work of the scheme so far, that of a step that failed included.
    pub fn work(&self) -> Work {
        let mut work = self.former;
        work += self.stepper.work();
        work
    }

    /// Evaluations of all forces so far; those of a part of them are in [`Run::work`].
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// What is torn so far; none of cloth that does not tear.
    pub fn torn(&self) -> Option<Torn<'_>> {
        self.tears.as_ref().map(Tears::torn)
    }

    /// The linear system of the last step, be it one that failed; none before the first step and under a scheme that solves none.
    pub fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.stepper.last_system()
    }

    /// Contacts of the last step, be it one that failed; none without solids.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.stepper.contacts()
    }

    /// Repulsion of the cloth by itself in the last step; none without it.
    pub fn repulsion(&self) -> Option<&Repulsion> {
        self.stepper.repulsion()
    }

    /// The constraint method behind the scheme, as the last step left it, be it one that failed; none without one.
    pub fn filter(&self) -> Option<&Filter> {
        self.stepper.filter()
    }

    /// What leads its steps around collisions, as the last step left it, be it one that was refused; none without it.
    pub fn collisions(&self) -> Option<&Collisions> {
        self.stepper.collisions()
    }

    /// Energies of the present state, without that of repulsion; that of ties counts as one of stretch.
    pub fn energies(&self) -> Energies {
        let mut energies = self.model.energies(&self.state);
        energies.stretch += self.holds.ties.energy(&self.state.x);
        energies
    }

    /// Stitches and soft pins.
    pub fn ties(&self) -> &Ties {
        &self.holds.ties
    }

    /// Lends the system of the cloth with its ties.
    pub fn with_system<T>(&self, look: impl FnOnce(&dyn System) -> T) -> T {
        tied(&self.holds.ties, self.model.system(), look)
    }

    /// Largest |x| / L now: over the stretch and shear springs of a grid, or over edges, or warp and weft, of triangles.
    pub fn largest_stretch(&self) -> f64 {
        self.model.system().largest_stretch(&self.state.x)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::integrators::{ForwardBackwardEuler, ForwardEuler, Integrator, Rk4};
    use crate::{Cloth, Elastic, Grid, Material, Pin};

    const SIDE: usize = 6;

    fn run(scheme: Box<dyn Integrator>, dt: f64, damping: f64) -> Run {
        let elastic = Elastic { stiffness: 200.0, damping };
        let material = Material { stretch: elastic, shear: elastic, bend: 0.05, ..Material::default() };
        let grid = Grid::new(SIDE, SIDE, 0.1).unwrap();
        let cloth = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(SIDE - 1, 0)]).unwrap();
        let start = cloth.at_rest();
        Run::new(cloth, Stepper::new(scheme), dt, start).unwrap()
    }

    #[test]
    fn an_undamped_hanging_sheet_keeps_its_energy() {
        let schemes: [Box<dyn Integrator>; 2] =
            [Box::new(ForwardBackwardEuler::new(SIDE * SIDE)), Box::new(Rk4::new(SIDE * SIDE))];
        for scheme in schemes {
            let mut simulation = run(scheme, 1e-4, 0.0);
            let start = simulation.energies().total();
            let (mut drift, mut exchanged): (f64, f64) = (0.0, 0.0);
            for _ in 0..10_000 {
                simulation.step().unwrap();
                let energies = simulation.energies();
                drift = drift.max((energies.total() - start).abs());
                exchanged = exchanged.max(energies.kinetic);
            }
            assert!((simulation.time() - 1.0).abs() < 1e-12);
            assert!(exchanged > 0.1 && drift < 5e-3 * exchanged, "{drift} J of {exchanged} J");
        }
    }

    #[test]
    fn gusts_blow_in_the_middle_of_steps() {
        // drag on a free plate that does not fall: v' = -(c/m) |n·(v - w)| (v - w) along z
        let drag = crate::Drag { air_density: 1.2, coefficient: 1.0, wind: Vec3::zeros() };
        let material = Material { drag: Some(drag), gravity: Vec3::zeros(), ..Material::default() };
        let cloth = Cloth::new(Grid::new(3, 3, 0.1).unwrap(), material, &[]).unwrap();
        let start = cloth.at_rest();
        let gusts = Gusts::new(vec![(0.0, Vec3::zeros()), (0.1, 4.0 * Vec3::z())]).unwrap();
        let simulation = Run::new(cloth, Stepper::new(Box::new(ForwardBackwardEuler::new(9))), 0.05, start).unwrap();
        let mut simulation = simulation.with_gusts(Some(Arc::new(gusts)));
        simulation.step().unwrap();
        let force = 0.5 * 1.2 / 0.5; // per area, over the areal density [1/m]
        let first = 0.05 * force * 1.0; // 1 m/s in the middle of the first step
        assert!(simulation.state().v.iter().all(|v| (v - first * Vec3::z()).norm() < 1e-15), "{}", simulation.state().v[0]);
        simulation.step().unwrap();
        let second = first + 0.05 * force * (3.0 - first) * (3.0 - first);
        assert!(simulation.state().v.iter().all(|v| (v - second * Vec3::z()).norm() < 1e-15), "{}", simulation.state().v[0]);
    }

    #[test]
    fn pins_hold() {
        let mut simulation = run(Box::new(Rk4::new(SIDE * SIDE)), 1e-3, 0.1);
        let start = simulation.state().clone();
        for _ in 0..100 {
            simulation.step().unwrap();
        }
        for (index, pinned) in simulation.model().system().pinned().iter().enumerate() {
            assert_eq!(simulation.state().x[index] == start.x[index], *pinned, "{index}");
        }
    }

    #[test]
    fn a_run_that_blows_up_keeps_its_last_finite_state() {
        let mut simulation = run(Box::new(ForwardEuler::new(SIDE * SIDE)), 1.0, 0.0);
        let mut last = simulation.state().clone();
        let failed = loop {
            match simulation.step() {
                Ok(report) => {
                    assert_eq!((report.step, report.time), (simulation.steps(), simulation.time()));
                    last = simulation.state().clone();
                }
                Err(failed) => break failed,
            }
        };
        let steps = simulation.steps();
        assert!(steps > 1 && simulation.state() == &last);
        assert_eq!(failed, StepError { step: steps + 1, time: simulation.time(), cause: Cause::NotFinite });
        assert_eq!((simulation.step(), simulation.failed()), (Err(failed), Some(failed)));
        assert_eq!((simulation.steps(), simulation.state()), (steps, &last));
        assert_eq!(simulation.follow(steps + 1, &mut Unwatched), Ending::Failed(failed));
    }

    #[test]
    fn an_observer_sees_each_step_and_may_end_the_run() {
        struct Three(Vec<u64>);
        impl Observer for Three {
            fn stepped(&mut self, run: &Run, report: &StepReport) -> ControlFlow<()> {
                assert_eq!(run.steps(), report.step);
                self.0.push(report.step);
                if self.0.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        }
        let (mut simulation, mut eye) = (run(Box::new(Rk4::new(SIDE * SIDE)), 1e-3, 0.1), Three(vec![]));
        assert_eq!(simulation.follow(2, &mut eye), Ending::Finished);
        assert_eq!(simulation.follow(9, &mut eye), Ending::Stopped);
        assert_eq!((eye.0, simulation.evaluations()), (vec![1, 2, 3], 12));
    }

    #[test]
    fn an_observer_may_give_a_step_up_between_its_parts() {
        struct After(u64);
        impl Observer for After {
            fn tried(&mut self, evaluations: u64, work: &Work, filtered: u64) -> ControlFlow<()> {
                assert_eq!((work.solves, filtered), (0, 0));
                if evaluations >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        }
        let made = || {
            let mut simulation = run(Box::new(Rk4::new(SIDE * SIDE)), 1e-3, 0.1);
            simulation.stepper = simulation.stepper.adapted(Adaptation::new(1.0 + 1e-12, SIDE * SIDE));
            simulation
        };
        let mut whole = made();
        whole.step().unwrap();
        let first = whole.evaluations();
        assert!(first > 1000, "hardly anything is short enough: {first} evaluations");
        let mut simulation = made();
        simulation.step_watched(&mut After(first + 8)).unwrap();
        let kept = simulation.state().clone();
        assert_eq!(simulation.follow(3, &mut After(first + 8)), Ending::Stopped);
        assert_eq!((simulation.evaluations(), simulation.steps()), (first + 8, 1));
        assert!(simulation.state() == &kept && kept == *whole.state());
        assert_eq!(simulation.failed().map(|failed| failed.cause), Some(Cause::GivenUp));
    }

    #[test]
    fn a_state_of_another_size_and_a_step_without_meaning_are_refused() {
        let cloth = Cloth::new(Grid::new(SIDE, SIDE, 0.1).unwrap(), Material::default(), &[]).unwrap();
        let new = |dt, start| Run::new(cloth.clone(), Stepper::new(Box::new(Rk4::new(SIDE * SIDE))), dt, start).err();
        let small = State::at_rest(vec![Vec3::zeros(); 3]);
        assert_eq!(new(1e-3, small), Some(ModelError::StateSize { expected: SIDE * SIDE, got: 3 }));
        assert!(matches!(new(0.0, cloth.at_rest()), Some(ModelError::OutOfRange { .. })));
    }
}
