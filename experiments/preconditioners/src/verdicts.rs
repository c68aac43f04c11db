//! The verdicts on counts of iterations. Criteria stand in `claims/*.toml`; one that was changed after a run says so there.

use kit::prelude::*;
use lab::judge::claims::Reading as Line;
use std::collections::BTreeSet;

use super::readings::Readings;
use super::samples::{
    Counts, Part, counts_of, first, first_to_the_letter, main_counts, median_of, paired_counts, rows, sized_counts, tolerances,
};
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STEP, STICKING, Scene, THESIS, TYPICAL};
use super::stiffness::Stiffness;
use super::systems::{SystemRow, Systems};

pub(super) fn shown(estimate: &Estimate) -> String {
    estimate.to_string()
}

pub(super) fn shown_share(estimate: &Estimate) -> String {
    estimate.percent()
}

pub(super) fn of(cases: usize) -> String {
    if cases == 1 { "1 set".into() } else { format!("{cases} sets") }
}

/// How many sets of a table are lost, and to what.
pub(super) fn denominators(rows: &[SystemRow]) -> String {
    let lost: Vec<&SystemRow> = rows.iter().filter(|row| !row.is_finished()).collect();
    let count = |status: Status| lost.iter().filter(|row| row.status == status).count();
    let kinds = [Status::GainsEnergy, Status::NotFinite, Status::Refused].map(|status| (count(status), status));
    let kinds: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, status)| format!("{n} {status}")).collect();
    let why = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} of {} drawn sets lost{why}", lost.len(), rows.len())
}

pub(super) fn between(sample: &[Counts], low: f64, high: f64) -> Vec<Counts> {
    sample.iter().filter(|counts| (low..=high).contains(&counts.kappa)).copied().collect()
}

/// The tenth of the runs with the largest kappa.
pub(super) fn stiffest(sample: &[Counts]) -> Vec<Counts> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(|a, b| b.kappa.total_cmp(&a.kappa));
    sorted.truncate(sample.len().div_ceil(10));
    sorted
}

pub(super) fn large(sample: &[Counts], side: f64) -> Vec<Counts> {
    sample.iter().filter(|counts| counts.particles >= side * side).copied().collect()
}

/// Parts of a sample by range of kappa, with their names.
pub(super) fn by_kappa(sample: &[Counts]) -> Vec<(String, Vec<Counts>)> {
    let ends = [0.0, 1e2, 1e3, 1e4, 1e5, f64::INFINITY];
    let name = |low: f64, high: f64| match (low, high) {
        (0.0, high) => format!("kappa up to {high}"),
        (low, f64::INFINITY) => format!("kappa from {low}"),
        (low, high) => format!("kappa from {low} to {high}"),
    };
    let part = |ends: &[f64]| (name(ends[0], ends[1]), between(sample, ends[0], ends[1]));
    ends.windows(2).map(part).collect()
}

/// Parts of a sample by number of particles, with their names.
pub(super) fn by_size(sample: &[Counts]) -> Vec<(String, Vec<Counts>)> {
    let part = |&(low, high): &(f64, f64)| {
        let sides = sample.iter().filter(|counts| (low * low..=high * high).contains(&counts.particles));
        (format!("{low} to {high} particles a side"), sides.copied().collect())
    };
    [(5.0, 15.0), (20.0, 40.0), (45.0, 80.0)].iter().map(part).collect()
}

/// What a criterion makes of a sample, in words and as a verdict.
pub(super) type Described = Option<(String, Verdict)>;

/// The criterion under every other reading of the tolerance, by every preconditioner on the systems of one trajectory, and in other
/// scenes, where it has no verdict.
pub(super) fn elsewhere(
    results: &Results,
    scene: &Scene,
    part: Part,
    describe: &dyn Fn(&[Counts]) -> Described,
) -> Result<Vec<Line>, ResultsError> {
    let mut lines = vec![];
    let mut add = |name: String, sample: &[Counts], about: bool| {
        if let Some((measured, verdict)) = describe(sample) {
            lines.push(Line::new(name, measured, about.then_some(verdict)));
        }
    };
    let main = rows::<Systems>(results, scene, &STEP)?;
    let mut compared = BTreeSet::new();
    for other in [ROOT, CONVERGED, FIRST] {
        let table = rows::<Readings>(results, scene, &other)?;
        let name = format!("{}, the first {}: {}", words(&other), of(table.len()), denominators(&table));
        add(name, &counts_of(&table, part), true);
        compared.insert(table.len().min(main.len()));
    }
    // the same sets under the main reading, so that nothing but the tolerance differs
    for sets in compared {
        add(format!("for comparison: tol = c dt, the first {}", of(sets)), &counts_of(&main[..sets], part), false);
    }
    let seeds = rows::<Seeds<Systems>>(results, scene, &STEP)?;
    if !seeds.is_empty() {
        add(format!("another base seed, {}", of(seeds.len())), &counts_of(&seeds, part), true);
    }
    for c in tolerances(results)? {
        let paired = paired_counts(&first(results, scene, c)?, part);
        add(format!("on the systems of one trajectory, that by CP, tol = c dt, c = {c}"), &paired, true);
    }
    let paired = paired_counts(&first_to_the_letter(results, scene, THESIS)?, part);
    add(format!("on the systems of one trajectory, tol = sqrt(c dt), c = {THESIS}"), &paired, true);
    for other in [PINNED, SLIDING].iter().filter(|other| *other != scene) {
        add(format!("all sets, {}", other.name), &main_counts(results, other, part)?, false);
    }
    for other in [FRICTIONLESS, STICKING] {
        let table = rows::<Readings>(results, &other, &STEP)?;
        let name = format!("{}, the first {}", other.name, of(table.len()));
        add(name, &counts_of(&table, part), scene.slides() && other.slides());
    }
    Ok(lines)
}

