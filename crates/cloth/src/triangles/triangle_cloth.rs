use std::collections::BTreeMap;

use linsolve::BlockRows;

use super::batches::{Batches, HingePairs, MembranePairs};
use super::fold::{self, Fold};
use super::membrane::{self, Membrane, SlopeBlocks};
use super::{Fabric, TriangleMesh};
use crate::implicit::Splitting;
use crate::stability::numerical_stiffness;
use crate::{Elastic, Energies, Invalid, Linearisation, Mat3, State, System, Vec3};

/// A sheet of triangles that stretch along warp and weft, shear, and bend about the edges between them: the energies of
/// Baraff & Witkin 1998 as Parks & Forsyth 2002 write them.
///
/// Its couplings are the stretch and the shear of each triangle in turn, then the hinges.
#[derive(Clone, Debug)]
pub struct TriangleCloth {
    mesh: TriangleMesh,
    material: Fabric,
    membranes: Vec<Membrane>,
    masses: Vec<f64>,
    pinned: Vec<bool>,
    /// Pairs of particles that share a triangle or a hinge, each once, the smaller one first.
    pairs: Vec<(usize, usize)>,
    membrane_pairs: Vec<MembranePairs>,
    hinge_pairs: Vec<HingePairs>,
    /// The same triangles and hinges eight at a time, where nothing inside the cloth is damped.
    batches: Option<Batches>,
}

