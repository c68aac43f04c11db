//! What contact between cloth and cloth takes of a step, timed alone and in turn. B-PP-EFFICIENT.

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
    type Case = (Drape, Treatment);
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        let sides = self.0.drapes.side.values().len() as u64;
        TREATMENTS.len() as u64 * sides * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn times_alone(&self) -> bool {
        true
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
    fall: Fall,
    seconds: [f64; 3],
}

impl Timed {
    /// Share of a run that a treatment takes \[-\]: what it takes longer than without any.
    fn share(&self, treatment: usize) -> f64 {
        1.0 - self.seconds[0] / self.seconds[treatment]
    }
}

fn timed(rows: &[Row<TimeRow>], medians: &HashMap<u64, f64>) -> Vec<Timed> {
    let sheet = |row: &Row<TimeRow>| row.set / TREATMENTS.len() as u64;
    let of = |set: &[Row<TimeRow>]| {
        let finished = |treatment| set.iter().find(|row| row.row.treatment == treatment && row.row.status == Status::Finished);
        let [nothing, explicit, exact] = TREATMENTS.map(|treatment| medians.get(&finished(treatment)?.set).copied());
        let row = &set.first()?.row;
        Some(Timed { side: row.side, fall: row.fall, seconds: [nothing?, explicit?, exact?] })
    };
    rows.chunk_by(|a, b| sheet(a) == sheet(b)).filter_map(of).collect()
}

/// B-PP-EFFICIENT.
pub fn efficient(results: &Results) -> Result<Finding, ResultsError> {
    judged(&results.rows::<Times>()?, &median_seconds::<Times>(results)?)
}

fn judged(rows: &[Row<TimeRow>], medians: &HashMap<u64, f64>) -> Result<Finding, ResultsError> {
    let sheets = timed(rows, medians);
    let drawn = rows.iter().filter(|row| row.row.treatment == Treatment::Nothing).count();
    let judge = |kind: &dyn Fn(&Timed) -> bool| {
        let kept: Vec<&Timed> = sheets.iter().filter(|sheet| kind(sheet)).collect();
        let share = Estimate::median(&kept.iter().map(|sheet| sheet.share(1)).collect::<Vec<_>>())?;
        Some((share, share_of(kept.iter().map(|sheet| sheet.share(1) < sheet.share(2)))?))
    };
    let verdict_of =
        |(share, less): &(Estimate, Estimate)| verdict(share.lies_below(0.5).and(less.lies_above(0.5)), less.lies_above(0.5));
    let words = |(share, less): &(Estimate, Estimate)| {
        let exact = format!("less than exact collisions on {} of {} sheets", less.percent(), less.cases);
        format!("{} of a run in the median; {exact}", share.percent())
    };
    let all = judge(&|_| true).ok_or_else(|| too_few("no sheet is finished by all treatments"))?;
    let sides = distinct(sheets.iter().map(|sheet| sheet.side));
    let named = sides.iter().map(|&side| (format!("{side} x {side}"), judge(&|sheet: &Timed| sheet.side == side)));
    let falls = Fall::ALL.map(|fall| (fall.name().to_owned(), judge(&|sheet: &Timed| sheet.fall == fall)));
    let found = readings(named.chain(falls), words, verdict_of);
    let exact = median(&sheets.iter().map(|sheet| sheet.share(2)).collect::<Vec<_>>());
    let lost = left_out(rows.iter().map(|row| row.row.status));
    let reason = format!(
        "exact collisions take {} of a run in the median; {lost}; forces that are implicit, faster linear systems or more cloth in \
         contact could overturn it",
        exact.map_or("nothing".into(), percent)
    );
    Ok(Finding::new(verdict_of(&all), words(&all), reason)
        .rests_on(&all.0)
        .cases(sheets.len())
        .left_out(drawn - sheets.len())
        .readings(found))
}

/// Shares of time against the particles a side.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let sheets = timed(&results.rows::<Times>()?, &median_seconds::<Times>(results)?);
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
    Topic::of(Times(ranges.times.clone())).plot("times", chart).judge_of_times("B-PP-EFFICIENT", efficient).checked(check_steps(
        "times.duration",
        duration.get(),
        step.get(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_run_decide() {
        let judge = |seconds: [f64; 3]| {
            let mut medians = HashMap::new();
            let mut rows = vec![];
            for sheet in 0..12 {
                for (k, treatment) in TREATMENTS.into_iter().enumerate() {
                    let set = 3 * sheet + k as u64;
                    medians.insert(set, seconds[k]);
                    rows.push(Row { set, row: TimeRow { treatment, side: 13, status: Status::Finished, ..TimeRow::default() } });
                }
            }
            judged(&rows, &medians).unwrap()
        };
        let found = judge([1.0, 1.25, 3.0]);
        assert_eq!((found.verdict, found.cases), (Verdict::Reproduced, 12));
        assert!((found.value.unwrap() - 0.2).abs() < 1e-12);
        assert_eq!(judge([1.0, 2.5, 3.0]).verdict, Verdict::DirectionOnly);
        assert_eq!(judge([1.0, 3.5, 3.0]).verdict, Verdict::NotReproduced);
    }
}
