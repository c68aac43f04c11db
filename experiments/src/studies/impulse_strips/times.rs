//! Hanging sheets, timed alone and in turn on one thread and on all.

use cloth::inextensible::Schedule;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scene::{COLUMNS, Hanging, Pushes, RunRow, Size, Tolerance};
use super::steps::{Few, Steps};
use crate::ranges::{Count, List};

/// What is timed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRanges {
    /// Grids, and how many steps from the start are timed.
    pub sizes: List<Size>,
    /// Permissible strains.
    pub tolerances: List<Tolerance>,
    /// Most iterations a step.
    pub iterations: Count,
    /// Few iterations a step.
    pub few: Few,
    /// Measurements of each.
    pub repeats: Count,
}

/// Hanging sheets, each on one thread and on all.
#[derive(Clone)]
pub struct Times(pub TimeRanges);

const SCHEDULES: [Schedule; 2] = [Schedule::Serial, Schedule::Threaded];

impl Times {
    /// All runs, each with the place of its size.
    fn all(&self) -> Vec<(u64, Hanging)> {
        let ranges = &self.0;
        let of = |(place, size): (u64, &Size)| {
            let usual = ranges.tolerances.values().iter().map(|tolerance| Hanging::usual(*size, *tolerance, ranges.iterations));
            let few = Hanging::usual(*size, ranges.few.tolerance, ranges.few.iterations);
            let runs: Vec<Hanging> = usual.chain([few]).collect();
            runs.into_iter().flat_map(move |run| SCHEDULES.map(|schedule| (place, Hanging { schedule, ..run })))
        };
        (0..).zip(ranges.sizes.values()).flat_map(of).collect()
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "the first steps of hanging sheets on one thread and on all: their times stand in timings.csv";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SCENES: &'static str = Steps::NAME;
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        self.all()[set as usize].0
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.all()[set as usize].1, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<RunRow>)) {
        for (k, (run, pushes)) in cases.iter().enumerate() {
            done(k, vec![run.run(Some(pushes), |_, _| ())]);
        }
    }
}
