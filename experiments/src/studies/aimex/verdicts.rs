//! The verdicts of the study but those on table 4.1. Criteria stand in `claims/*.toml`, with what was known when they were fixed.

use std::collections::HashMap;

use lab::claims::{Finding, Reading, Verdict};
use lab::criterion::{Answer, Estimate, FEWEST, verdict};
use lab::report::{percent, percent_within, short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{bootstrap, mean, median, quantile, share};

use super::adaptive::{self, AdaptiveRow};
use super::assumptions::{BENDING_IMPLICIT, USUAL};
use super::runs::{AIMEX_UNSTABLE, RunRow};
use super::scenes::{ParticleRow, SHOWN};
use super::shares::ShareRow;
use super::stability::{self, StabilityRow};
use crate::sheets::SPLITTINGS;
use crate::survivors::{Weighted, weighted_mean};

pub(super) fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

pub(super) fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict }
}

/// So many sets, in words.
pub(super) fn sets(count: usize) -> String {
    if count == 1 { "1 set".into() } else { format!("{count} sets") }
}

/// A number with its interval and its cases, in words.
pub(super) fn words(found: &Estimate) -> String {
    format!("{} over {}", short_within(found.value, found.interval), sets(found.cases))
}

/// Rows of a reading, and those of the main group on the same sets.
pub(super) struct Compared {
    /// Its name.
    pub name: String,
    /// Under it.
    pub rows: Vec<RunRow>,
    /// In the main group.
    pub usual: Vec<RunRow>,
}

/// Rows of the other readings, by reading in the order of the table.
pub(super) fn by_reading(results: &Results) -> Result<Vec<Compared>, ResultsError> {
    let usual: HashMap<u64, RunRow> = results.rows("runs")?.into_iter().map(|row: Row<RunRow>| (row.set, row.row)).collect();
    let mut readings: Vec<Compared> = vec![];
    for Row { set, row, .. } in results.rows::<RunRow>("readings")? {
        let Some(usual) = usual.get(&set).cloned() else { continue };
        match readings.iter_mut().find(|reading| reading.name == row.reading) {
            Some(reading) => {
                reading.rows.push(row);
                reading.usual.push(usual);
            }
            None => readings.push(Compared { name: row.reading.clone(), rows: vec![row], usual: vec![usual] }),
        }
    }
    Ok(readings)
}

pub(super) fn runs(results: &Results) -> Result<Vec<RunRow>, ResultsError> {
    Ok(results.rows("runs")?.into_iter().map(|row| row.row).collect())
}

/// How many sets are lost of all that were drawn, in words.
pub(super) fn lost(rows: &[RunRow]) -> String {
    let count = |status: &str| rows.iter().filter(|row| row.status == status).count();
    format!(
        "{} of {} lost, {} of these by AIMEX alone",
        rows.iter().filter(|row| !row.is_finished()).count(),
        sets(rows.len()),
        count(AIMEX_UNSTABLE)
    )
}

/// The schemes of a sheet under a schedule, which stand side by side: AIMEX, the same with bending implicit, the control.
type Switched<'a> = [&'a StabilityRow; 3];

fn switched(rows: &[StabilityRow]) -> Vec<Switched<'_>> {
    rows.chunks_exact(3).map(|run| [&run[0], &run[1], &run[2]]).collect()
}

/// Runs whose control is stable and which are not so by a scheme.
fn harmed<'a>(runs: &[Switched<'a>], scheme: usize) -> Vec<Switched<'a>> {
    let is_stable = |row: &StabilityRow| row.status == stability::STABLE;
    runs.iter().copied().filter(|run| is_stable(run[2]) && !is_stable(run[scheme])).collect()
}

/// The verdict on runs that switch: all whose control is stable must be.
fn judge_switched(runs: &[Switched], scheme: usize) -> Verdict {
    let harmed = harmed(runs, scheme);
    let explained = harmed.iter().all(|run| run[0].bending_number > 1.0 && run[1].status == stability::STABLE);
    verdict(harmed.is_empty().into(), explained.into())
}

