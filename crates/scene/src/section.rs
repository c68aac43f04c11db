//! What is read from a section of its own, and what from a name.

use std::fmt;
use std::iter;
use std::marker::PhantomData;

use serde::de::value::{self, EnumAccessDeserializer, MapAccessDeserializer, MapDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::key::{Key, Takes, alike, one_of, takes, variants};
use super::mistake::MISSING;
use cloth::quantity::NonNegative;

/// A section, and nothing else: serde would take a list for it too, key by key.
pub(super) fn section<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<T, D::Error> {
    T::deserialize(Keys(source))
}

/// What reads sections from a source, or several of them from a map, and nothing else.
struct Keys<T>(T);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Keys<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Keys(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Keys<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a section")
    }

    fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(keys)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Keys<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Keys(seed))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Keys<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Keys(source))
    }
}

/// A section as a value of its own.
pub(super) struct Keyed<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Keyed<T>, D::Error> {
        section(source).map(Keyed)
    }
}

/// A section without keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bare {}

alike!(Keyed<T>);
takes!(Bare: "a section without keys");

/// One of several things, `T` an enum of sections: by its name in quotes, `"rk4"`, or with keys in a section of that name,
/// `[integrator.imex]`.
pub(super) struct Choice<T>(pub T);

impl<T: Takes> Takes for Choice<T> {
    fn words() -> String {
        format!("{}, or {}", one_of(T::keys().iter().map(|key| key.name)), T::words())
    }

    fn keys() -> Vec<Key> {
        T::keys()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Choice<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Choice<T>, D::Error> {
        source.deserialize_any(Named(PhantomData)).map(Choice)
    }
}

/// Reads a [`Choice`].
struct Named<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a name or a section")
    }

    /// A name stands for its section without keys.
    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        let bare = MapDeserializer::<_, value::Error>::new(iter::empty::<(&str, &str)>());
        let section = MapDeserializer::new(iter::once((name.to_owned(), bare)));
        T::deserialize(MapAccessDeserializer::new(section)).map_err(|error| {
            let message = error.to_string();
            E::custom(if message.starts_with(MISSING) { format!("{message} of `{name}`") } else { message })
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut sections: A) -> Result<T, A::Error> {
        let chosen = T::deserialize(MapAccessDeserializer::new(Keys(&mut sections)))?;
        match sections.next_key::<String>()? {
            None => Ok(chosen),
            Some(other) => Err(A::Error::custom(format!("must be one choice, but `{other}` stands beside another one"))),
        }
    }
}

/// A number, or a section of keys, or where `K` is a [`Choice`] one of several things.
#[derive(Clone, Copy)]
pub(super) enum NumberOr<K> {
    Number(NonNegative),
    Keys(K),
}

impl<K: Takes> Takes for NumberOr<K> {
    fn words() -> String {
        format!("{}, or {}", NonNegative::words(), K::words())
    }

    fn keys() -> Vec<Key> {
        K::keys()
    }
}

impl<'de, K: Deserialize<'de>> Deserialize<'de> for NumberOr<K> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<NumberOr<K>, D::Error> {
        struct NumberOrKeys<K>(PhantomData<K>);

        impl<'de, K: Deserialize<'de>> Visitor<'de> for NumberOrKeys<K> {
            type Value = NumberOr<K>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a number, a name or a section")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<NumberOr<K>, E> {
                NonNegative::try_from(number).map(NumberOr::Number).map_err(E::custom)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<NumberOr<K>, E> {
                self.visit_f64(number as f64)
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<NumberOr<K>, E> {
                K::deserialize(name.into_deserializer()).map(NumberOr::Keys)
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<NumberOr<K>, A::Error> {
                K::deserialize(MapAccessDeserializer::new(keys)).map(NumberOr::Keys)
            }
        }

        source.deserialize_any(NumberOrKeys(PhantomData))
    }
}

/// One of several things by its name: a plain one of a registry, or one of the enum `O`, whose sections have keys of their own.
pub(super) enum Listed<P, O> {
    Plain(P),
    Own(O),
}

/// A plain thing of a registry with the keys of its section.
pub(super) trait Plain: Sized {
    /// The key whose sections are named for such things.
    const KEY: &'static str;
    /// Of the registry.
    type Entry;
    /// Their sections.
    fn keys() -> Vec<Key>;
    /// The entry of that name.
    fn find(name: &str) -> Option<Self::Entry>;
    /// Its section.
    fn read<'de, A: VariantAccess<'de>>(entry: Self::Entry, section: A) -> Result<Self, A::Error>;
}

impl<P: Plain, O: Takes> Takes for Listed<P, O> {
    fn words() -> String {
        O::words()
    }

    fn keys() -> Vec<Key> {
        P::keys().into_iter().chain(O::keys()).collect()
    }
}

impl<'de, P: Plain, O: Deserialize<'de>> Deserialize<'de> for Listed<P, O> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Listed<P, O>, D::Error> {
        source.deserialize_enum(P::KEY, &[], ByName(PhantomData))
    }
}

/// Reads a [`Listed`].
struct ByName<T>(PhantomData<T>);

impl<'de, P: Plain, O: Deserialize<'de>> Visitor<'de> for ByName<Listed<P, O>> {
    type Value = Listed<P, O>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a section")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, sections: A) -> Result<Listed<P, O>, A::Error> {
        let (name, section) = sections.variant_seed(NameOf(PhantomData::<Listed<P, O>>))?;
        match P::find(&name) {
            Some(entry) => P::read(entry, section).map(Listed::Plain),
            None => O::deserialize(EnumAccessDeserializer::new(Chosen { name, section })).map(Listed::Own),
        }
    }
}

/// A name of one of several sections. It is checked while it is read, so that a mistake is found on its line.
struct NameOf<T>(PhantomData<T>);

impl<'de, P: Plain, O: Deserialize<'de>> DeserializeSeed<'de> for NameOf<Listed<P, O>> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<String, D::Error> {
        let name = String::deserialize(source)?;
        if P::find(&name).is_some() || variants::<O>().any(|own| own == name) {
            Ok(name)
        } else {
            Err(D::Error::unknown_variant(&name, &[]))
        }
    }
}

/// A section whose name is read.
struct Chosen<A> {
    name: String,
    section: A,
}

impl<'de, A: VariantAccess<'de>> EnumAccess<'de> for Chosen<A> {
    type Error = A::Error;
    type Variant = A;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, A), A::Error> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self.section))
    }
}
