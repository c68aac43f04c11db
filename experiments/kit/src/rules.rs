//! Judges of a study that follow from the rules of its claims in the ledgers.

use lab::judge::rule::finding::find;
use lab::judge::rule::tables::Tables;
use lab::study::{Judge, Study};

use crate::published::ledgers;

/// The study with a judge for each of its claims that has a rule, in the order of the ledgers. A ledger that cannot be read judges
/// nothing: every command that needs one says why.
pub fn with_rules(mut study: Study) -> Study {
    let claims = ledgers().unwrap_or_default().iter().flat_map(|ledger| &ledger.claims);
    let groups = study.tables();
    for claim in claims.filter(|claim| claim.study == study.name) {
        let Ok(Some(rule)) = claim.rule() else { continue };
        let (of_times, groups) = (groups.rests_on_times(&rule), groups.clone());
        let judge = Judge::of_counts(&claim.id, move |results| find(claim, &rule, &Tables::new(&groups, results)));
        study.judges.push(Judge { of_times, ..judge });
    }
    study
}
