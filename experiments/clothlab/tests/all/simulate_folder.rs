//! `clothlab simulate` and the folder of its results: what stays of a former simulation where a run fails, and runs at one time.

use std::fs;

use crate::common::{Desk, Files, Working, differing};

/// A scene of 3 x 2 particles that is filmed, of some duration.
fn scene(duration: f64) -> String {
    format!("step = 1e-3\nduration = {duration}\n[mesh]\nnx = 3\nny = 2\nspacing = 1.0\n[output]\nframes_per_second = 100\n")
}

/// A desk with a scene that takes no time, `a.toml`, simulated into `out`, and `long.toml`, which goes on until it is stopped.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("a.toml", scene(0.1));
    desk.write("long.toml", scene(900.0));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(desk.files("out").len(), 8 + 3 + 1 + 11); // tables, a checkpoint, pictures, rest.obj, frames
    desk
}

/// Starts the long scene with `--force`, and waits until it writes frames.
fn start(desk: &Desk, out: &str) -> Working {
    let mut working = Working::start(desk.program(&["simulate", "long.toml", "--out", out, "--force"]));
    working.wait_until(|| {
        let entries = fs::read_dir(desk.path(out)).into_iter().flatten().map(|entry| entry.expect("an entry"));
        entries.filter(|entry| is_unfinished(&entry.file_name().to_string_lossy())).any(|entry| {
            let path = entry.path();
            path.join("scene.toml").exists() && path.join("frames/frame_00000.obj").exists()
        })
    });
    working
}

fn is_unfinished(name: &str) -> bool {
    name.starts_with(".unfinished-")
}

/// The files of a folder that have their places.
fn finished(desk: &Desk, out: &str) -> Files {
    let mut files = desk.files(out);
    files.retain(|name, _| !is_unfinished(name));
    files
}

#[test]
fn a_former_simulation_outlives_a_run_that_is_stopped() {
    let desk = desk();
    let former = desk.files("out");
    start(&desk, "out").kill();
    assert_eq!(differing(&former, &finished(&desk, "out")), [""; 0]);
    assert_ne!(desk.files("out").len(), former.len(), "the run was not under way");
    desk.write("a.toml", scene(0.05));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out", "--force"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    desk.clothlab(&["simulate", "a.toml", "--out", "fresh"]);
    assert_eq!(differing(&desk.files("fresh"), &desk.files("out")), [""; 0], "nothing is left of those before");
}

#[test]
fn a_former_simulation_outlives_a_place_that_cannot_be_written() {
    let desk = desk();
    fs::remove_dir_all(desk.path("out/frames")).expect("a folder");
    desk.write("out/frames", "mine");
    let former = desk.files("out");
    let message = desk.refused(&["simulate", "long.toml", "--out", "out", "--force"]);
    assert!(message.starts_with("cannot write out/frames"), "{message}");
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_former_simulation_outlives_a_full_disk() {
    let desk = desk();
    let former = desk.files("out");
    // no file may grow beyond so many blocks of 512 bytes: energies.csv does
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_clothlab"), "simulate", "long.toml", "--out", "out", "--force"]);
    let said: crate::common::Said = command.current_dir(desk.path("")).output().expect("a shell").into();
    let message = said.refusal(2);
    assert!(message.starts_with("cannot write ") && message.contains("energies.csv: "), "{message}");
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let desk = desk();
    let former = desk.files("out");
    for out in ["out", "new"] {
        let working = start(&desk, out);
        for force in [&[][..], &["--force"]] {
            let message = desk.refused(&[&["simulate", "a.toml", "--out", out], force].concat());
            assert_eq!(message, format!("another run is writing into {out}; wait for it, or choose another --out"));
        }
        working.kill();
    }
    assert_eq!(differing(&former, &finished(&desk, "out")), [""; 0]);
}

#[test]
fn the_copy_of_a_scene_runs_as_the_scene_does() {
    let desk = Desk::new();
    let run = |scene: &str, out: &str| {
        let said = desk.clothlab(&["simulate", scene, "--out", out, "--force"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
    };
    let rows = |scale: f64| {
        (0..6).map(|i| format!("{i},{},{},0\n", scale * f64::from(i % 3), scale * f64::from(i / 3))).collect::<String>()
    };
    // named as the results are
    desk.write("start/positions.csv", format!("particle,x,y,z\n{}", rows(1.01)));
    desk.write("start/velocities.csv", format!("particle,x,y,z\n{}", rows(-0.1)));
    let tables = "[initial]\npositions = 'positions.csv'\nvelocities = \"../start/velocities.csv\" # inwards\n";
    desk.write("start/a.toml", format!("{}{tables}", scene(0.1)));
    run("start/a.toml", "out");
    let said = desk.clothlab(&["simulate", "start/a.toml", "--out", "out", "--force"]);
    assert!(said.out.contains("scene.toml, scene-positions.csv, scene-velocities.csv, "), "{}", said.out);
    let copy = desk.read("out/scene.toml");
    assert!(copy.ends_with("positions = \"scene-positions.csv\"\nvelocities = \"scene-velocities.csv\" # inwards\n"), "{copy}");
    assert_eq!(desk.read("out/scene-velocities.csv"), desk.read("start/velocities.csv"));
    fs::remove_dir_all(desk.path("start")).expect("a folder");
    run("out/scene.toml", "again");
    assert_eq!(desk.files("again"), desk.files("out"));
    // copies that are no longer made go with the rest of a former simulation
    desk.write("b.toml", scene(0.1));
    run("b.toml", "again");
    assert!(!desk.path("again/scene-positions.csv").exists());
}
