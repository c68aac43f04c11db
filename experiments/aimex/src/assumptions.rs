//! What is assumed where the thesis is silent, or can be read in more than one way.

use cloth::contact::{Contacts, Coulomb, Friction};
use cloth::implicit::{ConjugateGradients, MatrixForm, Settings, Splitting, Start, Tolerance};
use cloth::integrators::BackwardEuler;
use cloth::{BendLaw, ModelError, System};
use kit::sheets::{Configuration, Run, Sheet, with_bend_law};

/// How both schemes are run.
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
    /// What happens on the solid; none of it matters to a hanging sheet.
    pub friction: Friction,
    /// Form of the matrices.
    pub form: MatrixForm,
}

const fn coulomb(still: f64, sliding: f64) -> Friction {
    Friction::Coulomb(Coulomb { still, sliding, threshold: 0.02 })
}

/// The thesis' settings as far as it gives them.
pub const USUAL: Assumption = Assumption {
    name: "as in the main group",
    tolerance: Tolerance::Step(0.01),
    start: Start::Corrected,
    bend: false,
    line_from: 0.9,
    friction: coulomb(0.5, 0.3),
    form: MatrixForm::Fastest,
};

/// Names of readings that charts and the discussion ask for.
pub const AS_PRINTED: &str = "tol² = c dt, as printed";
pub const CONVERGED: &str = "tol = 1e-8";
pub const BENDING_IMPLICIT: &str = "bending implicit in AIMEX too";
/// Laws of bending near rest other than the usual one.
pub const BEND_LAWS: [&str; 4] = [
    "bending a line from 0.99 L",
    "bending a line from 0.7 L",
    "bending a line throughout",
    "bending by the polynomial alone, with its jump",
];

/// Other readings of the tolerance, and of the law of bending.
pub const LAWS: [Assumption; 8] = [
    Assumption { name: AS_PRINTED, tolerance: Tolerance::RootOfStep(0.01), ..USUAL },
    Assumption { name: CONVERGED, tolerance: Tolerance::Fixed(1e-8), ..USUAL },
    Assumption { name: "against the first residual, figure 5.1", start: Start::FirstResidual, ..USUAL },
    Assumption { name: BENDING_IMPLICIT, bend: true, ..USUAL },
    Assumption { name: BEND_LAWS[0], line_from: 0.99, ..USUAL },
    Assumption { name: BEND_LAWS[1], line_from: 0.7, ..USUAL },
    Assumption { name: BEND_LAWS[2], line_from: 0.0, ..USUAL },
    Assumption { name: BEND_LAWS[3], line_from: 1.0, ..USUAL },
];

/// Other friction.
pub const FRICTIONS: [Assumption; 4] = [
    Assumption { name: "no friction", friction: coulomb(0.0, 0.0), ..USUAL },
    Assumption { name: "friction 0.2, 0.12 when sliding", friction: coulomb(0.2, 0.12), ..USUAL },
    Assumption { name: "friction 1, 0.6 when sliding", friction: coulomb(1.0, 0.6), ..USUAL },
    Assumption { name: "sticking contact", friction: Friction::Sticking, ..USUAL },
];

impl Assumption {
    /// Whether it changes nothing for a sheet: friction for one that hangs.
    pub fn is_idle(&self, sheet: &Sheet) -> bool {
        sheet.configuration == Configuration::Corners && self.friction != USUAL.friction
    }

    /// Settings of both schemes.
    pub fn settings(&self) -> Settings {
        let gradients = ConjugateGradients { start: self.start, ..ConjugateGradients::to(self.tolerance) };
        Settings { form: self.form, ..Settings::from(gradients) }
    }

    /// A sheet by AIMEX, or fully implicit.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn run(&self, sheet: &Sheet, threshold: f64, adaptive: bool) -> Result<Run, ModelError> {
        let splitting = if adaptive { Splitting::Adaptive { threshold, bend: self.bend } } else { Splitting::Implicit };
        self.split(sheet, splitting)
    }

    /// A sheet by backward Euler with any splitting.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn split(&self, sheet: &Sheet, splitting: Splitting) -> Result<Run, ModelError> {
        let cloth = with_bend_law(&sheet.cloth()?, BendLaw::line_from(self.line_from)?)?;
        let mut scheme = BackwardEuler::split(&cloth, self.settings(), splitting);
        if let Some(solid) = sheet.solid() {
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![solid], self.friction));
        }
        Ok(Run::of(sheet.start(&cloth), cloth, scheme))
    }

    /// A sheet by AIMEX and fully implicit.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn pair(&self, sheet: &Sheet, threshold: f64) -> Result<[Run; 2], ModelError> {
        Ok([self.run(sheet, threshold, true)?, self.run(sheet, threshold, false)?])
    }

    /// Whether both schemes are the same for a sheet, so that one of them tells of both.
    pub fn is_implicit(&self, sheet: &Sheet, threshold: f64) -> bool {
        self.bend && sheet.is_implicit(sheet.step, threshold)
    }
}
