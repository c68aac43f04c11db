//! A comparison as text for people: aligned for a terminal, or Markdown.

use lab::terminal::{printable, shortened, without_control};

use crate::comparison::{Comparison, Named, Outcome, StudyDifference, counted, summary};
use crate::rows::TableDifference;
use crate::times::{BuiltTime, CommittedTime, Decision, Times};

/// A part of a page.
enum Block {
    Heading(usize, String),
    Line(String),
    Grid(Vec<&'static str>, Vec<Vec<String>>),
}

/// Most characters of a cell on a terminal.
const WIDEST: usize = 60;

/// The page for a terminal, which nothing that stood in a file commands.
pub fn text(comparison: &Comparison) -> String {
    let line = |text: &str| printable(&text.replace('\n', " "));
    let cell = |text: &String| shortened(&without_control(&text.replace(['\n', '\t'], " ")), WIDEST);
    let mut page = String::new();
    for block in blocks(comparison) {
        match block {
            Block::Heading(1, text) => page += &format!("{}\n", line(&text)),
            Block::Heading(_, text) => page += &format!("\n{}\n", line(&text)),
            Block::Line(text) => page += &format!("  {}\n", line(&text)),
            Block::Grid(header, rows) => {
                let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
                page += &aligned(&header, &rows);
            }
        }
    }
    page
}

/// The page as Markdown.
pub fn markdown(comparison: &Comparison) -> String {
    let cell = |text: &str| text.replace(char::is_control, " ").replace('|', "\\|").replace('&', "&amp;").replace('<', "&lt;");
    let mut page = String::new();
    for block in blocks(comparison) {
        match block {
            Block::Heading(level, line) => page += &format!("{} {}\n\n", "#".repeat(level), cell(&line)),
            Block::Line(line) => page += &format!("{}\n\n", cell(&line)),
            Block::Grid(header, rows) => {
                page += &format!("| {} |\n|{}\n", header.join(" | "), " --- |".repeat(header.len()));
                for row in rows {
                    page += &format!("| {} |\n", row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
                }
                page.push('\n');
            }
        }
    }
    page.trim_end().to_owned() + "\n"
}

fn aligned(header: &[&str], rows: &[Vec<String>]) -> String {
    let length = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..header.len())
        .map(|k| rows.iter().map(|row| length(&row[k])).chain([length(header[k])]).max().unwrap_or_default())
        .collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - length(cell))));
        format!("    {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let body: String = rows.iter().map(|row| line(row.iter().map(String::as_str).collect())).collect();
    line(header.to_vec()) + &body
}

fn blocks(comparison: &Comparison) -> Vec<Block> {
    let named = |side: &Named| match &side.commit {
        Some(commit) if !commit.starts_with(&side.name) => format!("{} ({})", side.name, &commit[..commit.len().min(9)]),
        _ => side.name.clone(),
    };
    let mut blocks = vec![Block::Heading(1, format!("{} against {}", named(&comparison.old), named(&comparison.new)))];
    add_names(&mut blocks, "studies added", &comparison.studies_added);
    add_names(&mut blocks, "studies removed", &comparison.studies_removed);
    comparison.studies.iter().for_each(|study| add_study(&mut blocks, study));
    blocks.push(Block::Heading(2, conclusion(comparison)));
    if comparison.outcome != Outcome::Same {
        blocks.extend(comparison.reasons.iter().map(|reason| Block::Line(reason.clone())));
    }
    blocks
}

/// A line on what has these names, where there are any.
fn add_names(blocks: &mut Vec<Block>, what: &str, names: &[String]) {
    if !names.is_empty() {
        blocks.push(Block::Line(format!("{what}: {}", names.join(", "))));
    }
}

fn conclusion(comparison: &Comparison) -> String {
    match comparison.outcome {
        Outcome::Same if comparison.studies.is_empty() => "nothing to compare: the sides have no study in common".into(),
        Outcome::Same => "the same: every row and every verdict".into(),
        Outcome::NoRegression => "no regression; what differs:".into(),
        Outcome::Regression => "a regression, or a change that only a person can judge:".into(),
        Outcome::DeterminismBroken => "determinism broken: the same code on the same ranges gave other rows:".into(),
    }
}

fn add_study(blocks: &mut Vec<Block>, study: &StudyDifference) {
    blocks.push(Block::Heading(2, study.study.clone()));
    let rows = study.row_count();
    let tables = study.tables.len();
    let code = match &study.identity {
        None => "the same code and ranges".to_owned(),
        Some(difference) => format!("the old results are {difference}"),
    };
    if study.is_same() {
        blocks.push(Block::Line(format!("identical: {}; {code}", rows_in(rows, tables))));
    } else {
        blocks.push(Block::Line(code));
    }
    add_names(blocks, "tables added", &study.tables_added);
    add_names(blocks, "tables removed", &study.tables_removed);
    blocks.extend(study.unequal_runs.iter().map(|line| Block::Line(line.clone())));
    let differing: Vec<&TableDifference> = study.tables.iter().filter(|table| !table.is_none()).collect();
    if !study.is_same() && differing.len() < tables {
        let same = study.tables.iter().filter(|table| table.is_none());
        let rows: usize = same.map(|table| table.rows_new).sum();
        blocks.push(Block::Line(format!("identical: {}", rows_in(rows, tables - differing.len()))));
    }
    differing.into_iter().for_each(|table| add_table(blocks, table));
    add_verdicts(blocks, study);
    add_times(blocks, &study.times);
}

fn rows_in(rows: usize, tables: usize) -> String {
    format!("{} in {}", counted(rows, "row"), counted(tables, "table"))
}

fn add_table(blocks: &mut Vec<Block>, table: &TableDifference) {
    blocks.push(Block::Line(format!("{} (rows by {}): {}", table.file, table.key.join(", "), summary(table))));
    if table.columns.is_empty() {
        return;
    }
    let rows = table.columns.iter().map(|column| {
        let change = |change: Option<f64>| change.map_or_else(String::new, percent);
        vec![
            column.column.clone(),
            column.rows.to_string(),
            change(column.median),
            change(column.worst),
            column.worst_set.to_string(),
            shown(&column.old),
            shown(&column.new),
        ]
    });
    let header = vec!["column", "rows", "median change", "worst change", "in set", "old", "new"];
    blocks.push(Block::Grid(header, rows.collect()));
}

/// A cell, or that it is empty.
fn shown(cell: &str) -> String {
    if cell.is_empty() { "(empty)".into() } else { cell.into() }
}

fn percent(change: f64) -> String {
    let percent = change * 100.0;
    match percent.abs() {
        0.0 => "0 %".into(),
        small if small < 0.01 => format!("{percent:+.1e} %"),
        large if large >= 1e4 => format!("{percent:+.1e} %"),
        _ => format!("{percent:+.2} %"),
    }
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

fn add_times(blocks: &mut Vec<Block>, times: &Times) {
    let interval = |interval: Option<[f64; 2]>| interval.map_or_else(String::new, |[low, high]| format!("{low:.3} to {high:.3}"));
    match times {
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
            let number = |value: Option<f64>, digits: usize| value.map_or_else(String::new, |value| format!("{value:.digits$}"));
            let row = |time: &BuiltTime| {
                let decision = match time.decision {
                    Decision::Slower => "slower",
                    Decision::Faster => "faster",
                    Decision::Same => "no change",
                    Decision::Inconclusive if time.sets == 0 => "inconclusive: too short to time",
                    Decision::Inconclusive => "inconclusive",
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
