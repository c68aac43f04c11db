//! A sheet held at two corners falls from the horizontal: how it is damped and integrated, and what a run comes to.

use cloth::implicit::{DiagonalKind, Newton, PreconditionerKind, Settings, Solver, Start, Work};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{Cloth, DampingForm, Elastic, Energies, Grid, Invalid, Material, Pin, State, System, Terms};

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
    /// How it is damped.
    pub damping: Damping,
    /// dt \[s\].
    pub step: f64,
    /// Length of the run over [`LATE`], and of all other times over theirs \[-\].
    pub time_scale: f64,
    /// Of the integrator.
    pub settings: Settings,
    /// Heights at the start \[m\], shape \[side²\]; flat without them. Pinned particles stay where they are.
    pub heights: Vec<f64>,
}

/// The settings of the thesis with another tolerance c \[1/s\].
pub fn tolerance(c: f64) -> Settings {
    let mut settings = Settings::default();
    if let Solver::ConjugateGradients { tolerance, .. } = &mut settings.solver {
        *tolerance = c;
    }
    settings
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
    match settings.solver {
        Solver::ConjugateGradients { tolerance, .. } => format!("c = {}", plainly(tolerance)),
        Solver::Direct => "exact".into(),
    }
}

/// A preconditioner in words, for tables.
pub fn preconditioner_name(kind: PreconditionerKind) -> &'static str {
    match kind {
        PreconditionerKind::None => "none",
        PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal) => "diagonal",
        PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock) => "A-Block",
        PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained) => "CP",
        PreconditionerKind::IncompleteCholesky => "incomplete Cholesky",
        PreconditionerKind::Ssor => "SSOR",
        PreconditionerKind::Multigrid => "multigrid",
    }
}

/// A start of conjugate gradients in words, for tables: from the last solution, or from zero.
pub fn start_name(start: Start) -> &'static str {
    match start {
        Start::Original => "cold",
        Start::Corrected => "warm",
    }
}

/// How often a step is linearised, in words, for tables.
pub fn newton_name(newton: Newton) -> &'static str {
    match newton {
        Newton::Once => "one step",
        Newton::Converged { .. } => "converged",
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
    /// The state.
    pub state: &'a State,
    /// Its energies.
    pub energies: Energies,
    /// Iterations of conjugate gradients in this step.
    pub iterations: u64,
    /// What went wrong in this step.
    pub trouble: Option<&'static str>,
    /// Whether it is the last moment of a run that blew up.
    pub blew_up: bool,
}

/// Status of a run, and of a step, in which nothing went wrong.
pub const FINISHED: &str = "finished";
/// Status of a run, and of a step, that led out of the finite numbers or to energies without meaning.
pub const BLEW_UP: &str = "blew up";
/// Status of a run, and of a step, with a linear or nonlinear system that was not solved.
pub const NOT_CONVERGED: &str = "not converged";
/// Status of a run whose energy rose.
pub const GAINED: &str = "gained energy";
/// Status of a run that could not begin.
pub const REFUSED: &str = "refused";

/// Gain of energy over the largest gravitational drop so far beyond which a run has blown up \[-\].
const WILD: f64 = 1000.0;

const NOT_FINITE: &str = "a number is not finite";
const GONE_WILD: &str = "the energy rose beyond 1000 times the gravitational drop";

impl Fall {
    fn cloth(&self) -> Result<Cloth, Invalid> {
        let damping = self.damping.coefficient();
        let [stretch, shear] = self.stiffness.map(|stiffness| Elastic { stiffness, damping });
        let form = if matches!(self.damping, Damping::Plain(_)) { DampingForm::Plain } else { DampingForm::Projected };
        let material = Material { density: self.density, stretch, shear, bend: self.bend, damping: form, ..Material::default() };
        let pins = [Pin::At(0, 0), Pin::At(self.side - 1, 0)];
        Cloth::new(Grid::new(self.side, self.side, self.spacing)?, material, &pins)
    }

    /// Steps to a time of the printed scene \[s\].
    pub fn steps(&self, time: f64) -> u64 {
        (time * self.time_scale / self.step).round() as u64
    }

    /// Runs it; `each` sees the start and what every step leaves. It ends early where it blows up.
    ///
    /// # Errors
    /// A sheet that the model refuses.
    pub fn run(&self, mut each: impl FnMut(&Moment)) -> Result<(), Invalid> {
        let cloth = self.cloth()?;
        let mut scheme = BackwardEuler::new(&cloth, self.settings);
        let mut state = cloth.at_rest();
        for ((x, height), pinned) in state.x.iter_mut().zip(&self.heights).zip(cloth.pinned()) {
            x.z = if *pinned { 0.0 } else { *height };
        }
        let mut before = Work::default();
        let (start, mut lowest) = (cloth.energies(&state).total(), 0.0_f64);
        for step in 0..=self.steps(LATE) {
            if step > 0 {
                scheme.step(&cloth, self.step, &mut state);
            }
            let work = scheme.work();
            let energies = cloth.energies(&state);
            lowest = energies.gravitational.min(lowest);
            let fate = if !(state.is_finite() && energies.total().is_finite()) {
                Some(NOT_FINITE)
            } else {
                (energies.total() - start > -WILD * lowest).then_some(GONE_WILD)
            };
            let (trouble, blew_up) = (fate.or_else(|| trouble(&before, &work)), fate.is_some());
            each(&Moment { step, state: &state, energies, iterations: work.iterations - before.iterations, trouble, blew_up });
            before = work;
            if blew_up {
                break;
            }
        }
        Ok(())
    }

