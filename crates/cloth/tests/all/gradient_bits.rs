//! Gradients have the same bits on every instruction set and in every thread. Alone in its process, of which instruction sets are
//! chosen.

use cloth::adjoint::{Adjoint, Constant, Differentiable, Forces, Goal, Gradient, KeyFrame, Part, Task};
use cloth::implicit::{Newton, Settings};
use cloth::triangles::{Fabric, SpringMaterial, TriangleMesh};
use cloth::{Cloth, DampingForm, Elastic, Grid, Material, Pin, State, TriangleCloth, Vec3};
use linsolve::lanes::InstructionSet;

const SIDE: usize = 7;

/// A sheet of this kind, held at two corners, that is led to where it was shifted.
fn gradient(system: &dyn Differentiable, rest: Vec<Vec3>, constants: Vec<Constant>) -> Gradient {
    let (steps, free) = (8, SIDE..SIDE * SIDE);
    let places = free.clone().map(|particle| (particle, rest[particle] + Vec3::new(0.02, 0.03, 0.05))).collect();
    let forces = Forces::new(free.collect(), vec![0..3, 3..steps]).expect("intervals");
    let wave = |k: usize| 1e-3 * Vec3::new(libm::sin(k as f64), libm::cos(3.0 * k as f64), libm::sin(7.0 * k as f64));
    let u: Vec<Vec3> = (0..forces.count()).map(wave).collect();
    let settings = Settings { newton: Newton::Converged { tolerance: 1e-10, limit: 100 }, ..Settings::converged() };
    let goal = Goal { keyframes: vec![KeyFrame { step: steps, places, weight: 10.0 }], effort: 0.1 };
    let start = State::at_rest(rest);
    let task = Task { start, drives: vec![], dt: 0.02, steps, settings, goal, forces, constants, keep_every: 1 };
    Adjoint::new(system, task).expect("a task").gradient(system, &u).expect("steps that converge")
}

/// Gradients of a grid, of springs on triangles and of a continuum, made anew.
fn gradients() -> [Gradient; 3] {
    let elastic = |stiffness: f64| Elastic { stiffness, damping: 5e-4 * stiffness };
    let damping = DampingForm::Plain;
    let material = Material {
        density: 0.3,
        stretch: elastic(80.0),
        shear: elastic(30.0),
        damping,
        compression: true,
        ..Material::default()
    };
    let grid = Grid::new(SIDE, SIDE, 0.4 / (SIDE - 1) as f64).expect("a grid");
    let grid = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(SIDE - 1, 0)]).expect("a sheet");
    let mesh = TriangleMesh::regular(SIDE, SIDE, 0.4, 0.4).expect("a mesh");
    let material = SpringMaterial { density: 0.3, stretch: elastic(80.0), compression: true, ..SpringMaterial::default() };
    let springs = mesh.springs(&material, &[0, SIDE - 1]).expect("springs");
    let fabric = Fabric { density: 0.3, warp: elastic(80.0), weft: elastic(60.0), ..Fabric::default() };
    let continuum = TriangleCloth::new(mesh.clone(), fabric, &[0, SIDE - 1]).expect("a continuum");
    let stretch = || vec![Constant::Stiffness(Part::Stretch), Constant::Damping(Part::Stretch)];
    [
        gradient(&grid, grid.grid().flat(), stretch()),
        gradient(&springs, mesh.positions().to_vec(), stretch()),
        gradient(&continuum, mesh.positions().to_vec(), vec![Constant::Density, Constant::Stiffness(Part::Warp)]),
    ]
}

/// All its numbers.
fn bits(gradients: &[Gradient]) -> Vec<u64> {
    let of = |gradient: &Gradient| {
        let vectors = [&gradient.by_force, &gradient.by_start.x, &gradient.by_start.v];
        let numbers = vectors.into_iter().flatten().flatten().chain(&gradient.by_constant).chain([&gradient.value]);
        numbers.map(|number| number.to_bits()).collect::<Vec<u64>>()
    };
    gradients.iter().flat_map(of).collect()
}

#[test]
fn bits_are_equal_on_all_instruction_sets_and_in_all_threads() {
    let widest = InstructionSet::best();
    InstructionSet::Plain.limit();
    let plain = gradients();
    assert!(plain.iter().all(|gradient| gradient.by_constant.iter().all(|slope| *slope != 0.0) && gradient.value > 0.0));
    let expected = bits(&plain);
    for set in InstructionSet::supported() {
        set.limit();
        assert!(bits(&gradients()) == expected, "{set}");
    }
    widest.limit();
    std::thread::scope(|scope| {
        let threads = [(); 3].map(|()| scope.spawn(|| bits(&gradients())));
        threads.into_iter().for_each(|thread| assert!(thread.join().expect("a gradient") == expected, "in a thread"));
    });
}
