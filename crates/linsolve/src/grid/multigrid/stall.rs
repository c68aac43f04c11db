use crate::grid::tile::SymmetricTile;
use crate::grid::{GridOperator, LANES};

/// Iterations with a cycle before it is judged, each time.
const WINDOW: usize = 8;

/// Iterations with diagonal blocks, by their bound, that a cycle is measured by, as a power of two: as many as take the time of a
/// cycle are 4, and they do about twice as well as their bound.
const COST_EXPONENT: u32 = 3;

/// How fast the squared residual must fall, so that a cycle is worth its time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::grid) struct Pace {
    /// What at most may be left of rᵀ P⁻¹ r after a window.
    most_left: f64,
}

impl Pace {
    /// That of conjugate gradients with diagonal blocks D in equal time. The eigenvalues of D⁻¹ A lie between 1 / c and 2, where c is
    /// the largest tr(D_i) over the part m_i of its diagonal that is not of couplings; so an iteration takes the factor
    /// (√2c - 1) / (√2c + 1) off the residual.
    pub fn of(operator: &GridOperator, blocks: &[SymmetricTile]) -> Pace {
        let rows = operator.tiles().iter().zip(blocks).flat_map(|(tile, blocks)| {
            (0..LANES).map(|lane| (tile.diagonal[lane], blocks.0[0][lane] + blocks.0[3][lane] + blocks.0[5][lane]))
        });
        let stiffness = rows.filter(|(_, trace)| *trace != 0.0).fold(0.0, |most: f64, (mass, trace)| most.max(trace / mass));
        let root = (2.0 * stiffness).sqrt();
        let mut most_left = (root - 1.0) / (root + 1.0);
        for _ in 0..1 + COST_EXPONENT + WINDOW.ilog2() {
            most_left *= most_left;
        }
        Pace { most_left }
    }
}

/// Whether a cycle keeps pace.
#[derive(Clone, Copy, Debug)]
pub(in crate::grid) struct Watch {
    pace: Pace,
    /// rᵀ P⁻¹ r where the window began.
    before: f64,
    iterations: usize,
}

impl Watch {
    pub fn new(pace: Pace, delta: f64) -> Watch {
        Watch { pace, before: delta, iterations: 0 }
    }

    /// Takes in rᵀ P⁻¹ r of the next iteration; whether it has stalled.
    pub fn has_stalled(&mut self, delta: f64) -> bool {
        self.iterations += 1;
        if self.iterations < WINDOW {
            return false;
        }
        let stalled = delta > self.pace.most_left * self.before;
        (self.before, self.iterations) = (delta, 0);
        stalled
    }
}
