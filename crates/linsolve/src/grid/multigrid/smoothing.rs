use crate::grid::stencil::{By, Pending, Stencil};
use crate::grid::tile::{Coefficients, SymmetricTile};
use crate::grid::vector::{assert_reach, overwrite_within, rows_within};
use crate::grid::{CHUNK, CHUNK_TILES, GridShape, GridVector, LANES};
use crate::lanes::{Kernel, Lanes, Number, dot, minus, plus};

/// The damping of a smoothing step: with A <= 2 D it is below 2 / 2, so that the cycle is positive definite, and of all factors it
/// damps best what lies between 2/3 and 2, which coarse rows do not see: 2 / (2/3 + 2).
pub(super) const DAMPING: f64 = 0.75;

/// A of a level, the inverses of its diagonal blocks D, and S in the tiles where it is not I.
pub(super) struct Smoothed<'a, T, S = f64> {
    pub shape: GridShape,
    pub tiles: &'a [T],
    pub inverses: &'a [SymmetricTile<S>],
    pub constrained: &'a [(usize, SymmetricTile<S>)],
}

/// x = D⁻¹ r
pub(super) struct FirstPass<'a, S = f64> {
    pub inverses: &'a [SymmetricTile<S>],
    pub r: &'a GridVector<S>,
    pub x: &'a mut GridVector<S>,
}

impl<S: Number> Kernel<S> for FirstPass<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let (r, x) = (self.r.arrays(), self.x.arrays_mut());
        for (tile, inverse) in self.inverses.iter().enumerate() {
            let row = tile * LANES;
            let step: [E; 3] = inverse.multiply(load_row(r, row));
            for q in 0..3 {
                step[q].store_to(x[q], row);
            }
        }
    }
}

/// t = S (r - [`DAMPING`] A x)
pub(super) struct DefectPass<'a, T, S = f64> {
    pub of: &'a Smoothed<'a, T, S>,
    pub pending: &'a mut Pending<3, S>,
    pub r: &'a GridVector<S>,
    pub x: &'a GridVector<S>,
    pub t: &'a mut GridVector<S>,
}

impl<S: Number, T: Coefficients<S>, const FAR: bool> Kernel<S> for By<DefectPass<'_, T, S>, FAR> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let DefectPass { of, pending, r, x, t } = self.0;
        let mut sweep = pending.sweep::<E, FAR>();
        let (offsets, behind) = (of.shape.offsets(), of.tiles.len() * LANES);
        let mut rows = Defect { offsets, constrained: of.constrained, r: r.arrays(), x: x.arrays(), t: t.arrays_mut() };
        assert_reach(rows.x, behind, &offsets);
        assert!(rows.r.iter().all(|r| behind <= r.len()) && rows.t.iter().all(|t| behind <= t.len()));
        for (chunk, tiles) in of.tiles.chunks(CHUNK_TILES).enumerate() {
            sweep.chunk(tiles, chunk * CHUNK, &mut rows);
        }
    }
}

/// All of its rows have been found to exist.
struct Defect<'a, S> {
    offsets: [usize; 8],
    /// Those that are still to come.
    constrained: &'a [(usize, SymmetricTile<S>)],
    r: [&'a [S]; 3],
    x: [&'a [S]; 3],
    t: [&'a mut [S]; 3],
}

impl<S: Number, T: Coefficients<S>, E: Lanes<Number = S>> Stencil<T, E, 3> for Defect<'_, S> {
    #[allow(unsafe_code)]
    #[inline(always)]
    fn coupling(&mut self, tile: &T, step: usize, row: usize) -> [E; 3] {
        // SAFETY: rows of a tile, and those that a step leads to; see `DefectPass`.
        let [x, other] = unsafe { [rows_within(self.x, row), rows_within(self.x, row + self.offsets[step])] };
        tile.multiply(step, minus(x, other))
    }

    #[allow(unsafe_code)]
    #[inline(always)]
    fn finish(&mut self, tile: &T, row: usize, starting: [E; 3], ending: [E; 3]) {
        // SAFETY: rows of a tile; see `DefectPass`.
        let [x, mut t]: [[E; 3]; 2] = unsafe { [rows_within(self.x, row), rows_within(self.r, row)] };
        let product = plus(tile.multiply_diagonal(x), minus(starting, ending));
        for q in 0..3 {
            t[q] = t[q] - E::splat(DAMPING) * product[q];
        }
        if let Some(projection) = next_if(&mut self.constrained, row) {
            t = projection.multiply(t);
        }
        let [tx, ty, tz] = &mut self.t;
        // SAFETY: rows of a tile; see `DefectPass`.
        unsafe { overwrite_within([tx, ty, tz], row, t) };
    }
}

/// x += [`DAMPING`] S D⁻¹ S (r - A x), in place; gives rᵀ x.
///
/// A row of A x needs x of rows before it, whose part has been taken by then, and of rows after it, which have not changed yet.
pub(super) struct LastPass<'a, T, S = f64> {
    pub of: &'a Smoothed<'a, T, S>,
    pub pending: &'a mut Pending<3, S>,
    pub r: &'a GridVector<S>,
    pub x: &'a mut GridVector<S>,
}

