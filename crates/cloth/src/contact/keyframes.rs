use thiserror::Error;

use super::pose::Pose;
use crate::Vec3;

/// Where a rigid body is at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// \[s\].
    pub time: f64,
    /// Its way from where it is placed \[m\].
    pub way: Vec3,
    /// How it is turned: along the axis, by the right hand, as long as the angle \[rad\].
    pub turn: Vec3,
}

/// Why rows are no key frames; they are counted from 0.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum InvalidKeyframes {
    /// Nothing to follow.
    #[error("there must be a key frame")]
    Empty,
    /// A number that is none, or a turn too large for its angle.
    #[error("key frame {row} must be of finite numbers")]
    NotFinite { row: usize },
    /// Times that do not increase.
    #[error("times of key frames must increase, and {time} s of key frame {row} is not after {before} s")]
    Order { row: usize, time: f64, before: f64 },
}

/// A way by key frames: straight between two of them, along the shortest arc at a constant rate \[Shoemake 1985\], and at rest
/// before the first and after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframes {
    frames: Vec<Keyframe>,
    /// How the body is turned at each of them.
    turns: Vec<Quaternion>,
    /// The unit axis and the angle \[rad\] of the turn from each of them to the next.
    arcs: Vec<(Vec3, f64)>,
}

impl Keyframes {
    /// Through `frames`.
    ///
    /// # Errors
    /// [`InvalidKeyframes`].
    pub fn new(frames: Vec<Keyframe>) -> Result<Keyframes, InvalidKeyframes> {
        if frames.is_empty() {
            return Err(InvalidKeyframes::Empty);
        }
        for (row, frame) in frames.iter().enumerate() {
            let mut numbers = frame.way.iter().copied().chain([frame.time, frame.turn.norm()]);
            if !numbers.all(f64::is_finite) {
                return Err(InvalidKeyframes::NotFinite { row });
            }
        }
        for (row, pair) in frames.windows(2).enumerate() {
            let [before, time] = [pair[0].time, pair[1].time];
            if time <= before {
                return Err(InvalidKeyframes::Order { row: row + 1, time, before });
            }
        }
        let turns: Vec<Quaternion> = frames.iter().map(|frame| Quaternion::of(frame.turn)).collect();
        let arcs = turns.windows(2).map(|pair| pair[1].after(pair[0].inverse()).shortest()).collect();
        Ok(Keyframes { frames, turns, arcs })
    }

    /// Whether there is none: of a file that is still to be read.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// When the last one is \[s\]; infinite where there is none.
    pub fn end(&self) -> f64 {
        self.frames.last().map_or(f64::INFINITY, |last| last.time)
    }

    /// Where a body that turns about `centre` \[m\] is at time `t` \[s\]; where it is placed if there is no key frame.
    pub fn pose(&self, centre: Vec3, t: f64) -> Pose {
        let after = self.frames.partition_point(|frame| frame.time <= t);
        let before = after.saturating_sub(1);
        let (Some(from), Some(&turn)) = (self.frames.get(before), self.turns.get(before)) else {
            return Quaternion::NONE.pose(centre, Vec3::zeros());
        };
        let next = self.frames.get(after).zip(self.arcs.get(before)).filter(|_| after > 0);
        let Some((to, &(axis, angle))) = next else { return turn.pose(centre, from.way) };
        let share = (t - from.time) / (to.time - from.time);
        Quaternion::about(axis, share * angle).after(turn).pose(centre, from.way + share * (to.way - from.way))
    }
}

/// A turn, as a unit quaternion w + x i + y j + z k.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Quaternion {
    w: f64,
    v: Vec3,
}

impl Quaternion {
    /// Of what is not turned.
    const NONE: Quaternion = Quaternion { w: 1.0, v: Vec3::new(0.0, 0.0, 0.0) };

    /// About a unit axis by an angle \[rad\]: cos(angle / 2) + sin(angle / 2) axis.
    fn about(axis: Vec3, angle: f64) -> Quaternion {
        let (sin, cos) = libm::sincos(0.5 * angle);
        Quaternion { w: cos, v: sin * axis }
    }

    /// By a vector along the axis, as long as the angle \[rad\].
    fn of(turn: Vec3) -> Quaternion {
        let angle = turn.norm();
        if angle > 0.0 { Quaternion::about(turn / angle, angle) } else { Quaternion::NONE }
    }

    fn inverse(self) -> Quaternion {
        Quaternion { w: self.w, v: -self.v }
    }

    /// This turn after another one: their product.
    fn after(self, first: Quaternion) -> Quaternion {
        let w = self.w * first.w - self.v.dot(&first.v);
        Quaternion { w, v: self.w * first.v + first.w * self.v + self.v.cross(&first.v) }
    }

    /// Its axis, and its angle of at most half a turn: q and -q are the same turn.
    fn shortest(self) -> (Vec3, f64) {
        let sine = self.v.norm();
        if sine == 0.0 {
            return (Vec3::z(), 0.0);
        }
        let sign = if self.w < 0.0 { -1.0 } else { 1.0 };
        (sign / sine * self.v, 2.0 * libm::atan2(sine, sign * self.w))
    }

