//! The report, the crate and the article of the committed results.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use clothlab::PROGRAM;
use driver::commands::article::{self, manuscript};
use driver::commands::report::*;
use driver::report_files::{BESIDE, TEXT, merged_claims};
use driver::workspace::{self, HEADLINE};
use kit::published::{citation, ledgers, pictures};
use lab::files::read_text;
use lab::judge::report::{Place, Report, Section};
use lab::judge::ro_crate::RO_CRATE;
use lab::provenance::Provenance;
use lab::study::Study;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

use lab::judge::claims::Ledger;
use lab::judge::published::Picture;
use lab::judge::sample::Sample;
use lab::publish::{VERDICTS, judge, verdicts};

/// Values of an attribute, in the order of the page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect()
}

/// Studies, ledgers and figures that the report of the committed results is written from.
struct Committed {
    root: PathBuf,
    studies: Vec<Study>,
    ledgers: Vec<Ledger>,
    pictures: Vec<Picture>,
}

impl Committed {
    fn new() -> Committed {
        let studies = PROGRAM.published().unwrap();
        let (ledgers, pictures) = (ledgers().unwrap().to_vec(), pictures().unwrap());
        Committed { root: workspace::root(), studies, ledgers, pictures }
    }

    fn report(&self) -> Report<'_> {
        let (place, command) = (Place::Above, "cargo repro --full");
        let Committed { root, studies, ledgers, pictures } = self;
        Report {
            studies,
            published: studies,
            ledgers,
            pictures,
            headline: HEADLINE,
            answers: PROGRAM.answers,
            film: "",
            root,
            place,
            command,
        }
    }
}

#[test]
fn the_committed_table_of_all_verdicts_is_that_of_the_studies() {
    let results = workspace::root().join("results");
    let studies = PROGRAM.published().unwrap();
    assert_eq!(read_text(&results.join("claims.csv")).unwrap(), merged_claims(&results, &studies).unwrap());
}

#[test]
fn the_committed_verdicts_are_those_of_the_judges() {
    let results = workspace::root().join("results");
    let studies = PROGRAM.published().unwrap();
    let judged = judged(&results, &studies, &studies).unwrap();
    assert_eq!(judged.len(), studies.len());
    for Judgment { study, sample, findings } in &judged {
        for (file, text) in verdicts(study, sample, findings) {
            assert_eq!(read_text(&results.join(study.name).join(file)).unwrap(), text, "{}", study.name);
        }
    }
}

/// Claims with their verdicts, by the text of a table of them.
fn claims_of(text: &str) -> Vec<[String; 2]> {
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let records = table.records().map(|record| record.unwrap());
    records.map(|record| [record[0].to_owned(), record[2].to_owned()]).collect()
}

