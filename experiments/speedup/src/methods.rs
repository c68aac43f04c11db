//! The methods that are compared and the scenes that they are compared in.

use cloth::contact::{Coulomb, Friction};
use cloth::implicit::{ConjugateGradients, Decompose, DiagonalKind, PreconditionerKind, Settings, Splitting, Start, Tolerance};
use kit::sheets::{Configuration, Sheet};

/// Backward Euler with one Newton step, and the techniques that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Its name in the tables.
    pub name: &'static str,
    /// Whether springs are explicit where their numerical stiffness allows it.
    pub adaptive: bool,
    /// Whether bending is implicit; always so unless `adaptive`.
    pub bend: bool,
    pub preconditioner: DiagonalKind,
    /// Start and stopping rule.
    pub start: Start,
    /// Whether components are solved each by itself.
    pub decompose: bool,
}

/// kappa up to which a spring is explicit \[-\], as in the thesis.
pub const THRESHOLD: f64 = 0.2;

/// What is assumed of all methods alike.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// Its name in the tables.
    pub name: &'static str,
    /// When conjugate gradients end.
    pub tolerance: Tolerance,
    /// Whether the corrected start goes with stopping against the first residual \[Boxerman 2003, fig. 5.1\].
    pub first_residual: bool,
    /// s = |x|/L from which bending is a line \[-\]: see [`cloth::BendLaw::line_from`].
    pub line_from: f64,
}

/// The thesis' settings as far as it gives them.
pub const USUAL: Assumption =
    Assumption { name: "as in the main group", tolerance: Tolerance::Step(0.01), first_residual: false, line_from: 0.9 };

/// Names of readings that the discussion asks for.
pub const AS_PRINTED: &str = "tol² = c dt, as printed";
pub const CONVERGED: &str = "tol = 1e-8";

/// Other readings.
pub const READINGS: [Assumption; 7] = [
    Assumption { name: AS_PRINTED, tolerance: Tolerance::RootOfStep(0.01), ..USUAL },
    Assumption { name: CONVERGED, tolerance: Tolerance::Fixed(1e-8), ..USUAL },
    Assumption { name: "corrected start against the first residual, figure 5.1", first_residual: true, ..USUAL },
    Assumption { name: "bending a line from 0.99 L", line_from: 0.99, ..USUAL },
    Assumption { name: "bending a line from 0.7 L", line_from: 0.7, ..USUAL },
    Assumption { name: "bending a line throughout", line_from: 0.0, ..USUAL },
    Assumption { name: "bending by the polynomial alone, with its jump", line_from: 1.0, ..USUAL },
];

/// Semi-implicit backward Euler as Baraff & Witkin 1998 have it.
const PLAIN: Method = Method {
    name: "plain",
    adaptive: false,
    bend: true,
    preconditioner: DiagonalKind::Diagonal,
    start: Start::Original,
    decompose: false,
};

/// All techniques, bending explicit as in the thesis.
const TOGETHER: Method = Method {
    name: "all together",
    adaptive: true,
    bend: false,
    preconditioner: DiagonalKind::Constrained,
    start: Start::Corrected,
    decompose: true,
};

/// Places in [`METHODS`] of those that the verdicts name.
pub const PLAIN_AT: usize = 0;
pub const BLOCKS_AT: usize = 1;
pub const TOGETHER_AT: usize = 7;
pub const TOGETHER_BEND_AT: usize = 8;

/// Places of the methods that are timed, and of those that are run under other readings and from other seeds.
pub const TIMED: [usize; 4] = [PLAIN_AT, BLOCKS_AT, TOGETHER_AT, TOGETHER_BEND_AT];
pub const READ: [usize; 3] = [PLAIN_AT, TOGETHER_AT, TOGETHER_BEND_AT];

/// All methods, in the order of the tables: the plain one, the same with the blocks of Choi & Ko 2002, each technique alone, all
/// of them.
pub const METHODS: [Method; 9] = [
    PLAIN,
    Method { name: "plain, 3x3 blocks", preconditioner: DiagonalKind::ABlock, ..PLAIN },
    Method { name: "AIMEX", adaptive: true, bend: false, ..PLAIN },
    Method { name: "AIMEX, bending implicit", adaptive: true, ..PLAIN },
    Method { name: "constrained preconditioner", preconditioner: DiagonalKind::Constrained, ..PLAIN },
    Method { name: "warm start", start: Start::Corrected, ..PLAIN },
    Method { name: "decomposition", decompose: true, ..PLAIN },
    TOGETHER,
    Method { name: "all together, bending implicit", bend: true, ..TOGETHER },
];

impl Method {
    /// What it comes down to, to the bit, for a sheet in a scene: the blocks of Choi & Ko where no row is constrained in part, and
    /// the implicit scheme where no spring is explicit.
    pub fn in_effect(&self, scene: &Scene, sheet: &Sheet) -> Method {
        let mut method = Method { name: "", ..*self };
        if method.preconditioner == DiagonalKind::Constrained && !scene.slides() {
            method.preconditioner = DiagonalKind::ABlock;
        }
        if method.bend && sheet.is_implicit(sheet.step, THRESHOLD) {
            method.adaptive = false;
        }
        method
    }

    /// Settings of the scheme.
    pub fn settings(&self, assumption: &Assumption) -> Settings {
        let start = match self.start {
            Start::Corrected if assumption.first_residual => Start::FirstResidual,
            start => start,
        };
        Settings::from(ConjugateGradients {
            preconditioner: PreconditionerKind::BlockDiagonal(self.preconditioner),
            start,
            decompose: self.decompose.then_some(Decompose::Serial),
            ..ConjugateGradients::to(assumption.tolerance)
        })
    }

    /// Which springs are implicit.
    pub fn splitting(&self) -> Splitting {
        if self.adaptive { Splitting::Adaptive { threshold: THRESHOLD, bend: self.bend } } else { Splitting::Implicit }
    }
}

/// Where a sheet is, and what happens on the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Its name in the tables.
    pub name: &'static str,
    /// What holds the sheet.
    pub configuration: Configuration,
    /// Friction; idle where there is no solid.
    pub friction: Friction,
}

impl Scene {
    /// Whether particles may slide: rows of a system are constrained in part then.
    fn slides(&self) -> bool {
        self.configuration != Configuration::Corners && self.friction != Friction::Sticking
    }
}

const COULOMB: Friction = Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 });

/// All scenes, in the order in which sets take them in turn.
pub const SCENES: [Scene; 6] = [
    Scene { name: "corners", configuration: Configuration::Corners, friction: COULOMB },
    Scene { name: "table", configuration: Configuration::Table, friction: COULOMB },
    Scene { name: "sphere", configuration: Configuration::Sphere, friction: COULOMB },
    Scene { name: "off-centre sphere", configuration: Configuration::OffCentreSphere, friction: COULOMB },
    Scene { name: "off-centre sphere, sticking", configuration: Configuration::OffCentreSphere, friction: Friction::Sticking },
    Scene { name: "ground", configuration: Configuration::Ground, friction: COULOMB },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_those_of_their_methods() {
        assert_eq!((METHODS[PLAIN_AT], METHODS[TOGETHER_AT]), (PLAIN, TOGETHER));
        assert_eq!(METHODS[BLOCKS_AT].preconditioner, DiagonalKind::ABlock);
        assert!(METHODS[TOGETHER_BEND_AT].bend && METHODS[TOGETHER_BEND_AT] != TOGETHER);
    }
}
