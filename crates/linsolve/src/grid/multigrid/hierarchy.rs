use super::coarse_tile::CoarseTile;
use super::coarsen_pass::{CoarsenMemory, CoarsenPass};
use super::coarsening::Coarsening;
use super::coarsest::Coarsest;
use super::single::SingleCycles;
use super::smoothing::{DAMPING, DefectPass, FirstPass, LastPass, ProjectionPass, Smoothed};
use super::stall::Pace;
use super::transfer::{Prolongation, Restriction, line_memory};
use crate::grid::constrained_tiles::ConstrainedTiles;
use crate::grid::diagonal_blocks::DiagonalBlocks;
use crate::grid::stencil::{By, Pending};
use crate::grid::tile::SymmetricTile;
use crate::grid::{GridDiagonal, GridOperator, GridShape, GridVector};
use crate::lanes::{InstructionSet, Number};
use crate::{Breakdown, Constraint, DiagonalKind};

/// Stiffness, see [`Pace::of`], from which on a cycle is worth its time: some tens of iterations with blocks of the diagonal.
const STIFF: f64 = 200.0;

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
    cycles: Cycles,
    /// Nothing is constrained on the first coarse level and below.
    free: Vec<Constraint>,
    pace: Pace,
    /// The least stiffness of a matrix that it takes in on all levels.
    least: f64,
    /// Whether the last matrix could be factored, and is stiff enough.
    factored: bool,
}

/// In which precision it cycles.
enum Cycles {
    Double(Box<Levels>),
    Single(Box<SingleCycles>),
}

/// What is below the finest level, and the memory of that one.
pub(super) struct Levels<S = f64> {
    pending: Pending<3, S>,
    /// What is left of r.
    t: GridVector<S>,
    levels: Vec<Level<S>>,
    coarsest: Coarsest,
}

struct Level<S> {
    /// How it comes from the level above.
    coarsening: Coarsening,
    memory: CoarsenMemory<S>,
    tiles: Vec<CoarseTile<S>>,
    inverses: GridDiagonal<S>,
    pending: Pending<3, S>,
    b: GridVector<S>,
    x: GridVector<S>,
    /// What is left of b.
    t: GridVector<S>,
    /// A line of the level above.
    line: Vec<S>,
}

impl GridMultigrid {
    /// The levels of a grid. P = I until a matrix is factored.
    pub fn new(shape: GridShape) -> GridMultigrid {
        GridMultigrid::of(shape, Cycles::Double(Box::new(Levels::new(shape))))
    }

    /// The same with levels and cycles in single precision, half the bytes. Conjugate gradients around them are in
    /// double precision: rounding disturbs a preconditioner by its last digits, as if it were another one, and no solution.
    pub fn in_single(shape: GridShape) -> GridMultigrid {
        GridMultigrid::of(shape, Cycles::Single(Box::new(SingleCycles::new(shape))))
    }

    /// The same for matrices that are worth it: P is the constrained blocks of the diagonal for those whose couplings are not stiff
    /// beside what is on it without them.
    pub fn where_stiff(shape: GridShape) -> GridMultigrid {
        GridMultigrid { least: STIFF, ..GridMultigrid::in_single(shape) }
    }

    fn of(shape: GridShape, cycles: Cycles) -> GridMultigrid {
        let first = Coarsening::new(shape).coarse.rows();
        let (free, pace) = (vec![Constraint::Free; first], Pace::default());
        let inverses = GridDiagonal::new(shape);
        let mut multigrid = GridMultigrid { inverses, cycles, free, pace, least: 0.0, factored: false };
        multigrid.inverses.reset();
        multigrid
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.inverses.shape
    }

    /// Number of levels, the finest one included.
    pub fn levels(&self) -> usize {
        match &self.cycles {
            Cycles::Double(levels) => levels.count(),
            Cycles::Single(single) => single.levels.count(),
        }
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
        if factored.is_err() {
            self.inverses.reset();
        }
        self.factored = factored.unwrap_or(false);
        factored.map(|_| ())
    }

    /// Whether there are levels to cycle on.
    fn factor_levels(&mut self, operator: &GridOperator, constraints: &[Constraint]) -> Result<bool, Breakdown> {
        let GridMultigrid { inverses, cycles, free, pace, least, .. } = self;
        inverses.fill(operator);
        *pace = Pace::of(operator, &inverses.blocks);
        if pace.stiffness < *least {
            inverses.invert(DiagonalKind::Constrained, operator.instruction_set(), constraints)?;
            return Ok(false);
        }
        match cycles {
            Cycles::Double(levels) => levels.factor(operator, constraints, &inverses.blocks, free)?,
            Cycles::Single(single) => single.factor(operator, constraints, &inverses.blocks, free)?,
        }
        inverses.invert(DiagonalKind::Constrained, operator.instruction_set(), constraints)?;
        if let Cycles::Single(single) = cycles {
            single.take_inverses(&inverses.blocks);
        }
        Ok(true)
    }