impl TriangleCloth {
    /// A sheet of `material` on `mesh`, whose particles `pins` are held. Each corner has a third of the mass of its triangle.
    ///
    /// # Errors
    /// A pin outside the mesh, an area or a mass that is not a normal number above zero, or a quantity of the material outside the
    /// range that its documentation gives.
    pub fn new(mesh: TriangleMesh, material: Fabric, pins: &[usize]) -> Result<TriangleCloth, Invalid> {
        material.check()?;
        let particles = mesh.particle_count();
        let mut pinned = vec![false; particles];
        for &pin in pins {
            *pinned.get_mut(pin).ok_or(Invalid::PinOfMesh { pin, particles })? = true;
        }
        let mut masses = vec![0.0; particles];
        for triangle in mesh.triangles() {
            let share = material.density * positive("the area of a triangle", triangle.area())? / 3.0;
            triangle.corners.iter().for_each(|corner| masses[*corner] += share);
        }
        masses.iter().try_for_each(|mass| positive("the mass of a particle", *mass).map(drop))?;
        let membranes: Vec<Membrane> = mesh.triangles().iter().map(Membrane::new).collect();
        let mut pairs = Vec::with_capacity(mesh.edges().len() + mesh.hinges().len());
        let mut places = BTreeMap::new();
        let mut place = |i: usize, j: usize| {
            let pair = (i.min(j), i.max(j));
            *places.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() - 1
            })
        };
        mesh.edges().iter().for_each(|&[i, j]| {
            place(i, j);
        });
        let of_membrane = |membrane: &Membrane| membrane::PAIRS.map(|(i, j)| place(membrane.corners[i], membrane.corners[j]));
        let membrane_pairs = membranes.iter().map(of_membrane).collect();
        let of_hinge = |hinge| {
            let particles = fold::particles(hinge);
            fold::PAIRS.map(|(i, j)| (place(particles[i], particles[j]), particles[i] > particles[j]))
        };
        let hinge_pairs = mesh.hinges().iter().map(of_hinge).collect();
        let batches = Batches::new(&membranes, mesh.hinges(), &material);
        Ok(TriangleCloth { mesh, material, membranes, masses, pinned, pairs, membrane_pairs, hinge_pairs, batches })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// What it is made of.
    pub fn material(&self) -> &Fabric {
        &self.material
    }

    /// The positions of the mesh, at rest.
    pub fn at_rest(&self) -> State {
        State::at_rest(self.mesh.positions().to_vec())
    }

    /// Kinetic energy of particles with velocities v \[J\].
    pub fn kinetic_energy(&self, v: &[Vec3]) -> f64 {
        v.iter().zip(&self.masses).fold(0.0, |energy, (v, m)| energy + 0.5 * m * v.norm_squared())
    }

    /// Energies of a state; stretch is that of warp and weft.
    pub fn energies(&self, state: &State) -> Energies {
        let mut energies = Energies { kinetic: self.kinetic_energy(&state.v), ..Energies::default() };
        for (x, m) in state.x.iter().zip(&self.masses) {
            energies.gravitational -= m * self.material.gravity.dot(x);
        }
        for membrane in &self.membranes {
            let w = membrane.slopes(&state.x);
            energies.stretch += membrane.stretch_energy(self.stretch(), w);
            energies.shear += membrane.shear_energy(self.material.shear, w);
        }
        for hinge in self.mesh.hinges() {
            if let Some(fold) = Fold::new(fold::particles(hinge).map(|k| state.x[k])) {
                energies.bend += fold.energy(self.material.bend);
            }
        }
        energies
    }

    /// Of warp and weft.
    fn stretch(&self) -> [Elastic; 2] {
        [self.material.warp, self.material.weft]
    }

    fn bends(&self) -> bool {
        self.material.bend.stiffness > 0.0 || self.material.bend.damping > 0.0
    }

    /// Adds to `f` \[N\] the forces of the couplings that `acts` chooses.
    fn add_internal_forces(&self, acts: impl Fn(usize) -> bool, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (k, membrane) in self.membranes.iter().enumerate() {
            let (stretches, shears) = (acts(2 * k), acts(2 * k + 1));
            if stretches || shears {
                let (w, rate) = (membrane.slopes(x), membrane.slopes(v));
                if stretches {
                    membrane.add_force(membrane.stretch_force(self.stretch(), w, rate), f);
                }
                if shears {
                    membrane.add_force(membrane.shear_force(self.material.shear, w, rate), f);
                }
            }
        }
        if self.bends() {
            for (k, hinge) in self.mesh.hinges().iter().enumerate() {
                let particles = fold::particles(hinge);
                if acts(2 * self.membranes.len() + k)
                    && let Some(fold) = Fold::new(particles.map(|k| x[k]))
                {
                    let moment = fold.moment(self.material.bend, &particles.map(|k| v[k]));
                    for (particle, gradient) in particles.into_iter().zip(fold.gradient) {
                        f[particle] += moment * gradient;
                    }
                }
            }
        }
    }

    /// Adds to `f` \[N\] gravity, and drag: each corner bears that on a third of its triangle as it is now, at its own velocity, so
    /// that drag gives no particle power in the frame of the wind.
    fn add_gravity_and_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += *m * self.material.gravity;
        }
        if let Some(drag) = self.material.drag {
            for Membrane { corners, .. } in &self.membranes {
                let [p, q, r] = corners.map(|corner| x[corner]);
                let twice = (q - p).cross(&(r - p));
                let normal = twice.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                for corner in *corners {
                    f[corner] += drag.force(twice.norm() / 6.0, normal, v[corner]);
                }
            }
        }
    }

    /// Adds the linearised stretch and shear.
    fn add_linearised_membranes(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if let Some(batches) = self.batches.as_ref().filter(|_| all(implicit)) {
            return batches.add_linearised_membranes(at, &self.membrane_pairs, a, b);
        }
        let &Linearisation { x, v, w: way, h, g, terms } = at;
        for ((membrane, implicit), pairs) in self.membranes.iter().zip(implicit.chunks_exact(2)).zip(&self.membrane_pairs) {
            if !(implicit[0] || implicit[1]) {
                continue;
            }
            let (w, rate, way) = (membrane.slopes(x), membrane.slopes(v), membrane.slopes(way));
            let (mut impulse, mut blocks) = ([Vec3::zeros(); 2], SlopeBlocks::zeros());
            let mut add = |force: [Vec3; 2], jacobian: membrane::MembraneJacobian| {
                let further = jacobian.position.multiply(way);
                (0..2).for_each(|k| impulse[k] += h * (force[k] + further[k])); // h (f + K w)
                blocks.add_scaled(-h * g, &jacobian.position); // -h D - h g K
                blocks.add_scaled(-h, &jacobian.velocity);
            };
            if implicit[0] {
                let stretch = self.stretch();
                add(membrane.stretch_force(stretch, w, rate), membrane.stretch_jacobian(stretch, w, rate, terms));
            }
            if implicit[1] {
                let shear = self.material.shear;
                add(membrane.shear_force(shear, w, rate), membrane.shear_jacobian(shear, w, rate, terms));
            }
            membrane.add_force(impulse, b);
            for (k, corner) in membrane.corners.into_iter().enumerate() {
                a.add_diagonal(corner, &membrane.block((k, k), &blocks));
            }
            for (between, pair) in membrane::PAIRS.into_iter().zip(pairs) {
                a.add_pair(*pair, &membrane.block(between, &blocks));
            }
        }
    }

    /// Adds the linearised bending.
    fn add_linearised_hinges(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if let Some(batches) = self.batches.as_ref().filter(|_| all(implicit)) {
            return batches.add_linearised_folds(at, &self.hinge_pairs, a, b);
        }
        let &Linearisation { x, v, w: way, h, g, terms } = at;
        let bend = self.material.bend;
        for ((hinge, implicit), pairs) in self.mesh.hinges().iter().zip(implicit).zip(&self.hinge_pairs) {
            let particles = fold::particles(hinge);
            if !implicit {
                continue;
            }
            let Some(fold) = Fold::new(particles.map(|k| x[k])) else { continue };
            let (v, way) = (particles.map(|k| v[k]), particles.map(|k| way[k]));
            let moment = fold.moment(bend, &v);
            let (further, blocks) = fold.jacobian(bend, &v, &way, terms, (-h * g, -h)); // -h D - h g K
            for (k, particle) in particles.into_iter().enumerate() {
                b[particle] += h * (moment * fold.gradient[k] + further[k]); // h (f + K w)
                a.add_diagonal(particle, &blocks.diagonal[k]);
            }
            for (block, &(pair, reversed)) in blocks.above.iter().zip(pairs) {
                if reversed {
                    a.add_pair(pair, &block.transpose());
                } else {
                    a.add_pair(pair, block);
                }
            }
        }
    }
}

