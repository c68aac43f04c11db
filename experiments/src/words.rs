//! Kinds that have a word each, in profiles and in tables.

/// An enum of kinds and their words: all of them in order, each by its word, which a profile may hold and serde writes.
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

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $crate::ranges::Ranged for $name {
            fn read(value: &toml::Value) -> Result<$name, $crate::ranges::Unfit> {
                let found = $name::ALL.into_iter().find(|kind| value.as_str() == Some(kind.name()));
                found.ok_or_else(|| $crate::ranges::another(&format!("one of {}", $name::ALL.map($name::name).join(", ")), value))
            }
        }
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
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
        assert_eq!(Weather::read(&Value::from("a shower")), Ok(Weather::Rain));
        assert_eq!(serde_json::to_string(&Weather::Sun).unwrap(), "\"sunny\"");
        let why = |value: Value| Weather::read(&value).unwrap_err().why;
        assert_eq!(why(Value::from("snow")), "must be one of sunny, a shower, not \"snow\"");
        assert_eq!(why(Value::from(vec![1])), "must be one of sunny, a shower, not a list");
    }
}
