//! Pinned sheets by both solvers, and one that decomposes well by three, timed alone and in turn.

use kit::prelude::*;

use super::assumptions::{IN_BLOCK_ROWS, PINNED, STICKING_SPHERE, Scene};
use super::charts::particles;
use super::verdicts::signed;

ranges!(TimeRanges {
    //! Lists that sheets are drawn from, and how often they are timed.
    /// Pinned sheets.
    sheets: Count,
    /// Sheets on the sphere.
    on_sphere: Count,
    /// Measurements of each.
    repeats: Count,
    /// What they are drawn from, until explicit bending is stable.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
    /// Particles a side of the sheets on the sphere.
    sphere_side: Side,
});

/// The solvers that are compared, in the order of their sets; the last one on the sphere only.
pub const SOLVERS: [&str; 3] = ["full", "DS1, serial", "DS2, threads"];

const HOW: [Option<Decompose>; 3] = [None, Some(Decompose::Serial), Some(Decompose::Threaded)];

/// Solvers of a pinned sheet.
const PINNED_SOLVERS: u64 = 2;

/// Largest bending number of a sheet that is timed \[-\]: its explicit bending is stable.
const BENDING: f64 = 0.5;

const MOST_DRAWS: u32 = 10_000;

/// A sheet in a scene by one of the solvers.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    number: u64,
    scene: Scene,
    solver: usize,
}

/// Pinned sheets by two solvers, then sheets on the sphere by three.
pub struct Times(pub TimeRanges);

row! {
    /// What was timed.
    pub struct TimeRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// which sheet: rows that share it are compared
        pub sheet: u64,
        /// full; DS1 solves one component after the other, DS2 over threads
        pub solver: String,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// RV count: rows multiplied by a vector
        pub rows: u64,
        /// the same without rows of fully constrained particles
        pub free_rows: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// components of a system, mean over the steps; 0 for the full solver
        pub components: f64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "pinned sheets by both solvers, others on the sphere also over threads, with matrices in block rows: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        self.pinned() + SOLVERS.len() as u64 * u64::from(self.0.on_sphere.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn times_alone(&self) -> bool {
        true
    }

    fn scene(&self, set: u64) -> u64 {
        match set.checked_sub(self.pinned()) {
            None => set / PINNED_SOLVERS,
            Some(set) => u64::from(self.0.sheets.get()) + set / SOLVERS.len() as u64,
        }
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let number = self.scene(set);
        match set.checked_sub(self.pinned()) {
            None => Case { sheet: self.draw(PINNED, stream), number, scene: PINNED, solver: (set % PINNED_SOLVERS) as usize },
            Some(set) => {
                let side = self.0.sphere_side.get() as usize;
                let spacing = self.0.lists.length.get() / side as f64;
                let fits = |sheet: Sheet| Sheet { side, spacing, ..sheet };
                let sheet = self.draw_fitting(STICKING_SPHERE, fits, stream);
                Case { sheet, number, scene: STICKING_SPHERE, solver: (set % SOLVERS.len() as u64) as usize }
            }
        }
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        vec![self.row(case)]
    }
}

impl Times {
    /// Sets of pinned sheets, which come first.
    fn pinned(&self) -> u64 {
        PINNED_SOLVERS * u64::from(self.0.sheets.get())
    }

    fn draw(&self, scene: Scene, stream: &mut ChaCha8Rng) -> Sheet {
        self.draw_fitting(scene, |sheet| sheet, stream)
    }

    /// The first draw that is stable when made to fit; the last one where none is.
    fn draw_fitting(&self, scene: Scene, fits: impl Fn(Sheet) -> Sheet, stream: &mut ChaCha8Rng) -> Sheet {
        let mut sheet = fits(Sheet::of_length(&self.0.lists, scene.configuration, stream));
        for _ in 0..MOST_DRAWS {
            if sheet.bending_number(sheet.step) <= BENDING {
                break;
            }
            sheet = fits(Sheet::of_length(&self.0.lists, scene.configuration, stream));
        }
        sheet
    }

