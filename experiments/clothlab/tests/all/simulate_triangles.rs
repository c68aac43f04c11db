//! `clothlab simulate` on triangles: meshes from generators and from OBJ files, what is said of them, and what is refused.

use std::fs;
use std::path::Path;

use crate::common::{Desk, Said};
use cloth::Vec3;
use scene::{ObjMesh, Reading, read_obj, read_vectors};

/// A scene on a mesh, ten steps of backward Euler, with lines of its own at the top and sections of its own.
fn scene(top: &str, sections: &str) -> String {
    format!("step = 1e-3\nduration = 0.01\nintegrator = \"backward-euler\"\n{top}\n{sections}")
}

const CENTRED: &str = "[mesh.centred]\nnx = 3\nny = 4\nwidth = 0.5\nheight = 0.75\n";
const OBJ: &str = "[mesh.obj]\nfile = \"meshes/a.obj\"\n";

/// A square of two triangles with texture coordinates in centimetres.
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 100 0\nvt 100 100\nvt 0 100\nf 1/1 2/2 3/3 4/4\n";

/// Runs a scene that must be right.
fn run(desk: &Desk, text: &str, out: &str) -> Said {
    desk.write("a.toml", text);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", out]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{text}");
    said
}

/// What is said of a scene that must be refused, with nothing written.
fn refused(desk: &Desk, text: &str) -> String {
    desk.write("a.toml", text);
    let message = desk.refused(&["simulate", "a.toml", "--out", "results"]);
    assert!(!desk.path("results").exists(), "output for a scene that was refused");
    message
}

/// The last row of energies.csv.
fn last(desk: &Desk, out: &str) -> Vec<f64> {
    let text = desk.read(&format!("{out}/energies.csv"));
    text.lines().last().expect("a row").split(',').map(|cell| cell.parse().expect("a number")).collect()
}

#[test]
fn what_is_sewn_is_told_with_its_pieces_and_how_far_it_is_apart() {
    let desk = Desk::new();
    let square = |z: f64| format!("v 0 0 {z}\nv 1 0 {z}\nv 1 1 {z}\nv 0 1 {z}\n");
    let panels = format!("{}{}f 1 2 3 4\nf 5 6 7 8\n", square(0.0), square(0.1));
    for (lines, pieces, sewing) in
        [("", "2 pieces that nothing joins", None), ("l 1 5\nl 2 6\n", "2 pieces that are sewn together", Some(2))]
    {
        desk.write("meshes/a.obj", format!("{panels}{lines}"));
        let out = run(&desk, &scene("pins = [0]", OBJ), pieces).out;
        assert!(out.contains(&format!("mesh of 8 particles and 4 triangles in {pieces}")), "{out}");
        assert_eq!(out.contains("sewing: 2 pairs, at most "), sewing.is_some(), "{out}");
        assert_eq!(out.contains("given by what moves "), sewing.is_some(), "{out}");
        let said = desk.clothlab(&["simulate", "a.toml", "--out", pieces, "--force", "--json"]);
        let told: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(told["sewing"]["pairs"].as_u64(), sewing);
    }
}

#[test]
fn every_model_and_mesh_runs_and_writes_its_triangles() {
    let desk = Desk::new();
    desk.write("meshes/a.obj", SQUARE);
    let regular = CENTRED.replace("centred", "regular");
    let obj = format!("{OBJ}texture_scale = 0.01\n");
    for (mesh, [particles, triangles]) in [(CENTRED, [18, 24]), (&regular, [12, 12]), (&obj, [4, 2])] {
        for model in ["continuum", "springs"] {
            let out = format!("{model}-{triangles}");
            let sections = format!("{mesh}[material]\nmodel = \"{model}\"\n[output]\nframes_per_second = 100\n");
            let said = run(&desk, &scene("pins = [0]", &sections), &out);
            let mesh = format!("mesh of {particles} particles and {triangles} triangles\n");
            assert!(said.out.contains(&mesh) && said.out.contains("2 frames"), "{}", said.out);
            let frame = read_obj(&desk.read(&format!("{out}/frames/frame_00001.obj")), &Reading::default()).expect("a frame");
            assert_eq!((frame.mesh.particle_count(), frame.mesh.triangles().len()), (particles, triangles));
            let x = read_vectors(desk.read(&format!("{out}/positions.csv")).as_bytes(), particles).expect("a table");
            assert_eq!(frame.mesh.positions(), x);
            // but for the pin it falls, which plain dampers beside the pin hinder a little
            let fall = 0.5 * 9.81 * 0.01 * 0.011; // g dt² (1 + 2 + ... + 10)
            assert!(x[0] == Vec3::zeros() && (x[particles - 1].z + fall).abs() < 0.01 * fall, "{:?}", x[particles - 1]);
            assert!(last(&desk, &out)[2] > 1e-6);
        }
    }
}

