//! What the velocity pass does to the error of a step.

use cloth::inextensible::{Division, Edge, ImpulseStrips, StripSettings};
use kit::prelude::*;

use super::scene::{LENGTH, Tolerance, sheet};

ranges!(AccuracyRanges {
    //! Starts, steps and tolerances.
    /// Random starts of each system.
    draws: Count,
    /// Edges of the chain; the pendulum has one.
    chain: Count,
    /// Particles a side of the sheet.
    side: Count,
    /// Steps until what is compared is half a second old, the main ones first.
    steps: List<Count>,
    /// That of the reference.
    reference: Count,
    /// Permissible strain, tight.
    tight: Tolerance,
    /// Permissible strain of a reading.
    loose: Tolerance,
    /// Most iterations a step.
    iterations: Count,
});

/// What moves.
pub const SYSTEMS: [&str; 3] = ["pendulum", "chain", "sheet"];

/// Names of the directions.
pub const DIRECTIONS: [(&str, Directions); 2] = [("preview", Directions::Preview), ("frozen", Directions::Frozen)];

/// When states are compared \[s\].
const TIME: f64 = 0.5;

/// A start of a system.
#[derive(Clone, Debug)]
pub struct Start {
    system: usize,
    v: Vec<Vec3>,
}

row! {
    /// Errors without and with the pass.
    pub struct AccuracyRow {
        /// pendulum, chain or sheet, held at one particle
        pub system: String,
        /// of the preview, or frozen at the start of the step
        pub directions: String,
        /// permissible abs(strain)
        pub tolerance: f64,
        /// steps of half a second
        pub steps: u32,
        /// finished by both runs, or the worse: tolerance missed, gains energy or not finite; no reference where that is lost
        pub status: Status,
        /// root mean square error of positions without the pass \[m\]
        pub position: Option<f64>,
        /// the same with it \[m\]
        pub position_with: Option<f64>,
        /// root mean square error of velocities without the pass \[m/s\]
        pub velocity: Option<f64>,
        /// the same with it \[m/s\]
        pub velocity_with: Option<f64>,
        /// change of the energy without the pass, in falls by 1 m
        pub drift: Option<f64>,
        /// the same with it
        pub drift_with: Option<f64>,
        /// largest abs(rate of strain) at the end without the pass \[1/s\]
        pub rate: Option<f64>,
        /// the same with it \[1/s\]
        pub rate_with: Option<f64>,
        /// difference of the reference from one of steps twice as long, positions \[m\]
        pub reference_position: Option<f64>,
        /// the same of velocities \[m/s\]
        pub reference_velocity: Option<f64>,
    }
}

/// Systems from random velocities.
#[derive(Clone)]
pub struct Accuracy(pub AccuracyRanges);

/// State at the end, with the largest rate of strain of the last step and the change of energy.
struct End {
    state: State,
    rate: f64,
    drift: f64,
}

impl Group for Accuracy {
    const NAME: &'static str = "accuracy";
    const ABOUT: &'static str = "a pendulum, a chain and a sheet after half a second, without and with the velocity pass";
    const SAMPLED: bool = false;
    type Case = Start;
    type Row = AccuracyRow;

