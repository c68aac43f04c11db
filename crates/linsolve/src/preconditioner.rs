use crate::block::{inverse_of_positive_definite, is_finite, multiply};
use crate::dot::{RunningDot, dot};
use crate::grid::{SymmetricTile, invert_tile};
use crate::lanes::{Eight, InstructionSet, Kernel};
use crate::{Breakdown, Constraint, Mat3, Operator, Vec3};

/// An approximation P of A whose inverse is cheap; symmetric, and positive definite on range(S).
pub trait Preconditioner {
    /// Overwrites `h` with P⁻¹ r; both shapes \[rows\]. The solver projects h.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]);

    /// Overwrites `h` with P⁻¹ r and gives rᵀ h: to the bit what [`Preconditioner::apply`] and a dot product give, which may be
    /// formed on the way.
    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        self.apply(r, h);
        dot(r, h)
    }
}

/// No preconditioner: P = I.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity;

impl Preconditioner for Identity {
    /// Overwrites `h` with r.
    ///
    /// # Panics
    /// Where the lengths differ.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        h.copy_from_slice(r);
    }
}

/// What of the 3x3 diagonal blocks B of A a [`BlockDiagonal`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagonalKind {
    /// The diagonal of A, as Baraff & Witkin 1998 do.
    Diagonal,
    /// *A-Block*: B, as Choi & Ko 2002 do.
    ABlock,
    /// *CP*: S B S + (I - S) \[Boxerman 2003, eq. 5.4\]. The thesis prints S C + (I - S) with its C our B; applied to vectors
    /// of range(S) both are the same, and this one is symmetric.
    Constrained,
}

/// A preconditioner of 3x3 blocks, factored into their inverses. Fully constrained rows have the block I, whatever the kind:
/// nothing of them comes back from the projection.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockDiagonal {
    kind: DiagonalKind,
    /// Inverse blocks, shape \[rows\].
    inverses: Vec<Mat3>,
}

impl BlockDiagonal {
    /// Of no rows, until it is factored.
    pub fn new(kind: DiagonalKind) -> BlockDiagonal {
        BlockDiagonal { kind, inverses: Vec::new() }
    }

    /// What it takes of the diagonal blocks.
    pub fn kind(&self) -> DiagonalKind {
        self.kind
    }

    /// Factors the diagonal blocks of `operator`; allocates only where there are more rows than ever before.
    ///
    /// # Errors
    /// [`Breakdown`] at the first block that is not finite or not positive definite. All blocks are I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor<O: Operator + ?Sized>(&mut self, operator: &O, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(constraints.len(), operator.rows(), "one constraint for each row");
        self.inverses.resize(constraints.len(), Mat3::zeros());
        operator.diagonal_blocks(&mut self.inverses);
        let inverted = invert_blocks(self.kind, constraints, &mut self.inverses);
        if inverted.is_err() {
            self.inverses.fill(Mat3::identity());
        }
        inverted
    }
}

/// Turns diagonal blocks of A into those of P⁻¹, in place; both shapes \[rows\].
pub(crate) fn invert_blocks(kind: DiagonalKind, constraints: &[Constraint], blocks: &mut [Mat3]) -> Result<(), Breakdown> {
    InstructionSet::best().run(Inversion { kind, constraints, blocks })
}

/// Rows that are inverted together.
const LANES: usize = 8;

/// Blocks to be inverted in place, eight at a time to the bits of one after the other.
struct Inversion<'a> {
    kind: DiagonalKind,
    constraints: &'a [Constraint],
    blocks: &'a mut [Mat3],
}

impl Kernel for Inversion<'_> {
    type Output = Result<(), Breakdown>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), Breakdown> {
        let Inversion { kind, constraints, blocks } = self;
        for (number, (constraints, blocks)) in constraints.chunks(LANES).zip(blocks.chunks_mut(LANES)).enumerate() {
            if constraints.len() == LANES && invert_eight::<E>(kind, constraints, blocks) {
                continue;
            }
            for (lane, (constraint, block)) in constraints.iter().zip(blocks).enumerate() {
                *block = invert_block(kind, constraint, block, number * LANES + lane)?;
            }
        }
        Ok(())
    }
}

/// Inverts eight blocks; leaves all of them as they are where one has no inverse, and says so.
#[inline(always)]
fn invert_eight<E: Eight>(kind: DiagonalKind, constraints: &[Constraint], blocks: &mut [Mat3]) -> bool {
    let mut tile = SymmetricTile::ZERO;
    for (lane, block) in blocks.iter().enumerate() {
        tile.set(lane, &block.transpose()); // its lower triangle is what counts
    }
    let Some(inverted) = invert_tile::<E>(kind, constraints, &tile) else { return false };
    for (lane, block) in blocks.iter_mut().enumerate() {
        *block = inverted.block(lane);
    }
    true
}

/// P_i⁻¹ of a kind, from the diagonal block of A in that row.
pub(crate) fn invert_block(kind: DiagonalKind, constraint: &Constraint, block: &Mat3, row: usize) -> Result<Mat3, Breakdown> {
    match inverse(kind, constraint, block) {
        Some(inverse) => Ok(inverse),
        None if is_finite(block) => Err(Breakdown::NotPositiveDefinite { row }),
        None => Err(Breakdown::NotFinite { row }),
    }
}

