use super::stencil::{By, Pending, Stencil, Sweep};
use super::tile::{Coefficients, Tile};
use super::vector::{assert_reach, overwrite_within, rows_within};
use super::{CHUNK, CHUNK_TILES, GridOperator, GridVector, LANES};
use crate::lanes::{CACHED, Kernel, Lanes, Number, dot, minus, plus, prefetch};

/// The first pass of an iteration: x += alpha p, p = h + beta p, then h = A p; gives pᵀ A p.
///
/// Chunk by chunk: p is moved as far ahead as the product of the chunk reads it, and is still in the first cache when it does. Rows
/// of h have been read by the time that those of A p take their place.
pub(super) struct DirectionPass<'a, S = f64> {
    pub operator: &'a GridOperator<S>,
    pub pending: &'a mut Pending<3, S>,
    pub alpha: f64,
    pub beta: f64,
    pub h: &'a mut GridVector<S>,
    pub x: &'a mut GridVector<S>,
    pub p: &'a mut GridVector<S>,
}

impl<S: Number, const FAR: bool> Kernel<S> for By<DirectionPass<'_, S>, FAR> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) -> f64 {
        let DirectionPass { operator, pending, alpha, beta, h, x, p } = self.0;
        let (x, p) = (x.arrays_mut(), p.arrays_mut());
        let mut product = Product::<E, FAR>::new(operator, pending, h);
        let [alpha, beta] = [alpha, beta].map(E::splat);
        let (mut moved, mut curvature) = (0, 0.0);
        for (chunk, tiles) in operator.tiles().chunks(CHUNK_TILES).enumerate() {
            let first = chunk * CHUNK;
            let reach = (first + tiles.len() * LANES + operator.shape().reach()).next_multiple_of(LANES);
            for q in 0..3 {
                let h = product.s[q][moved..reach].as_chunks().0;
                let (x, p) = (x[q][moved..reach].as_chunks_mut().0, p[q][moved..reach].as_chunks_mut().0);
                for ((x, p), h) in x.iter_mut().zip(p).zip(h) {
                    let before = E::load(p);
                    (E::load(x) + alpha * before).store(x);
                    (E::load(h) + beta * before).store(p);
                }
            }
            moved = reach;
            curvature += product.multiply(tiles, first, [&*p[0], &*p[1], &*p[2]]);
        }
        curvature
    }
}

/// s = A p alone.
pub(super) struct ProductPass<'a, S = f64> {
    pub operator: &'a GridOperator<S>,
    pub pending: &'a mut Pending<3, S>,
    pub p: &'a GridVector<S>,
    pub s: &'a mut GridVector<S>,
}

impl<S: Number, const FAR: bool> Kernel<S> for By<ProductPass<'_, S>, FAR> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let ProductPass { operator, pending, p, s } = self.0;
        let mut product = Product::<E, FAR>::new(operator, pending, s);
        for (chunk, tiles) in operator.tiles().chunks(CHUNK_TILES).enumerate() {
            product.multiply(tiles, chunk * CHUNK, p.arrays());
        }
    }
}

/// How many tiles ahead.
const AHEAD: usize = 16;

/// A product under way.
struct Product<'a, E: Lanes, const FAR: bool> {
    offsets: [usize; 8],
    /// Whether the matrix comes from memory each time.
    is_in_memory: bool,
    sweep: Sweep<'a, E, 3, FAR>,
    s: [&'a mut [E::Number]; 3],
}

impl<'a, E: Lanes, const FAR: bool> Product<'a, E, FAR> {
    #[inline(always)]
    fn new(
        operator: &GridOperator<E::Number>,
        pending: &'a mut Pending<3, E::Number>,
        s: &'a mut GridVector<E::Number>,
    ) -> Product<'a, E, FAR> {
        let is_in_memory = size_of_val(operator.tiles()) > CACHED;
        Product { offsets: operator.shape().offsets(), is_in_memory, sweep: pending.sweep(), s: s.arrays_mut() }
    }

    /// Rows of A p of the next chunk and their part of pᵀ A p.
    #[inline(always)]
    fn multiply(&mut self, tiles: &[Tile<E::Number>], first: usize, p: [&[E::Number]; 3]) -> f64 {
        let behind = first + tiles.len() * LANES;
        // What `Chunk` relies on.
        assert_reach(p, behind, &self.offsets);
        assert!(self.s.iter().all(|s| behind <= s.len()));
        match self.is_in_memory {
            true => self.chunk::<true>(tiles, first, p),
            false => self.chunk::<false>(tiles, first, p),
        }
    }

    #[inline(always)]
    fn chunk<const PREFETCHES: bool>(&mut self, tiles: &[Tile<E::Number>], first: usize, p: [&[E::Number]; 3]) -> f64 {
        let s = self.s.each_mut().map(|s| &mut **s);
        let mut chunk = Chunk::<E, PREFETCHES> { offsets: self.offsets, p, s, sums: E::splat(0.0) };
        self.sweep.chunk(tiles, first, &mut chunk);
        chunk.sums.sum()
    }
}

/// A chunk of it, all of whose rows and of the rows that steps lead to from there have been found to exist. It may ask memory for
/// tiles ahead of their turn.
struct Chunk<'a, E: Lanes, const PREFETCHES: bool> {
    offsets: [usize; 8],
    p: [&'a [E::Number]; 3],
    s: [&'a mut [E::Number]; 3],
    /// p·A p of the rows so far, a lane for itself.
    sums: E,
}

impl<E: Lanes, const PREFETCHES: bool> Chunk<'_, E, PREFETCHES> {
    /// p of the eight rows from `row` on.
    #[allow(unsafe_code)]
    #[inline(always)]
    fn p(&self, row: usize) -> [E; 3] {
        // SAFETY: a sweep asks for rows of its tiles, and these for those that a step leads to; see `Product::multiply`.
        unsafe { rows_within(self.p, row) }
    }

    /// Asks memory for that part of the tile that is [`AHEAD`]: part by part, since all at once would wait for each other.
    #[inline(always)]
    fn ask_ahead<T: ?Sized>(part: &T) {
        if PREFETCHES {
            let ahead = std::ptr::from_ref(part).cast::<u8>().wrapping_add(AHEAD * size_of::<Tile<E::Number>>());
            prefetch(ahead, size_of_val(part));
        }
    }
}

impl<E: Lanes, const PREFETCHES: bool> Stencil<Tile<E::Number>, E, 3> for Chunk<'_, E, PREFETCHES> {
    /// B (p_i - p_j)
    #[inline(always)]
    fn coupling(&mut self, tile: &Tile<E::Number>, step: usize, row: usize) -> [E; 3] {
        Self::ask_ahead(tile.coupling(step));
        tile.multiply(step, minus(self.p(row), self.p(row + self.offsets[step])))
    }

    #[allow(unsafe_code)]
    #[inline(always)]
    fn finish(&mut self, tile: &Tile<E::Number>, row: usize, starting: [E; 3], ending: [E; 3]) {
        Self::ask_ahead(&tile.diagonal);
        Self::ask_ahead(&tile.acting);
        let p = self.p(row);
        let s = plus(tile.multiply_diagonal(p), minus(starting, ending));
        let [sx, sy, sz] = &mut self.s;
        // SAFETY: a sweep finishes rows of its tiles; see `Product::multiply`.
        unsafe { overwrite_within([sx, sy, sz], row, s) };
        self.sums = self.sums + dot(p, s);
    }
}
