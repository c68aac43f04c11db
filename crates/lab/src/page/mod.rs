//! `REPORT.html`: the report as one page that needs nothing but itself, written from results alone.
//!
//! The same results give the same bytes. Style, script and charts stand in the page; tables of results are links to their files. Without
//! script the page is complete, and the filters are not shown.

mod claim;
mod drawing;
mod markup;
mod overview;
mod prose;
mod section;

use std::collections::BTreeMap;

use crate::claims::{Finding, Verdict};
use crate::publish::PublishError;
use crate::report::{INTERVALS, OF_TIMES, Report, Section, missed_words};
use crate::results::ResultsError;
use markup::{badge, escaped, slug};

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
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Report</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#claims\">To the claims</a>\n<header>\n<h1>Report</h1>\n\
             <p>Written from results by <code>{}</code>; every number below was measured.</p>\n",
            escaped(self.command)
        );
        let verdicts = self.verdicts(sections);
        page += &counts(&verdicts);
        page += &self.missed(sections);
        page += "</header>\n<nav aria-label=\"Studies\">\n<ul>\n<li><a href=\"#claims\">All claims</a></li>\n";
        for section in sections {
            let study = section.study;
            page += &format!("<li><a href=\"#study-{}\">{}</a></li>\n", slug(study.name), escaped(study.title));
        }
        page += "</ul>\n</nav>\n<main>\n";
        page += &self.overview(sections, &verdicts);
        for section in sections {
            page += &self.study_section(section)?;
        }
        page += &format!("</main>\n<footer>\n<p>{INTERVALS}</p>\n</footer>\n<script>\n");
        Ok(page + SCRIPT + "</script>\n</body>\n</html>\n")
    }

    /// The claims that were not reproduced, each with what was published and measured.
    fn missed(&self, sections: &[Section]) -> String {
        let missed = self.not_reproduced(sections);
        if missed.is_empty() {
            return String::new();
        }
        let mut list = String::from("<h2 class=\"counts\">Not reproduced</h2>\n<ul class=\"missed\">\n");
        for (claim, finding) in missed {
            let (id, words) = (&claim.id, missed_words(claim, finding));
            list += &format!("<li><a href=\"#claim-{}\">{}</a>: {}</li>\n", slug(id), escaped(id), escaped(&words));
        }
        list + "</ul>\n"
    }

    /// The verdict on every claim, by its id, in words.
    fn verdicts(&self, sections: &[Section]) -> BTreeMap<String, String> {
        let mut verdicts: BTreeMap<String, String> =
            self.claims().map(|(_, claim)| (claim.id.clone(), NOT_STUDIED.to_owned())).collect();
        for (id, finding) in sections.iter().flat_map(|section| &section.findings) {
            if let Some(verdict) = verdicts.get_mut(*id) {
                *verdict = verdict_of(finding);
            }
        }
        verdicts
    }
}

/// A verdict in words, or that there is none.
fn verdict_of(finding: &Result<Finding, ResultsError>) -> String {
    finding.as_ref().map_or_else(|_| NOT_MEASURED.to_owned(), |finding| finding.verdict.to_string())
}

/// Every word that may stand as a verdict, best first.
fn all_verdicts() -> impl Iterator<Item = String> {
    Verdict::ALL.iter().map(Verdict::to_string).chain([NOT_MEASURED, NOT_STUDIED].map(str::to_owned))
}

/// What a verdict says of a claim; nothing of a word in place of one.
fn meaning(word: &str) -> String {
    let verdict = Verdict::ALL.iter().find(|verdict| verdict.to_string() == word);
    verdict.map_or_else(String::new, |verdict| format!(" {}", verdict.meaning()))
}

/// How many claims came to which verdict, and what it says of them.
fn counts(verdicts: &BTreeMap<String, String>) -> String {
    let mut list = format!("<h2 class=\"counts\">{} published claims</h2>\n<ul class=\"counts\">\n", verdicts.len());
    for word in all_verdicts() {
        let count = verdicts.values().filter(|verdict| **verdict == word).count();
        if count > 0 {
            list += &format!("<li><b>{count}</b> {}{}</li>\n", badge(&word), meaning(&word));
        }
    }
    list + &format!("</ul>\n<p>{OF_TIMES}</p>\n")
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
    }
}

/// A row of a list of names and what they stand for; the second part is HTML.
fn entry(name: &str, html: &str) -> String {
    format!("<dt>{}</dt><dd>{html}</dd>\n", escaped(name))
}

#[cfg(test)]
mod tests;
