//! Whole runs, a row each: the printed scene under other readings, and random sheets.

use cloth::Terms;
use cloth::implicit::{DiagonalKind, Newton, PreconditionerKind, Settings, Solver, Start, Tolerance};
use cloth::quantity::{NonNegative, Positive};
use lab::measure::streams::pick;
use lab::prelude::*;
use rand::RngExt;

use super::energies::{LINE_FROM, SceneRanges};
use super::fall::{Damping, Fall, LATE, newton_name, plainly, preconditioner_name, solver_name, start_name, terms_name, to};
use crate::ranges::{Count, List, Side};

row! {
    /// A run and what it came to.
    #[derive(Debug, PartialEq)]
    pub struct RunRow {
        /// what is varied; tight: with the small fixed tolerance
        pub reading: String,
        /// its value; of a solver its start, warm from the last solution or cold from zero, and its preconditioner
        pub value: String,
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// kb of the springs to the second neighbours \[N/m\]
        pub bend: f64,
        /// ratio to its length from which a bend spring pushes by a line, by a polynomial below it
        pub line_from: f64,
        /// dt, time step \[s\]
        pub step: f64,
        /// stopping rule of conjugate gradients
        pub solver: String,
        /// one step, or converged
        pub newton: String,
        /// derivatives kept in the matrix: as in the thesis, with (3.16), or all
        pub terms: String,
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
        pub status: String,
        /// why it did not finish
        pub reason: Option<String>,
    }
}

pub fn row(reading: &str, value: &str, fall: &Fall, margin: f64) -> RunRow {
    let summary = fall.summary(margin);
    let [stretch_stiffness, shear_stiffness] = fall.stiffness;
    RunRow {
        reading: reading.into(),
        value: value.into(),
        damping: fall.damping.name().into(),
        coefficient: fall.damping.coefficient(),
        side: fall.side,
        spacing: fall.spacing,
        density: fall.density,
        stretch_stiffness,
        shear_stiffness,
        bend: fall.bend,
        line_from: fall.line_from,
        step: fall.step,
        solver: solver_name(&fall.settings),
        newton: newton_name(fall.settings.newton).into(),
        terms: terms_name(fall.settings.terms).into(),
        loss_early: summary.loss_early,
        loss_late: summary.loss_late,
        oscillation: summary.oscillation,
        lowest_time: summary.lowest_time,
        rises: summary.rises,
        iterations: summary.iterations,
        status: summary.status.into(),
        reason: summary.reason,
    }
}

/// Work of a run, roughly: particles times steps.
fn weight(fall: &Fall) -> u64 {
    (fall.side * fall.side) as u64 * fall.steps(LATE)
}

/// What is varied in the printed scene.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingRanges {
    /// c \[1/s\], under both readings of the stopping rule.
    pub tolerances: List<NonNegative>,
    /// dt \[s\], with the tolerance of the scene and with the tight one.
    pub steps: List<Positive>,
    /// n, for a sheet of the same size.
    pub sides: List<Side>,
    /// kd of plain damping \[N s/m\].
    pub plain: List<NonNegative>,
    /// kd of projected damping \[N s/m\].
    pub projected: List<NonNegative>,
    /// kb \[N/m\].
    pub bends: List<NonNegative>,
    /// Change of velocity at which Newton's method ends \[m/s\].
    pub newton_tolerance: Positive,
    /// Most iterations of Newton's method.
    pub newton_limit: Count,
    /// n of the converged runs and of those one step that they are compared with.
    pub newton_side: Side,
}

/// The printed scene under other readings.
pub struct Readings {
    pub scene: SceneRanges,
    /// What is varied.
    pub ranges: ReadingRanges,
}

/// A run with the words that it goes by.
#[derive(Clone, Debug)]
pub struct Reading {
    reading: &'static str,
    value: String,
    fall: Fall,
}

