//! A topic of a study: a file of its own, and a line in the study.
//!
//! Its file holds, in this order, what is varied (its ranges), what is measured (its rows and its group) and what is
//! drawn, and ends with `topic`, which says what of it the study has.

use chart::Figure;
use lab::judge::rule::tables::Derived;
use lab::prelude::*;
use lab::study::{Plot, Study};
use lab::{Table, table};

use crate::ranges::RangeError;

/// What a topic adds to its study.
#[derive(Default)]
pub struct Topic {
    pub groups: Vec<Box<dyn Table>>,
    pub plots: Vec<Plot>,
    pub derived: Vec<Derived>,
    places: &'static [(&'static str, i8)],
    /// The first value of its ranges that does not go with the others.
    pub unfit: Option<RangeError>,
}

impl Topic {
    pub fn of(group: impl Group + 'static) -> Topic {
        Topic::default().table(group)
    }

    /// Adds a table.
    pub fn table(mut self, group: impl Group + 'static) -> Topic {
        self.groups.push(table(group));
        self
    }

    /// Adds a chart.
    pub fn plot(
        mut self,
        name: &'static str,
        draw: impl Fn(&Results) -> Result<Figure, ResultsError> + Send + Sync + 'static,
    ) -> Topic {
        self.plots.push(Plot::new(name, draw));
        self
    }

    /// Adds a table that is made of results, which rules name with `@`.
    pub fn derive(mut self, table: Derived) -> Topic {
        self.derived.push(table);
        self
    }

    /// Says which charts, by name, do not stand where the topic does among those of the study: low places first, 0 where nothing is
    /// said.
    pub fn places(self, places: &'static [(&'static str, i8)]) -> Topic {
        Topic { places, ..self }
    }

    /// The study that the topics make, with the hash of its ranges and without its words.
    pub fn study(self, ranges: String) -> Study {
        Study { plots: self.plots, derived: self.derived, ..Study::of(self.groups, ranges) }
    }

    /// Keeps what does not go together in its ranges, where there is such a value.
    pub fn checked(self, ranges: Result<(), RangeError>) -> Topic {
        Topic { unfit: self.unfit.or(ranges.err()), ..self }
    }

    /// The topics of a study as one.
    pub fn all(topics: impl IntoIterator<Item = Topic>) -> Topic {
        let (mut all, mut places) = (Topic::default(), vec![]);
        for topic in topics {
            all.groups.extend(topic.groups);
            all.plots.extend(topic.plots);
            all.derived.extend(topic.derived);
            all.unfit = all.unfit.or(topic.unfit);
            places.extend(topic.places);
        }
        let place = |name| places.iter().find(|(of, _)| *of == name).map_or(0, |(_, place)| *place);
        all.plots.sort_by_key(|plot| place(plot.name));
        all
    }
}

/// The topics of a study in their order, a line each: its file in the study's folder and the type of its ranges, which the section
/// of its name in a profile holds. Makes the modules, the ranges of the study, and `topics`, which collects all that they add to
/// it.
#[macro_export]
macro_rules! topics {
    ($($topic:ident $(: $ranges:ident)?),+ $(,)?) => {
        $(mod $topic;)+

        $crate::ranges::sections! {
            /// Sample sizes and ranges, a section a topic.
            Ranges { $($($topic: $topic::$ranges,)?)+ }
        }

        impl Ranges {
            /// Refuses values that do not go together.
            ///
            /// # Errors
            /// The first one, its key in the section of the study.
            pub fn check(&self) -> Result<(), $crate::ranges::RangeError> {
                topics(self).unfit.map_or(Ok(()), Err)
            }
        }

        /// The study by its section of a profile.
        ///
        /// # Errors
        /// The first value that is none, or does not go with the others.
        pub fn read(section: &$crate::ranges::Value) -> Result<lab::study::Study, $crate::ranges::RangeError> {
            let ranges = <Ranges as $crate::ranges::Ranged>::read(section)?;
            ranges.check().map(|()| $crate::rules::with_rules(study(&ranges)))
        }

        fn topics(ranges: &Ranges) -> $crate::topic::Topic {
            $crate::topic::Topic::all([$($topic::topic(ranges)),+])
        }
    };
}
pub use topics;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_stand_in_the_order_of_their_places_and_topics() {
        let draw = |_: &Results| Err(ResultsError::TooFew(String::new()));
        let first = Topic::default().plot("a", draw).plot("b", draw).places(&[("b", 1)]);
        let all = Topic::all([first, Topic::default().plot("c", draw)]);
        assert_eq!(all.plots.iter().map(|plot| plot.name).collect::<Vec<_>>(), ["a", "c", "b"]);
    }
}
