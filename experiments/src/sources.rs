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

/// Sources of every study, from the root of the workspace: what is simulated, and how sets are drawn and searched.
pub const SHARED: [&str; 16] = [
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
pub const BESIDE: [(&str, &[&str]); 1] = [(
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

/// Paths that decide the rows of a study, by the name of its module, in the order in which they are hashed.
pub fn of_study(module: &str) -> Vec<String> {
    let beside = BESIDE.iter().filter(|(study, _)| *study == module).flat_map(|(_, paths)| paths.iter());
    let own = [format!("experiments/src/studies/{module}.rs"), format!("experiments/src/studies/{module}")];
    SHARED.iter().chain(beside).map(|path| (*path).to_owned()).chain(own).collect()
}

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
