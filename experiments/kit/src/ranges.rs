//! What a profile file may say: lists, counts and ends, checked where they are read.

use cloth::quantity::{Finite, NonNegative, Positive};
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;
pub use toml::Value;

/// What a profile may hold at a key.
pub trait Ranged: Sized {
    /// What is written there.
    ///
    /// # Errors
    /// What is wrong with it, and at which key below.
    fn read(value: &Value) -> Result<Self, RangeError>;
}

/// Sizes and ranges of a topic, a section of a profile: every key must be there, and no other may.
#[macro_export]
macro_rules! ranges {
    ($name:ident {
        $(#![$about:meta])*
        $($(#[$doc:meta])* $key:ident: $value:ty),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize)]
        pub struct $name {
            $($(#[$doc])* pub $key: $value,)+
        }

        impl $crate::ranges::Ranged for $name {
            fn read(value: &$crate::ranges::Value) -> Result<$name, $crate::ranges::RangeError> {
                let section = $crate::ranges::Section::of_value(value, &[$(stringify!($key)),+])?;
                Ok($name { $($key: section.at(stringify!($key))?,)+ })
            }
        }
    };
}
pub use ranges;

/// Sections of a profile, named as their fields with hyphens: every one must be there, and no other may.
#[macro_export]
macro_rules! sections {
    ($(#[$about:meta])* $name:ident { $($section:ident: $ranges:ty),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub struct $name {
            $($section: $ranges,)+
        }

        impl $crate::ranges::Ranged for $name {
            fn read(value: &$crate::ranges::Value) -> Result<$name, $crate::ranges::RangeError> {
                let names = [$(stringify!($section).replace('_', "-")),+];
                let section = $crate::ranges::Section::of_value(value, &names)?;
                Ok($name { $($section: section.at(&stringify!($section).replace('_', "-"))?,)+ })
            }
        }
    };
}
pub use sections;

/// A section of a profile whose keys are known.
pub struct Section<'a>(&'a Table);

impl<'a> Section<'a> {
    /// A value as a section with no other keys than these.
    ///
    /// # Errors
    /// A value that is none; a key that is not known.
    pub fn of_value(value: &'a Value, keys: &[impl AsRef<str>]) -> Result<Section<'a>, RangeError> {
        let Value::Table(table) = value else { return Err(another("a section", value)) };
        Section::of(table, keys)
    }

    /// A table as a section with no other keys than these.
    ///
    /// # Errors
    /// A key that is not known.
    pub fn of(table: &'a Table, keys: &[impl AsRef<str>]) -> Result<Section<'a>, RangeError> {
        let keys: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
        match table.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(unknown) => {
                let meant = scene::did_you_mean(unknown, keys.iter().copied());
                Err(RangeError::here(format!("is an unknown key; here may be {}{meant}", keys.join(", "))).within(unknown))
            }
            None => Ok(Section(table)),
        }
    }

    /// What stands at a key.
    ///
    /// # Errors
    /// No such key, or what is wrong with its value.
    pub fn at<T: Ranged>(&self, key: &str) -> Result<T, RangeError> {
        self.with(key, T::read)
    }

    /// What stands at a key, by what reads it.
    ///
    /// # Errors
    /// As [`Section::at`].
    pub fn with<T>(&self, key: &str, read: fn(&Value) -> Result<T, RangeError>) -> Result<T, RangeError> {
        let read = self.0.get(key).map_or_else(|| Err(RangeError::here("is missing")), read);
        read.map_err(|unfit| unfit.within(key))
    }
}

/// A value that is right by itself, but not beside others.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeError {
    /// The section and the key, joined by dots.
    pub key: String,
    /// What is wrong.
    pub why: String,
}

impl RangeError {
    /// At no key so far.
    pub fn here(why: impl Into<String>) -> RangeError {
        RangeError { key: String::new(), why: why.into() }
    }

    /// At a key, or below it.
    pub fn within(self, key: &str) -> RangeError {
        let below = if self.key.is_empty() { String::new() } else { format!(".{}", self.key) };
        RangeError { key: format!("{key}{below}"), ..self }
    }
}

/// A value of another kind than is wanted.
pub fn another(wanted: &str, value: &Value) -> RangeError {
    RangeError::here(match value {
        Value::Array(_) => format!("must be {wanted}, not a list"),
        Value::Table(_) => format!("must be {wanted}, not a section"),
        value => format!("must be {wanted}, not {value}"),
    })
}

/// A number, whole or not.
///
/// # Errors
/// A value of another kind.
pub fn number(value: &Value) -> Result<f64, RangeError> {
    let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
    number.ok_or_else(|| another("a number", value))
}

/// Numbers that refuse some: types that try to be made of one.
#[macro_export]
macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl $crate::ranges::Ranged for $number {
            fn read(value: &$crate::ranges::Value) -> Result<$number, $crate::ranges::RangeError> {
                $crate::ranges::number(value)?.try_into().map_err($crate::ranges::RangeError::here)
            }
        })+
    };
}
pub use numbers;

numbers!(Positive, NonNegative, Finite);

/// One of some words, as serde names them.
///
/// # Errors
/// Another word, with those that there are.
pub fn word<T: DeserializeOwned>(value: &Value) -> Result<T, RangeError> {
    T::deserialize(value.clone()).map_err(|error| RangeError::here(format!("is an {}", error.message().trim_end())))
}

/// The values of a list.
fn list<T: Ranged>(value: &Value) -> Result<Vec<T>, RangeError> {
    value.as_array().ok_or_else(|| another("a list", value))?.iter().map(T::read).collect()
}

/// Most steps of a run: some studies keep what each of them gave.
pub const STEP_LIMIT: f64 = 1e7;

/// Steps of `step` \[s\] to a time \[s\] at `key`.
///
/// # Errors
/// More than [`STEP_LIMIT`] of them.
pub fn check_steps(key: &str, time: f64, step: f64) -> Result<(), RangeError> {
    let steps = time / step;
    if steps <= STEP_LIMIT {
        return Ok(());
    }
    let why = format!(
        "makes a run of {steps:.1e} steps of {step:e} s; a run may have {STEP_LIMIT:e}: give a shorter time or longer steps"
    );
    Err(RangeError { key: key.into(), why })
}

/// [`check_steps`] for each step of a list.
///
/// # Errors
/// As [`check_steps`].
pub fn check_list(key: &str, time: Positive, steps: &List<Positive>) -> Result<(), RangeError> {
    steps.values().iter().try_for_each(|step| check_steps(key, time.get(), step.get()))
}

/// [`check_steps`] at rates \[1/s\].
///
/// # Errors
/// As [`check_steps`].
pub fn check_rates(key: &str, time: f64, rates: impl IntoIterator<Item = u32>) -> Result<(), RangeError> {
    rates.into_iter().try_for_each(|rate| check_steps(key, time, 1.0 / f64::from(rate)))
}

/// A list with at least one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    pub fn values(&self) -> &[T] {
        &self.0
    }
}

