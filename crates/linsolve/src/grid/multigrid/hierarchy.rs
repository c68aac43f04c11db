use super::coarse_tile::CoarseTile;
use super::coarsen_pass::{CoarsenMemory, CoarsenPass};
use super::coarsening::Coarsening;
use super::coarsest::Coarsest;
use super::smoothing::{DAMPING, DefectPass, FirstPass, LastPass, ProjectionPass, Smoothed};
use super::stall::Pace;
use super::transfer::{Prolongation, Restriction, line_memory};
use crate::grid::constrained_tiles::ConstrainedTiles;
use crate::grid::diagonal_blocks::DiagonalBlocks;
use crate::grid::stencil::{By, Pending};
use crate::grid::tile::SymmetricTile;
use crate::grid::{GridDiagonal, GridOperator, GridShape, GridVector};
use crate::lanes::InstructionSet;
use crate::{Breakdown, Constraint, DiagonalKind};

/// Most rows of the coarsest level, which is solved directly.
const COARSEST: usize = 9;

/// Constrained multigrid: P⁻¹ r is a symmetric V-cycle on every second row, every fourth, and so on, with a step of damped
/// block-Jacobi before and after on each level. [`GridCg::solve_by_multigrid`](crate::grid::GridCg::solve_by_multigrid) takes it.
///
/// When it pays, factorisation included, by the bench `grid_multigrid` at N = 40 to 320:
///
/// | | kappa | tolerance | times as fast as diagonal blocks |
/// | --- | --- | --- | --- |
/// | taut | 10 | 1e-2; 1e-8 | 0.9 to 1.3; 1.7 to 2.2 |
/// | | 100 | 1e-2; 1e-8 | 2.5 to 5; 4 to 7 |
/// | | 1000 and 10000 | 1e-2; 1e-8 | 4 to 23; 4 to 34, the more the larger N |
/// | a third of the springs slack | 10 | any | 0.7 to 1.5 |
/// | | 100 and more | 1e-2; 1e-8 | 0.9 to 2.1; 0.9 to 1.7 |
/// | crumpled, half of them slack | any | any | 0.6 to 2, mostly 1 |
///
/// So take it from kappa of 100 on, or from 10 on where the tolerance is tight: where diagonal blocks need more than 50 iterations.
pub struct GridMultigrid {
    /// Inverses of the diagonal blocks, those of [`DiagonalKind::Constrained`].
    inverses: GridDiagonal,
    pending: Pending<3>,
    /// What is left of r.
    t: GridVector,
    levels: Vec<Level>,
    coarsest: Coarsest,
    /// Nothing is constrained on the first coarse level and below.
    free: Vec<Constraint>,
    pace: Pace,
    /// Whether the last matrix could be factored.
    factored: bool,
}

struct Level {
    /// How it comes from the level above.
    coarsening: Coarsening,
    memory: CoarsenMemory,
    tiles: Vec<CoarseTile>,
    inverses: GridDiagonal,
    pending: Pending<3>,
    b: GridVector,
    x: GridVector,
    /// What is left of b.
    t: GridVector,
    /// A line of the level above.
    line: Vec<f64>,
}

impl GridMultigrid {
    /// The levels of a grid. P = I until a matrix is factored.
    pub fn new(shape: GridShape) -> GridMultigrid {
        let mut levels = vec![Level::below(shape)];
        while let Some(last) = levels.last().map(Level::shape).filter(|last| last.rows() > COARSEST) {
            levels.push(Level::below(last));
        }
        let (first, last) = (levels[0].shape(), levels[levels.len() - 1].shape());
        let mut multigrid = GridMultigrid {
            inverses: GridDiagonal::new(shape),
            pending: Pending::new(shape),
            t: GridVector::new(shape),
            levels,
            coarsest: Coarsest::new(last),
            free: vec![Constraint::Free; first.rows()],
            pace: Pace::default(),
            factored: false,
        };
        multigrid.inverses.reset();
        multigrid
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.inverses.shape
    }

    /// Number of levels, the finest one included.
    pub fn levels(&self) -> usize {
        1 + self.levels.len()
    }

    /// Takes a matrix in on all levels; allocates nothing.
    ///
    /// # Errors
    /// [`Breakdown`] where a diagonal block of a level, or the matrix of the coarsest one, is not finite or not positive definite.
    /// P is I then.
    ///
    /// # Panics
    /// Where the shapes differ, and unless there are as many constraints as rows.
    pub fn factor(&mut self, operator: &GridOperator, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(operator.shape(), self.shape(), "shapes of the operator and of its preconditioner");
        assert_eq!(constraints.len(), self.shape().rows(), "one constraint for each row");
        let factored = self.factor_levels(operator, constraints);
        self.factored = factored.is_ok();
        if !self.factored {
            self.inverses.reset();
        }
        factored
    }

