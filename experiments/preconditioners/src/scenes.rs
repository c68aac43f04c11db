//! Where the sheets of the study are, and how their systems are solved.

use cloth::contact::{Coulomb, Friction};
use cloth::implicit::{self, ConjugateGradients, Splitting, Start, Tolerance};
use kit::sheets::{Configuration, Run, Sheet};
use std::ops::RangeInclusive;

use super::method::{ITERATION_LIMIT, Method};

/// kappa that the thesis calls typical \[-\].
pub const TYPICAL: RangeInclusive<f64> = 1e2..=1e3;

/// c of the thesis \[1/s\].
pub const THESIS: f64 = 0.01;

/// What holds a sheet, and how it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Its name in the tables.
    pub name: &'static str,
    configuration: Configuration,
    friction: Friction,
}

/// Two adjacent corners are pinned: every particle is free or fixed.
pub const PINNED: Scene = Scene { name: "pinned", configuration: Configuration::Corners, friction: Friction::Sticking };
/// The sheet falls onto a sphere, with Coulomb friction.
pub const SLIDING: Scene = Scene {
    name: "sliding",
    configuration: Configuration::Sphere,
    friction: Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 }),
};

/// It falls onto a sphere and sticks wherever it touches.
pub const STICKING: Scene = Scene { name: "sticking", configuration: Configuration::Sphere, friction: Friction::Sticking };
/// It falls onto a sphere without friction.
pub const FRICTIONLESS: Scene = Scene {
    name: "frictionless",
    configuration: Configuration::Sphere,
    friction: Friction::Coulomb(Coulomb { still: 0.0, sliding: 0.0, threshold: 0.02 }),
};

impl Scene {
    /// Whether particles can be constrained in part, so that A-Block is another preconditioner than CP.
    pub fn slides(&self) -> bool {
        matches!(self.friction, Friction::Coulomb(_)) && self.configuration != Configuration::Corners
    }
}

/// What the thesis' sentence on tolerances, "tol² = ck", may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Its name in the tables.
    pub name: &'static str,
    /// When conjugate gradients end.
    pub tolerance: Tolerance,
    /// What takes the place of the corrected start.
    pub start: Start,
}

/// tol = c dt, under which runs are stable, as the thesis says of its rule.
pub const STEP: Reading = Reading { name: "c dt", tolerance: Tolerance::Step(THESIS), start: Start::Corrected };
/// tol² = c dt, to the letter.
pub const ROOT: Reading = Reading { name: "sqrt(c dt)", tolerance: Tolerance::RootOfStep(THESIS), start: Start::Corrected };
/// Solved until nothing changes: the control.
pub const CONVERGED: Reading = Reading { name: "converged", tolerance: Tolerance::Fixed(1e-8), start: Start::Corrected };
/// tol = c dt against the first residual, as figure 5.1 has it, not against the right side, as figure 5.2.
pub const FIRST: Reading = Reading { name: "c dt, first residual", start: Start::FirstResidual, ..STEP };

impl Reading {
    /// tol = c dt with another c \[1/s\].
    pub fn step(c: f64) -> Reading {
        Reading { tolerance: Tolerance::Step(c), ..STEP }
    }

    /// It in words.
    pub fn in_words(&self) -> &'static str {
        match *self {
            ROOT => "tol = sqrt(c dt), to the letter",
            CONVERGED => "solved to 1e-8",
            FIRST => "tol = c dt against the first residual",
            _ => "tol = c dt",
        }
    }
}

/// How a run by a method alone is made.
pub fn settings(method: &Method, reading: &Reading) -> implicit::Settings {
    implicit::Settings::from(ConjugateGradients {
        tolerance: reading.tolerance,
        preconditioner: method.preconditioner,
        start: if method.start == Start::Corrected { reading.start } else { method.start },
        iteration_limit: ITERATION_LIMIT,
        decompose: None,
        momentum: false,
    })
}

/// A sheet in a scene by one method.
///
/// # Errors
/// A quantity outside its range.
pub fn run(sheet: &Sheet, scene: &Scene, method: &Method, reading: &Reading) -> Result<Run, cloth::ModelError> {
    let sheet = Sheet { configuration: scene.configuration, ..*sheet };
    Run::new(&sheet, settings(method, reading), Splitting::Implicit, scene.friction)
}

/// kappa of a sheet, the larger of stretch and shear.
pub fn kappa(sheet: &Sheet) -> f64 {
    let [stretch, shear] = sheet.kappas(sheet.step);
    stretch.max(shear)
}
