use super::coarse_tile::{CoarseTile, is_near, near};
use crate::grid::tile::{Coefficients, SymmetricTile};
use crate::grid::{GridShape, LANES, STEPS};
use crate::lanes::{Eight, Kernel};
use crate::{Constraint, Mat3};

/// Every second column and line of a grid, and how a matrix of the grid becomes one of these.
///
/// Along a direction of n rows the coarse ones stand at 0, 2, 4, ..., the last one beyond the edge where n is even; one of two or
/// fewer stays as it is.
///
/// A coupling becomes couplings of the coarse rows around it, in the direction that it has, so that coarse cloth moves and turns as
/// freely as fine cloth; each shares its energy out for a motion that is linear between coarse rows. Shares are positive, so that
/// the coarse matrix is positive definite where the fine one is and its couplings are positive semidefinite, and A <= 2 D holds for
/// its diagonal blocks D.
#[derive(Debug)]
pub(super) struct Coarsening {
    fine: GridShape,
    coarse: GridShape,
    /// Along columns and lines.
    halved: [bool; 2],
    /// For rows of even and odd column, times two of even and odd line: for each step, and for the diagonal.
    shares: [[Vec<Share>; 9]; 4],
}

/// The place of the diagonal behind all steps, and behind those of coarse rows.
const DIAGONAL: usize = 8;
const COARSE_DIAGONAL: usize = 4;

/// A share of a coupling, or of the diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    /// The first row of the coarse coupling, from the coarse row at or before the fine one on: columns and lines.
    offset: (isize, usize),
    /// The number of its step among [`near`] ones, or [`COARSE_DIAGONAL`].
    to: usize,
    weight: f64,
}

impl Coarsening {
    pub fn new(fine: GridShape) -> Coarsening {
        let halved = [fine.nx() > 2, fine.ny() > 2];
        let coarse = GridShape::new(rows_along(fine.nx(), halved[0]), rows_along(fine.ny(), halved[1]));
        let shares = [0, 1, 2, 3].map(|parity| std::array::from_fn(|step| shares(halved, [parity % 2, parity / 2], step)));
        Coarsening { fine, coarse, halved, shares }
    }

    pub fn fine(&self) -> GridShape {
        self.fine
    }

    pub fn coarse(&self) -> GridShape {
        self.coarse
    }

    /// Whether every second column and every second line are left out.
    pub fn halved(&self) -> [bool; 2] {
        self.halved
    }

    /// The coarse row at or before a fine one, by column and line, and the parities of the fine one.
    #[inline(always)]
    fn before(&self, column: usize, line: usize) -> ([usize; 2], [usize; 2]) {
        let along = |place: usize, halved: bool| if halved { (place / 2, place % 2) } else { (place, 0) };
        let ((column, x), (line, y)) = (along(column, self.halved[0]), along(line, self.halved[1]));
        ([column, line], [x, y])
    }

    /// The coarse rows that a fine one is interpolated from, and their weights: up to four, the rest of weight 0.
    #[inline(always)]
    fn parents(&self, column: usize, line: usize) -> [(usize, f64); 4] {
        let ([column, line], [x, y]) = self.before(column, line);
        let nx = self.coarse.nx();
        let weight = |parity: usize, offset: usize| [[1.0, 0.0], [0.5, 0.5]][parity][offset];
        [(0, 0), (1, 0), (0, 1), (1, 1)]
            .map(|(right, down)| ((line + down) * nx + column + right, weight(x, right) * weight(y, down)))
    }

    /// Holds coarse rows as the constraints hold fine ones: what is prescribed of a fine row i costs (I - S_i) D_i (I - S_i), the
    /// energy of that row alone, on the coarse rows that it is interpolated from. `blocks` are the diagonal blocks of A.
    pub fn hold(&self, constraints: &[Constraint], blocks: &[SymmetricTile], coarse: &mut [CoarseTile]) {
        for (row, constraint) in constraints.iter().enumerate() {
            if *constraint == Constraint::Free {
                continue;
            }
            let prescribed = Mat3::identity() - constraint.projection();
            let held = prescribed * blocks[row / LANES].block(row % LANES) * prescribed;
            let entries = [held.m11, held.m12, held.m13, held.m22, held.m23, held.m33];
            for (parent, weight) in self.parents(row % self.fine.nx(), row / self.fine.nx()) {
                if weight > 0.0 {
                    let diagonal = &mut coarse[parent / LANES].diagonal;
                    diagonal.iter_mut().zip(entries).for_each(|(lanes, entry)| lanes[parent % LANES] += weight * entry);
                }
            }
        }
    }
}

fn rows_along(fine: usize, halved: bool) -> usize {
    if halved { fine / 2 + 1 } else { fine }
}

