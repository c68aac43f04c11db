//! The tables of a study as frames, each read once.

use std::collections::HashMap;
use std::sync::Arc;

use super::entry::Rule;
use super::frame::{Column, Frame};
use super::keys::RuleError;
use crate::judge::statistics::median;
use crate::measure::group::Table;
use crate::measure::row::{Cell, ColumnKind, TableRow};
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

/// A table that code makes of results: numbers that no rule can say, never verdicts. A rule names it with `@`.
#[derive(Clone)]
pub struct Derived {
    pub name: &'static str,
    /// True where it rests on times, which no checksum covers.
    pub of_times: bool,
    make: Arc<Make>,
}

/// Makes a table of results.
type Make = dyn Fn(&Results) -> Result<Frame, ResultsError> + Send + Sync;

impl Derived {
    /// A table of rows.
    pub fn new<R: TableRow>(
        name: &'static str,
        make: impl Fn(&Results) -> Result<Vec<R>, ResultsError> + Send + Sync + 'static,
    ) -> Derived {
        Derived { name, of_times: false, make: Arc::new(move |results| Ok(frame_of(&make(results)?))) }
    }

    pub fn of_times(self) -> Derived {
        Derived { of_times: true, ..self }
    }
}

/// Rows as a table, a column a field.
fn frame_of<R: TableRow>(rows: &[R]) -> Frame {
    let cells: Vec<Vec<Cell>> = rows.iter().map(cells_of).collect();
    let column = |(k, column): (usize, crate::Column)| {
        let of_rows = cells.iter().map(|cells| cells[k]);
        let cells = match column.kind {
            ColumnKind::Text => Column::Texts(of_rows.map(text).collect()),
            _ => Column::Numbers(of_rows.map(number).collect()),
        };
        (column.name.to_owned(), cells)
    };
    Frame::of(R::columns().into_iter().enumerate().map(column))
}

fn cells_of<R: TableRow>(row: &R) -> Vec<Cell<'_>> {
    let mut cells = vec![];
    row.write(&mut cells);
    cells
}

fn text(cell: Cell) -> Arc<str> {
    if let Cell::Text(Some(text)) = cell { text.into() } else { "".into() }
}

fn number(cell: Cell) -> f64 {
    match cell {
        Cell::Integer(whole) => whole.map_or(f64::NAN, |whole| whole as f64),
        Cell::Number(number) => number.unwrap_or(f64::NAN),
        Cell::Boolean(holds) => holds.map_or(f64::NAN, |holds| f64::from(u8::from(holds))),
        Cell::Text(_) => f64::NAN,
    }
}

/// The groups of a study: the main one, those whose sets are random draws, and the tables that are made of them.
#[derive(Clone)]
pub struct Groups {
    main: &'static str,
    sampled: Vec<&'static str>,
    derived: Vec<Derived>,
}

/// The tables of a study in its results.
pub struct Tables<'a> {
    results: &'a Results,
    groups: &'a Groups,
}

/// Name of the main table.
const MAIN: &str = "cases";

impl Groups {
    /// Those of a study, the main one first, with its derived tables.
    pub fn of(groups: &[Box<dyn Table>], derived: &[Derived]) -> Groups {
        let sampled = groups.iter().filter(|group| group.sampled()).map(|group| group.name()).collect();
        Groups { main: groups.first().map_or("", |group| group.name()), sampled, derived: derived.to_vec() }
    }

    /// True where a rule rests on times, by its own words or by those of a derived table.
    pub fn rests_on_times(&self, rule: &Rule) -> bool {
        let is_timed = |name: &str| self.derived.iter().any(|derived| derived.name == name && derived.of_times);
        rule.is_of_times() || rule.tables().any(|table| table.strip_prefix('@').is_some_and(is_timed))
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
        if let Some(name) = table.strip_prefix('@') {
            let derived = self.groups.derived.iter().find(|derived| derived.name == name);
            let derived = derived.ok_or_else(|| self.unknown(name))?;
            return self.results.kept(table.into(), || (derived.make)(self.results));
        }
        let group = self.group(table);
        self.results.kept(format!("{group}, {times:?}"), || match times {
            Times::Absent => self.results.frame(group),
            _ => self.timed(&*self.frame(table, Times::Absent)?, group, times),
        })
    }

    fn unknown(&self, name: &str) -> ResultsError {
        let known: Vec<&str> = self.groups.derived.iter().map(|derived| derived.name).collect();
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        let problem = format!("no table `@{name}` is derived; there are {known}");
        RuleError { claim: "a rule".into(), place: "`table`: ".into(), problem }.into()
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

#[cfg(test)]
mod tests {
    use super::*;

    crate::row! {
        /// A fall.
        struct Fall {
            /// from where
            from: String,
            /// how deep
            depth: Option<f64>,
            /// bounces
            bounces: u64,
            /// whether it broke
            broke: bool,
        }
    }

    #[test]
    fn rows_become_columns_of_numbers_and_texts() {
        let fall = |depth| Fall { from: "roof".into(), depth, bounces: 3, broke: true };
        let frame = frame_of(&[fall(Some(2.5)), fall(None)]);
        assert_eq!((frame.row_count(), frame.names()), (2, "bounces, broke, depth, from".into()));
        assert_eq!(frame.column("from"), Some(&Column::Texts(vec!["roof".into(); 2])));
        assert_eq!(frame.column("bounces"), Some(&Column::Numbers(vec![3.0; 2])));
        assert_eq!(frame.column("broke"), Some(&Column::Numbers(vec![1.0; 2])));
        assert!(matches!(frame.column("depth"), Some(Column::Numbers(depth)) if depth[0] == 2.5 && depth[1].is_nan()));
        assert_eq!(frame_of::<Fall>(&[]).names(), "bounces, broke, depth, from");
    }
}