    fn row(&self, Case { sheet, number, scene, solver }: &Case) -> TimeRow {
        let row = TimeRow {
            scene: scene.name.into(),
            sheet: *number,
            solver: SOLVERS[*solver].into(),
            side: sheet.side,
            step: sheet.step,
            status: Status::Refused,
            ..TimeRow::default()
        };
        match IN_BLOCK_ROWS.run(sheet, scene.friction, self.0.threshold.get(), HOW[*solver]) {
            Ok(run) => self.stepped(run, sheet, row),
            Err(_) => row,
        }
    }

    fn stepped(&self, mut run: Run, sheet: &Sheet, row: TimeRow) -> TimeRow {
        let course = RunWatch::followed(&mut run, sheet.step, self.0.duration.get());
        let work = run.work();
        TimeRow {
            steps: run.steps,
            rows: work.rows,
            free_rows: work.free_rows,
            iterations: work.iterations,
            components: work.components as f64 / run.steps as f64,
            status: course.status(),
            ..row
        }
    }
}

/// Times: pinned sheets, and some that decompose well.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let overheads = overheads(results)?;
    let sheets = overheads.len();
    let caption = format!(
        "Times of whole runs with matrices in block rows, measured alone and in turn on one machine: {sheets} pinned sheets, and others \
         on the sphere whose contact sticks, with the median over sheets and its interval by order statistics."
    );
    let x = particles();
    let layers = vec![
        Layer::rule("published (Boxerman 2003, 6.4.1)", Palette::GREY, Direction::Horizontal, 1.023),
        Layer::points("pinned sheets", Palette::BLUE, overheads).marker(Marker::OpenCircle),
    ];
    let pinned = Panel::new(x, Axis::linear("time, decomposing / full").range(0.0, 1.4), layers).titled("nothing decomposes");
    let bars = on_sphere(results)?.into_iter().take(2).enumerate().map(|(k, Estimate { value, interval, .. })| {
        let Interval { low, high } = interval.unwrap_or(Interval { low: value, high: value });
        [k as f64 + 1.1, value, low, high]
    });
    let published = PUBLISHED_TIMES.iter().enumerate().map(|(k, ratio)| [k as f64 + 0.9, *ratio]);
    let x = Axis::categories("", ["DS1, serial", "DS2, threads"]);
    let y = Axis::linear("time / time of the full solver").range(0.0, 1.4);
    let layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        Layer::points("published (Boxerman 2003, 6.4.2)", Palette::GREY, published.collect::<Vec<_>>()).marker(Marker::Diamond),
        Layer::error_bars("median, 95 % interval", Palette::BLUE, bars.collect::<Vec<_>>()),
    ];
    let sphere = Panel::new(x, y, layers).titled("sheets that decompose well");
    Ok(Figure { of_times: true, ..Figure::new("times", "Time of the decomposing solver", caption, vec![pinned, sphere]) })
}

/// A sheet that every solver brought to its end: its rows and median times \[s\], a solver after the other.
struct Timed {
    rows: Vec<TimeRow>,
    seconds: Vec<f64>,
}

impl Timed {
    /// Time of a solver over that of another.
    fn ratio(&self, solver: usize, over: usize) -> Option<f64> {
        Some(self.seconds.get(solver)? / self.seconds.get(over)?)
    }

    /// Rows multiplied by a solver over those of another.
    fn rows(&self, solver: usize, over: usize) -> Option<f64> {
        Some(self.rows.get(solver)?.rows as f64 / self.rows.get(over)?.rows as f64)
    }
}

