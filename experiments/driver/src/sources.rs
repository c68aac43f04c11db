//! Sources on disk: the hashes that `build.rs` makes of them, and the program where it looks whether a checkout holds its own.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Sources of the program beside those of `experiments`, from the root of the workspace.
const PROGRAM: [&str; 12] = [
    "CITATION.cff",
    "Cargo.lock",
    "crates/analytic/src",
    "crates/chart/src",
    "crates/cloth/src",
    "crates/collision/src",
    "crates/linsolve/src",
    "crates/lab/src",
    "crates/scene/src",
    "experiments/claims",
    "experiments/profiles",
    "experiments/published",
];

/// Sources of every study, from the root of the workspace: what is simulated, and how sets are drawn and searched.
const SHARED: [&str; 15] = [
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
    "experiments/kit/src/ranges.rs",
    "experiments/kit/src/costs.rs",
    "experiments/kit/src/run_watch.rs",
    "experiments/kit/src/search.rs",
    "experiments/kit/src/sheets.rs",
];

/// The file in the folder of a study that names what its rows rest on beside the sources of every study, a path a line.
const BESIDE: &str = "beside.txt";

/// Paths of the program's sources: those of every crate below `experiments` too.
pub fn of_program(root: &Path) -> Vec<String> {
    let crates = sorted(&root.join("experiments")).into_iter().filter(|folder| folder.join("Cargo.toml").exists());
    let names = crates.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned()));
    let own = names.flat_map(|name| ["src", "main.rs"].map(|path| format!("experiments/{name}/{path}")));
    PROGRAM.iter().map(|path| (*path).to_owned()).chain(own).collect()
}

/// Paths that decide the rows of a study, by its name, in the order in which they are hashed.
pub fn of_study(root: &Path, name: &str) -> Vec<String> {
    let folder = format!("experiments/{name}");
    let beside = fs::read_to_string(root.join(&folder).join(BESIDE)).unwrap_or_default();
    let beside = beside.lines().map(str::to_owned).collect::<Vec<_>>();
    SHARED.iter().map(|path| (*path).to_owned()).chain(beside).chain([format!("{folder}/src")]).collect()
}

/// The part of `Cargo.lock` on packages of others, so that a new study changes the rows of no other one.
pub fn foreign(lock: &str) -> String {
    lock.split("[[package]]").filter(|package| package.contains("source = ")).collect()
}

/// Hash of what the program is made of, as it is in the workspace at `root`.
pub fn hash_of_program(root: &Path) -> String {
    let mut hash = Sha256::new();
    of_program(root).iter().for_each(|path| add(&mut hash, root, Path::new(path)));
    in_hexadecimal(hash)
}

/// A hash as text.
pub fn in_hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Adds a file, or all files below a folder in the order of their paths; a path that is not there adds nothing.
pub fn add(hash: &mut Sha256, root: &Path, path: &Path) {
    let full = root.join(path);
    if full.is_dir() {
        for entry in sorted(&full) {
            if let Some(name) = entry.file_name() {
                add(hash, root, &path.join(name));
            }
        }
    } else if full.is_file()
        && let Ok(bytes) = fs::read(&full)
    {
        hash.update(path.to_string_lossy().replace('\\', "/"));
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
}

/// What is in a folder, in order.
pub fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_the_workspace_is_none_of_others() {
        let foreign_one = "[[package]]\nname = \"csv\"\nsource = \"registry\"\n";
        let lock = |name: &str| format!("version = 4\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n{foreign_one}");
        assert_eq!(foreign(&lock("aimex")), foreign(&lock("one-period")));
        assert_ne!(foreign(&lock("aimex")), foreign(&lock("aimex").replace("csv", "toml")));
    }
}
