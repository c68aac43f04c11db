use super::stencil::{By, Pending, Stencil};
use super::tile::{Coefficients, SymmetricTile};
use super::{CHUNK, CHUNK_TILES, GridOperator, GridShape, LANES};
use crate::Mat3;
use crate::lanes::{Kernel, Lanes, Number, plus};

/// The diagonal blocks of a matrix on a grid, or their inverses.
#[derive(Debug)]
pub(crate) struct GridDiagonal<S = f64> {
    pub shape: GridShape,
    pub(super) pending: Pending<6, S>,
    /// Shape \[tiles\].
    pub blocks: Vec<SymmetricTile<S>>,
}

impl<S: Number> GridDiagonal<S> {
    /// Memory for those of a shape.
    pub fn new(shape: GridShape) -> GridDiagonal<S> {
        GridDiagonal { shape, pending: Pending::new(shape), blocks: vec![SymmetricTile::ZERO; shape.tiles()] }
    }

    /// Takes those of a matrix.
    pub fn fill(&mut self, operator: &GridOperator<S>) {
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
pub(super) struct DiagonalBlocks<'a, T, S = f64> {
    pub tiles: &'a [T],
    pub pending: &'a mut Pending<6, S>,
    pub blocks: &'a mut [SymmetricTile<S>],
}

impl<S: Number, T: Coefficients<S>, const FAR: bool> Kernel<S> for By<DiagonalBlocks<'_, T, S>, FAR> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let DiagonalBlocks { tiles, pending, blocks } = self.0;
        let mut sweep = pending.sweep::<E, FAR>();
        let chunks = tiles.chunks(CHUNK_TILES).zip(blocks.chunks_mut(CHUNK_TILES));
        for (chunk, (tiles, blocks)) in chunks.enumerate() {
            let first = chunk * CHUNK;
            sweep.chunk(tiles, first, &mut Chunk { first, blocks });
        }
    }
}

struct Chunk<'a, S> {
    first: usize,
    blocks: &'a mut [SymmetricTile<S>],
}

impl<S: Number, T: Coefficients<S>, E: Lanes<Number = S>> Stencil<T, E, 6> for Chunk<'_, S> {
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
