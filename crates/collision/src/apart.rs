//! Pairs that a plane keeps apart over a whole step, several at a time.
//!
//! Where all that moves goes straight, gaps across a plane that does not turn change linearly: what is apart at both ends of a step
//! is so all the time. Any plane may be asked; here it is the one across the line between the closest points half-way. Rounding
//! may turn it, which does no harm; that of a gap is far below the slack of the continuous tests, which `least` holds.

use crate::Vec3;
use crate::kept::Kept;

/// Pairs at a time.
const W: usize = 32;

/// Pairs of numbers that stand for bodies of four particles.
pub(crate) trait Particles: Copy {
    /// Particles of the first body.
    const FIRST: usize;

    /// The particles of a pair.
    fn particles(self, pair: &[u32; 2]) -> [u32; 4];
}

/// A vertex and the number of one of these faces.
#[derive(Clone, Copy)]
pub(crate) struct VerticesAndFaces<'a>(pub &'a [[u32; 3]]);

impl Particles for VerticesAndFaces<'_> {
    const FIRST: usize = 1;

    #[inline(always)]
    fn particles(self, &[vertex, face]: &[u32; 2]) -> [u32; 4] {
        let [a, b, c] = self.0[face as usize];
        [vertex, a, b, c]
    }
}

/// Numbers of two of these edges.
#[derive(Clone, Copy)]
pub(crate) struct EdgesAndEdges<'a>(pub &'a [[u32; 2]]);

impl Particles for EdgesAndEdges<'_> {
    const FIRST: usize = 2;

    #[inline(always)]
    fn particles(self, &[one, other]: &[u32; 2]) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.0[one as usize], self.0[other as usize]);
        [a, b, c, d]
    }
}

/// Places of the four particles of some pairs, coordinate by coordinate.
type Places = [[[f64; W]; 3]; 4];

/// Keeps those of `pairs` that are not known to be more than `least` \[m\] apart on their ways.
#[inline(always)]
pub(crate) fn keep_near<P: Particles>(pairs: &mut Kept, bodies: P, ways: [&[Vec3]; 2], least: f64) {
    let mut places = [[[[0.0; W]; 3]; 4]; 2];
    let mut apart = [0.0; W];
    let (pairs, kept) = pairs.again();
    *kept = 0;
    let mut from = 0;
    while from < pairs.len() {
        let count = W.min(pairs.len() - from);
        for lane in 0..count {
            let particles = bodies.particles(&pairs[from + lane]);
            for end in 0..2 {
                for k in 0..4 {
                    let x = &ways[end][particles[k] as usize];
                    for axis in 0..3 {
                        places[end][k][axis][lane] = x[axis];
                    }
                }
            }
        }
        are_apart::<P>(&places, least, &mut apart);
        for lane in 0..count {
            pairs[*kept] = pairs[from + lane];
            *kept += usize::from(apart[lane] == 0.0);
        }
        from += count;
    }
}

/// Whether, 1 or 0, the plane across the line between the closest points keeps two bodies more than `least` \[m\] apart at
/// both ends.
#[inline(always)]
fn are_apart<P: Particles>(places: &[Places; 2], least: f64, apart: &mut [f64; W]) {
    for lane in 0..W {
        let mut x = [[[0.0; 3]; 4]; 2];
        for end in 0..2 {
            for k in 0..4 {
                for axis in 0..3 {
                    x[end][k][axis] = places[end][k][axis][lane];
                }
            }
        }
        let [a, b, c, d] = [plus(x[0][0], x[1][0]), plus(x[0][1], x[1][1]), plus(x[0][2], x[1][2]), plus(x[0][3], x[1][3])];
        let normal = if P::FIRST == 1 { vertex_from_face(a, b, c, d) } else { edge_from_edge(a, b, c, d) };
        let square = dot(normal, normal);
        let least = least * square.sqrt();
        let mut far = 1.0;
        for end in 0..2 {
            let along = [dot(normal, x[end][0]), dot(normal, x[end][1]), dot(normal, x[end][2]), dot(normal, x[end][3])];
            for i in 0..P::FIRST {
                for j in P::FIRST..4 {
                    far = if along[i] - along[j] > least { far } else { 0.0 }; // also where one is NaN
                }
            }
        }
        // a square that underflows says nothing of a length
        apart[lane] = if square >= f64::MIN_POSITIVE { far } else { 0.0 };
    }
}

