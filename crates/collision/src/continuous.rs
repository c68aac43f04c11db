//! When a vertex meets a face, or an edge another one, within a step in which all particles move along straight lines.
//!
//! Additive advancement \[Li, Kaufman & Jiang 2021, C-IPC\] with a plane in place of a bound on speeds: between two convex bodies
//! whose closest points are a distance apart along n lies a plane across n, and each of their corners approaches it at a speed
//! that does not change. Until one of them has crossed the gap, they cannot have met, however fast they slide beside each other.
//! Time goes on to that moment, a new plane is found, and so on, until the distance is within [`SLACK`] of the one that is asked
//! for.

use crate::Vec3;
use crate::distance::{Closest, of_edges, of_vertex};

/// Four particles at both ends of a step: a vertex and the corners of a face, or the ends of two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Positions at the start \[m\].
    pub start: [Vec3; 4],
    /// Positions at the end \[m\].
    pub end: [Vec3; 4],
}

/// The first moment at which two bodies are near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Share of the step \[-\], never after the true moment.
    pub time: f64,
    /// Their closest points then.
    pub closest: Closest,
}

/// How much farther apart than asked for counts as near, over the largest extent of what moves and its way \[-\]: far above
/// rounding, so that nothing is missed, and far below what matters.
pub const SLACK: f64 = 1e-9;

/// Planes after which two bodies count as met. What grazes comes to a stop before it meets, so that the gap falls only with the
/// square of the planes: it is some millionths of the ways of the bodies by then, and was never above 1e-3 of the largest
/// extent in `tests/peers`.
const MOST_PLANES: u32 = 1000;

/// When a vertex, the first particle, comes within `thickness` \[m\] of the face of the others; none if it does not.
pub fn vertex_face(motion: &Motion, thickness: f64) -> Option<Impact> {
    advance(motion, thickness, of_vertex, [1, 2, 3].map(|k| [0, k]).as_slice())
}

/// When the edge of the first two particles comes within `thickness` \[m\] of that of the others; none if it does not.
pub fn edge_edge(motion: &Motion, thickness: f64) -> Option<Impact> {
    advance(motion, thickness, of_edges, &[[0, 2], [0, 3], [1, 2], [1, 3]])
}

