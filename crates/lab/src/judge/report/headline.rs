//! The first screen of the report: what was found, in sentences whose numbers are those of the findings.
//!
//! A sentence is a paragraph of Markdown; comments are left out. What stands in braces is filled in:
//!
//! - `{X}`: a link to the claim X
//! - `{X.field}`: of its finding `verdict`, `measured`, `value`, `low`, `high`, `number` (the value with its interval), `percent` (the
//!   same as a share), `cases`, `left-out` or `agreement` (how many of its readings have its verdict); of the ledger `published`
//! - `{X.measured/2}`: the second part of what was measured, where semicolons part it
//! - `{X/saving.percent}`: a field of the number called `saving` of its rule, with the fields of [`crate::judge::rule::finding`]
//! - `{X[reading].field}`: `measured`, a part of it, or `verdict` of one of its readings
//! - `{X is VERDICT}`: nothing, as long as the verdict is the one that the words around it presume; otherwise it says so and is unresolved
//! - `{published.claims}` and `{published.VERDICT}`, as in `{published.direction-only}`, of published claims, `{criteria.claims}` and
//!   `{criteria.VERDICT}` of criteria from exact solutions, `{count.readings}` of both: previews are not among the verdicts

use crate::judge::claims::{Claim, Finding, Kind, Verdict};
use crate::judge::report::agreement::Agreement;
use crate::judge::report::section::Section;
use crate::judge::report::{Report, published};
use crate::judge::rule::finding::number_at;
use crate::judge::words::{percent_within, short};

/// What stands in place of a number that was not measured.
const NOT_MEASURED: &str = "(not measured)";

/// What stands behind words that a verdict does not bear out.
const NO_LONGER_SO: &str = " (no longer so)";

/// Sentences with what nothing could be filled in for.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Headline {
    /// The sentences, as Markdown.
    pub sentences: Vec<String>,
    /// Places, without their braces, for which there is nothing.
    pub unresolved: Vec<String>,
}

impl Report<'_> {
    /// Places of the headline and of the findings of ledgers for which there is neither a finding nor a count; none once everything was measured.
    pub fn unresolved(&self, sections: &[Section]) -> Vec<String> {
        let texts = self.ledgers.iter().map(|ledger| ledger.finding.as_str()).chain([self.headline]);
        texts.flat_map(|text| self.filled(text, sections, &str::to_owned).unresolved).collect()
    }

    /// The sentences of a text with their numbers, none where verdicts are previews; `link` makes one of the id of a claim.
    pub(crate) fn filled(&self, text: &str, sections: &[Section], link: &dyn Fn(&str) -> String) -> Headline {
        let mut filled = Headline::default();
        if sections.iter().any(Section::is_preview) {
            return filled;
        }
        for paragraph in without_comments(text).split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
            let (mut sentence, mut rest) = (String::new(), paragraph);
            while let Some((before, (place, after))) =
                rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
            {
                sentence += before;
                match self.fill(place, sections, link) {
                    Some(text) => sentence += &text,
                    None => {
                        sentence += self.in_place_of(place, sections);
                        filled.unresolved.push(place.into());
                    }
                }
                rest = after;
            }
            filled.sentences.push((sentence + rest).replace('\n', " "));
        }
        filled
    }

    /// What stands where nothing can be filled in.
    fn in_place_of(&self, place: &str, sections: &[Section]) -> &'static str {
        match place.split_once(" is ") {
            Some((id, _)) if self.finding(id, sections).is_some() => NO_LONGER_SO,
            Some(_) => "",
            None => NOT_MEASURED,
        }
    }

    fn fill(&self, place: &str, sections: &[Section], link: &dyn Fn(&str) -> String) -> Option<String> {
        match place.split_once('.') {
            Some(("count", "readings")) => return Some(readings(sections).to_string()),
            Some(("published", name)) => return self.count(Kind::Published, name, sections),
            Some(("criteria", name)) => return self.count(Kind::Criteria, name, sections),
            _ => {}
        }
        if let Some((id, verdict)) = place.split_once(" is ") {
            return (self.finding(id, sections)?.0.verdict.to_string() == verdict).then(String::new);
        }
        if let Some((id, number)) = place.split_once('/').filter(|(id, _)| self.claim(id).is_some()) {
            return number_at(number, &self.finding(id, sections)?.0.numbers);
        }
        let Some((subject, field)) = place.rsplit_once('.') else {
            return Some(link(&self.claim(place)?.id));
        };
        let (id, reading) = match subject.split_once('[') {
            Some((id, reading)) => (id, Some(reading.strip_suffix(']')?)),
            None => (subject, None),
        };
        let claim = self.claim(id)?;
        let (finding, section) = self.finding(id, sections)?;
        let Some(reading) = reading else { return of_finding(claim, finding, field, section) };
        let reading = finding.readings.iter().find(|known| known.name == reading)?;
        match field {
            "verdict" => Some(section.sample.verdict(reading.verdict?)),
            field => part(&reading.measured, field),
        }
    }

    /// What was found of a claim, and where.
    pub(crate) fn finding<'s>(&self, id: &str, sections: &'s [Section<'s>]) -> Option<(&'s Finding, &'s Section<'s>)> {
        let section = sections.iter().find(|section| section.findings.iter().any(|(judged, _)| *judged == id))?;
        Some((section.findings.iter().find(|(judged, _)| *judged == id)?.1.as_ref().ok()?, section))
    }

    fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims().map(|(_, claim)| claim).find(|claim| claim.id == id)
    }

    /// How many claims there are of a kind, or how many of them came to a verdict.
    fn count(&self, kind: Kind, name: &str, sections: &[Section]) -> Option<String> {
        let count = match name {
            "claims" => self.claims_of(kind).count(),
            name => {
                let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.slug() == name)?.to_string();
                let counts = self.counts(kind, sections);
                counts.iter().find(|(_, word, _)| *word == verdict).map_or(0, |(count, ..)| *count)
            }
        };
        Some(count.to_string())
    }
}

