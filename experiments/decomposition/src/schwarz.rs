//! Additive Schwarz as a preconditioner beside the decomposing solver, on the same systems: nominal operations.

use kit::prelude::*;

use super::assumptions::{GROUND, PINNED, SPHERE, Scene, USUAL};
use super::solvers::{COARSE, DECOMPOSED, FULL, LARGE_PARTS, OTHERS, SCHWARZ, Solver, solve_all};
use super::verdicts::signed;

ranges!(SchwarzRanges {
    //! Lists that sheets are drawn from, and how long they are run.
    /// Sheets, each in three scenes.
    sets: Count,
    /// What they are drawn from, until explicit bending is stable.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
});

/// The scenes of every sheet.
pub const SCENES: [Scene; 3] = [PINNED, SPHERE, GROUND];

/// Largest bending number of a sheet that is drawn \[-\]: its explicit bending is stable.
const BENDING: f64 = 0.5;

const MOST_DRAWS: u32 = 10_000;

/// A sheet whose explicit bending is stable; the last one drawn where none is.
pub fn draw(lists: &LengthLists, stream: &mut ChaCha8Rng) -> Sheet {
    let mut sheet = Sheet::of_length(lists, Configuration::Corners, stream);
    for _ in 1..MOST_DRAWS {
        if sheet.bending_number(sheet.step) <= BENDING {
            break;
        }
        sheet = Sheet::of_length(lists, Configuration::Corners, stream);
    }
    sheet
}

row! {
    /// A solver on all systems of a run by CP.
    pub struct SchwarzRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// full and decomposed with CP, or the whole with additive Schwarz
        pub solver: String,
        /// particles a side; n is their square
        pub side: usize,
        /// what it is made of
        pub makeup: Makeup,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished, gains energy, not finite or refused: the run, and else how many systems the solver left unsolved
        pub status: Status,
        /// linear systems, one a step
        pub systems: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// RV count: rows multiplied by a vector
        pub rows: u64,
        /// parts of the mesh, mean over the systems; components of the decomposing solver
        pub parts: f64,
        /// numbers in the factors of all parts over those in the matrix on and above its diagonal, mean over the systems
        pub fill: f64,
        /// nominal floating-point operations: products, preconditioner, vectors
        pub operations: u64,
    }
}

impl SchwarzRow {
    fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// Every sheet in the three scenes.
pub struct Systems(pub SchwarzRanges);

impl Group for Systems {
    const NAME: &'static str = "schwarz";
    const ABOUT: &'static str = "the systems of random sheets in three scenes, run by the full solver, solved by the decomposing solver and by additive Schwarz with several parts too";
    type Case = Sheet;
    type Row = SchwarzRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        draw(&self.0.lists, stream)
    }

    fn kin(&self, sheet: &Sheet) -> u64 {
        sheet.weight()
    }

    fn parts(&self, _sheet: &Sheet) -> usize {
        SCENES.len()
    }

    fn measure_part(&self, sheet: &Sheet, part: usize) -> Vec<SchwarzRow> {
        self.in_scene(sheet, &SCENES[part])
    }
}

impl Systems {
    fn in_scene(&self, sheet: &Sheet, scene: &Scene) -> Vec<SchwarzRow> {
        let sheet = &Sheet { configuration: scene.configuration, ..*sheet };
        let row = SchwarzRow {
            scene: scene.name.into(),
            side: sheet.side,
            makeup: sheet.makeup(),
            step: sheet.step,
            status: Status::Refused,
            ..SchwarzRow::default()
        };
        let mut solvers = Solver::all(sheet.side * sheet.side);
        let Ok(run) = USUAL.run(sheet, scene.friction, self.0.threshold.get(), None) else {
            return solvers.iter().map(|solver| SchwarzRow { solver: solver.name.into(), ..row.clone() }).collect();
        };
        let (course, systems) = solve_all(run, sheet, self.0.duration.get(), &mut solvers);
        let of = |solver: &Solver| SchwarzRow {
            solver: solver.name.into(),
            status: match (course.status(), solver.unsolved) {
                (Status::Finished, 1..) => Status::NotConverged,
                (status, _) => status,
            },
            systems,
            iterations: solver.iterations,
            rows: solver.rows,
            parts: solver.parts as f64 / systems as f64,
            fill: solver.fill / systems as f64,
            operations: solver.operations as u64,
            ..row.clone()
        };
        solvers.iter().map(of).collect()
    }
}

/// Savings of a sheet in each scene, by two solvers over the full one; none where a run is lost.
type Savings = [Option<[f64; 2]>; 3];