/// `pairs`: every corner of the first body with every corner of the second one.
fn advance(motion: &Motion, thickness: f64, closest: fn(&[Vec3; 4]) -> Closest, pairs: &[[usize; 2]]) -> Option<Impact> {
    // from the centres of both ends, however far they are from each other: small numbers have small rounding
    let [start, end] = [&motion.start, &motion.end].map(|x| {
        let centre = x.iter().sum::<Vec3>() / 4.0;
        x.map(|x| x - centre)
    });
    let way = [0, 1, 2, 3].map(|k| end[k] - start[k]);
    let size = start.iter().chain(&way).map(Vec3::norm).fold(thickness, f64::max);
    let near = thickness + SLACK * size;
    let asked = thickness + 0.5 * SLACK * size; // farther than thickness by more than rounding
    let fastest = pairs.iter().map(|&[i, j]| (way[i] - way[j]).norm()).fold(0.0, f64::max);
    let mut time = 0.0;
    for _ in 0..MOST_PLANES {
        let x = [0, 1, 2, 3].map(|k| start[k] + time * way[k]);
        let found = closest(&x);
        if found.distance.is_nan() || found.distance <= near {
            return Some(Impact { time, closest: found });
        }
        let normal = found.apart / found.distance;
        // gaps and speeds of all corners against each other along the normal: the least gap bounds the distance from below
        let crossed = |&[i, j]: &[usize; 2]| {
            let (gap, speed) = (normal.dot(&(x[i] - x[j])), normal.dot(&(way[i] - way[j])));
            match (gap > asked, speed < 0.0) {
                (true, true) => (gap - asked) / -speed,
                (true, false) => f64::INFINITY,
                (false, _) => 0.0, // rounding of the normal has eaten the gap of a corner: the plane says nothing
            }
        };
        let until = pairs.iter().map(crossed).fold(f64::INFINITY, f64::min);
        // the distance over the largest speed holds whatever the plane says
        time += until.max((found.distance - asked) / fastest);
        if time > 1.0 {
            return None;
        }
    }
    let x = [0, 1, 2, 3].map(|k| start[k] + time * way[k]);
    Some(Impact { time, closest: closest(&x) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn motions() -> impl Strategy<Value = Motion> {
        let coordinate = || prop_oneof![(-2..=2_i32).prop_map(f64::from), -1.0..1.0];
        let four = || prop::array::uniform4(prop::array::uniform3(coordinate())).prop_map(|points| points.map(Vec3::from));
        (four(), four()).prop_map(|(start, end)| Motion { start, end })
    }

    fn at(motion: &Motion, time: f64) -> [Vec3; 4] {
        [0, 1, 2, 3].map(|k| motion.start[k] + time * (motion.end[k] - motion.start[k]))
    }

    type Test = fn(&Motion, f64) -> Option<Impact>;
    type Distance = fn(&[Vec3; 4]) -> Closest;
    const TESTS: [(Test, Distance); 2] = [(vertex_face, of_vertex), (edge_edge, of_edges)];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Many moments are looked at: none before the impact may be near, and without one none at all.
        #[test]
        fn nothing_is_missed(motion in motions(), thickness in prop_oneof![Just(0.0), 1e-3..0.1]) {
            for (test, closest) in TESTS {
                let found = test(&motion, thickness);
                let end = found.map_or(1.0, |impact| impact.time);
                let missed = (0..=400).map(|k| end * f64::from(k) / 400.0).find(|time| {
                    *time < end && closest(&at(&motion, *time)).distance < thickness * (1.0 - 1e-9) - 1e-12
                });
                prop_assert_eq!(missed, None, "{:?}", found);
                if let Some(Impact { time, .. }) = found {
                    prop_assert!((0.0..=1.0).contains(&time));
                }
            }
        }

        /// Bodies that are near at some moment by construction are found, at any scale and anywhere.
        #[test]
        fn what_meets_is_found(
            motion in motions(),
            weights in prop::array::uniform2(0.0..1.0),
            time in prop_oneof![0.0..1.0, Just(1.0)],
            scale in prop_oneof![Just(1.0), Just(1e-12), Just(1e6)],
            offset in prop_oneof![Just(0.0), Just(1e3)],
        ) {
            for (kind, (test, closest)) in TESTS.into_iter().enumerate() {
                let x = at(&motion, time);
                let [s, t] = weights;
                let apart = match kind {
                    0 => x[0] - x[1] - s * (x[2] - x[1] + t * (x[3] - x[2])),
                    _ => x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2]),
                };
                let moved = |x: [Vec3; 4]| {
                    let first = if kind == 0 { 1 } else { 2 };
                    [0, 1, 2, 3].map(|k| scale * (if k < first { x[k] - apart } else { x[k] } + offset * Vec3::x()))
                };
                let meeting = Motion { start: moved(motion.start), end: moved(motion.end) };
                let found = test(&meeting, 0.0);
                prop_assert!(found.is_some(), "{kind}: {meeting:?}");
                prop_assert!(found.unwrap().time <= time + 1e-6, "{found:?} {time}");
                // what grazes exactly is called met when its planes are used up
                prop_assert!(closest(&at(&meeting, found.unwrap().time)).distance <= 1e-4 * scale * (1.0 + offset), "{found:?}");
            }
        }
    }

    #[test]
    fn what_slides_beside_takes_few_planes_and_does_not_meet() {
        let face = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let beside = |z: f64, by: f64| {
            let start = [Vec3::new(-50.0, 0.2, z), face[0], face[1], face[2]];
            let mut end = start;
            end[0] += Vec3::new(100.0, 0.0, by);
            vertex_face(&Motion { start, end }, 0.0)
        };
        assert_eq!(beside(1e-4, 0.0), None);
        assert_eq!(beside(1e-4, 1.0), None);
        assert!([-1.9e-4, -2.1e-4].into_iter().all(|by| beside(1e-4, by).is_none()), "it comes to the plane beside the face");
        assert!(beside(1e-4, -1.98e-4).is_some_and(|impact| (impact.time - 0.505).abs() < 0.01));
    }

    /// The last moment of a step counts, also where rounding puts it behind the end, and however far all is carried together.
    #[test]
    fn corners_that_come_together_at_the_end_meet() {
        for carried in [0.0, 1.0, 1e3, 1e6, 1e9] {
            for by in 1..200 {
                let far = carried * Vec3::new(0.3, -0.7, 0.2) * f64::from(by);
                let place = |k: u32| Vec3::new(f64::from(k * by % 7), f64::from(k + by % 5), f64::from(k * k % 3)) / 3.0;
                let start = [0, 1, 2, 3].map(place);
                let mut end = [5, 6, 7, 8].map(|k| far + place(k));
                end[0] = end[2];
                let motion = Motion { start, end };
                for (test, _) in TESTS {
                    assert!(test(&motion, 0.0).is_some(), "{motion:?}");
                }
            }
        }
    }

    /// Edges at a small angle, and the vertex above a sliver, that fall through each other.
    #[test]
    fn what_is_nearly_parallel_meets() {
        for power in 1..=14 {
            let off = libm::exp10(f64::from(-power));
            for share in [0.1, 0.37, 0.5, 0.9] {
                let along = Vec3::new(0.6, -0.3, 0.7);
                let across = off * Vec3::new(0.2, 0.9, -0.1);
                let fall = Vec3::new(0.4, 0.5, 0.9);
                let edges = [-share * along, (1.0 - share) * along, -0.6 * (along + across), 0.4 * (along + across)];
                let sliver = [0.3 * share * along + 0.3 * across, along, -along, 2.0 * across];
                for (kind, (test, first, at)) in [(edge_edge as Test, 2, edges), (vertex_face, 1, sliver)].into_iter().enumerate()
                {
                    let through = |time: f64| [0, 1, 2, 3].map(|k| if k < first { at[k] + time * fall } else { at[k] });
                    let found = test(&Motion { start: through(-0.43), end: through(0.57) }, 0.0);
                    assert!(found.is_some_and(|impact| (impact.time - 0.43).abs() < 1e-6), "{kind} {off} {share}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_step_without_motion_meets_only_what_touches() {
        let start = [Vec3::new(0.2, 0.2, 0.01), Vec3::zeros(), Vec3::x(), Vec3::y()];
        let still = Motion { start, end: start };
        assert_eq!(vertex_face(&still, 0.0), None);
        assert_eq!(vertex_face(&still, 0.02).map(|impact| impact.time), Some(0.0));
        let together = Motion { start, end: start.map(|x| x + Vec3::new(5.0, -3.0, 2.0)) };
        assert_eq!(vertex_face(&together, 0.0), None);
    }
}
