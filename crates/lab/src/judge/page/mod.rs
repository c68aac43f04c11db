//! `REPORT.html`: the report as one page that needs nothing but itself, written from results alone.
//!
//! Equal results give equal bytes. Style, script and charts stand in the page; tables of results are links to their files. Without
//! script the page is complete, and the filters are not shown.

mod claim;
mod drawing;
mod markup;
mod opening;
mod overview;
mod pictures;
mod prose;
mod section;

use std::collections::BTreeMap;

use crate::judge::claims::{Finding, Kind, Verdict};
use crate::judge::report::agreement::{Agreement, false_discovery, total};
use crate::judge::report::section::Section;
use crate::judge::report::{AGREEMENT, FOUND, INTERVALS, OF_PREVIEWS, OF_TIMES, Report, missed_words, previews};
use crate::judge::sample::Sample;
use crate::places::PublishError;
use crate::results::ResultsError;
pub use markup::escaped;
use markup::{TABLE_ENDS, badge, slug, table};
use prose::prose;

/// How a page begins, by which it is told from files of somebody else.
pub(crate) const PAGE_BEGINS: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>clothlab: ";

/// How pages of former versions begin.
pub(crate) const PAGES_BEGAN: &str =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Report</title>\n";

/// The colours of pages, light and dark, as properties of the root.
pub const COLOURS: &str = include_str!("colours.css");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// In place of a verdict where a study has a judge and too few results.
const NOT_MEASURED: &str = "not measured";
/// In place of a verdict where no study judges the claim.
const NOT_STUDIED: &str = "not yet studied";

impl Report<'_> {
    /// The report as a page of HTML.
    ///
    /// # Errors
    /// Charts that cannot be drawn.
    pub fn page(&self, sections: &[Section]) -> Result<String, PublishError> {
        let title = match self.studies {
            [study] => study.title,
            _ => "the literature on cloth time integration, reproduced",
        };
        let verdicts = self.verdicts(sections);
        let (title, dark) = (escaped(title), chart::dark_style());
        let (contents, opening) = (self.contents(sections), self.opening(sections, &verdicts));
        let mut page = format!(
            "{PAGE_BEGINS}{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{COLOURS}{STYLE}{dark}\n</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#claims\">To the claims</a>\n{contents}<main>\n{opening}"
        );
        page += &self.found(sections);
        for (section, title, answer) in self.answered(sections) {
            let (evidence, answer) = (slug(section.study().name), prose(&answer));
            page += &format!(
                "<h2 class=\"counts\">{title}</h2>\n<div class=\"answer\">\n{answer}<p><a href=\"#study-{evidence}\">The evidence</a>.</p>\n</div>\n"
            );
        }
        page += &self.meanings(sections, &verdicts);
        page += &self.missed(sections);
        page += &self.overview(sections, &verdicts);
        page += &agreement(sections);
        page += &self.pictures_section(sections);
        for section in sections {
            page += &self.study_section(section, &verdicts)?;
        }
        page += &format!(
            "</main>\n<footer>\n<p>{INTERVALS}</p>\n<p>Written from results by <code>{}</code>; every number was measured. Files are named as \
             they lie beside this page in the repository.</p>\n</footer>\n<script>\n",
            escaped(self.command)
        );
        Ok(page + SCRIPT + "</script>\n</body>\n</html>\n")
    }

    /// What was found, in a few sentences.
    fn found(&self, sections: &[Section]) -> String {
        let sentences = self.filled(self.headline, sections, &|id| format!("[{id}](#claim-{})", slug(id))).sentences;
        if sentences.is_empty() {
            return String::new();
        }
        let list: String = sentences.iter().map(|sentence| format!("<li>{}</li>\n", prose(sentence))).collect();
        format!("<h2 class=\"counts\">{FOUND}</h2>\n<ol class=\"found\">\n{list}</ol>\n")
    }

    /// How many claims of a kind came to which verdict, what that is, and what it says of them.
    fn verdict_counts(
        &self,
        kind: Kind,
        sections: &[Section],
        verdicts: &BTreeMap<String, String>,
    ) -> Vec<(usize, String, String)> {
        let judged = self.counts(kind, sections).into_iter().map(|(count, word, meaning)| (count, word, format!(" {meaning}")));
        let others = [NOT_MEASURED, NOT_STUDIED].map(|word| {
            let count =
                self.claims_of(kind).filter(|claim| verdicts.get(&claim.id).is_some_and(|verdict| verdict == word)).count();
            (count, word.to_owned(), String::new())
        });
        judged.chain(others).filter(|(count, ..)| *count > 0).collect()
    }

    /// What the verdicts say of claims, a kind after the other.
    fn meanings(&self, sections: &[Section], verdicts: &BTreeMap<String, String>) -> String {
        let mut html = String::new();
        for (kind, count) in self.kinds() {
            html += &format!(
                "<h2 class=\"counts\">{count} {kind}</h2>\n<p>They are {}.</p>\n<ul class=\"meanings\">\n",
                kind.meaning()
            );
            for (count, word, meaning) in self.verdict_counts(kind, sections, verdicts) {
                html += &format!("<li><b>{count}</b> {}{meaning}</li>\n", badge(&word));
            }
            html += "</ul>\n";
        }
        html + &format!("<p>{OF_TIMES}</p>\n")
    }

    /// The claims that were not reproduced, each with what it is held against and what was measured.
    fn missed(&self, sections: &[Section]) -> String {
        let mut html = String::new();
        for (kind, _) in self.kinds() {
            let missed = self.not_reproduced(kind, sections);
            if missed.is_empty() {
                continue;
            }
            html += &format!("<h2 class=\"counts\">Not reproduced, of {kind}</h2>\n<ul class=\"missed\">\n");
            for (claim, finding) in missed {
                let (id, words) = (&claim.id, missed_words(kind, claim, finding));
                html += &format!("<li><a href=\"#claim-{}\">{}</a>: {}</li>\n", slug(id), escaped(id), escaped(&words));
            }
            html += "</ul>\n";
        }
        html
    }

    /// The verdict on every claim, by its id, in words.
    fn verdicts(&self, sections: &[Section]) -> BTreeMap<String, String> {
        let mut verdicts: BTreeMap<String, String> =
            self.claims().map(|(_, claim)| (claim.id.clone(), NOT_STUDIED.to_owned())).collect();
        for section in sections {
            for (id, finding) in &section.findings {
                if let Some(verdict) = verdicts.get_mut(*id) {
                    *verdict = verdict_of(finding, &section.sample);
                }
            }
        }
        verdicts
    }
}

