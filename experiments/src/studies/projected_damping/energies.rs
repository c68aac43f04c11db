//! The printed scene: energies over time with three dampings, and what the sheet looks like.

use cloth::implicit::{Settings, Tolerance};
use cloth::quantity::{NonNegative, Positive};
use lab::prelude::*;

use super::fall::{Damping, Fall, LATE, exact, solver_name, to};
use crate::ranges::{Count, List, Side};

/// s = |x|/L from which bending is a line, unless another law is asked for \[-\].
pub const LINE_FROM: f64 = 0.9;

/// The printed scene.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SceneRanges {
    /// n, particles a side.
    pub side: Side,
    /// h \[m\].
    pub spacing: Positive,
    /// rho \[kg/m²\].
    pub density: Positive,
    /// ks of stretch and of shear \[N/m\].
    pub stiffness: NonNegative,
    /// kb \[N/m\].
    pub bend: NonNegative,
    /// dt \[s\].
    pub step: Positive,
    /// kd of plain damping \[N s/m\].
    pub plain: NonNegative,
    /// kd of projected damping \[N s/m\].
    pub projected: NonNegative,
    /// c of tol = c dt, and of tol² = c dt \[1/s\].
    pub tolerance: NonNegative,
    /// tol of runs whose solver makes no noise \[-\].
    pub tight_tolerance: NonNegative,
    /// Gain of energy over the largest gravitational drop so far that counts as a rise \[-\].
    pub energy_margin: NonNegative,
}

impl SceneRanges {
    /// The three dampings.
    pub fn dampings(&self) -> [Damping; 3] {
        [Damping::None, Damping::Plain(self.plain.get()), Damping::Projected(self.projected.get())]
    }

    /// The scene with a damping and settings of the integrator.
    pub fn fall(&self, damping: Damping, settings: Settings) -> Fall {
        Fall {
            side: self.side.get() as usize,
            spacing: self.spacing.get(),
            density: self.density.get(),
            stiffness: [self.stiffness.get(); 2],
            bend: self.bend.get(),
            line_from: LINE_FROM,
            damping,
            step: self.step.get(),
            time_scale: 1.0,
            settings,
            bends_explicitly: false,
            heights: vec![],
        }
    }

    /// The settings of the thesis, its tolerance read as tol = c dt.
    pub fn settings(&self) -> Settings {
        to(Tolerance::Step(self.tolerance.get()))
    }

    /// The same with the tolerance as printed, tol² = c dt.
    pub fn printed_settings(&self) -> Settings {
        to(Tolerance::RootOfStep(self.tolerance.get()))
    }

    /// The same with a solver that makes no noise.
    pub fn tight_settings(&self) -> Settings {
        to(Tolerance::Fixed(self.tight_tolerance.get()))
    }

    /// Tolerances under which random starts are judged, the one that carries the verdicts first.
    pub fn readings_of_tolerance(&self) -> [Settings; 3] {
        [self.settings(), self.printed_settings(), self.tight_settings()]
    }
}

/// The main group: energies over time, a set a damping and solver.
pub struct EnergiesInTime(pub SceneRanges);

row! {
    /// Energies after a step.
    #[derive(Debug, PartialEq)]
    pub struct EnergyRow {
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// stopping rule of conjugate gradients, or exact: sparse Cholesky
        pub solver: String,
        /// steps so far
        pub step: u64,
        /// time simulated \[s\]
        pub time: f64,
        /// energy of motion \[J\]
        pub kinetic: Option<f64>,
        /// -m g·x, zero for the horizontal sheet \[J\]
        pub gravitational: Option<f64>,
        /// energy of the springs to the nearest neighbours \[J\]
        pub stretch: Option<f64>,
        /// energy of the springs to the diagonal neighbours \[J\]
        pub shear: Option<f64>,
        /// energy of the springs to the second neighbours \[J\]
        pub bend: Option<f64>,
        /// sum of stretch, shear and bend \[J\]
        pub internal: Option<f64>,
        /// sum of all energies \[J\]
        pub total: Option<f64>,
        /// iterations of conjugate gradients in this step
        pub iterations: u64,
        /// finished, or not converged in this step; from where it holds on: gains energy or not finite
        pub status: String,
        /// what went wrong in this step
        pub reason: Option<String>,
    }
}

impl Group for EnergiesInTime {
    const NAME: &'static str = "energies";
    const ABOUT: &'static str = "energies of the printed scene after every step, with three dampings and three solvers";
    const SAMPLED: bool = false;
    type Case = Fall;
    type Row = EnergyRow;

