//! How long each way takes to a solution of a step. S-PD-ROUGH, S-PD-TIGHT.

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
const ROUGH: Goal = GOALS[0];
const TIGHT: Goal = GOALS[2];
const ROUGH_BY_ENERGY: Goal = GOALS[3];

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
    type Case = (u64, Sheet, Way, Goal);
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        SETS * u64::from(self.ranges.timed.get())
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    fn times_alone(&self) -> bool {
        true
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

/// Sheets with a reference, each to each goal, with `measure` of every set: seconds, or work.
pub fn timed<'a>(rows: &'a [Row<TimeRow>], measure: impl Fn(&Row<TimeRow>) -> Option<f64>) -> Vec<Timed<'a>> {
    let goal = |row: &TimeRow| Goal { measure: row.measure, left: row.target };
    let sheets = rows.chunk_by(move |a, b| a.row.made == b.row.made && goal(&a.row) == goal(&b.row));
    let of = |sheet: &'a [Row<TimeRow>]| {
        let known = sheet.iter().filter(|row| row.row.steps > 0);
        let way = |row: &Row<TimeRow>| Some((row.row.way, measure(row)?, row.row.status == Status::Reached));
        let ways: Vec<_> = known.filter_map(way).collect();
        let row = &sheet.first()?.row;
        (!ways.is_empty()).then_some(Timed { made: &row.made, goal: goal(row), ways })
    };
    sheets.filter_map(of).collect()
}

/// Seconds a step.
pub fn a_step(medians: &HashMap<u64, f64>) -> impl Fn(&Row<TimeRow>) -> Option<f64> + '_ {
    |row| Some(medians.get(&row.set)? / row.row.steps as f64)
}

/// Whether the ratio of projective dynamics is to lie below 1, or above.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Faster,
    Slower,
}

/// S-PD-ROUGH.
pub fn rough(results: &Results) -> Result<Finding, ResultsError> {
    judged(&results.rows::<Times>()?, &median_seconds::<Times>(results)?, ROUGH, Side::Faster)
}

/// S-PD-TIGHT.
pub fn tight(results: &Results) -> Result<Finding, ResultsError> {
    judged(&results.rows::<Times>()?, &median_seconds::<Times>(results)?, TIGHT, Side::Slower)
}

fn judged(rows: &[Row<TimeRow>], medians: &HashMap<u64, f64>, goal: Goal, side: Side) -> Result<Finding, ResultsError> {
    let sheets = timed(rows, a_step(medians));
    let by_work = timed(rows, |row| Some(row.row.work));
    let of = |sheets: &[Timed<'_>], goal: Goal, way: Way, holds: &dyn Fn(&Made) -> bool| {
        let kept: Vec<&Timed<'_>> = sheets.iter().filter(|sheet| sheet.goal == goal && holds(sheet.made)).collect();
        let ratios: Vec<f64> = kept.iter().filter_map(|sheet| sheet.over_newton(way)).collect();
        let bounds = kept.iter().filter(|sheet| sheet.over_newton(way).is_some() && !sheet.reaches(way)).count();
        let share = share_of(ratios.iter().map(|ratio| if side == Side::Faster { *ratio < 1.0 } else { *ratio > 1.0 }))?;
        Some((Estimate::median(&ratios)?, share, bounds))
    };
    let judge = |(ratio, share, _): &(Estimate, Estimate, usize)| match side {
        Side::Faster => verdict(ratio.lies_below(1.0), share.lies_above(0.5)),
        Side::Slower => verdict(ratio.lies_above(1.0), share.lies_above(0.5)),
    };
    let words = |(ratio, share, bounds): &(Estimate, Estimate, usize)| {
        let (way, bounds) = (
            if side == Side::Faster { "faster" } else { "slower" },
            match bounds {
                0 => String::new(),
                bounds => format!(", {bounds} of them lower bounds"),
            },
        );
        format!("{ratio} times the time of Newton in the median, {way} on {} of {} sheets{bounds}", share.percent(), share.cases)
    };
    let two_sided = |made: &Made| made.kind == Kind::TwoSided;
    let main = of(&sheets, goal, Way::LocalGlobal, &two_sided)
        .ok_or_else(|| too_few("no sheet of springs that act both ways was timed"))?;
    let mut named = vec![];
    for way in [Way::Chebyshev, Way::QuasiNewton] {
        named.push((way.name().to_owned(), of(&sheets, goal, way, &two_sided)));
    }
    for kind in [Kind::OneSided, Kind::Triangles] {
        named.push((kind.name().into(), of(&sheets, goal, Way::LocalGlobal, &|made| made.kind == kind)));
    }
    for size in distinct(rows.iter().map(|row| row.row.made.side)) {
        let name = format!("{size} x {size} particles");
        named.push((name, of(&sheets, goal, Way::LocalGlobal, &|made| two_sided(made) && made.side == size)));
    }
    for (name, [low, high]) in
        [("kappa below 10", [0.0, 10.0]), ("kappa of 10 to 1000", [10.0, 1e3]), ("kappa above 1000", [1e3, f64::INFINITY])]
    {
        let within = |made: &Made| two_sided(made) && made.kappa >= low && made.kappa < high;
        named.push((name.into(), of(&sheets, goal, Way::LocalGlobal, &within)));
    }
    for other in GOALS.into_iter().filter(|other| *other != goal) {
        named.push((other.words(), of(&sheets, other, Way::LocalGlobal, &two_sided)));
    }
    for way in [Way::Chebyshev, Way::QuasiNewton] {
        let by_energy = GOALS.into_iter().filter(|other| other.measure == Measure::Energy);
        named.extend(by_energy.map(|other| (format!("{way}, {}", other.words()), of(&sheets, other, way, &two_sided))));
    }
    named.push(("by operations in place of time".into(), of(&by_work, goal, Way::LocalGlobal, &two_sided)));
    let drawn = rows
        .iter()
        .filter(|row| {
            row.row.measure == goal.measure
                && row.row.target == goal.left
                && row.row.way == Way::LocalGlobal
                && two_sided(&row.row.made)
        })
        .count();
    let reason = "Newton is the fastest of filtered and exact matrices, factored, and of conjugate gradients to a tenth, each with a line \
                  search; distance counts what is smooth, energy what is stretched, so that readings by energy may differ; a slower or a faster \
                  Newton, and sheets of other stiffness or size, would overturn it: see the readings and the map";
    let by_energy = of(&sheets, ROUGH_BY_ENERGY, Way::LocalGlobal, &two_sided).filter(|_| goal == ROUGH);
    let (found, measured) = match by_energy.filter(|by_energy| judge(by_energy) != judge(&main)) {
        Some(by_energy) => (Verdict::Underspecified, format!("{}; by energy {}", words(&main), words(&by_energy))),
        None => (judge(&main), words(&main)),
    };
    Ok(Finding::new(found, measured, reason)
        .rests_on(&main.0)
        .left_out(drawn - main.0.cases)
        .readings(readings(named, words, judge)))
}

