//! The part of the page on figures and tables of the papers.

use super::markup::{escaped, slug};
use super::prose::prose;
use crate::judge::pictures::{OF_PICTURES, PICTURES};
use crate::judge::report::Report;
use crate::judge::section::Section;

impl Report<'_> {
    /// Every figure and table of the papers with what stands beside it.
    pub(super) fn pictures_section(&self, sections: &[Section]) -> String {
        if self.pictures.is_empty() {
            return String::new();
        }
        let mut html = format!(
            "<section class=\"study\" id=\"pictures\" aria-labelledby=\"pictures-title\">\n<h2 id=\"pictures-title\">{PICTURES}</h2>\n\
             {}<p>{}</p>\n<div class=\"scroll\"><table>\n<thead><tr>",
            prose(OF_PICTURES),
            escaped(&self.statuses_of_pictures())
        );
        for column in ["paper", "figure", "shows", "here", "chart", "why"] {
            html += &format!("<th scope=\"col\">{column}</th>");
        }
        html += "</tr></thead>\n<tbody>\n";
        for picture in self.pictures {
            let chart = match self.chart_of(picture, sections) {
                Some((study, name)) => {
                    format!("<a href=\"#chart-{}-{}\">{}</a>", slug(study), slug(name), escaped(&picture.chart))
                }
                None => escaped(&picture.chart),
            };
            html += &format!(
                "<tr><td>{}</td><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{chart}</td><td>{}</td></tr>\n",
                escaped(self.paper_of(picture)),
                escaped(&picture.name()),
                escaped(&picture.shows),
                picture.status,
                escaped(&picture.why)
            );
        }
        html + "</tbody></table></div>\n</section>\n"
    }
}