impl<S: Number, T: Coefficients<S>, const FAR: bool> Kernel<S> for By<LastPass<'_, T, S>, FAR> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) -> f64 {
        let LastPass { of, pending, r, x } = self.0;
        let mut sweep = pending.sweep::<E, FAR>();
        let (offsets, behind) = (of.shape.offsets(), of.tiles.len() * LANES);
        let mut rows = Last {
            offsets,
            inverses: of.inverses,
            constrained: of.constrained,
            r: r.arrays(),
            x: x.arrays_mut(),
            sums: E::splat(0.0),
        };
        assert_reach(rows.x.each_ref().map(|x| &**x), behind, &offsets);
        assert!(rows.r.iter().all(|r| behind <= r.len()));
        let mut delta = 0.0;
        for (chunk, tiles) in of.tiles.chunks(CHUNK_TILES).enumerate() {
            rows.sums = E::splat(0.0);
            sweep.chunk(tiles, chunk * CHUNK, &mut rows);
            delta += rows.sums.sum();
        }
        delta
    }
}

/// All of its rows have been found to exist.
struct Last<'a, E: Lanes> {
    offsets: [usize; 8],
    inverses: &'a [SymmetricTile<E::Number>],
    constrained: &'a [(usize, SymmetricTile<E::Number>)],
    r: [&'a [E::Number]; 3],
    x: [&'a mut [E::Number]; 3],
    /// r·x of the rows of a chunk so far, a lane for itself.
    sums: E,
}

impl<E: Lanes> Last<'_, E> {
    /// x of the eight rows from `row` on.
    #[allow(unsafe_code)]
    #[inline(always)]
    fn x(&self, row: usize) -> [E; 3] {
        let [x, y, z] = &self.x;
        // SAFETY: rows of a tile, or those that a step leads to; see `LastPass`.
        unsafe { rows_within([x, y, z], row) }
    }
}

impl<T: Coefficients<E::Number>, E: Lanes> Stencil<T, E, 3> for Last<'_, E> {
    #[inline(always)]
    fn coupling(&mut self, tile: &T, step: usize, row: usize) -> [E; 3] {
        tile.multiply(step, minus(self.x(row), self.x(row + self.offsets[step])))
    }

    #[allow(unsafe_code)]
    #[inline(always)]
    fn finish(&mut self, tile: &T, row: usize, starting: [E; 3], ending: [E; 3]) {
        // SAFETY: rows of a tile; see `LastPass`.
        let r = unsafe { rows_within(self.r, row) };
        let mut x = self.x(row);
        let product = plus(tile.multiply_diagonal(x), minus(starting, ending));
        let inverse = &self.inverses[row / LANES];
        let step = match next_if(&mut self.constrained, row) {
            None => inverse.multiply(minus(r, product)),
            Some(projection) => projection.multiply(inverse.multiply(projection.multiply(minus(r, product)))),
        };
        for q in 0..3 {
            x[q] = x[q] + E::splat(DAMPING) * step[q];
        }
        let [to_x, to_y, to_z] = &mut self.x;
        // SAFETY: rows of a tile; see `LastPass`.
        unsafe { overwrite_within([to_x, to_y, to_z], row, x) };
        self.sums = self.sums + dot(r, x);
    }
}

/// S of the tile that begins with `row`, taken off `constrained`, if it is the next one there.
#[inline(always)]
fn next_if<'a, S>(constrained: &mut &'a [(usize, SymmetricTile<S>)], row: usize) -> Option<&'a SymmetricTile<S>> {
    let ((tile, projection), rest) = constrained.split_first()?;
    (tile * LANES == row).then(|| {
        *constrained = rest;
        projection
    })
}

/// x = S x in the tiles where S is not I.
pub(super) struct ProjectionPass<'a, S = f64> {
    pub constrained: &'a [(usize, SymmetricTile<S>)],
    pub x: &'a mut GridVector<S>,
}

impl<S: Number> Kernel<S> for ProjectionPass<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let arrays = self.x.arrays_mut();
        for (tile, projection) in self.constrained {
            let row = tile * LANES;
            let [x, y, z] = &arrays;
            let projected: [E; 3] = projection.multiply(load_row([x, y, z], row));
            for q in 0..3 {
                projected[q].store_to(arrays[q], row);
            }
        }
    }
}

/// The eight rows from `row` on.
#[inline(always)]
fn load_row<E: Lanes>([x, y, z]: [&[E::Number]; 3], row: usize) -> [E; 3] {
    [E::load_from(x, row), E::load_from(y, row), E::load_from(z, row)]
}
