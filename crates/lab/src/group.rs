use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::streams::{ChaCha8Rng, stream};

/// What a column holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ColumnKind {
    /// A whole number.
    Integer,
    /// A number; an empty cell where there is none.
    Number,
    /// A word.
    Text,
    /// true or false.
    Boolean,
}

/// A column of a table: its name, what it holds, its unit and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// As in the first line of the file; the field's name in the row type.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Its unit, `-` for none.
    pub unit: &'static str,
    /// What it means.
    pub about: &'static str,
}

impl Column {
    /// A column of whole numbers.
    pub const fn integer(name: &'static str, about: &'static str) -> Column {
        Column { name, kind: ColumnKind::Integer, unit: "-", about }
    }

    /// A column of numbers.
    pub const fn number(name: &'static str, unit: &'static str, about: &'static str) -> Column {
        Column { name, kind: ColumnKind::Number, unit, about }
    }

    /// A column of words.
    pub const fn text(name: &'static str, about: &'static str) -> Column {
        Column { name, kind: ColumnKind::Text, unit: "-", about }
    }

    /// A column of truth values.
    pub const fn boolean(name: &'static str, about: &'static str) -> Column {
        Column { name, kind: ColumnKind::Boolean, unit: "-", about }
    }
}

/// A table of like rows. A row depends on its case alone; measuring cases in blocks is scheduling.
pub trait Group: Send + Sync {
    /// The file's stem, and its name on the command line.
    const NAME: &'static str;
    /// One line: what is measured.
    const ABOUT: &'static str;
    /// Columns of a row, in the order of its fields.
    const COLUMNS: &'static [Column];
    /// The stream that sets are drawn from: groups that share a name here share their parameter sets.
    const SCENES: &'static str = Self::NAME;
    /// Whether sets are random draws, so that there can be more or fewer of them.
    const SAMPLED: bool = true;
    /// Cases that are measured together.
    const BLOCK: usize = 1;
    /// All that a measurement may see.
    type Case: Clone + Send + Sync;
    /// A row of the table.
    type Row: Serialize + DeserializeOwned + Send;

    /// Number of sets in the profile.
    fn sets(&self) -> u64;

    /// The stream that a set is drawn from: its own, unless neighbouring sets measure the same scene by different methods.
    fn scene(&self, set: u64) -> u64 {
        set
    }

    /// The case of a set.
    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case;

    /// How often each set is measured once more, alone on the machine and in turn with the others, for claims about times: 0
    /// where times mean nothing. Methods that are compared are neighbouring sets.
    fn repeats(&self) -> u32 {
        0
    }

    /// Time that the repeats of a set may take before there are no more of it, whatever [`Group::repeats`] says \[s\].
    fn enough(&self) -> f64 {
        f64::INFINITY
    }

    /// Cases may share a block where this agrees; large first.
    fn kin(&self, _case: &Self::Case) -> u64 {
        0
    }

    /// Measures each case as if alone; calls `done(k, rows)` once for each, in any order.
    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<Self::Row>));

    /// Measures a case once more for its time, with the rows that it gave, and returns its rows as they are now: they must not
    /// have changed. All of it, unless the group searches for what is worth its time: then only that.
    fn repeat(&self, case: &Self::Case, _known: &[Self::Row]) -> Vec<Self::Row> {
        let mut measured = vec![];
        self.measure_block(std::slice::from_ref(case), &mut |_, rows| measured = rows);
        measured
    }
}

/// A row that cannot stand in a table.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum RowError {
    /// NaN or an infinity: what could not be measured is an empty cell.
    #[error("group {group}, set {set}: column {column} is not a finite number")]
    NotFinite {
        /// The group.
        group: &'static str,
        /// The set.
        set: u64,
        /// The column.
        column: &'static str,
    },
    /// A line that is no row of the group.
    #[error("group {group}, set {set}: a row cannot be read again: {cause}")]
    Unreadable {
        /// The group.
        group: &'static str,
        /// The set.
        set: u64,
        /// What the reader says.
        cause: String,
    },
    /// Fields that differ from the documented columns.
    #[error("group {group}: a row has the columns {found}, documented are {documented}")]
    Columns {
        /// The group.
        group: &'static str,
        /// Columns of the row.
        found: String,
        /// Documented columns.
        documented: String,
    },
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
    /// Number of sets in the profile.
    fn sets(&self) -> u64;
    /// How often each set is measured once more, alone, for its time.
    fn repeats(&self) -> u32;
    /// Time that the repeats of a set may take before there are no more of it \[s\].
    fn enough(&self) -> f64;
    /// Blocks of kin among the given sets, heavy ones first.
    fn blocks(&self, study: &str, seed: u64, sets: &[u64]) -> Vec<Vec<u64>>;
    /// Measures the given sets together; `done(set, rows)` once for each, in any order.
    ///
    /// # Errors
    /// A row that cannot stand in a table; no set after it is reported.
    fn measure(&self, study: &str, seed: u64, sets: &[u64], done: &mut dyn FnMut(u64, Vec<String>)) -> Result<(), RowError>;
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

const SET: Column = Column::integer("set", "index of the parameter set");

