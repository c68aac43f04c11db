//! A sheet held at two corners falls from the horizontal: how it is damped and integrated, and what a run comes to.

use cloth::implicit::{
    ConjugateGradients, DiagonalKind, Newton, PreconditionerKind, Settings, Solver, Splitting, Start, Tolerance, Work,
};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{BendLaw, Cloth, DampingForm, Elastic, Energies, Grid, Material, ModelError, Pin, State, System, Terms};
use kit::prelude::{RunWatch, Status, row};

use super::oscillation::{Trend, half_window, high_passed, rms};

/// Time of the first look at the loss \[s\].
pub const EARLY: f64 = 0.5;
/// Time of the second look, and length of a run \[s\].
pub const LATE: f64 = 2.0;
/// Width of the window of the high-pass \[s\].
pub const WINDOW: f64 = 0.1;

/// How stretch and shear springs are damped, with kd \[N s/m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Not at all.
    None,
    /// By f = kd (v_j - v_i) \[Boxerman 2003, eq. 3.12\].
    Plain(f64),
    /// Along the spring only \[Boxerman 2003, eq. 3.14\].
    Projected(f64),
}

impl Damping {
    /// Its word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Damping::None => "none",
            Damping::Plain(_) => "plain",
            Damping::Projected(_) => "projected",
        }
    }

    /// kd \[N s/m\].
    pub fn coefficient(self) -> f64 {
        match self {
            Damping::None => 0.0,
            Damping::Plain(kd) | Damping::Projected(kd) => kd,
        }
    }
}

/// A run: the sheet, its damping, and the semi-implicit scheme \[Boxerman 2003, eq. 4.11\] with its settings.
#[derive(Clone, Debug)]
pub struct Fall {
    /// n, particles a side.
    pub side: usize,
    /// h \[m\].
    pub spacing: f64,
    /// rho \[kg/m²\].
    pub density: f64,
    /// ks of stretch and of shear \[N/m\].
    pub stiffness: [f64; 2],
    /// kb \[N/m\].
    pub bend: f64,
    /// s = |x|/L from which bending is a line \[-\]: see [`BendLaw::line_from`].
    pub line_from: f64,
    /// How it is damped.
    pub damping: Damping,
    /// dt \[s\].
    pub step: f64,
    /// Length of the run over [`LATE`], and of all other times over theirs \[-\].
    pub time_scale: f64,
    /// Of the integrator.
    pub settings: Settings,
    /// Whether bend springs are left out of the matrix.
    pub bends_explicitly: bool,
    /// Heights at the start \[m\], shape \[side²\]; flat without them. Pinned particles stay where they are.
    pub heights: Vec<f64>,
}

/// The settings of the thesis with another tolerance.
pub fn to(tolerance: Tolerance) -> Settings {
    Settings::from(ConjugateGradients::to(tolerance))
}

/// The settings of the thesis with exact solves.
pub fn exact() -> Settings {
    Settings { solver: Solver::Direct, ..Settings::default() }
}

/// A number as one writes it: with a power of ten where it is small.
pub fn plainly(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 { format!("{number:e}") } else { format!("{number}") }
}

/// A solver in words, for tables.
pub fn solver_name(settings: &Settings) -> String {
    let Solver::ConjugateGradients(gradients) = settings.solver else { return "exact".into() };
    match gradients.tolerance {
        Tolerance::RootOfStep(c) => format!("tol² = {} dt", plainly(c)),
        Tolerance::Step(c) => format!("tol = {} dt", plainly(c)),
        Tolerance::Fixed(tol) => format!("tol = {}", plainly(tol)),
        Tolerance::Strain(strain) => format!("strain to {}", plainly(strain)),
    }
}

/// A preconditioner in words, for tables.
pub fn preconditioner_name(kind: PreconditionerKind) -> &'static str {
    match kind {
        PreconditionerKind::None => "none",
        PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal) => "diagonal",
        PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock) => "A-Block",
        PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained) => "CP",
        PreconditionerKind::Triangular(triangular) => triangular.label,
        PreconditionerKind::Schwarz(_) => "Schwarz",
        PreconditionerKind::Aggregation => "aggregation",
        PreconditionerKind::Multigrid => "multigrid",
        PreconditionerKind::Automatic => "automatic",
    }
}

