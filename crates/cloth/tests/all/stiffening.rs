//! Adaptive splittings where springs stiffen: a spring is implicit once it is beyond its knee, or on its way there.

use cloth::implicit::{Newton, Settings, Solver, Splitting};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::triangles::{SpringMaterial, TriangleMesh};
use cloth::{Cloth, Elastic, Grid, Material, Pin, State, Stiffening, System, Vec3};

const KNEE: Option<Stiffening> = Some(Stiffening { strain: 0.04, factor: 800.0 });

/// A hanging grid and a hanging mesh of triangles, soft up to a strain that their weight exceeds.
fn systems() -> [(Box<dyn System>, Vec<Vec3>); 2] {
    let (stretch, shear) = (Elastic { stiffness: 15.0, damping: 0.01 }, Elastic { stiffness: 4.0, damping: 0.01 });
    let material = Material { density: 0.2, stretch, shear, bend: 0.0, stiffening: KNEE, ..Material::default() };
    let grid = Grid::new(12, 12, 0.05).expect("a grid");
    let sheet = Cloth::new(grid, material, &[Pin::At(0, 11), Pin::At(11, 11)]).expect("a sheet");
    let mesh = TriangleMesh::regular(12, 12, 0.55, 0.55).expect("a mesh");
    let material = SpringMaterial { density: 0.2, stretch, stiffening: KNEE, ..SpringMaterial::default() };
    let net = mesh.springs(&material, &[132, 143]).expect("a net");
    [(Box::new(sheet), grid.flat()), (Box::new(net), mesh.positions().to_vec())]
}

#[test]
fn aimex_stays_beside_backward_euler_where_springs_stiffen() {
    for (system, rest) in systems() {
        for newton in [Newton::Once, Newton::Converged { tolerance: 1e-6, limit: 30 }] {
            let run = |splitting: Splitting| {
                let settings = Settings { solver: Solver::Direct, newton, ..Settings::default() };
                let mut scheme = BackwardEuler::split(&*system, settings, splitting);
                let mut state = State::at_rest(rest.clone());
                let (mut fewest, mut most) = (usize::MAX, 0);
                for _ in 0..600 {
                    scheme.step(&*system, 1e-3, &mut state);
                    let implicit = scheme.implicit().iter().filter(|implicit| **implicit).count();
                    (fewest, most) = (fewest.min(implicit), most.max(implicit));
                }
                (state, fewest, most)
            };
            let ((implicit, ..), (adaptive, fewest, most)) = (run(Splitting::Implicit), run(Splitting::adaptive()));
            let apart = implicit.x.iter().zip(&adaptive.x).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(apart < 0.05, "{} couplings, {newton:?}: {apart}", system.coupling_count());
            assert!(fewest + 20 < most && most < system.coupling_count(), "{fewest} to {most}");
        }
    }
}

#[test]
fn a_spring_is_implicit_by_the_slope_where_it_is_and_where_it_goes() {
    let (system, _) = &systems()[0];
    let grid = Grid::new(12, 12, 0.05).expect("a grid");
    let chosen = |strain: f64, rate: f64| {
        let mut state = State::at_rest(grid.flat().iter().map(|x| (1.0 + strain) * x).collect());
        state.v = grid.flat().iter().map(|x| rate * x).collect();
        let mut implicit = vec![false; system.coupling_count()];
        system.choose_implicit(&Splitting::adaptive(), 1e-3, &state, &mut implicit);
        implicit[0] // a spring of stretch
    };
    assert_eq!([chosen(0.039, 0.0), chosen(0.041, 0.0)], [false, true]);
    assert_eq!([chosen(0.039, 0.9), chosen(0.039, 1.1), chosen(0.041, -1.2)], [false, true, true], "a step of 1e-3 s");
}
