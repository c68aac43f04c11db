use super::hierarchy::Levels;
use crate::grid::constrained_tiles::ConstrainedTiles;
use crate::grid::tile::SymmetricTile;
use crate::grid::vector::power_below;
use crate::grid::{GridOperator, GridShape, GridVector, LANES};
use crate::lanes::{Eight, Kernel, Lanes, dot};
use crate::{Breakdown, Constraint};

/// A, D⁻¹, S and a cycle in single precision, for residuals in double precision.
pub(in crate::grid) struct SingleCycles {
    operator: GridOperator<f32>,
    /// Shape \[tiles\].
    inverses: Vec<SymmetricTile<f32>>,
    constrained: ConstrainedTiles<f32>,
    pub(super) levels: Levels<f32>,
    r: GridVector<f32>,
    h: GridVector<f32>,
}

impl SingleCycles {
    /// Memory for systems of a shape.
    pub(super) fn new(shape: GridShape) -> SingleCycles {
        let zeros = || GridVector::zeros(shape);
        SingleCycles {
            operator: GridOperator::zero(shape),
            inverses: vec![SymmetricTile::ZERO; shape.tiles()],
            constrained: ConstrainedTiles::new(shape),
            levels: Levels::new(shape),
            r: zeros(),
            h: zeros(),
        }
    }

    /// Takes in a matrix with its diagonal blocks; `free` are the constraints of coarse rows.
    pub(super) fn factor(
        &mut self,
        operator: &GridOperator,
        constraints: &[Constraint],
        blocks: &[SymmetricTile],
        free: &[Constraint],
    ) -> Result<(), Breakdown> {
        self.operator.round(operator);
        self.constrained.fill(constraints);
        self.levels.factor(&self.operator, constraints, blocks, free)
    }

    /// Takes the inverses of the diagonal blocks.
    pub(super) fn take_inverses(&mut self, inverses: &[SymmetricTile]) {
        for (rounded, inverse) in self.inverses.iter_mut().zip(inverses) {
            rounded.round(inverse);
        }
    }

    /// h = S P⁻¹ r for r of range(S) and the `largest` of its numbers by their size; gives rᵀ h, summed in double precision.
    pub fn cycle(&mut self, largest: f64, constrained: &ConstrainedTiles, r: &GridVector, h: &mut GridVector) -> f64 {
        let SingleCycles { operator, inverses, constrained: rounded, levels, r: single, h: step } = self;
        let set = operator.instruction_set();
        let scale = power_below(largest);
        if scale == 0.0 {
            h.clear();
            return 0.0;
        }
        set.run(NarrowingPass { inverses, constrained: &rounded.tiles, scale, r, single, step });
        levels.cycle(operator, inverses, rounded, single, step);
        set.run(WideningPass { constrained, scale, step, r, h })
    }
}

/// `single` = r / `scale`, rounded; `step` = S D⁻¹ of that.
struct NarrowingPass<'a> {
    inverses: &'a [SymmetricTile<f32>],
    constrained: &'a [(usize, SymmetricTile<f32>)],
    scale: f64,
    r: &'a GridVector,
    single: &'a mut GridVector<f32>,
    step: &'a mut GridVector<f32>,
}

impl Kernel<f32> for NarrowingPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = f32>>(self) {
        let NarrowingPass { inverses, constrained, scale, r, single, step } = self;
        let r = r.arrays().map(|array| array.as_chunks::<LANES>().0);
        let single = single.arrays_mut().map(|array| array.as_chunks_mut::<LANES>().0);
        let step = step.arrays_mut().map(|array| array.as_chunks_mut::<LANES>().0);
        let mut constrained = constrained.iter().peekable();
        let inverse_scale = 1.0 / scale;
        for (tile, inverse) in inverses.iter().enumerate() {
            let mut narrowed = [E::splat(0.0); 3];
            for q in 0..3 {
                let mut lanes = [0.0; LANES];
                for lane in 0..LANES {
                    lanes[lane] = (inverse_scale * r[q][tile][lane]) as f32;
                }
                narrowed[q] = E::load(&lanes);
                single[q][tile] = lanes;
            }
            let mut smoothed = inverse.multiply(narrowed);
            if let Some((_, projection)) = constrained.next_if(|(constrained, _)| *constrained == tile) {
                smoothed = projection.multiply(smoothed);
            }
            for q in 0..3 {
                smoothed[q].store(&mut step[q][tile]);
            }
        }
    }
}

/// h = `scale` S `step`; gives rᵀ h.
struct WideningPass<'a> {
    constrained: &'a ConstrainedTiles,
    scale: f64,
    step: &'a GridVector<f32>,
    r: &'a GridVector,
    h: &'a mut GridVector,
}

impl Kernel for WideningPass<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let WideningPass { constrained, scale, step, r, h } = self;
        let step = step.arrays().map(|array| array.as_chunks::<LANES>().0);
        let r = r.arrays().map(|array| array.as_chunks::<LANES>().0);
        let h = h.arrays_mut().map(|array| array.as_chunks_mut::<LANES>().0);
        let mut constrained = constrained.tiles.iter().peekable();
        let scale = E::splat(scale);
        let mut sums = E::splat(0.0);
        let tiles = step[0].len().min(r[0].len()).min(h[0].len());
        for tile in 0..tiles {
            let mut widened = [E::splat(0.0); 3];
            for q in 0..3 {
                let mut wide = [0.0; LANES];
                for lane in 0..LANES {
                    wide[lane] = f64::from(step[q][tile][lane]);
                }
                widened[q] = scale * E::load(&wide);
            }
            if let Some((_, projection)) = constrained.next_if(|(constrained, _)| *constrained == tile) {
                widened = projection.multiply(widened);
            }
            let mut residual = widened;
            for q in 0..3 {
                residual[q] = E::load(&r[q][tile]);
                widened[q].store(&mut h[q][tile]);
            }
            sums = sums + dot(residual, widened);
        }
        sums.sum()
    }
}
