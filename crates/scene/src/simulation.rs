use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::Model;
use crate::holds::{Holds, tied};
use crate::tears::{Tears, Torn};
use cloth::adjoint::{self, Forces};
use cloth::contact::{Contacts, Repulsion};
use cloth::implicit::{SolvedSystem, Work};
use cloth::integrators::{Colliding, Filtered, Integrator};
use cloth::{Drive, Energies, Guides, Gusts, Invalid, State, System, Ties, Vec3};

/// What is to be done once.
type Tell = Box<dyn FnOnce()>;

/// A run of cloth in time, step by step. A step allocates nothing of its own.
pub struct Simulation {
    model: Model,
    scheme: Box<dyn Integrator>,
    drives: Vec<Drive>,
    guides: Guides,
    holds: Holds,
    gusts: Option<Arc<Gusts>>,
    forced: Option<Forced>,
    dt: f64,
    state: State,
    before: State,
    steps: u64,
    blew_up: bool,
    tears: Option<Tears>,
    /// Work of the schemes before tears.
    former: Work,
    /// What is to be done at the first part of a step that is accepted beyond its limit.
    tell: Rc<RefCell<Option<Tell>>>,
}

/// Further forces on its particles.
struct Forced {
    forces: Forces,
    /// \[N\], shape \[interval\]\[particle\].
    u: Vec<Vec3>,
    /// Those of a step \[N\], shape \[particle_count\].
    field: Vec<Vec3>,
}

impl Simulation {
    /// A run of `model` from `start` with steps of `dt` \[s\], > 0.
    ///
    /// # Errors
    /// A state of another size than the mesh, or a step that is not a finite number above zero.
    pub fn new(model: impl Into<Model>, scheme: Box<dyn Integrator>, dt: f64, start: State) -> Result<Simulation, Invalid> {
        let model = model.into();
        start.check_size(model.system().particle_count())?;
        if !(dt.is_finite() && dt > 0.0) {
            return Err(Invalid::OutOfRange { quantity: "the time step", range: "a finite number above zero", value: dt });
        }
        let blew_up = !start.is_finite();
        Ok(Simulation {
            model,
            scheme,
            drives: vec![],
            guides: Guides::default(),
            holds: Holds::default(),
            gusts: None,
            forced: None,
            dt,
            before: start.clone(),
            state: start,
            steps: 0,
            blew_up,
            tears: None,
            former: Work::default(),
            tell: Rc::default(),
        })
    }

    /// Whose cloth tears.
    pub(super) fn with_tears(self, tears: Tears) -> Simulation {
        Simulation { tears: Some(tears), ..self }
    }

    /// With held particles that are moved: each drive sets their velocities before every step.
    pub fn with_drives(self, drives: Vec<Drive>) -> Simulation {
        Simulation { drives, ..self }
    }

    /// With particles that are held to lines or planes.
    pub fn with_guides(self, guides: Guides) -> Simulation {
        Simulation { guides, ..self }
    }

    /// With ties and pins that let go.
    pub(super) fn with_holds(self, holds: Holds) -> Simulation {
        Simulation { holds, ..self }
    }

    /// With wind that changes in time: that of a step is the one in its middle.
    pub fn with_gusts(self, gusts: Option<Arc<Gusts>>) -> Simulation {
        Simulation { gusts, ..self }
    }

    /// Under further forces `u` \[N\], shape \[interval\]\[particle\]; schemes that keep their systems on a grid do not take them.
    ///
    /// # Panics
    /// Where there are not as many as [`Forces::count`] says, or one acts on a particle that the mesh does not have.
    pub fn with_forces(self, forces: Forces, u: Vec<Vec3>) -> Simulation {
        let count = self.model.system().particle_count();
        assert!(u.len() == forces.count() && forces.particles().iter().all(|particle| *particle < count), "forces of the run");
        let field = vec![Vec3::zeros(); count];
        Simulation { forced: Some(Forced { forces, u, field }), ..self }
    }

