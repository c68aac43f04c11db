//! Which rows of two tables belong together.
//!
//! Rows belong together that agree in their set and in the columns which tell the rows of a set apart, such as the method. These
//! columns are found, not listed: in the order of the file, and inputs stand first, a column joins the key where it tells rows
//! apart that the key so far does not, until every row has a key of its own. Rows that no column tells apart are counted. What
//! then has no partner, because a column of the key itself changed, is paired in the order of the file where a set has equally
//! many such rows on both sides. The rest was added or removed.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::table::{Cells, Table};

/// Rows of the old and of the new side, by their numbers.
pub struct Pairs {
    /// Those that belong together, in the order of the old side.
    pub pairs: Vec<[usize; 2]>,
    /// Rows of the old side alone.
    pub removed: Vec<usize>,
    /// Rows of the new side alone.
    pub added: Vec<usize>,
}

/// The set, and the columns that tell the rows of a set apart on both sides.
pub fn key_columns<'a>(old: &'a Table, new: &Table) -> Vec<&'a str> {
    let mut key = vec!["set"];
    let mut keys = [old, new].map(|table| Keys::of(table.sets().iter().map(|set| (0, *set))));
    for field in old.fields.iter().filter(|field| field.name != "set") {
        if keys.iter().all(Keys::all_differ) {
            break;
        }
        let (Some(before), Some(after)) = (old.cells(&field.name), new.cells(&field.name)) else { continue };
        let finer =
            |keys: &Keys, cells: &Cells| Keys::of(keys.of_row.iter().enumerate().map(|(row, key)| (*key, cells.get(row))));
        let finer = [finer(&keys[0], before), finer(&keys[1], after)];
        if finer.iter().zip(&keys).any(|(finer, keys)| finer.count > keys.count) {
            key.push(&field.name);
            keys = finer;
        }
    }
    key
}

/// Rows numbered so that equal keys have equal numbers.
struct Keys {
    of_row: Vec<usize>,
    count: usize,
}

impl Keys {
    fn of<T: Eq + std::hash::Hash>(rows: impl Iterator<Item = (usize, T)>) -> Keys {
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

/// Pairs the rows of two tables that both have the columns of the key.
pub fn pair(key: &[&str], old: &Table, new: &Table) -> Pairs {
    let before: HashMap<_, _> = keyed(key, old).into_iter().enumerate().map(|(row, key)| (key, row)).collect();
    let mut pairs = vec![];
    let mut added = vec![];
    for (row, key) in keyed(key, new).into_iter().enumerate() {
        match before.get(&key) {
            Some(partner) => pairs.push([*partner, row]),
            None => added.push(row),
        }
    }
    let partners: HashSet<usize> = pairs.iter().map(|[old, _]| *old).collect();
    let mut removed: Vec<usize> = (0..old.row_count()).filter(|row| !partners.contains(row)).collect();
    let by_set = |rows: &[usize], table: &Table| {
        let mut sets: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        rows.iter().for_each(|&row| sets.entry(table.sets()[row]).or_default().push(row));
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
    removed.retain(|row| !paired.contains(&old.sets()[*row]));
    added.retain(|row| !paired.contains(&new.sets()[*row]));
    pairs.sort_unstable();
    Pairs { pairs, removed, added }
}

/// Of every row the cells of the key, and how many rows before have the same ones.
fn keyed<'a>(key: &[&str], table: &'a Table) -> Vec<(Vec<&'a str>, usize)> {
    let columns: Vec<&Cells> = key.iter().filter_map(|name| table.cells(name)).collect();
    let mut seen: HashMap<Vec<&str>, usize> = HashMap::new();
    let of_row = |row: usize| {
        let cells: Vec<&str> = columns.iter().map(|cells| cells.get(row)).collect();
        let count = seen.entry(cells.clone()).or_default();
        *count += 1;
        (cells, *count)
    };
    (0..table.row_count()).map(of_row).collect()
}
