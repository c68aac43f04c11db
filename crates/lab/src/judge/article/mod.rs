//! A short article in Typst, written from results alone: what was done, the verdicts, key charts, what failed and why.
//!
//! Equal results give equal bytes. Its words are those of a manuscript, of the ledgers and of the judges; the style is a file of its own.

mod figures;
pub mod folder;
pub mod manuscript;
mod missed;
#[cfg(test)]
mod tests;
mod typeset;
mod verdicts;

use std::fmt::Write;

use crate::judge::article::manuscript::Manuscript;
use crate::judge::article::typeset::{escaped, prose, quoted, raw};
use crate::judge::citation::Citation;
use crate::judge::claims::{Claim, Kind};
use crate::judge::report::agreement::{Agreement, false_discovery, total};
use crate::judge::report::origin::measured;
use crate::judge::report::section::Section;
use crate::judge::report::{OF_PREVIEWS, OF_TIMES, Report, origins, previews};
use crate::places::PublishError;

/// The source of the article.
pub const SOURCE: &str = "article.typ";

/// What a typesetter makes of it.
pub const PDF: &str = "article.pdf";

/// How the source begins, by which it is told from files of somebody else; the names of its figures follow.
const BEGINS: &str = "// Written from results by `clothlab article`, which replaces it.\n// Beside it:";

const STYLE: &str = include_str!("style.typ");

/// An article with the files that it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Article {
    pub source: String,
    /// Pictures by their names.
    pub figures: Vec<(String, String)>,
}

impl Report<'_> {
    /// The article on all studies.
    ///
    /// # Errors
    /// Charts that cannot be drawn.
    pub fn article(&self, sections: &[Section], manuscript: &Manuscript, work: &Citation) -> Result<Article, PublishError> {
        let (shown, figures) = self.shown(sections, &manuscript.figures)?;
        let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
        let mut source = format!("{BEGINS} {}\n\n{STYLE}\n", names.join(" "));
        let authors: String = work.authors.iter().map(|author| format!("{},", quoted(author))).collect();
        let of = |text: &str| self.paragraphs(text, sections);
        _ = writeln!(
            source,
            "#show: article.with(\n  title: {},\n  authors: ({authors}),\n  work: {},\n  version: {},\n  license: {},\n  measured: [{}],\n)\n",
            quoted(&manuscript.title),
            quoted(&work.title),
            quoted(&work.version),
            quoted(&work.license),
            escaped(&measured(sections)),
        );
        let previews = previews(sections);
        if !previews.is_empty() {
            let lines: String = previews.iter().map(|line| format!("[{}],", escaped(line))).collect();
            _ = writeln!(source, "#preview[#strong[Preview.]; {} #list({lines})]\n", escaped(OF_PREVIEWS));
        }
        section(&mut source, "", &wrapped("summary", &of(&manuscript.summary)));
        section(&mut source, "Introduction", &of(&manuscript.introduction));
        section(&mut source, "Methods", &format!("{}\n\n{}", of(&manuscript.methods), self.criteria()));
        source += "= Results\n\n";
        if previews.is_empty() {
            section(&mut source, "=Verdicts", &self.judged(sections));
            section(&mut source, "=What was found", &self.sentences(sections));
            section(&mut source, "=What has another size", &self.resized(sections));
        }
        let drawn =
            if previews.is_empty() { "" } else { "What was measured is drawn below; nothing follows from it for any claim.\n\n" };
        section(&mut source, "", &format!("{drawn}{shown}"));
        section(&mut source, "=What failed, and why", &self.failed(sections));
        section(&mut source, "Discussion", &format!("{}\n\n{}", of(&manuscript.discussion), agreement(sections, &previews)));
        section(&mut source, "Limits", &of(&manuscript.limits));
        section(&mut source, "How to do it again", &of(&manuscript.again));
        section(&mut source, "References", &self.references());
        source.truncate(source.trim_end().len());
        Ok(Article { source: source + "\n", figures })
    }

    /// Paragraphs with their numbers; of previews, which find nothing, those that have none.
    fn paragraphs(&self, text: &str, sections: &[Section]) -> String {
        let filled = self.filled(text, sections, &|id| format!("`{id}`")).sentences;
        let without = || text.trim().split("\n\n").filter(|paragraph| !paragraph.contains('{')).map(str::to_owned).collect();
        let paragraphs: Vec<String> = if sections.iter().any(Section::is_preview) { without() } else { filled };
        paragraphs.iter().map(|paragraph| prose(paragraph)).collect::<Vec<_>>().join("\n\n")
    }

    /// What was found, a sentence of the headline a paragraph.
    fn sentences(&self, sections: &[Section]) -> String {
        let sentences = self.filled(self.headline, sections, &|id| format!("`{id}`")).sentences;
        let items: String = sentences.iter().map(|sentence| format!("  [{}],\n", prose(sentence))).collect();
        if items.is_empty() { items } else { format!("#enum(\n{items})") }
    }

    /// How criteria came about.
    fn criteria(&self) -> String {
        let lines = origins(self.claims().map(|(_, claim)| claim));
        let items: String = lines.iter().map(|line| format!("  [{}.],\n", prose(line))).collect();
        if items.is_empty() { items } else { format!("How criteria came about:\n\n#list(\n{items})\n\n{}", escaped(OF_TIMES)) }
    }

    /// The papers, and where exact solutions come from.
    fn references(&self) -> String {
        let entry = |(name, citation): (&str, &str)| format!("  [#strong[{}];: {}.],\n", escaped(name), prose(citation));
        let entries: String = self.ledgers.iter().map(|ledger| entry((&ledger.paper, &ledger.citation))).collect();
        if entries.is_empty() { entries } else { format!("#references(\n{entries})") }
    }

    /// Where a claim stands, in words.
    fn place_of(&self, claim: &Claim) -> String {
        let ledger = self.claims().find(|(_, known)| known.id == claim.id).map(|(ledger, _)| ledger);
        match ledger {
            Some(ledger) if ledger.kind == Kind::Published => format!("{}, {}", ledger.paper, claim.place),
            Some(ledger) => ledger.paper.clone(),
            None => claim.place.clone(),
        }
    }
}

/// Adds a part with its title, a level deeper for each `=` before it, unless there is nothing in it.
fn section(source: &mut String, title: &str, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    match title.strip_prefix('=') {
        _ if title.is_empty() => {}
        Some(title) => _ = writeln!(source, "== {}\n", escaped(title)),
        None => _ = writeln!(source, "= {}\n", escaped(title)),
    }
    _ = writeln!(source, "{}\n", text.trim());
}

/// Text within a function of the style, unless there is none.
fn wrapped(function: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("#{function}[\n{text}\n]") }
}

/// How often readings agree, and what chance alone would do; nothing of previews.
fn agreement(sections: &[Section], previews: &[String]) -> String {
    let agreements = Agreement::of(sections);
    if agreements.is_empty() || !previews.is_empty() {
        return String::new();
    }
    format!("{}\n\n{}", escaped(&total(&agreements)), escaped(&false_discovery(sections)))
}

/// The name of a claim.
fn name_of(id: &str) -> String {
    raw(id)
}
