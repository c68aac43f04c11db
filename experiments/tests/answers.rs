//! Every mistake is answered at once, and a run that is wrong says so.

mod common;

use common::{Desk, run};

/// The canonical sheet, whose systems are solved as the thesis prints its tolerance: it comes apart.
const APART: &str = "step = 0.01\nduration = 0.5\nintegrator = \"backward-euler\"\n[mesh]\nnx = 64\nny = 64\nspacing = 0.015873\n\
                     [material]\ndensity = 0.2\nstretch = { stiffness = 1000.0 }\nshear = { stiffness = 1000.0 }\nbend = 0.01\n\
                     [solver.conjugate-gradients]\nrule = \"root-of-step\"\ntolerance = 0.01\n";

fn scene(lines: &str) -> String {
    format!("step = 0.005\nduration = 0.05\n{lines}[mesh]\nnx = 5\nny = 5\nspacing = 0.1\n")
}

#[test]
fn energy_out_of_nothing_is_told_with_its_step_and_a_remedy() {
    let desk = Desk::new();
    desk.write("apart.toml", format!("pins = [[0, 0], [63, 0]]\n{APART}"));
    let said = desk.clothlab(&["simulate", "apart.toml", "--out", "apart"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let warning =
        said.out.lines().find(|line| line.contains("grows though nothing does work")).unwrap_or_else(|| panic!("{}", said.out));
    assert!(warning.starts_with("warning: from step ") && warning.contains("lower `tolerance`"), "{warning}");
    desk.write("sound.toml", scene(""));
    let said = desk.clothlab(&["simulate", "sound.toml", "--out", "sound"]);
    assert!(said.code == Some(0) && !said.out.contains("grows though"), "{}", said.out);
}

#[test]
fn what_has_no_end_is_no_input() {
    let desk = Desk::new();
    desk.write("endless.toml", scene("").replace("[mesh]", "[initial]\npositions = \"/dev/zero\"\n[mesh]"));
    let message = desk.refused(&["simulate", "endless.toml", "--out", "out"]);
    assert!(message.contains("/dev/zero is a pipe or a device; name a table in a file"), "{message}");
    let message = desk.refused(&["simulate", "/dev/zero", "--out", "out"]);
    assert!(message.contains("/dev/zero is a pipe or a device; name a file"), "{message}");
    desk.write("long.toml", scene("").replace("[mesh]", "[initial]\npositions = \"long.csv\"\n[mesh]"));
    desk.write("long.csv", format!("particle,x,y,z\n{}", "1".repeat(200_000)));
    desk.refused(&["simulate", "long.toml", "--out", "out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_mesh_beyond_the_memory_is_refused_before_it_is_made() {
    let desk = Desk::new();
    desk.write("large.toml", scene("").replace("nx = 5\nny = 5", "nx = 3000\nny = 3000"));
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_clothlab")]);
    command.args(["simulate", "large.toml", "--out", "out"]).current_dir(desk.path(""));
    let said: common::Said = command.output().expect("a shell").into();
    let message = said.refusal(2);
    assert!(
        message.contains("this needs about ") && message.contains(" GB of memory") && message.contains("`nx` or `ny`"),
        "{message}"
    );
    assert!(!desk.path("out").exists());
}

#[test]
fn a_dry_run_of_a_scene_reads_everything_and_writes_nothing() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    let said = desk.clothlab(&["simulate", "scene.toml", "--dry-run"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(
        said.out.contains("25 particles, 10 steps of 0.005 s by fb-euler") && said.out.contains("of memory, about "),
        "{}",
        said.out
    );
    assert!(!desk.path("out").exists());
    desk.write("mistaken.toml", scene("stepp = 1\n"));
    assert!(desk.refused(&["simulate", "mistaken.toml", "--dry-run"]).contains("`stepp`"));
}

#[test]
fn a_simulation_has_a_folder_of_its_own_and_says_how_long_it_took() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    let said = desk.clothlab(&["simulate", "scene.toml"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(desk.path("out/scene/energies.csv").exists() && said.out.contains("it took 0."), "{}", said.out);
}

#[test]
fn tolerances_that_nothing_comes_to_are_refused() {
    let desk = Desk::new();
    for (section, line) in [
        ("newton", "[integrator.backward-euler]\nnewton = { tolerance = 1e-20 }\n"),
        (
            "solver.conjugate-gradients",
            "integrator = \"backward-euler\"\n[solver.conjugate-gradients]\nrule = \"fixed\"\ntolerance = 1e-18\n",
        ),
    ] {
        desk.write("scene.toml", scene("").replace("[mesh]", &format!("{line}[mesh]")));
        let message = desk.refused(&["simulate", "scene.toml", "--out", "out"]);
        assert!(message.contains(&format!("in `{section}`")) && message.ends_with("give 1e-14 or more"), "{message}");
    }
}

#[test]
fn messages_show_no_control_character_and_end() {
    let desk = Desk::new();
    let message = desk.refused(&["simulate", "a\u{1b}[31mb.toml", "--out", "out"]);
    assert!(message.contains("a\\u{1b}[31mb.toml"), "{message}");
    desk.write("scene.toml", scene(&format!("integrator = \"{}\"\n", "x".repeat(100_000))));
    let message = desk.refused(&["simulate", "scene.toml", "--out", "out"]);
    assert!(message.chars().count() < 500 && message.starts_with("scene.toml, line "), "{message}");
}

#[test]
fn a_plane_of_broken_cells_is_refused_at_reading() {
    let desk = Desk::new();
    desk.write("cells.toml", common::changed(&[("y = [0.0, 3.5], cell = 0.25", "y = [0.1, 3.5], cell = 0.25")]));
    let message = desk.refused(&run("cells.toml", "out"));
    assert!(message.contains("y must be a whole number of cells") && message.contains("line "), "{message}");
}

#[test]
fn a_profile_may_hold_one_study_alone() {
    let desk = Desk::new();
    let study: String = common::tiny().split_inclusive('\n').take_while(|line| !line.starts_with("[aimex")).collect();
    desk.write("one.toml", study);
    desk.run("one.toml", "out", &["--only", "chains"]);
    desk.run("tiny.toml", "all", &["--only", "chains"]);
    assert_eq!(desk.read("out/chains.csv"), desk.read("all/chains.csv"));
}
