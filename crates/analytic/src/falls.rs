//! A folded chain falls: of length L \[m\] and mass per length mu \[kg/m\], hung by one end with the other one beside it, let go.
//!
//! Where the bend loses no energy \[Calkin & March 1989\], the free end is ahead of a body in free fall. With x its fall, the arm
//! that moves is (L - x)/2 long, and energy says mu (L - x)/4 v² = mu g x (2 L - x)/4, so that v² = g x (2 L - x) / (L - x).

use crate::numerics::integral::integral;
use crate::numerics::root::root;

/// t/t_free = 0.847213 \[-\], the time to the lowest point, x = L, over that of free fall, sqrt(2 L / g):
/// 1/sqrt(2) times the integral of sqrt(c / (1 - c²)), c = 1 - x/L, whose closed form is sqrt(pi)/2 Gamma(3/4) / Gamma(5/4).
pub fn fall_time_ratio() -> f64 {
    time_ratio(1.0)
}

/// t(x)/t_free up to a fall of x/L = `share` \[-\].
fn time_ratio(share: f64) -> f64 {
    // x = share u; L - x is 1 - share + share w, exact at the bend's end
    let slowness = |u: f64, w: f64| {
        let rest = (1.0 - share) + share * w; // (L - x)/L
        libm::sqrt(rest / (u * (1.0 + rest))) // sqrt(share) / v, with 2 L - x = L + (L - x)
    };
    libm::sqrt(0.5 * share) * integral(slowness)
}

/// x \[m\], how far the free end has fallen after t \[s\], 0 <= t, of a chain of length L \[m\] under gravity g \[m/s²\]; L from
/// the time of its lowest point on.
pub fn fall(length: f64, gravity: f64, t: f64) -> f64 {
    let ratio = t / libm::sqrt(2.0 * length / gravity);
    if ratio <= 0.0 {
        return 0.0;
    }
    if ratio >= fall_time_ratio() {
        return length;
    }
    length * root(0.0, 1.0, |share| time_ratio(share) - ratio)
}

/// v \[m/s\], the speed of the free end after a fall of x < L \[m\]; it grows without bound toward x = L.
pub fn fall_speed(length: f64, gravity: f64, x: f64) -> f64 {
    libm::sqrt(gravity * x * (2.0 * length - x) / (length - x))
}

/// T \[N\], the pull at the end that is held, after a fall of x < L \[m\]: mu g L less the growth of momentum mu (L - x)/2 v, so
/// that T / (mu g L) = 1 - c/2 + (1 - c²) / (4 c) with c = 1 - x/L.
pub fn support_pull(mass_per_length: f64, length: f64, gravity: f64, x: f64) -> f64 {
    let c = 1.0 - x / length;
    mass_per_length * gravity * length * (1.0 - 0.5 * c + (1.0 - c * c) / (4.0 * c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::advance;
    use std::f64::consts::PI;

    #[test]
    fn the_time_of_the_fall() {
        let found = fall_time_ratio();
        assert!((found - 0.847213).abs() < 5e-7, "{found}");
        let closed = 0.5 * libm::sqrt(PI / 2.0) * libm::tgamma(0.75) / libm::tgamma(1.25);
        assert!((found - closed).abs() < 2e-15, "{found} {closed}");
    }

    #[test]
    fn the_fall_obeys_its_equation_of_motion() {
        // x'' = g (1 + (1 - c²) / (2 c²)), from v² by x, from rest
        let (length, gravity) = (1.7, 9.81);
        let t_end = 0.7 * libm::sqrt(2.0 * length / gravity);
        for share in [0.01, 0.3, 0.8, 1.0] {
            let t = share * t_end;
            let [x, v] = advance([0.0, t], 200, [0.0, 0.0], |_, &[x, v]| {
                let c = 1.0 - x / length;
                [v, gravity * (1.0 + (1.0 - c * c) / (2.0 * c * c))]
            });
            assert!((fall(length, gravity, t) - x).abs() < 1e-12, "{x} at {t}");
            assert!((fall_speed(length, gravity, x) - v).abs() < 1e-11, "{v} at {t}");
            assert!(x > 0.5 * gravity * t * t, "ahead of free fall");
        }
        assert_eq!((fall(length, gravity, 0.0), fall(length, gravity, 1e3)), (0.0, length));
    }

    #[test]
    fn the_support_holds_half_the_weight_and_takes_up_momentum() {
        let (mu, length, gravity) = (0.2, 1.3, 9.81);
        assert!((support_pull(mu, length, gravity, 0.0) - 0.5 * mu * gravity * length).abs() < 1e-15);
        let momentum = |x: f64| mu * 0.5 * (length - x) * fall_speed(length, gravity, x);
        for x in [0.1, 0.6, 1.2] {
            let d = 1e-5;
            let growth = (momentum(x + d) - momentum(x - d)) / (2.0 * d) * fall_speed(length, gravity, x);
            let expected = mu * gravity * length - growth;
            assert!((support_pull(mu, length, gravity, x) / expected - 1.0).abs() < 1e-6, "at {x}");
        }
    }
}
