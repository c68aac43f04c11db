//! The verdicts of the study. Criteria stand in `claims/*.toml`; one that was changed after a run says so there.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{percent, percent_within, short, short_within};
use lab::results::{Results, ResultsError};
use lab::statistics::{median, share};

use super::cost_verdicts::start_ratios;
use super::multigrid;
use super::samples::{
    Counts, Estimate, Part, counts, exponent_gap, first, first_counts, law, median_of, rows, slope_of, tolerances,
};
use super::systems::{PINNED, SLIDING, STICKING, Scene, THESIS};
use super::tolerances::SCENES;

pub(super) fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

pub(super) fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict }
}

pub(super) fn shown(estimate: &Estimate) -> String {
    short_within(estimate.value, Some(estimate.interval))
}

pub(super) fn shown_share(estimate: &Estimate) -> String {
    percent_within(estimate.value, Some(estimate.interval))
}

pub(super) fn of(cases: usize) -> String {
    if cases == 1 { "1 set".into() } else { format!("{cases} sets") }
}

/// How many runs of a scene did not come to their end.
fn left_out(results: &Results, scene: &Scene, counted: usize) -> Result<usize, ResultsError> {
    Ok(rows(results, "systems", scene)?.len() - counted)
}

/// A statistic under other tolerances and scenes, each with the verdict that it would lead to where the claim is about that scene.
fn elsewhere(
    results: &Results,
    about: &[Scene],
    describe: impl Fn(&[Counts]) -> Option<(String, Verdict)>,
) -> Result<Vec<Reading>, ResultsError> {
    let mut readings = vec![];
    for tolerance in tolerances(results)? {
        for scene in SCENES {
            let sample = first_counts(results, &scene, tolerance, Part::Whole)?;
            if let Some((measured, verdict)) = describe(&sample) {
                let name = format!("the first sets, c = {tolerance}, {}", scene.name);
                readings.push(reading(name, measured, about.contains(&scene).then_some(verdict)));
            }
        }
    }
    Ok(readings)
}

/// Energy gain beyond which a run is said to gain energy, over a fall by the sheet's length \[-\].
pub const GAINING: f64 = 0.01;

/// Runs of a scene that gain no energy.
fn tame(sample: &[Counts]) -> Vec<Counts> {
    sample.iter().filter(|counts| counts.gain <= GAINING).copied().collect()
}

fn between(sample: &[Counts], low: f64, high: f64) -> Vec<Counts> {
    sample.iter().filter(|counts| (low..=high).contains(&counts.kappa)).copied().collect()
}

/// The tenth of the runs with the largest kappa.
fn stiffest(sample: &[Counts]) -> Vec<Counts> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(|a, b| b.kappa.total_cmp(&a.kappa));
    sorted.truncate(sample.len().div_ceil(10));
    sorted
}

fn large(sample: &[Counts], side: f64) -> Vec<Counts> {
    sample.iter().filter(|counts| counts.particles >= side * side).copied().collect()
}

