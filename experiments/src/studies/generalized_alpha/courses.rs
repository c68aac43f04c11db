//! The course of the paper's runs over time, and frames of half a swing near their end.

use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::flag::{Begin, Course, Flag, FlagRanges, Run, Sample, Scheme, Setting};
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
    /// The runs from a start: both schemes at both steps, then the reference.
    fn cases(&self, start: Begin) -> Vec<Case> {
        let mut runs = compared(self.steps.values());
        runs.push((Scheme::Rk4, self.reference.get()));
        runs.into_iter().map(|(scheme, step)| (start, scheme, step)).collect()
    }
}

/// A start, a scheme and a step.
type Case = (Begin, Scheme, f64);

/// A moment of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CourseRow {
    pub start: String,
    pub scheme: String,
    pub step: f64,
    pub time: f64,
    pub energy: f64,
    pub swing: f64,
}

const COURSE_COLUMNS: &[Column] = &[
    Column::text("start", "flat: without strain, its weight set free; resting: at rest under its weight"),
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
fn whole(ranges: &FlagRanges, (start, scheme, step): Case) -> Option<(Flag, Course)> {
    let setting = Setting { start, ..ranges.setting() };
    let flag = ranges.flag(&setting).ok()?;
    let course = course(ranges, &flag, &setting, scheme, step).ok()?;
    Some((flag, course))
}

impl Group for Courses {
    const NAME: &'static str = "courses";
    const ABOUT: &'static str = "energy and swing of the paper's flag over time";
    const COLUMNS: &'static [Column] = COURSE_COLUMNS;
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = CourseRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        self.all()[set as usize]
    }

    fn kin(&self, (_, _, step): &Self::Case) -> u64 {
        (1.0 / step) as u64
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<CourseRow>)) {
        for (k, &case) in cases.iter().enumerate() {
            done(k, self.rows(case).unwrap_or_default());
        }
    }
}

impl Courses {
    /// From both starts.
    fn all(&self) -> Vec<Case> {
        [Begin::Flat, Begin::Resting].into_iter().flat_map(|start| self.ranges.cases(start)).collect()
    }

    fn rows(&self, case: Case) -> Option<Vec<CourseRow>> {
        let (flag, course) = whole(&self.flag, case)?;
        let (start, scheme, step) = case;
        let (resting, _) = flag.resting(std::iter::once(&course.end).filter(|_| course.blown.is_none()));
        let kept = course.samples.iter().step_by(self.ranges.stride.get() as usize).filter(|sample| sample.energy.is_finite());
        let row = |sample: &Sample| CourseRow {
            start: start.name().into(),
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
    pub column: Option<usize>,
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
    Column::number(
        "column",
        "-",
        "number of the column of the grid that it stands in, from the left; none for the centre of a cell",
    ),
    Column::number("x", "m", "place along the warp, to a micrometre"),
    Column::number("y", "m", "height, to a micrometre"),
    Column::number("z", "m", "place out of the plane, to a micrometre"),
];

/// Half a swing of the paper's flag, started at rest, as in figures 3 to 6.
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
    const ABOUT: &'static str = "half a swing of the paper's flag, started at rest, near the end of its runs";
    const COLUMNS: &'static [Column] = FRAME_COLUMNS;
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = FrameRow;

    fn sets(&self) -> u64 {
        self.0.ranges.cases(Begin::Resting).len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        self.0.ranges.cases(Begin::Resting)[set as usize]
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        self.0.kin(case)
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<FrameRow>)) {
        for (k, &case) in cases.iter().enumerate() {
            done(k, self.rows(case).unwrap_or_default());
        }
    }
}

impl Frames {
    fn rows(&self, case: Case) -> Option<Vec<FrameRow>> {
        let (begin, scheme, step) = case;
        let Courses { flag: ranges, ranges: CourseRanges { from, frames, .. } } = &self.0;
        let (flag, course) = whole(ranges, case)?;
        let first = turn(&course, from.get());
        let between = half_period(ranges, &course, from.get()) / f64::from((frames.get() - 1).max(1));
        let setting = Setting { start: begin, ..ranges.setting() };
        let mut run = Run::new(&flag, scheme, ranges.settings(&setting), step).ok()?;
        let [across, up] = ranges.points.map(|points| points.get() as usize);
        let mut rows = vec![];
        for frame in 0..frames.get() {
            while run.time() < first + f64::from(frame) * between - 0.5 * step {
                if !run.step() {
                    return Some(rows);
                }
            }
            for (particle, place) in run.state.x.iter().enumerate() {
                let [x, y, z] = [place.x, place.y, place.z].map(micrometres);
                let column = (particle < across * up).then_some(particle % across);
                rows.push(FrameRow { scheme: scheme.name().into(), step, frame, time: run.time(), particle, column, x, y, z });
            }
        }
        Some(rows)
    }
}
