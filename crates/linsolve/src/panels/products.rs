use std::ops::Range;

use super::LANES;
use crate::lanes::Eight;

/// Columns that are worked on together.
pub(super) const BLOCK: usize = 4;

/// Rows and columns of L that stay in a cache while they are taken from all columns.
pub(super) const ROWS: usize = 32;
pub(super) const DEPTH: usize = 64;

/// Σ_k l_k s_kj for columns j of a lower triangle, over known columns k of a panel: what takes most of the time of a factorisation.
pub(super) struct Products {
    /// Known columns, and their rows.
    pub count: usize,
    pub height: usize,
    /// The row of the known columns that belongs to the first row and column of the triangle.
    pub origin: usize,
    /// The columns j, the first one at a multiple of [`BLOCK`].
    pub columns: Range<usize>,
}

impl Products {
    /// Subtracts them from the columns of `target`, each of `stride` rows, from the tile of its diagonal on. `known` are l and s. L is
    /// taken in pieces that stay in a cache; every sum is in the order of k.
    #[inline(always)]
    pub fn subtract<E: Eight>(&self, known: [&[f64]; 2], target: &mut [f64], stride: usize) {
        let Products { count, height, columns: Range { start, end }, .. } = *self;
        let tile = |column: usize| column - column % LANES;
        for k in (0..count).step_by(DEPTH) {
            let known = known.map(|columns| &columns[k * height..count.min(k + DEPTH) * height]);
            for row in (tile(start)..stride).step_by(ROWS) {
                let last = stride.min(row + ROWS);
                for first in (start..end.min(last)).step_by(BLOCK) {
                    let rows = row.max(tile(first))..last;
                    if first + BLOCK <= end {
                        self.subtract_from::<E, BLOCK>(known, &mut target[(first - start) * stride..], stride, first, rows);
                        continue;
                    }
                    for column in first..end {
                        let target = &mut target[(column - start) * stride..];
                        self.subtract_from::<E, 1>(known, target, stride, column, rows.clone());
                    }
                }
            }
        }
    }

    /// The same of N columns from `first` on, in some rows, whole tiles.
    #[inline(always)]
    fn subtract_from<E: Eight, const N: usize>(
        &self,
        [l, scaled]: [&[f64]; 2],
        target: &mut [f64],
        stride: usize,
        first: usize,
        rows: Range<usize>,
    ) {
        let Products { height, origin, .. } = *self;
        let of_scaled = origin + first;
        let mut row = rows.start;
        while row + 2 * LANES <= rows.end {
            let mut sums = [[E::splat(0.0); 2]; N];
            for j in 0..N {
                sums[j] = [E::load_from(target, j * stride + row), E::load_from(target, j * stride + row + LANES)];
            }
            let from = origin + row;
            for (l, s) in l.chunks_exact(height).zip(scaled.chunks_exact(height)) {
                let l = [E::load_from(l, from), E::load_from(l, from + LANES)];
                let s = &s[of_scaled..of_scaled + N];
                for j in 0..N {
                    let s = E::splat(s[j]);
                    sums[j] = [sums[j][0] - l[0] * s, sums[j][1] - l[1] * s];
                }
            }
            for j in 0..N {
                sums[j][0].store_to(target, j * stride + row);
                sums[j][1].store_to(target, j * stride + row + LANES);
            }
            row += 2 * LANES;
        }
        if row < rows.end {
            let mut sums = [E::splat(0.0); N];
            for j in 0..N {
                sums[j] = E::load_from(target, j * stride + row);
            }
            let from = origin + row;
            for (l, s) in l.chunks_exact(height).zip(scaled.chunks_exact(height)) {
                let l = E::load_from(l, from);
                let s = &s[of_scaled..of_scaled + N];
                for j in 0..N {
                    sums[j] = sums[j] - l * E::splat(s[j]);
                }
            }
            for j in 0..N {
                sums[j].store_to(target, j * stride + row);
            }
        }
    }
}
