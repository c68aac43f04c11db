//! The part of the page on one study.

use std::collections::BTreeMap;

use super::claim::claim;
use super::drawing::inline;
use super::markup::{TABLE_ENDS, escaped, slug, table};
use super::opening::strip;
use super::prose::prose;
use super::{entry, reason};
use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::places::{CLAIMS_OF_TIMES, NUMBERS, NUMBERS_OF_TIMES, PublishError};
use crate::provenance::{Provenance, TimesOf};
use chart::Figure;

/// Files of results beside the tables, each with what it holds.
const OTHER_FILES: [(&str, &str); 8] = [
    ("datapackage.json", "what every column means"),
    ("claims.csv", "verdicts"),
    (NUMBERS, "the numbers behind them"),
    (CLAIMS_OF_TIMES, "verdicts that rest on times"),
    (NUMBERS_OF_TIMES, "the numbers behind these"),
    ("timings.csv", "the time of every case"),
    ("run.json", "provenance"),
    ("SHA256SUMS", "checksums"),
];

/// How a study is measured anew, as it was.
fn command(section: &Section) -> String {
    let study = section.study.name;
    match &section.provenance {
        Some(run) => format!("cargo clothlab run {study} --profile {} --seed {}", run.profile, run.identity.seed),
        None => format!("cargo clothlab run {study}"),
    }
}

impl Report<'_> {
    /// A study: its question, what came of it, its charts and claims, what was measured.
    pub(super) fn study_section(&self, section: &Section, verdicts: &BTreeMap<String, String>) -> Result<String, PublishError> {
        let study = section.study;
        let known = |(id, _): &(&str, _)| self.claims().map(|(_, claim)| claim).find(|claim| claim.id == *id);
        let open = if self.studies.len() == 1 { " open" } else { "" };
        let (anchor, title, source, name) = (slug(study.name), escaped(study.title), escaped(study.source), escaped(study.name));
        let (strip, about) = (strip(section.findings.iter().filter_map(known), verdicts), prose(study.about));
        let mut html = format!(
            "<details class=\"study\" id=\"study-{anchor}\"{open}>\n<summary><h2>{title}</h2> <span class=\"source\">{source} · \
             <code>{name}</code></span> {strip}</summary>\n<h3>Question</h3>\n{about}<h3>Discussion</h3>\n"
        );
        html += &match &section.discussion {
            Ok(discussion) => prose(discussion),
            Err(error) => format!("<p>There is nothing to discuss: {}.</p>\n", escaped(&reason(error))),
        };
        if !section.charts.is_empty() {
            html += "<h3>Charts</h3>\n";
        }
        for (chart, figure) in &section.charts {
            html += &self.chart(section, chart, figure)?;
        }
        if !section.findings.is_empty() {
            html += "<h3>Claims</h3>\n";
        }
        let command = command(section);
        for (id, finding) in &section.findings {
            if let Some((ledger, published)) = self.claims().find(|(_, claim)| claim.id == *id) {
                html += &claim(ledger, published, finding, section, &command);
            }
        }
        html += "<h3>What was measured</h3>\n";
        html += &match &section.provenance {
            Some(run) => self.tables(section, run, &command) + &origin(run, &command),
            None => "<p>No results yet.</p>\n".into(),
        };
        Ok(html + "</details>\n")
    }

    /// A chart, drawn for wide and for narrow screens, with its caption and its files.
    fn chart(&self, section: &Section, chart: &'static str, figure: &Figure) -> Result<String, PublishError> {
        let id = format!("chart-{}-{}", slug(section.study.name), slug(chart));
        let title = if figure.title.is_empty() { chart } else { &figure.title };
        let mut drawings = String::new();
        let pair = figure.svg_pair(&id).map_err(|error| PublishError::Chart { name: chart, error })?;
        for (kind, svg) in ["wide", "narrow"].into_iter().zip(pair) {
            let (drawing, [width, height]) = inline(&svg, title);
            let style = format!("--width:{width}px;--ratio:{width}/{height}");
            drawings += &format!("<div class=\"drawing {kind}\" style=\"{style}\">{drawing}</div>\n");
        }
        let file = self.plots_of(section.study.name).join(chart);
        let times = if figure.of_times { ". It shows times of this machine." } else { "" };
        let (caption, file) = (prose(&figure.caption), escaped(&file.to_string_lossy()));
        Ok(format!(
            "<figure id=\"{id}\">\n{drawings}<figcaption>{caption}<p class=\"files\"><code>{file}.svg</code>, its points \
             <code>.csv</code>{times}</p>\n\
             </figcaption>\n</figure>\n"
        ))
    }

    /// Every table, with the command that measures a case of it anew.
    fn tables(&self, section: &Section, run: &Provenance, command: &str) -> String {
        let study = section.study;
        let folder = self.results_of(study.name);
        let beside = folder.to_string_lossy();
        let beside = if beside.is_empty() { String::new() } else { format!(" in <code>{}/</code>", escaped(&beside)) };
        let mut html = format!("<p>Tables{beside}:</p>\n") + &table(&["table", "rows", "cases", "what", "rows of case N"]);
        for count in &run.groups {
            let about = section.about(&count.group);
            let (group, file) = (escaped(&count.group), escaped(&study.file_of(&count.group)));
            let (rows, cases, last) = (count.rows, count.cases, count.cases.saturating_sub(1));
            let (what, command) = (escaped(&about.concat()), escaped(command));
            html += &format!(
                "<tr><th scope=\"row\">{group} (<code>{file}</code>)</th><td>{rows}</td><td>{cases}</td><td>{what}</td>\
                 <td><code>{command} --only {group} --case N</code>, N from 0 to {last}</td></tr>\n"
            );
        }
        html += TABLE_ENDS;
        html += "<ul class=\"files\">\n";
        for (file, what) in OTHER_FILES {
            if self.root.join(&folder).join(file).exists() {
                html += &format!("<li><code>{file}</code>: {what}</li>\n");
            }
        }
        html + "</ul>\n"
    }
}

