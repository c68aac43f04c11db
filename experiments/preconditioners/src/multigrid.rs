//! Multigrid against CP: the work and the time of sheets by size and kappa, taut, hanging and in contact.

use cloth::contact::Solid;
use kit::prelude::*;

use super::method::{CP, MULTIGRID, Method};
use super::scenes::{Reading, STEP, settings};

ranges!(MultigridRanges {
    //! Which sheets, and how long they are run.
    /// Particles a side.
    sides: List<Side>,
    /// kappa of stretch and shear \[-\].
    kappas: List<Positive>,
    /// tol \[-\], relative.
    tolerance: Positive,
    /// Steps of each run.
    steps: Count,
    /// Measurements of each.
    repeats: Count,
});

words! {
    /// What holds a sheet of a metre.
    pub enum Hold {
        /// Two opposite edges are pinned, 5 % farther apart than the sheet is long: all springs along pull.
        Taut = "taut",
        /// Two adjacent corners are pinned: some springs pull, others are slack.
        Hanging = "hanging",
        /// It falls onto a sphere, on which it slides with Coulomb friction.
        Sphere = "sphere",
    }
}

/// What is compared, neighbouring sets of one scene.
pub const METHODS: [Method; 2] = [CP, MULTIGRID];

const STRETCH: f64 = 1.05;
const STIFFNESS: f64 = 1000.0;
const RADIUS: f64 = 0.3;
const FRICTION: Friction = Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 });

/// A sheet by a method.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    hold: Hold,
    side: usize,
    kappa: f64,
    method: Method,
}

row! {
    /// A sheet by a method, and what that took.
    pub struct MultigridRow {
        /// taut (two edges), hanging (two corners) or sphere (Coulomb friction)
        pub hold: Hold,
        /// particles a side
        pub side: usize,
        /// ks dt² / m
        pub kappa: f64,
        /// CP, or multigrid, which gives way to CP where it stalls
        pub method: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished, what went wrong, or refused
        pub status: Status,
        /// linear systems, one a step
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// multigrid cycles, two of them at the start of a solve
        pub cycles: u64,
        /// systems in which they stalled
        pub stalled: u64,
    }
}

/// Every hold, size and kappa, each by every method.
#[derive(Clone)]
pub struct Multigrid(pub MultigridRanges);

impl Multigrid {
    fn run(&self, case: &Case) -> Result<Run, ModelError> {
        let side = case.side;
        let spacing = 1.0 / (side - 1) as f64;
        let elastic = Elastic { stiffness: STIFFNESS, damping: 0.0 };
        let material = Material { density: 0.2, stretch: elastic, shear: elastic, bend: 0.01, ..Material::default() };
        let pins = match case.hold {
            Hold::Taut => (0..side).flat_map(|column| [Pin::At(column, 0), Pin::At(column, side - 1)]).collect(),
            Hold::Hanging => vec![Pin::At(0, 0), Pin::At(side - 1, 0)],
            Hold::Sphere => vec![],
        };
        let cloth = Cloth::new(Grid::new(side, side, spacing)?, material, &pins)?;
        let mut start = State::at_rest(cloth.grid().flat());
        if case.hold == Hold::Taut {
            start.x.iter_mut().for_each(|x| x.y *= STRETCH);
        }
        let settings = settings(&case.method, &Reading { tolerance: Tolerance::Fixed(self.0.tolerance.get()), ..STEP });
        let mut scheme = BackwardEuler::split(&cloth, settings, Splitting::Implicit);
        if case.hold == Hold::Sphere {
            let ball = Solid::Sphere { centre: Vec3::new(0.5, 0.5, -RADIUS), radius: RADIUS };
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![ball], FRICTION));
        }
        Ok(Run::of(start, cloth, scheme))
    }

    fn row(&self, case: &Case) -> MultigridRow {
        let &Case { hold, side, kappa, method } = case;
        let mass = 0.2 / ((side - 1) * (side - 1)) as f64;
        let dt = (kappa * mass / STIFFNESS).sqrt(); // kappa = ks dt² / m without damping  [Boxerman 2003, eq. 4.8]
        let row = MultigridRow {
            hold,
            side,
            kappa,
            method: method.name.into(),
            step: dt,
            status: Status::Refused,
            ..MultigridRow::default()
        };
        let Ok(mut run) = self.run(case) else { return row };
        let steps = self.0.steps.get().into();
        let (mut is_finite, mut shown) = (true, FilmRecorder::new(steps));
        while is_finite && run.steps < steps {
            is_finite = run.step(dt);
            shown.step(&run.cloth, &run.state);
        }
        let work = run.work();
        let status = match run.trouble() {
            Some(_) => Status::NotConverged,
            None if is_finite => Status::Finished,
            None => Status::NotFinite,
        };
        let (solves, iterations) = (work.solves, work.iterations);
        MultigridRow { status, solves, iterations, cycles: work.cycles, stalled: work.stalled, ..row }
    }
}

