//! What a result depends on: two runs of equal identity have equal rows.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Everything that decides the rows of a study but the number of its sets.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Identity {
    /// Name of the study.
    pub study: String,
    /// Base seed.
    pub seed: u64,
    /// Hash of the profile's ranges for this study, the numbers of sets left out.
    pub ranges: String,
    /// Hash of the sources, the lock file, the compiler and its flags.
    pub code: String,
}

impl Identity {
    /// Why results of identity `self` cannot go on under `other`, or nothing if they can.
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.study != other.study {
            return Some(format!("of the study {}, this run is of {}", self.study, other.study));
        }
        if self.seed != other.seed {
            return Some(format!("of the seed {}, this run has {}", self.seed, other.seed));
        }
        if self.ranges != other.ranges {
            return Some("of a profile with other ranges".into());
        }
        (self.code != other.code).then(|| "of another version of the program".into())
    }
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hash of a profile's ranges for a study, whatever its numbers of sets.
pub fn hash_of_ranges(ranges: &impl Serialize) -> String {
    let mut value = serde_json::to_value(ranges).unwrap_or_default();
    without_sets(&mut value);
    sha256(value.to_string())
}

fn without_sets(value: &mut serde_json::Value) {
    if let Some(object) = value.as_object_mut() {
        object.remove("sets");
        object.values_mut().for_each(without_sets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity { study: "a".into(), seed: 1, ranges: "r".into(), code: "c".into() }
    }

    #[test]
    fn the_number_of_sets_is_no_part_of_the_identity() {
        let ranges = |sets: u64, steps: u64| serde_json::json!({"group": {"sets": sets, "steps": steps}});
        assert_eq!(hash_of_ranges(&ranges(500, 10)), hash_of_ranges(&ranges(600, 10)));
        assert_ne!(hash_of_ranges(&ranges(500, 10)), hash_of_ranges(&ranges(500, 11)));
    }

    #[test]
    fn differences_are_named() {
        assert_eq!(identity().difference(&identity()), None);
        let other = Identity { seed: 2, ..identity() };
        assert_eq!(identity().difference(&other).unwrap(), "of the seed 1, this run has 2");
        assert!(identity().difference(&Identity { ranges: "x".into(), ..identity() }).unwrap().contains("profile"));
        assert!(identity().difference(&Identity { code: "x".into(), ..identity() }).unwrap().contains("version"));
    }

    #[test]
    fn sha256_of_a_known_text() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