/// B-AIMEX-STABLE.
pub fn stable(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<StabilityRow> = results.rows("stability")?.into_iter().map(|row| row.row).collect();
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
        readings.push(reading(name, measured, (controlled >= FEWEST).then(|| judge_switched(runs, scheme))));
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
    let other: Vec<StabilityRow> = results.rows("stability-readings")?.into_iter().map(|row| row.row).collect();
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
        readings.push(reading(format!("unstable from an energy gain of {margin} on"), measured, Some(verdict)));
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
    Ok(Finding {
        verdict: judge_switched(&runs, 0),
        measured: format!("{} of the runs stay stable, {} of {} not", percent(found.value), unstable.len(), controlled.len()),
        value: Some(found.value),
        interval: found.interval,
        cases: controlled.len(),
        left_out: runs.len() - controlled.len(),
        reason: format!(
            "{} of {} runs are left out, since the fully implicit scheme is unstable there too{explained}; springs switch {} \
             times in a run in the median; a single run that AIMEX alone loses decides against the thesis, which does not say \
             how many it tried",
            runs.len() - controlled.len(),
            runs.len(),
            short(median(&switches).unwrap_or(0.0)),
        ),
        readings,
    })
}

/// Largest differences over h of the sets that finished.
pub fn differences(rows: &[RunRow]) -> Vec<f64> {
    rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.difference).collect()
}

/// Share of differences below a tenth of h.
fn below_a_tenth(differences: &[f64]) -> Option<Estimate> {
    Estimate::share(differences.iter().filter(|difference| **difference < 0.1).count(), differences.len())
}

/// "Most": the whole share lies above one half.
fn judge_most(found: &Estimate) -> Verdict {
    verdict(found.lies_above(0.5), Answer::No)
}

/// Share below 0.1 h under a reading, with its verdict and what was lost.
fn differs(name: &str, rows: &[RunRow]) -> Option<Reading> {
    let sample = differences(rows);
    let found = below_a_tenth(&sample)?;
    let measured = format!(
        "{} below 0.1 h; median {} h, largest {} h; {}",
        percent_within(found.value, found.interval),
        short(median(&sample)?),
        short(quantile(&sample, 1.0)?),
        lost(rows)
    );
    Some(reading(name, measured, Some(judge_most(&found))))
}

/// The share with all lost sets counted as small differences, and as large ones.
fn bounds(rows: &[RunRow]) -> Vec<Reading> {
    let small = rows.iter().filter(|row| row.is_finished() && row.difference.is_some_and(|difference| difference < 0.1)).count();
    let lost = rows.iter().filter(|row| !row.is_finished()).count();
    let bound = |name: &str, hits: usize| {
        let found = Estimate::share(hits, rows.len())?;
        Some(reading(name, format!("{} below 0.1 h", percent_within(found.value, found.interval)), Some(judge_most(&found))))
    };
    let bounds =
        [bound("all lost sets counted as large differences", small), bound("all lost sets counted as small ones", small + lost)];
    bounds.into_iter().flatten().collect()
}

/// Sets of the main group that readings are held against, each list of them once.
fn controls(compared: &[Compared]) -> Vec<&[RunRow]> {
    let mut controls: Vec<&[RunRow]> = vec![];
    for usual in compared.iter().map(|compared| compared.usual.as_slice()) {
        if !controls.contains(&usual) {
            controls.push(usual);
        }
    }
    controls
}

/// The share among sets of another base seed, of which each splitting has as many: it counts as often as the lists have it.
fn other_seeds(results: &Results) -> Result<Option<Reading>, ResultsError> {
    let rows: Vec<RunRow> = results.rows("seeds")?.into_iter().map(|row| row.row).collect();
    let shares: Vec<ShareRow> = results.rows("shares")?.into_iter().map(|row| row.row).collect();
    let weight = |splitting: &str| {
        let share = shares.iter().find(|row| row.threshold == 0.2 && row.splitting == splitting)?.share;
        let finished = rows.iter().filter(|row| row.splitting == splitting && row.is_finished()).count();
        (finished > 0).then(|| share / finished as f64)
    };
    let small = |row: &RunRow| Some([f64::from(u8::from(row.difference? < 0.1)), weight(&row.splitting)?]);
    let values: Vec<[f64; 2]> = rows.iter().filter(|row| row.is_finished()).filter_map(small).collect();
    let found = Estimate::of("B-AIMEX-DIFF, another base seed", &values, weighted_mean);
    Ok(found.map(|found| {
        let measured = format!("{} below 0.1 h; {}", percent_within(found.value, found.interval), lost(&rows));
        reading("another base seed, each splitting as often as the lists have it", measured, Some(judge_most(&found)))
    }))
}

/// Largest differences over h of a set in the main group and under another reading.
type Pair = [f64; 2];

/// Pairs of the sets that finish under both readings.
fn pairs(compared: &Compared) -> Vec<Pair> {
    let difference = |row: &RunRow| row.difference.filter(|_| row.is_finished());
    let both = compared.usual.iter().zip(&compared.rows);
    both.filter_map(|(usual, other)| Some([difference(usual)?, difference(other)?])).collect()
}