#[test]
fn a_short_reproduction_judges_every_claim_as_the_whole_one_does() {
    let results = workspace::root().join("results");
    let mut others = vec![];
    for study in PROGRAM.published().unwrap().iter().filter(|study| !study.short.sets.is_empty()) {
        assert!(!study.short.reason.is_empty(), "{}", study.name);
        let named = study.short.sets.keys().filter(|name| study.groups.iter().all(|group| group.name() != name.as_str()));
        assert_eq!(named.collect::<Vec<_>>(), [""; 0], "{} has no such groups", study.name);
        for claim in &study.short.full_size_alone {
            assert!(study.judges.iter().any(|judge| judge.claim == claim) && study.short.reason.contains(claim), "{claim}");
        }
        let (folder, published) = (tempfile::tempdir().unwrap(), results.join(study.name));
        for group in &study.groups {
            let sets = study.short.of(group.name(), group.sets());
            let file = study.file_of(group.name());
            let text = read_text(&published.join(&file)).unwrap();
            let is_short = |line: &&str| line.split(',').next().is_some_and(|set| set.parse().is_ok_and(|set: u64| set < sets));
            let mut lines = text.lines();
            let head = lines.next().unwrap();
            let rest: String = lines.filter(is_short).map(|line| format!("{line}\n")).collect();
            if sets > 0 {
                fs::write(folder.path().join(file), format!("{head}\n{rest}")).unwrap();
            }
        }
        fs::copy(published.join("timings.csv"), folder.path().join("timings.csv")).unwrap();
        let findings = judge(study, &Sample::Short, &study.results(folder.path())).unwrap();
        let are_verdicts = |(file, _): &(&str, String)| VERDICTS.iter().any(|[verdicts, _]| verdicts == file);
        for (file, text) in verdicts(study, &Sample::Short, &findings).into_iter().filter(are_verdicts) {
            let mut published = claims_of(&read_text(&published.join(file)).unwrap());
            // a claim that is left to the full size is named
            let short = claims_of(&text);
            published.retain(|[id, _]| short.iter().any(|[of, _]| of == id) || !study.short.reason.contains(id));
            assert_eq!(short.len(), published.len(), "{}", study.name);
            // what the short size leaves open is named
            let is_open =
                |[id, verdict]: &[String; 2]| verdict == "open" && study.short.reason.contains(&format!("{id} stays open"));
            let other = short.into_iter().zip(published).filter(|(short, published)| short != published && !is_open(short));
            others.extend(other.map(|(short, published)| format!("{}: {} for {}", short[0], short[1], published[1])));
        }
    }
    assert_eq!(others, [""; 0]);
}

/// Judged once for all that is looked at.
#[test]
fn the_report_the_crate_and_the_article_of_the_committed_results_are_whole() {
    let committed = Committed::new();
    let report = committed.report();
    let sections = report.sections();
    let checks = [
        the_crate_is_that_of_the_results_and_every_name_in_it_is_of_something,
        every_case_that_the_report_names_exists,
        every_id_link_and_number_of_the_page_resolves,
        every_link_of_the_text_resolves,
        every_number_and_chart_of_the_article_is_there,
    ];
    checks.iter().for_each(|check| check(&committed, &report, &sections));
}

fn the_crate_is_that_of_the_results_and_every_name_in_it_is_of_something(
    Committed { root, studies, .. }: &Committed,
    report: &Report<'_>,
    sections: &[Section<'_>],
) {
    let results = root.join("results");
    let text = report.ro_crate(sections, &citation().unwrap(), &BESIDE).unwrap();
    assert_eq!(read_text(&results.join(RO_CRATE)).unwrap(), text, "`clothlab report` writes it");
    let graph: Value = serde_json::from_str(&text).unwrap();
    let entities = graph["@graph"].as_array().unwrap();
    let ids: BTreeSet<&str> = entities.iter().map(|entity| entity["@id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), entities.len(), "an entity stands twice");
    for link in text.split("{\"@id\":\"").skip(1).map(|rest| rest.split_once('"').unwrap().0) {
        assert!(ids.contains(link) || link == "https://w3id.org/ro/crate/1.1", "{link}");
    }
    let files: BTreeSet<&str> =
        entities.iter().filter(|entity| entity["@type"] == "File").map(|entity| entity["@id"].as_str().unwrap()).collect();
    for study in studies {
        for entry in fs::read_dir(results.join(study.name)).unwrap() {
            let file = format!("{}/{}", study.name, entry.unwrap().file_name().to_string_lossy());
            assert!(files.contains(file.as_str()), "{file} is not described");
        }
    }
    let runs = entities.iter().filter(|entity| entity["@type"] == "CreateAction").count();
    assert_eq!(runs, studies.len());
}

fn every_case_that_the_report_names_exists(
    Committed { root, studies, .. }: &Committed,
    report: &Report<'_>,
    sections: &[Section<'_>],
) {
    let text: String = sections.iter().map(|section| report.markdown_of(section)).collect();
    let cases: Vec<usize> =
        text.split("add `--case ").skip(1).map(|rest| rest.split_once('`').unwrap().0.parse().unwrap()).collect();
    assert_eq!(cases.len(), studies.len());
    for (study, case) in studies.iter().zip(cases) {
        let run = Provenance::of(&root.join("results").join(study.name)).unwrap();
        let main = run.groups.iter().find(|count| count.group == study.groups[0].name()).unwrap();
        assert!(case < main.cases, "{}: --case {case} of {}", study.name, main.cases);
    }
}

fn every_id_link_and_number_of_the_page_resolves(_: &Committed, report: &Report<'_>, sections: &[Section<'_>]) {
    assert_eq!(
        report.unresolved(sections),
        [""; 0],
        "places of the headline without a number, or words that no verdict bears out"
    );
    let page = report.page(sections).unwrap();
    let all = values(&page, "id");
    let ids: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(ids.len(), all.len(), "ids are unique");
    for named in ["aria-labelledby", "aria-controls"] {
        assert!(values(&page, named).iter().all(|id| ids.contains(id)), "{named}");
    }
    for link in values(&page, "href") {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(id), "#{id}"),
            None => assert!(link.starts_with("data:"), "{link}: a page that is sent alone has no file beside it"),
        }
    }
    for part in ["id=\"readings\"", "id=\"pictures\"", "href=\"#chart-preconditioners-sphere-size\"", "class=\"found\""] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.len() < 15_000_000, "{} bytes", page.len());
}

