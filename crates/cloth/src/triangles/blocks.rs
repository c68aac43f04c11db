//! Vectors and 3x3 blocks of W triangles or hinges at a time, one in each lane.

use linsolve::lanes::{Arithmetic, Lanes, dot, minus, plus, scaled};

use crate::{Mat3, Vec3};

/// A vector in each lane.
pub(super) type Vectors<E> = [E; 3];

/// A block in each lane, by rows.
pub(super) type Blocks<E> = [[E; 3]; 3];

/// Vectors in memory.
pub(super) type StoredVectors<const W: usize> = [[f64; W]; 3];

/// Blocks in memory, by columns.
pub(super) type StoredBlocks<const W: usize> = [[f64; W]; 9];

/// The vectors of a field in the given rows.
#[inline(always)]
pub(super) fn gathered<const W: usize, E: Lanes<W, Number = f64>>(field: &[Vec3], rows: &[u32; W]) -> Vectors<E> {
    let mut lanes = [[0.0; W]; 3];
    for lane in 0..W {
        let vector = &field[rows[lane] as usize];
        for q in 0..3 {
            lanes[q][lane] = vector[q];
        }
    }
    loaded(&lanes)
}

/// Vectors from memory.
#[inline(always)]
pub(super) fn loaded<const W: usize, E: Lanes<W, Number = f64>>(numbers: &StoredVectors<W>) -> Vectors<E> {
    [E::load(&numbers[0]), E::load(&numbers[1]), E::load(&numbers[2])]
}

/// Overwrites `numbers` with vectors.
#[inline(always)]
pub(super) fn store<const W: usize, E: Lanes<W, Number = f64>>(vectors: Vectors<E>, numbers: &mut StoredVectors<W>) {
    for q in 0..3 {
        vectors[q].store(&mut numbers[q]);
    }
}

/// Overwrites `numbers` with blocks.
#[inline(always)]
pub(super) fn store_blocks<const W: usize, E: Lanes<W, Number = f64>>(blocks: Blocks<E>, numbers: &mut StoredBlocks<W>) {
    for row in 0..3 {
        for column in 0..3 {
            blocks[row][column].store(&mut numbers[3 * column + row]);
        }
    }
}

/// The vector of a lane.
#[inline(always)]
pub(super) fn vector<const W: usize>(numbers: &StoredVectors<W>, lane: usize) -> Vec3 {
    Vec3::new(numbers[0][lane], numbers[1][lane], numbers[2][lane])
}

/// The block of a lane.
#[inline(always)]
pub(super) fn block<const W: usize>(numbers: &StoredBlocks<W>, lane: usize) -> Mat3 {
    let [a, b, c, d, e, f, g, h, i] = numbers;
    Mat3::new(a[lane], d[lane], g[lane], b[lane], e[lane], h[lane], c[lane], f[lane], i[lane])
}

/// a / s
#[inline(always)]
pub(super) fn divided<E: Arithmetic>(a: Vectors<E>, s: E) -> Vectors<E> {
    [a[0] / s, a[1] / s, a[2] / s]
}

/// -a
#[inline(always)]
pub(super) fn negative<E: Arithmetic>(a: Vectors<E>) -> Vectors<E> {
    [-a[0], -a[1], -a[2]]
}

/// a x b
#[inline(always)]
pub(super) fn cross<E: Arithmetic>(a: Vectors<E>, b: Vectors<E>) -> Vectors<E> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a bᵀ
#[inline(always)]
pub(super) fn outer<E: Arithmetic>(a: Vectors<E>, b: Vectors<E>) -> Blocks<E> {
    [scaled(a[0], b), scaled(a[1], b), scaled(a[2], b)]
}

/// s A
#[inline(always)]
pub(super) fn scaled_block<E: Arithmetic>(s: E, a: Blocks<E>) -> Blocks<E> {
    [scaled(s, a[0]), scaled(s, a[1]), scaled(s, a[2])]
}

/// A + B
#[inline(always)]
pub(super) fn sum<E: Arithmetic>(a: Blocks<E>, b: Blocks<E>) -> Blocks<E> {
    [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])]
}

/// A - B
#[inline(always)]
pub(super) fn difference<E: Arithmetic>(a: Blocks<E>, b: Blocks<E>) -> Blocks<E> {
    [minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])]
}

/// -A
#[inline(always)]
pub(super) fn negative_block<E: Arithmetic>(a: Blocks<E>) -> Blocks<E> {
    [negative(a[0]), negative(a[1]), negative(a[2])]
}

/// Aᵀ
#[inline(always)]
pub(super) fn transposed<E: Arithmetic>(a: Blocks<E>) -> Blocks<E> {
    [[a[0][0], a[1][0], a[2][0]], [a[0][1], a[1][1], a[2][1]], [a[0][2], a[1][2], a[2][2]]]
}

/// A v
#[inline(always)]
pub(super) fn multiply<E: Arithmetic>(a: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    [dot(a[0], v), dot(a[1], v), dot(a[2], v)]
}

/// Aᵀ v
#[inline(always)]
pub(super) fn multiply_transposed<E: Arithmetic>(a: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    multiply(transposed(a), v)
}

/// s (A + Aᵀ)
#[inline(always)]
pub(super) fn symmetric<E: Arithmetic>(s: E, a: Blocks<E>) -> Blocks<E> {
    scaled_block(s, sum(a, transposed(a)))
}

/// `number` in the lanes whose bits are set, A in the rest.
#[inline(always)]
pub(super) fn replaced<const W: usize, E: Lanes<W>>(mut a: Blocks<E>, lanes: u8, number: E) -> Blocks<E> {
    for row in 0..3 {
        for column in 0..3 {
            a[row][column] = a[row][column].replaced(lanes, number);
        }
    }
    a
}
