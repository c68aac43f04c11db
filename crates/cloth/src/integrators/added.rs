use std::sync::OnceLock;

use super::{IntegratorEntry, PLAIN};

/// Schemes of other crates.
static ADDED: OnceLock<&'static [IntegratorEntry]> = OnceLock::new();

/// A scheme that cannot be added.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotAdded {
    /// There is another one of its name.
    #[error("there is an integrator `{0}` already")]
    NameTaken(&'static str),
    /// Schemes were added before.
    #[error("integrators are added once, all of them")]
    Twice,
}

/// Makes schemes of another crate known: scenes, `clothlab keys`, `race` and `validate` then take them by their names. Once, before a
/// scene is read.
///
/// # Errors
/// A name that another scheme has, and a second call.
pub fn add(schemes: &'static [IntegratorEntry]) -> Result<(), NotAdded> {
    for (place, entry) in schemes.iter().enumerate() {
        if PLAIN.iter().chain(&schemes[..place]).any(|other| other.name == entry.name) {
            return Err(NotAdded::NameTaken(entry.name));
        }
    }
    ADDED.set(schemes).map_err(|_| NotAdded::Twice)
}

/// [`PLAIN`], and what was added to it.
pub fn entries() -> impl Iterator<Item = &'static IntegratorEntry> + Clone {
    PLAIN.iter().chain(ADDED.get().copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::Rk4;

    #[test]
    fn names_are_taken_once() {
        static TWICE: [IntegratorEntry; 2] =
            [IntegratorEntry { name: "rk5", ..Rk4::ENTRY }, IntegratorEntry { name: "rk5", ..Rk4::ENTRY }];
        static TAKEN: [IntegratorEntry; 1] = [Rk4::ENTRY];
        assert_eq!(add(&TWICE), Err(NotAdded::NameTaken("rk5")));
        assert_eq!(add(&TAKEN), Err(NotAdded::NameTaken("rk4")));
        assert!(entries().eq(PLAIN.iter()));
    }
}