    /// Inverses of the diagonal blocks, or I where nothing could be factored.
    pub(in crate::grid) fn inverses(&self) -> &[SymmetricTile] {
        &self.inverses.blocks
    }

    /// Whether it cycles: whether the last matrix could be factored, and is stiff enough.
    pub fn cycles(&self) -> bool {
        self.factored
    }

    /// What the cycle has to keep up with.
    pub(in crate::grid) fn pace(&self) -> Pace {
        self.pace
    }

    /// Cycles in single precision, if that is what it does.
    pub(in crate::grid) fn single(&mut self) -> Option<&mut SingleCycles> {
        match &mut self.cycles {
            Cycles::Single(single) => Some(single),
            Cycles::Double(_) => None,
        }
    }

    /// Makes h = S P⁻¹ r of h = S D⁻¹ r, for r of range(S); gives rᵀ h.
    pub(in crate::grid) fn cycle(
        &mut self,
        operator: &GridOperator,
        constrained: &ConstrainedTiles,
        r: &GridVector,
        h: &mut GridVector,
    ) -> f64 {
        match &mut self.cycles {
            Cycles::Double(levels) => levels.cycle(operator, &self.inverses.blocks, constrained, r, h),
            Cycles::Single(single) => single.cycle(r.largest(), constrained, r, h),
        }
    }
}

impl<S: Number> Levels<S> {
    /// Those of a grid.
    pub fn new(shape: GridShape) -> Levels<S> {
        let mut levels = vec![Level::below(shape)];
        while let Some(last) = levels.last().map(Level::shape).filter(|last| last.rows() > COARSEST) {
            levels.push(Level::below(last));
        }
        let last = levels[levels.len() - 1].shape();
        Levels { pending: Pending::new(shape), t: GridVector::zeros(shape), levels, coarsest: Coarsest::new(last) }
    }

    fn count(&self) -> usize {
        1 + self.levels.len()
    }

    /// Takes in a matrix with its diagonal blocks; `free` are the constraints of coarse rows.
    pub fn factor(
        &mut self,
        operator: &GridOperator<S>,
        constraints: &[Constraint],
        blocks: &[SymmetricTile],
        free: &[Constraint],
    ) -> Result<(), Breakdown> {
        let set = operator.instruction_set();
        let mut finer: Option<&Level<S>> = None;
        for level in &mut self.levels {
            let Level { coarsening, tiles, memory, .. } = level;
            match finer {
                None => {
                    operator.run(CoarsenPass { coarsening, tiles: operator.tiles(), memory, coarse: &mut *tiles });
                    coarsening.hold(constraints, blocks, tiles);
                }
                Some(finer) => set.run(By::<_, false>(CoarsenPass { coarsening, tiles: &finer.tiles, memory, coarse: tiles })),
            }
            level.invert(set, free)?;
            finer = Some(level);
        }
        match finer {
            Some(last) => self.coarsest.factor(&last.tiles),
            None => Ok(()),
        }
    }

    /// Makes h = S P⁻¹ r of h = S D⁻¹ r, for r of range(S); gives rᵀ h.
    pub fn cycle(
        &mut self,
        operator: &GridOperator<S>,
        inverses: &[SymmetricTile<S>],
        constrained: &ConstrainedTiles<S>,
        r: &GridVector<S>,
        h: &mut GridVector<S>,
    ) -> f64 {
        let Levels { pending, t, levels, coarsest } = self;
        let set = operator.instruction_set();
        let constrained = &constrained.tiles[..];
        let of = Smoothed { shape: operator.shape(), tiles: operator.tiles(), inverses, constrained };
        operator.run(DefectPass { of: &of, pending, r, x: h, t });
        correct(set, levels, coarsest, t, h);
        set.run(ProjectionPass { constrained, x: h });
        operator.run(LastPass { of: &of, pending, r, x: h })
    }
}

/// x = [`DAMPING`] x plus the correction by the first of the levels that follow, for what is left on the level above.
fn correct<S: Number>(
    set: InstructionSet,
    levels: &mut [Level<S>],
    coarsest: &mut Coarsest,
    left: &GridVector<S>,
    corrected: &mut GridVector<S>,
) {
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

impl<S: Number> Level<S> {
    /// The level below one of a shape.
    fn below(shape: GridShape) -> Level<S> {
        let coarsening = Coarsening::new(shape);
        let shape = coarsening.coarse;
        let zeros = || GridVector::zeros(shape);
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
