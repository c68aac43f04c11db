//! Friction as it is written: of a scene, of one of its solids, or of cloth on cloth.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::key::{Key, Takes, section};
use super::section::Choice;
use cloth::contact::{Coulomb, Friction};
use cloth::quantity::{NonNegative, Positive};

section! {
    /// The laws of friction by name. What is left out is as in [`Coulomb::default`].
    enum FrictionSection = "a section [friction.coulomb]" {
        Coulomb("coulomb", "a section") {
            mu_s: Option<NonNegative>,
            mu_k: Option<NonNegative>,
            threshold["m/s"]: Option<Positive>,
        },
        Sticking("sticking", "a section without keys") {},
    }
}

impl FrictionSection {
    fn friction(self) -> Friction {
        let FrictionSection::Coulomb { mu_s, mu_k, threshold } = self else { return Friction::Sticking };
        let law = Coulomb::default();
        Friction::Coulomb(Coulomb {
            still: mu_s.map_or(law.still, NonNegative::get),
            sliding: mu_k.map_or(law.sliding, NonNegative::get),
            threshold: threshold.map_or(law.threshold, Positive::get),
        })
    }
}

/// A law of friction: by its name, as a section, or as a number that is both coefficients.
#[derive(Clone, Copy)]
pub(super) struct FrictionKey(pub Friction);

impl Takes for FrictionKey {
    fn words() -> String {
        format!("a number, zero or above, or {}", Choice::<FrictionSection>::words())
    }

    fn keys() -> Vec<Key> {
        FrictionSection::keys()
    }
}

impl<'de> Deserialize<'de> for FrictionKey {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<FrictionKey, D::Error> {
        source.deserialize_any(Read).map(FrictionKey)
    }
}

/// The law of one thing in place of that of the scene, in the same words.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(super) struct OwnFriction(FrictionKey);

impl OwnFriction {
    pub fn law(self) -> Friction {
        self.0.0
    }
}

impl Takes for OwnFriction {
    fn words() -> String {
        "a number, zero or above, or a law as at the key `friction` of the scene".to_owned()
    }
}

/// Reads a [`FrictionKey`].
struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Friction;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a number, a name or a section")
    }

    fn visit_f64<E: Error>(self, mu: f64) -> Result<Friction, E> {
        NonNegative::try_from(mu).map(|mu| Friction::even(mu.get())).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, mu: i64) -> Result<Friction, E> {
        self.visit_f64(mu as f64)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Friction, E> {
        let Choice(law) = Choice::<FrictionSection>::deserialize(name.into_deserializer())?;
        Ok(law.friction())
    }

    fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Friction, A::Error> {
        let Choice(law) = Choice::<FrictionSection>::deserialize(MapAccessDeserializer::new(keys))?;
        Ok(law.friction())
    }
}
