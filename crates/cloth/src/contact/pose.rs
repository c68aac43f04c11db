use std::sync::Arc;

use super::Keyframes;
use crate::{Sinusoid, Vec3};

/// How a rigid body moves: it turns about an axis, and goes along a way, both from where it is at time 0, or by key frames.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidMotion {
    /// A point of the axis \[m\], at time 0, or the one that key frames turn it about.
    pub centre: Vec3,
    /// Rate of its turn about a unit vector, by the right hand \[rad/s\].
    pub turn: Vec3,
    /// Constant velocity \[m/s\].
    pub velocity: Vec3,
    /// A way beside that, if there is one.
    pub path: Option<Sinusoid>,
    /// When all of it ends \[s\], >= 0; infinite where they do not.
    pub until: f64,
    /// Key frames in place of all that, to the last of which `until` goes.
    pub keyframes: Option<Arc<Keyframes>>,
}

impl RigidMotion {
    /// None.
    pub const STILL: RigidMotion = RigidMotion {
        centre: Vec3::new(0.0, 0.0, 0.0),
        turn: Vec3::new(0.0, 0.0, 0.0),
        velocity: Vec3::new(0.0, 0.0, 0.0),
        path: None,
        until: f64::INFINITY,
        keyframes: None,
    };

    /// Through `keyframes`, whose turns are about `centre` \[m\].
    pub fn through(centre: Vec3, keyframes: Arc<Keyframes>) -> RigidMotion {
        RigidMotion { centre, until: keyframes.end(), keyframes: Some(keyframes), ..RigidMotion::STILL }
    }

    /// Where the body is at time `t` \[s\].
    pub fn pose(&self, t: f64) -> Pose {
        if let Some(keyframes) = &self.keyframes {
            return keyframes.pose(self.centre, t);
        }
        let moved = t.min(self.until);
        let rate = self.turn.norm();
        let axis = if rate > 0.0 { self.turn / rate } else { Vec3::z() };
        let (sin, cos) = if rate > 0.0 { libm::sincos(rate * moved) } else { (0.0, 1.0) };
        let way = moved * self.velocity + self.path.map_or_else(Vec3::zeros, |path| path.at(t));
        Pose { centre: self.centre, axis, sin, cos, way }
    }
}

impl From<Sinusoid> for RigidMotion {
    fn from(path: Sinusoid) -> RigidMotion {
        RigidMotion { path: Some(path), until: path.until, ..RigidMotion::STILL }
    }
}

/// Where a rigid body is: turned about a point, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub(super) centre: Vec3,
    pub(super) axis: Vec3,
    pub(super) sin: f64,
    pub(super) cos: f64,
    pub(super) way: Vec3,
}

impl Pose {
    /// v, turned \[Rodrigues 1840\].
    pub fn turned(&self, v: Vec3) -> Vec3 {
        rotated(v, self.axis, self.sin, self.cos)
    }

    /// Where a point of the body at time 0 is now \[m\].
    pub fn moved(&self, point: Vec3) -> Vec3 {
        if self.sin == 0.0 && self.cos == 1.0 {
            return point + self.way; // exact for what does not turn
        }
        self.centre + self.turned(point - self.centre) + self.way
    }

    /// Its axes, and where the origin of time 0 is \[m\].
    pub fn columns(&self) -> [Vec3; 4] {
        [self.turned(Vec3::x()), self.turned(Vec3::y()), self.turned(Vec3::z()), self.moved(Vec3::zeros())]
    }

    /// Where a point that is here now was at time 0 \[m\].
    pub fn back(&self, point: Vec3) -> Vec3 {
        if self.sin == 0.0 && self.cos == 1.0 {
            return point - self.way;
        }
        self.centre + rotated(point - self.way - self.centre, self.axis, -self.sin, self.cos)
    }
}

/// v, turned about a unit vector by an angle of the given sine and cosine.
pub(super) fn rotated(v: Vec3, axis: Vec3, sin: f64, cos: f64) -> Vec3 {
    cos * v + sin * axis.cross(&v) + (1.0 - cos) * axis.dot(&v) * axis
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn poses_by_hand_and_back() {
        let turning =
            RigidMotion { centre: Vec3::x(), turn: PI * Vec3::z(), velocity: 2.0 * Vec3::y(), until: 0.5, ..RigidMotion::STILL };
        let pose = turning.pose(0.5);
        assert!(
            (pose.moved(Vec3::new(2.0, 0.0, 3.0)) - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-15,
            "a quarter of a turn about x = 1"
        );
        assert_eq!(turning.pose(9.0), pose, "it has ended");
        assert!((pose.turned(Vec3::x()) - Vec3::y()).norm() < 1e-15);
        for point in [Vec3::new(0.3, -2.0, 1.0), Vec3::zeros()] {
            assert!((pose.back(pose.moved(point)) - point).norm() < 1e-15);
            assert_eq!(RigidMotion::STILL.pose(3.0).moved(point), point);
        }
        let path = Sinusoid { amplitude: Vec3::x(), period: 4.0, until: f64::INFINITY };
        assert!(
            (RigidMotion { path: Some(path), ..RigidMotion::STILL }.pose(1.0).moved(Vec3::y()) - Vec3::new(1.0, 1.0, 0.0)).norm()
                < 1e-15
        );
    }
}