/// A start of conjugate gradients in words, for tables: from the last solution, or from zero.
pub fn start_name(start: Start) -> &'static str {
    match start {
        Start::Original => "cold",
        Start::Corrected => "warm",
        Start::FirstResidual => "warm, by the first residual",
    }
}

/// How often a step is linearised, in words, for tables.
pub fn newton_name(newton: Newton) -> &'static str {
    match newton {
        Newton::Once | Newton::Foreseen { .. } => "one step",
        Newton::Converged { .. } | Newton::Descending { .. } => "converged",
    }
}

/// Terms of the Jacobians in words, for tables.
pub fn terms_name(terms: Terms) -> &'static str {
    match terms {
        Terms::Exact => "all",
        Terms::Filtered => "as in the thesis",
        Terms::DampingByPosition => "with (3.16)",
    }
}

/// What a step leaves.
pub struct Moment<'a> {
    /// Steps so far, 0 at the start.
    pub step: u64,
    pub state: &'a State,
    pub energies: Energies,
    /// Iterations of conjugate gradients in this step.
    pub iterations: u64,
    /// What went wrong in the systems of this step.
    pub trouble: Option<&'static str>,
    /// The run so far.
    pub course: &'a RunWatch,
}

impl Moment<'_> {
    /// What has come of the run, or of this step's systems.
    pub fn status(&self) -> Status {
        match (self.course.status(), self.trouble) {
            (Status::Finished, Some(_)) => Status::NotConverged,
            (status, _) => status,
        }
    }

    /// Why that is not [`Status::Finished`].
    pub fn reason(&self) -> Option<String> {
        self.course.reason().or_else(|| self.trouble.map(Into::into))
    }
}

impl Fall {
    fn cloth(&self) -> Result<Cloth, ModelError> {
        let damping = self.damping.coefficient();
        let [stretch, shear] = self.stiffness.map(|stiffness| Elastic { stiffness, damping });
        let form = if matches!(self.damping, Damping::Plain(_)) { DampingForm::Plain } else { DampingForm::Projected };
        let bend_law = BendLaw::line_from(self.line_from)?;
        let (density, bend) = (self.density, self.bend);
        let material = Material { density, stretch, shear, bend, bend_law, damping: form, ..Material::default() };
        let pins = [Pin::At(0, 0), Pin::At(self.side - 1, 0)];
        Cloth::new(Grid::new(self.side, self.side, self.spacing)?, material, &pins)
    }

    /// Steps to a time of the printed scene \[s\].
    pub fn steps(&self, time: f64) -> u64 {
        (time * self.time_scale / self.step).round() as u64
    }

    /// Runs it as long as its [`RunWatch`] goes on; `each` sees the start and what every step leaves.
    ///
    /// # Errors
    /// A sheet that the model refuses.
    pub fn run(&self, mut each: impl FnMut(&Moment)) -> Result<RunWatch, ModelError> {
        let cloth = self.cloth()?;
        let mut scheme = if self.bends_explicitly {
            BackwardEuler::split(&cloth, self.settings, Splitting::Families { stretch: true, shear: true, bend: false })
        } else {
            BackwardEuler::new(&cloth, self.settings)
        };
        let mut state = cloth.at_rest();
        for ((x, height), pinned) in state.x.iter_mut().zip(&self.heights).zip(cloth.pinned()) {
            x.z = if *pinned { 0.0 } else { *height };
        }
        let mut course = RunWatch::new(&cloth, &state, self.steps(LATE));
        let (energies, mut before) = (cloth.energies(&state), Work::default());
        each(&Moment { step: 0, state: &state, energies, iterations: 0, trouble: None, course: &course });
        for step in 1..=self.steps(LATE) {
            scheme.step(&cloth, self.step, &mut state);
            let (work, energies) = (scheme.work(), cloth.energies(&state));
            course.watch_energy(state.is_finite() && energies.total().is_finite(), || energies.total());
            course.show(&cloth, &state);
            let (iterations, trouble) = (work.iterations - before.iterations, trouble(&before, &work));
            each(&Moment { step, state: &state, energies, iterations, trouble, course: &course });
            before = work;
            if !course.goes_on() {
                break;
            }
        }
        Ok(course)
    }