/// Ratios of time by numerical stiffness.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let (rows, medians) = (results.rows::<Times>()?, median_seconds::<Times>(results)?);
    let sheets = timed(&rows, a_step(&medians));
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
    Topic::of(Times { ranges: ranges.clone(), solved })
        .plot("times", chart)
        .judge_of_times("S-PD-ROUGH", rough)
        .judge_of_times("S-PD-TIGHT", tight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sheets by every way to a rough solution, with the seconds of a step of projective dynamics and of Newton.
    fn sheets(projective: f64, newton: f64, status: Status) -> (Vec<Row<TimeRow>>, HashMap<u64, f64>) {
        let (mut rows, mut medians) = (vec![], HashMap::new());
        for sheet in 0..12_u64 {
            for (k, way) in Way::ALL.into_iter().enumerate() {
                let set = WAYS * sheet + k as u64;
                let made = Made { density: sheet as f64, ..Made::default() };
                let status = if way.is_projective() { status } else { Status::Reached };
                let row = TimeRow { made, way, target: 0.1, status, steps: 4, work: 1.0, ..TimeRow::default() };
                medians.insert(set, 4.0 * if way.is_projective() { projective } else { newton });
                rows.push(Row { set, row });
            }
        }
        (rows, medians)
    }

    #[test]
    fn ratios_of_time_decide() {
        let judge = |(rows, medians): (Vec<Row<TimeRow>>, HashMap<u64, f64>), side| judged(&rows, &medians, ROUGH, side).unwrap();
        let found = judge(sheets(1.0, 4.0, Status::Reached), Side::Faster);
        assert_eq!((found.verdict, found.cases, found.value), (Verdict::Reproduced, 12, Some(0.25)));
        assert_eq!(judge(sheets(4.0, 1.0, Status::Reached), Side::Faster).verdict, Verdict::NotReproduced);
        assert_eq!(judge(sheets(4.0, 1.0, Status::Reached), Side::Slower).verdict, Verdict::Reproduced);
        assert!(judge(sheets(4.0, 1.0, Status::NotReached), Side::Slower).measured.contains("12 of them lower bounds"));
    }

    #[test]
    fn a_rough_solution_by_energy_alone_is_underspecified() {
        let (mut rows, mut medians) = sheets(4.0, 1.0, Status::Reached);
        let (others, their_medians) = sheets(1.0, 4.0, Status::Reached);
        let sets = rows.len() as u64;
        rows.extend(others.into_iter().map(|Row { set, row }| {
            medians.insert(set + sets, their_medians[&set]);
            Row { set: set + sets, row: TimeRow { measure: Measure::Energy, ..row } }
        }));
        assert_eq!(judged(&rows, &medians, ROUGH, Side::Faster).unwrap().verdict, Verdict::Underspecified);
        assert_eq!(judged(&rows, &medians, ROUGH_BY_ENERGY, Side::Faster).unwrap().verdict, Verdict::Reproduced);
    }

    #[test]
    fn a_row_says_what_was_reached() {
        let sheet = Sheet { kind: Kind::TwoSided, side: 20, density: 1.0, stiffness: 1.0, step: 0.01, caught: 0.1 };
        let look = |iterations: usize, left: f64| Look { iterations, left, above: left, work: 30.0 * iterations as f64 };
        let course = [look(1, 0.5), look(2, 0.05), look(3, 0.01)];
        let row = |left: f64| row_of(&sheet, Way::LocalGlobal, Goal { left, ..ROUGH }, &course);
        assert_eq!((row(0.1).iterations, row(0.1).status, row(0.1).steps), (2, Status::Reached, 63)); // 1500 / (60 * 0.4)
        assert_eq!((row(1e-3).iterations, row(1e-3).status), (3, Status::NotReached));
        assert_eq!(row_of(&sheet, Way::Exact, ROUGH, &[]).status, Status::NoReference);
    }
}
