//! The verdicts of the study but those on table 4.1. Criteria stand in `claims/*.toml`, with what was known when they were fixed.

use kit::prelude::*;
use lab::judge::criterion::FEWEST;

use super::assumptions::{BENDING_IMPLICIT, USUAL};
use super::runs::{Readings, RunRow, Runs, Seeds};
use super::scenes::{Differences, SHOWN};
use super::shares::Shares;

/// So many sets, in words.
pub(super) fn sets(count: usize) -> String {
    if count == 1 { "1 set".into() } else { format!("{count} sets") }
}

/// A number with its interval and its cases, in words.
pub(super) fn words(found: &Estimate) -> String {
    format!("{} over {}", found, sets(found.cases))
}

/// Rows of the other readings, by reading in the order of the table.
pub(super) fn by_reading(results: &Results) -> Result<Vec<Compared<RunRow>>, ResultsError> {
    Ok(compared(results.rows::<Runs>()?, results.rows::<Readings>()?, |row| &row.reading))
}

pub(super) fn runs(results: &Results) -> Result<Vec<RunRow>, ResultsError> {
    results.without_sets::<Runs>()
}

/// How many sets are lost of all that were drawn, in words.
pub(super) fn lost(rows: &[RunRow]) -> String {
    let count = |status: Status| rows.iter().filter(|row| row.status == status).count();
    let (lost, sets, alone) =
        (rows.iter().filter(|row| !row.is_finished()).count(), sets(rows.len()), count(Status::AimexUnstable));
    format!("{lost} of {sets} lost, {alone} of these by AIMEX alone")
}

/// Largest differences over h of the sets that finished.
pub fn differences(rows: &[RunRow]) -> Vec<f64> {
    rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.difference).collect()
}

/// Share of differences below a tenth of h.
pub(super) fn below_a_tenth(differences: &[f64]) -> Option<Estimate> {
    share_of(differences.iter().map(|difference| *difference < 0.1))
}

/// "Most": the whole share lies above one half.
pub(super) fn judge_most(found: &Estimate) -> Verdict {
    verdict(found.lies_above(0.5), Answer::No)
}

/// Share below 0.1 h under a reading, with its verdict and what was lost.
pub(super) fn differs(name: &str, rows: &[RunRow]) -> Option<Reading> {
    let sample = differences(rows);
    let found = below_a_tenth(&sample)?;
    let (below, middle, largest, lost) = (found.percent(), short(median(&sample)?), short(quantile(&sample, 1.0)?), lost(rows));
    let measured = format!("{below} below 0.1 h; median {middle} h, largest {largest} h; {lost}");
    Some(Reading::new(name, measured, Some(judge_most(&found))))
}

/// The share with all lost sets counted as small differences, and as large ones.
pub(super) fn bounds(rows: &[RunRow]) -> Vec<Reading> {
    let small = |row: &RunRow| row.is_finished() && row.difference.is_some_and(|difference| difference < 0.1);
    let bounds = [
        ("all lost sets counted as large differences", share_of(rows.iter().map(small))),
        ("all lost sets counted as small ones", share_of(rows.iter().map(|row| small(row) || !row.is_finished()))),
    ];
    readings(bounds, |found| format!("{} below 0.1 h", found.percent()), judge_most)
}

/// The share among sets of another base seed, of which each splitting has as many: it counts as often as the lists have it at the
/// threshold of the runs.
pub(super) fn other_seeds(results: &Results, threshold: f64) -> Result<Option<Reading>, ResultsError> {
    let rows = results.without_sets::<Seeds>()?;
    let shares = results.without_sets::<Shares>()?;
    let weight = |splitting: Treatment| {
        let share = shares.iter().find(|row| row.threshold == threshold && row.splitting == splitting)?.share;
        let finished = rows.iter().filter(|row| row.splitting == splitting && row.is_finished()).count();
        (finished > 0).then(|| share / finished as f64)
    };
    let small = |row: &RunRow| Some([f64::from(u8::from(row.difference? < 0.1)), weight(row.splitting)?]);
    let values: Vec<[f64; 2]> = rows.iter().filter(|row| row.is_finished()).filter_map(small).collect();
    let found = Estimate::of("B-AIMEX-DIFF, another base seed", &values, weighted_mean);
    Ok(found.map(|found| {
        let measured = format!("{} below 0.1 h; {}", found.percent(), lost(&rows));
        Reading::new("another base seed, each splitting as often as the lists have it", measured, Some(judge_most(&found)))
    }))
}

/// Largest differences over h of a set in the main group and under another reading.
pub(super) type Pair = [f64; 2];

/// Pairs of the sets that finish under both readings.
pub(super) fn pairs(compared: &Compared<RunRow>) -> Vec<Pair> {
    let difference = |row: &RunRow| row.difference.filter(|_| row.is_finished());
    let both = compared.usual.iter().zip(&compared.rows);
    both.filter_map(|(usual, other)| Some([difference(usual)?, difference(other)?])).collect()
}

/// The share of sets below 0.1 h in place of that of the main group, of those that finish under both; none where no change is found
/// beyond its interval.
pub(super) fn change(name: &str, pairs: &[Pair]) -> Option<String> {
    let below = |pairs: &[Pair], which: usize| share(pairs, |pair| pair[which] < 0.1);
    let change = Estimate::of(name, pairs, |pairs| Some(below(pairs, 1)? - below(pairs, 0)?))?.interval?;
    let [usual, other] = [below(pairs, 0)?, below(pairs, 1)?].map(percent);
    (change.low > 0.0 || change.high < 0.0).then(|| format!("{other} in place of {usual}"))
}

