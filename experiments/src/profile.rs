use std::path::Path;

use lab::files::read_text_within;
use toml::Value;
use toml::de::DeTable;

use crate::Failure;
use crate::ranges::{Ranged, Unfit};
use crate::studies::Ranges;
use crate::units::behind;

/// Sample sizes and ranges of all studies, with the name they go by.
pub struct Profile {
    /// `smoke`, `paper`, or the file that it comes from.
    pub name: String,
    /// What it holds.
    pub ranges: Ranges,
}

const SHIPPED: [(&str, &str); 2] =
    [("paper", include_str!("../profiles/paper.toml")), ("smoke", include_str!("../profiles/smoke.toml"))];

/// The sections of `validation` at the sizes of `clothlab validate`.
const QUICK: [&str; 2] = ["experiments/profiles/validate.toml", include_str!("../profiles/validate.toml")];

/// Largest profile \[bytes\].
const LARGEST: u64 = 4_000_000;

impl Profile {
    /// A shipped profile by its name, or one from a file.
    ///
    /// # Errors
    /// A name that is neither, or a file that does not say what a profile must.
    pub fn load(name: &str) -> Result<Profile, Failure> {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            return Profile::parse(name, text);
        }
        if !name.ends_with(".toml") {
            return Err(Failure::Usage(format!("there is no profile `{name}`; give paper, smoke or a file that ends in .toml")));
        }
        match read_text_within(Path::new(name), LARGEST) {
            Ok(text) => Profile::parse(name, &text),
            Err(error) => Err(Failure::Usage(format!("{error}; {REMEDY}"))),
        }
    }

    /// That of `clothlab validate`.
    ///
    /// # Errors
    /// A shipped profile that cannot be read.
    pub fn quick() -> Result<Profile, Failure> {
        let [name, text] = QUICK;
        Profile::parse(name, text)
    }

    fn parse(name: &str, text: &str) -> Result<Profile, Failure> {
        let table = completed(text).parse().map_err(|error| Failure::Usage(mistake(name, text, &error)))?;
        let ranges = Ranges::read(&Value::Table(table)).and_then(|ranges| ranges.check().map(|()| ranges));
        let ranges = ranges.map_err(|unfit| Failure::Usage(misfit(name, text, &unfit)))?;
        Ok(Profile { name: name.into(), ranges })
    }
}

/// A profile with the sections of the studies that it does not name, as the paper profile has them, behind its own lines; one that
/// names no study stays as it is.
fn completed(text: &str) -> String {
    let Ok(document) = DeTable::parse(text) else { return text.to_owned() };
    let named: Vec<&str> = document.get_ref().keys().map(|key| key.get_ref().as_ref()).collect();
    let mut completed = text.to_owned();
    let mut wanted = false;
    for line in SHIPPED[0].1.lines().filter(|_| !named.is_empty()) {
        if line.starts_with('[') {
            let study = line.trim_start_matches('[').split(['.', ']']).next().unwrap_or_default();
            wanted = !named.contains(&study);
        }
        if wanted {
            completed += "\n";
            completed += line;
        }
    }
    completed
}

/// The remedy of every mistake.
const REMEDY: &str = "see experiments/profiles/paper.toml";

/// What is wrong with a value of a profile, on one line: file, line, what stands there, key, why.
fn misfit(file: &str, text: &str, Unfit { key, why }: &Unfit) -> String {
    let document = DeTable::parse(text).ok();
    let mut table = document.as_ref().map(|document| document.get_ref());
    let mut start = 0;
    for name in key.split('.') {
        let Some((key, value)) = table.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == name)) else { break };
        start = key.span().start;
        table = value.get_ref().as_table();
    }
    let (number, line) = line_at(text, start);
    format!("{file}, line {number}, `{line}`: `{key}`{} {why}; {REMEDY}", behind(key))
}

/// Number, from 1, and text of the line at an offset.
fn line_at(text: &str, offset: usize) -> (usize, &str) {
    let number = text.get(..offset).unwrap_or(text).matches('\n').count();
    (number + 1, text.lines().nth(number).unwrap_or_default().trim())
}