impl Readings {
    /// The scene's sheet with another number of particles a side.
    fn resized(&self, fall: Fall, side: Side) -> Fall {
        let side = side.get() as usize;
        let length = fall.spacing * (fall.side - 1) as f64;
        Fall { side, spacing: length / (side - 1) as f64, ..fall }
    }

    fn all(&self) -> Vec<Reading> {
        let (scene, ranges) = (&self.scene, &self.ranges);
        let (settings, tight) = (scene.settings(), scene.tight_settings());
        let mut all = vec![];
        let mut three = |reading, value: String, settings: Settings, change: &dyn Fn(Fall) -> Fall| {
            for damping in scene.dampings() {
                all.push(Reading { reading, value: value.clone(), fall: change(scene.fall(damping, settings)) });
            }
        };
        for c in ranges.tolerances.values() {
            three("tol² = c dt", format!("c = {}", plainly(c.get())), to(Tolerance::RootOfStep(c.get())), &|fall| fall);
        }
        for c in ranges.tolerances.values() {
            three("tol = c dt", format!("c = {}", plainly(c.get())), to(Tolerance::Step(c.get())), &|fall| fall);
        }
        for start in [Start::Corrected, Start::Original] {
            // A-Block is CP where all constraints are pins
            for kind in [
                PreconditionerKind::None,
                PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal),
                PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
            ] {
                let (mut other, value) = (settings, format!("{}, {}", start_name(start), preconditioner_name(kind)));
                if let Solver::ConjugateGradients(gradients) = &mut other.solver {
                    (gradients.preconditioner, gradients.start) = (kind, start);
                }
                three("solver", value, other, &|fall| fall);
            }
        }
        for step in ranges.steps.values() {
            let step = step.get();
            three("step", format!("{step} s"), settings, &|fall| Fall { step, ..fall });
            three("tight, step", format!("{step} s"), tight, &|fall| Fall { step, ..fall });
        }
        for side in ranges.sides.values() {
            three("side", format!("{}", side.get()), settings, &|fall| self.resized(fall, *side));
        }
        for bend in ranges.bends.values() {
            let bend = bend.get();
            three("kb", format!("{bend} N/m"), settings, &|fall| Fall { bend, ..fall });
        }
        for terms in [Terms::DampingByPosition, Terms::Exact] {
            three("derivatives", terms_name(terms).into(), Settings { terms, ..settings }, &|fall| fall);
        }
        let converged = Newton::Converged { tolerance: ranges.newton_tolerance.get(), limit: ranges.newton_limit.get() as usize };
        for newton in [Newton::Once, converged] {
            let settings = Settings { newton, ..tight };
            three("Newton", newton_name(newton).into(), settings, &|fall| self.resized(fall, ranges.newton_side));
        }
        let plain = ranges.plain.values().iter().map(|kd| Damping::Plain(kd.get()));
        let projected = ranges.projected.values().iter().map(|kd| Damping::Projected(kd.get()));
        for damping in plain.chain(projected) {
            let value = format!("{} N s/m", damping.coefficient());
            for (reading, settings) in [("coefficient", settings), ("tight, coefficient", tight)] {
                all.push(Reading { reading, value: value.clone(), fall: scene.fall(damping, settings) });
            }
        }
        all
    }
}

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str =
        "the printed scene with other tolerances, steps, meshes, coefficients and derivatives, a run a row";
    type Case = Reading;
    type Row = RunRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.all()
    }

    fn kin(&self, case: &Reading) -> u64 {
        weight(&case.fall)
    }

    fn measure(&self, Reading { reading, value, fall }: &Reading) -> Vec<RunRow> {
        vec![row(reading, value, fall, self.scene.energy_margin.get())]
    }
}

/// How the start of the printed scene is perturbed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PerturbedRanges {
    pub sets: Count,
    /// Largest height over h \[-\].
    pub height: Positive,
}

/// The printed scene, its particles a hair above or below the plane at the start, with three tolerances: the claims are judged over
/// these starts.
pub struct Perturbed {
    pub scene: SceneRanges,
    pub ranges: PerturbedRanges,
}

