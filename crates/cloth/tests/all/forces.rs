//! Forces against the energies that they come from, and their invariants.

use cloth::{Cloth, DampingForm, Drag, Elastic, Family, Grid, Masses, Material, Pin, State, Stiffening, System, Vec3};
use proptest::prelude::*;

const SIDE: usize = 4;

fn undamped() -> Material {
    let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
    Material { stretch: elastic(80.0), shear: elastic(30.0), bend: 2.0, ..Material::default() }
}

fn sheet(material: Material) -> Cloth {
    Cloth::new(Grid::new(SIDE, SIDE, 0.1).expect("a valid grid"), material, &[]).expect("a valid material")
}

/// A crumpled sheet: stretched, sheared and bent springs, on both sides of the bending ramp.
fn crumpled(amplitude: f64) -> impl Strategy<Value = State> {
    let vectors = |size: f64| prop::collection::vec((-size..size, -size..size, -size..size), SIDE * SIDE);
    (vectors(amplitude), vectors(1.0)).prop_map(|(shifts, velocities)| {
        let vector = |(x, y, z)| Vec3::new(x, y, z);
        let flat = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid").flat();
        State {
            x: flat.into_iter().zip(shifts).map(|(x, shift)| x + vector(shift)).collect(),
            v: velocities.into_iter().map(vector).collect(),
        }
    })
}

fn spring_forces(cloth: &Cloth, state: &State) -> Vec<Vec3> {
    let mut f = vec![Vec3::zeros(); state.particle_count()];
    cloth.add_spring_forces(&state.x, &state.v, &mut f);
    f
}

/// Whether no spring lies so near to a kink of its law that a central difference would straddle it.
fn clear_of_kinks(cloth: &Cloth, state: &State) -> bool {
    cloth.grid().springs().iter().all(|spring| {
        let s = (state.x[spring.j] - state.x[spring.i]).norm() / spring.rest;
        [0.9, 1.0, 1.05].iter().all(|kink| (s - kink).abs() > 1e-4) && s > 0.05
    })
}

