use std::f64::consts::{PI, TAU};

use crate::numerics::elliptic::{jacobi, mean, quarter};

/// T/T0 = 1 / M(1, cos(a/2)) \[-\], the period of a pendulum that swings to the angle a \[rad\], 0 <= a < pi, over that of a
/// small swing; M is the arithmetic-geometric mean.
///
/// # Panics
/// For any other angle.
pub fn period_ratio(amplitude: f64) -> f64 {
    assert!((0.0..PI).contains(&amplitude), "amplitude {amplitude}");
    1.0 / mean(1.0, libm::cos(0.5 * amplitude))
}

/// A mass on a rod without weight, or on a taut string, let go at rest: theta'' = -g/L sin theta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pendulum {
    /// L \[m\], above zero.
    pub length: f64,
    /// g \[m/s²\], above zero.
    pub gravity: f64,
    /// theta at t = 0, where it is at rest \[rad\], from zero to below pi.
    pub amplitude: f64,
}

impl Pendulum {
    /// sqrt(g/L) \[1/s\].
    fn frequency(&self) -> f64 {
        libm::sqrt(self.gravity / self.length)
    }

    /// The period \[s\].
    pub fn period(&self) -> f64 {
        TAU / self.frequency() * period_ratio(self.amplitude)
    }

    /// \[theta, theta'\] at t \[rad, rad/s\]: sin(theta/2) = k sn(K + omega t), k = sin(a/2), omega = sqrt(g/L), and
    /// theta' = 2 k omega cn(K + omega t).
    pub fn motion(&self, t: f64) -> [f64; 2] {
        let (k, complement) = libm::sincos(0.5 * self.amplitude);
        let omega = self.frequency();
        let [sn, cn, _] = jacobi(quarter(complement) + omega * t, k);
        [2.0 * libm::asin(k * sn), 2.0 * k * omega * cn]
    }

    /// \[x, z\] of the mass \[m\] from the point that it hangs from, z upward.
    pub fn place(&self, t: f64) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.motion(t)[0]);
        [self.length * sin, -self.length * cos]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::advance;

    #[test]
    fn periods_of_large_swings() {
        for (degrees, expected) in [(30.0_f64, 1.017409), (90.0, 1.180341), (150.0, 1.762204)] {
            let found = period_ratio(degrees.to_radians());
            assert!((found - expected).abs() < 5e-7, "{found} at {degrees}°");
        }
        assert_eq!(period_ratio(0.0), 1.0);
    }

    #[test]
    fn the_motion_is_that_of_its_equation() {
        for amplitude in [0.1, 1.5, 3.0] {
            let pendulum = Pendulum { length: 0.7, gravity: 9.81, amplitude };
            for t in [0.0, 0.3, 1.1, 4.0] {
                let expected =
                    advance([0.0, t], 400, [amplitude, 0.0], |_, &[angle, speed]| [speed, -9.81 / 0.7 * libm::sin(angle)]);
                let found = pendulum.motion(t);
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-10, "{found} {expected} at {t} from {amplitude}");
                }
            }
            let [angle, speed] = pendulum.motion(pendulum.period());
            assert!((angle - amplitude).abs() < 1e-12 && speed.abs() < 1e-11, "{angle} {speed}");
        }
    }

    #[test]
    fn places_by_hand() {
        let pendulum = Pendulum { length: 2.0, gravity: 9.81, amplitude: PI / 2.0 };
        let [x, z] = pendulum.place(0.0);
        assert!((x - 2.0).abs() < 1e-14 && z.abs() < 1e-14);
        let [x, z] = pendulum.place(0.25 * pendulum.period());
        assert!(x.abs() < 1e-14 && (z + 2.0).abs() < 1e-14);
        let speed = pendulum.motion(0.25 * pendulum.period())[1];
        assert!((0.5 * 4.0 * speed * speed - 9.81 * 2.0).abs() < 1e-12, "energy");
    }
}
