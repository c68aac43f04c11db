//! The verdict on times of hanging sheets.

use kit::prelude::*;

use super::scene::{LENGTH, Pins, RunRow, STEP};
use super::sides::{Sides, is_unit};
use super::steps::Steps;
use super::times::Times;
use super::words::per_cent;

/// Seconds a step of a timed sheet, one a repeat.
#[derive(Clone, Debug)]
pub struct Timed {
    pub set: u64,
    /// The sheet.
    pub row: RunRow,
    /// Seconds a step.
    pub seconds: Vec<f64>,
}

impl Timed {
    /// Ratios to the times of another sheet, repeat by repeat.
    pub fn over(&self, other: &Timed) -> Vec<f64> {
        self.seconds.iter().zip(&other.seconds).map(|(one, other)| one / other).collect()
    }
}

/// All timed sheets of a group that came to their end.
pub fn timed<G: Group<Row = RunRow>>(results: &Results) -> Result<Vec<Timed>, ResultsError> {
    let times = results.times(G::NAME)?;
    let of = |row: Row<RunRow>| {
        let seconds = times.iter().filter(|time| time.set == row.set);
        let seconds = seconds.map(|time| time.seconds / f64::from(row.row.steps.max(1))).collect();
        Timed { set: row.set, row: row.row, seconds }
    };
    Ok(results.rows::<G>()?.into_iter().map(of).filter(|sheet| sheet.row.strain.is_some()).collect())
}

/// Whether a sheet was timed with few iterations.
pub fn is_few(row: &RunRow) -> bool {
    row.limit < 100
}

/// A reading without a verdict.
fn reading(name: impl Into<String>, measured: impl Into<String>) -> Reading {
    Reading::new(name, measured, None)
}

/// The side of a sheet, which the paper does not state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sized {
    /// In metres, whatever the grid.
    Metres(f64),
    /// As many metres as edges.
    Unit,
}

impl Sized {
    pub fn of(row: &RunRow) -> Sized {
        if is_unit(row) { Sized::Unit } else { Sized::Metres(row.length) }
    }

    /// In words.
    pub fn name(self) -> String {
        match self {
            Sized::Metres(length) => format!("{} m", short(length)),
            Sized::Unit => "edges of 1 m".into(),
        }
    }

    /// All of some runs, in their order.
    pub fn all<'a>(rows: impl Iterator<Item = &'a RunRow>) -> Vec<Sized> {
        first_of_each(rows.map(Sized::of))
    }
}

/// What a claim comes to that holds or not by a side that the paper leaves open.
pub fn over_sides(answers: &[Answer]) -> Verdict {
    let are = |answer: Answer| answers.iter().filter(|other| **other == answer).count();
    match (are(Answer::Yes), are(Answer::No)) {
        (held, _) if held == answers.len() && held > 0 => Verdict::Reproduced,
        (1.., 1..) => Verdict::SettingDecides,
        (0, missed) if missed == answers.len() && missed > 0 => Verdict::NotReproduced,
        _ => Verdict::Open,
    }
}

/// The sheet of `side` at `tolerance`, by its size, on all threads or one.
fn find<'a>(sheets: &'a [Timed], side: usize, tolerance: Option<f64>, sized: Sized, threads: &str) -> Option<&'a Timed> {
    sheets.iter().find(|sheet| {
        let row = &sheet.row;
        let limit = tolerance.map_or(is_few(row), |tolerance| !is_few(row) && row.tolerance == tolerance);
        row.side == side && limit && Sized::of(row) == sized && row.threads == threads && !row.velocities
    })
}

/// A sheet of figure 5 or of its text: particles a side, tolerance, most seconds a step, and most of the published time of five
/// iterations on a sheet of so many particles.
pub struct Published {
    /// Particles a side.
    pub side: usize,
    /// Permissible strain.
    pub tolerance: f64,
    /// Most seconds a step.
    pub seconds: f64,
    /// Particles a side of the sheet with five iterations that it is compared with.
    pub five: usize,
    /// Most of the time of that sheet.
    pub times: f64,
}

/// What is published: five iterations take 1/111 s on 30 x 30 and 1/30 s on 50 x 50; "about six times" is taken as 5.5.
pub const PUBLISHED: [Published; 4] = [
    Published { side: 30, tolerance: 1e-3, seconds: STEP, five: 30, times: 3.7 },
    Published { side: 30, tolerance: 1e-2, seconds: STEP, five: 30, times: 3.7 },
    Published { side: 10, tolerance: 1e-4, seconds: STEP / 5.5, five: 30, times: 3.7 / 5.5 },
    Published { side: 50, tolerance: 1e-4, seconds: 6.0 * STEP, five: 50, times: 6.0 },
];

impl Published {
    /// Iterations a step in the time, where one takes a fifth of the published time of five and grows with the number of edges.
    pub fn iterations(&self) -> f64 {
        let edges = |side: usize| (2 * side * (side - 1)) as f64;
        5.0 * self.times * edges(self.five) / edges(self.side)
    }

