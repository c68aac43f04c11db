use thiserror::Error;

use crate::measure::row::{Cell, Cells, Column, ColumnKind, TableRow, read};
use crate::measure::streams::{ChaCha8Rng, stream};

/// Time that the repeats of a set may take if nothing else is said \[s\].
const ENOUGH: f64 = 0.3;

/// A set that was measured among others.
pub struct Once<R> {
    pub set: u64,
    /// Time that it took there \[s\].
    pub seconds: f64,
    pub rows: Vec<R>,
}

/// A table of like rows. A row depends on its case alone; measuring cases in blocks is scheduling.
pub trait Group: Send + Sync {
    /// The file's stem, and its name on the command line.
    const NAME: &'static str;
    /// One line: what is measured.
    const ABOUT: &'static str;
    /// The stream that sets are drawn from: groups that share a name here share their parameter sets.
    const SCENES: &'static str = Self::NAME;
    /// Whether sets are random draws, so that there can be more or fewer of them; those of a list are not.
    const SAMPLED: bool = true;
    /// Whether every set has a row. Where sets are numbered by a scheme with places that some cases do not have, those have none.
    const EVERY_SET: bool = true;
    /// True where rows are there for their times alone: without times no claim asks for them.
    const TIMES_ALONE: bool = false;
    /// Cases that are measured together.
    const BLOCK: usize = 1;
    /// All that a measurement may see.
    type Case: Clone + Send + Sync;
    /// A row of the table.
    type Row: TableRow;

    /// All cases of a group that draws none of them, set by set; others have [`Group::sets`] and [`Group::case`].
    fn listed(&self) -> Vec<Self::Case> {
        vec![]
    }

    /// Number of sets in the profile.
    fn sets(&self) -> u64 {
        self.listed().len() as u64
    }

    /// The stream that a set is drawn from: its own, unless neighbouring sets measure the same scene by different methods.
    fn scene(&self, set: u64) -> u64 {
        set
    }

    /// The case of a set.
    ///
    /// # Panics
    /// A set beyond those that are listed.
    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        self.listed().swap_remove(set as usize)
    }

    /// How often each set is measured once more, alone on the machine and in turn with the others, for claims about times: 0
    /// where times mean nothing. Methods that are compared are neighbouring sets.
    fn repeats(&self) -> u32 {
        0
    }

    /// Time that the repeats of a set may take before there are no more of it, whatever [`Group::repeats`] says \[s\]. More where a
    /// claim rests on single cases, whose repeats give its interval.
    fn enough(&self) -> f64 {
        ENOUGH
    }

    /// The sets that are worth a time alone, by what came of all of them: those that can come first, where only these are told.
    fn worth_timing(&self, measured: &[Once<Self::Row>]) -> Vec<u64> {
        measured.iter().map(|once| once.set).collect()
    }

    /// Cases may share a block where this agrees; large first.
    fn kin(&self, _case: &Self::Case) -> u64 {
        0
    }

    /// Parts that a case is measured in, whose rows follow each other: threads take them apart. A group of several has
    /// [`Group::measure_part`] in place of [`Group::measure`].
    fn parts(&self, _case: &Self::Case) -> usize {
        1
    }

    /// Measures a part of a case, counted from 0.
    fn measure_part(&self, case: &Self::Case, _part: usize) -> Vec<Self::Row> {
        self.measure(case)
    }

    /// Measures a case.
    fn measure(&self, case: &Self::Case) -> Vec<Self::Row> {
        (0..self.parts(case)).flat_map(|part| self.measure_part(case, part)).collect()
    }

    /// Measures each case as if alone; calls `done(k, rows)` once for each, in any order.
    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<Self::Row>)) {
        cases.iter().enumerate().for_each(|(k, case)| done(k, self.measure(case)));
    }

    /// Measures a case as a block of its own: for groups that measure blocks.
    fn measure_alone(&self, case: &Self::Case) -> Vec<Self::Row> {
        let mut measured = vec![];
        self.measure_block(std::slice::from_ref(case), &mut |_, rows| measured = rows);
        measured
    }

    /// Measures a case once more for its time, with the rows that it gave, and returns its rows as they are now: they must not
    /// have changed. All of it, unless the group searches for what is worth its time: then only that.
    fn repeat(&self, case: &Self::Case, _known: &[Self::Row]) -> Vec<Self::Row> {
        self.measure(case)
    }
}

/// A row that cannot stand in a table.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum RowError {
    /// NaN or an infinity: what could not be measured is an empty cell.
    #[error("group {group}, set {set}: column {column} is not a finite number")]
    NotFinite { group: &'static str, set: u64, column: &'static str },
    /// A line that is no row of the group, or a row that is no line.
    #[error("group {group}, set {set}: a row cannot be written or read again: {cause}")]
    Unreadable { group: &'static str, set: u64, cause: String },
}

