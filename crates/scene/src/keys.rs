//! The keys of a scene file: what each takes, and where it belongs.

use std::sync::LazyLock;

use super::document::Document;
use super::key::{Key, Takes};
use super::mistake::Problem;
use super::nearest::did_you_mean;

/// Every key by its path: sections stand before their keys, in the order of their declarations.
static TABLE: LazyLock<Vec<(String, Key)>> = LazyLock::new(|| {
    let mut table = vec![];
    add("", Document::keys(), &mut table);
    table
});

/// Adds the keys of a section, and those below.
fn add(section: &str, keys: Vec<Key>, table: &mut Vec<(String, Key)>) {
    for mut key in keys {
        let path = if section.is_empty() { key.name.to_owned() } else { format!("{section}.{}", key.name) };
        let below = std::mem::take(&mut key.below);
        table.push((path.clone(), key));
        add(&path, below, table);
    }
}

/// The names of the keys of a section.
pub(super) fn names(section: &str) -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(move |(path, _)| parted(path).0 == section).map(|(_, key)| key.name)
}

/// The key of a path, none where there is none.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    TABLE.iter().find(|(known, _)| known == path).map(|(_, key)| key)
}

/// The paths of all keys.
#[cfg(test)]
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(path, _)| path.as_str())
}

/// A path split into its section and its key.
fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// The key that is missing in a section.
pub(super) fn missing(section: &str, name: &str) -> Problem {
    let path = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
    find(&path).map_or_else(|| Problem::Syntax(format!("missing `{path}`")), |key| Problem::missing(section, key))
}

/// A key that its section does not have.
pub(super) fn unknown(section: &str, key: &str) -> Problem {
    let known: Vec<&str> = names(section).collect();
    let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let belongs = belongs(section, key);
    let instead = if belongs.is_empty() { did_you_mean(key, known) } else { belongs };
    let remedy = format!("known here: {listed}{instead}");
    Problem::UnknownKey { key: key.to_owned(), section: section.to_owned(), remedy }
}

/// Most places that are named for a key that stands in the wrong one.
const MOST_PLACES: usize = 3;

/// Where a key that stands in the wrong section belongs, as the end of a sentence.
fn belongs(section: &str, key: &str) -> String {
    let place = |of: &str| match of.strip_prefix("solid.") {
        Some(kind) => format!("in the {kind} of a [[solid]]"),
        None if ["solid", "motion", "guide", "tearing.seam"].contains(&of) => format!("in a [[{of}]]"),
        None if of.is_empty() => "at the top, before the first [section]".to_owned(),
        None => format!("in [{of}]"),
    };
    let homes = TABLE.iter().map(|(path, _)| parted(path)).filter(|(of, known)| *known == key && *of != section);
    let mut homes: Vec<&str> = homes.map(|(of, _)| of).collect();
    homes.sort_by_key(|of| (parted(of).0 != parted(section).0, of.matches('.').count())); // stable: beside it, then above
    let mut places: Vec<String> = homes.into_iter().map(place).collect();
    if places.len() > MOST_PLACES {
        places.truncate(MOST_PLACES);
        places.push("elsewhere".to_owned());
    }
    if places.is_empty() { String::new() } else { format!("; `{key}` belongs {}", places.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_documentation_states_the_units_of_the_keys() {
        let named = |line: &&str, key: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == key);
        let documented = |key: &str| -> BTreeSet<&str> {
            let lines = include_str!("every_key.toml").lines().filter(|line| named(line, key));
            lines.flat_map(|line| line.split('[').skip(1)).filter_map(|rest| Some(rest.split_once(']')?.0)).collect()
        };
        let units: Vec<(&str, &str)> =
            TABLE.iter().map(|(path, key)| (path.as_str(), key.unit)).filter(|(_, unit)| !unit.is_empty()).collect();
        assert!(units.len() > 40, "{}", units.len());
        for (path, unit) in units {
            let documented = documented(parted(path).1);
            let all =
                unit.split([',']).map(|unit| unit.trim_start_matches(" on a continuum ").trim_start_matches(" of springs "));
            assert!(all.into_iter().all(|unit| documented.contains(unit)), "{path} [{unit}]: {documented:?}");
        }
    }
}
