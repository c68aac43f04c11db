use std::path::{Path, PathBuf};

use lab::files::{FileError, LARGEST, read_bytes, read_text, write_whole};
use lab::judge::report::Report;
use lab::judge::sample::Sample;
use lab::measure::identity::sha256;
use lab::provenance::Provenance;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES, Findings, check_reports, cover_reports, judge, renew_verdicts};
use lab::study::Study;

use super::folder::Folder;
use super::run::say_findings;
use super::verify::intact;
use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, HEADLINE, chosen, hold_results, ledgers, measured, reports, sweep_results};
use crate::{Failure, published, studies};

/// Writes `REPORT.md`, `REPORT.html` and all verdicts anew from the results at hand, or both files into a folder that `clothlab run`
/// wrote, on its study alone.
///
/// # Errors
/// Results that are damaged or are being written, a file that cannot be written.
pub fn report(folder: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges);
    if let Some(folder) = Folder::of(folder, &studies)? {
        return of_one(&folder, &studies);
    }
    if let Some(folder) = folder {
        return Err(Failure::Usage(format!("{folder} is no folder; without one the report is on the results of all studies")));
    }
    let measured = measured(&root, chosen(&studies, None)?)?;
    let _hold = hold_results(&root)?;
    sweep_results(&root, &studies)?;
    check_reports(reports(&root).iter().map(PathBuf::as_path))?;
    intact(&root, measured, true)?;
    say(write_report(&root, "results".as_ref(), "plots".as_ref(), [&studies, &studies], "cargo repro")?)
}

/// The report as text and as a page.
pub const REPORTS: [&str; 2] = ["REPORT.md", "REPORT.html"];

/// Checksums of the report on all studies, in the folder of their results.
pub const SUMS_OF_REPORTS: &str = "SHA256SUMS-of-reports";

/// The line of [`SUMS_OF_REPORTS`] for a report in `root`, which holds the results.
///
/// # Errors
/// A report that cannot be read.
pub fn sum_of_report(root: &Path, report: &str) -> Result<String, FileError> {
    Ok(format!("{}  ../{report}\n", sha256(read_bytes(&root.join(report), LARGEST)?)))
}

/// The report on a study in its own folder.
fn of_one(folder: &Folder, published: &[Study]) -> Result<(), Failure> {
    let mut ledgers = ledgers()?;
    ledgers.iter_mut().for_each(|ledger| ledger.claims.retain(|claim| claim.study == folder.study.name));
    let root = folder.places().results;
    let report = Report {
        studies: std::slice::from_ref(folder.study),
        published,
        ledgers: &ledgers,
        pictures: &[],
        headline: "",
        root,
        results: "".into(),
        plots: "plots".into(),
        command: "clothlab run",
    };
    let sections = report.sections();
    let [text, page] = REPORTS.map(|report| root.join(report));
    check_reports([text.as_path(), &page])?;
    let told = [(&text, report.markdown(&sections)), (&page, report.page(&sections)?)];
    for (file, told) in &told {
        write_whole(file, told.as_bytes())?;
    }
    cover_reports(root, &REPORTS)?;
    say(format!("the report is {}, as a page {}", text.display(), page.display()))
}

/// Judges the claims of a study, or of all, anew from the results at hand, or of a folder that `clothlab run` wrote, and renews their
/// verdicts with the checksums.
///
/// # Errors
/// A study that does not exist, results that are damaged or are being written, a folder that cannot be written.
pub fn claims(study: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges);
    if let Some(folder) = Folder::of(study, &studies)? {
        let sample = Sample::of(Some(&folder.run), folder.study);
        let findings = judge(folder.study, &folder.study.results(folder.places().results))?;
        renew_verdicts(folder.study, &sample, &findings, folder.places().results)?;
        say(folder.study.name)?;
        return say_findings(&findings, &sample);
    }
    let chosen = measured(&root, chosen(&studies, study)?)?;
    let _hold = hold_results(&root)?;
    sweep_results(&root, &studies)?;
    check_reports(reports(&root).iter().map(PathBuf::as_path))?;
    intact(&root, chosen.iter().copied(), false)?;
    let results = root.join("results");
    let judged = judged(&results, chosen, &studies)?;
    renew(&results, &judged)?;
    write_whole(&results.join(CLAIMS), merged_claims(&results, &studies)?.as_bytes())?;
    for Judgment { study, sample, findings } in &judged {
        say(study.name)?;
        say_findings(findings, sample)?;
    }
    Ok(())
}

/// Fresh verdicts on a study.
struct Judgment<'a> {
    study: &'a Study,
    sample: Sample,
    findings: Findings,
}

/// Fresh verdicts on those of the studies that have results; `published` are all studies at the published sample sizes.
fn judged<'a>(
    results: &Path,
    studies: impl IntoIterator<Item = &'a Study>,
    published: &[Study],
) -> Result<Vec<Judgment<'a>>, Failure> {
    let mut judged = vec![];
    for study in studies {
        let folder = results.join(study.name);
        let record = folder.join("run.json");
        if record.exists() {
            let published = published.iter().find(|published| published.name == study.name).unwrap_or(study);
            let sample = Sample::of(Provenance::parse(&read_text(&record)?).as_ref(), published);
            judged.push(Judgment { study, sample, findings: judge(study, &study.results(&folder))? });
        }
    }
    Ok(judged)
}

/// Puts fresh verdicts in place of those beside the results.
fn renew(results: &Path, judged: &[Judgment]) -> Result<(), Failure> {
    for Judgment { study, sample, findings } in judged {
        renew_verdicts(study, sample, findings, &results.join(study.name))?;
    }
    Ok(())
}

