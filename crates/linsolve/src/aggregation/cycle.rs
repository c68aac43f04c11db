use std::sync::{Mutex, MutexGuard, PoisonError};

use super::finest::FinestMemory;
use super::level::Level;
use super::transfer::Transfer;
use crate::lanes::{Eight, InstructionSet, Kernel};
use crate::panels::{NodeMemory, NodePanels};

/// 1 / t for both zeros t = 3/5 -+ 2/5 √½ of the Chebyshev polynomial of degree 2 on \[1/5, 1\].
const WEIGHTS: [f64; 2] =
    [1.0 / (0.6 - 0.4 * std::f64::consts::FRAC_1_SQRT_2), 1.0 / (0.6 + 0.4 * std::f64::consts::FRAC_1_SQRT_2)];

/// 1 over the largest value that 1 - (1 - w_1 t) (1 - w_2 t) takes on \[0, 1\], 9/7 at t = 3/5: no eigenvalue of what two cycles
/// approximate lies above 1, if none does of one.
const SCALE: f64 = 7.0 / 9.0;

/// A cycle over some levels, the last of which is solved directly.
#[derive(Clone, Copy)]
pub(super) struct Cycle<'a> {
    pub levels: &'a [Level],
    pub transfers: &'a [Transfer],
    /// The factor of the last level.
    pub factor: &'a NodePanels,
}

/// Vectors of a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The right side.
    pub b: Vec<f64>,
    /// The solution.
    pub x: Vec<f64>,
    left: Vec<f64>,
    sum: Vec<f64>,
}

impl Memory {
    pub fn resize(&mut self, unknowns: usize) {
        let Memory { b, x, left, sum } = self;
        [b, x, left, sum].into_iter().for_each(|vector| vector.resize(unknowns, 0.0));
    }
}

/// What a cycle overwrites.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleMemory {
    /// The vectors of the finest level.
    pub finest: FinestMemory,
    /// The vectors of all levels.
    pub levels: Vec<Memory>,
    /// What the solution of the last one needs.
    pub direct: NodeMemory,
}

/// The memory of cycles; one that runs in another thread at the same time waits.
#[derive(Debug, Default)]
pub(super) struct SharedMemory(Mutex<CycleMemory>);

impl SharedMemory {
    pub fn lock(&self) -> MutexGuard<'_, CycleMemory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner) // whatever it holds
    }

    pub fn get_mut(&mut self) -> &mut CycleMemory {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for SharedMemory {
    fn clone(&self) -> SharedMemory {
        SharedMemory(Mutex::new(self.lock().clone()))
    }
}

impl Cycle<'_> {
    /// Overwrites x of the first level by what two cycles make of b, which is overwritten, or where it is the last one by its solution.
    pub fn run_twice(self, set: InstructionSet, memory: &mut [Memory], direct: &mut NodeMemory) {
        self.run(set, memory, direct);
        if let ([level, _, ..], [own, ..]) = (self.levels, &mut *memory) {
            set.run(Again { level, memory: own });
            self.run(set, memory, direct);
            let Memory { x, sum, .. } = &mut memory[0];
            for (x, sum) in x.iter_mut().zip(sum) {
                *x = SCALE * (*sum + WEIGHTS[1] * *x);
            }
        }
    }

    /// Overwrites x of the first level by B b.
    pub fn run(self, set: InstructionSet, memory: &mut [Memory], direct: &mut NodeMemory) {
        let ([level, ..], Some((own, coarser))) = (self.levels, memory.split_first_mut()) else { return };
        let (Some(transfer), [_, coarse, ..], [next, ..]) = (self.transfers.first(), self.levels, &mut *coarser) else {
            return self.factor.solve(set, &level.begins, &own.b, &mut own.x, direct);
        };
        let below = Cycle { levels: &self.levels[1..], transfers: &self.transfers[1..], ..self };
        set.run(Before { level, transfer, coarse, memory: own, b: &mut next.b });
        below.run_twice(set, coarser, direct);
        set.run(After { level, transfer, coarse, memory: own, x: &coarser[0].x });
    }
}

/// The sweep before the coarse levels, and what is left of b on the next one.
struct Before<'a> {
    level: &'a Level,
    transfer: &'a Transfer,
    coarse: &'a Level,
    memory: &'a mut Memory,
    b: &'a mut [f64],
}

impl Kernel for Before<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Memory { b, x, left, .. } = self.memory;
        self.level.relax_first(b, x, left);
        self.transfer.restrict(self.level, self.coarse, left, self.b);
    }
}

/// Makes the sum of the first cycle, w_1 x, and leaves b - A w_1 x to the second one.
struct Again<'a> {
    level: &'a Level,
    memory: &'a mut Memory,
}

impl Kernel for Again<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Memory { b, x, sum, .. } = self.memory;
        for (sum, x) in sum.iter_mut().zip(x) {
            *sum = WEIGHTS[0] * *x;
        }
        self.level.subtract_product(sum, b);
    }
}

/// The correction by the coarse levels and the sweep after it.
struct After<'a> {
    level: &'a Level,
    transfer: &'a Transfer,
    coarse: &'a Level,
    memory: &'a mut Memory,
    x: &'a [f64],
}

impl Kernel for After<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Memory { b, x, left, .. } = self.memory;
        self.transfer.prolong(self.level, self.coarse, self.x, x);
        self.level.relax_last(b, x, left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_by_their_polynomial() {
        let polynomial = |t: f64| (1.0 - WEIGHTS[0] * t) * (1.0 - WEIGHTS[1] * t);
        for (t, expected) in [(0.0, 1.0), (0.2, 2.0 / 7.0), (0.6, -2.0 / 7.0), (1.0, 2.0 / 7.0)] {
            assert!((polynomial(t) - expected).abs() < 1e-15, "{t}");
        }
        for k in 1..=1000 {
            let approximated = SCALE * (1.0 - polynomial(f64::from(k) / 1000.0));
            assert!(approximated > 0.0 && approximated < 1.0 + 1e-15);
        }
    }
}
