//! Results of many commits, each against the one before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use lab::judge::judged::Judged;
use serde::Serialize;

use crate::Mistake;
use crate::commits::{Commit, Range};
use crate::comparison::{Comparison, compare};
use crate::contents::{Blobs, Files};
use crate::git::Repository;
use crate::outcome::Outcome;
use crate::side::{Side, Wanted, by_study, is_of_one_study, readable};
use crate::step::Step;
use crate::study::StudyResults;

/// Results from the first to the last commit.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    pub entries: Vec<Entry>,
    /// The last one against the first.
    pub ends: Comparison,
}

/// Results of a commit or a folder.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Revision or folder, as the user named it; nothing in a range.
    pub name: Option<String>,
    pub commit: Option<Commit>,
    /// Studies whose files cannot be read, and why. What was read of them before is carried on.
    pub unreadable: Vec<(String, String)>,
    /// Verdicts by claim.
    pub verdicts: BTreeMap<String, Judged>,
    /// Time of all cases \[s\].
    pub seconds: f64,
    /// What measured them.
    pub machines: BTreeSet<String>,
    /// What differs from the entry before; nothing at the first one.
    pub step: Option<Step>,
}

impl Entry {
    /// A short name for a column.
    pub fn label(&self) -> &str {
        match (&self.commit, &self.name) {
            (Some(commit), _) => commit.short(),
            (None, Some(name)) => name,
            (None, None) => "",
        }
    }
}

/// What is compared, in the order of the history.
enum Place<'a> {
    Commit(Option<&'a str>, Commit),
    Folder(&'a str),
}

impl History {
    /// Of a range: its first commit, and those after it that changed results.
    pub fn of_range(range: Range, repository: &Repository, wanted: Wanted) -> Result<History, Mistake> {
        let first = repository.described(range.from)?;
        let commits = [first].into_iter().chain(repository.changes_of_results(Some(range.from), range.to)?);
        let mut history = Collected::default();
        for commit in commits {
            let files = repository.files(&commit.hash, "results", &mut history.blobs, readable)?;
            history.add(Place::Commit(None, commit), files, wanted)?;
        }
        history.finish(&format!("{}..{}", range.from, range.to), wanted)
    }

    /// Of revisions and folders in the order in which they are named.
    pub fn of_names(names: &[&str], repository: Option<&Repository>, wanted: Wanted) -> Result<History, Mistake> {
        let mut history = Collected::default();
        for name in names {
            let commit = repository.and_then(|repository| Some((repository, repository.commit(name)?)));
            let (place, files) = match commit {
                Some((repository, commit)) => {
                    let files = repository.files(&commit, "results", &mut history.blobs, readable)?;
                    (Place::Commit(Some(name), repository.described(name)?), files)
                }
                None if Path::new(name).is_dir() => (Place::Folder(name), Side::files_in(Path::new(name))?),
                None if repository.is_some() => return Err(Mistake::Unknown((*name).into())),
                None => return Err(Mistake::Usage(format!("`{name}` is no folder, and there is no repository; name folders"))),
            };
            if !history.add(place, files, wanted)? {
                return Err(Mistake::NoResults((*name).into()));
            }
        }
        history.finish(&names.join(" "), wanted)
    }

    /// The worst that follows: of the last results against the first, or of a step that broke determinism.
    pub fn outcome(&self) -> Outcome {
        if self.steps().any(Step::breaks_determinism) { Outcome::DeterminismBroken } else { self.ends.outcome }
    }

    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.entries.iter().filter_map(|entry| entry.step.as_ref())
    }
}

/// Entries so far.
#[derive(Default)]
struct Collected {
    blobs: Blobs,
    /// Files of the last entry, which the next one may have as well.
    files: Files,
    entries: Vec<Entry>,
    ends: Option<[Side; 2]>,
}

impl Collected {
    /// Reads the results of a place; whether there are any.
    fn add(&mut self, place: Place, files: Files, wanted: Wanted) -> Result<bool, Mistake> {
        let (name, commit) = match place {
            Place::Commit(name, commit) => (name, Some(commit)),
            Place::Folder(name) => (Some(name), None),
        };
        let label = commit.as_ref().map_or_else(|| name.unwrap_or_default(), Commit::short).to_owned();
        let of_one_study = commit.is_none() && is_of_one_study(Path::new(&label));
        let hash = commit.as_ref().map(|commit| commit.hash.clone());
        let mut side = Side { name: label, commit: hash, of_one_study, ..Side::default() };
        let mut unreadable = vec![];
        for (study, files) in by_study(files.clone()) {
            side.known.push(study.clone());
            if !wanted.has(&study) {
                continue;
            }
            match StudyResults::parse(&format!("{}/{study}", side.name), &files, wanted.times) {
                Ok(results) => _ = side.studies.insert(study, Rc::new(results)),
                Err(mistake @ (Mistake::Version { .. } | Mistake::Damaged { .. })) => {
                    unreadable.push((study.clone(), mistake.to_string()));
                    let before = self.ends.as_ref().and_then(|[_, before]| before.studies.get(&study).cloned());
                    _ = before.map(|before| side.studies.insert(study, before));
                }
                Err(mistake) => return Err(mistake),
            }
        }
        if side.studies.is_empty() {
            return Ok(false);
        }
        let step = self.ends.as_ref().map(|[_, before]| Step::of(before, &side));
        self.entries.push(Entry {
            name: name.map(str::to_owned),
            commit,
            unreadable,
            verdicts: verdicts(&side),
            seconds: side.studies.values().map(|study| study.seconds()).sum(),
            machines: side.studies.values().map(|study| study.machine()).collect(),
            step,
        });
        self.ends = Some(match self.ends.take() {
            Some([first, _]) => [first, side],
            None => [side.clone(), side],
        });
        self.files = files;
        self.blobs.sweep();
        Ok(true)
    }

    fn finish(self, asked: &str, wanted: Wanted) -> Result<History, Mistake> {
        let Some([first, last]) = self.ends else {
            let of_study = |study| format!("results of the study `{study}`");
            let what = wanted.studies.first().map_or("results".into(), of_study);
            return Err(Mistake::NoneInRange { range: asked.into(), what });
        };
        Ok(History { entries: self.entries, ends: compare(&first, &last, false) })
    }
}

fn verdicts(side: &Side) -> BTreeMap<String, Judged> {
    let judged = side.studies.values().flat_map(|study| study.claims.iter().chain(&study.claims_of_times));
    judged.map(|judged| (judged.claim.clone(), judged.clone())).collect()
}