#[inline(always)]
fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn times(a: [f64; 3], factor: f64) -> [f64; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The smaller number; `b` where either is none.
#[inline(always)]
pub(crate) fn least_of(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger number; `b` where either is none.
#[inline(always)]
pub(crate) fn most_of(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// What lies between 0 and 1; 0 in place of NaN.
#[inline(always)]
fn share(a: f64) -> f64 {
    least_of(most_of(a, 0.0), 1.0)
}

#[inline(always)]
fn chosen(first: bool, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [if first { a[0] } else { b[0] }, if first { a[1] } else { b[1] }, if first { a[2] } else { b[2] }]
}

/// From a place on a face to the vertex; the nearest one but for rounding.
#[inline(always)]
fn vertex_from_face(p: [f64; 3], a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (ab, ac, bc) = (minus(b, a), minus(c, a), minus(c, b));
    let (ap, bp) = (minus(p, a), minus(p, b));
    let [first, second, third] = [from_side(ab, ap), from_side(ac, ap), from_side(bc, bp)];
    let nearest = chosen(dot(second, second) < dot(first, first), second, first);
    let nearest = chosen(dot(third, third) < dot(nearest, nearest), third, nearest);
    let normal = cross(ab, ac);
    let over = dot(normal, normal);
    let (v, w) = (dot(cross(ap, ac), normal), dot(cross(ab, ap), normal));
    chosen((v > 0.0) & (w > 0.0) & (v + w < over), times(normal, dot(ap, normal) / over), nearest)
}

/// From the nearest place on a side that leads `along` to what is `apart` from its beginning.
#[inline(always)]
fn from_side(along: [f64; 3], apart: [f64; 3]) -> [f64; 3] {
    minus(apart, times(along, share(dot(along, apart) / dot(along, along))))
}

/// From a place on the second edge to one on the first one; the nearest ones but for rounding \[Ericson 2005, 5.1.9\].
#[inline(always)]
fn edge_from_edge(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> [f64; 3] {
    let (first, second, apart) = (minus(b, a), minus(d, c), minus(a, c));
    let (aa, ee, ae) = (dot(first, first), dot(second, second), dot(first, second));
    let (ar, er) = (dot(first, apart), dot(second, apart));
    let s = share((ae * er - ar * ee) / (aa * ee - ae * ae));
    let t = share((ae * s + er) / ee);
    let s = share((ae * t - ar) / aa);
    minus(plus(apart, times(first, s)), times(second, t))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{of_edges, of_vertex};

    const FACE: VerticesAndFaces = VerticesAndFaces(&[[1, 2, 3]]);
    const EDGES: EdgesAndEdges = EdgesAndEdges(&[[0, 1], [2, 3]]);

    fn is_kept<P: Particles>(bodies: P, ways: [&[Vec3; 4]; 2], least: f64) -> bool {
        let mut kept = Kept::default();
        (0..3).for_each(|_| kept.offer([0, P::FIRST as u32 - 1], true));
        keep_near(&mut kept, bodies, ways.map(|x| x.as_slice()), least);
        assert!([0, 3].contains(&kept.iter().len()), "all three are the same pair");
        kept.iter().len() == 3
    }

    fn four() -> impl Strategy<Value = [Vec3; 4]> {
        let coordinate = || prop_oneof![(-2..=2_i32).prop_map(f64::from), -1.0..1.0];
        prop::array::uniform4(prop::array::uniform3(coordinate())).prop_map(|points| points.map(Vec3::from))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn what_comes_near_is_kept(start in four(), end in four(), least in 0.0..1.0, slow in prop_oneof![Just(1.0), 0.0..0.1]) {
            let end = [0, 1, 2, 3].map(|k| start[k] + slow * (end[k] - start[k]));
            let at = |time: f64| [0, 1, 2, 3].map(|k| start[k] + time * (end[k] - start[k]));
            let nearest = |distance: fn(&[Vec3; 4]) -> crate::Closest| {
                (0..=100).map(|k| distance(&at(f64::from(k) / 100.0)).distance).fold(f64::INFINITY, f64::min)
            };
            prop_assert!(is_kept(FACE, [&start, &end], least) || nearest(of_vertex) > least * (1.0 - 1e-12));
            prop_assert!(is_kept(EDGES, [&start, &end], least) || nearest(of_edges) > least * (1.0 - 1e-12));
        }

        #[test]
        fn what_stays_farther_apart_without_motion_is_not_kept(x in four(), least in 0.0..1.0) {
            let farther = |closest: crate::Closest| closest.distance > least * (1.0 + 1e-6) + 1e-6;
            prop_assert!(!(is_kept(FACE, [&x, &x], least) && farther(of_vertex(&x))), "{:?}", of_vertex(&x));
            // of nearly parallel edges, places that are nearest are told but for rounding
            let angle = (x[1] - x[0]).cross(&(x[3] - x[2])).norm();
            let told = angle == 0.0 || angle > 1e-3;
            prop_assert!(!(told && is_kept(EDGES, [&x, &x], least) && farther(of_edges(&x))), "{:?}", of_edges(&x));
        }
    }

    #[test]
    fn what_is_nowhere_or_next_to_nothing_apart_is_kept() {
        for x in [f64::NAN, f64::INFINITY, 1e200, 1e-170, 0.0] {
            let place = [Vec3::zeros(), x * Vec3::x(), x * Vec3::y(), x * Vec3::new(1.0, 1.0, 2.0)];
            assert!(is_kept(FACE, [&place, &place], 0.0) && is_kept(EDGES, [&place, &place], 0.0), "{x}");
        }
        // a square of few digits
        for k in 1..100 {
            let place = 1e-161 * Vec3::new(f64::from(k), f64::from(k % 7), f64::from(k % 5));
            let points = [place, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
            let distance = 1e-161 * (1e161 * place).norm();
            assert!(is_kept(FACE, [&points, &points], distance * (1.0 + 1e-6)), "{k}");
        }
        let far = [Vec3::zeros(), Vec3::new(5.0, 1.0, 0.0), Vec3::new(5.0, -1.0, 0.0), Vec3::new(6.0, 0.0, 0.0)];
        assert!(!is_kept(FACE, [&far, &far], 1.0));
        for particle in 0..4 {
            let mut lost = far;
            lost[particle].y = f64::NAN;
            assert!(is_kept(FACE, [&far, &lost], 1.0) && is_kept(EDGES, [&lost, &far], 1.0), "{particle}");
        }
    }
}