/// Parts of a sample by range of kappa, with their names.
fn by_kappa(sample: &[Counts]) -> Vec<(String, Vec<Counts>)> {
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
fn by_size(sample: &[Counts]) -> Vec<(String, Vec<Counts>)> {
    let part = |&(low, high): &(f64, f64)| {
        let sides = sample.iter().filter(|counts| (low * low..=high * high).contains(&counts.particles));
        (format!("{low} to {high} particles a side"), sides.copied().collect())
    };
    [(5.0, 15.0), (20.0, 40.0), (45.0, 80.0)].iter().map(part).collect()
}

/// Saving of CP under a criterion that a range of shares is met.
fn saving_in(low: f64, high: f64, missed: Verdict) -> impl Fn(&[Counts]) -> Option<(Estimate, Verdict)> {
    move |sample| {
        let estimate = median_of("saving", sample, Counts::saving)?;
        let verdict = if estimate.overlaps(low, high) {
            Verdict::Reproduced
        } else if estimate.is_above(0.0) {
            missed
        } else {
            Verdict::NotReproduced
        };
        Some((estimate, verdict))
    }
}

/// The saving of CP in parts of a sample, and elsewhere.
fn saving_readings(
    results: &Results,
    scene: &Scene,
    criterion: impl Fn(&[Counts]) -> Option<(Estimate, Verdict)>,
) -> Result<Vec<Reading>, ResultsError> {
    let sample = counts(results, "systems", scene, Part::Whole)?;
    let mut parts = vec![("all sets".to_owned(), sample.clone()), ("runs that gain no energy".to_owned(), tame(&sample))];
    parts.push(("second half of the run".to_owned(), counts(results, "systems", scene, Part::Late)?));
    parts.extend(by_size(&sample));
    parts.extend(by_kappa(&sample));
    let described = |sample: &[Counts]| {
        let (estimate, verdict) = criterion(sample)?;
        Some((format!("{} over {}", shown_share(&estimate), of(estimate.cases)), verdict))
    };
    let mut readings: Vec<Reading> = vec![];
    for (name, part) in &parts {
        if let Some((measured, verdict)) = described(part) {
            readings.push(reading(name, measured, Some(verdict)));
        }
    }
    let [none, cp] = [|counts: &Counts| counts.none, |counts: &Counts| counts.cp].map(|of| sample.iter().map(of).sum::<f64>());
    if none > 0.0 {
        readings.push(reading("sums over all sets instead of the median", percent(1.0 - cp / none), None));
    }
    for other in [STICKING, PINNED, SLIDING].iter().filter(|other| *other != scene) {
        if let Some((measured, _)) = described(&counts(results, "systems", other, Part::Whole)?) {
            readings.push(reading(format!("all sets, {}", other.name), measured, None));
        }
    }
    readings.extend(elsewhere(results, &[*scene], described)?);
    Ok(readings)
}

/// B-CP-FREE-N.
pub fn free_size(results: &Results) -> Result<Finding, ResultsError> {
    let sample = counts(results, "systems", &PINNED, Part::Whole)?;
    let equal = sample.iter().filter(|counts| counts.cp == counts.a_block).count();
    let criterion = saving_in(0.25, 0.35, Verdict::DirectionOnly);
    let (estimate, verdict) = criterion(&sample).ok_or_else(|| too_few("no pinned run came to its end"))?;
    let verdict = if equal == sample.len() { verdict } else { Verdict::NotReproduced };
    Ok(Finding {
        verdict,
        measured: format!("{} fewer iterations in the median", shown_share(&estimate)),
        value: Some(estimate.value),
        interval: Some(estimate.interval),
        cases: estimate.cases,
        left_out: left_out(results, &PINNED, estimate.cases)?,
        reason: format!("A-Block and CP take equally many iterations in {equal} of {} sets", sample.len()),
        readings: saving_readings(results, &PINNED, &criterion)?,
    })
}

/// B-CP-FREE-KAPPA.
pub fn free_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    let judge = |sample: &[Counts]| {
        let typical = median_of("typical", &between(sample, 1e2, 1e3), Counts::saving)?;
        let extreme = median_of("extreme", &stiffest(sample), Counts::saving)?;
        let verdict = if typical.overlaps(0.30, 0.35) && extreme.is_above(0.5) {
            Verdict::Reproduced
        } else if extreme.is_above(typical.interval.high) {
            Verdict::DirectionOnly
        } else {
            Verdict::NotReproduced
        };
        Some((typical, extreme, verdict))
    };
    let described = |sample: &[Counts]| {
        let (typical, extreme, verdict) = judge(sample)?;
        let measured = format!(
            "{} over {} with kappa from 100 to 1000; {} over the {} with the largest kappa",
            shown_share(&typical),
            of(typical.cases),
            shown_share(&extreme),
            of(extreme.cases)
        );
        Some((measured, verdict))
    };
    let sample = counts(results, "systems", &PINNED, Part::Whole)?;
    let (typical, _, verdict) = judge(&sample).ok_or_else(|| too_few("no pinned run with kappa from 100 to 1000"))?;
    let largest = sample.iter().map(Counts::saving).fold(0.0, f64::max);
    let mut readings = vec![reading("the largest saving of any set", percent(largest), None)];
    for (name, part) in by_kappa(&sample) {
        if let Some(estimate) = median_of(&name, &part, Counts::saving) {
            readings.push(reading(name, format!("{} over {}", shown_share(&estimate), of(estimate.cases)), None));
        }
    }
    let fixed = counts(results, "stiffness", &PINNED, Part::Whole)?;
    let others = [("sheets of one size", fixed), ("runs that gain no energy", tame(&sample))];
    for (name, sample) in others {
        if let Some((measured, verdict)) = described(&sample) {
            readings.push(reading(name, measured, Some(verdict)));
        }
    }
    readings.extend(elsewhere(results, &[PINNED], described)?);
    let measured = described(&sample).map_or_else(String::new, |(measured, _)| measured);
    Ok(Finding {
        verdict,
        measured,
        value: Some(typical.value),
        interval: Some(typical.interval),
        cases: sample.len(),
        left_out: left_out(results, &PINNED, sample.len())?,
        reason: "value and interval are those of kappa from 100 to 1000".into(),
        readings,
    })
}

