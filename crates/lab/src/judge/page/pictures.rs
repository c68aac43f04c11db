//! The part of the page on figures and tables of the papers.

use super::markup::{TABLE_ENDS, escaped, slug, table};
use super::prose::prose;
use crate::judge::report::Report;
use crate::judge::report::pictures::{OF_PICTURES, PICTURES};
use crate::judge::report::section::Section;

impl Report<'_> {
    /// Every figure and table of the papers with what stands beside it.
    pub(super) fn pictures_section(&self, sections: &[Section]) -> String {
        if self.pictures.is_empty() {
            return String::new();
        }
        let (about, statuses) = (prose(OF_PICTURES), escaped(&self.statuses_of_pictures()));
        let heads = table(&["paper", "figure", "shows", "here", "chart", "why"]);
        let mut html = format!(
            "<details class=\"study\" id=\"pictures\">\n<summary><h2>{PICTURES}</h2></summary>\n\
             {about}<p>{statuses}</p>\n{heads}"
        );
        for picture in self.pictures {
            let chart = match self.chart_of(picture, sections) {
                Some((study, name)) => {
                    format!("<a href=\"#chart-{}-{}\">{}</a>", slug(study), slug(name), escaped(&picture.chart))
                }
                None => escaped(&picture.chart),
            };
            let (paper, name, shows) = (escaped(self.paper_of(picture)), escaped(&picture.name()), escaped(&picture.shows));
            let (status, why) = (picture.status, escaped(&picture.why));
            html += &format!(
                "<tr><td>{paper}</td><th scope=\"row\">{name}</th><td>{shows}</td><td>{status}</td><td>{chart}</td><td>{why}</td></tr>\n"
            );
        }
        html + TABLE_ENDS + "</details>\n"
    }
}
