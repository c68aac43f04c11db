use super::constrained_tiles::ConstrainedTiles;
use super::tile::SymmetricTile;
use super::{CHUNK_TILES, GridVector, LANES};
use crate::lanes::{Eight, Kernel, Lanes, Number, dot};

/// The second pass of an iteration: with A p in h, r = S (r - alpha A p), h = S P⁻¹ r; gives rᵀ h.
pub(super) struct ResidualPass<'a, S = f64> {
    /// P⁻¹, shape \[tiles\].
    pub inverses: &'a [SymmetricTile<S>],
    pub constrained: &'a ConstrainedTiles<S>,
    pub alpha: f64,
    pub r: &'a mut GridVector<S>,
    pub h: &'a mut GridVector<S>,
}

impl<S: Number> Kernel<S> for ResidualPass<'_, S> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) -> f64 {
        let ResidualPass { inverses, constrained, alpha, r, h } = self;
        let (mut r, mut h) = (r.arrays_mut().map(eights_mut), h.arrays_mut().map(eights_mut));
        let alpha = E::splat(alpha);
        let mut constrained = constrained.tiles.iter().peekable();
        let mut delta = 0.0;
        for (chunk, inverses) in inverses.chunks(CHUNK_TILES).enumerate() {
            let first = chunk * CHUNK_TILES;
            let tiles = first..first + inverses.len();
            let r = r.each_mut().map(|r| &mut r[tiles.clone()]);
            let h = h.each_mut().map(|h| &mut h[tiles.clone()]);
            let mut sums = E::splat(0.0);
            for (k, inverse) in inverses.iter().enumerate() {
                let mut residual = [E::splat(0.0); 3];
                for q in 0..3 {
                    residual[q] = E::load(&r[q][k]) - alpha * E::load(&h[q][k]);
                }
                let step;
                if let Some((_, projection)) = constrained.next_if(|(constrained, _)| *constrained == first + k) {
                    residual = projection.multiply(residual);
                    step = projection.multiply(inverse.multiply(residual));
                } else {
                    step = inverse.multiply(residual);
                }
                for q in 0..3 {
                    residual[q].store(&mut r[q][k]);
                    step[q].store(&mut h[q][k]);
                }
                sums = sums + dot(residual, step);
            }
            delta += sums.sum();
        }
        delta
    }
}

/// r = S (r - alpha A p) alone, with A p in h; gives the largest of its numbers by their size.
pub(super) struct SubtractionPass<'a> {
    pub constrained: &'a ConstrainedTiles,
    pub alpha: f64,
    pub r: &'a mut GridVector,
    pub h: &'a GridVector,
}

impl Kernel for SubtractionPass<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let SubtractionPass { constrained, alpha, r, h } = self;
        let tiles = r.shape().tiles();
        let (r, h) = (r.arrays_mut().map(eights_mut), h.arrays().map(|numbers| numbers.as_chunks::<LANES>().0));
        let alpha = E::splat(alpha);
        let mut constrained = constrained.tiles.iter().peekable();
        let mut largest = E::splat(0.0);
        for tile in 0..tiles {
            let mut residual = [E::splat(0.0); 3];
            for q in 0..3 {
                residual[q] = E::load(&r[q][tile]) - alpha * E::load(&h[q][tile]);
            }
            if let Some((_, projection)) = constrained.next_if(|(constrained, _)| *constrained == tile) {
                residual = projection.multiply(residual);
            }
            for q in 0..3 {
                residual[q].store(&mut r[q][tile]);
                largest = residual[q].max(-residual[q]).max(largest); // what is no number is passed over
            }
        }
        let mut lanes = [0.0; LANES];
        largest.store(&mut lanes);
        lanes.into_iter().fold(0.0, f64::max)
    }
}

#[inline(always)]
fn eights_mut<S>(numbers: &mut [S]) -> &mut [[S; LANES]] {
    numbers.as_chunks_mut().0
}