/// A group whose types are hidden: what the runner works with. Rows are lines of CSV without their end.
pub trait Table: Send + Sync {
    /// The file's stem.
    fn name(&self) -> &'static str;
    /// One line: what is measured.
    fn about(&self) -> &'static str;
    /// Columns, the set first.
    fn columns(&self) -> Vec<Column>;
    /// Whether there can be more or fewer sets than in the profile.
    fn sampled(&self) -> bool;
    /// Whether every set has a row.
    fn has_every_set(&self) -> bool;
    /// Number of sets in the profile.
    fn sets(&self) -> u64;
    /// How often each set is measured once more, alone, for its time.
    fn repeats(&self) -> u32;
    /// True where its rows are there for their times alone.
    fn times_alone(&self) -> bool;
    /// Time that the repeats of a set may take before there are no more of it \[s\].
    fn enough(&self) -> f64;
    /// What the streams of its sets are named: groups with this in common share their scenes.
    fn scenes(&self) -> &'static str;
    /// The stream that a set is drawn from, which sets of one scene share.
    fn scene(&self, set: u64) -> u64;
    /// Blocks of kin among the given sets, heavy ones first.
    fn blocks(&self, study: &str, seed: u64, sets: &[u64]) -> Vec<Vec<u64>>;
    /// Parts that a set is measured in.
    fn parts(&self, study: &str, seed: u64, set: u64) -> usize;
    /// Measures a part of a set.
    ///
    /// # Errors
    /// A row that cannot stand in a table.
    fn measure_part(&self, study: &str, seed: u64, set: u64, part: usize) -> Result<Vec<String>, RowError>;
    /// Measures the given sets together; `done(set, rows)` once for each, in any order.
    ///
    /// # Errors
    /// A row that cannot stand in a table; no set after it is reported.
    fn measure(&self, study: &str, seed: u64, sets: &[u64], done: &mut dyn FnMut(u64, Vec<String>)) -> Result<(), RowError>;
    /// The sets that are worth a time alone, among some with the time that they took among others \[s\] and their rows.
    ///
    /// # Errors
    /// A row that cannot be read.
    fn worth_timing(&self, measured: &[(u64, f64, &[String])]) -> Result<Vec<u64>, RowError>;
    /// Measures a set once more for its time, given the rows that it gave.
    ///
    /// # Errors
    /// A row that cannot stand in a table, or that cannot be read.
    fn repeat(&self, study: &str, seed: u64, set: u64, known: &[String]) -> Result<Vec<String>, RowError>;
}

/// Hides the types of a group.
pub fn table(group: impl Group + 'static) -> Box<dyn Table> {
    Box::new(Hidden(group))
}

struct Hidden<G>(G);

const SET: Column = Column { name: "set", kind: ColumnKind::Integer, unit: "-", about: "index of the parameter set" };

impl<G: Group> Hidden<G> {
    fn case(&self, study: &str, seed: u64, set: u64) -> G::Case {
        self.0.case(set, &mut stream(study, G::SCENES, seed, self.0.scene(set)))
    }

    /// The rows of a set by their lines.
    fn rows(set: u64, lines: &[String]) -> Result<Vec<G::Row>, RowError> {
        let row = |line: &String| {
            read(&record(line)).map(|(_, row)| row).map_err(|cause| RowError::Unreadable { group: G::NAME, set, cause })
        };
        lines.iter().map(row).collect()
    }

    /// The lines of a set's rows, each checked.
    fn lines(set: u64, rows: &[G::Row]) -> Result<Vec<String>, RowError> {
        let columns = G::Row::columns();
        rows.iter().map(|row| line(G::NAME, set, row, &columns)).collect()
    }
}

/// A row as a line of CSV, its set first.
fn line(group: &'static str, set: u64, row: &dyn Cells, columns: &[Column]) -> Result<String, RowError> {
    let mut cells = vec![Cell::Integer(Some(set))];
    row.write(&mut cells);
    for (cell, column) in cells.iter().skip(1).zip(columns) {
        if matches!(cell, Cell::Number(Some(value)) if !value.is_finite()) {
            return Err(RowError::NotFinite { group, set, column: column.name });
        }
    }
    let unreadable = |cause: &dyn ToString| RowError::Unreadable { group, set, cause: cause.to_string() };
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    writer.serialize(cells).map_err(|error| unreadable(&error))?;
    let written = writer.into_inner().map_err(|error| unreadable(&error))?;
    Ok(String::from_utf8_lossy(&written).trim_end_matches('\n').to_owned())
}

/// A line of CSV as its cells.
fn record(line: &str) -> csv::StringRecord {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.records().next().and_then(Result::ok).unwrap_or_default()
}

/// Sets with their kin in blocks of at most `most` kin sets, large kin first.
fn blocks(mut sets: Vec<(u64, u64)>, most: usize) -> Vec<Vec<u64>> {
    sets.sort_unstable_by_key(|&(kin, set)| (std::cmp::Reverse(kin), set));
    let kin = sets.chunk_by(|a, b| a.0 == b.0);
    kin.flat_map(|kin| kin.chunks(most)).map(|block| block.iter().map(|&(_, set)| set).collect()).collect()
}

