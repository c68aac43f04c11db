//! The energies of triangles and hinges with their derivatives, against differences and invariants, on random states far from rest.

use linsolve::lanes::Vector;
use nalgebra::{DMatrix, DVector, Rotation3};
use proptest::prelude::*;

use super::blocks::{block, vector as vector_of};
use super::elements::{Added, Point};
use super::folds::{self, Folded, Folds};
use super::membranes::{self, Membrane};
use super::{Bend, Fabric, Triangle, Vec2, Weighting};
use crate::{Elastic, Terms, Vec3};

/// One coupling between the first particles of a state.
trait Element {
    fn energy(&self, x: &[Vec3; 4]) -> f64;

    fn force(&self, x: &[Vec3; 4], v: &[Vec3; 4]) -> DVector<f64>;

    /// By position and by velocity.
    fn jacobian(&self, x: &[Vec3; 4], v: &[Vec3; 4], terms: Terms) -> [DMatrix<f64>; 2];
}

/// Stretch or shear of a membrane.
struct Plane {
    membrane: Membrane,
    fabric: Fabric,
    stretches: bool,
}

/// The hinge of all four particles.
const HINGE: Folds<1> = Folds { count: 1, particles: [[0], [1], [2], [3]], factors: [1.0] };

fn vector(f: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(12, f.iter().flatten().copied())
}

fn fold(x: &[Vec3; 4]) -> Folded<Vector<1>> {
    HINGE.folded(x)
}

/// The matrices K and D of an element between these particles, whose product K v is compared with what is added.
fn derivatives<const N: usize, const P: usize>(
    particles: [usize; N],
    pairs: [(usize, usize); P],
    linearise: impl Fn(&Point, &mut Added<1, N, P>),
    (x, v, terms): (&[Vec3; 4], &[Vec3; 4], Terms),
    force: DVector<f64>,
) -> [DMatrix<f64>; 2] {
    [[1.0, 0.0], [0.0, 1.0]].map(|factors| {
        let mut added = Added::zeros();
        linearise(&Point { x, v: Some(v), way: v, terms, h: 1.0, factors }, &mut added);
        let (mut matrix, mut impulse) = (DMatrix::zeros(12, 12), [Vec3::zeros(); 4]);
        for k in 0..N {
            let row = particles[k];
            impulse[row] = vector_of(&added.impulse[k], 0);
            matrix.view_mut((3 * row, 3 * row), (3, 3)).copy_from(&block(&added.diagonal[k], 0));
        }
        for (above, (i, j)) in added.above.iter().zip(pairs) {
            let (block, row, column) = (block(above, 0), particles[i], particles[j]);
            matrix.view_mut((3 * row, 3 * column), (3, 3)).copy_from(&block);
            matrix.view_mut((3 * column, 3 * row), (3, 3)).copy_from(&block.transpose());
        }
        if factors[0] == 1.0 {
            let expected = &matrix * vector(v) + &force;
            assert!((expected - vector(&impulse)).amax() <= 1e-12 * (1.0 + matrix.amax() + force.amax()), "f + K v");
        }
        matrix
    })
}

impl Element for Plane {
    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        let w = self.membrane.slopes(x);
        match self.stretches {
            true => self.membrane.stretch_energy(self.fabric.stretch(), w),
            false => self.membrane.shear_energy(self.fabric.shear, w),
        }
    }

    fn force(&self, x: &[Vec3; 4], v: &[Vec3; 4]) -> DVector<f64> {
        let mut forces = [[[[0.0]; 3]; 3]; 2];
        self.membrane.forces::<Vector<1>>(&self.fabric, [self.stretches, !self.stretches], x, Some(v), &mut forces);
        let mut f = [Vec3::zeros(); 4];
        for (corner, force) in self.membrane.particles().into_iter().zip(&forces[usize::from(!self.stretches)]) {
            f[corner] = vector_of(force, 0);
        }
        vector(&f)
    }

    fn jacobian(&self, x: &[Vec3; 4], v: &[Vec3; 4], terms: Terms) -> [DMatrix<f64>; 2] {
        let acts = [self.stretches, !self.stretches];
        let linearise =
            |at: &Point, added: &mut Added<1, 3, 3>| self.membrane.linearise::<Vector<1>>(&self.fabric, acts, at, added);
        derivatives(self.membrane.particles(), membranes::PAIRS, linearise, (x, v, terms), self.force(x, v))
    }
}