/// Which readings change the share of sets below 0.1 h, beyond the interval of the change, which are not found to, and which have
/// too few sets to tell, in words.
pub(super) fn changes(readings: &[(String, Vec<Pair>)]) -> String {
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
pub fn difference(results: &Results, threshold: f64) -> Result<Finding, ResultsError> {
    let rows = runs(results)?;
    let sample = differences(&rows);
    let found = below_a_tenth(&sample).ok_or_else(|| too_few("no set finished"))?;
    let mut readings = bounds(&rows);
    let key = |row: &RunRow| (row.splitting.name(), (1e3 * row.spacing) as u64, (1e4 * row.step) as u64);
    let small = |row: &RunRow| Some(f64::from(u8::from(row.difference? < 0.1))).filter(|_| row.is_finished());
    let weighted = Weighted::new(rows.iter().map(|row| (key(row), small(row))));
    if let Some(value) = weighted_mean(&weighted.values) {
        let interval = bootstrap("B-AIMEX-DIFF, weighted", &weighted.values, weighted_mean);
        let found = Estimate { value, interval, cases: weighted.values.len() };
        let (below, unseen) = (percent_within(value, interval), sets(weighted.unseen));
        let measured = format!("{below} below 0.1 h; {unseen} in strata of which none finishes");
        readings.push(Reading::new("weighted for lost sets by splitting, spacing and step", measured, Some(judge_most(&found))));
    }
    let mut part = |name: String, holds: &dyn Fn(&RunRow) -> bool| {
        let rows: Vec<RunRow> = rows.iter().filter(|row| holds(row)).cloned().collect();
        readings.extend(differs(&name, &rows));
    };
    for splitting in Treatment::ALL {
        part(format!("{splitting} only"), &|row| row.splitting == splitting);
    }
    for configuration in [Configuration::Corners, Configuration::Table, Configuration::Sphere] {
        part(format!("{configuration} only"), &|row| row.configuration == configuration);
    }
    part("bending number at most 1".into(), &|row| row.bending_number <= 1.0);
    part("runs that stretch by at most 20 %".into(), &|row| row.stretch.is_some_and(|stretch| stretch <= 1.2));
    readings.extend(other_seeds(results, threshold)?);
    let compared = by_reading(results)?;
    for compared in &compared {
        readings.extend(differs(&format!("the first sets, {}", compared.name), &compared.rows));
    }
    for usual in first_of_each(compared.iter().map(|compared| compared.usual.as_slice())) {
        let name = format!("for comparison: the same {}, {}", sets(usual.len()), USUAL.name);
        readings.extend(differs(&name, usual).map(|line| Reading { verdict: None, ..line }));
    }
    let particles = results.without_sets::<Differences>()?;
    for shown in SHOWN {
        if let Some(particle) = particles.iter().find(|particle| particle.figure == shown.figure) {
            let measured = match particle.difference {
                Some(difference) => format!("{} h, published {} h", short(difference), shown.published),
                None => format!("{}, published {} h", particle.status, shown.published),
            };
            readings.push(Reading::new(format!("the scene of figure {}", shown.figure), measured, None));
        }
    }
    let all: Vec<(String, Vec<Pair>)> = compared.iter().map(|compared| (compared.name.clone(), pairs(compared))).collect();
    let (below, middle, largest) =
        (percent(found.value), short(median(&sample).unwrap_or(0.0)), short(quantile(&sample, 1.0).unwrap_or(0.0)));
    let measured = format!("{below} of the sets differ by less than 0.1 h; median {middle} h, largest {largest} h");
    let (lost, changes) = (lost(&rows), changes(&all));
    let reason = format!(
        "{lost}{changes}; a law of bending under which most sets differ by less would overturn it, and the thesis gives only \"a simple \
         linear model\""
    );
    Ok(Finding::new(judge_most(&found), measured, reason)
        .rests_on(&found)
        .cases(sample.len())
        .left_out(rows.len() - sample.len())
        .readings(readings))
}

/// B-AIMEX-ONE.
pub fn one_iteration(results: &Results) -> Result<Finding, ResultsError> {
    let mut rows = runs(results)?;
    rows.extend(results.without_sets::<Seeds>()?);
    let explicit: Vec<&RunRow> = rows.iter().filter(|row| row.splitting == Treatment::AllExplicit).collect();
    let most = explicit.iter().map(|row| row.aimex_most).max().ok_or_else(|| too_few("no set is explicit/explicit"))?;
    let words = |most: u64, count: usize| {
        let plural = if most == 1 { "" } else { "s" };
        format!("at most {most} iteration{plural} in any step of {}", sets(count))
    };
    let mut readings = vec![];
    for compared in by_reading(results)? {
        let explicit = compared.rows.iter().filter(|row| row.splitting == Treatment::AllExplicit);
        if let Some(most) = explicit.clone().map(|row| row.aimex_most).max() {
            let measured = words(most, explicit.count());
            // with bending implicit no step is fully explicit
            let verdict = (compared.name != BENDING_IMPLICIT).then(|| verdict((most <= 1).into(), Answer::No));
            readings.push(Reading::new(format!("the first sets, {}", compared.name), measured, verdict));
        }
    }
    let (unfinished, sets) = (explicit.iter().filter(|row| !row.is_finished()).count(), explicit.len());
    let reason = format!(
        "with no spring in it the matrix is block-diagonal, and its preconditioner is its inverse; {unfinished} of {sets} sets gain \
         energy, and count too; one step of two iterations would overturn it"
    );
    Ok(Finding::new(verdict((most <= 1).into(), Answer::No), words(most, explicit.len()), reason)
        .value(most as f64)
        .cases(explicit.len())
        .readings(readings))
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
