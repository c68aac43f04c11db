//! Runs of the flag from start to end, in random settings and in those of a list.

use kit::prelude::*;

use super::flag::{COMPARED, Flag, Flags, Scheme, Setting, hessian, newton};
use super::flag_run::{Course, Run};
use super::measures::{Decay, Swing, decay, swing};

row! {
    /// A run of the flag.
    pub struct FlagRow {
        /// side of the square flag \[m\]
        pub side: f64,
        /// Y, stiffness of stretch along warp and weft \[N/m\]
        pub stiffness: f64,
        /// stiffness of shear over Y
        pub shear: f64,
        /// stiffness of a hinge \[J\]
        pub bend: f64,
        /// of the driven corners, out of the flag's plane \[m\]
        pub amplitude: f64,
        /// exact or filtered
        pub hessian: String,
        /// Newton steps: once or converged
        pub newton: String,
        /// flat: without strain, its weight set free; resting: at rest under its weight
        pub start: String,
        /// number of the displacement of a micrometre with which it starts; 0 for none
        pub nudge: u32,
        /// the time integrator; rk4 is the reference
        pub scheme: String,
        /// high-frequency dissipation limit of generalized-alpha; none for others
        pub rho_inf: Option<f64>,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished, unstable or refused
        pub status: Status,
        /// what went wrong
        pub reason: Option<String>,
        /// sigma of exp(-sigma t) through the logarithms of the energy while the corners are held; none where it blew up \[1/s\]
        pub rate: Option<f64>,
        /// sigma by least squares in the energies themselves \[1/s\]
        pub rate_of_energies: Option<f64>,
        /// energy over that at rest when the corners are held, mean over a second \[J\]
        pub held: Option<f64>,
        /// energy over that at rest at the end, mean over a second \[J\]
        pub left: Option<f64>,
        /// of the swing of the lower edge in the window; none where it does not swing \[s\]
        pub period: Option<f64>,
        /// amplitude of the swing of the lower edge in the window \[m\]
        pub swing: Option<f64>,
        /// steps taken
        pub steps: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// products of a matrix and a vector
        pub products: u64,
        /// steps whose Newton iteration did not converge
        pub unconverged: u64,
        /// largest over smallest eigenvalue of the last step's A for the free particles, as Lanczos sees it; none where it is not
        /// positive definite
        pub condition: Option<f64>,
        /// the same of P⁻¹ A with the constrained blocks P
        pub condition_blocks: Option<f64>,
    }
}

/// Why a run that came to its end has no energies over that at rest, where it has none.
pub fn without_rest(resting: f64) -> Option<String> {
    (!resting.is_finite()).then(|| "the flag was not found to come to rest".into())
}

/// Where the swing is measured: the last of this \[s\], about 26 s after the corners are held as in the paper.
const WINDOW: f64 = 8.0;

impl FlagRow {
    /// Of a setting, a scheme and a step, before anything is measured.
    pub fn begin(setting: &Setting, scheme: Scheme, step: f64) -> FlagRow {
        FlagRow {
            side: setting.side,
            stiffness: setting.stiffness,
            shear: setting.shear,
            bend: setting.bend,
            amplitude: setting.amplitude,
            hessian: hessian(setting.terms).into(),
            newton: newton(setting.newton).into(),
            start: setting.start.name().into(),
            nudge: setting.nudge,
            scheme: scheme.name().into(),
            rho_inf: scheme.limit(),
            step,
            status: Status::Refused,
            ..FlagRow::default()
        }
    }

    /// Whether it came to its end.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }

