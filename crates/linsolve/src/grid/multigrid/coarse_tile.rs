use crate::grid::LANES;
use crate::grid::tile::{Coefficients, Steps, load, multiply_symmetric};
use crate::lanes::{Lanes, Number, plus};

/// Coefficients of a coarse matrix in eight rows: any symmetric 3x3 blocks, since what couplings of different directions add up to
/// is no a I + m mᵀ any more; to the neighbours only.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct CoarseTile<S = f64> {
    /// What a row has on its diagonal besides its couplings: mass, and what holds it.
    pub diagonal: [[S; LANES]; 6],
    /// B of each of the steps that [`near`] numbers.
    pub couplings: [[[S; LANES]; 6]; 4],
}

/// The number of a step among those that lead to neighbours.
#[inline(always)]
pub(super) fn near(step: usize) -> usize {
    step.saturating_sub(1) // of 0, 2, 3, 4
}

impl<S: Number> CoarseTile<S> {
    pub const ZERO: CoarseTile<S> = CoarseTile { diagonal: [[S::ZERO; LANES]; 6], couplings: [[[S::ZERO; LANES]; 6]; 4] };
}

impl<S> Steps for CoarseTile<S> {
    const FAR: bool = false;
}

impl<S: Number> Coefficients<S> for CoarseTile<S> {
    #[inline(always)]
    fn multiply<E: Lanes<Number = S>>(&self, step: usize, d: [E; 3]) -> [E; 3] {
        multiply_symmetric(self.block(step), d)
    }

    #[inline(always)]
    fn block<E: Lanes<Number = S>>(&self, step: usize) -> [E; 6] {
        load(&self.couplings[near(step)])
    }

    #[inline(always)]
    fn multiply_diagonal<E: Lanes<Number = S>>(&self, p: [E; 3]) -> [E; 3] {
        multiply_symmetric(load(&self.diagonal), p)
    }

    #[inline(always)]
    fn add_diagonal<E: Lanes<Number = S>>(&self, block: [E; 6]) -> [E; 6] {
        plus(block, load(&self.diagonal))
    }
}
