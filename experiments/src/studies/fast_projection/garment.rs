//! The garment of figures 7 and 8: trousers on a figure that dances, by permissible strain and by how elastic forces are integrated.

use cloth::contact::CollisionPass;
use cloth::implicit::Settings;
use cloth::inextensible::{Limits, Method, Stop, Strain, StrainOf};
use cloth::integrators::{BackwardEuler, Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::{NonNegative, Positive};
use cloth::{Elastic, Figure, Invalid, Net, State, System, Trousers};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::drape_run::Forces;
use super::scenes::{AIR, DENSITY, DIAGONAL, REFUSED};
use crate::ranges::{Count, List, Whole};

/// The trousers, the dance and its steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GarmentRanges {
    /// Edges around a leg, 8 to 2000.
    pub around: Whole<8, 2000>,
    /// Permissible strains \[-\]; the last one is timed.
    pub strains: List<Positive>,
    /// How elastic forces are integrated.
    pub elastic: List<Forces>,
    /// Friction of cloth on the figure \[-\].
    pub friction: NonNegative,
    /// Steps a frame: the finest are those of the pictures, the times and the verdict.
    pub substeps: List<Count>,
    /// Frames, 30 a second.
    pub frames: Count,
    /// Frames that are timed, and how often.
    pub timed_frames: Count,
    /// The same.
    pub repeats: Count,
    /// Frame of the pictures.
    pub shown: Count,
    /// Every so many rows and columns are in the pictures.
    pub stride: Count,
}

/// Trousers at a permissible strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Permissible strain \[-\].
    pub strain: f64,
    /// Elastic forces.
    pub elastic: Forces,
    /// Steps a frame.
    pub substeps: u32,
}

/// A frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct GarmentRow {
    pub elastic: String,
    pub strain: f64,
    pub substeps: u32,
    pub vertices: usize,
    pub edges: usize,
    pub frame: u32,
    pub status: String,
    pub reason: Option<String>,
    pub waist: Option<f64>,
    pub waist_lowest: Option<f64>,
    pub largest: Option<f64>,
    pub percentile99: Option<f64>,
    pub median: Option<f64>,
    pub mean: Option<f64>,
    pub largest_collided: Option<f64>,
    pub percentile99_collided: Option<f64>,
    pub median_collided: Option<f64>,
    pub mean_collided: Option<f64>,
    pub iterations: u64,
    pub factorisations: u64,
    pub missed: u64,
    pub turned_over: u64,
    pub touched: u64,
}

/// A particle of a picture, or why there is none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct WornRow {
    pub elastic: String,
    pub strain: f64,
    pub around: usize,
    pub stride: usize,
    pub status: String,
    pub reason: Option<String>,
    pub time: f64,
    pub particle: Option<usize>,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::text("elastic", "how the shear springs are integrated before the projection"),
    Column::number("strain", "-", "permissible abs(strain) of warp and weft"),
    Column::integer("substeps", "steps a frame"),
    Column::integer("vertices", "vertices of the mesh"),
    Column::integer("edges", "edges that keep their length"),
    Column::integer("frame", "frame, 30 a second; 0 of a run that was refused"),
    Column::text(
        "status",
        "why the method ended in the last step; a run that it ends has no further frames, as one that is refused",
    ),
    Column::text("reason", "when the run ended early, or why it was refused: it has no place and no strain then"),
    Column::number("waist", "m", "mean height of the waist of the trousers over the middle of the pelvis"),
    Column::number("waist_lowest", "m", "the same of its lowest particle"),
    Column::number("largest", "-", "largest abs(strain) before collisions, of the last step of the frame"),
    Column::number("percentile99", "-", "99th percentile of the same"),
    Column::number("median", "-", "median of the same"),
    Column::number("mean", "-", "mean of the same"),
    Column::number("largest_collided", "-", "largest abs(strain) after collisions"),
    Column::number("percentile99_collided", "-", "99th percentile of the same"),
    Column::number("median_collided", "-", "median of the same"),
    Column::number("mean_collided", "-", "mean of the same"),
    Column::integer("iterations", "iterations of fast projection in the frame"),
    Column::integer("factorisations", "numeric factorisations in the frame"),
    Column::integer("missed", "steps of the frame that ended at the limit of iterations"),
    Column::integer("turned_over", "edges that turned by more than a right angle in a step of the frame"),
    Column::integer("touched", "particles that the figure moved in the last step"),
];

