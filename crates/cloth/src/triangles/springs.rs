use std::collections::{BTreeSet, HashSet};

use super::faces::Span;
use super::{Hinge, Triangle, TriangleMesh};
use crate::invalid::{non_negative, normal, positive};
use crate::{DampingForm, Drag, Elastic, Material, ModelError, Net, NetSpring, Stiffening};

/// What a mesh of springs is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringMaterial {
    /// rho, areal density \[kg/m²\], > 0.
    pub density: f64,
    /// Springs along the sides of faces.
    pub stretch: Elastic,
    /// Springs along both diagonals of quads; meshes of triangles have none.
    pub shear: Elastic,
    /// Springs across the sides, between the third corners of two triangles, or along the rows of quads over two of them; they act
    /// both ways.
    pub bend: Elastic,
    /// Whether the springs of stretch and shear act in compression too; they are slack otherwise.
    pub compression: bool,
    /// How springs are damped.
    pub damping: DampingForm,
    /// A knee in the stiffness of stretch and shear.
    pub stiffening: Option<Stiffening>,
    /// How much heavier particles on the borders are than their share of the faces \[-\], > 0: a hem; 1 without one.
    pub hem: f64,
    /// ka, linear air resistance of a particle, f = -ka v \[N s/m\], >= 0.
    pub air: f64,
    /// Drag on the triangles.
    pub drag: Option<Drag>,
}

impl SpringMaterial {
    /// Whether its dampers have a potential: there are none, or plain ones on springs that always act, as those of bending do.
    pub fn has_potential(&self) -> bool {
        let is_plain = self.damping == DampingForm::Plain;
        let of_faces = self.stretch.damping + self.shear.damping == 0.0 || (is_plain && self.compression);
        of_faces && (self.bend.damping == 0.0 || is_plain)
    }
}

impl Default for SpringMaterial {
    /// As stiff and as heavy as [`Material::default`], the dampers plain.
    fn default() -> SpringMaterial {
        let Material { density, stretch, shear, bend, .. } = Material::default();
        SpringMaterial {
            density,
            stretch,
            shear,
            bend: Elastic { stiffness: bend, damping: 0.0 },
            compression: false,
            damping: DampingForm::Plain,
            stiffening: None,
            hem: 1.0,
            air: 0.0,
            drag: None,
        }
    }
}

impl TriangleMesh {
    /// The particles' masses \[kg\] of cloth of a `density` \[kg/m²\]: a third of each triangle, shape \[particle_count\]
    /// \[Stuyck 2018\], a quarter of each quad.
    pub fn masses(&self, density: f64) -> Vec<f64> {
        let mut masses = vec![0.0; self.particle_count()];
        for face in self.faces() {
            let share = density * face.area() / face.corner_count() as f64;
            face.corners().for_each(|corner| masses[corner] += share);
        }
        masses
    }

    /// Mass-spring cloth on this mesh, held at `pins`: springs along its sides and across them \[Stuyck 2018\], and along the
    /// diagonals of quads, as long at rest as in the cloth as it was cut. Where two pieces of different lengths are sewn together, the
    /// rest length is their mean.
    ///
    /// # Errors
    /// A pin outside the mesh, a density that is not a finite number above zero, a stiffness or damping below zero, or another
    /// quantity outside the range that its documentation gives.
    pub fn springs(&self, material: &SpringMaterial, pins: &[usize]) -> Result<Net, ModelError> {
        let &SpringMaterial { density, stretch, shear, bend, compression, damping, stiffening, hem, air, drag } = material;
        positive("the areal density", density)?;
        normal("the factor of the hem", hem)?;
        non_negative("the air resistance", air)?;
        stiffening.map_or(Ok(()), |stiffening| stiffening.check())?;
        drag.map_or(Ok(()), |drag| drag.check())?;
        let mut pinned = vec![false; self.particle_count()];
        for &pin in pins {
            *pinned.get_mut(pin).ok_or(ModelError::PinOfMesh { pin, particles: self.particle_count() })? = true;
        }
        let of = |elastic| move |(i, j, rest): Span| NetSpring { i, j, rest, elastic };
        let families = [
            self.sides().into_iter().map(|side| of(stretch)((side.i, side.j, side.rest))).collect(),
            self.diagonals().into_iter().map(of(shear)).collect(),
            self.rows().into_iter().map(of(bend)).collect(),
        ];
        let mut masses = self.masses(density);
        self.borders().into_iter().for_each(|particle| masses[particle] *= hem);
        let mut net = Net::of_families(masses, pinned, families, compression)?;
        net.faces = self.triangles().iter().map(|triangle| triangle.corners).collect();
        (net.damping, net.stiffening, net.resistance, net.drag) = (damping, stiffening, air, drag);
        Ok(net)
    }

