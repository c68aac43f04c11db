//! Pinned sheets by both solvers, and one that decomposes well by three, timed alone and in turn.

use cloth::Elastic;
use cloth::implicit::Decompose;
use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::assumptions::{IN_BLOCK_ROWS, PINNED, STICKING_SPHERE, Scene};
use crate::ranges::{Count, Side};
use crate::sheets::{Configuration, LengthLists, Run, Sheet};

/// Lists that sheets are drawn from, and how often they are timed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRanges {
    /// Pinned sheets.
    pub sheets: Count,
    /// Measurements of each.
    pub repeats: Count,
    /// What they are drawn from, until explicit bending is stable.
    pub lists: LengthLists,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    pub threshold: Positive,
    /// Particles a side of the sheet on the sphere.
    pub sphere_side: Side,
}

/// The solvers that are compared, in the order of their sets; the last one on the sphere only.
pub const SOLVERS: [&str; 3] = ["full", "DS1, serial", "DS2, threads"];

const HOW: [Option<Decompose>; 3] = [None, Some(Decompose::Serial), Some(Decompose::Threaded)];

/// Solvers of a pinned sheet.
const PINNED_SOLVERS: u64 = 2;

/// Largest bending number of a sheet that is timed \[-\]: its explicit bending is stable.
const BENDING: f64 = 0.5;

const MOST_DRAWS: u32 = 10_000;

/// A sheet in a scene by one of the solvers.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    number: u64,
    scene: Scene,
    solver: usize,
}

/// Pinned sheets by two solvers, then the sheet on the sphere by three.
#[derive(Clone)]
pub struct Times(pub TimeRanges);

/// What was timed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct TimeRow {
    pub scene: String,
    pub sheet: u64,
    pub solver: String,
    pub side: usize,
    pub step: f64,
    pub steps: u64,
    pub rows: u64,
    pub free_rows: u64,
    pub iterations: u64,
    pub components: f64,
    pub status: String,
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "pinned sheets by both solvers, one on the sphere also over threads, with matrices in block rows: their times stand in timings.csv";
    const COLUMNS: &'static [Column] = &[
        Column::text("scene", "what the sheet is held by or falls onto, and its contact"),
        Column::integer("sheet", "which sheet: rows that share it are compared"),
        Column::text("solver", "full; DS1 solves one component after the other, DS2 over threads"),
        Column::integer("side", "particles a side"),
        Column::number("step", "s", "dt, time step"),
        Column::integer("steps", "steps taken"),
        Column::integer("rows", "RV count: rows multiplied by a vector"),
        Column::integer("free_rows", "the same without rows of fully constrained particles"),
        Column::integer("iterations", "iterations of conjugate gradients"),
        Column::number("components", "-", "components of a system, mean over the steps; 0 for the full solver"),
        Column::text("status", "finished, unstable or refused"),
    ];
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        PINNED_SOLVERS * u64::from(self.0.sheets.get()) + SOLVERS.len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        (set / PINNED_SOLVERS).min(self.0.sheets.get().into())
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let pinned = PINNED_SOLVERS * u64::from(self.0.sheets.get());
        if set >= pinned {
            return Case {
                sheet: self.on_sphere(),
                number: self.scene(set),
                scene: STICKING_SPHERE,
                solver: (set - pinned) as usize,
            };
        }
        let mut sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        for _ in 0..MOST_DRAWS {
            if sheet.bending_number(sheet.step) <= BENDING {
                break;
            }
            sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        }
        Case { sheet, number: self.scene(set), scene: PINNED, solver: (set % PINNED_SOLVERS) as usize }
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<TimeRow>)) {
        for (k, case) in cases.iter().enumerate() {
            done(k, vec![self.row(case)]);
        }
    }
}

impl Times {
    /// A sheet that decomposes well on the sphere: middling values of the lists.
    fn on_sphere(&self) -> Sheet {
        let side = self.0.sphere_side.get() as usize;
        Sheet {
            configuration: STICKING_SPHERE.configuration,
            side,
            spacing: self.0.lists.length.get() / side as f64,
            density: 0.2,
            stretch: Elastic { stiffness: 1000.0, damping: 0.01 },
            shear: Elastic { stiffness: 1000.0, damping: 0.01 },
            bend: 0.001,
            air: 0.001,
            step: 0.005,
        }
    }

    fn row(&self, Case { sheet, number, scene, solver }: &Case) -> TimeRow {
        let row = TimeRow {
            scene: scene.name.into(),
            sheet: *number,
            solver: SOLVERS[*solver].into(),
            side: sheet.side,
            step: sheet.step,
            steps: 0,
            rows: 0,
            free_rows: 0,
            iterations: 0,
            components: 0.0,
            status: "refused".into(),
        };
        match IN_BLOCK_ROWS.run(sheet, scene.friction, self.0.threshold.get(), HOW[*solver]) {
            Ok(run) => self.stepped(run, sheet, row),
            Err(_) => row,
        }
    }

    fn stepped(&self, mut run: Run, sheet: &Sheet, row: TimeRow) -> TimeRow {
        let steps = (self.0.duration.get() / sheet.step).round().max(1.0) as u64;
        let mut finite = true;
        while finite && run.steps < steps {
            finite = run.step(sheet.step);
        }
        let work = run.work();
        TimeRow {
            steps: run.steps,
            rows: work.rows,
            free_rows: work.free_rows,
            iterations: work.iterations,
            components: work.components as f64 / run.steps as f64,
            status: if finite { "finished" } else { "unstable" }.into(),
            ..row
        }
    }
}
