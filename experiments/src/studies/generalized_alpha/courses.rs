//! The course of the paper's runs over time, and frames of half a swing near their end.

use cloth::Invalid;
use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::flag::{Begin, Course, Flag, FlagRanges, Run, Sample, Scheme, Setting};
use super::measures::swing;
use super::runs::{FINISHED, REFUSED, UNSTABLE, compared, course, without_rest};
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

/// A moment of a run, or why there are no more of it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CourseRow {
    pub start: String,
    pub scheme: String,
    pub step: f64,
    pub status: String,
    pub reason: Option<String>,
    pub time: f64,
    pub energy: Option<f64>,
    pub swing: Option<f64>,
}

const COURSE_COLUMNS: &[Column] = &[
    Column::text("start", "flat: without strain, its weight set free; resting: at rest under its weight"),
    Column::text("scheme", "the time integrator; generalized-alpha with rho_inf = 0; rk4 is the reference"),
    Column::number("step", "s", "dt, time step"),
    STATUS,
    REASON,
    Column::number("time", "s", "t"),
    Column::number("energy", "J", "energy over that at rest; none where the run ended"),
    Column::number("swing", "m", "mean place of the lower edge out of the plane; none where the run ended"),
];

const STATUS: Column = Column::text("status", "finished; of the last row of a run that ended early: unstable or refused");
const REASON: Column = Column::text("reason", "what went wrong");

/// Courses of the paper's flag.
#[derive(Clone)]
pub struct Courses {
    pub flag: FlagRanges,
    pub ranges: CourseRanges,
}

/// A whole run of the paper's flag.
///
/// # Errors
/// A flag or a scheme that means nothing.
fn whole(ranges: &FlagRanges, (start, scheme, step): Case) -> Result<(Flag, Course), Invalid> {
    let setting = Setting { start, ..ranges.setting() };
    let flag = ranges.flag(&setting)?;
    let course = course(ranges, &flag, &setting, scheme, step)?;
    Ok((flag, course))
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
            done(k, self.rows(case));
        }
    }
}

impl Courses {
    /// From both starts.
    fn all(&self) -> Vec<Case> {
        [Begin::Flat, Begin::Resting].into_iter().flat_map(|start| self.ranges.cases(start)).collect()
    }

    fn rows(&self, case: Case) -> Vec<CourseRow> {
        let (start, scheme, step) = case;
        let begun = CourseRow {
            start: start.name().into(),
            scheme: scheme.name().into(),
            step,
            status: FINISHED.into(),
            reason: None,
            time: 0.0,
            energy: None,
            swing: None,
        };
        let (flag, course) = match whole(&self.flag, case) {
            Ok(whole) => whole,
            Err(invalid) => return vec![CourseRow { status: REFUSED.into(), reason: Some(invalid.to_string()), ..begun }],
        };
        let (resting, _) = flag.resting(std::iter::once(&course.end).filter(|_| course.blown.is_none()));
        let kept = course.samples.iter().step_by(self.ranges.stride.get() as usize).filter(|sample| sample.energy.is_finite());
        let row = |sample: &Sample| CourseRow {
            time: sample.time,
            energy: Some(sample.energy - resting).filter(|energy| energy.is_finite()),
            swing: Some(sample.swing),
            reason: without_rest(resting),
            ..begun.clone()
        };
        let ended = course.blown.map(|reason| CourseRow {
            status: UNSTABLE.into(),
            reason: Some(reason),
            time: course.steps as f64 * step,
            ..begun.clone()
        });
        kept.map(row).chain(ended).collect()
    }
}

/// A particle in a frame, or why there are no more frames.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct FrameRow {
    pub scheme: String,
    pub step: f64,
    pub status: String,
    pub reason: Option<String>,
    pub frame: u32,
    pub time: f64,
    pub particle: Option<usize>,
    pub column: Option<usize>,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
}

const FRAME_COLUMNS: &[Column] = &[
    Column::text("scheme", "the time integrator"),
    Column::number("step", "s", "dt, time step"),
    STATUS,
    REASON,
    Column::integer("frame", "number of the frame, from 0"),
    Column::number("time", "s", "t"),
    Column::number("particle", "-", "number of the particle; it has a place in every row but that of a run that ended early"),
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
            done(k, self.rows(case));
        }
    }
}

impl Frames {
    /// The frames that a run comes to, then why there are no more of them if it ended early.
    fn rows(&self, case: Case) -> Vec<FrameRow> {
        let (_, scheme, step) = case;
        let mut row = FrameRow {
            scheme: scheme.name().into(),
            step,
            status: FINISHED.into(),
            reason: None,
            frame: 0,
            time: 0.0,
            particle: None,
            column: None,
            x: None,
            y: None,
            z: None,
        };
        let mut rows = vec![];
        let (status, reason) = match self.frames(case, &mut row, &mut rows) {
            Ok(None) => return rows,
            Ok(Some(reason)) => (UNSTABLE, reason),
            Err(invalid) => (REFUSED, invalid.to_string()),
        };
        rows.push(FrameRow { status: status.into(), reason: Some(reason), ..row });
        rows
    }

    /// Adds the frames to `rows`; why the run blew up before the last one, if it did. `row` keeps the frame and the time of that.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn frames(&self, case: Case, row: &mut FrameRow, rows: &mut Vec<FrameRow>) -> Result<Option<String>, Invalid> {
        let (begin, scheme, step) = case;
        let Courses { flag: ranges, ranges: CourseRanges { from, frames, .. } } = &self.0;
        let (flag, course) = whole(ranges, case)?;
        if course.blown.is_some() {
            row.time = course.steps as f64 * step;
            return Ok(course.blown);
        }
        let first = turn(&course, from.get());
        let between = half_period(ranges, &course, from.get()) / f64::from((frames.get() - 1).max(1));
        let setting = Setting { start: begin, ..ranges.setting() };
        let mut run = Run::new(&flag, scheme, ranges.settings(&setting), step)?;
        let [across, up] = ranges.points.map(|points| points.get() as usize);
        for frame in 0..frames.get() {
            row.frame = frame;
            while run.time() < first + f64::from(frame) * between - 0.5 * step {
                let went = run.step();
                row.time = run.time();
                if !went {
                    return Ok(Some(format!("not finite after {} steps", run.steps)));
                }
            }
            for (particle, place) in run.state.x.iter().enumerate() {
                let [x, y, z] = [place.x, place.y, place.z].map(|length| Some(micrometres(length)));
                let column = (particle < across * up).then_some(particle % across);
                rows.push(FrameRow { particle: Some(particle), column, x, y, z, ..row.clone() });
            }
        }
        Ok(None)
    }
}
