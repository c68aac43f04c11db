//! Sources on disk: the hashes that `build.rs` makes of them, and the program where it looks whether a checkout holds its own.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What the program is made of, from the root of the workspace.
pub const PROGRAM: [&str; 13] = [
    "CITATION.cff",
    "Cargo.lock",
    "crates/analytic/src",
    "crates/chart/src",
    "crates/cloth/src",
    "crates/collision/src",
    "crates/linsolve/src",
    "crates/lab/src",
    "crates/scene/src",
    "experiments/src",
    "experiments/claims",
    "experiments/profiles",
    "experiments/published",
];

/// Hash of what the program is made of, as it is in the workspace at `root`.
pub fn of_program(root: &Path) -> String {
    let mut hash = Sha256::new();
    PROGRAM.iter().for_each(|path| add(&mut hash, root, Path::new(path)));
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
