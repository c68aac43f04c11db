use std::path::Path;

use lab::files::read_text_within;
use toml::de::DeTable;
use toml::{Table, Value};

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
    /// Keys of a profile that is not shipped and values that differ from those of the paper profile.
    differences: Vec<String>,
}

const SHIPPED: [(&str, &str); 2] =
    [("paper", include_str!("../profiles/paper.toml")), ("smoke", include_str!("../profiles/smoke.toml"))];

/// The sections of `validation` at the sizes of `clothlab validate`.
const QUICK: [&str; 2] = ["experiments/profiles/validate.toml", include_str!("../profiles/validate.toml")];

/// Largest profile \[bytes\].
const LARGEST: u64 = 4_000_000;

impl Profile {
    /// A shipped profile by its name, or one from a file; behind its name there may be settings, as [`Profile::with`] puts them there.
    ///
    /// # Errors
    /// A name that is neither, or a file that does not say what a profile must.
    pub fn load(name: &str) -> Result<Profile, Failure> {
        let mut parts = name.split(SETTING);
        let base = parts.next().unwrap_or_default();
        let text = match SHIPPED.iter().find(|(shipped, _)| *shipped == base) {
            Some((_, text)) => (*text).to_owned(),
            None if !base.ends_with(".toml") => {
                let meant = scene::did_you_mean(base, SHIPPED.map(|(shipped, _)| shipped));
                let remedy = "give paper, smoke or a file that ends in .toml";
                return Err(Failure::Usage(format!("there is no profile `{base}`; {remedy}{meant}")));
            }
            None => match read_text_within(Path::new(base), LARGEST) {
                Ok(text) => text,
                Err(error) => return Err(Failure::Usage(format!("{error}; {REMEDY}"))),
            },
        };
        let profile = Profile::parse(base, &text)?;
        let settings: Vec<&str> = parts.collect();
        if settings.is_empty() { Ok(profile) } else { Profile::set(base, &text, &settings) }
    }

    /// A profile with settings `key=value`, whose keys are those of these studies. Its name holds them with their whole keys, so that it
    /// can be loaded again.
    ///
    /// # Errors
    /// As [`Profile::load`]; a setting of a key that there is not, or of a value that it does not take.
    pub fn with(base: &str, settings: &[String], studies: &[&str]) -> Result<Profile, Failure> {
        let mut name = base.to_owned();
        for text in settings {
            let (key, value) = setting(text)?;
            name += &format!("{SETTING}{}={value}", whole_key(text, key, studies)?);
        }
        Profile::load(&name)
    }

    /// A profile whose text is well, with settings of whole keys.
    fn set(base: &str, text: &str, settings: &[&str]) -> Result<Profile, Failure> {
        let mut table = whole(base, text)?;
        for setting_text in settings {
            let (key, value) = setting(setting_text)?;
            let nested = key.rsplit('.').fold(value, |value, key| Value::Table(Table::from_iter([(key.to_owned(), value)])));
            if let Value::Table(changes) = nested {
                lay_over(&mut table, &changes);
            }
            // each setting by itself, so that the one at fault is named
            Ranges::read(&Value::Table(table.clone())).and_then(|ranges| ranges.check()).map_err(|Unfit { key, why }| {
                Failure::Usage(format!("`--set {setting_text}`: `{key}`{} {why}; {REMEDY}", behind(&key)))
            })?;
        }
        let name = std::iter::once(base).chain(settings.iter().copied()).collect::<Vec<_>>().join(SETTING);
        Profile::of(name, &table).map_err(|unfit| Failure::Usage(format!("{}: {}", unfit.key, unfit.why)))
    }

    /// The differences of a study from the paper profile, in words; nothing of a shipped profile.
    pub fn told(&self, study: &str) -> Option<String> {
        const SHOWN: usize = 6;
        let own = |difference: &&String| difference.strip_prefix(study).is_some_and(|rest| rest.starts_with('.'));
        let of_study: Vec<&str> = self.differences.iter().filter(own).map(|text| &text[study.len() + 1..]).collect();
        let rest = match of_study.len().saturating_sub(SHOWN) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let shown = of_study[..of_study.len().min(SHOWN)].join(", ");
        (!of_study.is_empty()).then(|| format!("as published but for {shown}{rest}"))
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
        let table = whole(name, text)?;
        Profile::of(name.into(), &table).map_err(|unfit| Failure::Usage(misfit(name, text, &unfit)))
    }

