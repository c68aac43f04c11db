//! The hanging sheet, and a run of it.

use cloth::inextensible::{Division, MethodKind, Strain, StripSettings};
use kit::prelude::*;

/// Time step of the paper \[s\].
pub const STEP: f64 = 1.0 / 30.0;

/// Angle of the arc that a sheet starts as \[rad\]: the pins are 1 % closer than the row between them is long.
pub const ARC: f64 = 0.5;

/// Side of the sheet unless said \[m\].
pub const LENGTH: f64 = 1.0;

/// Whether a side is [`LENGTH`].
pub fn is_usual(length: f64) -> bool {
    (length - LENGTH).abs() < 1e-12
}

/// rho \[kg/m²\]; nothing measured depends on it.
pub const DENSITY: f64 = 0.2;

/// A permissible strain, from a profile: what [`Limits`] takes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Tolerance(f64);

impl Tolerance {
    /// The strain itself \[-\].
    pub fn get(self) -> f64 {
        self.0
    }

    /// Limits with at most `iterations`.
    pub fn limits(self, iterations: Count) -> Limits {
        Limits::new(self.0, iterations.get().into()).expect("a tolerance of a profile and a count are in range")
    }
}

impl TryFrom<f64> for Tolerance {
    type Error = String;
    fn try_from(strain: f64) -> Result<Tolerance, String> {
        Limits::new(strain, 1).map(|limits| Tolerance(limits.strain())).map_err(|error: ModelError| error.to_string())
    }
}

numbers!(Tolerance);

ranges!(Size {
    //! A size of sheet, and how many steps it is followed.
    #![derive(Copy)]
    /// Particles a side.
    side: Side,
    steps: Count,
});

/// How a sheet is held together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Rows and columns.
    Strips(Directions),
    /// Spanning forests, along directions of the preview.
    Forests,
    /// One edge after the other.
    Single,
}

impl Way {
    /// Its name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Strips(Directions::Preview) => "strips",
            Way::Strips(Directions::Frozen) => "strips, directions frozen",
            Way::Forests => "spanning forests",
            Way::Single => "single constraints",
        }
    }

    /// The method for a sheet of `side` particles a row, velocities too to the tolerance of the strain where asked for.
    pub fn method(self, side: usize, velocities: Option<Tolerance>, schedule: Schedule) -> MethodKind {
        let velocities = velocities.and_then(|tolerance| Positive::try_from(tolerance.get()).ok());
        let strips =
            |division, directions| MethodKind::ImpulseStrips(StripSettings { division, directions, velocities, schedule });
        match self {
            Way::Strips(directions) => strips(Division::Strips { nx: side }, directions),
            Way::Forests => strips(Division::Forests, Directions::Preview),
            Way::Single => MethodKind::Pbd,
        }
    }
}

/// Strips along directions of the preview.
pub const STRIPS: Way = Way::Strips(Directions::Preview);

/// Strips along directions of the start of the step, as printed.
pub const FROZEN: Way = Way::Strips(Directions::Frozen);

words! {
    /// Which particles of a sheet are held.
    pub enum Pins {
        /// Both ends of the first row.
        Row = "row",
        /// Two opposite corners, so that no strip has two pins.
        Opposite = "opposite",
        /// One corner.
        One = "one",
    }
}

impl Pins {
    /// Its words in the tables.
    pub fn label(self) -> &'static str {
        match self {
            Pins::Row => "two of a row",
            Pins::Opposite => "two opposite",
            Pins::One => "one",
        }
    }

    /// Particles of a sheet of `side` particles a row.
    fn particles(self, side: usize) -> Vec<usize> {
        match self {
            Pins::Row => vec![0, side - 1],
            Pins::Opposite => vec![0, side * side - 1],
            Pins::One => vec![0],
        }
    }
}

/// Pushes at the start: places in the mesh as shares of its particles, and velocities \[m/s\].
#[derive(Clone, Copy, Debug)]
pub struct Pushes([(f64, [f64; 3]); 10]);

impl Pushes {
    /// Ten particles, up to 1 m/s along each axis.
    pub fn draw(stream: &mut ChaCha8Rng) -> Pushes {
        Pushes(std::array::from_fn(|_| (stream.random(), std::array::from_fn(|_| stream.random_range(-1.0..1.0)))))
    }
}

/// A run of a hanging sheet.
#[derive(Clone, Copy, Debug)]
pub struct Hanging {
    /// Size and steps.
    pub size: Size,
    /// Side \[m\].
    pub length: f64,
    /// Angle of the arc that it starts as \[rad\]; flat if zero.
    pub arc: f64,
    /// What is held.
    pub pins: Pins,
    /// Resistance of the air over the mass \[1/s\].
    pub air: f64,
    /// Time step \[s\].
    pub step: f64,
    /// Permissible strain.
    pub tolerance: Tolerance,
    /// How it is held together.
    pub way: Way,
    /// Whether velocities are corrected too.
    pub velocities: bool,
    /// Most iterations a step.
    pub iterations: Count,
    /// Threads.
    pub schedule: Schedule,
}

