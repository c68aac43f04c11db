//! Additive Schwarz as a preconditioner beside the decomposing solver, on the same systems: nominal operations.

use kit::prelude::*;

use super::assumptions::{GROUND, PINNED, SPHERE, Scene, USUAL};
use super::changes::signed;
use super::solvers::{COARSE, DECOMPOSED, FULL, LARGE_PARTS, OTHERS, SCHWARZ, Solver, solve_all};

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

/// Savings of the runs that finish over the full solver, by the decomposing one and by another.
fn savings(rows: &[Row<SchwarzRow>], solver: &str) -> Vec<[f64; 2]> {
    let of_run = |rows: &[Row<SchwarzRow>]| {
        let find = |solver: &str| {
            let row = rows.iter().map(|row| &row.row).find(|row| row.solver == solver);
            row.filter(|row| row.is_finished() && row.operations > 0).map(|row| row.operations as f64)
        };
        let full = find(FULL)?;
        Some([1.0 - find(DECOMPOSED)? / full, 1.0 - find(solver)? / full])
    };
    rows.chunk_by(|a, b| a.set == b.set && a.row.scene == b.row.scene).filter_map(of_run).collect()
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
    let change = |solver: &str| {
        let saved: Vec<f64> = savings(&rows, solver).iter().map(|[_, saved]| *saved).collect();
        median(&saved).map_or_else(String::new, |saved| signed(-saved))
    };
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
    let curve = |solver: &str, which: usize| cumulative(savings(&rows, solver).iter().map(|savings| 1.0 - savings[which]));
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
    Topic::of(Systems(ranges.clone())).plot("schwarz", chart).checked(check_list(
        "schwarz.duration",
        ranges.duration,
        &ranges.lists.step,
    ))
}