    /// Runs it and sums up. The energy of a run rises where after some step it exceeds that of the start by `margin` times the
    /// largest gravitational drop so far, which is stricter than what a [`RunWatch`] asks.
    pub fn summary(&self, margin: f64) -> Summary {
        let mut summary = Summary::default();
        let (mut internal, mut start, mut lowest, mut rises) = (vec![], 0.0, 0.0, false);
        let mut troubles: Vec<(&'static str, u64)> = vec![];
        let (early, late) = (self.steps(EARLY), self.steps(LATE));
        let ran = self.run(|moment| {
            summary.iterations += moment.iterations;
            if let Some(trouble) = moment.trouble {
                match troubles.iter_mut().find(|(what, _)| *what == trouble) {
                    Some((_, count)) => *count += 1,
                    None => troubles.push((trouble, 1)),
                }
            }
            let total = moment.energies.total();
            if moment.course.status() == Status::NotFinite || !total.is_finite() {
                return;
            }
            if moment.step == 0 {
                start = total;
            }
            internal.push(moment.energies.internal());
            if moment.energies.gravitational < lowest {
                lowest = moment.energies.gravitational;
                summary.lowest_time = Some(moment.step as f64 * self.step);
            }
            rises |= total - start > -margin * lowest;
            if moment.step == early {
                summary.loss_early = Some(start - total);
            }
            if moment.step == late {
                summary.loss_late = Some(start - total);
            }
        });
        let half = half_window(WINDOW * self.time_scale, self.step);
        if internal.len() as u64 == late + 1 {
            summary.oscillation = rms(&high_passed(&internal, half, Trend::Average));
        }
        let tell = |(what, count): &(&str, u64)| format!("{what} in {count} of {late} steps");
        match ran {
            Err(refusal) => (summary.status, summary.reason) = (Status::Refused, Some(refusal.to_string())),
            Ok(course) => {
                let solved = if troubles.is_empty() { Status::Finished } else { Status::NotConverged };
                summary.status = if course.status() == Status::Finished { solved } else { course.status() };
                let reasons: Vec<String> = course.reason().into_iter().chain(troubles.iter().map(tell)).collect();
                summary.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
                summary.rises = Some(rises);
            }
        }
        summary
    }
}

/// What went wrong between two counts of work.
fn trouble(before: &Work, after: &Work) -> Option<&'static str> {
    if after.not_finite > before.not_finite {
        Some("a linear system met a number that is not finite")
    } else if after.indefinite > before.indefinite {
        Some("the matrix was not positive definite")
    } else if after.limited > before.limited {
        Some("conjugate gradients hit their limit of iterations")
    } else if after.newton_limited > before.newton_limited {
        Some("Newton's method hit its limit of iterations")
    } else {
        None
    }
}

