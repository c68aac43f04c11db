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
    /// c, see [`Pace::of`] \[-\].
    pub stiffness: f64,
}

impl Pace {
    /// That of conjugate gradients with diagonal blocks D in equal time. The eigenvalues of D⁻¹ A lie between 1 / c and 2, where c
    /// is the largest tr(D_i) over the part m_i of its diagonal that is not of couplings; so an iteration takes the factor (√2c -
    /// 1) / (√2c + 1) off the residual. Without a bound c there is none to keep up with.
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
        Pace { most_left, stiffness }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridShape;
    use crate::lanes::InstructionSet;
    use crate::{Mat3, Vec3};

    #[test]
    fn the_pace_by_hand() {
        let shape = GridShape::new(2, 1);
        let mut operator = GridOperator::new(shape, InstructionSet::best());
        (0..2).for_each(|row| operator.set_diagonal(row, 2.0));
        operator.set_coupling(shape.place(0, 1).unwrap(), 14.0, &Vec3::zeros());
        let mut blocks = [SymmetricTile::ZERO];
        (0..2).for_each(|row| blocks[0].set(row, &(16.0 * Mat3::identity()))); // c = 48 / 2
        let root = 48.0_f64.sqrt();
        let factor = (root - 1.0) / (root + 1.0); // of the residual in an iteration, squared of delta: 8 iterations of 8
        let expected = (0..128).fold(1.0, |product: f64, _| product * factor);
        let pace = Pace::of(&operator, &blocks);
        assert!((pace.most_left / expected - 1.0).abs() < 1e-12, "{pace:?} {expected}");
        operator.set_diagonal(1, 0.0);
        let mut watch = Watch::new(Pace::of(&operator, &blocks), 1.0);
        assert!((0..100).all(|_| !watch.has_stalled(2.0)), "there is no bound");
    }

    #[test]
    fn a_watch_judges_window_by_window() {
        let mut watch = Watch::new(Pace { most_left: 0.5, stiffness: 0.0 }, 8.0);
        let deltas = [9.0; 7].into_iter().chain([4.0]).chain([9.0; 7]).chain([2.1]);
        let stalled: Vec<bool> = deltas.map(|delta| watch.has_stalled(delta)).collect();
        assert_eq!(stalled.iter().position(|stalled| *stalled), Some(15));
    }
}