/// Writes the report into `root`, as text and as a page, from folders below it, with its checksums, the verdicts of every study and
/// `claims.csv` beside the results, which therefore say the same; the line that says where the report is. The studies come as measured and as published.
///
/// # Errors
/// Charts that cannot be drawn, files that cannot be read or written.
pub fn write_report(
    root: &Path,
    results: &Path,
    plots: &Path,
    [studies, at_paper_scale]: [&[Study]; 2],
    command: &str,
) -> Result<String, Failure> {
    let (ledgers, pictures) = (ledgers()?, published::pictures()?);
    let report = Report {
        studies,
        published: at_paper_scale,
        ledgers: &ledgers,
        pictures: &pictures,
        headline: HEADLINE,
        root,
        results: results.into(),
        plots: plots.into(),
        command,
    };
    let sections = report.sections();
    let results = root.join(results);
    let ([text, page], claims) = (REPORTS.map(|report| root.join(report)), results.join(CLAIMS));
    // All texts before the first file: what cannot be told leaves the former report whole.
    let judged = judged(&results, studies, at_paper_scale)?;
    let told = [(&text, report.markdown(&sections)), (&page, report.page(&sections)?)];
    renew(&results, &judged)?;
    write_whole(&claims, merged_claims(&results, studies)?.as_bytes())?;
    for (file, told) in &told {
        write_whole(file, told.as_bytes())?;
    }
    let sums = REPORTS.iter().map(|report| sum_of_report(root, report)).collect::<Result<String, _>>()?;
    write_whole(&results.join(SUMS_OF_REPORTS), sums.as_bytes())?;
    Ok(format!("the report is {}, as a page {}", text.display(), page.display()))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lab::judge::claims::Ledger;
    use lab::judge::published::Picture;
    use lab::publish::verdicts;

    use super::*;

    /// Values of an attribute, in the order of the page.
    fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
        let start = format!(" {attribute}=\"");
        page.split(&start).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect()
    }

    /// What the report of the committed results is written from.
    struct Committed {
        root: PathBuf,
        studies: Vec<Study>,
        ledgers: Vec<Ledger>,
        pictures: Vec<Picture>,
    }

    impl Committed {
        fn new() -> Committed {
            let studies = studies::all(&Profile::load("paper").unwrap().ranges);
            let (ledgers, pictures) = (ledgers().unwrap(), published::pictures().unwrap());
            Committed { root: workspace::root(), studies, ledgers, pictures }
        }

        fn report(&self) -> Report<'_> {
            let (results, plots) = ("results".into(), "plots".into());
            let Committed { root, studies, ledgers, pictures } = self;
            Report {
                studies,
                published: studies,
                ledgers,
                pictures,
                headline: HEADLINE,
                root,
                results,
                plots,
                command: "cargo repro",
            }
        }
    }

    #[test]
    fn the_committed_table_of_all_verdicts_is_that_of_the_studies() {
        let results = workspace::root().join("results");
        let studies = studies::all(&Profile::load("paper").unwrap().ranges);
        assert_eq!(read_text(&results.join("claims.csv")).unwrap(), merged_claims(&results, &studies).unwrap());
    }

    #[test]
    fn the_committed_verdicts_are_those_of_the_judges() {
        let results = workspace::root().join("results");
        let studies = studies::all(&Profile::load("paper").unwrap().ranges);
        let judged = judged(&results, &studies, &studies).unwrap();
        assert_eq!(judged.len(), studies.len());
        for Judgment { study, sample, findings } in &judged {
            for (file, text) in verdicts(study, sample, findings) {
                assert_eq!(read_text(&results.join(study.name).join(file)).unwrap(), text, "{}", study.name);
            }
        }
    }

    #[test]
    fn every_case_that_the_report_names_exists() {
        let committed = Committed::new();
        let (report, root, studies) = (committed.report(), &committed.root, &committed.studies);
        let text = report.markdown(&report.sections());
        let cases: Vec<usize> =
            text.split("add `--case ").skip(1).map(|rest| rest.split_once('`').unwrap().0.parse().unwrap()).collect();
        assert_eq!(cases.len(), studies.len());
        for (study, case) in studies.iter().zip(cases) {
            let run = read_text(&root.join("results").join(study.name).join("run.json")).unwrap();
            let run = Provenance::parse(&run).unwrap();
            let main = run.groups.iter().find(|count| count.group == study.groups[0].name()).unwrap();
            assert!(case < main.cases, "{}: --case {case} of {}", study.name, main.cases);
        }
    }

    #[test]
    fn every_id_link_and_number_of_the_page_of_the_committed_results_resolves() {
        let committed = Committed::new();
        let (report, root) = (committed.report(), &committed.root);
        let sections = report.sections();
        assert_eq!(
            report.unresolved(&sections),
            [""; 0],
            "places of the headline without a number, or words that no verdict bears out"
        );
        let page = report.page(&sections).unwrap();
        let all = values(&page, "id");
        let ids: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(ids.len(), all.len(), "ids are unique");
        for named in ["aria-labelledby", "aria-controls"] {
            assert!(values(&page, named).iter().all(|id| ids.contains(id)), "{named}");
        }
        let mut files = 0;
        for link in values(&page, "href") {
            match link.strip_prefix('#') {
                Some(id) => assert!(ids.contains(id), "#{id}"),
                None if link.starts_with("data:") => {}
                None => {
                    assert!(root.join(link).is_file(), "{link}");
                    files += 1;
                }
            }
        }
        for part in ["id=\"readings\"", "id=\"pictures\"", "href=\"#chart-preconditioners-sphere-size\"", "class=\"found\""] {
            assert!(page.contains(part), "{part}");
        }
        assert!(files > 100, "{files} links to files");
        assert!(page.len() < 15_000_000, "{} bytes", page.len());
    }
}
