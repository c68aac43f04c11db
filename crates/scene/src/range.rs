//! Values with a range that only scene files have.

use std::fmt::Display;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::Scene;
use cloth::inextensible::Limits;
use cloth::integrators::DissipationLimit;
use cloth::quantity::Finite;
use cloth::{Grid, Vec3};
use linsolve::Parts;

/// Types of values: what is kept, what is read, and how this becomes that, or why it does not.
macro_rules! ranged {
    ($($(#[$doc:meta])* $name:ident($kept:ty) from $read:ty = $checked:expr;)*) => {
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
        )*
    };
}

ranged! {
    /// Particles a side.
    Side(usize) from i128 = |value| whole(value, 2, Grid::LIMIT as i128);
    /// A number of steps or iterations, at least one.
    Count(u32) from i128 = |value| whole(value, 1, Scene::STEP_LIMIT.into());
    /// Iterations of a nonlinear system: where so many do not do, more of them do not.
    Iterations(u32) from i128 = |value| whole(value, 1, 10_000);
    /// Degrees in the plane.
    Azimuth(f64) from f64 = |value| degrees(value, 360.0);
    /// Degrees above the plane.
    Elevation(f64) from f64 = |value| degrees(value, 89.0);
    /// The share of its rest length by which a spring counts as extended before it is.
    Tolerance(f64) from f64 = |value| number(value, (-1.0..1.0).contains(&value), "a number from -1 to below 1");
    /// A bound of strain that a constraint method can keep.
    Permissible(f64) from f64 = |value| {
        let least = Limits::SMALLEST_STRAIN;
        number(value, (least..1.0).contains(&value), format_args!("a number from {least:e} to below 1"))
    };
    /// Spectral radius of an iteration that converges.
    Radius(f64) from f64 = |value| number(value, value > 0.0 && value < 1.0, "a number above 0 and below 1");
    /// Pairs of L-BFGS.
    Pairs(usize) from i128 = |value| whole(value, 1, 100);
    /// Rows of a part of additive Schwarz.
    PartRows(usize) from i128 = |value| whole(value, 1, Parts::MOST_ROWS as i128);
    /// Layers by which its parts overlap.
    PartOverlap(usize) from i128 = |value| whole(value, 0, Parts::MOST_OVERLAP as i128);
    /// rho_inf of generalized-alpha.
    Dissipation(DissipationLimit) from f64 = |value| {
        DissipationLimit::new(value).map_err(|_| format!("must be a number from 0 to 1, not {value}"))
    };
    /// |x| / L above that of a spring at rest.
    Stretch(f64) from f64 = |value| number(value, value.is_finite() && value > 1.0, "a finite number above 1");
    /// A vector in space.
    Triple(Vec3) from Vec<Finite> = triple;
    /// A unit vector along a vector of any length but zero.
    Direction(Vec3) from Vec<Finite> = |numbers| {
        let along = triple(numbers)?;
        let most = along.amax(); // the square of its length may be out of range
        if most > 0.0 { Ok((along / most).normalize()) } else { Err("must not be all zero".to_owned()) }
    };
    /// Three lengths.
    Lengths(Vec3) from Vec<Finite> = |numbers| {
        let lengths = triple(numbers)?;
        if lengths.min() > 0.0 { Ok(lengths) } else { Err(format!("must be above zero, not {}", lengths.min())) }
    };
}

/// A whole number from `low` to `high`.
fn whole<T: TryFrom<i128>>(value: i128, low: i128, high: i128) -> Result<T, String> {
    let number = T::try_from(value).ok().filter(|_| (low..=high).contains(&value));
    number.ok_or_else(|| format!("must be a whole number from {low} to {high}, not {value}"))
}

/// A number of which it is known whether it `holds` what its range, in words, asks for.
fn number(value: f64, holds: bool, range: impl Display) -> Result<f64, String> {
    if holds { Ok(value) } else { Err(format!("must be {range}, not {value}")) }
}

fn degrees(value: f64, most: f64) -> Result<f64, String> {
    number(value, value.abs() <= most, format_args!("a number from -{most} to {most}"))
}

fn triple(numbers: Vec<Finite>) -> Result<Vec3, String> {
    match numbers[..] {
        [x, y, z] => Ok(Vec3::new(x.get(), y.get(), z.get())),
        _ => Err(format!("must be three finite numbers [x, y, z], not {}", numbers.len())),
    }
}
