//! A scene as a run that is differentiated.

use std::ops::Range;

use thiserror::Error;

use super::mistake::{Problem, SceneError};
use super::{Control, Model, Scene, Wanted};
use cloth::adjoint::{Constant, Forces, Goal, NoGradient, Task};
use cloth::implicit::Solver;
use cloth::integrators::BackwardEuler;
use cloth::{ModelError, State};

/// Why the run of a scene has no gradient; the message says what to change.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum Undifferentiable {
    /// Another scheme.
    #[error(
        "a gradient is that of backward Euler, and `integrator` is \"{scheme}\": take [integrator.backward-euler] with `newton`"
    )]
    Scheme { scheme: &'static str },
    /// One linearised step.
    #[error(
        "a gradient is that of steps that converge: add `newton = {{ tolerance = 1e-10, limit = 100 }}` to \
         [integrator.backward-euler]"
    )]
    Newton,
    /// Another solver.
    #[error("a gradient is that of steps that are solved directly: put `solver = \"direct\"` at the top")]
    Solver,
    /// Something whose effect has no derivative.
    #[error("what comes of `{key}` has no gradient: take it out")]
    Beside { key: &'static str },
    /// What the model says.
    #[error("{0}")]
    NoGradient(#[from] NoGradient),
    /// A motion of pins that is not there.
    #[error("{0}")]
    ModelError(#[from] ModelError),
}

/// Most memory for all states of a run \[bytes\]; beyond it only some are kept, and the others computed again.
const STATES: usize = 1 << 30;

impl Scene {
    /// The steps after which the run has come to a `time` \[s\].
    pub fn steps_to(&self, time: f64) -> usize {
        (time / self.step).round() as usize
    }

    /// The run of `model` from `start` as one that is differentiated: to come near a `goal` by `forces` and `constants`.
    ///
    /// # Errors
    /// [`Undifferentiable`].
    pub fn task(
        &self,
        model: &Model,
        start: State,
        goal: Goal,
        forces: Forces,
        constants: Vec<Constant>,
    ) -> Result<Task, Undifferentiable> {
        let scheme = self.scheme.name();
        let Some(settings) = self.scheme.settings().filter(|_| scheme == BackwardEuler::ENTRY.name) else {
            return Err(Undifferentiable::Scheme { scheme });
        };
        if !self.scheme.converges() {
            return Err(Undifferentiable::Newton);
        }
        if settings.solver != Solver::Direct {
            return Err(Undifferentiable::Solver);
        }
        let beside = [
            ("solid", !self.solids.is_empty() || !self.bodies.is_empty()),
            ("self_collision", self.self_collision.is_some()),
            ("repulsion", self.repulsion.is_some()),
            ("inextensible", self.inextensible.is_some()),
            ("adaptive_steps", self.adaptive_steps.is_some()),
            ("guide", !self.guides.is_empty()),
            ("tearing", self.tearing.is_some()),
            ("seam", self.sewing.is_some()),
            ("pins", !self.pin_terms.is_empty()),
            ("initial.time", self.initial.time > 0.0),
        ];
        if let Some((key, _)) = beside.into_iter().find(|(_, stands)| *stands) {
            return Err(Undifferentiable::Beside { key });
        }
        if let Some(obstacle) = model.differentiable().obstacle() {
            return Err(NoGradient::Obstacle(obstacle).into());
        }
        let (steps, size) = (self.steps() as usize, size_of::<State>() + 48 * start.particle_count());
        let keep_every = if steps.saturating_mul(size) <= STATES { 1 } else { steps.isqrt() };
        let drives = self.scenario(start.clone())?.drives(model.system(), &start)?;
        Ok(Task { start, drives, dt: self.step, steps, settings, goal, forces, constants, keep_every })
    }

    /// Where and when a control forces the run of `model`, until its last key frame.
    ///
    /// # Errors
    /// A key frame at a time that the run does not have; a particle that the mesh does not have, that is held, or that is named
    /// twice, with its line; no particle at all.
    pub fn forces(&self, control: &Control, model: &Model) -> Result<Forces, SceneError> {
        let steps = self.steps() as usize;
        let outside = |wanted: &&Wanted| !(1..=steps).contains(&self.steps_to(wanted.time));
        if let Some(Wanted { time, place, .. }) = control.keyframes.iter().find(outside) {
            let problem = Problem::WantedOutside { time: *time, first: self.step, last: steps as f64 * self.step };
            return Err(SceneError { place: Some(place.clone()), problem });
        }
        let (pinned, mut particles) = (model.system().pinned(), vec![]);
        match &control.particles {
            None => particles.extend((0..pinned.len()).filter(|particle| !pinned[*particle])),
            Some(named) => {
                for (pin, place) in named {
                    let refused = |problem| Err(SceneError { place: Some(place.clone()), problem });
                    let particle = match self.subject.particle(*pin) {
                        Ok(particle) if particle < pinned.len() => particle,
                        Ok(pin) => return refused(Problem::PinOfMesh(ModelError::PinOfMesh { pin, particles: pinned.len() })),
                        Err(invalid) => return refused(Problem::PinOfMesh(invalid)),
                    };
                    if pinned[particle] {
                        return refused(Problem::ForcedHeld { pin: *pin });
                    }
                    if particles.contains(&particle) {
                        return refused(Problem::ForcedTwice { pin: *pin });
                    }
                    particles.push(particle);
                }
            }
        }
        if particles.is_empty() {
            return Err(SceneError { place: None, problem: Problem::NothingForced });
        }
        let last = control.keyframes.iter().map(|keyframe| self.steps_to(keyframe.time)).max().unwrap_or(0);
        let length = self.steps_to(control.interval).max(1);
        let intervals: Vec<Range<usize>> = (0..last).step_by(length).map(|first| first..(first + length).min(last)).collect();
        // neither particles nor steps come twice
        Forces::new(particles, intervals).map_err(|_| SceneError { place: None, problem: Problem::NothingForced })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "step = 0.01\nduration = 0.5\npins = [0]\nsolver = \"direct\"\n";
    const NEWTON: &str = "[integrator.backward-euler]\nnewton = { tolerance = 1e-10, limit = 100 }\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";
    const CONTROL: &str = "[control]\nkeyframe = [{ time = 0.25, places = 'a.csv' }]\n";

    fn read(text: &str) -> (Scene, Model) {
        let scene = Scene::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
        let model = scene.model().unwrap();
        (scene, model)
    }

    fn task(text: &str) -> Result<Task, String> {
        let (scene, model) = read(text);
        let start = State::at_rest(model.rest());
        let task = scene.task(&model, start, Goal::default(), Forces::default(), vec![]);
        task.map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_scene_becomes_a_task() {
        let task = task(&format!("{TOP}{NEWTON}{MESH}")).unwrap();
        assert_eq!((task.steps, task.dt, task.keep_every), (50, 0.01, 1));
    }

    #[test]
    fn what_has_no_gradient_is_refused_with_its_remedy() {
        for (text, expected) in [
            (
                format!("step = 0.01\nduration = 0.5\nintegrator = \"fb-euler\"\n{MESH}"),
                "a gradient is that of backward Euler, and `integrator` is \"fb-euler\"",
            ),
            (
                format!("integrator = 'backward-euler'\n{TOP}{MESH}"),
                "a gradient is that of steps that converge: add `newton = { tolerance = 1e-10, limit = 100 }` to",
            ),
            (
                format!("{TOP}{NEWTON}{MESH}").replace("solver = \"direct\"\n", ""),
                "a gradient is that of steps that are solved directly",
            ),
            (
                format!("{TOP}{NEWTON}{MESH}[[solid]]\nsphere = {{ centre = [0, 0, -9], radius = 1 }}"),
                "what comes of `solid` has no gradient: take it out",
            ),
            (format!("{TOP}{NEWTON}{MESH}[repulsion]"), "what comes of `repulsion` has no gradient: take it out"),
            (format!("{TOP}{NEWTON}{MESH}[self_collision]\nthickness = 0.01"), "what comes of `self_collision` has no gradient"),
            (format!("{TOP}{NEWTON}{MESH}[adaptive_steps]\nstretch_limit = 2"), "what comes of `adaptive_steps` has no gradient"),
            (format!("inextensible = 'pbd'\n{TOP}{NEWTON}{MESH}"), "what comes of `inextensible` has no gradient"),
            (format!("{TOP}{NEWTON}{MESH}[material]\ndrag = {{}}"), "drag has no derivative here; leave out `drag`"),
        ] {
            let message = task(&text).unwrap_err();
            assert!(message.starts_with(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
    }

    #[test]
    fn forces_act_until_the_last_key_frame() {
        let (scene, model) = read(&format!("{TOP}{NEWTON}{MESH}{CONTROL}"));
        let forces = scene.forces(scene.control.as_ref().unwrap(), &model).unwrap();
        assert_eq!(forces.particles(), (1..12).collect::<Vec<_>>());
        assert_eq!(forces.intervals(), [0..10, 10..20, 20..25]);
        let (scene, model) = read(&format!("{TOP}{NEWTON}{MESH}{CONTROL}interval = 1e-9\nparticles = ['top-left']"));
        let forces = scene.forces(scene.control.as_ref().unwrap(), &model).unwrap();
        assert_eq!((forces.particles(), forces.intervals().len(), forces.count()), (&[8][..], 25, 25));
    }

    #[test]
    fn key_frames_outside_the_run_are_named_with_their_line() {
        for time in ["0.6", "0.0001"] {
            let (scene, model) = read(&format!("{TOP}{NEWTON}{MESH}{}", CONTROL.replace("0.25", time)));
            let refused = scene.forces(scene.control.as_ref().unwrap(), &model).unwrap_err().to_string();
            let expected = format!("the run has key frames from 0.01 s to 0.5 s, not at {time} s: change `time` or `duration`");
            assert!(refused.starts_with("line 12, `keyframe = ") && refused.ends_with(&expected), "{refused}");
        }
    }

    #[test]
    fn particles_that_cannot_be_forced_are_named_with_their_line() {
        for (particles, expected) in [
            ("[0]", "line 13, `particles = [0]`: 0 is a pin, which no force moves: take it out here or of `pins`"),
            ("[1, [1, 0]]", "line 13, `particles = [1, [1, 0]]`: [1, 0] is named twice: take one of them out"),
            ("[]", "no particle is free to be forced: name some in `control.particles`, or free some of `pins`"),
        ] {
            let (scene, model) = read(&format!("{TOP}{NEWTON}{MESH}{CONTROL}particles = {particles}"));
            let refused = scene.forces(scene.control.as_ref().unwrap(), &model).unwrap_err();
            assert_eq!(refused.to_string(), expected);
        }
    }
}
