//! Rows of a table: a struct whose fields are its columns.

use std::str::FromStr;

use serde::Serialize;

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
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Of a field with its doc comment, which ends with the unit in brackets where there is one.
    fn documented(name: &'static str, kind: ColumnKind, doc: &'static str) -> Column {
        let doc = doc.trim();
        let parts = doc.strip_suffix("\\]").and_then(|doc| doc.rsplit_once(" \\["));
        let (about, unit) = parts.unwrap_or((doc, "-"));
        Column { name, kind, unit, about }
    }
}

/// What stands in a cell; nothing in an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell<'a> {
    Integer(Option<u64>),
    Number(Option<f64>),
    Text(Option<&'a str>),
    Boolean(Option<bool>),
}

/// The cells of a record of CSV, read one after the other.
pub struct Record<'a> {
    record: &'a csv::StringRecord,
    read: usize,
}

impl<'a> Record<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.read += 1;
        self.record.get(self.read - 1).ok_or_else(|| format!("there is no cell {}", self.read))
    }

    fn parsed<T: FromStr>(&mut self, cell: &str, kind: &str) -> Result<T, String> {
        cell.parse().map_err(|_| format!("cell {}, `{cell}`, is not {kind}", self.read))
    }
}

/// What a field of a row may be: a cell, or columns that several tables share, themselves a row. Written and read by position.
pub trait Cells {
    /// The columns of a field with its name and doc comment.
    fn of_field(name: &'static str, doc: &'static str) -> Vec<Column>
    where
        Self: Sized;

    /// Adds its cells.
    fn write<'a>(&'a self, cells: &mut Vec<Cell<'a>>);

    /// From the cells that come next.
    ///
    /// # Errors
    /// A cell that is missing or of another kind.
    fn read(cells: &mut Record) -> Result<Self, String>
    where
        Self: Sized;
}

macro_rules! cells {
    ($($cell:ty => $kind:ident, $optional:ident: $words:literal, |$value:ident| $written:expr;)+) => {
        $(
            impl Cells for $cell {
                fn of_field(name: &'static str, doc: &'static str) -> Vec<Column> {
                    vec![Column::documented(name, ColumnKind::$kind, doc)]
                }

                fn write<'a>(&'a self, cells: &mut Vec<Cell<'a>>) {
                    let $value = self;
                    cells.push(Cell::$kind(Some($written)));
                }

                fn read(cells: &mut Record) -> Result<$cell, String> {
                    let cell = cells.next()?;
                    cells.parsed(cell, $words)
                }
            }

            impl Cells for Option<$cell> {
                fn of_field(name: &'static str, doc: &'static str) -> Vec<Column> {
                    vec![Column::documented(name, ColumnKind::$optional, doc)]
                }

                fn write<'a>(&'a self, cells: &mut Vec<Cell<'a>>) {
                    cells.push(Cell::$kind(self.as_ref().map(|$value| $written)));
                }

                fn read(cells: &mut Record) -> Result<Option<$cell>, String> {
                    let cell = cells.next()?;
                    if cell.is_empty() { Ok(None) } else { cells.parsed(cell, $words).map(Some) }
                }
            }
        )+
    };
}

// counts that may be missing are numbers to programs that read the table
cells! {
    u32 => Integer, Number: "a whole number", |value| u64::from(*value);
    u64 => Integer, Number: "a whole number", |value| *value;
    usize => Integer, Number: "a whole number", |value| *value as u64;
    f64 => Number, Number: "a number", |value| *value;
    String => Text, Text: "text", |value| value.as_str();
    bool => Boolean, Boolean: "true or false", |value| *value;
}

/// A row of a table; [`row!`](crate::row!) makes them.
pub trait TableRow: Cells + Send {
    /// Its columns, in the order of the fields.
    fn columns() -> Vec<Column>
    where
        Self: Sized;
}

/// The set and the row of a record.
///
/// # Errors
/// The first cell that is missing or of another kind.
pub fn read<R: TableRow>(record: &csv::StringRecord) -> Result<(u64, R), String> {
    let mut cells = Record { record, read: 0 };
    Ok((u64::read(&mut cells)?, R::read(&mut cells)?))
}

/// A struct as a row of a table. The doc comment of a field says what its column means, with the unit at its end; its type says
/// what the column holds. A field whose type is itself a row stands for the columns of that. The default has empty cells, zeros
/// and no.
///
/// ```
/// lab::row! {
///     /// A fall.
///     pub struct Fall {
///         /// height of the start \[m\]
///         pub height: f64,
///         /// duration until the ground; none where there is no ground \[s\]
///         pub duration: Option<f64>,
///     }
/// }
/// ```
#[macro_export]
macro_rules! row {
    ($(#[$about:meta])* $visibility:vis struct $name:ident {
        $($(#[doc = $doc:literal])+ $field_visibility:vis $field:ident: $cell:ty),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $visibility struct $name {
            $($(#[doc = $doc])+ $field_visibility $field: $cell,)+
        }

        impl $crate::TableRow for $name {
            fn columns() -> Vec<$crate::Column> {
                let fields: &[Vec<$crate::Column>] =
                    &[$(<$cell as $crate::Cells>::of_field(stringify!($field), concat!($($doc),+))),+];
                fields.concat()
            }
        }

        impl $crate::Cells for $name {
            fn of_field(_: &'static str, _: &'static str) -> Vec<$crate::Column> {
                <Self as $crate::TableRow>::columns()
            }

            fn write<'a>(&'a self, cells: &mut Vec<$crate::Cell<'a>>) {
                $($crate::Cells::write(&self.$field, cells);)+
            }

            fn read(cells: &mut $crate::Record) -> Result<Self, String> {
                Ok(Self { $($field: $crate::Cells::read(cells)?,)+ })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_fields_with_their_docs() {
        crate::row! {
            struct Place {
                /// how far east \[km\]
                east: f64,
                /// its name
                name: String,
            }
        }
        crate::row! {
            struct Fall {
                /// height of the start, above
                /// the ground \[m\]
                height: f64,
                /// how far [a, b] it bounced, of whatever unit
                bounces: u32,
                /// whether it broke
                broke: Option<bool>,
                /// where it lies
                place: Place,
            }
        }
        let column = |name, kind, unit, about| Column { name, kind, unit, about };
        let expected = [
            column("height", ColumnKind::Number, "m", "height of the start, above the ground"),
            column("bounces", ColumnKind::Integer, "-", "how far [a, b] it bounced, of whatever unit"),
            column("broke", ColumnKind::Boolean, "-", "whether it broke"),
            column("east", ColumnKind::Number, "km", "how far east"),
            column("name", ColumnKind::Text, "-", "its name"),
        ];
        assert_eq!(Fall::columns(), expected);

        let place = Place { east: 0.5, name: "hill".into() };
        let fall = Fall { height: 2.0, bounces: 3, broke: None, place };
        let mut written = vec![];
        fall.write(&mut written);
        let [height, east] = [2.0, 0.5].map(|value| Cell::Number(Some(value)));
        assert_eq!(written, [height, Cell::Integer(Some(3)), Cell::Boolean(None), east, Cell::Text(Some("hill"))]);
        let back = |cells: [&str; 6]| read::<Fall>(&csv::StringRecord::from(cells.to_vec()));
        assert_eq!(back(["7", "2.0", "3", "", "0.5", "hill"]), Ok((7, fall)));
        assert_eq!(back(["7", "2.0", "3", "perhaps", "0.5", "hill"]).unwrap_err(), "cell 4, `perhaps`, is not true or false");
    }
}