    /// With what is read off its course, energies being those over `resting` \[J\].
    fn measured(self, ranges: &Flags, course: &Course, resting: f64) -> FlagRow {
        let [condition, condition_blocks] = course.conditions;
        let (driven, duration) = (ranges.driven.get(), ranges.duration.get());
        let mean = |from: f64| {
            let within = course.samples.iter().filter(|sample| sample.time >= from && sample.time < from + 1.0);
            let energies: Vec<f64> = within.map(|sample| sample.energy - resting).collect();
            mean(&energies).filter(|mean| course.blown.is_none() && mean.is_finite())
        };
        let of_decay: Option<Decay> = decay(course, resting, [driven, duration]);
        let of_swing: Option<Swing> = swing(course, duration - WINDOW.min(0.5 * (duration - driven)), duration);
        FlagRow {
            status: if course.blown.is_none() { Status::Finished } else { Status::Unstable },
            reason: course.blown.clone().or_else(|| without_rest(resting)),
            rate: of_decay.map(|decay| decay.rate),
            rate_of_energies: of_decay.map(|decay| decay.rate_of_energies),
            held: mean(driven),
            left: mean(duration - 1.0),
            period: of_swing.map(|swing| swing.period),
            swing: of_swing.map(|swing| swing.amplitude),
            steps: course.steps,
            solves: course.work.solves,
            iterations: course.work.iterations,
            products: course.work.products,
            unconverged: course.work.newton_limited,
            condition,
            condition_blocks,
            ..self
        }
    }
}

/// Schemes with their steps \[s\].
pub type Runs = Vec<(Scheme, f64)>;

/// The runs of a setting, with energies over the lowest rest that is found from its start and from their ends.
pub fn rows(ranges: &Flags, setting: &Setting, runs: &[(Scheme, f64)]) -> Vec<FlagRow> {
    let refused = |scheme, step, invalid: &ModelError| FlagRow {
        reason: Some(invalid.to_string()),
        ..FlagRow::begin(setting, scheme, step)
    };
    let flag = match ranges.flag(setting) {
        Ok(flag) => flag,
        Err(invalid) => return runs.iter().map(|&(scheme, step)| refused(scheme, step, &invalid)).collect(),
    };
    let courses: Vec<Result<Course, ModelError>> =
        runs.iter().map(|&(scheme, step)| course(ranges, &flag, setting, scheme, step)).collect();
    let settled = courses.iter().flatten().filter(|course| course.blown.is_none());
    let (resting, _) = flag.resting(settled.map(|course| &course.end));
    let row = |(&(scheme, step), course): (&(Scheme, f64), &Result<Course, ModelError>)| match course {
        Ok(course) => FlagRow::begin(setting, scheme, step).measured(ranges, course, resting),
        Err(invalid) => refused(scheme, step, invalid),
    };
    runs.iter().zip(&courses).map(row).collect()
}

/// A whole run.
pub fn course(ranges: &Flags, flag: &Flag, setting: &Setting, scheme: Scheme, step: f64) -> Result<Course, ModelError> {
    let mut run = Run::new(flag, scheme, ranges.settings(setting), step)?;
    Ok(run.course(ranges.duration.get(), ranges.sample.get()))
}

/// Both schemes at every step.
pub fn compared(steps: &[Positive]) -> Runs {
    COMPARED.iter().flat_map(|&scheme| steps.iter().map(move |step| (scheme, step.get()))).collect()
}

/// A setting and the runs in it.
pub type Case = (Setting, Runs);

/// A list of settings.
pub trait SettingList: Clone + Send + Sync {
    /// Name of its group.
    const NAME: &'static str;
    /// What is measured.
    const ABOUT: &'static str;

    /// All settings with their runs; what it does not vary is as in `base`.
    fn cases(&self, base: Setting) -> Vec<Case>;
}

/// The settings of a list, each a set.
#[derive(Clone)]
pub struct Listed<L> {
    pub flag: Flags,
    pub list: L,
}

impl<L: SettingList> Group for Listed<L> {
    const NAME: &'static str = L::NAME;
    const ABOUT: &'static str = L::ABOUT;
    type Case = Case;
    type Row = FlagRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.list.cases(self.flag.setting())
    }

    fn kin(&self, (setting, runs): &Case) -> u64 {
        let steps: f64 = runs.iter().map(|(_, step)| 1.0 / step).sum();
        (steps as u64).saturating_mul(if setting.newton == Newton::Once { 1 } else { 2 })
    }

    fn measure(&self, (setting, runs): &Case) -> Vec<FlagRow> {
        rows(&self.flag, setting, runs)
    }
}
