//! What differs in a study, and what follows.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::change::Change;
use crate::control::Control;
use crate::outcome::Outcome;
use crate::rows::{self, TableDifference};
use crate::study::StudyResults;
use crate::times::{Decision, Times};
use crate::verdicts::Verdicts;

/// What differs in a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// Times of a fixed piece of work beside those of two builds.
    pub control: Option<Control>,
}

impl StudyDifference {
    /// Compares two results of a study; `times` is given what differs in the tables.
    pub fn new(
        study: &str,
        old: &StudyResults,
        new: &StudyResults,
        times: impl FnOnce(&[TableDifference]) -> Times,
    ) -> StudyDifference {
        let mut tables = vec![];
        for (file, before) in &old.tables {
            if let Some(after) = new.tables.get(file) {
                let measured = new.smaller_sample(old, &after.group);
                tables.push(rows::compare(file, before, after, measured));
            }
        }
        let mut verdicts = Verdicts::default();
        verdicts.add(&old.claims, &new.claims, false);
        verdicts.add(&old.claims_of_times, &new.claims_of_times, true);
        StudyDifference {
            study: study.into(),
            identity: new.provenance.identity.difference(&old.provenance.identity),
            times: times(&tables),
            tables,
            tables_added: alone(&new.tables, &old.tables),
            tables_removed: alone(&old.tables, &new.tables),
            verdicts,
            unequal_runs: vec![],
            control: None,
        }
    }

    /// Whether all rows and verdicts are the same.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(TableDifference::is_none)
            && self.tables_added.is_empty()
            && self.tables_removed.is_empty()
            && self.verdicts.is_none()
            && self.unequal_runs.is_empty()
    }

    /// Takes the verdict on times back where the control moved.
    pub fn heed_control(&mut self) {
        if self.control.as_ref().is_some_and(|control| control.moved) {
            self.times.withhold();
        }
    }

    pub(crate) fn judge(&self) -> Vec<(Outcome, String)> {
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
            let preview = if change.of_preview { " in a preview" } else { "" };
            add(outcome, format!("{} was {}, is {}{preview}", change.claim, change.old, change.new));
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
                    Decision::Same | Decision::Inconclusive | Decision::Withheld => {}
                }
            }
        }
        found
    }
}

/// Names that only one side has.
pub fn alone<T>(of: &BTreeMap<String, T>, without: &BTreeMap<String, T>) -> Vec<String> {
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
        let classes = [(table.rows_bits, Change::Bits), (table.rows_rounding, Change::Rounding), (table.rows_real, Change::Real)];
        let classes = classes.iter().filter(|(rows, _)| *rows > 0).map(|(rows, class)| format!("{rows} {}", class.word()));
        let classes = classes.collect::<Vec<_>>().join(", ");
        parts.push(format!("{} of {} changed ({classes})", table.rows_changed, counted(table.rows_new, "row")));
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
    if table.rows_left_out > 0 {
        let (sets, rows) = (counted(table.sets_left_out, "set"), counted(table.rows_left_out, "row"));
        parts.push(format!("the new side is a subset: {sets} with {rows} are not in both"));
    }
    parts.join("; ")
}
