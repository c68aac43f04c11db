use super::LANES;
use crate::Mat3;
use crate::lanes::{Lanes, Number, dot};

/// By which steps the couplings of eight rows lead.
pub(super) trait Steps {
    /// Whether they lead as far as two columns or lines; if not, to the neighbours only.
    const FAR: bool;

    /// Whether one of the rows has a coupling by a step; else that gives zero.
    #[inline(always)]
    fn acts(&self, _step: usize) -> bool {
        true
    }

    /// Whether that is so for so many steps, of all or of those to neighbours, that the others are better taken for granted, which
    /// add zero, than asked for.
    #[inline(always)]
    fn most_act(&self, _far: bool) -> bool {
        true
    }
}

/// Coefficients of a matrix in eight rows: what it has on its diagonal, and a symmetric 3x3 block B for each coupling, which adds B
/// to both diagonal blocks and -B to the other two.
pub(super) trait Coefficients<S = f64>: Steps {
    /// B d of a coupling.
    fn multiply<E: Lanes<Number = S>>(&self, step: usize, d: [E; 3]) -> [E; 3];

    /// B of a coupling: its entries 11, 12, 13, 22, 23, 33.
    fn block<E: Lanes<Number = S>>(&self, step: usize) -> [E; 6];

    /// What a row has on its diagonal besides its couplings, times p.
    fn multiply_diagonal<E: Lanes<Number = S>>(&self, p: [E; 3]) -> [E; 3];

    /// `block` and what a row has on its diagonal besides its couplings.
    fn add_diagonal<E: Lanes<Number = S>>(&self, block: [E; 6]) -> [E; 6];
}

/// Coefficients of a matrix in eight rows: all that a product reads of it there, in the order in which it does.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Tile<S = f64> {
    /// What a row has on its diagonal besides its couplings: a multiple of I.
    pub diagonal: [S; LANES],
    /// Those of [`Tile::coupling`] for one of [`STEPS`](super::STEPS) after the other; zeros where a step leaves the grid.
    coefficients: [[S; LANES]; PLACES[8]],
    /// For each step a bit for each row whose coupling is not zero.
    ///
    /// Springs that are slack, or explicit, have zeros, and their neighbours often too: products pass over them where they are
    /// many.
    pub acting: [u8; 8],
}

impl<S: Number> Tile<S> {
    pub const ZERO: Tile<S> = Tile { diagonal: [S::ZERO; LANES], coefficients: [[S::ZERO; LANES]; PLACES[8]], acting: [0; 8] };

    /// m of B = a I + m mᵀ, and a after it where the step leads to a neighbour.
    #[inline(always)]
    pub fn coupling(&self, step: usize) -> &[[S; LANES]] {
        &self.coefficients[PLACES[step]..PLACES[step + 1]]
    }

    /// What [`Tile::coupling`] gives, to be overwritten.
    #[inline(always)]
    pub fn coupling_mut(&mut self, step: usize) -> &mut [[S; LANES]] {
        &mut self.coefficients[PLACES[step]..PLACES[step + 1]]
    }

    /// m and a of eight rows.
    #[inline(always)]
    fn load<E: Lanes<Number = S>>(&self, step: usize) -> ([E; 3], Option<E>) {
        let coupling = self.coupling(step);
        (load(&coupling.as_chunks().0[0]), coupling.get(3).map(E::load))
    }
}

/// Where the coefficients of each step begin, and where they end.
const PLACES: [usize; 9] = [0, 4, 7, 11, 15, 19, 22, 25, 28];

impl Tile<f32> {
    /// The nearest coefficients of single precision; couplings that act may be zero in it.
    pub fn round(&mut self, tile: &Tile) {
        round(&tile.diagonal, &mut self.diagonal);
        round(tile.coefficients.as_flattened(), self.coefficients.as_flattened_mut());
        self.acting = tile.acting;
    }
}

impl<S> Steps for Tile<S> {
    const FAR: bool = true;

    #[inline(always)]
    fn acts(&self, step: usize) -> bool {
        self.acting[step] != 0
    }

    #[inline(always)]
    fn most_act(&self, far: bool) -> bool {
        let most = |acting: &[u8], idle: usize| acting.iter().filter(|rows| **rows == 0).count() <= idle;
        let [right, _, left_on, straight_on, right_on, ..] = self.acting;
        match far {
            true => most(&self.acting, 3), // a wrong guess of a branch costs as much as a coupling
            false => most(&[right, left_on, straight_on, right_on], 1),
        }
    }
}

