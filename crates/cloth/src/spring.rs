use linsolve::lanes::{Eight, dot, scaled};

use crate::{DampingForm, Stiffening, Vec3};

/// Tension \[N\] of a spring of stiffness `ks` \[N/m\] that is longer than its rest length by `extension` \[m\]:
/// T = ks (|x| - L) \[Boxerman 2003, eq. 3.6, corrected\], with the second slope beyond a knee.
pub fn tension(ks: f64, rest: f64, extension: f64, stiffening: Option<Stiffening>) -> f64 {
    match stiffening {
        Some(Stiffening { strain, factor }) if extension > strain * rest => {
            let knee = strain * rest;
            ks * knee + factor * ks * (extension - knee)
        }
        _ => ks * extension,
    }
}

/// Slope of the same tension over the extension \[N/m\].
pub fn tension_slope(ks: f64, rest: f64, extension: f64, stiffening: Option<Stiffening>) -> f64 {
    match stiffening {
        Some(Stiffening { strain, factor }) if extension > strain * rest => factor * ks,
        _ => ks,
    }
}

/// The steepest such slope in a step of `dt` \[s\] from `x` = x_j - x_i, with `v` = v_j - v_i: where the spring is, and where its ends
/// lead it \[N/m\].
pub(crate) fn steepest_slope(ks: f64, rest: f64, stiffening: Option<Stiffening>, dt: f64, x: Vec3, v: Vec3) -> f64 {
    match stiffening {
        None => ks,
        knee => {
            let slope = |x: Vec3| tension_slope(ks, rest, x.norm() - rest, knee);
            slope(x).max(slope(x + dt * v))
        }
    }
}

/// Energy \[J\] of the same spring, the integral of its tension over the extension.
pub fn strain_energy(ks: f64, rest: f64, extension: f64, stiffening: Option<Stiffening>) -> f64 {
    match stiffening {
        Some(Stiffening { strain, factor }) if extension > strain * rest => {
            let knee = strain * rest;
            let beyond = extension - knee;
            0.5 * ks * knee * knee + ks * knee * beyond + 0.5 * factor * ks * beyond * beyond
        }
        _ => 0.5 * ks * extension * extension,
    }
}

/// Force \[N\] of a damper of `kd` \[N s/m\] on particle i, for `x` = x_j - x_i and `v` = v_j - v_i.
///
/// The projected form acts in elongation only, x·v >= 0, as its Jacobian (3.16) asks.
pub fn damping(form: DampingForm, kd: f64, x: Vec3, v: Vec3) -> Vec3 {
    match form {
        DampingForm::Plain => kd * v, // kd (v_j - v_i)  [Boxerman 2003, eq. 3.12]
        DampingForm::Projected => kd * (v.dot(&x).max(0.0) / x.dot(&x)) * x, // kd (v·x / x·x) x  [Boxerman 2003, eq. 3.14]
    }
}

/// Tensions \[N\] of eight springs, to the bits of [`tension`]; those whose bits are set in `stiffen` have the second slope.
#[inline(always)]
pub(crate) fn tension_of_eight<E: Eight>(ks: E, rest: E, extension: E, stiffening: Option<Stiffening>, stiffen: u8) -> E {
    let tension = ks * extension;
    let Some(Stiffening { strain, factor }) = stiffening else { return tension };
    let (factor, knee) = (E::splat(factor), E::splat(strain) * rest);
    let beyond = extension.reaching(knee) & !knee.reaching(extension) & stiffen;
    tension.replaced(beyond, ks * knee + factor * ks * (extension - knee))
}

/// Damping forces \[N\] of eight springs on their first particles, to the bits of [`damping`]; `square` is x·x \[m²\].
#[inline(always)]
pub(crate) fn damping_of_eight<E: Eight>(form: DampingForm, kd: E, x: [E; 3], square: E, v: [E; 3]) -> [E; 3] {
    match form {
        DampingForm::Plain => scaled(kd, v),
        DampingForm::Projected => {
            let (zero, along) = (E::splat(0.0), dot(v, x));
            scaled(kd * (zero.replaced(along.reaching(zero), along) / square), x)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_is_the_integral_of_tension_on_both_sides_of_the_knee() {
        let stiffening = Some(Stiffening { strain: 0.1, factor: 5.0 });
        for extension in [0.05, 0.15, 0.4] {
            let step = 1e-6;
            let slope = (strain_energy(70.0, 2.0, extension + step, stiffening)
                - strain_energy(70.0, 2.0, extension - step, stiffening))
                / (2.0 * step);
            let tension = tension(70.0, 2.0, extension, stiffening);
            assert!(tension > 1.0 && (slope / tension - 1.0).abs() < 1e-8, "{extension}: {slope} {tension}");
        }
        // by hand: the knee is at 0.2 m, so 70 * 0.2 + 5 * 70 * 0.2
        assert!((tension(70.0, 2.0, 0.4, stiffening) - 84.0).abs() < 1e-12);
    }

    #[test]
    fn projected_damping_is_blind_to_rotation_and_to_compression() {
        let x = Vec3::new(1.0, 2.0, -0.5);
        let turning = Vec3::new(2.0, -1.0, 0.0);
        assert_eq!(x.dot(&turning), 0.0);
        assert_eq!(damping(DampingForm::Projected, 3.0, x, turning), Vec3::zeros());
        assert_eq!(damping(DampingForm::Plain, 3.0, x, turning), 3.0 * turning);
        assert_eq!(damping(DampingForm::Projected, 3.0, x, -x), Vec3::zeros());
        assert!((damping(DampingForm::Projected, 3.0, x, 2.0 * x) - 6.0 * x).norm() < 1e-14);
    }
}