/// B-ABLOCK-WORSE.
pub fn blocks_worse(results: &Results) -> Result<Finding, ResultsError> {
    let judge = |sample: &[Counts]| {
        let ratio = median_of("A-Block", sample, Counts::blocks)?;
        let slope = slope_of("A-Block", sample, |counts| counts.kappa, Counts::blocks)?;
        let verdict = match (ratio.is_above(1.0), slope.is_above(0.0)) {
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::DirectionOnly,
            (false, _) => Verdict::NotReproduced, // that it grows does not make fewer more
        };
        Some((ratio, slope, verdict))
    };
    let described = |sample: &[Counts]| {
        let (ratio, slope, verdict) = judge(sample)?;
        let more = share(sample, |counts| counts.a_block > counts.none)?;
        let measured = format!(
            "ratio {}, {} of {} above 1; slope against kappa {}",
            shown(&ratio),
            percent(more),
            of(ratio.cases),
            shown(&slope)
        );
        Some((measured, verdict))
    };
    let sample = counts(results, "systems", &SLIDING, Part::Whole)?;
    let (ratio, slope, verdict) = judge(&sample).ok_or_else(|| too_few("no sheet on the sphere came to its end"))?;
    let more = match ratio {
        _ if ratio.is_above(1.0) => "A-Block takes more iterations than none",
        _ if ratio.is_below(1.0) => "A-Block takes fewer iterations than none, the opposite of what is published",
        _ => "A-Block cannot be told from none",
    };
    let grows = if slope.is_above(0.0) { "its ratio grows with kappa" } else { "its ratio does not surely grow with kappa" };
    let mut parts = vec![
        ("second half of the run".to_owned(), counts(results, "systems", &SLIDING, Part::Late)?),
        ("runs that gain no energy".to_owned(), tame(&sample)),
        ("sheets of one size".to_owned(), counts(results, "stiffness", &SLIDING, Part::Whole)?),
        ("sheets of one size, second half of the run".to_owned(), counts(results, "stiffness", &SLIDING, Part::Late)?),
    ];
    parts.extend(by_size(&sample));
    parts.extend(by_kappa(&sample));
    let mut readings = vec![];
    for (name, part) in &parts {
        if let Some((measured, verdict)) = described(part) {
            readings.push(reading(name, measured, Some(verdict)));
        }
    }
    if let Some((measured, _)) = described(&counts(results, "systems", &STICKING, Part::Whole)?) {
        readings.push(reading("sticking contact", measured, None));
    }
    let on_sphere: Vec<Scene> = SCENES.into_iter().filter(|scene| *scene != PINNED && *scene != STICKING).collect();
    readings.extend(elsewhere(results, &on_sphere, described)?);
    for tolerance in tolerances(results)? {
        for scene in &on_sphere {
            if let Some((measured, verdict)) = described(&first_counts(results, scene, tolerance, Part::Late)?) {
                let name = format!("the first sets, c = {tolerance}, {}, second half of the run", scene.name);
                readings.push(reading(name, measured, Some(verdict)));
            }
        }
    }
    let table = rows(results, "systems", &SLIDING)?;
    let [slides, sticks] =
        [table.iter().map(|row| row.sliding).collect::<Vec<_>>(), table.iter().map(|row| row.sticking).collect::<Vec<_>>()]
            .map(|numbers| median(&numbers).unwrap_or(0.0));
    Ok(Finding {
        verdict,
        measured: described(&sample).map_or_else(String::new, |(measured, _)| measured),
        value: Some(ratio.value),
        interval: Some(ratio.interval),
        cases: ratio.cases,
        left_out: left_out(results, &SLIDING, ratio.cases)?,
        reason: format!(
            "{more}; {grows}; in the median run {} particles slide and {} stick in a step; only those that slide tell A-Block from CP",
            short(slides),
            short(sticks)
        ),
        readings,
    })
}

