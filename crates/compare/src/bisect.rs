//! Commits at which the verdict on a claim flipped, and the smallest set that shows it.

use lab::judge::judged::Judged;
use serde::Serialize;

use crate::Mistake;
use crate::commits::{Commit, Range};
use crate::comparison::committed;
use crate::contents::{Blobs, Files};
use crate::difference::StudyDifference;
use crate::git::Repository;
use crate::near::near;
use crate::side::{by_study, readable};
use crate::study::{StudyResults, lines};

/// Where a verdict flipped.
#[derive(Clone, Debug, Serialize)]
pub struct Bisection {
    pub claim: String,
    /// Commits that were looked at.
    pub commits: usize,
    /// The first commit that judges it.
    pub first: Judgement,
    /// The verdict at the last commit; nothing where it is no longer judged.
    pub last: Option<Judgement>,
    /// Newest first.
    pub flips: Vec<Flip>,
}

/// The verdict of a commit.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    pub commit: Commit,
    pub judged: Judged,
}

#[derive(Clone, Debug, Serialize)]
pub struct Flip {
    /// The last commit before it that changed results.
    pub before: Commit,
    pub commit: Commit,
    /// Nothing where the claim was not judged.
    pub old: Option<Judged>,
    pub new: Option<Judged>,
    pub cause: Cause,
}

/// What of the study's rows changed with the verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Rows changed really; the smallest set of them.
    Rows { study: String, group: String, set: u64, rows: usize, command: String },
    /// Rows changed by rounding alone.
    Rounding { study: String, rows: usize },
    /// Rows came or went, and none changed.
    Others { study: String, told: String },
    /// Rows are the same, so that judge or ledger changed.
    Judge { study: String },
    /// Times, of which no row tells.
    Times { study: String },
    /// The study is on one side alone, or cannot be read.
    Unknown { reason: String },
}

impl Bisection {
    /// Looks at every commit of a range, or from the first one that judges the claim, along first parents.
    pub fn of(claim: &str, range: Option<Range>, repository: &Repository) -> Result<Bisection, Mistake> {
        let told = range.map_or_else(|| "HEAD".to_owned(), |range| format!("{}..{}", range.from, range.to));
        let mut commits = repository.changes_of_results(range.map(|range| range.from), range.map_or("HEAD", |range| range.to))?;
        if let Some(range) = range {
            commits.insert(0, repository.described(range.from)?);
        }
        let mut blobs = Blobs::default();
        let mut verdicts = vec![];
        let mut claims = std::collections::BTreeSet::new();
        for commit in commits {
            let files = repository.files(&commit.hash, "results", &mut blobs, holds_claims)?;
            let all = judged_in(&commit, &files);
            claims.extend(all.iter().map(|judged| judged.claim.clone()));
            verdicts.push((commit, all.into_iter().find(|judged| judged.claim == claim)));
        }
        if claims.is_empty() {
            return Err(Mistake::NoneInRange { range: told, what: "results".into() });
        }
        let judgement =
            |(commit, judged): &(Commit, Option<Judged>)| Some(Judgement { commit: commit.clone(), judged: judged.clone()? });
        let Some(first) = verdicts.iter().find_map(judgement) else {
            let near = format!("near it are {}", near(claim, claims.iter().map(String::as_str)).join(", "));
            return Err(Mistake::NoClaim { claim: claim.into(), range: told, near });
        };
        let from = verdicts.iter().position(|(_, judged)| judged.is_some()).unwrap_or_default();
        let mut flips = vec![];
        for pair in verdicts[from..].windows(2) {
            let [(before, old), (commit, new)] = pair else { continue };
            if old.as_ref().map(|judged| judged.verdict) == new.as_ref().map(|judged| judged.verdict) {
                continue;
            }
            let cause = cause([before, commit], [old.as_ref(), new.as_ref()], repository, &mut blobs)?;
            let (before, commit) = (before.clone(), commit.clone());
            flips.push(Flip { before, commit, old: old.clone(), new: new.clone(), cause });
        }
        flips.reverse();
        let last = verdicts.last().and_then(judgement);
        Ok(Bisection { claim: claim.into(), commits: verdicts.len(), first, last, flips })
    }
}

fn holds_claims(path: &str) -> bool {
    readable(path) && (path.ends_with("/claims.csv") || path.ends_with("/claims-of-times.csv"))
}

/// The verdicts of a commit; files of former versions, which cannot be read, hold none.
fn judged_in(commit: &Commit, files: &Files) -> Vec<Judged> {
    let read = |(path, contents): (&String, &std::rc::Rc<crate::contents::Contents>)| {
        lines(&format!("{}:results/{path}", commit.short()), &contents.bytes).unwrap_or_default()
    };
    files.iter().flat_map(read).collect()
}

