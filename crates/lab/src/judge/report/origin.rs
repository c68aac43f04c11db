//! Where results come from, in a sentence.

use std::collections::BTreeMap;

use crate::judge::report::section::Section;

/// Most commits that are named one by one.
const MOST_COMMITS: usize = 3;

/// When, where and of which commits the studies were measured, and how long that took.
pub(crate) fn measured(sections: &[Section]) -> String {
    let runs: Vec<_> = sections.iter().filter_map(|section| section.provenance.as_ref()).collect();
    let day = |time: &str| time.get(..10).unwrap_or(time).to_owned();
    let (Some(first), Some(last)) = (runs.iter().map(|run| day(&run.start)).min(), runs.iter().map(|run| day(&run.end)).max())
    else {
        return "Nothing was measured yet.".into();
    };
    let (mut machines, mut commits) = (BTreeMap::new(), BTreeMap::new());
    for run in &runs {
        *machines.entry(format!("{} with {} cores", run.machine.cpu, run.machine.cores)).or_insert(0) += 1;
        let commit = run.sources.commit.as_deref().unwrap_or("unknown");
        *commits.entry(commit.get(..7).unwrap_or(commit)).or_insert(0) += 1;
    }
    let listed = |counts: Vec<(&str, i32)>| match counts[..] {
        [(only, _)] => only.to_owned(),
        _ => counts.iter().map(|(name, count)| format!("{name} ({count})")).collect::<Vec<_>>().join(", "),
    };
    let days = if first == last { first } else { format!("{first} to {last}") };
    let machines = listed(machines.iter().map(|(name, count)| (name.as_str(), *count)).collect());
    let commits = match commits.len() {
        1 => format!("commit {}", listed(commits.into_iter().collect())),
        few if few <= MOST_COMMITS => format!("commits {}", listed(commits.into_iter().collect())),
        many => format!("{many} commits, which stand with the studies"),
    };
    let minutes = runs.iter().map(|run| run.seconds).sum::<f64>() / 60.0;
    format!("Measured {days} on {machines}, in {minutes:.0} minutes, at {commits}.")
}
