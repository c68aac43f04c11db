//! What contact between cloth and cloth takes of a step, timed alone and in turn.

use kit::prelude::*;

use super::drapes::{Drape, Drapes, Fall};
use super::treatments::Treatment;

ranges!(TimeRanges {
    //! Sheets and runs.
    /// Number of sheets of every side.
    sheets: Count,
    /// What they are drawn from, every side in turn.
    drapes: Drapes,
    /// dt \[s\].
    step: Positive,
    /// Simulated time \[s\].
    duration: Positive,
    /// Measurements of each.
    repeats: Count,
});

/// What is timed.
const TREATMENTS: [Treatment; 3] = [Treatment::Nothing, Treatment::Explicit, Treatment::Exact];

row! {
    /// A sheet by a treatment.
    pub struct TimeRow {
        /// nothing, particles explicit, exact
        pub treatment: Treatment,
        /// over a bar, folded in two, upright to the ground
        pub fall: Fall,
        /// particles a side
        pub side: usize,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// finished, or gains energy, not finite
        pub status: Status,
    }
}

/// Sheets, each by every treatment.
pub struct Times(pub TimeRanges);

impl Times {
    fn row(&self, drape: &Drape, treatment: Treatment) -> Option<TimeRow> {
        let net = drape.net().ok()?;
        let (mut stepper, mut state) = (treatment.stepper(drape, &net).ok()?, drape.start().ok()?);
        let step = self.0.step.get();
        let steps = (self.0.duration.get() / step).round() as u64;
        let mut course = RunWatch::of_energy(net.energy(&state), drape.fall_energy(), steps);
        while course.goes_on() {
            let ended = stepper.step(&net, step, &mut state);
            course.watch_energy(ended.is_ok(), || net.energy(&state));
        }
        Some(TimeRow {
            treatment,
            fall: drape.fall,
            side: drape.side,
            steps: course.taken(),
            iterations: stepper.work().iterations,
            status: course.status(),
        })
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "sheets by treatments of contact, a set a treatment: their times stand in timings.csv";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = (Drape, Treatment);
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        let sides = self.0.drapes.side.values().len() as u64;
        TREATMENTS.len() as u64 * sides * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / TREATMENTS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let sides = self.0.drapes.side.values();
        let side = sides[self.scene(set) as usize % sides.len()].get() as usize;
        let drape = Drape { side, ..Drape::draw(&self.0.drapes, stream) };
        (drape, TREATMENTS[set as usize % TREATMENTS.len()])
    }

    fn kin(&self, (drape, _): &Self::Case) -> u64 {
        drape.side as u64
    }

    fn measure(&self, (drape, treatment): &Self::Case) -> Vec<TimeRow> {
        self.row(drape, *treatment).into_iter().collect()
    }
}

/// A sheet that all treatments finish, with its times \[s\] in their order.
struct Timed {
    side: usize,
    seconds: [f64; 3],
}

impl Timed {
    /// Share of a run that a treatment takes \[-\]: what it takes longer than without any.
    fn share(&self, treatment: usize) -> f64 {
        1.0 - self.seconds[0] / self.seconds[treatment]
    }
}

fn timed(results: &Results) -> Result<Vec<Timed>, ResultsError> {
    let (rows, medians) = (results.rows::<Times>()?, median_seconds::<Times>(results)?);
    let sheet = |row: &Row<TimeRow>| row.set / TREATMENTS.len() as u64;
    let of = |set: &[Row<TimeRow>]| {
        let finished = |treatment| set.iter().find(|row| row.row.treatment == treatment && row.row.status == Status::Finished);
        let [nothing, explicit, exact] = TREATMENTS.map(|treatment| medians.get(&finished(treatment)?.set).copied());
        Some(Timed { side: set.first()?.row.side, seconds: [nothing?, explicit?, exact?] })
    };
    Ok(rows.chunk_by(|a, b| sheet(a) == sheet(b)).filter_map(of).collect())
}

/// What contact by particles takes of a run, in words.
pub fn share(results: &Results) -> Result<String, ResultsError> {
    let sheets = timed(results)?;
    let none = || too_few("no sheet is finished by all treatments");
    let share = Estimate::median(&sheets.iter().map(|sheet| sheet.share(1)).collect::<Vec<_>>()).ok_or_else(none)?;
    let less = share_of(sheets.iter().map(|sheet| sheet.share(1) < sheet.share(2))).ok_or_else(none)?;
    Ok(format!(
        "{} of a run in the median; less than exact collisions on {} of {} sheets",
        share.percent(),
        less.percent(),
        less.cases
    ))
}

/// Shares of time against the particles a side.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let sheets = timed(results)?;
    let layers = [1, 2].map(|k| {
        let points = sheets.iter().map(|sheet| [sheet.side as f64, sheet.share(k).max(0.0)]).collect();
        Layer::points(TREATMENTS[k].name(), Palette::series(k), points)
    });
    let panel = Panel::new(Axis::log("particles a side"), Axis::linear("share of the run"), layers.into()).legend_outside();
    let caption = "What contact between cloth and cloth takes of a run, over one without it: backward Euler by conjugate gradients, one \
                   thread. Each point is a sheet, the median of its repeats.";
    let figure = Figure::new("times", "What contact between cloth and cloth takes", caption, vec![panel]);
    Ok(Figure { of_times: true, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let TimeRanges { duration, step, .. } = &ranges.times;
    Topic::of(Times(ranges.times.clone())).plot("times", chart).checked(check_steps("times.duration", duration.get(), step.get()))
}