/// Whole runs and their second halves, with what tells them apart.
pub(super) const HALVES: [(Part, &str); 2] = [(Part::Whole, ""), (Part::Late, ", second half of the run")];

/// A reading of the tolerance in words.
pub(super) fn words(reading: &Reading) -> &'static str {
    match *reading {
        ROOT => "tol = sqrt(c dt), to the letter",
        CONVERGED => "solved to 1e-8",
        FIRST => "tol = c dt against the first residual",
        _ => "tol = c dt",
    }
}

/// A criterion on parts of the sample that carries the verdict.
pub(super) fn parts(parts: &[(String, Vec<Counts>)], describe: &dyn Fn(&[Counts]) -> Described) -> Vec<Line> {
    let line = |(name, part): &(String, Vec<Counts>)| {
        let (measured, verdict) = describe(part)?;
        Some(Line::new(name, measured, Some(verdict)))
    };
    parts.iter().filter_map(line).collect()
}

/// What the sets that are lost could do to a median.
pub(super) fn bounds(values: &[f64], lost: usize, show: impl Fn(f64) -> String) -> Option<Line> {
    let [low, high] = Estimate::median_bounds(values, lost).filter(|_| lost > 0)?;
    Some(Line::new(format!("whatever came of what is lost ({})", of(lost)), format!("{} to {}", show(low), show(high)), None))
}

/// Saving of CP under a criterion that it lies in a range.
pub(super) fn saving_in(low: f64, high: f64) -> impl Fn(&[Counts]) -> Option<(Estimate, Verdict)> {
    move |sample| {
        let saving = median_of(sample, Counts::saving)?;
        Some((saving, verdict(saving.lies_within(low, high), saving.lies_above(0.0))))
    }
}

pub(super) fn described_saving(low: f64, high: f64) -> impl Fn(&[Counts]) -> Described {
    move |sample| {
        let (saving, verdict) = saving_in(low, high)(sample)?;
        Some((format!("{} over {}", shown_share(&saving), of(saving.cases)), verdict))
    }
}

/// A finding on the saving of CP over a part of the main group.
pub(super) fn saving_finding(
    results: &Results,
    scene: &Scene,
    [low, high]: [f64; 2],
    part: impl Fn(&[Counts]) -> Vec<Counts>,
    why: String,
) -> Result<Finding, ResultsError> {
    let table = rows::<Systems>(results, scene, &STEP)?;
    let all = counts_of(&table, Part::Whole);
    let sample = part(&all);
    let (saving, verdict) = saving_in(low, high)(&sample).ok_or_else(|| too_few("no sheet of these came to its end"))?;
    let describe = described_saving(low, high);
    let of_part = |sample: &[Counts]| describe(&part(sample));
    let lost = table.len() - all.len();
    let late = part(&main_counts(results, scene, Part::Late)?);
    let mut readings = parts(&[("second half of the run".into(), late), ("all sizes and kappa".into(), all.clone())], &describe);
    readings.extend(parts(&by_size(&all), &describe));
    readings.extend(parts(&by_kappa(&all), &describe));
    readings.extend(bounds(&sample.iter().map(Counts::saving).collect::<Vec<_>>(), lost, percent));
    let [none, cp] = [|counts: &Counts| counts.none, |counts: &Counts| counts.cp].map(|of| sample.iter().map(of).sum::<f64>());
    readings.push(Line::new("sums over all sets instead of the median", percent(1.0 - cp / none.max(1.0)), None));
    readings.extend(elsewhere(results, scene, Part::Whole, &of_part)?);
    let measured = format!("{} fewer iterations in the median", shown_share(&saving));
    let reason = format!(
        "{}{why}; it takes another list of sheets, or another reading of the tolerance, to move the median out of its interval",
        denominators(&table)
    );
    Ok(Finding::new(verdict, measured, reason).rests_on(&saving).left_out(lost).readings(readings))
}

