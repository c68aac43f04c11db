//! Hashes the sources that decide the rows of each study, so that results of another version are told apart.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sha2::{Digest, Sha256};

#[path = "src/sources.rs"]
mod sources;

use sources::{BESIDE, PROGRAM, SHARED, add, in_hexadecimal, of_program, of_study, sorted};

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
        for path in of_study(module) {
            add(&mut hash, root, Path::new(&path));
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
