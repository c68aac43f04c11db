//! `REPORT.md`: what holds and what does not, written from results alone.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::chart::Figure;
use crate::claims::{Claim, Finding, Ledger, Verdict};
use crate::files::read_text;
use crate::provenance::Provenance;
use crate::results::{Results, ResultsError};
use crate::statistics::Interval;
use crate::study::Study;

/// What the report is written from. Folders are relative to `root`, where the report will lie.
pub struct Report<'a> {
    /// All studies.
    pub studies: &'a [Study],
    /// All ledgers.
    pub ledgers: &'a [Ledger],
    /// Folder of the report.
    pub root: &'a Path,
    /// Folder of results, with a folder a study.
    pub results: PathBuf,
    /// Folder of charts, with a folder a study.
    pub plots: PathBuf,
    /// Command that measures everything anew.
    pub command: &'a str,
}

/// A study with what was found.
pub struct Section<'a> {
    pub(crate) study: &'a Study,
    results: Results,
    pub(crate) provenance: Option<Provenance>,
    pub(crate) discussion: Result<String, ResultsError>,
    /// Charts of which the groups were measured, each with the stem of its files.
    pub(crate) charts: Vec<(&'static str, Figure)>,
    pub(crate) findings: Vec<(&'static str, Result<Finding, ResultsError>)>,
}

impl Section<'_> {
    /// What is said of a verdict that rests on times.
    pub(crate) fn of_times(&self, claim: &str) -> &'static str {
        let rests = self.study.judges.iter().any(|judge| judge.claim == claim && judge.of_times);
        if rests { ", by times of this machine" } else { "" }
    }

    /// Rows of a group by status, where it has that column.
    pub(crate) fn statuses(&self, group: &str) -> String {
        #[derive(serde::Deserialize)]
        struct Status {
            status: String,
        }
        let Ok(rows) = self.results.rows::<Status>(group) else { return String::new() };
        let mut counts = std::collections::BTreeMap::new();
        for row in rows {
            *counts.entry(row.row.status).or_insert(0) += 1;
        }
        let counts: Vec<String> = counts.into_iter().map(|(status, count)| format!("{count} {status}")).collect();
        format!(" ({})", counts.join(", "))
    }
}