const WORN_COLUMNS: &[Column] = &[
    Column::text("elastic", "how the shear springs are integrated before the projection"),
    Column::number("strain", "-", "permissible abs(strain) of warp and weft"),
    Column::integer("around", "edges around a leg"),
    Column::integer("stride", "every so many rows and columns are here"),
    Column::text("status", "why the method ended in the last step; a run that it ends has no particles, as one that is refused"),
    Column::text("reason", "when the run ended early, or why it was refused"),
    Column::number("time", "s", "simulated time"),
    Column::number("particle", "-", "index of the particle; none of a run that ended early"),
    Column::number("x", "m", "its place, to a tenth of a millimetre"),
    Column::number("y", "m", "the same"),
    Column::number("z", "m", "the same"),
];

/// Frames a second.
pub const FRAMES: u32 = 30;

/// Most iterations of a step.
const ITERATIONS: u64 = 20;

impl Task {
    /// How elastic forces are integrated, in a word.
    pub fn elastic(self) -> &'static str {
        match self.elastic {
            Forces::Explicit => "explicit",
            Forces::Implicit => "implicit",
        }
    }
}

/// A task under way.
pub(super) struct Dance {
    trousers: Trousers,
    net: Net,
    pub filtered: Filtered,
    pub state: State,
    figure: Figure,
    dt: f64,
    steps: u32,
}

impl Dance {
    /// Trousers of so many edges `around` a leg, with this friction on the figure and at most so many `iterations` a step.
    pub fn new(around: usize, friction: f64, task: Task, iterations: u64) -> Result<Dance, Invalid> {
        let trousers = Trousers::new(around, DENSITY)?;
        let mut net = trousers.net(Elastic { stiffness: DIAGONAL, damping: 0.0 })?;
        net.air = AIR;
        let forces: Box<dyn Integrator> = match task.elastic {
            Forces::Explicit => Box::new(ForwardBackwardEuler::new(net.particle_count())),
            Forces::Implicit => Box::new(BackwardEuler::new(&net, Settings::default())),
        };
        let method = Method::FastProjection.build(trousers.constraints()?, Limits::new(task.strain, iterations)?);
        let figure = Figure::default();
        let body = CollisionPass { solids: figure.capsules(0.0).to_vec(), friction };
        let state = State::at_rest(trousers.rest().to_vec());
        let dt = 1.0 / f64::from(FRAMES * task.substeps);
        Ok(Dance { trousers, net, filtered: Filtered::new(forces, method).with_body(body), state, figure, dt, steps: 0 })
    }

    /// Time simulated \[s\].
    fn time(&self) -> f64 {
        f64::from(self.steps) * self.dt
    }

    /// A step; how it ended. There is a state to go on with after one that is usable.
    pub fn step(&mut self) -> Stop {
        self.steps += 1;
        let limbs = self.figure.capsules(self.time());
        if let Some(body) = self.filtered.body_mut() {
            body.solids.copy_from_slice(&limbs);
        }
        self.filtered.step(&self.net, self.dt, &mut self.state);
        if self.state.is_finite() { self.filtered.last().stop } else { Stop::NotFinite }
    }

    /// Steps until one that there is no state after; how the last one ended.
    fn run(&mut self, steps: u32) -> Stop {
        let mut stop = Stop::Converged;
        for _ in 0..steps {
            stop = self.step();
            if !stop.is_usable() {
                break;
            }
        }
        stop
    }

    /// When it ended, in words.
    fn ended(&self) -> String {
        format!("after {} steps", self.steps)
    }

    /// Mean and lowest height of the waist over the middle of the pelvis \[m\].
    fn waist(&self) -> [f64; 2] {
        let heights = || self.trousers.waist().map(|index| self.state.x[index].z);
        let pelvis = self.figure.pelvis(self.time()).0.z;
        let mean = heights().sum::<f64>() / self.trousers.waist().len() as f64;
        [mean - pelvis, heights().fold(f64::INFINITY, f64::min) - pelvis]
    }
}

