mod differentiable;

use std::collections::HashMap;

use linsolve::BlockRows;
use linsolve::lanes::{InstructionSet, Vector};

use super::elements::{Acting, Eights, Elements, Forces, Linearised, Pairs, Part, Point};
use super::membranes::{self, Membrane};
use super::{Fabric, FoldLaw, Hinge, TriangleMesh, curvature, folds};
use crate::flexure::{Flexure, Stencil};
use crate::implicit::{Splitting, add_air};
use crate::invalid::normal;
use crate::stability::numerical_stiffness;
use crate::system::median_energy;
use crate::unforeseen::Turned;
use crate::{DampingForm, Elastic, Energies, Linearisation, ModelError, Potential, State, System, Vec3};

/// A sheet of triangles that stretch along warp and weft, shear, and bend about the edges between them: the conditions of
/// Baraff & Witkin 1998 and Parks & Forsyth 2002, whose energies are weighed as [`Weighting`](super::Weighting) says.
///
/// Its couplings are the stretch and the shear of each triangle in turn, then the hinges, or what else resists bending.
#[derive(Clone, Debug)]
pub struct TriangleCloth {
    mesh: TriangleMesh,
    material: Fabric,
    elements: Elements<1>,
    /// Bending that is quadratic in positions, of which `elements` has none then.
    flexure: Flexure,
    masses: Vec<f64>,
    pinned: Vec<bool>,
    /// Pairs of particles that share a triangle, a hinge or a stencil, each once, the smaller one first.
    pairs: Vec<(usize, usize)>,
    /// Places in these.
    places: Pairs,
    /// None where something inside the cloth is damped.
    eights: Option<Eights>,
}

impl TriangleCloth {
    /// A sheet of `material` on `mesh`, whose particles `pins` are held. Each corner has a third of the mass of its triangle.
    ///
    /// # Errors
    /// A pin outside the mesh, an area or a mass that is not a normal number above zero, or a quantity of the material outside the
    /// range that its documentation gives.
    pub fn new(mesh: TriangleMesh, material: Fabric, pins: &[usize]) -> Result<TriangleCloth, ModelError> {
        material.check()?;
        let particles = mesh.particle_count();
        let mut pinned = vec![false; particles];
        for &pin in pins {
            *pinned.get_mut(pin).ok_or(ModelError::PinOfMesh { pin, particles })? = true;
        }
        let mut masses = vec![0.0; particles];
        for triangle in mesh.triangles() {
            let share = material.density * normal("the area of a triangle", triangle.area())? / 3.0;
            triangle.corners.iter().for_each(|corner| masses[*corner] += share);
        }
        for &mass in &masses {
            normal("the mass of a particle", mass)?;
        }
        let membranes: Vec<Membrane> =
            mesh.triangles().iter().map(|triangle| Membrane::new(triangle, material.weighting)).collect();
        let mut pairs = Vec::with_capacity(mesh.edges().len() + mesh.hinges().len());
        let mut places = HashMap::new();
        let mut place = |i: usize, j: usize| {
            let pair = (i.min(j), i.max(j));
            *places.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })
        };
        mesh.edges().iter().for_each(|&[i, j]| {
            place(i, j);
        });
        let of_membrane = |membrane: &Membrane| {
            let corners = membrane.particles();
            membranes::PAIRS.map(|(i, j)| (place(corners[i], corners[j]), false))
        };
        let membrane_pairs = membranes.iter().map(of_membrane).collect();
        let of_hinge = |hinge| {
            let particles = folds::particles(hinge);
            folds::PAIRS.map(|(i, j)| (place(particles[i], particles[j]), particles[i] > particles[j]))
        };
        let hinge_pairs: Vec<_> = mesh.hinges().iter().map(of_hinge).collect();
        let elastic = Elastic { stiffness: material.bend.stiffness, damping: material.bend.damping };
        let flat = |hinge: &Hinge| Stencil::of_hinge(&mesh, hinge, elastic);
        let (folds, stencils): (Vec<(&Hinge, f64)>, _) = match material.fold_law {
            FoldLaw::PerHinge => (mesh.hinges().iter().map(|hinge| (hinge, 1.0)).collect(), vec![]),
            FoldLaw::Shells => (mesh.hinges().iter().map(|hinge| (hinge, mesh.slenderness(hinge))).collect(), vec![]),
            FoldLaw::Quadratic => (vec![], mesh.hinges().iter().map(flat).collect()),
            FoldLaw::Curvature(shares) => (vec![], curvature::stencils(&mesh, shares, material.bend)),
        };
        let flexure = Flexure::new(stencils, DampingForm::Projected, place);
        let places = Pairs { membranes: membrane_pairs, hinges: hinge_pairs };
        let elements = Elements::new(&membranes, &folds);
        let eights = || Eights { elements: Elements::new(&membranes, &folds), set: InstructionSet::best() };
        let eights = (!material.is_damped()).then(eights);
        Ok(TriangleCloth { mesh, material, elements, flexure, masses, pinned, pairs, places, eights })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// What it is made of.
    pub fn material(&self) -> &Fabric {
        &self.material
    }

    /// Changes the wind of its drag \[m/s\], if it has any.
    pub fn set_wind(&mut self, wind: Vec3) {
        self.material.drag.iter_mut().for_each(|drag| drag.wind = wind);
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
        let mut energies = Energies::of_particles(state, &self.masses, &self.material.gravity);
        self.add_elastic(&state.x, &mut energies);
        energies
    }

    /// Adds the energies of all elements.
    fn add_elastic(&self, x: &[Vec3], energies: &mut Energies) {
        for membrane in &self.elements.membranes {
            let w = membrane.slopes(x);
            energies.stretch += membrane.stretch_energy(self.material.stretch(), w);
            energies.shear += membrane.shear_energy(self.material.shear, w);
        }
        for fold in &self.elements.folds {
            energies.bend += fold.energy(self.material.bend, x);
        }
        energies.bend += self.flexure.energy(x);
    }

    /// Adds to `f` \[N\] gravity, and drag.
    fn add_gravity_and_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += *m * self.material.gravity;
        }
        self.add_drag(x, v, f);
    }

    /// Adds drag to `f` \[N\].
    pub(crate) fn add_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        if let Some(drag) = self.material.drag {
            let triangles = self.elements.membranes.iter().map(Membrane::particles);
            triangles.for_each(|corners| drag.add_to_triangle(corners, x, v, f));
        }
    }
}

