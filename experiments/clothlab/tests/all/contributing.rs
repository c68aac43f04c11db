//! CONTRIBUTING.md keeps its word: the files that it prints are compiled in place, and where everything is tested all of it is added to
//! a copy of the sources, built and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::is_full;

/// A block of code that names its file.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    language: &'a str,
    file: &'a str,
    text: String,
}

/// The blocks of a document that name a file behind their language.
fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut blocks = vec![];
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(title) = line.strip_prefix("```") else { continue };
        let text: String = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        if let Some((language, file)) = title.split_once(' ') {
            blocks.push(Block { language, file, text });
        }
    }
    blocks
}

/// A file after a block is added: lines of a diff below those that they follow, anything else at the end.
fn added(block: &Block, before: Option<String>) -> Result<String, String> {
    if block.language != "diff" {
        return Ok(before.unwrap_or_default() + &block.text);
    }
    let before = before.ok_or("there is no such file")?;
    let mut rest = before.lines();
    let mut after = String::new();
    for line in block.text.lines() {
        if let Some(new) = line.strip_prefix('+') {
            after += &format!("{new}\n");
            continue;
        }
        let known = line.strip_prefix(' ').ok_or_else(|| format!("`{line}` begins with neither a space nor a plus"))?;
        loop {
            let next = rest.next().ok_or_else(|| format!("there is no line `{known}`, or it comes earlier"))?;
            after += &format!("{next}\n");
            if next == known {
                break;
            }
        }
    }
    rest.for_each(|line| after += &format!("{line}\n"));
    Ok(after)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Adds all blocks below a folder.
fn add(document: &str, folder: &Path) {
    for block in blocks(document) {
        let path = folder.join(block.file);
        let after = added(&block, fs::read_to_string(&path).ok()).unwrap_or_else(|reason| panic!("{}: {reason}", block.file));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(&path, after).unwrap_or_else(|error| panic!("{}: {error}", block.file));
    }
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a writable folder");
        for entry in fs::read_dir(from).expect("a readable folder") {
            let name = entry.expect("an entry").file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

/// A copy of the sources with all that CONTRIBUTING.md prints. It stays from run to run, as does what it is built into.
fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contributing");
    for part in ["crates", "examples", "experiments", "scenes"] {
        let former = folder.join(part);
        if former.exists() {
            fs::remove_dir_all(&former).expect("a former copy that can be removed");
        }
        copy(&root().join(part), &former);
    }
    for file in ["CITATION.cff", "Cargo.lock", "clippy.toml", "rustfmt.toml"] {
        copy(&root().join(file), &folder.join(file));
    }
    // another version, so that nothing built here is taken for what the workspace itself is built into
    let manifest = read(&root().join("Cargo.toml"));
    let version = manifest.lines().find(|line| line.starts_with("version = ")).expect("a version of the workspace");
    fs::write(folder.join("Cargo.toml"), manifest.replacen(version, "version = \"0.0.0-contributing\"", 1)).expect("a manifest");
    fs::remove_dir_all(folder.join("examples/recipes/one-period")).expect("the recipe, which is added as a study");
    let manifest = read(&folder.join("Cargo.toml")).replacen("\"examples/recipes/one-period\", ", "", 2);
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    add(&read(&root().join("CONTRIBUTING.md")), &folder);
    folder
}

/// What cargo says in the copy, where it must succeed without a warning. Dependencies are shared with the workspace, by versions of
/// cargo that can.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder of builds");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).env("CARGO_BUILD_BUILD_DIR", built).env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.args(arguments).output().expect("cargo");
    let [said, progress] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success() && !progress.contains("warning:"), "cargo {}:\n{said}{progress}", arguments.join(" "));
    said
}