/// What was measured where and when.
fn origin(run: &Provenance, command: &str) -> String {
    let [resumed, cases] = run.resumed();
    let commit = run.sources.commit.as_deref().unwrap_or("unknown");
    let dirty = if run.sources.dirty == Some(true) { ", with uncommitted changes" } else { "" };
    let machine = &run.machine;
    let load = machine.load.map_or_else(String::new, |load| format!(", load {load} at the start"));
    let mut html = String::from("<dl>\n");
    html += &entry("again", &format!("<code>{}</code>", escaped(command)));
    html += &entry("commit", &format!("<code>{}</code>{dirty}", escaped(commit)));
    html += &entry("compiler", &escaped(&run.sources.compiler));
    html += &entry("build", &escaped(&run.sources.flags));
    html += &entry("profile", &format!("{}, seed {}", escaped(&run.profile), run.identity.seed));
    html += &entry(
        "machine",
        &format!("{}, {} cores, {} kernels{load}", escaped(&machine.cpu), machine.cores, escaped(&machine.instruction_set)),
    );
    if let Some(TimesOf { machine, end, .. }) = &run.times_of {
        html += &entry("times", &format!("of {}, {} cores, {}", escaped(&machine.cpu), machine.cores, escaped(end)));
    }
    html += &entry("threads", &run.threads.to_string());
    html += &entry("time", &format!("{} to {}: {:.1} s", escaped(&run.start), escaped(&run.end), run.seconds));
    if let Some(memory) = run.peak_memory {
        html += &entry("largest memory", &format!("{memory} MB"));
    }
    html += &entry("resumed", &format!("{resumed} of {cases} cases are of a run that was interrupted before"));
    html + "</dl>\n"
}
