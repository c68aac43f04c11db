//! The place of a mesh that another program drew: its unit, its vertical axis, its size, its turn, its origin.

use serde::Deserialize;

use super::range::Triple;
use cloth::quantity::Positive;
use cloth::{Mat3, Vec3};

/// Unit of the coordinates of a file.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
pub enum Unit {
    /// Metres.
    #[default]
    #[serde(rename = "m")]
    Metre,
    /// Centimetres.
    #[serde(rename = "cm")]
    Centimetre,
    /// Millimetres.
    #[serde(rename = "mm")]
    Millimetre,
    /// Inches.
    #[serde(rename = "in")]
    Inch,
}

impl Unit {
    /// All units.
    pub const ALL: [Unit; 4] = [Unit::Metre, Unit::Centimetre, Unit::Millimetre, Unit::Inch];

    /// Its length \[m\].
    pub fn metres(self) -> f64 {
        match self {
            Unit::Metre => 1.0,
            Unit::Centimetre => 0.01,
            Unit::Millimetre => 0.001,
            Unit::Inch => 0.0254,
        }
    }

    /// Its word in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Metre => "m",
            Unit::Centimetre => "cm",
            Unit::Millimetre => "mm",
            Unit::Inch => "in",
        }
    }
}

/// Axis of a file that points up.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Up {
    /// As in scenes.
    #[default]
    Z,
    /// As most programs export: x stays, and z points to the viewer.
    Y,
}

/// The way from the coordinates of a file to those of the scene, linear x + at \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    linear: Mat3,
    at: Vec3,
}

impl Default for Placement {
    /// Metres, z up, where the file has it.
    fn default() -> Placement {
        Placement { linear: Mat3::identity(), at: Vec3::zeros() }
    }
}

impl Placement {
    /// The placement of a file in `unit` with `up` pointing up, `scale` times as large, turned about x, then y, then z by `rotate`
    /// \[degrees\] about its origin, which is put `at` \[m\].
    pub fn new(unit: Unit, up: Up, scale: f64, rotate: Vec3, at: Vec3) -> Placement {
        let axes = match up {
            Up::Z => Mat3::identity(),
            Up::Y => Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0), // (x, y, z) -> (x, -z, y)
        };
        let turned = [2, 1, 0].into_iter().fold(Mat3::identity(), |turned, axis| {
            let degrees = rotate[axis];
            if degrees == 0.0 { turned } else { turned * rotation(axis, degrees) }
        });
        Placement { linear: unit.metres() * scale * (turned * axes), at }
    }

    /// The place of a point of the file \[m\].
    pub fn place(&self, x: &Vec3) -> Vec3 {
        self.linear * x + self.at
    }

    /// Its linear part \[m\] and the place of the origin \[m\].
    pub fn parts(&self) -> (Mat3, Vec3) {
        (self.linear, self.at)
    }
}

/// Rotation about a coordinate axis by the right hand.
fn rotation(axis: usize, degrees: f64) -> Mat3 {
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = Mat3::identity();
    (matrix[(j, j)], matrix[(j, k)], matrix[(k, j)], matrix[(k, k)]) = (cosine, -sine, sine, cosine);
    matrix
}

/// The keys of a placement, which serde cannot both take from here and watch for others.
#[derive(Default)]
pub(super) struct PlacementKeys {
    pub unit: Option<Unit>,
    pub up: Option<Up>,
    pub scale: Option<Positive>,
    pub rotate: Option<Triple>,
    pub at: Option<Triple>,
}

impl PlacementKeys {
    /// The placement that they say.
    pub fn placement(self) -> Placement {
        let of = |triple: Option<Triple>| triple.map_or(Vec3::zeros(), |Triple(vector)| vector);
        let scale = self.scale.map_or(1.0, Positive::get);
        Placement::new(self.unit.unwrap_or_default(), self.up.unwrap_or_default(), scale, of(self.rotate), of(self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_scaled_stood_up_turned_and_moved_in_this_order() {
        let x = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(Placement::default().place(&x), x);
        assert_eq!(Placement::new(Unit::Metre, Up::Y, 1.0, Vec3::zeros(), Vec3::zeros()).place(&x), Vec3::new(1.0, -3.0, 2.0));
        let placed = Placement::new(Unit::Millimetre, Up::Z, 500.0, Vec3::new(90.0, 0.0, 90.0), Vec3::x()).place(&x);
        // halves, about x to (0.5, -1.5, 1), about z to (1.5, 0.5, 1)
        assert!((placed - Vec3::new(2.5, 0.5, 1.0)).norm() < 1e-15, "{placed}");
        let inches = Placement::new(Unit::Inch, Up::Z, 1.0, Vec3::zeros(), Vec3::zeros()).place(&Vec3::x());
        assert_eq!(inches, 0.0254 * Vec3::x());
    }
}
