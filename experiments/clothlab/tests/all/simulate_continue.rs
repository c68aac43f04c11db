//! `clothlab simulate --continue`: files of one run, in two parts, also of one that was killed; and what is no checkpoint.

use std::fs;

use crate::common::{Desk, Files, Working};

/// A sheet that falls over an edge, by a scheme of two steps, filmed between its steps.
const SCENE: &str = "step = 0.004\nduration = 0.4\nintegrator = 'bdf2'\npins = ['bottom']\n[mesh]\nnx = 9\nny = 9\nspacing = 0.05\n\
                     [material]\nstretch = { stiffness = 100, damping = 0.1 }\n\
                     [[motion]]\npins = ['bottom']\namplitude = [0, 0.05, 0]\nperiod = 0.3\n\
                     [[solid]]\ncuboid = { centre = [0.2, 0.25, -0.15], sides = [0.5, 0.2, 0.2] }\n\
                     [output]\nframes_per_second = 30\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("a.toml", SCENE);
    done(&desk, &["simulate", "a.toml", "--out", "whole"]);
    desk
}

fn done(desk: &Desk, arguments: &[&str]) -> String {
    let said = desk.clothlab(arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.out
}

/// Compares a part of a run to the whole one: the last state, the rows of energies and the frames that it has.
fn is_the_end_of(part: &Files, whole: &Files, first_frame: usize) {
    for name in ["positions.csv", "velocities.csv"] {
        assert!(part[name] == whole[name], "{name}");
    }
    let rows = |files: &Files| -> Vec<String> {
        let text = String::from_utf8(files["energies.csv"].clone()).expect("text");
        text.lines().skip(1).map(str::to_owned).collect()
    };
    let (of_part, of_whole) = (rows(part), rows(whole));
    let shared = of_part.len() - 1; // but for the first row, which has no counts
    assert!(shared > 10 && of_part[1..] == of_whole[of_whole.len() - shared..]);
    let frames = |files: &Files| files.keys().filter(|name| name.starts_with("frames/")).cloned().collect::<Vec<_>>();
    let expected = &frames(whole)[first_frame..];
    assert_eq!(frames(part), expected);
    assert!(expected.iter().all(|frame| part[frame] == whole[frame]));
}

#[test]
fn two_parts_are_one_run() {
    let desk = desk();
    done(&desk, &["simulate", "a.toml", "--out", "half", "--until", "0.2"]);
    let said = done(&desk, &["simulate", "--continue", "half", "--until", "0.3"]);
    assert!(said.starts_with("goes on from step 50, at 0.2 s\n75 steps of 0.004 s, 0.3 s simulated"), "{said}");
    assert!(said.contains("done: 25 steps (0.1 s of cloth)"), "{said}");
    let dry = done(&desk, &["simulate", "--continue", "half-continued", "--until", "0.4", "--dry-run"]);
    assert!(dry.contains("25 steps of 0.004 s") && dry.contains("half-continued-continued"), "{dry}");
    done(&desk, &["simulate", "--continue", "half-continued", "--until", "0.4", "--out", "rest"]);
    is_the_end_of(&desk.files("rest"), &desk.files("whole"), 9);
    let said = desk.clothlab(&["verify", "rest"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn a_run_that_was_killed_goes_on() {
    let desk = desk();
    let arguments = ["simulate", "a.toml", "--set", "duration=900", "--out", "out", "--checkpoint-every", "0", "--no-pictures"];
    let mut working = Working::start(desk.program(&arguments));
    let stopped = || fs::read_dir(desk.path("out")).into_iter().flatten().flatten().map(|entry| entry.path());
    working.wait_until(|| stopped().any(|place| place.join("checkpoint.toml").exists()));
    working.kill();
    let said = done(&desk, &["simulate", "--continue", "out", "--until", "2"]);
    assert!(said.contains("500 steps of 0.004 s, 2 s simulated"), "{said}");
    done(&desk, &["simulate", "a.toml", "--until", "2", "--out", "all"]);
    let (part, all) = (desk.files("out-continued"), desk.files("all"));
    assert!(part["positions.csv"] == all["positions.csv"] && part["velocities.csv"] == all["velocities.csv"]);
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let desk = desk();
    let refused = |change: &dyn Fn(), why: &str| {
        done(&desk, &["simulate", "a.toml", "--out", "out", "--force"]);
        change();
        let message = desk.refused(&["simulate", "--continue", "out", "--until", "1"]);
        assert!(message.starts_with("out") && message.contains(why), "{message}");
    };
    refused(
        &|| fs::remove_file(desk.path("out/checkpoint.bin")).expect("a file"),
        "holds no checkpoint.toml with checkpoint.bin",
    );
    refused(&|| desk.write("out/checkpoint.bin", "3"), "checkpoint.bin is damaged");
    refused(&|| desk.write("out/checkpoint.toml", "format = 1"), "checkpoint.toml is damaged");
    refused(&|| desk.write("out/scene.toml", SCENE.replace("100,", "90,")), "has changed since the run");
    let other = &|| {
        let text = fs::read_to_string(desk.path("out/checkpoint.toml")).expect("text");
        desk.write("out/checkpoint.toml", text.replace("format = 1", "format = 7"));
    };
    refused(other, "has the format 7");
    let message = desk.refused(&["simulate", "--continue", "whole"]);
    assert!(message.contains("this run is at 0.4 s; say with --until when it is to end"), "{message}");
    let message = desk.refused(&["simulate", "--continue", "frames"]);
    assert!(message.contains("frames is no folder"), "{message}");
    let message = desk.refused(&["simulate", "a.toml", "--until", "0"]);
    assert!(message.contains("--until 0: the run begins at 0 s; give a later time"), "{message}");
}
