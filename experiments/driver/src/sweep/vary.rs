//! Keys that a sweep varies, and all combinations of their values.

use std::str::FromStr;

use race::choice::listed;

use crate::overrides::Override;

/// A key of a scene with the values that it takes in turn.
#[derive(Clone, Debug)]
pub struct Vary {
    pub key: String,
    /// At least one, none twice.
    pub values: Vec<Override>,
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Vary, String> {
        let (key, list) = text.split_once('=').ok_or("this is no key=value,value, such as step=1e-3,2e-3")?;
        let key = key.trim().to_owned();
        let values = listed(list).iter().map(|value| Override::of(&key, value)).collect::<Result<Vec<_>, _>>()?;
        if values.is_empty() {
            return Err(format!("`{key}` gets no value: write some behind =, with commas between them"));
        }
        for (k, value) in values.iter().enumerate() {
            if values[..k].iter().any(|other| other.given == value.given) {
                return Err(format!("`{key}` gets {} twice: take one of them out", value.given));
            }
        }
        Ok(Vary { key, values })
    }
}

impl Vary {
    /// The last part of its key, which names it in short.
    pub fn short(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or(&self.key)
    }

    /// The values as numbers, where all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |value: &Override| value.given.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
        self.values.iter().map(number).collect()
    }
}

/// The number of combinations.
pub fn count(varied: &[Vary]) -> u64 {
    varied.iter().fold(1, |count: u64, vary| count.saturating_mul(vary.values.len() as u64))
}

/// All combinations, by the place of each key's value; the last key changes first.
pub fn combinations(varied: &[Vary]) -> Vec<Vec<usize>> {
    varied.iter().fold(vec![vec![]], |all, vary| {
        let longer = |one: &Vec<usize>| (0..vary.values.len()).map(|k| [&one[..], &[k]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

/// Longest name of a folder \[characters\].
const LONGEST: usize = 100;

/// The name of the folder of combination `k`: its number, and the short names of its keys with their values.
pub fn name(varied: &[Vary], combination: &[usize], k: usize) -> String {
    let each = varied.iter().zip(combination).map(|(vary, value)| format!("-{}-{}", vary.short(), vary.values[*value].given));
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-+._".contains(c) { c } else { '_' };
    let name: String = format!("{k:03}{}", each.collect::<String>());
    name.chars().map(plain).take(LONGEST).collect()
}

/// The settings of a combination, in words: `step=1e-3, stiffness=100`.
pub fn words(varied: &[Vary], combination: &[usize]) -> String {
    let each = varied.iter().zip(combination).map(|(vary, value)| format!("{}={}", vary.short(), vary.values[*value].given));
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_in_the_order_of_the_options() {
        let varied: Vec<Vary> =
            ["material.stretch.stiffness=100,1e3", "integrator=bdf2,rk4"].map(|text| text.parse().unwrap()).to_vec();
        assert_eq!(count(&varied), 4);
        let all = combinations(&varied);
        assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(name(&varied, &all[2], 2), "002-stiffness-1e3-integrator-bdf2");
        assert_eq!(words(&varied, &all[1]), "stiffness=100, integrator=rk4");
        assert_eq!((varied[0].numbers(), varied[1].numbers()), (Some(vec![100.0, 1000.0]), None));
        let lists: Vary = "pins=[0, 1],[\"top-left\"]".parse().unwrap();
        assert_eq!((lists.values.len(), name(&[lists], &[1], 10)), (2, "010-pins-__top-left__".to_owned()));
    }

    #[test]
    fn what_cannot_be_varied_is_told() {
        for (text, expected) in [
            ("step", "this is no key=value,value"),
            ("step=", "`step` gets no value"),
            ("step=1,2,1", "`step` gets 1 twice"),
            ("a b=1", "`a b` is no key"),
        ] {
            let told = text.parse::<Vary>().unwrap_err();
            assert!(told.starts_with(expected), "{text}: {told}");
        }
    }
}
