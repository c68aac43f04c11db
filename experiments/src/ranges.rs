//! What a profile file may say: lists, counts and ends, checked where they are read.

use cloth::quantity::Positive;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;

/// Sizes and ranges of a topic, a section of a profile: every key must be there, and no other may.
macro_rules! ranges {
    ($name:ident {
        $(#![$about:meta])*
        $($(#[$doc:meta])* $key:ident: $value:ty),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$doc])* pub $key: $value,)+
        }
    };
}
pub(crate) use ranges;

/// A value that is right by itself, but not beside others.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    /// The section and the key, joined by dots.
    pub key: String,
    /// What is wrong.
    pub why: String,
}

impl Unfit {
    /// In the section of a study, which is its file with hyphens.
    pub fn within(self, study: &str) -> Unfit {
        Unfit { key: format!("{}.{}", study.replace('_', "-"), self.key), ..self }
    }
}

/// Most steps of a run: some studies keep what each of them gave.
pub const STEP_LIMIT: f64 = 1e7;

/// Steps of `step` \[s\] to a time \[s\] at `key`.
///
/// # Errors
/// More than [`STEP_LIMIT`] of them.
pub fn check_steps(key: &str, time: f64, step: f64) -> Result<(), Unfit> {
    let steps = time / step;
    if steps <= STEP_LIMIT {
        return Ok(());
    }
    let why = format!(
        "makes a run of {steps:.1e} steps of {step:e} s; a run may have {STEP_LIMIT:e}: give a shorter time or longer steps"
    );
    Err(Unfit { key: key.into(), why })
}

/// [`check_steps`] for each step of a list.
///
/// # Errors
/// As [`check_steps`].
pub fn check_list(key: &str, time: Positive, steps: &List<Positive>) -> Result<(), Unfit> {
    steps.values().iter().try_for_each(|step| check_steps(key, time.get(), step.get()))
}

/// [`check_steps`] at rates \[1/s\].
///
/// # Errors
/// As [`check_steps`].
pub fn check_rates(key: &str, time: f64, rates: impl IntoIterator<Item = u32>) -> Result<(), Unfit> {
    rates.into_iter().try_for_each(|rate| check_steps(key, time, 1.0 / f64::from(rate)))
}

/// A list with at least one value.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(deserialize = "T: Deserialize<'de>", serialize = "T: Serialize + Clone"))]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    pub fn values(&self) -> &[T] {
        &self.0
    }
}

impl<T> TryFrom<Vec<T>> for List<T> {
    type Error = String;
    fn try_from(values: Vec<T>) -> Result<List<T>, String> {
        if values.is_empty() { Err("must hold at least one value".into()) } else { Ok(List(values)) }
    }
}

impl<T> From<List<T>> for Vec<T> {
    fn from(list: List<T>) -> Vec<T> {
        list.0
    }
}

/// Every value of one list with every value of the other.
pub fn pairs<'a, A, B>(a: &'a [A], b: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    a.iter().flat_map(move |a| b.iter().map(move |b| (a, b)))
}

/// As many values as there must be; of an array that is too long serde would take the first ones.
///
/// # Errors
/// Any other number of them, in words.
pub fn exactly<T, const N: usize>(values: Vec<T>) -> Result<[T; N], String> {
    let count = values.len();
    values.try_into().map_err(|_| format!("must hold {N} values, not {count}"))
}

/// [`exactly`] where a list is read.
///
/// # Errors
/// Any other number of values, and what a value refuses.
pub fn read_exactly<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(source: D) -> Result<[T; N], D::Error> {
    exactly(Vec::deserialize(source)?).map_err(D::Error::custom)
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "i64")]
pub struct Whole<const LOW: u32, const HIGH: u32>(u32);

/// A number of sets, steps, particles.
pub type Count = Whole<1, 1_000_000>;

/// Particles a side of a sheet.
pub type Side = Whole<2, 300>;

