//! Rows of one table on both sides: which belong together, and what differs.
//!
//! Rows belong together that agree in their set and in the columns which tell the rows of a set apart, such as the method. These
//! columns are found, not listed: in the order of the file, and inputs stand first, a column joins the key where it tells rows
//! apart that the key so far does not, until every row has a key of its own. Rows that no column tells apart are counted. What
//! then has no partner, because a column of the key itself changed, is paired in the order of the file where a set has equally
//! many such rows on both sides. The rest was added or removed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lab::judge::statistics::median;
use polars::prelude::*;
use serde::Serialize;

use crate::Mistake;
use crate::table::Table;

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
    /// Rows that only the new side has.
    pub rows_added: usize,
    /// Rows that only the old side has.
    pub rows_removed: usize,
    /// Rows that only one side has, of sets that both have.
    pub rows_unpaired: usize,
    /// Number of sets with a row that differs, was added or removed.
    pub sets_differing: usize,
    /// The first ten of them.
    pub first_sets: Vec<u64>,
    /// Columns that only the new side has.
    pub columns_added: Vec<String>,
    /// Columns that only the old side has.
    pub columns_removed: Vec<String>,
    /// Columns that differ.
    pub columns: Vec<ColumnDifference>,
}

/// What differs in a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ColumnDifference {
    pub column: String,
    pub unit: String,
    /// Rows that differ.
    pub rows: usize,
    /// Median over these rows of (new - old) / |old|, where both are numbers and the old one is not zero.
    pub median: Option<f64>,
    /// The largest of them in magnitude; none where the old value of that row is zero or no number.
    pub worst: Option<f64>,
    /// Set of the row that changed most; of the first changed one, where there are no numbers.
    pub worst_set: u64,
    pub old: String,
    pub new: String,
    /// Pairs of old and new numbers of the rows that differ, for charts.
    #[serde(skip)]
    pub points: Vec<[f64; 2]>,
}

impl TableDifference {
    /// Whether both tables are the same, cell by cell.
    pub fn is_none(&self) -> bool {
        self.rows_changed + self.rows_added + self.rows_removed == 0
            && self.columns_added.is_empty()
            && self.columns_removed.is_empty()
    }

    /// Whether anything that the old side had is gone or differs.
    pub fn loses(&self) -> bool {
        self.rows_changed + self.rows_removed > 0 || !self.columns_removed.is_empty()
    }

    /// Whether rows differ of sets that both sides measured: what equal code rules out.
    pub fn breaks_determinism(&self) -> bool {
        self.rows_changed + self.rows_unpaired > 0 || !self.columns_added.is_empty() || !self.columns_removed.is_empty()
    }
}

/// Compares two tables of one file.
pub fn compare(file: &str, old: &Table, new: &Table) -> Result<TableDifference, Mistake> {
    let names = |of: &Table, without: &Table| {
        let names = of.fields.iter().filter(|field| !without.has(&field.name)).map(|field| field.name.clone());
        names.collect::<Vec<_>>()
    };
    let shared: Vec<&str> = old.fields.iter().map(|field| field.name.as_str()).filter(|name| new.has(name)).collect();
    let key = key_columns(&shared, old, new)?;
    let Pairs { pairs, removed, added } = pair(&key, old, new)?;
    let index = |side: usize| IdxCa::from_vec("row".into(), pairs.iter().map(|pair| pair[side]).collect());
    let (old_rows, new_rows) = (index(0), index(1));
    let mut changed_rows = vec![false; pairs.len()];
    let mut columns = vec![];
    for field in old.fields.iter().filter(|field| new.has(&field.name)) {
        let (before, after) = (old.cells(&field.name)?.take(&old_rows)?, new.cells(&field.name)?.take(&new_rows)?);
        let differs = before.not_equal(&after);
        if !differs.any() {
            continue;
        }
        let differing: Vec<usize> =
            differs.iter().enumerate().filter_map(|(k, differs)| (differs == Some(true)).then_some(k)).collect();
        let cells = differing.iter().map(|&k| {
            changed_rows[k] = true;
            (old.sets()[pairs[k][0] as usize], before.get(k).unwrap_or_default(), after.get(k).unwrap_or_default())
        });
        columns.push(column_difference(&field.name, &field.unit, field.is_number(), &cells.collect::<Vec<_>>()));
    }
    let changed = pairs.iter().zip(&changed_rows).filter(|(_, changed)| **changed).map(|(pair, _)| old.sets()[pair[0] as usize]);
    let lone = || {
        let of_old = removed.iter().map(|&row| old.sets()[row as usize]);
        of_old.chain(added.iter().map(|&row| new.sets()[row as usize]))
    };
    let sets: BTreeSet<u64> = changed.chain(lone()).collect();
    let of_both: [HashSet<u64>; 2] = [old, new].map(|table| table.sets().iter().copied().collect());
    Ok(TableDifference {
        group: new.group.clone(),
        file: file.into(),
        rows_old: old.row_count(),
        rows_new: new.row_count(),
        rows_changed: changed_rows.iter().filter(|changed| **changed).count(),
        rows_added: added.len(),
        rows_removed: removed.len(),
        rows_unpaired: lone().filter(|set| of_both.iter().all(|sets| sets.contains(set))).count(),
        sets_differing: sets.len(),
        first_sets: sets.into_iter().take(NAMED).collect(),
        columns_added: names(new, old),
        columns_removed: names(old, new),
        columns,
        key: key.into_iter().map(str::to_owned).collect(),
    })
}

