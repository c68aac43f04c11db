use super::constrained_tiles::ConstrainedTiles;
use super::tile::SymmetricTile;
use super::{CHUNK_TILES, GridVector, LANES};
use crate::lanes::{Eight, Kernel, dot};

/// The second pass of an iteration: r = S (r - alpha s), h = S P⁻¹ r; gives rᵀ h.
pub(super) struct ResidualPass<'a> {
    /// P⁻¹, shape \[tiles\].
    pub inverses: &'a [SymmetricTile],
    pub constrained: &'a ConstrainedTiles,
    pub alpha: f64,
    pub s: &'a GridVector,
    pub r: &'a mut GridVector,
    pub h: &'a mut GridVector,
}

impl Kernel for ResidualPass<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let ResidualPass { inverses, constrained, alpha, s, r, h } = self;
        let (s, r, h) = (s.arrays(), r.arrays_mut(), h.arrays_mut());
        let alpha = E::splat(alpha);
        let mut constrained = constrained.iter().peekable();
        let mut delta = 0.0;
        for (chunk, inverses) in inverses.chunks(CHUNK_TILES).enumerate() {
            let mut sums = E::splat(0.0);
            for (k, inverse) in inverses.iter().enumerate() {
                let tile = chunk * CHUNK_TILES + k;
                let row = tile * LANES;
                let mut residual = [E::splat(0.0); 3];
                for q in 0..3 {
                    residual[q] = E::load_from(r[q], row) - alpha * E::load_from(s[q], row);
                }
                let step;
                if let Some((_, projection)) = constrained.next_if(|(constrained, _)| *constrained == tile) {
                    residual = projection.multiply(residual);
                    step = projection.multiply(inverse.multiply(residual));
                } else {
                    step = inverse.multiply(residual);
                }
                for q in 0..3 {
                    residual[q].store_to(r[q], row);
                    step[q].store_to(h[q], row);
                }
                sums = sums + dot(residual, step);
            }
            delta += sums.sum();
        }
        delta
    }
}