impl Report<'_> {
    /// Every study with what was found, from its results.
    pub fn sections(&self) -> Vec<Section<'_>> {
        self.studies.iter().map(|study| self.section(study)).collect()
    }

    /// The report as Markdown.
    pub fn markdown(&self, sections: &[Section]) -> String {
        let mut text = String::from("# Report\n\n");
        text += &format!("Written from `results/` by `{}`; every number below was measured.\n\n", self.command);
        self.summary(&mut text, sections);
        for section in sections {
            self.study(&mut text, section);
        }
        self.open(&mut text);
        text
    }

    fn section<'a>(&self, study: &'a Study) -> Section<'a> {
        let folder = self.root.join(&self.results).join(study.name);
        let results = study.results(&folder);
        let provenance = read_text(&folder.join("run.json")).ok().and_then(|text| Provenance::parse(&text));
        let findings = study.judges.iter().map(|judge| (judge.claim, (judge.judge)(&results))).collect();
        let discussion = (study.discussion)(&results);
        let charts = study.plots.iter().filter_map(|plot| Some((plot.name, (plot.draw)(&results).ok()?))).collect();
        Section { study, results, provenance, discussion, charts, findings }
    }

    /// Every claim with the ledger that it stands in.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (&Ledger, &Claim)> {
        self.ledgers.iter().flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)))
    }

    /// Whether a study judges a claim.
    pub(crate) fn is_studied(&self, claim: &Claim) -> bool {
        self.studies.iter().any(|study| study.judges.iter().any(|judge| judge.claim == claim.id))
    }

    /// How many claims hold, and the verdict on each.
    fn summary(&self, text: &mut String, sections: &[Section]) {
        let verdicts: Vec<Verdict> =
            sections.iter().flat_map(|s| &s.findings).filter_map(|(_, f)| Some(f.as_ref().ok()?.verdict)).collect();
        let count = |verdict| verdicts.iter().filter(|v| **v == verdict).count();
        let counts = Verdict::ALL.iter().filter(|v| count(**v) > 0).map(|v| format!("**{}** {v}", count(*v)));
        let open = self.claims().filter(|(_, claim)| !self.is_studied(claim)).count();
        let counts: Vec<String> = counts.chain((open > 0).then(|| format!("**{open}** not yet studied"))).collect();
        _ = writeln!(text, "Of {} published claims: {}.\n", self.claims().count(), counts.join(", "));
        *text += "| claim | where | published | measured | verdict |\n| --- | --- | --- | --- | --- |\n";
        for section in sections {
            for (id, finding) in &section.findings {
                let Some((ledger, claim)) = self.claims().find(|(_, claim)| claim.id == *id) else { continue };
                let (measured, verdict) = match finding {
                    Ok(finding) => (measured(finding), format!("**{}**{}", finding.verdict, section.of_times(id))),
                    Err(error) => (error.to_string(), "not measured".into()),
                };
                let place = format!("{}, {}", ledger.paper, claim.place);
                _ = writeln!(
                    text,
                    "| [{id}](#{}) | {} | {} | {} | {verdict} |",
                    anchor(id),
                    cell(&place),
                    cell(&published(claim)),
                    cell(&measured)
                );
            }
        }
        *text += "\nIntervals are 95 % bootstrap intervals over cases. Extremes and exact results have none: resampling says nothing \
                  about the largest case that was not drawn, and an identity has no spread.\n\n";
    }

    fn study(&self, text: &mut String, section: &Section) {
        let study = section.study;
        _ = writeln!(text, "## {}\n\n*{}* - `{}`\n\n{}\n", study.title, study.source, study.name, study.about);
        match &section.discussion {
            Ok(discussion) => _ = writeln!(text, "{discussion}\n"),
            Err(error) => _ = writeln!(text, "There is nothing to discuss: {error}.\n"),
        }
        for (name, figure) in &section.charts {
            let path = self.plots.join(study.name).join(name);
            _ = writeln!(text, "![{}]({}.svg)\n\n{}\n", figure.title, path.display(), figure.caption);
        }
        for (id, finding) in &section.findings {
            if let (Some((_, claim)), Ok(finding)) = (self.claims().find(|(_, claim)| claim.id == *id), finding) {
                claim_section(text, claim, finding, section.of_times(id));
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
            let about = study.groups.iter().find(|group| group.name() == count.group).map_or("", |group| group.about());
            let file = self.results.join(study.name).join(study.file_of(&count.group));
            let statuses = section.statuses(&count.group);
            let (group, cases, rows) = (&count.group, count.cases, count.rows);
            _ = writeln!(text, "| [{group}]({}) | {cases} | {rows} | {about}{statuses} |", file.display());
        }
        let machine = &run.machine;
        let commit = run
            .sources
            .commit
            .as_deref()
            .map_or("an unknown commit".into(), |commit| format!("commit {}", &commit[..commit.len().min(12)]));
        let (resumed, cases) = run.groups.iter().fold((0, 0), |(r, c), group| (r + group.resumed, c + group.cases));
        let resumed = match resumed {
            0 => String::new(),
            resumed => format!(", and {resumed} of its {cases} cases are of a run that was interrupted before"),
        };
        let dirty = if run.sources.dirty == Some(true) { ", with uncommitted changes" } else { "" };
        _ = writeln!(
            text,
            "\nProfile `{}`, seed {}, {commit}{dirty}. It took {:.1} s on {} thread{} of {} ({}){resumed}.\n\n\
             Again: `cargo clothlab run {} --profile {} --seed {}`; one case: add `--case 137`.\n",
            run.profile,
            run.identity.seed,
            run.seconds,
            run.threads,
            if run.threads == 1 { "" } else { "s" },
            machine.cpu,
            machine.instruction_set,
            study.name,
            run.profile,
            run.identity.seed,
        );
    }

    /// Claims whose study is not written yet.
    fn open(&self, text: &mut String) {
        if self.claims().all(|(_, claim)| self.is_studied(claim)) {
            return;
        }
        *text += "## Not yet studied\n\n| claim | where | quantity | published | study |\n| --- | --- | --- | --- | --- |\n";
        for (ledger, claim) in self.claims().filter(|(_, claim)| !self.is_studied(claim)) {
            let place = format!("{}, {}", ledger.paper, claim.place);
            let (quantity, published) = (cell(&claim.quantity), cell(&published(claim)));
            _ = writeln!(text, "| {} | {} | {quantity} | {published} | {} |", claim.id, cell(&place), claim.study);
        }
    }
}

