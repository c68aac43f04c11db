use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use lab::files::{FileError, read_text};
use lab::provenance::Provenance;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES};
use lab::results::{self, Damage, Mismatch, SUMS, SUMS_OF_TIMES};
use lab::study::Study;

use super::report::merged_claims;
use crate::output::say;
use crate::profile::Profile;
use crate::simulate::folder::REPLACING;
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
        let changed = mismatches.iter().filter(|mismatch| mismatch.damage != Damage::Unlisted).count();
        say(format!("{}: {} of {files} files as their checksums say", folder.display(), files - changed))?;
        wrong.extend(damages(&folder, mismatches).iter().map(|(file, what)| format!("{} {what}", folder.join(file).display())));
    }
    let merged = folder.join(CLAIMS);
    if merged.exists() && !has_sums(&folder) {
        let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
        if read_text(&merged)? != merged_claims(&folder, &studies)? {
            wrong.push(format!("{} differs from the verdicts of its studies", merged.display()));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Determinism(wrong.join("; "))) }
}

/// Refuses results that are not what was measured; `charts` tells whether those beside them count. Verdicts never do: they are judged anew.
///
/// # Errors
/// Files that are not what their checksums say, all in one line.
pub fn intact<'a>(root: &Path, studies: impl IntoIterator<Item = &'a Study>, charts: bool) -> Result<(), Failure> {
    let is_chart = |file: &str| file.contains('/');
    let (mut wrong, mut names, mut measured) = (vec![], vec![], false);
    for study in studies {
        let folder = root.join("results").join(study.name);
        let mut damaged = vec![("SHA256SUMS".to_owned(), "is missing")];
        if folder.join("SHA256SUMS").exists() {
            damaged = damages(&folder, results::verify(&folder)?.1);
        }
        // what was only added is told by verify, and harms nothing here; checksums of times are made anew where a former version had none
        damaged.retain(|(file, _)| file != SUMS_OF_TIMES);
        let tables: Vec<String> = study.groups.iter().map(|group| study.file_of(group.name())).collect();
        damaged.retain(|(file, what)| *what != Damage::Unlisted.words() || tables.contains(file));
        damaged.retain(|(file, _)| ![CLAIMS, CLAIMS_OF_TIMES].contains(&file.as_str()) && (charts || !is_chart(file)));
        if !damaged.is_empty() {
            names.push(study.name);
        }
        measured |= damaged.iter().any(|(file, _)| !is_chart(file));
        wrong.extend(damaged.iter().map(|(file, what)| format!("{} {what}", folder.join(file).display())));
    }
    let (wrong, names) = (wrong.join("; "), names.join(" "));
    match (wrong.is_empty(), measured) {
        (true, _) => Ok(()),
        (_, true) => {
            Err(Failure::Usage(format!("{wrong}; restore it, or measure the study again with `clothlab repro {names}`")))
        }
        (_, false) => Err(Failure::Usage(format!("{wrong}; restore it, or draw the charts again with `clothlab plot`"))),
    }
}

/// What is damaged in a folder of results: files that are not what their checksums say or have none, and what is gone with its checksum.
/// A simulation has no record of a run; one whose files were getting their places has a marker.
fn damages(folder: &Path, mismatches: Vec<Mismatch>) -> Vec<(String, &'static str)> {
    let mut damages: Vec<_> = mismatches.into_iter().map(|mismatch| (mismatch.file, mismatch.damage.words())).collect();
    if folder.join(REPLACING).exists() {
        damages.push((REPLACING.into(), "says that files were getting their places; run the simulation again with --force"));
    }
    if folder.join("scene.toml").exists() {
        return damages;
    }
    let run = read_text(&folder.join("run.json")).ok();
    match run.map(|text| Provenance::parse(&text)) {
        None => damages.push(("run.json".into(), "is missing")),
        Some(None) => damages.push(("run.json".into(), "is no record of a run")),
        Some(Some(run)) => {
            let tables = run.groups.iter().enumerate().map(|(k, group)| match k {
                0 if folder.join("cases.csv").exists() => "cases.csv".into(),
                _ => format!("{}.csv", group.group),
            });
            let sums = [SUMS.to_owned(), SUMS_OF_TIMES.into(), CLAIMS.into(), CLAIMS_OF_TIMES.into(), "datapackage.json".into()];
            for file in tables.chain(sums).chain(["timings.csv".into()]).filter(|file: &String| !folder.join(file).exists()) {
                if !damages.iter().any(|(damaged, _)| *damaged == file) {
                    damages.push((file, "is missing"));
                }
            }
        }
    }
    damages
}
