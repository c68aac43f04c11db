//! Signs that the lengths of a mesh from a file are not those of cloth.

use std::fmt;

use super::Texture;
use crate::placement::{Placement, Unit};
use cloth::Vec3;
use cloth::triangles::Vec2;

/// A sign that a file is read in another way than it was meant, with the key of `[mesh.obj]` that would mend it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// The cloth is too large or too small \[m\]; the unit that would make it as large as cloth is, where one does.
    Size {
        /// As it is drawn \[m\].
        drawn: f64,
        /// The unit and the size \[m\] that it gives.
        unit: Option<(Unit, f64)>,
    },
    /// Texture lengths are so many times those that are drawn.
    Factor {
        /// Texture over drawn \[-\].
        factor: f64,
        /// The unit of texture at which both agree \[m\].
        texture_scale: f64,
    },
    /// Texture lengths fit those that are drawn by no factor.
    Atlas {
        /// Texture over drawn, of the lowest and the highest twentieth of the sides \[-\].
        factors: [f64; 2],
    },
    /// Particles that lie on others of another piece.
    Coincident {
        /// Number of those particles.
        count: usize,
        /// The distance that joins them \[m\].
        merge: f64,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Doubt::Size { drawn, unit } => {
                write!(f, "the cloth is {} m long as it is drawn, ", digits(drawn))?;
                match unit {
                    Some((unit, size)) => {
                        write!(f, "and {} m with `unit = \"{}\"` in [mesh.obj]", digits(size), unit.name())
                    }
                    None => write!(f, "which `scale` in [mesh.obj] would change"),
                }
            }
            Doubt::Factor { factor, texture_scale } => write!(
                f,
                "lengths by texture coordinates are {} times those that are drawn; `texture_scale = {}` in [mesh.obj] makes them equal, \
                 `texture = \"ignore\"` takes those that are drawn",
                digits(factor),
                digits(texture_scale)
            ),
            Doubt::Atlas { factors: [low, high] } => write!(
                f,
                "lengths by texture coordinates are {} to {} times those that are drawn, as of an atlas for pictures; \
                 `texture = \"ignore\"` in [mesh.obj] takes those that are drawn",
                digits(low),
                digits(high)
            ),
            Doubt::Coincident { count, merge } => {
                write!(f, "{count} vertices lie on one of another piece; `merge = {merge:e}` in [mesh.obj] joins them")
            }
        }
    }
}

/// A number to three digits, in words of TOML.
fn digits(value: f64) -> String {
    let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    if (1e-4..1e6).contains(&short) { short.to_string() } else { format!("{short:e}") }
}

/// Lengths of cloth: those beyond are told \[m\].
const CLOTH: [f64; 2] = [0.01, 20.0];

/// Lengths at which a unit is believed \[m\].
const BELIEVED: [f64; 2] = [0.05, 5.0];

/// The metric unit in which so many units of a file are as long as a piece of cloth, nearest to a metre.
pub fn likely_unit(units: f64) -> Option<Unit> {
    let fits = |unit: &Unit| (BELIEVED[0]..=BELIEVED[1]).contains(&(unit.metres() * units));
    let metric = [Unit::Metre, Unit::Centimetre, Unit::Millimetre].into_iter().filter(fits);
    let from_a_metre = |unit: &Unit| libm::log(unit.metres() * units).abs();
    metric.min_by(|a, b| from_a_metre(a).total_cmp(&from_a_metre(b)))
}

/// Tells of cloth of a size that there is not.
pub(super) fn size_doubt(x: &[Vec3], placement: &Placement) -> Option<Doubt> {
    let drawn = extent(x);
    if (CLOTH[0]..=CLOTH[1]).contains(&drawn) || !drawn.is_finite() {
        return None;
    }
    let metres = placement.parts().0.column(0).norm();
    let units = drawn / metres;
    let unit = likely_unit(units).map(|unit| (unit, unit.metres() * units));
    Some(Doubt::Size { drawn, unit })
}

/// Lengths of sides by texture over those that are drawn.
#[derive(Default)]
pub(super) struct Lengths {
    ratios: Vec<f64>,
}

