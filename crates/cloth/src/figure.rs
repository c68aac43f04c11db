use std::f64::consts::{PI, TAU};

use crate::Vec3;
use crate::contact::MovingCapsule;

/// An articulated figure of capsules that dances: hips that sway and roll, a body that bounces, legs that lift in turn. It
/// looks along -y, its pelvis is wider than the waist above it, and it begins at rest with its legs straight down.
///
/// Sizes in meters are of its own making: the figures of \[Goldenthal 2007, figs. 7-8\] are not printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Sway of the pelvis to both sides \[m\], once a second.
    pub sway: f64,
    /// Rise and fall of the body \[m\], twice a second.
    pub bounce: f64,
    /// Roll of the pelvis to both sides \[rad\], once a second.
    pub roll: f64,
    /// Largest angle of a thigh to the front \[rad\], each leg in turn once a second.
    pub lift: f64,
}

impl Default for Figure {
    /// A dance.
    fn default() -> Figure {
        Figure { sway: 0.03, bounce: 0.03, roll: 0.08, lift: 0.35 }
    }
}

/// A number and its rate of change.
type Course = (f64, f64);

/// A point \[m\] and its velocity \[m/s\].
type Joint = (Vec3, Vec3);

/// Time in which the dance comes up \[s\].
const BEGINNING: f64 = 0.5;

/// Height of the middle of the pelvis at rest \[m\].
const PELVIS: f64 = 0.96;
/// Half the length of its axis, and its radius \[m\].
const PELVIS_SIZE: (f64, f64) = (0.07, 0.088);
/// The torso's axis from the middle of the pelvis, and its radius \[m\].
const TORSO: ([f64; 2], f64) = ([0.14, 0.5], 0.115);
/// Hip joints from the middle of the pelvis, to the side and down \[m\].
const HIP: [f64; 2] = [0.08, 0.03];
/// Length and radius of a thigh \[m\].
const THIGH: (f64, f64) = (0.43, 0.07);
/// Length and radius of a shin \[m\].
const SHIN: (f64, f64) = (0.42, 0.045);
/// Angle of the legs to the side \[rad\].
const SPREAD: f64 = 0.03;
/// Angle of a knee over that of its thigh \[-\].
const KNEE: f64 = 1.5;

impl Figure {
    /// The pelvis, the torso, and a thigh and a shin of each leg.
    pub const CAPSULES: usize = 6;

    /// A figure that stands still.
    pub fn still() -> Figure {
        Figure { sway: 0.0, bounce: 0.0, roll: 0.0, lift: 0.0 }
    }

    /// Middle of the pelvis at time `t` \[s\], >= 0, and its velocity.
    pub fn pelvis(&self, t: f64) -> (Vec3, Vec3) {
        let (x, z) = (swing(t, self.sway, 1.0), swing(t, self.bounce, 2.0));
        (Vec3::new(x.0, 0.0, PELVIS + z.0), Vec3::new(x.1, 0.0, z.1))
    }

    /// Pelvis, torso, thighs and shins at time `t` \[s\], >= 0, the right limb before the left.
    pub fn capsules(&self, t: f64) -> [MovingCapsule; Figure::CAPSULES] {
        let middle = self.pelvis(t);
        let roll = swing(t, self.roll, 1.0);
        let capsule = |from, to, radius| MovingCapsule { from, to, radius };
        let (half, radius) = PELVIS_SIZE;
        let pelvis = capsule(rolled(middle, roll, -half, 0.0), rolled(middle, roll, half, 0.0), radius);
        let ([low, high], radius) = TORSO;
        let above = |height: f64| (middle.0 + height * Vec3::z(), middle.1);
        let torso = capsule(above(low), above(high), radius);
        let leg = |side: f64, lift: Course| {
            let hip = rolled(middle, roll, side * HIP[0], -HIP[1]);
            let knee = below(hip, THIGH.0, side, lift);
            let ankle = below(knee, SHIN.0, side, (lift.0 * (1.0 - KNEE), lift.1 * (1.0 - KNEE)));
            [capsule(hip, knee, THIGH.1), capsule(knee, ankle, SHIN.1)]
        };
        let [right_thigh, right_shin] = leg(1.0, lifted(t, self.lift, 0.0));
        let [left_thigh, left_shin] = leg(-1.0, lifted(t, self.lift, 0.5 * PI));
        [pelvis, torso, right_thigh, left_thigh, right_shin, left_shin]
    }
}

