//! Two commits of a small workspace whose program writes results and made-up times, built and measured in turn.

use crate::repository::{Repository, Said};
use lab::measure::identity::sha256;

/// The table that the program writes.
const DESCRIPTION: &str = r#"{"resources": [{"name": "runs", "path": "cases.csv", "schema": {"fields": [
    {"name": "set", "type": "integer", "unit": "-"}, {"name": "iterations", "type": "integer", "unit": "-"}]}}]}"#;

/// Measures four sets: `rows` and `seconds` are expressions in the set. Its checksums cover the description, which never changes.
fn program(code: &str, rows: &str, seconds: &str) -> String {
    let sum = sha256(DESCRIPTION);
    format!(
        r##"use std::{{env, fs, path::PathBuf, process::exit, time::{{SystemTime, UNIX_EPOCH}}}};

fn main() {{
    let arguments: Vec<String> = env::args().collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).map(|k| arguments[k + 1].clone());
    if arguments[2] != "study" {{
        eprintln!("error: there is no study `{{}}`; there is study", arguments[2]);
        exit(2);
    }}
    let (sets, jobs) = (value("--sets").map_or(4, |n| n.parse::<u64>().unwrap()), value("--jobs").unwrap());
    let out = PathBuf::from(value("--out").unwrap());
    fs::create_dir_all(&out).unwrap();
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos() as u64;
    let (mut cases, mut timings) = ("set,iterations\n".to_owned(), "group,set,repeat,seconds\n".to_owned());
    for set in 0..sets {{
        let rows: u64 = {rows};
        cases += &format!("{{set}},{{rows}}\n");
        for repeat in 0..4u64 {{
            let noise = 1.0 + 0.002 * ((nanos / 1000 * (set + 7) * (repeat + 3)) % 10) as f64;
            let seconds: f64 = {seconds};
            timings += &format!("runs,{{set}},{{repeat}},{{:.6}}\n", seconds * noise);
        }}
    }}
    let write = |name: &str, text: &str| fs::write(out.join(name), text).unwrap();
    write("cases.csv", &cases);
    write("timings.csv", &timings);
    write("SHA256SUMS", "{sum}  datapackage.json\n");
    write("datapackage.json", {DESCRIPTION:?});
    write("run.json", &format!(r#"{{{{"identity": {{{{"study": "study", "seed": 1, "ranges": "r", "code": "{code}"}}}},
        "profile": "smoke", "arguments": [], "threads": {{jobs}}, "sources": {{{{"lock": "", "compiler": "", "flags": ""}}}},
        "machine": {{{{"cpu": "c", "cores": 1, "instruction_set": "i"}}}}, "groups": [], "start": "", "end": "", "seconds": 1.0}}}}"#));
}}
"##
    )
}

fn repository() -> Repository {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"experiments\"]\n");
    let package = "[package]\nname = \"experiments\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    repository.write("experiments/Cargo.toml", package);
    repository.write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"experiments\"\nversion = \"0.1.0\"\n");
    repository.write(".gitignore", "/target/\n");
    repository
}

fn commit(repository: &Repository, program: &str) {
    repository.write("experiments/src/bin/clothlab.rs", program);
    repository.commit();
}

const BUILD: [&str; 5] = ["--build", "--study", "study", "--sets", "6"];

