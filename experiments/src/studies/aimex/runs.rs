//! The random sheets by AIMEX and fully implicit, side by side: how far apart they get, and what each costs.

use cloth::contact::{Coulomb, Friction};
use cloth::implicit::{MatrixForm, Settings, Solver, Splitting};
use cloth::quantity::Positive;
use cloth::{Invalid, System};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use crate::ranges::Count;
use crate::sheets::{Configuration, EnergyGain, Lists, Run, Sheet, UNSTABLE, largest_difference};

/// Lists that sets are drawn from, and how they are run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RunRanges {
    /// Number of sets.
    pub sets: Count,
    /// Sets that are run under other assumptions too: the first ones.
    pub readings: Count,
    /// What they are drawn from.
    pub lists: Lists,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    pub threshold: Positive,
}

/// How both schemes are run.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// Its name in the tables.
    pub name: &'static str,
    /// c of tol² = c dt \[1/s\].
    pub tolerance: f64,
    /// Whether AIMEX treats bending implicitly.
    pub bend: bool,
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
    tolerance: 0.01,
    bend: false,
    friction: coulomb(0.5, 0.3),
    form: MatrixForm::Fastest,
};

/// Other assumptions.
pub const READINGS: [Assumption; 6] = [
    Assumption { name: "bending implicit in AIMEX too", bend: true, ..USUAL },
    Assumption { name: "tolerance c = 1e-6", tolerance: 1e-6, ..USUAL },
    Assumption { name: "no friction", friction: coulomb(0.0, 0.0), ..USUAL },
    Assumption { name: "friction 0.2, 0.12 when sliding", friction: coulomb(0.2, 0.12), ..USUAL },
    Assumption { name: "friction 1, 0.6 when sliding", friction: coulomb(1.0, 0.6), ..USUAL },
    Assumption { name: "sticking contact", friction: Friction::Sticking, ..USUAL },
];

impl Assumption {
    /// Whether it changes nothing for a sheet: friction for one that hangs.
    fn is_idle(&self, sheet: &Sheet) -> bool {
        sheet.configuration == Configuration::Corners && self.friction != USUAL.friction
    }

    /// Settings of both schemes.
    pub fn settings(&self) -> Settings {
        let mut solver = Solver::default();
        if let Solver::ConjugateGradients { tolerance, .. } = &mut solver {
            *tolerance = self.tolerance;
        }
        Settings { solver, form: self.form, ..Settings::default() }
    }

    /// A sheet by AIMEX, or fully implicit.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn run(&self, sheet: &Sheet, threshold: f64, adaptive: bool) -> Result<Run, Invalid> {
        let splitting = if adaptive { Splitting::Adaptive { threshold, bend: self.bend } } else { Splitting::Implicit };
        Run::new(sheet, self.settings(), splitting, self.friction)
    }

    /// A sheet by AIMEX and fully implicit.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn pair(&self, sheet: &Sheet, threshold: f64) -> Result<[Run; 2], Invalid> {
        Ok([self.run(sheet, threshold, true)?, self.run(sheet, threshold, false)?])
    }

    /// Whether both schemes are the same for a sheet, so that one of them tells of both.
    fn is_implicit(&self, sheet: &Sheet, threshold: f64) -> bool {
        self.bend && sheet.is_implicit(sheet.step, threshold)
    }
}

/// Status of a set both of whose runs came to their end.
pub const FINISHED: &str = "finished";

/// Statuses of the others that were run: which schemes are unstable.
pub const AIMEX_UNSTABLE: &str = "AIMEX unstable";
pub const IMPLICIT_UNSTABLE: &str = "implicit unstable";
pub const BOTH_UNSTABLE: &str = "both unstable";

/// A set, and what came of its two runs.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RunRow {
    pub reading: String,
    pub configuration: String,
    pub side: usize,
    pub spacing: f64,
    pub density: f64,
    pub stretch_stiffness: f64,
    pub shear_stiffness: f64,
    pub bend: f64,
    pub stretch_damping: f64,
    pub shear_damping: f64,
    pub air: f64,
    pub step: f64,
    pub stretch_kappa: f64,
    pub shear_kappa: f64,
    pub bending_number: f64,
    pub splitting: String,
    pub status: String,
    pub reason: Option<String>,
    pub difference: Option<f64>,
    pub differs_at: Option<f64>,
    pub aimex_iterations: u64,
    pub implicit_iterations: u64,
    pub aimex_most: u64,
    pub aimex_gain: f64,
    pub implicit_gain: f64,
    pub stretch: Option<f64>,
    pub passed: u64,
}

