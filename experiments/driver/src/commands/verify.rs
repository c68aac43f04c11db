use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kit::Failure;
use lab::damaged_journals;
use lab::files::{FileError, LARGEST, read_bytes, read_text};
use lab::judge::ro_crate::RO_CRATE;
use lab::judge::sample::Sample;
use lab::provenance::Provenance;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES, PUBLISHING, VERDICTS, check_reports};
use lab::study::Study;
use lab::sums::{self, Damage, Mismatch, SUMS, SUMS_OF_TIMES, entries};

use crate::output::say;
use crate::program::Program;
use crate::report_files::{PAGE, SUMS_OF_REPORTS, files_of_report, merged_claims, path_of, sum_of_report};
use crate::simulate::folder::{REPLACING, SCENE, described};
use crate::workspace;

/// Compares results with their checksums: a folder with SHA256SUMS, all that lie in a folder, or those of every study.
///
/// # Errors
/// [`Failure::Damaged`] with every file that is not what its checksum says, is gone with its checksum, or has none.
pub fn verify(program: &Program, folder: Option<PathBuf>) -> Result<(), Failure> {
    let of_all = folder.is_none();
    let folder = folder.unwrap_or_else(|| workspace::root().join("results"));
    let studies = program.published()?;
    let has_sums = |folder: &Path| folder.join(SUMS).exists();
    let (mut folders, mut wrong) = (BTreeSet::new(), vec![]);
    if has_sums(&folder) {
        folders.insert(folder.clone());
    } else {
        if of_all {
            folders.extend(studies.iter().map(|study| folder.join(study.name)));
        }
        for entry in fs::read_dir(&folder).map_err(|source| FileError::read(&folder, source))? {
            let path = entry.map_err(|source| FileError::read(&folder, source))?.path();
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if has_sums(&path) || path.join("run.json").exists() {
                folders.insert(path);
            } else if of_all
                && !hidden
                && !folders.contains(&path)
                && ![CLAIMS, SUMS_OF_REPORTS, RO_CRATE].iter().any(|file| path.ends_with(file))
            {
                wrong.push(format!("{} {}", path.display(), Damage::Unlisted.words()));
            }
        }
    }
    if !folders.iter().any(|folder| has_sums(folder)) {
        return Err(Failure::Usage(format!("there is no SHA256SUMS in {} or in a folder of it", folder.display())));
    }
    for folder in folders {
        if !has_sums(&folder) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            wrong.push(format!("{name} has no {}", if folder.exists() { SUMS } else { "results" }));
            continue;
        }
        let (files, mismatches) = sums::verify(&folder);
        let changed: BTreeSet<&str> = mismatches
            .iter()
            .filter(|mismatch| matches!(mismatch.damage, Damage::Differs | Damage::Missing))
            .map(|mismatch| mismatch.file.as_str())
            .collect();
        say(format!("{}: {} of {files} files as their checksums say", folder.display(), files.saturating_sub(changed.len())))?;
        let damages = damages(&folder, mismatches, &studies);
        wrong.extend(damages.iter().map(|(file, what)| format!("{} {what}", folder.join(file).display())));
        if let Some(run) = Provenance::of(&folder) {
            let journals = damaged_journals(&folder.join("parts"), &run.identity, &run.groups);
            wrong.extend(journals.iter().map(|(file, what)| format!("{} {what}", file.display())));
        }
    }
    let merged = folder.join(CLAIMS);
    if !has_sums(&folder) && (merged.exists() || folder.ends_with("results")) {
        let verdicts = merged_claims(&folder, &studies).ok();
        if read_bytes(&merged, LARGEST).ok() != verdicts.map(String::into_bytes) || !merged.exists() {
            let what = if merged.exists() { "differs from the verdicts of its studies" } else { "is missing" };
            wrong.push(format!("{} {what}: `clothlab claims` writes it", merged.display()));
        }
    }
    if !has_sums(&folder) {
        wrong.extend(damaged_reports(&folder, &studies, of_all));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    // a message is cut where it is long, and what was found is not
    wrong.iter().try_for_each(|line| say(format!("  {line}")))?;
    let wrong = wrong.join("; ");
    Err(Failure::Damaged(format!("{wrong}; restore these files, move away what has no checksum, or make the results again")))
}

/// What is wrong with the report on all `results`, which lies beside them and their studies; nothing where there is none that is
/// ours, unless it is `wanted`. A page is made where somebody wants one, so that none is no damage.
fn damaged_reports(results: &Path, studies: &[Study], wanted: bool) -> Vec<String> {
    let sums = results.join(SUMS_OF_REPORTS);
    let measured = studies.iter().filter(|study| Provenance::of(&results.join(study.name)).is_some());
    let files = files_of_report(measured);
    let is_ours = |path: &Path| path.exists() && check_reports([path]).is_ok();
    let is_there = sums.exists() || results.ends_with("results") && files.iter().any(|file| is_ours(&path_of(results, file)));
    if !wanted && !is_there {
        return vec![];
    }
    let listed = read_text(&sums).unwrap_or_default();
    let line_of = |file: &str| entries(&listed).find(|(_, known)| *known == file).map(|(sum, _)| format!("{sum}  {file}\n"));
    let told = |path: &Path, what: &str| format!("{} {what}: `clothlab report` writes it", path.display());
    let (mut wrong, mut expected) = (vec![], String::new());
    for file in &files {
        let path = path_of(results, file);
        let (line, listed) = (sum_of_report(results, file).ok(), line_of(file));
        let what = match (&line, &listed) {
            (None, _) if file.ends_with(PAGE) => None,
            (None, _) => Some("is missing"),
            (Some(_), None) => Some("has no checksum"),
            (Some(line), Some(listed)) => (line != listed).then_some("differs"),
        };
        wrong.extend(what.map(|what| told(&path, what)));
        expected += &listed.unwrap_or_default();
    }
    if wrong.is_empty() && expected != listed {
        wrong.push(told(&sums, "is not the list of the report's checksums"));
    }
    wrong
}

