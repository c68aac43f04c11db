//! Fabrics by name: `material = "denim"`, or a key of the section.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::MaterialSection;
use crate::key::{Key, Takes, one_of};
use cloth::{MEASURED, Measured};

/// A fabric that was measured.
#[derive(Clone, Copy)]
pub(super) struct Named(pub &'static Measured);

impl Takes for Named {
    fn words() -> String {
        one_of(MEASURED.iter().map(|fabric| fabric.name))
    }
}

impl Takes for MaterialKey {
    fn words() -> String {
        format!("{}, or {}", Named::words(), MaterialSection::words())
    }

    fn keys() -> Vec<Key> {
        MaterialSection::keys()
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Named, D::Error> {
        let name = String::deserialize(source)?;
        Measured::named(&name).map(Named).ok_or_else(|| D::Error::custom("no fabric"))
    }
}

/// The material of a scene: the name of a fabric, or a section.
pub enum MaterialKey {
    Fabric(&'static Measured),
    Section(Box<MaterialSection>),
}

impl<'de> Deserialize<'de> for MaterialKey {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<MaterialKey, D::Error> {
        struct NameOrKeys;

        impl<'de> Visitor<'de> for NameOrKeys {
            type Value = MaterialKey;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a name or a section")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<MaterialKey, E> {
                Measured::named(name).map(MaterialKey::Fabric).ok_or_else(|| E::custom("no fabric"))
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<MaterialKey, A::Error> {
                MaterialSection::deserialize(MapAccessDeserializer::new(keys))
                    .map(|section| MaterialKey::Section(Box::new(section)))
            }
        }

        source.deserialize_any(NameOrKeys)
    }
}

impl MaterialSection {
    /// Of the key, where it stands.
    pub fn of(key: Option<Spanned<MaterialKey>>) -> MaterialSection {
        let Some(key) = key else { return MaterialSection::default() };
        let span = key.span();
        match key.into_inner() {
            MaterialKey::Section(section) => *section,
            MaterialKey::Fabric(fabric) => {
                MaterialSection { fabric: Some(Spanned::new(span, Named(fabric))), ..MaterialSection::default() }
            }
        }
    }
}
