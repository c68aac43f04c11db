//! Values with a range that only scene files have.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::Scene;
use super::key::{Takes, takes};
use cloth::inextensible::Limits;
use cloth::integrators::DissipationLimit;
use cloth::quantity::Finite;
use cloth::{Grid, Vec3};
use linsolve::Parts;

/// Types of values: what is kept, what is read, its range in words, and how this becomes that, or why it does not.
macro_rules! ranged {
    ($($(#[$doc:meta])* $name:ident($kept:ty) from $read:ty: $words:expr, $checked:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(super) struct $name(pub $kept);

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$name, D::Error> {
                    let checked: fn($read) -> Result<$kept, String> = $checked;
                    checked(<$read>::deserialize(source)?).map($name).map_err(D::Error::custom)
                }
            }

            takes!($name: $words);
        )*
    };
}

/// Types of whole numbers in a range.
macro_rules! whole {
    ($($(#[$doc:meta])* $name:ident($kept:ty): $low:literal, $high:expr;)*) => {
        ranged! {
            $($(#[$doc])* $name($kept) from i128: format!("a whole number from {} to {}", $low, $high), |value| {
                let number = <$kept>::try_from(value).ok().filter(|number| ($low..=$high).contains(number));
                number.ok_or_else(|| format!("must be {}, not {value}", $name::words()))
            };)*
        }
    };
}

/// Types of numbers of which it is known whether they hold what their range, in words, asks for.
macro_rules! number {
    ($($(#[$doc:meta])* $name:ident: $words:expr, $holds:expr;)*) => {
        ranged! {
            $($(#[$doc])* $name(f64) from f64: $words, |value| {
                let holds: fn(f64) -> bool = $holds;
                if holds(value) { Ok(value) } else { Err(format!("must be {}, not {value}", $name::words())) }
            };)*
        }
    };
}

whole! {
    /// Particles a side.
    Side(usize): 2, Grid::LIMIT;
    /// A number of steps or iterations, at least one.
    Count(u32): 1, Scene::STEP_LIMIT as u32;
    /// Iterations of a nonlinear system: where so many do not do, more of them do not.
    Iterations(u32): 1, 10_000;
    /// Pairs of L-BFGS.
    Pairs(usize): 1, 100;
    /// Rows of a part of additive Schwarz.
    PartRows(usize): 1, Parts::MOST_ROWS;
    /// Layers by which its parts overlap.
    PartOverlap(usize): 0, Parts::MOST_OVERLAP;
}

number! {
    /// Degrees in the plane.
    Azimuth: "a number from -360 to 360", |value| value.abs() <= 360.0;
    /// Degrees above the plane.
    Elevation: "a number from -89 to 89", |value| value.abs() <= 89.0;
    /// The share of its rest length by which a spring counts as extended before it is.
    Tolerance: "a number from -1 to below 1", |value| (-1.0..1.0).contains(&value);
    /// A bound of strain that a constraint method can keep.
    Permissible: format!("a number from {:e} to below 1", Limits::SMALLEST_STRAIN), |value| {
        (Limits::SMALLEST_STRAIN..1.0).contains(&value)
    };
    /// Spectral radius of an iteration that converges.
    Radius: "a number above 0 and below 1", |value| value > 0.0 && value < 1.0;
    /// |x| / L above that of a spring at rest.
    Stretch: "a finite number above 1", |value| value.is_finite() && value > 1.0;
}

ranged! {
    /// rho_inf of generalized-alpha.
    Dissipation(DissipationLimit) from f64: "a number from 0 to 1", |value| {
        DissipationLimit::new(value).map_err(|_| format!("must be {}, not {value}", Dissipation::words()))
    };
    /// A vector in space.
    Triple(Vec3) from Vec<Finite>: "three finite numbers [x, y, z]", triple;
    /// A unit vector along a vector of any length but zero.
    Direction(Vec3) from Vec<Finite>: "three finite numbers [x, y, z], not all zero", |numbers| {
        let along = triple(numbers)?;
        let most = along.amax(); // the square of its length may be out of range
        if most > 0.0 { Ok((along / most).normalize()) } else { Err("must not be all zero".to_owned()) }
    };
    /// Three lengths.
    Lengths(Vec3) from Vec<Finite>: "three finite numbers [x, y, z] above zero", |numbers| {
        let lengths = triple(numbers)?;
        if lengths.min() > 0.0 { Ok(lengths) } else { Err(format!("must be above zero, not {}", lengths.min())) }
    };
}

fn triple(numbers: Vec<Finite>) -> Result<Vec3, String> {
    match numbers[..] {
        [x, y, z] => Ok(Vec3::new(x.get(), y.get(), z.get())),
        _ => Err(format!("must be {}, not {}", Triple::words(), numbers.len())),
    }
}
