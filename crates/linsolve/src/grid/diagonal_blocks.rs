use super::stencil::{By, Pending, Stencil};
use super::tile::{Coefficients, SymmetricTile};
use super::{CHUNK, CHUNK_TILES, GridOperator, GridShape, LANES};
use crate::Mat3;
use crate::lanes::{Eight, Kernel, plus};

/// The diagonal blocks of a matrix on a grid, or their inverses.
#[derive(Debug)]
pub(crate) struct GridDiagonal {
    pub shape: GridShape,
    pub(super) pending: Pending<6>,
    /// Shape \[tiles\].
    pub blocks: Vec<SymmetricTile>,
}

impl GridDiagonal {
    /// Memory for those of a shape.
    pub fn new(shape: GridShape) -> GridDiagonal {
        GridDiagonal { shape, pending: Pending::new(shape), blocks: vec![SymmetricTile::ZERO; shape.tiles()] }
    }

    /// Takes those of a matrix.
    pub fn fill(&mut self, operator: &GridOperator) {
        let GridDiagonal { pending, blocks, .. } = self;
        operator.run(DiagonalBlocks { tiles: operator.tiles(), pending, blocks });
    }

    /// I in all rows.
    pub fn reset(&mut self) {
        for row in 0..self.shape.rows() {
            self.blocks[row / LANES].set(row % LANES, &Mat3::identity());
        }
    }
}

/// Overwrites `blocks`, shape \[tiles\], with the diagonal blocks of A.
pub(super) struct DiagonalBlocks<'a, T> {
    pub tiles: &'a [T],
    pub pending: &'a mut Pending<6>,
    pub blocks: &'a mut [SymmetricTile],
}

impl<T: Coefficients, const FAR: bool> Kernel for By<DiagonalBlocks<'_, T>, FAR> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let DiagonalBlocks { tiles, pending, blocks } = self.0;
        let mut sweep = pending.sweep::<E, FAR>();
        let chunks = tiles.chunks(CHUNK_TILES).zip(blocks.chunks_mut(CHUNK_TILES));
        for (chunk, (tiles, blocks)) in chunks.enumerate() {
            let first = chunk * CHUNK;
            sweep.chunk(tiles, first, &mut Chunk { first, blocks });
        }
    }
}

struct Chunk<'a> {
    first: usize,
    blocks: &'a mut [SymmetricTile],
}

impl<T: Coefficients, E: Eight> Stencil<T, E, 6> for Chunk<'_> {
    #[inline(always)]
    fn coupling(&mut self, tile: &T, step: usize, _row: usize) -> [E; 6] {
        tile.block(step)
    }

    #[inline(always)]
    fn finish(&mut self, tile: &T, row: usize, starting: [E; 6], ending: [E; 6]) {
        let sums = tile.add_diagonal(plus(starting, ending));
        let block = &mut self.blocks[(row - self.first) / LANES];
        for q in 0..6 {
            sums[q].store(&mut block.0[q]);
        }
    }
}