    /// Has `tell` called as soon as a part of a step is accepted beyond the limits of adaptive steps: the step itself may take
    /// long.
    pub fn tell_beyond(&mut self, tell: impl FnOnce() + 'static) {
        *self.tell.borrow_mut() = Some(Box::new(tell));
        self.pass_on_telling();
    }

    /// Has the scheme call what is still to be called.
    fn pass_on_telling(&mut self) {
        let tell = Rc::clone(&self.tell);
        self.scheme.tell_beyond(Box::new(move || {
            let told = tell.borrow_mut().take();
            told.into_iter().for_each(|tell| tell());
        }));
    }

    /// Tears the cloth where it is too long, before a step: the scheme of the last step is then still what it was while the step is
    /// looked at.
    fn tear(&mut self) {
        let Some(torn) = self.tears.as_mut().and_then(|tears| tears.tear(&self.model, &self.state, &*self.scheme)) else {
            return;
        };
        self.former += self.scheme.work();
        (self.model, self.scheme, self.state) = torn;
        self.before = self.state.clone();
        self.pass_on_telling();
    }

    /// Lets go of pins whose time has come, before a step.
    fn let_go(&mut self) {
        let anew = self.holds.let_go(self.steps, &self.state, &*self.scheme, &mut self.drives);
        if let Some((model, scheme)) = anew {
            self.former += self.scheme.work();
            (self.model, self.scheme) = (model, scheme);
            self.pass_on_telling();
        }
    }

    /// Advances by dt, after tearing what is too long. A step after which some coordinate is not a finite number is taken back: the
    /// run has blown up, keeps its last finite state, and does not advance any more.
    pub fn step(&mut self) {
        self.step_seen(|system, step| step(system));
    }

    /// Advances by dt as [`Simulation::step`] does, through `see`. That is given the system of the step, and what takes the step of
    /// it or of one that is as it and counts, for example, what is asked of it.
    pub fn step_seen(&mut self, see: impl FnOnce(&dyn System, &mut dyn FnMut(&dyn System))) {
        if self.blew_up {
            return;
        }
        self.tear();
        self.let_go();
        self.before.copy_from(&self.state);
        let t = self.time();
        self.drives.iter().for_each(|drive| drive.set(t, self.dt, &mut self.state));
        self.holds.advance(t, self.dt);
        if let Some(gusts) = &self.gusts {
            self.model.set_wind(gusts.at(t + 0.5 * self.dt));
        }
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
        let (scheme, dt, state) = (&mut self.scheme, self.dt, &mut self.state);
        see(system, &mut |system| scheme.step(system, dt, state));
        if self.state.is_finite() {
            self.steps += 1;
        } else {
            std::mem::swap(&mut self.state, &mut self.before);
            self.blew_up = true;
        }
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

    /// Time simulated \[s\].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// dt \[s\].
    pub fn step_length(&self) -> f64 {
        self.dt
    }

    /// Whether a step led out of the finite numbers.
    pub fn blew_up(&self) -> bool {
        self.blew_up
    }

    /// Work of the scheme so far, that of a step that blew up included.
    pub fn work(&self) -> Work {
        let mut work = self.former;
        work += self.scheme.work();
        work
    }

    /// What is torn so far; none of cloth that does not tear.
    pub fn torn(&self) -> Option<Torn<'_>> {
        self.tears.as_ref().map(Tears::torn)
    }

