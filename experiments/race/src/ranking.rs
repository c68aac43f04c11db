//! Who reaches the accuracy that is asked for in the least time.

use kit::judging::extremes;
use kit::prelude::{median, short};

use crate::ladder::SAMPLES;
use crate::reference::Reference;
use crate::rows::RaceRow;

/// Times of the stepping alone, and of what comes before it \[s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    pub setup: f64,
    pub seconds: f64,
}

/// The median of times with the fastest and the slowest \[s\].
pub fn interval(times: &[Time]) -> Option<[f64; 3]> {
    let seconds: Vec<f64> = times.iter().map(|time| time.seconds).collect();
    let [low, high] = extremes(&seconds)?;
    Some([median(&seconds)?, low, high])
}

/// A row with the times of its run.
#[derive(Clone, Debug)]
pub struct Timed {
    pub row: RaceRow,
    pub times: Vec<Time>,
}

/// The error that decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    pub asked: f64,
    /// The asked one, or the least that the reference can tell.
    pub error: f64,
    /// How many times of comparison count, from the first on: those up to which the reference can tell it.
    pub times: usize,
}

/// How a contestant ends.
#[derive(Clone, Debug)]
pub struct Standing {
    pub name: String,
    /// The row that it stands for: of those that reach the target the fastest, else the most accurate; none where no run has an error.
    pub best: Option<Timed>,
    pub reaches: bool,
    /// Why it does not reach the target, or what is to be said of the run.
    pub note: String,
}

/// Errors less than twice the estimate of the reference are too uncertain to rank by.
pub const SURE: f64 = 2.0;
/// Where no time can be told as asked for, the largest error that still ranks \[-\]: beyond it the end is left out first.
const CRUDE: f64 = 0.1;

impl Target {
    /// For an error that is asked for, over the size: as long as the reference can tell it, or where it cannot at all, what it can.
    pub fn of(asked: f64, reference: Option<&Reference>) -> Target {
        let Some(reference) = reference else { return Target { asked, error: asked, times: SAMPLES as usize } };
        let told = |error: f64| reference.estimates.iter().take_while(|estimate| SURE * **estimate <= error).count();
        match (told(asked), told(CRUDE).max(1)) {
            (0, times) => {
                let estimate = reference.estimates.get(times - 1).copied().unwrap_or(f64::INFINITY);
                Target { asked, error: rounded_up(SURE * estimate).max(asked), times }
            }
            (times, _) => Target { asked, error: asked, times },
        }
    }

    /// Whether it is the one that was asked for.
    pub fn is_asked(&self) -> bool {
        self.error == self.asked
    }

    /// The error of a run, as far as it counts.
    pub fn error_of(&self, row: &RaceRow) -> Option<f64> {
        row.errors.until(self.times)
    }
}

/// The next number with one significant digit.
fn rounded_up(value: f64) -> f64 {
    let unit = libm::pow(10.0, libm::floor(libm::log10(value)));
    if unit > 0.0 && unit.is_finite() { (value / unit - 1e-9).ceil() * unit } else { value }
}

/// Of runs of one contestant, the place of the one that reaches the target with the least work.
pub fn cheapest(rows: &[(usize, &RaceRow)], target: Target) -> Option<usize> {
    let reach = rows.iter().filter(|(_, row)| reaches(row, target));
    reach.min_by(|(_, a), (_, b)| a.operations.total_cmp(&b.operations)).map(|(k, _)| *k)
}

fn reaches(row: &RaceRow, target: Target) -> bool {
    row.is_finished() && target.error_of(row).is_some_and(|error| error <= target.error)
}

/// The contestants from first to last: those that reach the target by their times, then the others by their errors, then those that
/// did not run.
pub fn ranked(runs: Vec<(String, Vec<Timed>)>, target: Target) -> Vec<Standing> {
    let mut all: Vec<Standing> = runs.into_iter().map(|(name, runs)| standing(name, &runs, target)).collect();
    let key = |standing: &Standing| {
        let best = standing.best.as_ref();
        let seconds = best.and_then(|best| interval(&best.times)).map_or(f64::INFINITY, |[median, ..]| median);
        let error = best.and_then(|best| target.error_of(&best.row)).unwrap_or(f64::INFINITY);
        if standing.reaches { (0, seconds) } else { (1, error) }
    };
    all.sort_by(|a, b| {
        let ((first, x), (second, y)) = (key(a), key(b));
        first.cmp(&second).then(x.total_cmp(&y))
    });
    all
}

