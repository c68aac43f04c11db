//! Bending by rigidity: the energy of bent sheets whatever their mesh, and one matrix that has it whole.

use cloth::integrators::{Integrator, Iterations, ProjectiveDynamics};
use cloth::projective::Acceleration;
use cloth::triangles::{Bend, Fabric, FoldLaw, Shares, Triangle, TriangleMesh};
use cloth::{Cloth, DampingForm, Elastic, Grid, Masses, Material, Pin, Rigidity, System, TriangleCloth, Vec3};

/// D \[N m\].
const RIGIDITY: f64 = 3e-4;

/// 1/R \[1/m\].
const CURVATURE: f64 = 0.8;

/// A point of the plane on a cylinder, whose axis is `angle` away from that of y, without stretch.
fn on_cylinder(angle: f64) -> impl Fn(&Vec3) -> Vec3 {
    let (along, across) =
        (Vec3::new(libm::cos(angle), libm::sin(angle), 0.0), Vec3::new(-libm::sin(angle), libm::cos(angle), 0.0));
    move |x| {
        let arc = CURVATURE * along.dot(x);
        libm::sin(arc) / CURVATURE * along + across.dot(x) * across + Vec3::new(0.0, 0.0, (1.0 - libm::cos(arc)) / CURVATURE)
    }
}

fn grid(side: usize, rigidity: Rigidity) -> Cloth {
    let none = Elastic { stiffness: 0.0, damping: 0.0 };
    let material = Material {
        stretch: none,
        shear: none,
        bend: 0.0,
        rigidity: Some(rigidity),
        masses: Masses::ByArea,
        ..Material::default()
    };
    Cloth::new(Grid::new(side, side, 1.0 / (side - 1) as f64).expect("a grid"), material, &[]).expect("a material")
}

fn triangles(mesh: TriangleMesh, fold_law: FoldLaw) -> TriangleCloth {
    let none = Elastic { stiffness: 0.0, damping: 0.0 };
    let bend = Bend { stiffness: RIGIDITY, damping: 0.0 };
    TriangleCloth::new(mesh, Fabric { warp: none, weft: none, shear: none, bend, fold_law, ..Fabric::default() }, &[])
        .expect("a material")
}

/// Bending energy over that of the continuum on an area \[m²\].
fn over_continuum(bent: f64, area: f64) -> f64 {
    bent / (0.5 * RIGIDITY * CURVATURE * CURVATURE * area)
}

#[test]
fn a_grid_on_a_cylinder_has_the_energy_of_the_continuum_whatever_its_axis() {
    let off = |side: usize, angle: f64| {
        let cloth = grid(side, Rigidity::isotropic(RIGIDITY));
        let mut state = cloth.at_rest();
        state.x.iter_mut().for_each(|x| *x = on_cylinder(angle)(x));
        let inside = 1.0 - 1.0 / (side - 1) as f64; // rows and columns without their ends: the curvature of these is none
        let of_rows = libm::pow(libm::cos(angle), 4.0) + libm::pow(libm::sin(angle), 4.0);
        let expected = inside * of_rows + 1.0 - of_rows;
        over_continuum(cloth.energies(&state).bend, expected) - 1.0
    };
    for angle in [0.0, 0.3, 0.7, 1.2] {
        let [coarse, fine] = [off(21, angle), off(81, angle)];
        assert!(coarse.abs() < 0.01 && fine.abs() < 0.001 && fine.abs() < 0.5 * coarse.abs(), "{angle}: {coarse}, {fine}");
    }
}

#[test]
fn warp_weft_and_twist_are_each_their_own() {
    let of = |warp, weft, twist, place: fn(f64, f64) -> f64| {
        let cloth = grid(41, Rigidity { warp, weft, twist, damping: 0.0 });
        let mut state = cloth.at_rest();
        state.x.iter_mut().for_each(|x| x.z = place(x.x, x.y));
        cloth.energies(&state).bend
    };
    let shapes: [fn(f64, f64) -> f64; 3] = [|x, _| 0.1 * x * x, |_, y| 0.1 * y * y, |x, y| 0.1 * x * y];
    // w_xx = 0.2, w_yy = 0.2 on 39 of 40 columns, 2 w_xy² = 0.02
    let expected = [0.5 * 0.04 * 39.0 / 40.0, 0.5 * 0.04 * 39.0 / 40.0, 0.5 * 0.02];
    for (k, shape) in shapes.into_iter().enumerate() {
        for (part, [warp, weft, twist]) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate() {
            let found = of(warp, weft, twist, shape);
            let expected = if part == k { expected[k] } else { 0.0 };
            assert!((found - expected).abs() < 1e-12, "shape {k}, part {part}: {found}");
        }
    }
}

/// A parallelogram of equal sides cut into equilateral triangles, of an area of one.
fn equilateral(side: usize) -> TriangleMesh {
    let h = libm::sqrt(2.0 / 3.0_f64.sqrt()) / (side - 1) as f64;
    let place = |i: usize, j: usize| Vec3::new(h * (i as f64 + 0.5 * j as f64), h * 0.75_f64.sqrt() * j as f64, 0.0);
    let positions: Vec<Vec3> = (0..side * side).map(|k| place(k % side, k / side)).collect();
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(|corner| positions[corner].xy()) };
    let cell = |k: usize| [triangle([k, k + 1, k + side]), triangle([k + 1, k + side + 1, k + side])];
    let cells = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| j * side + i));
    let triangles = cells.flat_map(cell).collect();
    TriangleMesh::new(positions, triangles).expect("a mesh")
}

