//! The verdicts on counts of iterations. Criteria stand in `claims/*.toml`; one that was changed after a run says so there.

use std::collections::BTreeSet;

use lab::claims::{Finding, Reading as Line, Verdict};
use lab::criterion::{Answer, Estimate, verdict};
use lab::report::{percent, percent_within, short, short_within};
use lab::results::{Results, ResultsError};
use lab::statistics::median;

use super::samples::{
    Counts, Part, counts_of, exponent, exponent_gap, first, first_to_the_letter, main_counts, median_of, paired_counts, rows,
    sized_counts, slope_of, tolerances,
};
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STEP, STICKING, Scene, THESIS, TYPICAL};
use super::systems::SystemRow;
use crate::course::{GAINS_ENERGY, NOT_FINITE, REFUSED};

pub(super) fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

pub(super) fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Line {
    Line { name: name.into(), measured: measured.into(), verdict }
}

pub(super) fn shown(estimate: &Estimate) -> String {
    short_within(estimate.value, estimate.interval)
}

pub(super) fn shown_share(estimate: &Estimate) -> String {
    percent_within(estimate.value, estimate.interval)
}

pub(super) fn of(cases: usize) -> String {
    if cases == 1 { "1 set".into() } else { format!("{cases} sets") }
}

/// How many sets of a table are lost, and to what.
pub(super) fn denominators(rows: &[SystemRow]) -> String {
    let lost: Vec<&SystemRow> = rows.iter().filter(|row| !row.is_finished()).collect();
    let count = |status: &str| lost.iter().filter(|row| row.status == status).count();
    let kinds = [GAINS_ENERGY, NOT_FINITE, REFUSED].map(|status| (count(status), status));
    let kinds: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, status)| format!("{n} {status}")).collect();
    let why = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} of {} drawn sets lost{why}", lost.len(), rows.len())
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

/// What a criterion makes of a sample, in words and as a verdict.
type Described = Option<(String, Verdict)>;

/// The criterion under every other reading of the tolerance, by every preconditioner on the systems of one trajectory, and in other
/// scenes, where it has no verdict.
fn elsewhere(
    results: &Results,
    scene: &Scene,
    part: Part,
    describe: &dyn Fn(&[Counts]) -> Described,
) -> Result<Vec<Line>, ResultsError> {
    let mut lines = vec![];
    let mut add = |name: String, sample: &[Counts], about: bool| {
        if let Some((measured, verdict)) = describe(sample) {
            lines.push(reading(name, measured, about.then_some(verdict)));
        }
    };
    let main = rows(results, "systems", scene, &STEP)?;
    let mut compared = BTreeSet::new();
    for other in [ROOT, CONVERGED, FIRST] {
        let table = rows(results, "readings", scene, &other)?;
        let name = format!("{}, the first {}: {}", words(&other), of(table.len()), denominators(&table));
        add(name, &counts_of(&table, part), true);
        compared.insert(table.len().min(main.len()));
    }
    // the same sets under the main reading, so that nothing but the tolerance differs
    for sets in compared {
        add(format!("for comparison: tol = c dt, the first {}", of(sets)), &counts_of(&main[..sets], part), false);
    }
    let seeds = rows(results, "seeds", scene, &STEP)?;
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
        let table = rows(results, "readings", &other, &STEP)?;
        let name = format!("{}, the first {}", other.name, of(table.len()));
        add(name, &counts_of(&table, part), scene.slides() && other.slides());
    }
    Ok(lines)
}

/// Whole runs and their second halves, with what tells them apart.
const HALVES: [(Part, &str); 2] = [(Part::Whole, ""), (Part::Late, ", second half of the run")];

/// A reading of the tolerance in words.
fn words(reading: &Reading) -> &'static str {
    match *reading {
        ROOT => "tol = sqrt(c dt), to the letter",
        CONVERGED => "solved to 1e-8",
        FIRST => "tol = c dt against the first residual",
        _ => "tol = c dt",
    }
}

/// A criterion on parts of the sample that carries the verdict.
fn parts(parts: &[(String, Vec<Counts>)], describe: &dyn Fn(&[Counts]) -> Described) -> Vec<Line> {
    let line = |(name, part): &(String, Vec<Counts>)| {
        let (measured, verdict) = describe(part)?;
        Some(reading(name, measured, Some(verdict)))
    };
    parts.iter().filter_map(line).collect()
}

