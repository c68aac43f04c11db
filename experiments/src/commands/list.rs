use crate::output::say;
use crate::profile::Profile;
use crate::{Failure, studies, workspace};

/// Shows studies with their groups, claims and expected run times.
///
/// # Errors
/// A standard output that cannot be written.
pub fn list() -> Result<(), Failure> {
    let profile = Profile::load("paper")?;
    let ledgers = workspace::ledgers()?;
    let studies = studies::all(&profile.ranges);
    for study in &studies {
        say(format!("{}  {}", study.name, study.title))?;
        say(format!("  {}; about {:.0} s at paper scale on two cores", study.source, study.expected_seconds))?;
        for group in &study.groups {
            let kind = if group.sampled() { "sets" } else { "cases" };
            say(format!("  group {:<10} {:>5} {kind:<5}  {}", group.name(), group.sets(), group.about()))?;
        }
        for judge in &study.judges {
            let claim = ledgers.iter().flat_map(|ledger| &ledger.claims).find(|claim| claim.id == judge.claim);
            say(format!("  claim {:<15} {}", judge.claim, claim.map_or("", |claim| claim.quantity.as_str())))?;
        }
    }
    let studied = |id: &str| studies.iter().any(|study| study.judges.iter().any(|judge| judge.claim == id));
    let open = ledgers.iter().flat_map(|ledger| &ledger.claims).filter(|claim| !studied(&claim.id)).count();
    say(format!("not yet studied: {open} claims, listed in REPORT.md"))
}
