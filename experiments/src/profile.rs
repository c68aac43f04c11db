use std::path::Path;

use lab::files::read_text;

use crate::Failure;
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
            Err(error) => Err(Failure::Usage(format!("{error}; copy experiments/profiles/paper.toml and change it"))),
        }
    }

    fn parse(name: &str, text: &str) -> Result<Profile, Failure> {
        match toml::from_str(text) {
            Ok(ranges) => Ok(Profile { name: name.into(), ranges }),
            Err(error) => Err(Failure::Usage(mistake(name, text, error))),
        }
    }
}

/// A mistake in a profile, on one line: file, line, what stands there, key, what is wrong.
fn mistake(file: &str, text: &str, mut error: toml::de::Error) -> String {
    let message = in_plain_words(&error.message().replace('\n', " ").replace("field", "key"));
    let offset = error.span().map_or(0, |span| span.start);
    let number = text.get(..offset).unwrap_or(text).matches('\n').count();
    let line = text.lines().nth(number).unwrap_or_default().trim();
    error.set_input(None); // so that the path of the key is shown
    let shown = error.to_string();
    let key = shown.trim_end().rsplit_once("\nin ").map_or(String::new(), |(_, key)| format!("{key} "));
    format!("{file}, line {}, `{line}`: {key}{message}; copy experiments/profiles/paper.toml and change it", number + 1)
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
}
