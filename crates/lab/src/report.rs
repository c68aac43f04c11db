//! `REPORT.md`: what holds and what does not, written from results alone.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::agreement::{Agreement, false_discovery, total};
use crate::chart::Figure;
use crate::claims::{Claim, Finding, Ledger, Origin, Verdict};
use crate::files::read_text;
use crate::provenance::Provenance;
use crate::published::Picture;
use crate::results::{Results, ResultsError};
use crate::sample::Sample;
use crate::statistics::Interval;
use crate::study::Study;

/// How a report begins, without previews and with them, by which it is told from files of somebody else.
pub(crate) const REPORT_BEGINS: [&str; 2] = ["# Report\n\nWritten from `results/` by `", "# Report\n\n> **Preview.** "];

/// What is said of verdicts that rest on times.
pub(crate) const OF_TIMES: &str = "Verdicts by times of this machine may differ on another one, and from run to run.";

/// What is said of verdicts away from the published sample.
pub(crate) const OF_PREVIEWS: &str = "Some results are not those of the published sample sizes, ranges and base seed. What is said of \
     claims from them is a preview: it shows that everything runs, judges no paper, and finds nothing.";

/// What is said of intervals.
pub(crate) const INTERVALS: &str = "Intervals are 95 % intervals over independent cases: of medians by order statistics, of shares by \
     scores, of other numbers by bootstrap over at least twenty cases. In the table of all \
     claims each stands right behind the number that it belongs to; the section of a claim gives the number judged with its own. Extremes \
     and exact results have none: resampling says nothing about the largest case that was not drawn, and an identity has no spread. Where a \
     claim names one run its interval is that of repeats, and tells of the clock alone; scenes of a lattice are no draw.";

/// Title of the part on readings.
pub(crate) const AGREEMENT: &str = "How often readings agree";

/// Title of the first screen.
pub(crate) const FOUND: &str = "What the reproduction found";

/// What goes before a paper's contradiction of its own number, beside that number.
pub(crate) const CONTRADICTED: &str = "the paper contradicts itself";

/// How many criteria came about in which way, as lines of a list.
pub(crate) fn origins<'a>(claims: impl Iterator<Item = &'a Claim>) -> Vec<String> {
    let claims: Vec<Option<Origin>> = claims.map(Claim::origin).collect();
    let count = |origin| claims.iter().filter(|known| **known == Some(origin)).count();
    let lines = Origin::ALL.into_iter().map(|origin| (count(origin), origin)).filter(|(count, _)| *count > 0);
    lines.map(|(count, origin)| format!("{count}: *{}*: {}", origin.label(), origin.meaning())).collect()
}