fn left_nothing(repository: &Repository) {
    assert_eq!(repository.git(&["worktree", "list"]).lines().count(), 1);
    assert!(!repository.path("target/compare/old").exists() && !repository.path("target/compare/new").exists());
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

/// What is said of made-up times; once more where the machine, which is none of them, was another one in between.
fn while_still(compare: impl Fn() -> Said) -> Said {
    let told = (0..5).map(|_| compare()).find(|said| !said.out().contains("withheld"));
    told.expect("a machine that stands still once")
}

const ROWS: &str = "set * 3 + 1";
const SECONDS: &str = "0.01 * (set + 1) as f64";

#[test]
fn builds_of_two_commits() {
    let repository = repository();
    commit(&repository, &program("c", ROWS, SECONDS));
    while_still(|| repository.compare(&["HEAD", "HEAD", BUILD[0], BUILD[1], BUILD[2]])).exits(0).has(&[
        "control, new over old: ",
        "the machine was the same",
        "the same code",
        "identical: 4 rows",
        "no change",
        "the same: every",
    ]);
    left_nothing(&repository);

    commit(&repository, &program("slow", ROWS, "0.015 * (set + 1) as f64"));
    let slower = while_still(|| repository.compare(&[&["HEAD~1"], &BUILD[..]].concat())).exits(3);
    slower.has(&["identical: 6 rows", "5 rounds", "slower", "study: runs takes 1."]);
    let faster = [&["HEAD", "HEAD~1", "--format", "json", "--rounds", "3"], &BUILD[..]].concat();
    let faster = while_still(|| repository.compare(&faster)).exits(0);
    let json: serde_json::Value = serde_json::from_str(&faster.out()).unwrap();
    let time = &json["studies"][0]["times"]["built"][0];
    assert_eq!((&time["decision"], &time["rounds"]), (&"faster".into(), &3.into()), "{time}");
    // rows alone: a run of each
    let counts = repository.compare(&[&["HEAD~1", "HEAD", "--counts-only"], &BUILD[..]].concat()).exits(0).lacks(&["slower"]);
    assert_eq!(counts.err().matches("round 1 of 1").count(), 1);

    // other rows of the same code hash, then of another one
    commit(&repository, &program("slow", "set * 3 + set % 2", "0.015 * (set + 1) as f64"));
    repository
        .compare(&[&["HEAD~1", "--counts-only"], &BUILD[..]].concat())
        .exits(4)
        .has(&["3 of 6 rows changed (3 real); in 3 sets: 0, 2, 4"]);
    repository.compare(&[&["HEAD~2", "--counts-only"], &BUILD[..]].concat()).exits(3).has(&["3 of 6 rows changed"]);

    // rows that differ from run to run
    commit(&repository, &program("restless", "nanos", SECONDS));
    let restless = repository.compare(&[&["HEAD", "HEAD", "--rounds", "2"], &BUILD[..]].concat()).exits(4);
    restless.has(&["HEAD measured cases.csv differently in round 1 than before"]);
    left_nothing(&repository);
}

#[test]
fn what_cannot_be_built_or_measured_is_refused_and_leaves_nothing() {
    let repository = repository();
    commit(&repository, &program("c", ROWS, SECONDS));
    commit(&repository, "fn main() { missing }\n");
    repository
        .compare(&[&["HEAD~1"], &BUILD[..]].concat())
        .refuses(&["HEAD does not build: error[E0425]", "cargo build --release"]);
    left_nothing(&repository);
    let unknown = ["HEAD~1", "HEAD~1", "--build", "--study", "silk"];
    repository.compare(&unknown).refuses(&["HEAD~1 cannot measure silk: there is no study `silk`; there is study", "--study"]);
    left_nothing(&repository);
    repository.compare(&["HEAD~1", "HEAD", "--build"]).refuses(&["HEAD~1:results holds no results"]);
    repository.compare(&["HEAD~9", "HEAD", "--build"]).refuses(&["`HEAD~9`"]);
    repository.write("README.md", "changed\n");
    repository
        .compare(&[&["HEAD~1"], &BUILD[..]].concat())
        .refuses(&["changes that are not committed (M README.md)", "commit or stash"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_removes_its_worktrees() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let repository = repository();
    commit(&repository, "fn main() { std::thread::sleep(std::time::Duration::from_secs(10)); }\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
    command.current_dir(repository.path("")).env_remove("CARGO_TARGET_DIR").args(["HEAD", "HEAD"]).args(BUILD);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while !repository.path("target/compare/clothlab-new").exists() {
        assert!(begin.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none(), "it never began to measure");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    left_nothing(&repository);
    // what a killed comparison left behind is no obstacle to the next one
    let left = repository.path("target/compare/old");
    repository.git(&["worktree", "add", "--quiet", "--detach", left.to_str().unwrap(), "HEAD"]);
    commit(&repository, &program("c", ROWS, SECONDS));
    repository.compare(&[&["HEAD", "HEAD", "--counts-only"], &BUILD[..]].concat()).exits(0);
    left_nothing(&repository);
}