/// Ratios of the lowest and the highest twentieth of the sides up to which they are one factor \[-\].
const ONE_FACTOR: f64 = 2.0;

/// Factors between which drawn cloth is stretched, slack or taken in, and not of another unit \[-\].
const DRAWN_TO_FIT: [f64; 2] = [0.7, 1.4];

impl Lengths {
    /// Takes in the sides of a face.
    pub fn watch(&mut self, places: &[Vec3], pattern: &[Vec2]) {
        for k in 0..places.len() {
            let next = (k + 1) % places.len();
            let ratio = (pattern[next] - pattern[k]).norm() / (places[next] - places[k]).norm();
            if ratio.is_finite() && ratio > 0.0 {
                self.ratios.push(ratio);
            }
        }
    }

    /// Puts them in order, which the other methods take.
    pub fn sort(&mut self) {
        self.ratios.sort_by(f64::total_cmp);
    }

    /// The least, the median and the largest, where there are any.
    pub fn range(&self) -> Option<[f64; 3]> {
        let last = self.ratios.len().checked_sub(1)?;
        Some([0, last / 2, last].map(|k| self.ratios[k]))
    }

    /// Their words.
    pub fn doubt(&self, texture: Texture) -> Option<Doubt> {
        let Texture::Pattern(scale) = texture else { return None };
        let last = self.ratios.len().checked_sub(1)?;
        let [low, factor, high] = [last / 20, last / 2, last - last / 20].map(|k| self.ratios[k]);
        if high > ONE_FACTOR * ONE_FACTOR * low {
            return Some(Doubt::Atlas { factors: [low, high] });
        }
        let fits = (DRAWN_TO_FIT[0]..=DRAWN_TO_FIT[1]).contains(&factor);
        (!fits).then(|| Doubt::Factor { factor, texture_scale: scale / factor })
    }
}

/// The lowest and the highest corner of the box around points \[m\].
pub fn corners(x: &[Vec3]) -> [Vec3; 2] {
    let ends = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
    x.iter().fold(ends, |[low, high], x| [low.inf(x), high.sup(x)])
}

/// The longest side of that box \[m\].
pub(crate) fn extent(x: &[Vec3]) -> f64 {
    let [low, high] = corners(x);
    (high - low).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_cloth() {
        for (units, expected) in [
            (1.0, Some(Unit::Metre)),
            (70.0, Some(Unit::Centimetre)),
            (180.0, Some(Unit::Centimetre)),
            (1700.0, Some(Unit::Millimetre)),
            (700.0, Some(Unit::Millimetre)),
            (1e6, None),
            (1e-3, None),
        ] {
            assert_eq!(likely_unit(units), expected, "{units}");
        }
    }

    #[test]
    fn a_common_factor_is_told_apart_from_an_atlas() {
        let square = [Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()];
        let told = |sizes: &[[f64; 2]]| {
            let mut lengths = Lengths::default();
            for [along, across] in sizes {
                let at = Vec2::new;
                lengths.watch(&square, &[at(0.0, 0.0), at(*along, 0.0), at(*along, *across), at(0.0, *across)]);
            }
            lengths.sort();
            lengths.doubt(Texture::Pattern(1.0))
        };
        assert_eq!(told(&[[1.0, 1.1]; 9]), None);
        assert_eq!(told(&[[1000.0, 1000.0]; 9]), Some(Doubt::Factor { factor: 1000.0, texture_scale: 0.001 }));
        assert_eq!(told(&[[0.1, 0.1], [0.5, 0.9]]), Some(Doubt::Atlas { factors: [0.1, 0.9] }));
        assert_eq!(told(&[]), None);
        let words = Doubt::Factor { factor: 1000.0, texture_scale: 0.001 }.to_string();
        assert!(words.contains("1000 times") && words.contains("`texture_scale = 0.001`"), "{words}");
        let words = size_doubt(&[Vec3::zeros(), Vec3::repeat(1700.0)], &Placement::default()).map(|doubt| doubt.to_string());
        assert_eq!(
            words.as_deref(),
            Some("the cloth is 1700 m long as it is drawn, and 1.7 m with `unit = \"mm\"` in [mesh.obj]")
        );
    }
}
