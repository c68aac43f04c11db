//! A-Block against the constrained preconditioner. B-ABLOCK-WORSE.

use kit::prelude::*;

use super::readings::Readings;
use super::samples::{Counts, Part, counts_of, median_of, rows, sized_counts, slope_of};
use super::scenes::{FRICTIONLESS, SLIDING, STEP};
use super::systems::Systems;
use super::verdicts::{HALVES, bounds, by_kappa, by_size, denominators, elsewhere, large, of, parts, shown};

/// What the claim on A-Block says of sheets in one contact.
pub(super) struct Blocks {
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
        let (ratio, above, cases, slope) = (shown(&self.ratio), self.above, of(self.ratio.cases), shown(&self.slope));
        format!("ratio {ratio}, above 1 in {above} of {cases}; slope of its logarithm against that of kappa {slope}")
    }
}

/// An answer that both contacts give, or none: nothing tells which of them is that of the thesis.
pub(super) fn common(one: Answer, other: Answer) -> Answer {
    if one == other { one } else { Answer::Open }
}

/// The verdict where the thesis gives no friction.
pub(super) fn judge_contacts(sliding: &Blocks, frictionless: &Blocks) -> Verdict {
    let [[more, grows], [other_more, other_grows]] = [sliding.answers(), frictionless.answers()];
    verdict(common(more.and(grows), other_more.and(other_grows)), common(more, other_more))
}

/// B-ABLOCK-WORSE.
pub fn blocks_worse(results: &Results) -> Result<Finding, ResultsError> {
    let described = |sample: &[Counts]| Blocks::of(sample).map(|blocks| (blocks.words(), blocks.verdict()));
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
    let mut readings = parts(&samples, &described);
    let lost = table.len() - sample.len();
    readings.extend(bounds(&sample.iter().map(Counts::blocks).collect::<Vec<_>>(), lost, short));
    // both contacts at their whole runs stand above
    let others = elsewhere(results, &SLIDING, Part::Whole, &described)?.into_iter();
    readings.extend(others.filter(|line| !line.name.starts_with(FRICTIONLESS.name)));
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
