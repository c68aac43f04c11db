//! Hanging sheets, timed alone and in turn on one thread and on all.

use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::scene::{Hanging, Size, Tolerance};
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
pub type Times = Listed<TimeRanges>;

const SCHEDULES: [Schedule; 2] = [Schedule::Serial, Schedule::Threaded];

impl SheetList for TimeRanges {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "the first steps of hanging sheets on one thread and on all: their times stand in timings.csv";
    const SCENES: &'static str = Steps::NAME;
    const TIMES_ALONE: bool = true;

    fn all(&self) -> Vec<(u64, Hanging)> {
        let of = |(place, size): (u64, &Size)| {
            let usual = self.tolerances.values().iter().map(|tolerance| Hanging::usual(*size, *tolerance, self.iterations));
            let few = Hanging::usual(*size, self.few.tolerance, self.few.iterations);
            usual.chain([few]).map(move |run| (place, run)).collect::<Vec<_>>()
        };
        let place = |side: Side| self.sizes.values().iter().position(|size| size.side == side).unwrap_or(0) as u64;
        let sized = |length: Option<Length>| {
            let steps = length.map_or(self.unit, |length| length.steps);
            let with = move |side: Side, tolerance: Tolerance, iterations: Count| {
                let length = length.map_or(unit(side), |length| length.length.get());
                (place(side), Hanging { length, ..Hanging::usual(Size { side, steps }, tolerance, iterations) })
            };
            let full = self.points.values().iter().map(move |point| with(point.side, point.tolerance, self.iterations));
            let few = self.few_sides.values().iter().map(move |side| with(*side, self.few.tolerance, self.few.iterations));
            full.chain(few).collect::<Vec<_>>()
        };
        let lengths = self.lengths.values().iter().map(|length| Some(*length)).chain([None]);
        let runs = (0..).zip(self.sizes.values()).flat_map(of).chain(lengths.flat_map(sized));
        runs.flat_map(|(place, run)| SCHEDULES.map(|schedule| (place, Hanging { schedule, ..run }))).collect()
    }

    fn repeats(&self) -> u32 {
        self.repeats.get()
    }

    /// The published bounds are held against single sheets.
    fn enough(&self) -> f64 {
        f64::INFINITY
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.times.clone()))
        .plot("times", time_charts::times)
        .plot("threads", time_charts::threads)
        .derive(Derived::new("sheets", time_verdicts::sheets).of_times())
        .places(&[("times", -1), ("threads", -1)])
}