impl System for TriangleCloth {
    fn particle_count(&self) -> usize {
        self.mesh.particle_count()
    }

    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a.fill(Vec3::zeros());
        if let Some(batches) = &self.batches {
            batches.add_membrane_forces(x, a);
            if self.bends() {
                batches.add_fold_forces(x, a);
            }
        } else {
            self.add_internal_forces(|_| true, x, v, a);
        }
        self.add_gravity_and_drag(x, v, a);
        for (((a, v), m), pinned) in a.iter_mut().zip(v).zip(&self.masses).zip(&self.pinned) {
            *a = if *pinned { Vec3::zeros() } else { (*a - self.material.air * v) / *m };
        }
    }

    /// Over warp and weft of all triangles.
    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        let slopes = self.membranes.iter().flat_map(|membrane| membrane.slopes(x));
        slopes.map(|slope| slope.norm()).fold(0.0, f64::max)
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn coupling_count(&self) -> usize {
        2 * self.membranes.len() + self.mesh.hinges().len()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairs.clone()
    }

    /// The numerical stiffness of a triangle is that of a spring whose stiffness is the largest eigenvalue of its Hessian in the flat
    /// cloth, k a times the sum of a_i², b_i², or for shear of both: on the cautious side, since a spring of stiffness k between free
    /// particles has the eigenvalue 2 k.
    fn choose_implicit(&self, splitting: &Splitting, dt: f64, _state: &State, implicit: &mut [bool]) {
        let [stretch, shear, bend] = match *splitting {
            Splitting::Implicit | Splitting::AdaptiveSecondOrder { .. } => [true; 3],
            Splitting::Families { stretch, shear, bend } => [stretch, shear, bend],
            Splitting::Adaptive { bend, .. } => [true, true, bend],
        };
        let (of_membranes, of_hinges) = implicit.split_at_mut(2 * self.membranes.len());
        of_hinges.fill(bend);
        for (membrane, implicit) in self.membranes.iter().zip(of_membranes.chunks_exact_mut(2)) {
            implicit.copy_from_slice(&[stretch, shear]);
            if let Splitting::Adaptive { threshold, .. } = *splitting {
                let mass = membrane.corners.iter().map(|corner| self.masses[*corner]).fold(f64::INFINITY, f64::min);
                let [warp, weft] = membrane.squares().map(|square| membrane.area * square);
                let is_stiff = |factor: f64, Elastic { stiffness, damping }| {
                    numerical_stiffness(dt, mass, Elastic { stiffness: factor * stiffness, damping: factor * damping })
                        > threshold
                };
                let Fabric { warp: along_warp, weft: along_weft, shear, .. } = self.material;
                implicit[0] = is_stiff(warp, along_warp) || is_stiff(weft, along_weft);
                implicit[1] = is_stiff(warp + weft, shear);
            }
        }
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.add_internal_forces(|coupling| !implicit[coupling], x, v, f);
        self.add_gravity_and_drag(x, v, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let (of_membranes, of_hinges) = implicit.split_at(2 * self.membranes.len());
        self.add_linearised_membranes(at, of_membranes, a, b);
        if self.bends() {
            self.add_linearised_hinges(at, of_hinges, a, b);
        }
        if self.material.air > 0.0 {
            for (i, v) in at.v.iter().enumerate() {
                b[i] -= at.h * self.material.air * v; // -ka v, with D = -ka I
                a.add_diagonal(i, &(at.h * self.material.air * Mat3::identity()));
            }
        }
    }
}

