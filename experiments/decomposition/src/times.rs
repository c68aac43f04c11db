//! Pinned sheets by both solvers, and one that decomposes well by three, timed alone and in turn.

use kit::prelude::*;

use super::assumptions::{IN_BLOCK_ROWS, PINNED, STICKING_SPHERE, Scene};
use super::charts::particles;

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
const SOLVERS: [&str; 3] = ["full", "DS1, serial", "DS2, threads"];

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
    const TIMES_ALONE: bool = true;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        self.pinned() + SOLVERS.len() as u64 * u64::from(self.0.on_sphere.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
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
    let (pinned, on_sphere) = (timed(results, &PINNED)?, timed(results, &STICKING_SPHERE)?);
    let overheads: Vec<[f64; 2]> =
        pinned.iter().filter_map(|sheet| Some([(sheet.side * sheet.side) as f64, sheet.ratio(1)?])).collect();
    let sheets = overheads.len();
    let caption = format!(
        "Times of whole runs with matrices in block rows, measured alone and in turn on one machine: {sheets} pinned sheets, and others \
         on the sphere whose contact sticks, with the median over sheets and its interval by order statistics."
    );
    let x = particles();
    let mut layers = Claimed::of("B-DEC-TIME", "time").rules(Direction::Horizontal);
    layers.push(Layer::points("pinned sheets", Palette::BLUE, overheads).marker(Marker::OpenCircle));
    let pinned = Panel::new(x, Axis::linear("time, decomposing / full").range(0.0, 1.4), layers).titled("nothing decomposes");
    let bar = |solver: usize| {
        let ratios: Vec<f64> = on_sphere.iter().filter_map(|sheet| sheet.ratio(solver)).collect();
        Some(Estimate::median(&ratios)?.bar(solver as f64 + 0.1))
    };
    let bars: Option<Vec<[f64; 4]>> = [1, 2].into_iter().map(bar).collect();
    let bars = bars.ok_or_else(|| too_few("no sheet on the sphere was timed to its end by three solvers"))?;
    let [serial, threads] = [Claimed::of("B-DEC-PAR", "serial"), Claimed::of("B-DEC-PAR", "threads")];
    let published = vec![[0.9, serial.published()], [1.9, threads.published()]];
    let x = Axis::categories("", ["DS1, serial", "DS2, threads"]);
    let y = Axis::linear("time / time of the full solver").range(0.0, 1.4);
    let layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        Layer::points(serial.label(), Palette::GREY, published).marker(Marker::Diamond),
        Layer::error_bars("median, 95 % interval", Palette::BLUE, bars),
    ];
    let sphere = Panel::new(x, y, layers).titled("sheets that decompose well");
    Ok(Figure { of_times: true, ..Figure::new("times", "Time of the decomposing solver", caption, vec![pinned, sphere]) })
}

/// A sheet that every solver brought to its end: its particles a side, and median times \[s\], a solver after the other.
struct Timed {
    side: usize,
    seconds: Vec<f64>,
}

impl Timed {
    /// Time of a solver over that of the full one.
    fn ratio(&self, solver: usize) -> Option<f64> {
        Some(self.seconds.get(solver)? / self.seconds.first()?)
    }
}

/// Sheets of a scene that came to their end.
fn timed(results: &Results, scene: &Scene) -> Result<Vec<Timed>, ResultsError> {
    let (rows, medians) = (results.rows::<Times>()?, median_seconds::<Times>(results)?);
    let rows: Vec<&Row<TimeRow>> = rows.iter().filter(|row| row.row.scene == scene.name).collect();
    let of = |sheet: &[&Row<TimeRow>]| {
        let is_finished = sheet.iter().all(|row| row.row.status == Status::Finished);
        let seconds = sheet.iter().map(|row| medians.get(&row.set).copied()).collect::<Option<_>>()?;
        is_finished.then_some(Timed { side: sheet.first()?.row.side, seconds })
    };
    Ok(rows.chunk_by(|a, b| a.row.sheet == b.row.sheet).filter_map(of).collect())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone())).plot("times", chart).checked(check_list(
        "times.duration",
        ranges.times.duration,
        &ranges.times.lists.step,
    ))
}
