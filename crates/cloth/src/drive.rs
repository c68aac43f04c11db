use std::f64::consts::TAU;

use crate::contact::RigidMotion;
use crate::invalid::{positive, within};
use crate::{ModelError, State, System, Vec3};

/// Held particles that are moved as a rigid body.
///
/// A held particle keeps its velocity through a step, so it follows its way by chords: exact at the ends of steps, of second order
/// between them. The velocity is that of the middle of the step: where a damper acts on such a particle, BDF2 and generalized-alpha
/// below rho_inf = 1 are of first order only.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    particles: Vec<usize>,
    /// Where they are at time 0 \[m\].
    start: Vec<Vec3>,
    motion: RigidMotion,
}

/// The way A sin(2 pi t / T) from where a particle is at time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sinusoid {
    /// A \[m\].
    pub amplitude: Vec3,
    /// T \[s\], > 0.
    pub period: f64,
    /// When it ends \[s\], >= 0, and particles are held where they are then; infinite for a way without end.
    pub until: f64,
}

impl Sinusoid {
    /// The way at time `t` \[s\], in metres.
    pub fn at(&self, t: f64) -> Vec3 {
        libm::sin(TAU * t.min(self.until) / self.period) * self.amplitude
    }

    /// Refuses numbers without meaning.
    ///
    /// # Errors
    /// [`ModelError::OutOfRange`] for a number outside its range.
    pub fn check(&self) -> Result<(), ModelError> {
        for &amplitude in &self.amplitude {
            within(amplitude.is_finite(), "the amplitude of a motion", "finite", amplitude)?;
        }
        positive("the period of a motion", self.period)?;
        within(self.until >= 0.0, "the end of a motion", "a number, zero or above", self.until).map(drop)
    }
}

impl Drive {
    /// From a time on \[s\]: the particles are where the motion has led them by then.
    #[must_use]
    pub fn begin_at(mut self, time: f64) -> Drive {
        self.start = start_of(&self.motion, time, self.start);
        self
    }

    /// Moves `particles`, which `system` holds, from where they are in `start`.
    ///
    /// # Errors
    /// A particle that is not held, a state of another size, and as [`Sinusoid::check`].
    pub fn new(
        system: &dyn System,
        start: &State,
        particles: &[usize],
        motion: impl Into<RigidMotion>,
    ) -> Result<Drive, ModelError> {
        let motion = motion.into();
        motion.path.map_or(Ok(()), |path| path.check())?;
        start.check_size(system.particle_count())?;
        let held = |&particle: &usize| system.pinned().get(particle) == Some(&true);
        if let Some(&particle) = particles.iter().find(|particle| !held(particle)) {
            return Err(ModelError::NotHeld { particle });
        }
        let places = particles.iter().map(|&particle| start.x[particle]).collect();
        Ok(Drive { particles: particles.to_vec(), start: places, motion })
    }

    /// The particles that it moves.
    pub fn particles(&self) -> &[usize] {
        &self.particles
    }

    /// Forgets some of the particles, which keep the velocities that they have.
    pub fn release(&mut self, particles: &[usize]) {
        let kept = |particle: &usize| !particles.contains(particle);
        let starts = self.particles.iter().zip(&self.start).filter(|(particle, _)| kept(particle)).map(|(_, start)| *start);
        self.start = starts.collect();
        self.particles.retain(kept);
    }

    /// Gives the particles the velocities that bring them, in a step of `dt` \[s\] from time `t` \[s\], to where they are to be:
    /// (x_p(t + dt) - x) / dt. They are exactly zero once the motion has ended.
    pub fn set(&self, t: f64, dt: f64, state: &mut State) {
        let (moves, pose) = (t < self.motion.until, self.motion.pose(t + dt));
        for (&particle, &start) in self.particles.iter().zip(&self.start) {
            state.v[particle] = if moves { (pose.moved(start) - state.x[particle]) / dt } else { Vec3::zeros() };
        }
    }
}

/// Where places \[m\] that a motion has led to by `time` \[s\] were at time 0.
pub(crate) fn start_of(motion: &RigidMotion, time: f64, places: Vec<Vec3>) -> Vec<Vec3> {
    if time == 0.0 {
        return places;
    }
    let pose = motion.pose(time);
    places.into_iter().map(|place| pose.back(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Net;

    const PATH: Sinusoid = Sinusoid { amplitude: Vec3::new(0.0, 0.3, -0.1), period: 2.0, until: 1.25 };

    fn pair() -> (Net, State) {
        let net = Net::new(vec![1.0; 2], vec![false, true], vec![]).unwrap();
        (net, State::at_rest(vec![Vec3::zeros(), Vec3::x()]))
    }

    #[test]
    fn a_path_by_hand() {
        let at = |t: f64| (PATH.at(t) - PATH.amplitude * libm::sin(std::f64::consts::PI * t)).norm();
        assert!(at(0.0) == 0.0 && at(0.5) < 1e-15 && at(1.2) < 1e-15 && (PATH.at(0.5) - PATH.amplitude).norm() < 1e-15);
        assert_eq!(PATH.at(7.0), PATH.at(1.25));
    }

    #[test]
    fn particles_are_where_the_path_is_at_the_end_of_every_step_and_stay_where_it_ends() {
        let (net, mut state) = pair();
        let drive = Drive::new(&net, &state, &[1], PATH).unwrap();
        let dt = 0.1;
        for k in 0..20 {
            drive.set(f64::from(k) * dt, dt, &mut state);
            assert_eq!(state.v[0], Vec3::zeros(), "it is not driven");
            let (before, v) = (state.x[1], state.v[1]);
            state.x[1] += dt * v;
            let expected = Vec3::x() + PATH.at(f64::from(k + 1) * dt);
            assert!((state.x[1] - expected).norm() < 1e-15, "{k}");
            let moves = f64::from(k) * dt < PATH.until;
            assert!((v != Vec3::zeros()) == moves && (state.x[1] != before) == moves, "{k}: {v}");
        }
    }

    #[test]
    fn nothing_to_move_is_a_velocity_of_zero() {
        let (net, mut state) = pair();
        let still = Sinusoid { amplitude: Vec3::zeros(), until: f64::INFINITY, ..PATH };
        let drive = Drive::new(&net, &state, &[1], still).unwrap();
        for k in 0..5 {
            drive.set(0.3 * f64::from(k), 0.3, &mut state);
            assert_eq!(state.v[1], Vec3::zeros());
        }
    }

    #[test]
    fn mistakes_are_refused() {
        let (net, state) = pair();
        let new = |particles: &[usize], path| Drive::new(&net, &state, particles, path);
        assert_eq!(new(&[1, 0], PATH), Err(ModelError::NotHeld { particle: 0 }));
        assert_eq!(new(&[2], PATH).unwrap_err().to_string(), "a motion moves held particles, and 2 is not held");
        for path in [
            Sinusoid { period: 0.0, ..PATH },
            Sinusoid { period: f64::INFINITY, ..PATH },
            Sinusoid { until: -1.0, ..PATH },
            Sinusoid { until: f64::NAN, ..PATH },
            Sinusoid { amplitude: Vec3::new(0.0, f64::NAN, 0.0), ..PATH },
        ] {
            assert!(matches!(new(&[1], path), Err(ModelError::OutOfRange { .. })), "{path:?}");
        }
        let small = State::at_rest(vec![Vec3::zeros()]);
        assert_eq!(Drive::new(&net, &small, &[0], PATH), Err(ModelError::StateSize { expected: 2, got: 1 }));
    }
}
