use super::coarse_tile::{CoarseTile, near};
use crate::grid::shape::is_near;
use crate::grid::tile::SymmetricTile;
use crate::grid::{GridShape, LANES, STEPS};
use crate::lanes::Number;
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
    pub fine: GridShape,
    pub coarse: GridShape,
    /// Whether every second column and every second line are left out.
    pub halved: [bool; 2],
    /// For rows of even and odd column, times two of even and odd line: for each step, and for the diagonal.
    shares: [[Vec<Share>; 9]; 4],
}

/// The place of the diagonal behind all steps, and behind those of coarse rows.
pub(super) const DIAGONAL: usize = 8;
const COARSE_DIAGONAL: usize = 4;

/// A share of a coupling, or of the diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    /// The first row of the coarse coupling, from the coarse row at or before the fine one on: columns and lines.
    pub offset: (isize, usize),
    /// The number of its step among [`near`] ones, or [`COARSE_DIAGONAL`].
    pub to: usize,
    pub weight: f64,
}

impl Coarsening {
    pub fn new(fine: GridShape) -> Coarsening {
        let halved = [fine.nx() > 2, fine.ny() > 2];
        let coarse = GridShape::new(rows_along(fine.nx(), halved[0]), rows_along(fine.ny(), halved[1]));
        let shares = [0, 1, 2, 3].map(|parity| std::array::from_fn(|step| shares(halved, [parity % 2, parity / 2], step)));
        Coarsening { fine, coarse, halved, shares }
    }

    /// How couplings of a row with these parities, columns and lines, are shared out: for each step, and for the diagonal.
    #[inline(always)]
    pub fn shares(&self, [x, y]: [usize; 2]) -> &[Vec<Share>; 9] {
        &self.shares[x + 2 * y]
    }

    /// The coarse row at or before a fine one, by column and line, and the parities of the fine one.
    #[inline(always)]
    pub fn before(&self, column: usize, line: usize) -> ([usize; 2], [usize; 2]) {
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
    pub fn hold<S: Number>(&self, constraints: &[Constraint], blocks: &[SymmetricTile], coarse: &mut [CoarseTile<S>]) {
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
                    for (lanes, entry) in diagonal.iter_mut().zip(entries) {
                        lanes[parent % LANES] = lanes[parent % LANES] + S::rounded(weight * entry);
                    }
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
        (0, _) => 1.0,
        _ if far => 1.0,
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