fn every_link_of_the_text_resolves(Committed { root, .. }: &Committed, report: &Report<'_>, sections: &[Section<'_>]) {
    let results = root.join("results");
    let parts = sections.iter().map(|section| (results.join(section.study().name).join(TEXT), report.markdown_of(section)));
    let texts: Vec<(PathBuf, String)> = std::iter::once((root.join(TEXT), report.markdown(sections))).chain(parts).collect();
    let (mut files, mut claims) = (0, 0);
    for (path, text) in &texts {
        for link in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let target = path.with_file_name("").join(file).canonicalize().unwrap_or_else(|error| panic!("{link}: {error}"));
            let of = texts.iter().find(|(path, _)| path.canonicalize().is_ok_and(|path| path == target));
            let has =
                |text: &str| text.lines().any(|line| line.strip_prefix("### ").is_some_and(|title| title.to_lowercase() == id));
            assert!(id.is_empty() || of.is_some_and(|(_, text)| has(text)), "{}: {link}", path.display());
            files += 1;
            claims += usize::from(!id.is_empty());
        }
    }
    assert!(files > 300 && claims > 190, "{files} links, {claims} of them to claims");
}

fn every_number_and_chart_of_the_article_is_there(
    Committed { root, studies, ledgers, .. }: &Committed,
    _: &Report<'_>,
    sections: &[Section<'_>],
) {
    let manuscript = manuscript().unwrap();
    let report = article::report(root, studies, ledgers);
    for text in manuscript.texts() {
        let text = Report { headline: text, ..report };
        assert_eq!(text.unresolved(sections), [""; 0], "places without a number, or words that no verdict bears out");
    }
    let article = report.article(sections, &manuscript, &citation().unwrap()).unwrap();
    let shown: usize = manuscript.figures.iter().map(|figure| figure.charts.len()).sum();
    assert_eq!(article.figures.len(), shown, "a chart of the manuscript was not drawn");
    for claim in ledgers.iter().flat_map(|ledger| &ledger.claims) {
        assert!(article.source.contains(&format!("(\"{}\", \"", claim.id)), "{} is not on the map", claim.id);
    }
    let verdicts = read_text(&root.join("results/claims.csv")).unwrap();
    for line in verdicts.lines().filter(|line| line.contains(",not-reproduced,")) {
        let id = line.split(',').next().unwrap();
        assert!(article.source.contains(&format!("  name: [#raw(\"{id}\");],\n")), "{id} failed, and is not told");
    }
}
