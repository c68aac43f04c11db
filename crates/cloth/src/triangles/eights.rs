//! Vectors and 3x3 blocks of eight triangles or hinges at a time, one in each lane. Every sum has the order that it has in the form of
//! one at a time, so that the bits are the same.

use linsolve::lanes::{Eight, dot, minus, plus};

use crate::{Mat3, Vec3};

/// Elements in a batch.
pub(super) const LANES: usize = 8;

/// A vector in each lane.
pub(super) type Vectors<E> = [E; 3];

/// A block in each lane, by rows.
pub(super) type Blocks<E> = [[E; 3]; 3];

/// The vectors of a field in the given rows.
#[inline(always)]
pub(super) fn gathered<E: Eight>(field: &[Vec3], rows: &[u32; LANES]) -> Vectors<E> {
    let mut lanes = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let vector = &field[rows[lane] as usize];
        for q in 0..3 {
            lanes[q][lane] = vector[q];
        }
    }
    loaded(&lanes)
}

/// A vector in each lane.
#[inline(always)]
pub(super) fn loaded<E: Eight>(numbers: &[[f64; LANES]; 3]) -> Vectors<E> {
    [E::load(&numbers[0]), E::load(&numbers[1]), E::load(&numbers[2])]
}

/// Overwrites numbers, shape \[3\]\[lanes\], with vectors.
#[inline(always)]
pub(super) fn store<E: Eight>(vectors: Vectors<E>, numbers: &mut [[f64; LANES]; 3]) {
    for q in 0..3 {
        vectors[q].store(&mut numbers[q]);
    }
}

/// Overwrites numbers, shape \[9\]\[lanes\], with blocks by columns.
#[inline(always)]
pub(super) fn store_blocks<E: Eight>(blocks: Blocks<E>, numbers: &mut [[f64; LANES]; 9]) {
    for row in 0..3 {
        for column in 0..3 {
            blocks[row][column].store(&mut numbers[3 * column + row]);
        }
    }
}

/// The vector of a lane.
#[inline(always)]
pub(super) fn vector(numbers: &[[f64; LANES]; 3], lane: usize) -> Vec3 {
    Vec3::new(numbers[0][lane], numbers[1][lane], numbers[2][lane])
}

/// The block of a lane.
#[inline(always)]
pub(super) fn block(numbers: &[[f64; LANES]; 9], lane: usize) -> Mat3 {
    let [a, b, c, d, e, f, g, h, i] = numbers;
    Mat3::new(a[lane], d[lane], g[lane], b[lane], e[lane], h[lane], c[lane], f[lane], i[lane])
}

/// abs(a)
#[inline(always)]
pub(super) fn norm<E: Eight>(a: Vectors<E>) -> E {
    dot(a, a).sqrt()
}

/// s a
#[inline(always)]
pub(super) fn scaled<E: Eight>(s: E, a: Vectors<E>) -> Vectors<E> {
    [s * a[0], s * a[1], s * a[2]]
}

/// a / s
#[inline(always)]
pub(super) fn divided<E: Eight>(a: Vectors<E>, s: E) -> Vectors<E> {
    [a[0] / s, a[1] / s, a[2] / s]
}

/// -a
#[inline(always)]
pub(super) fn negative<E: Eight>(a: Vectors<E>) -> Vectors<E> {
    [-a[0], -a[1], -a[2]]
}

/// a x b
#[inline(always)]
pub(super) fn cross<E: Eight>(a: Vectors<E>, b: Vectors<E>) -> Vectors<E> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a bᵀ
#[inline(always)]
pub(super) fn outer<E: Eight>(a: Vectors<E>, b: Vectors<E>) -> Blocks<E> {
    [scaled(a[0], b), scaled(a[1], b), scaled(a[2], b)]
}

/// s A
#[inline(always)]
pub(super) fn scaled_block<E: Eight>(s: E, a: Blocks<E>) -> Blocks<E> {
    [scaled(s, a[0]), scaled(s, a[1]), scaled(s, a[2])]
}

/// A + B
#[inline(always)]
pub(super) fn sum<E: Eight>(a: Blocks<E>, b: Blocks<E>) -> Blocks<E> {
    [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])]
}

/// A - B
#[inline(always)]
pub(super) fn difference<E: Eight>(a: Blocks<E>, b: Blocks<E>) -> Blocks<E> {
    [minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])]
}

/// -A
#[inline(always)]
pub(super) fn negative_block<E: Eight>(a: Blocks<E>) -> Blocks<E> {
    [negative(a[0]), negative(a[1]), negative(a[2])]
}

/// Aᵀ
#[inline(always)]
pub(super) fn transposed<E: Eight>(a: Blocks<E>) -> Blocks<E> {
    [[a[0][0], a[1][0], a[2][0]], [a[0][1], a[1][1], a[2][1]], [a[0][2], a[1][2], a[2][2]]]
}

/// A v
#[inline(always)]
pub(super) fn multiply<E: Eight>(a: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    [dot(a[0], v), dot(a[1], v), dot(a[2], v)]
}

/// Aᵀ v
#[inline(always)]
pub(super) fn multiply_transposed<E: Eight>(a: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    multiply(transposed(a), v)
}
