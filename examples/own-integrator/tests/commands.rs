//! The template is known to the commands.

use std::path::Path;
use std::process::Command;

const SCENE: &str = "step = 1e-3\nduration = 0.05\nintegrator = \"heun\"\npins = [\"top-left\", \"top-right\"]\n\
                     [mesh]\nnx = 5\nny = 5\nspacing = 0.1\n";

/// What a command prints.
fn run(folder: &Path, arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_own-integrator")).current_dir(folder).args(arguments).output().expect("a program");
    let [printed, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}: {told}");
    printed
}

#[test]
fn it_is_simulated_validated_and_raced() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("sheet.toml"), SCENE).expect("a file");
    assert!(run(folder.path(), &["keys"]).contains("heun"));
    let summary = run(folder.path(), &["simulate", "sheet.toml", "--out", "out"]);
    assert!(summary.contains("50 steps"), "{summary}");
    let board = run(folder.path(), &["validate", "--method", "heun", "--case", "pendulum"]);
    assert!(board.contains("Heun"), "{board}");
    let ranked = run(folder.path(), &["race", "sheet.toml", "--with", "heun,rk4,bdf2", "--out", "race"]);
    assert!(ranked.contains("heun") && folder.path().join("race/race.csv").exists(), "{ranked}");
}
