use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use lab::files::{FileError, read_text};
use lab::provenance::Provenance;
use lab::publish::CLAIMS;
use lab::results::{self, Mismatch};
use lab::study::Study;

use crate::output::say;
use crate::profile::Profile;
use crate::{Failure, studies, workspace};

/// Compares results with their checksums: a folder with SHA256SUMS, all that lie in a folder, or those of every study.
///
/// # Errors
/// [`Failure::Determinism`] where a file is not what its checksum says, or results or their checksums are gone.
pub fn verify(folder: Option<PathBuf>) -> Result<(), Failure> {
    let of_all = folder.is_none();
    let folder = folder.unwrap_or_else(|| workspace::root().join("results"));
    let has_sums = |folder: &Path| folder.join("SHA256SUMS").exists();
    let mut folders = BTreeSet::new();
    if has_sums(&folder) {
        folders.insert(folder.clone());
    } else {
        for entry in fs::read_dir(&folder).map_err(|source| FileError::read(&folder, source))? {
            let path = entry.map_err(|source| FileError::read(&folder, source))?.path();
            if has_sums(&path) || path.join("run.json").exists() {
                folders.insert(path);
            }
        }
        if of_all {
            let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
            folders.extend(studies.iter().map(|study| folder.join(study.name)));
        }
    }
    if !folders.iter().any(|folder| has_sums(folder)) {
        return Err(Failure::Usage(format!("there is no SHA256SUMS in {} or in a folder of it", folder.display())));
    }
    let mut wrong = vec![];
    for folder in folders {
        if !has_sums(&folder) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            wrong.push(format!("{name} has no {}", if folder.exists() { "SHA256SUMS" } else { "results" }));
            continue;
        }
        let (files, mismatches) = results::verify(&folder)?;
        say(format!("{}: {} of {files} files as their checksums say", folder.display(), files - mismatches.len()))?;
        wrong.extend(damages(&folder, mismatches).iter().map(|(file, what)| format!("{} {what}", folder.join(file).display())));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Determinism(wrong.join("; "))) }
}

/// Refuses results that are not what was measured; `charts` tells whether those beside them count. Verdicts never do: they are judged anew.
///
/// # Errors
/// Files that are not what their checksums say, all in one line.
pub fn intact<'a>(root: &Path, studies: impl IntoIterator<Item = &'a Study>, charts: bool) -> Result<(), Failure> {
    let is_chart = |file: &str| file.contains('/');
    let (mut wrong, mut names, mut tables) = (vec![], vec![], false);
    for study in studies {
        let folder = root.join("results").join(study.name);
        let mut damaged = vec![("SHA256SUMS".to_owned(), "is missing")];
        if folder.join("SHA256SUMS").exists() {
            damaged = damages(&folder, results::verify(&folder)?.1);
        }
        damaged.retain(|(file, _)| file != CLAIMS && (charts || !is_chart(file)));
        if !damaged.is_empty() {
            names.push(study.name);
        }
        tables |= damaged.iter().any(|(file, _)| !is_chart(file));
        wrong.extend(damaged.iter().map(|(file, what)| format!("{} {what}", folder.join(file).display())));
    }
    let (wrong, names) = (wrong.join("; "), names.join(" "));
    match (wrong.is_empty(), tables) {
        (true, _) => Ok(()),
        (_, true) => {
            Err(Failure::Usage(format!("{wrong}; restore it, or measure the study again with `clothlab repro {names}`")))
        }
        (_, false) => Err(Failure::Usage(format!("{wrong}; restore it, or draw the charts again with `clothlab plot`"))),
    }
}

/// What is damaged in a folder of results: files that are not what their checksums say, and what is gone of those without one.
fn damages(folder: &Path, mismatches: Vec<Mismatch>) -> Vec<(String, &'static str)> {
    let what = |mismatch: &Mismatch| if mismatch.exists { "differs" } else { "is missing" };
    let mut damages: Vec<_> = mismatches.into_iter().map(|mismatch| (mismatch.file.clone(), what(&mismatch))).collect();
    let run = read_text(&folder.join("run.json")).ok();
    match run.map(|text| Provenance::parse(&text)) {
        None => damages.push(("run.json".into(), "is missing")),
        Some(None) => damages.push(("run.json".into(), "is no record of a run")),
        Some(Some(_)) => {}
    }
    if !folder.join("timings.csv").exists() {
        damages.push(("timings.csv".into(), "is missing"));
    }
    damages
}
