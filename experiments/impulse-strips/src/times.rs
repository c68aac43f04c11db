//! Hanging sheets, timed alone and in turn on one thread and on all.

use kit::prelude::*;

use super::scene::{Hanging, Pushes, RunRow, Size, Tolerance};
use super::sides::{Length, Point, unit};
use super::steps::{Few, Steps};
use super::{time_charts, time_verdicts};

ranges!(TimeRanges {
    //! What is timed.
    /// Grids, and how many steps from the start are timed.
    sizes: List<Size>,
    /// Permissible strains.
    tolerances: List<Tolerance>,
    /// Most iterations a step.
    iterations: Count,
    /// Few iterations a step.
    few: Few,
    /// Sheets of which the paper gives times.
    points: List<Point>,
    /// Grids that are timed with few iterations beside them.
    few_sides: List<Side>,
    /// Other sides of these sheets, and how many steps are timed.
    lengths: List<Length>,
    /// How many steps are timed of those whose edges are 1 m long.
    unit: Count,
    /// Measurements of each.
    repeats: Count,
});

/// Hanging sheets, each on one thread and on all.
pub struct Times(pub TimeRanges);

const SCHEDULES: [Schedule; 2] = [Schedule::Serial, Schedule::Threaded];

impl Times {
    /// All runs, each with the place of its size.
    fn all(&self) -> Vec<(u64, Hanging)> {
        let ranges = &self.0;
        let of = |(place, size): (u64, &Size)| {
            let usual = ranges.tolerances.values().iter().map(|tolerance| Hanging::usual(*size, *tolerance, ranges.iterations));
            let few = Hanging::usual(*size, ranges.few.tolerance, ranges.few.iterations);
            usual.chain([few]).map(move |run| (place, run)).collect::<Vec<_>>()
        };
        let place = |side: Side| ranges.sizes.values().iter().position(|size| size.side == side).unwrap_or(0) as u64;
        let sized = |length: Option<Length>| {
            let steps = length.map_or(ranges.unit, |length| length.steps);
            let with = move |side: Side, tolerance: Tolerance, iterations: Count| {
                let length = length.map_or(unit(side), |length| length.length.get());
                (place(side), Hanging { length, ..Hanging::usual(Size { side, steps }, tolerance, iterations) })
            };
            let full = ranges.points.values().iter().map(move |point| with(point.side, point.tolerance, ranges.iterations));
            let few = ranges.few_sides.values().iter().map(move |side| with(*side, ranges.few.tolerance, ranges.few.iterations));
            full.chain(few).collect::<Vec<_>>()
        };
        let lengths = ranges.lengths.values().iter().map(|length| Some(*length)).chain([None]);
        let runs = (0..).zip(ranges.sizes.values()).flat_map(of).chain(lengths.flat_map(sized));
        runs.flat_map(|(place, run)| SCHEDULES.map(|schedule| (place, Hanging { schedule, ..run }))).collect()
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "the first steps of hanging sheets on one thread and on all: their times stand in timings.csv";
    const SCENES: &'static str = Steps::NAME;
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    /// The published bounds are held against single sheets.
    fn enough(&self) -> f64 {
        f64::INFINITY
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

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone()))
        .plot("times", time_charts::times)
        .plot("threads", time_charts::threads)
        .derive(Derived::new("sheets", time_verdicts::sheets).of_times())
        .places(&[("times", -1), ("threads", -1)])
}
