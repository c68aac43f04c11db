//! An integrator, a constraint method, or both, as a race is asked for them: `bdf2`, `generalized-alpha:rho_inf=0.5`,
//! `backward-euler+fast-projection:strain=0.001`.

use toml::{Table, Value};

/// A section of a scene that is chosen by name, with its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub name: String,
    pub keys: Table,
}

/// What a contestant changes in a scene; what is none stays as it is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    pub integrator: Option<Named>,
    pub method: Option<Named>,
}

/// Integrators that need keys, with what they have where none are given: the stiffest springs implicit.
const NEEDED: [&str; 2] = ["imex", "sbdf2"];
const IMPLICIT: &str = "implicit";

/// Contestants of a list, which commas separate outside brackets, braces and quotes.
pub fn listed(list: &str) -> Vec<String> {
    split(list, ',')
}

impl Choice {
    /// Reads a contestant.
    ///
    /// # Errors
    /// A name that no integrator and no constraint method has, with those that there are, or keys that are not `key=value`.
    pub fn read(text: &str) -> Result<Choice, String> {
        let mut choice = Choice::default();
        for part in split(text, '+') {
            let named = Named::read(&part)?;
            let [integrator, method] = [
                scene::integrators().any(|known| known == named.name),
                scene::constraint_methods().any(|known| known == named.name),
            ];
            let place = match (integrator, method) {
                (true, _) => &mut choice.integrator,
                (false, true) => &mut choice.method,
                (false, false) => {
                    let name = &named.name;
                    if let Some(meant) = scene::nearest(name, scene::integrators().chain(scene::constraint_methods())) {
                        return Err(format!("there is no integrator or constraint method `{name}`; did you mean `{meant}`?"));
                    }
                    let [integrators, methods] =
                        [scene::integrators().collect::<Vec<_>>(), scene::constraint_methods().collect()]
                            .map(|names| names.join(", "));
                    return Err(format!(
                        "there is no integrator or constraint method `{name}`; integrators are {integrators}, constraint methods {methods}"
                    ));
                }
            };
            if place.replace(named).is_some() {
                return Err(format!(
                    "`{text}` names two of a kind; join an integrator and a constraint method with +, others with a comma"
                ));
            }
        }
        Ok(choice)
    }
}

impl Named {
    fn read(text: &str) -> Result<Named, String> {
        let mut parts = split(text, ':').into_iter();
        let name = parts.next().unwrap_or_default();
        let mut keys = Table::new();
        for part in parts {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("`{part}` of `{text}` is no key=value, such as rho_inf=0.5"));
            };
            if keys.insert(key.trim().to_owned(), value_of(value.trim())).is_some() {
                return Err(format!("`{text}` gives `{}` twice", key.trim()));
            }
        }
        if NEEDED.contains(&name.as_str()) && !keys.contains_key(IMPLICIT) {
            keys.insert(IMPLICIT.into(), Value::Array(vec![Value::String("stretch".into())]));
        }
        Ok(Named { name, keys })
    }
}

/// A value as TOML has it, or a list of words or a word without quotes.
pub fn value_of(text: &str) -> Value {
    let read = toml::from_str::<Table>(&format!("value = {text}")).ok().and_then(|mut table| table.remove("value"));
    read.unwrap_or_else(|| match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(list) => split(list, ',').into_iter().map(|word| value_of(&word)).collect::<Vec<_>>().into(),
        None => Value::String(text.to_owned()),
    })
}

/// The parts of a text between `mark` outside brackets, braces and quotes, trimmed.
fn split(text: &str, mark: char) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0_i32, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != letter),
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, _) if letter == mark && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Table {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn contestants_are_read_with_their_keys() {
        assert_eq!(listed("rk4, imex:implicit=[stretch,shear],bdf2"), ["rk4", "imex:implicit=[stretch,shear]", "bdf2"]);
        let choice = Choice::read("generalized-alpha:rho_inf=0.5+fast-projection:strain=1e-3:iterations=7").unwrap();
        assert_eq!(choice.integrator, Some(Named { name: "generalized-alpha".into(), keys: keys("rho_inf = 0.5") }));
        assert_eq!(choice.method, Some(Named { name: "fast-projection".into(), keys: keys("strain = 1e-3\niterations = 7") }));
        for (text, expected) in [
            ("imex", "implicit = ['stretch']"),
            ("imex:implicit=[stretch,bend]", "implicit = ['stretch', 'bend']"),
            ("imex:implicit=['shear']", "implicit = ['shear']"),
            ("backward-euler:terms=exact:newton={tolerance=1e-6}", "terms = 'exact'\nnewton = { tolerance = 1e-6 }"),
        ] {
            assert_eq!(Choice::read(text).unwrap().integrator.unwrap().keys, keys(expected), "{text}");
        }
    }

    #[test]
    fn what_nobody_knows_is_refused_with_what_there_is() {
        let refused = |text: &str| Choice::read(text).unwrap_err();
        let unknown = refused("leapfrog");
        assert!(unknown.contains("`leapfrog`; integrators are forward-euler, fb-euler, rk4,"), "{unknown}");
        assert!(unknown.contains("constraint methods fast-projection,"), "{unknown}");
        assert!(refused("rk4+bdf2").contains("two of a kind"));
        assert!(refused("rk4:dt").contains("no key=value"));
        assert!(refused("aimex:bend=true:bend=false").contains("twice"));
    }
}
