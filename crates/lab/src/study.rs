//! A study: what is measured, which charts and which verdicts follow.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Table;
use crate::judge::claims::{Claim, Finding};
use crate::judge::frozen::{Decides, Frozen};
use crate::judge::rule::tables::{Derived, Groups};
use crate::results::{Results, ResultsError};
use chart::Figure;

/// A chart of a study, drawn from its results alone.
pub struct Plot {
    /// File stem of the chart.
    pub name: &'static str,
    pub draw: OfResults<Figure>,
}

/// Makes something of results alone, and of numbers of the profile that it was made with.
type OfResults<T> = Box<dyn Fn(&Results) -> Result<T, ResultsError> + Send + Sync>;

impl Plot {
    pub fn new(name: &'static str, draw: impl Fn(&Results) -> Result<Figure, ResultsError> + Send + Sync + 'static) -> Plot {
        Plot { name, draw: Box::new(draw) }
    }
}

/// The judge of a claim, from results alone.
pub struct Judge {
    /// Id of the claim in the ledger.
    pub claim: &'static str,
    /// Finds what was measured and whether the claim holds.
    pub judge: OfResults<Finding>,
    /// Whether it rests on times, which no checksum covers.
    pub of_times: bool,
}

impl Judge {
    /// Of a claim about what is the same on every machine.
    pub fn of_counts(
        claim: &'static str,
        judge: impl Fn(&Results) -> Result<Finding, ResultsError> + Send + Sync + 'static,
    ) -> Judge {
        Judge { claim, judge: Box::new(judge), of_times: false }
    }
}

/// A study: a list of groups, and what follows from them. The first group is the main one.
pub struct Study {
    /// Its name: file, binary, folder, word on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub title: &'static str,
    /// The chapter that it reproduces.
    pub source: &'static str,
    /// A paragraph: the question and how it is answered.
    pub about: &'static str,
    /// What is measured.
    pub groups: Vec<Box<dyn Table>>,
    /// What is drawn.
    pub plots: Vec<Plot>,
    /// Tables that code makes of its results, for rules.
    pub derived: Vec<Derived>,
    /// What is judged.
    pub judges: Vec<Judge>,
    /// What a reader of the paper would want to know, in plain words, from the results.
    pub discussion: fn(&Results) -> Result<String, ResultsError>,
    /// Hash of the profile's ranges.
    pub ranges: String,
    /// The short size of a reproduction.
    pub short: ShortSize,
    /// Hashes of what decided its claims, where these were frozen.
    pub frozen: Option<Frozen>,
}

/// Sizes of the groups that a short reproduction does not measure whole, and why these do.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShortSize {
    /// Why verdicts are decided at that size.
    pub reason: String,
    /// Claims that no smaller size decides: they are judged at the full one alone.
    #[serde(default, rename = "full-size-alone")]
    pub full_size_alone: Vec<String>,
    /// Sets by group, at most so many; 0 where a group is left out.
    #[serde(flatten)]
    pub sets: BTreeMap<String, u64>,
}

impl ShortSize {
    /// Sets of a group that has so many.
    pub fn of(&self, group: &str, sets: u64) -> u64 {
        self.sets.get(group).map_or(sets, |most| sets.min(*most))
    }

    /// Groups that it leaves out.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = String> {
        self.sets.iter().filter(|(_, sets)| **sets == 0).map(|(group, _)| group.clone())
    }
}

impl Study {
    /// One without words, charts and judges.
    pub fn of(groups: Vec<Box<dyn Table>>, ranges: String) -> Study {
        Study {
            name: "study",
            title: "",
            source: "",
            about: "",
            groups,
            plots: vec![],
            derived: vec![],
            judges: vec![],
            discussion: |_| Ok(String::new()),
            ranges,
            short: ShortSize::default(),
            frozen: None,
        }
    }

    /// One for tests, which has groups and nothing else.
    #[cfg(test)]
    pub(crate) fn of_groups(groups: Vec<Box<dyn Table>>) -> Study {
        Study::of(groups, String::new())
    }

    /// Its tables, for rules.
    pub fn tables(&self) -> Groups {
        Groups::of(&self.groups, &self.derived)
    }

    /// All that decides its claims, which are among these; `sources` is the hash of its sources.
    pub fn decides<'a>(&self, claims: impl IntoIterator<Item = &'a Claim>, sources: &str) -> Decides {
        Decides {
            sources: sources.into(),
            ranges: self.ranges.clone(),
            sets: self.groups.iter().map(|group| (group.name().to_owned(), group.sets())).collect(),
            claims: Decides::claims(claims.into_iter().filter(|claim| claim.study == self.name)),
        }
    }

    /// File of a group: the main group's is `cases.csv`.
    pub fn file_of(&self, group: &str) -> String {
        match self.groups.first() {
            Some(main) if main.name() == group => "cases.csv".into(),
            _ => format!("{group}.csv"),
        }
    }

    /// The results of this study in a folder.
    pub fn results(&self, folder: &std::path::Path) -> Results {
        Results::new(folder, self.groups.first().map_or("", |main| main.name()))
    }
}