/// What multigrid saves on the largest and stiffest sheets, in words.
pub fn summary(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Multigrid>()?;
    let rows: Vec<MultigridRow> = rows.into_iter().map(|row| row.row).collect();
    let side = rows.iter().map(|row| row.side).max().unwrap_or(0);
    let kappa = rows.iter().map(|row| row.kappa).fold(0.0, f64::max);
    let mut parts = vec![];
    for hold in Hold::ALL {
        let of = |method: &Method| {
            let wanted = |row: &&MultigridRow| (row.hold, row.method.as_str()) == (hold, method.name);
            let found = rows.iter().filter(wanted).find(|row| (row.side, row.kappa) == (side, kappa));
            found.filter(|row| row.solves > 0)
        };
        let (Some(cp), Some(multigrid)) = (of(&CP), of(&MULTIGRID)) else { continue };
        let [by_cp, by_multigrid] = [cp, multigrid].map(|row| short(row.iterations as f64 / row.solves as f64));
        let stalled = match multigrid.stalled {
            0 => String::new(),
            stalled => format!(" (stalled in {stalled} of {} systems)", multigrid.solves),
        };
        parts.push(format!("{}: {by_multigrid}{stalled} instead of {by_cp}", hold.name()));
    }
    Ok(format!(
        "Multigrid, which the thesis leaves open, takes these iterations a solve instead of those of CP on {side} x {side} particles at kappa {kappa}: {}.",
        parts.join("; ")
    ))
}

impl Group for Multigrid {
    const NAME: &'static str = "multigrid";
    const ABOUT: &'static str = "sheets of every size and kappa by CP and by multigrid: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = MultigridRow;