    fn words(&self) -> String {
        format!("{0} x {0} at {1}", self.side, per_cent(self.tolerance))
    }
}

/// By how much the iterations a step of the longest of `runs` exceed those of the first steps of a sheet, which are timed.
fn growth(sheet: &Timed, runs: &[RunRow]) -> f64 {
    let alike = runs.iter().filter(|row| row.same_sheet(&sheet.row) && row.gain.is_some());
    let longest = alike.max_by_key(|row| row.steps).filter(|row| row.steps > sheet.row.steps);
    longest.map_or(1.0, |row| row.iterations / sheet.row.iterations)
}

/// What does not meet a criterion says so.
fn mark(holds: Answer) -> &'static str {
    match holds {
        Answer::Yes => "",
        Answer::No => ", too long",
        Answer::Open => ", open",
    }
}

/// Whether all published ratios of times hold at a size, and the ratios in words.
fn ratios(sheets: &[Timed], runs: &[RunRow], sized: Sized) -> (Answer, String) {
    let mut words = vec![];
    let answers = PUBLISHED.map(|published| {
        let sheet = find(sheets, published.side, Some(published.tolerance), sized, "all");
        let Some((sheet, five)) = sheet.zip(find(sheets, published.five, None, sized, "all")) else { return Answer::Open };
        let factor = growth(sheet, runs);
        let ratios: Vec<f64> = sheet.over(five).into_iter().map(|ratio| factor * ratio).collect();
        let Some(ratio) = Estimate::median(&ratios) else { return Answer::Open };
        let holds = ratio.lies_below(published.times);
        words.push(format!("{} {} of {}{}", published.words(), ratio, short(published.times), mark(holds)));
        holds
    });
    (Answer::all(answers), words.join("; "))
}

/// Whether all published times are kept at a size, and the times in words.
fn bounds(sheets: &[Timed], runs: &[RunRow], sized: Sized, threads: &str) -> (Answer, String) {
    let mut words = vec![];
    let answers = PUBLISHED.map(|published| {
        let Some(sheet) = find(sheets, published.side, Some(published.tolerance), sized, threads) else { return Answer::Open };
        let factor = growth(sheet, runs);
        let seconds: Vec<f64> = sheet.seconds.iter().map(|seconds| factor * seconds).collect();
        let Some(time) = Estimate::median(&seconds) else { return Answer::Open };
        let holds = time.lies_below(published.seconds);
        let (what, ours, theirs, mark) =
            (published.words(), short(1e3 * time.value), short(1e3 * published.seconds), mark(holds));
        words.push(format!("{what} {ours} of {theirs} ms{mark}"));
        holds
    });
    (Answer::all(answers), words.join("; "))
}

/// Whether the iterations a step fit into the published times at a size, and their numbers in words.
fn counts(runs: &[RunRow], sized: Sized, pins: Pins, air: f64) -> (Answer, String) {
    let mut words = vec![];
    let answers = PUBLISHED.map(|published| {
        let run = runs.iter().find(|row| {
            let is_point = row.side == published.side && row.tolerance == published.tolerance && !is_few(row);
            is_point && Sized::of(row) == sized && row.pins == pins.label() && row.air == air
        });
        let Some(run) = run else { return Answer::Open };
        let fits = run.iterations <= published.iterations() && run.is_within();
        let mark = if fits { "" } else { " (too many)" };
        words.push(format!("{} {}{mark} in {} steps", published.words(), short(run.iterations), run.steps));
        Answer::from(fits)
    });
    (Answer::all(answers), words.join("; "))
}

/// What times come to at the sides of a sheet: bounds of four cores of 2008 that a machine of today keeps tell of the machine.
fn of_times(answers: &[Answer]) -> Verdict {
    match over_sides(answers) {
        Verdict::Reproduced => Verdict::Described,
        other => other,
    }
}

