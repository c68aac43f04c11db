use crate::{Aggregation, BlockDiagonal, BlockRows, Breakdown, Constraint, DiagonalKind, Preconditioner, Vec3};

/// What the matrix of each solve in block rows calls for: [`Aggregation`] where couplings are stiff beside what is on the diagonal
/// without them, and the constrained blocks of the diagonal where they are not.
#[derive(Clone, Debug)]
pub(crate) struct Automatic {
    blocks: BlockDiagonal,
    aggregation: Aggregation,
    /// Whether the last matrix was stiff.
    is_stiff: bool,
}

/// Stiffness, see [`stiffness`], from which on aggregation is worth its factorisation: some hundred iterations with blocks of the
/// diagonal.
const STIFF: f64 = 5000.0;

impl Default for Automatic {
    /// Of no rows, until it is factored.
    fn default() -> Automatic {
        let blocks = BlockDiagonal::new(DiagonalKind::Constrained);
        Automatic { blocks, aggregation: Aggregation::new(), is_stiff: false }
    }
}

impl Automatic {
    /// Factors a matrix in the way that it calls for.
    ///
    /// # Errors
    /// [`Breakdown`] where there is no factorisation. The preconditioner is I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(constraints.len(), matrix.pattern().rows(), "one constraint for each row");
        self.is_stiff = stiffness(matrix, constraints) >= STIFF;
        match self.is_stiff {
            true => self.aggregation.factor(matrix, constraints),
            false => self.blocks.factor(matrix, constraints),
        }
    }

    /// What the last matrix was aggregated by, if it was.
    pub fn aggregation(&self) -> Option<&Aggregation> {
        self.is_stiff.then_some(&self.aggregation)
    }

    fn chosen(&self) -> &dyn Preconditioner {
        match self.is_stiff {
            true => &self.aggregation,
            false => &self.blocks,
        }
    }
}

impl Preconditioner for Automatic {
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        self.chosen().apply(r, h);
    }

    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        self.chosen().apply_and_dot(r, h)
    }
}

/// c = Σ_i tr(A_ii) / Σ_i tr(Σ_j A_ij) over the rows i that are not fully constrained \[-\]: what is on the diagonal over its part that
/// is not of couplings, whose blocks add up to zero along a row.
fn stiffness(matrix: &BlockRows, constraints: &[Constraint]) -> f64 {
    let takes_part = |row: usize| f64::from(u8::from(constraints[row].ndof() > 0));
    let (mut diagonal, mut sums) = (0.0, 0.0);
    for row in 0..constraints.len() {
        let own = takes_part(row) * matrix.diagonal(row).trace();
        diagonal += own;
        sums += own;
        for (column, block) in matrix.filled_above(row) {
            sums += (takes_part(row) + takes_part(column)) * block.trace();
        }
    }
    diagonal / sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockPattern, Mat3};

    /// A chain of four rows of 2 kg, which springs of this stiffness couple in all directions.
    fn chain(stiffness: f64) -> BlockRows {
        let edges = [(0, 1), (2, 1), (2, 3)];
        let mut matrix = BlockRows::new(BlockPattern::new(4, &edges));
        (0..4).for_each(|row| matrix.add_diagonal(row, &(2.0 * Mat3::identity())));
        for (edge, (i, j)) in edges.into_iter().enumerate() {
            let block = stiffness * Mat3::identity();
            [i, j].into_iter().for_each(|row| matrix.add_diagonal(row, &block));
            matrix.add_pair(edge, &-block);
        }
        matrix
    }

    #[test]
    fn the_stiffness_by_hand() {
        let free = vec![Constraint::Free; 4];
        let pinned = [vec![Constraint::Fixed], free[1..].to_vec()].concat();
        let matrix = chain(7.0);
        assert_eq!(stiffness(&matrix, &free), (9.0 + 16.0 + 16.0 + 9.0) / 8.0);
        assert_eq!(stiffness(&matrix, &pinned), (16.0 + 16.0 + 9.0) / 6.0);
    }

    #[test]
    fn what_is_stiff_is_aggregated() {
        let free = vec![Constraint::Free; 4];
        let r: Vec<Vec3> = (0..4).map(|row| Vec3::new(1.0, f64::from(row), -0.5)).collect();
        let mut automatic = Automatic::default();
        for (spring, is_stiff) in [(10.0, false), (1e5, true), (100.0, false)] {
            let matrix = chain(spring); // c = 1 + 3/4 of the stiffness
            automatic.factor(&matrix, &free).unwrap();
            assert_eq!(automatic.aggregation().is_some(), is_stiff, "{spring}");
            let (mut aggregation, mut blocks) = (Aggregation::new(), BlockDiagonal::new(DiagonalKind::Constrained));
            aggregation.factor(&matrix, &free).unwrap();
            blocks.factor(&matrix, &free).unwrap();
            let mut h = vec![vec![Vec3::zeros(); 4]; 2];
            automatic.apply(&r, &mut h[0]);
            let rh = if is_stiff { aggregation.apply_and_dot(&r, &mut h[1]) } else { blocks.apply_and_dot(&r, &mut h[1]) };
            assert_eq!(h[0], h[1], "{spring}");
            assert_eq!(automatic.apply_and_dot(&r, &mut h[0]), rh, "{spring}");
        }
    }

    #[test]
    fn what_cannot_be_factored_is_told() {
        let free = vec![Constraint::Free; 4];
        let mut automatic = Automatic::default();
        for wrong in [f64::NAN, f64::INFINITY, -1e6] {
            let mut matrix = chain(1e5);
            matrix.add_diagonal(2, &(wrong * Mat3::identity()));
            assert!(automatic.factor(&matrix, &free).is_err(), "{wrong}");
            let (r, mut h) = ([Vec3::x(); 4], [Vec3::zeros(); 4]);
            automatic.apply(&r, &mut h);
            assert_eq!(h, r, "{wrong}");
        }
    }
}
