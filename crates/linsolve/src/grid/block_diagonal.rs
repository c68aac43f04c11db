use super::tile::SymmetricTile;
use super::{GridDiagonal, GridOperator, GridShape, LANES};
use crate::block::{inverse_and_pivots, is_positive};
use crate::lanes::{Eight, InstructionSet, Kernel, Number};
use crate::preconditioner::invert_block;
use crate::{Breakdown, Constraint, DiagonalKind, Mat3};

/// The preconditioners of [`BlockDiagonal`](crate::BlockDiagonal), and none, for a grid: the inverses of 3x3 blocks in tiles.
#[derive(Debug)]
pub struct GridBlockDiagonal {
    kind: Option<DiagonalKind>,
    /// P⁻¹.
    inverses: GridDiagonal,
}

impl GridBlockDiagonal {
    /// P = I until it is factored; without a kind it stays so.
    pub fn new(kind: Option<DiagonalKind>, shape: GridShape) -> GridBlockDiagonal {
        let mut inverses = GridDiagonal::new(shape);
        inverses.reset();
        GridBlockDiagonal { kind, inverses }
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.inverses.shape
    }

    /// What it takes of the diagonal blocks.
    pub fn kind(&self) -> Option<DiagonalKind> {
        self.kind
    }

    /// Factors the diagonal blocks of an operator; allocates nothing.
    ///
    /// # Errors
    /// [`Breakdown`] at the first block that is not finite or not positive definite. All blocks are I then.
    ///
    /// # Panics
    /// Where the shapes differ, and unless there are as many constraints as rows.
    pub fn factor(&mut self, operator: &GridOperator, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(operator.shape(), self.shape(), "shapes of the operator and of its preconditioner");
        assert_eq!(constraints.len(), self.shape().rows(), "one constraint for each row");
        let Some(kind) = self.kind else { return Ok(()) };
        self.inverses.fill(operator);
        self.inverses.invert(kind, operator.instruction_set(), constraints)
    }

    /// Inverts the known diagonal blocks of an operator, shape \[tiles\].
    pub(super) fn factor_known(
        &mut self,
        set: InstructionSet,
        blocks: &[SymmetricTile],
        constraints: &[Constraint],
    ) -> Result<(), Breakdown> {
        assert_eq!(constraints.len(), self.shape().rows(), "one constraint for each row");
        let Some(kind) = self.kind else { return Ok(()) };
        self.inverses.blocks.clone_from_slice(blocks);
        self.inverses.invert(kind, set, constraints)
    }

    /// P⁻¹, shape \[tiles\], zero behind the last row.
    pub(super) fn inverses(&self) -> &[SymmetricTile] {
        &self.inverses.blocks
    }
}

impl<S: Number> GridDiagonal<S> {
    /// Turns diagonal blocks of A into those of P⁻¹, in place, and into I where one of them has no inverse.
    pub fn invert(&mut self, kind: DiagonalKind, set: InstructionSet, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let inverted = set.run(Invert { kind, constraints, tiles: &mut self.blocks });
        if inverted.is_err() {
            self.reset();
        }
        inverted
    }
}

/// Turns diagonal blocks of A into those of P⁻¹, in place.
struct Invert<'a, S> {
    kind: DiagonalKind,
    constraints: &'a [Constraint],
    tiles: &'a mut [SymmetricTile<S>],
}

impl<S: Number> Kernel for Invert<'_, S> {
    type Output = Result<(), Breakdown>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), Breakdown> {
        for (number, (constraints, tile)) in self.constraints.chunks(LANES).zip(self.tiles).enumerate() {
            let inverted =
                if constraints.len() == LANES { invert_tile::<E>(self.kind, constraints, &tile.widened()) } else { None };
            match inverted {
                Some(inverted) => tile.round(&inverted),
                None => invert_rows(self.kind, number, constraints, tile)?,
            }
        }
        Ok(())
    }
}

