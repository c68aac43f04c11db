//! What an article says in words of its own, with places for numbers, and which charts it shows.

use serde::Deserialize;
use thiserror::Error;

/// The words of an article: Markdown, with places that are filled as those of the headline are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manuscript {
    pub title: String,
    /// What was done and what came of it.
    #[serde(rename = "abstract")]
    pub summary: String,
    pub introduction: String,
    pub methods: String,
    pub discussion: String,
    /// What the results do not tell.
    pub limits: String,
    /// How everything is done again.
    pub again: String,
    #[serde(rename = "figure")]
    pub figures: Vec<Shown>,
}

/// A chart as wide as the text, or two side by side.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Each as `study/name`.
    pub charts: Vec<String>,
    /// Width over that of the text.
    #[serde(default = "whole")]
    pub width: f64,
}

fn whole() -> f64 {
    1.0
}

/// A manuscript that cannot be read.
#[derive(Debug, Error)]
#[error("the manuscript: {0}")]
pub struct ManuscriptError(String);

impl Manuscript {
    /// Reads a manuscript.
    ///
    /// # Errors
    /// TOML that is none, or has other keys; a figure of no chart or of more than two.
    pub fn parse(text: &str) -> Result<Manuscript, ManuscriptError> {
        let manuscript: Manuscript = toml::from_str(text).map_err(|error| ManuscriptError(error.message().into()))?;
        match manuscript.figures.iter().find(|figure| !(1..=2).contains(&figure.charts.len())) {
            Some(figure) => Err(ManuscriptError(format!("a figure of {} charts, one or two fit", figure.charts.len()))),
            None => Ok(manuscript),
        }
    }

    /// Everything that has places for numbers.
    pub fn texts(&self) -> [&str; 6] {
        [&self.summary, &self.introduction, &self.methods, &self.discussion, &self.limits, &self.again]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_holds_one_chart_or_two() {
        let words = "title = 'a'\nabstract = ''\nintroduction = ''\nmethods = ''\ndiscussion = ''\nlimits = ''\nagain = ''\n";
        let of = |charts: &str| Manuscript::parse(&format!("{words}[[figure]]\ncharts = {charts}\n"));
        assert_eq!(of("['a/b', 'a/c']").unwrap().figures[0].charts.len(), 2);
        for charts in ["[]", "['a/b', 'a/c', 'a/d']", "'a/b'"] {
            assert!(of(charts).unwrap_err().to_string().starts_with("the manuscript: "), "{charts}");
        }
        assert!(Manuscript::parse(&words.replace("limits", "limit")).is_err());
    }
}
