use super::direction_pass::ProductPass;
use super::shape::is_near;
use super::stencil::{By, Pending};
use super::tile::Tile;
use super::{GridPlace, GridShape, GridVector, LANES};
use crate::lanes::{InstructionSet, Kernel, Number};
use crate::{BlockRows, Mat3, Operator, Vec3};

/// A symmetric matrix of 3x3 blocks on a grid: A = D + sum over couplings (i, j) of (e_i - e_j) ⊗ B ⊗ (e_i - e_j)ᵀ, with a
/// multiple of I for each row in D and B = a I + m mᵀ. It is what springs give: a of their tension, m along them. Beyond
/// neighbours a is zero, as with springs that only bend.
#[derive(Clone, Debug)]
pub struct GridOperator<S = f64> {
    shape: GridShape,
    set: InstructionSet,
    /// Whether no coupling leads further than to a neighbour, as where bending is explicit: products take half the time then.
    only_neighbours: bool,
    tiles: Vec<Tile<S>>,
}

impl<S> GridOperator<S> {
    /// Lets products run on another instruction set.
    pub fn run_on(&mut self, set: InstructionSet) {
        self.set = set;
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// What its products run on.
    pub fn instruction_set(&self) -> InstructionSet {
        self.set
    }

    /// Runs a pass over it on its instruction set, by the steps that its couplings take.
    pub(super) fn run<P, T>(&self, pass: P) -> T
    where
        S: Number,
        By<P, true>: Kernel<S, Output = T>,
        By<P, false>: Kernel<S, Output = T>,
    {
        match self.only_neighbours {
            true => self.set.run(By::<P, false>(pass)),
            false => self.set.run(By::<P, true>(pass)),
        }
    }

    pub(super) fn tiles(&self) -> &[Tile<S>] {
        &self.tiles
    }
}

impl GridOperator<f32> {
    /// The zero matrix.
    pub(super) fn zero(shape: GridShape) -> GridOperator<f32> {
        GridOperator { shape, set: InstructionSet::Portable, only_neighbours: true, tiles: vec![Tile::ZERO; shape.tiles()] }
    }

    /// Overwrites it by the nearest matrix, on the same instruction set.
    pub(super) fn round(&mut self, operator: &GridOperator) {
        (self.set, self.only_neighbours) = (operator.set, operator.only_neighbours);
        for (rounded, tile) in self.tiles.iter_mut().zip(&operator.tiles) {
            rounded.round(tile);
        }
    }
}

impl GridOperator {
    /// The zero matrix, whose products run on `set`, with the same bits on each.
    pub fn new(shape: GridShape, set: InstructionSet) -> GridOperator {
        GridOperator { shape, set, only_neighbours: true, tiles: vec![Tile::ZERO; shape.tiles()] }
    }

    /// Its tiles, and whether they have couplings to neighbours only, to be overwritten together.
    pub(super) fn parts_mut(&mut self) -> (&mut [Tile], &mut bool) {
        (&mut self.tiles, &mut self.only_neighbours)
    }

    /// Sets every coefficient to zero.
    pub fn clear(&mut self) {
        self.tiles.fill(Tile::ZERO);
        self.only_neighbours = true;
    }

    /// Overwrites what a row has on its diagonal besides its couplings by `value` I.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn set_diagonal(&mut self, row: usize, value: f64) {
        assert!(row < self.shape.rows(), "row {row} of {}", self.shape.rows());
        self.tiles[row / LANES].diagonal[row % LANES] = value;
    }

    /// Overwrites a coupling by B = a I + m mᵀ.
    ///
    /// # Panics
    /// Where the place is one of a larger grid, and where `a` is not zero though the rows are no neighbours.
    pub fn set_coupling(&mut self, place: GridPlace, a: f64, m: &Vec3) {
        assert!(place.is_near() || a == 0.0, "a = {a} of rows that are no neighbours");
        let row = place.row as usize;
        let tile = &mut self.tiles[row / LANES];
        let (step, lane) = (place.step as usize, row % LANES);
        let acts = a != 0.0 || m.norm_squared() != 0.0;
        tile.acting[step] = tile.acting[step] & !(1 << lane) | u8::from(acts) << lane;
        self.only_neighbours &= !acts || is_near(step);
        for (lanes, value) in tile.coupling_mut(step).iter_mut().zip([m.x, m.y, m.z, a]) {
            lanes[lane] = value;
        }
    }

