//! `clothlab sweep` and `--set` as their users meet them: the same files however a sweep is run, what is refused and how.

use std::fs;

use crate::common::{Desk, Files, Said, Working, differing};

/// A sheet of 5 x 5 particles that swings down from two corners. With explicit springs its longest step blows up.
const SHEET: &str = "# a sheet\nstep = 0.01 # s\nduration = 0.2\nintegrator = \"backward-euler\"\npins = [\"top-left\", \"top-right\"]\n\n\
                     [mesh]\nnx = 5\nny = 5\nspacing = 0.1\n\n[material]\ndensity = 0.2\n\
                     stretch = { stiffness = 100.0, damping = 0.02 }\nshear = { stiffness = 50.0, damping = 0.02 }\nbend = 0.01\n";

const VARIED: [&str; 6] = ["sweep", "sheet.toml", "--vary", "material.stretch.stiffness=100,400", "--vary", "step=5e-3,1e-2"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("sheet.toml", SHEET);
    desk
}

/// A command that must come to its end.
fn ran(desk: &Desk, arguments: &[&str]) -> Said {
    let said = desk.clothlab(arguments);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    said
}

/// All files of a sweep but those that tell times.
fn determined(desk: &Desk, out: &str) -> Files {
    let mut files = desk.files(out);
    files.retain(|name, _| name != "times.csv" && !name.starts_with("rows/"));
    files
}

#[test]
fn files_are_the_same_on_any_number_of_threads_and_where_a_sweep_goes_on() {
    let desk = desk();
    let said = ran(&desk, &[&VARIED[..], &["--out", "one", "--jobs", "1"]].concat());
    assert!(said.out.contains("4 runs: 4 done"), "{}", said.out);
    ran(&desk, &[&VARIED[..], &["--out", "two", "--jobs", "2"]].concat());
    let whole = determined(&desk, "one");
    assert_eq!(differing(&whole, &determined(&desk, "two")), Vec::<String>::new());
    for name in ["sweep.csv", "sweep.md", "sweep.svg", "index.html", "view.html", "000-stiffness-100-step-5e-3/energies.csv"] {
        assert!(whole.contains_key(name), "no {name}: {:?}", whole.keys());
    }
    let table = desk.read("one/sweep.csv");
    let mut lines = table.lines();
    let first = lines.next().expect("a first line");
    assert!(first.starts_with("run,material.stretch.stiffness,step,outcome,steps,time,largest_strain,energy,"), "{first}");
    assert!(lines.next().is_some_and(|line| line.starts_with("000-stiffness-100-step-5e-3,100,5e-3,done,40,0.2,")), "{table}");
    let scene = desk.read("one/003-stiffness-400-step-1e-2/scene.toml");
    assert_eq!(scene, SHEET.replace("stiffness = 100.0", "stiffness = 400").replace("0.01 # s", "1e-2 # s"));

    // as a sweep leaves them that was killed in its second run, and between its third run and its row
    let kept =
        fs::metadata(desk.path("two/000-stiffness-100-step-5e-3/energies.csv")).expect("a table").modified().expect("a time");
    fs::remove_dir_all(desk.path("two/001-stiffness-100-step-1e-2")).expect("a folder");
    desk.write("two/001-stiffness-100-step-1e-2/.unfinished-a1B2c3/energies.csv", "t,");
    for gone in ["rows/001-stiffness-100-step-1e-2.json", "rows/002-stiffness-400-step-5e-3.json", "sweep.csv", "view.html"] {
        fs::remove_file(desk.path(&format!("two/{gone}"))).expect("a file");
    }
    ran(&desk, &[&VARIED[..], &["--out", "two"]].concat());
    assert_eq!(differing(&whole, &determined(&desk, "two")), Vec::<String>::new());
    let again =
        fs::metadata(desk.path("two/000-stiffness-100-step-5e-3/energies.csv")).expect("a table").modified().expect("a time");
    assert_eq!(kept, again, "a finished run was run again");
}

