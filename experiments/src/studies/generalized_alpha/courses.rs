//! The course of the paper's runs over time, and frames of half a swing near their end.

use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::flag::{Course, Flag, FlagRanges, Run, Sample, Scheme};
use super::measures::swing;
use super::runs::{compared, course};
use crate::ranges::{Count, List};

/// Which courses are kept.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CourseRanges {
    /// The steps of the paper \[s\].
    pub steps: List<Positive>,
    /// Step of the reference \[s\].
    pub reference: Positive,
    /// Samples from one that is kept to the next.
    pub stride: Count,
    /// Time after which half a swing is looked for \[s\].
    pub from: Positive,
    /// Frames of it.
    pub frames: Count,
}

impl CourseRanges {
    /// The runs: both schemes at both steps, then the reference.
    fn cases(&self) -> Vec<(Scheme, f64)> {
        let mut cases = compared(self.steps.values());
        cases.push((Scheme::Rk4, self.reference.get()));
        cases
    }
}

/// A moment of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CourseRow {
    pub scheme: String,
    pub step: f64,
    pub time: f64,
    pub energy: f64,
    pub swing: f64,
}

const COURSE_COLUMNS: &[Column] = &[
    Column::text("scheme", "the time integrator; generalized-alpha with rho_inf = 0; rk4 is the reference"),
    Column::number("step", "s", "dt, time step"),
    Column::number("time", "s", "t"),
    Column::number("energy", "J", "energy over that at rest"),
    Column::number("swing", "m", "mean place of the lower edge out of the plane"),
];

/// Courses of the paper's flag.
#[derive(Clone)]
pub struct Courses {
    pub flag: FlagRanges,
    pub ranges: CourseRanges,
}

/// A whole run of the paper's flag.
fn whole(ranges: &FlagRanges, scheme: Scheme, step: f64) -> Option<(Flag, Course)> {
    let setting = ranges.setting();
    let flag = ranges.flag(&setting).ok()?;
    let course = course(ranges, &flag, &setting, scheme, step).ok()?;
    Some((flag, course))
}

impl Group for Courses {
    const NAME: &'static str = "courses";
    const ABOUT: &'static str = "energy and swing of the paper's flag over time";
    const COLUMNS: &'static [Column] = COURSE_COLUMNS;
    const SAMPLED: bool = false;
    type Case = (Scheme, f64);
    type Row = CourseRow;

    fn sets(&self) -> u64 {
        self.ranges.cases().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        self.ranges.cases()[set as usize]
    }

    fn kin(&self, (_, step): &Self::Case) -> u64 {
        (1.0 / step) as u64
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<CourseRow>)) {
        for (k, &(scheme, step)) in cases.iter().enumerate() {
            done(k, self.rows(scheme, step).unwrap_or_default());
        }
    }
}

impl Courses {
    fn rows(&self, scheme: Scheme, step: f64) -> Option<Vec<CourseRow>> {
        let (flag, course) = whole(&self.flag, scheme, step)?;
        let resting = flag.resting_energy(std::iter::once(&course.end).filter(|_| course.blown.is_none()));
        let kept = course.samples.iter().step_by(self.ranges.stride.get() as usize).filter(|sample| sample.energy.is_finite());
        let row = |sample: &Sample| CourseRow {
            scheme: scheme.name().into(),
            step,
            time: sample.time,
            energy: sample.energy - resting,
            swing: sample.swing,
        };
        Some(kept.map(row).collect())
    }
}

/// A particle in a frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct FrameRow {
    pub scheme: String,
    pub step: f64,
    pub frame: u32,
    pub time: f64,
    pub particle: usize,
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

const FRAME_COLUMNS: &[Column] = &[
    Column::text("scheme", "the time integrator"),
    Column::number("step", "s", "dt, time step"),
    Column::integer("frame", "number of the frame, from 0"),
    Column::number("time", "s", "t"),
    Column::integer("particle", "number of the particle"),
    Column::number("x", "m", "place along the warp, to a micrometre"),
    Column::number("y", "m", "height, to a micrometre"),
    Column::number("z", "m", "place out of the plane, to a micrometre"),
];

/// Half a swing of the paper's flag, as in figures 3 to 6.
#[derive(Clone)]
pub struct Frames(pub Courses);

/// A swing whose period is unknown takes this long \[s\]: that of the driven corners.
fn half_period(ranges: &FlagRanges, course: &Course, from: f64) -> f64 {
    0.5 * swing(course, from, ranges.duration.get()).map_or(ranges.period.get(), |swing| swing.period)
}

/// When the flag turns first after `from` \[s\].
fn turn(course: &Course, from: f64) -> f64 {
    let away = |k: usize| course.samples[k].swing;
    let turns = |k: &usize| (away(*k) - away(k - 1)) * (away(k + 1) - away(*k)) <= 0.0;
    let after = (1..course.samples.len().saturating_sub(1)).filter(|&k| course.samples[k].time >= from);
    after.into_iter().find(turns).map_or(from, |k| course.samples[k].time)
}

fn micrometres(length: f64) -> f64 {
    (length * 1e6).round() / 1e6
}

impl Group for Frames {
    const NAME: &'static str = "frames";
    const ABOUT: &'static str = "half a swing of the paper's flag near the end of its runs";
    const COLUMNS: &'static [Column] = FRAME_COLUMNS;
    const SAMPLED: bool = false;
    type Case = (Scheme, f64);
    type Row = FrameRow;

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        self.0.case(set, stream)
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        self.0.kin(case)
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<FrameRow>)) {
        for (k, &(scheme, step)) in cases.iter().enumerate() {
            done(k, self.rows(scheme, step).unwrap_or_default());
        }
    }
}

impl Frames {
    fn rows(&self, scheme: Scheme, step: f64) -> Option<Vec<FrameRow>> {
        let Courses { flag: ranges, ranges: CourseRanges { from, frames, .. } } = &self.0;
        let (flag, course) = whole(ranges, scheme, step)?;
        let start = turn(&course, from.get());
        let between = half_period(ranges, &course, from.get()) / f64::from((frames.get() - 1).max(1));
        let setting = ranges.setting();
        let mut run = Run::new(&flag, scheme, ranges.settings(&setting), step).ok()?;
        let mut rows = vec![];
        for frame in 0..frames.get() {
            while run.time() < start + f64::from(frame) * between - 0.5 * step {
                if !run.step() {
                    return Some(rows);
                }
            }
            for (particle, place) in run.state.x.iter().enumerate() {
                let [x, y, z] = [place.x, place.y, place.z].map(micrometres);
                rows.push(FrameRow { scheme: scheme.name().into(), step, frame, time: run.time(), particle, x, y, z });
            }
        }
        Some(rows)
    }
}
