//! Sheets by every preconditioner, timed alone and in turn.

use cloth::quantity::Positive;
use lab::prelude::*;

use super::method::{A_BLOCK, CP, DIAGONAL, IC, MULTIGRID, Method, NONE, SSOR};
use super::scenes::{PINNED, SLIDING, STEP, Scene, run};
use crate::course::Course;
use crate::ranges::Count;
use crate::sheets::{Configuration, LengthLists, Sheet};

/// Lists that sheets are drawn from, and how often they are timed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRanges {
    /// Sheets of each scene.
    pub sheets: Count,
    /// Measurements of each.
    pub repeats: Count,
    /// What they are drawn from.
    pub lists: LengthLists,
    /// Simulated time \[s\].
    pub duration: Positive,
}

/// What is compared, in the order of the sets: A-Block and CP in turn.
pub const METHODS: [Method; 7] = [A_BLOCK, CP, NONE, DIAGONAL, SSOR, IC, MULTIGRID];

/// The scenes, in turn.
pub const SCENES: [Scene; 2] = [PINNED, SLIDING];

/// A sheet in a scene by one method.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    scene: Scene,
    method: Method,
}

/// Sheets of each scene, each by every method.
#[derive(Clone)]
pub struct Times(pub TimeRanges);

row! {
    /// What was timed.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TimeRow {
        /// preconditioner by which the trajectory is run, with the corrected start
        pub method: String,
        /// pinned (two corners) or sliding (sphere, Coulomb friction)
        pub scene: String,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// finished, gains energy, not finite or refused
        pub status: String,
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "sheets by every preconditioner: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        (SCENES.len() * METHODS.len()) as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / METHODS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        let scene = SCENES[(self.scene(set) % SCENES.len() as u64) as usize];
        Case { sheet, scene, method: METHODS[(set % METHODS.len() as u64) as usize] }
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        vec![self.row(case)]
    }
}

impl Times {
    fn row(&self, Case { sheet, scene, method }: &Case) -> TimeRow {
        let row = TimeRow {
            method: method.name.into(),
            scene: scene.name.into(),
            side: sheet.side,
            step: sheet.step,
            status: "refused".into(),
            ..TimeRow::default()
        };
        let Ok(mut run) = run(sheet, scene, method, &STEP) else { return row };
        let mut course = Course::of(&run, sheet.step, self.0.duration.get());
        while course.goes_on() {
            run.step(sheet.step);
            course.watch(&run.cloth, &run.state);
        }
        let status = course.fate().name().into();
        TimeRow { steps: run.steps, iterations: run.work().iterations, status, ..row }
    }
}
