//! Sheets by the full solver, the decomposing one and additive Schwarz, each by itself, timed alone and in turn.

use cloth::implicit::{Parts, PreconditionerKind};
use kit::prelude::*;

use super::assumptions::{Assumption, IN_BLOCK_ROWS};
use super::charts::particles;
use super::schwarz::{SCENES, draw};
use super::solvers::{DECOMPOSED, FULL, SCHWARZ};
use super::verdicts::signed;

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
    type Case = Case;
    type Row = SchwarzTimeRow;

    fn sets(&self) -> u64 {
        SOLVERS.len() as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn times_alone(&self) -> bool {
        true
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

/// Sheets that came to their end, and how many were drawn.
fn timed(results: &Results) -> Result<(Vec<Timed>, usize), ResultsError> {
    let (rows, seconds) = (results.rows::<SchwarzTimes>()?, median_seconds::<SchwarzTimes>(results)?);
    let (mut sheets, mut drawn) = (vec![], 0);
    for sheet in rows.chunk_by(|a, b| a.row.sheet == b.row.sheet) {
        drawn += 1;
        let times: Option<Vec<f64>> = sheet.iter().map(|row| seconds.get(&row.set).copied()).collect();
        if let (true, Some([full, decomposed, schwarz])) =
            (sheet.iter().all(|row| row.row.status == Status::Finished), times.as_deref())
        {
            let side = sheet[0].row.side;
            sheets.push(Timed { particles: side * side, ratios: [decomposed / full, schwarz / full] });
        }
    }
    Ok((sheets, drawn))
}

/// The largest ratio of the decomposing solver, and of Schwarz.
fn largest(sheets: &[Timed]) -> Option<[f64; 2]> {
    let of = |solver: usize| quantile(&sheets.iter().map(|sheet| sheet.ratios[solver]).collect::<Vec<_>>(), 1.0);
    Some([of(0)?, of(1)?])
}

fn judged(found: &Estimate, [decomposed, schwarz]: [f64; 2]) -> Verdict {
    let worst = Answer::from(schwarz < decomposed);
    verdict(found.lies_below(1.0).and(worst), worst)
}

/// B-SCHWARZ-TIME.
fn judge(results: &Results) -> Result<Finding, ResultsError> {
    let missing = || too_few("no sheet was timed to its end by three solvers");
    let (sheets, drawn) = timed(results)?;
    let of = |solver: usize| Estimate::median(&sheets.iter().map(|sheet| sheet.ratios[solver]).collect::<Vec<_>>());
    let (decomposed, found, worst) =
        (of(0).ok_or_else(missing)?, of(1).ok_or_else(missing)?, largest(&sheets).ok_or_else(missing)?);
    let change =
        |found: &Estimate| signed(found.value - 1.0, found.interval.map(|i| Interval { low: i.low - 1.0, high: i.high - 1.0 }));
    let [worst_decomposed, worst_schwarz] = worst.map(|ratio| signed(ratio - 1.0, None));
    let measured = format!("{} time in the median sheet, {worst_schwarz} in the worst one", change(&found));
    let reading = format!("{} time in the median sheet, {worst_decomposed} in the worst one", change(&decomposed));
    let reason = "times of this machine, solvers in turn, matrices in block rows; products read a packed matrix, and factors of \
                  parts are kept by rows in envelopes; a coarse level, factors that serve several steps, or parts in single \
                  precision could overturn it";
    Ok(Finding::new(judged(&found, worst), measured, reason)
        .rests_on(&found)
        .left_out(drawn - sheets.len())
        .readings(vec![Reading::new("for comparison: the decomposing solver", reading, None)]))
}

/// Times of both solvers over those of the full one.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let (sheets, _) = timed(results)?;
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
    Topic::of(SchwarzTimes(ranges.clone()))
        .plot("schwarz-times", chart)
        .judge_of_times("B-SCHWARZ-TIME", judge)
        .checked(check_list("schwarz-times.duration", ranges.duration, &ranges.lists.step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_sheet_decides_beside_the_median() {
        let between =
            |low: f64, high: f64| Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 12 };
        assert_eq!(judged(&between(0.8, 0.9), [1.1, 1.0]), Verdict::Reproduced);
        assert_eq!(judged(&between(0.8, 0.9), [1.0, 1.1]), Verdict::NotReproduced, "the worst sheet is worse");
        assert_eq!(judged(&between(1.1, 1.2), [1.6, 1.5]), Verdict::DirectionOnly);
        assert_eq!(judged(&between(0.9, 1.2), [1.6, 1.5]), Verdict::Inconclusive);
    }
}
