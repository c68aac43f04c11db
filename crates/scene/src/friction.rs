//! Friction as it is written: of a scene, of one of its solids, or of cloth on cloth.

use serde::{Deserialize, Deserializer};

use super::key::{Key, Takes, section};
use super::section::{Choice, NumberOr};
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
        Ok(FrictionKey(match NumberOr::deserialize(source)? {
            NumberOr::Number(mu) => Friction::even(mu.get()),
            NumberOr::Keys(Choice(law)) => FrictionSection::friction(law),
        }))
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
