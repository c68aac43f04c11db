//! Drapes by fast projection, with collisions as the last filter and as the last but one.

use cloth::Family;
use cloth::contact::{Impacts, RigidMotion};
use cloth::inextensible::{FastProjection, Strain};
use cloth::run::Collisions;
use kit::prelude::*;
use kit::recorded::{Surroundings, surround};

use super::drapes::{AIR, Drape, Drapes, FRICTION, Fall, Watch, springs_of, status_of};
use super::treatments::exact;

ranges!(OrderRanges {
    //! Drapes and runs.
    /// Number of drapes.
    sets: Count,
    /// What they are drawn from; no spring along warp and weft has a stiffness.
    drapes: Drapes,
    /// Permissible strains \[-\].
    strains: List<Positive>,
    /// Steps a second, multiples of 30.
    rates: List<Count>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Linear systems a step may take.
    solves: Count,
});

words! {
    /// The filters of a step, and their order.
    pub enum Order {
        CollisionsLast = "collisions last",
        ProjectionLast = "projection last",
        /// Solids last, and nothing between cloth and cloth.
        SolidsAlone = "solids alone",
    }
}

/// Stiffness of the diagonals \[N/m\], as in the study of fast projection, and of bending.
const DIAGONAL: f64 = 0.1;
const BENDING: f64 = 0.01;
/// Frames a second.
const FRAMES: u32 = 30;

row! {
    /// A drape by one order of filters.
    pub struct OrderRow {
        /// collisions last, projection last, solids alone
        pub order: Order,
        /// over a bar, folded in two, upright to the ground
        pub fall: Fall,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// steps a second
        pub rate: u32,
        /// finished, or gains energy, not finite, refused: collisions of a step were not resolved
        pub status: Status,
        /// why it is not finished
        pub reason: Option<String>,
        /// steps taken
        pub steps: u64,
        /// steps after which triangles crossed
        pub crossed: u64,
        /// pairs of triangles that crossed after the worst step
        pub worst: usize,
        /// steps whose projection did not end within the permissible strain
        pub beyond: u64,
        /// frames of 1/30 s in whose last step something collided
        pub frames: u32,
        /// 99th percentile of strain at the end of a step, the median of these frames
        pub typical99: Option<f64>,
        /// strain of the median edge at the end of a step, the median of these frames
        pub typical_median: Option<f64>,
        /// 99th percentile of strain at the end of a step in the worst of these frames
        pub worst99: Option<f64>,
        /// 99th percentile in the median frame of the first third of these frames
        pub first_third99: Option<f64>,
        /// 99th percentile in the median frame of their middle third
        pub middle_third99: Option<f64>,
        /// 99th percentile in the median frame of their last third
        pub last_third99: Option<f64>,
    }
}

/// Drapes, each by all orders, permissible strains and rates.
pub struct Orders(pub OrderRanges);

/// What is asked of a run.
#[derive(Clone, Copy)]
struct Task {
    order: Order,
    strain: f64,
    rate: u32,
}

/// A step of forces, with its two passes in either order.
struct Passes {
    forces: ForwardBackwardEuler,
    projection: Filter,
    collisions: Collisions,
    is_projection_last: bool,
}

impl Passes {
    fn step(&mut self, net: &Net, dt: f64, state: &mut State) -> Result<(), Cause> {
        self.projection.begin(state);
        self.collisions.begin(dt, state);
        self.forces.step(net, dt, state);
        if !self.is_projection_last {
            self.projection.finish(dt, state).map_err(Cause::Filter)?;
        }
        if !state.is_finite() {
            return Err(Cause::NotFinite);
        }
        self.collisions.finish(dt, state)?;
        if self.is_projection_last {
            self.projection.finish(dt, state).map_err(Cause::Filter)?;
        }
        Ok(())
    }
}

