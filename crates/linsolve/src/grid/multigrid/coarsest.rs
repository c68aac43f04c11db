use super::coarse_tile::{CoarseTile, near};
use crate::grid::{GridShape, GridVector, LANES, STEPS};
use crate::lanes::Number;
use crate::scalar::{PivotError, ScalarCholesky, ScalarPattern};
use crate::{Breakdown, Vec3};

/// The direct solver of the coarsest level.
pub(super) struct Coarsest {
    shape: GridShape,
    cholesky: ScalarCholesky,
    /// Of the lower triangle.
    pattern: ScalarPattern,
    /// Shape \[3 rows\].
    solution: Vec<f64>,
}

impl Coarsest {
    pub fn new(shape: GridShape) -> Coarsest {
        let unknowns = 3 * shape.rows();
        let pairs: Vec<_> = (0..unknowns).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        let pattern = ScalarPattern::lower(unknowns, &pairs);
        let cholesky = ScalarCholesky::new(&pattern);
        Coarsest { shape, cholesky, pattern, solution: vec![0.0; unknowns] }
    }

    pub fn factor<S: Number>(&mut self, tiles: &[CoarseTile<S>]) -> Result<(), Breakdown> {
        let Coarsest { shape, cholesky, pattern, .. } = self;
        let values = cholesky.values_mut();
        values.fill(0.0);
        let mut add = |i: usize, j: usize, factor: f64, block: &[[S; LANES]; 6], lane: usize| {
            for (row, entries) in [[0, 1, 2], [1, 3, 4], [2, 4, 5]].into_iter().enumerate() {
                for (column, entry) in entries.into_iter().enumerate() {
                    if let Some(place) = pattern.place(3 * i + row, 3 * j + column) {
                        values[place] += factor * block[entry][lane].into();
                    }
                }
            }
        };
        for row in 0..shape.rows() {
            let (tile, lane) = (&tiles[row / LANES], row % LANES);
            add(row, row, 1.0, &tile.diagonal, lane);
            for step in [0, 2, 3, 4] {
                let Some(other) = shape.after(row, step) else { continue };
                debug_assert!(STEPS[step].0.abs() <= 1);
                let coupling = &tile.couplings[near(step)];
                add(row, row, 1.0, coupling, lane);
                add(other, other, 1.0, coupling, lane);
                add(other, row, -1.0, coupling, lane);
            }
        }
        match cholesky.factor() {
            Ok(_) => Ok(()),
            Err(PivotError::Deficient { column }) => Err(Breakdown::NotPositiveDefinite { row: column / 3 }),
            Err(PivotError::NotFinite { column }) => Err(Breakdown::NotFinite { row: column / 3 }),
        }
    }

    /// Overwrites `x` with A⁻¹ b.
    pub fn solve<S: Number>(&mut self, b: &GridVector<S>, x: &mut GridVector<S>) {
        for (unknowns, b) in self.solution.as_chunks_mut::<3>().0.iter_mut().zip(b.iter()) {
            *unknowns = b.into();
        }
        self.cholesky.solve(&mut self.solution);
        x.set(self.solution.as_chunks::<3>().0.iter().map(|unknowns| Vec3::from(*unknowns)));
    }
}