#[test]
fn a_sweep_that_is_killed_goes_on() {
    let desk = desk();
    let long = [&VARIED[..], &["--set", "duration=3", "--no-pages", "--jobs", "1"]].concat();
    ran(&desk, &[&long[..], &["--out", "whole"]].concat());
    let mut working = Working::start(desk.program(&[&long[..], &["--out", "killed"]].concat()));
    working.wait_until(|| desk.path("killed/rows/000-stiffness-100-step-5e-3.json").exists());
    working.kill_if_there();
    ran(&desk, &[&long[..], &["--out", "killed"]].concat());
    assert_eq!(differing(&determined(&desk, "whole"), &determined(&desk, "killed")), Vec::<String>::new());
}

#[test]
fn a_run_that_blows_up_is_a_row() {
    let desk = desk();
    let varied = [
        "sweep",
        "sheet.toml",
        "--vary",
        "integrator=backward-euler,forward-euler",
        "--set",
        "duration=10",
        "--set",
        "step=2e-2",
    ];
    let said = ran(&desk, &[&varied[..], &["--no-pages", "--out", "out", "--json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&said.out).expect("JSON, and nothing else");
    assert_eq!(told["runs"][0]["outcome"], "done", "{told}");
    assert_eq!(told["runs"][1]["outcome"], "blew up", "{told}");
    assert_eq!(told["runs"][1]["values"]["integrator"], "forward-euler");
    assert_eq!(told["scene"], "sheet.toml with --set duration=10 --set step=2e-2");
    assert!(desk.read("out/sweep.svg").contains("1 of 2 runs"));
}

#[test]
fn a_dry_run_lists_the_runs_and_writes_nothing() {
    let desk = desk();
    let said = ran(&desk, &[&VARIED[..], &["--out", "out", "--dry-run"]].concat());
    assert!(said.out.contains("003-stiffness-400-step-1e-2  25         20"), "{}", said.out);
    assert!(said.out.contains("4 runs, 4 of them to be done, about "), "{}", said.out);
    assert!(!desk.path("out").exists());
}

#[test]
fn what_cannot_be_swept_is_refused_before_anything_runs() {
    let desk = desk();
    let refused = |arguments: &[&str]| desk.refused(&[&["sweep", "sheet.toml", "--out", "out"], arguments].concat());
    let many: Vec<String> = (1..=40).map(|k| k.to_string()).collect();
    let many = many.join(",");
    for (arguments, expected) in [
        (&["--vary", "step=1e-3,0"][..], "--vary step=0: `step` [s] must be a finite number above zero, not 0"),
        (&["--vary", "material.strech.stiffness=1,2"], "--vary material.strech.stiffness=1: unknown key `strech`; known here: "),
        (&["--vary", "step"], "invalid value 'step' for '--vary"),
        (&["--vary", "step=1e-3", "--vary", "step=2e-3"], "--vary step is given twice"),
        (&["--vary", "step=1e-3", "--set", "step=2e-3"], "--vary step and --set step give the same key"),
        (&["--vary", "step=1e-3", "--set", "\"step\"=2e-3"], "--vary step would undo --set \"step\"; take one of them out"),
        (
            &["--vary", "integrator=bdf2,rk4", "--vary", "integrator.aimex.threshold=0.1,0.2"],
            "--vary integrator.aimex.threshold would undo --vary integrator; take one of them out",
        ),
        (
            &["--set", "integrator.aimex.threshold=0.1", "--vary", "integrator=bdf2,rk4"],
            "--vary integrator would undo --set integrator.aimex.threshold; take one of them out",
        ),
        (&["--vary", "step=1e-3", "--set", "mesh.nz=3"], "--set mesh.nz=3: unknown key `nz`; known here: nx, "),
        (&["--vary", &format!("mesh.nx={many}"), "--vary", &format!("mesh.ny={many}")], "these are 1600 combinations, and"),
    ] {
        let told = refused(arguments);
        assert!(told.starts_with(expected), "{arguments:?}: {told}");
    }
    assert!(!desk.path("out").exists());
}

#[test]
fn a_folder_with_something_else_is_refused() {
    let desk = desk();
    let vary = ["--vary", "step=1e-2"];
    let sweep = |out: &str, more: &[&str]| desk.clothlab(&[&["sweep", "sheet.toml", "--no-pages", "--out", out], more].concat());
    assert_eq!(sweep("out", &vary).code, Some(0));
    let other = sweep("out", &["--vary", "step=5e-3"]);
    assert!(other.refusal(2).starts_with("out holds another sweep"), "{}", other.err);
    assert_eq!(sweep("out", &["--vary", "step=5e-3", "--force"]).code, Some(0));
    desk.edit("sheet.toml", "density = 0.2", "density = 0.3");
    let changed = sweep("out", &["--vary", "step=5e-3"]);
    assert!(
        changed.refusal(2).contains("000-step-5e-3/energies.csv is there from a former simulation; add --force"),
        "{}",
        changed.err
    );
    desk.write("notes/sweep.md", "mine");
    let foreign = sweep("notes", &vary);
    assert!(foreign.refusal(2).starts_with("notes/sweep.md is there, and no sweep that it is of"), "{}", foreign.err);
    ran(&desk, &["simulate", "sheet.toml", "--out", "run", "--no-pictures"]);
    assert!(sweep("run", &vary).refusal(2).starts_with("run holds a simulation"));
}

#[test]
fn keys_of_a_scene_are_set_in_every_command_that_reads_one() {
    let desk = desk();
    let set = ["--set", "integrator=bdf2", "--set", "step=2e-2"];
    ran(&desk, &[&["simulate", "sheet.toml", "--out", "run", "--no-pictures"], &set[..]].concat());
    let scene = desk.read("run/scene.toml");
    assert_eq!(scene, SHEET.replace("\"backward-euler\"", "\"bdf2\"").replace("0.01 # s", "2e-2 # s"));
    ran(&desk, &["simulate", "run/scene.toml", "--out", "again", "--no-pictures"]);
    assert_eq!(desk.read("run/energies.csv"), desk.read("again/energies.csv"));
    let said = ran(&desk, &[&["simulate", "sheet.toml", "--dry-run"], &set[..]].concat());
    assert!(said.out.contains("10 steps of 0.02 s by bdf2"), "{}", said.out);
    ran(&desk, &[&["export-system", "sheet.toml", "--step", "2", "--out", "system"], &set[..]].concat());
    assert!(desk.read("system/system.toml").contains("bdf2"), "{}", desk.read("system/system.toml"));

    for command in [
        &["simulate", "sheet.toml"][..],
        &["simulate", "sheet.toml", "--dry-run"],
        &["race", "sheet.toml"],
        &["control", "sheet.toml"],
        &["fit", "sheet.toml"],
        &["export-system", "sheet.toml", "--step", "1", "--out", "out"],
    ] {
        let told = desk.refused(&[command, &["--set", "material.strech.stiffness=100"]].concat());
        assert!(told.starts_with("--set material.strech.stiffness=100: unknown key `strech`; known here: "), "{told}");
        let told = desk.refused(&[command, &["--set", "mesh.nx=5", "--set", "step"]].concat());
        assert!(told.contains("this is no key=value"), "{told}");
    }
    let told = desk.refused(&["simulate", "sheet.toml", "--set", "initial.positions=away.csv"]);
    assert!(told.starts_with("sheet.toml with --set initial.positions=away.csv, line "), "{told}");
}

#[test]
fn a_race_tells_its_ranking_as_json() {
    let desk = desk();
    let race =
        ["race", "sheet.toml", "--with", "backward-euler,bdf2", "--rungs", "2", "--repeats", "1", "--out", "race", "--json"];
    let said = ran(&desk, &[&race[..], &["--set", "duration=0.1"]].concat());
    let told: serde_json::Value = serde_json::from_str(&said.out).expect("JSON, and nothing else");
    assert_eq!((&told["scene"], &told["duration"]), (&"sheet.toml with --set duration=0.1".into(), &0.1.into()));
    let contestants = told["contestants"].as_array().expect("a list");
    let names: Vec<_> = contestants.iter().filter_map(|one| one["contestant"].as_str()).collect();
    assert!(names.len() == 2 && names.contains(&"bdf2"), "{told}");
    assert!(contestants.iter().all(|one| one["error"].is_number() && one["seconds"]["median"].is_number()), "{told}");
    assert!(told["verdict"].as_str().is_some_and(|verdict| !verdict.is_empty()), "{told}");
    let files = told["files"].as_array().expect("a list");
    assert!(files.iter().all(|file| desk.path("race").join(file.as_str().unwrap_or_default()).exists()), "{told}");
}