impl Compared {
    /// The share of sets below 0.1 h in place of that of the main group, of those that finish under both; none where no change is
    /// found beyond its interval.
    pub(super) fn change(&self) -> Option<String> {
        change(&self.name, &pairs(self))
    }
}

/// What [`Compared::change`] says of pairs.
fn change(name: &str, pairs: &[Pair]) -> Option<String> {
    let below = |pairs: &[Pair], which: usize| share(pairs, |pair| pair[which] < 0.1);
    let change = Estimate::of(name, pairs, |pairs| Some(below(pairs, 1)? - below(pairs, 0)?))?.interval?;
    let [usual, other] = [below(pairs, 0)?, below(pairs, 1)?].map(percent);
    (change.low > 0.0 || change.high < 0.0).then(|| format!("{other} in place of {usual}"))
}

/// Which readings change the share of sets below 0.1 h, beyond the interval of the change, which are not found to, and which have too
/// few sets to tell, in words.
fn changes(readings: &[(String, Vec<Pair>)]) -> String {
    let (mut found, mut others, mut few) = (vec![], vec![], vec![]);
    for (name, pairs) in readings {
        match change(name, pairs) {
            Some(change) => found.push(format!("{change} with {name}")),
            None if pairs.len() < FEWEST => few.push(name.as_str()),
            None => others.push(name.as_str()),
        }
    }
    let found = match found.is_empty() {
        true => String::new(),
        false => format!("; of the sets that finish under both readings {} differ by less than 0.1 h", found.join(", ")),
    };
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("; no change of that share is found beyond its interval with {}", others.join("; ")),
    };
    let few = match few.is_empty() {
        true => String::new(),
        false => format!("; too few sets tell with {}", few.join("; ")),
    };
    found + &others + &few
}

/// B-AIMEX-DIFF.
pub fn difference(results: &Results) -> Result<Finding, ResultsError> {
    let rows = runs(results)?;
    let sample = differences(&rows);
    let found = below_a_tenth(&sample).ok_or_else(|| too_few("no set finished"))?;
    let mut readings = bounds(&rows);
    let key = |row: &RunRow| (row.splitting.clone(), (1e3 * row.spacing) as u64, (1e4 * row.step) as u64);
    let small = |row: &RunRow| Some(f64::from(u8::from(row.difference? < 0.1))).filter(|_| row.is_finished());
    let weighted = Weighted::new(rows.iter().map(|row| (key(row), small(row))));
    if let Some(value) = weighted_mean(&weighted.values) {
        let interval = bootstrap("B-AIMEX-DIFF, weighted", &weighted.values, weighted_mean);
        let found = Estimate { value, interval, cases: weighted.values.len() };
        let measured = format!(
            "{} below 0.1 h; {} in strata of which none finishes",
            percent_within(value, interval),
            sets(weighted.unseen)
        );
        readings.push(reading("weighted for lost sets by splitting, spacing and step", measured, Some(judge_most(&found))));
    }
    let mut part = |name: String, holds: &dyn Fn(&RunRow) -> bool| {
        let rows: Vec<RunRow> = rows.iter().filter(|row| holds(row)).cloned().collect();
        readings.extend(differs(&name, &rows));
    };
    for splitting in SPLITTINGS {
        part(format!("{splitting} only"), &|row| row.splitting == splitting);
    }
    for configuration in ["corners", "table", "sphere"] {
        part(format!("{configuration} only"), &|row| row.configuration == configuration);
    }
    part("bending number at most 1".into(), &|row| row.bending_number <= 1.0);
    part("runs that stretch by at most 20 %".into(), &|row| row.stretch.is_some_and(|stretch| stretch <= 1.2));
    readings.extend(other_seeds(results)?);
    let compared = by_reading(results)?;
    for compared in &compared {
        readings.extend(differs(&format!("the first sets, {}", compared.name), &compared.rows));
    }
    for usual in controls(&compared) {
        let name = format!("for comparison: the same {}, {}", sets(usual.len()), USUAL.name);
        readings.extend(differs(&name, usual).map(|line| Reading { verdict: None, ..line }));
    }
    let particles: Vec<ParticleRow> = results.rows("differences")?.into_iter().map(|row| row.row).collect();
    for shown in SHOWN {
        if let Some(particle) = particles.iter().find(|particle| particle.figure == shown.figure) {
            let measured = match particle.difference {
                Some(difference) => format!("{} h, published {} h", short(difference), shown.published),
                None => format!("{}, published {} h", particle.status, shown.published),
            };
            readings.push(reading(format!("the scene of figure {}", shown.figure), measured, None));
        }
    }
    let all: Vec<(String, Vec<Pair>)> = compared.iter().map(|compared| (compared.name.clone(), pairs(compared))).collect();
    Ok(Finding {
        verdict: judge_most(&found),
        measured: format!(
            "{} of the sets differ by less than 0.1 h; median {} h, largest {} h",
            percent(found.value),
            short(median(&sample).unwrap_or(0.0)),
            short(quantile(&sample, 1.0).unwrap_or(0.0))
        ),
        value: Some(found.value),
        interval: found.interval,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason: format!(
            "{}{}; a law of bending under which most sets differ by less would overturn it, and the thesis gives only \"a simple \
             linear model\"",
            lost(&rows),
            changes(&all)
        ),
        readings,
    })
}