impl Orders {
    fn passes(&self, drape: &Drape, net: &Net, constraints: &EdgeConstraints, task: Task) -> Option<Passes> {
        let solids = drape.solids().into_iter().map(|solid| (solid, RigidMotion::STILL)).collect();
        let impacts = match task.order {
            Order::SolidsAlone => Impacts::without(net.masses(), net.pinned()),
            _ => exact(drape).ok()?,
        };
        let impacts = impacts.with_solids(solids, Friction::even(FRICTION));
        let limits = Limits::new(task.strain, self.0.solves.get().into()).ok()?;
        let projection = Box::new(FastProjection::new(constraints.clone(), limits));
        Some(Passes {
            forces: ForwardBackwardEuler::new(net.particle_count()),
            projection: Filter::new(projection),
            collisions: Collisions::new(impacts),
            is_projection_last: task.order == Order::ProjectionLast,
        })
    }

    fn row(&self, drape: &Drape, task: Task) -> Option<OrderRow> {
        let grid = drape.grid().ok()?;
        let (masses, held) = drape.particles();
        let edges = EdgeConstraints::edges_of_grid(&grid);
        let constraints = EdgeConstraints::new(&edges, &masses, &held).ok()?;
        let net = net(drape, &grid).ok()?;
        let (mut passes, mut state) = (self.passes(drape, &net, &constraints, task)?, drape.start().ok()?);
        let (mut watch, mut strains) = (Watch::new(drape.side)?, StrainOf::default());
        let (mut frames, mut beyond) = (Vec::<[f64; 2]>::new(), 0);
        let dt = 1.0 / f64::from(task.rate);
        surround(|| Surroundings { dt: Some(dt), solids: drape.solids() });
        let steps = (self.0.duration.get() * f64::from(task.rate)).round() as u64;
        let mut course = RunWatch::of_energy(net.energy(&state), drape.fall_energy(), steps);
        while course.goes_on() {
            let ended = passes.step(&net, dt, &mut state);
            if ended.is_ok() {
                watch.look(&state.x);
            }
            course.watch_step(ended, &net, &state, || net.energy(&state));
            let is_unreached = ended.is_err() && passes.is_projection_last;
            beyond += u64::from(is_unreached || !passes.projection.converged());
            let collided = passes.collisions.last().is_ok_and(|resolved| resolved.contacts > 0);
            if collided && course.taken().is_multiple_of(u64::from(task.rate / FRAMES).max(1)) {
                let Strain { percentile99, median, .. } = strains.state(&constraints, &state.x);
                frames.push([percentile99, median]);
            }
        }
        let (status, reason) = status_of(&course, Some(&passes.collisions));
        let typical = |k: usize, frames: &[[f64; 2]]| median(&frames.iter().map(|frame| frame[k]).collect::<Vec<_>>());
        let [first, second] = [1, 2].map(|k| k * frames.len() / 3);
        Some(OrderRow {
            order: task.order,
            fall: drape.fall,
            side: drape.side,
            density: drape.density,
            strain: task.strain,
            rate: task.rate,
            status,
            reason,
            steps: course.taken(),
            crossed: watch.crossed,
            worst: watch.worst,
            beyond,
            frames: frames.len() as u32,
            typical99: typical(0, &frames),
            typical_median: typical(1, &frames),
            worst99: frames.iter().map(|frame| frame[0]).reduce(f64::max),
            first_third99: typical(0, &frames[..first]),
            middle_third99: typical(0, &frames[first..second]),
            last_third99: typical(0, &frames[second..]),
        })
    }
}

/// Diagonals and bending alone: edges keep their length by the projection.
fn net(drape: &Drape, grid: &Grid) -> Result<Net, ModelError> {
    let springs = springs_of(grid, |family| if family == Family::Shear { DIAGONAL } else { BENDING });
    let springs = springs.into_iter().filter(|(family, _)| *family != Family::Stretch).map(|(_, spring)| spring);
    let (masses, held) = drape.particles();
    let mut net = Net::new(masses, held, springs.collect())?;
    net.air = AIR;
    Ok(net)
}

impl Group for Orders {
    const NAME: &'static str = "order";
    const ABOUT: &'static str = "random drapes by fast projection, with collisions after it, before it, and of solids alone";
    type Case = Drape;
    type Row = OrderRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Drape {
        Drape::draw(&self.0.drapes, stream)
    }

