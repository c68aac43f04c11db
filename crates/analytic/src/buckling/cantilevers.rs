use crate::numerics::bessel::first_zero;

/// What is printed of [`standing_strip`] \[Greenhill 1881\].
pub const GREENHILL: f64 = 7.83735;

/// The smallest Lambda of u'' + Lambda xi^m u = 0, u'(0) = 0, u(1) = 0, with xi from the free end of a cantilever.
///
/// u = sqrt(xi) J_-nu(2 nu sqrt(Lambda) xi^(1/(2 nu))) with nu = 1/(m + 2): of its two solutions the one with u'(0) = 0. So
/// sqrt(Lambda) = (m + 2)/2 j, j the first zero of J_-nu.
fn critical(m: f64) -> f64 {
    let root = 0.5 * (m + 2.0) * first_zero(-1.0 / (m + 2.0));
    root * root
}

/// F L² / D = pi²/4 \[-\], at which a strip that stands clamped at its foot buckles under a load F at its top per width \[N/m\]
/// \[Euler 1744\]: D theta'' + F theta = 0.
pub fn euler_column() -> f64 {
    critical(0.0)
}

/// G = rho g L³ / D = 7.83735 \[-\], at which a strip that stands clamped at its foot buckles under its own weight \[Greenhill
/// 1881\]: D theta'' + rho g (L - s) theta = 0, so that G = 9/4 j², j = 1.86635 the first zero of J_-1/3.
pub fn standing_strip() -> f64 {
    critical(1.0)
}

/// L \[m\], up to which a strip stands of rigidity D \[N m\], density rho \[kg/m²\] and under gravity g \[m/s²\].
pub fn standing_height(rigidity: f64, density: f64, gravity: f64) -> f64 {
    libm::cbrt(standing_strip() * rigidity / (density * gravity))
}

/// P L² / sqrt(EI GJ) = 4.01260 \[-\], at which a cantilever on edge turns aside under a load P \[N\] at its tip \[Michell 1899;
/// Prandtl 1899\]; EI its rigidity against bending aside, GJ against twist \[N m²\], both small beside that in its plane.
///
/// Of its twist beta, with moments M = P xi about the level axis: GJ beta' = P (w_tip - w - xi w'), EI w'' = M beta, so that
/// GJ beta'' + (P xi)² / EI beta = 0, m = 2.
pub fn end_load_on_edge() -> f64 {
    libm::sqrt(critical(2.0))
}

/// q L³ / sqrt(EI GJ) = 12.8536 \[-\], at which it turns aside under its own weight q \[N/m\] \[Prandtl 1899; Timoshenko & Gere
/// 1961, 6.3\]: M = q xi²/2 and GJ beta'' + (q xi²/2)² / EI beta = 0, m = 4.
pub fn weight_on_edge() -> f64 {
    2.0 * libm::sqrt(critical(4.0))
}

/// GJ = 2 (1 - nu) D b \[N m²\], of a strip of rigidity D \[N m\], Poisson's ratio nu and width b \[m\] that is thin beside its
/// width and narrow beside its length; EI of a strip is D (1 - nu²) b.
///
/// It is zero for nu = 1: so is that of any bending law whose energy is in the mean curvature alone, D/2 (kappa_1 + kappa_2)².
pub fn torsional_rigidity(rigidity: f64, poisson: f64, width: f64) -> f64 {
    2.0 * (1.0 - poisson) * rigidity * width
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Lambda of the equation with exponent m by differences on n intervals: the matrix of u'' is tridiagonal, and the number of
    /// its eigenvalues below Lambda is that of negative pivots, so that the first one is bisected.
    fn by_differences(m: u32, n: usize) -> f64 {
        let h = 1.0 / n as f64;
        let is_above = |load: f64| {
            // nodes xi_0 = 0 ... xi_n-1, u_n = 0; u'(0) = 0 by half a cell at 0
            let weight = |k: usize| (0..m).fold(load * h * h, |weight, _| weight * (k as f64 * h));
            let mut pivot = 1.0 - 0.5 * weight(0);
            (1..n).any(|k| {
                let negative = pivot < 0.0;
                pivot = 2.0 - weight(k) - 1.0 / pivot;
                negative || pivot < 0.0
            })
        };
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            (low, high) = if is_above(middle) { (low, middle) } else { (middle, high) };
        }
        low
    }

    #[test]
    fn differences_converge_to_zeros_of_bessel_functions() {
        for m in [0, 1, 2, 4] {
            let exact = critical(f64::from(m));
            let [coarse, fine] = [200, 400].map(|n| by_differences(m, n) - exact);
            assert!(fine.abs() < 1e-4 * exact && (coarse / fine - 4.0).abs() < 0.05, "m = {m}: {coarse} {fine}");
            let extrapolated = fine + (fine - coarse) / 3.0;
            assert!(extrapolated.abs() < 1e-7 * exact, "m = {m}: {extrapolated}");
        }
    }

    #[test]
    fn loads_of_the_literature() {
        assert!((euler_column() - 0.25 * PI * PI).abs() < 1e-14);
        assert!((standing_strip() - GREENHILL).abs() < 5e-6, "{}", standing_strip());
        assert!((end_load_on_edge() - 4.0126).abs() < 5e-5, "{}", end_load_on_edge());
        assert!((weight_on_edge() - 12.85).abs() < 5e-3, "{}", weight_on_edge());
    }

    #[test]
    fn a_strip_stands_up_to_its_height() {
        let height = standing_height(1.4e-5, 0.2, 9.81);
        assert!((0.2 * 9.81 * height * height * height / 1.4e-5 - standing_strip()).abs() < 1e-12);
        assert_eq!(torsional_rigidity(8.0, 0.25, 0.5), 6.0);
    }
}