impl GarmentRanges {
    /// All of them: coarse steps first, by the first way of elastic forces only.
    fn tasks(&self) -> Vec<Task> {
        let substeps = self.substeps.values();
        let finest = self.finest_steps();
        let mut tasks = vec![];
        for steps in substeps {
            let ways = if steps.get() == finest { self.elastic.values().len() } else { 1 };
            for strain in self.strains.values() {
                let task = |elastic: &Forces| Task { strain: strain.get(), elastic: *elastic, substeps: steps.get() };
                tasks.extend(self.elastic.values().iter().take(ways).map(task));
            }
        }
        tasks
    }

    fn dance(&self, task: Task) -> Result<Dance, Invalid> {
        Dance::new(self.around.get() as usize, self.friction.get(), task, ITERATIONS)
    }

    fn finest_steps(&self) -> u32 {
        self.substeps.values().iter().map(|steps| steps.get()).max().unwrap_or(1)
    }

    /// Those of the finest steps at the last permissible strain.
    fn timed(&self) -> Vec<Task> {
        let strain = self.strains.values().last().map_or(0.0, |strain| strain.get());
        self.tasks().into_iter().filter(|task| task.substeps == self.finest_steps() && task.strain == strain).collect()
    }

    /// Those of the pictures: every strain by the first way of elastic forces, the last one by all.
    fn shown_tasks(&self) -> Vec<Task> {
        let task = |strain: f64, elastic: Forces| Task { strain, elastic, substeps: self.finest_steps() };
        let first = self.elastic.values()[0];
        let strains = self.strains.values().iter().map(|strain| task(strain.get(), first));
        let others = self.elastic.values()[1..].iter().flat_map(|way| self.strains.values().last().map(|s| task(s.get(), *way)));
        strains.chain(others).collect()
    }

    /// The rows of the first `frames` frames, as far as the method goes.
    fn run(&self, task: Task, frames: u32) -> Vec<GarmentRow> {
        let mut begun = GarmentRow::begin(task);
        let mut dance = match self.dance(task) {
            Ok(dance) => dance,
            Err(invalid) => return vec![GarmentRow { reason: Some(invalid.to_string()), ..begun }],
        };
        (begun.vertices, begun.edges) = (dance.net.particle_count(), dance.trousers.edges().len());
        let (mut rows, mut strains) = (vec![], StrainOf::default());
        for frame in 1..=frames {
            let start = *dance.filtered.filter_work();
            let stop = dance.run(task.substeps);
            let work = *dance.filtered.filter_work();
            let mut row = GarmentRow {
                frame,
                status: stop.name().into(),
                iterations: work.iterations - start.iterations,
                factorisations: work.factorisations - start.factorisations,
                missed: work.limited - start.limited,
                turned_over: work.turned_over - start.turned_over,
                touched: dance.filtered.touched(),
                ..begun.clone()
            };
            if !stop.is_usable() {
                rows.push(GarmentRow { reason: Some(dance.ended()), ..row });
                break;
            }
            let constraints = dance.filtered.method().constraints();
            let Strain { largest, percentile99, median, mean } = strains.state(constraints, dance.filtered.projected());
            [row.largest, row.percentile99, row.median, row.mean] = [largest, percentile99, median, mean].map(Some);
            let Strain { largest, percentile99, median, mean } = strains.state(constraints, &dance.state.x);
            [row.largest_collided, row.percentile99_collided] = [largest, percentile99].map(Some);
            [row.median_collided, row.mean_collided] = [median, mean].map(Some);
            [row.waist, row.waist_lowest] = dance.waist().map(Some);
            rows.push(row);
        }
        rows
    }
}

impl GarmentRow {
    /// Of a task before its first frame, with empty cells for all that is read off a state.
    fn begin(task: Task) -> GarmentRow {
        GarmentRow {
            elastic: task.elastic().into(),
            strain: task.strain,
            substeps: task.substeps,
            vertices: 0,
            edges: 0,
            frame: 0,
            status: REFUSED.into(),
            reason: None,
            waist: None,
            waist_lowest: None,
            largest: None,
            percentile99: None,
            median: None,
            mean: None,
            largest_collided: None,
            percentile99_collided: None,
            median_collided: None,
            mean_collided: None,
            iterations: 0,
            factorisations: 0,
            missed: 0,
            turned_over: 0,
            touched: 0,
        }
    }
}