    fn sets(&self) -> u64 {
        (Hold::ALL.len() * self.0.sides.values().len() * self.0.kappas.values().len() * METHODS.len()) as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / METHODS.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Case {
        let (scene, method) = (self.scene(set) as usize, METHODS[set as usize % METHODS.len()]);
        let (sides, kappas) = (self.0.sides.values(), self.0.kappas.values());
        let (scene, kappa) = (scene / kappas.len(), kappas[scene % kappas.len()].get());
        let (scene, side) = (scene / sides.len(), sides[scene % sides.len()].get() as usize);
        Case { hold: Hold::ALL[scene % Hold::ALL.len()], side, kappa, method }
    }

    fn kin(&self, case: &Case) -> u64 {
        (case.side * case.side) as u64
    }

    fn measure(&self, case: &Case) -> Vec<MultigridRow> {
        vec![self.row(case)]
    }
}

const PARTICLES: &str = "n, number of particles";
/// A panel a hold: a value of every row with the ends of its interval over the number of particles, a line for each method and
/// kappa.
fn panels(rows: &[Row<MultigridRow>], label: &str, value: impl Fn(&Row<MultigridRow>) -> Option<[f64; 3]>) -> Vec<Panel> {
    let kappas: Vec<f64> = distinct(rows.iter().map(|row| row.row.kappa));
    let panel = |hold: Hold| {
        let mut layers = vec![];
        for (k, kappa) in kappas.iter().enumerate() {
            for (method, dash, marker) in
                [(METHODS[0].name, Dash::Dashed, Marker::OpenCircle), (METHODS[1].name, Dash::Solid, Marker::Circle)]
            {
                let of = rows.iter().filter(|row| {
                    let MultigridRow { hold: held, method: by, kappa: at, .. } = &row.row;
                    *held == hold && by == method && at == kappa
                });
                let bar = |[middle, low, high]: [f64; 3], row: &MultigridRow| [(row.side * row.side) as f64, middle, low, high];
                let points = of.filter_map(|row| Some(bar(value(row)?, &row.row))).collect::<Vec<_>>();
                let [line, bars] = Layer::line_with_bars(format!("{method}, kappa {kappa}"), Palette::series(k), points);
                layers.extend([line.dash(dash), bars.marker(marker)]);
            }
        }
        Panel::new(Axis::log(PARTICLES), Axis::log(label), layers).titled(hold.name()).legend_outside()
    };
    Hold::ALL.into_iter().map(panel).collect()
}

/// Iterations a solve by size.
pub fn iterations(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Multigrid>()?;
    let a_solve = |row: &Row<MultigridRow>| {
        let MultigridRow { iterations, solves, .. } = row.row;
        (iterations > 0 && solves > 0).then(|| [iterations as f64 / solves as f64; 3])
    };
    let caption = "Sheets of a metre to a relative tolerance of 10⁻⁶: taut between two edges, hanging from two corners, sliding on a \
                   sphere. Where cycles stall, CP goes on from the iterate that they reached, and its iterations are counted too.";
    Ok(Figure::new("multigrid", "Iterations by multigrid and by CP", caption, panels(&rows, "CG iterations a solve", a_solve)))
}

/// Times of a step by size.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Multigrid>()?;
    let seconds = seconds::<Multigrid>(results)?;
    let of_step = |row: &Row<MultigridRow>| {
        let solves = row.row.solves;
        let [_, middle, low, high] = bar_of_repeats(0.0, seconds.get(&row.set).filter(|_| solves > 0)?)?;
        Some([middle, low, high].map(|seconds| 1e3 * seconds / solves as f64))
    };
    let caption = "The same runs by the time of a step, everything included: assembly, contact, the hierarchy of multigrid and the solve. \
                   Medians with the fastest and the slowest repeat, measured alone and in turn on one machine.";
    let panels = panels(&rows, "time of a step  [ms]", of_step);
    Ok(Figure { of_times: true, ..Figure::new("multigrid-times", "Times by multigrid and by CP", caption, panels) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Multigrid(ranges.multigrid.clone()))
        .plot("multigrid", iterations)
        .plot("multigrid-times", times)
        .places(&[("multigrid", 2), ("multigrid-times", 2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(hold: Hold, side: usize, kappa: f64, method: Method) -> MultigridRow {
        let one = |text: &str| kit::ranges::stated(text);
        let ranges = one("sides = [6]\nkappas = [10.0]\ntolerance = 1e-6\nsteps = 3\nrepeats = 1");
        Multigrid(ranges).row(&Case { hold, side, kappa, method })
    }

    #[test]
    fn iterations_on_taut_sheets_hardly_grow_with_size_and_kappa() {
        let iterations = |side, kappa, method| {
            let row = row(Hold::Taut, side, kappa, method);
            assert_eq!((row.status, row.solves, row.stalled), (Status::Finished, 3, 0), "{row:?}");
            row.iterations
        };
        let [small, large] = [10, 40].map(|side| iterations(side, 1e4, MULTIGRID));
        assert!(large < 2 * small, "{small} and {large} in three solves, of 16 times the rows");
        assert!(iterations(40, 1e4, CP) > 5 * large);
    }

    #[test]
    fn every_hold_is_run_to_its_end() {
        for hold in Hold::ALL {
            for method in METHODS {
                let row = row(hold, 12, 100.0, method);
                assert_eq!((row.status, row.solves), (Status::Finished, 3), "{row:?}");
                assert_eq!(row.cycles > 0, method.name == MULTIGRID.name);
            }
        }
    }
}
