//! `clothlab control` and `clothlab fit`: forces and materials are found again, from exact and from noisy positions, and mistakes
//! are named with their place.

use std::fmt::Write as _;

use crate::common::Desk;
use cloth::adjoint::Forces;
use cloth::run::Run;
use cloth::{State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scene::Scene;

const TOP: &str = "step = 0.02\nduration = 0.24\npins = [\"top-left\", \"top-right\"]\nsolver = \"direct\"\n\
                   [integrator.backward-euler]\nnewton = { tolerance = 1e-12, limit = 200 }\n";
const MESH: &str = "[mesh]\nnx = 4\nny = 4\nspacing = 0.05\n[material]\ndensity = 0.2\n\
                    stretch = { stiffness = 40.0, damping = 0.05 }\nshear = { stiffness = 40.0, damping = 0.02 }\nbend = 0.01\n\
                    damping = \"plain\"\ncompression = true\n";

fn simulation(text: &str) -> Run {
    let scene = Scene::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    let start = State::at_rest(scene.model().expect("a model").rest());
    scene.run(start).expect("a run")
}

/// The numbers of a table of the program.
fn table(desk: &Desk, name: &str) -> Vec<Vec<f64>> {
    let text = desk.read(name);
    text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()).collect()
}

#[test]
fn a_known_force_field_is_found_again() {
    let desk = Desk::new();
    // forces on three particles over two intervals, and all positions after each of the twelve steps
    let forces = Forces::new(vec![0, 3, 5], vec![0..6, 6..12]).expect("intervals");
    let known: Vec<Vec3> = (0..6).map(|k| 0.01 * Vec3::new(libm::sin(f64::from(k)), libm::cos(f64::from(3 * k)), 1.0)).collect();
    let mut run = simulation(&format!("{TOP}{MESH}")).with_forces(forces, known.clone());
    let mut control = "[control]\nparticles = [0, 3, [1, 1]]\ninterval = 0.12\neffort = 0\niterations = 400\n".to_owned();
    for step in 1..=12 {
        run.step().expect("a step");
        let rows = run.state().x.iter().enumerate().map(|(i, x)| format!("{i},{:e},{:e},{:e}\n", x.x, x.y, x.z));
        desk.write(&format!("{step}.csv"), format!("particle,x,y,z\n{}", rows.collect::<String>()));
        let time = f64::from(step) * 0.02;
        write!(control, "[[control.keyframe]]\ntime = {time}\nplaces = \"{step}.csv\"\n").expect("a text");
    }
    desk.write("a.toml", format!("{TOP}{MESH}{control}"));
    let dry = desk.clothlab(&["control", "a.toml", "--out", "found", "--dry-run"]);
    assert_eq!((dry.code, desk.path("found").exists()), (Some(0), false), "{}", dry.err);
    assert!(
        dry.out.contains("12 key frames in 12 steps of 0.02 s by forces on 3 particles in 2 intervals, 18 numbers"),
        "{}",
        dry.out
    );
    let said = desk.clothlab(&["control", "a.toml", "--out", "found", "--no-pictures"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found = table(&desk, "found/control.csv");
    assert_eq!((found.len(), &found[3][..3]), (6, &[0.12, 0.24, 0.0][..]));
    for (row, known) in found.iter().zip(&known) {
        let found = Vec3::new(row[3], row[4], row[5]);
        assert!((found - known).norm() < 1e-2 * known.norm(), "{found} for {known}\n{}", said.out);
    }
    // the run that was written is that of the search
    let end = table(&desk, "found/positions.csv");
    let apart = end.iter().zip(&run.state().x).map(|(row, x)| (Vec3::new(row[1], row[2], row[3]) - x).norm());
    assert!(apart.fold(0.0, f64::max) < 1e-4);
    let course = table(&desk, "found/convergence.csv");
    assert!(course.windows(2).all(|pair| pair[1][2] < pair[0][2]) && course[course.len() - 1][2] < 1e-6 * course[0][2]);
    let listed = desk.read("found/simulation.toml");
    assert!(listed.contains("control.csv") && listed.contains("convergence.csv"), "{listed}");
    // all that was read is there too, and is what the copy of the scene names
    assert_eq!(desk.read("found/scene-wanted-11.csv"), desk.read("12.csv"));
    assert!(listed.contains("scene-wanted-0.csv") && desk.read("found/scene.toml").contains("places = \"scene-wanted-11.csv\""));
    let copy = desk.clothlab(&["control", "found/scene.toml", "--out", "copy", "--dry-run"]);
    assert!(copy.code == Some(0) && copy.out.contains("12 key frames in 12 steps"), "{}{}", copy.out, copy.err);
    let again = desk.refused(&["control", "a.toml", "--out", "found"]);
    assert!(again.contains("from a former simulation; add --force"), "{again}");
}

#[test]
fn stiffness_and_damping_are_found_from_noisy_positions() {
    let desk = Desk::new();
    let truth = MESH.replace("stretch = { stiffness = 40.0, damping = 0.05 }", "stretch = { stiffness = 80.0, damping = 0.02 }");
    let truth = truth.replace("shear = { stiffness = 40.0", "shear = { stiffness = 25.0");
    let mut run = simulation(&format!("{TOP}{truth}"));
    let mut noise = ChaCha8Rng::seed_from_u64(7);
    let mut motion = "t,particle,x,y,z\n".to_owned();
    for _ in 0..12 {
        run.step().expect("a step");
        for (i, x) in run.state().x.iter().enumerate() {
            let [x, y, z] = [x.x, x.y, x.z].map(|q| q + noise.random_range(-1e-4..1e-4));
            writeln!(motion, "{},{i},{x:e},{y:e},{z:e}", run.time()).expect("a text");
        }
    }
    desk.write("motion.csv", motion);
    let fit = "[fit]\nmotion = \"motion.csv\"\nparameters = [\"stretch.stiffness\", \"shear.stiffness\", \"stretch.damping\"]\n";
    desk.write("a.toml", format!("{TOP}{MESH}{fit}"));
    let dry = desk.clothlab(&["fit", "a.toml", "--out", "found", "--dry-run"]);
    assert_eq!((dry.code, desk.path("found").exists()), (Some(0), false), "{}", dry.err);
    assert!(dry.out.contains("stretch.stiffness from 40, shear.stiffness from 40, stretch.damping from 0.05 by 12 frames"));
    let said = desk.clothlab(&["fit", "a.toml", "--out", "found"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found: Vec<f64> = table(&desk, "found/fit.csv").iter().map(|row| row[2]).collect();
    for (found, (truth, share)) in found.iter().zip([(80.0, 0.02), (25.0, 0.05), (0.02, 0.05)]) {
        assert!((found / truth - 1.0).abs() < share, "{found} for {truth}\n{}", said.out);
    }
    // what is left is the noise: 1e-4 m times the root of 1/3 for each of three coordinates
    let course = table(&desk, "found/convergence.csv");
    let left = (2.0 * course[course.len() - 1][2]).sqrt();
    assert!((0.9e-4..1.1e-4).contains(&left), "{left}");
    assert!(desk.refused(&["fit", "a.toml", "--out", "found"]).contains("from a former fit; add --force"));
    // what was read is there too: the copy of the scene finds the same
    assert_eq!(desk.read("found/scene-recorded.csv"), desk.read("motion.csv"));
    let copy = desk.clothlab(&["fit", "found/scene.toml", "--out", "copy"]);
    assert!(copy.code == Some(0) && desk.read("copy/fit.csv") == desk.read("found/fit.csv"), "{}", copy.err);
    assert!(desk.refused(&["fit", "found/scene.toml", "--out", "found", "--force"]).contains("would be replaced by it"));
    desk.write("copy/scene-mesh.obj", "of another fit");
    assert_eq!(desk.clothlab(&["fit", "a.toml", "--out", "copy", "--force"]).code, Some(0));
    assert!(!desk.path("copy/scene-mesh.obj").exists(), "no file of the scene");
    desk.write("copy/simulation.toml", "");
    assert!(
        desk.refused(&["fit", "a.toml", "--out", "copy", "--force"]).contains("copy holds a simulation; choose another folder")
    );
}

/// What is said of a scene that must be refused, with nothing written.
fn refused(desk: &Desk, command: &str, text: &str) -> String {
    desk.write("a.toml", text);
    let message = desk.refused(&[command, "a.toml", "--out", "results"]);
    assert!(!desk.path("results").exists(), "output for a scene that was refused");
    message
}

#[test]
fn mistakes_are_refused_with_place_and_remedy() {
    let desk = Desk::new();
    desk.write("places.csv", "particle,x,y,z\n16,0,0,0\n");
    desk.write("right.csv", "particle,x,y,z\n0,0,0,0\n");
    desk.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
    desk.write("late.csv", "t,particle,x,y,z\n0.1,0,0,0,0\n0.3,0,0,0,0\n");
    desk.write("start.csv", "t,particle,x,y,z\n0,0,0,0,0\n");
    let scene = |sections: &str| format!("{TOP}{MESH}{sections}");
    let control =
        |time: &str, places: &str| scene(&format!("[control]\n[[control.keyframe]]\ntime = {time}\nplaces = \"{places}\"\n"));
    for (text, expected) in [
        (scene(""), "a.toml: it has no [control]; add one with [[control.keyframe]] sections"),
        (control("0.1", "none.csv"), "a.toml, line 21, `places = \"none.csv\"`: there is no file none.csv; the name is relative"),
        (
            control("0.1", "places.csv"),
            "places.csv, line 2, `16,0,0,0`: `particle` must be a whole number from 0 to 15, as the mesh has them, not `16`",
        ),
        (
            control("0.1", "other.obj"),
            "a.toml, line 21, `places = \"other.obj\"`: other.obj has 3 vertices, and the mesh has 16; write it from that mesh",
        ),
        (
            control("9", "right.csv"),
            "a.toml, line 20, `time = 9`: the run has key frames from 0.02 s to 0.24 s, not at 9 s: change",
        ),
        (
            control("0.1", "right.csv").replace("solver = \"direct\"\n", ""),
            "a.toml: a gradient is that of steps that are solved directly: put `solver = \"direct\"` at the top",
        ),
        (
            control("0.1", "right.csv").replace("[control]\n", "[control]\nparticles = [12]\n"),
            "a.toml, line 19, `particles = [12]`: 12 is a pin, which no force moves: take it out here or of `pins`",
        ),
        (
            format!("{}[[solid]]\nsphere = {{ centre = [0, 0, -9], radius = 1 }}\n", control("0.1", "right.csv")),
            "a.toml: what comes of `solid` has no gradient: take it out",
        ),
    ] {
        let message = refused(&desk, "control", &text);
        assert!(message.starts_with(expected), "{message}\nis not\n{expected}");
    }
    let fit = |motion: &str, parameter: &str| scene(&format!("[fit]\nmotion = \"{motion}\"\nparameters = [\"{parameter}\"]\n"));
    for (text, expected) in [
        (scene(""), "a.toml: it has no [fit]; add one with motion and parameters"),
        (
            fit("late.csv", "density"),
            "late.csv: a frame at 0.3 s lies outside the run, which ends at 0.24 s; leave it out or change",
        ),
        (fit("start.csv", "density"), "start.csv: it has no frame after the start, which tells nothing; add some"),
        (
            fit("late.csv", "warp.stiffness"),
            "a.toml, line 20, `parameters = [\"warp.stiffness\"]`: the material has no constant `warp.stiffness`; name some of \
             density, air, stretch.stiffness, stretch.damping, shear.stiffness, shear.damping, bend.stiffness",
        ),
        (
            fit("late.csv", "air"),
            "a.toml, line 20, `parameters = [\"air\"]`: `air` is zero, and the search begins with the value",
        ),
        (fit("places.csv", "density"), "places.csv, line 1, `particle,x,y,z`: the columns must be t,particle,x,y,z"),
    ] {
        let message = refused(&desk, "fit", &text);
        assert!(message.starts_with(expected), "{message}\nis not\n{expected}");
    }
}
