//! Ledgers of published numbers and of criteria from exact solutions, and what was found of them.

use serde::Deserialize;
use thiserror::Error;

use crate::judge::criterion::Estimate;
use crate::judge::rule::entry::Rule;
use crate::judge::rule::keys::RuleError;
use crate::judge::rule::outcome::NumberFound;
use crate::judge::rule::verdict::Answers;
use crate::judge::statistics::Interval;
use crate::judge::terms::terms;
pub use crate::judge::verdict::Verdict;
use crate::judge::words::short_within;

/// A published number or statement, or what an exact solution asks of methods.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name here.
    pub id: String,
    /// Place in the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// What is claimed of.
    pub quantity: String,
    /// What is claimed.
    pub published: String,
    /// Under which conditions.
    #[serde(default)]
    pub conditions: String,
    /// The study that judges it.
    pub study: String,
    /// The criterion of the list of claims, which gives one where the paper gives no number.
    pub listed_criterion: Option<String>,
    /// What must be measured for it to hold, fixed before the run unless `amended`, see [`Origin`]; absent as long as its study is
    /// not written.
    pub criterion: Option<String>,
    /// Where the criterion was changed after first results: what, when and why.
    pub amended: Option<String>,
    /// What was known when the criterion was fixed, where that was more than the paper: prototypes' results, or this project's own.
    /// Such a criterion is no preregistration.
    pub known: Option<String>,
    /// Where the paper contradicts itself about the quantity, how; its number is judged all the same.
    pub contradiction: Option<String>,
    /// What the paper leaves open and how it was filled.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// Words of what was measured and why that came so, with places for numbers, see [`crate::judge::rule::finding`].
    pub measured: Option<String>,
    pub reason: Option<String>,
    /// The rule that decides, as data.
    pub rule: Option<toml::Table>,
}

terms! {
    /// How a criterion came about: what stands before it, and what that means, as a sentence.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum Origin {
        Before = "criterion, fixed before its study ran":
            "it was written into the ledger before its study had a result, and has not been changed; the list of claims itself was made \
             after prototypes had measured some of them, so that this is no preregistration in the strict sense",
        Informed = "criterion, fixed with earlier measurements known":
            "it was written before the published run, by someone who knew what prototypes or earlier runs had measured; the section of the \
             claim says what was known",
        Changed = "criterion, changed after first results":
            "results were seen before it got its present words; the section of the claim says what was changed, when and why",
    }
}

terms! {
    /// What a ledger holds: its claims as they are counted, and what they are, as a part of a sentence.
    #[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    pub enum Kind {
        #[default]
        Published = "published claims": "numbers and statements of papers and books",
        Criteria = "criteria from exact solutions": "what methods must reach where the answer is known without a simulation",
    }
}

impl Kind {
    /// What stands before what a claim is held against.
    pub fn reference(self) -> &'static str {
        match self {
            Kind::Published => "published",
            Kind::Criteria => "reference",
        }
    }

    /// What a verdict says of a claim of this kind, as a part of a sentence.
    pub fn meaning_of(self, verdict: Verdict) -> &'static str {
        match (self, verdict) {
            (Kind::Criteria, Verdict::Reproduced) => "the criterion is met",
            (Kind::Criteria, Verdict::DirectionOnly) => "the criterion is met in part, as far as it says under `direction only`",
            (Kind::Criteria, Verdict::NotReproduced) => "the criterion is not met",
            _ => verdict.meaning(),
        }
    }
}

/// The claims of one paper, or criteria from exact solutions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    #[serde(default)]
    pub kind: Kind,
    /// Short citation.
    pub paper: String,
    /// Full citation.
    pub citation: String,
    /// What was found of its claims, in a sentence with places for numbers, as the headline has them.
    #[serde(default)]
    pub finding: String,
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A ledger that cannot be read.
#[derive(Debug, Error)]
#[error("the ledger {name}: {reason}")]
pub struct LedgerError {
    name: String,
    reason: String,
}

