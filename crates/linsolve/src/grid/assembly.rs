use super::shape::is_near;
use super::stencil::{By, Pending, Stencil};
use super::tile::{Steps, Tile};
use super::{CHUNK, CHUNK_TILES, GridChoice, GridOperator, GridShape, LANES};
use crate::Vec3;
use crate::lanes::{Eight, InstructionSet, Kernel, dot, minus, plus};

/// Couplings of a grid that are evaluated eight at a time.
pub trait Couplings {
    /// What the eight rows from `row` on have on the diagonal of the matrix besides their couplings, and what they add to the
    /// right-hand side. What is said of rows behind the last one does not count.
    fn diagonal<E: Eight>(&self, row: usize) -> (E, [E; 3]);

    /// The couplings by the step of that number of [`STEPS`](super::STEPS) that join the eight rows from `row` on with the eight
    /// from `other` on. Of these, `chosen` has a bit for each one that counts. None where nothing acts.
    fn coupling<E: Eight>(&self, step: usize, row: usize, other: usize, chosen: u8) -> Option<Coupling<E>>;
}

/// What eight couplings add to a matrix and to forces.
#[derive(Clone, Copy, Debug)]
pub struct Coupling<E> {
    /// A bit for each one that acts; whatever stands in the lanes of the others counts as zero.
    pub acts: u8,
    /// a of B = a I + m mᵀ: zero where the step leads further than to a neighbour.
    pub a: E,
    /// m
    pub m: [E; 3],
    /// What it adds to the right-hand side of its first row, and takes from that of its second one.
    pub force: [E; 3],
}

/// Fills matrices of a grid and right-hand sides, in one pass over both.
#[derive(Debug)]
pub struct GridAssembly {
    shape: GridShape,
    pending: Pending<3>,
}

impl GridAssembly {
    /// Memory for it.
    pub fn new(shape: GridShape) -> GridAssembly {
        GridAssembly { shape, pending: Pending::new(shape) }
    }

    /// Overwrites `a` with the chosen couplings, zero for the others, and adds their forces to `b`; with the same bits on every
    /// instruction set. Allocates nothing.
    ///
    /// # Panics
    /// Where a shape or the number of rows differs, and on an instruction set that this machine does not have.
    pub fn assemble(&mut self, couplings: &impl Couplings, choice: &GridChoice, a: &mut GridOperator, b: &mut [Vec3]) {
        assert_eq!([a.shape(), choice.shape()], [self.shape; 2], "shapes of the matrix, of the choice and of this memory");
        assert_eq!(b.len(), self.shape.rows(), "rows of b");
        let set = a.instruction_set();
        let GridAssembly { shape, pending } = self;
        let (tiles, only_neighbours) = a.parts_mut();
        let far_ones_stay_zero = *only_neighbours && choice.only_neighbours;
        let pass = Pass::<_, true> { shape: *shape, couplings, choice, pending, tiles, b };
        *only_neighbours = match far_ones_stay_zero {
            true => set.run(By::<_, false>(pass)),
            false => set.run(By::<_, true>(pass)),
        };
    }

    /// Adds the forces of the chosen couplings to `b`, and nothing else of them.
    ///
    /// # Panics
    /// As [`GridAssembly::assemble`].
    pub fn add_forces(&mut self, couplings: &impl Couplings, choice: &GridChoice, set: InstructionSet, b: &mut [Vec3]) {
        assert_eq!(choice.shape(), self.shape, "shapes of the choice and of this memory");
        assert_eq!(b.len(), self.shape.rows(), "rows of b");
        let GridAssembly { shape, pending } = self;
        set.run(By::<_, true>(Pass::<_, false> { shape: *shape, couplings, choice, pending, tiles: &mut [], b }));
    }
}

/// A pass over the couplings of a grid, which fills the matrix or, where it does not `FILL`, adds forces alone.
struct Pass<'a, S, const FILL: bool> {
    shape: GridShape,
    couplings: &'a S,
    choice: &'a GridChoice,
    pending: &'a mut Pending<3>,
    /// Of the matrix; none where it is not filled.
    tiles: &'a mut [Tile],
    b: &'a mut [Vec3],
}

