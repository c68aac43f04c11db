//! Charts of an article: drawn anew from results, with the captions that they have in the report.

use std::fmt::Write;

use chart::Figure;

use crate::judge::article::manuscript::Shown;
use crate::judge::article::typeset::{prose, quoted, raw};
use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::places::PublishError;
use crate::study::Study;

/// A chart by its name, with its picture.
struct Chart<'a> {
    name: &'a str,
    study: &'a Study,
    stem: &'static str,
    file: String,
    figure: &'a Figure,
}

impl Report<'_> {
    /// Those of the wanted figures of which the groups were measured, as Typst, and their pictures by name.
    pub(super) fn shown(&self, sections: &[Section], wanted: &[Shown]) -> Result<(String, Vec<(String, String)>), PublishError> {
        let (mut text, mut pictures) = (String::new(), vec![]);
        for Shown { charts, width } in wanted {
            let charts: Vec<Chart> = charts.iter().filter_map(|name| found(sections, name)).collect();
            // two side by side are drawn for a column
            let is_narrow = charts.len() > 1;
            for Chart { figure, file, stem, .. } in &charts {
                let svg = if is_narrow { figure.svg_narrow() } else { figure.svg() };
                pictures.push((file.clone(), svg.map_err(|error| PublishError::Chart { name: stem, error })?));
            }
            match &charts[..] {
                [] => {}
                [only] => {
                    _ = writeln!(
                        text,
                        "#chart({}, width: {:.0}%, caption: [{}])\n",
                        quoted(&only.file),
                        100.0 * width,
                        only.caption("")
                    )
                }
                pair => {
                    let files: String = pair.iter().map(|chart| format!("{}, ", quoted(&chart.file))).collect();
                    let sides = ["Left: ", "Right: "].iter().zip(pair);
                    let captions: Vec<String> = sides.map(|(side, chart)| chart.caption(side)).collect();
                    _ = writeln!(text, "#charts({files}caption: [{}])\n", captions.join(" "));
                }
            }
        }
        Ok((text, pictures))
    }
}

/// A chart that is named as `study/name`, where it was drawn.
fn found<'a>(sections: &'a [Section<'_>], name: &'a str) -> Option<Chart<'a>> {
    let (study, chart) = name.split_once('/')?;
    let section = sections.iter().find(|section| section.study().name == study)?;
    let (stem, figure) = section.charts.iter().find(|(known, _)| *known == chart)?;
    Some(Chart { name, study: section.study(), stem, file: format!("{study}-{chart}.svg"), figure })
}

impl Chart<'_> {
    /// What it shows, of which chapter, and where it lies.
    fn caption(&self, side: &str) -> String {
        let Chart { name, study, figure, .. } = self;
        let title = if side.is_empty() { String::new() } else { format!("#emph[{side}];{}. ", prose(&figure.title)) };
        let place = raw(&format!("plots/{name}.svg"));
        format!("{title}{} #source[({}\\; {place})];", prose(&figure.caption), prose(study.source))
    }
}
