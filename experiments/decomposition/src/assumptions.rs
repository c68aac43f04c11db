//! The four scenes, and what is assumed where the thesis is silent.

use cloth::contact::{Contacts, Coulomb, Friction, Repulsion, RepulsionLaw};
use cloth::implicit::{
    ConjugateGradients, Cuts, Decompose, DiagonalKind, MatrixForm, PreconditionerKind, Settings, Splitting, Start, Tolerance,
};
use cloth::integrators::BackwardEuler;
use cloth::{BendLaw, Cloth, Material, ModelError, Pin, System};
use kit::sheets::{Configuration, Run, Sheet, with_bend_law};

/// What a sheet is held by or falls onto, and what happens there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Its name in the tables.
    pub name: &'static str,
    /// The pins, or the solid.
    pub configuration: Configuration,
    /// What happens along the solid; nothing of it matters to a hanging sheet.
    pub friction: Friction,
}

/// Coulomb's law with the usual speed below which cloth sticks.
pub const fn coulomb(still: f64, sliding: f64) -> Friction {
    Friction::Coulomb(Coulomb { still, sliding, threshold: 0.02 })
}

/// Friction where nothing else is said; the thesis gives none.
const FRICTION: Friction = coulomb(0.5, 0.3);

/// Nothing decomposes, \[Boxerman 2003, 6.4.1\].
pub const PINNED: Scene = Scene { name: "pinned", configuration: Configuration::Corners, friction: FRICTION };
/// \[Boxerman 2003, 6.4.2\] with contact that sticks and slides.
pub const SPHERE: Scene =
    Scene { name: "sphere, Coulomb contact", configuration: Configuration::OffCentreSphere, friction: FRICTION };
/// The sphere on which whatever touches stays.
pub const STICKING_SPHERE: Scene = Scene { name: "sphere, sticking contact", friction: Friction::Sticking, ..SPHERE };
/// \[Boxerman 2003, 6.4.3\].
pub const GROUND: Scene = Scene { name: "ground", configuration: Configuration::Ground, friction: FRICTION };

/// All, in the order of their rows.
pub const SCENES: [Scene; 4] = [PINNED, SPHERE, STICKING_SPHERE, GROUND];

/// How both solvers are run.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// Its name in the tables.
    pub name: &'static str,
    /// When conjugate gradients end.
    pub tolerance: Tolerance,
    /// What their residual is measured against, and where they start.
    pub start: Start,
    /// Whether AIMEX treats bending implicitly.
    pub bend: bool,
    /// s = |x|/L from which bending is a line \[-\]: see [`BendLaw::line_from`].
    pub line_from: f64,
    /// Friction instead of that of the scene.
    pub friction: Option<Friction>,
    /// How far beside the sheet's centre the sphere lies, over the usual distance \[-\].
    pub offset: f64,
    /// Whether cloth that falls onto a solid repels itself.
    pub repulsion: bool,
    /// Whether springs at their rest length are slack: they count as extended from L (1 + 1e-6) on, not from L (1 - 1e-12) on.
    pub slack: bool,
    /// Whether a sheet that falls to the ground is followed until it rests, and not for the usual time.
    pub until_rest: bool,
    /// Most iterations of a system, or of a component.
    pub iteration_limit: usize,
    /// Scenes that it concerns.
    pub scenes: &'static [Scene],
    /// Form of the matrices.
    pub form: MatrixForm,
    /// What every residual is multiplied by.
    pub preconditioner: PreconditionerKind,
    /// Springs that are cut.
    pub cuts: Option<Cuts>,
}

/// The thesis' settings as far as it gives them.
pub const USUAL: Assumption = Assumption {
    name: "as in the main group",
    tolerance: Tolerance::Step(0.01),
    start: Start::Corrected,
    bend: false,
    line_from: 0.9,
    friction: None,
    offset: 1.0,
    repulsion: true,
    slack: false,
    until_rest: true,
    iteration_limit: 10_000,
    scenes: &SCENES,
    form: MatrixForm::Fastest,
    preconditioner: PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
    cuts: None,
};

/// The thesis' matrices are sparse: what does not act costs nothing. On a grid a solve costs so little that finding components
/// takes longer than they save.
pub const IN_BLOCK_ROWS: Assumption = Assumption { form: MatrixForm::BlockRows, ..USUAL };

const WITH_FRICTION: &[Scene] = &[SPHERE, GROUND];
const SPHERES: &[Scene] = &[SPHERE, STICKING_SPHERE];
const FALLING: &[Scene] = &[SPHERE, STICKING_SPHERE, GROUND];