    /// The particles on its borders, ascending: at the ends of edges of one triangle.
    pub fn borders(&self) -> Vec<usize> {
        let within: HashSet<[usize; 2]> = self.hinges().iter().map(|Hinge { edge: [i, j], .. }| [*i.min(j), *i.max(j)]).collect();
        let open = self.edges().iter().filter(|edge| !within.contains(*edge));
        open.flatten().copied().collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// Length of each edge as it was cut, the mean over its triangles \[m\].
    pub(super) fn edge_lengths(&self) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.edges().len()];
        for Triangle { corners, material } in self.triangles() {
            for k in 0..3 {
                let (i, j) = (corners[k], corners[(k + 1) % 3]);
                if let Ok(edge) = self.edges().binary_search(&[i.min(j), i.max(j)]) {
                    sums[edge].0 += (material[(k + 1) % 3] - material[k]).norm();
                    sums[edge].1 += 1.0;
                }
            }
        }
        sums.into_iter().map(|(sum, count)| sum / count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Settings, Splitting};
    use crate::integrators::{BackwardEuler, Integrator};
    use crate::triangles::Vec2;
    use crate::{Linearisation, State, System, Terms, Vec3};
    use linsolve::{BlockPattern, BlockRows, Operator};
    use proptest::prelude::*;

    const MATERIAL: SpringMaterial = SpringMaterial {
        density: 0.3,
        stretch: Elastic { stiffness: 40.0, damping: 0.0 },
        shear: Elastic { stiffness: 11.0, damping: 0.0 },
        bend: Elastic { stiffness: 7.0, damping: 0.0 },
        compression: false,
        damping: DampingForm::Plain,
        stiffening: None,
        hem: 1.0,
        air: 0.0,
        drag: None,
    };

    fn flag() -> TriangleMesh {
        TriangleMesh::centred(3, 4, 0.8, 1.1).unwrap()
    }

    /// Without gravity.
    fn weightless(mesh: &TriangleMesh, material: SpringMaterial) -> Net {
        let mut net = mesh.springs(&material, &[]).unwrap();
        net.gravity = Vec3::zeros();
        net
    }

    #[test]
    fn masses_are_thirds_of_triangles_and_sum_to_density_times_area() {
        for mesh in [flag(), TriangleMesh::regular(4, 3, 0.8, 1.1).unwrap()] {
            let net = mesh.springs(&MATERIAL, &[]).unwrap();
            let sum: f64 = net.masses().iter().sum();
            assert!((sum / (0.3 * 0.8 * 1.1) - 1.0).abs() < 1e-14, "{sum}");
        }
        // the first corner of a centred cell has two of its four triangles, its centre all of them
        let masses = TriangleMesh::centred(2, 2, 1.0, 1.0).unwrap().masses(6.0);
        assert!((masses[0] - 1.0).abs() < 1e-15 && (masses[4] - 2.0).abs() < 1e-15, "{masses:?}");
    }

