//! The files of the report on all studies.

use std::path::{Path, PathBuf};

use kit::Failure;
use lab::files::{FileError, LARGEST, read_bytes, read_text};
use lab::judge::ro_crate::RO_CRATE;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES};
use lab::study::Study;
use lab::sums::sum_line;

/// The report as text.
pub const TEXT: &str = "REPORT.md";

/// The report as a page.
pub const PAGE: &str = "REPORT.html";

/// Checksums of the report on all studies, in the folder of their results.
pub const SUMS_OF_REPORTS: &str = "SHA256SUMS-of-reports";

/// Files beside the folders of studies, as the crate names them, with what they hold.
pub const BESIDE: [(&str, &str); 2] = [
    (CLAIMS, "the verdicts of all studies"),
    (
        SUMS_OF_REPORTS,
        "checksums of the report, with its parts beside the results of the studies, and of the description of this crate",
    ),
];

/// The files of the report as seen from the folder of results: the text, the parts on these studies, the page, and the description of the
/// results as a crate.
pub fn files_of_report<'a>(studies: impl IntoIterator<Item = &'a Study>) -> Vec<String> {
    let parts = studies.into_iter().map(|study| format!("{}/{TEXT}", study.name));
    std::iter::once(format!("../{TEXT}")).chain(parts).chain([format!("../{PAGE}"), RO_CRATE.into()]).collect()
}

/// The path of one of these files.
pub fn path_of(results: &Path, file: &str) -> PathBuf {
    let above = || if results.file_name().is_some() { results.with_file_name("") } else { results.join("..") };
    file.strip_prefix("../").map_or_else(|| results.join(file), |file| above().join(file))
}

/// The line of [`SUMS_OF_REPORTS`] for one of these files.
///
/// # Errors
/// A file that cannot be read.
pub fn sum_of_report(results: &Path, file: &str) -> Result<String, FileError> {
    Ok(sum_line(read_bytes(&path_of(results, file), LARGEST)?, file))
}

/// One table of the verdicts of all studies that were measured.
///
/// # Errors
/// Verdicts that cannot be read.
pub fn merged_claims(results: &Path, studies: &[Study]) -> Result<String, Failure> {
    let mut merged = String::new();
    let files = [CLAIMS, CLAIMS_OF_TIMES];
    for (study, file) in studies.iter().flat_map(|study| files.map(|file| (study, file))) {
        let path = results.join(study.name).join(file);
        if !path.exists() {
            continue;
        }
        let text = read_text(&path)?;
        let lines = if merged.is_empty() { text.as_str() } else { text.split_once('\n').map_or("", |(_, lines)| lines) };
        merged += lines;
    }
    Ok(merged)
}
