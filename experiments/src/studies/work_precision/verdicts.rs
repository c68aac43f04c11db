//! The verdict on stability at any step.

use super::large_steps::{KINDS, LargeStepRow, LargeSteps, Modes, Scheme};
use crate::course::{FINISHED, NOT_FINITE, REFUSED};
use crate::sheets::UNSTABLE;
use lab::prelude::*;

/// By how much rounding may carry a radius beyond one.
const ROUNDING: f64 = 1e-9;

/// The largest step of the thesis' own lists \[s\]: what its practice is.
const PRACTICE: f64 = 0.02;

/// Shares of sheets for the claim to hold, and for its direction.
const MOST: f64 = 0.75;
const HALF: f64 = 0.5;

/// Sheets that are stable at every step that is asked for, of those that have runs at all.
fn share(rows: &[Row<LargeStepRow>], scheme: Scheme, kind: &str, holds: &dyn Fn(&LargeStepRow) -> bool) -> Option<Estimate> {
    let sets = rows.chunk_by(|a, b| a.set == b.set);
    let of = |set: &[Row<LargeStepRow>]| {
        let mine: Vec<&LargeStepRow> =
            set.iter().map(|row| &row.row).filter(|row| row.scheme == scheme.name() && row.solves == kind).collect();
        let refused = mine.is_empty() || mine.iter().any(|row| row.status == REFUSED);
        (!refused).then(|| mine.into_iter().all(holds))
    };
    let stable: Vec<bool> = sets.filter_map(of).collect();
    Estimate::share(stable.iter().filter(|stable| **stable).count(), stable.len())
}

fn words(found: Option<Estimate>) -> String {
    found.map_or_else(|| "none".into(), |found| format!("{} of {}", percent_within(found.value, found.interval), found.cases))
}

/// The verdict where the thesis names no step: that of its own steps and of every step, where both come to the same.
fn common(in_practice: Verdict, at_any: Verdict) -> Verdict {
    if in_practice == at_any { in_practice } else { Verdict::Underspecified }
}

/// B-BDF-STABLE.
pub fn stable(results: &Results) -> Result<Finding, ResultsError> {
    let modes = results.rows::<Modes>()?;
    let rows = results.rows::<LargeSteps>()?;
    let radius = modes.iter().map(|row| row.row.radius).fold(0.0, f64::max);
    let linear = Answer::from(radius <= 1.0 + ROUNDING && modes.iter().all(|row| row.row.radius.is_finite()));
    let finished = |row: &LargeStepRow| row.status == FINISHED;
    let above = |found: Option<Estimate>, bound: f64| found.map_or(Answer::Open, |found| found.lies_above(bound));
    let judged = |found: &[Option<Estimate>]| {
        let all = |bound: f64| linear.and(Answer::all(found.iter().map(|found| above(*found, bound))));
        verdict(all(MOST), all(HALF))
    };
    let of = |kind: &str, holds: &dyn Fn(&LargeStepRow) -> bool| Scheme::ALL.map(|scheme| share(&rows, scheme, kind, holds));
    let both = |found: &[Option<Estimate>; 2]| format!("backward Euler {}, BDF2 {}", words(found[0]), words(found[1]));
    let reading = |name: String, found: [Option<Estimate>; 2]| Reading::new(name, both(&found), judged(&found));
    let usual = KINDS[0].0;
    let in_practice = |row: &LargeStepRow| row.step > PRACTICE || finished(row);
    let found = of(usual, &in_practice);
    let mut readings: Vec<Reading> =
        KINDS.iter().skip(1).map(|(kind, ..)| reading(format!("Newton {kind}"), of(kind, &in_practice))).collect();
    let after_any =
        |row: &LargeStepRow| in_practice(row) && (row.step > PRACTICE || row.most.is_some_and(|most| most <= UNSTABLE));
    readings.push(reading("energy looked at after every step, the first ones too".into(), of(usual, &after_any)));
    let mut steps: Vec<f64> = rows.iter().map(|row| row.row.step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    for step in &steps {
        readings.push(reading(format!("every step up to {step} s"), of(usual, &|row| row.step > *step || finished(row))));
    }
    let longest = steps.last().copied().unwrap_or(PRACTICE);
    let at_any = of(usual, &finished);
    for (kind, ..) in KINDS.iter().skip(1) {
        readings.push(reading(format!("every step up to {longest} s, Newton {kind}"), of(kind, &finished)));
    }
    let iterated = KINDS[KINDS.len() - 1].0;
    readings.push(reading(
        format!("every step up to {longest} s, Newton {iterated}, runs in which it did not converge counted for the claim"),
        of(iterated, &|row| row.unconverged > 0 || finished(row)),
    ));
    readings.push(reading(format!("every step up to {longest} s, finite alone"), of(usual, &|row| row.status != NOT_FINITE)));
    for (scheme, found) in Scheme::ALL.into_iter().zip(found) {
        readings.push(Reading::new(format!("{} alone", scheme.name()), words(found), judged(&[found])));
    }
    let least = found.iter().flatten().min_by(|a, b| a.value.total_cmp(&b.value));
    let refused = rows.iter().filter(|row| row.row.status == REFUSED).count();
    let unconverged = rows.iter().filter(|row| row.row.unconverged > 0).count();
    let sets = rows.chunk_by(|a, b| a.set == b.set).count();
    Ok(Finding::new(
        common(judged(&found), judged(&at_any)),
        format!(
            "sheets that are stable at every step up to {PRACTICE} s: {}; at every step up to {longest} s: {}; largest amplification \
             of a linear mode {}",
            both(&found),
            both(&at_any),
            short(radius)
        ),
        format!(
            "the number is the lower of the two shares up to {PRACTICE} s, of {sets} drawn sheets; {refused} of {} runs were refused, \
             and in {unconverged} a Newton iteration did not converge; at the thesis' own steps it is {}, at every step {}, whatever the \
             solver: see the readings by step; a statement of the steps that it speaks of would decide",
            rows.len(),
            judged(&found),
            judged(&at_any)
        ),
    )
    .value(least.map(|least| least.value))
    .interval(least.and_then(|least| least.interval))
    .cases(least.map_or(0, |least| least.cases))
    .left_out(sets - least.map_or(0, |least| least.cases).min(sets))
    .readings(readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_hangs_on_the_step_is_open_in_the_paper() {
        assert_eq!(common(Verdict::Reproduced, Verdict::Reproduced), Verdict::Reproduced);
        assert_eq!(common(Verdict::Reproduced, Verdict::NotReproduced), Verdict::Underspecified);
    }

    #[test]
    fn a_sheet_counts_by_its_worst_step() {
        let row = |set: u64, step: f64, status: &str| Row {
            set,
            row: LargeStepRow {
                scheme: Scheme::Bdf2.name().into(),
                solves: "k".into(),
                step,
                kappa: 1.0,
                status: status.into(),
                ..LargeStepRow::default()
            },
        };
        let rows = [
            row(0, 0.1, FINISHED),
            row(0, 1.0, FINISHED),
            row(1, 0.1, FINISHED),
            row(1, 1.0, "not finite"),
            row(2, 0.1, REFUSED),
        ];
        let found = share(&rows, Scheme::Bdf2, "k", &|row| row.status == FINISHED).unwrap();
        assert_eq!((found.value, found.cases), (0.5, 2));
        assert!(share(&rows, Scheme::BackwardEuler, "k", &|_| true).is_none());
    }
}
