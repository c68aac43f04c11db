use super::tile::Steps;
use super::{CHUNK, CHUNK_TILES, GridShape, LANES};
use crate::lanes::{Lanes, Number, plus};

/// What couplings give to both of their rows, C numbers for each, and what becomes of it; T is what is read of eight rows.
pub(super) trait Stencil<T, E, const C: usize> {
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
pub(super) struct Pending<const C: usize, S = f64> {
    one_line_on: Delay<C, S>,
    two_lines_on: Delay<C, S>,
}

/// Sums for the rows of a chunk and for those that come within the lag after it.
#[derive(Debug)]
struct Delay<const C: usize, S> {
    /// How many rows later a sum is read.
    lag: usize,
    /// Shape \[C\]\[lag + [`CHUNK`]\].
    sums: [Vec<S>; C],
}

impl<const C: usize, S: Number> Pending<C, S> {
    pub fn new(shape: GridShape) -> Pending<C, S> {
        let lag = shape.nx() - 1;
        let delay = |lag| Delay { lag, sums: std::array::from_fn(|_| vec![S::ZERO; lag + CHUNK]) };
        Pending { one_line_on: delay(lag), two_lines_on: delay(2 * lag) }
    }

    /// A sweep from the first row on.
    #[inline(always)]
    pub fn sweep<E: Lanes<Number = S>, const FAR: bool>(&mut self) -> Sweep<'_, E, C, FAR> {
        for delay in [&mut self.one_line_on, &mut self.two_lines_on] {
            delay.sums.iter_mut().for_each(|sums| sums[..delay.lag].fill(S::ZERO));
        }
        Sweep { pending: self, beside: Carried::nothing(), one: Carried::nothing(), two: Carried::nothing() }
    }
}

impl<const C: usize, S: Number> Delay<C, S> {
    /// Keeps sums of the eight rows of a tile of the chunk, and gives what was kept for these rows `lag` rows before; a lag of
    /// less than eight rows reads what it has just written.
    #[allow(unsafe_code)]
    #[inline(always)]
    fn exchange<E: Lanes<Number = S>>(&mut self, tile: usize, mut sums: [E; C]) -> [E; C] {
        assert!(tile < CHUNK_TILES); // the loop over tiles shows it once for all
        let place = tile * LANES;
        for q in 0..C {
            // SAFETY: place <= CHUNK - LANES, and there are lag + CHUNK sums, see `Pending::new`.
            unsafe {
                sums[q].store_within(&mut self.sums[q], place + self.lag);
                sums[q] = E::load_within(&self.sums[q], place);
            }
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

impl<E: Lanes, const C: usize> Carried<E, C> {
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

/// A pass over a matrix by all steps (`FAR`), or by those to neighbours alone, where the others give nothing: a loop for each,
/// because one that asked would be slower at both.
pub(super) struct By<P, const FAR: bool>(pub P);

/// A stencil on its way over all tiles, by all steps or by those to neighbours.
pub(super) struct Sweep<'a, E: Lanes, const C: usize, const FAR: bool> {
    pending: &'a mut Pending<C, E::Number>,
    beside: Carried<E, C>,
    one: Carried<E, C>,
    two: Carried<E, C>,
}

impl<E: Lanes, const C: usize, const FAR: bool> Sweep<'_, E, C, FAR> {
    /// Leads a stencil over the tiles of the next chunk, whose first row is `first`.
    ///
    /// # Panics
    /// Beyond as many tiles as a chunk has.
    #[inline(always)]
    pub fn chunk<T: Steps, S: Stencil<T, E, C>>(&mut self, tiles: &[T], first: usize, stencil: &mut S) {
        assert!(tiles.len() <= CHUNK_TILES, "{} tiles of {CHUNK_TILES}", tiles.len());
        for (k, tile) in tiles.iter().enumerate() {
            let row = first + k * LANES;
            // Twice the same: where nothing is asked, as in most tiles, there are no branches, which saves a fifth.
            match tile.most_act(FAR) {
                true => self.tile(k, Here { stencil, tile, row, is_asked: false }),
                false => self.tile(k, Here { stencil, tile, row, is_asked: true }),
            }
        }
        self.pending.one_line_on.next_chunk();
        if T::FAR && FAR {
            self.pending.two_lines_on.next_chunk();
        }
    }

    /// The k-th of them.
    #[inline(always)]
    fn tile<T: Steps, S: Stencil<T, E, C>>(&mut self, k: usize, mut of: Here<'_, T, S>) {
        let Sweep { pending: Pending { one_line_on, two_lines_on }, beside, one, two } = self;
        let right = of.given(0);
        let second_right = if T::FAR && FAR { of.given(1) } else { [E::splat(0.0); C] };
        let mut starting = plus(right, second_right);
        let mut ending = beside.shift::<1>(right, second_right);

        let left = of.given(2);
        let (straight, right) = (of.given(3), of.given(4));
        starting = plus(starting, plus(plus(left, straight), right));
        let sums = plus(left, one.shift::<1>(straight, right));
        ending = plus(ending, one_line_on.exchange(k, sums));

        if T::FAR && FAR {
            let left = of.given(5);
            let (straight, right) = (of.given(6), of.given(7));
            starting = plus(starting, plus(plus(left, straight), right));
            let sums = plus(left, two.shift::<2>(straight, right));
            ending = plus(ending, two_lines_on.exchange(k, sums));
        }
        of.stencil.finish(of.tile, of.row, starting, ending);
    }
}

/// The eight rows that a stencil has come to.
struct Here<'a, T, S> {
    stencil: &'a mut S,
    tile: &'a T,
    row: usize,
    /// Whether each step is asked whether it acts.
    is_asked: bool,
}

impl<T: Steps, S> Here<'_, T, S> {
    /// What the couplings by a step give.
    #[inline(always)]
    fn given<E: Lanes, const C: usize>(&mut self, step: usize) -> [E; C]
    where
        S: Stencil<T, E, C>,
    {
        match !self.is_asked || self.tile.acts(step) {
            true => self.stencil.coupling(self.tile, step, self.row),
            false => [E::splat(0.0); C],
        }
    }
}