/// How often readings agree with the verdicts.
fn agreement(sections: &[Section]) -> String {
    let agreements = Agreement::of(sections);
    let (total, chance) = (total(&agreements), false_discovery(sections));
    let heads = table(&["claim", "verdict", "readings with a verdict", "agree", "the others"]);
    let mut html = format!(
        "<details class=\"study\" id=\"readings\">\n<summary><h2>{AGREEMENT}</h2></summary>\n\
         <p>{total}</p>\n<p>{chance}</p>\n{heads}"
    );
    for Agreement { claim, verdict, readings, agreeing, others } in agreements {
        let (anchor, name, badge) = (slug(claim), escaped(claim), badge(&verdict));
        html += &format!(
            "<tr><th scope=\"row\"><a href=\"#claim-{anchor}\">{name}</a></th><td>{badge}</td><td>{readings}</td><td>{agreeing}</td><td>{others}</td></tr>\n"
        );
    }
    html + TABLE_ENDS + "</details>\n"
}

/// A verdict in words, or that there is none.
fn verdict_of(finding: &Result<Finding, ResultsError>, sample: &Sample) -> String {
    finding.as_ref().map_or_else(|_| NOT_MEASURED.to_owned(), |finding| sample.verdict(finding.verdict))
}

/// Every word that may stand as a verdict, best first, previews after all others.
fn all_verdicts() -> impl Iterator<Item = String> {
    let preview = Sample::Preview(String::new());
    let previews: Vec<String> = Verdict::ALL.iter().map(|verdict| preview.verdict(*verdict)).collect();
    Verdict::ALL.iter().map(Verdict::to_string).chain(previews).chain([NOT_MEASURED, NOT_STUDIED].map(str::to_owned))
}

/// What stands at the top where verdicts are previews.
fn banner(sections: &[Section]) -> String {
    let previews = previews(sections);
    if previews.is_empty() {
        return String::new();
    }
    let list: String = previews.iter().map(|preview| format!("<li>{}</li>\n", escaped(preview))).collect();
    let which = "<details><summary>which results</summary>"; // folded, so that the first screen stays one
    format!(
        "<aside class=\"banner\" aria-label=\"Preview\">\n<p><strong>Preview.</strong> {OF_PREVIEWS}</p>\n{which}\n<ul>\n{list}</ul>\n</details>\n</aside>\n"
    )
}

/// Why there is nothing, without the folders of a machine.
fn reason(error: &ResultsError) -> String {
    match error {
        ResultsError::Missing { group, .. } => format!("there are no results of the group {group}"),
        ResultsError::Unreadable { path, reason } => {
            let file = path.file_name().map_or_else(String::new, |file| file.to_string_lossy().into_owned());
            format!("{file}: {reason}")
        }
        ResultsError::TooFew(what) => format!("too few cases to tell: {what}"),
        ResultsError::Rule(rule) => rule.to_string(),
    }
}

/// A row of a list of names and what they stand for; the second part is HTML.
fn entry(name: &str, html: &str) -> String {
    format!("<dt>{}</dt><dd>{html}</dd>\n", escaped(name))
}

#[cfg(test)]
mod tests;
