//! Judges of a study that follow from the rules of its claims in the ledgers.

use lab::judge::rule::finding::find;
use lab::judge::rule::tables::{Groups, Tables};
use lab::study::{Judge, Study};

use crate::published::ledgers;

/// The study with a judge for each of its claims that has a rule and no judge yet, in the order of the ledgers. A ledger that
/// cannot be read judges nothing: every command that needs one says why.
pub fn with_rules(mut study: Study) -> Study {
    let claims = || ledgers().unwrap_or_default().iter().flat_map(|ledger| &ledger.claims);
    let groups = Groups::of(&study.groups);
    for claim in claims().filter(|claim| claim.study == study.name) {
        let is_judged = study.judges.iter().any(|judge| judge.claim == claim.id);
        let Ok(Some(rule)) = claim.rule() else { continue };
        if !is_judged {
            let (of_times, groups) = (rule.is_of_times(), groups.clone());
            let judge = Judge::of_counts(&claim.id, move |results| find(claim, &rule, &Tables::new(&groups, results)));
            study.judges.push(Judge { of_times, ..judge });
        }
    }
    let place = |id: &str| claims().position(|claim| claim.id == id);
    study.judges.sort_by_key(|judge| place(judge.claim));
    study
}
