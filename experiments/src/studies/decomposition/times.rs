//! Pinned sheets by both solvers, and one that decomposes well by three, timed alone and in turn.

use cloth::implicit::Decompose;
use cloth::quantity::Positive;
use lab::prelude::*;

use super::assumptions::{IN_BLOCK_ROWS, PINNED, STICKING_SPHERE, Scene};
use crate::course::Course;
use crate::ranges::{Count, Side};
use crate::sheets::{LengthLists, Run, Sheet};

/// Lists that sheets are drawn from, and how often they are timed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRanges {
    /// Pinned sheets.
    pub sheets: Count,
    /// Sheets on the sphere.
    pub on_sphere: Count,
    /// Measurements of each.
    pub repeats: Count,
    /// What they are drawn from, until explicit bending is stable.
    pub lists: LengthLists,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    pub threshold: Positive,
    /// Particles a side of the sheets on the sphere.
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

/// Pinned sheets by two solvers, then sheets on the sphere by three.
#[derive(Clone)]
pub struct Times(pub TimeRanges);

row! {
    /// What was timed.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TimeRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// which sheet: rows that share it are compared
        pub sheet: u64,
        /// full; DS1 solves one component after the other, DS2 over threads
        pub solver: String,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// RV count: rows multiplied by a vector
        pub rows: u64,
        /// the same without rows of fully constrained particles
        pub free_rows: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// components of a system, mean over the steps; 0 for the full solver
        pub components: f64,
        /// finished, gains energy, not finite or refused
        pub status: String,
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "pinned sheets by both solvers, others on the sphere also over threads, with matrices in block rows: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        self.pinned() + SOLVERS.len() as u64 * u64::from(self.0.on_sphere.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        match set.checked_sub(self.pinned()) {
            None => set / PINNED_SOLVERS,
            Some(set) => u64::from(self.0.sheets.get()) + set / SOLVERS.len() as u64,
        }
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let number = self.scene(set);
        match set.checked_sub(self.pinned()) {
            None => Case { sheet: self.draw(PINNED, stream), number, scene: PINNED, solver: (set % PINNED_SOLVERS) as usize },
            Some(set) => {
                let side = self.0.sphere_side.get() as usize;
                let spacing = self.0.lists.length.get() / side as f64;
                let fits = |sheet: Sheet| Sheet { side, spacing, ..sheet };
                let sheet = self.draw_fitting(STICKING_SPHERE, fits, stream);
                Case { sheet, number, scene: STICKING_SPHERE, solver: (set % SOLVERS.len() as u64) as usize }
            }
        }
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        vec![self.row(case)]
    }
}

impl Times {
    /// Sets of pinned sheets, which come first.
    fn pinned(&self) -> u64 {
        PINNED_SOLVERS * u64::from(self.0.sheets.get())
    }

    fn draw(&self, scene: Scene, stream: &mut ChaCha8Rng) -> Sheet {
        self.draw_fitting(scene, |sheet| sheet, stream)
    }

    /// The first draw that is stable when made to fit; the last one where none is.
    fn draw_fitting(&self, scene: Scene, fits: impl Fn(Sheet) -> Sheet, stream: &mut ChaCha8Rng) -> Sheet {
        let mut sheet = fits(Sheet::of_length(&self.0.lists, scene.configuration, stream));
        for _ in 0..MOST_DRAWS {
            if sheet.bending_number(sheet.step) <= BENDING {
                break;
            }
            sheet = fits(Sheet::of_length(&self.0.lists, scene.configuration, stream));
        }
        sheet
    }

    fn row(&self, Case { sheet, number, scene, solver }: &Case) -> TimeRow {
        let row = TimeRow {
            scene: scene.name.into(),
            sheet: *number,
            solver: SOLVERS[*solver].into(),
            side: sheet.side,
            step: sheet.step,
            status: "refused".into(),
            ..TimeRow::default()
        };
        match IN_BLOCK_ROWS.run(sheet, scene.friction, self.0.threshold.get(), HOW[*solver]) {
            Ok(run) => self.stepped(run, sheet, row),
            Err(_) => row,
        }
    }

    fn stepped(&self, mut run: Run, sheet: &Sheet, row: TimeRow) -> TimeRow {
        let mut course = Course::of(&run, sheet.step, self.0.duration.get());
        while course.goes_on() {
            run.step(sheet.step);
            course.watch(&run.cloth, &run.state);
        }
        let work = run.work();
        TimeRow {
            steps: run.steps,
            rows: work.rows,
            free_rows: work.free_rows,
            iterations: work.iterations,
            components: work.components as f64 / run.steps as f64,
            status: course.fate().name().into(),
            ..row
        }
    }
}