    fn factor_levels(&mut self, operator: &GridOperator, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let GridMultigrid { inverses, levels, coarsest, free, pace, .. } = self;
        let set = operator.instruction_set();
        inverses.fill(operator);
        *pace = Pace::of(operator, &inverses.blocks);
        let mut finer: Option<&Level> = None;
        for level in levels.iter_mut() {
            let Level { coarsening, tiles, memory, .. } = level;
            match finer {
                None => {
                    operator.run(CoarsenPass { coarsening, tiles: operator.tiles(), memory, coarse: &mut *tiles });
                    coarsening.hold(constraints, &inverses.blocks, tiles);
                }
                Some(finer) => set.run(By::<_, false>(CoarsenPass { coarsening, tiles: &finer.tiles, memory, coarse: tiles })),
            }
            level.invert(set, free)?;
            finer = Some(level);
        }
        if let Some(last) = finer {
            coarsest.factor(&last.tiles)?;
        }
        inverses.invert(DiagonalKind::Constrained, set, constraints)
    }

    /// Inverses of the diagonal blocks, or I where nothing could be factored.
    pub(in crate::grid) fn inverses(&self) -> &[SymmetricTile] {
        &self.inverses.blocks
    }

    /// Whether there is a cycle.
    pub(in crate::grid) fn is_factored(&self) -> bool {
        self.factored
    }

    /// What the cycle has to keep up with.
    pub(in crate::grid) fn pace(&self) -> Pace {
        self.pace
    }

    /// Makes h = S P⁻¹ r of h = S D⁻¹ r, for r of range(S); gives rᵀ h.
    pub(in crate::grid) fn cycle(
        &mut self,
        operator: &GridOperator,
        constrained: &ConstrainedTiles,
        r: &GridVector,
        h: &mut GridVector,
    ) -> f64 {
        let GridMultigrid { inverses: GridDiagonal { shape, blocks: inverses, .. }, pending, t, levels, coarsest, .. } = self;
        let set = operator.instruction_set();
        let constrained = &constrained.tiles[..];
        let of = Smoothed { shape: *shape, tiles: operator.tiles(), inverses, constrained };
        operator.run(DefectPass { of: &of, pending, r, x: h, t });
        correct(set, levels, coarsest, t, h);
        set.run(ProjectionPass { constrained, x: h });
        operator.run(LastPass { of: &of, pending, r, x: h })
    }
}

/// x = [`DAMPING`] x plus the correction by the first of the levels that follow, for what is left on the level above.
fn correct(set: InstructionSet, levels: &mut [Level], coarsest: &mut Coarsest, left: &GridVector, corrected: &mut GridVector) {
    let Some((level, coarser)) = levels.split_first_mut() else { return };
    let Level { coarsening, tiles, inverses: GridDiagonal { blocks: inverses, .. }, pending, b, x, t, line, .. } = level;
    set.run(Restriction { coarsening, fine: left, coarse: b, line });
    if coarser.is_empty() {
        coarsest.solve(b, x);
    } else {
        let of = Smoothed { shape: coarsening.coarse, tiles: &*tiles, inverses, constrained: &[] };
        set.run(FirstPass { inverses, r: b, x });
        set.run(By::<_, false>(DefectPass { of: &of, pending, r: b, x, t }));
        correct(set, coarser, coarsest, t, x);
        set.run(By::<_, false>(LastPass { of: &of, pending, r: b, x }));
    }
    set.run(Prolongation { coarsening, coarse: x, factor: DAMPING, fine: corrected, line });
}

impl Level {
    /// The level below one of a shape.
    fn below(shape: GridShape) -> Level {
        let coarsening = Coarsening::new(shape);
        let shape = coarsening.coarse;
        let zeros = || GridVector::new(shape);
        Level {
            line: line_memory(&coarsening),
            memory: CoarsenMemory::new(&coarsening),
            coarsening,
            tiles: vec![CoarseTile::ZERO; shape.tiles()],
            inverses: GridDiagonal::new(shape),
            pending: Pending::new(shape),
            b: zeros(),
            x: zeros(),
            t: zeros(),
        }
    }

    fn shape(&self) -> GridShape {
        self.coarsening.coarse
    }

    fn invert(&mut self, set: InstructionSet, free: &[Constraint]) -> Result<(), Breakdown> {
        let Level { tiles, inverses, .. } = self;
        let GridDiagonal { shape, pending, blocks } = inverses;
        let free = &free[..shape.rows()];
        set.run(By::<_, false>(DiagonalBlocks { tiles: &*tiles, pending, blocks }));
        inverses.invert(DiagonalKind::ABlock, set, free)
    }
}