    fn sets(&self) -> u64 {
        3 * self.0.dampings().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Fall {
        let dampings = self.0.dampings();
        let solvers = [self.0.settings(), self.0.printed_settings(), exact()];
        let set = set as usize;
        self.0.fall(dampings[set % dampings.len()], solvers[set / dampings.len() % solvers.len()])
    }

    fn measure(&self, fall: &Fall) -> Vec<EnergyRow> {
        let mut rows = vec![];
        let blank = |step: u64| EnergyRow {
            damping: fall.damping.name().into(),
            coefficient: fall.damping.coefficient(),
            solver: solver_name(&fall.settings),
            step,
            time: step as f64 * fall.step,
            ..EnergyRow::default()
        };
        let ran = fall.run(|moment| {
            let energies = &moment.energies;
            let finite = energies.total().is_finite();
            let value = |energy: f64| finite.then_some(energy);
            rows.push(EnergyRow {
                kinetic: value(energies.kinetic),
                gravitational: value(energies.gravitational),
                stretch: value(energies.stretch),
                shear: value(energies.shear),
                bend: value(energies.bend),
                internal: value(energies.internal()),
                total: value(energies.total()),
                iterations: moment.iterations,
                status: moment.status().into(),
                reason: moment.reason(),
                ..blank(moment.step)
            });
        });
        if let Err(refusal) = ran {
            rows.push(EnergyRow { status: super::fall::REFUSED.into(), reason: Some(refusal.to_string()), ..blank(0) });
        }
        rows
    }
}

/// When and how finely the sheet is drawn.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FrameRanges {
    /// Times \[s\].
    pub times: List<NonNegative>,
    /// Every how manieth row and column of particles is kept, the last one too.
    pub stride: Count,
}

/// Where the sheet is at a few times, a set a damping: the three of the scene, and plain damping with the coefficient of the
/// projected one.
pub struct Frames {
    /// The sheet.
    pub scene: SceneRanges,
    /// What is kept.
    pub ranges: FrameRanges,
}

row! {
    /// A particle at a time.
    #[derive(Debug, PartialEq)]
    pub struct FrameRow {
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// time simulated \[s\]
        pub time: f64,
        /// column of the particle
        pub i: usize,
        /// row of the particle; the row 0 holds the pins
        pub j: usize,
        /// position along the pinned border \[m\]
        pub x: Option<f64>,
        /// position across it \[m\]
        pub y: Option<f64>,
        /// height \[m\]
        pub z: Option<f64>,
    }
}

impl Group for Frames {
    const NAME: &'static str = "frames";
    const ABOUT: &'static str = "where the sheet of the printed scene is at a few times";
    const SAMPLED: bool = false;
    type Case = Fall;
    type Row = FrameRow;

    fn sets(&self) -> u64 {
        self.scene.dampings().len() as u64 + 1
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Fall {
        let dampings = self.scene.dampings();
        let damping = dampings.get(set as usize).copied().unwrap_or(Damping::Plain(self.scene.projected.get()));
        self.scene.fall(damping, self.scene.settings())
    }

    fn measure(&self, fall: &Fall) -> Vec<FrameRow> {
        let side = fall.side;
        let kept: Vec<usize> = (0..side).filter(|i| i % self.ranges.stride.get() as usize == 0 || i + 1 == side).collect();
        let wanted: Vec<u64> = self.ranges.times.values().iter().map(|time| fall.steps(time.get().min(LATE))).collect();
        let mut rows = vec![];
        let ran = fall.run(|moment| {
            if !wanted.contains(&moment.step) {
                return;
            }
            for &j in &kept {
                for &i in &kept {
                    let place = moment.state.x[j * side + i];
                    let [x, y, z] = [place.x, place.y, place.z].map(lab::finite);
                    let (damping, coefficient) = (fall.damping.name().into(), fall.damping.coefficient());
                    rows.push(FrameRow { damping, coefficient, time: moment.step as f64 * fall.step, i, j, x, y, z });
                }
            }
        });
        // a sheet that the model refuses has no place; the main group says why
        if ran.is_err() {
            let (damping, coefficient) = (fall.damping.name().into(), fall.damping.coefficient());
            rows.push(FrameRow { damping, coefficient, time: 0.0, i: 0, j: 0, x: None, y: None, z: None });
        }
        rows
    }
}