/// Every task, frame by frame.
pub struct Garment(pub GarmentRanges);

/// The first frames, for their time.
pub struct GarmentTimes(pub GarmentRanges);

/// The trousers at a frame.
pub struct Worn(pub GarmentRanges);

impl Group for Garment {
    const NAME: &'static str = "garment";
    const ABOUT: &'static str = "trousers on a figure that dances, frame by frame";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Task;
    type Row = GarmentRow;

    fn sets(&self) -> u64 {
        self.0.tasks().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Task {
        self.0.tasks()[set as usize]
    }

    fn kin(&self, task: &Task) -> u64 {
        task.substeps.into()
    }

    fn measure_block(&self, cases: &[Task], done: &mut dyn FnMut(usize, Vec<GarmentRow>)) {
        for (k, task) in cases.iter().enumerate() {
            done(k, self.0.run(*task, self.0.frames.get()));
        }
    }
}

impl Group for GarmentTimes {
    const NAME: &'static str = "garment-times";
    const ABOUT: &'static str = "the first frames of the trousers at the last permissible strain, measured for their time";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Task;
    type Row = GarmentRow;

    fn sets(&self) -> u64 {
        self.0.timed().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Task {
        self.0.timed()[set as usize]
    }

    fn measure_block(&self, cases: &[Task], done: &mut dyn FnMut(usize, Vec<GarmentRow>)) {
        for (k, task) in cases.iter().enumerate() {
            done(k, self.0.run(*task, self.0.timed_frames.get()));
        }
    }
}

impl Group for Worn {
    const NAME: &'static str = "worn";
    const ABOUT: &'static str = "every few particles of the trousers at a frame, with the finest steps";
    const COLUMNS: &'static [Column] = WORN_COLUMNS;
    const SAMPLED: bool = false;
    type Case = Task;
    type Row = WornRow;

    fn sets(&self) -> u64 {
        self.0.shown_tasks().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Task {
        self.0.shown_tasks()[set as usize]
    }

    fn measure_block(&self, cases: &[Task], done: &mut dyn FnMut(usize, Vec<WornRow>)) {
        for (k, task) in cases.iter().enumerate() {
            done(k, self.rows(*task));
        }
    }
}

impl WornRow {
    /// A particle and its place.
    pub fn place(&self) -> Option<(usize, [f64; 3])> {
        Some((self.particle?, [self.x?, self.y?, self.z?]))
    }
}

impl Worn {
    fn rows(&self, task: Task) -> Vec<WornRow> {
        let (around, stride) = (self.0.around.get() as usize, self.0.stride.get() as usize);
        let row = WornRow {
            elastic: task.elastic().into(),
            strain: task.strain,
            around,
            stride,
            status: REFUSED.into(),
            reason: None,
            time: 0.0,
            particle: None,
            x: None,
            y: None,
            z: None,
        };
        let mut dance = match self.0.dance(task) {
            Ok(dance) => dance,
            Err(invalid) => return vec![WornRow { reason: Some(invalid.to_string()), ..row }],
        };
        let stop = dance.run(self.0.shown.get() * task.substeps);
        let row = WornRow { status: stop.name().into(), time: dance.time(), ..row };
        if !stop.is_usable() {
            return vec![WornRow { reason: Some(dance.ended()), ..row }];
        }
        let mut shown: Vec<usize> = dance.trousers.coarse(stride).into_iter().flatten().collect();
        shown.sort_unstable();
        shown.dedup();
        let tenth = |q: f64| Some((q * 1e4).round() / 1e4);
        let of = |particle: usize| {
            let [x, y, z] = <[f64; 3]>::from(dance.state.x[particle]).map(tenth);
            WornRow { particle: Some(particle), x, y, z, ..row.clone() }
        };
        shown.into_iter().map(of).collect()
    }
}
