//! How often the readings of claims agree with the verdicts, and what chance alone would do to so many of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::judge::claims::Verdict;
use crate::judge::report::section::Section;
use crate::judge::words::percent;

/// Chance that a 95 % interval lies beyond a bound which the true value does not pass.
const WRONG_SIDE: f64 = 0.025;

/// The readings of a claim beside its verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agreement {
    pub claim: &'static str,
    /// Its verdict in words.
    pub verdict: String,
    /// Readings that have a verdict; those alike in name and measured words count once.
    pub readings: usize,
    /// Those of them with the verdict of the claim.
    pub agreeing: usize,
    /// Verdicts of the others, with how often each occurs.
    pub others: String,
}

impl Agreement {
    /// Of every claim that was judged, those first whose readings disagree most.
    pub fn of(sections: &[Section]) -> Vec<Agreement> {
        let mut agreements = vec![];
        for section in sections {
            for (claim, finding) in &section.findings {
                let Ok(finding) = finding else { continue };
                let mut seen = BTreeSet::new();
                let distinct = finding.readings.iter().filter(|reading| seen.insert((&reading.name, &reading.measured)));
                let verdicts: Vec<Verdict> = distinct.filter_map(|reading| reading.verdict).collect();
                let mut others = BTreeMap::new();
                for verdict in verdicts.iter().filter(|verdict| **verdict != finding.verdict) {
                    *others.entry(*verdict).or_insert(0) += 1;
                }
                let disagreeing: usize = others.values().sum();
                let others: Vec<String> = others.into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
                agreements.push(Agreement {
                    claim,
                    verdict: section.sample.verdict(finding.verdict),
                    readings: verdicts.len(),
                    agreeing: verdicts.len() - disagreeing,
                    others: others.join(", "),
                });
            }
        }
        let disagreeing = |agreement: &Agreement| agreement.readings - agreement.agreeing;
        // shares by cross products, so that equal ones are equal
        agreements.sort_by(|a, b| {
            let share = (disagreeing(b) * a.readings.max(1)).cmp(&(disagreeing(a) * b.readings.max(1)));
            share.then(b.readings.cmp(&a.readings)).then(a.claim.cmp(b.claim))
        });
        agreements
    }
}

/// The sum over all claims, in words.
pub(crate) fn total(agreements: &[Agreement]) -> String {
    let (readings, agreeing) = agreements.iter().fold((0, 0), |(n, k), a| (n + a.readings, k + a.agreeing));
    let without = agreements.iter().filter(|agreement| agreement.readings == 0).count();
    let unanimous =
        agreements.iter().filter(|agreement| agreement.readings > 0 && agreement.readings == agreement.agreeing).count();
    let share = if readings > 0 { format!(" ({})", percent(agreeing as f64 / readings as f64)) } else { String::new() };
    let (claims, some) = (agreements.len(), agreements.len() - unanimous - without);
    format!(
        "A reading is a claim judged under another threshold, assumption or way to read the paper. Of {readings} readings with a verdict \
         {agreeing}{share} have that of their claim. Of {claims} claims {unanimous} have readings that all agree, {some} have some that do \
         not, and {without} have none with a verdict: exact results, or numbers that nothing left open could change."
    )
}

/// What chance alone would do to the ledger, in words.
pub(crate) fn false_discovery(sections: &[Section]) -> String {
    let found = sections.iter().flat_map(|section| &section.findings).filter_map(|(_, finding)| finding.as_ref().ok());
    let (mut judged, mut with_interval) = (0, 0);
    for finding in found {
        judged += 1;
        with_interval += usize::from(finding.interval.is_some_and(|interval| interval.high > interval.low));
    }
    let (missed, chance, wrong) = (0.05 * with_interval as f64, percent(WRONG_SIDE), WRONG_SIDE * with_interval as f64);
    format!(
        "Chance alone: of {judged} verdicts {with_interval} rest on a number with a 95 % interval, and of as many independent intervals \
         about {missed:.1} would miss the true value. A firm verdict is wrong by that only where a whole interval comes to lie on the \
         wrong side of a bound, which happens with a chance of at most {chance} a bound, and of nearly none where the true value is far \
         from it: about {wrong:.1} of {with_interval} verdicts at worst. No verdict is corrected for the number of claims. Readings decide \
         no verdict; which reading carries it was chosen after first results where the criterion says so. Those of a claim share its \
         cases, so that their agreement shows what the claim depends on and is no further evidence."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::claims::{Finding, Reading};
    use crate::judge::report::Report;
    use crate::judge::statistics::Interval;
    use crate::results::{Results, ResultsError};
    use crate::study::{Judge, Study};

    fn finding(verdict: Verdict, readings: &[Option<Verdict>], interval: Option<[f64; 2]>) -> Result<Finding, ResultsError> {
        let reading = |(k, verdict): (usize, &Option<Verdict>)| Reading {
            name: format!("reading {k}"),
            measured: String::new(),
            verdict: *verdict,
        };
        let interval = interval.map(|[low, high]| Interval { low, high });
        Ok(Finding::new(verdict, "", "").interval(interval).cases(1).readings(readings.iter().enumerate().map(reading).collect()))
    }

    #[test]
    fn claims_come_in_the_order_of_disagreement() {
        use Verdict::*;
        let judges = vec![
            Judge::of_counts("A", |_: &Results| finding(Reproduced, &[Some(Reproduced), None], Some([0.0, 1.0]))),
            Judge::of_counts("B", |_: &Results| finding(Reproduced, &[Some(DirectionOnly), Some(Reproduced)], Some([1.0, 1.0]))),
            Judge::of_counts("C", |_: &Results| {
                finding(NotReproduced, &[Some(Reproduced), Some(Open), Some(Reproduced), Some(NotReproduced)], None)
            }),
            Judge::of_counts("D", |_: &Results| finding(Reproduced, &[], None)),
            Judge::of_counts("F", |_: &Results| {
                let mut found = finding(Reproduced, &[Some(Reproduced), Some(DirectionOnly)], None)?;
                found.readings.extend(found.readings.clone()); // the same once more
                Ok(found)
            }),
            Judge::of_counts("E", |_: &Results| Err(ResultsError::TooFew("nothing".into()))),
        ];
        let studies = [Study { judges, ..Study::of_groups(vec![]) }];
        let report = Report::of_studies(&studies);
        let mut sections = report.sections();
        sections[0].sample = crate::judge::sample::Sample::Published;
        let agreements = Agreement::of(&sections);
        let told: Vec<_> = agreements.iter().map(|a| (a.claim, a.readings, a.agreeing, a.others.as_str())).collect();
        assert_eq!(
            told,
            [
                ("C", 4, 1, "2 reproduced, 1 open"),
                ("B", 2, 1, "1 direction only"),
                ("F", 2, 1, "1 direction only"),
                ("A", 1, 1, ""),
                ("D", 0, 0, "")
            ]
        );
        let total = total(&agreements);
        assert!(total.contains("Of 9 readings with a verdict 4 (44.4 %) have"), "{total}");
        assert!(
            total.contains("Of 5 claims 1 have readings that all agree, 3 have some that do not, and 1 have none"),
            "{total}"
        );
        let chance = false_discovery(&sections);
        assert!(chance.starts_with("Chance alone: of 5 verdicts 1 rest on a number with a 95 % interval"), "{chance}");
    }
}