impl<T: Ranged> Ranged for List<T> {
    fn read(value: &Value) -> Result<List<T>, RangeError> {
        let values = list(value)?;
        if values.is_empty() { Err(RangeError::here("must hold at least one value")) } else { Ok(List(values)) }
    }
}

/// Every value of one list with every value of the other.
pub fn pairs<'a, A, B>(a: &'a [A], b: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    a.iter().flat_map(move |a| b.iter().map(move |b| (a, b)))
}

impl<T: Ranged, const N: usize> Ranged for [T; N] {
    fn read(value: &Value) -> Result<[T; N], RangeError> {
        let values = list(value)?;
        let count = values.len();
        values.try_into().map_err(|_| RangeError::here(format!("must hold {N} values, not {count}")))
    }
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
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

impl<const LOW: u32, const HIGH: u32> Ranged for Whole<LOW, HIGH> {
    fn read(value: &Value) -> Result<Self, RangeError> {
        let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
        let refusal = || another(&format!("a whole number from {LOW} to {HIGH}"), value);
        number.filter(|number| (LOW..=HIGH).contains(number)).map(Self).ok_or_else(refusal)
    }
}

/// Two numbers above zero in rising order, the ends of a search or of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ends([Positive; 2]);

impl Ends {
    /// Lower and upper end.
    pub fn get(self) -> [f64; 2] {
        self.0.map(Positive::get)
    }
}

impl Ranged for Ends {
    fn read(value: &Value) -> Result<Ends, RangeError> {
        let ends: [Positive; 2] = Ranged::read(value)?;
        if ends[0] < ends[1] {
            Ok(Ends(ends))
        } else {
            Err(RangeError::here(format!("must rise, not go from {} to {}", ends[0].get(), ends[1].get())))
        }
    }
}

/// The ratio of a bracket's ends at which a search stops, above 1.0001.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Resolution(f64);

impl Resolution {
    /// The ratio itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Ranged for Resolution {
    fn read(value: &Value) -> Result<Resolution, RangeError> {
        let ratio = number(value).ok().filter(|ratio| (1.0001..=10.0).contains(ratio));
        ratio.map(Resolution).ok_or_else(|| another("a ratio from 1.0001 to 10", value))
    }
}

/// The section of a study in a shipped profile, for tests.
///
/// # Panics
/// A profile or a section that there is not, or that says something else.
pub fn shipped<T: Ranged>(profile: &str, study: &str) -> T {
    let path = format!("{}/../profiles/{profile}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    T::read(&table[study]).unwrap_or_else(|unfit| panic!("{unfit:?}"))
}

/// What a text says, for tests.
///
/// # Panics
/// Text that is not TOML, or says something else.
pub fn stated<T: Ranged>(text: &str) -> T {
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{error}"));
    T::read(&Value::Table(table)).unwrap_or_else(|unfit| panic!("{unfit:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    ranges!(Sample {
        list: List<Side>,
        ends: Ends,
        ratio: Resolution,
    });

    fn refused(list: &str, ends: &str, ratio: &str) -> String {
        let text = format!("list = {list}\nends = {ends}\nratio = {ratio}\n");
        Sample::read(&Value::Table(text.parse().unwrap())).unwrap_err().why
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
        assert_eq!(refused("5", "[1.0, 2.0]", "1.01"), "must be a list, not 5");
        assert_eq!(refused("[5]", "[1.0, 2.0]", "\"a\""), "must be a ratio from 1.0001 to 10, not \"a\"");
        let sample: Sample = stated("list = [5]\nends = [1e-12, 1e2]\nratio = 1.01");
        assert_eq!(sample.ends.get(), [1e-12, 1e2]);
        let [missing, unknown] = ["list = [5]\nends = [1.0, 2.0]", "list = [5]\nother = 1"]
            .map(|text| Sample::read(&Value::Table(text.parse().unwrap())).unwrap_err());
        assert_eq!(missing, RangeError::here("is missing").within("ratio"));
        assert_eq!(unknown, RangeError::here("is an unknown key; here may be list, ends, ratio").within("other"));
    }
}