impl System for TriangleCloth {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a.fill(Vec3::zeros());
        match &self.eights {
            Some(Eights { elements, set }) => set.run(Forces { elements, fabric: &self.material, x, f: a }),
            None => self.elements.add_forces_of(&self.material, Acting::All, x, v, a),
        }
        self.flexure.add_all_forces(x, v, a);
        self.add_gravity_and_drag(x, v, a);
        for (((a, v), m), pinned) in a.iter_mut().zip(v).zip(&self.masses).zip(&self.pinned) {
            *a = if *pinned { Vec3::zeros() } else { (*a - self.material.air * v) / *m };
        }
    }

    /// Over warp and weft of all triangles.
    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        let slopes = self.elements.membranes.iter().flat_map(|membrane| membrane.slopes(x));
        slopes.map(|slope| slope.norm()).fold(0.0, f64::max)
    }

    fn triangles(&self) -> Option<&TriangleMesh> {
        Some(&self.mesh)
    }

    fn strain_energy(&self) -> Option<f64> {
        let Fabric { warp, weft, weighting, .. } = self.material;
        let stiffness = warp.stiffness.min(weft.stiffness);
        median_energy(self.mesh.triangles().iter().map(|triangle| stiffness * weighting.of(triangle.area())))
    }

    fn unforeseen_strain(&self, hg: f64, x: &[Vec3], next: &[Vec3], enough: f64) -> f64 {
        let mut most: f64 = 0.0;
        for membrane in &self.elements.membranes {
            let [before, after] = [membrane.slopes(x), membrane.slopes(next)];
            for (k, elastic) in [self.material.warp, self.material.weft].into_iter().enumerate() {
                let turned = Turned { from: before[k], to: after[k], rest: 1.0, acts: true, pushes: true };
                if turned.is_far(enough) {
                    let gives = |i: usize| if self.pinned[i] { 0.0 } else { 1.0 / self.masses[i] };
                    most = most.max(turned.strain(hg * elastic.stiffness * membrane.mobility(gives)[k]));
                }
            }
        }
        most
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn resistance(&self, _particle: usize) -> Option<f64> {
        Some(self.material.air)
    }

    fn coupling_count(&self) -> usize {
        2 * self.elements.membranes.len() + self.elements.folds.len() + self.flexure.count()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairs.clone()
    }

    /// The numerical stiffness of a triangle is that of a spring whose stiffness is the largest eigenvalue of its Hessian in the
    /// flat cloth, k a times the sum of a_i², b_i², or for shear of both: on the cautious side, since a spring of stiffness k
    /// between free particles has the eigenvalue 2 k.
    fn choose_implicit(&self, splitting: &Splitting, dt: f64, _state: &State, implicit: &mut [bool]) {
        let [stretch, shear, bend] = match *splitting {
            Splitting::Implicit | Splitting::AdaptiveSecondOrder { .. } => [true; 3],
            Splitting::Families { stretch, shear, bend } => [stretch, shear, bend],
            Splitting::Adaptive { bend, .. } => [true, true, bend],
        };
        let (of_membranes, of_hinges) = implicit.split_at_mut(2 * self.elements.membranes.len());
        of_hinges.fill(bend);
        for (membrane, implicit) in self.elements.membranes.iter().zip(of_membranes.chunks_exact_mut(2)) {
            implicit.copy_from_slice(&[stretch, shear]);
            if let Splitting::Adaptive { threshold, .. } = *splitting {
                let mass = membrane.particles().iter().map(|corner| self.masses[*corner]).fold(f64::INFINITY, f64::min);
                let [warp, weft] = membrane.sizes();
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
        self.elements.add_forces_of(&self.material, Acting::Flagged(implicit, false), x, v, f);
        self.flexure.add_forces((&implicit[2 * self.elements.membranes.len()..], false), x, v, f);
        self.add_gravity_and_drag(x, v, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let (of_membranes, of_hinges) = implicit.split_at(2 * self.elements.membranes.len());
        for (part, implicit) in [(Part::Membranes, of_membranes), (Part::Bending, of_hinges)] {
            match &self.eights {
                _ if part == Part::Bending && !self.material.bends() => {}
                Some(Eights { elements, set }) if !implicit.contains(&false) => {
                    set.run(Linearised { elements, fabric: &self.material, part, at, pairs: &self.places, a, b });
                }
                _ => {
                    let (acting, point) = (Acting::Flagged(implicit, true), Point::of(at, self.material.is_damped()));
                    self.elements.add_linearised::<Vector<1>>(&self.material, (part, acting), &point, &self.places, a, b);
                }
            }
        }
        self.flexure.add_linearised(at, of_hinges, a, b);
        add_air(a, b, self.material.air, at);
    }

    /// Stretch is quadratic in the distance of a slope from its direction; shear is at most twice as curved as slopes are in both
    /// directions, about rest; bending as the square of the angle of a hinge is where it is flat.
    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        let of = |elastic: Elastic| elastic.stiffness + elastic.damping / h;
        let Fabric { warp, weft, shear, bend, .. } = self.material;
        for membrane in &self.elements.membranes {
            let along = [of(warp) + 2.0 * of(shear), of(weft) + 2.0 * of(shear)];
            membrane.add_curvatures(along, add);
        }
        let bending = bend.stiffness + bend.damping / h;
        for hinge in self.mesh.hinges().iter().filter(|_| bending > 0.0 && !self.elements.folds.is_empty()) {
            let bending =
                if self.material.fold_law == FoldLaw::Shells { self.mesh.slenderness(hinge) * bending } else { bending };
            let particles = folds::particles(hinge);
            let gradient = self.mesh.flat_gradient(hinge); // c_i of theta = sum of c_i n·x_i, whose sum is zero
            for (i, j) in folds::PAIRS {
                add(particles[i], particles[j], -bending * gradient[i] * gradient[j]);
            }
        }
        self.flexure.add_curvatures(h, add);
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        if self.material.is_damped() {
            return None;
        }
        let mut energies = Energies::default();
        self.add_elastic(x, &mut energies);
        Some(Potential { energy: energies.internal(), ..Potential::of_air(self.material.air, v) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangles::Shares;
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
        [FoldLaw::PerHinge, FoldLaw::Shells, FoldLaw::Quadratic, FoldLaw::Curvature(Shares::ALIKE)]
            .into_iter()
            .for_each(eight_give_the_bits_of_one);
    }

    fn eight_give_the_bits_of_one(fold_law: FoldLaw) {
        let mesh = TriangleMesh::centred(4, 5, 1.0, 1.3).unwrap();
        let material = Fabric { bend: Bend { stiffness: 0.02, damping: 0.0 }, fold_law, ..Fabric::default() };
        let cloth = TriangleCloth::new(mesh, material, &[0, 3]).unwrap();
        assert!(!cloth.elements.membranes.len().is_multiple_of(8) || !cloth.mesh.hinges().len().is_multiple_of(8));
        let alone = TriangleCloth { eights: None, ..cloth.clone() };
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
                    let eights = cloth.eights.clone().map(|eights| Eights { set, ..eights });
                    let found = bits(&TriangleCloth { eights, ..cloth.clone() }, &x, &way, terms);
                    assert_eq!(found, expected, "{set}, {terms:?}, from {}", x[1]);
                }
            }
        }
    }

    #[test]
    fn damped_cloth_is_taken_one_element_at_a_time() {
        let material = Fabric { shear: Elastic { stiffness: 1.0, damping: 0.1 }, ..Fabric::default() };
        let mesh = TriangleMesh::centred(2, 2, 1.0, 1.0).unwrap();
        assert!(TriangleCloth::new(mesh, material, &[]).unwrap().eights.is_none());
    }
}
