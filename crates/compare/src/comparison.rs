//! The whole comparison, and what follows from it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Mistake;
use crate::rows::{self, TableDifference};
use crate::side::Side;
use crate::study::StudyResults;
use crate::times::{self, Decision, Times};
use crate::verdicts::Verdicts;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub old: Named,
    pub new: Named,
    /// Studies that only the new side has.
    pub studies_added: Vec<String>,
    /// Studies that only the old side has.
    pub studies_removed: Vec<String>,
    /// Studies that both have.
    pub studies: Vec<StudyDifference>,
    pub outcome: Outcome,
    /// Why, a line each.
    pub reasons: Vec<String>,
}

/// A side as the user named it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// Revision or folder.
    pub name: String,
    /// The commit of a revision.
    pub commit: Option<String>,
}

/// What follows from a comparison.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing differs.
    Same,
    /// Something was added, holds better or takes less time; nothing else changed.
    NoRegression,
    /// Rows changed or are gone, a verdict got worse, or a group takes more time.
    Regression,
    /// Rows differ although the code and the ranges are the same.
    DeterminismBroken,
}

impl Outcome {
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Same | Outcome::NoRegression => 0,
            Outcome::Regression => 3,
            Outcome::DeterminismBroken => 4,
        }
    }
}

/// What differs in a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyDifference {
    pub study: String,
    /// What of its identity differs: seed, ranges or the program; nothing where its rows must be the same.
    pub identity: Option<String>,
    /// Tables that both sides have.
    pub tables: Vec<TableDifference>,
    /// Tables that only the new side has.
    pub tables_added: Vec<String>,
    /// Tables that only the old side has.
    pub tables_removed: Vec<String>,
    pub verdicts: Verdicts,
    pub times: Times,
    /// Runs of one build that should be equal and are not.
    pub unequal_runs: Vec<String>,
}

impl StudyDifference {
    /// Compares two results of a study; `times` is given what differs in the tables.
    pub fn new(
        study: &str,
        old: &StudyResults,
        new: &StudyResults,
        times: impl FnOnce(&[TableDifference]) -> Times,
    ) -> Result<StudyDifference, Mistake> {
        let mut tables = vec![];
        for (file, before) in &old.tables {
            if let Some(after) = new.tables.get(file) {
                tables.push(rows::compare(file, before, after)?);
            }
        }
        let mut verdicts = Verdicts::default();
        verdicts.add(&old.claims, &new.claims, false);
        verdicts.add(&old.claims_of_times, &new.claims_of_times, true);
        Ok(StudyDifference {
            study: study.into(),
            identity: new.provenance.identity.difference(&old.provenance.identity),
            times: times(&tables),
            tables,
            tables_added: alone(&new.tables, &old.tables),
            tables_removed: alone(&old.tables, &new.tables),
            verdicts,
            unequal_runs: vec![],
        })
    }

    /// Whether all rows and verdicts are the same.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(TableDifference::is_none)
            && self.tables_added.is_empty()
            && self.tables_removed.is_empty()
            && self.verdicts.is_none()
            && self.unequal_runs.is_empty()
    }

    /// Rows of the new side in tables that both have.
    pub fn row_count(&self) -> usize {
        self.tables.iter().map(|table| table.rows_new).sum()
    }

    fn judge(&self) -> Vec<(Outcome, String)> {
        let mut found = vec![];
        let study = &self.study;
        for table in &self.tables {
            let outcome = if self.identity.is_none() && table.breaks_determinism() {
                Outcome::DeterminismBroken
            } else if table.loses() {
                Outcome::Regression
            } else if !table.is_none() {
                Outcome::NoRegression
            } else {
                continue;
            };
            found.push((outcome, format!("{study}/{}: {}", table.file, summary(table))));
        }
        let mut add = |outcome, line: String| found.push((outcome, format!("{study}: {line}")));
        self.unequal_runs.iter().for_each(|line| add(Outcome::DeterminismBroken, line.clone()));
        self.tables_removed.iter().for_each(|file| add(Outcome::Regression, format!("{file} is gone")));
        self.tables_added.iter().for_each(|file| add(Outcome::NoRegression, format!("{file} is new")));
        for change in &self.verdicts.changed {
            let outcome = if change.is_worse() { Outcome::Regression } else { Outcome::NoRegression };
            add(outcome, format!("{} was {}, is {}", change.claim, change.old, change.new));
        }
        self.verdicts.removed.iter().for_each(|claim| add(Outcome::Regression, format!("{claim} is no longer judged")));
        self.verdicts.added.iter().for_each(|claim| add(Outcome::NoRegression, format!("{claim} is judged now")));
        if !self.verdicts.restated.is_empty() {
            add(Outcome::NoRegression, format!("the same verdict on other numbers: {}", self.verdicts.restated.join(", ")));
        }
        if let Times::Built(times) = &self.times {
            for time in times {
                let ratio = time.ratio.unwrap_or(1.0);
                match time.decision {
                    Decision::Slower => add(Outcome::Regression, format!("{} takes {ratio:.3} times as long", time.group)),
                    Decision::Faster => add(Outcome::NoRegression, format!("{} takes {ratio:.3} times as long", time.group)),
                    Decision::Same | Decision::Inconclusive => {}
                }
            }
        }
        found
    }
}

