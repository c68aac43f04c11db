//! The table of all claims, and what filters it.

use std::collections::BTreeMap;

use super::markup::{badge, escaped, slug};
use super::prose::prose;
use super::{NOT_STUDIED, all_verdicts, reason, verdict_of};
use crate::judge::report::section::Section;
use crate::judge::report::statements::STATEMENTS;
use crate::judge::report::{Report, origins, published_cell};
use crate::judge::words::in_brief;

/// Names of the columns, in their order.
const COLUMNS: [&str; 6] = ["claim", "paper", "quantity", "published or reference", "measured", "verdict"];

impl Report<'_> {
    /// The table of all claims; first those that are judged, study by study.
    pub(super) fn overview(&self, sections: &[Section], verdicts: &BTreeMap<String, String>) -> String {
        let mut html =
            String::from("<section id=\"claims\" aria-labelledby=\"claims-title\">\n<h2 id=\"claims-title\">All claims</h2>\n");
        html += &self.filters(verdicts);
        // roles are said again for phones, where rows are cards, which ends what a table says of itself
        html += "<table class=\"overview\" role=\"table\" aria-labelledby=\"claims-title\">\n<thead role=\"rowgroup\"><tr role=\"row\">";
        for column in COLUMNS {
            html += &format!("<th scope=\"col\" role=\"columnheader\">{column}</th>");
        }
        html += "</tr></thead>\n<tbody role=\"rowgroup\">\n";
        for section in sections {
            for (id, finding) in &section.findings {
                let measured = match finding {
                    Ok(finding) => in_brief(&finding.measured),
                    Err(error) => reason(error),
                };
                let answers = finding.as_ref().ok().and_then(|finding| finding.answers);
                let more = answers.map_or_else(String::new, |answers| {
                    format!("<br><small>direction {}; size {}</small>", answers.direction_word(), answers.size_word())
                });
                let more = format!("{}{more}", section.of_times(id).trim_start_matches(','));
                html += &self.line(id, &measured, &verdict_of(finding, &section.sample), &more);
            }
        }
        for (_, claim) in self.claims().filter(|(_, claim)| !self.is_studied(claim)) {
            html += &self.line(&claim.id, "-", NOT_STUDIED, "");
        }
        html += "</tbody>\n</table>\n<h3>How criteria came about</h3>\n<ul>\n";
        for line in origins(self.claims().map(|(_, claim)| claim)) {
            html += &format!("<li>{}</li>\n", prose(&(line + ".")));
        }
        html += "</ul>\n";
        let statements = self.statements(sections);
        if !statements.is_empty() {
            let lines: String = statements.into_iter().map(|line| format!("<li>{}</li>\n", prose(&(line + ".")))).collect();
            html += &format!("<h3>{STATEMENTS}</h3>\n<ul>\n{lines}</ul>\n");
        }
        html + "</section>\n"
    }

    /// The controls, which the script shows: without it they would do nothing.
    fn filters(&self, verdicts: &BTreeMap<String, String>) -> String {
        let mut papers: Vec<&str> = vec![];
        for ledger in self.ledgers {
            if !papers.contains(&ledger.paper.as_str()) {
                papers.push(&ledger.paper);
            }
        }
        let papers = papers.into_iter().map(str::to_owned);
        let verdicts = all_verdicts().filter(|word| verdicts.values().any(|verdict| verdict == word));
        let mut html = String::from("<form id=\"filters\" role=\"search\" aria-label=\"Filter the claims\" hidden>\n");
        html += &choice("paper", "Paper", papers);
        html += &choice("verdict", "Verdict", verdicts);
        html += "<label>Search <input type=\"search\" id=\"words\" autocomplete=\"off\" aria-controls=\"claims\"></label>\n\
                 <button type=\"reset\">Show all</button>\n\
                 <output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n";
        html
    }

    /// A row of a claim; `more` is what stands behind its verdict, as HTML.
    fn line(&self, id: &str, measured: &str, verdict: &str, more: &str) -> String {
        let Some((ledger, claim)) = self.claims().find(|(_, claim)| claim.id == id) else { return String::new() };
        let name =
            if verdict == NOT_STUDIED { escaped(id) } else { format!("<a href=\"#claim-{}\">{}</a>", slug(id), escaped(id)) };
        let cells = [
            format!("{}, {}", escaped(&ledger.paper), escaped(&claim.place)),
            escaped(&claim.quantity),
            escaped(&published_cell(claim)),
            escaped(measured),
            badge(verdict) + more,
        ];
        let mut html = format!(
            "<tr role=\"row\" data-paper=\"{}\" data-verdict=\"{}\"><th scope=\"row\" role=\"rowheader\">{name}</th>",
            slug(&ledger.paper),
            slug(verdict)
        );
        for (column, cell) in COLUMNS.iter().skip(1).zip(cells) {
            html += &format!("<td role=\"cell\" data-column=\"{column}\">{cell}</td>");
        }
        html + "</tr>\n"
    }
}

/// A list to choose one word from, or all.
fn choice(id: &str, label: &str, words: impl Iterator<Item = String>) -> String {
    let mut html = format!("<label>{label} <select id=\"{id}\" aria-controls=\"claims\"><option value=\"\">all</option>");
    for word in words {
        html += &format!("<option value=\"{}\">{}</option>", slug(&word), escaped(&word));
    }
    html + "</select></label>\n"
}