impl Element for Bend {
    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        HINGE.energy(*self, x)
    }

    fn force(&self, x: &[Vec3; 4], v: &[Vec3; 4]) -> DVector<f64> {
        let mut forces = [[[0.0]; 3]; 4];
        let sound = HINGE.forces::<Vector<1>>(*self, x, Some(v), &mut forces);
        if sound == 1 { vector(&forces.map(|force| vector_of(&force, 0))) } else { DVector::zeros(12) }
    }

    fn jacobian(&self, x: &[Vec3; 4], v: &[Vec3; 4], terms: Terms) -> [DMatrix<f64>; 2] {
        let linearise = |at: &Point, added: &mut Added<1, 4, 6>| {
            assert_eq!(HINGE.linearise::<Vector<1>>(*self, at, added), 1, "triangles with an area");
        };
        derivatives([0, 1, 2, 3], folds::PAIRS, linearise, (x, v, terms), self.force(x, v))
    }
}

/// Stretch, shear and bend.
fn elements(material: [Vec2; 3], damped: bool) -> [Box<dyn Element>; 3] {
    weighted(material, damped, Weighting::Area)
}

fn weighted(material: [Vec2; 3], damped: bool, weighting: Weighting) -> [Box<dyn Element>; 3] {
    let elastic = |stiffness, damping| Elastic { stiffness, damping: if damped { damping } else { 0.0 } };
    let membrane = Membrane::new(&Triangle { corners: [2, 0, 1], material }, weighting);
    let fabric = Fabric { warp: elastic(70.0, 3.0), weft: elastic(40.0, 5.0), shear: elastic(20.0, 1.5), ..Fabric::default() };
    [
        Box::new(Plane { membrane: membrane.clone(), fabric, stretches: true }),
        Box::new(Plane { membrane, fabric, stretches: false }),
        Box::new(Bend { stiffness: 8.0, damping: if damped { 0.7 } else { 0.0 } }),
    ]
}

fn vectors() -> impl Strategy<Value = [Vec3; 4]> {
    prop::array::uniform4((-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z)))
}

/// Four positions whose hinge is neither collapsed nor nearly closed.
fn folded() -> impl Strategy<Value = [Vec3; 4]> {
    vectors().prop_filter("collapsed or closed", |x| {
        let e = x[1] - x[0];
        let height = |wing: usize| (x[wing] - x[0]).cross(&e).norm() / e.norm();
        e.norm() > 0.4
            && height(2) > 0.3
            && height(3) > 0.3
            && fold(x).sound == 1
            && (0.05..3.0).contains(&fold(x).angle.0[0].abs())
    })
}

/// Where the corners of a triangle are in the cloth.
fn cut() -> impl Strategy<Value = [Vec2; 3]> {
    let points = prop::array::uniform3((-1.0..1.0, -1.0..1.0).prop_map(|(u, v)| Vec2::new(u, v)));
    points.prop_filter("a sliver", |material| Triangle { corners: [0, 1, 2], material: *material }.area() > 0.2)
}

fn rotation() -> impl Strategy<Value = Rotation3<f64>> {
    vectors().prop_map(|[axis, ..]| Rotation3::new(3.0 * axis))
}

/// Derivative of a vector of 12 by the coordinates of four particles.
fn differences(of: impl Fn(&[Vec3; 4]) -> DVector<f64>, at: &[Vec3; 4]) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> = (0..12)
        .map(|k| {
            let moved = |by: f64| {
                let mut x = *at;
                x[k / 3][k % 3] += by;
                of(&x)
            };
            (moved(1e-5) - moved(-1e-5)) / 2e-5
        })
        .collect();
    DMatrix::from_columns(&columns)
}

