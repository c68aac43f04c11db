use super::stencil::{Pending, Stencil, Sweep};
use super::tile::{Coefficients, Tile};
use super::{CHUNK, CHUNK_TILES, GridOperator, GridVector, LANES};
use crate::lanes::{Eight, Kernel, dot, minus, plus};

/// The first pass of an iteration: x += alpha p, p = h + beta p, s = A p; gives pᵀ s.
///
/// Chunk by chunk: p is moved as far ahead as the product of the chunk reads it, and is still in the first cache when it does.
pub(super) struct DirectionPass<'a> {
    pub operator: &'a GridOperator,
    pub pending: &'a mut Pending<3>,
    pub alpha: f64,
    pub beta: f64,
    pub h: &'a GridVector,
    pub x: &'a mut GridVector,
    pub p: &'a mut GridVector,
    pub s: &'a mut GridVector,
}

impl Kernel for DirectionPass<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let DirectionPass { operator, pending, alpha, beta, h, x, p, s } = self;
        let (h, x, p) = (h.arrays(), x.arrays_mut(), p.arrays_mut());
        let mut product = Product::<E>::new(operator, pending, s);
        let (mut moved, mut curvature) = (0, 0.0);
        for (chunk, tiles) in operator.tiles().chunks(CHUNK_TILES).enumerate() {
            let first = chunk * CHUNK;
            let reach = (first + tiles.len() * LANES + operator.shape().reach()).next_multiple_of(LANES);
            for q in 0..3 {
                let (h, x, p) = (&h[q][moved..reach], &mut x[q][moved..reach], &mut p[q][moved..reach]);
                for ((x, p), h) in x.iter_mut().zip(p).zip(h) {
                    *x += alpha * *p;
                    *p = h + beta * *p;
                }
            }
            moved = reach;
            curvature += product.multiply(tiles, first, [&*p[0], &*p[1], &*p[2]]);
        }
        curvature
    }
}

/// s = A p alone.
pub(super) struct ProductPass<'a> {
    pub operator: &'a GridOperator,
    pub pending: &'a mut Pending<3>,
    pub p: &'a GridVector,
    pub s: &'a mut GridVector,
}

impl Kernel for ProductPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let mut product = Product::<E>::new(self.operator, self.pending, self.s);
        for (chunk, tiles) in self.operator.tiles().chunks(CHUNK_TILES).enumerate() {
            product.multiply(tiles, chunk * CHUNK, self.p.arrays());
        }
    }
}

/// A product under way.
struct Product<'a, E> {
    offsets: [usize; 8],
    sweep: Sweep<'a, E, 3>,
    s: [&'a mut [f64]; 3],
}

impl<'a, E: Eight> Product<'a, E> {
    #[inline(always)]
    fn new(operator: &GridOperator, pending: &'a mut Pending<3>, s: &'a mut GridVector) -> Product<'a, E> {
        Product { offsets: operator.shape().offsets(), sweep: pending.sweep(), s: s.arrays_mut() }
    }

    /// Rows of A p of the next chunk and their part of pᵀ A p.
    #[inline(always)]
    fn multiply(&mut self, tiles: &[Tile], first: usize, p: [&[f64]; 3]) -> f64 {
        let rows = tiles.len() * LANES;
        let own = p.map(|p| p[first..first + rows].as_chunks().0);
        let others = self.offsets.map(|offset| p.map(|p| p[first + offset..first + offset + rows].as_chunks().0));
        let s = self.s.each_mut().map(|s| s[first..first + rows].as_chunks_mut().0);
        let mut chunk = Chunk { first, own, others, s, sums: E::splat(0.0) };
        self.sweep.chunk(tiles, first, &mut chunk);
        chunk.sums.sum()
    }
}

/// A chunk of it: views of the arrays that begin where it reads and writes, so that all have one place.
struct Chunk<'a, E> {
    first: usize,
    /// p of its rows.
    own: [&'a [[f64; LANES]]; 3],
    /// p of the rows that each step leads to.
    others: [[&'a [[f64; LANES]]; 3]; 8],
    s: [&'a mut [[f64; LANES]]; 3],
    /// p·A p of the rows so far, a lane for itself.
    sums: E,
}

#[inline(always)]
fn eight<E: Eight>([x, y, z]: [&[[f64; LANES]]; 3], place: usize) -> [E; 3] {
    [E::load(&x[place]), E::load(&y[place]), E::load(&z[place])]
}

impl<E: Eight> Stencil<Tile, E, 3> for Chunk<'_, E> {
    const FAR: bool = true;

    /// B (p_i - p_j)
    #[inline(always)]
    fn coupling(&mut self, tile: &Tile, step: usize, row: usize) -> [E; 3] {
        if !tile.acts(step) {
            return [E::splat(0.0); 3];
        }
        let place = (row - self.first) / LANES;
        tile.multiply(step, minus(eight(self.own, place), eight(self.others[step], place)))
    }

    #[inline(always)]
    fn finish(&mut self, tile: &Tile, row: usize, starting: [E; 3], ending: [E; 3]) {
        let place = (row - self.first) / LANES;
        let p = eight(self.own, place);
        let s = plus(tile.multiply_diagonal(p), minus(starting, ending));
        for q in 0..3 {
            s[q].store(&mut self.s[q][place]);
        }
        self.sums = self.sums + dot(p, s);
    }
}
