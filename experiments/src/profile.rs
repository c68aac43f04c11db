use std::path::Path;

use lab::files::read_text;
use toml::de::DeTable;

use crate::Failure;
use crate::ranges::Unfit;
use crate::studies::Ranges;

/// Sample sizes and ranges of all studies, with the name they go by.
pub struct Profile {
    /// `smoke`, `paper`, or the file that it comes from.
    pub name: String,
    /// What it holds.
    pub ranges: Ranges,
}

const SHIPPED: [(&str, &str); 2] =
    [("paper", include_str!("../profiles/paper.toml")), ("smoke", include_str!("../profiles/smoke.toml"))];

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
        match read_text(Path::new(name)) {
            Ok(text) => Profile::parse(name, &text),
            Err(error) => Err(Failure::Usage(format!("{error}; {REMEDY}"))),
        }
    }

    fn parse(name: &str, text: &str) -> Result<Profile, Failure> {
        match toml::from_str(text) {
            Ok(ranges) => {
                let ranges: Ranges = ranges;
                ranges.check().map_err(|unfit| Failure::Usage(misfit(name, text, &unfit)))?;
                Ok(Profile { name: name.into(), ranges })
            }
            Err(error) => Err(Failure::Usage(mistake(name, text, error))),
        }
    }
}

/// The remedy of every mistake.
const REMEDY: &str = "copy experiments/profiles/paper.toml and change it";

/// A value of a profile that does not go with the others, on one line, as [`mistake`].
fn misfit(file: &str, text: &str, Unfit { key, why }: &Unfit) -> String {
    let document = DeTable::parse(text).ok();
    let mut table = document.as_ref().map(|document| document.get_ref());
    let mut start = 0;
    for name in key.split('.') {
        let Some((_, value)) = table.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == name)) else { break };
        start = value.span().start;
        table = value.get_ref().as_table();
    }
    let (number, line) = line_at(text, start);
    format!("{file}, line {number}, `{line}`: `{key}` {why}; {REMEDY}")
}

/// Number, from 1, and text of the line at an offset.
fn line_at(text: &str, offset: usize) -> (usize, &str) {
    let number = text.get(..offset).unwrap_or(text).matches('\n').count();
    (number + 1, text.lines().nth(number).unwrap_or_default().trim())
}

/// A mistake in a profile, on one line: file, line, what stands there, key, what is wrong.
fn mistake(file: &str, text: &str, mut error: toml::de::Error) -> String {
    let message = in_plain_words(&error.message().replace('\n', " ").replace("field", "key"));
    let offset = error.span().map_or(0, |span| span.start);
    let (number, line) = line_at(text, offset);
    error.set_input(None); // so that the path of the key is shown
    let shown = error.to_string();
    let key = shown.trim_end().rsplit_once("\nin ").map_or(String::new(), |(_, key)| format!("{key} "));
    format!("{file}, line {number}, `{line}`: {key}{message}; {REMEDY}")
}

/// A message about a value of another type, without the types of the program.
fn in_plain_words(message: &str) -> String {
    let Some((found, expected)) = message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let wanted = match expected {
        "f64" => "a number",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        other if other.starts_with("an array") => "a list of two numbers",
        _ => "a section",
    };
    let found = match found {
        "sequence" => "a list",
        "map" => "a section",
        value => value.find('`').map_or(value.trim_start_matches("string "), |start| &value[start..]),
    };
    format!("must be {wanted}, not {found}")
}

#[cfg(test)]
mod tests {
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
    }

    #[test]
    fn mistakes_name_line_and_key() {
        let negative = refused("density = [0.01", "density = [-0.01");
        assert!(negative.contains("line 9, `density = [-0.01, 0.1, 1.0, 10.0, 100.0]`"), "{negative}");
        assert!(
            negative.contains("`fb-euler-stability.sheets.density") && negative.contains("above zero, not -0.01"),
            "{negative}"
        );
        let none = refused("sets = 500", "sets = 0");
        assert!(none.contains("line 6, `sets = 0`") && none.contains("a whole number from 1 to 1000000, not 0"), "{none}");
        let unknown = refused("steps = 1000", "stepz = 1000");
        assert!(unknown.contains("`stepz`") && unknown.contains("line 12"), "{unknown}");
        assert!(refused("[fb-euler-stability.scans]", "[fb-euler-stability.scan]").contains("`scan`"));
    }

    #[test]
    fn values_without_reach_and_endless_runs_are_refused_with_their_key() {
        for (from, to, key, why) in [
            ("spacing = [0.001", "spacing = [1e300", "fb-euler-stability.sheets.spacing", "must be at most 1e20 in magnitude"),
            ("damping = 0.05", "damping = 1e-300", "fb-euler-stability.bars.damping", "must be at least 1e-20 in magnitude"),
            ("lengths = [0.3", "lengths = [1e200", "impulse-strips.steps.lengths", "must be at most 1e20 in magnitude"),
            (
                "sets = 500\nreadings = 30\nduration = 1.0",
                "sets = 500\nreadings = 30\nduration = 1e12",
                "aimex.runs.duration",
                "1.0e16 steps of 1e-4 s",
            ),
            ("spacing = [0.01, 0.025", "spacing = [1e20, 0.025", "projected-damping.sets.spacing", "steps of 5e-3 s"),
            ("compared_at = 0.5", "compared_at = 1e6", "fast-projection.drape.compared_at", "a run may have 1e7"),
            ("finer = 16", "finer = 1000000", "generalized-alpha.orders.finer", "a run may have 1e7"),
            ("halvings = 3", "halvings = 40", "fast-projection.residual.halvings", "a whole number from 1 to 10"),
        ] {
            let message = refused(from, to);
            let last = to.lines().last().unwrap();
            assert!(message.contains(&format!("`{last}")) && message.contains(&format!("`{key}` ")), "{message}");
            assert!(message.contains(why) && message.ends_with(REMEDY), "{message}");
        }
    }
}