/// B-CP-CON-N.
pub fn contact_size(results: &Results) -> Result<Finding, ResultsError> {
    let sample = counts(results, "systems", &SLIDING, Part::Whole)?;
    let criterion = saving_in(0.25, 0.35, Verdict::Inconsistent);
    let judged = large(&sample, 20.0);
    let (estimate, verdict) =
        criterion(&judged).ok_or_else(|| too_few("no sheet of 20 x 20 particles and more on the sphere"))?;
    Ok(Finding {
        verdict,
        measured: format!("{} fewer iterations in the median", shown_share(&estimate)),
        value: Some(estimate.value),
        interval: Some(estimate.interval),
        cases: estimate.cases,
        left_out: left_out(results, &SLIDING, sample.len())?,
        reason: format!(
            "{} of {} that came to their end are of 20 x 20 particles and more; the paper gives 30 % over n and 70 % over kappa for the \
             same runs",
            judged.len(),
            of(sample.len())
        ),
        readings: saving_readings(results, &SLIDING, &criterion)?,
    })
}

/// B-CP-CON-KAPPA.
pub fn contact_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    let sample = counts(results, "systems", &SLIDING, Part::Whole)?;
    let criterion = saving_in(0.65, 0.75, Verdict::Inconsistent);
    let typical = between(&sample, 1e2, 1e3);
    let (estimate, verdict) = criterion(&typical).ok_or_else(|| too_few("no sheet on the sphere with kappa from 100 to 1000"))?;
    let largest = sample.iter().map(Counts::saving).fold(0.0, f64::max);
    let mut readings = vec![reading("the largest saving of any set", percent(largest), None)];
    readings.extend(saving_readings(results, &SLIDING, &criterion)?);
    Ok(Finding {
        verdict,
        measured: format!("{} fewer iterations in the median", shown_share(&estimate)),
        value: Some(estimate.value),
        interval: Some(estimate.interval),
        cases: estimate.cases,
        left_out: left_out(results, &SLIDING, sample.len())?,
        reason: format!(
            "{} of {} that came to their end have kappa from 100 to 1000; the paper gives 30 % over n and 70 % over kappa for the same \
             runs",
            typical.len(),
            of(sample.len())
        ),
        readings,
    })
}

/// Exponents that the thesis gives, of none and of CP \[Boxerman 2003, fig. 5.7\].
pub const PUBLISHED_EXPONENTS: [f64; 2] = [0.512, 0.436];

/// Exponents of none and of CP, with that by which the former is larger.
fn exponents(sample: &[Counts]) -> Option<([Estimate; 2], Estimate)> {
    let of = |name: &str, iterations: fn(&Counts) -> f64| {
        let law = law(name, sample, iterations)?;
        Some(Estimate { value: law.exponent, interval: law.interval?, cases: sample.len() })
    };
    let both = [of("none", |counts| counts.none)?, of("CP", |counts| counts.cp)?];
    Some((both, exponent_gap("exponents", sample)?))
}