/// Sheets of a scene that came to their end, and how many were drawn.
fn timed(results: &Results, scene: &Scene) -> Result<(Vec<Timed>, usize), ResultsError> {
    let rows = results.rows::<Times>()?;
    let seconds = median_seconds::<Times>(results)?;
    let rows: Vec<&Row<TimeRow>> = rows.iter().filter(|row| row.row.scene == scene.name).collect();
    let (mut sheets, mut drawn) = (vec![], 0);
    for sheet in rows.chunk_by(|a, b| a.row.sheet == b.row.sheet) {
        drawn += 1;
        let Some(seconds) = sheet.iter().map(|row| seconds.get(&row.set).copied()).collect::<Option<Vec<f64>>>() else {
            continue;
        };
        if sheet.iter().all(|row| row.row.status == Status::Finished) {
            sheets.push(Timed { rows: sheet.iter().map(|row| row.row.clone()).collect(), seconds });
        }
    }
    Ok((sheets, drawn))
}

/// Median of a ratio over sheets, by order statistics.
fn over_sheets(sheets: &[Timed], ratio: impl Fn(&Timed) -> Option<f64>) -> Option<Estimate> {
    Estimate::median(&sheets.iter().filter_map(ratio).collect::<Vec<_>>())
}

/// Ratio of the median times of the decomposing and the full solver for each pinned sheet, with its number of particles.
pub fn overheads(results: &Results) -> Result<Vec<[f64; 2]>, ResultsError> {
    let (sheets, _) = timed(results, &PINNED)?;
    Ok(sheets.iter().filter_map(|sheet| Some([(sheet.rows[0].side * sheet.rows[0].side) as f64, sheet.ratio(1, 0)?])).collect())
}

/// Published ratio of times plus or minus 0.02 \[Boxerman 2003, 6.4.1\].
const PUBLISHED_OVERHEAD: [f64; 2] = [1.003, 1.043];
fn judge_overhead(found: &Estimate) -> Verdict {
    let [least, most] = PUBLISHED_OVERHEAD;
    verdict(found.lies_within(least, most), found.lies_above(1.0))
}

/// A change with its interval, of a ratio.
fn change(found: &Estimate) -> String {
    signed(found.value - 1.0, found.interval.map(|i| Interval { low: i.low - 1.0, high: i.high - 1.0 }))
}

/// B-DEC-TIME.
pub fn overhead(results: &Results) -> Result<Finding, ResultsError> {
    let (sheets, drawn) = timed(results, &PINNED)?;
    let found = over_sheets(&sheets, |sheet| sheet.ratio(1, 0)).ok_or_else(|| too_few("no pinned sheet was timed to its end"))?;
    let mut readings = vec![];
    if let Some(work) = over_sheets(&sheets, |sheet| sheet.rows(1, 0)) {
        let measured = format!("{} rows multiplied, in the median sheet", change(&work));
        readings.push(Reading::new("work in place of time, on the same sheets", measured, Some(judge_overhead(&work))));
    }
    let measured = format!("{} time in the median sheet", change(&found));
    let reason = "times of this machine, both solvers in turn, matrices in block rows; both read a packed matrix, so that times \
                  compare algorithms; the decomposing solver searches the graph and packs each component into an array of its \
                  own, the full one packs its whole matrix; another layout of the matrix in memory could overturn it";
    Ok(Finding::new(judge_overhead(&found), measured, reason).rests_on(&found).left_out(drawn - found.cases).readings(readings))
}

/// Times of both decomposing solvers over those of the full one on the sphere, over sheets, and of the threaded one over the
/// serial.
pub fn on_sphere(results: &Results) -> Result<[Estimate; 3], ResultsError> {
    let (sheets, _) = timed(results, &STICKING_SPHERE)?;
    let missing = || too_few("no sheet on the sphere was timed to its end by three solvers");
    let of = |solver, over| over_sheets(&sheets, |sheet| sheet.ratio(solver, over)).ok_or_else(missing);
    Ok([of(1, 0)?, of(2, 0)?, of(2, 1)?])
}

