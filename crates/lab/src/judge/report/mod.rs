//! `REPORT.md`: what holds and what does not, written from results alone; the part on each study lies beside its results.

pub(crate) mod agreement;
mod headline;
pub(crate) mod origin;
pub(crate) mod pictures;
pub mod section;
pub(crate) mod statements;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::judge::claims::{Claim, Finding, Kind, Ledger, Origin, Verdict};
use crate::judge::published::Picture;
use crate::judge::report::agreement::{Agreement, false_discovery, total};
pub use crate::judge::report::section::Section;
use crate::judge::report::statements::STATEMENTS;
use crate::judge::sample::Sample;
use crate::judge::words::{anchor, cell, in_brief, without_tags};
use crate::results::{Results, ResultsError};
use crate::study::Study;

/// How every report begins below its title, without previews and with them.
const BEGINS: [&str; 2] = ["Written from `results/` by `", "> **Preview.** "];

/// Title of the report on all studies.
const TITLE: &str = "# clothlab: the literature on cloth time integration, reproduced";

/// Whether a text begins as every report does, by which it is told from files of somebody else.
pub(crate) fn is_report(text: &str) -> bool {
    let title = [TITLE, "# Report"].into_iter().find_map(|title| text.strip_prefix(title));
    let parts = title.and_then(|rest| rest.split_once("\n\n"));
    parts.is_some_and(|(title, text)| !title.contains('\n') && BEGINS.iter().any(|begins| text.starts_with(begins)))
}

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
    lines.map(|(count, origin)| format!("{count}: *{origin}*: {}", origin.meaning())).collect()
}

/// What a study answers on the first screen, where it was measured with the published sample.
#[derive(Clone, Copy)]
pub struct Answer {
    /// Name of the study.
    pub study: &'static str,
    /// The question.
    pub title: &'static str,
    /// The answer, as Markdown.
    pub answer: fn(&Results) -> Result<String, ResultsError>,
}

/// Where a report lies, from which its links lead to results and charts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// Above `results/` and `plots/`, which have a folder a study.
    Above,
    /// In the folder of a study in `results/`.
    Beside,
    /// In a folder of one study, with its results and its `plots/`.
    Alone,
}

/// What the report is written from.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// All studies.
    pub studies: &'a [Study],
    /// All studies at the published sample sizes and ranges.
    pub published: &'a [Study],
    /// All ledgers.
    pub ledgers: &'a [Ledger],
    /// Every figure and table of the papers.
    pub pictures: &'a [Picture],
    /// What was found, in sentences with places for numbers: see `headline.rs`.
    pub headline: &'a str,
    /// What studies answer there besides.
    pub answers: &'a [Answer],
    /// A page that plays moving cloth, for the first screen; empty for none.
    pub film: &'a str,
    /// Folder of the report.
    pub root: &'a Path,
    /// What that folder is.
    pub place: Place,
    /// Command that measures everything anew.
    pub command: &'a str,
}

impl<'a> Report<'a> {
    /// Of studies alone, for tests.
    #[cfg(test)]
    pub(crate) fn of_studies(studies: &'a [Study]) -> Report<'a> {
        let (root, place) = (Path::new("/nowhere"), Place::Above);
        Report {
            studies,
            published: studies,
            ledgers: &[],
            pictures: &[],
            headline: "",
            answers: &[],
            film: "",
            root,
            place,
            command: "c",
        }
    }
}

impl Report<'_> {
    /// Folder of the results of a study, as seen from that of the report.
    pub(crate) fn results_of(&self, study: &str) -> PathBuf {
        if self.place == Place::Above { Path::new("results").join(study) } else { PathBuf::new() }
    }

    /// Folder of its charts.
    pub(crate) fn plots_of(&self, study: &str) -> PathBuf {
        match self.place {
            Place::Above => Path::new("plots").join(study),
            Place::Beside => Path::new("../../plots").join(study),
            Place::Alone => "plots".into(),
        }
    }

    /// A claim as a link to its section, where there is one.
    fn link(&self, claim: &str, sections: &[Section]) -> String {
        let section = sections.iter().find(|section| section.findings.iter().any(|(id, _)| *id == claim));
        match section {
            _ if self.place != Place::Above => format!("[{claim}](#{})", anchor(claim)),
            Some(section) if section.is_measured() => {
                format!("[{claim}]({}#{})", self.results_of(section.study.name).join("REPORT.md").display(), anchor(claim))
            }
            _ => claim.into(),
        }
    }

