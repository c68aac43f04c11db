//! The tables of a study as frames, each read once.

use std::collections::HashMap;
use std::sync::Arc;

use super::frame::{Column, Frame};
use crate::judge::statistics::median;
use crate::measure::group::Table;
use crate::results::{Results, ResultsError};

/// Which times stand beside the rows of a table.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Times {
    /// None.
    Absent,
    /// The median of the repeats of each set, as `seconds` \[s\].
    Median,
    /// A row for each repeat of a set, with `repeat` and `seconds`.
    Each,
}

/// The groups of a study: the main one, and those whose sets are random draws.
#[derive(Clone, Debug)]
pub struct Groups {
    main: &'static str,
    sampled: Vec<&'static str>,
}

/// The tables of a study in its results.
pub struct Tables<'a> {
    results: &'a Results,
    groups: &'a Groups,
}

/// Name of the main table.
const MAIN: &str = "cases";

impl Groups {
    /// Those of a study, the main one first.
    pub fn of(groups: &[Box<dyn Table>]) -> Groups {
        let sampled = groups.iter().filter(|group| group.sampled()).map(|group| group.name()).collect();
        Groups { main: groups.first().map_or("", |group| group.name()), sampled }
    }
}

impl<'a> Tables<'a> {
    /// Those of a study with these groups.
    pub fn new(groups: &'a Groups, results: &'a Results) -> Tables<'a> {
        Tables { results, groups }
    }

    fn group<'b>(&'b self, table: &'b str) -> &'b str {
        if table == MAIN { self.groups.main } else { table }
    }

    /// True where its sets are random draws.
    pub fn is_sampled(&self, table: &str) -> bool {
        self.groups.sampled.contains(&self.group(table))
    }

    /// A table with times beside its rows.
    ///
    /// # Errors
    /// A table that is not there, or cannot be read.
    pub fn frame(&self, table: &str, times: Times) -> Result<Arc<Frame>, ResultsError> {
        let group = self.group(table);
        self.results.kept(format!("{group}, {times:?}"), || match times {
            Times::Absent => self.results.frame(group),
            _ => self.timed(&*self.frame(table, Times::Absent)?, group, times),
        })
    }

    fn timed(&self, frame: &Frame, group: &str, times: Times) -> Result<Frame, ResultsError> {
        let mut of_set: HashMap<u64, Vec<(u32, f64)>> = HashMap::new();
        if frame.row_count() > 0 {
            for time in self.results.times(group)? {
                of_set.entry(time.set).or_default().push((time.repeat, time.seconds));
            }
        }
        let sets = match frame.column("set") {
            Some(Column::Numbers(sets)) => sets.iter().map(|set| *set as u64).collect(),
            _ => vec![],
        };
        let of = |set: &u64| of_set.get(set).map_or(&[][..], Vec::as_slice);
        if times == Times::Median {
            let seconds = sets.iter().map(|set| median(&of(set).iter().map(|(_, seconds)| *seconds).collect::<Vec<_>>()));
            return Ok(frame
                .clone()
                .with("seconds", Column::Numbers(seconds.map(|seconds| seconds.unwrap_or(f64::NAN)).collect())));
        }
        let rows: Vec<(usize, &(u32, f64))> =
            sets.iter().enumerate().flat_map(|(row, set)| of(set).iter().map(move |time| (row, time))).collect();
        let chosen = frame.chosen(&rows.iter().map(|(row, _)| *row).collect::<Vec<_>>());
        let repeats = Column::Numbers(rows.iter().map(|(_, (repeat, _))| f64::from(*repeat)).collect());
        let seconds = Column::Numbers(rows.iter().map(|(_, (_, seconds))| *seconds).collect());
        Ok(chosen.with("repeat", repeats).with("seconds", seconds))
    }
}
