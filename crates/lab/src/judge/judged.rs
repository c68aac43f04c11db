//! Verdicts as a table.

use serde::{Deserialize, Serialize};

use crate::judge::claims::{Finding, Verdict};
use crate::judge::rule::outcome::NumberFound;
use crate::judge::rule::verdict::Answers;
use crate::judge::sample::Sample;

/// A line of `claims.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Judged {
    pub claim: String,
    pub study: String,
    pub verdict: Verdict,
    /// Answers to both questions: the effect is there, it is as large as published. Empty without a rule, and in results of older
    /// versions.
    #[serde(default)]
    pub direction: String,
    #[serde(default)]
    pub size: String,
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
    pub reason: String,
}

/// Ends that lie anywhere stay empty.
fn is_finite(end: &f64) -> bool {
    end.is_finite()
}

impl Judged {
    /// A finding from a sample as a line.
    pub fn new(claim: &str, study: &str, finding: &Finding, sample: &Sample) -> Judged {
        Judged {
            claim: claim.into(),
            study: study.into(),
            verdict: finding.verdict,
            direction: finding.answers.map_or("", Answers::direction_word).into(),
            size: finding.answers.map_or("", Answers::size_word).into(),
            sample: sample.to_string(),
            measured: finding.measured.clone(),
            value: finding.value,
            low: finding.interval.map(|interval| interval.low).filter(is_finite),
            high: finding.interval.map(|interval| interval.high).filter(is_finite),
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
const COLUMNS: [&str; 13] = [
    "claim",
    "study",
    "verdict",
    "direction",
    "size",
    "sample",
    "measured",
    "value",
    "low",
    "high",
    "cases",
    "left_out",
    "reason",
];

/// Lines as a table, which has its header without lines too.
pub fn claims_csv(judged: &[Judged]) -> String {
    table(&COLUMNS, judged)
}

/// A line of `claims-numbers.csv`: a number that a claim rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberLine {
    claim: String,
    /// Variant, or setting that is not stated; empty where there is one form alone.
    view: String,
    number: String,
    /// The stratum of its cases; empty where there are none.
    stratum: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    cases: usize,
    lost: usize,
    /// Ends of what is published.
    published_low: Option<f64>,
    published_high: Option<f64>,
    direction: &'static str,
    size: &'static str,
}

/// The columns of `claims-numbers.csv`: the fields of [`NumberLine`].
const COLUMNS_OF_NUMBERS: [&str; 13] = [
    "claim",
    "view",
    "number",
    "stratum",
    "value",
    "low",
    "high",
    "cases",
    "lost",
    "published_low",
    "published_high",
    "direction",
    "size",
];

impl NumberLine {
    /// The numbers of the rule of a claim.
    pub fn all(claim: &str, finding: &Finding) -> Vec<NumberLine> {
        let line = |(view, number): &(String, NumberFound)| {
            let estimate = &number.found.estimate;
            NumberLine {
                claim: claim.into(),
                view: view.clone(),
                number: number.called.clone(),
                stratum: number.stratum.clone(),
                value: Some(estimate.value).filter(|value| !value.is_nan()),
                low: estimate.interval.map(|interval| interval.low).filter(is_finite),
                high: estimate.interval.map(|interval| interval.high).filter(is_finite),
                cases: estimate.cases,
                lost: number.found.lost,
                published_low: number.published.map(|[low, _]| low),
                published_high: number.published.map(|[_, high]| high),
                direction: number.answers.direction_word(),
                size: number.answers.size_word(),
            }
        };
        finding.numbers.iter().map(line).collect()
    }
}

/// Numbers as a table, which has its header without lines too.
pub fn numbers_csv(numbers: &[NumberLine]) -> String {
    table(&COLUMNS_OF_NUMBERS, numbers)
}

fn table(columns: &[&str], lines: &[impl Serialize]) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    // writing plain fields to memory cannot fail
    let _ = writer.write_record(columns);
    for line in lines {
        let _ = writer.serialize(line);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::criterion::Answer;
    use crate::judge::statistics::Interval;

    #[test]
    fn verdicts_have_a_line_each() {
        let finding = Finding::new(Verdict::DirectionOnly, "0.9, \"most\"", "why").value(0.9).cases(10).left_out(1);
        let answers = Answers { direction: Some(Answer::Yes), size: Some(Answer::Open) };
        let finding = Finding { answers: Some(answers), ..finding.interval(Interval { low: 0.8, high: 0.95 }) };
        let judged = Judged::new("X-1", "study", &finding, &Sample::Preview("5 of 500 sets".into()));
        let text = claims_csv(std::slice::from_ref(&judged));
        assert_eq!(
            text,
            "claim,study,verdict,direction,size,sample,measured,value,low,high,cases,left_out,reason\n\
             X-1,study,direction-only,met,open,preview: 5 of 500 sets,\"0.9, \"\"most\"\"\",0.9,0.8,0.95,10,1,why\n"
        );
        let read = |text: &str| csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<Vec<Judged>, _>>();
        assert_eq!(read(&text).unwrap(), std::slice::from_ref(&judged));
        assert!(judged.is_preview() && !Judged::new("X-1", "study", &finding, &Sample::Published).is_preview());
        let older = text.replace(",direction,size,sample,", ",").replace("met,open,preview: 5 of 500 sets,", "");
        let without = Judged { sample: String::new(), direction: String::new(), size: String::new(), ..judged };
        assert_eq!(read(&older).unwrap(), [without], "as verdicts were written once");
        assert_eq!(claims_csv(&[]), format!("{}\n", text.lines().next().unwrap()));
        assert_eq!(read(&claims_csv(&[])).unwrap(), []);
        assert_eq!(read("").unwrap(), [], "as tables without lines were written once");
    }
}
