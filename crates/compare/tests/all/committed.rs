//! Committed results and folders, compared by the program.

use std::fs;

use crate::repository::Repository;
use crate::results::Results;

fn two(old: &Results, new: &Results) -> Repository {
    let repository = Repository::new();
    old.commit(&repository);
    new.commit(&repository);
    repository
}

#[test]
fn a_commit_that_changes_nothing_is_the_same() {
    let repository = two(&Results::default(), &Results::default());
    repository.compare(&["HEAD~1", "HEAD"]).exits(0).has(&[
        "identical: 24 rows in 1 table",
        "times are not compared: both sides hold those of the same run",
        "the same: every row and every verdict",
    ]);
}

#[test]
fn changed_counts_are_a_regression_with_their_sets() {
    let old = Results::default();
    // set 3: 103 to 206, set 7: 207 to 103.5 of the other method
    let new = Results { code: "other", ..old.with(",103\n", ",206\n").with(",207\n", ",414\n") };
    let said = two(&old, &new).compare(&["HEAD~1", "HEAD"]).exits(3);
    said.has(&[
        "rows by set, method",
        "2 of 24 rows changed (2 real); in 2 sets: 3, 7",
        "iterations  2     real   +100.00 %      +100.00 %",
        "another version of the program",
    ]);
}

#[test]
fn changed_counts_of_equal_code_break_determinism() {
    let old = Results::default();
    let repository = two(&old, &old.with(",103\n", ",104\n"));
    repository
        .compare(&["HEAD~1", "HEAD"])
        .exits(4)
        .has(&["determinism broken", "study/cases.csv: 1 of 24 rows changed (1 real); in 1 set: 3"]);
    // with other ranges nothing says that rows must be equal
    let other = Results { ranges: "other", ..old.with(",103\n", ",104\n") };
    two(&old, &other).compare(&["HEAD~1", "HEAD"]).exits(3).has(&["a profile with other ranges"]);
}

#[test]
fn what_is_added_is_no_regression_and_what_is_gone_is_one() {
    let old = Results::default();
    let longer = Results { cases: old.cases.clone() + "12,5,plain,finished,7\n", ..old.clone() };
    two(&old, &longer).compare(&["HEAD~1", "HEAD"]).exits(0).has(&["1 row added; in 1 set: 12", "no regression"]);
    two(&longer, &old).compare(&["HEAD~1", "HEAD"]).exits(3).has(&["1 row removed"]);
    let cases =
        old.cases.lines().map(|line| format!("{line},{}\n", if line.starts_with("set") { "gain" } else { "1" })).collect();
    let wider = Results { code: "other", columns: [&old.columns[..], &["gain"]].concat(), cases, ..old.clone() };
    two(&old, &wider).compare(&["HEAD~1", "HEAD"]).exits(0).has(&["columns added: gain"]);
    two(&wider, &old).compare(&["HEAD~1", "HEAD"]).exits(3).has(&["columns removed: gain"]);
    let repository = Repository::new();
    old.commit(&repository);
    old.write(&repository.path("results/another"), "another");
    repository.commit();
    repository.compare(&["HEAD~1", "HEAD"]).exits(0).has(&["studies added: another"]);
    repository.compare(&["HEAD", "HEAD~1"]).exits(3).has(&["the study another is gone"]);
    repository.compare(&["HEAD", "HEAD~1", "--study", "study"]).exits(0).lacks(&["another"]);
}

#[test]
fn verdicts_get_worse_or_better() {
    let (old, new) = (Results::default(), Results { verdict: "reproduced", ..Results::default() });
    let repository = two(&old, &new);
    repository.compare(&["HEAD~1", "HEAD"]).exits(0).has(&["X-1 was direction only, is reproduced"]);
    repository.compare(&["HEAD", "HEAD~1"]).exits(3).has(&["X-1 was reproduced, is direction only"]);
}

#[test]
fn times_are_compared_on_one_machine_only() {
    let old = Results::default();
    let slower = Results { timings: old.timings.replace(",0.1", ",0.2"), ..old.clone() };
    let repository = two(&old, &slower);
    let said = repository.compare(&["HEAD~1", "HEAD"]).exits(0);
    said.has(&["times, of different runs", "runs   12    among others  0.105500  0.205500  1.948"]);
    repository.compare(&["HEAD~1", "HEAD", "--counts-only"]).exits(0).lacks(&["times"]);
    let elsewhere = Results { cpu: "Xeon", ..old.clone() };
    let refused = "times are not compared: not the same machine: processor EPYC against Xeon";
    two(&old, &elsewhere).compare(&["HEAD~1", "HEAD"]).exits(0).has(&[refused]);
    // sets of other ranges are other sets, unless their rows say otherwise
    let other = Results { ranges: "other", ..slower.with(",103\n", ",104\n") };
    two(&old, &other).compare(&["HEAD~1", "HEAD"]).exits(3).has(&["times are not compared: both sides have no sets in common"]);
}

