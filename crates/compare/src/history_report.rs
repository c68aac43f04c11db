//! A history as a page of text.

use lab::terminal::shortened;

use crate::difference::counted;
use crate::history::{Entry, History};
use crate::page::{Block, counts_in_words, percent, summary};
use crate::step::Step;

/// Most characters of a subject in the table.
const SUBJECT: usize = 44;

pub fn blocks(history: &History) -> Vec<Block> {
    let (first, last) = (history.entries.first(), history.entries.last());
    let label = |entry: Option<&Entry>| entry.map_or("", Entry::label).to_owned();
    let noun = if history.entries.iter().all(|entry| entry.commit.is_some()) { "commit" } else { "place" };
    let mut blocks =
        vec![Block::Title(format!("{} from {} to {}", counted(history.entries.len(), noun), label(first), label(last)))];
    blocks.extend(summary(history.outcome(), three_lines(history)));
    let header = vec!["commit", "day", "subject", "bits", "rounding", "real", "added", "removed", "verdicts", "work", "seconds"];
    blocks.push(Block::Grid(header, history.entries.iter().map(row).collect()));
    let verdicts: Vec<Vec<String>> = history.entries.iter().flat_map(verdict_rows).collect();
    if !verdicts.is_empty() {
        let header = vec!["commit", "claim", "old", "new", ""];
        blocks.push(Block::Part("verdicts that changed".into(), vec![Block::Grid(header, verdicts)]));
    }
    let notes: Vec<Block> = history.entries.iter().flat_map(notes).map(Block::Line).collect();
    if !notes.is_empty() {
        blocks.push(Block::Part("notes".into(), notes));
    }
    blocks
}

/// The last results against the first, in three lines.
pub fn three_lines(history: &History) -> [String; 3] {
    let summary = &history.ends.summary;
    let steps: Vec<&Step> = history.steps().collect();
    let flips: usize =
        steps.iter().map(|step| step.comparison.studies.iter().map(|study| study.verdicts.changed.len()).sum::<usize>()).sum();
    let quiet = steps.iter().filter(|step| step.comparison.summary.is_quiet()).count();
    let broken: Vec<&str> = history
        .entries
        .iter()
        .filter(|entry| entry.step.as_ref().is_some_and(Step::breaks_determinism))
        .map(Entry::label)
        .collect();
    let outcome = match broken[..] {
        [] => format!("last against first: {}", history.ends.outcome.told()),
        _ => format!("determinism broken: the same code on the same ranges gave other rows, at {}", broken.join(", ")),
    };
    let times = if history.steps().any(|step| !step.times.is_empty()) {
        let measured = history.steps().filter(|step| !step.times.is_empty()).count();
        format!("; times: {measured} of {} measured some study anew on the same machine", counted(steps.len(), "step"))
    } else {
        String::new()
    };
    let quiet =
        if quiet > 0 { format!("; {quiet} of {} left all rows alone", counted(steps.len(), "step")) } else { String::new() };
    [outcome, summary.rows() + &quiet, format!("{}; {} on the way{times}", summary.verdicts(), counted(flips, "change"))]
}

fn row(entry: &Entry) -> Vec<String> {
    let commit = entry.commit.clone().unwrap_or_default();
    let subject = shortened(&commit.subject, SUBJECT);
    let mut cells = vec![entry.label().to_owned(), commit.date, subject];
    match &entry.step {
        None => cells.extend([""; 7].map(str::to_owned)),
        Some(step) => {
            let of = &step.comparison.summary;
            let number = |count: usize| if count == 0 { "·".to_owned() } else { count.to_string() };
            cells.extend([of.rows_bits, of.rows_rounding, of.rows_real, of.rows_added, of.rows_removed].map(number));
            cells.push(verdicts_in_brief(step));
            cells.push(work_in_brief(step));
        }
    }
    cells.push(seconds(entry));
    cells
}

fn verdicts_in_brief(step: &Step) -> String {
    let of = &step.comparison.summary;
    let counts = [
        (of.verdicts_worse, "worse"),
        (of.verdicts_changed, "changed"),
        (of.verdicts_restated, "restated"),
        (of.verdicts_added, "new"),
        (of.verdicts_removed, "gone"),
    ];
    counts_in_words(counts).unwrap_or_else(|| "·".into())
}

/// The largest change of work.
pub fn work_in_brief(step: &Step) -> String {
    match &step.work[..] {
        [] => "·".into(),
        [largest, others @ ..] => {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            format!("{} {}{more}", percent(largest.work.ratio() - 1.0), largest.work.column)
        }
    }
}

/// Time of all cases, and its change where the machine is the same.
fn seconds(entry: &Entry) -> String {
    if entry.seconds == 0.0 {
        return String::new();
    }
    let ratio = entry.step.as_ref().and_then(Step::time_ratio);
    let change = ratio.map_or_else(String::new, |ratio| format!(" ({})", percent(ratio - 1.0)));
    format!("{:.0}{change}", entry.seconds)
}

fn verdict_rows(entry: &Entry) -> Vec<Vec<String>> {
    let changed = entry.step.iter().flat_map(|step| &step.comparison.studies).flat_map(|study| &study.verdicts.changed);
    let row = |change: &crate::VerdictChange| {
        let told = |verdict: lab::judge::claims::Verdict, measured: &str| format!("{} {verdict}: {measured}", verdict.sign());
        let old = told(change.old, &change.measured_old);
        let worse = if change.is_worse() { "worse" } else { "" };
        vec![entry.label().to_owned(), change.claim.clone(), old, told(change.new, &change.measured_new), worse.into()]
    };
    changed.map(row).collect()
}

/// What else there is to say of an entry.
pub fn notes(entry: &Entry) -> Vec<String> {
    let mut notes = vec![];
    let label = entry.label();
    if let Some(step) = &entry.step {
        for (names, what) in [(&step.comparison.studies_added, "added"), (&step.comparison.studies_removed, "removed")] {
            if !names.is_empty() {
                notes.push(format!("{label}: studies {what}: {}", names.join(", ")));
            }
        }
        if step.breaks_determinism() {
            notes.extend(step.comparison.reasons.iter().map(|reason| format!("{label}: determinism broken: {reason}")));
        }
    }
    let kept = |(study, reason): &(String, String)| format!("{label}: {study} is passed over: {reason}");
    notes.extend(entry.unreadable.iter().map(kept));
    notes
}
