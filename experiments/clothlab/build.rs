//! Hashes the sources that decide the rows of each study, so that results of another version are told apart, and lists the studies.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sha2::{Digest, Sha256};

#[path = "../driver/src/sources.rs"]
mod sources;

use sources::{add_code, foreign, hash_of_program, in_hexadecimal, of_answers, of_program, of_study};

/// Wall time of the published run of a study on two cores \[s\], from its record; 0 without one.
fn seconds(root: &Path, name: &str) -> f64 {
    let record = fs::read_to_string(root.join(record_of(name))).unwrap_or_default();
    // of the record itself, not of anything in it
    let number = |key: &str| {
        record.lines().find_map(|line| line.strip_prefix(&format!("  \"{key}\": "))?.trim_end_matches(',').parse().ok())
    };
    let product: Option<f64> =
        number("seconds").zip(number("threads")).map(|(seconds, threads): (f64, f64)| seconds * threads / 2.0);
    product.unwrap_or_default()
}

/// The record of the published run of a study.
fn record_of(name: &str) -> String {
    format!("results/{name}/run.json")
}

/// Names of the studies in their order: those of the binaries in Cargo.toml but the first one, a line each.
fn studies(manifest: &str) -> Vec<&str> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("    { name = \"")?.split_once('"'));
    names.map(|(name, _)| name).filter(|name| *name != "clothlab").collect()
}

fn main() {
    let root = Path::new("../..");
    let manifest = fs::read_to_string("Cargo.toml").unwrap_or_default();
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler = Command::new(rustc).arg("-vV").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let compiler = compiler.unwrap_or_default().trim().replace('\n', "; ");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    let mut watched = vec!["experiments/clothlab/build.rs".to_owned(), "experiments/clothlab/Cargo.toml".to_owned()];
    watched.extend(of_program(root));
    let (mut list, mut all) = (String::new(), String::new());
    for name in studies(&manifest) {
        let mut hash = Sha256::new();
        hash.update(&compiler);
        hash.update(&flags);
        hash.update(foreign(&lock));
        let paths = of_study(root, name);
        paths.iter().for_each(|path| add_code(&mut hash, root, Path::new(path)));
        // whatever the compiler, which changes no row
        let mut deciding = Sha256::new_with_prefix(foreign(&lock));
        let answers = of_answers(root, name);
        paths.iter().chain(&answers).for_each(|path| add_code(&mut deciding, root, Path::new(path)));
        watched.extend(paths.into_iter().chain(answers));
        watched.push(format!("experiments/{name}"));
        let (module, code, deciding) = (name.replace('-', "_"), in_hexadecimal(hash), in_hexadecimal(deciding));
        let (constant, seconds) = (module.to_uppercase(), seconds(root, name));
        watched.push(record_of(name));
        _ = writeln!(list, "/// The study `{name}`.");
        _ = writeln!(
            list,
            "pub const {constant}: Listed = Listed {{ name: {name:?}, code: {code:?}, deciding: {deciding:?}, seconds: {seconds:?}, read: {module}::read }};"
        );
        _ = write!(all, "{constant}, ");
    }
    _ = writeln!(list, "/// All studies in the order in which they are run.\npub const ALL: &[Listed] = &[{all}];");
    let out = env::var("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("studies.rs"), list).unwrap_or_else(|error| panic!("{out}: {error}"));
    watched.sort();
    watched.dedup();
    watched.iter().map(|path| root.join(path)).filter(|path| path.exists()).for_each(|path| {
        println!("cargo::rerun-if-changed={}", path.display());
    });
    println!("cargo::rustc-env=BUILD_LOCK={}", in_hexadecimal(Sha256::new_with_prefix(&lock)));
    println!("cargo::rustc-env=BUILD_SOURCES={}", hash_of_program(root));
    println!("cargo::rustc-env=BUILD_COMPILER={compiler}");
    println!("cargo::rustc-env=BUILD_FLAGS={} profile {flags}", env::var("PROFILE").unwrap_or_default());
}
