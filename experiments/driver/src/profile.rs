//! Profiles: sample sizes and ranges of all studies, from files and settings.

use std::collections::BTreeMap;
use std::path::Path;

use kit::Failure;
use kit::ranges::{RangeError, Section};
use kit::units::behind;
use lab::files::read_text_within;
use lab::study::{ShortSize, Study};
use toml::de::DeTable;
use toml::{Table, Value};

use crate::frozen::frozen;
use crate::program::Program;

/// Sample sizes and ranges of all studies, with the name they go by.
pub struct Profile {
    /// `smoke`, `paper`, or the file that it comes from.
    pub name: String,
    /// The studies that it sizes.
    pub studies: Vec<Study>,
    /// All that it says, with what it leaves to the paper profile.
    pub table: Table,
    /// Keys of a profile that is not shipped and values that differ from those of the paper profile.
    differences: Vec<String>,
}

pub const SHIPPED: [(&str, &str); 2] =
    [("paper", include_str!("../../profiles/paper.toml")), ("smoke", include_str!("../../profiles/smoke.toml"))];

/// Largest profile \[bytes\].
const LARGEST: u64 = 4_000_000;

impl Profile {
    /// A shipped profile by its name, or one from a file; behind its name there may be settings, as [`Profile::with`] puts them there.
    ///
    /// # Errors
    /// A name that is neither, or a file that does not say what a profile must.
    pub fn load(program: &Program, name: &str) -> Result<Profile, Failure> {
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
        let profile = Profile::parse(program, base, &text)?;
        let settings: Vec<&str> = parts.collect();
        if settings.is_empty() { Ok(profile) } else { Profile::set(program, base, &text, &settings) }
    }

    /// A profile with settings `key=value`, whose keys are those of these studies. Its name holds them with their whole keys, so that it
    /// can be loaded again.
    ///
    /// # Errors
    /// As [`Profile::load`]; a setting of a key that there is not, or of a value that it does not take.
    pub fn with(program: &Program, base: &str, settings: &[String], studies: &[&str]) -> Result<Profile, Failure> {
        let mut name = base.to_owned();
        for text in settings {
            let (key, value) = setting(text)?;
            name += &format!("{SETTING}{}={value}", whole_key(text, key, studies)?);
        }
        Profile::load(program, &name)
    }

    /// A profile whose text is well, with settings of whole keys.
    fn set(program: &Program, base: &str, text: &str, settings: &[&str]) -> Result<Profile, Failure> {
        let mut table = whole(base, text)?;
        for setting_text in settings {
            let (key, value) = setting(setting_text)?;
            let nested = key.rsplit('.').fold(value, |value, key| Value::Table(Table::from_iter([(key.to_owned(), value)])));
            if let Value::Table(changes) = nested {
                lay_over(&mut table, &changes);
            }
            // each setting by itself, so that the one at fault is named
            studies(program, &table).map_err(|RangeError { key, why }| {
                Failure::Usage(format!("`--set {setting_text}`: `{key}`{} {why}; {REMEDY}", behind(&key)))
            })?;
        }
        let name = std::iter::once(base).chain(settings.iter().copied()).collect::<Vec<_>>().join(SETTING);
        Profile::of(program, name, table).map_err(|unfit| Failure::Usage(format!("{}: {}", unfit.key, unfit.why)))
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

    /// A profile by its text; `name` is that of its file.
    ///
    /// # Errors
    /// As [`Profile::load`].
    pub fn parse(program: &Program, name: &str, text: &str) -> Result<Profile, Failure> {
        let table = whole(name, text)?;
        Profile::of(program, name.into(), table).map_err(|unfit| Failure::Usage(misfit(name, text, &unfit)))
    }

    fn of(program: &Program, name: String, table: Table) -> Result<Profile, RangeError> {
        let studies = studies(program, &table)?;
        let mut differing = vec![];
        if !SHIPPED.iter().any(|(shipped, _)| *shipped == name)
            && let Ok(paper) = paper()
        {
            differences(&paper, &table, "", &mut differing);
        }
        Ok(Profile { name, studies, table, differences: differing })
    }
}

/// Names of studies in the paper profile, one for each section.
fn names_of_sections() -> impl Iterator<Item = &'static str> {
    SHIPPED[0].1.lines().filter_map(|line| line.strip_prefix('[')?.split(['.', ']']).next())
}

/// The studies of a program by their sections.
fn studies(program: &Program, table: &Table) -> Result<Vec<Study>, RangeError> {
    let mut names: Vec<&str> = program.studies.iter().map(|listed| listed.name).collect();
    // the program of one study passes over the sections of others
    for name in names_of_sections() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let sections = Section::of(table, &names)?;
    let mut studies =
        program.studies.iter().map(|listed| sections.with(listed.name, listed.read)).collect::<Result<Vec<_>, _>>()?;
    let unread = |error: toml::de::Error| RangeError { key: "short.toml".into(), why: error.message().into() };
    let short: BTreeMap<String, ShortSize> = toml::from_str(SHORT).map_err(unread)?;
    studies.iter_mut().for_each(|study| study.short = short.get(study.name).cloned().unwrap_or_default());
    Ok(studies)
}

/// Sizes of a short reproduction, by study.
const SHORT: &str = include_str!("../../profiles/short.toml");

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
pub const REMEDY: &str = "see experiments/profiles/paper.toml";

/// What is wrong with a value of a profile, on one line: file, line, what stands there, key, why.
fn misfit(file: &str, text: &str, RangeError { key, why }: &RangeError) -> String {
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

impl Program {
    /// Every study at the published sample sizes and ranges, with what was frozen of it.
    ///
    /// # Errors
    /// A shipped profile or something frozen that cannot be read.
    pub fn published(&self) -> Result<Vec<Study>, Failure> {
        let studies = Profile::load(self, "paper")?.studies.into_iter();
        studies.map(|study| Ok(Study { frozen: frozen(study.name)?, ..study })).collect()
    }
}
