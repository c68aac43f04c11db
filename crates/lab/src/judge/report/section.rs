//! A study in the report: what it says, its charts, its claims, and where its results come from.

use std::fmt::Write;

use chart::Figure;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::judge::claims::{Claim, Finding, Kind};
use crate::judge::report::{CONTRADICTED, Report, published};
use crate::judge::rule::prose::NUMBER_HEADS;
use crate::judge::sample::Sample;
use crate::judge::words::{cell, in_code, literal, without_tags};
use crate::provenance::{Provenance, TimesOf};
use crate::results::{Results, ResultsError};
use crate::study::Study;

/// A study with what was found.
pub struct Section<'a> {
    pub(crate) study: &'a Study,
    results: Results,
    pub(crate) provenance: Option<Provenance>,
    pub(crate) sample: Sample,
    pub(crate) discussion: Result<String, ResultsError>,
    /// Charts of which the groups were measured, each with the stem of its files.
    pub(crate) charts: Vec<(&'static str, Figure)>,
    pub(crate) findings: Vec<(&'static str, Result<Finding, ResultsError>)>,
}

impl Section<'_> {
    /// Whether there is a record of how it was measured.
    pub fn is_measured(&self) -> bool {
        self.provenance.is_some()
    }

    pub fn study(&self) -> &Study {
        self.study
    }

    /// What its results answer.
    pub(crate) fn answer(&self, answer: fn(&Results) -> Result<String, ResultsError>) -> Option<String> {
        answer(&self.results).ok()
    }

    /// Whether it has results, which are not those that claims are judged by.
    pub(crate) fn is_preview(&self) -> bool {
        self.sample.is_preview() && self.findings.iter().any(|(_, finding)| finding.is_ok())
    }

    /// What is said of a verdict that rests on times.
    pub(crate) fn of_times(&self, claim: &str) -> &'static str {
        let rests = self.study.judges.iter().any(|judge| judge.claim == claim && judge.of_times);
        if rests { ", by times of this machine" } else { "" }
    }

    /// What a group measures, and its rows by status where it has that column.
    pub(crate) fn about(&self, group: &str) -> [String; 2] {
        let table = self.study.groups.iter().find(|table| table.name() == group);
        let about = table.map_or("", |table| table.about()).to_owned();
        let Some(statuses) = self.results.cells(group, "status") else { return [about, String::new()] };
        let mut counts = std::collections::BTreeMap::new();
        for status in statuses {
            *counts.entry(status).or_insert(0) += 1;
        }
        let counts: Vec<String> = counts.into_iter().map(|(status, count)| format!("{count} {status}")).collect();
        [about, format!(" ({})", counts.join(", "))]
    }
}

impl Report<'_> {
    /// A study with what was found.
    pub(super) fn section<'a>(&self, study: &'a Study) -> Section<'a> {
        let folder = self.root.join(self.results_of(study.name));
        let results = study.results(&folder);
        let provenance = Provenance::of(&folder);
        let sample = Sample::of(provenance.as_ref(), study, self.published);
        let findings = study.judges.par_iter().map(|judge| (judge.claim, (judge.judge)(&results))).collect();
        let discussion = (study.discussion)(&results);
        let charts = study.plots.iter().filter_map(|plot| Some((plot.name, (plot.draw)(&results).ok()?))).collect();
        Section { study, results, provenance, sample, discussion, charts, findings }
    }

    /// What was found by a study, as Markdown.
    pub(super) fn study(&self, text: &mut String, section: &Section) {
        let study = section.study;
        _ = writeln!(text, "## {}\n\n*{}* - `{}`\n\n{}\n", study.title, study.source, study.name, study.about);
        match &section.discussion {
            Ok(discussion) => _ = writeln!(text, "{}\n", without_tags(discussion)),
            Err(error) => _ = writeln!(text, "There is nothing to discuss: {}.\n", without_tags(&error.to_string())),
        }
        for (name, figure) in &section.charts {
            let path = self.plots_of(study.name).join(name);
            _ = writeln!(text, "![{}]({}.svg)\n\n{}\n", figure.title, path.display(), figure.caption);
        }
        for (id, finding) in &section.findings {
            if let (Some((ledger, claim)), Ok(finding)) = (self.claims().find(|(_, claim)| claim.id == *id), finding) {
                claim_section(text, ledger.kind, claim, finding, section);
            }
        }
        self.origin(text, section);
    }

    /// What was measured where, and how to do it again.
    fn origin(&self, text: &mut String, section: &Section) {
        let study = section.study;
        *text += "### What was measured\n\n";
        let Some(run) = &section.provenance else {
            *text += "No results yet.\n\n";
            return;
        };
        *text += "| table | cases | rows | what |\n| --- | --- | --- | --- |\n";
        for count in &run.groups {
            let [about, statuses] = section.about(&count.group);
            let file = self.results_of(study.name).join(study.file_of(&count.group));
            let (group, cases, rows) = (literal(&count.group), count.cases, count.rows);
            let (file, statuses) =
                (file.display().to_string().replace([' ', '(', ')', '<', '>', '\n', '|'], "-"), literal(&statuses));
            _ = writeln!(text, "| [{group}]({file}) | {cases} | {rows} | {about}{statuses} |");
        }
        let machine = &run.machine;
        let commit = run.sources.commit.as_deref().map_or("an unknown commit".into(), |commit| {
            format!("commit {}", literal(&commit.chars().take(12).collect::<String>()))
        });
        let profile = in_code(&run.profile);
        let resumed = match run.resumed() {
            [0, _] => String::new(),
            [resumed, cases] => format!(", and {resumed} of its {cases} cases are of a run that was interrupted before"),
        };
        let dirty = if run.sources.dirty == Some(true) { ", with uncommitted changes" } else { "" };
        let of_times =
            |TimesOf { machine, end, .. }: &TimesOf| format!(" Its times are of {}, {}.", literal(&machine.cpu), literal(end));
        let times = run.times_of.as_ref().map_or_else(String::new, of_times);
        _ = writeln!(
            text,
            "\nProfile `{}`, seed {}, {commit}{dirty}. It took {:.1} s on {} thread{} of {} ({}){resumed}.{times}\n\n\
             Again: `cargo clothlab run {} --profile {} --seed {}`{}.\n",
            profile,
            run.identity.seed,
            run.seconds,
            run.threads,
            if run.threads == 1 { "" } else { "s" },
            literal(&machine.cpu),
            literal(&machine.instruction_set),
            study.name,
            profile,
            run.identity.seed,
            one_case(study, run),
        );
    }
}

