//! How long each way takes to a solution of a step.

use kit::prelude::*;

use super::courses::{CourseRanges, WAYS};
use super::sheets::{Kind, Made, Sheet};
use super::solved::{Look, Measure, Solved};
use super::solvers::Way;

/// What is to be left of the way: rough, in between, tight, by distance and by energy \[-\].
pub const GOALS: [Goal; 5] = [
    Goal { measure: Measure::Distance, left: 0.1 },
    Goal { measure: Measure::Distance, left: 1e-3 },
    Goal { measure: Measure::Distance, left: 1e-6 },
    Goal { measure: Measure::Energy, left: 0.1 },
    Goal { measure: Measure::Energy, left: 1e-3 },
];

/// How far a way is to come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    pub measure: Measure,
    /// What is to be left by it \[-\].
    pub left: f64,
}

impl Goal {
    /// In the words of charts and tables.
    pub fn words(self) -> String {
        let left = match self.left {
            0.1 => "a tenth",
            1e-3 => "a thousandth",
            _ => "a millionth",
        };
        format!("{left} left by {}", self.measure)
    }
}

row! {
    /// A sheet, a way, and how far it is to come.
    pub struct TimeRow {
        /// the sheet
        pub made: Made,
        /// local-global, Chebyshev, L-BFGS; Newton, filtered, exact, inexact
        pub way: Way,
        /// distance to the converged step, or energy of the step above its least, over that of x + dt v
        pub measure: Measure,
        /// what is to be left of it
        pub target: f64,
        /// reached, not reached in the most iterations, or no reference: the step by Newton did not converge
        pub status: Status,
        /// iterations after which that is left, or the most that were tried
        pub iterations: usize,
        /// nominal operations over those of an evaluation of all forces
        pub work: f64,
        /// equal steps that are timed together
        pub steps: u64,
    }
}

/// Work that is timed together, in evaluations of all forces of a thousand particles \[-\]: some hundredths of a second.
const TIMED: f64 = 1500.0;

/// The row of a way to a goal by its course.
pub fn row_of(sheet: &Sheet, way: Way, Goal { measure, left }: Goal, course: &[Look]) -> TimeRow {
    let row = TimeRow { made: sheet.into(), way, measure, target: left, status: Status::NoReference, ..TimeRow::default() };
    let found = course.iter().find(|look| look.by(measure) <= left);
    let Some(look) = found.or(course.last()) else { return row };
    let status = if found.is_some() { Status::Reached } else { Status::NotReached };
    let thousands = (sheet.side * sheet.side) as f64 / 1000.0;
    let steps = (TIMED / (look.work * thousands)).ceil().clamp(1.0, 1000.0) as u64;
    TimeRow { status, iterations: look.iterations, work: look.work, steps, ..row }
}

/// Takes the steps of a row again.
pub fn again(solved: &Solved, scene: u64, sheet: &Sheet, known: &[TimeRow]) {
    let Some(TimeRow { way, iterations, steps, .. }) = known.first().filter(|row| row.steps > 0) else { return };
    let _taken = solved.problem(scene, sheet, |problem| {
        let (mut scheme, mut state) = (way.with(&*problem.cloth, *iterations), problem.begin.clone());
        for _ in 0..*steps {
            state.copy_from(&problem.begin);
            scheme.step(&*problem.cloth, sheet.step, &mut state);
        }
        std::hint::black_box(&state);
    });
}

/// Sheets, each by every way to every goal.
pub struct Times {
    pub ranges: CourseRanges,
    pub solved: Solved,
}

/// Sets of a scene.
const SETS: u64 = WAYS * GOALS.len() as u64;

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "a step of sheets caught in their fall, by every way to five goals: times stand in timings.csv";
    const SCENES: &'static str = "sheets";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = (u64, Sheet, Way, Goal);
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        SETS * u64::from(self.ranges.timed.get())
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    fn enough(&self) -> f64 {
        0.1
    }

    fn scene(&self, set: u64) -> u64 {
        set / SETS
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let (scene, place) = (self.scene(set), (set % SETS) as usize);
        let (goal, way) = (place / WAYS as usize, place % WAYS as usize);
        (scene, Sheet::draw(&self.ranges.sheets, scene, stream), Way::ALL[way], GOALS[goal])
    }

    fn kin(&self, (_, sheet, ..): &Self::Case) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (scene, sheet, way, goal): &Self::Case) -> Vec<TimeRow> {
        vec![row_of(sheet, *way, *goal, &self.solved.course(*scene, sheet, *way))]
    }

    fn repeat(&self, (scene, sheet, ..): &Self::Case, known: &[TimeRow]) -> Vec<TimeRow> {
        again(&self.solved, *scene, sheet, known);
        known.to_vec()
    }
}

