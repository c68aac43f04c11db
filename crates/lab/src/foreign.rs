//! Files of somebody else where results would be written: they are refused, never replaced.

use std::path::{Path, PathBuf};

use crate::files::{LARGEST, read_bytes, read_text};
use crate::judge::page::{PAGE_BEGINS, PAGES_BEGAN};
use crate::judge::report::is_report;
use crate::judge::ro_crate::CRATE_BEGINS;
use crate::places::{BESIDE, NUMBERS_OF_CLAIMS, PUBLISHING, Places, PublishError};
use crate::provenance::Provenance;
use crate::study::Study;
use crate::sums::{SUMS, SUMS_OF_TIMES, entries};

/// First columns of every table of verdicts.
const VERDICTS_BEGIN: &str = "claim,study,verdict,";

/// Refuses places where a file of somebody else has the name of a result: a table or a chart that stands in no SHA256SUMS of the
/// study, and anything in a folder without its record of a run.
///
/// # Errors
/// [`PublishError::Foreign`] with the first one.
pub fn check_foreign(study: &Study, places: &Places) -> Result<(), PublishError> {
    let is_ours = Provenance::of(places.results).is_some_and(|run| run.identity.study == study.name);
    let tables = study.groups.iter().map(|group| study.file_of(group.name()));
    let listed = if is_ours { listed(places.results) } else { vec![] };
    // former versions wrote no numbers of claims
    let is_theirs = |file: &str| !is_ours || NUMBERS_OF_CLAIMS.contains(&file) && listed.iter().all(|known| known != file);
    let beside = BESIDE.iter().filter(|file| is_theirs(file)).map(|file| (*file).to_owned());
    let targets = tables.filter(|table| !listed.contains(table)).chain(beside).map(|file| places.results.join(file));
    first_foreign(study, places, targets)?;
    // former versions kept no checksums of charts of times
    if is_ours && !places.results.join(SUMS_OF_TIMES).exists() { Ok(()) } else { check_charts(study, places, &listed) }
}

/// Refuses charts of somebody else where those of a study are drawn: they are not among the `listed` files.
pub(crate) fn check_charts(study: &Study, places: &Places, listed: &[String]) -> Result<(), PublishError> {
    let charts = charts_of(study).filter(|chart| !listed.contains(&format!("{}{chart}", places.plots_from_results)));
    first_foreign(study, places, charts.map(|chart| places.plots.join(chart)))
}

fn first_foreign(study: &Study, places: &Places, mut targets: impl Iterator<Item = PathBuf>) -> Result<(), PublishError> {
    // a dangling link is somebody's too
    match targets.find(|path| path.symlink_metadata().is_ok()) {
        Some(path) if !places.results.join(PUBLISHING).exists() => Err(PublishError::Foreign { path, study: study.name }),
        _ => Ok(()),
    }
}

/// The files of all charts of a study.
pub(crate) fn charts_of(study: &Study) -> impl Iterator<Item = String> {
    study.plots.iter().flat_map(|plot| ["svg", "csv"].map(|kind| format!("{}.{kind}", plot.name)))
}

/// The files that have checksums in a folder, as they are seen from it.
pub(crate) fn listed(results: &Path) -> Vec<String> {
    let sums = [SUMS, SUMS_OF_TIMES].map(|sums| read_text(&results.join(sums)).unwrap_or_default()).concat();
    entries(&sums).map(|(_, file)| file.to_owned()).collect()
}

/// Refuses files of somebody else where a report or a table of verdicts is written: what is ours begins as all of them do.
///
/// # Errors
/// [`PublishError::ForeignReport`] with the first one.
pub fn check_reports<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<(), PublishError> {
    let is_ours = |path: &Path| {
        let text = String::from_utf8_lossy(&read_bytes(path, LARGEST).unwrap_or_else(|_| b"?".into())).into_owned();
        let begins = |beginning: &str| text.starts_with(beginning);
        text.is_empty()
            || match path.extension().and_then(|kind| kind.to_str()) {
                Some("csv") => begins(VERDICTS_BEGIN),
                Some("json") => begins(CRATE_BEGINS),
                Some("html") => begins(PAGE_BEGINS) || begins(PAGES_BEGAN),
                _ => is_report(&text),
            }
    };
    match files.into_iter().find(|path| path.symlink_metadata().is_ok() && !is_ours(path)) {
        Some(path) => Err(PublishError::ForeignReport { path: path.into() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::judge::judged::claims_csv;

    #[test]
    fn only_reports_that_were_written_here_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for (file, ours, foreign) in [
            ("REPORT.md", "# Report\n\n> **Preview.** Some", "# Report\n\nOf my year."),
            ("REPORT.md", "# Report on `a`\n\nWritten from `results/` by `b`", "# Report of mine\nin\n\n> **Preview.** "),
            ("REPORT.html", PAGES_BEGAN, "<!DOCTYPE html>\n<title>clothlab: mine</title>\n"),
            ("REPORT.html", PAGE_BEGINS, "<!DOCTYPE html>\n<title>Report</title>\n"),
            ("ro-crate-metadata.json", CRATE_BEGINS, "{\"@context\":\"https://w3id.org/ro/crate/1.1/context\",\"@graph\":[]}\n"),
            ("claims.csv", "claim,study,verdict,sample,measured,value,low,high,cases,left_out,reason\n", "claim,mine\n"),
            ("claims.csv", &claims_csv(&[]), "claim,study,mine\n"),
        ] {
            let path = folder.path().join(file);
            _ = fs::remove_file(&path);
            check_reports([path.as_path()]).unwrap();
            for text in ["", ours] {
                fs::write(&path, text).unwrap();
                check_reports([path.as_path()]).unwrap();
            }
            fs::write(&path, foreign).unwrap();
            let refused = check_reports([path.as_path()]).unwrap_err().to_string();
            assert!(refused.contains(&format!("{file} is there, and was not written by this program; ")), "{refused}");
        }
    }
}
