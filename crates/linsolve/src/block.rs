use std::ops::{Add, Div, Mul, Neg, Sub};

/// The three unknowns of a row.
pub type Vec3 = nalgebra::Vector3<f64>;

/// What couples two rows.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// A v, with every sum from left to right.
pub(crate) fn multiply(a: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        a.m11 * v.x + a.m12 * v.y + a.m13 * v.z,
        a.m21 * v.x + a.m22 * v.y + a.m23 * v.z,
        a.m31 * v.x + a.m32 * v.y + a.m33 * v.z,
    )
}

/// Aᵀ v, with every sum from left to right.
pub(crate) fn multiply_transposed(a: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        a.m11 * v.x + a.m21 * v.y + a.m31 * v.z,
        a.m12 * v.x + a.m22 * v.y + a.m32 * v.z,
        a.m13 * v.x + a.m23 * v.y + a.m33 * v.z,
    )
}

/// Whether every entry is a finite number.
pub(crate) fn is_finite(a: &Mat3) -> bool {
    a.iter().all(|entry| entry.is_finite())
}

/// Whether every entry of every row is a finite number.
pub(crate) fn all_finite(x: &[Vec3]) -> bool {
    x.iter().all(|x| x.iter().all(|entry| entry.is_finite()))
}

/// A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹ from the lower triangle of `a`, symmetric to the bit; none unless every pivot of A = L D Lᵀ is
/// positive beyond rounding and the inverse is finite.
pub(crate) fn inverse_of_positive_definite(a: &Mat3) -> Option<Mat3> {
    let (inverse, pivots) = inverse_and_pivots([a.m11, a.m21, a.m31, a.m22, a.m32, a.m33], 1.0);
    if !pivots.into_iter().zip([a.m11, a.m22, a.m33]).all(|(pivot, entry)| is_positive(pivot, entry)) {
        return None;
    }
    let [i11, i21, i31, i22, i32, i33] = inverse;
    let inverse = Mat3::new(i11, i21, i31, i21, i22, i32, i31, i32, i33);
    is_finite(&inverse).then_some(inverse)
}

/// Whether a pivot is positive beyond what rounding takes from the entry of the diagonal.
#[inline(always)]
pub(crate) fn is_positive(pivot: f64, entry: f64) -> bool {
    pivot > 3.0 * f64::EPSILON * entry.abs()
}

/// A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹ and D of A = L D Lᵀ, for the entries 11, 21, 31, 22, 32, 33 of symmetric 3x3 blocks; `one` is 1.
#[inline(always)]
pub(crate) fn inverse_and_pivots<T>([a11, a21, a31, a22, a32, a33]: [T; 6], one: T) -> ([T; 6], [T; 3])
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T>,
{
    let d1 = a11;
    let (l21, l31) = (a21 / d1, a31 / d1);
    let d2 = a22 - l21 * a21;
    let u32 = a32 - l31 * a21;
    let l32 = u32 / d2;
    let d3 = a33 - l31 * a31 - l32 * u32;
    let (w1, w2, w3) = (one / d1, one / d2, one / d3);
    let (m21, m31, m32) = (-l21, l21 * l32 - l31, -l32); // L⁻¹
    let (i21, i31, i32) = (m21 * w2 + m31 * m32 * w3, m31 * w3, m32 * w3);
    let (i11, i22) = (w1 + m21 * m21 * w2 + m31 * m31 * w3, w2 + m32 * m32 * w3);
    ([i11, i21, i31, i22, i32, w3], [d1, d2, d3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_by_hand_and_by_its_product() {
        let a = Mat3::new(4.0, 2.0, 0.0, 2.0, 5.0, 2.0, 0.0, 2.0, 5.0); // L = [[1], [1/2, 1], [0, 1/2, 1]], D = 4, 4, 4
        let by_hand = Mat3::new(21.0, -10.0, 4.0, -10.0, 20.0, -8.0, 4.0, -8.0, 16.0) / 64.0;
        assert_eq!(inverse_of_positive_definite(&a), Some(by_hand));
        assert!((a * by_hand - Mat3::identity()).amax() < 1e-15);
    }

    #[test]
    fn blocks_that_are_not_positive_definite_have_no_inverse() {
        let refused = [
            Mat3::zeros(),
            Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 1.0)),
            Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)),
            Mat3::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0), // eigenvalue -1 behind a positive diagonal
            Mat3::from_element(f64::NAN),
            Mat3::from_diagonal_element(1e-310), // its inverse overflows
        ];
        for block in refused {
            assert_eq!(inverse_of_positive_definite(&block), None, "{block}");
        }
        // singular, with pivots that rounding makes positive or negative as it likes
        for step in 1..100 {
            let v = Vec3::new(0.1, 0.01 * f64::from(step), 0.7);
            let block = v * v.transpose() + Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 1.0));
            assert_eq!(inverse_of_positive_definite(&block), None, "{block}");
        }
    }
}