    /// As a pose of a body that turns about `centre` \[m\] and goes along `way` \[m\].
    fn pose(self, centre: Vec3, way: Vec3) -> Pose {
        let half = self.v.norm();
        let axis = if half > 0.0 { self.v / half } else { Vec3::z() };
        Pose { centre, axis, sin: 2.0 * self.w * half, cos: self.w * self.w - half * half, way }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::RigidMotion;
    use super::*;

    fn through(frames: &[(f64, Vec3, Vec3)]) -> RigidMotion {
        let frames = frames.iter().map(|&(time, way, turn)| Keyframe { time, way, turn }).collect();
        RigidMotion::through(Vec3::x(), Arc::new(Keyframes::new(frames).unwrap()))
    }

    #[test]
    fn poses_at_between_and_beyond_key_frames_by_hand() {
        let [up, quarter] = [Vec3::z(), FRAC_PI_2 * Vec3::z()];
        let motion = through(&[(1.0, Vec3::zeros(), Vec3::zeros()), (3.0, 2.0 * up, quarter), (4.0, up, quarter)]);
        let at = |t: f64| motion.pose(t).moved(Vec3::new(3.0, 0.0, 0.0)); // 2 m from the axis through x = 1
        let near = |t: f64, expected: Vec3| assert!((at(t) - expected).norm() < 1e-15, "{t}: {}", at(t));
        let half = 2.0 * libm::sqrt(0.5);
        for t in [-5.0, 0.0, 1.0] {
            assert_eq!(at(t), Vec3::new(3.0, 0.0, 0.0), "{t}: before the first");
        }
        near(2.0, Vec3::new(1.0 + half, half, 1.0)); // half way on a turn of 90 degrees
        near(3.0, Vec3::new(1.0, 2.0, 2.0));
        near(3.5, Vec3::new(1.0, 2.0, 1.5));
        assert_eq!((at(4.0), motion.until), (at(99.0), 4.0), "after the last");
        let third = PI / 6.0;
        near(1.0 + 2.0 / 3.0, Vec3::new(1.0 + 2.0 * libm::cos(third), 2.0 * libm::sin(third), 2.0 / 3.0));
    }

    #[test]
    fn turns_take_the_shortest_arc_from_where_a_body_is_turned_already() {
        // 350 degrees about z and then none: 10 degrees on, not 350 back
        let motion = through(&[(0.0, Vec3::zeros(), TAU * 35.0 / 36.0 * Vec3::z()), (1.0, Vec3::zeros(), Vec3::zeros())]);
        let (sin, cos) = libm::sincos(-TAU / 72.0);
        assert!((motion.pose(0.5).turned(Vec3::x()) - Vec3::new(cos, sin, 0.0)).norm() < 1e-15);
        // from a quarter about x to a quarter about y
        let motion = through(&[(0.0, Vec3::zeros(), FRAC_PI_2 * Vec3::x()), (1.0, Vec3::zeros(), FRAC_PI_2 * Vec3::y())]);
        let arc = |t: f64| [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| motion.pose(t).turned(e));
        let [from, middle, to] = [arc(0.0), arc(0.5), arc(1.0)];
        for k in 0..3 {
            let halves = [middle[k] - from[k], to[k] - middle[k]].map(|half| half.norm());
            assert!((halves[0] - halves[1]).abs() < 1e-15, "not in the middle");
        }
        assert!((from[1] - Vec3::z()).norm() < 1e-15 && (to[0] + Vec3::z()).norm() < 1e-15, "{from:?} {to:?}");
    }

    #[test]
    fn mistakes_are_refused() {
        let frame = |time: f64| Keyframe { time, way: Vec3::zeros(), turn: Vec3::zeros() };
        let new = |frames: &[Keyframe]| Keyframes::new(frames.to_vec()).map(drop).unwrap_err();
        assert_eq!(new(&[]), InvalidKeyframes::Empty);
        assert_eq!(new(&[frame(1.0), frame(f64::NAN)]), InvalidKeyframes::NotFinite { row: 1 });
        assert_eq!(new(&[Keyframe { turn: Vec3::repeat(1e200), ..frame(0.0) }]), InvalidKeyframes::NotFinite { row: 0 });
        assert_eq!(new(&[frame(0.0), frame(1.0), frame(1.0)]), InvalidKeyframes::Order { row: 2, time: 1.0, before: 1.0 });
        let unread = Keyframes::default();
        assert!(unread.is_empty() && unread.pose(Vec3::x(), 1.0).moved(Vec3::y()) == Vec3::y());
    }

    fn vectors() -> impl Strategy<Value = Vec3> {
        [-4.0..4.0, -4.0..4.0, -4.0..4.0].prop_map(Vec3::from)
    }

    proptest! {
        /// Between two key frames a body turns at one rate about one axis, by at most half a turn, as by `turn` of a motion.
        #[test]
        fn a_turn_between_key_frames_is_a_steady_one(turns in prop::array::uniform2(vectors()), point in vectors()) {
            let motion = through(&[(0.0, Vec3::zeros(), turns[0]), (1.0, Vec3::zeros(), turns[1])]);
            let begun = motion.pose(0.0).turned(point);
            let expected = RigidMotion { turn: turns[0], ..RigidMotion::STILL }.pose(1.0).turned(point);
            prop_assert!((begun - expected).norm() < 1e-14);
            let arc = Quaternion::of(turns[1]).after(Quaternion::of(turns[0]).inverse()).shortest();
            prop_assert!(arc.1 <= PI + 1e-15);
            let steady = RigidMotion { turn: arc.1 * arc.0, ..RigidMotion::STILL };
            for t in [0.0, 0.25, 0.5, 0.9, 1.0] {
                prop_assert!((motion.pose(t).turned(point) - steady.pose(t).turned(begun)).norm() < 1e-13);
            }
            let end = RigidMotion { turn: turns[1], ..RigidMotion::STILL }.pose(1.0).turned(point);
            prop_assert!((motion.pose(1.0).turned(point) - end).norm() < 1e-13);
        }
    }
}
