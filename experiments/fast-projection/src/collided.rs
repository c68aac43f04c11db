//! What collisions do to the strain of a drape: fast projection at every step, whatever it costs.

use cloth::inextensible::Strain;
use kit::prelude::*;

use super::drape::{ADMITTED_GAIN, FRAMES};
use super::drape_run::{Forces, Run, Task, status_of};
use super::rivals::{Caps, Rival};
use super::samples::{percent, same};

ranges!(CollidedRanges {
    //! Sheets, strains and steps.
    /// Particles a side.
    sides: List<Side>,
    /// Permissible strains \[-\].
    strains: List<Positive>,
    /// Steps a second, multiples of 30.
    rates: List<Count>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Linear systems a step may take.
    solves: Count,
});

row! {
    /// A run, its frames with contact in one number each.
    pub struct CollidedRow {
        /// particles a side
        pub side: usize,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// steps a second
        pub rate: u32,
        /// finished within all bounds, or why not: iteration limit, energy bound; lost: gains energy or not finite; refused:
        /// means nothing
        pub status: Status,
        /// why it is lost, and how fast projection ended in its last step
        pub reason: Option<String>,
        /// frames of 1/30 s in whose last step collisions moved a particle
        pub frames: u32,
        /// largest strain before collisions at the ends of these frames
        pub largest: Option<f64>,
        /// largest strain after collisions, the median of these frames
        pub typical_largest: Option<f64>,
        /// 99th percentile of strain after collisions, the median of these frames
        pub typical99: Option<f64>,
        /// strain of the median edge after collisions, the median of these frames
        pub typical_median: Option<f64>,
        /// largest strain after collisions in any of these frames
        pub worst_largest: Option<f64>,
        /// 99th percentile of strain after collisions in the worst of these frames
        pub worst99: Option<f64>,
    }
}

/// Every sheet, strain and step.
pub struct Collided(pub CollidedRanges);

impl Collided {
    fn cases(&self) -> Vec<(Task, u32)> {
        let CollidedRanges { sides, strains, rates, .. } = &self.0;
        let mut cases = vec![];
        for side in sides.values() {
            for strain in strains.values() {
                let (rival, side) = (Rival::FastProjection, side.get() as usize);
                let task = Task { rival, strain: strain.get(), side, elastic: Forces::Explicit };
                cases.extend(rates.values().iter().map(|rate| (task, rate.get())));
            }
        }
        cases
    }

    fn row(&self, task: &Task, rate: u32) -> CollidedRow {
        let mut row =
            CollidedRow { side: task.side, strain: task.strain, rate, status: Status::Refused, ..CollidedRow::default() };
        let caps = Caps { solves: self.0.solves.get().into(), sweeps: 1 };
        let Some(mut run) = Run::new(task, caps) else { return row };
        let (mut strains, mut frames) = (StrainOf::default(), Vec::<[f64; 4]>::new());
        let mut course = run.course((self.0.duration.get() * f64::from(rate)).round() as u64);
        let mut given_up = None;
        while course.goes_on() {
            let ended = run.step(1.0 / f64::from(rate));
            course.watch_step(ended, &run.scene.net, &run.state, || run.energy());
            if !run.filter.converged() {
                given_up = Some(run.filter.last().stop.into());
                break;
            }
            if !course.taken().is_multiple_of(u64::from(rate / FRAMES).max(1)) {
                continue;
            }
            if run.scene.gain(&run.state) > ADMITTED_GAIN {
                given_up = Some(Status::EnergyBound);
                break;
            }
            if run.filter.touched() > 0 {
                let Strain { largest, percentile99, median, .. } = strains.state(&run.scene.constraints, &run.state.x);
                frames.push([run.filter.last().after, largest, percentile99, median]);
            }
        }
        if given_up.is_some() {
            course.end_early(|| run.energy());
        }
        (row.status, row.reason) = status_of(&course, given_up, &run);
        let of = |k: usize| -> Vec<f64> { frames.iter().map(|frame| frame[k]).collect() };
        let worst = |k: usize| of(k).into_iter().reduce(f64::max);
        row.frames = frames.len() as u32;
        [row.largest, row.worst_largest, row.worst99] = [worst(0), worst(1), worst(2)];
        [row.typical_largest, row.typical99, row.typical_median] = [1, 2, 3].map(|k| median(&of(k)));
        row
    }
}

impl Group for Collided {
    const NAME: &'static str = "collided";
    const ABOUT: &'static str = "the drape by fast projection at every step: strain before and after collisions";
    type Case = (Task, u32);
    type Row = CollidedRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.cases()
    }

    fn kin(&self, (task, rate): &Self::Case) -> u64 {
        task.side as u64 * u64::from(*rate)
    }

    fn measure(&self, (task, rate): &Self::Case) -> Vec<CollidedRow> {
        vec![self.row(task, *rate)]
    }
}

impl CollidedRow {
    fn holds(&self) -> bool {
        self.status == Status::Finished && self.frames > 0
    }
}

/// A strain of a row.
type Picked = fn(&CollidedRow) -> Option<f64>;

/// Strain after collisions against the step, a panel a permissible strain.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Collided>()?;
    let negligible = Claimed::of("G-POSTCOLL", "median edge").direction().unwrap_or(f64::NAN);
    let mut places: Vec<(usize, f64)> = rows.iter().map(|row| (row.side, row.strain)).collect();
    places.dedup();
    let panel = |(side, strain): &(usize, f64)| {
        let runs: Vec<&CollidedRow> =
            rows.iter().filter(|row| row.side == *side && same(row.strain, *strain) && row.holds()).collect();
        let curves: [(&str, Picked); 4] = [
            ("largest, before", |run| run.largest),
            ("99th percentile, after, worst frame", |run| run.worst99),
            ("99th percentile, after, typical frame", |run| run.typical99),
            ("median, after, typical frame", |run| run.typical_median),
        ];
        let mut layers = vec![
            Layer::rule("permissible", Palette::GREY, Direction::Horizontal, *strain).dash(Dash::Solid),
            Layer::rule(format!("{:.0} %", 100.0 * negligible), Palette::GREY, Direction::Horizontal, negligible),
        ];
        for (k, (label, pick)) in curves.into_iter().enumerate() {
            let points: Vec<[f64; 2]> = runs.iter().filter_map(|run| Some([f64::from(run.rate), pick(run)?])).collect();
            layers.extend(Layer::marked_line(label, Palette::series(k), points));
        }
        let panel = Panel::new(Axis::log("steps a second"), Axis::log("strain"), layers).legend_outside();
        panel.titled(format!("permissible {}, {side} x {side}", percent(*strain)))
    };
    let title = "What collisions do to the strain of a drape by fast projection";
    let caption = "Frames with contact, 30 a second. Collisions move what is inside the sphere to its surface after the projection, so the \
                   next projection finds it strained; the smaller the step, the less.";
    Ok(Figure { columns: 3, ..Figure::new("collided", title, caption, places.iter().map(panel).collect()) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let CollidedRanges { duration, rates, .. } = &ranges.collided;
    let checked = check_rates("collided.duration", duration.get(), rates.values().iter().map(|rate| rate.get()));
    Topic::of(Collided(ranges.collided.clone())).plot("collided", chart).checked(checked)
}
