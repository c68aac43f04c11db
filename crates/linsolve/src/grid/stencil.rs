use super::{CHUNK, GridShape, LANES};
use crate::lanes::{Eight, plus};

/// What couplings give to both of their rows, C numbers for each, and what becomes of it; T is what is read of eight rows.
pub(super) trait Stencil<T, E, const C: usize> {
    /// Whether couplings lead as far as two columns or lines; if not, to the neighbours only.
    const FAR: bool;

    /// What a coupling gives, for the eight rows from `row` on.
    fn coupling(&mut self, tile: &T, step: usize, row: usize) -> [E; C];

    /// Takes the sums of what the eight rows from `row` on are given by the couplings that start there, and by those that end
    /// there.
    fn finish(&mut self, tile: &T, row: usize, starting: [E; C], ending: [E; C]);
}

/// Sums that are formed before the rows that they are for have their turn.
///
/// The steps one line on lead from row i to i + nx - 1, i + nx and i + nx + 1. So what row i gives by the first of them, i - 1 by
/// the second and i - 2 by the third goes to one row, nx - 1 rows after i. The shift by a row or two stays in registers; each sum
/// is written once and read once. So do the steps two lines on, in twos, and those beside, the first of which leads nowhere.
#[derive(Debug)]
pub(super) struct Pending<const C: usize> {
    one_line_on: Delay<C>,
    two_lines_on: Delay<C>,
}

/// Sums for the rows of a chunk and for those that come within the lag after it.
#[derive(Debug)]
struct Delay<const C: usize> {
    /// How many rows later a sum is read.
    lag: usize,
    /// Shape \[C\]\[lag + [`CHUNK`]\].
    sums: [Vec<f64>; C],
}

impl<const C: usize> Pending<C> {
    pub fn new(shape: GridShape) -> Pending<C> {
        let lag = shape.nx() - 1;
        let delay = |lag| Delay { lag, sums: std::array::from_fn(|_| vec![0.0; lag + CHUNK]) };
        Pending { one_line_on: delay(lag), two_lines_on: delay(2 * lag) }
    }

    /// A sweep from the first row on.
    #[inline(always)]
    pub fn sweep<E: Eight>(&mut self) -> Sweep<'_, E, C> {
        for delay in [&mut self.one_line_on, &mut self.two_lines_on] {
            delay.sums.iter_mut().for_each(|sums| sums[..delay.lag].fill(0.0));
        }
        Sweep { pending: self, beside: Carried::nothing(), one: Carried::nothing(), two: Carried::nothing() }
    }
}

impl<const C: usize> Delay<C> {
    /// Keeps sums of the eight rows from `place` on, and gives what was kept for these rows `lag` rows before; a lag of less than
    /// eight rows reads what it has just written.
    #[inline(always)]
    fn exchange<E: Eight>(&mut self, place: usize, mut sums: [E; C]) -> [E; C] {
        for q in 0..C {
            sums[q].store_to(&mut self.sums[q], place + self.lag);
            sums[q] = E::load_from(&self.sums[q], place);
        }
        sums
    }

    /// Moves what is left of a chunk to the front.
    #[inline(always)]
    fn next_chunk(&mut self) {
        self.sums.iter_mut().for_each(|sums| sums.copy_within(CHUNK.., 0));
    }
}

/// What the last eight rows gave by the second and by the third of three steps: by both together, and by the third.
#[derive(Clone, Copy)]
struct Carried<E, const C: usize> {
    both: [E; C],
    third: [E; C],
}

impl<E: Eight, const C: usize> Carried<E, C> {
    #[inline(always)]
    fn nothing() -> Carried<E, C> {
        Carried { both: [E::splat(0.0); C], third: [E::splat(0.0); C] }
    }

    /// What was given N rows before by the second step and 2 N rows before by the third.
    #[inline(always)]
    fn shift<const N: usize>(&mut self, second: [E; C], third: [E; C]) -> [E; C] {
        let mut shifted = third;
        for q in 0..C {
            let both = second[q] + third[q].shifted::<N>(self.third[q]);
            shifted[q] = both.shifted::<N>(self.both[q]);
            self.both[q] = both;
        }
        self.third = third;
        shifted
    }
}

/// A stencil on its way over all tiles.
pub(super) struct Sweep<'a, E, const C: usize> {
    pending: &'a mut Pending<C>,
    beside: Carried<E, C>,
    one: Carried<E, C>,
    two: Carried<E, C>,
}

impl<E: Eight, const C: usize> Sweep<'_, E, C> {
    /// Leads a stencil over the tiles of the next chunk, whose first row is `first`.
    #[inline(always)]
    pub fn chunk<T, S: Stencil<T, E, C>>(&mut self, tiles: &[T], first: usize, stencil: &mut S) {
        let Sweep { pending: Pending { one_line_on, two_lines_on }, beside, one, two } = self;
        for (k, tile) in tiles.iter().enumerate() {
            let (place, row) = (k * LANES, first + k * LANES);
            let right = stencil.coupling(tile, 0, row);
            let second_right = if S::FAR { stencil.coupling(tile, 1, row) } else { [E::splat(0.0); C] };
            let mut starting = plus(right, second_right);
            let mut ending = beside.shift::<1>(right, second_right);

            let left = stencil.coupling(tile, 2, row);
            let (straight, right) = (stencil.coupling(tile, 3, row), stencil.coupling(tile, 4, row));
            starting = plus(starting, plus(plus(left, straight), right));
            let sums = plus(left, one.shift::<1>(straight, right));
            ending = plus(ending, one_line_on.exchange(place, sums));

            if S::FAR {
                let left = stencil.coupling(tile, 5, row);
                let (straight, right) = (stencil.coupling(tile, 6, row), stencil.coupling(tile, 7, row));
                starting = plus(starting, plus(plus(left, straight), right));
                let sums = plus(left, two.shift::<2>(straight, right));
                ending = plus(ending, two_lines_on.exchange(place, sums));
            }
            stencil.finish(tile, row, starting, ending);
        }
        one_line_on.next_chunk();
        if S::FAR {
            two_lines_on.next_chunk();
        }
    }
}