    fn of(name: String, table: &Table) -> Result<Profile, Unfit> {
        let ranges = Ranges::read(&Value::Table(table.clone())).and_then(|ranges| ranges.check().map(|()| ranges))?;
        let mut differing = vec![];
        if !SHIPPED.iter().any(|(shipped, _)| *shipped == name)
            && let Ok(paper) = paper()
        {
            differences(&paper, table, "", &mut differing);
        }
        Ok(Profile { name, ranges, differences: differing })
    }
}

/// The shipped paper profile.
fn paper() -> Result<Table, Failure> {
    SHIPPED[0].1.parse().map_err(|error| Failure::Internal(mistake(SHIPPED[0].0, SHIPPED[0].1, &error)))
}

/// A profile with what it does not name as the paper profile has it; one that names nothing stays empty, and is refused.
fn whole(name: &str, text: &str) -> Result<Table, Failure> {
    let stated: Table = text.parse().map_err(|error| Failure::Usage(mistake(name, text, &error)))?;
    if stated.is_empty() {
        return Err(Failure::Usage(format!("{name}, line 1: it names no key of a study; {REMEDY}")));
    }
    let mut table = paper()?;
    lay_over(&mut table, &stated);
    Ok(table)
}

/// Puts the values of one table in place of those of another; sections are gone through key by key.
fn lay_over(base: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (base.get_mut(key), value) {
            (Some(Value::Table(base)), Value::Table(changes)) => lay_over(base, changes),
            _ => _ = base.insert(key.clone(), value.clone()),
        }
    }
}

/// Values that differ from those of another table, each as its key and what stands there.
fn differences(base: &Table, other: &Table, within: &str, found: &mut Vec<String>) {
    for (key, value) in other {
        let path = if within.is_empty() { key.clone() } else { format!("{within}.{key}") };
        match (base.get(key), value) {
            (Some(Value::Table(base)), Value::Table(value)) => differences(base, value, &path, found),
            (was, value) if was != Some(value) => found.push(format!("{path} = {value}")),
            _ => {}
        }
    }
}

/// Paths of all sections and keys of a shipped profile, in the order of the file.
fn paths(text: &str) -> Vec<String> {
    let (mut section, mut found) = ("", vec![]);
    for line in text.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_matches(['[', ']']);
            found.push(section.to_owned());
        } else if let Some((key, _)) = line.split_once(" = ").filter(|(key, _)| !key.contains([' ', '#'])) {
            found.push(format!("{section}.{key}"));
        }
    }
    found
}

/// The text before each setting in the name of a profile.
const SETTING: &str = " --set ";

/// Key and value of a setting `key=value`; a value that is no number, list or truth value is a word.
fn setting(text: &str) -> Result<(&str, Value), Failure> {
    let wrong = |why: &str| Failure::Usage(format!("`--set {text}` {why}; write `--set KEY=VALUE`, as in `--set sets=20`"));
    let (key, value) = text.split_once('=').ok_or_else(|| wrong("has no value"))?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(wrong("has no key"));
    }
    if value.is_empty() || value.contains('\n') {
        return Err(wrong("has no value"));
    }
    let document = |value: &str| format!("value = {value}").parse::<Table>().ok().filter(|table| table.len() == 1);
    let is_word = value.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let parsed = document(value).or_else(|| if is_word { document(&format!("\"{value}\"")) } else { None });
    let value = parsed.and_then(|mut table| table.remove("value"));
    Ok((key, value.ok_or_else(|| wrong("has a value that is no number, list or word"))?))
}

