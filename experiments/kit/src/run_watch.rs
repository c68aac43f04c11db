//! One rule for what came of a run, for every study of cloth that moves freely.
//!
//! A run is **not finite** where a coordinate, or an energy that is looked at, is no finite number after some step. It **gains
//! energy** where its energy exceeds that of its start by more than a fall by the length of the sheet after any step of its last
//! tenth, or by a million times that at the end of an earlier hundredth, after which it is given up. Otherwise it is **finished**.
//! Only finished runs have counts, differences and times that medians and fits are made of; the others are counted apart.
//!
//! A study may give a finished run a reason of its own for not counting, such as a budget or a bound: it never stands in place of
//! the rule.

use cloth::triangles::TriangleMesh;
use cloth::{Cloth, State, System};

use crate::recorded::{self, FilmRecorder, Surroundings};
use crate::sheets::{EnergyGain, Run, UNSTABLE};
use crate::status::Status;

/// Energy gain at which a run is given up before its last tenth, over a fall by the sheet's length \[-\].
pub const HOPELESS: f64 = 1e6;
/// Parts of a run at whose ends its energy is looked at for that: after each step that would be dear for an explicit scheme.
const LOOKS: u64 = 100;

/// A run as it is watched on its way.
#[derive(Clone, Copy, Debug)]
pub struct RunWatch {
    steps: u64,
    taken: u64,
    start: EnergyGain,
    gain: EnergyGain,
    is_finite: bool,
    is_over: bool,
    shown: FilmRecorder,
}

impl RunWatch {
    /// Of a sheet from a state, over so many steps.
    pub fn new(cloth: &Cloth, start: &State, steps: u64) -> RunWatch {
        let gain = EnergyGain::new(cloth, start);
        RunWatch::of_gain(gain, steps)
    }

    fn of_gain(gain: EnergyGain, steps: u64) -> RunWatch {
        RunWatch { steps, taken: 0, start: gain, gain, is_finite: true, is_over: false, shown: FilmRecorder::new(steps) }
    }

    /// Of any cloth, from its energy at the start \[J\] and what a fall by its length sets free \[J\]; it is watched by
    /// [`RunWatch::watch_system`].
    pub fn of_energy(start: f64, fall: f64, steps: u64) -> RunWatch {
        RunWatch::of_gain(EnergyGain::from(start, fall), steps)
    }

    /// Of a run from where it is, for a duration in steps of dt \[s\], one at least.
    pub fn of(run: &Run, dt: f64, duration: f64) -> RunWatch {
        recorded::surround(|| Surroundings { dt: Some(dt), solids: run.solids() });
        RunWatch::new(&run.cloth, &run.state, ((duration / dt).round() as u64).max(1))
    }

    /// Of a run that is stepped by dt \[s\] for a duration \[s\], or as long as it goes on.
    pub fn followed(run: &mut Run, dt: f64, duration: f64) -> RunWatch {
        let mut course = RunWatch::of(run, dt, duration);
        while course.goes_on() {
            run.step(dt);
            course.watch(&run.cloth, &run.state);
        }
        course
    }

    /// Steps to its end.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes the state after another step into account.
    pub fn watch(&mut self, cloth: &Cloth, state: &State) {
        self.watch_system(cloth, state, || cloth.energies(state).total());
    }

    /// Takes the state after another step into account, and its energy \[J\], which is asked for where it is looked at.
    pub fn watch_system(&mut self, system: &dyn System, state: &State, energy: impl Fn() -> f64) {
        self.watch_energy(state.is_finite(), energy);
        self.show(system, state);
    }

    /// Takes another step into account by how it ended, its state, and its energy \[J\], which is asked for where it is looked at. A
    /// step that came to no end counts as one that is not finite.
    pub fn watch_step<E>(&mut self, ended: Result<(), E>, system: &dyn System, state: &State, energy: impl Fn() -> f64) {
        match ended {
            Ok(()) => self.watch_system(system, state, energy),
            Err(_) => self.watch_energy(false, energy),
        }
    }

    /// Shows the state after another step to whoever looks at the run.
    pub fn show(&mut self, system: &dyn System, state: &State) {
        self.shown.step(system, state);
    }

    /// Shows the state after another step of a mesh that tears, as [`FilmRecorder::tearing`] does.
    pub fn show_tearing(&mut self, mesh: &TriangleMesh, parents: &[usize], state: &State) {
        self.shown.tearing(mesh, parents, state);
    }

    /// Takes into account whether the state after another step is finite, and its energy \[J\], which is asked for where it is
    /// looked at.
    pub fn watch_energy(&mut self, is_finite: bool, energy: impl Fn() -> f64) {
        self.taken += 1;
        self.is_finite = is_finite;
        if !self.is_finite {
            return;
        }
        let last_tenth = self.taken * 10 > self.steps * 9;
        let parts = |steps: u64| steps * LOOKS / self.steps;
        if !last_tenth && parts(self.taken) == parts(self.taken - 1) {
            return;
        }
        let energy = energy();
        if !energy.is_finite() {
            self.is_finite = false; // squares overflow before coordinates do
        } else if last_tenth {
            self.gain.watch_energy(energy);
        } else {
            let mut now = self.start;
            now.watch_energy(energy);
            if now.most() > HOPELESS {
                (self.gain, self.is_over) = (now, true);
            }
        }
    }

