//! Values with a range that only scene files have.

use serde::Deserialize;

use super::Scene;
use cloth::inextensible::Limits;
use cloth::integrators::DissipationLimit;
use cloth::quantity::Finite;
use cloth::{Grid, Vec3};

/// A whole number from `low` to `high`.
fn whole<T: TryFrom<i128>>(value: i128, low: i128, high: i128) -> Result<T, String> {
    let number = T::try_from(value).ok().filter(|_| (low..=high).contains(&value));
    number.ok_or_else(|| format!("must be a whole number from {low} to {high}, not {value}"))
}

/// Particles a side.
#[derive(Deserialize)]
#[serde(try_from = "i128")]
pub(super) struct Side(pub usize);

impl TryFrom<i128> for Side {
    type Error = String;
    fn try_from(value: i128) -> Result<Side, String> {
        whole(value, 2, Grid::LIMIT as i128).map(Side)
    }
}

/// A number of steps or iterations, at least one.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "i128")]
pub(super) struct Count(pub u32);

impl TryFrom<i128> for Count {
    type Error = String;
    fn try_from(value: i128) -> Result<Count, String> {
        whole(value, 1, Scene::STEP_LIMIT.into()).map(Count)
    }
}

/// Degrees in the plane.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Azimuth(pub f64);

impl TryFrom<f64> for Azimuth {
    type Error = String;
    fn try_from(value: f64) -> Result<Azimuth, String> {
        degrees(value, 360.0).map(Azimuth)
    }
}

/// Degrees above the plane.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Elevation(pub f64);

impl TryFrom<f64> for Elevation {
    type Error = String;
    fn try_from(value: f64) -> Result<Elevation, String> {
        degrees(value, 89.0).map(Elevation)
    }
}

fn degrees(value: f64, most: f64) -> Result<f64, String> {
    let holds = value.abs() <= most;
    holds.then_some(value).ok_or_else(|| format!("must be a number from -{most} to {most}, not {value}"))
}

/// Iterations of a nonlinear system: where so many do not do, more of them do not.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "i128")]
pub(super) struct Iterations(pub u32);

impl TryFrom<i128> for Iterations {
    type Error = String;
    fn try_from(value: i128) -> Result<Iterations, String> {
        whole(value, 1, 10_000).map(Iterations)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Tolerance(pub f64);

impl TryFrom<f64> for Tolerance {
    type Error = String;
    fn try_from(value: f64) -> Result<Tolerance, String> {
        let holds = (-1.0..1.0).contains(&value);
        if holds { Ok(Tolerance(value)) } else { Err(format!("must be a number from -1 to below 1, not {value}")) }
    }
}

/// A bound of strain that a constraint method can keep.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Permissible(pub f64);

impl TryFrom<f64> for Permissible {
    type Error = String;
    fn try_from(value: f64) -> Result<Permissible, String> {
        let least = Limits::SMALLEST_STRAIN;
        let holds = (least..1.0).contains(&value);
        if holds { Ok(Permissible(value)) } else { Err(format!("must be a number from {least:e} to below 1, not {value}")) }
    }
}

/// rho_inf of generalized-alpha.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Dissipation(pub DissipationLimit);

impl TryFrom<f64> for Dissipation {
    type Error = String;
    fn try_from(value: f64) -> Result<Dissipation, String> {
        DissipationLimit::new(value).map(Dissipation).map_err(|_| format!("must be a number from 0 to 1, not {value}"))
    }
}

/// |x| / L above that of a spring at rest.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Stretch(pub f64);

impl TryFrom<f64> for Stretch {
    type Error = String;
    fn try_from(value: f64) -> Result<Stretch, String> {
        let holds = value.is_finite() && value > 1.0;
        if holds { Ok(Stretch(value)) } else { Err(format!("must be a finite number above 1, not {value}")) }
    }
}

/// A vector in space.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<Finite>")]
pub(super) struct Triple(pub Vec3);

impl TryFrom<Vec<Finite>> for Triple {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Triple, String> {
        let [x, y, z] = numbers[..] else {
            return Err(format!("must be three finite numbers [x, y, z], not {}", numbers.len()));
        };
        Ok(Triple(Vec3::new(x.get(), y.get(), z.get())))
    }
}

/// A unit vector along a vector of any length but zero.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<Finite>")]
pub(super) struct Direction(pub Vec3);

impl TryFrom<Vec<Finite>> for Direction {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Direction, String> {
        let Triple(along) = Triple::try_from(numbers)?;
        let most = along.amax(); // the square of its length may be out of range
        if most > 0.0 { Ok(Direction((along / most).normalize())) } else { Err("must not be all zero".to_owned()) }
    }
}

/// Three lengths.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<Finite>")]
pub(super) struct Lengths(pub Vec3);

impl TryFrom<Vec<Finite>> for Lengths {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Lengths, String> {
        let Triple(lengths) = Triple::try_from(numbers)?;
        if lengths.min() > 0.0 { Ok(Lengths(lengths)) } else { Err(format!("must be above zero, not {}", lengths.min())) }
    }
}
