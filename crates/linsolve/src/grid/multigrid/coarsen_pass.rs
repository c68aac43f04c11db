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
    /// before the line and end behind it. Even places stand in the first half, odd ones in the second, so that rows which are
    /// shared out alike are neighbours.
    line: Vec<S>,
    line_stride: usize,
    /// Blocks of the coarse rows, for each step to a neighbour and for the diagonal: the first row at place 1, and as many places
    /// behind the last one as steps that leave the grid lead to. These add zeros.
    sums: Vec<S>,
    sums_stride: usize,
}

impl<S: Number> CoarsenMemory<S> {
    pub fn new(coarsening: &Coarsening) -> CoarsenMemory<S> {
        let line_stride = (coarsening.fine.nx() + 2 * LANES).next_multiple_of(2);
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
                            let (even, odd) = line[(6 * step + q) * line_stride..][..line_stride].split_at(line_stride / 2);
                            let sums = &mut sums[(6 * share.to + q) * sums_stride + place..];
                            if halve_x {
                                let fine = &[even, odd][x][LANES / 2..][..(nx - x).div_ceil(2)];
                                sums.iter_mut().zip(fine).for_each(|(sum, fine)| *sum = *sum + weight * *fine);
                            } else {
                                let fine = even[LANES / 2..].iter().zip(&odd[LANES / 2..]).flat_map(|(even, odd)| [*even, *odd]);
                                sums.iter_mut().zip(fine.take(nx)).for_each(|(sum, fine)| *sum = *sum + weight * fine);
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

/// Stores a block of eight rows from a place of six arrays on, even places in their first halves and odd ones in the second.
#[inline(always)]
fn store<E: Lanes>(block: [E; 6], arrays: &mut [E::Number], stride: usize, place: usize) {
    for q in 0..6 {
        let mut lanes = [E::Number::ZERO; LANES];
        block[q].store(&mut lanes);
        let [a, b, c, d, e, f, g, h] = lanes;
        let (even, odd) = arrays[q * stride..][..stride].split_at_mut(stride / 2);
        let ((first, begin), (second, behind)) = match place % 2 {
            0 => ((even, place / 2), (odd, place / 2)),
            _ => ((odd, place / 2), (even, place / 2 + 1)),
        };
        first[begin..][..LANES / 2].copy_from_slice(&[a, c, e, g]);
        second[behind..][..LANES / 2].copy_from_slice(&[b, d, f, h]);
    }
}