#[test]
fn lines_go_where_a_block_says() {
    let document = "text\n```\nno file\n```\n```diff list\n b\n+c\n c\n+d\n e\n```\n```rust new.rs\nfn f() {}\n```\n";
    let [list, new] = &blocks(document)[..] else { panic!("{:?}", blocks(document)) };
    assert_eq!((list.language, list.file, new.file), ("diff", "list", "new.rs"));
    assert_eq!(added(list, Some("a\nb\nc\ne\nf\n".into())).as_deref(), Ok("a\nb\nc\nc\nd\ne\nf\n"));
    assert!(added(list, Some("a\nc\nb\n".into())).unwrap_err().contains("no line `c`"));
    assert!(added(list, None).is_err());
    assert_eq!(added(new, None).as_deref(), Ok("fn f() {}\n"));
    assert_eq!(added(new, Some("old\n".into())).as_deref(), Ok("old\nfn f() {}\n"));
}

#[test]
fn the_program_of_the_library_is_the_example() {
    let document = read(&root().join("docs/library.md"));
    let [example] = &blocks(&document)[..] else { panic!("one file") };
    assert_eq!(example.text, read(&root().join(example.file)));
}

/// The line at which the tests of a file begin.
const TESTS: &str = "#[cfg(test)]";

#[test]
fn every_block_fits_the_sources() {
    let document = read(&root().join("CONTRIBUTING.md"));
    let blocks = blocks(&document);
    assert!(blocks.len() >= 12, "{blocks:?}");
    for block in &blocks {
        let path = root().join(block.file);
        let is_of_study = block.file.starts_with("experiments/one-period/");
        let is_new = block.language == "rust" || is_of_study;
        assert_eq!(path.exists(), !is_new, "{}: sources are new files, lines and sections are not", block.file);
        assert!(is_of_study || path.parent().is_some_and(Path::is_dir), "{} lies nowhere", block.file);
        if is_new {
            let name = block.file.rsplit('/').next().unwrap_or_default();
            let kept = match name {
                "heun.rs" => "own-integrator/src/heun.rs".to_owned(),
                _ if is_of_study => block.file.replace("experiments/", "recipes/"),
                _ => format!("recipes/{name}"),
            };
            // the template takes from outside what a file of the crate takes from within
            let code = |text: &str| text.lines().skip_while(|line| line.starts_with("use ")).collect::<Vec<_>>().join("\n");
            let compiled = read(&root().join("examples").join(&kept));
            // the template has a test beside it
            let end = if block.text.contains(TESTS) { compiled.len() } else { compiled.find(TESTS).unwrap_or(compiled.len()) };
            assert_eq!(code(compiled[..end].trim_end()), code(block.text.trim_end()), "{kept} is what is compiled");
        }
        added(block, fs::read_to_string(path).ok()).unwrap_or_else(|reason| panic!("{}: {reason}", block.file));
    }
}

/// A scene that takes the integrator of the recipe.
const SCENE: &str = "step = 0.005\nduration = 0.05\nintegrator = \"heun\"\npins = [0]\n[mesh]\nnx = 4\nny = 4\nspacing = 0.1\n";

/// After one file and one line, scenes, the reference of keys, refusals, exact solutions and the study of all integrators know it.
fn the_integrator_is_everywhere(folder: &Path, program: &impl Fn(&str, &[&str]) -> String) {
    fs::write(folder.join("heun.toml"), SCENE).expect("a scene");
    let dry = program("clothlab", &["simulate", "heun.toml", "--dry-run"]);
    assert!(dry.contains("16 particles, 10 steps of 0.005 s by heun"), "{dry}");
    let said = program("clothlab", &["simulate", "heun.toml", "--out", "out/heun", "--keep-going"]);
    assert!(said.starts_with("10 steps of 0.005 s"), "{said}");
    let keys = program("clothlab", &["keys"]);
    assert!(keys.contains("\n#[integrator.heun]               # of order 2, by the mean of two slopes\n"), "{keys}");

    let boards = program("clothlab", &["validate", "--method", "heun"]);
    let row = boards.lines().find(|line| line.starts_with("Heun ")).expect("a row of Heun");
    assert!(row.matches("✓ order 2.").count() >= 2, "{boards}");
    assert!(!boards.contains("RK4") && boards.contains("quick selection"), "{boards}");

    program("clothlab", &["run", "work-precision", "--profile", "smoke", "--only", "runs", "--out", "out/precision"]);
    let rows = read(&folder.join("out/precision/cases.csv"));
    let heun = rows.lines().position(|row| row.contains(",Heun,2,")).expect("a row of Heun");
    let [before, after]: [Vec<&str>; 2] = [rows.lines().take(heun).collect(), rows.lines().skip(heun).collect()];
    assert!(after.iter().all(|row| row.contains(",Heun,")) && after.iter().any(|row| row.contains("finished")), "{after:?}");
    assert!(before.len() > 100 && before.iter().all(|row| !row.contains("Heun")), "{before:?}");
}

