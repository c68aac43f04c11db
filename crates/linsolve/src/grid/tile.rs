use super::LANES;
use crate::Mat3;
use crate::lanes::{Eight, dot};

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

    /// Whether one of the rows has a coupling by a step.
    #[inline(always)]
    pub fn acts(&self, step: usize) -> bool {
        self.acting[step] != 0
    }

    /// B d of a coupling.
    #[inline(always)]
    pub fn multiply<E: Eight>(&self, step: usize, d: [E; 3]) -> [E; 3] {
        let [a, x, y, z]: [E; 4] = load(&self.couplings[step]);
        let along = dot([x, y, z], d);
        [a * d[0] + along * x, a * d[1] + along * y, a * d[2] + along * z] // a d + m (m·d)
    }

    /// B of a coupling: its entries 11, 12, 13, 22, 23, 33.
    #[inline(always)]
    pub fn block<E: Eight>(&self, step: usize) -> [E; 6] {
        let [a, x, y, z]: [E; 4] = load(&self.couplings[step]);
        [a + x * x, x * y, x * z, a + y * y, y * z, a + z * z]
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
        let [xx, xy, xz, yy, yz, zz] = self.load::<E>();
        [dot([xx, xy, xz], v), dot([xy, yy, yz], v), dot([xz, yz, zz], v)]
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

#[inline(always)]
fn load<E: Eight, const C: usize>(coefficients: &[[f64; LANES]; C]) -> [E; C] {
    let mut loaded = [E::splat(0.0); C];
    for q in 0..C {
        loaded[q] = E::load(&coefficients[q]);
    }
    loaded
}