impl<const LOW: u32, const HIGH: u32> Whole<LOW, HIGH> {
    /// The number itself.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<'de, const LOW: u32, const HIGH: u32> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(source)?;
        let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
        let refusal = || D::Error::custom(format!("must be a whole number from {LOW} to {HIGH}, not {value}"));
        number.filter(|number| (LOW..=HIGH).contains(number)).map(Self).ok_or_else(refusal)
    }
}

impl<const LOW: u32, const HIGH: u32> From<Whole<LOW, HIGH>> for i64 {
    fn from(number: Whole<LOW, HIGH>) -> i64 {
        number.0.into()
    }
}

/// Two numbers above zero in rising order, the ends of a search or of a draw.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Vec<Positive>", into = "[Positive; 2]")]
pub struct Ends([Positive; 2]);

impl Ends {
    /// Lower and upper end.
    pub fn get(self) -> [f64; 2] {
        self.0.map(Positive::get)
    }
}

impl TryFrom<Vec<Positive>> for Ends {
    type Error = String;
    fn try_from(values: Vec<Positive>) -> Result<Ends, String> {
        let ends: [Positive; 2] = exactly(values)?;
        if ends[0] < ends[1] {
            Ok(Ends(ends))
        } else {
            Err(format!("must rise, not go from {} to {}", ends[0].get(), ends[1].get()))
        }
    }
}

impl From<Ends> for [Positive; 2] {
    fn from(ends: Ends) -> [Positive; 2] {
        ends.0
    }
}

/// The ratio of a bracket's ends at which a search stops, above 1.0001.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "f64")]
pub struct Resolution(f64);

impl Resolution {
    /// The ratio itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Resolution {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Resolution, D::Error> {
        let value = Value::deserialize(source)?;
        let ratio = value.as_float().or_else(|| value.as_integer().map(|ratio| ratio as f64));
        let refusal = || D::Error::custom(format!("must be a ratio from 1.0001 to 10, not {value}"));
        ratio.filter(|ratio| (1.0001..=10.0).contains(ratio)).map(Resolution).ok_or_else(refusal)
    }
}

impl From<Resolution> for f64 {
    fn from(resolution: Resolution) -> f64 {
        resolution.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Sample {
        list: List<Side>,
        ends: Ends,
        ratio: Resolution,
    }

    fn refused(list: &str, ends: &str, ratio: &str) -> String {
        let text = format!("list = {list}\nends = {ends}\nratio = {ratio}\n");
        toml::from_str::<Sample>(&text).map_err(|error| error.message().to_owned()).unwrap_err()
    }

    #[test]
    fn a_run_has_so_many_steps() {
        assert_eq!(check_steps("a.b", 1.0, 1e-6), Ok(()));
        let unfit = check_steps("a.b", 1e12, 0.01).unwrap_err();
        assert_eq!(unfit.key, "a.b");
        assert_eq!(unfit.why, "makes a run of 1.0e14 steps of 1e-2 s; a run may have 1e7: give a shorter time or longer steps");
        assert!(check_rates("a.b", 100.0, [10, 1_000_000]).is_err() && check_rates("a.b", 1.0, [1_000_000]).is_ok());
    }

    #[test]
    fn ranges_are_kept_and_named_in_plain_words() {
        assert_eq!(refused("[]", "[1.0, 2.0]", "1.01"), "must hold at least one value");
        assert_eq!(refused("[1]", "[1.0, 2.0]", "1.01"), "must be a whole number from 2 to 300, not 1");
        assert_eq!(refused("[5]", "[2.0, 1.0]", "1.01"), "must rise, not go from 2 to 1");
        assert!(refused("[5]", "[0.0, 1.0]", "1.01").contains("above zero"));
        assert_eq!(refused("[5]", "[1.0, 2.0, 3.0]", "1.01"), "must hold 2 values, not 3");
        assert_eq!(refused("[5]", "[1.0]", "1.01"), "must hold 2 values, not 1");
        assert_eq!(refused("[5]", "[1.0, 2.0]", "1.0"), "must be a ratio from 1.0001 to 10, not 1.0");
        assert!(toml::from_str::<Sample>("list = [5]\nends = [1e-12, 1e2]\nratio = 1.01").is_ok());
    }
}
