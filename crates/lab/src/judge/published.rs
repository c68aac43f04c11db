//! What papers give of their figures and tables in words and numbers, and the list of these with what stands beside each here.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use crate::judge::terms::terms;

/// A number, or a range of numbers: "0.7", "30 to 35".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its lower end.
    pub low: f64,
    /// Its upper end, the same for a number.
    pub high: f64,
}

/// How sharply a paper states a number.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// As many digits as are printed.
    Printed,
    /// "About", "roughly", "approximately".
    About,
    /// Above the number: "over", "more than".
    Above,
    /// Below the number: "under", "less than".
    Below,
}

/// A number that the text or a table of a paper gives.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The figure or table that it belongs to; empty where it belongs to none.
    pub figure: String,
    /// What it is a number of.
    pub curve: String,
    /// Where on the horizontal axis, if there is one.
    pub x: Option<Span>,
    pub x_unit: String,
    /// The number.
    pub y: Span,
    pub y_unit: String,
    /// Section, figure or table that prints it.
    pub place: String,
    /// How sharply.
    pub precision: Precision,
    /// What goes with it.
    pub note: String,
}

terms! {
    /// What stands here beside a figure or table of a paper.
    #[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
    #[serde(rename_all = "kebab-case")]
    pub enum Status {
        #[serde(rename = "drawn again")]
        DrawnAgain = "drawn again": "the same picture, from what was measured here",
        Comparable = "comparable": "the same quantity or scene in another form, or on a scene of our own",
        #[serde(rename = "not comparable")]
        NotComparable = "not comparable": "what is drawn here cannot be held against it",
        #[serde(rename = "not drawn")]
        NotDrawn = "not drawn": "a sketch, pseudo-code, or nothing that could be measured",
    }
}

/// A figure or table of a paper.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Name of the paper's ledger.
    pub paper: String,
    /// Its number.
    pub figure: String,
    /// What it shows.
    pub shows: String,
    /// What stands here beside it.
    pub status: Status,
    /// Our chart as `study/name`, or nothing.
    pub chart: String,
    /// Why that, and what is not known.
    pub why: String,
}

/// A section of a paper.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Name of the paper's ledger.
    pub paper: String,
    /// Its number.
    pub place: String,
    pub title: String,
}

/// A table of published numbers that cannot be read.
#[derive(Debug, Error)]
#[error("{name}: {reason}")]
pub struct PublishedError {
    name: String,
    reason: String,
}

/// The lines of a table: [`Value`], [`Picture`] or [`Place`].
///
/// # Errors
/// The first line that is none.
pub fn read<T: for<'de> Deserialize<'de>>(name: &str, text: &str) -> Result<Vec<T>, PublishedError> {
    let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<_, _>>();
    lines.map_err(|error| PublishedError { name: name.into(), reason: error.to_string().replace('\n', " ") })
}

impl Span {
    /// The middle of a range, or the number.
    pub fn middle(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    fn parse(text: &str) -> Option<Span> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match text.split_once(" to ") {
            None => number(text).map(|number| Span { low: number, high: number }),
            Some((low, high)) => {
                number(low).zip(number(high)).filter(|(low, high)| low < high).map(|(low, high)| Span { low, high })
            }
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Span, D::Error> {
        // as a text, whatever a reader takes it for
        let text = String::deserialize(source)?;
        Span::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is neither a number nor a range like `1 to 2`")))
    }
}

impl Picture {
    /// Its name in a sentence: "fig. 5.7", "table 4.1".
    pub fn name(&self) -> String {
        name_of(&self.figure)
    }
}

/// A figure or table in a sentence.
pub fn name_of(figure: &str) -> String {
    if figure.starts_with("table") { figure.into() } else { format!("fig. {figure}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "figure,curve,x,x_unit,y,y_unit,place,precision,note\n";

    fn values(line: &str) -> Result<Vec<Value>, PublishedError> {
        read("a.csv", &format!("{HEADER}{line}\n"))
    }

    #[test]
    fn numbers_and_ranges_are_read() {
        let value = &values("5.6,ratio,100 to 1000,-,0.65 to 0.7,-,5.3.1,about,").unwrap()[0];
        assert_eq!((value.x.unwrap().low, value.x.unwrap().high, value.y.low), (100.0, 1000.0, 0.65));
        assert!((value.y.middle() - 0.675).abs() < 1e-12 && value.precision == Precision::About);
        let value = &values(",rate,,,-8,%,7,above,\"a, b\"").unwrap()[0];
        assert_eq!((value.x, value.y, value.note.as_str()), (None, Span { low: -8.0, high: -8.0 }, "a, b"));
    }

    #[test]
    fn what_is_no_number_is_refused_by_name() {
        for line in [
            "1,a,,,,-,1,printed,",
            "1,a,,,x,-,1,printed,",
            "1,a,,,2 to 1,-,1,printed,",
            "1,a,,,inf,-,1,printed,",
            "1,a,,,1,-,1,exact,",
        ] {
            assert!(values(line).unwrap_err().to_string().starts_with("a.csv: "), "{line}");
        }
    }

    #[test]
    fn statuses_are_said_as_they_are_written() {
        for status in Status::ALL {
            let text = format!("paper,figure,shows,status,chart,why\np,1,a,{status},,b\n");
            assert_eq!(read::<Picture>("f", &text).unwrap()[0].status, status);
        }
        assert_eq!((name_of("5.7"), name_of("table 4.1")), ("fig. 5.7".into(), "table 4.1".into()));
    }
}
