//! The course of the paper's runs over time, and frames of half a swing near their end.

use std::sync::{Arc, OnceLock};

use kit::method_colors::color;
use kit::prelude::*;

use super::flag::{Begin, Flag, Flags, Scheme, Setting};
use super::flag_run::{Course, Run, Sample};
use super::measures::swing;
use super::runs::{compared, course, without_rest};
use super::select::named;

ranges!(CourseRanges {
    //! Which courses are kept.
    /// The steps of the paper \[s\].
    steps: List<Positive>,
    /// Step of the reference \[s\].
    reference: Positive,
    /// Samples from one that is kept to the next.
    stride: Count,
    /// Time after which half a swing is looked for \[s\].
    from: Positive,
    frames: Count,
});

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
    pub struct CourseRow {
        /// flat: without strain, its weight set free; resting: at rest under its weight
        pub start: String,
        /// the time integrator; generalized-alpha with rho_inf = 0; rk4 is the reference
        pub scheme: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished; of the last row of a run that ended early: unstable or refused
        pub status: Status,
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
    pub flag: Flags,
    pub ranges: CourseRanges,
}

/// A whole run of the paper's flag.
///
/// # Errors
/// A flag or a scheme that means nothing.
fn whole(ranges: &Flags, (start, scheme, step): Case) -> Result<(Flag, Course), ModelError> {
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
        let (start, scheme, step) = case;
        let begun = CourseRow {
            start: start.name().into(),
            scheme: scheme.name().into(),
            step,
            status: Status::Finished,
            ..CourseRow::default()
        };
        let (flag, course) = match whole(&self.flag, case) {
            Ok(whole) => whole,
            Err(invalid) => return vec![CourseRow { status: Status::Refused, reason: Some(invalid.to_string()), ..begun }],
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
            status: Status::Unstable,
            reason: Some(reason),
            time: course.steps as f64 * step,
            ..begun.clone()
        });
        kept.map(row).chain(ended).collect()
    }
}

impl Courses {
    /// From both starts.
    fn all(&self) -> Vec<Case> {
        [Begin::Flat, Begin::Resting].into_iter().flat_map(|start| self.ranges.cases(start)).collect()
    }
}