#[test]
fn the_second_side_is_the_checkout_unless_named() {
    let repository = two(&Results::default(), &Results::default());
    repository.compare(&["HEAD"]).exits(0).has(&["HEAD (", "against results/"]);
    Results::default().with(",103\n", ",1\n").write(&repository.path("results/study"), "study");
    repository.compare(&["HEAD"]).exits(4);
    repository.compare(&["HEAD", "HEAD~1"]).exits(0);
    // a folder of results, and one of a study
    Results { code: "other", ..Results::default().with(",103\n", ",2\n") }.write(&repository.path("out/mine"), "study");
    repository.compare(&["results", "out/mine"]).exits(3).has(&["3       1    2"]);
    fs::remove_dir_all(repository.path("results")).unwrap();
    repository.compare(&["HEAD"]).refuses(&["results holds no results"]);
}

#[test]
fn formats_and_charts() {
    let old = Results::default();
    let new = Results { code: "other", ..old.with(",103\n", ",206\n").with("3,13,plain,finished", "3,13,plain,unstable") };
    let repository = two(&old, &new);
    let markdown = repository.compare(&["HEAD~1", "HEAD", "--format", "markdown"]).exits(3);
    markdown.has(&[
        "# HEAD~1 (",
        "\n- rows: 23 equal, 0 in last bits, 0 by rounding, 1 really changed, 0 added, 0 removed\n",
        "<summary>study: 1 table that differs</summary>",
        "| column | rows | class | median change |",
        "| status | 1 | real |  |  | 3 | finished | unstable |",
    ]);
    let out = repository.path("charts");
    let said = repository.compare(&["HEAD~1", "HEAD", "--format", "json", "--out", out.to_str().unwrap()]).exits(3);
    let json: serde_json::Value = serde_json::from_str(&said.out()).unwrap();
    assert_eq!(json["outcome"], "regression");
    let table = &json["studies"][0]["tables"][0];
    assert_eq!((&table["rows_changed"], &table["first_sets"]), (&1.into(), &serde_json::json!([3])));
    assert_eq!(table["columns"][1]["worst"], 1.0);
    let points = fs::read_to_string(out.join("study-runs.csv")).unwrap();
    assert!(points.contains(",point,103.0,206.0,"), "{points}");
    assert!(fs::read_to_string(out.join("study-runs.svg")).unwrap().contains("old iterations"));
    let change = fs::read_to_string(out.join("study-runs-change.csv")).unwrap();
    assert!(change.contains(",point,3.0,100.0,"), "{change}");
}

