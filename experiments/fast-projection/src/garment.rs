//! The garment of figures 7 and 8: trousers on a figure that dances, by permissible strain and by how elastic forces are
//! integrated.

use cloth::contact::{CollisionPass, Friction};
use cloth::inextensible::{FilterStop, MethodKind, Strain};
use cloth::{Figure, Trousers};
use kit::prelude::*;

use super::drape_run::Forces;
use super::garment_charts;
use super::scenes::{AIR, DENSITY, DIAGONAL};

ranges!(GarmentRanges {
    //! The trousers, the dance and its steps.
    /// Edges around a leg, 8 to 2000.
    around: Whole<8, 2000>,
    /// Permissible strains \[-\]; the last one is timed.
    strains: List<Positive>,
    /// How elastic forces are integrated.
    elastic: List<Forces>,
    /// Friction of cloth on the figure \[-\].
    friction: NonNegative,
    /// Steps a frame: the finest are those of the pictures, the times and the verdict.
    substeps: List<Count>,
    /// Frames, 30 a second.
    frames: Count,
    /// Frames that are timed.
    timed_frames: Count,
    /// How often they are timed.
    repeats: Count,
    /// Frame of the pictures.
    shown: Count,
    /// Every so many rows and columns are in the pictures.
    stride: Count,
});

/// Trousers at a permissible strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Permissible strain \[-\].
    pub strain: f64,
    pub elastic: Forces,
    /// Steps a frame.
    pub substeps: u32,
}

row! {
    /// A frame.
    pub struct GarmentRow {
        /// how the shear springs are integrated before the projection
        pub elastic: Forces,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// steps a frame
        pub substeps: u32,
        /// vertices of the mesh
        pub vertices: usize,
        /// edges that keep their length
        pub edges: usize,
        /// frame, 30 a second; 0 of a run that was refused
        pub frame: u32,
        /// why the method ended in the last step; a run that it ends has no further frames, as one that is refused
        pub status: Status,
        /// when the run ended early, or why it was refused: it has no place and no strain then
        pub reason: Option<String>,
        /// mean height of the waist of the trousers over the middle of the pelvis \[m\]
        pub waist: Option<f64>,
        /// the same of its lowest particle \[m\]
        pub waist_lowest: Option<f64>,
        /// largest abs(strain) before collisions, of the last step of the frame
        pub largest: Option<f64>,
        /// 99th percentile of the same
        pub percentile99: Option<f64>,
        /// median of the same
        pub median: Option<f64>,
        /// mean of the same
        pub mean: Option<f64>,
        /// largest abs(strain) after collisions
        pub largest_collided: Option<f64>,
        /// 99th percentile of the same
        pub percentile99_collided: Option<f64>,
        /// median of the same
        pub median_collided: Option<f64>,
        /// mean of the same
        pub mean_collided: Option<f64>,
        /// iterations of fast projection in the frame
        pub iterations: u64,
        /// numeric factorisations in the frame
        pub factorisations: u64,
        /// steps of the frame that ended at the limit of iterations
        pub missed: u64,
        /// edges that turned by more than a right angle in a step of the frame
        pub turned_over: u64,
        /// particles that the figure moved in the last step
        pub touched: u64,
    }
}

row! {
    /// A particle of a picture, or why there is none.
    pub struct WornRow {
        /// how the shear springs are integrated before the projection
        pub elastic: Forces,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// edges around a leg
        pub around: usize,
        /// every so many rows and columns are here
        pub stride: usize,
        /// why the method ended in the last step; a run that it ends has no particles, as one that is refused
        pub status: Status,
        /// when the run ended early, or why it was refused
        pub reason: Option<String>,
        /// simulated time \[s\]
        pub time: f64,
        /// index of the particle; none of a run that ended early
        pub particle: Option<usize>,
        /// its place, to a tenth of a millimetre \[m\]
        pub x: Option<f64>,
        /// the same \[m\]
        pub y: Option<f64>,
        /// the same \[m\]
        pub z: Option<f64>,
    }
}

/// Frames a second.
pub const FRAMES: u32 = 30;

/// Most iterations of a step.
const ITERATIONS: u64 = 20;

/// A task under way.
pub(super) struct Dance {
    trousers: Trousers,
    net: Net,
    forces: Box<dyn Integrator>,
    pub filter: Filter,
    pub state: State,
    figure: Figure,
    dt: f64,
    steps: u32,
    shown: FilmRecorder,
}

impl Dance {
    /// Trousers of so many edges `around` a leg, with this friction on the figure and at most so many `iterations` a step.
    pub fn new(around: usize, friction: f64, task: Task, iterations: u64) -> Result<Dance, ModelError> {
        let trousers = Trousers::new(around, DENSITY)?;
        let mut net = trousers.net(Elastic { stiffness: DIAGONAL, damping: 0.0 })?;
        net.air = AIR;
        let forces: Box<dyn Integrator> = match task.elastic {
            Forces::Explicit => Box::new(ForwardBackwardEuler::new(net.particle_count())),
            Forces::Implicit => Box::new(BackwardEuler::new(&net, Settings::default())),
        };
        let method = MethodKind::FastProjection.build(trousers.constraints()?, Limits::new(task.strain, iterations)?);
        let figure = Figure::default();
        let body = CollisionPass { solids: figure.capsules(0.0).to_vec(), friction: Friction::even(friction) };
        let state = State::at_rest(trousers.rest().to_vec());
        let (filter, a_second) = (Filter::new(method).with_body(body), FRAMES * task.substeps);
        let (dt, shown) = (1.0 / f64::from(a_second), FilmRecorder::new(a_second.into()));
        Ok(Dance { trousers, net, forces, filter, state, figure, dt, steps: 0, shown })
    }