/// P⁻¹ of eight rows; none unless all have one.
#[inline(always)]
pub(crate) fn invert_tile<E: Eight>(
    kind: DiagonalKind,
    constraints: &[Constraint],
    tile: &SymmetricTile,
) -> Option<SymmetricTile> {
    let mut blocks = tile.clone();
    let mut known = 0;
    for (lane, constraint) in constraints.iter().enumerate() {
        match constraint {
            Constraint::Free => {}
            Constraint::Plane(_) | Constraint::Line(_) if kind == DiagonalKind::Constrained => {
                // its lower triangle is what counts
                blocks.set(lane, &constraint.project_block(&tile.block(lane)).transpose());
            }
            Constraint::Plane(_) | Constraint::Line(_) => {}
            Constraint::Fixed => {
                blocks.set(lane, &Mat3::identity());
                known |= 1 << lane;
            }
        }
    }
    if known == u8::MAX {
        return Some(blocks);
    }
    let (zero, one) = (E::splat(0.0), E::splat(1.0));
    let mut entries: [E; 6] = blocks.load();
    if kind == DiagonalKind::Diagonal {
        (entries[1], entries[2], entries[4]) = (zero, zero, zero);
    }
    let (inverse, pivots) = inverse_and_pivots(entries, one);
    let mut stored = [[0.0; LANES]; 3];
    for q in 0..3 {
        pivots[q].store(&mut stored[q]);
    }
    let [d1, d2, d3] = stored;
    let [a11, _, _, a22, _, a33] = &blocks.0;
    let positive = (0..LANES)
        .all(|lane| is_positive(d1[lane], a11[lane]) && is_positive(d2[lane], a22[lane]) && is_positive(d3[lane], a33[lane]));
    let mut inverted = SymmetricTile::ZERO;
    let identity = [one, zero, zero, one, zero, one];
    for q in 0..6 {
        inverse[q].replaced(known, identity[q]).store(&mut inverted.0[q]);
    }
    (positive && inverted.0.as_flattened().iter().all(|entry| entry.is_finite())).then_some(inverted)
}

/// Inverts the blocks of a tile row by row.
fn invert_rows<S: Number>(
    kind: DiagonalKind,
    number: usize,
    constraints: &[Constraint],
    tile: &mut SymmetricTile<S>,
) -> Result<(), Breakdown> {
    for (lane, constraint) in constraints.iter().enumerate() {
        let inverse = invert_block(kind, constraint, &tile.block(lane), number * LANES + lane)?;
        tile.set(lane, &inverse);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn eight_rows_are_inverted_as_each_by_itself_to_the_bit() {
        let (plane, line) = (Constraint::plane(Vec3::new(0.3, -0.4, 0.2)), Constraint::line(Vec3::x(), Vec3::new(0.1, 0.7, 0.3)));
        let constraints = [Constraint::Free, plane.expect("a direction"), line.expect("two directions"), Constraint::Fixed];
        for kind in [DiagonalKind::Diagonal, DiagonalKind::ABlock, DiagonalKind::Constrained] {
            for turn in 0..4 {
                let constraints: [Constraint; LANES] = std::array::from_fn(|lane| constraints[(lane * (turn + 1) + turn) % 4]);
                let mut alone = SymmetricTile::ZERO;
                for lane in 0..LANES {
                    let root = Mat3::from_fn(|i, j| libm::sin((1 + lane + 3 * turn + 5 * i + 11 * j) as f64));
                    alone.set(lane, &(root * root.transpose() + 0.1 * Mat3::identity()));
                }
                let by_eights = alone.clone();
                let set = InstructionSet::best();
                let invert = |tile: &mut SymmetricTile| {
                    set.run(Invert { kind, constraints: &constraints, tiles: std::slice::from_mut(tile) })
                };
                let mut both = [by_eights, alone];
                invert(&mut both[0]).expect("positive definite blocks");
                invert_rows(kind, 0, &constraints, &mut both[1]).expect("positive definite blocks");
                let [by_eights, alone] = both.each_ref().map(|tile| tile.0.as_flattened().iter().map(|entry| entry.to_bits()));
                assert!(by_eights.eq(alone), "{kind:?} {turn}");
                // a block that is not positive definite is named, unless its row is fully constrained
                let mut broken = both[1].clone();
                broken.set(5, &-Mat3::identity());
                let refused = Err(Breakdown::NotPositiveDefinite { row: 5 });
                assert_eq!(
                    invert(&mut broken),
                    if constraints[5] == Constraint::Fixed { Ok(()) } else { refused },
                    "{kind:?} {turn}"
                );
            }
        }
    }
}