fn column_difference(column: &str, unit: &str, is_number: bool, cells: &[(u64, &str, &str)]) -> ColumnDifference {
    let number = |cell: &str| cell.parse().ok().filter(|value: &f64| is_number && value.is_finite());
    let (mut relative, mut points) = (vec![], vec![]);
    // the row that changed most: from or to what is no number, or from zero, counts as infinitely far
    let mut worst: Option<(f64, Option<f64>, usize)> = None;
    for (k, (_, old, new)) in cells.iter().enumerate() {
        let numbers = number(old).zip(number(new));
        points.extend(numbers.map(|(old, new)| [old, new]));
        let change = numbers.filter(|(old, _)| *old != 0.0).map(|(old, new)| (new - old) / old.abs());
        relative.extend(change);
        let magnitude = change.map_or(f64::INFINITY, f64::abs);
        if worst.is_none_or(|(largest, ..)| magnitude > largest) {
            worst = Some((magnitude, change, k));
        }
    }
    let (change, k) = worst.map_or((None, 0), |(_, change, k)| (change, k));
    let (worst_set, old, new) = cells[k];
    ColumnDifference {
        column: column.into(),
        unit: unit.into(),
        rows: cells.len(),
        median: median(&relative),
        worst: change,
        worst_set,
        old: old.into(),
        new: new.into(),
        points,
    }
}

/// The set, and the columns that tell the rows of a set apart on both sides.
fn key_columns<'a>(shared: &[&'a str], old: &Table, new: &Table) -> Result<Vec<&'a str>, Mistake> {
    let mut key = vec!["set"];
    let first = |table: &Table| Keys::of(table.sets().iter().map(|set| (0, set.to_string())));
    let mut keys = [first(old), first(new)];
    for name in shared.iter().filter(|name| **name != "set") {
        if keys.iter().all(|keys| keys.all_differ()) {
            break;
        }
        let mut finer = vec![];
        for (table, keys) in [old, new].into_iter().zip(&keys) {
            let cells = table.cells(name)?;
            let cells = cells.iter().map(|cell| cell.unwrap_or_default().to_owned());
            finer.push(Keys::of(keys.of_row.iter().copied().zip(cells)));
        }
        if finer.iter().zip(&keys).any(|(finer, keys)| finer.count > keys.count) {
            key.push(name);
            if let Ok(finer) = finer.try_into() {
                keys = finer;
            }
        }
    }
    Ok(key)
}

/// Rows numbered so that equal keys have equal numbers.
struct Keys {
    of_row: Vec<usize>,
    count: usize,
}

impl Keys {
    fn of(rows: impl Iterator<Item = (usize, String)>) -> Keys {
        let mut numbers = HashMap::new();
        let mut of_row = vec![];
        for row in rows {
            let next = numbers.len();
            of_row.push(*numbers.entry(row).or_insert(next));
        }
        Keys { of_row, count: numbers.len() }
    }

    fn all_differ(&self) -> bool {
        self.count == self.of_row.len()
    }
}