/// [`invert_block`], or none where the block has no such inverse.
fn inverse(kind: DiagonalKind, constraint: &Constraint, block: &Mat3) -> Option<Mat3> {
    match kind {
        _ if constraint.ndof() == 0 => Some(Mat3::identity()),
        DiagonalKind::Diagonal => inverse_of_positive_definite(&Mat3::from_diagonal(&block.diagonal())),
        DiagonalKind::ABlock => inverse_of_positive_definite(block),
        // S B S + (I - S)  [Boxerman 2003, eq. 5.4, symmetrised]
        DiagonalKind::Constrained => inverse_of_positive_definite(&constraint.project_block(block)),
    }
}

impl Preconditioner for BlockDiagonal {
    /// Overwrites `h` with P⁻¹ r.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        self.apply_and_dot(r, h);
    }

    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        InverseBlocks(&self.inverses).apply_and_dot(r, h)
    }
}

/// The blocks of P⁻¹, shape \[rows\].
pub(crate) struct InverseBlocks<'a>(pub &'a [Mat3]);

impl Preconditioner for InverseBlocks<'_> {
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        self.apply_and_dot(r, h);
    }

    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        let rows = self.0.len();
        assert_eq!([r.len(), h.len()], [rows; 2], "rows of r and h, of {rows} that are factored");
        let mut sum = RunningDot::default();
        for ((inverse, r), h) in self.0.iter().zip(r).zip(h) {
            *h = multiply(inverse, r);
            sum.add(r, h);
        }
        sum.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockPattern, BlockRows};
    use proptest::prelude::*;

    #[test]
    fn eight_rows_have_the_bits_of_one_after_the_other_on_every_instruction_set() {
        let number = |k: usize| (k * 7919 % 1009) as f64 / 504.5 - 1.0;
        let plane = Constraint::plane(Vec3::new(1.0, 2.0, -0.5)).unwrap();
        let line = Constraint::line(Vec3::new(0.3, 1.0, 0.0), Vec3::z()).unwrap();
        let constraints: Vec<Constraint> =
            (0..43).map(|k| [Constraint::Free, plane, Constraint::Free, Constraint::Fixed, line][k % 5]).collect();
        let block = |k: usize| {
            let root = Mat3::from_fn(|i, j| number(9 * k + 3 * i + j));
            root * root.transpose() + 0.1 * Mat3::identity()
        };
        let bits = |blocks: &[Mat3]| {
            blocks.iter().flat_map(|block| block.iter().map(|e| e.to_bits()).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        for kind in KINDS {
            // all have an inverse, then one of the third eight and one of the last rows have none
            for broken in
                [None, Some((19, Breakdown::NotPositiveDefinite { row: 19 })), Some((42, Breakdown::NotFinite { row: 42 }))]
            {
                let mut blocks: Vec<Mat3> = (0..43).map(block).collect();
                if let Some((row, expected)) = broken {
                    blocks[row] =
                        if matches!(expected, Breakdown::NotFinite { .. }) { f64::NAN } else { -1.0 } * Mat3::identity();
                }
                let broken = broken.map(|(_, expected)| expected);
                let mut one_by_one = blocks.clone();
                let expected = one_by_one.iter_mut().zip(&constraints).enumerate().try_for_each(|(row, (block, constraint))| {
                    *block = invert_block(kind, constraint, block, row)?;
                    Ok(())
                });
                assert_eq!(expected.err(), broken, "{kind:?}");
                for set in InstructionSet::supported() {
                    let mut together = blocks.clone();
                    let found = set.run(Inversion { kind, constraints: &constraints, blocks: &mut together });
                    assert_eq!((found, bits(&together)), (expected, bits(&one_by_one)), "{kind:?} {set}");
                }
            }
        }
    }

    const KINDS: [DiagonalKind; 3] = [DiagonalKind::Diagonal, DiagonalKind::ABlock, DiagonalKind::Constrained];

    fn vector() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn constraints() -> impl Strategy<Value = [Constraint; 4]> {
        (vector(), vector(), vector()).prop_filter_map("directions", |(normal, first, second)| {
            let (plane, line) = (Constraint::plane(normal).ok()?, Constraint::line(first, second).ok()?);
            Some([Constraint::Free, plane, line, Constraint::Fixed])
        })
    }

    /// A block diagonal matrix of four rows.
    fn matrix(roots: &[[Vec3; 3]; 4]) -> BlockRows {
        let mut matrix = BlockRows::new(BlockPattern::new(4, &[]));
        for (row, root) in roots.iter().enumerate() {
            let root = Mat3::from_columns(root);
            matrix.add_diagonal(row, &(root * root.transpose() + 0.1 * Mat3::identity()));
        }
        matrix
    }

    /// S P⁻¹ S u.
    fn projected(preconditioner: &BlockDiagonal, constraints: &[Constraint], u: &[Vec3]) -> Vec<Vec3> {
        let (mut r, mut h) = (u.to_vec(), vec![Vec3::repeat(f64::NAN); u.len()]);
        crate::project(constraints, &mut r);
        preconditioner.apply(&r, &mut h);
        crate::project(constraints, &mut h);
        h
    }

    fn dot(u: &[Vec3], v: &[Vec3]) -> f64 {
        u.iter().zip(v).map(|(u, v)| u.dot(v)).sum()
    }

    proptest! {
        #[test]
        fn every_kind_is_symmetric_positive_definite_on_the_range(
            roots in prop::array::uniform4(prop::array::uniform3(vector())), constraints in constraints(),
            u in prop::array::uniform4(vector()), v in prop::array::uniform4(vector()),
        ) {
            let matrix = matrix(&roots);
            let mut range = u;
            crate::project(&constraints, &mut range);
            for kind in KINDS {
                let mut preconditioner = BlockDiagonal::new(kind);
                preconditioner.factor(&matrix, &constraints)?;
                let (pu, pv) = (projected(&preconditioner, &constraints, &u), projected(&preconditioner, &constraints, &v));
                prop_assert!((dot(&v, &pu) - dot(&u, &pv)).abs() < 1e-12, "{kind:?}");
                // eigenvalues of P are below 10
                prop_assert!(dot(&u, &pu) >= 0.1 * dot(&range, &range), "{kind:?}");
            }
        }

        #[test]
        fn the_printed_form_is_the_symmetric_one_on_the_range(
            roots in prop::array::uniform4(prop::array::uniform3(vector())), constraints in constraints(),
            u in prop::array::uniform4(vector()),
        ) {
            let matrix = matrix(&roots);
            let mut preconditioner = BlockDiagonal::new(DiagonalKind::Constrained);
            preconditioner.factor(&matrix, &constraints)?;
            let mut blocks = [Mat3::zeros(); 4];
            matrix.diagonal_blocks(&mut blocks);
            for (row, h) in projected(&preconditioner, &constraints, &u).iter().enumerate() {
                let s = constraints[row].projection();
                let printed = s * blocks[row] + Mat3::identity() - s;
                prop_assert!((printed * h - s * u[row]).amax() < 1e-11, "row {row}");
            }
        }
    }

    #[test]
    fn the_inverses_by_hand() {
        let mut matrix = BlockRows::new(BlockPattern::new(1, &[]));
        matrix.add_diagonal(0, &Mat3::new(4.0, 2.0, 0.0, 2.0, 5.0, 2.0, 0.0, 2.0, 5.0));
        let plane = [Constraint::plane(Vec3::z()).unwrap()];
        let r = [Vec3::new(16.0, 0.0, 0.0)];
        for (kind, expected) in KINDS.into_iter().zip([[4.0, 0.0], [5.25, -2.5], [5.0, -2.0]]) {
            let mut preconditioner = BlockDiagonal::new(kind);
            preconditioner.factor(&matrix, &plane).unwrap();
            let h = projected(&preconditioner, &plane, &r)[0];
            assert!((h - Vec3::new(expected[0], expected[1], 0.0)).amax() < 1e-15, "{kind:?}: {h}");
        }
    }

    #[test]
    fn blocks_that_are_not_positive_definite_are_reported() {
        let mut matrix = BlockRows::new(BlockPattern::new(2, &[]));
        matrix.add_diagonal(0, &Mat3::identity());
        matrix.add_diagonal(1, &Mat3::from_diagonal(&Vec3::new(2.0, 2.0, -1.0)));
        let along_the_bad_direction = [Constraint::Free, Constraint::plane(Vec3::z()).unwrap()];
        for kind in KINDS {
            let mut preconditioner = BlockDiagonal::new(kind);
            let broken = Err(Breakdown::NotPositiveDefinite { row: 1 });
            assert_eq!(preconditioner.factor(&matrix, &[Constraint::Free; 2]), broken, "{kind:?}");
            let mut h = [Vec3::zeros(); 2];
            preconditioner.apply(&[Vec3::x(), Vec3::y()], &mut h);
            assert_eq!(h, [Vec3::x(), Vec3::y()], "{kind:?}");
            // the constrained kind sees only what is left of the block; a fixed row has nothing to be factored
            let expected = if kind == DiagonalKind::Constrained { Ok(()) } else { broken };
            assert_eq!(preconditioner.factor(&matrix, &along_the_bad_direction), expected, "{kind:?}");
            assert_eq!(preconditioner.factor(&matrix, &[Constraint::Free, Constraint::Fixed]), Ok(()), "{kind:?}");
        }
        matrix.add_diagonal(0, &Mat3::from_element(f64::NAN));
        for kind in KINDS {
            let broken = BlockDiagonal::new(kind).factor(&matrix, &[Constraint::Free; 2]);
            assert_eq!(broken, Err(Breakdown::NotFinite { row: 0 }), "{kind:?}");
        }
    }

    #[test]
    #[should_panic(expected = "that are factored")]
    fn it_must_be_factored_first() {
        BlockDiagonal::new(DiagonalKind::ABlock).apply(&[Vec3::x()], &mut [Vec3::x()]);
    }
}
