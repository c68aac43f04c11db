//! A drape under way: by a method, at a permissible strain, with its course.

use kit::prelude::*;

use super::rivals::{Caps, Rival};
use super::scenes::Scene;

words! {
    /// How the elastic forces are integrated \[Goldenthal 2007, footnote 1 and fig. 8\].
    pub enum Forces {
        /// By forward-backward Euler.
        Explicit = "explicit",
        /// By backward Euler with one Newton step.
        Implicit = "implicit",
    }
}

/// A method at a permissible strain on a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// The method.
    pub rival: Rival,
    /// Permissible strain \[-\].
    pub strain: f64,
    /// Particles a side.
    pub side: usize,
    pub elastic: Forces,
}

/// A task under way.
pub struct Run {
    /// What is draped.
    pub scene: Scene,
    /// The scheme of its forces.
    forces: Box<dyn Integrator>,
    /// Its method.
    pub filter: Filter,
    /// Where it is.
    pub state: State,
}

impl Run {
    /// None where the sheet or the bound means nothing.
    pub fn new(task: &Task, caps: Caps) -> Option<Run> {
        let scene = Scene::drape(task.side).ok()?;
        let method = task.rival.build(&scene.constraints, task.side, task.strain, caps)?;
        let count = scene.constraints.particle_count();
        let forces: Box<dyn Integrator> = match task.elastic {
            Forces::Explicit => Box::new(ForwardBackwardEuler::new(count)),
            Forces::Implicit => Box::new(BackwardEuler::new(&scene.net, Settings::default())),
        };
        let (filter, state) = (scene.filter(method), scene.start.clone());
        Some(Run { scene, forces, filter, state })
    }

    /// Its energy \[J\].
    pub fn energy(&self) -> f64 {
        self.scene.net.energy(&self.state)
    }

    /// Energy that a fall by its side of 1 m sets free \[J\].
    pub fn fall(&self) -> f64 {
        self.scene.net.masses().iter().sum::<f64>() * GRAVITY
    }

    /// Its course over so many steps.
    pub fn course(&self, steps: u64) -> RunWatch {
        RunWatch::of_energy(self.energy(), self.fall(), steps)
    }

    /// Advances by `dt` \[s\].
    ///
    /// # Errors
    /// Why the method came to no position.
    pub fn step(&mut self, dt: f64) -> Result<(), cloth::inextensible::FilterStop> {
        self.filter.step(&mut *self.forces, &self.scene.net, dt, &mut self.state)
    }
}

/// Status of a run that has ended, which may have been given up, and why it is lost.
pub fn status_of(course: &RunWatch, given_up: Option<Status>, run: &Run) -> (Status, Option<String>) {
    let status = given_up.filter(|_| course.status() == Status::Finished).unwrap_or(course.status());
    let reason = course.reason().map(|reason| format!("{reason}; last step: {}", run.filter.last().stop.name()));
    (status, reason)
}