/// How one case of the main group is measured anew, if that group was measured.
fn one_case(study: &Study, run: &Provenance) -> String {
    let main = study.groups.first().and_then(|main| run.groups.iter().find(|count| count.group == main.name()));
    let case = main.and_then(|main| main.cases.checked_sub(1)).map(|last| last.min(137));
    case.map_or_else(String::new, |case| format!("; one case: add `--case {case}`"))
}

fn claim_section(text: &mut String, kind: Kind, claim: &Claim, finding: &Finding, section: &Section) {
    let (verdict, of_times) = (section.sample.verdict(finding.verdict), section.of_times(&claim.id));
    _ = writeln!(text, "### {}\n\n**{verdict}**{of_times}: {}.\n", claim.id, without_tags(&finding.reason));
    if let Sample::Preview(difference) = &section.sample {
        _ = writeln!(text, "Judged away from the published sample: {difference}.\n");
    }
    _ = writeln!(
        text,
        "| | |\n| --- | --- |\n| quantity | {} |\n| {} | {} |",
        cell(&claim.quantity),
        kind.reference(),
        cell(published(claim))
    );
    if let Some(contradiction) = &claim.contradiction {
        _ = writeln!(text, "| {CONTRADICTED} | {} |", cell(contradiction));
    }
    if !claim.conditions.is_empty() {
        _ = writeln!(text, "| conditions | {} |", cell(&claim.conditions));
    }
    for (name, line) in claim.criterion_lines() {
        _ = writeln!(text, "| {name} | {} |", cell(line));
    }
    let left_out = if finding.left_out > 0 { format!(", {} left out", finding.left_out) } else { String::new() };
    _ = writeln!(text, "| measured | {} |", cell(&finding.measured));
    match (finding.answers, finding.number_judged()) {
        (Some(answers), _) => {
            let (direction, size) = (answers.direction_word(), answers.size_word());
            _ = writeln!(text, "| direction | {direction} |\n| size | {size} |");
        }
        (None, Some(judged)) => _ = writeln!(text, "| number judged | {judged} |"),
        (None, None) => {}
    }
    if finding.numbers.is_empty() {
        _ = writeln!(text, "| cases | {}{left_out} |", finding.cases);
    }
    for assumption in &claim.assumptions {
        _ = writeln!(text, "| assumption | {} |", cell(assumption));
    }
    text.push('\n');
    if !finding.numbers.is_empty() {
        _ = writeln!(text, "| {} |\n|{}", NUMBER_HEADS.join(" | "), " --- |".repeat(NUMBER_HEADS.len()));
        for (view, number) in &finding.numbers {
            _ = writeln!(text, "| {} |", number.cells(view).map(|words| cell(&words)).join(" | "));
        }
        text.push('\n');
    }
    if !finding.readings.is_empty() {
        *text += "| under another reading | measured | verdict |\n| --- | --- | --- |\n";
        for reading in &finding.readings {
            let verdict = reading.verdict.map_or_else(String::new, |verdict| section.sample.verdict(verdict));
            _ = writeln!(text, "| {} | {} | {verdict} |", cell(&reading.name), cell(&reading.measured));
        }
        text.push('\n');
    }
}
