use std::path::{Path, PathBuf};

use kit::Failure;
use kit::published::{citation, ledgers, pictures};
use lab::files::{FileError, write_whole};
use lab::judge::claims::{Finding, Ledger};
use lab::judge::report::{Place, Report};
use lab::judge::ro_crate::RO_CRATE;
use lab::judge::sample::Sample;
use lab::provenance::Provenance;
use lab::publish::{CLAIMS, Findings, check_reports, cover_reports, judge, renew_verdicts};
use lab::study::Study;
use lab::terminal::be_quiet;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::folder::Folder;
use super::run::say_findings;
use super::verify::intact;
use crate::output::{say, say_json};
use crate::program::Program;
use crate::report_files::{BESIDE, PAGE, SUMS_OF_REPORTS, TEXT, files_of_report, merged_claims, sum_of_report};
use crate::simulate::played;
use crate::workspace::{self, HEADLINE, chosen, hold_results, measured, reports};

/// Writes `REPORT.md`, the part on each study, `REPORT.html` and all verdicts anew from the results at hand, or both forms of the
/// report into a folder that `clothlab run` wrote, on its study alone.
///
/// # Errors
/// Results that are damaged or are being written, a file that cannot be written.
pub fn report(program: &Program, folder: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = program.published()?;
    if let Some(folder) = Folder::of(folder, &studies)? {
        return of_one(&folder, &studies);
    }
    if let Some(folder) = folder {
        return Err(Failure::Usage(format!("{folder} is no folder; without one the report is on the results of all studies")));
    }
    let measured = measured(&root, chosen(&studies, None)?)?;
    let _hold = hold_results(&root, &studies)?;
    check_reports(reports(&root, &studies).iter().map(PathBuf::as_path))?;
    intact(&root, measured, true)?;
    say(write_report(program, &root, [&studies, &studies], "cargo repro --full")?)
}

/// The scene that moves on the first screen.
const OPENING: &str = include_str!("opening.toml");

/// The report on a study in its own folder.
fn of_one(folder: &Folder, published: &[Study]) -> Result<(), Failure> {
    let root = folder.places().results;
    if root.join("..").join(SUMS_OF_REPORTS).exists() {
        let root = root.display();
        return Err(Failure::Usage(format!(
            "{root} is a part of the results of all studies; `clothlab report` writes their report"
        )));
    }
    let mut ledgers = ledgers()?.to_vec();
    ledgers.iter_mut().for_each(|ledger| ledger.claims.retain(|claim| claim.study == folder.study.name));
    let report = Report {
        studies: std::slice::from_ref(folder.study),
        published,
        ledgers: &ledgers,
        pictures: &[],
        headline: "",
        answers: &[],
        film: "",
        root,
        place: Place::Alone,
        command: "clothlab run",
    };
    let sections = report.sections();
    let [text, page] = [TEXT, PAGE].map(|report| root.join(report));
    check_reports([text.as_path(), &page])?;
    write_all(&[(text.clone(), report.markdown(&sections)), (page.clone(), report.page(&sections)?)])?;
    cover_reports(root, &[TEXT, PAGE])?;
    say(told(&text, &page))
}

/// Writes files with their texts.
fn write_all(files: &[(PathBuf, String)]) -> Result<(), FileError> {
    files.iter().try_for_each(|(file, text)| write_whole(file, text.as_bytes()))
}

/// Says where a report is.
fn told(text: &Path, page: &Path) -> String {
    format!("the report is {}, as a page {}", text.display(), page.display())
}

