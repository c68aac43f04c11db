//! Numbers with a range, checked where they are read from a file.

use serde::{Deserialize, Serialize};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $words:literal, $holds:expr) => {
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
                if holds(value) { Ok(Self(value)) } else { Err(format!("must be {}, not {value}", $words)) }
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
    /// A finite number above zero: a mass, a length, a time step.
    Positive,
    "a finite number above zero",
    |value| value.is_finite() && value > 0.0
);
quantity!(
    /// A finite number, zero or above: a stiffness, a damping.
    NonNegative,
    "a finite number, zero or above",
    |value| value.is_finite() && value >= 0.0
);
impl NonNegative {
    /// None of it.
    pub const ZERO: NonNegative = NonNegative(0.0);
}

quantity!(
    /// A finite number of either sign.
    Finite,
    "a finite number",
    f64::is_finite
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept() {
        assert!(Positive::try_from(1e-300).is_ok());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Positive::try_from(bad).is_err(), "{bad}");
        }
        assert!(NonNegative::try_from(0.0).is_ok());
        assert!(NonNegative::try_from(-0.5).unwrap_err().contains("zero or above, not -0.5"));
        assert!(Finite::try_from(f64::NEG_INFINITY).is_err());
    }
}