impl Perturbed {
    /// A start of the scene without damping that is not quite flat.
    pub fn start(&self, stream: &mut ChaCha8Rng) -> Fall {
        let fall = self.scene.fall(Damping::None, self.scene.settings());
        let most = self.ranges.height.get() * fall.spacing;
        let heights = (0..fall.side * fall.side).map(|_| most * (2.0 * stream.random::<f64>() - 1.0)).collect();
        Fall { heights, ..fall }
    }

    /// What the starts go by.
    pub fn words(&self) -> String {
        format!("{} h", plainly(self.ranges.height.get()))
    }
}

impl Group for Perturbed {
    const NAME: &'static str = "perturbed";
    const ABOUT: &'static str = "the printed scene with random heights, small against the spacing, at the start, a run a row";
    type Case = Fall;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Fall {
        self.start(stream)
    }

    fn measure(&self, fall: &Fall) -> Vec<RunRow> {
        let margin = self.scene.energy_margin.get();
        let value = self.words();
        let mut rows = vec![];
        for settings in self.scene.readings_of_tolerance() {
            for damping in self.scene.dampings() {
                rows.push(row("heights", &value, &Fall { damping, settings, ..fall.clone() }, margin));
            }
        }
        rows
    }
}

/// Lists that random sheets are drawn from.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SetRanges {
    pub sets: Count,
    /// n, particles a side.
    pub side: List<Side>,
    /// h \[m\].
    pub spacing: List<Positive>,
    /// rho \[kg/m²\].
    pub density: List<Positive>,
    /// ks of stretch and of shear \[N/m\].
    pub stiffness: List<NonNegative>,
    /// kb \[N/m\].
    pub bend: List<NonNegative>,
    /// kd of both dampings \[N s/m\].
    pub damping: List<NonNegative>,
    /// dt \[s\].
    pub step: List<Positive>,
}

/// Random sheets, each without damping and with both dampings of equal kd, with both readings of the tolerance.
pub struct Sets {
    /// The printed scene.
    pub scene: SceneRanges,
    /// What is drawn.
    pub ranges: SetRanges,
}

impl Group for Sets {
    const NAME: &'static str = "sets";
    const ABOUT: &'static str = "random sheets without damping and with both dampings of equal coefficient, a run a row";
    type Case = Fall;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Fall {
        let ranges = &self.ranges;
        let side = pick(stream, ranges.side.values()).get() as usize;
        let spacing = pick(stream, ranges.spacing.values()).get();
        let density = pick(stream, ranges.density.values()).get();
        let stiffness = [(); 2].map(|()| pick(stream, ranges.stiffness.values()).get());
        let bend = pick(stream, ranges.bend.values()).get();
        let damping = Damping::Projected(pick(stream, ranges.damping.values()).get());
        let step = pick(stream, ranges.step.values()).get();
        let time_scale = (spacing * (side - 1) as f64).sqrt(); // as a pendulum of the side's length, over 1 m
        let settings = self.scene.settings();
        Fall {
            side,
            spacing,
            density,
            stiffness,
            bend,
            line_from: LINE_FROM,
            damping,
            step,
            time_scale,
            settings,
            bends_explicitly: false,
            heights: vec![],
        }
    }

    fn kin(&self, case: &Fall) -> u64 {
        weight(case)
    }

    fn measure(&self, fall: &Fall) -> Vec<RunRow> {
        let kd = fall.damping.coefficient();
        let mut rows = vec![];
        for settings in [fall.settings, self.scene.printed_settings()] {
            for damping in [Damping::None, Damping::Plain(kd), Damping::Projected(kd)] {
                let run = Fall { damping, settings, ..fall.clone() };
                rows.push(row("kd", &format!("{kd} N s/m"), &run, self.scene.energy_margin.get()));
            }
        }
        rows
    }
}