/// Judges the claims of a study, or of all, anew from the results at hand, or of a folder that `clothlab run` wrote, and renews
/// their verdicts with the checksums.
///
/// # Errors
/// A study that does not exist, results that are damaged or are being written, a folder that cannot be written.
pub fn claims(program: &Program, study: Option<&str>, json: bool) -> Result<(), Failure> {
    if json {
        be_quiet(); // nothing stands beside the document
    }
    let root = workspace::root();
    let studies = program.published()?;
    if let Some(folder) = Folder::of(study, &studies)? {
        let sample = Sample::of(Some(&folder.run), folder.study, &studies);
        let findings = judge(folder.study, &sample, &folder.study.results(folder.places().results))?;
        renew_verdicts(folder.study, &sample, &findings, folder.places().results)?;
        if json {
            return say_json(&json!({ "claims": as_json(folder.study, &sample, &findings) }));
        }
        say(folder.study.name)?;
        return say_findings(&findings, &sample);
    }
    let chosen = measured(&root, chosen(&studies, study)?)?;
    let _hold = hold_results(&root, &studies)?;
    check_reports(reports(&root, &studies).iter().map(PathBuf::as_path))?;
    intact(&root, chosen.iter().copied(), false)?;
    let results = root.join("results");
    let judged = judged(&results, chosen, &studies)?;
    renew(&results, &judged)?;
    write_whole(&results.join(CLAIMS), merged_claims(&results, &studies)?.as_bytes())?;
    if json {
        let claims = judged.iter().flat_map(|Judgment { study, sample, findings }| as_json(study, sample, findings));
        return say_json(&json!({ "claims": claims.collect::<Vec<_>>() }));
    }
    for Judgment { study, sample, findings } in &judged {
        say(study.name)?;
        say_findings(findings, sample)?;
    }
    Ok(())
}

/// Findings as JSON, an object each.
fn as_json(study: &Study, sample: &Sample, findings: &Findings) -> Vec<Value> {
    let finding = |(claim, finding): &(&str, Finding)| {
        json!({
            "id": claim,
            "study": study.name,
            "verdict": finding.verdict,
            "sample": sample.to_string(),
            "measured": finding.measured,
            "value": finding.value,
            "interval": finding.interval.map(|interval| [interval.low, interval.high]),
            "cases": finding.cases,
            "left_out": finding.left_out,
            "reason": finding.reason,
        })
    };
    findings.iter().map(finding).collect()
}

/// Fresh verdicts on a study.
pub struct Judgment<'a> {
    pub study: &'a Study,
    pub sample: Sample,
    pub findings: Findings,
}

/// Fresh verdicts on those of the studies that have results; `published` are all studies at the published sample sizes.
pub fn judged<'a>(
    results: &Path,
    studies: impl IntoIterator<Item = &'a Study>,
    published: &[Study],
) -> Result<Vec<Judgment<'a>>, Failure> {
    let measured = studies.into_iter().filter(|study| results.join(study.name).join("run.json").exists());
    let of = |study: &'a Study| {
        let folder = results.join(study.name);
        let sample = Sample::of(Provenance::of(&folder).as_ref(), study, published);
        let findings = judge(study, &sample, &study.results(&folder))?;
        Ok(Judgment { study, sample, findings })
    };
    // the first that fails is told, whichever failed before
    let judged: Vec<Result<Judgment, Failure>> = measured.collect::<Vec<_>>().into_par_iter().map(of).collect();
    judged.into_iter().collect()
}

/// Puts fresh verdicts in place of those beside the results.
fn renew(results: &Path, judged: &[Judgment]) -> Result<(), Failure> {
    for Judgment { study, sample, findings } in judged {
        renew_verdicts(study, sample, findings, &results.join(study.name))?;
    }
    Ok(())
}

/// Keeps the claims whose studies have results; whether those of all studies are there. What a ledger found stands for all of its
/// claims, and goes with the first of them.
fn keep_measured(ledgers: &mut Vec<Ledger>, results: &Path, studies: &[Study]) -> bool {
    let is_there = |study: &&Study| study.judges.is_empty() || results.join(study.name).join("run.json").exists();
    let there: Vec<&str> = studies.iter().filter(is_there).map(|study| study.name).collect();
    if there.len() == studies.len() {
        return true;
    }
    for ledger in &mut *ledgers {
        let count = ledger.claims.len();
        ledger.claims.retain(|claim| there.contains(&claim.study.as_str()));
        if ledger.claims.len() < count {
            ledger.finding.clear();
        }
    }
    ledgers.retain(|ledger| !ledger.claims.is_empty());
    false
}