/// What the sets that are lost could do to a median.
fn bounds(values: &[f64], lost: usize, show: impl Fn(f64) -> String) -> Option<Line> {
    let [low, high] = Estimate::median_bounds(values, lost).filter(|_| lost > 0)?;
    Some(reading(format!("whatever came of what is lost ({})", of(lost)), format!("{} to {}", show(low), show(high)), None))
}

/// Saving of CP under a criterion that it lies in a range.
fn saving_in(low: f64, high: f64) -> impl Fn(&[Counts]) -> Option<(Estimate, Verdict)> {
    move |sample| {
        let saving = median_of(sample, Counts::saving)?;
        Some((saving, verdict(saving.lies_within(low, high), saving.lies_above(0.0))))
    }
}

fn described_saving(low: f64, high: f64) -> impl Fn(&[Counts]) -> Described {
    move |sample| {
        let (saving, verdict) = saving_in(low, high)(sample)?;
        Some((format!("{} over {}", shown_share(&saving), of(saving.cases)), verdict))
    }
}

/// A finding on the saving of CP over a part of the main group.
fn saving_finding(
    results: &Results,
    scene: &Scene,
    [low, high]: [f64; 2],
    part: impl Fn(&[Counts]) -> Vec<Counts>,
    why: String,
) -> Result<Finding, ResultsError> {
    let table = rows(results, "systems", scene, &STEP)?;
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
    readings.push(reading("sums over all sets instead of the median", percent(1.0 - cp / none.max(1.0)), None));
    readings.extend(elsewhere(results, scene, Part::Whole, &of_part)?);
    Ok(Finding {
        verdict,
        measured: format!("{} fewer iterations in the median", shown_share(&saving)),
        value: Some(saving.value),
        interval: saving.interval,
        cases: saving.cases,
        left_out: lost,
        reason: format!(
            "{}{why}; it takes another list of sheets, or another reading of the tolerance, to move the median out of its interval",
            denominators(&table)
        ),
        readings,
    })
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
struct AtOneSize {
    typical: Estimate,
    slope: Estimate,
    largest: f64,
}

fn at_one_size(sample: &[Counts]) -> Option<AtOneSize> {
    Some(AtOneSize {
        typical: median_of(&between(sample, *TYPICAL.start(), *TYPICAL.end()), Counts::saving)?,
        slope: Estimate::of("saving", &sample.iter().map(|c| [libm::log(c.kappa), c.saving()]).collect::<Vec<_>>(), |points| {
            Some(lab::statistics::line(points)?.slope)
        })?,
        largest: sample.iter().map(Counts::saving).fold(0.0, f64::max),
    })
}

/// A finding on the saving of CP against kappa, at each size by itself.
fn stiffness_finding(
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
        format!(
            "{side}: {} over {} with kappa from 100 to 1000, {} at most, {} more for each factor e of kappa",
            shown_share(&size.typical),
            of(size.typical.cases),
            percent(size.largest),
            shown_share(&size.slope)
        )
    };
    let described = |sample: &[Counts]| {
        let size = at_one_size(sample)?;
        let measured = words("all sizes", &size);
        Some((measured, judge(&[size])))
    };
    let table = rows(results, "stiffness", scene, &STEP)?;
    let all = main_counts(results, scene, Part::Whole)?;
    let mut readings: Vec<Line> = vec![];
    for (name, part) in by_kappa(&all) {
        if let Some(saving) = median_of(&part, Counts::saving) {
            readings.push(reading(name, format!("{} over {}", shown_share(&saving), of(saving.cases)), None));
        }
    }
    if let Some(saving) = median_of(&stiffest(&all), Counts::saving) {
        readings.push(reading("the tenth of all sets with the largest kappa", shown_share(&saving), None));
    }
    readings.extend(parts(&[("all sizes pooled".into(), all)], &described));
    readings.extend(elsewhere(results, scene, Part::Whole, &described)?);
    let measured: Vec<String> = sizes.iter().map(|(side, size)| words(&format!("{side} x {side}"), size)).collect();
    let judged: Vec<AtOneSize> = sizes.into_iter().map(|(_, size)| size).collect();
    Ok(Finding {
        verdict: judge(&judged),
        measured: measured.join("; "),
        value: Some(typical.value),
        interval: typical.interval,
        cases: typical.cases,
        left_out: table.iter().filter(|row| !row.is_finished() && row.side == first_side && TYPICAL.contains(&row.kappa)).count(),
        reason: format!(
            "value, interval and cases are those of the smallest size at kappa from 100 to 1000, of which every second set is \
             drawn; of all sizes and kappa {}; the thesis does not say which n it holds fixed, so that a size at which all parts \
             are met would overturn it",
            denominators(&table)
        ),
        readings,
    })
}