fn all(implicit: &[bool]) -> bool {
    implicit.iter().all(|implicit| *implicit)
}

/// Refuses what is too small or too large to divide by.
fn positive(quantity: &'static str, value: f64) -> Result<f64, Invalid> {
    let range = "a finite number above zero";
    if value.is_normal() && value > 0.0 { Ok(value) } else { Err(Invalid::OutOfRange { quantity, range, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bend, Terms};
    use linsolve::BlockPattern;
    use linsolve::lanes::InstructionSet;

    /// Forces, and the linear system that they make, as bits.
    fn bits(cloth: &TriangleCloth, x: &[Vec3], way: &[Vec3], terms: Terms) -> Vec<u64> {
        let zeros = vec![Vec3::zeros(); cloth.particle_count()];
        let (mut f, mut b) = (zeros.clone(), zeros.clone());
        cloth.accelerate(x, &zeros, &mut f);
        let mut a = BlockRows::new(BlockPattern::new(cloth.particle_count(), &cloth.pairs()));
        let at = Linearisation { x, v: &zeros, w: way, h: 0.01, g: 0.02, terms };
        cloth.add_linearised(&at, &vec![true; cloth.coupling_count()], &mut a, &mut b);
        let vectors = f.iter().chain(&b).flatten().copied();
        let diagonal = (0..cloth.particle_count()).flat_map(|row| a.diagonal(row).iter().copied().collect::<Vec<_>>());
        let above = (0..cloth.particle_count()).flat_map(|row| a.filled_above(row)).flat_map(|(_, block)| block.iter().copied());
        vectors.chain(diagonal).chain(above).map(|number| (number + 0.0).to_bits()).collect() // zeros without their sign
    }

    #[test]
    fn eight_elements_at_a_time_give_the_bits_of_one_at_a_time() {
        let mesh = TriangleMesh::centred(4, 5, 1.0, 1.3).unwrap();
        let material = Fabric { bend: Bend { stiffness: 0.02, damping: 0.0 }, ..Fabric::default() };
        let cloth = TriangleCloth::new(mesh, material, &[0, 3]).unwrap();
        assert!(!cloth.membranes.len().is_multiple_of(8) || !cloth.mesh.hinges().len().is_multiple_of(8));
        let alone = TriangleCloth { batches: None, ..cloth.clone() };
        let wave = |i: usize, shift: f64| {
            let i = i as f64;
            Vec3::new(libm::sin(3.1 * i + shift), libm::cos(5.3 * i), libm::sin(7.7 * i * i - shift))
        };
        let flat = cloth.at_rest().x;
        let moved = |by: f64| -> Vec<Vec3> { flat.iter().enumerate().map(|(i, x)| x + by * wave(i, 0.2)).collect() };
        let mut collapsed = moved(0.1);
        let [i, j] = cloth.mesh.hinges()[5].edge;
        collapsed[i] = collapsed[j]; // triangles without an area
        let point = vec![Vec3::new(0.3, 0.2, 0.1); flat.len()]; // no extent at all
        let way: Vec<Vec3> = (0..flat.len()).map(|i| 0.1 * wave(i, 0.9)).collect();
        for x in [flat.clone(), moved(1e-9), moved(0.02), moved(0.3), moved(5.0), collapsed, point] {
            for terms in [Terms::Exact, Terms::Filtered, Terms::DampingByPosition] {
                let expected = bits(&alone, &x, &way, terms);
                for set in InstructionSet::supported() {
                    let batches = cloth.batches.clone().map(|batches| batches.on(set));
                    let found = bits(&TriangleCloth { batches, ..cloth.clone() }, &x, &way, terms);
                    assert_eq!(found, expected, "{set}, {terms:?}, from {}", x[1]);
                }
            }
        }
    }

    #[test]
    fn damped_cloth_is_taken_one_element_at_a_time() {
        let material = Fabric { shear: Elastic { stiffness: 1.0, damping: 0.1 }, ..Fabric::default() };
        let mesh = TriangleMesh::centred(2, 2, 1.0, 1.0).unwrap();
        assert!(TriangleCloth::new(mesh, material, &[]).unwrap().batches.is_none());
    }
}
