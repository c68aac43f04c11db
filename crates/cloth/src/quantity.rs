//! Numbers with a range, checked where they are read from a file.

use serde::{Deserialize, Serialize};

/// Least and greatest magnitude of a quantity but zero: products of several of them stay numbers.
pub const MAGNITUDES: [f64; 2] = [1e-20, 1e20];

/// A finite number as it is, if it is zero or its magnitude lies between `least` and `most`.
fn within_reach(value: f64, [least, most]: [f64; 2]) -> Result<f64, String> {
    match value.abs() {
        size if size > most => Err(format!("must be at most {most:e} in magnitude, not {value:e}")),
        size if size < least && size > 0.0 => Err(format!("must be at least {least:e} in magnitude, not {value:e}")),
        _ => Ok(value),
    }
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $words:literal, $magnitudes:expr, $holds:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Deserialize, PartialEq, PartialOrd, Serialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// The number itself.
            pub fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = String;
            fn try_from(value: f64) -> Result<Self, String> {
                let holds: fn(f64) -> bool = $holds;
                if !holds(value) {
                    return Err(format!("must be {}, not {value}", $words));
                }
                within_reach(value, $magnitudes).map(Self)
            }
        }

        impl From<$name> for f64 {
            fn from(quantity: $name) -> f64 {
                quantity.0
            }
        }
    };
}

quantity!(
    /// A number above zero, its magnitude within [`MAGNITUDES`]: a mass, a length, a time step.
    Positive,
    "a finite number above zero",
    MAGNITUDES,
    |value| value.is_finite() && value > 0.0
);
impl Positive {
    /// A number that is known to lie in the range, for constants.
    pub(crate) const fn known(value: f64) -> Positive {
        assert!(MAGNITUDES[0] <= value && value <= MAGNITUDES[1], "a number in the range");
        Positive(value)
    }
}
quantity!(
    /// Zero, or a number above it, its magnitude within [`MAGNITUDES`]: a stiffness, a damping.
    NonNegative,
    "a finite number, zero or above",
    MAGNITUDES,
    |value| value.is_finite() && value >= 0.0
);
impl NonNegative {
    /// None of it.
    pub const ZERO: NonNegative = NonNegative(0.0);

    /// A number that is known to lie in the range, for constants.
    pub(crate) const fn known(value: f64) -> NonNegative {
        NonNegative(Positive::known(value).0)
    }
}

quantity!(
    /// A number of either sign, its magnitude at most the greatest of [`MAGNITUDES`]: a coordinate, which rounding may leave near
    /// zero.
    Finite,
    "a finite number",
    [0.0, MAGNITUDES[1]],
    f64::is_finite
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept() {
        for reached in MAGNITUDES {
            assert!(Positive::try_from(reached).is_ok() && Finite::try_from(-reached).is_ok(), "{reached}");
        }
        assert_eq!(Positive::try_from(1e300).unwrap_err(), "must be at most 1e20 in magnitude, not 1e300");
        assert_eq!(NonNegative::try_from(1e-300).unwrap_err(), "must be at least 1e-20 in magnitude, not 1e-300");
        assert!(Finite::try_from(-1e-300).is_ok());
        assert_eq!(Finite::try_from(-2e20).unwrap_err(), "must be at most 1e20 in magnitude, not -2e20");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Positive::try_from(bad).is_err(), "{bad}");
        }
        assert!(NonNegative::try_from(0.0).is_ok());
        assert!(NonNegative::try_from(-0.5).unwrap_err().contains("zero or above, not -0.5"));
        assert!(Finite::try_from(f64::NEG_INFINITY).is_err());
    }
}