/// B-CP-FREE-KAPPA.
pub fn free_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    stiffness_finding(results, &PINNED, [0.25, 0.40], Some(0.5))
}

/// B-CP-CON-KAPPA.
pub fn contact_stiffness(results: &Results) -> Result<Finding, ResultsError> {
    stiffness_finding(results, &SLIDING, [0.65, 0.75], None)
}

/// What the claim on A-Block says of sheets in one contact.
struct Blocks {
    ratio: Estimate,
    slope: Estimate,
    above: usize,
}

impl Blocks {
    fn of(sample: &[Counts]) -> Option<Blocks> {
        Some(Blocks {
            ratio: median_of(sample, Counts::blocks)?,
            slope: slope_of("A-Block", sample, |counts| counts.kappa, Counts::blocks)?,
            above: sample.iter().filter(|counts| counts.a_block > counts.none).count(),
        })
    }

    /// Whether A-Block takes more iterations, and whether the more so the larger kappa is.
    fn answers(&self) -> [Answer; 2] {
        [self.ratio.lies_above(1.0), self.slope.lies_above(0.0)]
    }

    fn verdict(&self) -> Verdict {
        let [more, grows] = self.answers();
        verdict(more.and(grows), more)
    }

    fn words(&self) -> String {
        format!(
            "ratio {}, above 1 in {} of {}; slope of its logarithm against that of kappa {}",
            shown(&self.ratio),
            self.above,
            of(self.ratio.cases),
            shown(&self.slope)
        )
    }
}

/// An answer that both contacts give, or none: nothing tells which of them is that of the thesis.
fn common(one: Answer, other: Answer) -> Answer {
    if one == other { one } else { Answer::Open }
}

/// The verdict where the thesis gives no friction.
fn judge_contacts(sliding: &Blocks, frictionless: &Blocks) -> Verdict {
    let [[more, grows], [other_more, other_grows]] = [sliding.answers(), frictionless.answers()];
    verdict(common(more.and(grows), other_more.and(other_grows)), common(more, other_more))
}

/// B-ABLOCK-WORSE.
pub fn blocks_worse(results: &Results) -> Result<Finding, ResultsError> {
    let described = |sample: &[Counts]| Blocks::of(sample).map(|blocks| (blocks.words(), blocks.verdict()));
    let table = rows(results, "systems", &SLIDING, &STEP)?;
    let without = rows(results, "readings", &FRICTIONLESS, &STEP)?;
    let sample = counts_of(&table, Part::Whole);
    let missing = || too_few("no sheet on the sphere came to its end");
    let sliding = Blocks::of(&sample).ok_or_else(missing)?;
    let frictionless = Blocks::of(&counts_of(&without, Part::Whole)).ok_or_else(missing)?;
    let mut samples = vec![];
    for (contact, table) in [("Coulomb friction", &table), ("no friction", &without)] {
        for (part, half) in HALVES {
            let all = counts_of(table, part);
            samples.push((format!("{contact}, 20 x 20 particles and more{half}"), large(&all, 20.0)));
            samples.push((format!("{contact}, all sizes{half}"), all));
        }
    }
    for (part, half) in HALVES {
        let sized = sized_counts(results, &SLIDING, part)?.into_iter();
        samples.extend(sized.map(|(side, sample)| (format!("sheets of {side} x {side}{half}"), sample)));
    }
    samples.extend(by_size(&sample));
    samples.extend(by_kappa(&sample));
    let mut readings = parts(&samples, &described);
    let lost = table.len() - sample.len();
    readings.extend(bounds(&sample.iter().map(Counts::blocks).collect::<Vec<_>>(), lost, short));
    // both contacts at their whole runs stand above
    let others = elsewhere(results, &SLIDING, Part::Whole, &described)?.into_iter();
    readings.extend(others.filter(|line| !line.name.starts_with(FRICTIONLESS.name)));
    let finished = || table.iter().filter(|row| row.is_finished());
    let [slides, sticks] = [finished().map(|row| row.sliding).collect::<Vec<_>>(), finished().map(|row| row.sticking).collect()]
        .map(|numbers| median(&numbers).unwrap_or(0.0));
    Ok(Finding {
        verdict: judge_contacts(&sliding, &frictionless),
        measured: format!("with Coulomb friction {}; without friction {}", sliding.words(), frictionless.words()),
        value: Some(sliding.ratio.value),
        interval: sliding.ratio.interval,
        cases: sliding.ratio.cases,
        left_out: lost,
        reason: format!(
            "with Coulomb friction {}, without {}, and a verdict is firm where both come to the same; friction, which the thesis \
             does not give, decides: see the readings without; value, interval and cases are those with Coulomb friction ({}; \
             without friction {}); in the median run with it {} particles slide and {} stick in a step, and only those that \
             slide tell A-Block from CP",
            sliding.verdict(),
            frictionless.verdict(),
            denominators(&table),
            denominators(&without),
            short(slides),
            short(sticks)
        ),
        readings,
    })
}

