use linsolve::BlockRows;
use linsolve::lanes::{Eight, InstructionSet, Kernel, Lanes, Vector};

use super::blocks::{self, StoredBlocks, StoredVectors};
use super::folds::Folds;
use super::membranes::{Membrane, Membranes};
use super::{Fabric, Hinge};
use crate::{Linearisation, Terms, Vec3};

/// The place of a pair of particles in a matrix, and whether they are the other way round there.
pub(super) type Pair = (u32, bool);

/// The pairs of the corners of all triangles and of the particles of all hinges.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    pub membranes: Vec<[Pair; 3]>,
    pub hinges: Vec<[Pair; 6]>,
}

/// All triangles and hinges of a sheet, W at a time. What each adds is added in their order, and every sum in them has one order,
/// so that the bits do not depend on W.
#[derive(Clone, Debug)]
pub(super) struct Elements<const W: usize> {
    pub membranes: Vec<Membranes<W>>,
    pub folds: Vec<Folds<W>>,
}

/// The couplings of all triangles, stretch and shear of each in turn, or those of all hinges.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Membranes,
    Bending,
}

/// Which couplings act.
#[derive(Clone, Copy)]
pub(super) enum Acting<'a> {
    All,
    /// Those with this flag, where elements come one at a time.
    Flagged(&'a [bool], bool),
}

impl Acting<'_> {
    #[inline(always)]
    fn acts(self, coupling: usize) -> bool {
        match self {
            Acting::All => true,
            Acting::Flagged(flags, flag) => flags[coupling] == flag,
        }
    }
}

/// Where elements are linearised, and what is added of them.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    /// \[m\]
    pub x: &'a [Vec3],
    /// \[m/s\]; none where nothing is damped.
    pub v: Option<&'a [Vec3]>,
    /// w \[m\]
    pub way: &'a [Vec3],
    pub terms: Terms,
    /// h, the factor of f + K w.
    pub h: f64,
    /// Those of K and of D: -h g and -h.
    pub factors: [f64; 2],
}

impl<'a> Point<'a> {
    #[inline(always)]
    pub fn of(&Linearisation { x, v, w, h, g, terms }: &Linearisation<'a>, damped: bool) -> Point<'a> {
        Point { x, v: if damped { Some(v) } else { None }, way: w, terms, h, factors: [-h * g, -h] }
    }
}

/// What W elements of N particles with P pairs add to a linear system, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct Added<const W: usize, const N: usize, const P: usize> {
    /// h (f + K w).
    pub impulse: [StoredVectors<W>; N],
    /// -h D - h g K at the particles.
    pub diagonal: [StoredBlocks<W>; N],
    /// -h D - h g K between them.
    pub above: [StoredBlocks<W>; P],
}

impl<const W: usize, const N: usize, const P: usize> Added<W, N, P> {
    pub fn zeros() -> Added<W, N, P> {
        Added { impulse: [[[0.0; W]; 3]; N], diagonal: [[[0.0; W]; 9]; N], above: [[[0.0; W]; 9]; P] }
    }

    /// Adds that of a lane.
    #[inline(always)]
    fn add(&self, lane: usize, particles: &[[u32; W]; N], pairs: &[Pair; P], a: &mut BlockRows, b: &mut [Vec3]) {
        for k in 0..N {
            let particle = particles[k][lane] as usize;
            b[particle] += blocks::vector(&self.impulse[k], lane);
            a.add_diagonal(particle, &blocks::block(&self.diagonal[k], lane));
        }
        for (above, &(pair, reversed)) in self.above.iter().zip(pairs) {
            let block = blocks::block(above, lane);
            a.add_pair(pair as usize, &if reversed { block.transpose() } else { block });
        }
    }
}

impl<const W: usize> Elements<W> {
    /// In batches of W.
    pub fn new(membranes: &[Membrane], hinges: &[(&Hinge, f64)]) -> Elements<W> {
        Elements { membranes: Membranes::batches(membranes), folds: Folds::batches(hinges) }
    }