/// Writes the report into `root`, as text, with the part on each study beside its results, and as a page; with its checksums, the
/// verdicts of every study and `claims.csv` beside the results, which therefore say the same, and the results as a crate; the line
/// that says where the report is. The studies come as measured and as published.
///
/// # Errors
/// Charts that cannot be drawn, files that cannot be read or written.
pub fn write_report(
    program: &Program,
    root: &Path,
    [studies, published]: [&[Study]; 2],
    command: &str,
) -> Result<String, Failure> {
    let (mut ledgers, pictures, citation) = (ledgers()?.to_vec(), pictures()?, citation()?);
    let is_whole = keep_measured(&mut ledgers, &root.join("results"), studies);
    let (ledgers, pictures) = (&ledgers, &pictures);
    let film = played(OPENING)?;
    let (headline, film, place) = (if is_whole { HEADLINE } else { "" }, film.as_str(), Place::Above);
    let answers = program.answers;
    let report = Report { studies, published, ledgers, pictures, headline, answers, film, root, place, command };
    let sections = report.sections();
    let (text, page, results) = (root.join(TEXT), root.join(PAGE), root.join("results"));
    // All texts before the first file: what cannot be told leaves the former report whole.
    let judged = judged(&results, studies, published)?;
    let mut files = vec![(text.clone(), report.markdown(&sections)), (page.clone(), report.page(&sections)?)];
    let measured: Vec<_> = sections.iter().filter(|section| section.is_measured()).collect();
    files.extend(measured.iter().map(|section| (results.join(section.study().name).join(TEXT), report.markdown_of(section))));
    renew(&results, &judged)?;
    write_whole(&results.join(CLAIMS), merged_claims(&results, studies)?.as_bytes())?;
    write_all(&files)?;
    // it describes the parts on studies too
    write_whole(&results.join(RO_CRATE), report.ro_crate(&sections, &citation, &BESIDE)?.as_bytes())?;
    let files = files_of_report(measured.iter().map(|section| section.study()));
    let sums = files.iter().map(|file| sum_of_report(&results, file)).collect::<Result<String, _>>()?;
    write_whole(&results.join(SUMS_OF_REPORTS), sums.as_bytes())?;
    Ok(told(&text, &page))
}

#[cfg(test)]
mod tests {
    use lab::results::ResultsError;
    use lab::study::Judge;

    use super::*;

    #[test]
    fn a_report_on_a_part_says_nothing_of_what_was_not_measured() {
        let ledger = |paper: &str, studies: &[&str]| {
            let head = format!("paper = '{paper}'\ncitation = 'c'\nfinding = 'found'\n");
            let claim = |study: &&str| {
                format!("[[claim]]\nid = 'X-{study}'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = '{study}'\n")
            };
            Ledger::parse("p", &(head + &studies.iter().map(claim).collect::<String>())).unwrap()
        };
        let judged = |name| Study {
            name,
            judges: vec![Judge::of_counts("X", |_| Err(ResultsError::TooFew(String::new())))],
            ..Study::of(vec![], String::new())
        };
        let ledgers = || vec![ledger("both", &["here", "gone"]), ledger("whole", &["here"]), ledger("none", &["gone"])];
        let results = tempfile::tempdir().unwrap();
        let kept = |studies: &[Study]| {
            let mut ledgers = ledgers();
            let is_whole = keep_measured(&mut ledgers, results.path(), studies);
            let told = ledgers.into_iter().map(|ledger| (ledger.paper, ledger.claims.len(), ledger.finding));
            (is_whole, told.collect::<Vec<_>>())
        };
        std::fs::create_dir(results.path().join("here")).unwrap();
        std::fs::write(results.path().join("here/run.json"), "").unwrap();
        let told = |paper: &str, claims, finding: &str| (paper.to_owned(), claims, finding.to_owned());
        let part = kept(&[judged("here"), judged("gone")]);
        assert_eq!(part, (false, vec![told("both", 1, ""), told("whole", 1, "found")]));
        // a study that judges nothing is not missed
        let silent = Study { name: "gone", ..Study::of(vec![], String::new()) };
        assert!(kept(&[judged("here"), silent]).0);
    }
}