fn is_close(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> bool {
    (a - b).amax() <= tolerance * (1.0 + b.amax())
}

fn symmetric(a: &DMatrix<f64>) -> DMatrix<f64> {
    0.5 * (a + a.transpose())
}

fn is_semidefinite(a: DMatrix<f64>) -> bool {
    let scale = 1.0 + a.amax();
    (&a - a.transpose()).amax() < 1e-12 * scale && a.symmetric_eigenvalues().min() >= -1e-9 * scale
}

const STILL: [Vec3; 4] = [Vec3::new(0.0, 0.0, 0.0); 4];

proptest! {
    #[test]
    fn forces_are_the_gradient_of_their_energy(material in cut(), x in folded()) {
        for element in elements(material, true) {
            let slope = differences(|x| DVector::from_element(1, element.energy(x)), &x);
            let force = element.force(&x, &STILL);
            prop_assert!(is_close(&DMatrix::from_rows(&[-force.transpose()]), &slope, 1e-6), "{slope} {force}");
            prop_assert!(force.amax() > 1e-6 && element.energy(&x) > 0.0);
        }
    }

    #[test]
    fn exact_jacobians_are_the_derivatives_of_the_force(material in cut(), x in folded(), v in vectors()) {
        for element in elements(material, false) {
            let [position, _] = element.jacobian(&x, &v, Terms::Exact);
            let expected = differences(|x| element.force(x, &v), &x);
            prop_assert!(is_close(&position, &expected, 1e-5), "{position} {expected}");
        }
        for element in elements(material, true) {
            let [position, velocity] = element.jacobian(&x, &v, Terms::Exact);
            let (by_x, by_v) = (differences(|x| element.force(x, &v), &x), differences(|v| element.force(&x, v), &v));
            prop_assert!(is_close(&position, &symmetric(&by_x), 1e-5), "{position} {by_x}");
            prop_assert!(is_close(&velocity, &by_v, 1e-8), "{velocity} {by_v}");
        }
    }

    /// E = C²/2 with C = a (...), so that everything of a triangle is `a` times the default \[Parks & Forsyth 2002, eq. 4, 5\].
    #[test]
    fn printed_energies_go_with_the_square_of_the_area(material in cut(), x in folded(), v in vectors()) {
        let area = Triangle { corners: [0, 1, 2], material }.area();
        let ([stretch, shear, _], usual) = (weighted(material, true, Weighting::AsPrinted), elements(material, true));
        for (element, usual) in [stretch, shear].into_iter().zip(usual) {
            prop_assert!((element.energy(&x) / (area * usual.energy(&x)) - 1.0).abs() < 1e-12);
            let slope = differences(|x| DVector::from_element(1, element.energy(x)), &x);
            let force = element.force(&x, &STILL);
            prop_assert!(is_close(&DMatrix::from_rows(&[-force.transpose()]), &slope, 1e-6), "{slope} {force}");
            let [position, velocity] = element.jacobian(&x, &v, Terms::Exact);
            let (by_x, by_v) = (differences(|x| element.force(x, &v), &x), differences(|v| element.force(&x, v), &v));
            prop_assert!(is_close(&position, &symmetric(&by_x), 1e-5), "{position} {by_x}");
            prop_assert!(is_close(&velocity, &by_v, 1e-8), "{velocity} {by_v}");
        }
    }

    #[test]
    fn filtered_jacobians_are_semidefinite_and_lack_what_they_name(material in cut(), x in folded(), v in vectors()) {
        for (k, (element, undamped)) in elements(material, true).into_iter().zip(elements(material, false)).enumerate() {
            let [position, velocity] = element.jacobian(&x, &v, Terms::Filtered);
            let ([exact, _], [elastic, _]) = (element.jacobian(&x, &v, Terms::Exact), undamped.jacobian(&x, &v, Terms::Exact));
            let [with_damping, _] = element.jacobian(&x, &v, Terms::DampingByPosition);
            prop_assert!(is_close(&(with_damping - &position), &(exact - &elastic), 1e-11));
            if k > 0 {
                let (f, energy) = (undamped.force(&x, &v), undamped.energy(&x));
                prop_assert!(is_close(&position, &(-&f * f.transpose() / (2.0 * energy)), 1e-9)); // -k dC dCᵀ
            } else {
                prop_assert!(is_semidefinite(&elastic - &position)); // -k a (1 - 1/|w|) (I - n nᵀ) where that is positive
            }
            prop_assert!(is_semidefinite(-position) && is_semidefinite(-velocity));
        }
    }

    #[test]
    fn a_stretched_triangle_loses_nothing_to_the_filter(material in cut(), turn in rotation(), x in folded()) {
        let plane = material.map(|p| turn * Vec3::new(1.3 * p.x, 1.1 * p.y + 0.3 * p.x, 0.0)); // corners 2, 0, 1
        let x = [plane[1], plane[2], plane[0], x[3]];
        let [stretch, ..] = elements(material, false);
        let [[exact, _], [filtered, _]] = [Terms::Exact, Terms::Filtered].map(|terms| stretch.jacobian(&x, &STILL, terms));
        prop_assert!(exact == filtered && exact.amax() > 1.0);
    }

    #[test]
    fn rigid_motions_turn_forces_and_give_none_at_rest(
        material in cut(), turn in rotation(), x in folded(), v in vectors(), wings in (0.3..1.0_f64, 0.3..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64),
    ) {
        let shift = Vec3::new(0.3, -2.0, 0.7);
        for element in elements(material, true) {
            let turned = element.force(&x.map(|x| turn * x + shift), &v.map(|v| turn * v));
            let force = element.force(&x, &v);
            let expected: Vec<Vec3> = (0..4).map(|k| turn * Vec3::from(force.fixed_rows::<3>(3 * k))).collect();
            prop_assert!((turned - vector(&expected)).amax() < 1e-9 * (1.0 + force.amax()));
        }
        let [stretch, shear, bend] = elements(material, true);
        let [p, q, r] = material.map(|p| Vec3::new(p.x, p.y, 0.0));
        let flat = [Vec3::zeros(), Vec3::x(), Vec3::new(wings.2, wings.0, 0.0), Vec3::new(wings.3, -wings.1, 0.0)];
        for (element, rest) in [(stretch, [q, r, p, p]), (shear, [q, r, p, p]), (bend, flat)] {
            let rest = rest.map(|x| turn * x + shift);
            prop_assert!(element.force(&rest, &STILL).amax() < 1e-12 && element.energy(&rest) < 1e-24);
        }
    }

    #[test]
    fn forces_and_torques_sum_to_zero(material in cut(), x in folded(), v in vectors()) {
        for element in elements(material, true) {
            let f = element.force(&x, &v);
            let forces: Vec<Vec3> = (0..4).map(|k| Vec3::from(f.fixed_rows::<3>(3 * k))).collect();
            let sum: Vec3 = forces.iter().sum();
            let torque: Vec3 = forces.iter().zip(&x).map(|(f, x)| x.cross(f)).sum();
            prop_assert!(sum.amax() + torque.amax() < 1e-11 * (1.0 + f.amax()), "{sum} {torque}");
        }
    }

    #[test]
    fn damping_takes_power_except_from_rigid_motion(material in cut(), x in folded(), v in vectors()) {
        for element in elements(material, true) {
            let power = |v: &[Vec3; 4]| (element.force(&x, v) - element.force(&x, &STILL)).dot(&vector(v));
            prop_assert!(power(&v) < 0.0, "{}", power(&v));
            let rigid = x.map(|x| v[0].cross(&x) + v[1]);
            let damping = (element.force(&x, &rigid) - element.force(&x, &STILL)).amax();
            prop_assert!(damping < 1e-11 * (1.0 + element.force(&x, &STILL).amax()), "{damping}");
        }
    }
}

#[test]
fn a_hinge_by_hand() {
    // wings on either side of the x axis, the first one lifted by 45 degrees
    let x = [Vec3::zeros(), Vec3::x(), Vec3::new(0.5, 1.0, 1.0), Vec3::new(0.2, -2.0, 0.0)];
    let fold = fold(&x);
    let gradient = fold.gradient.map(|gradient| Vec3::from(gradient.map(|Vector([coordinate])| coordinate)));
    assert!(fold.sound == 1 && (fold.angle.0[0] + std::f64::consts::FRAC_PI_4).abs() < 1e-15);
    assert!((gradient[2] - Vec3::new(0.0, 0.5, -0.5)).amax() < 1e-15, "-n / h with h = sqrt 2");
    assert!((gradient[3] - Vec3::new(0.0, 0.0, -0.5)).amax() < 1e-15, "-n / h with h = 2");
}

#[test]
fn a_triangle_by_hand() {
    let material = [Vec2::zeros(), Vec2::new(2.0, 0.0), Vec2::new(0.0, 1.0)]; // 1 m²
    let membrane = Membrane::new(&Triangle { corners: [0, 1, 2], material }, Weighting::Area);
    let x = [Vec3::zeros(), Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.5, 2.0, 0.0)]; // w_u = (1.5, 0, 0), w_v = (0.5, 2, 0)
    let w = membrane.slopes(&x);
    assert_eq!(w, [Vec3::new(1.5, 0.0, 0.0), Vec3::new(0.5, 2.0, 0.0)]);
    let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
    let weft = 4.25_f64.sqrt() - 1.0;
    assert!((membrane.stretch_energy([elastic(8.0), elastic(2.0)], w) - (1.0 + weft * weft)).abs() < 1e-15); // 1/2 8 0.5² + ...
    assert!((membrane.shear_energy(elastic(4.0), w) - 2.0 * 0.75 * 0.75).abs() < 1e-15);
    assert_eq!(membrane.sizes(), [0.5, 2.0]);
}

#[test]
fn what_has_collapsed_has_no_force() {
    let p = Vec3::new(0.3, 0.1, 0.2);
    for x in [[p; 4], [p, p, Vec3::x(), Vec3::y()], [p, 2.0 * p, 3.0 * p, Vec3::y()], [p, 2.0 * p, Vec3::y(), 1.5 * p]] {
        assert!(fold(&x).sound == 0, "{x:?}");
    }
    let material = [Vec2::zeros(), Vec2::x(), Vec2::y()];
    let [stretch, shear, _] = elements(material, true);
    for element in [stretch, shear] {
        let v = [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::zeros()];
        assert_eq!(element.force(&[p; 4], &v).amax(), 0.0);
        assert!(element.jacobian(&[p; 4], &v, Terms::Exact)[1].amax() == 0.0 && element.energy(&[p; 4]).is_finite());
    }
}
