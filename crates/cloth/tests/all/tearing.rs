//! Cloth that tears while it is integrated: schemes and linear systems follow the mesh.

use cloth::implicit::{ConjugateGradients, Settings, Solver, Splitting};
use cloth::integrators::{BackwardEuler, DissipationLimit, GeneralizedAlpha, Integrator, PLAIN, Sbdf2};
use cloth::tearing::{TearLimits, Tearing};
use cloth::triangles::{Bend, Fabric, SpringMaterial, TriangleCloth, TriangleMesh};
use cloth::{Elastic, Grid, State, System};
use linsolve::Decompose;
use linsolve::lanes::InstructionSet;

const ELASTIC: Elastic = Elastic { stiffness: 30.0, damping: 0.05 };

/// Quads of springs whose upper row is held.
fn sheet(mesh: &TriangleMesh, pins: &[usize]) -> Box<dyn System> {
    let bend = Elastic { stiffness: 0.01, damping: 0.0 };
    let material = SpringMaterial { density: 1.0, stretch: ELASTIC, shear: ELASTIC, bend, ..SpringMaterial::default() };
    let mut net = mesh.springs(&material, pins).expect("a net");
    net.gravity = cloth::Vec3::new(0.0, -9.81, 0.0);
    Box::new(net)
}

/// A continuum whose upper row is held.
fn woven(mesh: &TriangleMesh, pins: &[usize]) -> Box<dyn System> {
    let fabric = Fabric {
        density: 1.0,
        warp: ELASTIC,
        weft: ELASTIC,
        shear: ELASTIC,
        bend: Bend { stiffness: 1e-4, damping: 0.0 },
        gravity: cloth::Vec3::new(0.0, -9.81, 0.0),
        ..Fabric::default()
    };
    Box::new(TriangleCloth::new(mesh.clone(), fabric, pins).expect("cloth"))
}

type Make = dyn Fn(&dyn System) -> Box<dyn Integrator>;

/// A sheet that hangs from its upper row and tears by its own weight; its end, and how many particles were split.
fn torn(mesh: TriangleMesh, weave: fn(&TriangleMesh, &[usize]) -> Box<dyn System>, make: &Make) -> (TriangleMesh, State, usize) {
    let (mut mesh, pins) = (mesh, [20, 21, 22, 23, 24]);
    let mut system = weave(&mesh, &pins);
    let (mut scheme, mut state) = (make(&*system), State::at_rest(mesh.positions().to_vec()));
    let mut tearing = Tearing::new(&mesh, TearLimits::new(1.2).expect("a limit"));
    for _ in 0..600 {
        if let Some(opening) = tearing.tear(&mesh, system.pinned(), &state.x) {
            opening.carry(&mut state);
            mesh = opening.mesh;
            system = weave(&mesh, &pins);
            scheme = make(&*system);
        }
        scheme.step(&*system, 1e-3, &mut state);
        assert!(state.is_finite());
    }
    (mesh, state, tearing.parents().len())
}

fn quads() -> TriangleMesh {
    TriangleMesh::of_grid(&Grid::new(5, 5, 0.25).expect("a grid")).expect("a mesh")
}

#[test]
fn every_scheme_steps_a_sheet_that_tears() {
    let families = Splitting::Families { stretch: true, shear: false, bend: false };
    let settings = Settings::default();
    let mut schemes: Vec<(&str, Box<Make>)> = PLAIN
        .iter()
        .map(|entry| -> (&str, Box<Make>) { (entry.name, Box::new(move |system| entry.integrator(system, settings))) })
        .collect();
    schemes.push(("imex", Box::new(move |system| Box::new(BackwardEuler::split(system, settings, families)))));
    schemes.push(("aimex", Box::new(move |system| Box::new(BackwardEuler::split(system, settings, Splitting::adaptive())))));
    schemes.push(("sbdf2", Box::new(move |system| Box::new(Sbdf2::new(system, settings, families)))));
    let most = DissipationLimit::MOST_DISSIPATION;
    schemes.push(("generalized-alpha", Box::new(move |system| Box::new(GeneralizedAlpha::new(system, settings, most)))));
    for (name, make) in schemes {
        for (mesh, weave) in [(quads(), sheet as fn(&_, &_) -> _), (TriangleMesh::centred(5, 5, 1.0, 1.0).unwrap(), woven)] {
            let (mesh, state, split) = torn(mesh, weave, &*make);
            assert!(split > 0 && mesh.pieces() > 1, "{name}: {split} split, {} pieces", mesh.pieces());
            assert!(state.x[..5].iter().all(|x| x.y < -0.3), "{name}"); // what is torn off falls
            assert!(state.x[20..25].iter().all(|x| x.y == 1.0), "{name}"); // what is held does not
        }
    }
}