/// What changed in the rows of the study whose claim it is.
fn cause(
    commits: [&Commit; 2],
    judged: [Option<&Judged>; 2],
    repository: &Repository,
    blobs: &mut Blobs,
) -> Result<Cause, Mistake> {
    let study = judged.into_iter().flatten().next().map(|judged| judged.study.clone()).unwrap_or_default();
    let mut sides = vec![];
    for commit in commits {
        let in_study = |path: &str| readable(path) && path.split('/').next() == Some(&study);
        let files = by_study(repository.files(&commit.hash, "results", blobs, in_study)?).remove(&study);
        let Some(files) = files else {
            return Ok(Cause::Unknown { reason: format!("{} holds no results of the study {study}", commit.short()) });
        };
        match StudyResults::parse(&format!("{}:results/{study}", commit.short()), &files, true) {
            Ok(results) => sides.push(results),
            Err(mistake @ (Mistake::Version { .. } | Mistake::Damaged { .. })) => {
                return Ok(Cause::Unknown { reason: mistake.to_string() });
            }
            Err(mistake) => return Err(mistake),
        }
    }
    let [old, new] = &sides[..] else { return Err(Mistake::Internal("a flip has two sides".into())) };
    let claim = judged.into_iter().flatten().next().map(|judged| judged.claim.as_str()).unwrap_or_default();
    let of_times = [old, new].iter().any(|side| side.claims_of_times.iter().any(|judged| judged.claim == claim));
    Ok(Cause::of(&committed(&study, old, new, false), of_times))
}

impl Cause {
    fn of(difference: &StudyDifference, of_times: bool) -> Cause {
        let study = difference.study.clone();
        let smallest = difference.tables.iter().filter_map(|table| Some((table.first_real?, table))).min_by_key(|(set, _)| *set);
        if let Some((set, table)) = smallest {
            let group = table.group.clone();
            let rows = difference.tables.iter().map(|table| table.rows_real).sum();
            let command = format!("cargo clothlab run {study} --case {set} --only {group}");
            return Cause::Rows { study, group, set, rows, command };
        }
        let others = difference.tables.iter().filter(|table| !table.is_none() && table.rows_changed == 0);
        let mut told: Vec<String> =
            others.map(|table| format!("{}: {}", table.file, crate::difference::summary(table))).collect();
        told.extend(difference.tables_added.iter().map(|file| format!("{file} is new")));
        told.extend(difference.tables_removed.iter().map(|file| format!("{file} is gone")));
        let rows = difference.tables.iter().map(|table| table.rows_changed).sum();
        match (rows, told.is_empty(), of_times) {
            (_, false, _) => Cause::Others { study, told: told.join("; ") },
            (0, true, true) => Cause::Times { study },
            (0, true, false) => Cause::Judge { study },
            (rows, true, _) => Cause::Rounding { study, rows },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::TableDifference;

    fn cause(tables: Vec<TableDifference>, of_times: bool) -> Cause {
        let difference = StudyDifference { study: "study".into(), tables, ..Default::default() };
        Cause::of(&difference, of_times)
    }

    fn table(group: &str, rows_real: usize, first_real: Option<u64>) -> TableDifference {
        let rows = rows_real + 1;
        TableDifference {
            group: group.into(),
            rows_new: 9,
            rows_changed: rows,
            rows_rounding: 1,
            rows_real,
            first_real,
            ..Default::default()
        }
    }

    #[test]
    fn the_smallest_set_of_all_tables_shows_a_flip() {
        let found =
            cause(vec![table("a", 3, Some(7)), table("b", 0, None), table("c", 2, Some(4)), table("d", 1, Some(4))], false);
        let command = "cargo clothlab run study --case 4 --only c".into();
        assert_eq!(found, Cause::Rows { study: "study".into(), group: "c".into(), set: 4, rows: 6, command });
    }

    #[test]
    fn what_no_row_shows_is_told_apart() {
        let study = || "study".to_owned();
        assert_eq!(cause(vec![table("a", 0, None)], false), Cause::Rounding { study: study(), rows: 1 });
        let same = || TableDifference { rows_new: 9, ..Default::default() };
        assert_eq!(cause(vec![same()], false), Cause::Judge { study: study() });
        assert_eq!(cause(vec![same()], true), Cause::Times { study: study() });
        let more = TableDifference { file: "a.csv".into(), rows_added: 2, ..same() };
        assert_eq!(cause(vec![same(), more], true), Cause::Others { study: study(), told: "a.csv: 2 rows added".into() });
    }
}
