//! The commands as a user meets them: help, version, what would be done, what there is.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Desk, STUDY, Said, differing, run};
use lab::judge::claims::Ledger;
use lab::study::Study;

/// Names of the commands, from the help of the driver.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // a line that goes on with an explanation is indented further
    let names = listed.filter_map(|line| line.strip_prefix("  ").filter(|name| !name.starts_with(' ')));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// Examples of a help text, without the words after two spaces that explain them.
fn examples(help: &str) -> Vec<&str> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  clothlab "));
    lines.map(|line| line.split("  ").next().unwrap_or(line)).collect()
}

/// All studies at paper scale.
fn paper_studies() -> Vec<Study> {
    crate::common::studies_of("paper")
}

#[test]
fn every_command_has_help() {
    let desk = Desk::new();
    let help = desk.clothlab(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    let commands = commands(&help.out);
    assert_eq!(
        commands,
        [
            "list",
            "run",
            "repro",
            "smoke",
            "validate",
            "init",
            "simulate",
            "sweep",
            "race",
            "control",
            "fit",
            "view",
            "keys",
            "export-system",
            "plot",
            "figure",
            "claims",
            "report",
            "merge",
            "submit",
            "status",
            "audit",
            "compare",
            "completions",
            "article",
            "verify"
        ]
    );
    for command in commands {
        let said = desk.clothlab(&[command, "--help"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{command}");
        assert!(said.out.contains(&format!("Usage: clothlab {command}")), "{}", said.out);
        let shown = examples(&said.out);
        assert!(
            !shown.is_empty() && shown.iter().all(|example| example.starts_with(command)),
            "examples of {command}: {shown:?}"
        );
    }
    assert!(examples(&help.out).len() >= 3, "{}", help.out);
}

#[test]
fn the_examples_of_the_help_can_be_given() {
    let desk = Desk::new();
    desk.write("my.toml", crate::common::tiny());
    let mut tried = 0;
    for help in [&["--help"][..], &["run", "--help"]] {
        let said = desk.clothlab(help);
        for example in examples(&said.out).into_iter().filter(|example| example.starts_with("run ")) {
            let mut arguments: Vec<&str> = example.split_whitespace().collect();
            if !arguments.contains(&"--dry-run") {
                arguments.push("--dry-run");
            }
            let said = desk.clothlab(&arguments);
            assert_eq!(said.code, Some(0), "{example}: {}", said.err);
            tried += 1;
        }
    }
    assert!(tried >= 5, "{tried} examples");
    let said = desk.clothlab(&["list"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    // the others want results or hours: they are read, and refused for their place alone
    desk.write("mine.toml", crate::claims::example());
    for command in ["plot", "claims", "report", "article", "verify"] {
        for example in examples(&desk.clothlab(&[command, "--help"]).out) {
            let arguments: Vec<&str> = example.split_whitespace().collect();
            if example.starts_with("claims freeze") {
                assert_eq!(desk.clothlab(&arguments).code, Some(0), "{example}");
                continue;
            }
            let message = desk.refused(&arguments);
            assert!(["results", "out/mine"].iter().any(|place| message.contains(place)), "{example}: {message}");
        }
    }
    assert!(!desk.path("out").exists(), "an example has written something");
}

#[test]
fn the_examples_of_each_study_can_be_given() {
    let desk = Desk::new();
    desk.write("my.toml", crate::common::tiny());
    for study in paper_studies() {
        let program = Path::new(env!("CARGO_BIN_EXE_clothlab")).with_file_name(study.name);
        let said = |arguments: &[&str]| -> Said {
            Command::new(&program).args(arguments).current_dir(desk.path("")).output().expect("the program starts").into()
        };
        let help = said(&["--help"]).out;
        let shown: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix(study.name)).collect();
        assert_eq!(shown.len(), 4, "{help}");
        for example in shown {
            let words = example.trim().split("  ").next().unwrap_or_default().split_whitespace();
            let arguments: Vec<&str> = words.filter(|word| *word != "--dry-run").chain(["--dry-run"]).collect();
            let dry = said(&arguments);
            assert_eq!(dry.code, Some(0), "{} {arguments:?}: {}", study.name, dry.err);
            if let ["--case", case, ..] = arguments[..] {
                let sets = study.groups[0].sets();
                assert!(case.parse::<u64>().is_ok_and(|case| case < sets), "{}: case {case} of {sets}", study.name);
            }
        }
    }
    assert!(!desk.path("out").exists(), "an example has written something");
}

#[test]
fn the_version_is_that_of_the_package() {
    let said = Desk::new().clothlab(&["--version"]);
    assert_eq!((said.code, said.out, said.err), (Some(0), format!("clothlab {}\n", env!("CARGO_PKG_VERSION")), String::new()));
}

#[test]
fn a_dry_run_names_groups_and_counts_and_writes_nothing() {
    let desk = Desk::new();
    let dry = |options: &[&str]| {
        let said = desk.clothlab(&[&run("tiny.toml", "out")[..], &["--dry-run"], options].concat());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        assert!(!desk.path("out").exists(), "a dry run has written something");
        said.out
    };
    let counts = |text: &str| -> Vec<(String, u64)> {
        let counted = text.lines().filter_map(|line| {
            let mut words = line.strip_prefix("  ")?.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
        });
        counted.collect()
    };
    let pairs = |pairs: &[(&str, u64)]| pairs.iter().map(|(group, count)| ((*group).to_owned(), *count)).collect::<Vec<_>>();
    // three kinds of ends, three meshes, three modes; rows of cells: 3.5 / 0.5 for five schemes in the plane of the test
    // equation, 2.5 / 0.5 for FB Euler and SBDF2
    let fixed = [("bars", 3 * 3 * 3), ("regions", 5 * 7 + 2 * 5), ("spirals", 25)];
    let all = |main, readings, scans, draws, chains, springs| {
        let [bars, regions, spirals] = fixed;
        let sampled = [("sheets", main), ("readings", readings), ("scans", scans), ("draws", draws), ("chains", chains)];
        pairs(&[&sampled[..], &[bars, ("springs", springs), regions, spirals]].concat())
    };
    assert_eq!(counts(&dry(&[])), all(10, 10, 8, 50, 12, 8));
    assert_eq!(counts(&dry(&["--sets", "5"])), all(5, 5, 4, 5, 5, 4)); // the same share of each
    assert_eq!(counts(&dry(&["--sets", "700"])), all(700, 10, 8, 50, 12, 8));
    assert_eq!(counts(&dry(&["--only", "chains"])), pairs(&[("chains", 12)]));
    assert_eq!(counts(&dry(&["--only", "chains", "--sets", "5"])), pairs(&[("chains", 5)]));
    let text = dry(&["--seed", "7", "--jobs", "3", "--simd", "plain"]);
    assert!(text.starts_with(&format!("{STUDY}: as published but for bars.modes = 3")), "{text}");
    assert!(text.contains(&format!("\n{STUDY}, profile tiny.toml, seed 7, 3 threads, plain kernels\n")), "{text}");
    assert!(text.trim_end().ends_with("results would go to out"), "{text}");
}

#[test]
fn groups_that_are_there_for_their_times_wait_for_times() {
    let desk = Desk::new();
    for (options, listed) in [(&[][..], false), (&["--times"], true), (&["--only", "times"], true), (&["--shard", "1/2"], true)] {
        let said = desk.clothlab(&[&["run", "aimex", "--dry-run"], options].concat());
        assert_eq!(said.out.contains("\n  times "), listed, "{options:?}: {}", said.out);
    }
    let dry = desk.clothlab(&["run", "fast-projection", "--dry-run"]).out;
    assert!(dry.contains("\n  chain "), "it is timed, and measured for its strain too: {dry}");
}

#[test]
fn a_dry_run_leaves_former_results_as_they_are() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "spirals"]);
    let former = desk.files("out");
    for options in [&["--dry-run"][..], &["--dry-run", "--fresh"], &["--dry-run", "--seed", "2"]] {
        assert_eq!(desk.clothlab(&[&run("tiny.toml", "out")[..], options].concat()).code, Some(0));
        assert_eq!(differing(&former, &desk.files("out")), [""; 0], "{options:?}");
    }
}

#[test]
fn the_binary_of_a_study_is_the_run_command() {
    let desk = Desk::new();
    let alone = |arguments: &[&str]| -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fb-euler-stability"));
        command.args(arguments).current_dir(desk.path("")).output().expect("the program starts").into()
    };
    for options in [
        &["--dry-run"][..],
        &["--dry-run", "--profile", "tiny.toml", "--sets", "4", "--only", "scans"],
        &["--profile", "tiny.toml", "--case", "3"],
        &["--profile", "huge"],
        &["--sets", "0"],
    ] {
        let (ours, drivers) = (alone(options), desk.clothlab(&[&["run", STUDY], options].concat()));
        assert_eq!((ours.code, &ours.out, &ours.err), (drivers.code, &drivers.out, &drivers.err), "{options:?}");
        assert!(ours.out.len() + ours.err.len() > 40, "{options:?}");
    }
    let said = alone(&["--profile", "tiny.toml", "--out", "alone"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    desk.run("tiny.toml", "driver", &[]);
    assert_eq!(differing(&desk.determined("alone"), &desk.determined("driver")), [""; 0]);
    assert!(alone(&["--help"]).out.contains("Usage: fb-euler-stability"));
}

#[test]
fn the_list_names_all_groups_and_claims() {
    let desk = Desk::new();
    let brief = desk.clothlab(&["list"]);
    assert_eq!((brief.code, brief.err.as_str()), (Some(0), ""));
    let lines = |study: &Study| brief.out.lines().filter(|line| line.starts_with(&format!("{} ", study.name))).count();
    let mut judged = 0;
    for study in paper_studies() {
        assert_eq!(lines(&study), 1, "{} has a line", study.name);
        let said = desk.clothlab(&["list", study.name]);
        let head = said.out.lines().next().unwrap_or_default();
        assert_eq!((said.code, head), (Some(0), format!("{}  {}", study.name, study.title).as_str()));
        let own: Vec<&str> = said.out.lines().skip(1).collect();
        let line_of = |kind: &str, name: &str| {
            let named = |line: &&str| {
                line.trim_start().strip_prefix(kind)?.split_whitespace().next().filter(|word| *word == name).map(|_| ())
            };
            own.iter().find(|line| named(line).is_some()).unwrap_or_else(|| panic!("{kind} {name} is not listed"))
        };
        for group in &study.groups {
            let line = line_of("group ", group.name());
            assert!(line.contains(&format!(" {} ", group.sets())) && line.ends_with(group.about()), "{line}");
        }
        for judge in &study.judges {
            assert!(line_of("claim ", judge.claim).split_whitespace().count() > 3, "{} has no words", judge.claim);
        }
        judged += study.judges.len();
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../claims");
    let ledgers = fs::read_dir(folder).expect("the ledgers").map(|entry| entry.expect("an entry").path());
    let claims: usize = ledgers
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .map(|path| Ledger::parse("a ledger", &fs::read_to_string(path).expect("a ledger")).expect("a ledger").claims.len())
        .sum();
    assert_eq!(brief.out.contains("not yet studied: "), claims > judged, "{}", brief.out);
    assert!(!brief.out.contains(" 0 claims"), "{}", brief.out);
}

/// A file of the workspace.
fn of_the_workspace(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn recipes_pass_arguments_on_as_they_are() {
    let recipes = of_the_workspace("justfile");
    // an interpolated argument would be split at its spaces
    assert!(recipes.contains("\nset positional-arguments\n") && !recipes.contains("{{"), "{recipes}");
    let heads: Vec<&str> = recipes.lines().filter(|line| line.ends_with(':') && line.contains(' ')).collect();
    assert_eq!(heads.len(), recipes.matches(" \"$@\"\n").count(), "{heads:?}");
}

#[test]
fn the_benches_of_single_functions_are_all_of_them() {
    let aliases = of_the_workspace(".cargo/config.toml");
    let functions = aliases.lines().find(|line| line.starts_with("functions = ")).expect("the alias of the benches");
    let mut listed: Vec<&str> = functions.trim_end_matches('"').split(" --bench ").skip(1).collect();
    let mut benches = vec![];
    for package in ["cloth", "collision", "linsolve"] {
        let manifest = of_the_workspace(&format!("crates/{package}/Cargo.toml"));
        let named = manifest.split("[[bench]]").skip(1).filter_map(|bench| Some(bench.split_once("name = \"")?.1));
        benches.extend(named.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    }
    benches.retain(|bench| bench != "tables"); // an alias of its own
    benches.sort();
    listed.sort_unstable();
    assert_eq!(listed, benches);
}

#[test]
fn documents_of_json_stand_alone_and_have_the_keys_of_the_help() {
    let desk = Desk::new();
    let document = |arguments: &[&str]| -> serde_json::Value {
        let said = desk.clothlab(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", said.out))
    };
    let list = document(&["list", "--json"]);
    assert_eq!(list["studies"].as_array().map(Vec::len), Some(paper_studies().len()));
    let one = document(&["list", "aimex", "--json"]);
    let study = &one["studies"][0];
    assert!(study["name"] == "aimex" && study["groups"][0]["name"] == "runs" && study["claims"][0]["verdict"].is_null());
    let board = document(&["validate", "--method", "rk4", "--case", "pendulum", "--json"]);
    assert!(board["cases"] == 3 && board["moving"][0]["method"].is_string(), "{board}");
    desk.write("tiny.toml", crate::common::tiny());
    desk.run("tiny.toml", "out", &[]);
    let claims = document(&["claims", "out", "--json"]);
    let first = &claims["claims"][0];
    assert!(first["study"] == STUDY && first["sample"].as_str().is_some_and(|sample| sample.starts_with("preview")), "{first}");
}

#[test]
fn quiet_commands_tell_results_alone() {
    let desk = Desk::new();
    desk.write("tiny.toml", crate::common::tiny());
    let measure = |options: &[&str], out: &str| {
        let said =
            desk.clothlab(&[&["run", STUDY, "--profile", "tiny.toml", "--only", "chains", "--out", out], options].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    };
    let (loud, quiet) = (measure(&[], "a"), measure(&["--quiet"], "b"));
    assert!(loud.out.contains("results in a") && loud.out.contains(": about "), "{}", loud.out);
    assert!(loud.out.contains(&format!("{STUDY}: as published but for ")), "{}", loud.out);
    assert_eq!(quiet.err, "");
    assert!(!quiet.out.contains("results in") && !quiet.out.contains("about") && quiet.out.contains("chains"), "{}", quiet.out);
    assert!(desk.refused(&["--quiet", "run", "aimx"]).contains("did you mean `aimex`?"));
}

#[test]
fn completions_name_every_command() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = desk.clothlab(&["completions", shell]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{shell}");
        assert!(["simulate", "figure", "export-system"].iter().all(|command| said.out.contains(command)), "{shell}");
    }
}

#[test]
fn help_shows_units_in_plain_brackets() {
    let help = Desk::new().clothlab(&["race", "--help"]).out;
    assert!(help.contains("[s]") && !help.contains("\\["), "{help}");
}

#[test]
fn compare_runs_the_program_beside_or_says_how_to_get_it() {
    let desk = Desk::new();
    let beside = Path::new(env!("CARGO_BIN_EXE_clothlab")).with_file_name(format!("compare{}", std::env::consts::EXE_SUFFIX));
    if !beside.exists() {
        let refused = desk.refused(&["compare", "HEAD~1", "--markdown"]);
        assert!(refused.contains("`cargo compare ...` in the checkout builds it"), "{refused}");
    }
}