    /// The linear system of the last step, be it one that blew up; none before the first step and under a scheme that solves none.
    pub fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.scheme.last_system()
    }

    /// Contacts of the last step, be it one that blew up; none without solids.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.scheme.contacts()
    }

    /// Repulsion of the cloth by itself in the last step; none without it.
    pub fn repulsion(&self) -> Option<&Repulsion> {
        self.scheme.repulsion()
    }

    /// The constraint method behind the scheme, as the last step left it, be it one that failed; none without one.
    pub fn filtered(&self) -> Option<&Filtered> {
        self.scheme.filtered()
    }

    /// What leads its steps around collisions, as the last step left it, be it one that was refused; none without it.
    pub fn colliding(&self) -> Option<&Colliding> {
        self.scheme.colliding()
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
    use super::*;
    use cloth::integrators::{ForwardBackwardEuler, ForwardEuler, Rk4};
    use cloth::{Cloth, Elastic, Grid, Material, Pin};

    const SIDE: usize = 6;

    fn run(scheme: Box<dyn Integrator>, dt: f64, damping: f64) -> Simulation {
        let elastic = Elastic { stiffness: 200.0, damping };
        let material = Material { stretch: elastic, shear: elastic, bend: 0.05, ..Material::default() };
        let grid = Grid::new(SIDE, SIDE, 0.1).unwrap();
        let cloth = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(SIDE - 1, 0)]).unwrap();
        let start = cloth.at_rest();
        Simulation::new(cloth, scheme, dt, start).unwrap()
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
                simulation.step();
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
        let drag = cloth::Drag { air_density: 1.2, coefficient: 1.0, wind: Vec3::zeros() };
        let material = Material { drag: Some(drag), gravity: Vec3::zeros(), ..Material::default() };
        let cloth = Cloth::new(Grid::new(3, 3, 0.1).unwrap(), material, &[]).unwrap();
        let start = cloth.at_rest();
        let gusts = Gusts::new(vec![(0.0, Vec3::zeros()), (0.1, 4.0 * Vec3::z())]).unwrap();
        let simulation = Simulation::new(cloth, Box::new(ForwardBackwardEuler::new(9)), 0.05, start).unwrap();
        let mut simulation = simulation.with_gusts(Some(Arc::new(gusts)));
        simulation.step();
        let force = 0.5 * 1.2 / 0.5; // per area, over the areal density [1/m]
        let first = 0.05 * force * 1.0; // 1 m/s in the middle of the first step
        assert!(simulation.state().v.iter().all(|v| (v - first * Vec3::z()).norm() < 1e-15), "{}", simulation.state().v[0]);
        simulation.step();
        let second = first + 0.05 * force * (3.0 - first) * (3.0 - first);
        assert!(simulation.state().v.iter().all(|v| (v - second * Vec3::z()).norm() < 1e-15), "{}", simulation.state().v[0]);
    }

    #[test]
    fn pins_hold() {
        let mut simulation = run(Box::new(Rk4::new(SIDE * SIDE)), 1e-3, 0.1);
        let start = simulation.state().clone();
        for _ in 0..100 {
            simulation.step();
        }
        for (index, pinned) in simulation.model().system().pinned().iter().enumerate() {
            assert_eq!(simulation.state().x[index] == start.x[index], *pinned, "{index}");
        }
    }

    #[test]
    fn a_run_that_blows_up_keeps_its_last_finite_state() {
        let mut simulation = run(Box::new(ForwardEuler::new(SIDE * SIDE)), 1.0, 0.0);
        let mut last = simulation.state().clone();
        while !simulation.blew_up() && simulation.steps() < 10_000 {
            last = simulation.state().clone();
            simulation.step();
        }
        assert!(simulation.blew_up() && simulation.steps() > 1);
        assert!(simulation.state().is_finite());
        assert_eq!(simulation.state(), &last);
        let steps = simulation.steps();
        simulation.step();
        assert_eq!((simulation.steps(), simulation.state()), (steps, &last));
    }

    #[test]
    fn a_state_of_another_size_and_a_step_without_meaning_are_refused() {
        let cloth = Cloth::new(Grid::new(SIDE, SIDE, 0.1).unwrap(), Material::default(), &[]).unwrap();
        let new = |dt, start| Simulation::new(cloth.clone(), Box::new(Rk4::new(SIDE * SIDE)), dt, start).err();
        let small = State::at_rest(vec![Vec3::zeros(); 3]);
        assert_eq!(new(1e-3, small), Some(Invalid::StateSize { expected: SIDE * SIDE, got: 3 }));
        assert!(matches!(new(0.0, cloth.at_rest()), Some(Invalid::OutOfRange { .. })));
    }
}