/// Savings of sheets by the decomposing solver and by another one; and how many runs, of all, are lost.
fn savings(rows: &[Row<SchwarzRow>], solver: &str) -> (Vec<Savings>, usize) {
    let of_set = |rows: &[Row<SchwarzRow>]| -> Savings {
        SCENES.map(|scene| {
            let find = |solver: &str| {
                let row = rows.iter().map(|row| &row.row).find(|row| row.scene == scene.name && row.solver == solver);
                row.filter(|row| row.is_finished() && row.operations > 0).map(|row| row.operations as f64)
            };
            let full = find(FULL)?;
            Some([1.0 - find(DECOMPOSED)? / full, 1.0 - find(solver)? / full])
        })
    };
    let found: Vec<Savings> = rows.chunk_by(|a, b| a.set == b.set).map(of_set).collect();
    let lost = found.iter().flatten().filter(|saving| saving.is_none()).count();
    (found, lost)
}

/// Savings by the first or the second of both solvers.
fn by(sample: &[Savings], solver: usize) -> Vec<f64> {
    sample.iter().flatten().flatten().map(|savings| savings[solver]).collect()
}

/// A median saving, how far the worst tenth lies above that of the decomposing solver, and by how much narrower the savings spread.
struct Reliability {
    median: Estimate,
    tenth: Estimate,
    narrower: Estimate,
    /// Tenth percentiles and widths of the decomposing solver and of this one.
    ends: [[f64; 2]; 2],
}

impl Reliability {
    fn of(name: &str, sample: &[Savings]) -> Option<Reliability> {
        let tenth = |sample: &[Savings], solver| quantile(&by(sample, solver), 0.1);
        let width = |sample: &[Savings], solver| Some(quantile(&by(sample, solver), 0.9)? - tenth(sample, solver)?);
        Some(Reliability {
            median: Estimate::of(&format!("{name}, median"), sample, |sample| median(&by(sample, 1)))?,
            tenth: Estimate::of(&format!("{name}, tenth"), sample, |sample| Some(tenth(sample, 1)? - tenth(sample, 0)?))?,
            narrower: Estimate::of(&format!("{name}, width"), sample, |sample| Some(width(sample, 0)? - width(sample, 1)?))?,
            ends: [[tenth(sample, 0)?, width(sample, 0)?], [tenth(sample, 1)?, width(sample, 1)?]],
        })
    }

    fn verdict(&self) -> Verdict {
        let above = self.tenth.lies_above(0.0);
        verdict(self.median.lies_above(0.0).and(above).and(self.narrower.lies_above(0.0)), above)
    }

    fn words(&self) -> String {
        let [[tenth, width], [own_tenth, own_width]] = self.ends.map(|ends| ends.map(|end| signed(-end, None)));
        let median = signed(-self.median.value, self.median.interval.map(|i| Interval { low: -i.high, high: -i.low }));
        format!(
            "operations {median} in the median; a tenth of the sheets at {own_tenth} or worse, {tenth} when decomposed; from the \
             tenth to the ninetieth percentile {} points, {} when decomposed",
            own_width.trim_start_matches('-').trim_end_matches(" %"),
            width.trim_start_matches('-').trim_end_matches(" %"),
        )
    }
}

/// B-SCHWARZ.
fn judge(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Systems>()?;
    let (sample, lost) = savings(&rows, SCHWARZ);
    let found = Reliability::of("B-SCHWARZ", &sample).ok_or_else(|| too_few("no sheet finished"))?;
    let mut readings: Vec<Reading> = OTHERS
        .iter()
        .filter_map(|(name, _)| {
            let found = Reliability::of(name, &savings(&rows, name).0)?;
            Some(Reading::new(*name, found.words(), found.verdict()))
        })
        .collect();
    for (k, scene) in SCENES.iter().enumerate() {
        let alone: Vec<Savings> =
            sample.iter().map(|sheet| std::array::from_fn(|other| sheet[other].filter(|_| other == k))).collect();
        let found = Reliability::of(scene.name, &alone);
        readings.extend(found.map(|found| Reading::new(scene.name, found.words(), found.verdict())));
    }
    let of = |solver: &str, value: fn(&SchwarzRow) -> f64| {
        let rows = rows.iter().filter(|row| row.row.solver == solver && row.row.is_finished());
        short(median(&rows.map(|row| value(&row.row)).collect::<Vec<_>>()).unwrap_or(0.0))
    };
    let iterations = |row: &SchwarzRow| row.iterations as f64 / row.systems as f64;
    let (cp, own, fill) = (of(FULL, iterations), of(SCHWARZ, iterations), of(SCHWARZ, |row| row.fill));
    let reason = format!(
        "in the median run a system takes {cp} iterations by CP and {own} by Schwarz, whose factors hold {fill} numbers for each \
         of the matrix; {lost} of {} runs are lost, by CP, whose systems all solve; a coarse level stands among the readings; \
         factors that serve several steps would overturn this where it is they that cost",
        3 * sample.len()
    );
    Ok(Finding::new(found.verdict(), found.words(), reason).rests_on(&found.tenth).left_out(lost).readings(readings))
}

