use super::LANES;
use crate::Mat3;
use crate::lanes::{Eight, dot};

/// Coefficients of a matrix in eight rows: what it has on its diagonal, and a symmetric 3x3 block B for each coupling, which adds B
/// to both diagonal blocks and -B to the other two.
pub(super) trait Coefficients {
    /// Whether couplings lead as far as two columns or lines; if not, to the neighbours only.
    const FAR: bool;

    /// Whether one of the rows has a coupling by a step.
    #[inline(always)]
    fn acts(&self, _step: usize) -> bool {
        true
    }

    /// B d of a coupling.
    fn multiply<E: Eight>(&self, step: usize, d: [E; 3]) -> [E; 3];

    /// B of a coupling: its entries 11, 12, 13, 22, 23, 33.
    fn block<E: Eight>(&self, step: usize) -> [E; 6];

    /// What a row has on its diagonal besides its couplings, times p.
    fn multiply_diagonal<E: Eight>(&self, p: [E; 3]) -> [E; 3];

    /// The same added to a block.
    fn add_diagonal<E: Eight>(&self, block: [E; 6]) -> [E; 6];
}

/// Coefficients of a matrix in eight rows: all that a product reads of it there, in the order in which it does.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Tile {
    /// What a row has on its diagonal besides its couplings: a multiple of I.
    pub diagonal: [f64; LANES],
    /// a and m of B = a I + m mᵀ, for each of [`STEPS`](super::STEPS); zeros where a step leaves the grid.
    pub couplings: [[[f64; LANES]; 4]; 8],
    /// For each step a bit for each row whose coupling is not zero.
    ///
    /// Springs that are slack, or explicit, have zeros, and their neighbours often too: products pass over them.
    pub acting: [u8; 8],
}

impl Tile {
    pub const ZERO: Tile = Tile { diagonal: [0.0; LANES], couplings: [[[0.0; LANES]; 4]; 8], acting: [0; 8] };
}

impl Coefficients for Tile {
    const FAR: bool = true;

    #[inline(always)]
    fn acts(&self, step: usize) -> bool {
        self.acting[step] != 0
    }

    #[inline(always)]
    fn multiply<E: Eight>(&self, step: usize, d: [E; 3]) -> [E; 3] {
        let [a, x, y, z]: [E; 4] = load(&self.couplings[step]);
        let along = dot([x, y, z], d);
        [a * d[0] + along * x, a * d[1] + along * y, a * d[2] + along * z] // a d + m (m·d)
    }

    #[inline(always)]
    fn block<E: Eight>(&self, step: usize) -> [E; 6] {
        let [a, x, y, z]: [E; 4] = load(&self.couplings[step]);
        [a + x * x, x * y, x * z, a + y * y, y * z, a + z * z]
    }

    #[inline(always)]
    fn multiply_diagonal<E: Eight>(&self, p: [E; 3]) -> [E; 3] {
        let diagonal = E::load(&self.diagonal);
        [diagonal * p[0], diagonal * p[1], diagonal * p[2]]
    }

    #[inline(always)]
    fn add_diagonal<E: Eight>(&self, mut block: [E; 6]) -> [E; 6] {
        let diagonal = E::load(&self.diagonal);
        for q in [0, 3, 5] {
            block[q] = block[q] + diagonal;
        }
        block
    }
}

/// A symmetric 3x3 block for each of eight rows: their entries 11, 12, 13, 22, 23, 33.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct SymmetricTile(pub [[f64; LANES]; 6]);

impl SymmetricTile {
    pub const ZERO: SymmetricTile = SymmetricTile([[0.0; LANES]; 6]);

    /// The entries.
    #[inline(always)]
    pub fn load<E: Eight>(&self) -> [E; 6] {
        load(&self.0)
    }

    /// The products with the rows of `v`.
    #[inline(always)]
    pub fn multiply<E: Eight>(&self, v: [E; 3]) -> [E; 3] {
        multiply_symmetric(self.load(), v)
    }

    /// The block of a row.
    pub fn block(&self, lane: usize) -> Mat3 {
        let [xx, xy, xz, yy, yz, zz] = self.0.map(|lanes| lanes[lane]);
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// Overwrites the block of a row by a symmetric one.
    pub fn set(&mut self, lane: usize, block: &Mat3) {
        let entries = [block.m11, block.m12, block.m13, block.m22, block.m23, block.m33];
        for (lanes, entry) in self.0.iter_mut().zip(entries) {
            lanes[lane] = entry;
        }
    }
}

/// The product of a symmetric block, given by its entries 11, 12, 13, 22, 23, 33, with v.
#[inline(always)]
pub(super) fn multiply_symmetric<E: Eight>([xx, xy, xz, yy, yz, zz]: [E; 6], v: [E; 3]) -> [E; 3] {
    [dot([xx, xy, xz], v), dot([xy, yy, yz], v), dot([xz, yz, zz], v)]
}

#[inline(always)]
pub(super) fn load<E: Eight, const C: usize>(coefficients: &[[f64; LANES]; C]) -> [E; C] {
    let mut loaded = [E::splat(0.0); C];
    for q in 0..C {
        loaded[q] = E::load(&coefficients[q]);
    }
    loaded
}
