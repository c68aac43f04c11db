//! What is left of the way after each iteration.

use kit::prelude::*;

use super::sheets::{Kind, Made, Sheet, Sheets};
use super::solved::{Measure, Solved, TIGHT};
use super::solvers::Way;
use super::times;

ranges!(CourseRanges {
    //! Sheets.
    /// Number of sheets.
    scenes: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// Most iterations of projective dynamics; Newton has a twentieth of them.
    most: Count,
    /// How many of the sheets are timed, the first ones.
    timed: Count,
    /// Measurements of each for its time.
    repeats: Count,
});

row! {
    /// A sheet and a way, where it first leaves so little of the way.
    pub struct CourseRow {
        /// the sheet
        pub made: Made,
        /// local-global, Chebyshev, L-BFGS; Newton, filtered, exact, inexact
        pub way: Way,
        /// reached, not reached in the most iterations, or no reference: the step by Newton did not converge
        pub status: Status,
        /// distance to the converged step, rms over mass; energy of the step above its least; each over that of x + dt v
        pub measure: Measure,
        /// what is to be left of the way by that measure
        pub level: f64,
        /// iterations in the step after which no more is left; it is looked at each of the first, then every quarter more
        pub iterations: Option<usize>,
        /// nominal operations until then over those of an evaluation of all forces; the factorisation that all steps share is left out
        pub work: Option<f64>,
        /// largest rise of the step's energy between looks of the whole course, over its fall from x + dt v; 0 where it falls throughout
        pub rise: Option<f64>,
    }
}

/// What is to be left of the way \[-\], by distance and by energy, which is about its square.
const LEVELS: [(Measure, &[f64]); 2] = [
    (Measure::Distance, &[0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-4, 1e-5, TIGHT]),
    (Measure::Energy, &[0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8]),
];

/// Sheets, each by every way.
pub struct Courses {
    pub ranges: CourseRanges,
    pub solved: Solved,
}

/// Sets of a scene: a way each.
pub const WAYS: u64 = Way::ALL.len() as u64;

impl Group for Courses {
    const NAME: &'static str = "courses";
    const ABOUT: &'static str = "a step of sheets caught in their fall, by every way: what is left after each iteration";
    const SCENES: &'static str = "sheets";
    const SAMPLED: bool = false;
    type Case = (u64, Sheet, Way);
    type Row = CourseRow;

    fn sets(&self) -> u64 {
        WAYS * u64::from(self.ranges.scenes.get())
    }

    fn scene(&self, set: u64) -> u64 {
        set / WAYS
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let scene = self.scene(set);
        (scene, Sheet::draw(&self.ranges.sheets, scene, stream), Way::ALL[(set % WAYS) as usize])
    }

    fn kin(&self, (_, sheet, _): &Self::Case) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (scene, sheet, way): &Self::Case) -> Vec<CourseRow> {
        let course = self.solved.course(*scene, sheet, *way);
        let rise = course.windows(2).map(|pair| pair[1].above - pair[0].above).fold(0.0, f64::max);
        let row = |measure: Measure, level: f64| {
            let found = course.iter().find(|look| look.by(measure) <= level);
            CourseRow {
                made: sheet.into(),
                way: *way,
                measure,
                status: (if course.is_empty() {
                    Status::NoReference
                } else if found.is_some() {
                    Status::Reached
                } else {
                    Status::NotReached
                }),
                level,
                iterations: found.map(|look| look.iterations),
                work: found.map(|look| look.work),
                rise: if course.is_empty() { None } else { finite(rise) },
            }
        };
        LEVELS.into_iter().flat_map(|(measure, levels)| levels.iter().map(move |level| row(measure, *level))).collect()
    }
}

/// Rows of a sheet by a way.
pub type RunWatch<'a> = &'a [Row<CourseRow>];

/// Courses of a way on sheets of a kind that have a reference.
pub fn courses(rows: &[Row<CourseRow>], way: Way, kind: Kind) -> Vec<RunWatch<'_>> {
    let is_meant = |row: &CourseRow| row.way == way && row.made.kind == kind && row.status != Status::NoReference;
    rows.chunk_by(|a, b| a.set == b.set).filter(|course| is_meant(&course[0].row)).collect()
}

/// The row at a level.
pub fn at(course: RunWatch<'_>, measure: Measure, level: f64) -> Option<&CourseRow> {
    course.iter().map(|row| &row.row).find(|row| row.measure == measure && row.level == level)
}

/// Iterations by what is left.
pub fn by_iterations(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "What is left of one step, by distance to the converged step and by energy, medians over sheets of springs that act both \
                   ways, where four in five come so far; the bars hold half of the sheets. One iteration of Newton assembles and factors \
                   a matrix, one of projective dynamics solves by a factor that is there.";
    let panels = drawn(&results.rows::<Courses>()?, "iterations", |row| row.iterations.map(|n| n as f64));
    Ok(Figure::new("iterations", "Error against iterations", caption, panels).with_one_legend())
}

/// Work by what is left.
pub fn by_work(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "As the chart before, against nominal operations over those of an evaluation of all forces. Operations of a factorisation \
                   run several times as fast as those of a solve by a factor, so that times, below, are kinder to Newton.";
    let panels = drawn(&results.rows::<Courses>()?, "work [evaluations of forces]", |row| row.work);
    Ok(Figure::new("work", "Error against work", caption, panels).with_one_legend())
}

/// What it takes to come to each level: median and quartiles over the sheets that do, where four in five do.
fn drawn(rows: &[Row<CourseRow>], label: &str, of_row: fn(&CourseRow) -> Option<f64>) -> Vec<Panel> {
    let panel = |(measure, levels): (Measure, &[f64])| {
        let mut layers = vec![];
        for way in Way::ALL {
            let courses = courses(rows, way, Kind::TwoSided);
            let mut points = vec![];
            for &level in levels {
                let taken: Vec<f64> = courses.iter().filter_map(|course| of_row(at(course, measure, level)?)).collect();
                let quartiles = [0.5, 0.25, 0.75].map(|p| quantile(&taken, p));
                if let ([Some(median), Some(low), Some(high)], true) = (quartiles, 5 * taken.len() >= 4 * courses.len()) {
                    points.push([level, median, low, high]);
                }
            }
            layers.extend(Layer::line_with_bars(way.name(), way.color(), points));
        }
        let ends = extent(levels.iter().copied());
        let x = Axis::log(format!("left by {measure}")).range(0.5 * ends[0], 2.0 * ends[1]);
        Panel::new(x, Axis::log(label), layers).titled(format!("by {measure}"))
    };
    LEVELS.map(panel).into()
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let solved = Solved::new(ranges.courses.most.get() as usize);
    let courses = Topic::of(Courses { ranges: ranges.courses.clone(), solved: solved.clone() })
        .plot("iterations", by_iterations)
        .plot("work", by_work);
    Topic::all([courses, times::topic(&ranges.courses, solved)])
}