#[test]
fn a_decomposed_solve_finds_the_pieces() {
    let gradients = ConjugateGradients { decompose: Some(Decompose::Serial), ..ConjugateGradients::default() };
    let settings = Settings { solver: Solver::ConjugateGradients(gradients), ..Settings::default() };
    let make = move |system: &dyn System| -> Box<dyn Integrator> { Box::new(BackwardEuler::new(system, settings)) };
    let (mesh, mut state, _) = torn(TriangleMesh::centred(5, 5, 1.0, 1.0).unwrap(), woven, &make);
    // without pins each piece is a component, whatever the forces are: stretch couples every triangle
    let (system, mut scheme) = (woven(&mesh, &[]), None);
    scheme.insert(BackwardEuler::new(&*system, settings)).step(&*system, 1e-3, &mut state);
    let groups = scheme.as_ref().and_then(BackwardEuler::groups).unwrap();
    assert_eq!(groups.iter().max().map(|most| *most as usize), Some(mesh.pieces()));
    assert!(mesh.pieces() > 1);
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.corners.map(|corner| groups[corner]);
        assert!(a == b && b == c && a > 0);
    }
}

#[test]
fn a_tear_is_the_same_in_every_run() {
    let make = |system: &dyn System| -> Box<dyn Integrator> { Box::new(BackwardEuler::new(system, Settings::default())) };
    let [first, second] = [torn(quads(), sheet, &make), torn(quads(), sheet, &make)];
    assert_eq!(first, second);
}

/// Bits of a state.
fn bits(state: &State) -> Vec<u64> {
    state.x.iter().chain(&state.v).flat_map(|place| place.iter().map(|q| q.to_bits())).collect()
}

#[test]
fn a_tear_has_the_same_bits_on_every_instruction_set_and_over_threads() {
    let runs = |decompose: Option<Decompose>| {
        let gradients = ConjugateGradients { decompose, ..ConjugateGradients::default() };
        let [iterative, direct] = [Solver::ConjugateGradients(gradients), Solver::Direct].map(|solver| {
            move |system: &dyn System| -> Box<dyn Integrator> {
                Box::new(BackwardEuler::new(system, Settings { solver, ..Settings::default() }))
            }
        });
        let centred = || TriangleMesh::centred(5, 5, 1.0, 1.0).expect("a mesh");
        let torn = [torn(quads(), sheet, &iterative), torn(quads(), sheet, &direct), torn(centred(), woven, &iterative)];
        torn.map(|(mesh, state, split)| (mesh.pieces(), bits(&state), split))
    };
    let widest = runs(None);
    for set in InstructionSet::supported() {
        set.limit(); // of the process: other tests hold on any
        assert_eq!(runs(None), widest, "{set}");
    }
    let serial = runs(Some(Decompose::Serial));
    assert_eq!(runs(Some(Decompose::Threaded)), serial);
    assert!(serial.iter().all(|(pieces, _, split)| *pieces > 1 && *split > 0));
}

#[test]
fn edges_that_keep_their_length_are_those_of_the_torn_mesh() {
    let mesh = quads();
    let x: Vec<cloth::Vec3> = mesh.positions().iter().map(|x| if x.y < 0.6 { x - cloth::Vec3::y() } else { *x }).collect();
    let opening = Tearing::new(&mesh, TearLimits::new(1.5).unwrap()).tear(&mesh, &[false; 25], &x).unwrap();
    let (before, after) = (mesh.sides(), opening.mesh.sides());
    assert_eq!((opening.parents.len(), opening.mesh.pieces()), (5, 2));
    assert_eq!(after.len(), before.len() + 4); // the four along the tear have two sides now
    assert!(after.iter().all(|edge| mesh_of(&opening.mesh, edge.i, edge.j)));
}

/// Whether two particles are corners of one face.
fn mesh_of(mesh: &TriangleMesh, i: usize, j: usize) -> bool {
    mesh.faces().any(|face| [i, j].iter().all(|end| face.corners().any(|corner| corner == *end)))
}
