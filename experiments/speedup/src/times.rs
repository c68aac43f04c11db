//! The first sheets of the main group, plain and by all techniques, timed alone and in turn.

use kit::prelude::*;

use super::charts;
use super::methods::{METHODS, READ, TIMED, USUAL};
use super::runs::{RunRanges, Runs, SheetInScene, WorkRow};

ranges!(TimeRanges {
    //! How many sheets are timed, and how often.
    /// Sheets, the first ones of the main group.
    sheets: Count,
    /// Sheets from another base seed.
    seeds: Count,
    /// Measurements of each by each method that is timed.
    repeats: Count,
    /// Simulated time \[s\].
    duration: Positive,
});

/// Sheets of the main group, each by some of the methods.
pub struct Times {
    /// What they are drawn from.
    pub runs: RunRanges,
    pub times: TimeRanges,
    /// Places of the methods in [`METHODS`].
    pub methods: &'static [usize],
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str =
        "the first sheets of the main group, a set a method, with matrices in block rows: their times stand in timings.csv";
    const SCENES: &'static str = Runs::NAME;
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = (SheetInScene, usize);
    type Row = WorkRow;

    fn sets(&self) -> u64 {
        self.methods.len() as u64 * u64::from(self.times.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.times.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / self.methods.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (SheetInScene::draw(&self.runs, self.scene(set), stream), (set % self.methods.len() as u64) as usize)
    }

    fn measure(&self, (placed, method): &Self::Case) -> Vec<WorkRow> {
        let method = &METHODS[self.methods[*method]];
        vec![placed.run(method, &USUAL, self.times.duration.get(), MatrixForm::BlockRows)]
    }
}

impl Reseeded for Times {
    const SEEDS: &'static str = "time-seeds";
    const ABOUT_SEEDS: &'static str = "sheets from another base seed, plain and by all techniques, timed as those of times are";
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let (runs, times) = (ranges.runs.clone(), ranges.times.clone());
    let fewer = TimeRanges { sheets: times.seeds, ..times.clone() };
    Topic::of(Times { methods: &TIMED, runs: runs.clone(), times })
        .table(Seeds(Times { methods: &READ, runs, times: fewer }))
        .plot("times", charts::times)
        .checked(check_list("times.duration", ranges.times.duration, &ranges.runs.lists.step))
}
