//! Kinds that have a word each, in profiles and in tables.

/// An enum of kinds and their words: all of them in order, each by its word, which a profile may hold, serde writes and a cell of
/// a row is; the first is the default.
#[macro_export]
macro_rules! words {
    ($(#[$about:meta])* $visibility:vis enum $name:ident { $($(#[$doc:meta])* $kind:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        $visibility enum $name {
            $($(#[$doc])* $kind),+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$kind),+];

            /// Its word.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$kind => $word,)+
                }
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::ALL[0]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl lab::Cells for $name {
            fn of_field(name: &'static str, doc: &'static str) -> Vec<lab::Column> {
                <String as lab::Cells>::of_field(name, doc)
            }

            fn write<'a>(&'a self, cells: &mut Vec<lab::Cell<'a>>) {
                cells.push(lab::Cell::Text(Some(self.name())));
            }

            fn read(cells: &mut lab::Record) -> Result<$name, String> {
                let word = <String as lab::Cells>::read(cells)?;
                let found = $name::ALL.into_iter().find(|kind| kind.name() == word);
                found.ok_or_else(|| format!("`{word}` is none of {}", $name::ALL.map($name::name).join(", ")))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $crate::ranges::Ranged for $name {
            fn read(value: &$crate::ranges::Value) -> Result<$name, $crate::ranges::RangeError> {
                let found = $name::ALL.into_iter().find(|kind| value.as_str() == Some(kind.name()));
                found.ok_or_else(|| $crate::ranges::another(&format!("one of {}", $name::ALL.map($name::name).join(", ")), value))
            }
        }
    };
}
pub use words;

#[cfg(test)]
mod tests {
    use lab::{Cell, Cells};
    use toml::Value;

    use crate::ranges::Ranged;

    words! {
        /// Weather.
        enum Weather {
            Sun = "sunny",
            Rain = "a shower",
        }
    }

    #[test]
    fn a_kind_is_read_and_written_by_its_word() {
        assert_eq!(Weather::ALL.map(Weather::name), ["sunny", "a shower"]);
        let read = |value: Value| <Weather as Ranged>::read(&value);
        assert_eq!(read(Value::from("a shower")), Ok(Weather::Rain));
        assert_eq!(serde_json::to_string(&Weather::Sun).unwrap(), "\"sunny\"");
        let why = |value: Value| read(value).unwrap_err().why;
        assert_eq!(why(Value::from("snow")), "must be one of sunny, a shower, not \"snow\"");
        assert_eq!(why(Value::from(vec![1])), "must be one of sunny, a shower, not a list");
    }

    lab::row! {
        /// A day.
        struct Day {
            /// how it was
            weather: Weather,
        }
    }

    #[test]
    fn a_kind_is_a_cell_of_a_row() {
        let mut cells = vec![];
        let day = Day { weather: Weather::Rain };
        day.write(&mut cells);
        assert_eq!(cells, [Cell::Text(Some("a shower"))]);
    }
}
