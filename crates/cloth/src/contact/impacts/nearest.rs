//! Places of a triangle that are nearest to a convex solid, and the first time at which one of them is near.
//!
//! The distance of a convex solid lies above each of its tangents \[Kelley 1960\]. A tangent has one number at each corner of a
//! triangle. Corners against tangents are a game: its value bounds the distance from below, and the mix of corners is a place for
//! the next tangent. The mix of tangents is a plane that keeps the triangle off the solid until a corner has crossed it, as in
//! `collision::vertex_face`.

use collision::{of_edges, of_vertex};

use super::game::{MOST, Mix, least_mix};
use crate::Vec3;
use crate::contact::Solid;

/// Tangents that are laid at one time at most, and times at most. What is not settled then counts as near.
const MOST_TANGENTS: u32 = 60;
const MOST_TIMES: u32 = 1000;
/// Share of the way to the distance that is asked for within which the bound has to come.
const CLOSE: f64 = 0.5;

/// A plane below the distance of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tangent {
    /// Its heights at the corners \[m\].
    at: [f64; 3],
    normal: Vec3,
}

impl Tangent {
    /// The least height over the triangle, which its distance is not below \[m\].
    fn least(&self) -> f64 {
        self.at.into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// A place of a triangle that is as near to a solid as any other, but for a gap; of a triangle deep in a solid, some place there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// Weights of the corners \[-\], which sum to 1.
    pub weights: [f64; 3],
    /// Its distance \[m\], negative inside.
    pub distance: f64,
    /// The point of the solid's surface that is nearest to it.
    pub point: Vec3,
    /// The outward unit normal there.
    pub normal: Vec3,
    /// A lower bound on the distance of all places of the triangle \[m\]: the least of the heights of a plane at the corners.
    pub bound: f64,
    /// These heights \[m\], and the gradient of the plane.
    plane: Tangent,
}

impl Nearest {
    /// The place of these weights, and the tangent there.
    fn at(solid: &Solid, x: &[Vec3; 3], weights: [f64; 3]) -> Nearest {
        let place = x[0] * weights[0] + x[1] * weights[1] + x[2] * weights[2];
        let (distance, normal) = solid.distance(place);
        let plane = Tangent { at: x.map(|corner| distance + normal.dot(&(corner - place))), normal };
        Nearest { weights, distance, point: place - distance * normal, normal, bound: plane.least(), plane }
    }
}

/// The nearest place of the triangle `x` \[m\], until `is_enough` of its distance and the bound \[m\].
pub(super) fn nearest(solid: &Solid, x: &[Vec3; 3], is_enough: impl Fn(f64, f64) -> bool) -> Nearest {
    let mut last = Nearest::at(solid, x, first_guess(solid, x));
    let mut now = last;
    let (mut tangents, mut count) = ([last.plane; MOST], 1);
    for turn in 1..MOST_TANGENTS {
        if is_enough(now.distance, now.bound) {
            break;
        }
        // by turns where the tangents are least, and, outside, where the triangle is nearest to the point of the surface
        let weights = if turn % 2 == 0 && now.distance > 0.0 {
            to_point(x, now.point).1
        } else {
            let [a, b, c, ..] = least_mix(3, count, |corner, k| tangents[k].at[corner]);
            [a, b, c]
        };
        if weights == last.weights {
            continue; // it has its tangent
        }
        last = Nearest::at(solid, x, weights);
        tangents[count] = last.plane;
        count += 1;
        let mix = least_mix(count, 3, |k, corner| -tangents[k].at[corner]);
        let plane = mixed(&tangents[..count], &mix);
        let (bound, plane) = if plane.least() > now.bound { (plane.least(), plane) } else { (now.bound, now.plane) };
        let nearer = if last.distance < now.distance { last } else { now };
        now = Nearest { bound, plane, ..nearer };
        if count == MOST {
            // one that the bound does not rest on goes
            let idle = (0..MOST).find(|k| mix[*k] == 0.0).unwrap_or(0);
            tangents.copy_within(idle + 1.., idle);
            count -= 1;
        }
    }
    now
}

impl Solid {
    /// Least signed distance \[m\] of a triangle `x` \[m\], to `tolerance` \[m\], > 0; of one deep inside, that of a place inside.
    pub fn distance_of_face(&self, x: &[Vec3; 3], tolerance: f64) -> f64 {
        nearest(self, x, |distance, bound| distance - bound <= tolerance).distance
    }
}

/// A mix of tangents, which lies below the distance as each of them does.
fn mixed(tangents: &[Tangent], mix: &Mix) -> Tangent {
    let mut all = Tangent::default();
    for (tangent, share) in tangents.iter().zip(mix) {
        (0..3).for_each(|corner| all.at[corner] += share * tangent.at[corner]);
        all.normal += *share * tangent.normal;
    }
    all
}

/// The distance of a point to a triangle \[m\], and the weights of the place there.
fn to_point(x: &[Vec3; 3], point: Vec3) -> (f64, [f64; 3]) {
    let closest = of_vertex(&[point, x[0], x[1], x[2]]);
    (closest.distance, [1, 2, 3].map(|k| 0.0 - closest.weights[k]))
}

/// Weights to begin from: the nearest place itself of balls and capsules, the nearest corner of other solids.
fn first_guess(solid: &Solid, x: &[Vec3; 3]) -> [f64; 3] {
    if x[0] == x[1] && x[1] == x[2] {
        return [1.0, 0.0, 0.0]; // a particle
    }
    let nearer = |one: (f64, [f64; 3]), other: (f64, [f64; 3])| if other.0 < one.0 { other } else { one };
    match *solid {
        Solid::Sphere { centre, .. } => to_point(x, centre).1,
        Solid::Capsule { from, to, .. } => {
            let of_side = |[i, j]: [usize; 2]| {
                let closest = of_edges(&[x[i], x[j], from, to]);
                let mut weights = [0.0; 3];
                (weights[i], weights[j]) = (closest.weights[0], closest.weights[1]);
                (closest.distance, weights)
            };
            [[0, 1], [1, 2], [2, 0]].map(of_side).into_iter().fold(nearer(to_point(x, from), to_point(x, to)), nearer).1
        }
        _ => {
            let of_corner = |k: usize| {
                let mut weights = [0.0; 3];
                weights[k] = 1.0;
                (solid.distance(x[k]).0, weights)
            };
            nearer(nearer(of_corner(0), of_corner(1)), of_corner(2)).1
        }
    }
}

/// The place of a triangle that first comes within `asked` \[m\] of a solid, in whose frame its corners go straight from `from` to
/// `to` \[m\]; none where none does. What is farther by `slack` \[m\], which is to be above rounding, counts as there too. `first` is
/// the nearest place at `from`.
pub(super) fn meeting(solid: &Solid, [from, to]: &[[Vec3; 3]; 2], first: Nearest, asked: f64, slack: f64) -> Option<Nearest> {
    let ways = [0, 1, 2].map(|k| to[k] - from[k]);
    let fastest = ways.iter().map(Vec3::norm).fold(0.0, f64::max);
    let is_enough = |distance: f64, bound: f64| distance <= asked + slack || distance - bound <= CLOSE * (distance - asked);
    let mut time = 0.0;
    let mut now = if is_enough(first.distance, first.bound) { first } else { nearest(solid, from, is_enough) };
    for _ in 0..MOST_TIMES {
        if now.distance <= asked + slack || now.bound <= asked {
            break;
        }
        // until a corner has crossed the plane, and at least until the fastest one has made up the bound
        let crossed = |k: usize| match now.plane.normal.dot(&ways[k]) {
            speed if speed < 0.0 => (now.plane.at[k] - asked) / -speed,
            _ => f64::INFINITY,
        };
        time += (0..3).map(crossed).fold(f64::INFINITY, f64::min).max((now.bound - asked) / fastest);
        if time > 1.0 {
            return None;
        }
        let x = [0, 1, 2].map(|k| from[k] + time * ways[k]);
        now = nearest(solid, &x, is_enough);
    }
    Some(now)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn solids(shape: [f64; 3], axis: Vec3) -> [Solid; 4] {
        let centre = Vec3::new(0.1, -0.2, 0.3);
        let [a, b, c] = shape;
        [
            Solid::Cuboid { centre, half: Vec3::new(a, b, c) },
            Solid::Sphere { centre, radius: a },
            Solid::Cylinder { centre, axis, radius: a, half_length: b },
            Solid::Capsule { from: centre, to: centre + b * axis, radius: c },
        ]
    }

    fn point() -> impl Strategy<Value = Vec3> {
        let coordinate = prop_oneof![(-2..=2_i32).prop_map(|q| 0.5 * f64::from(q)), -1.0..1.0];
        prop::array::uniform3(coordinate).prop_map(Vec3::from)
    }

    fn triangle() -> impl Strategy<Value = [Vec3; 3]> {
        prop::array::uniform3(point())
    }

    fn axis() -> impl Strategy<Value = Vec3> {
        point().prop_map(|axis| axis.try_normalize(1e-3).unwrap_or_else(Vec3::z))
    }

    fn shape() -> impl Strategy<Value = [f64; 3]> {
        prop::array::uniform3(prop_oneof![0.01..0.1, 0.1..0.6])
    }

    /// The least distance over a grid of places.
    fn sampled(solid: &Solid, x: &[Vec3; 3]) -> f64 {
        let places = (0..=16).flat_map(|i| (0..=16 - i).map(move |j| [f64::from(i) / 16.0, f64::from(j) / 16.0]));
        let distance = |[s, t]: [f64; 2]| solid.distance(x[0] + s * (x[1] - x[0]) + t * (x[2] - x[0])).0;
        places.map(distance).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn no_place_is_nearer_than_the_bound_which_comes_close(shape in shape(), axis in axis(), x in triangle()) {
            for solid in solids(shape, axis) {
                let found = nearest(&solid, &x, |distance, bound| distance - bound <= 1e-7);
                let sampled = sampled(&solid, &x);
                prop_assert!(found.bound <= sampled + 1e-14, "{solid:?}: {found:?} {sampled}");
                prop_assert!(found.bound < 0.0 || found.distance - found.bound <= 1e-5, "{solid:?}: {found:?}");
                prop_assert!(found.bound < 0.0 || solid.distance(found.point).0.abs() < 1e-9, "{solid:?}: {found:?}");
                prop_assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14 && found.weights.iter().all(|w| *w >= 0.0));
            }
        }

        /// Many moments are looked at: none before the meeting may be nearer, and without one none at all.
        #[test]
        fn nothing_that_passes_is_missed(
            shape in shape(),
            axis in axis(),
            ends in prop::array::uniform2(triangle()),
            asked in prop_oneof![Just(0.0), Just(-1e-3), 1e-3..0.1],
        ) {
            for solid in solids(shape, axis) {
                let start = nearest(&solid, &ends[0], |distance, bound| distance - bound <= 1e-7);
                if start.distance < asked {
                    continue;
                }
                let found = meeting(&solid, &ends, start, asked, 1e-6);
                let missed = (0..=100).map(|k| f64::from(k) / 100.0).find(|time| {
                    let x = [0, 1, 2].map(|k| ends[0][k] + *time * (ends[1][k] - ends[0][k]));
                    sampled(&solid, &x) < asked - 1e-9
                });
                prop_assert!(missed.is_none() || found.is_some(), "{solid:?}: {missed:?}");
                if let Some(Nearest { distance, .. }) = found {
                    prop_assert!(distance <= asked.max(0.0) + 1e-3 && distance >= asked - 1e-9, "{solid:?}: {distance} {asked}");
                }
            }
        }
    }