const COLUMNS: &[Column] = &[
    Column::text("reading", "what the runs assume"),
    Column::text("configuration", "corners (two are pinned), table or sphere (it falls onto it)"),
    Column::integer("side", "n, particles a side"),
    Column::number("spacing", "m", "h, mesh spacing"),
    Column::number("density", "kg/m²", "rho, areal density"),
    Column::number("stretch_stiffness", "N/m", "ks1, of the springs to the nearest neighbours"),
    Column::number("shear_stiffness", "N/m", "ks2, of the springs to the diagonal neighbours"),
    Column::number("bend", "N/m", "ks3, of the springs to the second neighbours"),
    Column::number("stretch_damping", "N s/m", "kd1, of the springs to the nearest neighbours"),
    Column::number("shear_damping", "N s/m", "kd2, of the springs to the diagonal neighbours"),
    Column::number("air", "N s/m", "kd, air resistance of a particle"),
    Column::number("step", "s", "dt, time step"),
    Column::number("stretch_kappa", "-", "dt/m (ks dt + 2 kd) of stretch"),
    Column::number("shear_kappa", "-", "dt/m (ks dt + 2 kd) of shear"),
    Column::number("bending_number", "-", "32.1 kb dt²/m: explicit bending is unstable above about 1"),
    Column::text("splitting", "how AIMEX treats stretch/shear"),
    Column::text("status", "finished, AIMEX unstable, implicit unstable, both unstable, or refused"),
    Column::text("reason", "what went wrong, in the linear systems too"),
    Column::number("difference", "-", "largest difference of a coordinate between the two runs, over h"),
    Column::number("differs_at", "s", "when it occurred"),
    Column::integer("aimex_iterations", "iterations of conjugate gradients, AIMEX"),
    Column::integer("implicit_iterations", "iterations of conjugate gradients, fully implicit"),
    Column::integer("aimex_most", "most iterations in one step, AIMEX"),
    Column::number("aimex_gain", "-", "largest energy gain in the last tenth over a fall by the sheet's length, AIMEX"),
    Column::number("implicit_gain", "-", "the same, fully implicit"),
    Column::number("stretch", "-", "largest |x|/L of the implicit run at its end"),
    Column::integer("passed", "particle steps of both runs in which cloth passed the solid"),
];

impl RunRow {
    /// A set before it is run.
    fn new(sheet: &Sheet, threshold: f64, reading: &str) -> RunRow {
        let [stretch_kappa, shear_kappa] = sheet.kappas(sheet.step);
        RunRow {
            reading: reading.into(),
            configuration: sheet.configuration.name().into(),
            side: sheet.side,
            spacing: sheet.spacing,
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            bend: sheet.bend,
            stretch_damping: sheet.stretch.damping,
            shear_damping: sheet.shear.damping,
            air: sheet.air,
            step: sheet.step,
            stretch_kappa,
            shear_kappa,
            bending_number: sheet.bending_number(sheet.step),
            splitting: sheet.splitting(sheet.step, threshold).into(),
            status: FINISHED.into(),
            reason: None,
            difference: None,
            differs_at: None,
            aimex_iterations: 0,
            implicit_iterations: 0,
            aimex_most: 0,
            aimex_gain: 0.0,
            implicit_gain: 0.0,
            stretch: None,
            passed: 0,
        }
    }

    /// Whether both runs came to their end in a stable way.
    pub fn is_finished(&self) -> bool {
        self.status == FINISHED
    }

    /// CG iterations of AIMEX over those of the implicit scheme, where both came to their end.
    pub fn iteration_ratio(&self) -> Option<f64> {
        let measured = self.is_finished() && self.implicit_iterations > 0;
        measured.then(|| self.aimex_iterations as f64 / self.implicit_iterations as f64)
    }
}

/// Runs a sheet by both schemes, step by step side by side, or by one where they are the same.
pub fn side_by_side(sheet: &Sheet, ranges: &RunRanges, assumption: &Assumption) -> RunRow {
    let threshold = ranges.threshold.get();
    let row = RunRow::new(sheet, threshold, assumption.name);
    match assumption.pair(sheet, threshold) {
        Ok([aimex, implicit]) => {
            let aimex = (!assumption.is_implicit(sheet, threshold)).then_some(aimex);
            compare(aimex, implicit, sheet, ranges.duration.get(), row)
        }
        Err(invalid) => RunRow { status: "refused".into(), reason: Some(invalid.to_string()), ..row },
    }
}