fn readings(sections: &[Section]) -> usize {
    Agreement::of(sections).iter().map(|agreement| agreement.readings).sum()
}

fn of_finding(claim: &Claim, finding: &Finding, field: &str, section: &Section) -> Option<String> {
    Some(match field {
        "verdict" => section.sample.verdict(finding.verdict),
        "value" => short(finding.value?),
        "low" => short(finding.interval?.low),
        "high" => short(finding.interval?.high),
        "number" => finding.number_judged()?,
        "percent" => percent_within(finding.value?, finding.interval),
        "cases" => finding.cases.to_string(),
        "left-out" => finding.left_out.to_string(),
        "published" => published(claim).into(),
        "agreement" => {
            let verdicts: Vec<Verdict> = finding.readings.iter().filter_map(|reading| reading.verdict).collect();
            let agreeing = verdicts.iter().filter(|verdict| **verdict == finding.verdict).count();
            format!("{agreeing} of {} readings agree", verdicts.len())
        }
        field => return part(&finding.measured, field),
    })
}

/// What was measured, or one of its parts.
fn part(measured: &str, field: &str) -> Option<String> {
    match field.strip_prefix("measured")? {
        "" => Some(measured.into()),
        number => {
            let number: usize = number.strip_prefix('/')?.parse().ok()?;
            Some(measured.split("; ").nth(number.checked_sub(1)?)?.into())
        }
    }
}

fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("<!--") {
        kept += before;
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::claims::{Ledger, Reading};
    use crate::judge::statistics::Interval;
    use crate::results::{Results, ResultsError};
    use crate::study::{Judge, Study};

    fn held(_: &Results) -> Result<Finding, ResultsError> {
        let reading = Reading {
            name: "tol = c dt, 2.5 s".into(),
            measured: "7 here; 8 there".into(),
            verdict: Some(Verdict::NotReproduced),
        };
        let found =
            Finding::new(Verdict::DirectionOnly, "0.9 (more); 1.2", "").value(0.9).interval(Interval { low: 0.8, high: 0.95 });
        Ok(found.cases(10).left_out(1).readings(vec![reading]))
    }

    fn filled(headline: &str) -> Headline {
        let ledger = "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X-1'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 'study'\n\
             [[claim]]\nid = 'X-2'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 'another'\n";
        let criteria = "kind = 'criteria'\npaper = 'e'\ncitation = 'c'\n\
             [[claim]]\nid = 'X-3'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 'study'\n";
        let ledgers = [ledger, criteria].map(|text| Ledger::parse("p", text).unwrap());
        let met = |_: &Results| Ok(Finding::new(Verdict::Reproduced, "", ""));
        let judges = vec![Judge::of_counts("X-1", held), Judge::of_counts("X-3", met)];
        let studies = [Study { judges, ..Study::of_groups(vec![]) }];
        let report = Report { ledgers: &ledgers, headline, ..Report::of_studies(&studies) };
        let mut sections = report.sections();
        sections[0].sample = crate::judge::sample::Sample::Published;
        report.filled(headline, &sections, &|id| format!("[{id}](#x)"))
    }

    #[test]
    fn numbers_come_from_findings() {
        for (place, text) in [
            ("{X-1}", "[X-1](#x)"),
            ("a {X-1.verdict} b", "a direction only b"),
            ("it is so{X-1 is direction only}.", "it is so."),
            ("{X-1.value} of {X-1.published}", "0.900 of 2"),
            ("{X-1.low}-{X-1.high}", "0.800-0.950"),
            ("{X-1.number}", "0.900 (95 %: 0.800 to 0.950)"),
            ("{X-1.percent}", "90.0 % (95 %: 80.0 to 95.0 %)"),
            ("{X-1.measured/1}, {X-1.measured/2}", "0.9 (more), 1.2"),
            ("{X-1[tol = c dt, 2.5 s].measured/2} {X-1[tol = c dt, 2.5 s].verdict}", "8 there not reproduced"),
            ("{published.claims} {published.direction-only} {published.reproduced}", "2 1 0"),
            ("{criteria.claims} {criteria.direction-only} {criteria.reproduced}", "1 0 1"),
            ("{count.readings}", "1"),
        ] {
            assert_eq!(filled(place), Headline { sentences: vec![text.into()], unresolved: vec![] }, "{place}");
        }
        let two = filled("<!-- {X-9} is\n\nno sentence -->\none\nline\n\n<!-- -->two\n");
        assert_eq!(two.sentences, ["one line", "two"]);
    }

    #[test]
    fn what_nothing_fills_is_told() {
        for place in [
            "X-9",
            "X-9.value",
            "X-1.valeu",
            "X-1.measured/3",
            "X-1[other].measured",
            "X-2.measured",
            "count.claims",
            "criteria.nothing",
        ] {
            let sentences = vec!["(not measured)!".to_owned()];
            assert_eq!(filled(&format!("{{{place}}}!")), Headline { sentences, unresolved: vec![place.into()] });
        }
        let untrue = filled("It holds{X-1 is reproduced}.");
        assert_eq!(
            (untrue.sentences, untrue.unresolved),
            (vec!["It holds (no longer so).".into()], vec!["X-1 is reproduced".into()])
        );
    }
}