impl<S: Number> Coefficients<S> for Tile<S> {
    #[inline(always)]
    fn multiply<E: Lanes<Number = S>>(&self, step: usize, d: [E; 3]) -> [E; 3] {
        let ([x, y, z], a) = self.load::<E>(step);
        let along = dot([x, y, z], d);
        match a {
            Some(a) => [a * d[0] + along * x, a * d[1] + along * y, a * d[2] + along * z], // a d + m (m·d)
            None => [along * x, along * y, along * z],
        }
    }

    #[inline(always)]
    fn block<E: Lanes<Number = S>>(&self, step: usize) -> [E; 6] {
        let ([x, y, z], a) = self.load::<E>(step);
        let [xx, yy, zz] = [x * x, y * y, z * z];
        match a {
            Some(a) => [a + xx, x * y, x * z, a + yy, y * z, a + zz],
            None => [xx, x * y, x * z, yy, y * z, zz],
        }
    }

    #[inline(always)]
    fn multiply_diagonal<E: Lanes<Number = S>>(&self, p: [E; 3]) -> [E; 3] {
        let diagonal = E::load(&self.diagonal);
        [diagonal * p[0], diagonal * p[1], diagonal * p[2]]
    }

    #[inline(always)]
    fn add_diagonal<E: Lanes<Number = S>>(&self, mut block: [E; 6]) -> [E; 6] {
        let diagonal = E::load(&self.diagonal);
        for q in [0, 3, 5] {
            block[q] = block[q] + diagonal;
        }
        block
    }
}

/// A symmetric 3x3 block for each of eight rows: their entries 11, 12, 13, 22, 23, 33.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct SymmetricTile<S = f64>(pub [[S; LANES]; 6]);

impl<S: Number> SymmetricTile<S> {
    pub const ZERO: SymmetricTile<S> = SymmetricTile([[S::ZERO; LANES]; 6]);

    /// The entries.
    #[inline(always)]
    pub fn load<E: Lanes<Number = S>>(&self) -> [E; 6] {
        load(&self.0)
    }

    /// The products with the rows of `v`.
    #[inline(always)]
    pub fn multiply<E: Lanes<Number = S>>(&self, v: [E; 3]) -> [E; 3] {
        multiply_symmetric(self.load(), v)
    }
}

impl<S: Number> SymmetricTile<S> {
    /// The nearest entries.
    #[inline(always)]
    pub fn round(&mut self, tile: &SymmetricTile) {
        round(tile.0.as_flattened(), self.0.as_flattened_mut());
    }

    /// The same entries in double precision.
    #[inline(always)]
    pub fn widened(&self) -> SymmetricTile {
        let mut widened = SymmetricTile::ZERO;
        for (wide, &entry) in widened.0.as_flattened_mut().iter_mut().zip(self.0.as_flattened()) {
            *wide = entry.into();
        }
        widened
    }

    /// The block of a row.
    pub fn block(&self, lane: usize) -> Mat3 {
        let [xx, xy, xz, yy, yz, zz] = self.0.map(|lanes| lanes[lane].into());
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// Overwrites the block of a row by a symmetric one.
    pub fn set(&mut self, lane: usize, block: &Mat3) {
        let entries = [block.m11, block.m12, block.m13, block.m22, block.m23, block.m33];
        for (lanes, entry) in self.0.iter_mut().zip(entries) {
            lanes[lane] = S::rounded(entry);
        }
    }
}

/// The product of a symmetric block, given by its entries 11, 12, 13, 22, 23, 33, with v.
#[inline(always)]
pub(super) fn multiply_symmetric<E: Lanes>([xx, xy, xz, yy, yz, zz]: [E; 6], v: [E; 3]) -> [E; 3] {
    [dot([xx, xy, xz], v), dot([xy, yy, yz], v), dot([xz, yz, zz], v)]
}

#[inline(always)]
pub(super) fn load<E: Lanes, const C: usize>(coefficients: &[[E::Number; LANES]; C]) -> [E; C] {
    let mut loaded = [E::splat(0.0); C];
    for q in 0..C {
        loaded[q] = E::load(&coefficients[q]);
    }
    loaded
}

#[inline(always)]
fn round<S: Number>(numbers: &[f64], rounded: &mut [S]) {
    for (rounded, &number) in rounded.iter_mut().zip(numbers) {
        *rounded = S::rounded(number);
    }
}