/// The whole key of a setting: as it stands, within one of the studies, or at the end of a key there. Of several keys that end alike
/// that of the first section is meant, which is that of the main group.
///
/// # Errors
/// A key that the paper profile does not have.
fn whole_key(text: &str, key: &str, studies: &[&str]) -> Result<String, Failure> {
    let known = paths(SHIPPED[0].1);
    let within = |study: &&str, path: &&String| path.strip_prefix(*study).is_some_and(|rest| rest.starts_with('.'));
    if let Some(path) = known.iter().find(|path| *path == key && path.contains('.')) {
        return Ok(path.clone());
    }
    let of_study = |study: &&str| {
        let mut own = known.iter().filter(|path| within(study, path));
        let exact = format!("{study}.{key}");
        let end = format!(".{key}");
        own.clone().find(|path| **path == exact).or_else(|| own.find(|path| path.ends_with(&end))).cloned()
    };
    let found: Vec<String> = studies.iter().filter_map(of_study).collect();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            let own = known.iter().filter(|path| studies.iter().any(|study| within(study, path)));
            let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
            let names: Vec<String> = own.clone().map(|path| last(path)).chain(own.cloned()).collect();
            let meant = scene::did_you_mean(key, names.iter().map(String::as_str));
            Err(Failure::Usage(format!("`--set {text}`: there is no key `{key}` in {}; {REMEDY}{meant}", studies.join(", "))))
        }
        _ => {
            Err(Failure::Usage(format!("`--set {text}`: several studies have `{key}`; name one, as in `--set {}=...`", found[0])))
        }
    }
}

/// The beginning of the name that is similar to an unknown one.
const MEANT: &str = "; did you mean";

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
    let (why, meant) = why.split_at(why.find(MEANT).unwrap_or(why.len()));
    format!("{file}, line {number}, `{line}`: `{key}`{} {why}; {REMEDY}{meant}", behind(key))
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
        let paper: Table = SHIPPED[0].1.parse().unwrap();
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
    fn a_profile_names_what_differs_and_the_rest_is_as_published() {
        let shown = |profile: &Profile| toml::to_string(&profile.ranges).unwrap();
        let paper = Profile::load("paper").unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(paper.told("aimex"), None, "nothing differs");
        let one = Profile::parse("my.toml", "[aimex.runs]\nsets = 20\n").unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(shown(&one), shown(&paper).replacen("[aimex.runs]\nsets = 160", "[aimex.runs]\nsets = 20", 1));
        assert_eq!(one.told("aimex").as_deref(), Some("as published but for runs.sets = 20"));
        assert_eq!(one.told("preconditioners"), None);
        let slip = Profile::parse("my.toml", "[aimex.runs]\nset = 20\n").err().unwrap().to_string();
        assert!(
            slip.starts_with("my.toml, line 2, `set = 20`: `aimex.runs.set` is an unknown key; here may be sets, "),
            "{slip}"
        );
        assert!(slip.ends_with("see experiments/profiles/paper.toml; did you mean `sets`?"), "{slip}");
    }

    #[test]
    fn settings_are_keys_of_a_study_and_stand_in_the_name() {
        let with = |settings: &[&str], studies: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
            Profile::with("paper", &settings, studies)
        };
        let set = with(&["sets=20", "stability.steps = [1e-4, 0.02]"], &["aimex"]).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(set.name, "paper --set aimex.runs.sets=20 --set aimex.stability.steps=[0.0001, 0.02]");
        assert_eq!(set.told("aimex").unwrap(), "as published but for runs.sets = 20, stability.steps = [0.0001, 0.02]");
        let again = Profile::load(&set.name).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(toml::to_string(&again.ranges).unwrap(), toml::to_string(&set.ranges).unwrap());
        for (settings, studies, why) in [
            (&["sets"][..], &["aimex"][..], "`--set sets` has no value"),
            (&["sets="], &["aimex"], "has no value"),
            (&["=1"], &["aimex"], "has no key"),
            (&["sets=1 2"], &["aimex"], "has a value that is no number, list or word"),
            (
                &["setz=1"],
                &["aimex"],
                "there is no key `setz` in aimex; see experiments/profiles/paper.toml; did you mean `sets`?",
            ),
            (&["sets=20", "sets=-1"], &["aimex"], "`--set aimex.runs.sets=-1`: `aimex.runs.sets` must be a whole number"),
            (
                &["sets=1"],
                &["aimex", "projected-damping"],
                "several studies have `sets`; name one, as in `--set aimex.runs.sets=...`",
            ),
        ] {
            let refused = with(settings, studies).err().unwrap_or_else(|| panic!("{settings:?}")).to_string();
            assert!(refused.contains(why) && !refused.contains('\n'), "{refused}");
        }
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