    fn sets(&self) -> u64 {
        u64::from(self.0.draws.get()) * SYSTEMS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Start {
        let system = set as usize % SYSTEMS.len();
        let count = self.particles(system);
        Start { system, v: (0..count).map(|_| Vec3::from_fn(|_, _| stream.random_range(-1.0..1.0))).collect() }
    }

    fn measure(&self, case: &Start) -> Vec<AccuracyRow> {
        let ranges = &self.0;
        let reference = |steps: u32| self.run(case, Directions::Frozen, true, ranges.tight, steps);
        let references = reference(ranges.reference.get()).ok().zip(reference(ranges.reference.get() / 2).ok());
        let first = ranges.steps.values()[0];
        let tight = ranges.steps.values().iter().flat_map(|steps| DIRECTIONS.map(|of| (of, ranges.tight, *steps)));
        let runs = tight.chain([(DIRECTIONS[0], ranges.loose, first)]);
        let row = |((name, directions), tolerance, steps): ((&str, Directions), Tolerance, Count)| {
            let runs = [false, true].map(|with| self.run(case, directions, with, tolerance, steps.get()));
            let worse = runs.iter().filter_map(|run| run.as_ref().err()).max_by_key(|(status, _)| *status);
            let status = match worse {
                Some(&(_, status)) => status,
                None if references.is_none() => Status::NoReference,
                None => Status::Finished,
            };
            let [without, with] = runs.map(Result::ok);
            type Vectors = fn(&State) -> &Vec<Vec3>;
            let error = |end: &Option<End>, of: Vectors| {
                let (fine, _) = references.as_ref()?;
                Some(apart(of(&end.as_ref()?.state), of(&fine.state)))
            };
            let (x, v): (Vectors, Vectors) = (|state| &state.x, |state| &state.v);
            let between = |of: Vectors| references.as_ref().map(|(fine, coarse)| apart(of(&fine.state), of(&coarse.state)));
            AccuracyRow {
                system: SYSTEMS[case.system].into(),
                directions: name.into(),
                tolerance: tolerance.get(),
                steps: steps.get(),
                status,
                position: error(&without, x),
                position_with: error(&with, x),
                velocity: error(&without, v),
                velocity_with: error(&with, v),
                drift: without.as_ref().map(|end| end.drift),
                drift_with: with.as_ref().map(|end| end.drift),
                rate: without.as_ref().map(|end| end.rate),
                rate_with: with.as_ref().map(|end| end.rate),
                reference_position: between(x),
                reference_velocity: between(v),
            }
        };
        runs.map(row).collect()
    }
}

/// Root mean square of distances.
fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    (a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum::<f64>() / a.len() as f64).sqrt()
}

impl Accuracy {
    fn particles(&self, system: usize) -> usize {
        match SYSTEMS[system] {
            "pendulum" => 2,
            "chain" => self.0.chain.get() as usize + 1,
            _ => (self.0.side.get() * self.0.side.get()) as usize,
        }
    }

    /// A system at its start: level, 1 m long, held at its first particle.
    fn system(&self, case: &Start) -> (Net, EdgeConstraints, State) {
        let (net, constraints, x) = if SYSTEMS[case.system] == "sheet" {
            let (net, constraints, grid) = sheet(self.0.side.get() as usize, LENGTH, &[0]);
            (net, constraints, grid.flat())
        } else {
            let count = self.particles(case.system);
            let rest = LENGTH / (count - 1) as f64;
            let masses = vec![1.0 / count as f64; count];
            let held: Vec<bool> = (0..count).map(|k| k == 0).collect();
            let edges: Vec<Edge> = (1..count).map(|j| Edge { i: j - 1, j, rest }).collect();
            let constraints = EdgeConstraints::new(&edges, &masses, &held).expect("edges of a chain are valid");
            let net = Net::new(masses, held, vec![]).expect("masses of a chain are valid");
            (net, constraints, (0..count).map(|k| k as f64 * rest * Vec3::x()).collect())
        };
        let mut v = case.v.clone();
        v[0] = Vec3::zeros();
        (net, constraints, State { x, v })
    }

