//! Every study, found by its file: it has a binary, is listed, runs at the smallest profile, leaves results that explain
//! themselves, and measures a case the same alone and among others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Desk, Said, is_full};
use lab::judge::claims::Ledger;
use lab::judge::judged::Judged;
use lab::study::Study;
use lab::{ColumnKind, Table};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// A path in the package of the experiments.
fn source(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Files of a folder of the package that end in `ending`, without it.
fn stems(folder: &str, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(source(folder)).expect("a folder of the package");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

/// Names of the studies, from their folders: those with a binary, but for that of the driver.
fn names() -> BTreeSet<String> {
    let folders = fs::read_dir(source("")).expect("the folder of the experiments").map(|entry| entry.expect("an entry"));
    let studies = folders.filter(|folder| folder.path().join("main.rs").exists());
    let names = studies.map(|folder| folder.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != "clothlab").collect()
}

fn all() -> Vec<Study> {
    crate::common::studies_of("smoke")
}

fn ledgers() -> Vec<Ledger> {
    let stems = stems("claims", ".toml");
    let read = |stem: &String| fs::read_to_string(source(&format!("claims/{stem}.toml"))).expect("a ledger");
    stems.iter().map(|stem| Ledger::parse(stem, &read(stem)).expect("a ledger")).collect()
}

/// Studies that take twice as long as all others at the smallest profile: measured where everything is tested.
const LONG: [&str; 3] = ["decomposition", "projective-dynamics", "validation"];

/// Studies with their results at the smallest profile, in folders of their names.
fn measured() -> (Vec<Study>, Desk) {
    let (mut studies, desk) = (all(), Desk::new());
    studies.retain(|study| is_full() || !LONG.contains(&study.name));
    for Study { name, .. } in &studies {
        let said = desk.clothlab(&["run", name, "--profile", "smoke", "--times", "--out", name]);
        assert_eq!(said.code, Some(0), "{name}: {}", said.err);
    }
    (studies, desk)
}

#[test]
fn every_folder_with_a_binary_is_a_study() {
    let names = names();
    assert_eq!(all().iter().map(|study| study.name.to_owned()).collect::<BTreeSet<_>>(), names);
    let desk = Desk::new();
    let listed = desk.clothlab(&["list"]).out;
    let folder = Path::new(env!("CARGO_BIN_EXE_clothlab")).parent().expect("the folder of the binaries");
    for name in &names {
        assert!(listed.lines().any(|line| line.starts_with(&format!("{name}  "))), "{name} is not listed");
        let mut command = Command::new(folder.join(name).with_extension(std::env::consts::EXE_EXTENSION));
        command.args(["--profile", "smoke", "--dry-run"]).current_dir(desk.path(""));
        let said: Said = command.output().expect("the binary of the study").into();
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.out.starts_with(&format!("{name}, profile smoke")), "{}", said.out);
    }
}

#[test]
fn results_of_every_study_are_whole_explain_themselves_and_are_judged() {
    let (studies, desk) = measured();
    every_file_is_there(&studies, &desk);
    every_column_is_documented_and_every_cell_is_what_its_column_says(&studies, &desk);
    every_claim_with_a_criterion_is_judged_by_its_study(&studies, &desk);
}

fn every_file_is_there(studies: &[Study], desk: &Desk) {
    for study in studies {
        let files = desk.files(study.name);
        let group_files: BTreeSet<String> = study.groups.iter().map(|group| study.file_of(group.name())).collect();
        assert!(group_files.contains("cases.csv"));
        let charts = study.plots.iter().flat_map(|plot| ["svg", "csv"].map(|kind| format!("plots/{}.{kind}", plot.name)));
        let others = [
            "run.json",
            "SHA256SUMS",
            "SHA256SUMS-of-times",
            "datapackage.json",
            "claims.csv",
            "claims-numbers.csv",
            "claims-of-times.csv",
            "claims-numbers-of-times.csv",
            "timings.csv",
        ]
        .map(str::to_owned);
        let parts = study.groups.iter().map(|group| format!("parts/{}.part", group.name()));
        let expected: BTreeSet<String> = group_files.iter().cloned().chain(charts).chain(others).chain(parts).collect();
        assert_eq!(files.keys().cloned().collect::<BTreeSet<_>>(), expected, "{}", study.name);
        for name in expected.iter().filter(|name| name.ends_with(".svg")) {
            let text = String::from_utf8_lossy(&files[name]).into_owned();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{name}");
            assert!(!text.contains("NaN") && !text.contains("inf\""), "{name}");
        }
        let sums = desk.read(&format!("{}/SHA256SUMS", study.name));
        let covered: BTreeSet<&str> = sums.lines().filter_map(|line| line.split_once("  ")).map(|(_, file)| file).collect();
        assert!(group_files.iter().all(|file| covered.contains(file.as_str())), "{covered:?}");
        assert!(
            ["datapackage.json", "claims.csv", "claims-numbers.csv"].iter().all(|file| covered.contains(file)),
            "{covered:?}"
        );
        assert!(["timings.csv", "claims-of-times.csv", "run.json"].iter().all(|file| !covered.contains(file)), "{covered:?}");
    }
}

fn every_column_is_documented_and_every_cell_is_what_its_column_says(studies: &[Study], desk: &Desk) {
    for study in studies {
        let package = desk.read(&format!("{}/datapackage.json", study.name));
        let package: serde_json::Value = serde_json::from_str(&package).expect("a data package");
        let resources = package["resources"].as_array().expect("resources");
        assert_eq!(resources.len(), study.groups.len());
        for (group, resource) in study.groups.iter().zip(resources) {
            let file = study.file_of(group.name());
            assert_eq!((resource["name"].as_str(), resource["path"].as_str()), (Some(group.name()), Some(file.as_str())));
            let columns = group.columns();
            let fields = resource["schema"]["fields"].as_array().expect("fields");
            for (column, field) in columns.iter().zip(fields) {
                assert_eq!(field["name"].as_str(), Some(column.name), "{file}");
                assert!(["unit", "description"].iter().all(|key| field[key].as_str().is_some_and(|text| !text.is_empty())));
            }
            let table = desk.read(&format!("{}/{file}", study.name));
            let mut reader = csv::Reader::from_reader(table.as_bytes());
            let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
            assert_eq!(header, fields.iter().filter_map(|field| field["name"].as_str()).collect::<Vec<_>>(), "{file}");
            let mut rows = 0;
            for record in reader.records() {
                for (column, cell) in columns.iter().zip(&record.expect("a row of as many cells")) {
                    assert!(fits(column.kind, cell), "{file}, row {rows}: `{cell}` in column {}", column.name);
                }
                rows += 1;
            }
            assert!(rows as u64 >= group.sets() || !group.has_every_set(), "{file} has {rows} rows of {} sets", group.sets());
        }
    }
}

/// Whether a cell is what its column says; only numbers and words may be missing.
fn fits(kind: ColumnKind, cell: &str) -> bool {
    match kind {
        ColumnKind::Integer => cell.parse::<i64>().is_ok(),
        ColumnKind::Number => cell.is_empty() || cell.parse::<f64>().is_ok_and(f64::is_finite),
        ColumnKind::Text => !["nan", "inf", "-inf", "infinity"].contains(&cell.to_lowercase().as_str()),
        ColumnKind::Boolean => ["true", "false", ""].contains(&cell),
    }
}

#[test]
fn cells_that_do_not_fit_are_told() {
    let cases = [
        (ColumnKind::Integer, "3", "3.5"),
        (ColumnKind::Number, "-1e-3", "NaN"),
        (ColumnKind::Number, "", "inf"),
        (ColumnKind::Number, "0", "three"),
        (ColumnKind::Text, "information", "inf"),
        (ColumnKind::Boolean, "true", "1"),
    ];
    for (kind, right, wrong) in cases {
        assert!(fits(kind, right) && !fits(kind, wrong), "{kind:?}");
    }
}

/// Claims of settings that the smoke profile leaves out: chains of 80 vertices, 960 steps a second, 4000 iterations, 60 runs.
const OUT_OF_REACH: [&str; 7] =
    ["G-CHAIN-25X", "G-POSTCOLL", "G-LAST", "G-LAST-STRAIN", "G-NO-DRIFT", "D-REPAIR", "S-CONTROL-REACH"];

fn every_claim_with_a_criterion_is_judged_by_its_study(studies: &[Study], desk: &Desk) {
    let names = names();
    let ledgers = ledgers();
    let claims = || ledgers.iter().flat_map(|ledger| &ledger.claims);
    for claim in claims().filter(|claim| claim.criterion.is_some()) {
        assert!(names.contains(&claim.study), "{}: there is no study {}", claim.id, claim.study);
    }
    for study in studies {
        let read = |file: &str| {
            let table = desk.read(&format!("{}/{file}", study.name));
            let lines = csv::Reader::from_reader(table.as_bytes()).into_deserialize();
            lines.collect::<Result<Vec<Judged>, _>>().expect("verdicts")
        };
        let judged = [read("claims.csv"), read("claims-of-times.csv")].concat();
        let expected: BTreeSet<&str> = claims()
            .filter(|claim| claim.study == study.name && claim.criterion.is_some() && !OUT_OF_REACH.contains(&claim.id.as_str()))
            .map(|claim| claim.id.as_str())
            .collect();
        let found: BTreeSet<&str> = judged.iter().map(|line| line.claim.as_str()).collect();
        assert_eq!((&found, found.len()), (&expected, judged.len()), "{}", study.name);
        assert!(judged.iter().all(|line| line.study == study.name && !line.measured.is_empty() && !line.reason.is_empty()));
        let finite = |line: &Judged| [line.value, line.low, line.high].into_iter().flatten().all(f64::is_finite);
        assert!(judged.iter().all(finite), "{judged:?}");
    }
}

/// Rows of the given sets, measured in one call.
fn rows(group: &dyn Table, study: &str, sets: &[u64]) -> BTreeMap<u64, Vec<String>> {
    let mut rows = BTreeMap::new();
    let mut done = |set, lines| assert_eq!(rows.insert(set, lines), None, "set {set} was reported twice");
    group.measure(study, 1, sets, &mut done).expect("rows that can stand in a table");
    assert!(rows.len() == sets.len() && sets.iter().all(|set| rows.contains_key(set)), "sets without rows in {sets:?}");
    rows
}

/// Numbers of the widest vector.
const WIDE: usize = 8;

/// Some sets of each group that share a block; all sets where everything is tested.
#[test]
fn rows_of_a_shuffled_block_equal_those_of_each_case_alone() {
    let studies = all();
    let groups = studies.iter().flat_map(|study| study.groups.iter().map(move |group| (study.name, group.as_ref())));
    let largest = groups.collect::<Vec<_>>().into_par_iter().map(|(study, group)| largest_shuffled_block(study, group)).max();
    assert!(largest > Some(WIDE), "no block is larger than a vector: its lanes were never refilled");
}

/// Compares the sets of each block, shuffled, to each of them alone; how large the largest block is.
fn largest_shuffled_block(study: &str, group: &dyn Table) -> usize {
    let mut shuffle = ChaCha8Rng::seed_from_u64(3);
    let all: Vec<u64> = (0..group.sets()).collect();
    let is_wide = group.blocks(study, 1, &all).iter().any(|block| block.len() > WIDE);
    let sets = if is_full() { all } else { all.into_iter().take(if is_wide { 2 * WIDE } else { 2 }).collect() };
    // only what the group calls kin may share a block
    let mut blocks = group.blocks(study, 1, &sets);
    assert_eq!(blocks.iter().flatten().copied().collect::<BTreeSet<_>>(), sets.into_iter().collect());
    if !is_full() {
        blocks.retain(|block| block.len() > 1); // a block of one is the case alone
    }
    for block in &mut blocks {
        let mut alone = BTreeMap::new();
        for set in block.iter() {
            alone.append(&mut rows(group, study, &[*set]));
        }
        assert!(!group.has_every_set() || alone.values().all(|rows| !rows.is_empty()), "{}", group.name());
        block.shuffle(&mut shuffle);
        for (set, rows) in rows(group, study, block) {
            assert_eq!(rows, alone[&set], "group {} of {study}: set {set} in the block {block:?}", group.name());
        }
    }
    blocks.iter().map(Vec::len).max().unwrap_or(0)
}

#[test]
fn times_that_disagree_decide_nothing() {
    let desk = Desk::new();
    let study = "decomposition";
    let said = desk.clothlab(&["run", study, "--profile", "smoke", "--only", "times", "--out", "results/decomposition"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let times = desk.read("results/decomposition/times.csv");
    let on_sphere: Vec<&str> = times.lines().filter(|row| row.contains("sphere")).collect();
    let sets: Vec<&str> = on_sphere.iter().filter_map(|row| row.split(',').next()).collect();
    assert_eq!(sets.len(), 18, "{times}");
    let verdict = |disturbed: f64| {
        let mut timings = "group,set,repeat,seconds\n".to_owned();
        // six sheets by three solvers each, of which every other one is disturbed
        for (k, (set, seconds)) in sets.iter().zip([1.0, 0.82, 0.70].into_iter().cycle()).enumerate() {
            let factor = if k % 3 == 0 || k / 3 % 2 == 0 { 1.0 } else { disturbed };
            for repeat in 0..3 {
                timings += &format!("times,{set},{repeat},{}\n", factor * seconds);
            }
        }
        desk.write("results/decomposition/timings.csv", timings);
        // times that were changed by hand have another checksum, and without any they are taken as they are
        _ = fs::remove_file(desk.path("results/decomposition/SHA256SUMS-of-times"));
        let said = desk.clothlab(&["claims", study]);
        let line = said.out.lines().find(|line| line.contains("B-DEC-PAR")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{}{}", said.out, said.err))
    };
    assert!(verdict(1.0).contains(" reproduced"), "{}", verdict(1.0));
    assert!(verdict(1.6).contains(" open: "), "{}", verdict(1.6));
}