struct Pairs {
    /// Rows of the old and the new side that belong together, in the order of the old one.
    pairs: Vec<[IdxSize; 2]>,
    /// Rows of the old side alone.
    removed: Vec<IdxSize>,
    /// Rows of the new side alone.
    added: Vec<IdxSize>,
}

fn pair(key: &[&str], old: &Table, new: &Table) -> Result<Pairs, Mistake> {
    let (before, after) = (keyed(key, old)?, keyed(key, new)?);
    let on: Vec<String> = (0..=key.len()).map(|k| format!("key{k}")).collect();
    let rows = |frame: &DataFrame, column: &str| -> Result<Vec<IdxSize>, Mistake> {
        Ok(frame.column(column)?.idx()?.into_no_null_iter().collect())
    };
    let together = before.join(&after, &on, &on, JoinArgs::new(JoinType::Inner), None)?;
    let mut pairs: Vec<[IdxSize; 2]> =
        rows(&together, "row")?.into_iter().zip(rows(&together, "row_right")?).map(|(old, new)| [old, new]).collect();
    let alone = |left: &DataFrame, right: &DataFrame| -> Result<Vec<IdxSize>, Mistake> {
        let mut rows = rows(&left.join(right, &on, &on, JoinArgs::new(JoinType::Anti), None)?, "row")?;
        rows.sort_unstable();
        Ok(rows)
    };
    let (mut removed, mut added) = (alone(&before, &after)?, alone(&after, &before)?);
    let by_set = |rows: &[IdxSize], table: &Table| {
        let mut sets: BTreeMap<u64, Vec<IdxSize>> = BTreeMap::new();
        rows.iter().for_each(|&row| sets.entry(table.sets()[row as usize]).or_default().push(row));
        sets
    };
    let (of_old, of_new) = (by_set(&removed, old), by_set(&added, new));
    let mut paired = HashSet::new();
    for (set, old) in &of_old {
        if let Some(new) = of_new.get(set).filter(|new| new.len() == old.len()) {
            pairs.extend(old.iter().zip(new).map(|(old, new)| [*old, *new]));
            paired.insert(*set);
        }
    }
    removed.retain(|row| !paired.contains(&old.sets()[*row as usize]));
    added.retain(|row| !paired.contains(&new.sets()[*row as usize]));
    pairs.sort_unstable();
    Ok(Pairs { pairs, removed, added })
}

/// The columns of the key, how many rows before have the same one, and the number of the row.
fn keyed(key: &[&str], table: &Table) -> Result<DataFrame, Mistake> {
    let cells = key.iter().map(|name| table.cells(name)).collect::<Result<Vec<_>, _>>()?;
    let mut seen: HashMap<Vec<&str>, IdxSize> = HashMap::new();
    let count = |row: usize| {
        let count = seen.entry(cells.iter().map(|cells| cells.get(row).unwrap_or_default()).collect()).or_default();
        *count += 1;
        *count
    };
    let counts: Vec<IdxSize> = (0..table.row_count()).map(count).collect();
    let name = |k: usize| format!("key{k}").into();
    let mut columns: Vec<Column> =
        cells.iter().enumerate().map(|(k, cells)| (*cells).clone().with_name(name(k)).into_column()).collect();
    columns.push(IdxCa::from_vec(name(key.len()), counts).into_column());
    columns.push(IdxCa::from_vec("row".into(), (0..table.row_count() as IdxSize).collect()).into_column());
    Ok(DataFrame::new(table.row_count(), columns)?)
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
        compare("cases.csv", &table(old), &table(new)).unwrap()
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
        assert_eq!(column.points, [[10.0, 11.0], [10.0, 5.0], [10.0, 8.0]]);
        assert!(found.loses() && found.breaks_determinism());
    }

    #[test]
    fn from_zero_and_from_nothing_is_the_worst_change_without_a_number() {
        let found = difference("set,gain\n0,1.0\n1,0\n2,\n", "set,gain\n0,2.0\n1,3.0\n2,1.0\n");
        let column = &found.columns[0];
        assert_eq!((column.rows, column.median, column.worst, column.worst_set), (3, Some(1.0), None, 1));
        assert_eq!((column.old.as_str(), column.new.as_str()), ("0", "3.0"));
        assert_eq!(column.points, [[1.0, 2.0], [0.0, 3.0]]);
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
}