/// Text that is not TOML, on one line: file, line, what stands there, what is wrong.
fn mistake(file: &str, text: &str, error: &toml::de::Error) -> String {
    let (number, line) = line_at(text, error.span().map_or(0, |span| span.start));
    format!("{file}, line {number}, `{line}`: {}; {REMEDY}", error.message().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use lab::judge::criterion::FEWEST;

    use crate::units::unit;

    use super::*;

    fn refused(from: &str, to: &str) -> String {
        let text = SHIPPED[0].1.replacen(from, to, 1);
        assert_ne!(text, SHIPPED[0].1);
        let refused = Profile::parse("my.toml", &text).err().expect("a mistake").to_string();
        assert!(!refused.contains('\n'), "{refused}");
        refused
    }

    #[test]
    fn shipped_profiles_are_read() {
        for (name, _) in SHIPPED {
            assert!(Profile::load(name).is_ok(), "{name}");
        }
        assert!(Profile::quick().is_ok());
    }

    #[test]
    fn samples_that_verdicts_take_an_interval_of_are_large_enough() {
        let paper: toml::Table = SHIPPED[0].1.parse().unwrap();
        let order_statistics = 6; // the fewest values whose extremes are a 95 % interval of the median
        let samples = [
            ("fast-projection", "chain", "repeats", order_statistics),
            ("fast-projection", "drape", "repeats", order_statistics),
            ("impulse-strips", "times", "repeats", order_statistics),
            ("generalized-alpha", "map", "nudges", order_statistics),
            ("generalized-alpha", "swings", "sets", FEWEST as i64),
            ("generalized-alpha", "swings", "seeds", order_statistics),
            ("aimex", "runs", "laws", FEWEST as i64),
            ("aimex", "runs", "frictions", FEWEST as i64),
        ];
        for (study, group, key, fewest) in samples {
            let sample = paper[study][group][key].as_integer().unwrap();
            assert!(sample >= fewest, "[{study}.{group}] {key} = {sample}, {fewest} are needed");
        }
    }

    /// Every value that is no section, by its key and once for each that a list holds.
    fn values(key: &str, value: &Value, found: &mut Vec<(String, Value)>) {
        let below = |name: &String| if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
        match value {
            Value::Table(table) => table.iter().for_each(|(name, value)| values(&below(name), value, found)),
            Value::Array(list) => list.iter().for_each(|value| values(key, value, found)),
            value => found.push((key.to_owned(), value.clone())),
        }
    }

    #[test]
    fn every_number_has_a_unit_or_counts() {
        for (name, text) in SHIPPED {
            let mut found = vec![];
            values("", &Value::Table(text.parse().unwrap()), &mut found);
            assert!(found.len() > 500, "{name}: {}", found.len());
            for (key, value) in found {
                assert!(!value.is_float() || unit(&key).is_some(), "{name}: {key} = {value} has no unit");
                assert!(!value.is_str() || unit(&key).is_none(), "{name}: {key} = {value} has a unit");
                // what is a whole number and no count is one of these
                let whole = ["1/s", "s"].contains(&unit(&key).unwrap_or("1/s"));
                assert!(!value.is_integer() || whole, "{name}: {key} = {value} is a count");
            }
        }
    }

    #[test]
    fn shipped_profiles_state_the_units_beside_their_numbers() {
        for (name, text) in SHIPPED {
            let mut section = "";
            let mut stated = 0;
            for line in text.lines() {
                if let Some(header) = line.strip_prefix('[') {
                    section = header.trim_start_matches('[').trim_end_matches(']');
                }
                let Some((key, value)) = line.split_once(" = ").filter(|(_, value)| !value.contains(['{', '"'])) else {
                    continue;
                };
                let unit = behind(&format!("{section}.{key}"));
                if value.ends_with(|c: char| c != '[') && !unit.is_empty() {
                    assert!(value.ends_with(&format!(" #{unit}")), "{name}, [{section}]: `{line}` has no {unit}");
                    stated += 1;
                }
            }
            assert!(stated > 200, "{name}: {stated}");
        }
    }

    #[test]
    fn a_study_alone_is_a_profile() {
        let section = SHIPPED[0].1.split_once("[preconditioners.systems]").map(|(_, rest)| rest).unwrap();
        let end = section.find("\n[decomposition").or_else(|| section.find("\n# Goldenthal")).unwrap();
        let text = format!("[preconditioners.systems]{}", section[..end].replacen("duration = 1.0", "duration = 0.5", 1));
        let profile = Profile::parse("my.toml", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let paper = Profile::load("paper").unwrap_or_else(|failure| panic!("{failure}"));
        let shown = |ranges: &Ranges| toml::to_string(ranges).unwrap();
        assert_ne!(shown(&profile.ranges), shown(&paper.ranges));
        assert_eq!(shown(&profile.ranges).replacen("duration = 0.5", "duration = 1.0", 1).len(), shown(&paper.ranges).len());
        assert!(Profile::parse("my.toml", "").is_err(), "no study at all");
        let mistaken = Profile::parse("my.toml", "\n[aimex.runs]\nsets = 0\n").err().unwrap().to_string();
        assert!(mistaken.contains("line 3"), "{mistaken}");
    }

    #[test]
    fn damaged_profiles_are_read_or_refused_in_one_line() {
        let text = SHIPPED[1].1;
        let lines: Vec<&str> = text.lines().collect();
        let mut state = 1_u64;
        let mut draw = |end: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        let values = ["0", "-1", "1e308", "nan", "\"\"", "[]", "[1e-300]", "9223372036854775808", "{}", "\u{1b}", "true", "1.5"];
        for case in 0..500 {
            let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let at = draw(lines.len());
            match draw(4) {
                0 => _ = lines.remove(at),
                1 => lines.truncate(at),
                2 => lines[at] = lines[at].chars().rev().collect(),
                _ => {
                    lines[at] =
                        lines[at].split_once('=').map_or("?".into(), |(key, _)| format!("{key}= {}", values[draw(values.len())]))
                }
            }
            let refused = Profile::parse("my.toml", &lines.join("\n")).err().map(|failure| failure.to_string());
            assert!(
                refused.is_none_or(|message| message.starts_with("my.toml, line ") && !message.contains('\n')),
                "case {case}"
            );
        }
    }

    #[test]
    fn mistakes_name_line_and_key() {
        let negative = refused("density = [0.01", "density = [-0.01");
        assert!(negative.contains("line 9, `density = [-0.01, 0.1, 1.0, 10.0, 100.0] # [kg/m²]`"), "{negative}");
        assert!(
            negative.contains("`fb-euler-stability.sheets.density") && negative.contains("above zero, not -0.01"),
            "{negative}"
        );
        let none = refused("sets = 500", "sets = 0");
        assert!(none.contains("line 6, `sets = 0`") && none.contains("a whole number from 1 to 1000000, not 0"), "{none}");
        let unknown = refused("steps = 1000", "stepz = 1000");
        assert!(unknown.contains(".stepz` is an unknown key") && unknown.contains("line 12"), "{unknown}");
        assert!(
            refused("[fb-euler-stability.scans]", "[fb-euler-stability.scan]")
                .contains("`fb-euler-stability.scan` is an unknown key")
        );
    }

    /// What is said of the shipped paper profile with `line` in place of the line of its key in `[section]`.
    fn refused_in(section: &str, line: &str) -> String {
        let text = SHIPPED[0].1;
        let key = format!("\n{} = ", line.split(" = ").next().unwrap());
        let header = format!("[{section}]\n");
        let start = text.find(&header).expect("the section");
        let first = start + text[start..].find(&key).expect("the key") + 1;
        let last = first + text[first..].find('\n').expect("its end");
        refused(&text[start..last], &format!("{}{line}", &text[start..first]))
    }

    #[test]
    fn values_without_reach_and_endless_runs_are_refused_with_their_key() {
        for (section, line, key, why) in [
            ("fb-euler-stability.sheets", "spacing = [1e300, 0.01]", "spacing", "must be at most 1e20 in magnitude"),
            ("fb-euler-stability.bars", "damping = 1e-300", "damping", "must be at least 1e-20 in magnitude"),
            ("impulse-strips.steps", "lengths = [1e200, 3.0]", "lengths", "must be at most 1e20 in magnitude"),
            ("aimex.runs", "duration = 1e12", "duration", "1.0e16 steps of 1e-4 s"),
            ("projected-damping.sets", "spacing = [1e20, 0.025]", "spacing", "steps of 5e-3 s"),
            ("fast-projection.drape", "compared_at = 1e6", "compared_at", "a run may have 1e7"),
            ("generalized-alpha.orders", "finer = 1000000", "finer", "a run may have 1e7"),
            ("fast-projection.residual", "halvings = 40", "halvings", "a whole number from 1 to 10"),
        ] {
            let message = refused_in(section, line);
            assert!(message.contains(&format!("`{line}`")) && message.contains(&format!("`{section}.{key}` ")), "{message}");
            assert!(message.contains(why) && message.ends_with(REMEDY), "{message}");
        }
    }
}