/// Refuses results that are not what was measured; `charts` tells whether those beside them count. Verdicts never do: they are
/// judged anew.
///
/// # Errors
/// Files that are not what their checksums say, all in one line.
pub fn intact<'a>(root: &Path, studies: impl IntoIterator<Item = &'a Study>, charts: bool) -> Result<(), Failure> {
    let is_chart = |file: &str| file.contains('/');
    let (mut wrong, mut names, mut measured) = (vec![], vec![], false);
    for study in studies {
        let folder = root.join("results").join(study.name);
        let mut damaged = vec![(SUMS.to_owned(), "is missing")];
        if folder.join(SUMS).exists() {
            damaged = damages(&folder, sums::verify(&folder).1, std::slice::from_ref(study));
        }
        // what was only added is told by verify, and harms nothing here; checksums of times are made anew where a former version
        // had none
        damaged.retain(|(file, _)| file != SUMS_OF_TIMES);
        let tables: Vec<String> = study.groups.iter().map(|group| study.file_of(group.name())).collect();
        damaged.retain(|(file, what)| *what != Damage::Unlisted.words() || tables.contains(file));
        damaged.retain(|(file, _)| !VERDICTS.as_flattened().contains(&file.as_str()) && (charts || !is_chart(file)));
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
            Err(Failure::Usage(format!("{wrong}; restore it, or measure the study again with `clothlab repro --full {names}`")))
        }
        (_, false) => Err(Failure::Usage(format!("{wrong}; restore it, or draw the charts again with `clothlab plot`"))),
    }
}

/// What is damaged in a folder of results: files that are not what their checksums say or have none, and what is gone with its
/// checksum. A simulation has no record of a run; one whose files were getting their places has a marker.
fn damages(folder: &Path, mismatches: Vec<Mismatch>, studies: &[Study]) -> Vec<(String, &'static str)> {
    let mut damages: Vec<_> = mismatches.into_iter().map(|mismatch| (mismatch.file, mismatch.damage.words())).collect();
    for (marker, what) in [
        (REPLACING, "says that files were getting their places; run the simulation again with --force"),
        (PUBLISHING, "says that files were getting their places; give the same command again"),
    ] {
        if folder.join(marker).exists() {
            damages.push((marker.into(), what));
        }
    }
    let sums = read_text(&folder.join(SUMS)).unwrap_or_default();
    let expected = if sums.lines().any(|line| line.ends_with(&format!("  {SCENE}"))) {
        described(folder)
    } else if let Some(run) = Provenance::of(folder) {
        expected(folder, &run, studies)
    } else {
        let what = if folder.join("run.json").exists() { "is no record of a run" } else { "is missing" };
        damages.push(("run.json".into(), what));
        vec![]
    };
    for file in expected.into_iter().filter(|file| !folder.join(file).exists()) {
        if !damages.iter().any(|(damaged, _)| *damaged == file) {
            damages.push((file, "is missing"));
        }
    }
    damages
}

/// The files that a run published into a folder.
fn expected(folder: &Path, run: &Provenance, studies: &[Study]) -> Vec<String> {
    let tables = run.groups.iter().enumerate().map(|(k, group)| match k {
        0 if folder.join("cases.csv").exists() => "cases.csv".into(),
        _ => format!("{}.csv", group.group),
    });
    let has_numbers = VERDICTS.iter().any(|[_, numbers]| folder.join(numbers).exists()); // those of former versions have none
    let of_claims = VERDICTS.iter().flatten().filter(move |file| has_numbers || [CLAIMS, CLAIMS_OF_TIMES].contains(file));
    let beside = of_claims.chain(&[SUMS, SUMS_OF_TIMES, "datapackage.json", "timings.csv"]).map(|file| (*file).to_owned());
    let charts = run.charts.clone().unwrap_or_else(|| {
        // of former versions the whole sample had every chart, and others are not told
        let study = studies.iter().find(|study| study.name == run.identity.study);
        let Some(study) = study.filter(|study| !Sample::of(Some(run), study, studies).is_preview()) else { return vec![] };
        let place = if folder.join("plots").is_dir() { "plots/".into() } else { format!("../../plots/{}/", study.name) };
        study.plots.iter().flat_map(|plot| ["svg", "csv"].map(|kind| format!("{place}{}.{kind}", plot.name))).collect()
    });
    tables.chain(beside).chain(charts).collect()
}