/// Names of readings that charts and the discussion ask for.
pub const BENDING_IMPLICIT: &str = "bending implicit";
pub const AS_PRINTED: &str = "tol² = c dt, as printed";
pub const CONVERGED: &str = "tol = 1e-8";

/// Other readings of the tolerance.
pub const TOLERANCES: [Assumption; 2] = [
    Assumption { name: AS_PRINTED, tolerance: Tolerance::RootOfStep(0.01), ..USUAL },
    Assumption { name: CONVERGED, tolerance: Tolerance::Fixed(1e-8), ..USUAL },
];

/// Other readings of what the residual is measured against, and of bending.
pub const LAWS: [Assumption; 6] = [
    Assumption { name: "against the first residual, figure 5.1", start: Start::FirstResidual, ..USUAL },
    Assumption { name: BENDING_IMPLICIT, bend: true, ..USUAL },
    Assumption { name: "bending a line from 0.99 L", line_from: 0.99, ..USUAL },
    Assumption { name: "bending a line from 0.7 L", line_from: 0.7, ..USUAL },
    Assumption { name: "bending a line throughout", line_from: 0.0, ..USUAL },
    Assumption { name: "bending by the polynomial alone, with its jump", line_from: 1.0, ..USUAL },
];

/// Other assumptions about the scenes.
pub const OTHERS: [Assumption; 9] = [
    Assumption { name: "springs at rest length slack", slack: true, ..USUAL },
    Assumption { name: "no repulsion", repulsion: false, scenes: FALLING, ..USUAL },
    // of friction the thesis says that cloth sticks by some of it, and slips by other [Boxerman 2003, 6.4.2, note 8]
    Assumption { name: "no friction", friction: Some(coulomb(0.0, 0.0)), scenes: WITH_FRICTION, ..USUAL },
    Assumption { name: "friction 0.2, 0.12 when sliding", friction: Some(coulomb(0.2, 0.12)), scenes: WITH_FRICTION, ..USUAL },
    Assumption { name: "friction 1, 0.6 when sliding", friction: Some(coulomb(1.0, 0.6)), scenes: WITH_FRICTION, ..USUAL },
    Assumption { name: "sticking contact", friction: Some(Friction::Sticking), scenes: &[GROUND], ..USUAL },
    Assumption { name: "followed for one second", until_rest: false, scenes: &[GROUND], ..USUAL },
    Assumption { name: "sphere below the centre", offset: 0.0, scenes: SPHERES, ..USUAL },
    Assumption { name: "sphere twice as far beside the centre", offset: 2.0, scenes: SPHERES, ..USUAL },
];

impl Assumption {
    /// A sheet in a scene by AIMEX, its systems solved as a whole or decomposed.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn run(
        &self,
        sheet: &Sheet,
        friction: Friction,
        threshold: f64,
        decompose: Option<Decompose>,
    ) -> Result<Run, ModelError> {
        let solid = match sheet.configuration {
            Configuration::OffCentreSphere => Some(sheet.sphere_beside(self.offset)),
            _ => sheet.solid(),
        };
        let cloth = with_bend_law(&sheet.cloth()?, BendLaw::line_from(self.line_from)?)?;
        let cloth = if self.slack { slack(&cloth)? } else { cloth };
        let mut scheme =
            BackwardEuler::split(&cloth, self.settings(decompose), Splitting::Adaptive { threshold, bend: self.bend });
        if let Some(solid) = solid {
            let friction = self.friction.unwrap_or(friction);
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![solid], friction));
            if self.repulsion {
                scheme = scheme.with_repulsion(Repulsion::new(&cloth, RepulsionLaw::of_mesh(sheet.spacing)));
            }
        }
        Ok(Run::of(sheet.start(&cloth), cloth, scheme))
    }

    /// Settings of a scheme.
    pub fn settings(&self, decompose: Option<Decompose>) -> Settings {
        let &Assumption { tolerance, start, iteration_limit, form, preconditioner, cuts, .. } = self;
        let gradients = ConjugateGradients { tolerance, preconditioner, start, iteration_limit, decompose, momentum: false };
        Settings { form, cuts, ..Settings::from(gradients) }
    }
}

/// A sheet with springs that are slack at their rest length, where rounding decides otherwise.
///
/// # Errors
/// None that the sheet did not have.
pub fn slack(cloth: &Cloth) -> Result<Cloth, ModelError> {
    let pins: Vec<Pin> = (0..cloth.particle_count()).filter(|&k| cloth.pinned()[k]).map(Pin::index).collect();
    Cloth::new(*cloth.grid(), Material { extension_tolerance: -1e-6, ..*cloth.material() }, &pins)
}
