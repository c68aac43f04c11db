use linsolve::lanes::Eight;

/// Polynomial of the bending law, in rising powers of s = |x| / L \[Boxerman 2003, eq. 3.9\].
const LAW: [f64; 5] = [-9.713, 23.116, -39.083, 34.193, -11.541];

/// Below this ratio the polynomial holds, above it a line to zero at s = 1: the polynomial itself jumps there.
const RAMP: f64 = 0.9;

/// sum of c_k s^k
fn law(s: f64) -> f64 {
    LAW.iter().rev().fold(0.0, |sum, c| sum * s + c)
}

/// integral of the law from 0 to s
fn law_integral(s: f64) -> f64 {
    LAW.iter().enumerate().rev().fold(0.0, |sum, (k, c)| sum * s + c / (k + 1) as f64) * s
}

/// f(s), the dimensionless force of a bend spring at the ratio s = |x| / L, negative where it pushes apart:
/// the polynomial below 0.9, f(0.9) (1 - s) / 0.1 up to 1, zero beyond.
pub fn bend_force(s: f64) -> f64 {
    if s >= 1.0 {
        0.0
    } else if s >= RAMP {
        law(RAMP) * (1.0 - s) / (1.0 - RAMP)
    } else {
        law(s) // f(s)  [Boxerman 2003, eq. 3.9]
    }
}

/// f'(s) > 0 for s < 1, the slope of [`bend_force`]; the ramp has a slope of its own.
pub fn bend_force_slope(s: f64) -> f64 {
    if s >= 1.0 {
        0.0
    } else if s >= RAMP {
        -law(RAMP) / (1.0 - RAMP)
    } else {
        LAW.iter().enumerate().skip(1).rev().fold(0.0, |sum, (k, c)| sum * s + k as f64 * c)
    }
}

/// f(s) and f'(s) of eight springs, where s < 1; what it gives elsewhere means nothing.
#[inline(always)]
pub(crate) fn bend_force_and_slope<E: Eight>(s: E) -> [E; 2] {
    let (mut force, mut slope) = (E::splat(0.0), E::splat(0.0));
    for k in (0..LAW.len()).rev() {
        slope = slope * s + force; // the derivative of a Horner scheme
        force = force * s + E::splat(LAW[k]);
    }
    let ramp_slope = -law(RAMP) / (1.0 - RAMP);
    let on_ramp = s.reaching(E::splat(RAMP));
    let ramp = (s - E::splat(1.0)) * E::splat(ramp_slope);
    [force.replaced(on_ramp, ramp), slope.replaced(on_ramp, E::splat(ramp_slope))]
}

/// F(s) = integral of [`bend_force`] from 1 to s, so that kb L² F(s) \[J\] is the energy of the force kb L f(s).
pub fn bend_energy(s: f64) -> f64 {
    let ramp = |s: f64| -law(RAMP) * (1.0 - s) * (1.0 - s) / (2.0 * (1.0 - RAMP));
    if s >= 1.0 {
        0.0
    } else if s >= RAMP {
        ramp(s)
    } else {
        ramp(RAMP) + law_integral(s) - law_integral(RAMP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_is_that_of_a_circular_arc() {
        // f = y² / (cos y - sin y / y) with s = sin y / y: half the arc's angle is y  [Choi & Ko 2002]
        for y in [1.0_f64, 1.4, 1.8, 2.2] {
            let (sin, cos) = (libm::sin(y), libm::cos(y));
            let s = sin / y;
            let arc = y * y / (cos - s);
            assert!((bend_force(s) / arc - 1.0).abs() < 0.05, "s = {s}: {} against {arc}", bend_force(s));
        }
    }

    #[test]
    fn the_printed_polynomial_by_hand() {
        // -11.541/16 + 34.193/8 - 39.083/4 + 23.116/2 - 9.713
        assert!((bend_force(0.5) - -4.372_937_5).abs() < 1e-12);
    }

    #[test]
    fn the_ramp_joins_the_polynomial_and_ends_at_zero() {
        let jump = bend_force(RAMP) - bend_force(RAMP - 1e-12);
        assert!(jump.abs() < 1e-9);
        assert!(bend_force(1.0 - 1e-12).abs() < 1e-9);
        assert_eq!(bend_force(1.3), 0.0);
    }

    #[test]
    fn force_rises_with_the_ratio_so_that_the_jacobian_is_positive() {
        let ratios: Vec<f64> = (1..100).map(|k| f64::from(k) / 100.0).collect();
        for pair in ratios.windows(2) {
            assert!(bend_force(pair[1]) > bend_force(pair[0]), "{pair:?}");
        }
    }

    #[test]
    fn the_slope_is_that_of_the_force() {
        for s in [0.2, 0.6, 0.89, 0.93, 0.99] {
            let step = 1e-6;
            let slope = (bend_force(s + step) - bend_force(s - step)) / (2.0 * step);
            assert!(slope > 0.1 && (bend_force_slope(s) / slope - 1.0).abs() < 1e-7, "{s}");
        }
        assert_eq!(bend_force_slope(1.2), 0.0);
    }

    #[test]
    fn eight_springs_are_bent_as_one() {
        let ratios = [0.0, 0.2, 0.6, 0.89, RAMP, 0.93, 0.99, 1.0 - f64::EPSILON];
        let [force, slope] = bend_force_and_slope(linsolve::lanes::Vector(ratios)).map(|lanes| lanes.0);
        for (lane, s) in ratios.into_iter().enumerate() {
            assert!((force[lane] - bend_force(s)).abs() < 1e-14 * bend_force(0.0).abs(), "{s}");
            assert!((slope[lane] / bend_force_slope(s) - 1.0).abs() < 1e-14, "{s}");
        }
    }

    #[test]
    fn energy_is_the_integral_of_the_force() {
        for s in [0.2, 0.6, 0.89, 0.93, 0.99] {
            let step = 1e-6;
            let slope = (bend_energy(s + step) - bend_energy(s - step)) / (2.0 * step);
            assert!(bend_force(s) < -0.1 && (slope / bend_force(s) - 1.0).abs() < 1e-7, "{s}");
        }
        assert_eq!(bend_energy(1.0), 0.0);
    }
}
