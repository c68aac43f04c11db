//! One declaration for a key: reading, messages and the table of keys go by it.

use std::path::PathBuf;

use cloth::quantity::{Finite, NonNegative, Positive};
use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use toml::Spanned;

/// A value that stands at a key.
pub(super) trait Takes {
    /// Its admissible values in words, as the end of a sentence.
    fn words() -> String;

    /// The keys of its section, none where it is none.
    fn keys() -> Vec<Key> {
        vec![]
    }

    /// A key of its section; of any value if it has no such key.
    fn key(name: &'static str) -> Key {
        let found = Self::keys().into_iter().find(|key| key.name == name);
        found.unwrap_or(Key { name, words: "a value".to_owned(), unit: "", below: vec![] })
    }
}

/// A key, what it takes, the unit of its numbers, empty where they have none, and the keys below it.
pub(super) struct Key {
    pub name: &'static str,
    pub words: String,
    pub unit: &'static str,
    pub below: Vec<Key>,
}

impl Key {
    /// A key of that name that takes `T`.
    pub fn of<T: Takes>(name: &'static str) -> Key {
        Key { name, words: T::words(), unit: "", below: T::keys() }
    }

    /// Its unit as it stands behind it; nothing where there is none.
    pub fn in_unit(&self) -> String {
        if self.unit.is_empty() { String::new() } else { format!(" [{}]", self.unit) }
    }
}

/// Sections as they are written. A struct is a section, by what it is as the end of a sentence; an enum is one of several sections, each
/// by its name and what it is. `key["unit"]: Type` takes what `Type` does, and `key: Type = words` what these say.
macro_rules! section {
    ($(#[$about:meta])* $visibility:vis struct $name:ident = $words:literal {
        $($(#[$doc:meta])* $of_key:vis $key:ident $([$unit:literal])?: $type:ty $(= $takes:expr)?),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $visibility struct $name {
            $($(#[$doc])* $of_key $key: $type,)*
        }

        impl $crate::key::Takes for $name {
            fn words() -> String {
                $words.to_owned()
            }

            fn keys() -> Vec<$crate::key::Key> {
                $crate::key::keys!($($key $([$unit])?: $type $(= $takes)?),*)
            }
        }
    };
    ($(#[$about:meta])* $visibility:vis enum $name:ident = $words:literal {
        $($variant:ident($section:literal, $of_section:expr) {
            $($(#[$doc:meta])* $key:ident $([$unit:literal])?: $type:ty $(= $takes:expr)?),* $(,)?
        }),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $visibility enum $name {
            $(#[serde(rename = $section)] $variant { $($(#[$doc])* $key: $type,)* },)*
        }

        impl $crate::key::Takes for $name {
            fn words() -> String {
                $words.to_owned()
            }

            fn keys() -> Vec<$crate::key::Key> {
                vec![$($crate::key::Key {
                    name: $section,
                    words: $of_section.to_owned(),
                    unit: "",
                    below: $crate::key::keys!($($key $([$unit])?: $type $(= $takes)?),*),
                }),*]
            }
        }
    };
}

/// The keys of a [`section!`].
macro_rules! keys {
    ($($key:ident $([$unit:literal])?: $type:ty $(= $takes:expr)?),*) => {
        vec![$($crate::key::Key {
            name: stringify!($key),
            words: None::<String>$(.or(Some($takes.to_owned())))?.unwrap_or_else(<$type as $crate::key::Takes>::words),
            unit: concat!($($unit)?),
            below: <$type as $crate::key::Takes>::keys(),
        }),*]
    };
}

/// Words for values.
macro_rules! takes {
    ($($type:ty: $words:expr),+ $(,)?) => {
        $(impl $crate::key::Takes for $type {
            fn words() -> String {
                $words.to_owned()
            }
        })+
    };
}

/// Enums that serde reads by a name in quotes.
macro_rules! named {
    ($($type:ty),+ $(,)?) => {
        $(impl $crate::key::Takes for $type {
            fn words() -> String {
                $crate::key::one_of($crate::key::variants::<$type>())
            }
        })+
    };
}

/// Types that take the same as `T`.
macro_rules! alike {
    ($($type:ty),+) => {
        $(impl<T: $crate::key::Takes> $crate::key::Takes for $type {
            fn words() -> String {
                T::words()
            }

            fn keys() -> Vec<$crate::key::Key> {
                T::keys()
            }
        })+
    };
}

pub(super) use {alike, keys, named, section, takes};

takes! {
    Positive: "a finite number above zero",
    NonNegative: "a finite number, zero or above",
    Finite: "a finite number",
    bool: "true or false",
    usize: "a whole number, zero or above",
    u64: "a whole number, zero or above",
    String: "a text in quotes",
    PathBuf: "the name of a file in quotes",
}

alike!(Option<T>, Spanned<T>, Vec<T>);

/// Several names in quotes, of which one is taken.
pub(super) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    match &quoted[..] {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => quoted.concat(),
    }
}

/// The names of an enum, as serde has them.
pub(super) fn variants<'de, T: Deserialize<'de>>() -> impl Iterator<Item = &'static str> {
    struct Asked<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Asked<'_> {
        type Error = Error;

        fn deserialize_enum<V: Visitor<'de>>(
            self,
            _name: &'static str,
            variants: &'static [&'static str],
            _visitor: V,
        ) -> Result<V::Value, Error> {
            *self.0 = variants;
            Err(Error::custom("names alone"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
            Err(Error::custom("no enum"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct identifier ignored_any
        }
    }

    let mut names: &'static [&'static str] = &[];
    drop(T::deserialize(Asked(&mut names)));
    names.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::Keyed;

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "its names are asked for")]
    enum Weave {
        Plain,
        HerringBone,
    }

    named!(Weave);

    section! {
        /// How it hangs.
        struct Rail = "a section with height" {
            height["m"]: Positive,
        }
    }

    section! {
        struct Curtain = "a section" {
            weave: Option<Weave>,
            rail: Keyed<Rail>,
            lining: Option<bool> = "true where it has one",
        }
    }

    #[test]
    fn a_key_is_said_once() {
        let keys = Curtain::keys();
        let said: Vec<[&str; 3]> = keys.iter().map(|key| [key.name, &key.words, key.unit]).collect();
        let expected = [
            ["weave", "\"plain\" or \"herring-bone\"", ""],
            ["rail", "a section with height", ""],
            ["lining", "true where it has one", ""],
        ];
        assert_eq!(said, expected);
        assert_eq!((keys[1].below[0].name, keys[1].below[0].in_unit()), ("height", " [m]".to_owned()));
        let read: Curtain = toml::from_str("weave = \"plain\"\nlining = true\nrail = { height = 2 }").expect("a curtain");
        assert!(matches!(read.weave, Some(Weave::Plain)) && read.lining == Some(true) && read.rail.0.height.get() == 2.0);
        assert!(toml::from_str::<Curtain>("rail = { height = 2 }\nrings = 9").is_err());
    }
}