    fn kin(&self, drape: &Drape) -> u64 {
        drape.side as u64
    }

    fn parts(&self, _drape: &Drape) -> usize {
        Order::ALL.len() * self.0.strains.values().len() * self.0.rates.values().len()
    }

    fn measure_part(&self, drape: &Drape, part: usize) -> Vec<OrderRow> {
        let (strains, rates) = (self.0.strains.values(), self.0.rates.values());
        let (row, rate) = (part / rates.len(), &rates[part % rates.len()]);
        let (order, strain) = (Order::ALL[row / strains.len()], &strains[row % strains.len()]);
        self.row(drape, Task { order, strain: strain.get(), rate: rate.get() }).into_iter().collect()
    }
}

/// Strain that collisions leave after fast projection at the most steps a second, in words.
pub fn strain_left(results: &Results) -> Result<String, ResultsError> {
    let rows = results.without_sets::<Orders>()?;
    let rate = rows.iter().map(|row| row.rate).max();
    let of = rows.iter().filter(|row| row.order == Order::CollisionsLast && Some(row.rate) == rate);
    let met: Vec<&OrderRow> = of.filter(|row| row.frames > 0 || row.status != Status::Finished).collect();
    let is_small = |row: &&OrderRow| row.status == Status::Finished && row.typical99.is_some_and(|strain| strain <= 0.01);
    let small = share_of(met.iter().map(is_small)).ok_or_else(|| too_few("no drape by fast projection met anything"))?;
    let middle = |pick: fn(&OrderRow) -> Option<f64>| {
        median(&met.iter().filter_map(|row| pick(row)).collect::<Vec<_>>()).map_or_else(|| "none".into(), percent)
    };
    Ok(format!(
        "{} of {} drapes stay within 1 % in the typical frame; {} in the median drape, {} in its worst frame",
        small.percent(),
        small.cases,
        middle(|row| row.typical99),
        middle(|row| row.worst99)
    ))
}

/// What is drawn where there is less: strain, share of steps.
const LEAST: f64 = 1e-4;

/// How many runs are strained, and cross themselves, by how much.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Orders>()?;
    let rates = distinct(rows.iter().map(|row| row.rate));
    let panel = |title: String, rate: u32, x: Axis, pick: fn(&OrderRow) -> Option<f64>| {
        let layers = Order::ALL.iter().enumerate().map(|(k, &order)| {
            let of = rows.iter().filter(|row| row.order == order && row.rate == rate);
            let shares = cumulative(of.filter_map(pick).map(|share| share.max(LEAST)));
            let begin = shares.first().map(|[first, _]| [*first, 0.0]);
            Layer::line(order.name(), Palette::series(k), begin.into_iter().chain(shares).collect())
        });
        Panel::new(x, Axis::linear("share of runs").range(0.0, 1.02), layers.collect()).titled(title).legend_outside()
    };
    let of = |rate: u32| {
        let strain = Axis::log("strain, 99th percentile").range(0.8 * LEAST, 1.0);
        let crossed = Axis::log("share of steps with a crossing").range(0.8 * LEAST, 1.1);
        [
            panel(format!("strain, {rate} steps a second"), rate, strain, |row| {
                row.typical99.filter(|_| row.status == Status::Finished)
            }),
            panel(format!("crossings, {rate} steps a second"), rate, crossed, |row| Some(row.crossed as f64 / row.steps as f64)),
        ]
    };
    let caption = "Left: share of the finished runs that stay at or below a strain in the typical frame. Right: share of all runs that cross \
                   themselves after at most a share of their steps; with the projection last some end early, since collisions do not \
                   resolve what it has made cross. By fast projection at all permissible strains; what is less than 1e-4, as of runs \
                   that never cross, is drawn there.";
    let figure = Figure::new("order", "Which filter is the last", caption, rates.into_iter().flat_map(of).collect());
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let OrderRanges { duration, rates, .. } = &ranges.order;
    Topic::of(Orders(ranges.order.clone())).plot("order", chart).checked(check_rates(
        "order.duration",
        duration.get(),
        rates.values().iter().map(|rate| rate.get()),
    ))
}
