//! The ledger of published numbers, and the verdicts on them.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::judge::criterion::Estimate;
use crate::judge::sample::Sample;
use crate::judge::statistics::Interval;

/// What came of a claim.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The criterion is met.
    Reproduced,
    /// A formula that the paper prints with a slip holds as its errata correct it.
    ReproducedAsCorrected,
    /// The effect is there, with another size.
    DirectionOnly,
    /// The criterion is not met.
    NotReproduced,
    /// The measurement cannot tell.
    Inconclusive,
    /// The paper leaves too much open.
    Underspecified,
    /// The paper contradicts itself.
    Inconsistent,
    /// It depends on the machine of its time.
    HardwareBound,
}

impl Verdict {
    /// All, best first.
    pub const ALL: [Verdict; 8] = [
        Verdict::Reproduced,
        Verdict::ReproducedAsCorrected,
        Verdict::DirectionOnly,
        Verdict::NotReproduced,
        Verdict::Inconclusive,
        Verdict::Underspecified,
        Verdict::Inconsistent,
        Verdict::HardwareBound,
    ];

    /// What it says of a claim, as a part of a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Verdict::Reproduced => "the criterion is met",
            Verdict::ReproducedAsCorrected => "what is printed does not hold, and meets the criterion once a slip is corrected",
            Verdict::DirectionOnly => "the effect is there, with another size than published",
            Verdict::NotReproduced => "neither the criterion is met nor that of direction only, where there is one",
            Verdict::Inconclusive => "the measurement cannot tell: its own spread or error is too large",
            Verdict::Underspecified => "the paper leaves too much open to be held to a number",
            Verdict::Inconsistent => "the paper contradicts itself, so that no measurement can meet all it says",
            Verdict::HardwareBound => "the number depends on the machine of its time",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::ReproducedAsCorrected => "reproduced as corrected",
            Verdict::DirectionOnly => "direction only",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Underspecified => "underspecified",
            Verdict::Inconsistent => "inconsistent in the paper",
            Verdict::HardwareBound => "hardware-bound",
        })
    }
}

/// A published number or statement.
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
    /// What must be measured for it to hold, fixed before the run unless `amended`, see [`Origin`]; absent as long as its study is not written.
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
}

/// How a criterion came about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Origin {
    /// Fixed before its study ran, and never changed.
    Before,
    /// Fixed before its study ran, while results of prototypes or of other studies were known.
    Informed,
    /// Changed after first results.
    Changed,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 3] = [Origin::Before, Origin::Informed, Origin::Changed];

    /// What stands before such a criterion.
    pub fn label(self) -> &'static str {
        match self {
            Origin::Before => "criterion, fixed before its study ran",
            Origin::Informed => "criterion, fixed with earlier measurements known",
            Origin::Changed => "criterion, changed after first results",
        }
    }

    /// What that means, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Origin::Before => {
                "it was written into the ledger before its study had a result, and has not been changed; the list of claims itself was made \
                 after prototypes had measured some of them, so that this is no preregistration in the strict sense"
            }
            Origin::Informed => {
                "it was written before the published run, by someone who knew what prototypes or earlier runs had measured; the section of the \
                 claim says what was known"
            }
            Origin::Changed => {
                "results were seen before it got its present words; the section of the claim says what was changed, when and why"
            }
        }
    }
}

/// The claims of one paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Short citation.
    pub paper: String,
    /// Full citation.
    pub citation: String,
    /// Its claims.
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
    /// What the paper says: `published` without the criterion that the list of claims adds where the paper gives no number.
    pub fn published_words(&self) -> &str {
        self.published.split_once("; criterion: ").map_or(&self.published, |(words, _)| words)
    }

    /// How its criterion came about; none without a criterion.
    pub fn origin(&self) -> Option<Origin> {
        self.criterion.as_ref()?;
        Some(match (&self.amended, &self.known) {
            (Some(_), _) => Origin::Changed,
            (None, Some(_)) => Origin::Informed,
            (None, None) => Origin::Before,
        })
    }

    /// The criterion as named lines: how it came about, what was changed and what was known; beside it that of the list of claims, where
    /// it has one.
    pub fn criterion_lines(&self) -> Vec<(&'static str, &str)> {
        let mut lines = vec![];
        if let (Some(criterion), Some(origin)) = (&self.criterion, self.origin()) {
            lines.push((origin.label(), criterion.as_str()));
        }
        lines.extend(self.amended.as_deref().map(|amended| ("what was changed", amended)));
        lines.extend(self.known.as_deref().map(|known| ("known when it was fixed", known)));
        let listed = self.published.split_once("; criterion: ").map(|(_, criterion)| criterion);
        lines.extend(listed.map(|criterion| ("criterion of the list of claims", criterion)));
        lines
    }
}

