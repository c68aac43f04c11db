//! The part of the report on figures and tables of the papers.

use std::fmt::Write;

use crate::judge::published::{Picture, Status};
use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::judge::words::cell;

/// Title of that part.
pub(crate) const PICTURES: &str = "Figures and tables of the papers";

/// What is said of them.
pub(crate) const OF_PICTURES: &str = "Every figure and table of the papers, and what stands here beside it. What their text and tables \
     say of them in numbers is in `experiments/published/`, a file a paper, with place and precision; pictures were not read. Most of what can be \
     held against a chart is drawn there in grey; of a slope or a ratio without heights, the height is ours, as its legend or caption says.";

impl Report<'_> {
    /// Short citation of the paper of a picture.
    pub(crate) fn paper_of<'p>(&'p self, picture: &'p Picture) -> &'p str {
        // ledgers are named after their files, which the citation says in other words
        let named = self.ledgers.iter().find(|ledger| ledger.paper.to_lowercase().replace(' ', "-") == picture.paper);
        named.map_or(&picture.paper, |ledger| &ledger.paper)
    }

    /// Study and name of the chart that stands beside a picture, if it was drawn.
    pub(crate) fn chart_of<'p>(&self, picture: &'p Picture, sections: &[Section]) -> Option<(&'p str, &'p str)> {
        let (study, name) = picture.chart.split_once('/')?;
        let section = sections.iter().find(|section| section.study.name == study)?;
        section.charts.iter().any(|(chart, _)| *chart == name).then_some((study, name))
    }

    /// How many pictures have which status, in words.
    pub(crate) fn statuses_of_pictures(&self) -> String {
        let count = |status| self.pictures.iter().filter(|picture| picture.status == status).count();
        let counts = Status::ALL.into_iter().map(|status| (count(status), status)).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, status)| format!("{count} {status} ({})", status.meaning())).collect();
        format!("Of {} figures and tables: {}.", self.pictures.len(), counts.join("; "))
    }

    /// The part as Markdown.
    pub(crate) fn pictures_text(&self, text: &mut String, sections: &[Section]) {
        if self.pictures.is_empty() {
            return;
        }
        _ = writeln!(text, "## {PICTURES}\n\n{OF_PICTURES}\n\n{}\n", self.statuses_of_pictures());
        *text += "| paper | figure | shows | here | chart | why |\n| --- | --- | --- | --- | --- | --- |\n";
        for picture in self.pictures {
            let chart = self.chart_of(picture, sections).map_or_else(
                || picture.chart.clone(),
                |(study, name)| format!("[{study}/{name}]({}.svg)", self.plots_of(study).join(name).display()),
            );
            let (paper, figure) = (self.paper_of(picture), picture.name());
            let (shows, why) = (cell(&picture.shows), cell(&picture.why));
            _ = writeln!(text, "| {paper} | {figure} | {shows} | {} | {chart} | {why} |", picture.status);
        }
        text.push('\n');
    }
}
