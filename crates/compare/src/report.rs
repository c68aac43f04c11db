//! A comparison as a page.

use crate::comparison::{Comparison, Named};
use crate::difference::{self, StudyDifference, counted};
use crate::outcome::Outcome;
use crate::page::{Block, Tone, add_names, percent, summary};
use crate::rows::TableDifference;
use crate::times::{BuiltTime, CommittedTime, Decision, Times};

pub fn blocks(comparison: &Comparison) -> Vec<Block> {
    let named = |side: &Named| match &side.commit {
        Some(commit) if !commit.starts_with(&side.name) => format!("{} ({})", side.name, &commit[..commit.len().min(9)]),
        _ => side.name.clone(),
    };
    let mut blocks = vec![Block::Title(format!("{} against {}", named(&comparison.old), named(&comparison.new)))];
    blocks.extend(summary(comparison.outcome, comparison.three_lines()));
    let (same, differing): (Vec<_>, Vec<_>) = comparison.studies.iter().partition(|study| study.is_same());
    add_names(&mut blocks, "studies added", &comparison.studies_added);
    add_names(&mut blocks, "studies removed", &comparison.studies_removed);
    blocks.extend(same.into_iter().chain(differing).map(study));
    if comparison.outcome != Outcome::Same {
        let tone = Tone::of(comparison.outcome);
        let reasons = comparison.reasons.iter().map(|reason| Block::Item(tone, reason.clone())).collect();
        blocks.push(Block::Part(format!("{}:", comparison.outcome.told()), reasons));
    }
    blocks
}

fn study(study: &StudyDifference) -> Block {
    let mut blocks = vec![];
    let tables = study.tables.len();
    let code = match &study.identity {
        None => "the same code and ranges".to_owned(),
        Some(difference) => format!("the old results are {difference}"),
    };
    let of_same = study.tables.iter().filter(|table| table.is_none());
    let rows: usize = of_same.clone().map(|table| table.rows_new).sum();
    let same = of_same.count();
    let line = if same > 0 { format!("identical: {}; {code}", rows_in(rows, same)) } else { code };
    blocks.push(Block::Line(line));
    add_names(&mut blocks, "tables added", &study.tables_added);
    add_names(&mut blocks, "tables removed", &study.tables_removed);
    blocks.extend(study.unequal_runs.iter().map(|line| Block::Line(line.clone())));
    study.tables.iter().filter(|table| !table.is_none()).for_each(|table| add_table(&mut blocks, table));
    add_verdicts(&mut blocks, study);
    add_times(&mut blocks, study);
    let differing = tables - same;
    let title = match differing {
        0 => study.study.clone(),
        _ => format!("{}: {} that differ{}", study.study, counted(differing, "table"), if differing == 1 { "s" } else { "" }),
    };
    Block::Part(title, blocks)
}

fn rows_in(rows: usize, tables: usize) -> String {
    format!("{} in {}", counted(rows, "row"), counted(tables, "table"))
}

fn add_table(blocks: &mut Vec<Block>, table: &TableDifference) {
    blocks.push(Block::Line(format!("{} (rows by {}): {}", table.file, table.key.join(", "), difference::summary(table))));
    if table.columns.is_empty() {
        return;
    }
    let rows = table.columns.iter().map(|column| {
        let change = |change: Option<f64>| change.map_or_else(String::new, percent);
        vec![
            column.column.clone(),
            column.rows.to_string(),
            column.change.word().into(),
            change(column.median),
            change(column.worst),
            column.worst_set.to_string(),
            shown(&column.old),
            shown(&column.new),
        ]
    });
    let header = vec!["column", "rows", "class", "median change", "worst change", "in set", "old", "new"];
    blocks.push(Block::Grid(header, rows.collect()));
}

/// A cell, or that it is empty.
fn shown(cell: &str) -> String {
    if cell.is_empty() { "(empty)".into() } else { cell.into() }
}

fn add_verdicts(blocks: &mut Vec<Block>, study: &StudyDifference) {
    let verdicts = &study.verdicts;
    add_names(blocks, "claims judged now", &verdicts.added);
    add_names(blocks, "claims no longer judged", &verdicts.removed);
    add_names(blocks, "claims with the same verdict on other numbers", &verdicts.restated);
    if verdicts.changed.is_empty() {
        return;
    }
    blocks.push(Block::Line("verdicts that changed:".into()));
    let rows = verdicts.changed.iter().map(|change| {
        let basis = if change.of_preview {
            "a preview"
        } else if change.of_times {
            "times"
        } else {
            "rows"
        };
        let old = format!("{}: {}", change.old, change.measured_old);
        vec![change.claim.clone(), basis.into(), old, format!("{}: {}", change.new, change.measured_new)]
    });
    blocks.push(Block::Grid(vec!["claim", "rests on", "old", "new"], rows.collect()));
}

fn add_times(blocks: &mut Vec<Block>, study: &StudyDifference) {
    let interval = |interval: Option<[f64; 2]>| interval.map_or_else(String::new, |[low, high]| format!("{low:.3} to {high:.3}"));
    match &study.times {
        Times::NotAsked => {}
        Times::Refused(reason) => blocks.push(Block::Line(format!("times are not compared: {reason}"))),
        Times::Committed(groups) => {
            blocks.push(Block::Line("times, of different runs on the same machine, so that only --build decides:".into()));
            let row = |time: &CommittedTime| {
                let how = if time.alone { "alone" } else { "among others" };
                let [old, new] = [time.old, time.new].map(|seconds| format!("{seconds:.6}"));
                let ratio = format!("{:.3}", time.ratio);
                vec![time.group.clone(), time.sets.to_string(), how.into(), old, new, ratio, interval(time.interval)]
            };
            let header = vec!["group", "sets", "measured", "old [s]", "new [s]", "ratio", "95 %"];
            blocks.push(Block::Grid(header, groups.iter().map(row).collect()));
        }
        Times::Built(groups) => {
            let rounds = groups.first().map_or(0, |time| time.rounds);
            blocks.push(Block::Line(format!("times of both builds in turn, {rounds} rounds:")));
            if let Some(control) = &study.control {
                let told = if control.moved {
                    "the machine itself changed, so that no verdict on times is told"
                } else {
                    "the machine was the same"
                };
                let between = control.interval.map_or_else(String::new, |[low, high]| format!(" (95 %: {low:.3} to {high:.3})"));
                blocks.push(Block::Line(format!("control, new over old: {:.3}{between}: {told}", control.ratio)));
            }
            let number = |value: Option<f64>, digits: usize| value.map_or_else(String::new, |value| format!("{value:.digits$}"));
            let row = |time: &BuiltTime| {
                let decision = match time.decision {
                    Decision::Slower => "slower",
                    Decision::Faster => "faster",
                    Decision::Same => "no change",
                    Decision::Inconclusive if time.sets == 0 => "inconclusive: too short to time",
                    Decision::Inconclusive => "inconclusive",
                    Decision::Withheld => "withheld",
                };
                vec![
                    time.group.clone(),
                    time.sets.to_string(),
                    number(time.old, 6),
                    number(time.new, 6),
                    number(time.ratio, 3),
                    interval(time.interval),
                    number(time.floor, 3),
                    time.q.map_or_else(String::new, |q| format!("{q:.1e}")),
                    decision.into(),
                ]
            };
            let header = vec!["group", "sets", "old [s]", "new [s]", "ratio", "95 %", "A/A", "q", ""];
            blocks.push(Block::Grid(header, groups.iter().map(row).collect()));
        }
    }
}
