//! Points that a plane separates for certain, whatever rounding does: a filter before predicates that are exact and slow.

use crate::Vec3;

/// Bound of the rounding of both sides of a gap, over the sum of |n_i| |x_i|: each is a sum of three products, within 3 u / (1 - 3 u)
/// of it \[Higham 2002, eq. 3.5\], u = 2^-53. Eight times u covers both, and the rounding of the bound itself.
const ROUNDING: f64 = 8.0 * (f64::EPSILON / 2.0);
/// Far above what products that underflow may lose, and products of numbers up to here do not overflow.
const SCALES: [f64; 2] = [1e-300, 1e300];

/// Search for a plane, along a side or across a normal, between a segment or a triangle of `points` and another triangle, none of whose
/// coordinates is larger than `most`: true where one separates them for certain. It finds none between some that are apart.
pub(crate) fn are_separated(points: &[Vec3], triangle: &[Vec3; 3], most: f64) -> bool {
    let between = |normal: Vec3| {
        let scale = most * (normal.x.abs() + normal.y.abs() + normal.z.abs());
        let ends = |of: &[Vec3]| {
            let along = of.iter().map(|x| normal.x * x.x + normal.y * x.y + normal.z * x.z);
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
        };
        let [[low, high], [other_low, other_high]] = [ends(points), ends(triangle)];
        let margin = ROUNDING * scale;
        SCALES[0] < margin && scale < SCALES[1] && (other_low - high > margin || low - other_high > margin)
    };
    let sides = |[a, b, c]: [Vec3; 3]| [b - a, c - b, a - c];
    let [one, two, three] = sides(*triangle);
    let normal = one.cross(&two);
    if between(normal) {
        return true;
    }
    match *points {
        [a, b, c] => {
            let others = sides([a, b, c]);
            let across = others[0].cross(&others[1]);
            between(across)
                || [one, two, three].iter().any(|side| between(normal.cross(side))) // beside each other in a plane
                || others.iter().any(|side| between(across.cross(side)))
                || others.iter().any(|other| [one, two, three].iter().any(|side| between(other.cross(side))))
        }
        [a, b] => {
            let along = b - a;
            between(normal.cross(&along))
                || [one, two, three].iter().any(|side| between(normal.cross(side)))
                || [one, two, three].iter().any(|side| between(along.cross(side)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::Vec3;

    fn are_separated(points: &[Vec3], triangle: &[Vec3; 3]) -> bool {
        super::are_separated(points, triangle, points.iter().chain(triangle).map(Vec3::amax).fold(0.0, f64::max))
    }

    const FLAT: [Vec3; 3] = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];

    #[test]
    fn planes_by_hand() {
        let beside = FLAT.map(|x| x + Vec3::new(4.5, 0.0, 0.0));
        assert!(are_separated(&beside, &FLAT), "beside each other in a plane");
        assert!(are_separated(&FLAT.map(|x| x + Vec3::z()), &FLAT), "above each other");
        assert!(are_separated(&[Vec3::new(3.0, 3.0, -1.0), Vec3::new(3.0, 3.0, 1.0)], &FLAT), "a segment past its longest side");
        assert!(!are_separated(&[Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0)], &FLAT), "a segment through it");
        assert!(!are_separated(&FLAT, &FLAT) && !are_separated(&FLAT.map(|x| x + Vec3::new(0.0, 4.0, 0.0)), &FLAT), "they touch");
        // nearer than rounding may be wrong
        let far = Vec3::new(1e6, 1e6, 1e6);
        assert!(!are_separated(&FLAT.map(|x| x + far + 2e-10 * Vec3::z()), &FLAT.map(|x| x + far)));
        assert!(are_separated(&FLAT.map(|x| x + far + 1e-8 * Vec3::z()), &FLAT.map(|x| x + far)));
    }

    #[test]
    fn numbers_that_underflow_or_overflow_separate_nothing() {
        for scale in [1e-200, 1e200] {
            let of = |lift: f64| FLAT.map(|x| scale * (x + lift * Vec3::z()));
            assert!(!are_separated(&of(1.0), &of(0.0)), "{scale:e}");
        }
    }

    proptest! {
        /// A triangle and one with a corner in the midst of it, or a segment, are never separated, wherever they are, however small and
        /// however thin. Coordinates have bits to spare, so that means of means are exact.
        #[test]
        fn what_touches_is_not_separated(
            from in prop::array::uniform3(0..1_u64 << 50),
            ways in prop::array::uniform5(prop::array::uniform3(0..1_u64 << 50)),
            smaller in 0..48_u32,
            thin in 0..48_i32,
        ) {
            let at = |way: [u64; 3]| {
                let [x, y, z] = std::array::from_fn(|k| ((from[k] + (way[k] >> smaller)) % (1 << 50)) as f64 * libm::exp2(-48.0));
                Vec3::new(x, y, z * libm::exp2(f64::from(-thin)))
            };
            let [a, b, c, d, e] = ways.map(at);
            let within = 0.5 * (0.5 * (a + b) + c);
            prop_assert!(!are_separated(&[within, d, e], &[a, b, c]));
            prop_assert!(!are_separated(&[within, d], &[a, b, c]));
        }
    }
}
