//! Small vibrations: one mode set going, and looked at after a period.

use kit::prelude::*;

use super::Outcome;

/// A mode of a system about its rest.
pub struct Mode<'a> {
    /// Rest \[m\], shape \[particle_count\].
    pub rest: &'a [Vec3],
    /// Its shape \[-\], of size one, shape \[particle_count\].
    pub shape: &'a [Vec3],
    /// Masses of the particles \[kg\].
    pub masses: &'a [f64],
    /// omega \[1/s\] of the reference.
    pub frequency: f64,
    /// Amplitude \[m\], so small that what it does to the frequency, which goes with its square, does not show.
    pub amplitude: f64,
}

impl Mode<'_> {
    /// The period of the reference \[s\].
    pub fn period(&self) -> f64 {
        std::f64::consts::TAU / self.frequency
    }

    /// At its greatest displacement, at rest.
    pub fn start(&self) -> State {
        State::at_rest(self.rest.iter().zip(self.shape).map(|(x, shape)| x + self.amplitude * shape).collect())
    }

    /// Σ m shape · y / Σ m shape², the part of `y` along the shape.
    fn part(&self, y: impl Fn(usize) -> Vec3) -> f64 {
        let (mut along, mut size) = (0.0, 0.0);
        for (i, (m, shape)) in self.masses.iter().zip(self.shape).enumerate() {
            along += m * shape.dot(&y(i));
            size += m * shape.norm_squared();
        }
        along / size
    }

    /// A state after a period of the reference: the distance from the start in the plane of q and q'/omega, over the amplitude, and
    /// the frequency over that of the reference by the angle that is missing, 1 - phi / 2 pi.
    pub fn after_a_period(&self, state: &State) -> Outcome {
        let q = self.part(|i| state.x[i] - self.rest[i]) / self.amplitude;
        let p = self.part(|i| state.v[i]) / (self.amplitude * self.frequency);
        let behind = libm::atan2(p, q); // q = cos(phase), p = -sin(phase), phase = 2 pi - behind
        Outcome { ratio: Some(1.0 - behind / std::f64::consts::TAU), error: libm::hypot(q - 1.0, p), ..Outcome::default() }
    }

    /// `steps` over a period, by what takes one of dt \[s\] and tells whether it came to its end.
    pub fn swing_by(&self, mut step: impl FnMut(f64, &mut State) -> bool, steps: u32) -> Outcome {
        let (mut state, dt) = (self.start(), self.period() / f64::from(steps));
        match (0..steps).all(|_| step(dt, &mut state)) {
            true => self.after_a_period(&state),
            false => Outcome { error: f64::NAN, ..Outcome::default() },
        }
    }

    /// `steps` of a scheme over a period.
    pub fn swing(&self, scheme: &mut dyn Integrator, system: &dyn System, steps: u32) -> Outcome {
        let step = |dt: f64, state: &mut State| {
            scheme.step(system, dt, state);
            true
        };
        self.swing_by(step, steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::oscillator::Oscillator;

    #[test]
    fn a_swing_that_is_late_and_one_that_is_damped_by_hand() {
        let oscillator = Oscillator { mass: 2.0, ks: 8.0, kd: 0.0 };
        let (rest, shape) = ([Vec3::zeros()], [Vec3::x()]);
        let mode = |frequency: f64| Mode { rest: &rest, shape: &shape, masses: &[2.0], frequency, amplitude: 0.1 };
        let swing = |frequency: f64| mode(frequency).swing(&mut Rk4::new(1), &oscillator, 400);
        let exact = swing(2.0);
        assert!(exact.error < 1e-6 && (exact.ratio.unwrap() - 1.0).abs() < 1e-7, "{exact:?}");
        let late = swing(2.0 / 0.99); // the oscillator has 0.99 of the frequency that it is held against
        assert!(
            (late.ratio.unwrap() - 0.99).abs() < 2e-4 && (late.error - 0.01 * std::f64::consts::TAU).abs() < 1e-3,
            "{late:?}"
        );
        let damped = mode(2.0).after_a_period(&State { x: vec![0.09 * Vec3::x()], v: vec![Vec3::zeros()] });
        assert!((damped.error - 0.1).abs() < 1e-12 && damped.ratio == Some(1.0));
    }
}