/// How a coupling of a row with these parities, columns and lines, is shared out.
fn shares([halve_x, halve_y]: [bool; 2], [x, y]: [usize; 2], step: usize) -> Vec<Share> {
    let (columns, lines) = if step == DIAGONAL { (0, 0) } else { STEPS[step] };
    let far = columns.abs().max(lines as isize) == 2;
    let ways = [(columns, halve_x, x), (lines as isize, halve_y, y)].map(|(by, halved, parity)| match (by, halved) {
        (0, true) | (2 | -2, true) => parents_along(parity).map(|(place, weight)| (place, by / 2, weight)).to_vec(),
        (1, true) => vec![(0, 1, 1.0)],
        (-1, true) => vec![(parity as isize, -1, 1.0)],
        _ => vec![(0, by, 1.0)],
    });
    let halves = usize::from(columns != 0 && halve_x) + usize::from(lines != 0 && halve_y);
    let kept = usize::from(columns != 0) + usize::from(lines != 0) - halves;
    // |u_j - u_i|² of a motion that is linear between coarse rows, over that of the coarse coupling
    let energy = match (halves, kept) {
        _ if far => 1.0,
        (0, _) => 1.0,
        (_, 0) => 0.25,
        _ => 0.5,
    };
    let [ways_x, ways_y] = &ways;
    let pairs = ways_x.iter().flat_map(|way_x| ways_y.iter().map(move |way_y| (way_x, way_y)));
    pairs
        .filter(|((_, _, weight_x), (_, _, weight_y))| weight_x * weight_y > 0.0)
        .filter_map(|(&(right, columns, weight_x), &(down, lines, weight_y))| {
            let to = match STEPS.iter().position(|&step| step == (columns, lines as usize)) {
                None if step == DIAGONAL => COARSE_DIAGONAL,
                Some(step) if is_near(step) => near(step),
                _ => return None, // longer than the grid
            };
            Some(Share { offset: (right, down as usize), to, weight: energy * weight_x * weight_y })
        })
        .collect()
}

/// Places of coarse rows after the one at or before a fine one, and their weights.
fn parents_along(parity: usize) -> [(isize, f64); 2] {
    if parity == 0 { [(0, 1.0), (1, 0.0)] } else { [(0, 0.5), (1, 0.5)] }
}

/// Overwrites the coarse matrix by that of the fine one, without what holds it.
pub(super) struct CoarsenPass<'a, T> {
    pub coarsening: &'a Coarsening,
    pub tiles: &'a [T],
    pub memory: &'a mut CoarsenMemory,
    pub coarse: &'a mut [CoarseTile],
}

/// What it works on: arrays for each entry of each block.
#[derive(Debug)]
pub(super) struct CoarsenMemory {
    /// Blocks of a line of fine rows, for each step and for the diagonal: the first row at place [`LANES`], so that tiles may begin
    /// before the line and end behind it.
    line: Vec<f64>,
    line_stride: usize,
    /// Blocks of the coarse rows, for each [`near`] step and for the diagonal: the first row at place 1, and as many places behind
    /// the last one as steps that leave the grid lead to. These add zeros.
    sums: Vec<f64>,
    sums_stride: usize,
}

impl CoarsenMemory {
    pub fn new(coarsening: &Coarsening) -> CoarsenMemory {
        let line_stride = coarsening.fine.nx() + 2 * LANES;
        let coarse = coarsening.coarse;
        let sums_stride = 1 + coarse.tiles() * LANES + coarse.nx() + 2;
        CoarsenMemory { line: vec![0.0; 54 * line_stride], line_stride, sums: vec![0.0; 30 * sums_stride], sums_stride }
    }
}

impl<T: Coefficients> Kernel for CoarsenPass<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let CoarsenPass { coarsening, tiles, memory, coarse } = self;
        let &mut CoarsenMemory { ref mut line, line_stride, ref mut sums, sums_stride } = memory;
        sums.fill(0.0);
        let (nx, coarse_nx) = (coarsening.fine.nx(), coarsening.coarse.nx());
        for number in 0..coarsening.fine.ny() {
            let first = number * nx;
            for tile in first / LANES..(first + nx).div_ceil(LANES) {
                let place = (tile + 1) * LANES - first;
                for step in 0..STEPS.len() {
                    if T::FAR || is_near(step) {
                        store(tiles[tile].block::<E>(step), &mut line[6 * step * line_stride..], line_stride, place);
                    }
                }
                let diagonal = tiles[tile].add_diagonal([E::splat(0.0); 6]);
                store(diagonal, &mut line[6 * DIAGONAL * line_stride..], line_stride, place);
            }
            let ([_, coarse_line], [_, y]) = coarsening.before(0, number);
            for x in 0..1 + usize::from(coarsening.halved[0]) {
                for (step, shares) in coarsening.shares[x + 2 * y].iter().enumerate() {
                    if !T::FAR && step < DIAGONAL && !is_near(step) {
                        continue;
                    }
                    for share in shares {
                        let place = (1 + (coarse_line + share.offset.1) * coarse_nx).wrapping_add_signed(share.offset.0);
                        for q in 0..6 {
                            let fine = &line[(6 * step + q) * line_stride + LANES..][x..nx];
                            let sums = &mut sums[(6 * share.to + q) * sums_stride + place..];
                            if coarsening.halved[0] {
                                let (pairs, last) = fine.as_chunks::<2>();
                                sums.iter_mut().zip(pairs).for_each(|(sum, [fine, _])| *sum += share.weight * fine);
                                last.iter().for_each(|fine| sums[pairs.len()] += share.weight * fine);
                            } else {
                                sums.iter_mut().zip(fine).for_each(|(sum, fine)| *sum += share.weight * fine);
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
fn store<E: Eight>(block: [E; 6], arrays: &mut [f64], stride: usize, place: usize) {
    for q in 0..6 {
        block[q].store_to(arrays, q * stride + place);
    }
}
