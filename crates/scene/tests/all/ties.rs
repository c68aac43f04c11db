//! Cloth that is sewn, and pins that give way or let go, under way.

use cloth::run::Run;
use cloth::{State, Vec3};
use scene::{Reading, Scene, read_obj};

/// Two square panels of triangles, a fifth of a metre apart.
fn panels() -> String {
    let (mut text, n) = (String::new(), 6);
    for z in [0.0, 0.2] {
        for k in 0..n * n {
            text += &format!("v {} {z} {}\n", 0.1 * f64::from(k % n), 0.1 * f64::from(k / n));
        }
    }
    for panel in 0..2 {
        for cell in 0..(n - 1) * (n - 1) {
            let a = panel * n * n + cell / (n - 1) * n + cell % (n - 1) + 1;
            text += &format!("f {a} {} {} {}\n", a + 1, a + n + 1, a + n);
        }
    }
    (0..n).for_each(|k| text += &format!("l {} {}\n", k * n + 1, n * n + k * n + 1));
    text
}

fn begun(top: &str, sections: &str) -> Run {
    let text = format!("step = 2e-3\nduration = 2\n{top}\n[mesh.obj]\nfile = 'a.obj'\n{sections}");
    let scene = Scene::parse_on(&text, &read_obj(&panels(), &Reading::default()).expect("a mesh"));
    let scene = scene.unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
    let start = State::at_rest(scene.model().expect("a model").rest());
    scene.run(start).expect("a run")
}

#[test]
fn panels_come_together_in_time_and_hold_under_every_scheme_and_model() {
    let firm = "[material]\nstretch = { stiffness = 100, damping = 0.1 }\n";
    for (integrator, model) in [
        ("backward-euler", "continuum"),
        ("backward-euler", "springs"),
        ("bdf2", "continuum"),
        ("generalized-alpha", "springs"),
        ("aimex", "springs"),
        ("projective-dynamics", "springs"),
        ("rk4", "springs"),
    ] {
        let damped = if integrator == "rk4" { "step = 2e-4\n" } else { "step = 2e-3\n" };
        let top = format!("integrator = '{integrator}'\npins = [30, 31, 32, 33, 34, 35]");
        let sections = format!("[sewing]\ntime = 0.5\ndamping = 0.05\n{firm}model = '{model}'\n");
        let text = format!("{damped}duration = 2\n{top}\n[mesh.obj]\nfile = 'a.obj'\n{sections}");
        let scene = Scene::parse_on(&text, &read_obj(&panels(), &Reading::default()).unwrap()).unwrap();
        let mut simulation = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
        let apart = |simulation: &Run| simulation.ties().farthest(&simulation.state().x).unwrap();
        assert!((apart(&simulation) - 0.2).abs() < 1e-12);
        while simulation.time() < 1.9 {
            simulation.step().unwrap();
        }
        assert!(simulation.failed().is_none() && apart(&simulation) < 0.01, "{integrator} {model}: {}", apart(&simulation));
        // the second panel hangs on the first one
        let low = simulation.state().x[36..].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!(low > -1.5, "{integrator} {model}: {low}");
    }
}

#[test]
fn sewn_cloth_that_meets_itself_stays_apart_by_its_thickness() {
    let mut simulation = begun("pins = [30, 31, 32, 33, 34, 35]", "[sewing]\ntime = 0.3\n[self_collision]\nthickness = 2e-3\n");
    while simulation.time() < 0.6 {
        simulation.step().unwrap();
        assert!(simulation.failed().is_none(), "{:?}", simulation.collisions().map(|colliding| colliding.last()));
    }
    let apart = simulation.ties().farthest(&simulation.state().x).unwrap();
    assert!((2e-3..0.02).contains(&apart), "{apart}");
}

#[test]
fn pins_let_go_at_their_time_with_the_velocity_that_they_had() {
    for (top, sections) in [
        ("pins = [{ index = 35, until = 0.1 }, 30]", ""),
        ("pins = [{ index = 35, until = 0.1, stiffness = 1e4 }, 30]", ""),
        ("pins = [{ index = 35, until = 0.1 }, 30]", "[[motion]]\npins = [35]\nvelocity = [0, 0, 1]\n"),
        ("pins = [{ index = 35, until = 0.1, stiffness = 1e4 }, 30]", "[[motion]]\npins = [35]\nvelocity = [0, 0, 1]\n"),
    ] {
        let mut simulation = begun(top, sections);
        let (start, moves) = (simulation.state().x[35], !sections.is_empty());
        let place = |t: f64| start + if moves { t * Vec3::z() } else { Vec3::zeros() };
        while simulation.steps() < 50 {
            simulation.step().unwrap();
            let off = (simulation.state().x[35] - place(simulation.time())).norm();
            assert!(off < 2e-3, "{top} {sections}: {off} at {} s", simulation.time());
        }
        let work = simulation.work();
        while simulation.steps() < 150 {
            simulation.step().unwrap();
        }
        assert!(simulation.work().solves > work.solves, "counts go on");
        let fallen = place(0.1).z - simulation.state().x[35].z;
        let own = if moves { -0.2 } else { 0.0 }; // of the velocity at which it left
        assert!(fallen > 0.1 + own && simulation.state().x[30] == Vec3::new(0.0, 0.0, 0.5), "{top} {sections}: {fallen}");
    }
}

#[test]
fn a_grid_takes_soft_pins_and_lets_go_of_them() {
    let text = "step = 1e-2\nduration = 1\npins = [{ index = 'top', stiffness = 200, damping = 1, until = 0.5 }]\n\
                [mesh]\nnx = 5\nny = 4\nspacing = 0.1\n";
    let scene = Scene::parse(text).unwrap();
    let mut simulation = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
    assert!(simulation.model().system().pinned().iter().all(|pinned| !pinned));
    (0..50).for_each(|_| drop(simulation.step().unwrap()));
    let held = simulation.state().x[17].z;
    assert!(held < -1e-4 && held > -0.05 && simulation.energies().stretch > 1e-5, "{held}");
    (0..50).for_each(|_| drop(simulation.step().unwrap()));
    assert!(simulation.state().x[17].z < held - 1.0, "it falls: {}", simulation.state().x[17].z);
}
