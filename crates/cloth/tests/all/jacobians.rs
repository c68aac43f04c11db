//! Jacobians of every spring and damper against central differences of its force, and what filtering takes away.

use cloth::{BendLaw, Cloth, DampingForm, Elastic, Family, Grid, Mat3, Material, Spring, State, Stiffening, Terms, Vec3};
use proptest::prelude::*;

const SIDE: usize = 4;

fn sheet(damping: DampingForm, compression: bool, line_from: f64) -> Cloth {
    let elastic = |stiffness, damping| Elastic { stiffness, damping };
    let material = Material {
        stretch: elastic(80.0, 3.0),
        shear: elastic(30.0, 2.0),
        bend: 2.0,
        bend_law: BendLaw::line_from(line_from).expect("a ratio"),
        damping,
        compression,
        stiffening: Some(Stiffening { strain: 0.05, factor: 4.0 }),
        ..Material::default()
    };
    Cloth::new(Grid::new(SIDE, SIDE, 0.1).expect("a valid grid"), material, &[]).expect("a valid material")
}

fn crumpled() -> impl Strategy<Value = State> {
    let vectors = |size: f64| prop::collection::vec((-size..size, -size..size, -size..size), SIDE * SIDE);
    (vectors(0.08), vectors(1.0)).prop_map(|(shifts, velocities)| {
        let vector = |(x, y, z)| Vec3::new(x, y, z);
        let flat = Grid::new(SIDE, SIDE, 0.1).expect("a valid grid").flat();
        let x = flat.into_iter().zip(shifts).map(|(x, shift)| x + vector(shift)).collect();
        State { x, v: velocities.into_iter().map(vector).collect() }
    })
}

/// Whether a central difference would straddle a kink of the spring's law.
fn near_a_kink(spring: &Spring, state: &State, line_from: f64) -> bool {
    let (x, v) = (state.x[spring.j] - state.x[spring.i], state.v[spring.j] - state.v[spring.i]);
    let s = x.norm() / spring.rest;
    [line_from, 1.0, 1.05].iter().any(|kink| (s - kink).abs() < 1e-3) || s < 0.1 || x.dot(&v).abs() < 1e-3 * x.norm()
}

/// Derivatives of the force on the first particle by the second one's position and velocity.
fn differences(cloth: &Cloth, spring: &Spring, state: &State) -> (Mat3, Mat3) {
    let step = 1e-6;
    let column = |by_position: bool, q: usize| {
        let force = |shift: f64| {
            let mut moved = state.clone();
            let changed = if by_position { &mut moved.x } else { &mut moved.v };
            changed[spring.j][q] += shift;
            cloth.spring_force(spring, &moved.x, &moved.v)
        };
        (force(step) - force(-step)) / (2.0 * step)
    };
    let matrix = |by_position| Mat3::from_columns(&[0, 1, 2].map(|q| column(by_position, q)));
    (matrix(true), matrix(false))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exact_jacobians_are_the_derivatives_of_the_force(state in crumpled(), plain in any::<bool>(), compression in any::<bool>(), line_from in prop::sample::select(vec![0.9, 0.6, 0.0, 1.0])) {
        let cloth = sheet(if plain { DampingForm::Plain } else { DampingForm::Projected }, compression, line_from);
        let mut compared = [0; 3];
        for spring in cloth.springs().iter().filter(|spring| !near_a_kink(spring, &state, line_from)) {
            let jacobian = cloth.spring_jacobian(spring, &state.x, &state.v, Terms::Exact);
            let (position, velocity) = differences(&cloth, spring, &state);
            let size = position.norm().max(jacobian.position.norm()).max(1e-3);
            prop_assert!((jacobian.position - position).norm() < 1e-5 * size, "{spring:?}: {} {position}", jacobian.position);
            prop_assert!((jacobian.velocity - velocity).norm() < 1e-6 * velocity.norm().max(1e-3), "{spring:?}");
            if position.norm() > 1.0 {
                compared[spring.family as usize] += 1;
            }
        }
        prop_assert!(compared.iter().all(|count| *count > 0), "some family never acts: {compared:?}");
    }

    #[test]
    fn filtering_takes_away_the_terms_that_it_names_and_leaves_a_semidefinite_rest(state in crumpled()) {
        let cloth = sheet(DampingForm::Projected, true, 0.9);
        for spring in cloth.springs() {
            let of = |terms| cloth.spring_jacobian(spring, &state.x, &state.v, terms);
            let (exact, filtered, symmetric) = (of(Terms::Exact), of(Terms::Filtered), of(Terms::DampingByPosition));
            prop_assert_eq!(exact.velocity, filtered.velocity);
            for matrix in [filtered.position, filtered.velocity] {
                let least = matrix.symmetric_eigenvalues().min();
                prop_assert!((matrix - matrix.transpose()).norm() == 0.0 && least > -1e-9 * matrix.norm().max(1.0), "{least}");
            }
            let skew = symmetric.position - symmetric.position.transpose();
            prop_assert!(skew.norm() < 1e-12 * symmetric.position.norm().max(1.0));
            let (x, v) = (state.x[spring.j] - state.x[spring.i], state.v[spring.j] - state.v[spring.i]);
            let (length, n) = (x.norm(), x.normalize());
            let transverse = Mat3::identity() - n * n.transpose();
            let kd = match spring.family { Family::Stretch => 3.0, Family::Shear => 2.0, Family::Bend => 0.0 };
            // (3.16), and the transverse part of a spring that pushes
            let damped = if v.dot(&x) >= 0.0 {
                kd / x.dot(&x) * (x * v.transpose() + v.dot(&x) * (Mat3::identity() - 2.0 * n * n.transpose()))
            } else {
                Mat3::zeros()
            };
            let still = vec![Vec3::zeros(); state.v.len()];
            let tension = cloth.spring_force(spring, &state.x, &still).dot(&n);
            let expected = damped + tension.min(0.0) / length * transverse;
            let taken = exact.position - filtered.position;
            prop_assert!((taken - expected).norm() < 1e-9 * exact.position.norm().max(1.0), "{taken} {expected}");
            let kept = symmetric.position - filtered.position;
            prop_assert!((kept - 0.5 * (damped + damped.transpose())).norm() < 1e-9 * damped.norm().max(1.0));
        }
    }
}
