//! The first sheets of the main group, plain and by all techniques, timed alone and in turn.

use cloth::implicit::MatrixForm;

use super::methods::{METHODS, READ, TIMED, USUAL};
use super::runs::{Placed, RunRanges, Runs, WorkRow};
use super::{charts, verdicts};
use crate::prelude::*;

/// How many sheets are timed, and how often.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRanges {
    /// Sheets, the first ones of the main group.
    pub sheets: Count,
    /// Sheets from another base seed.
    pub seeds: Count,
    /// Measurements of each by each method that is timed.
    pub repeats: Count,
    /// Simulated time \[s\].
    pub duration: Positive,
}

/// Sheets of the main group, each by some of the methods.
pub struct Times {
    /// What they are drawn from.
    pub runs: RunRanges,
    pub times: TimeRanges,
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str =
        "the first sheets of the main group, a set a method, with matrices in block rows: their times stand in timings.csv";
    const SCENES: &'static str = Runs::NAME;
    const SAMPLED: bool = false;
    type Case = (Placed, usize);
    type Row = WorkRow;

    fn sets(&self) -> u64 {
        TIMED.len() as u64 * u64::from(self.times.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.times.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / TIMED.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (Placed::draw(&self.runs, self.scene(set), stream), (set % TIMED.len() as u64) as usize)
    }

    fn measure(&self, (placed, method): &Self::Case) -> Vec<WorkRow> {
        vec![self.times.run(placed, TIMED[*method])]
    }
}

/// Sheets from another base seed, plain and by all techniques.
pub struct TimeSeeds {
    /// What they are drawn from.
    pub runs: RunRanges,
    pub times: TimeRanges,
}

impl Group for TimeSeeds {
    const NAME: &'static str = "time-seeds";
    const ABOUT: &'static str = "sheets from another base seed, plain and by all techniques, timed as those of times are";
    const SAMPLED: bool = false;
    type Case = (Placed, usize);
    type Row = WorkRow;

    fn sets(&self) -> u64 {
        READ.len() as u64 * u64::from(self.times.seeds.get())
    }

    fn repeats(&self) -> u32 {
        self.times.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / READ.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (Placed::draw(&self.runs, self.scene(set), stream), (set % READ.len() as u64) as usize)
    }

    fn measure(&self, (placed, method): &Self::Case) -> Vec<WorkRow> {
        vec![self.times.run(placed, READ[*method])]
    }
}

impl TimeRanges {
    fn run(&self, placed: &Placed, method: usize) -> WorkRow {
        placed.run(&METHODS[method], &USUAL, self.duration.get(), MatrixForm::BlockRows)
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let (runs, times) = (ranges.runs.clone(), ranges.times.clone());
    Topic {
        groups: vec![table(Times { runs: runs.clone(), times: times.clone() }), table(TimeSeeds { runs, times })],
        plots: vec![Plot { name: "times", draw: charts::times }],
        judges: vec![Judge::of_times("B-TOTAL", verdicts::total)],
        unfit: check_list("times.duration", ranges.times.duration, &ranges.runs.lists.step).err(),
        ..Topic::default()
    }
}
