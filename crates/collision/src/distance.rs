//! Closest points of a vertex and a face, and of two edges, degenerate ones included.

use crate::Vec3;

/// Two points that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Between them \[m\].
    pub distance: f64,
    /// From the second point to the first one \[m\].
    pub apart: Vec3,
    /// Weights of the four particles: those of the first point sum to 1, those of the second one to -1, so that their sum over the
    /// positions is `apart`.
    pub weights: [f64; 4],
}

impl Closest {
    fn of(x: &[Vec3; 4], weights: [f64; 4]) -> Closest {
        let apart: Vec3 = (1..4).fold(weights[0] * x[0], |sum, k| sum + weights[k] * x[k]);
        Closest { distance: apart.norm(), apart, weights }
    }

    fn nearer(self, other: Closest) -> Closest {
        if other.distance < self.distance { other } else { self }
    }
}

/// Where on a segment a point is nearest, from 0 to 1.
fn along(point: Vec3, from: Vec3, to: Vec3) -> f64 {
    let segment = to - from;
    let square = segment.norm_squared();
    if square > 0.0 { ((point - from).dot(&segment) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// How much of two directions leads along `apart`, where `shares` tells it but for rounding, which grows as the directions come to
/// be parallel: what is left is told again, so that the places on nearly parallel edges or on a sliver of a face are right.
fn refined(apart: Vec3, [first, second]: [Vec3; 2], shares: impl Fn(Vec3) -> [f64; 2]) -> [f64; 2] {
    let [s, t] = shares(apart);
    let [more_s, more_t] = shares(apart - s * first - t * second);
    [s + more_s, t + more_t]
}

/// Of a vertex x\[0\] and a face of the other three: on one of its sides, or inside, where it has an inside \[Ericson 2005,
/// 5.1.5\].
pub fn of_vertex(x: &[Vec3; 4]) -> Closest {
    let on_side = |k: usize, j: usize| {
        let share = along(x[0], x[k], x[j]);
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        weights[k] = share - 1.0;
        weights[j] -= share;
        Closest::of(x, weights)
    };
    let nearest = on_side(1, 2).nearer(on_side(2, 3)).nearer(on_side(3, 1));
    let (first, second) = (x[2] - x[1], x[3] - x[1]);
    let normal = first.cross(&second);
    let square = normal.norm_squared();
    let shares = |apart: Vec3| [apart.cross(&second).dot(&normal) / square, first.cross(&apart).dot(&normal) / square];
    let [v, w] = refined(x[0] - x[1], [first, second], shares);
    let u = 1.0 - v - w;
    if square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 { nearest.nearer(Closest::of(x, [1.0, -u, -v, -w])) } else { nearest }
}

/// Of the edges x\[0\] x\[1\] and x\[2\] x\[3\]: at an end of one of them, or between the ends of both, where they are not parallel
/// \[Ericson 2005, 5.1.9\].
pub fn of_edges(x: &[Vec3; 4]) -> Closest {
    let of = |s: f64, t: f64| Closest::of(x, [1.0 - s, s, t - 1.0, -t]);
    let end_of_first = |s: f64, point: Vec3| of(s, along(point, x[2], x[3]));
    let end_of_second = |t: f64, point: Vec3| of(along(point, x[0], x[1]), t);
    let ends = [end_of_first(1.0, x[1]), end_of_second(0.0, x[2]), end_of_second(1.0, x[3])];
    let nearest = ends.into_iter().fold(end_of_first(0.0, x[0]), Closest::nearer);
    let (first, second, between) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
    let normal = first.cross(&second);
    let square = normal.norm_squared();
    let shares = |apart: Vec3| [apart.cross(&second).dot(&normal) / square, apart.cross(&first).dot(&normal) / square];
    let [s, t] = refined(-between, [first, -second], shares);
    let inside = |share: f64| share > 0.0 && share < 1.0;
    if square > 0.0 && inside(s) && inside(t) { nearest.nearer(of(s, t)) } else { nearest }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points() -> impl Strategy<Value = [Vec3; 4]> {
        // whole numbers make parallel edges, coplanar and degenerate faces and shared places
        let coordinate = prop_oneof![(-2..=2_i32).prop_map(f64::from), -1.0..1.0];
        prop::array::uniform4(prop::array::uniform3(coordinate)).prop_map(|points| points.map(|[x, y, z]| Vec3::new(x, y, z)))
    }

    /// The least distance over a grid of places on both, and how coarse it is.
    fn sampled(x: &[Vec3; 4], faces: bool) -> f64 {
        let shares = || (0..=40).map(|k| f64::from(k) / 40.0);
        let pairs = shares().flat_map(|s| shares().map(move |t| (s, t)));
        let distance = |(s, t): (f64, f64)| {
            if faces {
                let on_face = x[1] + s * ((x[2] - x[1]) + t * (x[3] - x[2]));
                (x[0] - on_face).norm()
            } else {
                (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).norm()
            }
        };
        pairs.map(distance).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn no_place_is_nearer(x in points()) {
            for (closest, faces) in [(of_vertex(&x), true), (of_edges(&x), false)] {
                let sampled = sampled(&x, faces);
                prop_assert!(closest.distance <= sampled + 1e-12, "{closest:?} {sampled}");
                prop_assert!(sampled <= closest.distance + 0.3, "{closest:?} {sampled}");
                let [a, b, c, d] = closest.weights;
                let first = if faces { a } else { a + b };
                prop_assert!((first - 1.0).abs() < 1e-12 && (a + b + c + d).abs() < 1e-12, "{closest:?}");
                prop_assert!((closest.apart.norm() - closest.distance).abs() < 1e-14);
            }
        }
    }

    /// Places whose distance is known, on edges at any angle and faces of any height, are told nearly to rounding.
    #[test]
    fn small_angles_cost_no_digits() {
        for power in 0..=15 {
            let off = libm::exp10(f64::from(-power));
            let (along, across, up) = (Vec3::new(0.6, -0.3, 0.7), Vec3::new(0.2, 0.9, -0.1), Vec3::new(-0.6, 0.2, 0.6));
            let (along, other) = (along.normalize(), (along + off * across).normalize());
            let up = up - along * along.dot(&up);
            let up = (up - other * other.dot(&up)).normalize();
            for height in [0.0, 1e-9, 1e-3, 1.0] {
                let crossing = [-0.37 * along, 0.63 * along, -0.59 * other - height * up, 0.41 * other - height * up];
                let found = of_edges(&crossing).distance;
                assert!((found - height).abs() < 1e-12, "edges {off} {height}: {found}");
                let sliver = [height * up, -0.5 * along, 0.5 * other, 0.3 * along + 0.5 * off * across];
                let sliver = [sliver[0] + (sliver[1] + sliver[2] + sliver[3]) / 3.0, sliver[1], sliver[2], sliver[3]];
                let found = of_vertex(&sliver).distance;
                assert!(found <= height * (1.0 + 1e-12) + 1e-12, "vertex {off} {height}: {found}");
            }
        }
    }

    #[test]
    fn distances_by_hand() {
        let face = [Vec3::zeros(), 2.0 * Vec3::x(), 2.0 * Vec3::y()];
        let over = |x: f64, y: f64, z: f64| of_vertex(&[Vec3::new(x, y, z), face[0], face[1], face[2]]);
        assert_eq!(over(0.5, 0.5, 3.0).weights, [1.0, -0.5, -0.25, -0.25]);
        assert_eq!(over(0.5, 0.5, 3.0).apart, 3.0 * Vec3::z());
        assert_eq!(over(-3.0, 0.0, 4.0).distance, 5.0);
        assert!((over(2.0, 2.0, 0.0).distance - 2.0_f64.sqrt()).abs() < 1e-15);
        let crossed = of_edges(&[-Vec3::x(), Vec3::x(), Vec3::new(0.0, -1.0, 2.0), Vec3::new(0.0, 1.0, 2.0)]);
        assert_eq!((crossed.distance, crossed.weights), (2.0, [0.5, 0.5, -0.5, -0.5]));
        let parallel = of_edges(&[Vec3::zeros(), Vec3::x(), Vec3::new(4.0, 4.0, 0.0), Vec3::new(5.0, 4.0, 0.0)]);
        assert_eq!(parallel.distance, 5.0);
    }
}