impl Claim {
    /// How its criterion came about; none without a criterion.
    pub fn origin(&self) -> Option<Origin> {
        self.criterion.as_ref()?;
        Some(match (&self.amended, &self.known) {
            (Some(_), _) => Origin::Changed,
            (None, Some(_)) => Origin::Informed,
            (None, None) => Origin::Before,
        })
    }

    /// Its rule, if its ledger states one.
    ///
    /// # Errors
    /// A rule that is wrong.
    pub fn rule(&self) -> Result<Option<Rule>, RuleError> {
        self.rule.clone().map(|table| Rule::read(&self.id, table)).transpose()
    }

    /// The criterion as named lines: how it came about, what was changed and what was known; beside it that of the list of claims,
    /// where it has one.
    pub fn criterion_lines(&self) -> Vec<(&'static str, &str)> {
        let mut lines = vec![];
        if let (Some(criterion), Some(origin)) = (&self.criterion, self.origin()) {
            lines.push((origin.words()[0], criterion.as_str()));
        }
        lines.extend(self.amended.as_deref().map(|amended| ("what was changed", amended)));
        lines.extend(self.known.as_deref().map(|known| ("known when it was fixed", known)));
        lines.extend(self.listed_criterion.as_deref().map(|criterion| ("criterion of the list of claims", criterion)));
        lines
    }
}

impl Ledger {
    /// Reads a ledger.
    ///
    /// # Errors
    /// TOML that is none, or has other keys; an amendment of no criterion; a rule that is wrong.
    pub fn parse(name: &str, text: &str) -> Result<Ledger, LedgerError> {
        let refused = |reason: String| LedgerError { name: name.into(), reason };
        let ledger: Ledger = toml::from_str(text).map_err(|error| refused(error.message().into()))?;
        if let Some(claim) = ledger.claims.iter().find(|claim| claim.amended.is_some() && claim.criterion.is_none()) {
            return Err(refused(format!("{} has `amended` and no criterion: state the criterion", claim.id)));
        }
        for claim in &ledger.claims {
            claim.rule().map_err(|error| refused(error.to_string()))?;
        }
        Ok(ledger)
    }
}

/// How a claim fares under another threshold, assumption or reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What differs.
    pub name: String,
    /// What was measured then.
    pub measured: String,
    /// The verdict under it, where it has one.
    pub verdict: Option<Verdict>,
}

impl Reading {
    /// Of what differs, what was measured then, and the verdict under it, where it has one.
    pub fn new(name: impl Into<String>, measured: impl Into<String>, verdict: impl Into<Option<Verdict>>) -> Reading {
        Reading { name: name.into(), measured: measured.into(), verdict: verdict.into() }
    }
}

/// What a study found of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub verdict: Verdict,
    /// What was measured, in words and numbers.
    pub measured: String,
    /// The number on which the verdict rests, where it is one.
    pub value: Option<f64>,
    /// Its 95 % interval; extremes and exact results have none.
    pub interval: Option<Interval>,
    /// Cases that it rests on.
    pub cases: usize,
    /// Cases that had no value, and are left out.
    pub left_out: usize,
    /// Why the verdict is what it is.
    pub reason: String,
    /// Other readings.
    pub readings: Vec<Reading>,
    /// Direction and size; none without a rule.
    pub answers: Option<Answers>,
    /// The numbers of its rule with the names of their views.
    pub numbers: Vec<(String, NumberFound)>,
}

impl Finding {
    /// A verdict, what was measured in words, and why; without a number, cases and readings so far.
    pub fn new(verdict: Verdict, measured: impl Into<String>, reason: impl Into<String>) -> Finding {
        let (measured, reason) = (measured.into(), reason.into());
        Finding {
            verdict,
            measured,
            value: None,
            interval: None,
            cases: 0,
            left_out: 0,
            reason,
            readings: vec![],
            answers: None,
            numbers: vec![],
        }
    }

