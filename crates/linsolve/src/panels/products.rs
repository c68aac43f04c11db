use std::ops::Range;

use super::LANES;
use crate::lanes::{Lanes, Vector};

/// Columns that are worked on together.
pub(super) const BLOCK: usize = 4;

/// Rows and columns of L that stay in a cache while they are taken from all columns.
pub(super) const ROWS: usize = 32;
pub(super) const DEPTH: usize = 64;

/// Numbers of single precision in a register of 512 bits.
const WIDE: usize = 16;

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
    pub fn subtract<E: Lanes>(&self, known: [&[E::Number]; 2], target: &mut [E::Number], stride: usize) {
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
    fn subtract_from<E: Lanes, const N: usize>(
        &self,
        known: [&[E::Number]; 2],
        target: &mut [E::Number],
        stride: usize,
        first: usize,
        rows: Range<usize>,
    ) {
        let mut row = rows.start;
        if size_of::<E::Number>() < size_of::<f64>() {
            while row + 2 * WIDE <= rows.end {
                self.subtract_lanes::<Vector<WIDE, E::Number>, WIDE, 2, N>(known, target, stride, first, row);
                row += 2 * WIDE;
            }
            if row + WIDE <= rows.end {
                self.subtract_lanes::<Vector<WIDE, E::Number>, WIDE, 1, N>(known, target, stride, first, row);
                row += WIDE;
            }
        }
        while row + 2 * LANES <= rows.end {
            self.subtract_lanes::<E, LANES, 2, N>(known, target, stride, first, row);
            row += 2 * LANES;
        }
        if row < rows.end {
            self.subtract_lanes::<E, LANES, 1, N>(known, target, stride, first, row);
        }
    }

    /// The same in M times W rows from `row` on.
    #[inline(always)]
    fn subtract_lanes<E: Lanes<W>, const W: usize, const M: usize, const N: usize>(
        &self,
        [l, scaled]: [&[E::Number]; 2],
        target: &mut [E::Number],
        stride: usize,
        first: usize,
        row: usize,
    ) {
        let Products { height, origin, .. } = *self;
        let of_scaled = origin + first;
        let mut sums = [[E::splat(0.0); M]; N];
        for j in 0..N {
            for m in 0..M {
                sums[j][m] = E::load_from(target, j * stride + row + m * W);
            }
        }
        let from = origin + row;
        for (column, s) in l.chunks_exact(height).zip(scaled.chunks_exact(height)) {
            let mut l = [E::splat(0.0); M];
            for m in 0..M {
                l[m] = E::load_from(column, from + m * W);
            }
            let s = &s[of_scaled..of_scaled + N];
            for j in 0..N {
                let s = E::splat(s[j].into());
                for m in 0..M {
                    sums[j][m] = sums[j][m] - l[m] * s;
                }
            }
        }
        for j in 0..N {
            for m in 0..M {
                sums[j][m].store_to(target, j * stride + row + m * W);
            }
        }
    }
}