fn claim_section(text: &mut String, claim: &Claim, finding: &Finding, of_times: &str) {
    _ = writeln!(text, "### {}\n\n**{}**{of_times}: {}.\n", claim.id, finding.verdict, finding.reason);
    _ = writeln!(
        text,
        "| | |\n| --- | --- |\n| quantity | {} |\n| published | {} |",
        cell(&claim.quantity),
        cell(&published(claim))
    );
    if !claim.conditions.is_empty() {
        _ = writeln!(text, "| conditions | {} |", cell(&claim.conditions));
    }
    for (name, line) in claim.criterion_lines() {
        _ = writeln!(text, "| {name} | {} |", cell(line));
    }
    let left_out = if finding.left_out > 0 { format!(", {} left out", finding.left_out) } else { String::new() };
    _ = writeln!(text, "| measured | {} |\n| cases | {}{left_out} |", cell(&measured(finding)), finding.cases);
    for assumption in &claim.assumptions {
        _ = writeln!(text, "| assumption | {} |", cell(assumption));
    }
    text.push('\n');
    if !finding.readings.is_empty() {
        *text += "| under another reading | measured | verdict |\n| --- | --- | --- |\n";
        for reading in &finding.readings {
            let verdict = reading.verdict.map_or_else(String::new, |verdict| verdict.to_string());
            _ = writeln!(text, "| {} | {} | {verdict} |", cell(&reading.name), cell(&reading.measured));
        }
        text.push('\n');
    }
}

/// What is claimed, or a dash.
pub(crate) fn published(claim: &Claim) -> String {
    if claim.published.is_empty() { "-".into() } else { claim.published.clone() }
}

/// What was measured, with its interval.
pub(crate) fn measured(finding: &Finding) -> String {
    match finding.interval {
        Some(interval) => format!("{} (95 %: {} to {})", finding.measured, short(interval.low), short(interval.high)),
        None => finding.measured.clone(),
    }
}

/// A number to three significant digits.
pub fn short(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 {
        "0".into()
    } else if (1e-3..1e4).contains(&magnitude) {
        let decimals = 2 - libm::floor(libm::log10(magnitude)) as i32;
        format!("{value:.*}", decimals.max(0) as usize)
    } else {
        format!("{value:.2e}")
    }
}

/// A share in per cent, to one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A share with its interval, in per cent.
pub fn percent_within(share: f64, interval: Option<Interval>) -> String {
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {:.1} to {:.1} %)", 100.0 * i.low, 100.0 * i.high));
    percent(share) + &ends
}

/// A number with its interval, to three significant digits.
pub fn short_within(value: f64, interval: Option<Interval>) -> String {
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {})", short(i.low), short(i.high)));
    short(value) + &ends
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn anchor(id: &str) -> String {
    id.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.3456, "0.346"), (2.6912, "2.69"), (137.2, "137"), (1e-5, "1.00e-5"), (0.0, "0"), (-12.34, "-12.3"), (1.0, "1.00")]
        {
            assert_eq!(short(value), text);
        }
    }
}