    /// With an estimate as the number judged, its interval and its cases, where there is one.
    pub fn rests_on<'a>(self, estimate: impl Into<Option<&'a Estimate>>) -> Finding {
        match estimate.into() {
            Some(&Estimate { value, interval, cases }) => Finding { value: Some(value), interval, cases, ..self },
            None => self,
        }
    }

    /// With the number judged, where there is one.
    pub fn value(self, value: impl Into<Option<f64>>) -> Finding {
        Finding { value: value.into(), ..self }
    }

    /// With the interval of the number judged, where it has one.
    pub fn interval(self, interval: impl Into<Option<Interval>>) -> Finding {
        Finding { interval: interval.into(), ..self }
    }

    /// With the cases that it rests on.
    pub fn cases(self, cases: usize) -> Finding {
        Finding { cases, ..self }
    }

    /// With cases that had no value.
    pub fn left_out(self, left_out: usize) -> Finding {
        Finding { left_out, ..self }
    }

    /// With other readings.
    pub fn readings(self, readings: Vec<Reading>) -> Finding {
        Finding { readings, ..self }
    }

    /// The number judged with its interval, where it has one.
    pub(crate) fn number_judged(&self) -> Option<String> {
        Some(short_within(self.value?, Some(self.interval?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_refuses_keys_that_it_does_not_know() {
        let text =
            "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 's'\n";
        assert_eq!(Ledger::parse("p", text).unwrap().claims[0].id, "X");
        assert!(Ledger::parse("p", &format!("{text}tolerance = 3\n")).is_err());
        let kind = |kind: &str| Ledger::parse("p", &format!("kind = '{kind}'\n{text}")).ok().map(|ledger| ledger.kind);
        assert_eq!([kind("published"), kind("criteria"), kind("others")], [Some(Kind::Published), Some(Kind::Criteria), None]);
        assert_eq!(Ledger::parse("p", text).unwrap().kind, Kind::Published);
        assert!(Ledger::parse("p", &format!("{text}amended = 'later'\n")).is_err(), "an amendment of nothing");
    }

    #[test]
    fn a_criterion_says_whether_it_was_changed() {
        let ledger = |keys: &str| {
            let text =
                "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 's'\n";
            Ledger::parse("p", &format!("{text}{keys}")).unwrap()
        };
        assert!(ledger("").claims[0].criterion_lines().is_empty());
        assert_eq!(
            ledger("criterion = 'a > b'\n").claims[0].criterion_lines(),
            [("criterion, fixed before its study ran", "a > b")]
        );
        assert_eq!(
            ledger("criterion = 'a > b'\namended = 'on a day'\n").claims[0].criterion_lines(),
            [("criterion, changed after first results", "a > b"), ("what was changed", "on a day")]
        );
        assert_eq!(
            ledger("criterion = 'a > b'\nknown = 'a is 3'\n").claims[0].criterion_lines(),
            [("criterion, fixed with earlier measurements known", "a > b"), ("known when it was fixed", "a is 3")]
        );
        let both = ledger("criterion = 'a > b'\nknown = 'a is 3'\namended = 'on a day'\n");
        assert_eq!(both.claims[0].origin(), Some(Origin::Changed));
        assert_eq!(both.claims[0].criterion_lines().len(), 3);
        assert_eq!(ledger("known = 'a is 3'\n").claims[0].origin(), None);
    }

    #[test]
    fn a_criterion_of_the_list_of_claims_is_no_word_of_the_paper() {
        let text =
            "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X'\nwhere = '1'\nquantity = 'q'\nstudy = 's'\ncriterion = 'a > 2'\n";
        let text = format!("{text}published = 'qualitative'\nlisted_criterion = 'a > b; c > d'\n");
        let listed = Ledger::parse("p", &text).unwrap().claims.remove(0);
        assert_eq!(listed.published, "qualitative");
        assert_eq!(
            listed.criterion_lines(),
            [("criterion, fixed before its study ran", "a > 2"), ("criterion of the list of claims", "a > b; c > d")]
        );
    }

    #[test]
    fn the_number_judged_has_its_interval() {
        let found = Finding::new(Verdict::Reproduced, "1.91 times as fast", "").value(1.9146);
        assert_eq!(found.number_judged(), None);
        let found = found.interval(Interval { low: 1.61, high: 2.35 });
        assert_eq!(found.number_judged().unwrap(), "1.91 (95 %: 1.61 to 2.35)");
    }
}