/// Exponents that the thesis gives, of none and of CP \[Boxerman 2003, fig. 5.7\].
pub const PUBLISHED_EXPONENTS: [f64; 2] = [0.512, 0.436];

/// Exponents of none and of CP, with that by which the former is larger.
fn exponents(sample: &[Counts]) -> Option<([Estimate; 2], Estimate)> {
    let both = [exponent("none", sample, |counts| counts.none)?, exponent("CP", sample, |counts| counts.cp)?];
    Some((both, exponent_gap("exponents", sample)?))
}

fn judged_exponents(sample: &[Counts]) -> Option<(Estimate, String, Verdict)> {
    let ([none, cp], gap) = exponents(sample)?;
    let pairs = [none, cp].into_iter().zip(PUBLISHED_EXPONENTS);
    let met = Answer::all(pairs.map(|(exponent, published)| exponent.lies_within(published - 0.05, published + 0.05)));
    let measured = format!("{}; {}; difference {}", shown(&none), shown(&cp), shown(&gap));
    Some((none, measured, verdict(met, gap.lies_above(0.0))))
}

/// B-ORDER.
pub fn order(results: &Results) -> Result<Finding, ResultsError> {
    let described = |sample: &[Counts]| judged_exponents(sample).map(|(_, measured, verdict)| (measured, verdict));
    let table = rows(results, "systems", &SLIDING, &STEP)?;
    let sample = counts_of(&table, Part::Whole);
    let (none, measured, verdict) =
        judged_exponents(&sample).ok_or_else(|| too_few("no sheets of different size on the sphere"))?;
    let whole: Vec<Counts> = sample.iter().map(|counts| Counts { solves: 1.0, ..*counts }).collect();
    let mut readings = parts(
        &[
            ("iterations of a whole run instead of a solve".to_owned(), whole),
            ("second half of the run".to_owned(), main_counts(results, &SLIDING, Part::Late)?),
            ("20 x 20 particles and more".to_owned(), large(&sample, 20.0)),
        ],
        &described,
    );
    readings.extend(super::order_verdicts::both_tolerances(results)?);
    readings.extend(elsewhere(results, &SLIDING, Part::Whole, &described)?);
    Ok(Finding {
        verdict,
        measured,
        value: Some(none.value),
        interval: none.interval,
        cases: sample.len(),
        left_out: table.len() - sample.len(),
        reason: format!(
            "exponents of none, then of CP; value and interval are those of none; {}; they follow the tolerance: a looser one ends a \
             solve long before its iterations grow with the square root of n",
            denominators(&table)
        ),
        readings,
    })
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let fitted = |sample: &[Counts]| {
        let both = exponents(sample).map(|([none, cp], _)| format!("{} and {}", short(none.value), short(cp.value)));
        both.unwrap_or_else(|| "none".into())
    };
    let saved =
        |sample: &[Counts]| median_of(sample, Counts::saving).map_or_else(|| "none".into(), |saving| percent(saving.value));
    let blocks = |group: &str, scene: &Scene, part: Part| -> Result<String, ResultsError> {
        let sample = counts_of(&rows(results, group, scene, &STEP)?, part);
        Ok(median_of(&sample, Counts::blocks).map_or_else(|| "none".into(), |estimate| short(estimate.value)))
    };
    let mut lines = vec![];
    for (other, group) in [(STEP, "systems"), (ROOT, "readings"), (CONVERGED, "readings"), (FIRST, "readings")] {
        let [pinned, sliding] = [rows(results, group, &PINNED, &other)?, rows(results, group, &SLIDING, &other)?];
        let samples = [counts_of(&pinned, Part::Whole), counts_of(&sliding, Part::Whole)];
        lines.push(format!(
            "- {}, {}: exponents of n on the sphere {}; CP saves {} of the iterations of pinned sheets and {} on the sphere; of the pinned, \
             {}; of those on the sphere, {}",
            words(&other),
            of(pinned.len()),
            fitted(&samples[1]),
            saved(&samples[0]),
            saved(&samples[1]),
            denominators(&pinned),
            denominators(&sliding)
        ));
    }
    Ok(format!(
        "What the thesis says of iteration counts hangs on its tolerance, \"tol² = ck\" with the step k. It says of this rule \
         that it maintains the order of accuracy of the scheme and gave stable results at c = 0.01. The order with which errors fall \
         with the step, in the median over pinned sheets with 95 % intervals, is this:\n\n{}\n\
         The whole error is mostly that of the scheme, so that the first column hardly tells the readings apart; the second one does. \
         Of stability, the sheets that each reading loses are counted below and drawn by size: there tol = c dt and its square \
         root, to which the formula comes to the letter, part ways. The reading under which the results are stable carries the \
         verdicts.\n\n{}\n\n\
         Published are exponents of 0.512 and 0.436. On pinned sheets CP is A-Block, since every particle is free or fixed. \
         Where particles slide, runs by A-Block take {} times the iterations of runs without preconditioner with Coulomb \
         friction, {} times in their second half, and {} and {} times without friction.\n\n{}",
        super::order_verdicts::summary(results)?,
        lines.join("\n"),
        blocks("systems", &SLIDING, Part::Whole)?,
        blocks("systems", &SLIDING, Part::Late)?,
        blocks("readings", &FRICTIONLESS, Part::Whole)?,
        blocks("readings", &FRICTIONLESS, Part::Late)?,
        super::multigrid::summary(results)?,
    ))
}