fn standing(name: String, runs: &[Timed], target: Target) -> Standing {
    let seconds = |run: &Timed| interval(&run.times).map_or(f64::INFINITY, |[median, ..]| median);
    let reaching = runs.iter().filter(|run| reaches(&run.row, target));
    if let Some(best) = reaching.min_by(|a, b| seconds(a).total_cmp(&seconds(b))) {
        let note = best.row.reason.clone().unwrap_or_default();
        return Standing { name, best: Some(best.clone()), reaches: true, note };
    }
    let with_error = runs.iter().filter(|run| run.row.is_finished() && target.error_of(&run.row).is_some());
    let error = |run: &Timed| target.error_of(&run.row).unwrap_or(f64::INFINITY);
    let best = with_error.min_by(|a, b| error(a).total_cmp(&error(b)));
    let lost = runs.iter().filter(|run| !run.row.is_finished());
    let reasons: Vec<String> = lost
        .map(|run| {
            let step = run.row.step.map_or_else(String::new, |step| format!(" at {} s", short(step)));
            let reason = run.row.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            format!("{}{step}{reason}", run.row.status)
        })
        .collect();
    let note = match (best, reasons.last()) {
        (Some(best), None) => not_reached(best),
        (Some(best), Some(last)) => format!("{}; {last}", not_reached(best)),
        (None, Some(last)) => last.clone(),
        (None, None) => "has no reference to be compared with".into(),
    };
    Standing { name, best: best.cloned(), reaches: false, note }
}

fn not_reached(best: &Timed) -> String {
    let reason = best.row.reason.as_ref().map_or_else(String::new, |reason| format!("; {reason}"));
    format!("does not reach it at any step of the race{reason}")
}

/// Names of those whose times overlap with those of the first, which stands at the front.
pub fn ties(standings: &[Standing]) -> Vec<&str> {
    let of = |standing: &Standing| standing.best.as_ref().filter(|_| standing.reaches).and_then(|best| interval(&best.times));
    let Some([_, _, slowest]) = standings.first().and_then(of) else { return vec![] };
    let tied = standings.iter().skip(1).filter(|standing| of(standing).is_some_and(|[_, fastest, _]| fastest <= slowest));
    tied.map(|standing| standing.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Errors;
    use kit::status::Status;

    fn timed(status: Status, error: Option<f64>, operations: f64, seconds: &[f64]) -> Timed {
        let errors = Errors { error_1: error, error_2: error, error_3: error, error_4: error };
        let row = RaceRow { status, errors, operations, step: Some(0.1), ..RaceRow::default() };
        Timed { row, times: seconds.iter().map(|seconds| Time { setup: 0.0, seconds: *seconds }).collect() }
    }

    fn names(standings: &[Standing]) -> Vec<&str> {
        standings.iter().map(|standing| standing.name.as_str()).collect()
    }

    #[test]
    fn those_that_reach_the_error_stand_by_time_and_the_others_by_error() {
        let target = Target { asked: 1e-3, error: 1e-3, times: 4 };
        let runs = vec![
            ("lost".to_owned(), vec![timed(Status::NotFinite, None, 1.0, &[])]),
            ("coarse".to_owned(), vec![timed(Status::Finished, Some(1e-2), 1.0, &[0.1])]),
            ("slow".to_owned(), vec![timed(Status::Finished, Some(1e-4), 9.0, &[5.0, 6.0, 7.0])]),
            (
                "fast".to_owned(),
                vec![
                    timed(Status::Finished, Some(1e-2), 1.0, &[0.1]),
                    timed(Status::Finished, Some(1e-3), 2.0, &[1.0, 2.0, 3.0]),
                ],
            ),
            ("even".to_owned(), vec![timed(Status::Finished, Some(1e-5), 2.0, &[2.5, 2.6, 3.6])]),
        ];
        let standings = ranked(runs, target);
        assert_eq!(names(&standings), ["fast", "even", "slow", "coarse", "lost"]);
        assert_eq!(ties(&standings), ["even"]);
        assert_eq!(standings[0].best.as_ref().unwrap().row.errors.error_4, Some(1e-3));
        assert!(standings[3].note.contains("does not reach it") && standings[4].note.contains("not finite at 0.100 s"));
    }

    #[test]
    fn the_reference_bounds_what_can_be_asked_for_and_until_when() {
        let reference = |estimates: [f64; 4]| Reference {
            candidates: vec![],
            chosen: 0,
            estimates: estimates.to_vec(),
            states: vec![],
            energies: vec![],
            strains: vec![],
        };
        let target = |estimates| Target::of(1e-3, Some(&reference(estimates)));
        assert_eq!(target([1e-5, 1e-4, 2e-4, 4e-4]), Target { asked: 1e-3, error: 1e-3, times: 4 });
        assert_eq!(Target::of(1e-3, None).times, 4);
        assert_eq!(target([1e-5, 1e-4, 6e-4, 0.2]), Target { asked: 1e-3, error: 1e-3, times: 2 }, "as long as it can be told");
        let raised = target([6e-4, 6e-4, 6.2e-4, 6.2e-4]);
        assert!(!raised.is_asked() && (raised.error - 2e-3).abs() < 1e-12 && raised.times == 4, "{raised:?}");
        let chaotic = target([6e-4, 4e-3, 0.2, 0.3]);
        assert!((chaotic.error - 8e-3).abs() < 1e-12 && chaotic.times == 2, "{chaotic:?}");
        let errors = Errors { error_1: Some(1e-4), error_2: Some(2e-3), error_3: Some(1e-3), error_4: None };
        assert_eq!([1, 2, 3, 4].map(|times| errors.until(times)), [Some(1e-4), Some(2e-3), Some(2e-3), None]);
    }
}
