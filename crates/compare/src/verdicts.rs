//! Verdicts of two sides.

use std::collections::{BTreeMap, BTreeSet};

use lab::judge::claims::Verdict;
use lab::judge::judged::Judged;
use serde::Serialize;

/// What differs in the verdicts of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdicts {
    /// Verdicts that changed.
    pub changed: Vec<VerdictChange>,
    /// Claims whose verdict stayed while what was measured changed.
    pub restated: Vec<String>,
    /// Claims that only the new side judges.
    pub added: Vec<String>,
    /// Claims that only the old side judges.
    pub removed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerdictChange {
    pub claim: String,
    pub old: Verdict,
    pub new: Verdict,
    /// What was measured.
    pub measured_old: String,
    /// What is measured now.
    pub measured_new: String,
    /// Whether it rests on times, which no committed result decides.
    pub of_times: bool,
    /// Whether one of both is a preview, which judges nothing.
    pub of_preview: bool,
}

impl VerdictChange {
    /// Whether less of the paper holds than before: from reproduced to anything else, or from direction only to neither.
    pub fn is_worse(&self) -> bool {
        let rank = |verdict| match verdict {
            verdict if verdict.holds() => 0,
            Verdict::SizeOpen | Verdict::DirectionOnly => 1,
            _ => 2,
        };
        !self.of_times && !self.of_preview && rank(self.new) > rank(self.old)
    }
}

impl Verdicts {
    /// Compares the verdicts of two sides and adds what differs.
    pub fn add(&mut self, old: &[Judged], new: &[Judged], of_times: bool) {
        let by_claim = |judged: &[Judged]| judged.iter().map(|line| (line.claim.clone(), line.clone())).collect();
        let (old, new): (BTreeMap<_, Judged>, BTreeMap<_, Judged>) = (by_claim(old), by_claim(new));
        for claim in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            match (old.get(claim), new.get(claim)) {
                (Some(old), Some(new)) if old.verdict != new.verdict => self.changed.push(VerdictChange {
                    claim: claim.clone(),
                    old: old.verdict,
                    new: new.verdict,
                    measured_old: old.measured.clone(),
                    measured_new: new.measured.clone(),
                    of_times,
                    of_preview: old.is_preview() || new.is_preview(),
                }),
                (Some(old), Some(new)) if !are_alike(old, new) => self.restated.push(claim.clone()),
                (Some(_), None) => self.removed.push(claim.clone()),
                (None, Some(_)) => self.added.push(claim.clone()),
                _ => {}
            }
        }
    }

    /// Whether nothing differs.
    pub fn is_none(&self) -> bool {
        *self == Verdicts::default()
    }

    /// Whether a verdict got worse, or is gone.
    pub fn loses(&self) -> bool {
        !self.removed.is_empty() || self.changed.iter().any(VerdictChange::is_worse)
    }
}

/// Whether two lines say the same; those of older versions do not say what sample they are of.
fn are_alike(old: &Judged, new: &Judged) -> bool {
    let told = !old.sample.is_empty() && !new.sample.is_empty();
    let sample = if told { &old.sample } else { &new.sample };
    Judged { sample: sample.clone(), ..old.clone() } == *new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(claim: &str, verdict: Verdict, measured: &str) -> Judged {
        Judged {
            claim: claim.into(),
            study: "s".into(),
            verdict,
            direction: String::new(),
            size: String::new(),
            sample: "published".into(),
            measured: measured.into(),
            value: None,
            low: None,
            high: None,
            cases: 1,
            left_out: 0,
            reason: String::new(),
        }
    }

    fn differing(old: &[Judged], new: &[Judged]) -> Verdicts {
        let mut verdicts = Verdicts::default();
        verdicts.add(old, new, false);
        verdicts
    }

    #[test]
    fn every_kind_of_difference_is_told() {
        use Verdict::*;
        let old =
            [judged("A", Reproduced, "1"), judged("B", Reproduced, "1"), judged("C", Open, "1"), judged("D", Reproduced, "1")];
        let new = [
            judged("A", Reproduced, "1"),
            judged("B", Reproduced, "2"),
            judged("C", Reproduced, "1"),
            judged("E", Reproduced, "1"),
        ];
        let found = differing(&old, &new);
        assert_eq!(
            (found.restated.as_slice(), found.added.as_slice(), found.removed.as_slice()),
            (["B".to_owned()].as_slice(), ["E".to_owned()].as_slice(), ["D".to_owned()].as_slice())
        );
        assert_eq!(found.changed.len(), 1);
        assert!(!found.changed[0].is_worse());
        assert!(found.loses(), "a claim is no longer judged");
        assert!(differing(&old, &old).is_none());
    }

    #[test]
    fn fewer_holding_is_worse() {
        use Verdict::*;
        let loses = |old, new| differing(&[judged("A", old, "")], &[judged("A", new, "")]).loses();
        assert!(loses(Reproduced, DirectionOnly) && loses(Reproduced, Described) && loses(DirectionOnly, NotReproduced));
        assert!(!loses(DirectionOnly, Reproduced) && !loses(NotReproduced, Open) && !loses(Open, NotReproduced));
        let mut of_times = Verdicts::default();
        of_times.add(&[judged("A", Reproduced, "")], &[judged("A", NotReproduced, "")], true);
        assert!(!of_times.is_none() && !of_times.loses());
    }

    #[test]
    fn a_preview_is_told_and_loses_nothing() {
        let sampled = |sample: &str, verdict| Judged { sample: sample.into(), ..judged("A", verdict, "") };
        let [published, preview] = [("published", Verdict::Reproduced), ("preview: seed 7", Verdict::NotReproduced)]
            .map(|(sample, verdict)| sampled(sample, verdict));
        let found = differing(std::slice::from_ref(&published), &[preview]);
        assert!(found.changed[0].of_preview && !found.loses());
        let older = sampled("", Verdict::Reproduced);
        assert!(differing(std::slice::from_ref(&older), std::slice::from_ref(&published)).is_none());
        assert!(differing(std::slice::from_ref(&published), std::slice::from_ref(&older)).is_none());
        assert_eq!(differing(&[published], &[sampled("preview: seed 7", Verdict::Reproduced)]).restated, ["A"]);
    }
}
