//! Random drapes, each by every treatment of contact between cloth and cloth.

use kit::prelude::*;
use kit::recorded::{Surroundings, surround};

use super::drapes::{Drape, Drapes, Fall, Watch, status_of};
use super::treatments::Treatment;

ranges!(KeptRanges {
    //! Sheets and runs.
    /// Number of drapes.
    sets: Count,
    /// What they are drawn from.
    drapes: Drapes,
    /// Steps \[s\].
    step: List<Positive>,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A drape by a treatment.
    pub struct KeptRow {
        /// over a bar, folded in two, upright to the ground
        pub fall: Fall,
        /// nothing, particles, particles ten times as stiff, particles explicit, exact
        pub treatment: Treatment,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// along warp and weft \[N/m\]
        pub stiffness: f64,
        /// dt \[s\]
        pub step: f64,
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
        /// pairs of triangles that crossed after the last step
        pub last: usize,
        /// time of the first crossing \[s\]
        pub first: Option<f64>,
        /// length of the longest spring of warp, weft and diagonals after the last step over its rest length
        pub stretch: Option<f64>,
        /// steps that exact collisions changed
        pub changed: u64,
        /// steps of exact collisions with impact zones
        pub zoned: u64,
    }
}

/// Drapes and their steps.
pub struct Kept(pub KeptRanges);

impl Kept {
    fn row(&self, drape: &Drape, step: f64, treatment: Treatment) -> Option<KeptRow> {
        let net = drape.net().ok()?;
        let (mut stepper, mut state) = (treatment.stepper(drape, &net).ok()?, drape.start().ok()?);
        let mut watch = Watch::new(drape.side)?;
        let steps = (self.0.duration.get() / step).round() as u64;
        surround(|| Surroundings { dt: Some(step), solids: drape.solids() });
        let mut course = RunWatch::of_energy(net.energy(&state), drape.fall_energy(), steps);
        while course.goes_on() {
            let ended = stepper.step(&net, step, &mut state);
            if ended.is_ok() {
                watch.look(&state.x);
            }
            course.watch_step(ended, &net, &state, || net.energy(&state));
        }
        let (status, reason) = status_of(&course, stepper.collisions());
        let work = stepper.collisions().map(|exact| exact.collision_work()).unwrap_or_default();
        Some(KeptRow {
            fall: drape.fall,
            treatment,
            side: drape.side,
            density: drape.density,
            stiffness: drape.stiffness,
            step,
            status,
            reason,
            steps: course.taken(),
            crossed: watch.crossed,
            worst: watch.worst,
            last: watch.last,
            first: watch.first.map(|first| first as f64 * step),
            stretch: Some(net.largest_stretch(&state.x))
                .filter(|stretch| course.status() != Status::NotFinite && stretch.is_finite()),
            changed: work.changed,
            zoned: work.zoned,
        })
    }
}

impl Group for Kept {
    const NAME: &'static str = "kept";
    const ABOUT: &'static str = "random drapes by every treatment of contact between cloth and cloth";
    type Case = (Drape, f64);
    type Row = KeptRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> (Drape, f64) {
        (Drape::draw(&self.0.drapes, stream), pick(stream, self.0.step.values()).get())
    }

    fn parts(&self, _case: &(Drape, f64)) -> usize {
        Treatment::ALL.len()
    }

    fn measure_part(&self, &(drape, step): &(Drape, f64), part: usize) -> Vec<KeptRow> {
        self.row(&drape, step, Treatment::ALL[part]).into_iter().collect()
    }
}

/// Share of steps with a crossing that is drawn where there was none.
const NONE: f64 = 1e-3;

/// How many drapes cross in how many of their steps, a panel a fall.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Kept>()?;
    let panel = |fall: Fall| {
        let layers = Treatment::ALL.iter().enumerate().map(|(k, &treatment)| {
            let of = rows.iter().filter(|row| row.treatment == treatment && row.fall == fall);
            let shares = cumulative(of.map(|row| (row.crossed as f64 / row.steps.max(1) as f64).max(NONE)));
            let begin = shares.first().map(|_| [NONE, 0.0]);
            Layer::line(treatment.name(), Palette::series(k), begin.into_iter().chain(shares).collect())
        });
        let (x, y) = (Axis::log("share of steps").range(0.8 * NONE, 1.1), Axis::linear("share of drapes").range(0.0, 1.02));
        Panel::new(x, y, layers.collect()).titled(fall.name()).legend_outside()
    };
    let caption = "Share of the drapes that cross themselves after at most a share of their steps: the higher a line at its left end, the \
                   more drapes never do, which are drawn at 0.001.";
    let panels = Fall::ALL.map(panel).into();
    let figure = Figure::new("kept", "How often cloth passes through itself, by what keeps it apart", caption, panels);
    Ok(Figure { columns: 3, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let KeptRanges { duration, step, .. } = &ranges.kept;
    Topic::of(Kept(ranges.kept.clone())).plot("kept", chart).checked(check_list("kept.duration", *duration, step))
}