    /// Adds the forces of stretch, shear and bending to `f` \[N\].
    #[inline(always)]
    fn add_forces<E: Lanes<W, Number = f64>>(
        &self,
        fabric: &Fabric,
        acting: Acting,
        x: &[Vec3],
        v: Option<&[Vec3]>,
        f: &mut [Vec3],
    ) {
        let mut forces = [[[[0.0; W]; 3]; 3]; 2];
        for (k, batch) in self.membranes.iter().enumerate() {
            let acts = [acting.acts(2 * k), acting.acts(2 * k + 1)];
            if !(acts[0] || acts[1]) {
                continue;
            }
            batch.forces::<E>(fabric, acts, x, v, &mut forces);
            for lane in 0..batch.count {
                for part in 0..2 {
                    for corner in 0..3 {
                        if acts[part] {
                            f[batch.corners[corner][lane] as usize] += blocks::vector(&forces[part][corner], lane);
                        }
                    }
                }
            }
        }
        if !fabric.bends() {
            return;
        }
        let mut forces = [[[0.0; W]; 3]; 4];
        for (k, batch) in self.folds.iter().enumerate() {
            if !acting.acts(2 * self.membranes.len() + k) {
                continue;
            }
            let sound = batch.forces::<E>(fabric.bend, x, v, &mut forces);
            for lane in 0..batch.count {
                if sound >> lane & 1 == 1 {
                    for (force, particles) in forces.iter().zip(&batch.particles) {
                        f[particles[lane] as usize] += blocks::vector(force, lane);
                    }
                }
            }
        }
    }

    /// Adds stretch and shear or bending, linearised.
    #[inline(always)]
    pub fn add_linearised<E: Lanes<W, Number = f64>>(
        &self,
        fabric: &Fabric,
        (part, acting): (Part, Acting),
        at: &Point,
        pairs: &Pairs,
        a: &mut BlockRows,
        b: &mut [Vec3],
    ) {
        if part == Part::Bending {
            let mut added = Added::zeros();
            for (k, (batch, pairs)) in self.folds.iter().zip(pairs.hinges.chunks(W)).enumerate() {
                if acting.acts(k) {
                    let sound = batch.linearise::<E>(fabric.bend, at, &mut added);
                    for (lane, pairs) in pairs.iter().enumerate() {
                        if sound >> lane & 1 == 1 {
                            added.add(lane, &batch.particles, pairs, a, b);
                        }
                    }
                }
            }
            return;
        }
        let mut added = Added::zeros();
        for (k, (batch, pairs)) in self.membranes.iter().zip(pairs.membranes.chunks(W)).enumerate() {
            let acts = [acting.acts(2 * k), acting.acts(2 * k + 1)];
            if acts[0] || acts[1] {
                batch.linearise::<E>(fabric, acts, at, &mut added);
                for (lane, pairs) in pairs.iter().enumerate() {
                    added.add(lane, &batch.corners, pairs, a, b);
                }
            }
        }
    }
}

impl Elements<1> {
    /// Adds the forces of the couplings that act to `f` \[N\].
    pub fn add_forces_of(&self, fabric: &Fabric, acting: Acting, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.add_forces::<Vector<1>>(fabric, acting, x, fabric.is_damped().then_some(v), f);
    }
}

/// All elements of a sheet without internal damping, eight at a time.
#[derive(Clone, Debug)]
pub(super) struct Eights {
    pub elements: Elements<8>,
    pub set: InstructionSet,
}

/// Adds all forces to `f` \[N\].
pub(super) struct Forces<'a> {
    pub elements: &'a Elements<8>,
    pub fabric: &'a Fabric,
    pub x: &'a [Vec3],
    pub f: &'a mut [Vec3],
}

impl Kernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        self.elements.add_forces::<E>(self.fabric, Acting::All, self.x, None, self.f);
    }
}

/// Adds all couplings of a part, linearised.
pub(super) struct Linearised<'a> {
    pub elements: &'a Elements<8>,
    pub fabric: &'a Fabric,
    pub part: Part,
    pub at: &'a Linearisation<'a>,
    pub pairs: &'a Pairs,
    pub a: &'a mut BlockRows,
    pub b: &'a mut [Vec3],
}

impl Kernel for Linearised<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let point = Point::of(self.at, false);
        self.elements.add_linearised::<E>(self.fabric, (self.part, Acting::All), &point, self.pairs, self.a, self.b);
    }
}
