//! Vectors and 3x3 blocks of W triangles or hinges at a time, one in each lane.

use linsolve::lanes::{Arithmetic, Lanes, dot, plus, scaled};

use crate::{Mat3, Vec3};

/// A vector in each lane.
pub(crate) type Vectors<E> = [E; 3];

/// A block in each lane, by rows: sums and multiples are those of vectors.
pub(super) type Blocks<E> = [E; 9];

/// Vectors in memory.
pub(crate) type StoredVectors<const W: usize> = [[f64; W]; 3];

/// Blocks in memory, by columns.
pub(super) type StoredBlocks<const W: usize> = [[f64; W]; 9];

/// The vectors of a field in the given rows.
#[inline(always)]
pub(crate) fn gathered<const W: usize, E: Lanes<W, Number = f64>>(field: &[Vec3], rows: &[u32; W]) -> Vectors<E> {
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
pub(crate) fn loaded<const W: usize, E: Lanes<W, Number = f64>>(numbers: &StoredVectors<W>) -> Vectors<E> {
    [E::load(&numbers[0]), E::load(&numbers[1]), E::load(&numbers[2])]
}

/// Overwrites `numbers` with vectors.
#[inline(always)]
pub(crate) fn store<const W: usize, E: Lanes<W, Number = f64>>(vectors: Vectors<E>, numbers: &mut StoredVectors<W>) {
    for q in 0..3 {
        vectors[q].store(&mut numbers[q]);
    }
}

/// Overwrites `numbers` with blocks.
#[inline(always)]
pub(super) fn store_blocks<const W: usize, E: Lanes<W, Number = f64>>(blocks: Blocks<E>, numbers: &mut StoredBlocks<W>) {
    for row in 0..3 {
        for column in 0..3 {
            blocks[3 * row + column].store(&mut numbers[3 * column + row]);
        }
    }
}

/// The vector of a lane.
#[inline(always)]
pub(crate) fn vector<const W: usize>(numbers: &StoredVectors<W>, lane: usize) -> Vec3 {
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
pub(super) fn divided<E: Arithmetic, const C: usize>(mut a: [E; C], s: E) -> [E; C] {
    for q in 0..C {
        a[q] = a[q] / s;
    }
    a
}

/// -a
#[inline(always)]
pub(super) fn negative<E: Arithmetic, const C: usize>(mut a: [E; C]) -> [E; C] {
    for q in 0..C {
        a[q] = -a[q];
    }
    a
}

/// a x b
#[inline(always)]
pub(super) fn cross<E: Arithmetic>(a: Vectors<E>, b: Vectors<E>) -> Vectors<E> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a bᵀ
#[inline(always)]
pub(super) fn outer<E: Arithmetic>(a: Vectors<E>, [x, y, z]: Vectors<E>) -> Blocks<E> {
    [a[0] * x, a[0] * y, a[0] * z, a[1] * x, a[1] * y, a[1] * z, a[2] * x, a[2] * y, a[2] * z]
}

/// Aᵀ
#[inline(always)]
pub(super) fn transposed<E: Arithmetic>([a, b, c, d, e, f, g, h, i]: Blocks<E>) -> Blocks<E> {
    [a, d, g, b, e, h, c, f, i]
}

/// A v
#[inline(always)]
pub(super) fn multiply<E: Arithmetic>([a, b, c, d, e, f, g, h, i]: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    [dot([a, b, c], v), dot([d, e, f], v), dot([g, h, i], v)]
}

/// Aᵀ v
#[inline(always)]
pub(super) fn multiply_transposed<E: Arithmetic>(a: Blocks<E>, v: Vectors<E>) -> Vectors<E> {
    multiply(transposed(a), v)
}

/// s (A + Aᵀ)
#[inline(always)]
pub(super) fn symmetric<E: Arithmetic>(s: E, a: Blocks<E>) -> Blocks<E> {
    scaled(s, plus(a, transposed(a)))
}

/// `number` in the lanes whose bits are set, A in the rest.
#[inline(always)]
pub(super) fn replaced<const W: usize, E: Lanes<W>>(mut a: Blocks<E>, lanes: u8, number: E) -> Blocks<E> {
    for q in 0..9 {
        a[q] = a[q].replaced(lanes, number);
    }
    a
}
