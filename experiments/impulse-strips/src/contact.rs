//! A sheet that falls onto a sphere, collisions inside the iteration or after it.

use cloth::contact::{CollisionPass, Friction, Solid};
use kit::pictures::sheet as cloth;
use kit::prelude::*;

use super::scene::{DENSITY, LENGTH, STEP, Size, Tolerance, Way, reason, sheet};

ranges!(ContactRanges {
    //! The sheet and the limits.
    /// Grid and steps.
    size: Size,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations of the strips a round.
    iterations: Count,
    /// Most rounds of strips and collisions a step.
    rounds: Count,
    /// How far the sphere stands beside the middle of the sheet \[m\], the main one first.
    beside: List<NonNegative>,
    /// Steps after which the sheet is drawn.
    shown: List<Count>,
    /// Every how many particles along each side one is kept for the picture.
    stride: Count,
});

/// Friction on the sphere \[-\]: the main one, and none.
pub const FRICTIONS: [f64; 2] = [0.3, 0.0];

/// Deeper than this a particle is inside \[m\].
const DEEP: f64 = 1e-9;

/// Radius of the sphere \[m\].
pub const RADIUS: f64 = 0.3;

/// Middle of the sphere that stands so far beside that of the sheet \[m\].
pub fn centre(beside: f64) -> Vec3 {
    Vec3::new(0.5 * LENGTH + beside, 0.5 * LENGTH, -RADIUS - 0.01)
}

row! {
    /// A sheet on the sphere.
    pub struct ContactRow {
        /// how far the sphere stands beside the middle of the sheet \[m\]
        pub beside: f64,
        /// mu on the sphere
        pub friction: f64,
        /// most rounds of strips and collisions a step; 1: collisions after the strips
        pub rounds: u32,
        /// of the preview, or frozen at the start of the step
        pub directions: String,
        /// finished, gains energy or not finite
        pub status: Status,
        /// why it is lost, and how the strips ended in its last step
        pub reason: Option<String>,
        /// steps until the end, or until it is lost
        pub steps: u32,
        /// of them, steps with contact
        pub touching: u32,
        /// of them, steps within the tolerance without penetration, after everything
        pub within: u32,
        /// iterations of the strips a step, mean
        pub iterations: f64,
        /// largest abs(strain) after everything, of all steps; this and what follows empty where it is lost
        pub strain: Option<f64>,
        /// largest 99th percentile of abs(strain) after everything
        pub percentile99: Option<f64>,
        /// largest abs(strain) before the last collisions, of all steps
        pub before: Option<f64>,
        /// deepest penetration after everything, of all steps; below zero outside \[m\]
        pub depth: Option<f64>,
        /// how far the centre of mass of the sheet moved along the ground \[m\]
        pub slip: Option<f64>,
    }
}

/// Directions of the impulses and whether collisions are inside the iteration.
const VARIANTS: [(&str, Directions, bool); 3] =
    [("preview", Directions::Preview, true), ("preview", Directions::Preview, false), ("frozen", Directions::Frozen, true)];

/// A run: how far the sphere stands beside the middle \[m\], its friction, rounds a step, directions.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    beside: f64,
    friction: f64,
    rounds: u32,
    directions: (&'static str, Directions),
}

/// With and without friction, collisions inside the iteration and after it.
#[derive(Clone)]
pub struct Contact(pub ContactRanges);

impl Group for Contact {
    const NAME: &'static str = "contact";
    const ABOUT: &'static str =
        "a sheet that falls onto a sphere beside its centre, collisions inside the iteration and after it";
    const SAMPLED: bool = false;
    type Case = Fall;
    type Row = ContactRow;

