use collision::{Closest, Pair};
use rayon::prelude::*;

use super::super::pose::{Pose, RigidMotion};
use super::super::{Friction, Solid};
use super::RECOVERY;
use super::row::Row;
use crate::Vec3;

/// Pairs a thread takes at a time.
const TOGETHER: usize = 256;
/// Tangents along the way of a particle to a solid at most.
const MOST_TANGENTS: u32 = 1000;
/// Depth in a solid that is rounding, over the size of what moves \[-\].
pub(super) const DEPTH: f64 = 1e-12;

/// A pair of cloth or bodies that meets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub particles: [u32; 4],
    /// Their distance at the start of the step \[m\].
    before: f64,
    /// Where they meet.
    closest: Closest,
}

impl Found {
    /// Its row: to keep the distance that there was, up to `distance` \[m\], and some of what is missing to it.
    ///
    /// Deviation from the position alterations y of \[Baraff & Witkin 1998\], which \[Stuyck 2018, 5.8\] presumably means: y stands inside
    /// the linear system there, and here positions are moved after the step. [`Contacts::altering`](crate::contact::Contacts::altering)
    /// has it inside.
    pub fn row(&self, start: &[Vec3], distance: f64, friction: Friction, inverse_masses: &[f64]) -> Row {
        let Found { particles, before, closest } = *self;
        let normal = closest.apart.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let row = Row::new(particles, closest.weights, normal, friction, inverse_masses);
        let kept = before + RECOVERY * (distance - before).max(0.0);
        let least = kept.min(distance) - normal.dot(&row.between(start));
        Row { least, ..row }
    }
}

/// Of each pair whether, and where, it comes within `share` of the distance that it is to keep; particles from `bodies` on are of
/// bodies, which do not collide with each other.
pub(super) fn pairs(
    pairs: &[Pair],
    [start, end]: [&[Vec3]; 2],
    bodies: u32,
    thickness: f64,
    share: f64,
    found: &mut Vec<Option<Found>>,
) {
    let meets = |pair: &Pair| {
        let particles = pair.particles();
        if particles.iter().all(|&particle| particle >= bodies) {
            return None;
        }
        let within = |distance: f64| pair.impact(start, end, share * distance);
        let impact = within(thickness)?; // most pairs end here
        let before = pair.closest(start).distance;
        let impact = if before < thickness { within(before)? } else { impact };
        Some(Found { particles, before, closest: impact.closest })
    };
    pairs.par_iter().with_min_len(TOGETHER).map(meets).collect_into_vec(found);
}

/// Solids that particles meet.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids {
    pub all: Vec<(Solid, RigidMotion, Friction)>,
    /// Poses at both ends of the step, and at the end of the next one.
    pub poses: Vec<([Pose; 2], Pose)>,
}

impl Solids {
    /// Puts them where they are in a step of `dt` \[s\] from time `t` \[s\].
    pub fn place(&mut self, t: f64, dt: f64) {
        self.poses.clear();
        self.poses
            .extend(self.all.iter().map(|(_, motion, _)| ([motion.pose(t), motion.pose(t + dt)], motion.pose(t + 2.0 * dt))));
    }

    /// Adds rows for particles that come to a solid, or to planes `alone`, or, in a motion that was changed, end deeper in it than
    /// `tolerated` \[m\].
    pub fn look(
        &self,
        [start, end]: [&[Vec3]; 2],
        inverse_masses: &[f64],
        tolerated: Option<f64>,
        alone: bool,
        rows: &mut Vec<Row>,
    ) {
        let is_met = |solid: &Solid| !alone || matches!(solid, Solid::Plane { .. });
        for ((solid, _, friction), (poses, later)) in self.all.iter().zip(&self.poses).filter(|((solid, ..), _)| is_met(solid)) {
            for (i, &inverse_mass) in inverse_masses.iter().enumerate() {
                if inverse_mass > 0.0
                    && let Some((point, normal)) = met(solid, poses, [start[i], end[i]], tolerated)
                {
                    let [from, to] = poses.each_ref().map(|pose| pose.moved(point));
                    let normal = poses[1].turned(normal);
                    let row = Row::new([i as u32; 4], [1.0, 0.0, 0.0, 0.0], normal, *friction, inverse_masses);
                    let gain = later.moved(point) - 2.0 * to + from;
                    rows.push(Row { body: to - from, gain, least: normal.dot(&(from - start[i])), ..row });
                }
            }
        }
    }
}

/// The point of a solid, where it is at time 0, that a particle meets within a step, and the normal there. Solids are convex, and so is
/// the distance along a straight way: its tangents lie below it, so that Newton's method comes to the first place where it is zero
/// from before, or to one from which on it rises.
fn met(solid: &Solid, poses: &[Pose; 2], [from, to]: [Vec3; 2], tolerated: Option<f64>) -> Option<(Vec3, Vec3)> {
    let [from, to] = [poses[0].back(from), poses[1].back(to)];
    let (way, near) = (to - from, DEPTH * from.amax().max(to.amax()));
    if tolerated.is_some_and(|depth| solid.distance(to).0 >= -near.max(depth)) {
        return None;
    }
    let mut time = 0.0;
    for _ in 0..MOST_TANGENTS {
        let x = from + time * way;
        let (distance, normal) = solid.distance(x);
        if distance <= near {
            return Some((x - distance * normal, normal));
        }
        let rate = normal.dot(&way);
        time -= distance / rate;
        if rate >= 0.0 || time > 1.0 || time.is_nan() {
            return None;
        }
    }
    let (distance, normal) = solid.distance(to);
    (distance < 0.0).then_some((to - distance * normal, normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the way from one point to another meets a solid at rest.
    fn meets(solid: Solid, from: [f64; 3], to: [f64; 3]) -> Option<(Vec3, Vec3)> {
        met(&solid, &[RigidMotion::STILL.pose(0.0), RigidMotion::STILL.pose(1.0)], [from, to].map(Vec3::from), None)
    }

    #[test]
    fn a_way_meets_a_solid_where_it_first_comes_to_it() {
        let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 1.0 };
        let (point, normal) = meets(ball, [-3.0, 0.6, 0.0], [3.0, 0.6, 0.0]).unwrap();
        assert!((point - Vec3::new(-0.8, 0.6, 0.0)).norm() < 1e-11 && (normal - point).norm() < 1e-11, "{point}");
        let block = Solid::Cuboid { centre: Vec3::zeros(), half: Vec3::repeat(1.0) };
        let (point, normal) = meets(block, [3.0, 2.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
        assert!(
            (point - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-11 && normal.x.min(normal.y) >= 0.0,
            "a corner: {point}, {normal}"
        );
        let grazes = meets(ball, [-3.0, 1.0 - 1e-9, 0.0], [3.0, 1.0 - 1e-9, 0.0]).unwrap().0;
        assert!((grazes.norm() - 1.0).abs() < 1e-11 && grazes.x < 0.0, "{grazes}");
    }

    #[test]
    fn a_way_beside_a_solid_or_away_from_it_meets_nothing() {
        let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 1.0 };
        for (from, to) in [
            ([-3.0, 1.0 + 1e-9, 0.0], [3.0, 1.0 + 1e-9, 0.0]),
            ([-3.0, 0.0, 0.0], [-1.1, 0.0, 0.0]),
            ([1.0 + 1e-9, 0.0, 0.0], [1.0 + 1e-9, 1e-3, 0.0]),
            ([2.0, 0.0, 0.0], [2.0, 0.0, 0.0]),
        ] {
            assert_eq!(meets(ball, from, to), None, "{from:?}");
        }
    }
}