impl<S: Couplings, const FILL: bool, const FAR: bool> Kernel for By<Pass<'_, S, FILL>, FAR> {
    /// Whether no coupling of the matrix leads further than to a neighbour.
    type Output = bool;

    #[inline(always)]
    fn run<E: Eight>(self) -> bool {
        let Pass { shape, couplings, choice, pending, mut tiles, b } = self.0;
        let offsets = shape.offsets();
        let mut sweep = pending.sweep::<E, FAR>();
        let mut far = 0;
        for (number, (chosen, b)) in choice.tiles.chunks(CHUNK_TILES).zip(b.chunks_mut(CHUNK)).enumerate() {
            let first = number * CHUNK;
            let (of_chunk, rest) = tiles.split_at_mut(if FILL { chosen.len() } else { 0 });
            tiles = rest;
            let mut chunk = Chunk::<S, FILL> { offsets, couplings, first, tiles: of_chunk, b, far: 0 };
            sweep.chunk(chosen, first, &mut chunk);
            far |= chunk.far;
        }
        far == 0
    }
}

struct Chunk<'a, S, const FILL: bool> {
    offsets: [usize; 8],
    couplings: &'a S,
    first: usize,
    tiles: &'a mut [Tile],
    b: &'a mut [Vec3],
    /// Other than zero once a coupling acts that leads further than to a neighbour.
    far: u8,
}

/// Which couplings are chosen, a bit for each row: what is asked of them is which lanes to keep.
impl Steps for [u8; 8] {
    const FAR: bool = true;
}

impl<E: Eight, S: Couplings, const FILL: bool> Stencil<[u8; 8], E, 3> for Chunk<'_, S, FILL> {
    #[inline(always)]
    fn coupling(&mut self, chosen: &[u8; 8], step: usize, row: usize) -> [E; 3] {
        let zero = E::splat(0.0);
        let coupling = self.couplings.coupling::<E>(step, row, row + self.offsets[step], chosen[step]);
        if !FILL {
            return match coupling {
                Some(Coupling { acts, force, .. }) => kept(force, acts & chosen[step]),
                None => [zero; 3],
            };
        }
        let (acts, a, m, force) = match coupling {
            Some(Coupling { acts, a, m, force }) => {
                let acts = acts & chosen[step];
                (acts & filled(a, m), a.kept(acts), kept(m, acts), kept(force, acts))
            }
            None => (0, zero, [zero; 3], [zero; 3]),
        };
        debug_assert!(is_near(step) || nonzero(a) == 0, "a of a coupling that leads further than to a neighbour");
        let tile = &mut self.tiles[(row - self.first) / LANES];
        tile.acting[step] = acts;
        if !is_near(step) {
            self.far |= acts;
        }
        let [x, y, z] = m;
        for (lanes, coefficient) in tile.coupling_mut(step).iter_mut().zip([x, y, z, a]) {
            coefficient.store(lanes);
        }
        force
    }

    #[inline(always)]
    fn finish(&mut self, _chosen: &[u8; 8], row: usize, starting: [E; 3], ending: [E; 3]) {
        let place = row - self.first;
        let mut sums = minus(starting, ending);
        if FILL {
            let (diagonal, own) = self.couplings.diagonal::<E>(row);
            let tile = &mut self.tiles[place / LANES];
            diagonal.store(&mut tile.diagonal);
            tile.diagonal[LANES.min(self.b.len() - place)..].fill(0.0);
            sums = plus(own, sums);
        }
        add(sums, &mut self.b[place..]);
    }
}

/// A bit for each lane in which a I + m mᵀ is not zero.
#[inline(always)]
fn filled<E: Eight>(a: E, m: [E; 3]) -> u8 {
    nonzero(a) | dot(m, m).reaching(E::splat(LEAST))
}

/// The smallest number above zero.
const LEAST: f64 = f64::from_bits(1);

/// A bit for each lane that is not zero.
#[inline(always)]
fn nonzero<E: Eight>(a: E) -> u8 {
    a.reaching(E::splat(LEAST)) | (-a).reaching(E::splat(LEAST))
}

/// Zero where a coupling does not act.
#[inline(always)]
fn kept<E: Eight, const C: usize>(mut lanes: [E; C], acts: u8) -> [E; C] {
    for q in 0..C {
        lanes[q] = lanes[q].kept(acts);
    }
    lanes
}

/// Adds eight rows to the first ones of `b`, or as many as there are.
#[inline(always)]
fn add<E: Eight>(sums: [E; 3], b: &mut [Vec3]) {
    let [mut x, mut y, mut z] = [[0.0; LANES]; 3];
    sums[0].store(&mut x);
    sums[1].store(&mut y);
    sums[2].store(&mut z);
    for (lane, b) in b.iter_mut().take(LANES).enumerate() {
        *b += Vec3::new(x[lane], y[lane], z[lane]);
    }
}