row! {
    /// A particle in a frame, or why there are no more frames.
    pub struct FrameRow {
        /// the time integrator
        pub scheme: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished; of the last row of a run that ended early: unstable or refused
        pub status: Status,
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

/// Half a swing of the paper's flag, started at rest, as in figures 3 to 6: that of the reference, the same moments of all runs.
#[derive(Clone)]
pub struct Frames {
    courses: Courses,
    /// Once they are known.
    times: Arc<OnceLock<Vec<f64>>>,
}

/// A swing whose period is unknown takes this long \[s\]: that of the driven corners.
fn half_period(ranges: &Flags, course: &Course, from: f64) -> f64 {
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
        self.courses.ranges.cases(Begin::Resting)
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        self.courses.kin(case)
    }

    fn measure(&self, &case: &Self::Case) -> Vec<FrameRow> {
        let (_, scheme, step) = case;
        let mut row = FrameRow { scheme: scheme.name().into(), step, status: Status::Finished, ..FrameRow::default() };
        let mut rows = vec![];
        let (status, reason) = match self.frames(case, &mut row, &mut rows) {
            Ok(None) => return rows,
            Ok(Some(reason)) => (Status::Unstable, reason),
            Err(invalid) => (Status::Refused, invalid.to_string()),
        };
        rows.push(FrameRow { status, reason: Some(reason), ..row });
        rows
    }
}

impl Frames {
    /// The moments \[s\], whole multiples of the largest step, none where there is no reference.
    fn moments(&self) -> Vec<f64> {
        let Courses { flag, ranges: CourseRanges { steps, reference, from, frames, .. } } = &self.courses;
        let Ok((_, course)) = whole(flag, (Begin::Resting, Scheme::Rk4, reference.get())) else { return vec![] };
        let between = half_period(flag, &course, from.get()) / f64::from((frames.get() - 1).max(1));
        let largest = steps.values().iter().map(|step| step.get()).fold(0.0, f64::max);
        let moment = |frame: u32| ((turn(&course, from.get()) + f64::from(frame) * between) / largest).round() * largest;
        (0..frames.get()).map(moment).collect()
    }

    /// Adds the frames to `rows`; why the run blew up before the last one, if it did. `row` keeps the frame and the time of that.
    ///
    /// # Errors
    /// A flag or a scheme that means nothing.
    fn frames(&self, case: Case, row: &mut FrameRow, rows: &mut Vec<FrameRow>) -> Result<Option<String>, ModelError> {
        let (begin, scheme, step) = case;
        let ranges = &self.courses.flag;
        let (flag, course) = whole(ranges, case)?;
        if course.blown.is_some() {
            row.time = course.steps as f64 * step;
            return Ok(course.blown);
        }
        let setting = Setting { start: begin, ..ranges.setting() };
        let mut run = Run::new(&flag, scheme, ranges.settings(&setting), step)?;
        let [across, up] = ranges.points.map(|points| points.get() as usize);
        let times = self.times.get_or_init(|| self.moments());
        if times.is_empty() {
            return Ok(Some("the reference, whose moments these would be, is refused".into()));
        }
        for (frame, time) in (0..).zip(times) {
            row.frame = frame;
            while run.time() < time - 0.5 * step {
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

/// When the corners are held \[s\].
const HELD: f64 = 30.0;
/// Energies below this are drawn as this \[J\].
const LEAST_ENERGY: f64 = 1e-9;
/// Marks at the ends of published decays, which would look the same without them.
const ENDS: [Marker; 4] = [Marker::OpenSquare, Marker::OpenCircle, Marker::OpenTriangle, Marker::OpenDiamond];
/// The decay that the paper fits to the energy of the held flag, from where a run stands then to its end, with a mark there and its
/// rate in the legend.
fn published_decay(run: &[Row<CourseRow>], marker: Marker) -> Vec<Layer> {
    let held = run.iter().find(|row| row.row.time >= HELD && row.row.energy.is_some_and(|energy| energy > LEAST_ENERGY));
    let (Some(held), Some(last)) = (held, run.last()) else { return vec![] };
    let (scheme, step) = (named(&held.row.scheme, None), held.row.step);
    let name = format!("decay rate of {scheme}");
    let curve = Curve::new(PARKS, "2", &name);
    let from = [held.row.time, held.row.energy.unwrap_or(LEAST_ENERGY)];
    let of_step = curve.values().into_iter().filter(|value| value.x.is_some_and(|at| at.low <= step && step <= at.high));
    let lines = curve.decay(step, from, last.row.time).into_iter().zip(of_step);
    let named = lines.flat_map(|(line, value)| {
        let label = format!("{}: {scheme}, {step} s, {} 1/s", curve.label(), value.y.middle());
        let end = match &line {
            Layer::Line { points, .. } => points.last().copied(),
            _ => None,
        };
        let end = Layer::points(label.clone(), Palette::GREY, end.into_iter().collect()).marker(marker);
        [line.labelled(label), end]
    });
    named.collect()
}

/// Figure 2: energy over time.
pub fn energy(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Courses>()?;
    let runs: Vec<&[Row<CourseRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let coarse = runs.iter().filter(|run| run[0].row.scheme != "rk4").map(|run| run[0].row.step).fold(0.0, f64::max);
    let line = |run: &&[Row<CourseRow>], from: f64| {
        let CourseRow { scheme, step, .. } = &run[0].row;
        let points = run
            .iter()
            .filter(|row| row.row.time >= from)
            .filter_map(|row| Some([row.row.time, row.row.energy?.max(LEAST_ENERGY)]));
        let dash = if *step == coarse { Dash::Dashed } else { Dash::Solid };
        Layer::line(format!("{}, {step} s", named(scheme, None)), color(scheme), points.collect()).dash(dash)
    };
    let panel = |start: &str, from: f64, title: &str| {
        let (x, y) = (Axis::linear("time [s]"), Axis::log("energy over that at rest [J]"));
        let mine: Vec<_> = runs.iter().filter(|run| run[0].row.start == start).collect();
        let mut layers: Vec<Layer> = mine.iter().map(|run| line(run, from)).collect();
        layers.extend(mine.iter().zip(ENDS.into_iter().cycle()).flat_map(|(run, end)| published_decay(run, end)));
        Panel::new(x, y, layers).titled(title).legend_outside()
    };
    let caption = "As figure 2, of the tuned scene, which was chosen for its rates: with exact integration the energy of the second half \
                   is constant. Energy over that of the flag at rest under its weight. Dotted: the rates that the paper fits, from where \
                   each run stands when the corners are held, each with its own mark at the end.";
    let panels = vec![
        panel("flat", 0.0, "started flat"),
        panel("flat", 30.0, "started flat, corners held"),
        panel("resting", 30.0, "started at rest, corners held"),
    ];
    Ok(Figure::new("energy", "Energy of the flag: driven for 30 s, then held", caption, panels))
}

/// The swing of the lower edge near the end.
pub fn swing_chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Courses>()?;
    let runs: Vec<&[Row<CourseRow>]> = rows.chunk_by(|a, b| a.set == b.set).filter(|run| run[0].row.start == "resting").collect();
    let end = rows.iter().map(|row| row.row.time).fold(0.0, f64::max);
    let steps: Vec<f64> = distinct(runs.iter().filter(|run| run[0].row.scheme != "rk4").map(|run| run[0].row.step));
    let panel = |step: f64| {
        let mine = runs.iter().filter(|run| run[0].row.step == step || run[0].row.scheme == "rk4");
        let layers = mine.flat_map(|run| {
            let CourseRow { scheme, .. } = &run[0].row;
            let late = run.iter().filter(|row| row.row.time >= end - 6.0);
            let points: Vec<[f64; 2]> = late.filter_map(|row| Some([row.row.time, 100.0 * row.row.swing?])).collect();
            let (name, color) = (named(scheme, None), color(scheme));
            [Layer::line(name.clone(), color, smooth(&points)), Layer::points(name, color, points).marker(Marker::OpenCircle)]
        });
        let (x, y) = (Axis::linear("time [s]"), Axis::linear("lower edge out of the plane [cm]"));
        Panel::new(x, y, layers.collect()).titled(format!("dt = {step} s"))
    };
    let title = "Swing of the lower edge, 26 s after the corners were held";
    let caption = "Period and amplitude of figures 3 to 6, beside a reference that loses next to no energy. Started at rest. Circles were \
                   measured; lines are cubic between them.";
    Ok(Figure::new("swing", title, caption, steps.into_iter().map(panel).collect()).with_one_y().with_one_legend())
}

/// Parts of the way from a point of a smooth curve to the next.
const PARTS: usize = 6;
/// A curve through points in rising order, cubic from each to the next [Catmull & Rom 1974].
fn smooth(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let at = |k: usize| points[k.min(points.len() - 1)];
    let mut curve = vec![];
    for k in 0..points.len().saturating_sub(1) {
        let [p0, p1, p2, p3] = [at(k.saturating_sub(1)), at(k), at(k + 1), at(k + 2)];
        let slope = |a: [f64; 2], b: [f64; 2]| (b[1] - a[1]) / (b[0] - a[0]);
        let (width, m1, m2) = (p2[0] - p1[0], slope(p0, p2), slope(p1, p3));
        curve.extend((0..PARTS).map(|part| {
            let t = part as f64 / PARTS as f64;
            let (rise, early, late) = (t * t * (3.0 - 2.0 * t), t * (1.0 - t) * (1.0 - t), t * t * (t - 1.0));
            [p1[0] + t * width, p1[1] + rise * (p2[1] - p1[1]) + width * (early * m1 + late * m2)]
        }));
    }
    curve.extend(points.last());
    curve
}

/// Moments of half a swing, from a turn of the lower edge to the next.
const MOMENTS: [&str; 5] = ["at a turn", "after a quarter of the way", "half way", "after three quarters", "at the next turn"];
/// Figures 3 to 6: half a swing as profiles of the flag.
pub fn frames(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Frames>()?;
    let widest = rows.iter().filter_map(|row| row.row.z).map(f64::abs).fold(0.0, f64::max) * 105.0;
    let panel = |run: &[Row<FrameRow>]| {
        let frames = run.chunk_by(|a, b| a.row.frame == b.row.frame).filter(|frame| frame[0].row.status == Status::Finished);
        let layers = frames.flat_map(|frame| {
            let mut points: Vec<[f64; 2]> = profile(frame).iter().filter_map(|row| Some([100.0 * row.z?, row.y?])).collect();
            points.sort_by(|a, b| a[1].total_cmp(&b[1]));
            let k = frame[0].row.frame as usize;
            Layer::marked_line(*MOMENTS.get(k).unwrap_or(&"later"), Palette::series(k), points)
        });
        let times = |row: Option<&Row<FrameRow>>| row.map_or_else(String::new, |row| format!("{:.2} s", row.row.time));
        let during = format!("{} to {}", times(run.first()), times(run.last()));
        let FrameRow { scheme, step, .. } = &run[0].row;
        let ended = run
            .last()
            .filter(|row| row.row.status != Status::Finished)
            .map_or_else(String::new, |row| format!(": {}", row.row.status));
        let x = Axis::linear("out of the plane [cm]").range(-widest, widest);
        let figure = figure_of(scheme, *step).map_or_else(String::new, |figure| format!("figure {figure}: "));
        let title = format!("{figure}{}, dt = {step} s, {during}{ended}", named(scheme, None));
        Panel::new(x, Axis::linear("height [m]"), layers.collect()).titled(title)
    };
    let mut runs: Vec<&[Row<FrameRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    // figures in their order, then what the paper does not show
    runs.sort_by_key(|run| figure_of(&run[0].row.scheme, run[0].row.step).unwrap_or("none"));
    let caption = "What figures 3 to 6 show as pictures, as profiles: a column of points in its middle, at the same moments of all \
                   runs, from a turn of the reference's lower edge to the next; the horizontal axis is stretched. Of the tuned scene, started at rest.";
    let panels = runs.into_iter().map(panel).collect();
    Ok(Figure { columns: 2, ..Figure::new("frames", "Half a swing of the flag", caption, panels).with_one_legend() })
}

/// The figure of the paper that shows a scheme at a step.
fn figure_of(scheme: &str, step: f64) -> Option<&'static str> {
    let figures = match scheme {
        "backward-euler" => ["3", "5"],
        "generalized-alpha" => ["4", "6"],
        _ => return None,
    };
    figures.into_iter().find(|figure| Curve::new(PARKS, figure, "step").number() == Some(step))
}

/// Points of the column in the middle.
fn profile(frame: &[Row<FrameRow>]) -> Vec<&FrameRow> {
    let columns = frame.iter().filter_map(|row| row.row.column).max().unwrap_or(0);
    frame.iter().map(|row| &row.row).filter(|row| row.column == Some(columns / 2)).collect()
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let courses = Courses { flag: ranges.flag.clone(), ranges: ranges.courses.clone() };
    let (duration, CourseRanges { steps, reference, from, .. }) = (ranges.flag.duration, &ranges.courses);
    let checked = [
        check_list("flag.duration", duration, steps),
        check_steps("flag.duration", duration.get(), reference.get()),
        check_list("courses.from", *from, steps),
    ]
    .into_iter();
    Topic::of(courses.clone())
        .table(Frames { courses, times: Arc::default() })
        .plot("energy", energy)
        .plot("swing", swing_chart)
        .plot("frames", frames)
        .places(&[("energy", -3), ("swing", -1), ("frames", -1)])
        .checked(checked.collect())
}