/// Largest difference and density of a set.
type Dense = (f64, f64);

/// Mean ln(density) of the part with the largest differences, one in `part`, less that of the others.
fn excess(sample: &[Dense], part: usize) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let logs: Vec<f64> = sorted.iter().map(|(_, density)| libm::log(*density)).collect();
    let (worst, others) = logs.split_at(logs.len() / part);
    Some(mean(worst)? - mean(others)?)
}

fn judge_excess(found: &Estimate) -> Verdict {
    verdict(found.lies_above(0.0), Answer::No)
}

fn dense(rows: &[RunRow], holds: impl Fn(&RunRow) -> bool) -> Vec<Dense> {
    let rows = rows.iter().filter(|row| row.is_finished() && holds(row));
    rows.filter_map(|row| Some((row.difference?, row.density))).collect()
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
                .map(|found| reading(&name, words(&found), Some(judge_excess(&found)))),
        );
    };
    part("the worst twentieth instead of the worst tenth".into(), &sample, 20);
    part("the worst quarter".into(), &sample, 4);
    for splitting in [SPLITTINGS[0], SPLITTINGS[3]] {
        part(format!("{splitting} only"), &dense(&rows, |row| row.splitting == splitting), 10);
    }
    part("bending number at most 1".into(), &dense(&rows, |row| row.bending_number <= 1.0), 10);
    part("runs that stretch by more than 20 %, like latex".into(), &dense(&rows, |row| row.stretch.is_some_and(|s| s > 1.2)), 10);
    // those that AIMEX alone loses, as the largest differences of all
    let with_lost = rows.iter().filter(|row| row.is_finished() || row.status == AIMEX_UNSTABLE);
    let with_lost = with_lost.filter_map(|row| Some((if row.is_finished() { row.difference? } else { f64::MAX }, row.density)));
    part("sets that AIMEX alone loses counted as the worst".into(), &with_lost.collect::<Vec<_>>(), 10);
    for compared in by_reading(results)? {
        part(format!("the first sets, {}", compared.name), &dense(&compared.rows, |_| true), 10);
    }
    Ok(Finding {
        verdict: judge_excess(&found),
        measured: format!(
            "the worst tenth is {} times as dense as the others, in the geometric mean",
            short(libm::exp(found.value))
        ),
        value: Some(found.value),
        interval: found.interval,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason: format!(
            "value and interval are differences of the mean ln(density); {}; more sets would narrow the interval by their root",
            lost(&rows)
        ),
        readings,
    })
}

/// B-AIMEX-ONE.
pub fn one_iteration(results: &Results) -> Result<Finding, ResultsError> {
    let mut rows = runs(results)?;
    rows.extend(results.rows::<RunRow>("seeds")?.into_iter().map(|row| row.row));
    let explicit: Vec<&RunRow> = rows.iter().filter(|row| row.splitting == SPLITTINGS[3]).collect();
    let most = explicit.iter().map(|row| row.aimex_most).max().ok_or_else(|| too_few("no set is explicit/explicit"))?;
    let words = |most: u64, count: usize| {
        let plural = if most == 1 { "" } else { "s" };
        format!("at most {most} iteration{plural} in any step of {}", sets(count))
    };
    let mut readings = vec![];
    for compared in by_reading(results)? {
        let explicit = compared.rows.iter().filter(|row| row.splitting == SPLITTINGS[3]);
        if let Some(most) = explicit.clone().map(|row| row.aimex_most).max() {
            let measured = words(most, explicit.count());
            // with bending implicit no step is fully explicit
            let verdict = (compared.name != BENDING_IMPLICIT).then(|| verdict((most <= 1).into(), Answer::No));
            readings.push(reading(format!("the first sets, {}", compared.name), measured, verdict));
        }
    }
    Ok(Finding {
        verdict: verdict((most <= 1).into(), Answer::No),
        measured: words(most, explicit.len()),
        value: Some(most as f64),
        interval: None,
        cases: explicit.len(),
        left_out: 0,
        reason: format!(
            "with no spring in it the matrix is block-diagonal, and its preconditioner is its inverse; {} of {} sets gain energy, and count \
             too; one step of two iterations would overturn it",
            explicit.iter().filter(|row| !row.is_finished()).count(),
            explicit.len()
        ),
        readings,
    })
}

