//! The course of the paper's runs over time, and frames of half a swing near their end.

use cloth::Invalid;
use cloth::quantity::Positive;
use lab::prelude::*;

use super::flag::{Begin, Flag, FlagRanges, Scheme, Setting};
use super::flag_run::{Course, Run, Sample};
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

row! {
    /// A moment of a run, or why there are no more of it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CourseRow {
        /// flat: without strain, its weight set free; resting: at rest under its weight
        pub start: String,
        /// the time integrator; generalized-alpha with rho_inf = 0; rk4 is the reference
        pub scheme: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished; of the last row of a run that ended early: unstable or refused
        pub status: String,
        /// what went wrong
        pub reason: Option<String>,
        /// t \[s\]
        pub time: f64,
        /// energy over that at rest; none where the run ended \[J\]
        pub energy: Option<f64>,
        /// mean place of the lower edge out of the plane; none where the run ended \[m\]
        pub swing: Option<f64>,
    }
}

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
    type Case = Case;
    type Row = CourseRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.all()
    }

    fn kin(&self, (_, _, step): &Self::Case) -> u64 {
        (1.0 / step) as u64
    }

    fn measure(&self, &case: &Self::Case) -> Vec<CourseRow> {
        self.rows(case)
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
            ..CourseRow::default()
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

row! {
    /// A particle in a frame, or why there are no more frames.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FrameRow {
        /// the time integrator
        pub scheme: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished; of the last row of a run that ended early: unstable or refused
        pub status: String,
        /// what went wrong
        pub reason: Option<String>,
        /// number of the frame, from 0
        pub frame: u32,
        /// t \[s\]
        pub time: f64,
        /// number of the particle; it has a place in every row but that of a run that ended early
        pub particle: Option<usize>,
        /// number of the column of the grid that it stands in, from the left; none for the centre of a cell
        pub column: Option<usize>,
        /// place along the warp, to a micrometre \[m\]
        pub x: Option<f64>,
        /// height, to a micrometre \[m\]
        pub y: Option<f64>,
        /// place out of the plane, to a micrometre \[m\]
        pub z: Option<f64>,
    }
}

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
    type Case = Case;
    type Row = FrameRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.ranges.cases(Begin::Resting)
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        self.0.kin(case)
    }

    fn measure(&self, &case: &Self::Case) -> Vec<FrameRow> {
        self.rows(case)
    }
}

impl Frames {
    /// The frames that a run comes to, then why there are no more of them if it ended early.
    fn rows(&self, case: Case) -> Vec<FrameRow> {
        let (_, scheme, step) = case;
        let mut row = FrameRow { scheme: scheme.name().into(), step, status: FINISHED.into(), ..FrameRow::default() };
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