    /// Runs it and sums up. The energy of a run rises where at some time it exceeds that of the start by `margin` times the
    /// largest gravitational drop so far.
    pub fn summary(&self, margin: f64) -> Summary {
        let mut summary = Summary::default();
        let (mut internal, mut start, mut lowest, mut gained) = (vec![], 0.0, 0.0, false);
        let (mut troubles, mut blew_up): (Vec<(&'static str, u64)>, bool) = (vec![], false);
        let (early, late) = (self.steps(EARLY), self.steps(LATE));
        let ran = self.run(|moment| {
            summary.iterations += moment.iterations;
            if let Some(trouble) = moment.trouble {
                match troubles.iter_mut().find(|(what, _)| *what == trouble) {
                    Some((_, count)) => *count += 1,
                    None => troubles.push((trouble, 1)),
                }
            }
            if moment.blew_up {
                blew_up = true;
                return;
            }
            let total = moment.energies.total();
            if moment.step == 0 {
                start = total;
            }
            internal.push(moment.energies.internal());
            if moment.energies.gravitational < lowest {
                lowest = moment.energies.gravitational;
                summary.lowest_time = Some(moment.step as f64 * self.step);
            }
            gained |= total - start > -margin * lowest;
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
        summary.status = match &ran {
            Err(_) => REFUSED,
            Ok(()) if blew_up => BLEW_UP,
            Ok(()) if !troubles.is_empty() => NOT_CONVERGED,
            Ok(()) if gained => GAINED,
            Ok(()) => FINISHED,
        };
        summary.reason = match ran {
            Err(refusal) => Some(refusal.to_string()),
            Ok(()) if !troubles.is_empty() => Some(troubles.iter().map(tell).collect::<Vec<_>>().join("; ")),
            Ok(()) => gained.then(|| format!("the energy rose by more than {margin} of the gravitational drop")),
        };
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

/// What a run comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Energy lost at [`EARLY`] \[J\].
    pub loss_early: Option<f64>,
    /// Energy lost at [`LATE`] \[J\].
    pub loss_late: Option<f64>,
    /// rms of the high-passed internal energy \[J\].
    pub oscillation: Option<f64>,
    /// When the gravitational energy is least \[s\].
    pub lowest_time: Option<f64>,
    /// Iterations of conjugate gradients.
    pub iterations: u64,
    /// How it ended.
    pub status: &'static str,
    /// Why it did not finish.
    pub reason: Option<String>,
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
            damping,
            step: 0.01,
            time_scale: 1.0,
            settings,
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
        assert_eq!((summary.status, &summary.reason), (FINISHED, &None));
        assert_eq!((summary.loss_early, summary.loss_late), (Some(totals[0] - totals[50]), Some(totals[0] - totals[200])));
        assert!(totals[50] < -0.1 && totals[200] < totals[50] && summary.oscillation > Some(0.0));
    }

    #[test]
    fn tight_and_exact_solves_agree() {
        // before rounding has grown
        let [tight, exact] = [tolerance(1e-14), exact()].map(|settings| small(Damping::Projected(10.0), settings).summary(0.1));
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
        let mut fall = small(Damping::None, tolerance(0.0));
        if let Solver::ConjugateGradients { iteration_limit, .. } = &mut fall.settings.solver {
            *iteration_limit = 1;
        }
        let summary = fall.summary(f64::INFINITY);
        assert!([NOT_CONVERGED, BLEW_UP].contains(&summary.status), "{summary:?}");
        assert!(summary.reason.unwrap().contains("limit of iterations in "));
        let heavy = Fall { density: 1e307, ..small(Damping::None, Settings::default()) };
        let summary = heavy.summary(0.1);
        assert_eq!((summary.status, summary.loss_late), (BLEW_UP, None));
        let refused = Fall { density: -1.0, ..small(Damping::None, Settings::default()) };
        assert_eq!(refused.summary(0.1).status, REFUSED);
    }

    #[test]
    fn small_numbers_are_written_with_powers_of_ten() {
        assert_eq!([0.01, 1.0, 0.0, 1e-6, 3e-4].map(plainly), ["0.01", "1", "0", "1e-6", "3e-4"]);
    }
}
