//! Hashes the sources that decide the rows of each study, so that results of another version are told apart.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sha2::{Digest, Sha256};

#[path = "src/sources.rs"]
mod sources;

use sources::{PROGRAM, add, in_hexadecimal, of_program, sorted};

/// Sources of every study, from the root of the workspace: what is simulated, and how sets are drawn and searched.
const SHARED: [&str; 16] = [
    "Cargo.lock",
    "crates/analytic/src",
    "crates/cloth/src",
    "crates/collision/src",
    "crates/linsolve/src",
    "crates/lab/src/measure/bisection.rs",
    "crates/lab/src/measure/group.rs",
    "crates/lab/src/lib.rs",
    "crates/lab/src/measure/row.rs",
    "crates/lab/src/judge/statistics.rs",
    "crates/lab/src/measure/streams.rs",
    "experiments/src/ranges.rs",
    "experiments/src/costs.rs",
    "experiments/src/course.rs",
    "experiments/src/search.rs",
    "experiments/src/sheets.rs",
];

/// Sources of a study beside those of every study and its own: its module, and paths.
const BESIDE: [(&str, &[&str]); 1] = [(
    "which_integrator",
    &[
        "crates/scene/src",
        "experiments/src/race/choice.rs",
        "experiments/src/race/contestants.rs",
        "experiments/src/stiffness.rs",
        "experiments/src/race/ladder.rs",
        "experiments/src/race/reference.rs",
        "experiments/src/race/rows.rs",
        "experiments/src/race/runs.rs",
        "experiments/src/simulate/input.rs",
        "scenes/trousers.obj",
        "scenes/trousers.toml",
        "scenes/figure-left-shin.csv",
        "scenes/figure-left-thigh.csv",
        "scenes/figure-pelvis.csv",
        "scenes/figure-right-shin.csv",
        "scenes/figure-right-thigh.csv",
        "scenes/figure-torso.csv",
    ],
)];

fn main() {
    let root = Path::new("..");
    let studies = root.join("experiments/src/studies");
    println!("cargo::rerun-if-changed=build.rs");
    let beside = BESIDE.iter().flat_map(|(_, paths)| paths.iter());
    for path in SHARED.iter().chain(&PROGRAM).chain(beside).map(|path| root.join(path)) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler = Command::new(rustc).arg("-vV").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let compiler = compiler.unwrap_or_default().trim().replace('\n', "; ");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    for path in sorted(&studies) {
        let Some(module) = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "mod") else { continue };
        if path.is_dir() {
            continue;
        }
        let mut hash = Sha256::new();
        hash.update(&compiler);
        hash.update(&flags);
        let own = [format!("experiments/src/studies/{module}.rs"), format!("experiments/src/studies/{module}")];
        let beside = BESIDE.iter().filter(|(study, _)| *study == module).flat_map(|(_, paths)| paths.iter());
        for path in SHARED.iter().chain(beside).copied().chain(own.iter().map(String::as_str)) {
            add(&mut hash, root, Path::new(path));
        }
        println!("cargo::rustc-env=CODE_OF_{}={}", module.to_uppercase(), in_hexadecimal(hash));
    }
    let lock = fs::read(root.join("Cargo.lock")).unwrap_or_default();
    let lock: String = Sha256::digest(lock).iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=BUILD_LOCK={lock}");
    println!("cargo::rustc-env=BUILD_SOURCES={}", of_program(root));
    println!("cargo::rustc-env=BUILD_COMPILER={compiler}");
    println!("cargo::rustc-env=BUILD_FLAGS={} profile {flags}", env::var("PROFILE").unwrap_or_default());
}
