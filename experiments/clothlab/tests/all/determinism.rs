//! Rows are equal, byte for byte, whatever the threads, the processor, the number of sets and the history of a run.

use std::fs;

use crate::common::{Desk, Files, STUDY, Working, differing, run, slow};

/// Rows of a set in a table.
fn rows_of(table: &str, set: u64) -> Vec<&str> {
    table.lines().filter(|line| line.starts_with(&format!("{set},"))).collect()
}

/// The tables of a folder's groups, by file.
fn tables(files: &Files) -> impl Iterator<Item = (&String, &Vec<u8>)> {
    files.iter().filter(|(name, _)| name.ends_with(".csv") && !name.starts_with("plots/") && !name.starts_with("claims"))
}

fn same(a: &Files, b: &Files) {
    assert_eq!(differing(a, b), [""; 0]);
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let desk = Desk::new();
    let outs = ["1", "2", "3"].map(|jobs| {
        desk.run("tiny.toml", jobs, &["--jobs", jobs]);
        desk.determined(jobs)
    });
    assert_eq!(tables(&outs[0]).count(), 9, "{:?}", outs[0].keys());
    same(&outs[0], &outs[1]);
    same(&outs[0], &outs[2]);
}

#[test]
fn files_do_not_depend_on_the_instruction_set() {
    let desk = Desk::new();
    desk.run("tiny.toml", "plain", &["--simd", "plain", "--sets", "6"]);
    let plain = desk.determined("plain");
    for set in ["portable", "avx2", "avx512"] {
        let said = desk.clothlab(&[&run("tiny.toml", set)[..], &["--simd", set, "--sets", "6"]].concat());
        if set != "portable" && said.code == Some(2) {
            assert!(said.refusal(2).contains(&format!("this machine does not run `{set}`")), "{}", said.err);
            continue;
        }
        assert_eq!(said.code, Some(0), "{}", said.err);
        same(&plain, &desk.determined(set));
    }
}

#[test]
fn no_study_depends_on_the_instruction_set() {
    let desk = Desk::new();
    // sheets on their grid with contacts, triangles, direct solves of constraints, chains, meshes that tear, searches by gradients
    for (study, group) in [
        ("aimex", "readings"),
        ("generalized-alpha", "paper"),
        ("fast-projection", "chain"),
        ("impulse-strips", "steps"),
        ("tearing", "ties"),
        ("control", "reach"),
    ] {
        let kept = ["portable", "widest"].map(|name| {
            let out = format!("{study}-{name}");
            let simd: &[&str] = if name == "portable" { &["--simd", "portable"] } else { &[] };
            let said = desk.clothlab(&[&["run", study, "--profile", "smoke", "--only", group, "--out", &out], simd].concat());
            assert_eq!(said.code, Some(0), "{}", said.err);
            desk.determined(&out)
        });
        assert!(tables(&kept[0]).count() > 0 && tables(&kept[0]).eq(tables(&kept[1])), "{study}");
    }
}

#[test]
fn fewer_sets_are_the_first_of_more() {
    let desk = Desk::new();
    desk.run("tiny.toml", "few", &["--sets", "20"]);
    desk.run("tiny.toml", "many", &["--sets", "26"]);
    let [few, many] = ["few", "many"].map(|out| desk.determined(out));
    for (name, table) in tables(&few) {
        assert!(many[name].starts_with(table), "{name}");
    }
    let lines = |files: &Files| String::from_utf8_lossy(&files["cases.csv"]).lines().count();
    assert_eq!((lines(&few), lines(&many)), (1 + 20, 1 + 26));

    let said = desk.run("tiny.toml", "few", &["--sets", "26"]);
    let line = said.out.lines().find(|line| line.contains("sheets")).expect("a line of the main group");
    assert!(line.contains("26 cases, 26 rows, 20 of them from an earlier run"), "{line}");
    same(&desk.determined("few"), &many);

    desk.run("tiny.toml", "few", &["--sets", "20"]);
    same(&desk.determined("few"), &few);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let desk = Desk::new();
    desk.write("slow.toml", slow());
    for (part, cases) in [("sheets", 5), ("readings", 1)] {
        let mut working = Working::start(desk.program(&[&run("slow.toml", "killed")[..], &["--jobs", "1"]].concat()));
        working.wait_for(&desk.path(&format!("killed/parts/{part}.part")), cases);
        working.kill();
        let left = desk.files("killed");
        assert!(left.keys().all(|name| name.starts_with("parts/")), "results of an unfinished run: {:?}", left.keys());
    }
    let said = desk.run("slow.toml", "killed", &[]);
    assert!(said.out.contains("of them from an earlier run"), "{}", said.out);
    desk.run("slow.toml", "whole", &[]);
    same(&desk.determined("killed"), &desk.determined("whole"));
}

#[test]
fn a_torn_last_line_is_measured_again() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let whole = desk.determined("out");
    for missing in [1, 30] {
        let text = desk.read("out/parts/sheets.part");
        desk.write("out/parts/sheets.part", &text[..text.len() - missing]);
        let said = desk.run("tiny.toml", "out", &[]);
        assert!(said.err.contains("sheets.part: the last line was torn; its case is measured again"), "{}", said.err);
        assert!(said.out.contains("10 cases, 10 rows, 9 of them from an earlier run"), "{}", said.out);
        same(&desk.determined("out"), &whole);
    }
    assert_eq!(desk.run("tiny.toml", "out", &[]).err, "");
}

