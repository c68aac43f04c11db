//! How colours look to eyes: how far they are apart, and how well one is read on another.

use super::palette::Color;

/// Kinds of eyes, by the cones that they have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Eyes {
    /// All three kinds.
    AllCones,
    /// None for green.
    Deuteranopia,
    /// None for red.
    Protanopia,
}

impl Eyes {
    /// What they see, in linear sRGB, at severity 1 [Machado, Oliveira & Fernandes 2009].
    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Eyes::AllCones => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Eyes::Deuteranopia => {
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
            }
            Eyes::Protanopia => {
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
            }
        }
    }
}

/// Linear intensity of a channel of sRGB [IEC 61966-2-1].
fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
}

fn product(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| (0..3).map(|k| row[k] * vector[k]).sum())
}

/// A colour in CIELAB, white of D65, as eyes see it.
fn lab(color: Color, eyes: Eyes) -> [f64; 3] {
    const XYZ: [[f64; 3]; 3] =
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
    let seen = product(eyes.matrix(), [color.0, color.1, color.2].map(linear)).map(|part| part.clamp(0.0, 1.0));
    let [x, y, z] = product(XYZ, seen);
    let root = |t: f64| if t > 216.0 / 24389.0 { libm::cbrt(t) } else { t * 841.0 / 108.0 + 4.0 / 29.0 };
    let [fx, fy, fz] = [x / 0.95047, y, z / 1.08883].map(root);
    [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
}

/// How far two colours are apart in CIELAB, as eyes see them [CIE 1976].
pub fn apart(a: Color, b: Color, eyes: Eyes) -> f64 {
    let [a, b] = [lab(a, eyes), lab(b, eyes)];
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt()
}

/// Ratio of contrast, from 1 to 21 [WCAG 2.1].
pub fn contrast(a: Color, b: Color) -> f64 {
    let luminance = |color: Color| 0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2);
    let [a, b] = [luminance(a), luminance(b)];
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_and_contrast_of_colours_that_are_known() {
        let [white, black] = [Color(255, 255, 255), Color(0, 0, 0)];
        let seen = lab(white, Eyes::AllCones);
        assert!((seen[0] - 100.0).abs() < 0.01 && seen[1].abs() < 0.02 && seen[2].abs() < 0.02, "{seen:?}");
        let red = lab(Color(255, 0, 0), Eyes::AllCones);
        assert!(red.iter().zip([53.24, 80.09, 67.20]).all(|(a, b)| (a - b).abs() < 0.02), "{red:?}");
        assert!((contrast(white, black) - 21.0).abs() < 1e-9);
        // red and green of one lightness, which deuteranopia hardly tells apart
        let [red, green] = [Color(200, 92, 80), Color(130, 128, 60)];
        assert!(apart(red, green, Eyes::AllCones) > 45.0 && apart(red, green, Eyes::Deuteranopia) < 20.0);
    }
}