    /// Its end, or what came of it instead.
    fn run(
        &self,
        case: &Start,
        directions: Directions,
        with: bool,
        tolerance: Tolerance,
        steps: u32,
    ) -> Result<End, (Status, Status)> {
        let (net, constraints, mut state) = self.system(case);
        let nx = if SYSTEMS[case.system] == "sheet" { self.0.side.get() as usize } else { case.v.len() };
        let velocities = with.then(|| Positive::try_from(tolerance.get()).ok()).flatten();
        let settings = StripSettings { division: Division::Strips { nx }, directions, velocities, schedule: Schedule::Serial };
        let limits = tolerance.limits(self.0.iterations);
        let edges = constraints.clone();
        let method: Box<dyn ConstraintMethod> = Box::new(ImpulseStrips::new(constraints, limits, settings));
        let (mut flight, mut filter) = (Ballistic::new(case.v.len()), Filter::new(method));
        let dt = TIME / f64::from(steps);
        let fall = net.masses().iter().sum::<f64>() * GRAVITY * LENGTH;
        let (mut begin, mut course) = (None, RunWatch::of_energy(net.energy(&state), fall, steps.into()));
        while course.goes_on() {
            let ended = filter.step(&mut flight, &net, dt, &mut state);
            course.watch_step(ended, &net, &state, || net.energy(&state));
            if !filter.converged() {
                course.end_early(|| net.energy(&state));
            }
            begin = begin.or_else(|| Some(net.energy(&state))); // the first step takes what the start has along its edges
        }
        match (course.status(), begin) {
            (Status::Finished, Some(begin)) if filter.converged() => Ok(Accuracy::end(&net, &edges, state, begin)),
            (status, _) => Err((status, if status == Status::Finished { Status::ToleranceMissed } else { status })),
        }
    }

    fn end(net: &Net, edges: &EdgeConstraints, state: State, begin: f64) -> End {
        let rate = |edge: &Edge| {
            let d = edge.vector(&state.x);
            ((state.v[edge.j] - state.v[edge.i]).dot(&d) / d.norm_squared()).abs()
        };
        let rate = edges.edges().iter().map(rate).fold(0.0, f64::max);
        let fall = net.masses().iter().sum::<f64>() * GRAVITY * LENGTH;
        let drift = (net.energy(&state) - begin) / fall;
        End { state, rate, drift }
    }
}

/// Errors with and without the velocity pass.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let all = results.without_sets::<Accuracy>()?;
    let (tight, steps) = all.first().map_or((0.0, 0), |row| (row.tolerance, row.steps));
    let panel = |directions: &str, title: &str, [what, unit]: [&str; 2], of: fn(&AccuracyRow) -> Option<[f64; 2]>| {
        let here: Vec<&AccuracyRow> =
            all.iter().filter(|row| row.directions == directions && row.tolerance == tight && row.steps == steps).collect();
        let mut layers = vec![];
        let points = |system: &str| -> Vec<[f64; 2]> {
            here.iter()
                .filter(|row| row.system == system)
                .filter_map(|row| of(row))
                .filter(|p| p[0] > 0.0 && p[1] > 0.0)
                .collect()
        };
        let every: Vec<[f64; 2]> = SYSTEMS.iter().flat_map(|system| points(system)).collect();
        let low = every.iter().map(|p| p[0].min(p[1])).fold(f64::INFINITY, f64::min);
        let high = every.iter().map(|p| p[0].max(p[1])).fold(0.0, f64::max);
        if !every.is_empty() {
            layers.push(Layer::line("the same", Palette::GREY, vec![[low, low], [high, high]]));
        }
        for (k, system) in SYSTEMS.iter().enumerate() {
            layers.push(Layer::points(*system, Palette::series(k), points(system)));
        }
        Panel::new(Axis::log(format!("{what} without the pass, {unit}")), Axis::log(format!("{what} with it, {unit}")), layers)
            .titled(title)
            .legend_outside()
    };
    let panels = vec![
        panel("preview", "directions of the preview", ["error of positions", "m"], |row| {
            Some([row.position?, row.position_with?])
        }),
        panel("preview", "directions of the preview", ["error of velocities", "m/s"], |row| {
            Some([row.velocity?, row.velocity_with?])
        }),
        panel("frozen", "directions as printed", ["error of positions", "m"], |row| Some([row.position?, row.position_with?])),
        panel("frozen", "directions as printed", ["error of velocities", "m/s"], |row| Some([row.velocity?, row.velocity_with?])),
    ];
    let caption = "Root mean square errors after half a second from random starts, with steps of 1/30 s and a tolerance that is not felt, \
                   against small steps of second order. Below the line the velocity pass makes it better.";
    let figure = Figure::new("accuracy", "What the velocity correction brings", caption, panels);
    Ok(Figure { columns: 2, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Accuracy(ranges.accuracy.clone())).plot("accuracy", chart)
}
