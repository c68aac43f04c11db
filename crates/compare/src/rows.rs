//! What differs in the rows of one table on both sides.

use std::collections::{BTreeSet, HashSet};

use lab::judge::statistics::median;
use serde::Serialize;

use crate::change::Change;
use crate::pairs::{Pairs, key_columns, pair};
use crate::table::{Field, Table};
use crate::work::{Work, work};

/// Sets that are named of all that differ.
const NAMED: usize = 10;

/// What differs in a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TableDifference {
    pub group: String,
    pub file: String,
    /// Columns that identify a row.
    pub key: Vec<String>,
    /// Rows on the old side.
    pub rows_old: usize,
    /// Rows on the new side.
    pub rows_new: usize,
    /// Rows of which a column that both sides have differs.
    pub rows_changed: usize,
    /// Those of them that changed in last bits at most.
    pub rows_bits: usize,
    /// Those that changed by rounding at most.
    pub rows_rounding: usize,
    /// The others.
    pub rows_real: usize,
    /// Rows that only the new side has.
    pub rows_added: usize,
    /// Rows that only the old side has, of sets that the new one measured.
    pub rows_removed: usize,
    /// Rows that only the old side has, of sets that the new one, a smaller sample, did not measure.
    pub rows_left_out: usize,
    /// Rows that only one side has, of sets that both have.
    pub rows_unpaired: usize,
    /// Number of sets with a row that differs, was added or removed.
    pub sets_differing: usize,
    /// The first ten of them.
    pub first_sets: Vec<u64>,
    /// The first set with a row that really changed.
    pub first_real: Option<u64>,
    /// Sets that are left out.
    pub sets_left_out: usize,
    /// Columns that only the new side has.
    pub columns_added: Vec<String>,
    /// Columns that only the old side has.
    pub columns_removed: Vec<String>,
    /// Columns that differ.
    pub columns: Vec<ColumnDifference>,
    /// Work that changed in rows that both sides have.
    pub work: Vec<Work>,
}

/// What differs in a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnDifference {
    pub column: String,
    pub unit: String,
    /// Rows that differ.
    pub rows: usize,
    /// The worst of its changes.
    pub change: Change,
    /// Median over these rows of (new - old) / |old|, where both are numbers and the old one is not zero.
    pub median: Option<f64>,
    /// The largest of them in magnitude; none where the old value of that row is zero or no number.
    pub worst: Option<f64>,
    /// Set of the row that changed most; of the first changed one, where there are no numbers.
    pub worst_set: u64,
    pub old: String,
    pub new: String,
    /// Numbers of the rows that differ, for charts.
    #[serde(skip)]
    pub points: Vec<Point>,
}

/// The numbers of a row that differ in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub set: u64,
    pub old: f64,
    pub new: f64,
}

/// A cell that differs.
struct Cell<'a> {
    set: u64,
    old: &'a str,
    new: &'a str,
    change: Change,
}

impl TableDifference {
    /// Of tables of the same text.
    fn none(file: &str, table: &Table) -> TableDifference {
        let rows = table.row_count();
        TableDifference { group: table.group.clone(), file: file.into(), rows_old: rows, rows_new: rows, ..Default::default() }
    }

    /// Whether both tables are the same, cell by cell.
    pub fn is_none(&self) -> bool {
        self.rows_changed + self.rows_added + self.rows_removed + self.rows_left_out == 0
            && self.columns_added.is_empty()
            && self.columns_removed.is_empty()
    }

    /// Rows that are equal on both sides.
    pub fn rows_equal(&self) -> usize {
        self.rows_new - self.rows_added - self.rows_changed
    }

    /// Whether anything that the old side had is gone or really differs.
    pub fn loses(&self) -> bool {
        self.rows_real + self.rows_removed > 0 || !self.columns_removed.is_empty()
    }

    /// Whether rows differ of sets that both sides measured: what equal code rules out.
    pub fn breaks_determinism(&self) -> bool {
        self.rows_changed + self.rows_unpaired > 0 || !self.columns_added.is_empty() || !self.columns_removed.is_empty()
    }
}