/// S-ADAPT.
pub fn adapted(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<AdaptiveRow>> = results.rows("adaptive")?;
    let is_stable = |row: &AdaptiveRow| row.status == adaptive::STABLE;
    // (rescued, set) of every sheet and scheme that a fixed step makes unstable
    let rescued = |limit: f64, scheme: Option<&str>| -> Vec<bool> {
        let fixed = rows.iter().filter(|row| row.row.limit.is_none() && !is_stable(&row.row));
        let fixed = fixed.filter(|row| scheme.is_none_or(|scheme| row.row.scheme == scheme));
        let other = |fixed: &Row<AdaptiveRow>| {
            let same = |row: &&Row<AdaptiveRow>| row.set == fixed.set && row.row.scheme == fixed.row.scheme;
            rows.iter().filter(same).find(|row| row.row.limit == Some(limit))
        };
        fixed.filter_map(|fixed| Some(is_stable(&other(fixed)?.row))).collect()
    };
    let rate = |rescued: &[bool]| share(rescued, |rescued| *rescued);
    let sample = rescued(1.1, None);
    let estimate = |rescued: &[bool]| Estimate::share(rescued.iter().filter(|rescued| **rescued).count(), rescued.len());
    let judge = |found: &Estimate| verdict(found.lies_above(0.9), found.lies_above(0.5));
    let found = estimate(&sample).ok_or_else(|| too_few("every fixed step is stable, or no run has the limit 1.1"))?;
    let mut readings = vec![];
    let mut limits: Vec<f64> = rows.iter().filter_map(|row| row.row.limit).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    let mut schemes: Vec<&str> = rows.iter().map(|row| row.row.scheme.as_str()).collect();
    schemes.sort_unstable();
    schemes.dedup();
    for limit in limits {
        for scheme in &schemes {
            let sample = rescued(limit, Some(scheme));
            if let Some(found) = estimate(&sample) {
                let measured = format!("{} of {}", percent_within(found.value, found.interval), sample.len());
                readings.push(reading(format!("{scheme}, limit {limit}"), measured, Some(judge(&found))));
            }
            let of = rows.iter().filter(|row| row.row.limit == Some(limit) && row.row.scheme == *scheme);
            let beyond: Vec<bool> = of.map(|row| row.row.beyond > 0).collect();
            if let Some(share) = rate(&beyond) {
                let name = format!("{scheme}, limit {limit}: runs that had to accept steps beyond it");
                readings.push(reading(name, percent(share), None));
            }
        }
    }
    let adapted = rows.iter().filter(|row| row.row.limit == Some(1.1)).map(|row| row.row.rejected as f64);
    let rejected = median(&adapted.collect::<Vec<_>>()).unwrap_or(0.0);
    Ok(Finding {
        verdict: judge(&found),
        measured: format!("adapted steps save {} of the runs that a fixed step makes unstable", percent(found.value)),
        value: Some(found.value),
        interval: found.interval,
        cases: sample.len(),
        left_out: 0,
        reason: format!(
            "stretch tells of instability only after an explicit step has gained the energy, and a soft or heavy sheet hangs beyond the \
             limit at rest; {} steps are rejected in the median run",
            short(rejected)
        ),
        readings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_named_as_a_cause_where_it_changes_the_share() {
        let of = |name: &str, pair: fn(u32) -> Pair| (name.to_owned(), (0..20).map(pair).collect::<Vec<_>>());
        let mended = of("bending implicit", |k| [if k < 5 { 0.0 } else { 1.0 }, if k < 18 { 0.0 } else { 1.0 }]);
        let same = of("no friction", |k| if k < 5 { [0.05, 0.06] } else { [1.0, 2.0] });
        let unsure = of("tolerance", |k| [if k == 0 { 0.0 } else { 1.0 }, 1.0]);
        let words = changes(&[mended.clone(), same.clone(), unsure.clone()]);
        assert_eq!(
            words,
            "; of the sets that finish under both readings 90.0 % in place of 25.0 % with bending implicit differ by less than 0.1 h; \
             no change of that share is found beyond its interval with no friction; tolerance"
        );
        assert!(!changes(&[same, unsure]).contains("in place of"));
        assert!(!changes(&[mended]).contains("no change"));
        assert_eq!(changes(&[]), "");
    }
}