    /// Time simulated \[s\].
    fn time(&self) -> f64 {
        f64::from(self.steps) * self.dt
    }

    /// A step; how it ended. There is a state to go on with after one that is usable.
    pub fn step(&mut self) -> FilterStop {
        self.steps += 1;
        let limbs = self.figure.capsules(self.time());
        if let Some(body) = self.filter.body_mut() {
            body.solids.copy_from_slice(&limbs);
        }
        let ended = self.filter.step(&mut *self.forces, &self.net, self.dt, &mut self.state);
        if ended.is_err() || !self.state.is_finite() {
            return FilterStop::NotFinite;
        }
        self.shown.step(&self.net, &self.state);
        self.filter.last().stop
    }

    /// Steps until one that there is no state after; how the last one ended.
    fn run(&mut self, steps: u32) -> FilterStop {
        let mut stop = FilterStop::Converged;
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

    fn dance(&self, task: Task) -> Result<Dance, ModelError> {
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
            let start = *dance.filter.filter_work();
            let stop = dance.run(task.substeps);
            let work = *dance.filter.filter_work();
            let mut row = GarmentRow {
                frame,
                status: stop.into(),
                iterations: work.iterations - start.iterations,
                factorisations: work.factorisations - start.factorisations,
                missed: work.limited - start.limited,
                turned_over: work.turned_over - start.turned_over,
                touched: dance.filter.touched(),
                ..begun.clone()
            };
            if !stop.is_usable() {
                rows.push(GarmentRow { reason: Some(dance.ended()), ..row });
                break;
            }
            let constraints = dance.filter.method().constraints();
            let Strain { largest, percentile99, median, mean } = strains.state(constraints, dance.filter.projected());
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
            elastic: task.elastic,
            strain: task.strain,
            substeps: task.substeps,
            status: Status::Refused,
            ..GarmentRow::default()
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
    type Case = Task;
    type Row = GarmentRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.tasks()
    }

    fn kin(&self, task: &Task) -> u64 {
        task.substeps.into()
    }

    fn measure(&self, task: &Task) -> Vec<GarmentRow> {
        self.0.run(*task, self.0.frames.get())
    }
}

impl Group for GarmentTimes {
    const NAME: &'static str = "garment-times";
    const ABOUT: &'static str = "the first frames of the trousers at the last permissible strain, measured for their time";
    const TIMES_ALONE: bool = true;
    type Case = Task;
    type Row = GarmentRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.timed()
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn measure(&self, task: &Task) -> Vec<GarmentRow> {
        self.0.run(*task, self.0.timed_frames.get())
    }
}

impl Group for Worn {
    const NAME: &'static str = "worn";
    const ABOUT: &'static str = "every few particles of the trousers at a frame, with the finest steps";
    type Case = Task;
    type Row = WornRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.shown_tasks()
    }

    fn measure(&self, &task: &Task) -> Vec<WornRow> {
        let (around, stride) = (self.0.around.get() as usize, self.0.stride.get() as usize);
        let row =
            WornRow { elastic: task.elastic, strain: task.strain, around, stride, status: Status::Refused, ..WornRow::default() };
        let mut dance = match self.0.dance(task) {
            Ok(dance) => dance,
            Err(invalid) => return vec![WornRow { reason: Some(invalid.to_string()), ..row }],
        };
        let stop = dance.run(self.0.shown.get() * task.substeps);
        let row = WornRow { status: stop.into(), time: dance.time(), ..row };
        if !stop.is_usable() {
            return vec![WornRow { reason: Some(dance.ended()), ..row }];
        }
        let shown: Vec<usize> = distinct(dance.trousers.coarse(stride).into_iter().flatten());
        let tenth = |q: f64| Some((q * 1e4).round() / 1e4);
        let of = |particle: usize| {
            let [x, y, z] = <[f64; 3]>::from(dance.state.x[particle]).map(tenth);
            WornRow { particle: Some(particle), x, y, z, ..row.clone() }
        };
        shown.into_iter().map(of).collect()
    }
}

impl WornRow {
    /// A particle and its place.
    pub fn place(&self) -> Option<(usize, [f64; 3])> {
        Some((self.particle?, [self.x?, self.y?, self.z?]))
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Garment(ranges.garment.clone()))
        .table(GarmentTimes(ranges.garment.clone()))
        .table(Worn(ranges.garment.clone()))
        .plot("garment-waist", garment_charts::waist)
        .plot("garment", garment_charts::garment)
}
