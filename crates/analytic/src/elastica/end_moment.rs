use std::f64::consts::TAU;

/// Where the tip of a strip is that was straight, and in which direction it points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// u, back toward the clamp \[m\].
    pub back: f64,
    /// w, across \[m\].
    pub across: f64,
    /// The angle from its first direction \[rad\].
    pub angle: f64,
}

/// M = 2 pi D b / L \[N m\], the moment at its end that closes a strip of rigidity D \[N m\], width b \[m\] and length L \[m\] to
/// a circle.
pub fn closing_moment(rigidity: f64, width: f64, length: f64) -> f64 {
    TAU * rigidity * width / length
}

/// The place at s \[m\] of a strip whose end, L \[m\] away, is bent by `share` of the closing moment \[-\]: an arc of curvature
/// kappa = 2 pi share / L, so that at phi = kappa s, u = s (1 - sin phi / phi) and w = s (1 - cos phi) / phi \[Sze, Liu & Lo
/// 2004, 3.2, at s = L\].
pub fn roll_up(length: f64, share: f64, s: f64) -> Tip {
    let phi = TAU * share * s / length;
    if phi == 0.0 {
        return Tip { back: 0.0, across: 0.0, angle: 0.0 };
    }
    let half = libm::sin(0.5 * phi);
    Tip { back: s * (1.0 - libm::sin(phi) / phi), across: s * 2.0 * half * half / phi, angle: phi } // 1 - cos = 2 sin²
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_quarter_half_and_full_circle_of_twelve() {
        let radius = 12.0 / TAU;
        let quarter = roll_up(12.0, 0.25, 12.0); // of a circle four times as large
        assert!((quarter.back - (12.0 - 4.0 * radius)).abs() < 1e-14 && (quarter.across - 4.0 * radius).abs() < 1e-14);
        let half = roll_up(12.0, 0.5, 12.0);
        assert!((half.back - 12.0).abs() < 1e-14 && (half.across - 4.0 * radius).abs() < 1e-14 && half.angle == PI);
        let full = roll_up(12.0, 1.0, 12.0);
        assert!((full.back - 12.0).abs() < 1e-14 && full.across.abs() < 1e-14, "{full:?}");
        let opposite = roll_up(12.0, 1.0, 6.0);
        assert!((opposite.across - 2.0 * radius).abs() < 1e-14, "{opposite:?}");
        // [Sze, Liu & Lo 2004, 3.2]: E = 1.2e6, h = 0.1, b = 1, L = 12, M = 50 pi / 3
        assert!((closing_moment(1.2e6 * 0.001 / 12.0, 1.0, 12.0) - 50.0 * PI / 3.0).abs() < 1e-13);
    }

    #[test]
    fn a_small_moment_deflects_as_a_beam() {
        let share = 1e-6; // w = M L² / 2 D
        assert!((roll_up(2.0, share, 2.0).across / (TAU * share) - 1.0).abs() < 1e-11);
        assert_eq!(roll_up(2.0, 0.0, 2.0), Tip { back: 0.0, across: 0.0, angle: 0.0 });
    }
}
