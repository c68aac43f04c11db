//! One of the two sides: a revision, or a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use crate::Mistake;
use crate::contents::{Blobs, Contents, Files};
use crate::git::Repository;
use crate::study::StudyResults;

/// The results of one side.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// As the user named it.
    pub name: String,
    /// Its commit, where it is a revision.
    pub commit: Option<String>,
    /// Results by study.
    pub studies: BTreeMap<String, Rc<StudyResults>>,
    /// Every study that it has, read or not.
    pub known: Vec<String>,
    /// Whether it is the folder of one study, which says nothing of others.
    pub of_one_study: bool,
}

/// Which parts of the results are read.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// These studies only; all of them where none is named.
    pub studies: &'a [String],
    /// Whether times matter.
    pub times: bool,
}

impl Side {
    /// The committed results of a revision or, where git knows no such one, those in a folder: `results`, or one study's.
    ///
    /// # Errors
    /// Neither of them, no results, damaged ones or those of another version.
    pub fn open(text: &str, repository: Option<&Repository>, blobs: &mut Blobs, wanted: Wanted) -> Result<Side, Mistake> {
        if let Some((repository, commit)) = repository.and_then(|repository| Some((repository, repository.commit(text)?))) {
            let files = repository.files(&commit, "results", blobs, readable)?;
            return Side::of_files(text, &format!("{text}:results"), Some(commit), files, wanted);
        }
        let folder = Path::new(text);
        if folder.is_dir() {
            return Side::of_folder(text, folder, wanted);
        }
        match repository {
            Some(_) => Err(Mistake::Unknown(text.into())),
            None => {
                let here = std::env::current_dir().unwrap_or_default();
                Err(Mistake::Git { folder: here, reason: format!("`{text}` is no folder, and there is no repository") })
            }
        }
    }

    /// The results in a folder, or in one study's.
    pub fn of_folder(name: &str, folder: &Path, wanted: Wanted) -> Result<Side, Mistake> {
        let side = Side::of_files(name, name.trim_end_matches('/'), None, Side::files_in(folder)?, wanted)?;
        Ok(Side { of_one_study: is_of_one_study(folder), ..side })
    }

    /// Files of results in a folder, or in one study's.
    pub fn files_in(folder: &Path) -> Result<Files, Mistake> {
        let mut files = Files::new();
        if is_of_one_study(folder) {
            let study = StudyResults::name_in(folder)?;
            read_files(folder, &study, &mut files)?;
            return Ok(files);
        }
        let mut entries: Vec<_> = fs::read_dir(folder)
            .map_err(|error| Mistake::reading(folder, error))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_dir())
            .collect();
        entries.sort();
        for path in entries {
            let Some(study) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
            read_files(&path, &study, &mut files)?;
        }
        Ok(files)
    }

    fn of_files(name: &str, place: &str, commit: Option<String>, files: Files, wanted: Wanted) -> Result<Side, Mistake> {
        let by_study = by_study(files);
        let known: Vec<String> = by_study.keys().cloned().collect();
        if known.is_empty() {
            return Err(Mistake::NoResults(place.into()));
        }
        if let Some(study) = wanted.studies.iter().find(|study| !known.contains(study)) {
            return Err(Mistake::NoStudy { place: place.into(), study: study.clone(), known: known.join(", ") });
        }
        let parse = |(study, files): (String, Files)| {
            let results = StudyResults::parse(&format!("{place}/{study}"), &files, wanted.times)?;
            Ok((study, Rc::new(results)))
        };
        let studies = by_study.into_iter().filter(|(study, _)| wanted.has(study)).map(parse).collect::<Result<_, Mistake>>()?;
        Ok(Side { name: name.into(), commit, studies, known, of_one_study: false })
    }
}

impl Wanted<'_> {
    /// Whether a study is asked for.
    pub fn has(&self, study: &String) -> bool {
        self.studies.is_empty() || self.studies.contains(study)
    }
}

/// Files by the study in whose folder they lie.
pub fn by_study(files: Files) -> BTreeMap<String, Files> {
    let mut by_study: BTreeMap<String, Files> = BTreeMap::new();
    for (path, contents) in files {
        if let Some((study, file)) = path.split_once('/') {
            by_study.entry(study.into()).or_default().insert(file.into(), contents);
        }
    }
    by_study.retain(|_, files| files.contains_key("run.json") || files.contains_key("cases.csv"));
    by_study
}

/// Whether a folder holds the results of one study, not folders of many.
pub fn is_of_one_study(folder: &Path) -> bool {
    folder.join("run.json").is_file()
}

/// A table, a description or the checksums of a study.
pub fn readable(path: &str) -> bool {
    path.matches('/').count() == 1 && (path.ends_with(".csv") || path.ends_with(".json") || path.ends_with("/SHA256SUMS"))
}

fn read_files(folder: &Path, study: &str, files: &mut Files) -> Result<(), Mistake> {
    for entry in fs::read_dir(folder).map_err(|error| Mistake::reading(folder, error))?.flatten() {
        let path = entry.path();
        let Some(file) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let name = format!("{study}/{file}");
        if path.is_file() && readable(&name) {
            files.insert(name, Contents::new(fs::read(&path).map_err(|error| Mistake::reading(&path, error))?));
        }
    }
    Ok(())
}