/// Names that only one side has.
fn alone<T>(of: &BTreeMap<String, T>, without: &BTreeMap<String, T>) -> Vec<String> {
    of.keys().filter(|name| !without.contains_key(*name)).cloned().collect()
}

/// A number of things of which one is a `noun`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What differs in a table, in a line.
pub fn summary(table: &TableDifference) -> String {
    let mut parts = vec![];
    if table.rows_changed > 0 {
        parts.push(format!("{} of {} changed", table.rows_changed, counted(table.rows_new, "row")));
    }
    for (rows, what) in [(table.rows_added, "added"), (table.rows_removed, "removed")] {
        if rows > 0 {
            parts.push(format!("{} {what}", counted(rows, "row")));
        }
    }
    for (columns, what) in [(&table.columns_added, "added"), (&table.columns_removed, "removed")] {
        if !columns.is_empty() {
            parts.push(format!("columns {what}: {}", columns.join(", ")));
        }
    }
    if table.sets_differing > 0 {
        let named: Vec<String> = table.first_sets.iter().map(u64::to_string).collect();
        let more = if table.sets_differing > named.len() { ", ..." } else { "" };
        parts.push(format!("in {}: {}{more}", counted(table.sets_differing, "set"), named.join(", ")));
    }
    parts.join("; ")
}

impl Comparison {
    /// Puts studies together and says what follows.
    pub fn new(
        old: Named,
        new: Named,
        studies_added: Vec<String>,
        studies_removed: Vec<String>,
        studies: Vec<StudyDifference>,
    ) -> Comparison {
        let mut found: Vec<(Outcome, String)> = studies.iter().flat_map(StudyDifference::judge).collect();
        found.extend(studies_removed.iter().map(|study| (Outcome::Regression, format!("the study {study} is gone"))));
        found.extend(studies_added.iter().map(|study| (Outcome::NoRegression, format!("the study {study} is new"))));
        let outcome = found.iter().map(|(outcome, _)| *outcome).max().unwrap_or(Outcome::Same);
        let reasons = found.into_iter().filter(|(of, _)| *of == outcome).map(|(_, reason)| reason).collect();
        Comparison { old, new, studies_added, studies_removed, studies, outcome, reasons }
    }
}

/// Compares finished results, their times too where `with_times`.
///
/// # Errors
/// [`Mistake::Internal`] only: sides are checked when they are read.
pub fn compare(old: &Side, new: &Side, with_times: bool) -> Result<Comparison, Mistake> {
    let mut studies = vec![];
    for (study, before) in &old.studies {
        let Some(after) = new.studies.get(study) else { continue };
        let times = |tables: &[TableDifference]| {
            let same_rows = |group: &str| tables.iter().any(|table| table.group == group && table.is_none());
            if with_times { times::committed(before, after, same_rows) } else { Times::NotAsked }
        };
        studies.push(StudyDifference::new(study, before, after, times)?);
    }
    let named = |side: &Side| Named { name: side.name.clone(), commit: side.commit.clone() };
    let (added, removed) = (alone(&new.studies, &old.studies), alone(&old.studies, &new.studies));
    Ok(Comparison::new(named(old), named(new), added, removed, studies))
}
