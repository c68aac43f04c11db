//! Whether springs may switch at every step. B-AIMEX-STABLE.

use lab::prelude::*;

use lab::judge::criterion::FEWEST;
use lab::judge::statistics::median;

use super::stability::{self, Stability, StabilityReadings, StabilityRow};
use super::verdicts::too_few;

/// The schemes of a sheet under a schedule, which stand side by side: AIMEX, the same with bending implicit, the control.
pub(super) type Switched<'a> = [&'a StabilityRow; 3];

pub(super) fn switched(rows: &[StabilityRow]) -> Vec<Switched<'_>> {
    rows.chunks_exact(3).map(|run| [&run[0], &run[1], &run[2]]).collect()
}

/// Runs whose control is stable and which are not so by a scheme.
pub(super) fn harmed<'a>(runs: &[Switched<'a>], scheme: usize) -> Vec<Switched<'a>> {
    let is_stable = |row: &StabilityRow| row.status == stability::STABLE;
    runs.iter().copied().filter(|run| is_stable(run[2]) && !is_stable(run[scheme])).collect()
}

/// The verdict on runs that switch: all whose control is stable must be.
pub(super) fn judge_switched(runs: &[Switched], scheme: usize) -> Verdict {
    let harmed = harmed(runs, scheme);
    let explained = harmed.iter().all(|run| run[0].bending_number > 1.0 && run[1].status == stability::STABLE);
    verdict(harmed.is_empty().into(), explained.into())
}

/// B-AIMEX-STABLE.
pub fn stable(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.without_sets::<Stability>()?;
    let runs = switched(&rows);
    let controlled: Vec<Switched> = runs.iter().copied().filter(|run| run[2].status == stability::STABLE).collect();
    let unstable = harmed(&runs, 0);
    let found = Estimate::share(controlled.len() - unstable.len(), controlled.len())
        .ok_or_else(|| too_few("no sheet whose springs switch and whose control is stable"))?;
    let mut readings = vec![];
    let mut add = |name: String, runs: &[Switched], scheme: usize| {
        let controlled = runs.iter().filter(|run| run[2].status == stability::STABLE).count();
        let measured = format!(
            "{} of {controlled} unstable; {} of {} drawn have no stable control",
            harmed(runs, scheme).len(),
            runs.len() - controlled,
            runs.len()
        );
        readings.push(Reading::new(name, measured, (controlled >= FEWEST).then(|| judge_switched(runs, scheme))));
    };
    add("bending implicit".into(), &runs, 1);
    let part = |holds: &dyn Fn(&StabilityRow) -> bool| runs.iter().copied().filter(|run| holds(run[0])).collect::<Vec<_>>();
    for configuration in ["corners", "table", "sphere"] {
        add(format!("{configuration} only"), &part(&|row| row.configuration == configuration), 0);
    }
    for schedule in stability::Schedule::ALL {
        add(format!("{} steps only", schedule.name()), &part(&|row| row.schedule == schedule.name()), 0);
    }
    add("bending number at most 1".into(), &part(&|row| row.bending_number <= 1.0), 0);
    let other = results.without_sets::<StabilityReadings>()?;
    let mut names: Vec<&str> = other.iter().map(|row| row.reading.as_str()).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let rows: Vec<StabilityRow> = other.iter().filter(|row| row.reading == name).cloned().collect();
        add(format!("the first sets, {name}"), &switched(&rows), 0);
    }
    for margin in [0.1, 10.0] {
        let beyond = |row: &StabilityRow| row.stretch.is_none() || row.energy_gain > margin;
        let of = controlled.iter().filter(|run| !beyond(run[2])).count();
        let harmed = controlled.iter().filter(|run| !beyond(run[2]) && beyond(run[0])).count();
        let measured = format!("{harmed} of {of} unstable");
        let verdict = verdict((harmed == 0).into(), Answer::No);
        readings.push(Reading::new(format!("unstable from an energy gain of {margin} on"), measured, Some(verdict)));
    }
    let mended = unstable.iter().filter(|run| run[1].status == stability::STABLE).count();
    let beyond = unstable.iter().filter(|run| run[0].bending_number > 1.0).count();
    let explained = match unstable.len() {
        0 => String::new(),
        count => format!(
            "; {beyond} of the {count} unstable ones have a bending number above 1 at their largest step, and {mended} are stable \
             with bending implicit"
        ),
    };
    let switches: Vec<f64> = controlled.iter().map(|run| run[0].switches as f64).collect();
    Ok(Finding::new(
        judge_switched(&runs, 0),
        format!("{} of the runs stay stable, {} of {} not", percent(found.value), unstable.len(), controlled.len()),
        format!(
            "{} of {} runs are left out, since the fully implicit scheme is unstable there too{explained}; springs switch {} \
             times in a run in the median; a single run that AIMEX alone loses decides against the thesis, which does not say \
             how many it tried",
            runs.len() - controlled.len(),
            runs.len(),
            short(median(&switches).unwrap_or(0.0)),
        ),
    )
    .rests_on(&found)
    .cases(controlled.len())
    .left_out(runs.len() - controlled.len())
    .readings(readings))
}
