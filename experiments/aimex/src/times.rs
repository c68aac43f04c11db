//! Sheets of each splitting by both schemes, timed alone and in turn.

use kit::prelude::*;

use super::assumptions::{Assumption, USUAL};
use super::charts;
use super::runs::draw_split;

ranges!(TimeRanges {
    //! Lists that sheets are drawn from, and how often they are timed.
    /// Sheets of each splitting.
    sheets: Count,
    /// Sheets of each splitting from another base seed.
    seeds: Count,
    /// Measurements of each.
    repeats: Count,
    /// What they are drawn from, until the splitting is the wanted one.
    lists: Lists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
});

/// The schemes that are compared, in the order of their sets.
pub const SCHEMES: [&str; 2] = ["AIMEX", "implicit"];

/// A sheet under one scheme.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    scheme: usize,
}

/// Sheets of each splitting, each by both schemes.
pub struct Times(pub TimeRanges);

row! {
    /// What was timed.
    pub struct TimeRow {
        /// AIMEX or implicit
        pub scheme: String,
        /// how AIMEX treats stretch/shear
        pub splitting: Treatment,
        /// corners (two are pinned), table or sphere (it falls onto it)
        pub configuration: Configuration,
        /// n, particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
    }
}

/// The thesis' matrices are sparse: what does not act costs nothing. On a grid a solve costs so little that nothing is left to
/// save.
const IN_BLOCK_ROWS: Assumption = Assumption { form: MatrixForm::BlockRows, ..USUAL };

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str =
        "sheets of each splitting, by both schemes, with matrices in block rows: their times stand in timings.csv";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        (Treatment::ALL.len() * SCHEMES.len()) as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / SCHEMES.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let wanted = Treatment::ALL[(self.scene(set) % Treatment::ALL.len() as u64) as usize];
        let sheet = draw_split(&self.0.lists, self.0.threshold.get(), wanted, stream);
        Case { sheet, scheme: (set % SCHEMES.len() as u64) as usize }
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        vec![self.row(case)]
    }
}

impl Reseeded for Times {
    const SEEDS: &'static str = "time-seeds";
    const ABOUT_SEEDS: &'static str =
        "sheets of each splitting from another base seed, by both schemes, timed as those of times are";
}

impl Times {
    fn row(&self, Case { sheet, scheme }: &Case) -> TimeRow {
        let row = TimeRow {
            scheme: SCHEMES[*scheme].into(),
            splitting: sheet.treatment(sheet.step, self.0.threshold.get()),
            configuration: sheet.configuration,
            side: sheet.side,
            step: sheet.step,
            status: Status::Refused,
            ..TimeRow::default()
        };
        let Ok(mut run) = IN_BLOCK_ROWS.run(sheet, self.0.threshold.get(), *scheme == 0) else { return row };
        let course = RunWatch::followed(&mut run, sheet.step, self.0.duration.get());
        TimeRow { steps: run.steps, iterations: run.work().iterations, status: course.status(), ..row }
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let fewer = TimeRanges { sheets: ranges.times.seeds, ..ranges.times.clone() };
    Topic::of(Times(ranges.times.clone()))
        .table(Seeds(Times(fewer)))
        .plot("times", charts::times)
        .places(&[("times", -1)])
        .checked(check_list("times.duration", ranges.times.duration, &ranges.times.lists.step))
}