/// Runs both for a duration \[s\], and fills in their row; without AIMEX the implicit run stands for both.
fn compare(mut aimex: Option<Run>, mut implicit: Run, sheet: &Sheet, duration: f64, row: RunRow) -> RunRow {
    let steps = (duration / sheet.step).round() as u64;
    let mut gains = [EnergyGain::new(&implicit.cloth, &implicit.state); 2];
    let (mut difference, mut differs_at) = (0.0, 0.0);
    let mut finite = [true; 2];
    for step in 1..=steps {
        let is_finite = implicit.step(sheet.step);
        finite = [aimex.as_mut().map_or(is_finite, |aimex| aimex.step(sheet.step)), is_finite];
        if finite != [true; 2] {
            break;
        }
        let now = aimex.as_ref().map_or(0.0, |aimex| largest_difference(&aimex.state, &implicit.state));
        if now > difference {
            (difference, differs_at) = (now, step as f64 * sheet.step);
        }
        // ten looks at the last tenth are enough
        if step * 10 >= steps * 9 && (step % (steps / 100).max(1) == 0 || step == steps) {
            let both = [aimex.as_ref().unwrap_or(&implicit), &implicit];
            gains.iter_mut().zip(both).for_each(|(gain, run)| gain.watch(&run.cloth, &run.state));
        }
    }
    let aimex = aimex.as_ref().unwrap_or(&implicit);
    let gains = gains.map(|gain| gain.most());
    let stable = [0, 1].map(|k| finite[k] && gains[k] <= UNSTABLE);
    let status = match stable {
        [true, true] => FINISHED,
        [false, true] => AIMEX_UNSTABLE,
        [true, false] => IMPLICIT_UNSTABLE,
        [false, false] => BOTH_UNSTABLE,
    };
    let reasons = [("AIMEX", aimex), ("implicit", &implicit)].into_iter().zip(gains).zip(finite);
    let reasons = reasons.flat_map(|(((name, run), gain), finite)| {
        let unstable = match (finite, gain <= UNSTABLE) {
            (false, _) => Some(format!("{name}: not finite after {} steps", run.steps)),
            (true, false) => Some(format!("{name}: ends with the energy of {gain:.3e} falls by its length")),
            (true, true) => None,
        };
        [unstable, run.trouble().map(|trouble| format!("{name}: {trouble}"))]
    });
    let reasons: Vec<String> = reasons.flatten().collect();
    let relative = difference / sheet.spacing;
    let measured = finite == [true; 2] && relative.is_finite();
    RunRow {
        status: status.into(),
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        difference: measured.then_some(relative),
        differs_at: measured.then_some(differs_at),
        aimex_iterations: aimex.work().iterations,
        implicit_iterations: implicit.work().iterations,
        aimex_most: aimex.most_iterations(),
        aimex_gain: gains[0],
        implicit_gain: gains[1],
        stretch: Some(implicit.cloth.largest_stretch(&implicit.state.x)).filter(|stretch| stretch.is_finite()),
        passed: aimex.passed() + implicit.passed(),
        ..row
    }
}

/// The main group: every set by both schemes.
#[derive(Clone)]
pub struct Runs(pub RunRanges);

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "random sheets by AIMEX and fully implicit, side by side";
    const COLUMNS: &'static [Column] = COLUMNS;
    type Case = Sheet;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        weight(case)
    }

    fn measure_block(&self, cases: &[Sheet], done: &mut dyn FnMut(usize, Vec<RunRow>)) {
        for (k, sheet) in cases.iter().enumerate() {
            done(k, vec![side_by_side(sheet, &self.0, &USUAL)]);
        }
    }
}

/// Particle steps a second, so that long runs come first.
fn weight(sheet: &Sheet) -> u64 {
    ((sheet.side * sheet.side) as u64).saturating_mul((1.0 / sheet.step) as u64)
}

/// The first sets again, under each other assumption.
#[derive(Clone)]
pub struct Readings(pub RunRanges);

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the first sets of the main group under other assumptions; friction for sheets on solids only";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SCENES: &'static str = Runs::NAME;
    type Case = Sheet;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.readings.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        weight(case)
    }

    fn measure_block(&self, cases: &[Sheet], done: &mut dyn FnMut(usize, Vec<RunRow>)) {
        for (k, sheet) in cases.iter().enumerate() {
            let readings = READINGS.iter().filter(|reading| !reading.is_idle(sheet));
            done(k, readings.map(|reading| side_by_side(sheet, &self.0, reading)).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use cloth::Elastic;

    use super::*;

    #[test]
    fn the_implicit_run_stands_for_both_schemes_where_no_spring_is_explicit() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        let [bend_implicit, ..] = READINGS;
        for configuration in [Configuration::Corners, Configuration::Table, Configuration::Sphere] {
            let sheet = Sheet {
                configuration,
                side: 8,
                spacing: 0.1,
                density: 0.3,
                stretch: elastic,
                shear: elastic,
                bend: 0.01,
                air: 0.0,
                step: 0.01,
            };
            let row = |assumption: &Assumption, alone: bool| {
                let [aimex, implicit] = assumption.pair(&sheet, 0.2).expect("a sheet");
                compare((!alone).then_some(aimex), implicit, &sheet, 0.3, RunRow::new(&sheet, 0.2, assumption.name))
            };
            assert!(bend_implicit.is_implicit(&sheet, 0.2) && !USUAL.is_implicit(&sheet, 0.2));
            assert_eq!(row(&bend_implicit, true), row(&bend_implicit, false));
            assert_ne!(row(&USUAL, true), row(&USUAL, false));
            let soft = Sheet { shear: Elastic { stiffness: 1.0, damping: 0.0 }, ..sheet };
            assert!(!bend_implicit.is_implicit(&soft, 0.2));
        }
    }
}