row! {
    /// A run of a hanging sheet as a row.
    pub struct RunRow {
        /// particles a side
        pub side: usize,
        /// side of the sheet \[m\]
        pub length: f64,
        /// angle of the arc that the sheet starts as between its pins \[rad\]
        pub arc: f64,
        /// held corners: two of a row, two opposite ones, or one
        pub pins: String,
        /// resistance of the air over the mass \[1/s\]
        pub air: f64,
        /// time step \[s\]
        pub step: f64,
        /// permissible abs(strain)
        pub tolerance: f64,
        /// how the edges are held together
        pub method: String,
        /// whether velocities are corrected too
        pub velocities: bool,
        /// most iterations a step
        pub limit: u32,
        /// one, or as many as the machine has
        pub threads: String,
        /// finished with every step within the tolerance, or with some at the iteration limit; lost: gains energy or not finite
        pub status: Status,
        /// why it is lost, and how the strips ended in its last step
        pub reason: Option<String>,
        /// steps until the end, or until it is lost
        pub steps: u32,
        /// steps that exhausted the limit of iterations
        pub limited: u64,
        /// iterations a step, mean
        pub iterations: f64,
        /// most iterations of a step
        pub worst: u64,
        /// factorisations of parts a step, mean
        pub factorisations: f64,
        /// floating-point operations a step, nominal, mean
        pub operations: f64,
        /// largest abs(strain) of all steps; this and what follows empty where it is lost
        pub strain: Option<f64>,
        /// largest abs(strain) of the last state
        pub last: Option<f64>,
        /// 99th percentile of it
        pub percentile99: Option<f64>,
        /// median of it
        pub median: Option<f64>,
        /// mean of it
        pub mean: Option<f64>,
        /// how far the lowest particle is below the pins in the last state \[m\]
        pub drop: Option<f64>,
        /// largest energy of all steps above that of the start, in falls by the side; empty where not finite
        pub gain: Option<f64>,
    }
}

impl RunRow {
    /// Whether its sheet has this side \[m\] and starts as this arc \[rad\].
    pub fn is_sized(&self, length: f64, arc: f64) -> bool {
        self.length == length && self.arc == arc
    }

    /// Whether it is the same sheet held together in the same way, however long it is followed and on how many threads.
    pub fn same_sheet(&self, other: &RunRow) -> bool {
        let sheet = |row: &RunRow| (row.side, row.length, row.arc, row.air, row.step, row.tolerance, row.velocities, row.limit);
        sheet(self) == sheet(other) && (&self.pins, &self.method) == (&other.pins, &other.method)
    }
}

/// Whether a run is the usual one but for its grid, its tolerance and its limit.
pub fn usual(row: &RunRow) -> bool {
    row.is_sized(LENGTH, ARC) && row.air == 0.0 && !row.velocities && row.method == STRIPS.name()
}

/// Why a run is not finished, and how its method ended in the last step.
pub fn reason(course: &RunWatch, filter: &Filter) -> Option<String> {
    course.reason().map(|reason| format!("{reason}; last step: {}", filter.last().stop.name()))
}

/// Positions of a sheet of `grid` as an arc of `angle` between the pins, with every edge at its rest length, its pins at height 0.
pub fn arc(grid: &Grid, angle: f64) -> Vec<Vec3> {
    if angle == 0.0 {
        return grid.flat();
    }
    let turn = angle / (grid.nx() - 1) as f64;
    let radius = 0.5 * grid.spacing() / libm::sin(0.5 * turn);
    let at = |k: usize| {
        let along = (k % grid.nx()) as f64 * turn - 0.5 * angle;
        let height = radius * (libm::cos(0.5 * angle) - libm::cos(along));
        Vec3::new(radius * libm::sin(along), (k / grid.nx()) as f64 * grid.spacing(), height)
    };
    (0..grid.particle_count()).map(at).collect()
}

/// A sheet of `side` x `side` particles and `length` \[m\], those `pinned` held: its particles, its edges, its grid.
pub fn sheet(side: usize, length: f64, pinned: &[usize]) -> (Net, EdgeConstraints, Grid) {
    let grid = Grid::new(side, side, length / (side - 1) as f64).expect("sides and lengths of a profile make a grid");
    let count = grid.particle_count();
    let masses = vec![DENSITY * length * length / count as f64; count];
    let held: Vec<bool> = (0..count).map(|k| pinned.contains(&k)).collect();
    let edges = EdgeConstraints::edges_of_grid(&grid);
    let constraints = EdgeConstraints::new(&edges, &masses, &held).expect("edges of a grid are valid");
    (Net::new(masses, held, vec![]).expect("masses of a sheet are valid"), constraints, grid)
}