#[test]
fn another_seed_draws_other_sets() {
    let desk = Desk::new();
    desk.run("tiny.toml", "1", &[]);
    desk.run("tiny.toml", "2", &["--seed", "2"]);
    let names: Vec<String> = differing(&desk.determined("1"), &desk.determined("2"));
    for table in ["cases.csv", "readings.csv", "scans.csv", "chains.csv", "springs.csv"] {
        assert!(names.iter().any(|name| name == table), "{table} is the same for both seeds");
    }
    for table in ["bars.csv", "regions.csv", "spirals.csv"] {
        assert!(!names.iter().any(|name| name == table), "{table} is no sample");
    }
}

#[test]
fn a_case_alone_has_the_rows_of_the_table() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let before = desk.files("out");
    for (only, file) in [(None, "cases.csv"), (Some("readings"), "readings.csv"), (Some("regions"), "regions.csv")] {
        let table = desk.read(&format!("out/{file}"));
        for set in 0..10 {
            let number = set.to_string();
            let mut arguments = run("tiny.toml", "out").to_vec();
            arguments.extend(["--case", &number]);
            arguments.extend(only.iter().flat_map(|group| ["--only", group]));
            let said = desk.clothlab(&arguments);
            assert_eq!(said.code, Some(0), "{}", said.err);
            let (header, rows) = said.out.split_once('\n').expect("a header");
            assert_eq!(Some(header), table.lines().next());
            assert_eq!(rows.lines().collect::<Vec<_>>(), rows_of(&table, set));
            assert!(!rows.is_empty(), "{file} has no rows of set {set}");
        }
    }
    assert_eq!(differing(&before, &desk.files("out")), [""; 0], "a case alone writes nothing");
}

#[test]
fn a_case_that_differs_from_finished_results_breaks_determinism() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let table = desk.read("out/cases.csv");
    let row = rows_of(&table, 3)[0];
    let altered = row.replacen(",0.", ",1.", 1);
    assert_ne!(row, altered);
    desk.edit("out/cases.csv", row, &altered);
    let arguments = |case, seed| [&run("tiny.toml", "out")[..], &["--case", case, "--seed", seed]].concat();
    let said = desk.clothlab(&arguments("3", "1"));
    assert!(said.refusal(4).contains("set 3") && said.err.contains("cases.csv"), "{}", said.err);
    assert!(said.out.lines().any(|line| line == row), "{}", said.out);
    assert_eq!(desk.clothlab(&arguments("4", "1")).code, Some(0), "another case is as it was");
    assert_eq!(desk.clothlab(&arguments("3", "2")).code, Some(0), "results of another seed say nothing");
}

#[test]
fn verify_tells_intact_results_from_changed_ones() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let said = desk.clothlab(&["verify", "out"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let count: usize =
        ["SHA256SUMS", "SHA256SUMS-of-times"].map(|sums| desk.read(&format!("out/{sums}")).lines().count()).iter().sum();
    assert_eq!(said.out, format!("out: {count} of {count} files as their checksums say\n"));
    for name in ["cases.csv", "datapackage.json", "claims.csv", "plots/bar.svg"] {
        let path = format!("out/{name}");
        let mut bytes = fs::read(desk.path(&path)).expect("a result");
        let last = bytes.len() - 2;
        bytes[last] ^= 1;
        desk.write(&path, &bytes);
        let said = desk.clothlab(&["verify", "out"]);
        assert!(said.refusal(4).contains(&format!("{path} differs")), "{}", said.err);
        bytes[last] ^= 1;
        desk.write(&path, &bytes);
    }
    fs::remove_file(desk.path("out/spirals.csv")).expect("a result");
    let said = desk.clothlab(&["verify", "out"]);
    assert!(said.refusal(4).contains("out/spirals.csv is missing"), "{}", said.err);
}

#[test]
fn verdicts_of_another_judge_are_judged_anew_with_their_checksums() {
    let desk = Desk::new();
    let out = format!("results/{STUDY}");
    desk.run("tiny.toml", &out, &[]);
    let former = desk.files(&out);
    let sums = desk.read(&format!("{out}/SHA256SUMS"));
    let line = sums.lines().find(|line| line.ends_with("  claims.csv")).expect("the checksum of the verdicts").to_owned();
    for file in ["claims.csv", "claims-of-times.csv"] {
        let text = desk.read(&format!("{out}/{file}"));
        desk.write(&format!("{out}/{file}"), text.replace("reproduced", "inconclusive"));
    }
    desk.edit(&format!("{out}/SHA256SUMS"), &line, &format!("{}  claims.csv", "0".repeat(64)));
    let said = desk.clothlab(&["claims", STUDY]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    same(&former, &desk.files(&out));
    let all = desk.read("results/claims.csv");
    assert!(desk.read(&format!("{out}/claims.csv")).lines().all(|line| all.contains(line)), "{all}");
}

#[test]
fn one_group_alone_has_the_rows_that_it_has_among_all() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    let alone = desk.determined("out");
    let names: Vec<&String> = tables(&alone).map(|(name, _)| name).collect();
    assert_eq!(names, ["chains.csv"]);
    desk.run("tiny.toml", "whole", &[]);
    let whole = desk.determined("whole");
    assert_eq!(alone["chains.csv"], whole["chains.csv"]);
    let said = desk.run("tiny.toml", "out", &[]);
    let resumed = said.out.lines().filter(|line| line.contains("earlier run")).collect::<Vec<_>>();
    assert!(resumed.len() == 1 && resumed[0].contains("chains"), "{resumed:?}");
    same(&desk.determined("out"), &whole);
}

#[test]
fn the_default_folder_is_named_after_the_study() {
    let desk = Desk::new();
    let said = desk.clothlab(&["run", STUDY, "--profile", "tiny.toml", "--only", "spirals"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(desk.path("out").join(STUDY).join("spirals.csv").exists(), "{}", said.out);
}