/// What the parts come to, in a paragraph.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Systems>()?;
    let of = |solver: &str, value: fn(&SchwarzRow) -> f64| {
        let rows = rows.iter().filter(|row| row.row.solver == solver && row.row.is_finished());
        short(median(&rows.map(|row| value(&row.row)).collect::<Vec<_>>()).unwrap_or(0.0))
    };
    let iterations = |row: &SchwarzRow| row.iterations as f64 / row.systems as f64;
    let [cp, own, large, coarse] = [FULL, SCHWARZ, LARGE_PARTS, COARSE].map(|solver| of(solver, iterations));
    let change = |solver: &str| median(&by(&savings(&rows, solver).0, 1)).map_or_else(String::new, |saved| signed(-saved, None));
    Ok(format!(
        "A milder form of decomposition is a preconditioner of overlapping parts, each solved directly. In the median run a \
         system takes {cp} iterations by CP, {own} by parts of 32 particles, {coarse} where these have a coarse level, and \
         {large} by parts of 128; in nominal operations that is {}, {} and {} against CP: factors of an overlapping part hold \
         several times the numbers of its matrix, are made anew in every step and passed over twice an iteration.",
        change(SCHWARZ),
        change(COARSE),
        change(LARGE_PARTS)
    ))
}

/// What each solver saves, over the sheets of all scenes.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Systems>()?;
    let colors = [Palette::VERMILLION, Palette::GREEN, Palette::ORANGE, Palette::PURPLE, Palette::SKY];
    let curve = |solver: &str, which: usize| {
        let saved = by(&savings(&rows, solver).0, which);
        cumulative(saved.iter().map(|saving| 1.0 - saving))
    };
    let mut layers = vec![
        Layer::rule("", Palette::GREY, Direction::Vertical, 1.0),
        Layer::line("decomposed", Palette::BLUE, curve(SCHWARZ, 0)),
    ];
    let names = [SCHWARZ].into_iter().chain(OTHERS.iter().map(|(name, _)| *name));
    layers.extend(names.zip(colors).map(|(name, color)| Layer::line(name, color, curve(name, 1))));
    let x = Axis::log("operations / those of the full solver with CP");
    let operations = Panel::new(x, Axis::linear("share of runs").range(0.0, 1.0), layers).legend_outside();
    let points = |solver: &str| {
        let rows = rows.iter().map(|row| &row.row).filter(|row| row.solver == solver && row.is_finished());
        rows.map(|row| [(row.side * row.side) as f64, row.iterations as f64 / row.systems as f64]).collect::<Vec<_>>()
    };
    let layers = vec![
        Layer::points("full, CP", Palette::BLACK, points(FULL)).marker(Marker::OpenCircle),
        Layer::points("Schwarz", Palette::VERMILLION, points(SCHWARZ)),
    ];
    let iterations = Panel::new(Axis::log("n, particles"), Axis::log("iterations a system"), layers).legend_outside();
    let caption = "Sheets in three scenes, each run by the full solver; all solvers solve its systems. Left: the share of runs \
                   that take no more than so many of its nominal operations. Right: iterations.";
    Ok(Figure::new("schwarz", "Parts of the mesh as a preconditioner", caption, vec![operations, iterations]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ranges = &ranges.schwarz;
    Topic::of(Systems(ranges.clone())).plot("schwarz", chart).judge("B-SCHWARZ", judge).checked(check_list(
        "schwarz.duration",
        ranges.duration,
        &ranges.lists.step,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn savings_are_reliable_where_their_worst_and_their_spread_are_better() {
        // the decomposing solver saves nothing or half, the other one a tenth to three tenths
        let sample: Vec<Savings> =
            (0..60).map(|k| [Some([if k % 2 == 0 { 0.0 } else { 0.5 }, 0.1 + 0.05 * f64::from(k % 5)]), None, None]).collect();
        assert_eq!(Reliability::of("test", &sample).map(|found| found.verdict()), Some(Verdict::Reproduced));
        let swapped: Vec<Savings> = sample.iter().map(|sheet| sheet.map(|pair| pair.map(|[a, b]| [b, a]))).collect();
        assert_eq!(Reliability::of("test", &swapped).map(|found| found.verdict()), Some(Verdict::NotReproduced));
        // the worst is better, but nothing is saved
        let dear: Vec<Savings> = (0..60).map(|k| [Some([f64::from(k % 5) - 4.0, -0.1]), None, None]).collect();
        assert_eq!(Reliability::of("test", &dear).map(|found| found.verdict()), Some(Verdict::DirectionOnly));
    }
}