/// Published times of DS1 and DS2 over that of the full solver \[Boxerman 2003, 6.4.2\].
pub const PUBLISHED_TIMES: [f64; 2] = [0.82, 0.70];
/// How far from them counts as the same.
const NEAR: f64 = 0.1;
/// Both published ratios, in their order: serial faster than full, threads faster than serial.
fn judge_parallel([serial, threaded, against]: &[Estimate; 3]) -> Verdict {
    let [first, second] = PUBLISHED_TIMES;
    let near = serial.lies_within(first - NEAR, first + NEAR).and(threaded.lies_within(second - NEAR, second + NEAR));
    verdict(near.and(against.lies_below(1.0)), serial.lies_below(1.0).and(against.lies_below(1.0)))
}

/// B-DEC-PAR.
pub fn parallel(results: &Results) -> Result<Finding, ResultsError> {
    let found = on_sphere(results)?;
    let [serial, threaded, against] = &found;
    let (sheets, drawn) = timed(results, &STICKING_SPHERE)?;
    let mut readings =
        vec![Reading::new("DS2 against DS1", change(against), Some(verdict(against.lies_below(1.0), false.into())))];
    let near = |published: f64| [published - NEAR, published + NEAR];
    for (name, found, published) in [("DS1 alone", serial, PUBLISHED_TIMES[0]), ("DS2 alone", threaded, PUBLISHED_TIMES[1])] {
        let [low, high] = near(published);
        let verdict = verdict(found.lies_within(low, high), found.lies_below(1.0));
        let measured = format!("{}, published {}", change(found), signed(published - 1.0, None));
        readings.push(Reading::new(name, measured, Some(verdict)));
    }
    if let Some(work) = over_sheets(&sheets, |sheet| sheet.rows(1, 0)) {
        let [low, high] = near(PUBLISHED_TIMES[0]);
        let verdict = verdict(work.lies_within(low, high), work.lies_below(1.0));
        readings.push(Reading::new("work in place of time: rows multiplied, DS1 against full", change(&work), Some(verdict)));
    }
    let components = over_sheets(&sheets, |sheet| sheet.rows.get(1).map(|row| row.components));
    let measured = format!("DS1 {}, DS2 {}, DS2 over DS1 {}", change(serial), change(threaded), change(against));
    let components = components.map_or_else(|| "no".into(), |found| found.to_string());
    let reason = format!(
        "value and interval are those of DS2 over DS1; the thesis has full > DS1 > DS2 on one case and two processors, as many as here; \
         {components} components in the median step, of which one holds most of the sheet and leaves the other thread little, while \
         forces, matrix and graph are serial in all three; larger sheets, whose solves outlast the start of a thread, would overturn the \
         order"
    );
    Ok(Finding::new(judge_parallel(&found), measured, reason)
        .rests_on(against)
        .cases(serial.cases)
        .left_out(drawn - serial.cases)
        .readings(readings))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone()))
        .plot("times", chart)
        .judge_of_times("B-DEC-TIME", overhead)
        .judge_of_times("B-DEC-PAR", parallel)
        .places(&[("B-DEC-TIME", -1)])
        .checked(check_list("times.duration", ranges.times.duration, &ranges.times.lists.step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_are_slower_than_none_do_not_reproduce() {
        let between =
            |low: f64, high: f64| Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 8 };
        let judge = |serial: [f64; 2], threaded: [f64; 2], against: [f64; 2]| {
            judge_parallel(&[serial, threaded, against].map(|[low, high]| between(low, high)))
        };
        assert_eq!(judge([0.75, 0.85], [0.65, 0.75], [0.8, 0.9]), Verdict::Reproduced);
        assert_eq!(judge([0.75, 0.80], [0.76, 0.79], [1.01, 1.1]), Verdict::NotReproduced, "both near, in the wrong order");
        assert_eq!(judge([0.95, 0.99], [0.85, 0.9], [0.9, 0.95]), Verdict::DirectionOnly);
        assert_eq!(judge([0.75, 0.85], [0.65, 0.75], [0.9, 1.1]), Verdict::Inconclusive);
    }
}