#[test]
fn what_names_nothing_is_refused() {
    let repository = Repository::new();
    repository.commit();
    Results::default().commit(&repository);
    repository
        .compare(&["nowhere", "HEAD"])
        .refuses(&["`nowhere` is neither a revision of this repository nor a folder", "git log"]);
    repository.compare(&["HEAD", "HEAD~7"]).refuses(&["`HEAD~7`"]);
    repository.compare(&["HEAD~1", "HEAD"]).refuses(&["HEAD~1:results holds no results", "clothlab repro --full"]);
    repository
        .compare(&["HEAD", "--study", "silk"])
        .refuses(&["HEAD:results holds no results of the study `silk`; it has study"]);
    repository.compare(&["HEAD", "--rounds", "3"]).refuses(&["--build", "--help"]);
    repository.compare(&["HEAD", "--format", "html"]).refuses(&["html"]);
    repository.compare(&["--upload-pack=x"]).refuses(&["--help"]);
    repository.compare(&[]).refuses(&["<OLD>"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let outside = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_compare"));
        let output = command.current_dir(elsewhere.path()).env("GIT_CEILING_DIRECTORIES", "/").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(outside(&["HEAD", "HEAD"]).contains("there is no repository"));
    assert!(outside(&["HEAD", "HEAD", "--build"]).contains("git cannot be asked"));
}

/// What a file of results is damaged to, and how it is refused.
#[test]
fn damaged_results_are_refused_with_their_place() {
    let cases = Results::default().cases;
    let ragged = cases.replacen(",finished", "", 1);
    let cut = &cases[..cases.len() - 4];
    let shorter = &cases[..cases.len() - 30];
    let shorter = &shorter[..=shorter.rfind('\n').unwrap()];
    let without_column: String = cases.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    let foreign = cases.replacen("iterations", "steps", 1);
    let edited = cases.replacen(",100\n", ",101\n", 1);
    let twice: String =
        cases.lines().map(|line| format!("{line},{}\n", if line.starts_with("set") { "side" } else { "4" })).collect();
    let no_set = cases.replacen("\n0,", "\nzero,", 1);
    let run = r#"{"study": "study", "seed": 1}"#;
    let package = r#"{"schema": 2, "tables": []}"#;
    for (file, text, words) in [
        ("cases.csv", ragged.as_str(), ["cases.csv: ", "line: 2"]),
        ("cases.csv", cut, ["cases.csv: ", "cut off"]),
        ("cases.csv", shorter, ["cases.csv: ", "rows, but run.json says 24"]),
        ("cases.csv", &without_column, ["cases.csv: ", "the column `iterations` of datapackage.json is missing"]),
        ("cases.csv", &foreign, ["cases.csv: ", "the column `iterations` of datapackage.json is missing"]),
        ("cases.csv", &edited, ["cases.csv: ", "not what SHA256SUMS says"]),
        ("cases.csv", &twice, ["cases.csv: ", "the column `side` comes twice"]),
        ("cases.csv", &no_set, ["cases.csv: ", "`zero` is no set"]),
        ("cases.csv", "", ["cases.csv: ", "missing"]),
        ("run.json", run, ["run.json is of another version of results", "missing field `identity`"]),
        ("run.json", "{\"identity\": ", ["run.json: no JSON", "restore it with git"]),
        ("datapackage.json", package, ["datapackage.json is of another version", "resources"]),
        (
            "timings.csv",
            "group,set,seconds\nruns,0,0.1\n",
            ["timings.csv is of another version", "the column `repeat` is missing; --counts-only does without"],
        ),
        ("timings.csv", "group,set,repeat,seconds\nruns,0,0,0.1", ["timings.csv: ", "cut off"]),
        ("claims.csv", "claim,study\nX,study\n", ["claims.csv: ", "SHA256SUMS"]),
        ("SHA256SUMS", "cases.csv\n", ["SHA256SUMS: ", "no checksum"]),
    ] {
        let repository = Repository::new();
        Results::default().commit(&repository);
        repository.write(&format!("results/study/{file}"), text);
        repository.commit();
        repository.compare(&["HEAD~1", "HEAD"]).refuses(&[&[words[0], words[1], "HEAD:results/study"][..]].concat());
        repository.compare(&["HEAD~1"]).refuses(&[words[0], words[1], "results/study"]);
    }
    for file in ["cases.csv", "run.json", "datapackage.json", "timings.csv", "claims.csv", "SHA256SUMS"] {
        let repository = Repository::new();
        Results::default().commit(&repository);
        fs::remove_file(repository.path("results/study").join(file)).unwrap();
        repository.compare(&["HEAD"]).refuses(&[file, "missing"]);
    }
}

#[test]
fn nothing_of_a_table_commands_a_terminal_or_is_markup() {
    let wild = format!("\u{1b}[31m<b>{}", "x".repeat(1000));
    let old = Results::default();
    let new = Results { code: "other", ..old.with("3,13,plain,finished", &format!("3,13,plain,{wild}")) };
    let repository = two(&old, &new);
    let said = repository.compare(&["HEAD~1", "HEAD"]).exits(3).has(&["\\u{1b}[31m<b>xxx"]).lacks(&["\u{1b}"]);
    assert!(said.out().lines().all(|line| line.chars().count() < 490), "{}", said.out());
    repository.compare(&["HEAD~1", "HEAD", "--format", "markdown"]).exits(3).lacks(&["\u{1b}", "<b>"]);
    let named = "no\u{1b}[31m-revision";
    let refused = repository.compare(&[named, "HEAD"]).exits(2);
    assert!(!refused.err().contains('\u{1b}'), "{}", refused.err());
}

#[test]
fn checksums_of_nothing_are_refused() {
    let repository = Repository::new();
    for folder in ["old", "new"] {
        Results::default().write(&repository.path(folder).join("study"), "study");
    }
    fs::write(repository.path("new/study/SHA256SUMS"), "").unwrap();
    repository.compare(&["old", "new"]).refuses(&["SHA256SUMS: it covers no file"]);
}
