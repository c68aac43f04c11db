use super::Cantilever;
use crate::numerics::root::root;

/// c = (D / rho g)^(1/3) \[m\], the bending length of rigidity D \[N m\], density rho \[kg/m²\] and gravity g \[m/s²\]
/// \[Peirce 1930\].
pub fn bending_length(rigidity: f64, density: f64, gravity: f64) -> f64 {
    libm::cbrt(rigidity / (density * gravity))
}

/// G = (L/c)³ of the strip whose tip is seen from the clamp at `angle` below level \[rad\], in ]0, 1.55]: tan(angle) = H/W.
///
/// In the test of ASTM D1388 a strip is pushed over an edge until its tip meets a plane of 41.5°.
///
/// # Panics
/// For any other angle.
pub fn heaviness_at(angle: f64) -> f64 {
    assert!(angle > 0.0 && angle <= 1.55, "angle {angle}");
    let tangent = libm::tan(angle);
    let [low, high] = [libm::log(4.0 * tangent), libm::log(1e5)]; // H/W is above G/8 of no strip, and tan 1.55 = 48
    libm::exp(root(low, high, |logarithm| Cantilever::new(libm::exp(logarithm), 0.0).drop_over_reach() - tangent))
}

/// G = 8 tan(angle) / cos(angle/2), what Peirce 1930 takes for [`heaviness_at`].
pub fn formula(angle: f64) -> f64 {
    8.0 * libm::tan(angle) / libm::cos(0.5 * angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angle_of_the_standard() {
        let angle = 41.5_f64.to_radians();
        let exact = heaviness_at(angle);
        assert!((exact - 8.0042).abs() < 5e-5, "{exact}");
        assert!((libm::cbrt(exact) - 2.0).abs() < 5e-4, "L/c"); // c = L/2
        let low = 1.0 - formula(angle) / exact;
        assert!((low - 0.054).abs() < 5e-4, "{low}");
    }

    #[test]
    fn the_heaviness_is_that_of_the_angle() {
        for angle in [1e-3, 0.3, 1.0, 1.5, 1.55] {
            let strip = Cantilever::new(heaviness_at(angle), 0.0);
            assert!((libm::atan2(strip.drop, strip.reach) - angle).abs() < 1e-12, "{strip:?}");
        }
        assert!((formula(1e-4) / heaviness_at(1e-4) - 1.0).abs() < 1e-7); // both G = 8 tan
    }

    #[test]
    fn a_bending_length_by_hand() {
        assert!((bending_length(8e-6, 0.1, 10.0) - 0.02).abs() < 1e-17);
    }
}