#[test]
fn integrators_solids_and_repulsion_are_those_of_a_grid() {
    let desk = Desk::new();
    for integrator in
        ["fb-euler", "rk4", "backward-euler", "bdf2", "implicit-midpoint", "generalized-alpha", "aimex", "adaptive-sbdf2"]
    {
        let text = scene("pins = [\"top\"]", CENTRED).replace("backward-euler", integrator);
        let out = format!("out-{integrator}");
        assert!(run(&desk, &text, &out).out.starts_with("10 steps of 0.001 s"), "{integrator}");
        assert!(last(&desk, &out)[2] > 1e-6, "{integrator}: nothing moves");
    }
    // the cloth lies on a floor and presses with its weight
    let floor = "[[solid]]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n";
    for model in ["continuum", "springs"] {
        let sections = format!(
            "{CENTRED}[material]\nmodel = \"{model}\"\ndensity = 0.4\n{floor}[repulsion]\n[output]\ncontacts_every = 10\n"
        );
        let said = run(&desk, &scene("solver = \"direct\"", &sections), &format!("floor-{model}"));
        assert!(said.out.contains("contacts at the end: 18 particles stick, 0 slide"), "{}", said.out);
        let force = |line: &str| line.split(',').next_back().map(|cell| cell.parse::<f64>().expect("a number"));
        let contacts = desk.read(&format!("floor-{model}/contacts.csv"));
        let sum: f64 = contacts.lines().skip(1).filter_map(force).sum();
        let weight = 0.4 * 0.5 * 0.75 * 9.81;
        assert!((sum / weight - 1.0).abs() < 1e-9, "{sum} N of {weight} N");
    }
}

#[test]
fn a_run_in_two_halves_gives_the_bits_of_one() {
    let desk = Desk::new();
    let first = scene("solver = \"direct\"\npins = [\"left\"]", &format!("{CENTRED}[material]\ndrag = {{ wind = [3, 0, 1] }}\n"));
    run(&desk, &first.replace("duration = 0.01", "duration = 0.02"), "whole");
    run(&desk, &first, "first");
    let tables = "[initial]\npositions = \"first/positions.csv\"\nvelocities = \"first/velocities.csv\"\n";
    run(&desk, &format!("{first}{tables}"), "second");
    for table in ["positions.csv", "velocities.csv"] {
        assert_eq!(desk.read(&format!("whole/{table}")), desk.read(&format!("second/{table}")));
    }
    let short = "particle,x,y,z\n0,0,0,0\n";
    desk.write("first/positions.csv", short);
    let message = refused(&desk, &format!("{first}{tables}"));
    assert_eq!(message, "first/positions.csv: the table must have 18 rows, one for each particle of the mesh, not 1");
}