impl Hanging {
    /// One by strips along directions of the preview, on one thread, of the usual size and arc.
    pub fn usual(size: Size, tolerance: Tolerance, iterations: Count) -> Hanging {
        let (way, schedule) = (STRIPS, Schedule::Serial);
        let (length, arc, pins, air, step) = (LENGTH, ARC, Pins::Row, 0.0, STEP);
        Hanging { size, length, arc, pins, air, step, tolerance, way, velocities: false, iterations, schedule }
    }

    /// Cost, to start heavy ones first: the larger a sheet, the fewer iterations it takes.
    pub fn weight(&self) -> u64 {
        let side = u64::from(self.size.side.get());
        ((side * side * side * u64::from(self.size.steps.get())) as f64 / self.length) as u64
    }

    /// Follows it; `last` sees the last state where the run is finished.
    pub fn run(&self, pushes: Option<&Pushes>, last: impl FnOnce(Option<&State>, &Grid)) -> RunRow {
        let side = self.size.side.get() as usize;
        let (mut net, constraints, grid) = sheet(side, self.length, &self.pins.particles(side));
        net.air = self.air;
        let mut state = State::at_rest(arc(&grid, self.arc));
        for (place, push) in pushes.iter().flat_map(|pushes| pushes.0) {
            let particle = (place * (side * side) as f64) as usize;
            if constraints.inverse_masses()[particle] > 0.0 {
                state.v[particle] += Vec3::from(push);
            }
        }
        let method = self.way.method(side, self.velocities.then_some(self.tolerance), self.schedule);
        let method = method.build(constraints, self.tolerance.limits(self.iterations));
        let (mut flight, mut filter) = (Ballistic::new(side * side), Filter::new(method));
        let (mut steps, mut worst, mut strain, mut most) = (0, 0, 0.0_f64, f64::NEG_INFINITY);
        let begin = net.energy(&state);
        let a_fall = DENSITY * self.length * self.length * GRAVITY * self.length;
        let mut course = RunWatch::of_energy(begin, a_fall, self.size.steps.get().into());
        while course.goes_on() {
            let ended = filter.step(&mut flight, &net, self.step, &mut state);
            worst = worst.max(filter.last().iterations);
            let energy = net.energy(&state);
            course.watch_step(ended, &net, &state, || energy);
            if course.status() == Status::NotFinite {
                break;
            }
            steps += 1;
            strain = strain.max(filter.last().after);
            most = most.max(energy);
        }
        let (status, work) = (course.status(), filter.filter_work());
        let finished = status == Status::Finished;
        let status = if finished && work.limited > 0 { Status::IterationLimit } else { status };
        let end: Option<Strain> = finished.then(|| StrainOf::default().state(filter.method().constraints(), &state.x));
        let a_step = |count: u64| count as f64 / work.steps as f64;
        last(finished.then_some(&state), &grid);
        RunRow {
            side,
            length: self.length,
            arc: self.arc,
            pins: self.pins.label().into(),
            air: self.air,
            step: self.step,
            tolerance: self.tolerance.get(),
            method: self.way.name().into(),
            velocities: self.velocities,
            limit: self.iterations.get(),
            threads: if self.schedule == Schedule::Serial { "one" } else { "all" }.into(),
            status,
            reason: reason(&course, &filter),
            steps,
            limited: work.limited,
            iterations: a_step(work.iterations),
            worst,
            factorisations: a_step(work.factorisations),
            operations: a_step(work.operations),
            strain: finished.then_some(strain),
            last: end.map(|end| end.largest),
            percentile99: end.map(|end| end.percentile99),
            median: end.map(|end| end.median),
            mean: end.map(|end| end.mean),
            drop: finished.then(|| -state.x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)),
            gain: (status != Status::NotFinite).then(|| (most - begin) / a_fall),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arc_keeps_lengths_and_brings_the_pins_together() {
        let (_, constraints, grid) = sheet(20, 1.0, &[0, 19]);
        let x = arc(&grid, ARC);
        assert!(constraints.largest_strain(&x) < 1e-13);
        let chord = (x[19] - x[0]).norm();
        assert!((chord - libm::sin(0.25) / 0.25).abs() < 1e-3 && chord < 0.99, "{chord}");
        assert!(x[0].z.abs() < 1e-15 && x[10].z < -0.05);
    }
}