/// Compares two tables of one file. Of a smaller sample, `measured` says how many sets it has: the others are left out, not gone.
pub fn compare(file: &str, old: &Table, new: &Table, measured: Option<u64>) -> TableDifference {
    if std::ptr::eq(old, new) {
        return TableDifference::none(file, new);
    }
    let names = |of: &Table, without: &Table| -> Vec<String> {
        of.fields.iter().filter(|field| !without.has(&field.name)).map(|field| field.name.clone()).collect()
    };
    let key = key_columns(old, new);
    let Pairs { pairs, removed, added } = pair(&key, old, new);
    let set = |pair: &[usize; 2]| old.sets()[pair[0]];
    let mut worst: Vec<Option<Change>> = vec![None; pairs.len()];
    let mut columns = vec![];
    for field in &old.fields {
        let (Some(before), Some(after)) = (old.cells(&field.name), new.cells(&field.name)) else { continue };
        let mut cells = vec![];
        for (pair, worst) in pairs.iter().zip(&mut worst) {
            let (old, new) = (before.get(pair[0]), after.get(pair[1]));
            if old != new {
                let change = Change::of(field, old, new);
                *worst = (*worst).max(Some(change));
                cells.push(Cell { set: set(pair), old, new, change });
            }
        }
        if !cells.is_empty() {
            columns.push(column_difference(field, &cells));
        }
    }
    let count = |change: Change| worst.iter().filter(|worst| **worst == Some(change)).count();
    let sets_of = |wanted: &dyn Fn(Change) -> bool| -> BTreeSet<u64> {
        let rows = pairs.iter().zip(&worst).filter(|(_, worst)| worst.is_some_and(wanted));
        rows.map(|(pair, _)| set(pair)).collect()
    };
    let (left_out, removed): (Vec<u64>, Vec<u64>) =
        removed.iter().map(|&row| old.sets()[row]).partition(|set| measured.is_some_and(|measured| *set >= measured));
    let lone: Vec<u64> = removed.iter().copied().chain(added.iter().map(|&row| new.sets()[row])).collect();
    let sets: BTreeSet<u64> = sets_of(&|_| true).into_iter().chain(lone.iter().copied()).collect();
    let of_both: [HashSet<u64>; 2] = [old, new].map(|table| table.sets().iter().copied().collect());
    TableDifference {
        group: new.group.clone(),
        file: file.into(),
        rows_old: old.row_count(),
        rows_new: new.row_count(),
        rows_changed: worst.iter().flatten().count(),
        rows_bits: count(Change::Bits),
        rows_rounding: count(Change::Rounding),
        rows_real: count(Change::Real),
        rows_added: added.len(),
        rows_removed: removed.len(),
        rows_left_out: left_out.len(),
        rows_unpaired: lone.iter().filter(|set| of_both.iter().all(|sets| sets.contains(set))).count(),
        sets_differing: sets.len(),
        first_sets: sets.into_iter().take(NAMED).collect(),
        first_real: sets_of(&|change| change == Change::Real).first().copied(),
        sets_left_out: left_out.into_iter().collect::<HashSet<_>>().len(),
        columns_added: names(new, old),
        columns_removed: names(old, new),
        work: work(old, new, &pairs),
        columns,
        key: key.into_iter().map(str::to_owned).collect(),
    }
}

