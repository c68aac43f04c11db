//! Where a verdict flipped, as a page of text.

use lab::judge::judged::Judged;

use crate::bisect::{Bisection, Cause, Flip};
use crate::difference::counted;
use crate::page::{Block, Tone};

pub fn blocks(bisection: &Bisection) -> Vec<Block> {
    let Bisection { claim, first, last, flips, .. } = bisection;
    let commits = counted(bisection.commits, "commit");
    let summary = match &flips[..] {
        [] => format!("it never flipped in {commits}"),
        [newest, ..] => format!("it flipped {} in {commits}, the last time at {}", times(flips.len()), newest.commit.short()),
    };
    let now = match last {
        Some(last) => format!("at {}: {}", last.commit.short(), told(Some(&last.judged))),
        None => "it is no longer judged".into(),
    };
    let tone = if flips.is_empty() { Tone::Good } else { Tone::Mixed };
    let mut blocks = vec![
        Block::Title(format!("{claim}, a claim of {}", first.judged.study)),
        Block::Item(tone, summary),
        Block::Item(
            Tone::Plain,
            format!("first judged at {}, {}: {}", first.commit.short(), first.commit.date, told(Some(&first.judged))),
        ),
        Block::Item(Tone::Plain, now),
    ];
    blocks.extend(flips.iter().map(flip));
    blocks
}

fn times(count: usize) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

fn told(judged: Option<&Judged>) -> String {
    judged.map_or_else(
        || "not judged".into(),
        |judged| format!("{} {}: {}", judged.verdict.sign(), judged.verdict, judged.measured),
    )
}

fn flip(flip: &Flip) -> Block {
    let title = format!("{}, {}: {}", flip.commit.short(), flip.commit.date, flip.commit.subject);
    let mut lines = vec![
        format!("before, at {}: {}", flip.before.short(), told(flip.old.as_ref())),
        format!("since: {}", told(flip.new.as_ref())),
    ];
    lines.extend(cause(&flip.cause, flip));
    Block::Part(title, lines.into_iter().map(Block::Line).collect())
}

fn cause(cause: &Cause, flip: &Flip) -> Vec<String> {
    match cause {
        Cause::Rows { study, group, set, rows, command } => vec![
            format!(
                "{} of {study} really changed; the smallest set that shows it is {set} of the group {group}:",
                counted(*rows, "row")
            ),
            format!("{command}   (at {} and at {})", flip.before.short(), flip.commit.short()),
        ],
        Cause::Rounding { study, rows } => {
            vec![format!("{} of {study} changed by rounding alone, which no set shows", counted(*rows, "row"))]
        }
        Cause::Others { study, told } => vec![format!("no row of {study} really changed, but rows came or went: {told}")],
        Cause::Judge { study } => vec![format!("the rows of {study} are equal: the judge, or the ledger, changed")],
        Cause::Times { study } => vec![format!("the rows of {study} are equal: the claim rests on times, or its judge changed")],
        Cause::Unknown { reason } => vec![format!("rows cannot be compared: {reason}")],
    }
}