impl Ledger {
    /// Reads a ledger.
    ///
    /// # Errors
    /// TOML that is none, or has other keys; an amendment of no criterion.
    pub fn parse(name: &str, text: &str) -> Result<Ledger, LedgerError> {
        let refused = |reason: String| LedgerError { name: name.into(), reason };
        let ledger: Ledger = toml::from_str(text).map_err(|error| refused(error.message().into()))?;
        match ledger.claims.iter().find(|claim| claim.amended.is_some() && claim.criterion.is_none()) {
            Some(claim) => Err(refused(format!("{} has `amended` and no criterion: state the criterion", claim.id))),
            None => Ok(ledger),
        }
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
    /// The verdict.
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
}

impl Finding {
    /// A verdict, what was measured in words, and why; without a number, cases and readings so far.
    pub fn new(verdict: Verdict, measured: impl Into<String>, reason: impl Into<String>) -> Finding {
        let (measured, reason) = (measured.into(), reason.into());
        Finding { verdict, measured, value: None, interval: None, cases: 0, left_out: 0, reason, readings: vec![] }
    }

    /// With an estimate as the number judged, its interval and its cases.
    pub fn rests_on(self, Estimate { value, interval, cases }: &Estimate) -> Finding {
        Finding { value: Some(*value), interval: *interval, cases: *cases, ..self }
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
}

/// A line of `claims.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Judged {
    /// The claim.
    pub claim: String,
    /// The study.
    pub study: String,
    /// The verdict.
    pub verdict: Verdict,
    /// `published`, or in what the sample differs, which makes the verdict a preview; empty in results of older versions.
    #[serde(default)]
    pub sample: String,
    /// What was measured.
    pub measured: String,
    /// The number.
    pub value: Option<f64>,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Cases that it rests on.
    pub cases: usize,
    /// Cases left out.
    pub left_out: usize,
    /// Why.
    pub reason: String,
}

impl Judged {
    /// A finding from a sample as a line.
    pub fn new(claim: &str, study: &str, finding: &Finding, sample: &Sample) -> Judged {
        Judged {
            claim: claim.into(),
            study: study.into(),
            verdict: finding.verdict,
            sample: sample.to_string(),
            measured: finding.measured.clone(),
            value: finding.value,
            low: finding.interval.map(|interval| interval.low),
            high: finding.interval.map(|interval| interval.high),
            cases: finding.cases,
            left_out: finding.left_out,
            reason: finding.reason.clone(),
        }
    }

    /// Whether it judges nothing, since it comes from another sample than the published one.
    pub fn is_preview(&self) -> bool {
        self.sample.starts_with("preview")
    }
}

/// The columns of `claims.csv`: the fields of [`Judged`].
const COLUMNS: [&str; 11] =
    ["claim", "study", "verdict", "sample", "measured", "value", "low", "high", "cases", "left_out", "reason"];

/// Lines as a table, which has its header without lines too.
pub fn claims_csv(judged: &[Judged]) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    // writing plain fields to memory cannot fail
    let _ = writer.write_record(COLUMNS);
    for line in judged {
        let _ = writer.serialize(line);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_a_line_each() {
        let finding = Finding {
            verdict: Verdict::DirectionOnly,
            measured: "0.9, \"most\"".into(),
            value: Some(0.9),
            interval: Some(Interval { low: 0.8, high: 0.95 }),
            cases: 10,
            left_out: 1,
            reason: "why".into(),
            readings: vec![],
        };
        let judged = Judged::new("X-1", "study", &finding, &Sample::Preview("5 of 500 sets".into()));
        let text = claims_csv(std::slice::from_ref(&judged));
        assert_eq!(
            text,
            "claim,study,verdict,sample,measured,value,low,high,cases,left_out,reason\n\
             X-1,study,direction-only,preview: 5 of 500 sets,\"0.9, \"\"most\"\"\",0.9,0.8,0.95,10,1,why\n"
        );
        let read = |text: &str| csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<Vec<Judged>, _>>();
        assert_eq!(read(&text).unwrap(), std::slice::from_ref(&judged));
        assert!(judged.is_preview() && !Judged::new("X-1", "study", &finding, &Sample::Published).is_preview());
        let older = text.replace(",sample,", ",").replace("preview: 5 of 500 sets,", "");
        assert_eq!(read(&older).unwrap(), [Judged { sample: String::new(), ..judged }], "as verdicts were written once");
        assert_eq!(claims_csv(&[]), format!("{}\n", text.lines().next().unwrap()));
        assert_eq!(read(&claims_csv(&[])).unwrap(), []);
        assert_eq!(read("").unwrap(), [], "as tables without lines were written once");
    }

    #[test]
    fn a_ledger_refuses_keys_that_it_does_not_know() {
        let text =
            "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 's'\n";
        assert_eq!(Ledger::parse("p", text).unwrap().claims[0].id, "X");
        assert!(Ledger::parse("p", &format!("{text}tolerance = 3\n")).is_err());
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
        let claim = |published: &str| Ledger::parse("p", &format!("{text}published = '{published}'\n")).unwrap().claims.remove(0);
        assert_eq!(claim("about 2").published_words(), "about 2");
        let listed = claim("qualitative; criterion: a > b; c > d");
        assert_eq!(listed.published_words(), "qualitative");
        assert_eq!(
            listed.criterion_lines(),
            [("criterion, fixed before its study ran", "a > 2"), ("criterion of the list of claims", "a > b; c > d")]
        );
    }
}