    #[test]
    fn places_by_hand() {
        let x = [Vec3::new(-1.0, -1.0, 0.5), Vec3::new(3.0, -1.0, 0.5), Vec3::new(-1.0, 3.0, 0.5)];
        let exact = |distance: f64, bound: f64| distance - bound < 1e-12;
        let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 0.25 };
        let found = nearest(&ball, &x, exact);
        assert_eq!((found.weights, found.distance, found.normal), ([0.5, 0.25, 0.25], 0.25, Vec3::z()));
        // a cube on its corner, whose corner is below the middle of the face
        let half = Vec3::repeat(0.25);
        let corner = Solid::Cuboid { centre: Vec3::new(-0.25, -0.25, -0.25), half };
        let tilted = [Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, 3.0)];
        let found = nearest(&corner, &tilted, exact);
        assert!((found.distance - 3.0_f64.sqrt()).abs() < 1e-9 && found.point.norm() < 1e-4, "{found:?}");
        // one that is as deep as the corner is above the face
        let deep = Solid::Cuboid { centre: Vec3::new(0.0, 0.0, 0.35), half };
        let found = nearest(&deep, &x, exact);
        assert!((found.distance + 0.1).abs() < 1e-12 && found.normal == Vec3::z(), "{found:?}");
        // a face that falls through a thin rod in one step
        let rod = Solid::Capsule { from: Vec3::new(-9.0, 0.0, 0.0), to: Vec3::new(9.0, 0.0, 0.0), radius: 1e-3 };
        let meets = |way: Vec3| meeting(&rod, &[x, x.map(|x| x + way)], nearest(&rod, &x, exact), 1e-3, 1e-6);
        let found = meets(-50.0 * Vec3::z()).unwrap();
        assert!(found.distance >= 1e-3 && found.distance <= 1.001e-3 && found.normal == Vec3::z(), "{found:?}");
        assert_eq!(meets(50.0 * Vec3::x()), None);
    }
}