/// What the report is written from. Folders are relative to `root`, where the report will lie.
pub struct Report<'a> {
    /// All studies.
    pub studies: &'a [Study],
    /// The same at the published sample sizes and ranges.
    pub published: &'a [Study],
    /// All ledgers.
    pub ledgers: &'a [Ledger],
    /// Every figure and table of the papers.
    pub pictures: &'a [Picture],
    /// What was found, in sentences with places for numbers: see `headline.rs`.
    pub headline: &'a str,
    /// Folder of the report.
    pub root: &'a Path,
    /// Folder of results, with a folder a study; empty where those of one study lie in `root` itself.
    pub results: PathBuf,
    /// Folder of charts, likewise.
    pub plots: PathBuf,
    /// Command that measures everything anew.
    pub command: &'a str,
}

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
    /// Whether it has results, which are not those that claims are judged by.
    pub(crate) fn is_preview(&self) -> bool {
        self.sample.is_preview() && self.findings.iter().any(|(_, finding)| finding.is_ok())
    }

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
    /// Folder of the results of a study.
    pub(crate) fn results_of(&self, study: &str) -> PathBuf {
        if self.is_of_one() { self.results.clone() } else { self.results.join(study) }
    }

    /// Folder of the charts of a study.
    pub(crate) fn plots_of(&self, study: &str) -> PathBuf {
        if self.is_of_one() { self.plots.clone() } else { self.plots.join(study) }
    }

    /// Whether results lie in the folder of the report itself.
    fn is_of_one(&self) -> bool {
        self.results.as_os_str().is_empty()
    }

    /// Every study with what was found, from its results.
    pub fn sections(&self) -> Vec<Section<'_>> {
        self.studies.iter().map(|study| self.section(study)).collect()
    }

    /// The report as Markdown.
    pub fn markdown(&self, sections: &[Section]) -> String {
        let mut text = String::from("# Report\n\n");
        let previews = previews(sections);
        if !previews.is_empty() {
            _ = writeln!(text, "> **Preview.** {OF_PREVIEWS}\n>");
            previews.iter().for_each(|preview| _ = writeln!(text, "> - {preview}"));
            text.push('\n');
        }
        text += &format!("Written from `results/` by `{}`; every number below was measured.\n\n", self.command);
        self.first_screen(&mut text, sections);
        self.summary(&mut text, sections);
        self.agreement(&mut text, sections);
        self.pictures_text(&mut text, sections);
        for section in sections {
            self.study(&mut text, section);
        }
        self.open(&mut text);
        text
    }

    fn section<'a>(&self, study: &'a Study) -> Section<'a> {
        let folder = self.root.join(self.results_of(study.name));
        let results = study.results(&folder);
        let provenance = read_text(&folder.join("run.json")).ok().and_then(|text| Provenance::parse(&text));
        let published = self.published.iter().find(|published| published.name == study.name).unwrap_or(study);
        let sample = Sample::of(provenance.as_ref(), published);
        let findings = study.judges.iter().map(|judge| (judge.claim, (judge.judge)(&results))).collect();
        let discussion = (study.discussion)(&results);
        let charts = study.plots.iter().filter_map(|plot| Some((plot.name, (plot.draw)(&results).ok()?))).collect();
        Section { study, results, provenance, sample, discussion, charts, findings }
    }

    /// Every claim with the ledger that it stands in.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (&Ledger, &Claim)> {
        self.ledgers.iter().flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)))
    }

    /// Whether a study judges a claim.
    pub(crate) fn is_studied(&self, claim: &Claim) -> bool {
        self.studies.iter().any(|study| study.judges.iter().any(|judge| judge.claim == claim.id))
    }

    /// Claims that were not reproduced, with what was found; previews are not among them.
    pub(crate) fn not_reproduced<'s>(&self, sections: &'s [Section]) -> Vec<(&Claim, &'s Finding)> {
        let found = sections.iter().filter(|section| !section.is_preview()).flat_map(|section| &section.findings);
        let missed = found.filter_map(|(id, finding)| Some((*id, finding.as_ref().ok()?)));
        let missed = missed.filter(|(_, finding)| finding.verdict == Verdict::NotReproduced);
        missed.filter_map(|(id, finding)| Some((self.claims().find(|(_, claim)| claim.id == id)?.1, finding))).collect()
    }

    /// What was found, in a few sentences.
    fn first_screen(&self, text: &mut String, sections: &[Section]) {
        let sentences = self.filled(sections, "").sentences;
        if sentences.is_empty() {
            return;
        }
        _ = writeln!(text, "## {FOUND}\n");
        sentences.iter().enumerate().for_each(|(k, sentence)| _ = writeln!(text, "{}. {sentence}", k + 1));
        text.push('\n');
    }

    /// How often readings agree with the verdicts.
    fn agreement(&self, text: &mut String, sections: &[Section]) {
        let agreements = Agreement::of(sections);
        if agreements.is_empty() {
            return;
        }
        _ = writeln!(text, "## {AGREEMENT}\n\n{}\n\n{}\n", total(&agreements), false_discovery(sections));
        *text += "| claim | verdict | readings with a verdict | agree | the others |\n| --- | --- | --: | --: | --- |\n";
        for Agreement { claim, verdict, readings, agreeing, others } in agreements {
            _ = writeln!(text, "| [{claim}](#{}) | {verdict} | {readings} | {agreeing} | {others} |", anchor(claim));
        }
        text.push('\n');
    }

    /// How many claims hold, what was not reproduced, and the verdict on each.
    fn summary(&self, text: &mut String, sections: &[Section]) {
        let counts = counts(sections).into_iter().map(|(count, word, meaning)| format!("- **{count}** {word}: {meaning}"));
        let open = self.claims().filter(|(_, claim)| !self.is_studied(claim)).count();
        let counts: Vec<String> = counts.chain((open > 0).then(|| format!("- **{open}** not yet studied"))).collect();
        _ = writeln!(text, "Of {} published claims:\n\n{}\n\n{OF_TIMES}\n", self.claims().count(), counts.join("\n"));
        let missed = self.not_reproduced(sections);
        if !missed.is_empty() {
            *text += "Not reproduced:\n\n";
            for (claim, finding) in missed {
                let (id, words) = (&claim.id, without_tags(&missed_words(claim, finding)));
                _ = writeln!(text, "- [{id}](#{}): {words}", anchor(id));
            }
            text.push('\n');
        }
        *text += "| claim | where | published | measured | verdict |\n| --- | --- | --- | --- | --- |\n";
        for section in sections {
            for (id, finding) in &section.findings {
                let Some((ledger, claim)) = self.claims().find(|(_, claim)| claim.id == *id) else { continue };
                let (measured, verdict) = match finding {
                    Ok(finding) => {
                        let verdict = section.sample.verdict(finding.verdict);
                        (in_brief(&measured(finding)), format!("**{verdict}**{}", section.of_times(id)))
                    }
                    Err(error) => (error.to_string(), "not measured".into()),
                };
                let place = format!("{}, {}", ledger.paper, claim.place);
                _ = writeln!(
                    text,
                    "| [{id}](#{}) | {} | {} | {} | {verdict} |",
                    anchor(id),
                    cell(&place),
                    cell(&published_cell(claim)),
                    cell(&measured)
                );
            }
        }
        _ = writeln!(text, "\n{INTERVALS}\n\nHow criteria came about:\n");
        origins(self.claims().map(|(_, claim)| claim)).iter().for_each(|line| _ = writeln!(text, "- {line}."));
        text.push('\n');
    }

    fn study(&self, text: &mut String, section: &Section) {
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
            if let (Some((_, claim)), Ok(finding)) = (self.claims().find(|(_, claim)| claim.id == *id), finding) {
                claim_section(text, claim, finding, section);
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
            let file = self.results_of(study.name).join(study.file_of(&count.group));
            let statuses = section.statuses(&count.group);
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
        let (resumed, cases) = run.groups.iter().fold((0, 0), |(r, c), group| (r + group.resumed, c + group.cases));
        let resumed = match resumed {
            0 => String::new(),
            resumed => format!(", and {resumed} of its {cases} cases are of a run that was interrupted before"),
        };
        let dirty = if run.sources.dirty == Some(true) { ", with uncommitted changes" } else { "" };
        _ = writeln!(
            text,
            "\nProfile `{}`, seed {}, {commit}{dirty}. It took {:.1} s on {} thread{} of {} ({}){resumed}.\n\n\
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

/// Studies whose verdicts are previews, each with what its sample is.
pub(crate) fn previews(sections: &[Section]) -> Vec<String> {
    let preview = |section: &&Section| match &section.sample {
        Sample::Preview(difference) if section.is_preview() => Some(format!("{}: {difference}", section.study.name)),
        _ => None,
    };
    sections.iter().filter_map(|section| preview(&section)).collect()
}

/// How many claims came to which verdict, in words, and what it says of them; previews after all others.
pub(crate) fn counts(sections: &[Section]) -> Vec<(usize, String, &'static str)> {
    let mut counts = vec![];
    for preview in [false, true] {
        let of_kind = sections.iter().filter(|section| section.is_preview() == preview);
        let found = of_kind.flat_map(|section| section.findings.iter().map(move |(_, finding)| (section, finding)));
        let found: Vec<(&Section, Verdict)> =
            found.filter_map(|(section, finding)| Some((section, finding.as_ref().ok()?.verdict))).collect();
        for verdict in Verdict::ALL {
            let mut alike = found.iter().filter(|(_, found)| *found == verdict);
            if let Some((section, _)) = alike.next() {
                counts.push((1 + alike.count(), section.sample.verdict(verdict), verdict.meaning()));
            }
        }
    }
    counts
}

/// How one case of the main group is measured anew, if that group was measured.
fn one_case(study: &Study, run: &Provenance) -> String {
    let main = study.groups.first().and_then(|main| run.groups.iter().find(|count| count.group == main.name()));
    let case = main.and_then(|main| main.cases.checked_sub(1)).map(|last| last.min(137));
    case.map_or_else(String::new, |case| format!("; one case: add `--case {case}`"))
}

fn claim_section(text: &mut String, claim: &Claim, finding: &Finding, section: &Section) {
    let (verdict, of_times) = (section.sample.verdict(finding.verdict), section.of_times(&claim.id));
    _ = writeln!(text, "### {}\n\n**{verdict}**{of_times}: {}.\n", claim.id, without_tags(&finding.reason));
    if let Sample::Preview(difference) = &section.sample {
        _ = writeln!(text, "Judged away from the published sample: {difference}.\n");
    }
    _ = writeln!(
        text,
        "| | |\n| --- | --- |\n| quantity | {} |\n| published | {} |",
        cell(&claim.quantity),
        cell(&published(claim))
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
    if let Some(judged) = number_judged(finding) {
        _ = writeln!(text, "| number judged | {judged} |");
    }
    _ = writeln!(text, "| cases | {}{left_out} |", finding.cases);
    for assumption in &claim.assumptions {
        _ = writeln!(text, "| assumption | {} |", cell(assumption));
    }
    text.push('\n');
    if !finding.readings.is_empty() {
        *text += "| under another reading | measured | verdict |\n| --- | --- | --- |\n";
        for reading in &finding.readings {
            let verdict = reading.verdict.map_or_else(String::new, |verdict| section.sample.verdict(verdict));
            _ = writeln!(text, "| {} | {} | {verdict} |", cell(&reading.name), cell(&reading.measured));
        }
        text.push('\n');
    }
}

/// What the paper says, or a dash.
pub(crate) fn published(claim: &Claim) -> String {
    if claim.published.is_empty() { "-".into() } else { claim.published_words().into() }
}

/// The same in a table of claims, with a word on numbers that the paper contradicts.
pub(crate) fn published_cell(claim: &Claim) -> String {
    let contradicted = claim.contradiction.as_ref().map_or_else(String::new, |_| format!(" ({CONTRADICTED})"));
    published(claim) + &contradicted
}

/// What was published and measured of a claim that was not reproduced.
pub(crate) fn missed_words(claim: &Claim, finding: &Finding) -> String {
    format!("{}. Published: {}. Measured: {}.", claim.quantity, published_cell(claim), finding.measured)
}

/// What was measured, in words; with the interval only where they have a single number, which is the value that it belongs to.
pub(crate) fn measured(finding: &Finding) -> String {
    let words = &finding.measured;
    let (Some(value), Some(interval)) = (finding.value, finding.interval) else { return words.clone() };
    let numbers: Vec<&str> = words.split([' ', ',', ';', ':', '(', ')']).filter(|word| word.contains(char::is_numeric)).collect();
    match numbers[..] {
        [number] if number == short(value) && !words.contains('%') => {
            format!("{words} (95 %: {} to {})", short(interval.low), short(interval.high))
        }
        [number] if words.contains(&percent(value)) && percent(value).starts_with(number) => {
            format!("{words} (95 %: {:.1} to {:.1} %)", 100.0 * interval.low, 100.0 * interval.high)
        }
        _ => words.clone(),
    }
}

/// Characters of what was measured after which the table of all claims leaves the rest to the section of the claim.
const BRIEF: usize = 160;

/// The beginning of what was measured, up to the last comma or semicolon among its first [`BRIEF`] characters, or to a space where there is
/// none; all of it where it is no longer.
pub(crate) fn in_brief(words: &str) -> String {
    let Some((end, _)) = words.char_indices().nth(BRIEF) else { return words.into() };
    let start = &words[..end];
    let cut = [", ", "; "].iter().filter_map(|mark| start.rfind(mark)).max().or_else(|| start.rfind(' ')).unwrap_or(end);
    format!("{} …", &start[..cut])
}

/// The number on which the verdict rests, with its interval, where it has one.
pub(crate) fn number_judged(finding: &Finding) -> Option<String> {
    Some(short_within(finding.value?, Some(finding.interval?)))
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

/// Text of a file as Markdown shows it, whatever it holds: nothing in it is markup.
pub fn literal(text: &str) -> String {
    let shown = |c: char| match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => format!("\\{c}"),
        '<' => "&lt;".into(),
        '&' => "&amp;".into(),
        c if c.is_control() => " ".into(),
        c => c.into(),
    };
    text.chars().map(shown).collect()
}

/// Text of a file within backticks, which nothing in it can end.
fn in_code(text: &str) -> String {
    text.chars().map(|c| if c == '`' || c.is_control() { ' ' } else { c }).collect()
}

/// Text of a file, which may hold Markdown, without what would be read as HTML: `<` where it begins a tag.
fn without_tags(text: &str) -> String {
    let mut shown = String::new();
    let mut parts = text.split('<');
    shown += parts.next().unwrap_or_default();
    for part in parts {
        let begins = part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        shown += if begins { "&lt;" } else { "<" };
        shown += part;
    }
    shown
}

pub(crate) fn cell(text: &str) -> String {
    without_tags(text).replace('|', "\\|").replace('\n', " ")
}

pub(crate) fn anchor(id: &str) -> String {
    id.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_file_is_markup() {
        assert_eq!(cell("a <= b < c <script>|</b>"), "a <= b < c &lt;script>\\|&lt;/b>");
        assert_eq!(literal("a|b`c`<script>*x*\n[l](u)"), "a\\|b\\`c\\`&lt;script>\\*x\\* \\[l\\](u)");
        assert_eq!(literal("Intel(R) Xeon(R), 2.66 GHz"), "Intel(R) Xeon(R), 2.66 GHz");
        assert_eq!(in_code("my`.toml\n"), "my .toml ");
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.3456, "0.346"), (2.6912, "2.69"), (137.2, "137"), (1e-5, "1.00e-5"), (0.0, "0"), (-12.34, "-12.3"), (1.0, "1.00")]
        {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn long_words_are_cut_between_their_parts() {
        let brief = "0.93 at 5 %, of 12";
        assert_eq!(in_brief(brief), brief);
        let exact = "x".repeat(BRIEF);
        assert_eq!(in_brief(&exact), exact);
        let part = "ü".repeat(60);
        assert_eq!(in_brief(&format!("{part}, {part}; {part}, {part}")), format!("{part}, {part} …"));
        assert_eq!(in_brief(&format!("{part} {part} {part} {part}")), format!("{part} {part} …"));
        assert_eq!(in_brief(&"x".repeat(BRIEF + 1)), format!("{exact} …"));
    }

    #[test]
    fn an_interval_stands_only_behind_the_number_that_it_belongs_to() {
        let finding = |words: &str, value: f64, [low, high]: [f64; 2]| Finding {
            verdict: Verdict::Reproduced,
            measured: words.into(),
            value: Some(value),
            interval: Some(Interval { low, high }),
            cases: 10,
            left_out: 0,
            reason: String::new(),
            readings: vec![],
        };
        for (words, value, interval) in [
            ("above 700 particles -10.5 %; below -5.1 % and -33.7 %", -0.10514, [-0.119, -0.0915]),
            ("0.938 times as dense", -0.0642, [-0.501, 0.453]),
            ("+1.1 % time in the median sheet", 1.0113, [0.905, 1.03]),
            ("0.256 (95 %: 0.216 to 0.289); 0.242", 0.2556, [0.216, 0.289]),
            ("-1.2 % (95 %: -3.7 to -0.7 %) longer", -0.0118, [-0.0373, -0.00746]),
            ("0.177 at 10.0 %, 0.347 at 5.00 %", 0.0463, [-0.0745, 0.157]),
            ("41.1 % of the sets; median 0.213 h, largest 25.2 h", 0.4115, [0.362, 0.461]),
            ("1.4 % fewer", -0.014, [-0.021, -0.009]),
            ("0.500 % fewer", 0.5, [0.4, 0.6]),
        ] {
            let finding = finding(words, value, interval);
            assert_eq!(measured(&finding), words);
            assert!(number_judged(&finding).unwrap().starts_with(&short(value)));
        }
        let times = finding("1.91 times as fast, in the median over sheets", 1.9146, [1.61, 2.35]);
        assert_eq!(measured(&times), "1.91 times as fast, in the median over sheets (95 %: 1.61 to 2.35)");
        let share = finding("saves 75.6 % of the runs", 0.7556, [0.644, 0.867]);
        assert_eq!(measured(&share), "saves 75.6 % of the runs (95 %: 64.4 to 86.7 %)");
        let rows = finding("-1.4 % rows multiplied", -0.01437, [-0.0209, -0.00869]);
        assert_eq!(measured(&rows), "-1.4 % rows multiplied (95 %: -2.1 to -0.9 %)");
    }
}
