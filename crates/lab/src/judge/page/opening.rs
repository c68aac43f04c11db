//! The first screen of the page: what it is, one finding a ledger, every verdict as a cell, cloth that moves, where it was measured.

use std::collections::BTreeMap;

use super::markup::{badge, escaped, sign, slug};
use super::prose::prose;
use super::{NOT_STUDIED, banner};
use crate::judge::claims::Claim;
use crate::judge::report::section::Section;
use crate::judge::report::{Report, origin};

impl Report<'_> {
    pub(super) fn opening(&self, sections: &[Section], verdicts: &BTreeMap<String, String>) -> String {
        let (banner, sentence) = (banner(sections), escaped(&self.in_a_sentence()));
        let mut html = format!(
            "{banner}<header id=\"top\">\n<div class=\"name\"><h1>clothlab</h1>\n<p class=\"what\">{sentence}</p></div>\n<ul class=\"papers\">\n"
        );
        for (ledger, finding) in self.findings(sections, &|id| format!("[{id}](#claim-{})", slug(id))) {
            let finding = prose(&format!("**{}** {finding}", ledger.paper));
            html += &format!("<li>{finding}{}</li>\n", strip(ledger.claims.iter(), verdicts));
        }
        html += "</ul>\n";
        if !self.film.is_empty() {
            html += &format!(
                "<iframe class=\"film\" title=\"cloth that moves: drag to turn it, space to stop it\" sandbox=\"allow-scripts\" srcdoc=\"{}\"></iframe>\n",
                self.film.replace('&', "&amp;").replace('"', "&quot;")
            );
        }
        html += "<div class=\"counts\">\n";
        for (kind, count) in self.kinds() {
            html += &format!("<ul class=\"counts\">\n<li>{count} {kind}:</li>\n");
            for (count, word, meaning) in self.verdict_counts(kind, sections, verdicts) {
                html += &format!("<li title=\"{}\">{count} {}</li>\n", escaped(meaning.trim()), badge(&word));
            }
            html += "</ul>\n";
        }
        html + &format!("</div>\n<p class=\"source\">{}</p>\n</header>\n", escaped(&origin::measured(sections)))
    }

    /// The parts of the page, as links that stay in sight.
    pub(super) fn contents(&self, sections: &[Section]) -> String {
        let mut links = vec![("top".to_owned(), "Summary"), ("claims".into(), "All claims"), ("readings".into(), "Readings")];
        if !self.pictures.is_empty() {
            links.push(("pictures".into(), "Figures of the papers"));
        }
        links.extend(sections.iter().map(|section| (format!("study-{}", slug(section.study.name)), section.study.title)));
        let links: String =
            links.iter().map(|(id, title)| format!("<li><a href=\"#{id}\">{}</a></li>\n", escaped(title))).collect();
        format!("<nav aria-label=\"Contents\">\n<ul>\n{links}</ul>\n</nav>\n")
    }
}

/// Verdicts as cells, each of which leads to its claim.
pub(super) fn strip<'a>(claims: impl Iterator<Item = &'a Claim>, verdicts: &BTreeMap<String, String>) -> String {
    let mut html = String::from("<span class=\"strip\">");
    for claim in claims {
        let verdict = verdicts.get(&claim.id).map_or(NOT_STUDIED, String::as_str);
        let said = escaped(&format!("{}, {}: {verdict}", claim.id, claim.quantity));
        let (class, sign) = (slug(verdict), sign(verdict));
        html += &if verdict == NOT_STUDIED {
            format!("<span class=\"cell {class}\" title=\"{said}\">{sign}</span>")
        } else {
            let id = slug(&claim.id);
            format!("<a class=\"cell {class}\" href=\"#claim-{id}\" title=\"{said}\" aria-label=\"{said}\">{sign}</a>")
        };
    }
    html + "</span>"
}