    /// What products on vectors of a grid take beside the matrix.
    pub fn product(&self) -> GridProduct {
        GridProduct { shape: self.shape, pending: Pending::new(self.shape) }
    }

    /// Overwrites `rows`, whose pattern was built from [`GridShape::pairs`], by the same matrix.
    ///
    /// # Panics
    /// Where that has another number of rows or of pairs.
    pub fn write_to(&self, rows: &mut BlockRows) {
        let pattern = rows.pattern();
        assert_eq!((pattern.rows(), pattern.edge_count()), (self.rows(), self.shape.pairs().len()), "a pattern of this grid");
        rows.clear();
        let mut pair = 0;
        for row in 0..self.rows() {
            rows.add_diagonal(row, &Mat3::from_diagonal_element(self.tiles[row / LANES].diagonal[row % LANES]));
            for step in 0..8 {
                let Some(other) = self.shape.after(row, step) else { continue };
                let block = self.block(row, step);
                rows.add_diagonal(row, &block);
                rows.add_diagonal(other, &block);
                rows.add_pair(pair, &-block);
                pair += 1;
            }
        }
    }

    /// B of a coupling.
    pub(super) fn block(&self, row: usize, step: usize) -> Mat3 {
        let (a, m) = self.coupling(row, step);
        Mat3::from_diagonal_element(a) + m * m.transpose()
    }

    /// a and m of a coupling.
    fn coupling(&self, row: usize, step: usize) -> (f64, Vec3) {
        let (tile, lane) = (&self.tiles[row / LANES], row % LANES);
        let mut coefficients = [0.0; 4];
        coefficients.iter_mut().zip(tile.coupling(step)).for_each(|(coefficient, lanes)| *coefficient = lanes[lane]);
        let [x, y, z, a] = coefficients;
        (a, Vec3::new(x, y, z))
    }
}

/// Memory for products.
#[derive(Debug)]
pub struct GridProduct {
    shape: GridShape,
    pending: Pending<3>,
}

impl GridProduct {
    /// Overwrites `y` with A x, eight rows at a time.
    ///
    /// # Panics
    /// Where a shape differs, and on an instruction set that this machine does not have.
    pub fn apply(&mut self, operator: &GridOperator, x: &GridVector, y: &mut GridVector) {
        assert_eq!([x.shape(), y.shape(), self.shape], [operator.shape; 3], "shapes of x, y and of this memory");
        operator.run(ProductPass { operator, pending: &mut self.pending, p: x, s: y });
    }
}

impl Operator for GridOperator {
    fn rows(&self) -> usize {
        self.shape.rows()
    }

    /// Overwrites `y` with A x, coupling by coupling: the textbook form, for whoever has no [`GridVector`](super::GridVector).
    ///
    /// # Panics
    /// Unless both have as many rows as the matrix.
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        assert_eq!([x.len(), y.len()], [self.rows(); 2], "rows of x and y");
        for (row, y) in y.iter_mut().enumerate() {
            *y = self.tiles[row / LANES].diagonal[row % LANES] * x[row];
        }
        for row in 0..self.rows() {
            for step in 0..8 {
                let Some(other) = self.shape.after(row, step) else { continue };
                let (a, m) = self.coupling(row, step);
                let d = x[row] - x[other];
                let force = a * d + m * m.dot(&d); // (a I + m mᵀ) (x_i - x_j)
                y[row] += force;
                y[other] -= force;
            }
        }
    }

    /// Overwrites `blocks` with the diagonal blocks.
    ///
    /// # Panics
    /// Unless there are as many as rows.
    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        assert_eq!(blocks.len(), self.rows(), "rows of blocks");
        for (row, block) in blocks.iter_mut().enumerate() {
            *block = Mat3::from_diagonal_element(self.tiles[row / LANES].diagonal[row % LANES]);
        }
        for row in 0..self.rows() {
            for step in 0..8 {
                let Some(other) = self.shape.after(row, step) else { continue };
                let block = self.block(row, step);
                blocks[row] += block;
                blocks[other] += block;
            }
        }
    }
}
