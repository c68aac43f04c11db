//! A-Block against the constrained preconditioner. B-ABLOCK-WORSE.

use std::collections::BTreeSet;

use kit::prelude::*;

use super::readings::Readings;
use super::samples::{
    Counts, Part, counts_of, denominators, first, first_to_the_letter, main_counts, median_of, of, paired_counts, rows,
    sized_counts, slope_of, tolerances,
};
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, SLIDING, STEP, STICKING, THESIS};
use super::systems::Systems;

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
        let Blocks { ratio, slope, above } = self;
        let cases = of(ratio.cases);
        format!("ratio {ratio}, above 1 in {above} of {cases}; slope of its logarithm against that of kappa {slope}")
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

/// What the claim says of a sample, with its verdict.
fn reading(name: impl Into<String>, sample: &[Counts]) -> Option<Reading> {
    Blocks::of(sample).map(|blocks| Reading::new(name, blocks.words(), blocks.verdict()))
}

/// Those of so many particles a side and more.
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
    let part = |ends: &[f64]| {
        (name(ends[0], ends[1]), sample.iter().filter(|counts| (ends[0]..=ends[1]).contains(&counts.kappa)).copied().collect())
    };
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

/// What the sets that are lost could do to a median.
fn bounds(values: &[f64], lost: usize) -> Option<Reading> {
    let [low, high] = Estimate::median_bounds(values, lost).filter(|_| lost > 0)?;
    Some(Reading::new(
        format!("whatever came of what is lost ({})", of(lost)),
        format!("{} to {}", short(low), short(high)),
        None,
    ))
}

/// Whole runs and their second halves, with what tells them apart.
const HALVES: [(Part, &str); 2] = [(Part::Whole, ""), (Part::Late, ", second half of the run")];

/// The claim under every other reading of the tolerance, on the systems of one trajectory, and in scenes that it is not about, where
/// it has no verdict.
fn elsewhere(results: &Results) -> Result<Vec<Reading>, ResultsError> {
    let mut lines = vec![];
    let mut add = |name: String, sample: &[Counts], about: bool| {
        lines.extend(reading(name, sample).map(|line| Reading { verdict: line.verdict.filter(|_| about), ..line }));
    };
    let (main, mut compared) = (rows::<Systems>(results, &SLIDING, &STEP)?, BTreeSet::new());
    for other in [ROOT, CONVERGED, FIRST] {
        let table = rows::<Readings>(results, &SLIDING, &other)?;
        let name = format!("{}, the first {}: {}", other.in_words(), of(table.len()), denominators(&table));
        add(name, &counts_of(&table, Part::Whole), true);
        compared.insert(table.len().min(main.len()));
    }
    // the same sets under the main reading, so that nothing but the tolerance differs
    for sets in compared {
        let sample = counts_of(&main[..sets], Part::Whole);
        add(format!("for comparison: tol = c dt, the first {}", of(sets)), &sample, false);
    }
    let seeds = rows::<Seeds<Systems>>(results, &SLIDING, &STEP)?;
    add(format!("another base seed, {}", of(seeds.len())), &counts_of(&seeds, Part::Whole), true);
    for c in tolerances(results)? {
        let paired = paired_counts(&first(results, &SLIDING, c)?);
        add(format!("on the systems of one trajectory, that by CP, tol = c dt, c = {c}"), &paired, true);
    }
    let paired = paired_counts(&first_to_the_letter(results, &SLIDING, THESIS)?);
    add(format!("on the systems of one trajectory, tol = sqrt(c dt), c = {THESIS}"), &paired, true);
    add(format!("all sets, {}", PINNED.name), &main_counts(results, &PINNED, Part::Whole)?, false);
    let sticking = rows::<Readings>(results, &STICKING, &STEP)?;
    let name = format!("{}, the first {}", STICKING.name, of(sticking.len()));
    add(name, &counts_of(&sticking, Part::Whole), false);
    Ok(lines)
}

/// B-ABLOCK-WORSE.
pub fn blocks_worse(results: &Results) -> Result<Finding, ResultsError> {
    let table = rows::<Systems>(results, &SLIDING, &STEP)?;
    let without = rows::<Readings>(results, &FRICTIONLESS, &STEP)?;
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
    let mut readings: Vec<Reading> = samples.into_iter().filter_map(|(name, sample)| reading(name, &sample)).collect();
    let lost = table.len() - sample.len();
    readings.extend(bounds(&sample.iter().map(Counts::blocks).collect::<Vec<_>>(), lost));
    readings.extend(elsewhere(results)?);
    let finished = || table.iter().filter(|row| row.is_finished());
    let [slides, sticks] = [finished().map(|row| row.sliding).collect::<Vec<_>>(), finished().map(|row| row.sticking).collect()]
        .map(|numbers| median(&numbers).unwrap_or(0.0));
    let measured = format!("with Coulomb friction {}; without friction {}", sliding.words(), frictionless.words());
    let (with_it, without_it) = (sliding.verdict(), frictionless.verdict());
    let (of_all, of_frictionless) = (denominators(&table), denominators(&without));
    let [slides, sticks] = [slides, sticks].map(short);
    let reason = format!(
        "with Coulomb friction {with_it}, without {without_it}, and a verdict is firm where both come to the same; friction, which the \
         thesis does not give, decides: see the readings without; value, interval and cases are those with Coulomb friction ({of_all}; \
         without friction {of_frictionless}); in the median run with it {slides} particles slide and {sticks} stick in a step, and only \
         those that slide tell A-Block from CP"
    );
    Ok(Finding::new(judge_contacts(&sliding, &frictionless), measured, reason)
        .rests_on(&sliding.ratio)
        .left_out(lost)
        .readings(readings))
}

#[cfg(test)]
mod tests {
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