#[test]
fn triangles_on_a_cylinder_have_the_energy_of_the_continuum_as_far_as_their_edges_have_no_direction() {
    let of = |mesh: &TriangleMesh, law, angle: f64| {
        let cloth = triangles(mesh.clone(), law);
        let mut state = cloth.at_rest();
        state.x.iter_mut().for_each(|x| *x = on_cylinder(angle)(x));
        over_continuum(cloth.energies(&state).bend, 1.0)
    };
    // equal triangles resist alike; right angles hold a cylinder along their catheti or their hypotenuses as they should, and
    // others by up to half too much
    let meshes = [
        ("equilateral", equilateral(60), [1.0, 1.0]),
        ("regular", TriangleMesh::regular(60, 60, 1.0, 1.0).unwrap(), [1.0, 1.5]),
        ("centred", TriangleMesh::centred(60, 60, 1.0, 1.0).unwrap(), [1.0, 1.5]),
    ];
    for (name, mesh, expected) in meshes {
        for law in [FoldLaw::Shells, FoldLaw::Quadratic] {
            let energies: Vec<f64> = (0..12).map(|k| of(&mesh, law, f64::from(k) * std::f64::consts::PI / 12.0)).collect();
            let [least, most] =
                [energies.iter().copied().fold(f64::INFINITY, f64::min), energies.iter().copied().fold(0.0, f64::max)];
            let is_close = |found: f64, expected: f64| (found - expected).abs() < 0.035; // borders hold no curvature
            assert!(is_close(least, expected[0]) && is_close(most, expected[1]), "{name} {law:?}: {energies:.3?}");
        }
    }
}

#[test]
fn curvatures_of_triangles_have_the_energy_of_the_continuum_on_every_mesh_and_about_any_axis() {
    let largest = |mesh: &TriangleMesh| {
        let cloth = triangles(mesh.clone(), FoldLaw::Curvature(Shares::ALIKE));
        let of = |k: u32| {
            let mut state = cloth.at_rest();
            state.x.iter_mut().for_each(|x| *x = on_cylinder(f64::from(k) * std::f64::consts::PI / 12.0)(x));
            (over_continuum(cloth.energies(&state).bend, 1.0) - 1.0).abs()
        };
        (0..12).map(of).fold(0.0, f64::max)
    };
    let mesh = |name: &str, side: usize| match name {
        "equilateral" => equilateral(side),
        "regular" => TriangleMesh::regular(side, side, 1.0, 1.0).unwrap(),
        _ => TriangleMesh::centred(side, side, 1.0, 1.0).unwrap(),
    };
    for name in ["equilateral", "regular", "centred"] {
        let [coarse, fine] = [15, 60].map(|side| largest(&mesh(name, side)));
        assert!(fine < 0.04 && fine < 0.3 * coarse, "{name}: {coarse} {fine}"); // borders bear no moment
    }
}

#[test]
fn one_matrix_of_projective_dynamics_has_quadratic_bending_whole() {
    // without anything else one iteration is the step of backward Euler
    let once = Iterations { limit: 1, tolerance: None, acceleration: Acceleration::None };
    let sheet = grid(9, Rigidity { damping: 1e-5, ..Rigidity::isotropic(RIGIDITY) });
    let plain = Material { damping: DampingForm::Plain, ..*sheet.material() }; // projected dampers are not linear
    let sheet = Cloth::new(*sheet.grid(), plain, &[Pin::At(0, 0), Pin::At(0, 8)]).unwrap();
    let fabric = triangles(TriangleMesh::centred(5, 4, 1.0, 1.0).unwrap(), FoldLaw::Quadratic);
    let curved = triangles(TriangleMesh::centred(5, 4, 1.0, 1.0).unwrap(), FoldLaw::Curvature(Shares::ALIKE));
    let shells = triangles(TriangleMesh::centred(5, 4, 1.0, 1.0).unwrap(), FoldLaw::Shells);
    let left = |system: &dyn System, mut state: cloth::State| {
        state.x.iter_mut().for_each(|x| *x = on_cylinder(0.4)(x));
        state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = Vec3::new(x.y, -x.z, x.x));
        let begin = state.clone();
        ProjectiveDynamics::new(system, once).step(system, 0.02, &mut state);
        let mut a = vec![Vec3::zeros(); begin.x.len()];
        system.accelerate(&state.x, &state.v, &mut a);
        let of = |i: usize| if system.pinned()[i] { 0.0 } else { (state.v[i] - begin.v[i] - 0.02 * a[i]).amax() };
        (0..a.len()).map(of).fold(0.0, f64::max)
    };
    let [of_fabric, of_curved, of_shells] = [&fabric, &curved, &shells].map(|cloth| left(cloth, cloth.at_rest()));
    let of_sheet = left(&sheet, sheet.at_rest());
    assert!(of_sheet < 1e-12 && of_fabric < 1e-12 && of_curved < 1e-12, "{of_sheet}, {of_fabric}, {of_curved}");
    assert!(of_shells > 1e-7, "{of_shells}: angles are not linear in positions");
}
