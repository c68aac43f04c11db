use linsolve::BlockRows;
use linsolve::lanes::{Eight, InstructionSet, Kernel};

use super::eight_folds::{EightFolds, LinearFolds};
use super::eight_membranes::{EightMembranes, LinearMembranes, Stiffness};
use super::eights::{self, LANES};
use super::membrane::Membrane;
use super::{Fabric, Hinge};
use crate::{Linearisation, Vec3};

/// The pairs of the corners of a membrane.
pub(super) type MembranePairs = [usize; 3];

/// The pairs of the particles of a hinge, and whether the pair is the other way round.
pub(super) type HingePairs = [(usize, bool); 6];

/// All triangles and hinges of a sheet without internal damping, eight at a time. What each adds is added in their order, so that the bits are
/// those of one at a time.
#[derive(Clone, Debug)]
pub(super) struct Batches {
    membranes: Vec<EightMembranes>,
    folds: Vec<EightFolds>,
    stiffness: Stiffness,
    bend: f64,
    set: InstructionSet,
}

impl Batches {
    /// None for a material with internal damping.
    pub fn new(membranes: &[Membrane], hinges: &[Hinge], material: &Fabric) -> Option<Batches> {
        let Fabric { warp, weft, shear, bend, .. } = material;
        let damped = [warp.damping, weft.damping, shear.damping, bend.damping].iter().any(|damping| *damping > 0.0);
        (!damped).then(|| Batches {
            membranes: EightMembranes::batches(membranes),
            folds: EightFolds::batches(hinges),
            stiffness: Stiffness { stretch: [warp.stiffness, weft.stiffness], shear: shear.stiffness },
            bend: bend.stiffness,
            set: InstructionSet::best(),
        })
    }

    /// The same on another instruction set.
    #[cfg(test)]
    pub fn on(self, set: InstructionSet) -> Batches {
        Batches { set, ..self }
    }

    /// Adds the forces of stretch and shear to `f` \[N\].
    pub fn add_membrane_forces(&self, x: &[Vec3], f: &mut [Vec3]) {
        self.set.run(MembraneForces { batches: self, x, f });
    }

    /// Adds the forces of bending to `f` \[N\].
    pub fn add_fold_forces(&self, x: &[Vec3], f: &mut [Vec3]) {
        self.set.run(FoldForces { batches: self, x, f });
    }

    /// Adds the linearised stretch and shear.
    pub fn add_linearised_membranes(&self, at: &Linearisation, pairs: &[MembranePairs], a: &mut BlockRows, b: &mut [Vec3]) {
        self.set.run(LinearisedMembranes { batches: self, at, pairs, a, b });
    }

    /// Adds the linearised bending.
    pub fn add_linearised_folds(&self, at: &Linearisation, pairs: &[HingePairs], a: &mut BlockRows, b: &mut [Vec3]) {
        self.set.run(LinearisedFolds { batches: self, at, pairs, a, b });
    }
}

struct MembraneForces<'a> {
    batches: &'a Batches,
    x: &'a [Vec3],
    f: &'a mut [Vec3],
}

impl Kernel for MembraneForces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let mut forces = [[[[0.0; LANES]; 3]; 3]; 2];
        for batch in &self.batches.membranes {
            batch.forces::<E>(self.batches.stiffness, self.x, &mut forces);
            for lane in 0..batch.count {
                for force in &forces {
                    for corner in 0..3 {
                        self.f[batch.corners[corner][lane] as usize] += eights::vector(&force[corner], lane);
                    }
                }
            }
        }
    }
}

struct FoldForces<'a> {
    batches: &'a Batches,
    x: &'a [Vec3],
    f: &'a mut [Vec3],
}

impl Kernel for FoldForces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let mut forces = [[[0.0; LANES]; 3]; 4];
        for batch in &self.batches.folds {
            let sound = batch.forces::<E>(self.batches.bend, self.x, &mut forces);
            for lane in (0..batch.count).filter(|lane| sound >> lane & 1 == 1) {
                for (force, particles) in forces.iter().zip(&batch.particles) {
                    self.f[particles[lane] as usize] += eights::vector(force, lane);
                }
            }
        }
    }
}

struct LinearisedMembranes<'a> {
    batches: &'a Batches,
    at: &'a Linearisation<'a>,
    pairs: &'a [MembranePairs],
    a: &'a mut BlockRows,
    b: &'a mut [Vec3],
}

impl Kernel for LinearisedMembranes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let &Linearisation { x, w, h, g, terms, .. } = self.at;
        let mut linear = LinearMembranes::zeros();
        for (batch, pairs) in self.batches.membranes.iter().zip(self.pairs.chunks(LANES)) {
            batch.linearise::<E>(self.batches.stiffness, [x, w], [h, g], terms, &mut linear);
            for (lane, pairs) in pairs.iter().enumerate() {
                for k in 0..3 {
                    let corner = batch.corners[k][lane] as usize;
                    self.b[corner] += eights::vector(&linear.impulse[k], lane);
                    self.a.add_diagonal(corner, &eights::block(&linear.diagonal[k], lane));
                    self.a.add_pair(pairs[k], &eights::block(&linear.above[k], lane));
                }
            }
        }
    }
}

struct LinearisedFolds<'a> {
    batches: &'a Batches,
    at: &'a Linearisation<'a>,
    pairs: &'a [HingePairs],
    a: &'a mut BlockRows,
    b: &'a mut [Vec3],
}

impl Kernel for LinearisedFolds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let &Linearisation { x, w, h, g, terms, .. } = self.at;
        let mut linear = LinearFolds::zeros();
        for (batch, pairs) in self.batches.folds.iter().zip(self.pairs.chunks(LANES)) {
            batch.linearise::<E>(self.batches.bend, [x, w], [h, g], terms, &mut linear);
            for (lane, pairs) in pairs.iter().enumerate().filter(|(lane, _)| linear.sound >> lane & 1 == 1) {
                for k in 0..4 {
                    let particle = batch.particles[k][lane] as usize;
                    self.b[particle] += eights::vector(&linear.impulse[k], lane);
                    self.a.add_diagonal(particle, &eights::block(&linear.diagonal[k], lane));
                }
                for (above, &(pair, reversed)) in linear.above.iter().zip(pairs) {
                    let block = eights::block(above, lane);
                    self.a.add_pair(pair, &if reversed { block.transpose() } else { block });
                }
            }
        }
    }
}