row! {
    /// What a run comes to.
    pub struct Summary {
        /// energy lost at 0.5 s, scaled for random sheets \[J\]
        pub loss_early: Option<f64>,
        /// energy lost at 2 s, scaled for random sheets \[J\]
        pub loss_late: Option<f64>,
        /// rms of the internal energy minus its centred average over 0.1 s, scaled for random sheets \[J\]
        pub oscillation: Option<f64>,
        /// time at which the gravitational energy is least \[s\]
        pub lowest_time: Option<f64>,
        /// whether after some step the energy exceeds that of the start by more than the margin of the profile times the largest
        /// gravitational drop so far
        pub rises: Option<bool>,
        /// iterations of conjugate gradients in the run
        pub iterations: u64,
        /// finished, not converged, gains energy, not finite or refused
        pub status: Status,
        /// why it did not finish
        pub reason: Option<String>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(damping: Damping, settings: Settings) -> Fall {
        Fall {
            side: 6,
            spacing: 0.15,
            density: 0.5,
            stiffness: [1000.0; 2],
            bend: 0.01,
            line_from: 0.9,
            damping,
            step: 0.01,
            time_scale: 1.0,
            settings,
            bends_explicitly: false,
            heights: vec![],
        }
    }

    #[test]
    fn a_fall_begins_at_rest_and_loses_energy() {
        let fall = small(Damping::None, Settings::default());
        let mut totals = vec![];
        fall.run(|moment| totals.push(moment.energies.total())).unwrap();
        assert_eq!(totals.len() as u64, fall.steps(LATE) + 1);
        assert!(totals[0].abs() < 1e-20);
        let summary = fall.summary(0.1);
        assert_eq!((summary.status, &summary.reason, summary.rises), (Status::Finished, &None, Some(false)));
        assert_eq!((summary.loss_early, summary.loss_late), (Some(totals[0] - totals[50]), Some(totals[0] - totals[200])));
        assert!(totals[50] < -0.1 && totals[200] < totals[50] && summary.oscillation > Some(0.0));
    }

    #[test]
    fn tight_and_exact_solves_agree() {
        // before rounding has grown
        let [tight, exact] =
            [to(Tolerance::Fixed(1e-8)), exact()].map(|settings| small(Damping::Projected(10.0), settings).summary(0.1));
        assert!((tight.loss_early.unwrap() / exact.loss_early.unwrap() - 1.0).abs() < 1e-3);
        assert!(tight.iterations > 0 && exact.iterations == 0);
    }

    #[test]
    fn plain_damping_keeps_the_sheet_from_falling_and_projected_damping_does_not() {
        let lowest = |damping| small(damping, Settings::default()).summary(0.1).lowest_time.unwrap();
        let free = lowest(Damping::None);
        assert!(lowest(Damping::Plain(10.0)) > 1.5 * free);
        assert!((lowest(Damping::Projected(10.0)) / free - 1.0).abs() < 0.1);
    }

    #[test]
    fn runs_that_fail_say_why() {
        let gradients = ConjugateGradients { iteration_limit: 1, ..ConjugateGradients::to(Tolerance::Fixed(0.0)) };
        let fall = small(Damping::None, Settings::from(gradients));
        let summary = fall.summary(f64::INFINITY);
        assert!(summary.status != Status::Finished, "{summary:?}");
        assert!(summary.reason.unwrap().contains("limit of iterations in "));
        let heavy = Fall { density: 1e307, ..small(Damping::None, Settings::default()) };
        let summary = heavy.summary(0.1);
        assert_eq!((summary.status, summary.loss_late), (Status::NotFinite, None));
        let refused = Fall { density: -1.0, ..small(Damping::None, Settings::default()) };
        assert_eq!(refused.summary(0.1).status, Status::Refused);
    }

    #[test]
    fn a_rise_that_is_lost_again_ends_no_run() {
        // one step of free fall overstretches a stiff sheet of small spacing
        let fall = Fall { spacing: 0.01, step: 0.02, time_scale: 0.25, ..small(Damping::None, Settings::default()) };
        let summary = fall.summary(0.1);
        assert_eq!((summary.status, &summary.reason, summary.rises), (Status::Finished, &None, Some(true)));
        assert!(summary.loss_late > Some(0.0) && fall.summary(f64::INFINITY).rises == Some(false));
    }

    #[test]
    fn the_law_of_bending_moves_a_fall() {
        let late = |line_from| {
            let fall = Fall { bend: 1.0, line_from, ..small(Damping::None, exact()) };
            fall.summary(0.1).loss_late.unwrap()
        };
        assert!(late(0.0) != late(0.9) && late(0.9) != late(1.0));
    }

    #[test]
    fn small_numbers_are_written_with_powers_of_ten() {
        assert_eq!([0.01, 1.0, 0.0, 1e-6, 3e-4].map(plainly), ["0.01", "1", "0", "1e-6", "3e-4"]);
    }
}
