//! Rows of a table: a struct whose fields are its columns.

use serde::Serialize;
use serde::de::DeserializeOwned;

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

/// What a field of a row may be: a cell, or columns that several tables share, themselves a row.
pub trait Cells {
    /// The columns of a field with its name and doc comment.
    fn of_field(name: &'static str, doc: &'static str) -> Vec<Column>;
}

macro_rules! cells {
    ($($cell:ty => $kind:ident),+ $(,)?) => {
        $(impl Cells for $cell {
            fn of_field(name: &'static str, doc: &'static str) -> Vec<Column> {
                vec![Column::documented(name, ColumnKind::$kind, doc)]
            }
        })+
    };
}

cells! {
    u32 => Integer, u64 => Integer, usize => Integer,
    f64 => Number, Option<f64> => Number, Option<u32> => Number, Option<u64> => Number, Option<usize> => Number,
    String => Text, Option<String> => Text,
    bool => Boolean, Option<bool> => Boolean,
}

/// A row of a table; [`row!`](crate::row!) makes them. It is written and read by position.
pub trait TableRow: Serialize + DeserializeOwned + Send {
    /// Its columns, in the order of the fields.
    fn columns() -> Vec<Column>;
}

/// A struct as a row of a table. The doc comment of a field says what its column means, with the unit at its end; its type says what
/// the column holds. A field whose type is itself a row stands for the columns of that. The default has empty cells, zeros and no.
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
        $($(#[doc = $doc:literal])+ $field_visibility:vis $field:ident: $cell:ty),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
        $visibility struct $name {
            $($(#[doc = $doc])+ $field_visibility $field: $cell,)*
        }

        impl $crate::TableRow for $name {
            fn columns() -> Vec<$crate::Column> {
                let fields: &[Vec<$crate::Column>] =
                    &[$(<$cell as $crate::Cells>::of_field(stringify!($field), concat!($($doc),+))),*];
                fields.concat()
            }
        }

        impl $crate::Cells for $name {
            fn of_field(_: &'static str, _: &'static str) -> Vec<$crate::Column> {
                <Self as $crate::TableRow>::columns()
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
    }
}