#[test]
fn missing_texture_and_pieces_are_said() {
    let desk = Desk::new();
    let upright = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
    desk.write("meshes/a.obj", format!("{SQUARE}{}", upright.replace("1 2 3", "5 6 7")));
    desk.write("a.toml", scene("", OBJ));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let doubted =
        "warning: meshes/a.obj: lengths by texture coordinates are 100 times those that are drawn; `texture_scale = 0.01`";
    assert!(said.err.starts_with(doubted) && said.err.contains("4 vertices lie on one of another piece; `merge"), "{}", said.err);
    let expected = "mesh of 7 particles and 3 triangles in 2 pieces that nothing joins; 1 of them have no texture coordinates and \
                    are taken as they are in space, with the warp along x as seen in their plane";
    assert!(said.out.contains(expected), "{}", said.out);
    // in units of centimetres the square was cut a hundred times too large
    assert!(last(&desk, "out")[4] > 0.01, "no stretch");
    let copy = desk.read("out/scene.toml");
    assert!(copy.contains("\"scene-mesh.obj\"") && !copy.contains("meshes/a.obj"), "{copy}");
    let said = desk.clothlab(&["simulate", "out/scene.toml", "--out", "again"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(desk.files("again"), desk.files("out"));
}

#[test]
fn files_that_are_no_mesh_are_refused_with_their_line() {
    let desk = Desk::new();
    let text = scene("", OBJ);
    let named = "a.toml, line 6, `file = \"meshes/a.obj\"`: ";
    let absent = refused(&desk, &text);
    assert_eq!(absent, format!("{named}there is no file meshes/a.obj; the name is relative to the scene file"));
    fs::create_dir_all(desk.path("meshes/a.obj")).expect("a folder");
    assert_eq!(refused(&desk, &text), format!("{named}meshes/a.obj is a folder; name an OBJ file in it"));
    fs::remove_dir(desk.path("meshes/a.obj")).expect("an empty folder");
    for (mesh, expected) in [
        (&b"v 0 0 0\nv \xff 0 0"[..], ", line 2, `v \u{ff} 0 0`: `\u{ff}` must be a finite number"),
        (b"", ": it has no faces: a mesh needs lines like `v 0 0 0` and `f 1 2 3`"),
        (b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3", ", line 4, `f 1 2 3`: triangle 0 between the particles 0, 1 and 2 is degenerate"),
        (
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 2 3\nf 2 1 4\nf 1 2 5",
            ", line 8, `f 1 2 5`: the edge between the particles 0 and 1 belongs to more than two triangles, 0, 1 and 2 among them: cut",
        ),
        (
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4",
            ", line 6, `f 1 2 4`: the triangles 0 and 1 run round their edge",
        ),
        (b"v 0 0 0\nv 1 0 0\nf 1 2 3", ", line 3, `f 1 2 3`: `3` names no `v` line: there are 2"),
    ] {
        desk.write("meshes/a.obj", mesh);
        let message = refused(&desk, &text);
        assert!(message.starts_with(&format!("meshes/a.obj{expected}")), "{message}");
    }
    desk.write("meshes/a.obj", SQUARE);
    let outside = refused(&desk, &scene("pins = [4]", OBJ));
    assert_eq!(outside, "a.toml, line 4, `pins = [4]`: the pin 4 lies outside the mesh of 4 particles; the first particle is 0");
    let grid = refused(&desk, &scene("", &format!("{OBJ}[material]\nmasses = \"by-area\"\n")));
    assert!(grid.contains("`material.masses` has no meaning for a continuum of triangles: take it out"), "{grid}");
}

#[test]
fn a_run_does_not_replace_the_mesh_that_it_reads() {
    let desk = Desk::new();
    desk.write("out/frames/frame_00000.obj", SQUARE);
    desk.write("a.toml", scene("", OBJ).replace("meshes/a.obj", "out/frames/frame_00000.obj"));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out", "--force"]);
    assert!(said.code == Some(2) && said.err.contains("frame_00000.obj is read by this run"), "{}", said.err);
    assert_eq!(desk.read("out/frames/frame_00000.obj"), SQUARE);
}

#[test]
fn the_shipped_flag_is_blown_about_its_mast() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/flag-in-wind.toml");
    let desk = Desk::new();
    let said = run(&desk, &fs::read_to_string(path).expect("a shipped scene"), "out");
    assert!(said.out.contains("mesh of 116 particles and 200 triangles\n") && said.out.contains("126 frames"), "{}", said.out);
    let frame = |k: u32| -> ObjMesh {
        read_obj(&desk.read(&format!("out/frames/frame_{k:05}.obj")), &Reading::default()).expect("a frame")
    };
    let (start, end) = (frame(0).mesh, frame(125).mesh);
    let (mast, flying) = (0, 5 + 6 * 5); // a point of the left edge, and the middle of the right one
    assert_eq!(end.positions()[mast], start.positions()[mast]);
    let way = end.positions()[flying] - start.positions()[flying];
    assert!(way.z > 0.3 && way.y < -0.02, "{way:?}"); // along the wind and down
    let longest = end.positions().iter().map(|x| x.norm()).fold(0.0, f64::max);
    assert!(longest < 1.6, "a particle is {longest} m away");
}