impl<G: Group> Table for Hidden<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn columns(&self) -> Vec<Column> {
        std::iter::once(SET).chain(G::Row::columns()).collect()
    }

    fn sampled(&self) -> bool {
        G::SAMPLED && self.0.listed().is_empty()
    }

    fn has_every_set(&self) -> bool {
        G::EVERY_SET
    }

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn repeats(&self) -> u32 {
        self.0.repeats()
    }

    fn times_alone(&self) -> bool {
        G::TIMES_ALONE
    }

    fn enough(&self) -> f64 {
        self.0.enough()
    }

    fn scenes(&self) -> &'static str {
        G::SCENES
    }

    fn scene(&self, set: u64) -> u64 {
        self.0.scene(set)
    }

    fn blocks(&self, study: &str, seed: u64, sets: &[u64]) -> Vec<Vec<u64>> {
        let of_kin = |&set: &u64| (self.0.kin(&self.case(study, seed, set)), set);
        blocks(sets.iter().map(of_kin).collect(), G::BLOCK)
    }

    fn parts(&self, study: &str, seed: u64, set: u64) -> usize {
        self.0.parts(&self.case(study, seed, set)).max(1)
    }

    fn measure_part(&self, study: &str, seed: u64, set: u64, part: usize) -> Result<Vec<String>, RowError> {
        Self::lines(set, &self.0.measure_part(&self.case(study, seed, set), part))
    }

    fn measure(&self, study: &str, seed: u64, sets: &[u64], done: &mut dyn FnMut(u64, Vec<String>)) -> Result<(), RowError> {
        let cases: Vec<G::Case> = sets.iter().map(|&set| self.case(study, seed, set)).collect();
        let mut outcome = Ok(());
        self.0.measure_block(&cases, &mut |k, rows| {
            if outcome.is_ok() {
                match Self::lines(sets[k], &rows) {
                    Ok(lines) => done(sets[k], lines),
                    Err(error) => outcome = Err(error),
                }
            }
        });
        outcome
    }

    fn worth_timing(&self, measured: &[(u64, f64, &[String])]) -> Result<Vec<u64>, RowError> {
        let once = |&(set, seconds, lines): &(u64, f64, &[String])| Ok(Once { set, seconds, rows: Self::rows(set, lines)? });
        Ok(self.0.worth_timing(&measured.iter().map(once).collect::<Result<Vec<_>, RowError>>()?))
    }

    fn repeat(&self, study: &str, seed: u64, set: u64, known: &[String]) -> Result<Vec<String>, RowError> {
        Self::lines(set, &self.0.repeat(&self.case(study, seed, set), &Self::rows(set, known)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Squares;

    crate::row! {
        /// A number and its inverse.
        struct Square {
            /// drawn
            number: u64,
            /// inverse \[m\]
            root: Option<f64>,
            /// a word
            word: String,
        }
    }

    fn square(number: u64) -> Square {
        let root = (number != 4).then(|| 1.0 / (number as f64 - 7.0));
        Square { number, root, word: "a, b".into() }
    }

    impl Group for Squares {
        const NAME: &'static str = "squares";
        const ABOUT: &'static str = "numbers and their inverse";
        const BLOCK: usize = 3;
        type Case = u64;
        type Row = Square;

        fn sets(&self) -> u64 {
            10
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn kin(&self, case: &u64) -> u64 {
            case % 2
        }

        fn measure(&self, number: &u64) -> Vec<Square> {
            vec![square(*number)]
        }

        fn measure_block(&self, cases: &[u64], done: &mut dyn FnMut(usize, Vec<Square>)) {
            cases.iter().enumerate().rev().for_each(|(k, number)| done(k, self.measure(number)));
        }
    }

    #[test]
    fn blocks_hold_kin_only_heavy_ones_first() {
        let blocks = table(Squares).blocks("study", 1, &(0..10).collect::<Vec<_>>());
        assert_eq!(blocks, [vec![1, 3, 5], vec![7, 9], vec![0, 2, 4], vec![6, 8]]);
    }

    #[test]
    fn rows_are_lines_with_empty_cells_for_what_is_missing() {
        let mut lines = vec![];
        table(Squares).measure("study", 1, &[4, 5], &mut |set, rows| lines.push((set, rows))).unwrap();
        assert_eq!(lines, [(5, vec!["5,5,-0.5,\"a, b\"".to_owned()]), (4, vec!["4,4,,\"a, b\"".to_owned()])]);
    }

    #[test]
    fn a_set_is_measured_again_from_the_rows_that_it_gave() {
        let known = ["4,4,,\"a, b\"".to_owned()];
        assert_eq!(table(Squares).repeat("study", 1, 4, &known).unwrap(), known);
        let refused = table(Squares).repeat("study", 1, 4, &["4,four,,".to_owned()]).unwrap_err();
        assert!(matches!(refused, RowError::Unreadable { set: 4, .. }), "{refused}");
    }

    #[test]
    fn a_number_that_is_not_finite_is_refused() {
        let refused = table(Squares).measure("study", 1, &[7], &mut |_, _| panic!("reported")).unwrap_err();
        assert_eq!(refused, RowError::NotFinite { group: "squares", set: 7, column: "root" });
    }
}