/// How far the dance has come up, from 0 to 1: s³ (10 - 15 s + 6 s²), twice differentiable.
fn beginning(t: f64) -> Course {
    let s = (t / BEGINNING).clamp(0.0, 1.0);
    (s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * s * s * (1.0 - s) * (1.0 - s) / BEGINNING)
}

/// amplitude sin(2 pi frequency t), come up.
fn swing(t: f64, amplitude: f64, frequency: f64) -> Course {
    let (omega, (up, rate)) = (TAU * frequency, beginning(t));
    let (sin, cos) = (libm::sin(omega * t), libm::cos(omega * t));
    (amplitude * up * sin, amplitude * (rate * sin + up * omega * cos))
}

/// amplitude sin²(pi t + phase), come up: once a second.
fn lifted(t: f64, amplitude: f64, phase: f64) -> Course {
    let (up, rate) = beginning(t);
    let (sin, cos) = (libm::sin(PI * t + phase), libm::cos(PI * t + phase));
    (amplitude * up * sin * sin, amplitude * (rate * sin * sin + up * TAU * sin * cos))
}

/// The point at x to the side and z above the middle, of a body that rolls about y.
fn rolled(middle: Joint, roll: Course, x: f64, z: f64) -> Joint {
    let (sin, cos) = (libm::sin(roll.0), libm::cos(roll.0));
    let arm = Vec3::new(x * cos - z * sin, 0.0, x * sin + z * cos);
    (middle.0 + arm, middle.1 + roll.1 * Vec3::new(-arm.z, 0.0, arm.x))
}

/// The end of a limb of a `length` below a joint, at an angle to the front and spread to its side.
fn below(joint: Joint, length: f64, side: f64, angle: Course) -> Joint {
    let (sin, cos) = (libm::sin(angle.0), libm::cos(angle.0));
    let (out, down) = (libm::sin(SPREAD), libm::cos(SPREAD));
    let along = Vec3::new(side * out, -down * sin, -down * cos);
    (joint.0 + length * along, joint.1 + length * angle.1 * down * Vec3::new(0.0, -cos, sin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(figure: &Figure, t: f64) -> Vec<(Vec3, Vec3)> {
        figure.capsules(t).iter().flat_map(|capsule| [capsule.from, capsule.to]).collect()
    }

    #[test]
    fn velocities_are_the_slopes_of_positions() {
        let (figure, step) = (Figure::default(), 1e-6);
        let mut fastest: f64 = 0.0;
        for k in 1..200 {
            let t = 0.0123 * f64::from(k);
            for ((now, later), before) in ends(&figure, t).iter().zip(ends(&figure, t + step)).zip(ends(&figure, t - step)) {
                let slope = (later.0 - before.0) / (2.0 * step);
                assert!((slope - now.1).norm() < 1e-6, "{t}: {slope} {}", now.1);
                fastest = fastest.max(slope.norm());
            }
        }
        assert!(fastest > 0.5 && fastest < 3.0, "a dance: {fastest} m/s");
    }

    #[test]
    fn it_begins_at_rest_and_limbs_keep_their_lengths() {
        let figure = Figure::default();
        assert!(ends(&figure, 0.0).iter().all(|(_, v)| v.norm() == 0.0));
        let at = |figure: Figure, t| figure.capsules(t).map(|capsule| (capsule.to.0 - capsule.from.0).norm());
        for t in [0.3, 0.9, 1.6] {
            let (found, still) = (at(figure, t), at(Figure::still(), 0.0));
            assert!(found.iter().zip(still).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {still:?}");
        }
        assert!(ends(&Figure::still(), 1.3).iter().all(|(_, v)| v.norm() == 0.0));
    }

    #[test]
    fn the_pelvis_is_wider_than_the_waist() {
        let [pelvis, torso, ..] = Figure::still().capsules(0.0);
        let around_pelvis = 4.0 * PELVIS_SIZE.0 + TAU * pelvis.radius;
        assert!(around_pelvis > 1.1 * TAU * torso.radius, "{around_pelvis}");
    }
}
