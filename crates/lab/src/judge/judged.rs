//! Verdicts as a table.

use serde::{Deserialize, Serialize};

use crate::judge::claims::{Finding, Verdict};
use crate::judge::sample::Sample;

/// A line of `claims.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Judged {
    pub claim: String,
    pub study: String,
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
    use crate::judge::statistics::Interval;

    #[test]
    fn verdicts_have_a_line_each() {
        let finding = Finding::new(Verdict::DirectionOnly, "0.9, \"most\"", "why").value(0.9).cases(10).left_out(1);
        let finding = finding.interval(Interval { low: 0.8, high: 0.95 });
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
}