    #[test]
    fn a_flat_sheet_at_rest_has_no_force() {
        for compression in [false, true] {
            let (mesh, mut a) = (flag(), vec![Vec3::x(); flag().particle_count()]);
            let net = weightless(&mesh, SpringMaterial { compression, ..MATERIAL });
            let rest = State::at_rest(mesh.positions().to_vec());
            net.accelerate(&rest.x, &rest.v, &mut a);
            assert!(a.iter().all(|a| a.norm() < 1e-9), "{a:?}"); // the rounding of 40 N/m over 1e-2 kg
            assert!(net.energy(&rest) < 1e-25 && (net.largest_stretch(&rest.x) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn springs_are_as_long_as_the_cloth_was_cut_whatever_it_is_in_space() {
        // two right triangles along the diagonal of a unit square, crumpled, the second cut from another place and wound against
        let positions = vec![Vec3::zeros(), Vec3::x(), 0.1 * Vec3::y(), Vec3::z()];
        let second = [Vec2::new(5.0, 5.0), Vec2::new(5.0, 6.0), Vec2::new(4.0, 5.0)];
        let triangles = vec![
            Triangle { corners: [0, 1, 2], material: [Vec2::zeros(), Vec2::x(), Vec2::new(1.0, 1.0)] },
            Triangle { corners: [3, 0, 2], material: second },
        ];
        let net = TriangleMesh::new(positions, triangles).unwrap().springs(&MATERIAL, &[]).unwrap();
        let rest: Vec<f64> = net.springs().iter().map(|spring| spring.rest).collect();
        let diagonal = std::f64::consts::SQRT_2;
        assert_eq!(net.pairs(), [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (1, 3)]);
        let expected = [1.0, diagonal, 1.0, 1.0, 1.0, diagonal];
        assert!(rest.iter().zip(expected).all(|(rest, expected)| (rest - expected).abs() < 1e-14), "{rest:?}");
    }

    #[test]
    fn springs_along_edges_are_slack_in_compression_unless_asked_for() {
        let mesh = flag();
        let small = State::at_rest(mesh.positions().iter().map(|x| 0.9 * x).collect());
        let both = weightless(&mesh, SpringMaterial { compression: true, ..MATERIAL }).energies(&small);
        let slack = weightless(&mesh, MATERIAL).energies(&small);
        let squares = |mesh: &TriangleMesh| {
            let length = |&[i, j]: &[usize; 2]| (mesh.positions()[j] - mesh.positions()[i]).norm_squared();
            mesh.edges().iter().map(length).sum::<f64>()
        };
        let expected = 0.5 * 40.0 * 0.01 * squares(&mesh); // 1/2 ks (0.1 L)²
        assert!((both.stretch / expected - 1.0).abs() < 1e-12 && slack.stretch == 0.0, "{both:?} {slack:?}");
        assert!(both.bend > 0.01 && slack.bend == both.bend); // both ways
        assert_eq!(slack.shear, 0.0);
    }

    #[test]
    fn a_converged_step_satisfies_its_equation_in_extension_and_compression() {
        let mesh = flag();
        let damped = Elastic { stiffness: 40.0, damping: 0.02 };
        let net = mesh.springs(&SpringMaterial { stretch: damped, ..MATERIAL }, &[0, 2]).unwrap();
        let wave = |x: &Vec3| Vec3::new(1.1 * x.x, 0.9 * x.y, 0.2 * libm::sin(5.0 * x.x + 3.0 * x.y));
        let start = State::at_rest(mesh.positions().iter().map(wave).collect());
        let (mut end, dt) = (start.clone(), 0.01);
        let settings = Settings { terms: Terms::Exact, ..Settings::converged() };
        BackwardEuler::new(&net, settings).step(&net, dt, &mut end);
        let mut a = vec![Vec3::zeros(); net.particle_count()];
        net.accelerate(&end.x, &end.v, &mut a);
        for i in 0..net.particle_count() {
            assert!((end.v[i] - start.v[i] - dt * a[i]).norm() < 1e-8, "{i}");
        }
        assert!(end.v[5].norm() > 0.01 && end.x[0] == start.x[0]);
    }

    #[test]
    fn bending_is_split_off_as_a_family() {
        let (mesh, mut implicit) = (flag(), Vec::new());
        let net = mesh.springs(&MATERIAL, &[]).unwrap();
        let state = State::at_rest(mesh.positions().to_vec());
        implicit.resize(net.coupling_count(), false);
        net.choose_implicit(&Splitting::Families { stretch: true, shear: false, bend: false }, 1e-3, &state, &mut implicit);
        assert_eq!(implicit.iter().filter(|implicit| **implicit).count(), mesh.edges().len());
        net.choose_implicit(&Splitting::Adaptive { threshold: 1e-9, bend: true }, 1e-3, &state, &mut implicit);
        assert!(implicit.iter().all(|implicit| *implicit));
    }

    #[test]
    fn hems_are_heavier_on_the_borders_alone() {
        let mesh = flag();
        let [plain, hemmed] = [1.0, 2.5].map(|hem| mesh.springs(&SpringMaterial { hem, ..MATERIAL }, &[]).unwrap());
        let factor = |i: usize| hemmed.masses()[i] / plain.masses()[i];
        // of 3 x 4 points all but 4 and 7 are on a border, and no centre of a cell is
        assert_eq!(mesh.borders(), [0, 1, 2, 3, 5, 6, 8, 9, 10, 11]);
        assert!((0..18).all(|i| (factor(i) - if mesh.borders().contains(&i) { 2.5 } else { 1.0 }).abs() < 1e-15));
    }

    #[test]
    fn drag_on_a_falling_plate_by_hand() {
        let drag = Drag { air_density: 1.2, coefficient: 0.5, wind: Vec3::new(0.0, 0.0, 1.0) };
        let mesh = TriangleMesh::regular(4, 3, 2.0, 1.5).unwrap();
        let net = weightless(&mesh, SpringMaterial { drag: Some(drag), air: 0.3, ..MATERIAL });
        let falling = State { x: mesh.positions().to_vec(), v: vec![Vec3::new(0.0, 0.0, -2.0); 12] };
        let mut a = vec![Vec3::zeros(); 12];
        net.accelerate(&falling.x, &falling.v, &mut a);
        let force = a.iter().zip(net.masses()).fold(Vec3::zeros(), |sum, (a, m)| sum + *m * a);
        // 1/2 1.2 0.5 3 m² (3 m/s)² against the fall, and 0.3 N s/m of each of 12 particles at 2 m/s
        assert!((force - Vec3::new(0.0, 0.0, 8.1 + 7.2)).norm() < 1e-12, "{force}");
    }

    #[test]
    fn mistakes_are_refused() {
        let mesh = flag();
        let particles = mesh.particle_count();
        assert_eq!(mesh.springs(&MATERIAL, &[0, particles]), Err(ModelError::PinOfMesh { pin: particles, particles }));
        for density in [0.0, f64::NAN, -1.0] {
            assert!(mesh.springs(&SpringMaterial { density, ..MATERIAL }, &[]).is_err(), "{density}");
        }
        let bend = Elastic { stiffness: -1.0, damping: 0.0 };
        let stiffening = Some(Stiffening { strain: 0.0, factor: 2.0 });
        let drag = Some(Drag { air_density: 1.2, coefficient: -1.0, wind: Vec3::zeros() });
        for wrong in [
            SpringMaterial { bend, ..MATERIAL },
            SpringMaterial { stiffening, ..MATERIAL },
            SpringMaterial { drag, ..MATERIAL },
            SpringMaterial { hem: 0.0, ..MATERIAL },
            SpringMaterial { air: -1.0, ..MATERIAL },
        ] {
            assert!(matches!(mesh.springs(&wrong, &[]), Err(ModelError::OutOfRange { .. })), "{wrong:?}");
        }
    }

    /// A crumpled flag on which every spring law acts: a knee, and dampers of one form.
    fn crumpled(moves: &[[f64; 3]], damping: DampingForm, compression: bool) -> (Net, State) {
        let (mesh, stiffening) = (flag(), Some(Stiffening { strain: 0.05, factor: 4.0 }));
        let [stretch, bend] = [MATERIAL.stretch, MATERIAL.bend].map(|elastic| Elastic { damping: 0.4, ..elastic });
        let net = weightless(&mesh, SpringMaterial { stretch, bend, damping, stiffening, compression, ..MATERIAL });
        let x = mesh.positions().iter().zip(moves).map(|(x, by)| x + Vec3::from(*by)).collect();
        let v = moves.iter().map(|[p, q, r]| 5.0 * Vec3::new(*q, *r, *p)).collect();
        (net, State { x, v })
    }

    /// Whether a central difference would straddle a kink of some spring's law.
    fn near_a_kink(net: &Net, State { x, v }: &State) -> bool {
        net.springs().iter().any(|spring| {
            let (d, u) = (x[spring.j] - x[spring.i], v[spring.j] - v[spring.i]);
            let s = d.norm() / spring.rest;
            (s - 1.0).abs() < 1e-4 || (s - 1.05).abs() < 1e-4 || d.dot(&u).abs() < 1e-4 || s < 0.1
        })
    }

    proptest! {
        #[test]
        fn stiffening_forces_are_the_slope_of_the_energies(
            moves in prop::collection::vec([-0.2..0.2, -0.2..0.2, -0.2..0.2], 18),
            compression: bool,
        ) {
            let (net, mut state) = crumpled(&moves, DampingForm::Projected, compression);
            prop_assume!(!near_a_kink(&net, &state));
            state.v.fill(Vec3::zeros());
            let mut a = vec![Vec3::zeros(); net.particle_count()];
            net.accelerate(&state.x, &state.v, &mut a);
            let size = a.iter().zip(net.masses()).map(|(a, m)| m * a.norm()).fold(0.0, f64::max);
            for (i, q) in (0..18).flat_map(|i| [0, 1, 2].map(|q| (i, q))) {
                let energy = |by: f64| {
                    let mut near = state.clone();
                    near.x[i][q] += by;
                    net.energy(&near)
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                prop_assert!((slope + net.masses()[i] * a[i][q]).abs() < 1e-6 * size && size > 0.1, "{slope} of {size}");
            }
        }

        #[test]
        fn linear_systems_have_the_derivatives_of_the_forces(
            moves in prop::collection::vec([-0.2..0.2, -0.2..0.2, -0.2..0.2], 18),
            along in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0], 18),
            projected: bool,
            compression: bool,
        ) {
            let form = if projected { DampingForm::Projected } else { DampingForm::Plain };
            let (mut net, state) = crumpled(&moves, form, compression);
            net.resistance = 0.2;
            prop_assume!(!near_a_kink(&net, &state));
            let along: Vec<Vec3> = along.into_iter().map(Vec3::from).collect();
            let zeros = vec![Vec3::zeros(); 18];
            // matrices are symmetric, and the derivative of projected damping by position is not: it is tested spring by spring
            for &g in if projected { &[0.0][..] } else { &[0.0, 0.7] } {
                // A = -h D - h g K at h = 1, so that -A u is the slope of the forces along (g u, u)
                let mut a = BlockRows::new(BlockPattern::new(18, &net.pairs()));
                let at = Linearisation { x: &state.x, v: &state.v, w: &zeros, h: 1.0, g, terms: Terms::Exact };
                let (mut b, mut product) = (zeros.clone(), zeros.clone());
                net.add_linearised(&at, &vec![true; net.coupling_count()], &mut a, &mut b);
                a.apply(&along, &mut product);
                let forces = |by: f64| {
                    let moved = |y: &[Vec3], by: f64| -> Vec<Vec3> { y.iter().zip(&along).map(|(y, u)| y + by * u).collect() };
                    let mut a = zeros.clone();
                    net.accelerate(&moved(&state.x, g * by), &moved(&state.v, by), &mut a);
                    a.iter().zip(net.masses()).map(|(a, m)| *m * a).collect::<Vec<Vec3>>()
                };
                let (above, below, here) = (forces(1e-6), forces(-1e-6), forces(0.0));
                let size = product.iter().map(|product| product.norm()).fold(0.0, f64::max);
                for i in 0..18 {
                    let slope = (above[i] - below[i]) / 2e-6;
                    prop_assert!((slope + product[i]).norm() < 1e-6 * size && size > 0.1, "{i}: {slope} {}", product[i]);
                    prop_assert!((here[i] - b[i]).norm() < 1e-12 * size.max(1.0), "{i}: {} {}", here[i], b[i]);
                }
            }
        }

        #[test]
        fn forces_are_the_slope_of_the_energies(
            moves in prop::collection::vec([-0.2..0.2, -0.2..0.2, -0.2..0.2], 18),
            compression: bool,
            at in 0..18usize,
        ) {
            let mesh = flag();
            let net = weightless(&mesh, SpringMaterial { compression, ..MATERIAL });
            let moved = mesh.positions().iter().zip(&moves).map(|(x, by)| x + Vec3::from(*by)).collect();
            let state = State::at_rest(moved);
            let mut a = vec![Vec3::zeros(); net.particle_count()];
            net.accelerate(&state.x, &state.v, &mut a);
            let size = a.iter().zip(net.masses()).map(|(a, m)| m * a.norm()).fold(0.0, f64::max);
            for q in 0..3 {
                let energy = |by: f64| {
                    let mut near = state.clone();
                    near.x[at][q] += by;
                    net.energy(&near)
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                // 40 N/m times the way of the difference: a spring may begin to act within it
                prop_assert!((slope + net.masses()[at] * a[at][q]).abs() < 2e-4 && size > 0.1, "{slope} of {size}");
            }
            let energies = net.energies(&state);
            prop_assert!((energies.internal() - net.energy(&state)).abs() < 1e-12 * energies.internal());
        }
    }
}