/// B-ORDER.
pub fn order(results: &Results) -> Result<Finding, ResultsError> {
    let judge = |sample: &[Counts]| {
        let (both, gap) = exponents(sample)?;
        let met = both
            .iter()
            .zip(PUBLISHED_EXPONENTS)
            .all(|(exponent, published)| exponent.overlaps(published - 0.05, published + 0.05));
        let verdict = if met {
            Verdict::Reproduced
        } else if gap.is_above(0.0) {
            Verdict::DirectionOnly
        } else {
            Verdict::NotReproduced
        };
        Some((both, gap, verdict))
    };
    let described = |sample: &[Counts]| {
        let ([none, cp], gap, verdict) = judge(sample)?;
        Some((format!("{}; {}; difference {}", shown(&none), shown(&cp), shown(&gap)), verdict))
    };
    let sample = counts(results, "systems", &SLIDING, Part::Whole)?;
    let ([none, _], _, verdict) = judge(&sample).ok_or_else(|| too_few("no sheets of different size on the sphere"))?;
    let mut readings = vec![];
    let total = |counts: &Counts| Counts { solves: 1.0, ..*counts };
    let whole: Vec<Counts> = sample.iter().map(total).collect();
    let parts = [
        ("iterations of a whole run instead of a solve", whole),
        ("second half of the run", counts(results, "systems", &SLIDING, Part::Late)?),
        ("runs that gain no energy", tame(&sample)),
        ("20 x 20 particles and more", large(&sample, 20.0)),
    ];
    for (name, part) in &parts {
        if let Some((measured, verdict)) = described(part) {
            readings.push(reading(*name, measured, Some(verdict)));
        }
    }
    for scene in [PINNED, STICKING] {
        if let Some((measured, _)) = described(&counts(results, "systems", &scene, Part::Whole)?) {
            readings.push(reading(format!("all sets, {}", scene.name), measured, None));
        }
    }
    readings.extend(elsewhere(results, &[SLIDING], described)?);
    Ok(Finding {
        verdict,
        measured: described(&sample).map_or_else(String::new, |(measured, _)| measured),
        value: Some(none.value),
        interval: Some(none.interval),
        cases: sample.len(),
        left_out: left_out(results, &SLIDING, sample.len())?,
        reason: "exponents of none, then of CP; value and interval are those of none. A loose tolerance stops a solve long before its \
                 iterations grow with the square root of n"
            .into(),
        readings,
    })
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let saved = |scene: &Scene| -> Result<String, ResultsError> {
        let sample = counts(results, "systems", scene, Part::Whole)?;
        Ok(median_of("saving", &sample, Counts::saving).map_or_else(|| "none".into(), |estimate| percent(estimate.value)))
    };
    let gaining = |scene: &Scene| -> Result<String, ResultsError> {
        let sample = counts(results, "systems", scene, Part::Whole)?;
        Ok(share(&large(&sample, 40.0), |counts| counts.gain > GAINING).map_or_else(|| "none".into(), percent))
    };
    let fitted = |sample: &[Counts]| {
        let both = exponents(sample).map(|([none, cp], _)| format!("{} and {}", short(none.value), short(cp.value)));
        both.unwrap_or_else(|| "none".into())
    };
    let gaining_at = |tolerance: f64| -> Result<String, ResultsError> {
        let sample = first_counts(results, &PINNED, tolerance, Part::Whole)?;
        Ok(share(&sample, |counts| counts.gain > GAINING).map_or_else(|| "none".into(), percent))
    };
    let tolerances = tolerances(results)?;
    let tight = tolerances.last().copied().unwrap_or(THESIS);
    let starts = |scene: &Scene| -> Result<String, ResultsError> {
        Ok(median(&start_ratios(&first(results, scene, THESIS)?)).map_or_else(|| "none".into(), short))
    };
    let blocks = |part: Part| -> Result<String, ResultsError> {
        let sample = counts(results, "systems", &SLIDING, part)?;
        Ok(median_of("A-Block", &sample, Counts::blocks).map_or_else(|| "none".into(), |estimate| short(estimate.value)))
    };
    Ok(format!(
        "What the thesis says of iteration counts depends on the tolerance tol² = c dt. On the sphere the exponents of n, without \
         preconditioner and with CP, are {} over all sets at its c = 0.01; over the smaller sheets that are solved to other tolerances too, \
         they are {} at c = 0.01 and {} at c = {tight}. Published are 0.512 and 0.436. The tolerance decides on the motion as well: at \
         c = 0.01, {} of the pinned sheets of 40 x 40 particles and more end with more energy than they started with, {} of those in \
         sliding and {} of those in sticking contact; of the smaller pinned sheets {} do so at c = 0.01 and {} at c = {tight}.\n\n\
         CP saves {} of the iterations of pinned sheets, {} in sliding and {} in sticking contact, in the median of all sets: the thesis has \
         30 % in one paragraph and 70 % in another for the same runs. On pinned and on sticking sheets CP is A-Block, since every \
         particle is free or fixed. Where particles slide, A-Block takes {} times the iterations of no preconditioner over a whole run and \
         {} times in its second half.\n\n\
         The start from the previous solution, with the corrected stopping rule, needs {} times the iterations of the original start on \
         pinned sheets, and {} times on the sphere.\n\n\
         {}",
        fitted(&counts(results, "systems", &SLIDING, Part::Whole)?),
        fitted(&first_counts(results, &SLIDING, THESIS, Part::Whole)?),
        fitted(&first_counts(results, &SLIDING, tight, Part::Whole)?),
        gaining(&PINNED)?,
        gaining(&SLIDING)?,
        gaining(&STICKING)?,
        gaining_at(THESIS)?,
        gaining_at(tight)?,
        saved(&PINNED)?,
        saved(&SLIDING)?,
        saved(&STICKING)?,
        blocks(Part::Whole)?,
        blocks(Part::Late)?,
        starts(&PINNED)?,
        starts(&SLIDING)?,
        multigrid::summary(results)?,
    ))
}
