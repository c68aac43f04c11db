//! Tables in columns of numbers and texts.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A column of a table; a number that is missing is NaN, a text that is missing is empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers; what is true is 1, what is false 0.
    Numbers(Vec<f64>),
    Texts(Vec<Arc<str>>),
}

/// A table in columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    columns: BTreeMap<String, Column>,
    rows: usize,
}

impl Column {
    /// Reads cells: numbers where all that are not empty are numbers or truths, texts else.
    pub fn of_cells<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Column {
        let number = |cell: &str| match cell {
            "" => Some(f64::NAN),
            "true" => Some(1.0),
            "false" => Some(0.0),
            other => other.parse().ok(),
        };
        let numbers: Option<Vec<f64>> = cells.clone().map(number).collect();
        numbers.map_or_else(|| Column::Texts(cells.map(Arc::from).collect()), Column::Numbers)
    }

    fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::Texts(texts) => texts.len(),
        }
    }

    /// Some of its rows, in this order.
    pub fn chosen(&self, rows: &[usize]) -> Column {
        match self {
            Column::Numbers(numbers) => Column::Numbers(rows.iter().map(|row| numbers[*row]).collect()),
            Column::Texts(texts) => Column::Texts(rows.iter().map(|row| Arc::clone(&texts[*row])).collect()),
        }
    }

    /// One column below the other; missing cells are of either kind.
    fn below(self, other: Column) -> Column {
        let texts = |column: Column| match column {
            Column::Texts(texts) => texts,
            Column::Numbers(numbers) => {
                numbers.iter().map(|number| if number.is_nan() { "".into() } else { number.to_string().into() }).collect()
            }
        };
        match (self, other) {
            (Column::Numbers(mut upper), Column::Numbers(lower)) => {
                upper.extend(lower);
                Column::Numbers(upper)
            }
            (upper, lower) => {
                let mut all = texts(upper);
                all.extend(texts(lower));
                Column::Texts(all)
            }
        }
    }
}

impl Frame {
    /// Columns with their names, all of one length.
    pub fn of(columns: impl IntoIterator<Item = (String, Column)>) -> Frame {
        let columns: BTreeMap<String, Column> = columns.into_iter().collect();
        let rows = columns.values().map(Column::len).min().unwrap_or(0);
        Frame { columns, rows }
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.rows
    }

    /// Names of its columns, with commas between them.
    pub fn names(&self) -> String {
        self.columns.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(name)
    }

    /// The same with one more column, or another one of that name.
    pub fn with(mut self, name: &str, column: Column) -> Frame {
        self.columns.insert(name.into(), column);
        self
    }

    /// Some of its rows, in this order.
    pub fn chosen(&self, rows: &[usize]) -> Frame {
        let columns = self.columns.iter().map(|(name, column)| (name.clone(), column.chosen(rows))).collect();
        Frame { columns, rows: rows.len() }
    }

    /// One table below the other; what only one of them has is missing in the other.
    pub fn below(mut self, mut other: Frame) -> Frame {
        let missing = |rows: usize| Column::Numbers(vec![f64::NAN; rows]);
        let names: Vec<String> = self.columns.keys().chain(other.columns.keys()).cloned().collect();
        for name in names {
            self.columns.entry(name.clone()).or_insert_with(|| missing(self.rows));
            other.columns.entry(name).or_insert_with(|| missing(other.rows));
        }
        let columns = self.columns.into_iter().filter_map(|(name, upper)| {
            let lower = other.columns.remove(&name)?;
            Some((name, upper.below(lower)))
        });
        Frame { columns: columns.collect(), rows: self.rows + other.rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_below_one_another_keep_all_columns() {
        let numbers = |values: &[f64]| Column::Numbers(values.to_vec());
        let upper = Frame::of([("a".to_owned(), numbers(&[1.0, 2.0])), ("b".into(), numbers(&[3.0, 4.0]))]);
        let lower = Frame::of([("a".to_owned(), numbers(&[5.0])), ("c".into(), Column::of_cells(["x"].into_iter()))]);
        let both = upper.below(lower);
        assert_eq!((both.row_count(), both.names()), (3, "a, b, c".into()));
        assert_eq!(both.column("a"), Some(&numbers(&[1.0, 2.0, 5.0])));
        assert_eq!(both.column("c"), Some(&Column::of_cells(["", "", "x"].into_iter())));
        assert!(matches!(both.column("b"), Some(Column::Numbers(b)) if b[2].is_nan()));
    }
}