fn force_is_minus_the_gradient(material: Material, state: &State) -> Result<(), TestCaseError> {
    let cloth = sheet(material);
    prop_assume!(clear_of_kinks(&cloth, state));
    let mut f = spring_forces(&cloth, state);
    for (f, m) in f.iter_mut().zip(cloth.masses()) {
        *f += *m * cloth.material().gravity;
    }
    let largest = f.iter().map(|f| f.norm()).fold(0.0, f64::max);
    prop_assert!(largest > 0.1, "nothing acts");
    let energy = |state: &State| {
        let energies = cloth.energies(state);
        energies.internal() + energies.gravitational
    };
    let step = 1e-6;
    for i in 0..state.particle_count() {
        for q in 0..3 {
            let mut moved = state.clone();
            moved.x[i][q] += step;
            let above = energy(&moved);
            moved.x[i][q] -= 2.0 * step;
            let slope = (above - energy(&moved)) / (2.0 * step);
            prop_assert!((f[i][q] + slope).abs() < 1e-6 * largest, "particle {i}: {} against {}", f[i][q], -slope);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn spring_forces_are_the_gradient_of_their_energy(state in crumpled(0.08)) {
        force_is_minus_the_gradient(undamped(), &state)?;
    }

    #[test]
    fn so_are_springs_that_act_in_compression_and_stiffen(state in crumpled(0.08)) {
        let stiffening = Some(Stiffening { strain: 0.05, factor: 4.0 });
        force_is_minus_the_gradient(Material { compression: true, stiffening, ..undamped() }, &state)?;
    }

    #[test]
    fn internal_forces_have_no_resultant_and_the_projected_ones_no_torque(state in crumpled(0.08)) {
        let elastic = Elastic { stiffness: 80.0, damping: 3.0 };
        for damping in [DampingForm::Projected, DampingForm::Plain] {
            let cloth = sheet(Material { stretch: elastic, shear: elastic, bend: 2.0, damping, ..Material::default() });
            let f = spring_forces(&cloth, &state);
            let largest = f.iter().map(|f| f.norm()).fold(0.0, f64::max);
            prop_assert!(largest > 0.1);
            prop_assert!(f.iter().sum::<Vec3>().norm() < 1e-12 * largest);
            if damping == DampingForm::Projected {
                let torque: Vec3 = state.x.iter().zip(&f).map(|(x, f)| x.cross(f)).sum();
                prop_assert!(torque.norm() < 1e-12 * largest);
            }
        }
    }

    #[test]
    fn dampers_take_energy(state in crumpled(0.08)) {
        for damping in [DampingForm::Projected, DampingForm::Plain] {
            let elastic = |damping| Elastic { stiffness: 80.0, damping };
            let material = |kd| Material { stretch: elastic(kd), shear: elastic(kd), damping, ..Material::default() };
            let (with, without) = (spring_forces(&sheet(material(3.0)), &state), spring_forces(&sheet(material(0.0)), &state));
            let power: f64 = state.v.iter().zip(with.iter().zip(&without)).map(|(v, (a, b))| v.dot(&(a - b))).sum();
            prop_assert!(power < 0.0, "{damping:?}: {power}");
        }
    }
}

/// A sheet stretched by 20 % that turns about z with angular velocity 2 /s.
fn turning() -> State {
    let x: Vec<Vec3> = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid").flat().iter().map(|x| 1.2 * x).collect();
    let v = x.iter().map(|x| Vec3::new(0.0, 0.0, 2.0).cross(x)).collect();
    State { x, v }
}

#[test]
fn plain_damping_brakes_rigid_rotation_and_projected_damping_does_not() {
    let elastic = Elastic { stiffness: 0.0, damping: 3.0 };
    let torque = |damping| {
        let cloth = sheet(Material { stretch: elastic, shear: elastic, bend: 0.0, damping, ..Material::default() });
        let state = turning();
        let f = spring_forces(&cloth, &state);
        state.x.iter().zip(&f).map(|(x, f)| x.cross(f)).sum::<Vec3>().z
    };
    // by hand: every damper of direction d pulls with kd omega x d, so its torque is -kd omega |d|²
    let springs = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid").springs();
    let lengths: f64 = springs.iter().filter(|s| s.family != Family::Bend).map(|s| 1.44 * s.rest * s.rest).sum();
    assert!((torque(DampingForm::Plain) - -3.0 * 2.0 * lengths).abs() < 1e-12);
    assert!(torque(DampingForm::Projected).abs() < 1e-12);
}

#[test]
fn one_spring_by_hand() {
    // two rows of two: stretch only between particles 0 and 1, pulled to twice their distance
    let elastic = Elastic { stiffness: 50.0, damping: 0.5 };
    let shear = Elastic { stiffness: 0.0, damping: 0.0 };
    let material = Material { stretch: elastic, shear, bend: 0.0, ..Material::default() };
    let cloth = Cloth::new(Grid::new(2, 2, 0.1).expect("a valid grid"), material, &[]).expect("a valid material");
    let mut state = cloth.at_rest();
    state.x[0].x = -0.1;
    state.v[1] = Vec3::new(3.0, 7.0, 0.0);
    state.x[2].y = 0.05;
    state.x[3].y = 0.05;
    let f = spring_forces(&cloth, &state);
    // ks (0.2 - 0.1) + kd 3 along x; the springs to the second row: 0 - 2 is slanted, 1 - 3 is compressed
    let slanted = Vec3::new(0.1, 0.05, 0.0);
    let pull = 50.0 * (slanted.norm() - 0.1) / slanted.norm() * slanted;
    assert!((f[0] - (Vec3::new(6.5, 0.0, 0.0) + pull)).norm() < 1e-12, "{}", f[0]);
    assert!((f[1] - Vec3::new(-6.5, 0.0, 0.0)).norm() < 1e-12, "{}", f[1]);
}

#[test]
fn a_spring_at_its_rest_length_is_extended_whatever_the_rounding() {
    let elastic = Elastic { stiffness: 0.0, damping: 1.0 };
    for (tolerance, acts) in [(1e-12, true), (-1e-12, false)] {
        let cloth = sheet(Material {
            stretch: elastic,
            shear: elastic,
            bend: 0.0,
            extension_tolerance: tolerance,
            ..Material::default()
        });
        let mut state = cloth.at_rest();
        state.v = state.x.clone(); // everything expands
        let moves = spring_forces(&cloth, &state).iter().any(|f| f.norm() > 1e-6);
        assert_eq!(moves, acts);
    }
}

#[test]
fn pinned_particles_stay_and_the_others_fall() {
    let grid = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid");
    let cloth = Cloth::new(grid, Material { air: 0.2, ..undamped() }, &[Pin::At(0, 0), Pin::index(3)]).expect("a valid sheet");
    let mut state = cloth.at_rest();
    state.v[8].z = -1.0;
    let mut a = vec![Vec3::zeros(); 16];
    cloth.accelerate(&state.x, &state.v, &mut a);
    assert_eq!((a[0], a[3]), (Vec3::zeros(), Vec3::zeros()));
    assert!((a[5].z + 9.81).abs() < 1e-12);
    // air: ka / m = 0.2 / (0.5 * 0.01) per second
    assert!((a[8].z - (-9.81 + 40.0)).abs() < 1e-9, "{}", a[8].z);
}

#[test]
fn masses_follow_their_convention() {
    let mass = |masses| sheet(Material { masses, ..Material::default() }).masses().to_vec();
    let whole = 0.5 * 0.1 * 0.1;
    let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
    assert!(mass(Masses::Equal).iter().all(|m| near(*m, whole)));
    let by_area = mass(Masses::ByArea);
    assert!(near(by_area[0], whole / 4.0) && near(by_area[1], whole / 2.0) && near(by_area[5], whole));
    assert!(near(by_area.iter().sum(), 0.5 * 0.3 * 0.3), "the mass of the sheet");
    let hem = mass(Masses::Hem(3.0));
    assert!(near(hem[0], 3.0 * whole) && near(hem[1], 3.0 * whole) && near(hem[5], whole));
}

#[test]
fn wind_pushes_a_sheet_that_faces_it() {
    let drag = Some(Drag { air_density: 1.2, coefficient: 0.5, wind: Vec3::new(0.0, 0.0, 2.0) });
    let cloth = sheet(Material { drag, gravity: Vec3::zeros(), ..undamped() });
    let state = cloth.at_rest();
    let mut f = vec![Vec3::zeros(); 16];
    cloth.add_external_forces(&state.x, &state.v, &mut f);
    // 1/2 * 1.2 * 0.5 * 0.01 * 2 * 2 = 0.012 N on each particle
    assert!(f.iter().all(|f| (f - Vec3::new(0.0, 0.0, 0.012)).norm() < 1e-15), "{}", f[5]);
}

#[test]
fn materials_without_meaning_are_refused() {
    let grid = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid");
    let refused = |material: Material| Cloth::new(grid, material, &[]).expect_err("nonsense").to_string();
    assert_eq!(refused(Material { density: -1.0, ..undamped() }), "the areal density must be a finite number above zero, not -1");
    let elastic = Elastic { stiffness: f64::NAN, damping: 0.0 };
    assert_eq!(
        refused(Material { shear: elastic, ..undamped() }),
        "the shear stiffness must be a finite number, zero or above, not NaN"
    );
    let light = refused(Material { density: 1e-307, ..undamped() });
    assert!(light.starts_with("the mass of a particle must be a finite number above zero, not 0.000"), "{light}");
    let gravity = Vec3::new(0.0, 0.0, f64::NEG_INFINITY);
    assert_eq!(refused(Material { gravity, ..undamped() }), "gravity must be a finite number, not -inf");
    let drag = Drag { air_density: 1.2, coefficient: 0.5, wind: Vec3::new(f64::NAN, 0.0, 0.0) };
    assert_eq!(refused(Material { drag: Some(drag), ..undamped() }), "the wind must be a finite number, not NaN");
    assert!(refused(Material { masses: Masses::Hem(0.0), ..undamped() }).starts_with("the factor of the hem"));
    assert!(Cloth::new(grid, undamped(), &[Pin::At(4, 0)]).is_err());
}
