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

/// Paths that decide the rows of a study, by its name, in the order in which they are hashed: what draws charts, judges and
/// discusses is left out, unless something that measures takes from it.
pub fn of_study(root: &Path, name: &str) -> Vec<String> {
    let folder = format!("experiments/{name}");
    let beside = fs::read_to_string(root.join(&folder).join(BESIDE)).unwrap_or_default();
    let beside = beside.lines().map(str::to_owned).collect::<Vec<_>>();
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (told, measuring): (Vec<PathBuf>, Vec<PathBuf>) =
        sorted(&root.join(&folder).join("src")).into_iter().partition(|path| tells(&stem(path)));
    let texts: Vec<String> = measuring.iter().map(|path| fs::read_to_string(path).unwrap_or_default()).collect();
    let imports = || texts.iter().flat_map(|text| text.lines()).filter(|line| line.trim_start().starts_with("use "));
    let taken_from = told.into_iter().filter(|path| imports().any(|line| line.contains(&format!("::{}::", stem(path)))));
    let mut own: Vec<PathBuf> = measuring.iter().cloned().chain(taken_from).collect();
    own.sort();
    let own = own.iter().filter_map(|path| Some(format!("{folder}/src/{}", path.file_name()?.to_str()?)));
    SHARED.iter().map(|path| (*path).to_owned()).chain(beside).chain(own).collect()
}

/// Paths that decide the answers of a study beside its rows: rules are followed there, and tables made that they name.
pub fn of_answers(root: &Path, name: &str) -> Vec<String> {
    let folder = format!("experiments/{name}/src");
    let files = sorted(&root.join(&folder)).into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let derived = files.filter(|file| file.ends_with("verdicts.rs")).map(|file| format!("{folder}/{file}"));
    ["crates/lab/src/judge/rule", "crates/lab/src/judge/criterion.rs"].into_iter().map(str::to_owned).chain(derived).collect()
}

/// Whether a file of a study, by its stem, tells what was measured, and measures nothing.
fn tells(stem: &str) -> bool {
    ["charts", "verdicts", "discussion"].iter().any(|kind| stem.ends_with(kind))
}

/// The packages that what is simulated rests on, as Cargo.lock names the first of them.
const SIMULATED: [&str; 4] = ["clothlab-analytic", "clothlab-collision", "clothlab-linsolve", "clothlab-sim"];
/// What draws sets, and what statistics of rows are made with.
const DRAWN: [&str; 2] = ["libm", "rand_chacha"];

/// The parts of `Cargo.lock` on packages of others that rows rest on: neither a new study nor a crate that draws changes them.
pub fn foreign(lock: &str) -> String {
    let quoted = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
    let packages: Vec<&str> = lock.split("[[package]]").skip(1).collect();
    let name = |package: &str| package.lines().find(|line| line.starts_with("name = ")).map(&quoted).unwrap_or_default();
    let mut reached: Vec<String> = SIMULATED.iter().chain(&DRAWN).map(|name| (*name).to_owned()).collect();
    let mut next = 0;
    while let Some(wanted) = reached.get(next).cloned() {
        next += 1;
        for package in packages.iter().filter(|package| name(package) == wanted) {
            // a line a dependency: its name, and behind it a version where there are several
            let needed = package.lines().filter(|line| line.starts_with(" \"")).map(&quoted);
            for needed in needed.filter_map(|needed| needed.split(' ').next().map(str::to_owned)) {
                if !reached.contains(&needed) {
                    reached.push(needed);
                }
            }
        }
    }
    let is_foreign = |package: &&&str| package.contains("source = ") && reached.contains(&name(package));
    packages.iter().filter(is_foreign).copied().collect()
}

/// A source without its comments and its tests, which decide no row.
fn code(text: &str) -> String {
    let text = text.find("\n#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end]);
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// Adds a file or folder as it decides rows: sources without comments and tests.
pub fn add_code(hash: &mut Sha256, root: &Path, path: &Path) {
    each_file(root, path, &mut |path, bytes| {
        let is_rust = path.extension().is_some_and(|kind| kind == "rs");
        let code = String::from_utf8(bytes.clone()).ok().filter(|_| is_rust).map(|text| code(&text).into_bytes());
        add_bytes(hash, path, &code.unwrap_or(bytes));
    });
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
fn add(hash: &mut Sha256, root: &Path, path: &Path) {
    each_file(root, path, &mut |path, bytes| add_bytes(hash, path, &bytes));
}

fn add_bytes(hash: &mut Sha256, path: &Path, bytes: &[u8]) {
    hash.update(path.to_string_lossy().replace('\\', "/"));
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Goes through a file, or all files below a folder in the order of their paths.
fn each_file(root: &Path, path: &Path, act: &mut dyn FnMut(&Path, Vec<u8>)) {
    let full = root.join(path);
    if full.is_dir() {
        for entry in sorted(&full) {
            if let Some(name) = entry.file_name() {
                each_file(root, &path.join(name), act);
            }
        }
    } else if full.is_file()
        && let Ok(bytes) = fs::read(&full)
    {
        act(path, bytes);
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
    fn only_packages_that_rows_rest_on_are_hashed() {
        let package = |name: &str, source: &str, needs: &str| {
            format!("[[package]]\nname = \"{name}\"\n{source}dependencies = [\n{needs}]\n\n")
        };
        let (registry, none) = ("source = \"registry\"\n", "");
        let lock = |faer: &str, plotters: &str| {
            "version = 4\n\n".to_owned()
                + &package("clothlab-linsolve", none, " \"faer\",\n")
                + &package("aimex", none, " \"plotters\",\n")
                + &package("faer", registry, " \"gemm 0.1\",\n")
                + &package("gemm", &format!("version = \"{faer}\"\n{registry}"), "")
                + &package("plotters", &format!("version = \"{plotters}\"\n{registry}"), "")
        };
        assert_eq!(foreign(&lock("1", "1")), foreign(&lock("1", "2")), "what draws decides no row");
        assert_ne!(foreign(&lock("1", "1")), foreign(&lock("2", "1")));
        assert!(foreign(&lock("1", "1")).contains("gemm") && !foreign(&lock("1", "1")).contains("plotters"));
    }

    #[test]
    fn comments_and_tests_decide_no_row() {
        let text = "//! a\nfn f() {\n    // b\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        assert_eq!(code(text), "fn f() {\n    1\n}\n");
        assert_ne!(code(text), code(&text.replace("    1", "    2")));
    }

    #[test]
    fn what_measures_takes_nothing_of_what_tells_but_what_is_hashed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut told = 0;
        for folder in sorted(&root.join("experiments")).into_iter().filter(|folder| folder.join("main.rs").exists()) {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let hashed = of_study(&root, name);
            let files = sorted(&folder.join("src"));
            let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_hashed =
                |path: &PathBuf| path.is_dir() || hashed.contains(&format!("experiments/{name}/src/{}.rs", stem(path)));
            let (measuring, others): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(|path| is_hashed(path));
            told += others.len();
            for path in measuring.iter().filter(|path| path.is_file() && !tells(&stem(path))) {
                let text = fs::read_to_string(path).unwrap();
                for other in &others {
                    let of_other = format!("{}::", stem(other));
                    let is_told = |line: &&str| [".plot(", ".derive(", "discussion: "].iter().any(|word| line.contains(word));
                    let taken = code(&text).lines().filter(|line| line.contains(&of_other) && !is_told(line)).count();
                    assert_eq!(taken, 0, "{} measures with {}", path.display(), other.display());
                }
            }
        }
        assert!(told > 20, "{told} files tell");
    }
}