    /// Every study with what was found, from its results.
    pub fn sections(&self) -> Vec<Section<'_>> {
        self.studies.par_iter().map(|study| self.section(study)).collect()
    }

    /// The report as Markdown; the parts on studies are in it only where it lies in a folder of one.
    pub fn markdown(&self, sections: &[Section]) -> String {
        let mut text = self.head(if self.place == Place::Above { TITLE } else { "# Report" }, sections) + "\n";
        self.by_ledger(&mut text, sections);
        self.first_screen(&mut text, sections);
        for (section, title, answer) in self.answered(sections) {
            let file = self.results_of(section.study.name).join("REPORT.md");
            _ = writeln!(text, "## {title}\n\n{}\n\n[The evidence]({}).\n", without_tags(&answer), file.display());
        }
        self.summary(&mut text, sections);
        self.agreement(&mut text, sections);
        self.pictures_text(&mut text, sections);
        match self.place {
            Place::Above => self.list(&mut text, sections),
            _ => sections.iter().for_each(|section| self.study(&mut text, section)),
        }
        self.open(&mut text);
        text
    }

    /// The part on a study as Markdown, a file of its own beside its results.
    pub fn markdown_of(&self, section: &Section) -> String {
        let title = format!("# Report on `{}`", section.study.name);
        let mut text = self.head(&title, std::slice::from_ref(section));
        text += "All studies: [REPORT.md](../../REPORT.md).\n\n";
        Report { place: Place::Beside, ..*self }.study(&mut text, section);
        text.truncate(text.trim_end().len() + 1);
        text
    }

    /// What every report begins with.
    fn head(&self, title: &str, sections: &[Section]) -> String {
        let [written, preview] = BEGINS;
        let mut text = format!("{title}\n\n");
        let previews = previews(sections);
        if !previews.is_empty() {
            _ = writeln!(text, "{preview}{OF_PREVIEWS}\n>");
            previews.iter().for_each(|preview| _ = writeln!(text, "> - {preview}"));
            text.push('\n');
        }
        let is_short = sections.iter().any(|section| section.sample == Sample::Short);
        let short = if is_short {
            " Its samples are those of a short reproduction, without further readings, seeds and maps."
        } else {
            ""
        };
        text + &format!("{written}{}`; every number below was measured.{short}\n", self.command)
    }

    /// Where the part on each study is found.
    fn list(&self, text: &mut String, sections: &[Section]) {
        *text += "## Studies\n\n";
        for section in sections {
            let Study { name, title, source, .. } = section.study;
            let file = self.results_of(name).join("REPORT.md");
            let title =
                if section.is_measured() { format!("[{title}]({})", file.display()) } else { format!("{title}: no results yet") };
            _ = writeln!(text, "- {title} - `{name}`, {source}");
        }
        text.push('\n');
    }

    /// Every claim with the ledger that it stands in.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (&Ledger, &Claim)> {
        self.ledgers.iter().flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)))
    }

    /// Every claim of a kind.
    pub(crate) fn claims_of(&self, kind: Kind) -> impl Iterator<Item = &Claim> {
        self.claims().filter(move |(ledger, _)| ledger.kind == kind).map(|(_, claim)| claim)
    }

    /// Kinds of which there are claims, each with how many.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (Kind, usize)> {
        Kind::ALL.into_iter().map(|kind| (kind, self.claims_of(kind).count())).filter(|(_, count)| *count > 0)
    }

    /// Whether a claim is of a kind.
    fn is_of(&self, id: &str, kind: Kind) -> bool {
        self.claims_of(kind).any(|claim| claim.id == id)
    }

    /// Whether a study judges a claim.
    pub(crate) fn is_studied(&self, claim: &Claim) -> bool {
        self.studies.iter().any(|study| study.judges.iter().any(|judge| judge.claim == claim.id))
    }

    /// Claims of a kind that were not reproduced, with what was found; previews are not among them.
    pub(crate) fn not_reproduced<'s>(&self, kind: Kind, sections: &'s [Section]) -> Vec<(&Claim, &'s Finding)> {
        let found = sections.iter().filter(|section| !section.is_preview()).flat_map(|section| &section.findings);
        let missed = found.filter_map(|(id, finding)| Some((*id, finding.as_ref().ok()?)));
        let missed = missed.filter(|(_, finding)| finding.verdict == Verdict::NotReproduced);
        missed.filter_map(|(id, finding)| Some((self.claims_of(kind).find(|claim| claim.id == id)?, finding))).collect()
    }

    /// One finding a ledger, as Markdown; none of ledgers that have none, and where verdicts are previews.
    pub(crate) fn findings(&self, sections: &[Section], link: &dyn Fn(&str) -> String) -> Vec<(&Ledger, String)> {
        let found = |ledger: &'_ Ledger| self.filled(&ledger.finding, sections, link).sentences.join(" ");
        self.ledgers.iter().map(|ledger| (ledger, found(ledger))).collect()
    }

    /// What this is, one finding a ledger, and where it was measured.
    fn by_ledger(&self, text: &mut String, sections: &[Section]) {
        if self.place != Place::Above {
            return;
        }
        _ = writeln!(text, "{}\n", self.in_a_sentence());
        let findings = self.findings(sections, &|id| self.link(id, sections));
        let findings: Vec<_> = findings.into_iter().filter(|(_, finding)| !finding.is_empty()).collect();
        findings.iter().for_each(|(ledger, finding)| _ = writeln!(text, "- **{}**: {finding}", ledger.paper));
        if !findings.is_empty() {
            text.push('\n');
        }
        _ = writeln!(text, "{}\n", origin::measured(sections));
    }

    /// What the report is.
    pub(crate) fn in_a_sentence(&self) -> String {
        if let [study] = self.studies {
            let counts: Vec<String> = self.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
            return format!("One study, {} ({}): {}, measured anew and judged.", study.title, study.source, counts.join(" and "));
        }
        let publications = self.ledgers.iter().filter(|ledger| ledger.kind == Kind::Published).count();
        let parts = self.kinds().map(|(kind, count)| match kind {
            Kind::Published => format!(
                "{count} {kind} of {publications} publications on cloth simulation, measured anew and judged by written criteria"
            ),
            Kind::Criteria => format!("{count} {kind}"),
        });
        parts.collect::<Vec<_>>().join("; ") + "."
    }

    /// What was found, in a few sentences.
    fn first_screen(&self, text: &mut String, sections: &[Section]) {
        let sentences = self.filled(self.headline, sections, &|id| self.link(id, sections)).sentences;
        if sentences.is_empty() {
            return;
        }
        _ = writeln!(text, "## {FOUND}\n");
        sentences.iter().enumerate().for_each(|(k, sentence)| _ = writeln!(text, "{}. {sentence}", k + 1));
        text.push('\n');
    }

    /// Questions that studies answer, each with its section, its title and the answer.
    pub(crate) fn answered<'s>(&self, sections: &'s [Section<'s>]) -> Vec<(&'s Section<'s>, &'static str, String)> {
        let of = |answer: &Answer| {
            let section = sections.iter().find(|section| section.study.name == answer.study)?;
            let is_published = section.is_measured() && !section.sample.is_preview();
            Some((section, answer.title, section.answer(answer.answer).filter(|_| is_published)?))
        };
        self.answers.iter().filter_map(of).collect()
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
            let claim = self.link(claim, sections);
            _ = writeln!(text, "| {claim} | {verdict} | {readings} | {agreeing} | {others} |");
        }
        text.push('\n');
    }

    /// How many claims of each kind hold, what was not reproduced, and the verdict on each.
    fn summary(&self, text: &mut String, sections: &[Section]) {
        for (kind, count) in self.kinds() {
            let counts =
                self.counts(kind, sections).into_iter().map(|(count, word, meaning)| format!("- **{count}** {word}: {meaning}"));
            let open = self.claims_of(kind).filter(|claim| !self.is_studied(claim)).count();
            let counts: Vec<String> = counts.chain((open > 0).then(|| format!("- **{open}** not yet studied"))).collect();
            _ = writeln!(text, "Of {count} {kind}, {}:\n\n{}\n", kind.meaning(), counts.join("\n"));
        }
        _ = writeln!(text, "{OF_TIMES}\n");
        for (kind, _) in self.kinds() {
            let missed = self.not_reproduced(kind, sections);
            if !missed.is_empty() {
                _ = writeln!(text, "Not reproduced, of {kind}:\n");
                for (claim, finding) in missed {
                    let words = without_tags(&missed_words(kind, claim, finding));
                    _ = writeln!(text, "- {}: {words}", self.link(&claim.id, sections));
                }
                text.push('\n');
            }
        }
        self.kinds().for_each(|(kind, _)| self.table(text, kind, sections));
        _ = writeln!(text, "{INTERVALS}\n\nHow criteria came about:\n");
        origins(self.claims().map(|(_, claim)| claim)).iter().for_each(|line| _ = writeln!(text, "- {line}."));
        let statements = self.statements(sections);
        if !statements.is_empty() {
            _ = writeln!(text, "\n{STATEMENTS}:\n");
            statements.iter().for_each(|line| _ = writeln!(text, "- {line}."));
        }
        text.push('\n');
    }

    /// The table of all claims of a kind that are judged.
    fn table(&self, text: &mut String, kind: Kind, sections: &[Section]) {
        _ = writeln!(
            text,
            "| claim | where | {} | measured | direction | size | verdict |\n|{}",
            kind.reference(),
            " --- |".repeat(7)
        );
        for section in sections {
            for (id, finding) in &section.findings {
                let Some((ledger, claim)) = self.claims().find(|(ledger, claim)| claim.id == *id && ledger.kind == kind) else {
                    continue;
                };
                let (measured, verdict) = match finding {
                    Ok(finding) => {
                        let verdict = section.sample.verdict(finding.verdict);
                        (in_brief(&finding.measured), format!("**{verdict}**{}", section.of_times(id)))
                    }
                    Err(error) => (error.to_string(), "not measured".into()),
                };
                let answers = finding.as_ref().ok().and_then(|finding| finding.answers);
                let [direction, size] = answers.map_or([""; 2], |answers| [answers.direction_word(), answers.size_word()]);
                let place = cell(&format!("{}, {}", ledger.paper, claim.place));
                let (claim, published) = (self.link(id, sections), cell(&published_cell(claim)));
                _ = writeln!(
                    text,
                    "| {claim} | {place} | {published} | {} | {direction} | {size} | {verdict} |",
                    cell(&measured)
                );
            }
        }
        text.push('\n');
    }

    /// How many claims of a kind came to which verdict, in words, and what it says of them; previews after all others.
    pub(crate) fn counts(&self, kind: Kind, sections: &[Section]) -> Vec<(usize, String, &'static str)> {
        let mut counts = vec![];
        for preview in [false, true] {
            let of_kind = sections.iter().filter(|section| section.is_preview() == preview);
            let found = of_kind.flat_map(|section| section.findings.iter().map(move |found| (section, found)));
            let found = found.filter(|(_, (id, _))| self.is_of(id, kind));
            let found: Vec<(&Section, Verdict)> =
                found.filter_map(|(section, (_, finding))| Some((section, finding.as_ref().ok()?.verdict))).collect();
            for verdict in Verdict::ALL {
                let mut alike = found.iter().filter(|(_, found)| *found == verdict);
                if let Some((section, _)) = alike.next() {
                    counts.push((1 + alike.count(), section.sample.verdict(verdict), kind.meaning_of(verdict)));
                }
            }
        }
        counts
    }

    /// Claims whose study is not written yet.
    fn open(&self, text: &mut String) {
        if self.claims().all(|(_, claim)| self.is_studied(claim)) {
            return;
        }
        *text += "## Not yet studied\n\n| claim | where | quantity | published | study |\n| --- | --- | --- | --- | --- |\n";
        for (ledger, claim) in self.claims().filter(|(_, claim)| !self.is_studied(claim)) {
            let place = format!("{}, {}", ledger.paper, claim.place);
            let (quantity, published) = (cell(&claim.quantity), cell(published(claim)));
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

/// What a claim is held against, or a dash.
pub(crate) fn published(claim: &Claim) -> &str {
    if claim.published.is_empty() { "-" } else { &claim.published }
}

/// What a claim is held against in a table of claims, with a word on numbers that its paper contradicts.
pub(crate) fn published_cell(claim: &Claim) -> String {
    let contradicted = claim.contradiction.as_ref().map_or_else(String::new, |_| format!(" ({CONTRADICTED})"));
    published(claim).to_owned() + &contradicted
}

/// What a claim that was not reproduced is held against, and what was measured of it.
pub(crate) fn missed_words(kind: Kind, claim: &Claim, finding: &Finding) -> String {
    let mut reference = kind.reference().to_owned();
    reference[..1].make_ascii_uppercase();
    format!("{}. {reference}: {}. Measured: {}.", claim.quantity, published_cell(claim), finding.measured)
}