/// B-CP-FREE-N.
pub fn free_size(results: &Results) -> Result<Finding, ResultsError> {
    let why = "; where every particle is free or fixed, A-Block is CP".into();
    saving_finding(results, &PINNED, [0.25, 0.35], <[Counts]>::to_vec, why)
}

/// B-CP-CON-N.
pub fn contact_size(results: &Results) -> Result<Finding, ResultsError> {
    let why = "; of the others those of 20 x 20 particles and more count: problems of any significant size".into();
    saving_finding(results, &SLIDING, [0.25, 0.35], |sample| large(sample, 20.0), why)
}

/// What the claims on kappa say of sheets of one size.
pub(super) struct AtOneSize {
    typical: Estimate,
    slope: Estimate,
    largest: f64,
}

pub(super) fn at_one_size(sample: &[Counts]) -> Option<AtOneSize> {
    Some(AtOneSize {
        typical: median_of(&between(sample, *TYPICAL.start(), *TYPICAL.end()), Counts::saving)?,
        slope: Estimate::of("saving", &sample.iter().map(|c| [libm::log(c.kappa), c.saving()]).collect::<Vec<_>>(), |points| {
            Some(line(points)?.slope)
        })?,
        largest: sample.iter().map(Counts::saving).fold(0.0, f64::max),
    })
}

/// A finding on the saving of CP against kappa, at each size by itself.
pub(super) fn stiffness_finding(
    results: &Results,
    scene: &Scene,
    [low, high]: [f64; 2],
    extreme: Option<f64>,
) -> Result<Finding, ResultsError> {
    let judge = |sizes: &[AtOneSize]| {
        let typical = Answer::all(sizes.iter().map(|size| size.typical.lies_within(low, high)));
        let extreme = Answer::from(extreme.is_none_or(|least| sizes.iter().any(|size| size.largest > least)));
        let rises = Answer::all(sizes.iter().map(|size| size.slope.lies_above(0.0)));
        verdict(typical.and(extreme).and(rises), rises)
    };
    let sized = sized_counts(results, scene, Part::Whole)?;
    let sizes: Vec<(usize, AtOneSize)> = sized.iter().filter_map(|(side, sample)| Some((*side, at_one_size(sample)?))).collect();
    let Some((first_side, first_size)) = sizes.first() else {
        return Err(too_few("no sheets of one size with kappa from 100 to 1000"));
    };
    let (first_side, typical) = (*first_side, first_size.typical);
    let words = |side: &str, size: &AtOneSize| {
        let (typical, cases, largest, slope) =
            (shown_share(&size.typical), of(size.typical.cases), percent(size.largest), shown_share(&size.slope));
        format!(
            "{side}: {typical} over {cases} with kappa from 100 to 1000, {largest} at most, {slope} more for each factor e of kappa"
        )
    };
    let described = |sample: &[Counts]| {
        let size = at_one_size(sample)?;
        let measured = words("all sizes", &size);
        Some((measured, judge(&[size])))
    };
    let table = rows::<Stiffness>(results, scene, &STEP)?;
    let all = main_counts(results, scene, Part::Whole)?;
    let mut readings: Vec<Line> = vec![];
    for (name, part) in by_kappa(&all) {
        if let Some(saving) = median_of(&part, Counts::saving) {
            readings.push(Line::new(name, format!("{} over {}", shown_share(&saving), of(saving.cases)), None));
        }
    }
    if let Some(saving) = median_of(&stiffest(&all), Counts::saving) {
        readings.push(Line::new("the tenth of all sets with the largest kappa", shown_share(&saving), None));
    }
    readings.extend(parts(&[("all sizes pooled".into(), all)], &described));
    readings.extend(elsewhere(results, scene, Part::Whole, &described)?);
    let measured: Vec<String> = sizes.iter().map(|(side, size)| words(&format!("{side} x {side}"), size)).collect();
    let judged: Vec<AtOneSize> = sizes.into_iter().map(|(_, size)| size).collect();
    let reason = format!(
        "value, interval and cases are those of the smallest size at kappa from 100 to 1000, of which every second set is \
         drawn; of all sizes and kappa {}; the thesis does not say which n it holds fixed, so that a size at which all parts \
         are met would overturn it",
        denominators(&table)
    );
    Ok(Finding::new(judge(&judged), measured.join("; "), reason)
        .rests_on(&typical)
        .left_out(table.iter().filter(|row| !row.is_finished() && row.side == first_side && TYPICAL.contains(&row.kappa)).count())
        .readings(readings))
}

/// B-CP-FREE-KAPPA.
pub fn free_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    stiffness_finding(results, &PINNED, [0.25, 0.40], Some(0.5))
}

/// B-CP-CON-KAPPA.
pub fn contact_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    stiffness_finding(results, &SLIDING, [0.65, 0.75], None)
}