/// A sheet to a goal by every way.
pub struct Timed<'a> {
    pub made: &'a Made,
    pub goal: Goal,
    /// Seconds a step, and whether that reached the goal.
    ways: Vec<(Way, f64, bool)>,
}

impl Timed<'_> {
    /// Time of a way over that of the fastest Newton that reaches the goal, a lower bound where it does not; none where no
    /// Newton does.
    pub fn over_newton(&self, way: Way) -> Option<f64> {
        let of = |wanted: Way| self.ways.iter().find(|(way, ..)| *way == wanted);
        let newtons = self.ways.iter().filter(|(way, _, reached)| !way.is_projective() && *reached);
        let fastest = newtons.map(|(_, seconds, _)| *seconds).reduce(f64::min)?;
        Some(of(way)?.1 / fastest)
    }

    /// Whether a way reaches the goal.
    pub fn reaches(&self, wanted: Way) -> bool {
        self.ways.iter().any(|(way, _, reached)| *way == wanted && *reached)
    }
}

/// Sheets with a reference, each to each goal, with the median seconds of every set.
pub fn timed<'a>(rows: &'a [Row<TimeRow>], medians: &HashMap<u64, f64>) -> Vec<Timed<'a>> {
    let goal = |row: &TimeRow| Goal { measure: row.measure, left: row.target };
    let sheets = rows.chunk_by(move |a, b| a.row.made == b.row.made && goal(&a.row) == goal(&b.row));
    let of = |sheet: &'a [Row<TimeRow>]| {
        let known = sheet.iter().filter(|row| row.row.steps > 0);
        let a_step = |row: &Row<TimeRow>| Some(medians.get(&row.set)? / row.row.steps as f64);
        let way = |row: &Row<TimeRow>| Some((row.row.way, a_step(row)?, row.row.status == Status::Reached));
        let ways: Vec<_> = known.filter_map(way).collect();
        let row = &sheet.first()?.row;
        (!ways.is_empty()).then_some(Timed { made: &row.made, goal: goal(row), ways })
    };
    sheets.filter_map(of).collect()
}

/// Ratios of time by numerical stiffness.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let (rows, medians) = (results.rows::<Times>()?, median_seconds::<Times>(results)?);
    let sheets = timed(&rows, &medians);
    let panel = |goal: Goal| {
        let kept = || sheets.iter().filter(move |sheet| sheet.goal == goal && sheet.made.kind == Kind::TwoSided);
        let mut layers = vec![];
        for way in [Way::LocalGlobal, Way::Chebyshev, Way::QuasiNewton] {
            for (reached, marker, ending) in [(true, Marker::Circle, ""), (false, Marker::Triangle, ", at least")] {
                let points: Vec<[f64; 2]> = kept()
                    .filter(|sheet| sheet.reaches(way) == reached)
                    .filter_map(|sheet| Some([sheet.made.kappa, sheet.over_newton(way)?]))
                    .collect();
                if !points.is_empty() {
                    layers.push(Layer::points(format!("{}{ending}", way.name()), way.color(), points).marker(marker));
                }
            }
        }
        layers.push(Layer::rule("as fast as Newton", Palette::GREY, Direction::Horizontal, 1.0));
        let y = Axis::log("time over that of Newton");
        Panel::new(Axis::log("kappa = dt² k / m"), y, layers).titled(goal.words())
    };
    let caption = "Time of projective dynamics over that of the fastest Newton to the same distance from the converged step, or to the same energy: a point a sheet of \
                   springs that act both ways, triangles lower bounds. Below the line projective dynamics is faster.";
    let figure = Figure::new("times", "Time to a solution over that of Newton", caption, GOALS.map(panel).into());
    Ok(Figure { of_times: true, columns: 3, ..figure.with_one_legend().with_one_y() })
}

pub fn topic(ranges: &CourseRanges, solved: Solved) -> Topic {
    Topic::of(Times { ranges: ranges.clone(), solved }).plot("times", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_was_reached() {
        let sheet = Sheet { kind: Kind::TwoSided, side: 20, density: 1.0, stiffness: 1.0, step: 0.01, caught: 0.1 };
        let look = |iterations: usize, left: f64| Look { iterations, left, above: left, work: 30.0 * iterations as f64 };
        let course = [look(1, 0.5), look(2, 0.05), look(3, 0.01)];
        let row = |left: f64| row_of(&sheet, Way::LocalGlobal, Goal { left, ..GOALS[0] }, &course);
        assert_eq!((row(0.1).iterations, row(0.1).status, row(0.1).steps), (2, Status::Reached, 63)); // 1500 / (60 * 0.4)
        assert_eq!((row(1e-3).iterations, row(1e-3).status), (3, Status::NotReached));
        assert_eq!(row_of(&sheet, Way::Exact, GOALS[0], &[]).status, Status::NoReference);
    }
}