fn column_difference(field: &Field, cells: &[Cell]) -> ColumnDifference {
    let number = |cell: &str| cell.parse().ok().filter(|value: &f64| field.is_number() && value.is_finite());
    let (mut relative, mut points) = (vec![], vec![]);
    // the row that changed most: from or to what is no number, or from zero, counts as infinitely far
    let mut worst: Option<(f64, Option<f64>, usize)> = None;
    for (k, cell) in cells.iter().enumerate() {
        let numbers = number(cell.old).zip(number(cell.new));
        points.extend(numbers.map(|(old, new)| Point { set: cell.set, old, new }));
        let change = numbers.filter(|(old, _)| *old != 0.0).map(|(old, new)| (new - old) / old.abs());
        relative.extend(change);
        let magnitude = change.map_or(f64::INFINITY, f64::abs);
        if worst.is_none_or(|(largest, ..)| magnitude > largest) {
            worst = Some((magnitude, change, k));
        }
    }
    let (worst, k) = worst.map_or((None, 0), |(_, change, k)| (change, k));
    ColumnDifference {
        column: field.name.clone(),
        unit: field.unit.clone(),
        rows: cells.len(),
        change: cells.iter().map(|cell| cell.change).max().unwrap_or(Change::Bits),
        median: median(&relative),
        worst,
        worst_set: cells[k].set,
        old: cells[k].old.into(),
        new: cells[k].new.into(),
        points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Field;

    fn table(text: &str) -> Table {
        let field = |name: &str| {
            let kind = if ["method", "status"].contains(&name) { "string" } else { "number" };
            Field { name: name.into(), kind: kind.into(), unit: "-".into() }
        };
        let fields = text.lines().next().unwrap().split(',').map(field).collect();
        Table::parse("runs", "cases.csv", text.as_bytes(), fields).unwrap()
    }

    fn difference(old: &str, new: &str) -> TableDifference {
        compare("cases.csv", &table(old), &table(new), None)
    }

    #[test]
    fn equal_tables_do_not_differ() {
        let text = "set,side,method,iterations\n0,4,a,3\n0,4,b,5\n1,7,a,9\n1,7,b,\n";
        let same = difference(text, text);
        assert!(same.is_none() && !same.loses() && !same.breaks_determinism());
        assert_eq!((same.rows_old, same.rows_new), (4, 4));
        assert_eq!(same.key, ["set", "method"], "side is the same in a set and tells nothing apart");
    }

    #[test]
    fn a_changed_count_is_found_with_its_set() {
        let old = "set,side,method,iterations\n0,4,a,10\n0,4,b,5\n1,7,a,10\n1,7,b,0\n2,7,a,10\n2,7,b,1\n";
        let new = "set,side,method,iterations\n0,4,a,11\n0,4,b,5\n1,7,a,5\n1,7,b,0\n2,7,a,8\n2,7,b,1\n";
        let found = difference(old, new);
        assert_eq!((found.rows_changed, found.rows_added, found.rows_removed), (3, 0, 0));
        assert_eq!((found.sets_differing, found.first_sets.as_slice()), (3, [0, 1, 2].as_slice()));
        let [column] = &found.columns[..] else { panic!("{found:?}") };
        // 10 to 11, 10 to 5, 10 to 8: +0.1, -0.5, -0.2
        assert_eq!((column.column.as_str(), column.rows, column.median, column.worst), ("iterations", 3, Some(-0.2), Some(-0.5)));
        assert_eq!((column.worst_set, column.old.as_str(), column.new.as_str()), (1, "10", "5"));
        let point = |set, old, new| Point { set, old, new };
        assert_eq!(column.points, [point(0, 10.0, 11.0), point(1, 10.0, 5.0), point(2, 10.0, 8.0)]);
        assert!(found.loses() && found.breaks_determinism());
    }

    #[test]
    fn from_zero_and_from_nothing_is_the_worst_change_without_a_number() {
        let found = difference("set,gain\n0,1.0\n1,0\n2,\n", "set,gain\n0,2.0\n1,3.0\n2,1.0\n");
        let column = &found.columns[0];
        assert_eq!((column.rows, column.median, column.worst, column.worst_set), (3, Some(1.0), None, 1));
        assert_eq!((column.old.as_str(), column.new.as_str()), ("0", "3.0"));
        let point = |set, old, new| Point { set, old, new };
        assert_eq!(column.points, [point(0, 1.0, 2.0), point(1, 0.0, 3.0)]);
    }

    #[test]
    fn equality_is_that_of_the_text() {
        assert_eq!(difference("set,gain\n0,1.0\n", "set,gain\n0,1\n").rows_changed, 1);
    }

    #[test]
    fn a_method_in_between_is_added_and_moves_no_other_row() {
        let old = "set,method,iterations\n0,a,1\n0,c,3\n1,a,4\n1,c,6\n";
        let new = "set,method,iterations\n0,a,1\n0,b,2\n0,c,3\n1,a,4\n1,b,5\n1,c,6\n";
        let found = difference(old, new);
        assert_eq!((found.rows_changed, found.rows_added, found.rows_removed, found.rows_unpaired), (0, 2, 0, 2));
        assert!(!found.loses() && !found.is_none() && found.breaks_determinism());
        let back = difference(new, old);
        assert_eq!((back.rows_changed, back.rows_added, back.rows_removed), (0, 0, 2));
        assert!(back.loses());
    }

    #[test]
    fn more_sets_are_rows_added_and_no_break_of_determinism() {
        let found = difference("set,gain\n0,1.0\n", "set,gain\n0,1.0\n1,2.0\n");
        assert_eq!((found.rows_changed, found.rows_added, found.rows_unpaired), (0, 1, 0));
        assert!(!found.breaks_determinism() && !found.loses());
        assert_eq!(found.first_sets, [1]);
    }

    #[test]
    fn a_result_that_serves_as_key_is_still_paired() {
        // status tells the rows of set 0 apart before the method does, and changes
        let old = "set,status,method,iterations\n0,finished,a,1\n0,unstable,b,2\n";
        let new = "set,status,method,iterations\n0,finished,a,1\n0,finished,b,2\n";
        let found = difference(old, new);
        assert_eq!((found.rows_changed, found.rows_added, found.rows_removed), (1, 0, 0));
        assert_eq!(found.columns.len(), 1);
        assert_eq!((found.columns[0].old.as_str(), found.columns[0].new.as_str()), ("unstable", "finished"));
        assert_eq!((found.columns[0].median, found.columns[0].worst), (None, None));
    }

    #[test]
    fn rows_that_nothing_tells_apart_are_counted() {
        let found = difference("set,gain\n0,1\n0,1\n0,1\n", "set,gain\n0,1\n0,1\n");
        assert_eq!((found.rows_changed, found.rows_added, found.rows_removed), (0, 0, 1));
    }

    #[test]
    fn columns_come_and_go() {
        let found = difference("set,gain,old\n0,1,5\n", "set,gain,new\n0,1,6\n");
        assert_eq!(
            (found.columns_added, found.columns_removed, found.rows_changed),
            (vec!["new".to_owned()], vec!["old".to_owned()], 0)
        );
    }

    #[test]
    fn only_the_first_ten_sets_are_named() {
        let text = |gain: u32| (0..25).fold("set,gain\n".to_owned(), |text, set| text + &format!("{set},{gain}\n"));
        let found = difference(&text(1), &text(2));
        assert_eq!((found.sets_differing, found.first_sets), (25, (0..10).collect()));
    }

    #[test]
    fn a_row_is_of_the_class_of_its_worst_cell() {
        let found = difference(
            "set,gain,loss\n0,1.0,1\n1,1,1\n2,1,1\n3,1,1\n4,1,1\n",
            "set,gain,loss\n0,1,1\n1,1.0000000001,1.0\n2,1,2\n3,1.0000000001,2\n4,1,1\n",
        );
        assert_eq!((found.rows_bits, found.rows_rounding, found.rows_real, found.rows_equal()), (1, 1, 2, 1));
        assert_eq!((found.rows_changed, found.first_real), (4, Some(2)));
        assert_eq!(found.columns.iter().map(|column| column.change).collect::<Vec<_>>(), [Change::Rounding, Change::Real]);
        let rounded = difference("set,gain\n0,1\n", "set,gain\n0,1.0000000001\n");
        assert!(!rounded.loses() && rounded.breaks_determinism() && !rounded.is_none());
    }

    #[test]
    fn sets_that_a_smaller_sample_did_not_measure_are_left_out() {
        let old = table("set,method,gain\n0,a,1\n0,b,1\n1,a,1\n1,b,1\n2,a,1\n2,b,1\n3,a,1\n");
        let new = table("set,method,gain\n0,a,1\n0,b,1\n1,a,1\n");
        let found = compare("cases.csv", &old, &new, Some(2));
        assert_eq!((found.rows_removed, found.rows_left_out, found.sets_left_out), (1, 3, 2));
        assert!(found.loses() && found.breaks_determinism(), "a row of set 1 is gone");
        // set 1 was measured, and has no row at all
        let found = compare("cases.csv", &old, &table("set,method,gain\n0,a,1\n0,b,1\n"), Some(2));
        assert_eq!((found.rows_removed, found.rows_left_out, found.first_sets.as_slice()), (2, 3, [1].as_slice()));
        let found = compare("cases.csv", &old, &table("set,method,gain\n0,a,1\n0,b,1\n1,a,1\n1,b,1\n"), Some(2));
        assert!(!found.loses() && !found.breaks_determinism() && !found.is_none());
        assert_eq!(compare("cases.csv", &old, &new, None).rows_removed, 4);
    }
}
