//! Every commit in words, the newest first.

use super::markup::escaped;
use crate::history::Entry;
use crate::history_report::notes;
use crate::page::percent;
use crate::step::Step;

/// Lines of a list that are shown.
const SHOWN: usize = 40;

pub fn list(entries: &[Entry]) -> String {
    entries.iter().enumerate().rev().map(|(k, entry)| commit(k, entry)).collect()
}

fn commit(k: usize, entry: &Entry) -> String {
    let (day, subject) = entry.commit.as_ref().map_or(("", ""), |commit| (commit.date.as_str(), commit.subject.as_str()));
    let mut lines = vec![];
    if let Some(step) = &entry.step {
        lines.push(step.comparison.summary.rows());
        lines.push(step.comparison.summary.verdicts());
        lines.extend(details(step));
    }
    lines.extend(notes(entry));
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more; compare both commits for all"));
    }
    let lines: String = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line))).collect();
    format!(
        "<details id=\"commit-{k}\">\n<summary><code>{}</code> <span>{}</span> {}</summary>\n<ul>\n{lines}</ul>\n</details>\n",
        escaped(entry.label()),
        escaped(day),
        escaped(subject)
    )
}

fn details(step: &Step) -> Vec<String> {
    let mut lines = vec![];
    for study in &step.comparison.studies {
        for change in &study.verdicts.changed {
            lines.push(format!(
                "{}: {} {} ({}) became {} {} ({})",
                change.claim,
                change.old.sign(),
                change.old,
                change.measured_old,
                change.new.sign(),
                change.new,
                change.measured_new
            ));
        }
        let differing = study.tables.iter().filter(|table| !table.is_none());
        lines.extend(differing.map(|table| format!("{}/{}: {}", study.study, table.file, crate::difference::summary(table))));
    }
    let work = step
        .work
        .iter()
        .map(|of| format!("work: {}/{}, {}: {}", of.study, of.file, of.work.column, percent(of.work.ratio() - 1.0)));
    lines.extend(work);
    let times = step.times.iter().map(|time| format!("times: {}: {:.1} s, {:.1} s before", time.study, time.new, time.old));
    lines.extend(times);
    lines
}