/// D-TIME.
pub fn time(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = timed::<Times>(results)?;
    let runs = results.without_sets::<Sides>()?;
    let longer = [runs.clone(), results.without_sets::<Steps>()?].concat();
    let sizes = Sized::all(sheets.iter().filter(|sheet| sheet.row.pins == Pins::Row.label()).map(|sheet| &sheet.row));
    let judge =
        |of: &dyn Fn(Sized) -> (Answer, String)| -> (Vec<Answer>, Vec<String>) { sizes.iter().map(|sized| of(*sized)).unzip() };
    let (by_times, times) = judge(&|sized| bounds(&sheets, &longer, sized, "all"));
    let (by_ratios, quotients) = judge(&|sized| ratios(&sheets, &longer, sized));
    let (by_one, alone) = judge(&|sized| bounds(&sheets, &longer, sized, "one"));
    let named = |answers: &[Answer], answer: Answer| {
        let names: Vec<String> =
            sizes.iter().zip(answers).filter(|(_, other)| **other == answer).map(|(sized, _)| sized.name()).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    };
    let held = |answers: &[Answer]| {
        let [yes, no, open] = [Answer::Yes, Answer::No, Answer::Open].map(|answer| named(answers, answer));
        format!("hold at sides of: {yes}; do not at: {no}; open at: {open}")
    };
    let mut readings = vec![Reading {
        name: "the second line: times over those of five iterations, all sides".into(),
        measured: format!("the four published ratios {}", held(&by_ratios)),
        verdict: Some(over_sides(&by_ratios)),
    }];
    let each = |name: &str, answers: &[Answer], words: Vec<String>, verdict_of: &dyn Fn(Answer) -> Verdict| -> Vec<Reading> {
        let of = |((sized, answer), measured): ((&Sized, &Answer), String)| {
            Reading::new(format!("{name}, {}", sized.name()), measured, verdict_of(*answer))
        };
        sizes.iter().zip(answers).zip(words).map(of).collect()
    };
    readings.extend(each("times over those of five iterations", &by_ratios, quotients, &|answer| verdict(answer, Answer::No)));
    let allowed: Vec<String> =
        PUBLISHED.iter().map(|published| format!("{} {}", published.words(), short(published.iterations()))).collect();
    readings.push(reading(
        "iterations a step that the published times have room for, at a fifth of the time of five each",
        allowed.join("; "),
    ));
    let airs: Vec<f64> = distinct(runs.iter().map(|row| row.air));
    for (pins, air) in [Pins::Row, Pins::Opposite].into_iter().flat_map(|pins| airs.iter().map(move |air| (pins, *air))) {
        for sized in Sized::all(runs.iter().filter(|row| row.pins == pins.label() && row.air == air)) {
            let (answer, measured) = counts(&runs, sized, pins, air);
            let resistance = if air > 0.0 { format!(", resistance of the air {}/s", short(air)) } else { String::new() };
            let name = format!("iterations a step, {}, pins {}{resistance}", sized.name(), pins.label());
            readings.push(Reading::new(name, measured, verdict(answer, Answer::No)));
        }
    }
    let on_one = "seconds of this machine, one thread";
    readings.extend(each("seconds of this machine, all threads", &by_times, times.clone(), &|answer| of_times(&[answer])));
    readings.extend(each(on_one, &by_one, alone, &|answer| of_times(&[answer])));
    let usual = sizes.iter().position(|sized| *sized == Sized::Metres(LENGTH)).map_or(String::new(), |at| times[at].clone());
    let told = by_times.iter().filter(|answer| **answer != Answer::Open).count();
    let measured = format!("the four published bounds of times {}. At {} m: {usual}", held(&by_times), short(LENGTH));
    let (ratios, four) = (over_sides(&by_ratios), held(&by_ratios));
    let reason = format!(
        "by times over those of five iterations, the second line, it is {ratios}: the four ratios {four}. The paper's quantity is time \
         and carries the verdict: bounds of four cores of 2008, which a machine of today keeps or misses. Ratios let the \
         machine cancel, but not the program: here every solve factorises its part anew, as directions of the preview need, \
         where the paper factorises once a step, so that ratios here come out up to a fifth larger for the same iterations. A \
         bound that is missed would overturn the verdict on times; a side and a resistance of the air, both unstated, with \
         which all four ratios hold would overturn that on ratios"
    );
    Ok(Finding::new(of_times(&by_times), measured, reason).cases(told).left_out(by_times.len() - told).readings(readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_is_left_open_decides_nothing_unless_all_agree() {
        use Answer::{No, Open, Yes};
        assert_eq!(over_sides(&[Yes, Yes]), Verdict::Reproduced);
        assert_eq!(over_sides(&[Yes, No, Open]), Verdict::SettingDecides);
        assert_eq!(over_sides(&[No, No]), Verdict::NotReproduced);
        assert_eq!(over_sides(&[No, Open]), Verdict::Open);
        assert_eq!(over_sides(&[Yes, Open]), Verdict::Open);
        assert_eq!(over_sides(&[]), Verdict::Open);
    }

    #[test]
    fn kept_bounds_tell_of_the_machine_and_missed_ones_of_the_method() {
        use Answer::{No, Open, Yes};
        assert_eq!(of_times(&[Yes, Yes]), Verdict::Described);
        assert_eq!(of_times(&[No, No]), Verdict::NotReproduced);
        assert_eq!(of_times(&[Yes, No]), Verdict::SettingDecides);
        assert_eq!(of_times(&[Yes, Open]), Verdict::Open);
    }

    #[test]
    fn published_times_have_room_for_some_iterations() {
        let room = PUBLISHED.map(|published| published.iterations());
        assert!(room[..2].iter().all(|n| (n - 18.5).abs() < 1e-12) && (room[3] - 30.0).abs() < 1e-12, "{room:?}");
        assert!((room[2] - 18.5 / 5.5 * 1740.0 / 180.0).abs() < 1e-9, "{room:?}");
        for published in &PUBLISHED {
            let five = if published.five == 30 { STEP / 3.7 } else { STEP };
            assert!((published.times * five - published.seconds).abs() < 1e-12, "the ratio is that of the times");
        }
    }
}
