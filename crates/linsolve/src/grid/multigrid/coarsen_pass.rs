use super::coarse_tile::CoarseTile;
use super::coarsening::{Coarsening, DIAGONAL};
use crate::grid::shape::is_near;
use crate::grid::stencil::By;
use crate::grid::tile::Coefficients;
use crate::grid::{LANES, STEPS};
use crate::lanes::{Kernel, Lanes, Number};

/// Overwrites the coarse matrix by that of the fine one, without what holds it.
pub(super) struct CoarsenPass<'a, T, S = f64> {
    pub coarsening: &'a Coarsening,
    pub tiles: &'a [T],
    pub memory: &'a mut CoarsenMemory<S>,
    pub coarse: &'a mut [CoarseTile<S>],
}

/// What it works on: arrays for each entry of each block.
#[derive(Debug)]
pub(super) struct CoarsenMemory<S = f64> {
    /// Blocks of a line of fine rows, for each step and for the diagonal: the first row at place [`LANES`], so that tiles may begin
    /// before the line and end behind it.
    line: Vec<S>,
    line_stride: usize,
    /// Blocks of the coarse rows, for each step to a neighbour and for the diagonal: the first row at place 1, and as many places
    /// behind the last one as steps that leave the grid lead to. These add zeros.
    sums: Vec<S>,
    sums_stride: usize,
}

impl<S: Number> CoarsenMemory<S> {
    pub fn new(coarsening: &Coarsening) -> CoarsenMemory<S> {
        let line_stride = coarsening.fine.nx() + 2 * LANES;
        let coarse = coarsening.coarse;
        let sums_stride = 1 + coarse.tiles() * LANES + coarse.nx() + 2;
        CoarsenMemory { line: vec![S::ZERO; 54 * line_stride], line_stride, sums: vec![S::ZERO; 30 * sums_stride], sums_stride }
    }
}

impl<S: Number, T: Coefficients<S>, const FAR: bool> Kernel<S> for By<CoarsenPass<'_, T, S>, FAR> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let CoarsenPass { coarsening, tiles, memory, coarse } = self.0;
        let goes = |step: usize| T::FAR && FAR || is_near(step);
        let &mut CoarsenMemory { ref mut line, line_stride, ref mut sums, sums_stride } = memory;
        let [halve_x, _] = coarsening.halved;
        sums.fill(S::ZERO);
        let (nx, coarse_nx) = (coarsening.fine.nx(), coarsening.coarse.nx());
        for number in 0..coarsening.fine.ny() {
            let first = number * nx;
            for tile in first / LANES..(first + nx).div_ceil(LANES) {
                let place = (tile + 1) * LANES - first;
                for step in 0..STEPS.len() {
                    if goes(step) {
                        store(tiles[tile].block::<E>(step), &mut line[6 * step * line_stride..], line_stride, place);
                    }
                }
                let diagonal = tiles[tile].add_diagonal([E::splat(0.0); 6]);
                store(diagonal, &mut line[6 * DIAGONAL * line_stride..], line_stride, place);
            }
            let ([_, coarse_line], [_, y]) = coarsening.before(0, number);
            for x in 0..1 + usize::from(halve_x) {
                for (step, shares) in coarsening.shares([x, y]).iter().enumerate() {
                    if step < DIAGONAL && !goes(step) {
                        continue;
                    }
                    for share in shares {
                        let weight = S::rounded(share.weight);
                        let place = (1 + (coarse_line + share.offset.1) * coarse_nx).wrapping_add_signed(share.offset.0);
                        for q in 0..6 {
                            let fine = &line[(6 * step + q) * line_stride + LANES..][x..nx];
                            let sums = &mut sums[(6 * share.to + q) * sums_stride + place..];
                            if halve_x {
                                let (pairs, last) = fine.as_chunks::<2>();
                                sums.iter_mut().zip(pairs).for_each(|(sum, [fine, _])| *sum = *sum + weight * *fine);
                                last.iter().for_each(|fine| sums[pairs.len()] = sums[pairs.len()] + weight * *fine);
                            } else {
                                sums.iter_mut().zip(fine).for_each(|(sum, fine)| *sum = *sum + weight * *fine);
                            }
                        }
                    }
                }
            }
        }
        for (number, tile) in coarse.iter_mut().enumerate() {
            let blocks = tile.couplings.as_flattened_mut().iter_mut().chain(&mut tile.diagonal);
            for (block, lanes) in blocks.enumerate() {
                lanes.copy_from_slice(&sums[block * sums_stride + 1 + number * LANES..][..LANES]);
            }
        }
    }
}

/// Stores a block of eight rows at a place of six arrays.
#[inline(always)]
fn store<E: Lanes>(block: [E; 6], arrays: &mut [E::Number], stride: usize, place: usize) {
    for q in 0..6 {
        block[q].store_to(arrays, q * stride + place);
    }
}