    /// Ends a run before its last step, where what it is to show has come: the state after its latest step is looked at as if that
    /// were the last.
    pub fn end_early(&mut self, energy: impl Fn() -> f64) {
        if self.goes_on() {
            let energy = energy();
            self.is_finite = energy.is_finite();
            self.gain.watch_energy(energy);
            self.is_over = true;
        }
    }

    /// Whether there are steps left that are worth taking.
    pub fn goes_on(&self) -> bool {
        self.is_finite && !self.is_over && self.taken < self.steps
    }

    /// Whether it is in its second half.
    pub fn is_late(&self) -> bool {
        2 * self.taken > self.steps
    }

    /// Largest energy gain that was looked at, over a fall by the sheet's length \[-\].
    pub fn gain(&self) -> f64 {
        self.gain.most()
    }

    /// What has come of it.
    pub fn status(&self) -> Status {
        match (self.is_finite, self.gain() <= UNSTABLE) {
            (false, _) => Status::NotFinite,
            (true, false) => Status::GainsEnergy,
            (true, true) => Status::Finished,
        }
    }

    /// Why it is not finished, in words.
    pub fn reason(&self) -> Option<String> {
        let RunWatch { taken, steps, .. } = self;
        let after = format_args!("after {taken} of {steps} steps");
        match self.status() {
            Status::NotFinite => Some(format!("not finite {after}")),
            Status::GainsEnergy => Some(format!("has the energy of {:.3e} falls by its length {after}", self.gain())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use cloth::{Cloth, Grid, Material, Vec3};

    use super::*;

    fn sheet() -> (Cloth, State) {
        let cloth = Cloth::new(Grid::new(4, 4, 0.1).unwrap(), Material::default(), &[]).unwrap();
        let state = cloth.at_rest();
        (cloth, state)
    }

    /// The sheet lifted by so many of its lengths.
    fn lifted(state: &State, lengths: f64) -> State {
        let mut lifted = state.clone();
        lifted.x.iter_mut().for_each(|x| x.z += lengths * 0.3);
        lifted
    }

    #[test]
    fn energy_is_looked_at_after_every_step_of_the_last_tenth() {
        let (cloth, start) = sheet();
        for (high, status) in
            [(90, Status::Finished), (91, Status::GainsEnergy), (95, Status::GainsEnergy), (100, Status::GainsEnergy)]
        {
            let mut course = RunWatch::new(&cloth, &start, 100);
            for step in 1..=100 {
                assert!(course.goes_on());
                course.watch(&cloth, &lifted(&start, if step == high { 1.1 } else { 0.9 }));
            }
            assert_eq!((course.status(), course.goes_on()), (status, false), "high after step {high}");
            assert_eq!(course.reason().is_some(), status != Status::Finished);
        }
    }

    #[test]
    fn a_run_beyond_hope_is_given_up() {
        let (cloth, start) = sheet();
        let mut course = RunWatch::new(&cloth, &start, 100);
        course.watch(&cloth, &lifted(&start, 1e5));
        assert!(course.goes_on(), "it may come back");
        course.watch(&cloth, &lifted(&start, 1e7));
        assert_eq!((course.goes_on(), course.status()), (false, Status::GainsEnergy));
        assert!(course.gain() > 0.9e7);
    }

    #[test]
    fn a_run_that_ends_early_is_looked_at_where_it_ends() {
        for (energy, status) in [(0.9, Status::Finished), (1.1, Status::GainsEnergy), (f64::NAN, Status::NotFinite)] {
            let mut course = RunWatch::of_energy(0.0, 1.0, 1000);
            (0..42).for_each(|_| course.watch_energy(true, || energy));
            course.end_early(|| energy);
            assert_eq!((course.status(), course.goes_on(), course.taken()), (status, false, 42));
        }
    }

    #[test]
    fn a_number_that_is_not_finite_ends_a_run() {
        let (cloth, start) = sheet();
        let mut course = RunWatch::new(&cloth, &start, 100);
        let mut broken = start.clone();
        broken.x[3] = Vec3::repeat(f64::NAN);
        course.watch(&cloth, &broken);
        assert_eq!((course.goes_on(), course.status()), (false, Status::NotFinite));
        assert_eq!(course.reason().as_deref(), Some("not finite after 1 of 100 steps"));
        let mut course = RunWatch::of_energy(0.0, 1.0, 10);
        course.watch_energy(true, || f64::INFINITY);
        assert_eq!((course.goes_on(), course.status()), (false, Status::NotFinite), "an energy that overflows");
    }
}