impl<G: Group> Hidden<G> {
    fn case(&self, study: &str, seed: u64, set: u64) -> G::Case {
        self.0.case(set, &mut stream(study, G::SCENES, seed, self.0.scene(set)))
    }

    /// The lines of a set's rows, each checked.
    fn lines(set: u64, rows: &[G::Row]) -> Result<Vec<String>, RowError> {
        rows.iter().map(|row| line::<G>(set, row)).collect()
    }
}

/// A row as a line of CSV, its set first.
fn line<G: Group>(set: u64, row: &G::Row) -> Result<String, RowError> {
    let mut writer = csv::WriterBuilder::new().from_writer(vec![]);
    // writing to memory cannot fail, and a row of plain fields can always be serialised; anything else shows as columns
    let written = writer.serialize(row).ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    let mut reader = csv::Reader::from_reader(written.as_slice());
    let found = reader.headers().cloned().unwrap_or_default();
    if !found.iter().eq(G::COLUMNS.iter().map(|column| column.name)) {
        let documented: Vec<&str> = G::COLUMNS.iter().map(|column| column.name).collect();
        let found: Vec<&str> = found.iter().collect();
        return Err(RowError::Columns { group: G::NAME, found: found.join(", "), documented: documented.join(", ") });
    }
    let cells = reader.records().next().and_then(Result::ok).unwrap_or_default();
    for (cell, column) in cells.iter().zip(G::COLUMNS) {
        if column.kind == ColumnKind::Number && cell.parse::<f64>().is_ok_and(|value| !value.is_finite()) {
            return Err(RowError::NotFinite { group: G::NAME, set, column: column.name });
        }
    }
    let text = String::from_utf8_lossy(&written);
    let row = text.split_once('\n').map_or("", |(_, row)| row.trim_end_matches('\n'));
    Ok(format!("{set},{row}"))
}

impl<G: Group> Table for Hidden<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn columns(&self) -> Vec<Column> {
        std::iter::once(SET).chain(G::COLUMNS.iter().copied()).collect()
    }

    fn sampled(&self) -> bool {
        G::SAMPLED
    }

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn repeats(&self) -> u32 {
        self.0.repeats()
    }

    fn enough(&self) -> f64 {
        self.0.enough()
    }

    fn blocks(&self, study: &str, seed: u64, sets: &[u64]) -> Vec<Vec<u64>> {
        let mut ordered: Vec<(u64, u64)> = sets.iter().map(|&set| (self.0.kin(&self.case(study, seed, set)), set)).collect();
        ordered.sort_by_key(|&(kin, set)| (std::cmp::Reverse(kin), set));
        let kin = ordered.chunk_by(|a, b| a.0 == b.0);
        kin.flat_map(|kin| kin.chunks(G::BLOCK)).map(|block| block.iter().map(|&(_, set)| set).collect()).collect()
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

    fn repeat(&self, study: &str, seed: u64, set: u64, known: &[String]) -> Result<Vec<String>, RowError> {
        let rows = known.iter().map(|line| row::<G>(set, line)).collect::<Result<Vec<G::Row>, RowError>>()?;
        Self::lines(set, &self.0.repeat(&self.case(study, seed, set), &rows))
    }
}

/// The row of a line of CSV, its set first.
fn row<G: Group>(set: u64, line: &str) -> Result<G::Row, RowError> {
    let header = std::iter::once(SET.name).chain(G::COLUMNS.iter().map(|column| column.name));
    let header: csv::StringRecord = header.collect();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.deserialize(Some(&header)).map_err(|error| RowError::Unreadable { group: G::NAME, set, cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    struct Squares;

    #[derive(Deserialize, Serialize)]
    struct Square {
        number: u64,
        root: Option<f64>,
        word: String,
    }

    impl Group for Squares {
        const NAME: &'static str = "squares";
        const ABOUT: &'static str = "numbers and their inverse";
        const COLUMNS: &'static [Column] =
            &[Column::integer("number", "drawn"), Column::number("root", "m", "inverse"), Column::text("word", "a word")];
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

        fn measure_block(&self, cases: &[u64], done: &mut dyn FnMut(usize, Vec<Square>)) {
            for (k, &number) in cases.iter().enumerate().rev() {
                let root = (number != 4).then(|| 1.0 / (number as f64 - 7.0));
                done(k, vec![Square { number, root, word: "a, b".into() }]);
            }
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

    #[test]
    fn columns_are_those_documented() {
        struct Undocumented;
        impl Group for Undocumented {
            const NAME: &'static str = "undocumented";
            const ABOUT: &'static str = "";
            const COLUMNS: &'static [Column] = &[Column::integer("number", "drawn")];
            type Case = ();
            type Row = Square;
            fn sets(&self) -> u64 {
                1
            }
            fn case(&self, _set: u64, _stream: &mut ChaCha8Rng) {}
            fn measure_block(&self, _cases: &[()], done: &mut dyn FnMut(usize, Vec<Square>)) {
                done(0, vec![Square { number: 1, root: None, word: String::new() }]);
            }
        }
        let refused = table(Undocumented).measure("study", 1, &[0], &mut |_, _| ()).unwrap_err();
        assert!(matches!(refused, RowError::Columns { .. }), "{refused}");
    }
}
