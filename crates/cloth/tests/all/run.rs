//! Scenarios that are composed by code.

use cloth::prelude::*;
use cloth::run::{LengthConstraint, StretchLimit, Tear, TearMode};
use cloth::tearing::TearLimits;
use cloth::triangles::TriangleMesh;
use cloth::{Fabric, ModelError, Track};

fn sheet() -> Cloth {
    let grid = Grid::new(5, 4, 0.1).expect("a grid");
    Cloth::new(grid, Material::default(), &[Pin::At(0, 3), Pin::At(4, 3)]).expect("a sheet")
}

fn triangles() -> TriangleCloth {
    let mesh = TriangleMesh::regular(4, 4, 0.4, 0.4).expect("a mesh");
    TriangleCloth::new(mesh, Fabric::default(), &[0, 3]).expect("cloth")
}

#[test]
fn parts_that_do_not_go_together_are_refused() {
    let scenario = || Scenario::new(sheet());
    let still = Solid::Sphere { centre: Vec3::new(0.2, 0.2, -1.0), radius: 0.5 };
    let rising = RigidMotion { velocity: Vec3::z(), ..RigidMotion::STILL };
    let itself = SelfCollision { distance: 1e-3, friction: Friction::even(0.3) };
    let limits = cloth::inextensible::Limits::new(0.01, 100).expect("limits");
    let kept = LengthConstraint { method: cloth::inextensible::MethodKind::Pbd, limits };
    let track = Track::Line(Vec3::x());
    let tear = |mode| Tear { limits: TearLimits::new(1.2).expect("a limit"), mode };
    let body = MovingMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
        faces: vec![[0, 1, 2]],
        sequence: None,
        motion: RigidMotion::STILL,
        friction: Friction::default(),
    };
    let contact = SolidContact::Constraints;
    for (scenario, first) in [
        (scenario().solid(still, rising.clone()).solid_contact(contact), "constraints of solids"),
        (scenario().body(body), "a body"),
        (scenario().keep_lengths(kept).adapt(StretchLimit::NONE), "a constraint method"),
        (scenario().guide(0, track).keep_lengths(kept), "a guide"),
        (scenario().guide(0, track).self_collision(itself), "a guide"),
        (scenario().guide(0, track).solid(still, RigidMotion::STILL), "a guide"),
        (Scenario::new(triangles()).tear(tear(TearMode::Open)).self_collision(itself), "cloth that tears"),
        (scenario().tear(tear(TearMode::Open)), "cloth that opens"),
        (Scenario::new(triangles()).tear(tear(TearMode::Simple)), "springs that leave"),
    ] {
        match scenario.run().map(drop) {
            Err(ModelError::Together { first: found, .. }) => assert_eq!(found, first),
            other => panic!("{first}: {other:?}"),
        }
    }
    // and what goes together runs
    for scenario in [
        scenario().solid(still, rising),
        scenario().solid(still, RigidMotion::STILL).solid_contact(contact),
        scenario().keep_lengths(kept),
        scenario().self_collision(itself),
        Scenario::new(triangles()).tear(tear(TearMode::Open)),
    ] {
        let mut run = scenario.run().expect("a run");
        (0..3).for_each(|_| drop(run.step().expect("a step")));
    }
}

#[test]
fn cloth_that_is_made_of_a_model_is_that_model() {
    let of = |scenario: Scenario| {
        let mut run = scenario.run().expect("a run");
        (0..5).for_each(|_| drop(run.step().expect("a step")));
        run.state().clone()
    };
    let (cloth, mut state) = (sheet(), sheet().at_rest());
    let mut scheme = ForwardBackwardEuler::new(20);
    (0..5).for_each(|_| cloth::integrators::Integrator::step(&mut scheme, &cloth, 1e-3, &mut state));
    assert_eq!(of(Scenario::new(cloth).scheme(&ForwardBackwardEuler::ENTRY).step(1e-3)), state);
    let (cloth, mut state) = (triangles(), triangles().at_rest());
    let mut scheme = ForwardBackwardEuler::new(16);
    (0..5).for_each(|_| cloth::integrators::Integrator::step(&mut scheme, &cloth, 1e-3, &mut state));
    assert_eq!(of(Scenario::new(cloth).scheme(&ForwardBackwardEuler::ENTRY).step(1e-3)), state);
}

#[test]
fn loads_act_under_every_scheme_and_parts_outside_the_mesh_are_refused() {
    use cloth::adjoint::Forces;
    use cloth::run::{PinTerms, Sewing};
    let push = || (Forces::new(vec![7], vec![0..2, 2..3]).expect("intervals"), vec![0.1 * Vec3::z(); 2]);
    for scheme in [&ForwardBackwardEuler::ENTRY, &BackwardEuler::ENTRY, &Bdf2::ENTRY] {
        let [alone, loaded] = [false, true].map(|is_loaded| {
            let scenario = Scenario::new(sheet()).scheme(scheme).step(1e-3);
            let (forces, u) = push();
            let scenario = if is_loaded { scenario.loads(forces, u) } else { scenario };
            let mut run = scenario.run().expect("a run");
            (0..3).for_each(|_| drop(run.step().expect("a step")));
            run.state().x[7].z
        });
        assert!(loaded > alone + 1e-7, "{}: {loaded} {alone}", scheme.name);
    }
    let elastic = Elastic { stiffness: 10.0, damping: 0.0 };
    let sewing = Some(Sewing { pairs: vec![[0, 99]], time: 1.0, elastic });
    let terms = PinTerms { stiffness: Some(1.0), ..PinTerms::default() };
    let outside = Forces::new(vec![99], vec![0..2, 2..3]).expect("intervals");
    for scenario in [
        Scenario { sewing, ..Scenario::new(sheet()) },
        Scenario { pin_terms: vec![(99, terms)], ..Scenario::new(sheet()) },
        Scenario::new(sheet()).loads(outside, vec![Vec3::z(); 2]),
        Scenario::new(sheet()).loads(push().0, vec![]),
    ] {
        assert!(scenario.run().is_err());
    }
}
