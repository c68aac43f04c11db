//! Hashes of all that decides the claims of a study, frozen before sets are measured that nobody has seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::judge::claims::Claim;
use crate::measure::identity::sha256;

/// The hashes of all that decides, the day on which they were frozen, and the seed that follows.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    pub study: String,
    /// The day on which it was frozen.
    pub on: String,
    /// Hash of what follows but the seed.
    pub hash: String,
    /// Base seed of the sets, which nobody could choose; a text, since TOML has no numbers of this size.
    pub seed: String,
    pub decides: Decides,
}

/// Hashes of all that decides.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Decides {
    /// Hash of the sources that measure and judge, and of the packages of others beneath them.
    pub sources: String,
    /// Hash of the ranges of the profile.
    pub ranges: String,
    /// Sets of each group.
    pub sets: BTreeMap<String, u64>,
    /// Hash of each rule without its readings, which decide nothing.
    pub claims: BTreeMap<String, String>,
}

/// Text that freezes nothing.
#[derive(Debug, Error)]
pub enum FrozenError {
    #[error("{0}")]
    Unreadable(#[from] toml::de::Error),
    /// A hash or a seed that does not follow from the rest.
    #[error("its hash and seed do not follow from what it says decides")]
    Altered,
}

impl Decides {
    /// Claims, each with the hash of its rule.
    pub fn claims<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> BTreeMap<String, String> {
        let rule = |claim: &Claim| {
            let mut rule = claim.rule.clone().unwrap_or_default();
            rule.remove("reading");
            // keys of a table are in order
            sha256(serde_json::to_string(&rule).unwrap_or_default())
        };
        claims.into_iter().map(|claim| (claim.id.clone(), rule(claim))).collect()
    }

    fn hash(&self) -> String {
        sha256(serde_json::to_string(self).unwrap_or_default())
    }

    /// The first difference from what decides `now`, in words.
    pub fn difference(&self, now: &Decides) -> Option<String> {
        let claims = self.claims.keys().chain(now.claims.keys());
        if let Some(claim) = claims.into_iter().find(|claim| self.claims.get(*claim) != now.claims.get(*claim)) {
            return Some(format!("the rule of {claim}"));
        }
        let groups = self.sets.keys().chain(now.sets.keys());
        if let Some(group) = groups.into_iter().find(|group| self.sets.get(*group) != now.sets.get(*group)) {
            return Some(format!("the number of sets of {group}"));
        }
        if self.ranges != now.ranges {
            return Some("the ranges of the profile".into());
        }
        (self.sources != now.sources).then(|| "the sources that measure and judge".into())
    }
}

/// The first eight bytes, big-endian, of SHA-256 over a study and a hash (SPEC 14).
fn seed(study: &str, hash: &str) -> u64 {
    let digest = Sha256::digest(format!("held out\n{study}\n{hash}"));
    digest.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

impl Frozen {
    /// Freezes what decides a study.
    pub fn new(study: &str, on: String, decides: Decides) -> Frozen {
        let hash = decides.hash();
        Frozen { study: study.into(), on, seed: seed(study, &hash).to_string(), hash, decides }
    }

    /// Reads one.
    ///
    /// # Errors
    /// As [`FrozenError`] says.
    pub fn read(text: &str) -> Result<Frozen, FrozenError> {
        let frozen: Frozen = toml::from_str(text)?;
        let again = Frozen::new(&frozen.study, frozen.on.clone(), frozen.decides.clone());
        if again == frozen { Ok(frozen) } else { Err(FrozenError::Altered) }
    }

    /// The base seed of its sets.
    pub fn seed(&self) -> u64 {
        seed(&self.study, &self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decides() -> Decides {
        let claims = [("A".to_owned(), "1".to_owned()), ("B".into(), "2".into())];
        Decides { sources: "s".into(), ranges: "r".into(), sets: [("main".into(), 5)].into(), claims: claims.into() }
    }

    #[test]
    fn what_is_frozen_comes_back_and_nothing_else_does() {
        let frozen = Frozen::new("aimex", "2026-12-01".into(), decides());
        let text = toml::to_string(&frozen).unwrap();
        assert_eq!(Frozen::read(&text).unwrap(), frozen);
        assert_eq!(frozen.seed.parse(), Ok(frozen.seed()));
        for (from, to) in
            [("main = 5", "main = 6"), ("A = \"1\"", "A = \"3\""), (&*format!("seed = \"{}\"", frozen.seed), "seed = \"1\"")]
        {
            assert!(text.contains(from), "{text}");
            assert!(matches!(Frozen::read(&text.replace(from, to)), Err(FrozenError::Altered)), "{to}");
        }
        assert!(matches!(Frozen::read("study = 3"), Err(FrozenError::Unreadable(_))));
        assert_ne!(Frozen::new("tearing", frozen.on.clone(), decides()).seed, frozen.seed, "studies share no sets");
    }

    #[test]
    fn the_first_thing_that_changed_is_named() {
        let changed = |change: fn(&mut Decides)| {
            let mut now = decides();
            change(&mut now);
            decides().difference(&now)
        };
        assert_eq!(changed(|_| {}), None);
        let told = |change| changed(change).unwrap();
        assert_eq!(told(|now| now.sources.clear()), "the sources that measure and judge");
        assert_eq!(told(|now| now.ranges.clear()), "the ranges of the profile");
        assert_eq!(told(|now| now.sets.clear()), "the number of sets of main");
        assert_eq!(told(|now| _ = now.claims.remove("B")), "the rule of B");
        assert_eq!(told(|now| _ = now.claims.insert("C".into(), "3".into())), "the rule of C");
    }

    #[test]
    fn readings_and_words_do_not_decide() {
        let claim = |rule: &str, reason: &str| {
            let rule = format!("[rule]\nkind = \"check\"\n{rule}");
            let text = format!(
                "id = \"A\"\nwhere = \"\"\nquantity = \"\"\npublished = \"\"\nstudy = \"study\"\nreason = \"{reason}\"\n{rule}"
            );
            toml::from_str::<Claim>(&text).unwrap()
        };
        let hash = |claim: Claim| Decides::claims([&claim])["A"].clone();
        let usual = hash(claim("number = [{ direction = \"< 1\" }]", ""));
        assert_eq!(hash(claim("number = [{ direction = \"< 1\" }]\nreading = [{ name = \"a\" }]", "b")), usual);
        assert_ne!(hash(claim("number = [{ direction = \"< 2\" }]", "")), usual);
    }
}
