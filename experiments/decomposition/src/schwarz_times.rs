//! Sheets by the full solver, the decomposing one and additive Schwarz, each by itself, timed alone and in turn.

use cloth::implicit::{Parts, PreconditionerKind};
use kit::prelude::*;

use super::assumptions::{Assumption, IN_BLOCK_ROWS};
use super::charts::particles;
use super::schwarz::{SCENES, draw};
use super::solvers::{DECOMPOSED, FULL, SCHWARZ};

ranges!(SchwarzTimeRanges {
    //! Lists that timed sheets are drawn from, and how often they are timed.
    /// Sheets, in the three scenes in turn.
    sheets: Count,
    /// Measurements of each.
    repeats: Count,
    /// What they are drawn from, until explicit bending is stable.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
});

/// The solvers, in the order of their sets.
const SOLVERS: [&str; 3] = [FULL, DECOMPOSED, SCHWARZ];

/// A sheet in one of the scenes by one of the solvers.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    number: u64,
    solver: usize,
}

row! {
    /// What was timed.
    pub struct SchwarzTimeRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// which sheet: rows that share it are compared
        pub sheet: u64,
        /// full and decomposed with CP, or the whole with additive Schwarz
        pub solver: String,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
    }
}

/// Sheets by three solvers, which are neighbours.
pub struct SchwarzTimes(pub SchwarzTimeRanges);

impl Group for SchwarzTimes {
    const NAME: &'static str = "schwarz-times";
    const ABOUT: &'static str = "sheets by the full solver, the decomposing one and additive Schwarz, each by itself, with matrices in block rows: their times stand in timings.csv";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = Case;
    type Row = SchwarzTimeRow;

    fn sets(&self) -> u64 {
        SOLVERS.len() as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / SOLVERS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let number = self.scene(set);
        let scene = SCENES[(number % SCENES.len() as u64) as usize];
        let sheet = Sheet { configuration: scene.configuration, ..draw(&self.0.lists, stream) };
        Case { sheet, number, solver: (set % SOLVERS.len() as u64) as usize }
    }

    fn measure(&self, &Case { sheet, number, solver }: &Case) -> Vec<SchwarzTimeRow> {
        let scene = SCENES[(number % SCENES.len() as u64) as usize];
        let row = SchwarzTimeRow {
            scene: scene.name.into(),
            sheet: number,
            solver: SOLVERS[solver].into(),
            side: sheet.side,
            step: sheet.step,
            status: Status::Refused,
            ..SchwarzTimeRow::default()
        };
        let schwarz = Assumption { preconditioner: PreconditionerKind::Schwarz(Parts::default()), ..IN_BLOCK_ROWS };
        let (assumption, decompose) = match SOLVERS[solver] {
            SCHWARZ => (&schwarz, None),
            DECOMPOSED => (&IN_BLOCK_ROWS, Some(Decompose::Serial)),
            _ => (&IN_BLOCK_ROWS, None),
        };
        let Ok(mut run) = assumption.run(&sheet, scene.friction, self.0.threshold.get(), decompose) else { return vec![row] };
        let course = RunWatch::followed(&mut run, sheet.step, self.0.duration.get());
        let (steps, iterations) = (run.steps, run.work().iterations);
        vec![SchwarzTimeRow { steps, iterations, status: course.status(), ..row }]
    }
}

/// A sheet that all solvers brought to its end: its particles, and times of the decomposing solver and of Schwarz over the full
/// one.
struct Timed {
    particles: usize,
    ratios: [f64; 2],
}

/// Sheets that came to their end.
fn timed(results: &Results) -> Result<Vec<Timed>, ResultsError> {
    let (rows, medians) = (results.rows::<SchwarzTimes>()?, median_seconds::<SchwarzTimes>(results)?);
    let of = |sheet: &[Row<SchwarzTimeRow>]| {
        let is_finished = sheet.iter().all(|row| row.row.status == Status::Finished);
        let seconds: Vec<f64> = sheet.iter().map(|row| medians.get(&row.set).copied()).collect::<Option<_>>()?;
        let [full, decomposed, schwarz] = seconds[..] else { return None };
        let side = sheet[0].row.side;
        is_finished.then_some(Timed { particles: side * side, ratios: [decomposed / full, schwarz / full] })
    };
    Ok(rows.chunk_by(|a, b| a.row.sheet == b.row.sheet).filter_map(of).collect())
}

/// Times of both solvers over those of the full one.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let sheets = timed(results)?;
    let points = |solver: usize| sheets.iter().map(|sheet| [sheet.particles as f64, sheet.ratios[solver]]).collect::<Vec<_>>();
    let layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        Layer::points("decomposed", Palette::BLUE, points(0)).marker(Marker::OpenCircle),
        Layer::points("Schwarz", Palette::VERMILLION, points(1)),
    ];
    let panel = Panel::new(particles(), Axis::log("time / time of the full solver with CP"), layers).legend_outside();
    let caption = "Times of whole runs with matrices in block rows, measured alone and in turn on one machine: each sheet by the \
                   decomposing solver, and as a whole by additive Schwarz.";
    let figure = Figure::new("schwarz-times", "Time by parts of the mesh as a preconditioner", caption, vec![panel]);
    Ok(Figure { of_times: true, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ranges = &ranges.schwarz_times;
    Topic::of(SchwarzTimes(ranges.clone())).plot("schwarz-times", chart).checked(check_list(
        "schwarz-times.duration",
        ranges.duration,
        &ranges.lists.step,
    ))
}
