use super::operator::GridOperator;
use super::stencil::{Pending, Stencil};
use super::tile::{SymmetricTile, Tile};
use super::{CHUNK, CHUNK_TILES, LANES};
use crate::lanes::{Eight, Kernel, plus};

/// Overwrites `blocks`, shape \[tiles\], with the diagonal blocks of A.
pub(super) struct DiagonalBlocks<'a> {
    pub operator: &'a GridOperator,
    pub pending: &'a mut Pending<6>,
    pub blocks: &'a mut [SymmetricTile],
}

impl Kernel for DiagonalBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let DiagonalBlocks { operator, pending, blocks } = self;
        let mut sweep = pending.sweep::<E>();
        let chunks = operator.tiles().chunks(CHUNK_TILES).zip(blocks.chunks_mut(CHUNK_TILES));
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

impl<E: Eight> Stencil<E, 6> for Chunk<'_> {
    #[inline(always)]
    fn coupling(&mut self, tile: &Tile, step: usize, _row: usize) -> [E; 6] {
        if tile.acts(step) { tile.block(step) } else { [E::splat(0.0); 6] }
    }

    #[inline(always)]
    fn finish(&mut self, tile: &Tile, row: usize, starting: [E; 6], ending: [E; 6]) {
        let mut sums = plus(starting, ending);
        for q in [0, 3, 5] {
            sums[q] = sums[q] + E::load(&tile.diagonal);
        }
        let block = &mut self.blocks[(row - self.first) / LANES];
        for q in 0..6 {
            sums[q].store(&mut block.0[q]);
        }
    }
}