#[cfg(test)]
mod tests {
    use lab::statistics::Interval;

    use super::*;

    fn blocks(ratio: [f64; 2], slope: [f64; 2]) -> Blocks {
        let [ratio, slope] = [ratio, slope].map(|[low, high]| Estimate {
            value: 0.5 * (low + high),
            interval: Some(Interval { low, high }),
            cases: 30,
        });
        Blocks { ratio, slope, above: 0 }
    }

    #[test]
    fn contacts_that_disagree_leave_the_claim_on_blocks_open() {
        let fewer = || blocks([0.7, 0.8], [-0.01, 0.05]);
        let more = || blocks([1.1, 1.3], [0.01, 0.1]);
        let level = || blocks([1.1, 1.3], [-0.1, -0.01]);
        let open = || blocks([0.9, 1.2], [0.01, 0.1]);
        assert_eq!(
            [fewer(), more(), level(), open()].map(|blocks| blocks.verdict()),
            [Verdict::NotReproduced, Verdict::Reproduced, Verdict::DirectionOnly, Verdict::Inconclusive]
        );
        assert_eq!(judge_contacts(&fewer(), &fewer()), Verdict::NotReproduced);
        assert_eq!(judge_contacts(&more(), &more()), Verdict::Reproduced);
        assert_eq!(judge_contacts(&level(), &level()), Verdict::DirectionOnly);
        for other in [more(), level(), open()] {
            assert_eq!(judge_contacts(&fewer(), &other), Verdict::Inconclusive);
            assert_eq!(judge_contacts(&other, &fewer()), Verdict::Inconclusive);
        }
    }
}