    fn sets(&self) -> u64 {
        (VARIANTS.len() * FRICTIONS.len() * self.0.beside.values().len()) as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Fall {
        let set = set as usize;
        let (name, directions, inside) = VARIANTS[set % VARIANTS.len()];
        let beside = self.0.beside.values()[set / (VARIANTS.len() * FRICTIONS.len())].get();
        let rounds = if inside { self.0.rounds.get() } else { 1 };
        let friction = FRICTIONS[set / VARIANTS.len() % FRICTIONS.len()];
        Fall { beside, friction, rounds, directions: (name, directions) }
    }

    fn measure(&self, fall: &Fall) -> Vec<ContactRow> {
        vec![self.run(*fall, |_, _| ())]
    }
}

impl Contact {
    /// Follows a fall; `seen` sees each state with the number of its step.
    fn run(&self, fall: Fall, mut seen: impl FnMut(u32, &State)) -> ContactRow {
        let Fall { beside, friction, rounds, directions } = fall;
        let ContactRanges { size, tolerance, iterations, .. } = self.0;
        let side = size.side.get() as usize;
        let (net, constraints, grid) = sheet(side, LENGTH, &[]);
        let edges = constraints.clone();
        let sphere = Solid::Sphere { centre: centre(beside), radius: RADIUS };
        let method =
            Way::Strips(directions.1).method(side, None, Schedule::Serial).build(constraints, tolerance.limits(iterations));
        let pass = CollisionPass { solids: vec![sphere], friction: Friction::even(friction) };
        let mut flight = Ballistic::new(side * side);
        let mut filter = Filter::new(method).with_collisions(pass).with_rounds(rounds.into());
        let mut state = State::at_rest(grid.flat());
        let middle = |state: &State| state.x.iter().sum::<Vec3>() / state.x.len() as f64;
        let start = middle(&state);
        let mut strains = StrainOf::default();
        let (mut steps, mut touching, mut within) = (0, 0, 0);
        let (mut strain, mut percentile99, mut before, mut depth) = (0.0_f64, 0.0_f64, 0.0_f64, f64::NEG_INFINITY);
        let mut course =
            RunWatch::of_energy(net.energy(&state), DENSITY * LENGTH * LENGTH * GRAVITY * LENGTH, size.steps.get().into());
        while course.goes_on() {
            let ended = filter.step(&mut flight, &net, STEP, &mut state);
            course.watch_step(ended, &net, &state, || net.energy(&state));
            if course.status() == Status::NotFinite {
                break;
            }
            steps += 1;
            seen(steps, &state);
            touching += u32::from(filter.touched() > 0);
            let now = strains.state(&edges, &state.x);
            let deepest = state.x.iter().map(|x| -sphere.distance(*x).0).fold(f64::NEG_INFINITY, f64::max);
            within += u32::from(now.largest <= tolerance.get() && deepest <= DEEP);
            strain = strain.max(now.largest);
            percentile99 = percentile99.max(now.percentile99);
            before = before.max(edges.largest_strain(filter.projected()));
            depth = depth.max(deepest);
        }
        let status = course.status();
        let finished = status == Status::Finished;
        let moved = middle(&state) - start;
        let work = filter.filter_work();
        ContactRow {
            beside,
            friction,
            rounds,
            directions: directions.0.into(),
            status,
            reason: reason(&course, &filter),
            steps,
            touching,
            within,
            iterations: work.iterations as f64 / work.steps as f64,
            strain: finished.then_some(strain),
            percentile99: finished.then_some(percentile99),
            before: finished.then_some(before),
            depth: finished.then_some(depth),
            slip: finished.then(|| (moved.x * moved.x + moved.y * moved.y).sqrt()),
        }
    }
}

row! {
    /// A particle of a sheet on the sphere at some time.
    pub struct DrapeRow {
        /// how far the sphere stands beside the middle of the sheet \[m\]
        pub beside: f64,
        /// time since the sheet was let go, to the millisecond \[s\]
        pub time: f64,
        /// of a particle, from 0
        pub column: usize,
        /// of a particle, from 0
        pub row: usize,
        /// its position, to 0.1 mm \[m\]
        pub x: f64,
        /// its position, to 0.1 mm \[m\]
        pub y: f64,
        /// its position, to 0.1 mm \[m\]
        pub z: f64,
    }
}

/// Shapes of figure 6.
#[derive(Clone)]
pub struct Drapes(pub ContactRanges);

impl Group for Drapes {
    const NAME: &'static str = "drapes";
    const ABOUT: &'static str = "the sheet on the sphere at some times, with every so many particles of its shape";
    type Case = f64;
    type Row = DrapeRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.beside.values().iter().map(|value| value.get()).collect()
    }

    fn measure(&self, beside: &f64) -> Vec<DrapeRow> {
        self.shapes(*beside)
    }
}

impl Drapes {
    fn shapes(&self, beside: f64) -> Vec<DrapeRow> {
        let ranges = &self.0;
        let (side, stride) = (ranges.size.side.get() as usize, ranges.stride.get() as usize);
        let mut rows = vec![];
        let fall =
            Fall { beside, friction: FRICTIONS[0], rounds: ranges.rounds.get(), directions: (VARIANTS[0].0, VARIANTS[0].1) };
        Contact(ranges.clone()).run(fall, |step, state| {
            if !ranges.shown.values().iter().any(|shown| shown.get() == step) {
                return;
            }
            for k in (0..side * side).filter(|k| (k / side).is_multiple_of(stride) && (k % side).is_multiple_of(stride)) {
                let tenth = |q: f64| (q * 1e4).round() / 1e4;
                let [x, y, z] = state.x[k].map(tenth).into();
                let time = (f64::from(step) * STEP * 1e3).round() / 1e3;
                rows.push(DrapeRow { beside, time, column: k % side / stride, row: k / side / stride, x, y, z });
            }
        });
        rows
    }
}

/// Figure 6: the sheet on the sphere.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let particles = results.without_sets::<Drapes>()?;
    let picture = |sheet: &[DrapeRow]| {
        let first = sheet.first()?;
        let columns = sheet.iter().take_while(|p| p.row == 0).count();
        let mesh = cloth(sheet.iter().map(|p| [p.x, p.y, p.z]).collect(), columns);
        let ball = chart::Solid::sphere(centre(first.beside).into(), RADIUS, Palette::GREY).rounded(1e-4);
        let title = format!("{} s, sphere {} m beside", short(first.time), short(first.beside));
        let keep = [-0.6, 0.6].map(|q| [0.5 + q, 0.5 + q, if q < 0.0 { -0.9 } else { 0.0 }]); // all at one scale
        Some(Panel::snapshot(Snapshot::new(View::new(-60.0, 20.0), vec![mesh, ball]).keeping(keep.into())).titled(title))
    };
    let sheets = particles.chunk_by(|a, b| a.beside == b.beside && a.time == b.time);
    let caption = "A free sheet of 1 m falls onto a sphere with friction, strips and collisions in turn until both hold; every second row \
                   and column is drawn. There is no bending and no contact of the sheet with itself.";
    let panels = sheets.filter_map(picture).collect();
    let figure = Figure::new("drapes", "Figure 6: a sheet with contact inside the iteration", caption, panels);
    Ok(Figure { columns: 4, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Contact(ranges.contact.clone()))
        .table(Drapes(ranges.contact.clone()))
        .plot("drapes", chart)
        .places(&[("drapes", 1)])
}