#[test]
fn what_is_printed_works() {
    if !is_full() {
        return; // the files are compiled with their crates; this builds a copy of them all
    }
    let folder = scratch();
    let document = read(&root().join("CONTRIBUTING.md"));
    let sources: Vec<&str> = blocks(&document).iter().filter(|block| block.language == "rust").map(|block| block.file).collect();
    cargo(&folder, &[&["fmt", "--all", "--", "--check"], &sources[..]].concat());
    let names = ["integrators::tests", "heun", "l1_jacobi", "shuttle"];
    let tests = cargo(
        &folder,
        &[&["test", "--offline", "--package", "clothlab-linsolve", "--package", "clothlab-sim", "--lib", "--"], &names[..]]
            .concat(),
    );
    for name in [
        "integrators::tests::every_scheme_has_its_declared_order",
        "integrators::tests::one_step_by_hand",
        "l1_jacobi::tests::it_solves_a_chain_whose_first_row_is_held",
        "inextensible::shuttle::tests::it_holds_a_pendulum",
    ] {
        assert!(tests.contains(&format!("test {name} ... ok\n")), "no {name} in\n{tests}");
    }

    cargo(&folder, &["build", "--offline", "--bin", "clothlab", "--bin", "one-period"]);
    let program = |name: &str, arguments: &[&str]| {
        let program = folder.join("target/debug").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let output = Command::new(program).args(arguments).current_dir(&folder).output().expect("the program");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let out = folder.join("out");
    for former in [&out, &folder.join("out-of-topic")].into_iter().filter(|former| former.exists()) {
        fs::remove_dir_all(former).expect("former results that can be removed");
    }
    the_integrator_is_everywhere(&folder, &program);
    assert!(
        program("clothlab", &["list", "one-period"])
            .lines()
            .any(|line| line == "one-period  A mass on a spring after one period")
    );
    program("one-period", &["--profile", "smoke", "--out", "out/one-period"]);
    let rows = read(&out.join("one-period/cases.csv"));
    let rows: Vec<Vec<f64>> =
        rows.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert_eq!(rows.len(), 12);
    // a scheme of first order: ten times as many steps, a tenth of the distance
    let farthest = |steps: f64| rows.iter().filter(|row| row[1] == steps).map(|row| row[2]).fold(0.0, f64::max);
    assert!(farthest(10.0) > 3.0 * farthest(100.0) && farthest(100.0) > 0.0, "{rows:?}");

    program("clothlab", &["run", "textbook", "--only", "gains", "--profile", "smoke", "--out", "out-of-topic"]);
    let rows = read(&folder.join("out-of-topic/gains.csv"));
    let gains: Vec<f64> = rows.lines().skip(1).filter_map(|row| row.split(',').nth(2)?.parse().ok()).collect();
    // (1 + h²)^(n/2) for n = 2 pi / h steps, so that the growth falls as h
    assert!(gains.len() == 3 && gains.windows(2).all(|pair| (pair[0] - 1.0) > 9.0 * (pair[1] - 1.0)), "{rows}");
}
