//! Whether dense sheets differ most. B-AIMEX-MASS.

use kit::prelude::*;

use super::runs::RunRow;
use super::verdicts::{by_reading, lost, runs, words};

/// Largest difference and density of a set.
pub(super) type Dense = (f64, f64);

/// Mean ln(density) of the part with the largest differences, one in `part`, less that of the others.
pub(super) fn excess(sample: &[Dense], part: usize) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let logs: Vec<f64> = sorted.iter().map(|(_, density)| libm::log(*density)).collect();
    let (worst, others) = logs.split_at(logs.len() / part);
    Some(mean(worst)? - mean(others)?)
}

pub(super) fn judge_excess(found: &Estimate) -> Verdict {
    verdict(found.lies_above(0.0), Answer::No)
}

pub(super) fn dense(rows: &[RunRow], holds: impl Fn(&RunRow) -> bool) -> Vec<Dense> {
    let rows = rows.iter().filter(|row| row.is_finished() && holds(row));
    rows.filter_map(|row| Some((row.difference?, row.makeup.density))).collect()
}

/// B-AIMEX-MASS.
pub fn mass(results: &Results) -> Result<Finding, ResultsError> {
    let rows = runs(results)?;
    let sample = dense(&rows, |_| true);
    let found =
        Estimate::of("B-AIMEX-MASS", &sample, |sample| excess(sample, 10)).ok_or_else(|| too_few("no ten sets finished"))?;
    let mut readings = vec![];
    let mut part = |name: String, sample: &[Dense], part: usize| {
        readings.extend(
            Estimate::of(&name, sample, |sample| excess(sample, part))
                .map(|found| Reading::new(&name, words(&found), Some(judge_excess(&found)))),
        );
    };
    part("the worst twentieth instead of the worst tenth".into(), &sample, 20);
    part("the worst quarter".into(), &sample, 4);
    for splitting in [Treatment::AllImplicit, Treatment::AllExplicit] {
        part(format!("{splitting} only"), &dense(&rows, |row| row.splitting == splitting), 10);
    }
    part("bending number at most 1".into(), &dense(&rows, |row| row.bending_number <= 1.0), 10);
    part("runs that stretch by more than 20 %, like latex".into(), &dense(&rows, |row| row.stretch.is_some_and(|s| s > 1.2)), 10);
    // those that AIMEX alone loses, as the largest differences of all
    let with_lost = rows.iter().filter(|row| row.is_finished() || row.status == Status::AimexUnstable);
    let with_lost =
        with_lost.filter_map(|row| Some((if row.is_finished() { row.difference? } else { f64::MAX }, row.makeup.density)));
    part("sets that AIMEX alone loses counted as the worst".into(), &with_lost.collect::<Vec<_>>(), 10);
    for compared in by_reading(results)? {
        part(format!("the first sets, {}", compared.name), &dense(&compared.rows, |_| true), 10);
    }
    let measured =
        format!("the worst tenth is {} times as dense as the others, in the geometric mean", short(libm::exp(found.value)));
    let lost = lost(&rows);
    let reason = format!(
        "value and interval are differences of the mean ln(density); {lost}; more sets would narrow the interval by their root"
    );
    Ok(Finding::new(judge_excess(&found), measured, reason)
        .rests_on(&found)
        .cases(sample.len())
        .left_out(rows.len() - sample.len())
        .readings(readings))
}
