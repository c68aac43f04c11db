//! `clothlab verify` tells every change, loss and addition of a file of results.

use std::fs;

use crate::common::{Desk, SCENE};

#[test]
fn every_change_of_a_file_of_results_is_told() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let verified = || desk.clothlab(&["verify", "out"]);
    assert_eq!(verified().code, Some(0), "{}", verified().err);
    let files = desk.files("out");
    for (name, bytes) in files.iter().filter(|(name, _)| !name.starts_with("parts/")) {
        let path = format!("out/{name}");
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            desk.write(&path, &changed);
            assert_ne!(verified().code, Some(0), "{name}, byte {at}");
        }
        fs::remove_file(desk.path(&path)).expect("a file");
        assert_ne!(verified().code, Some(0), "{name} is gone");
        desk.write(&path, bytes);
    }
    for sums in ["out/SHA256SUMS", "out/SHA256SUMS-of-times"] {
        let text = desk.read(sums);
        for line in text.lines() {
            desk.write(sums, text.replacen(&format!("{line}\n"), "", 1));
            assert_ne!(verified().code, Some(0), "without {line}");
        }
        desk.write(sums, text);
    }
    for more in ["out/more.csv", "out/plots/more.svg", "out/more/a.csv"] {
        desk.write(more, "mine");
        let message = verified().refusal(4).to_owned();
        assert!(
            message.contains("out/") && message.contains("more") && message.contains(" has no checksum; restore"),
            "{message}"
        );
        if more.ends_with("a.csv") {
            fs::remove_dir_all(desk.path("out/more")).expect("a folder");
        } else {
            fs::remove_file(desk.path(more)).expect("a file");
        }
    }
    assert_eq!(verified().code, Some(0), "{}", verified().err);
}

/// Changes a byte of each file of `out` here and there, loses the file, and gives back the changes that `verify` did not tell.
fn untold(desk: &Desk, command: &[&str], skipped: impl Fn(&str) -> bool) -> (usize, Vec<String>) {
    let (mut changes, mut untold) = (0, vec![]);
    for (name, bytes) in desk.files("out").iter().filter(|(name, _)| !skipped(name)) {
        let path = format!("out/{name}");
        for at in (0..6).map(|k| k * (bytes.len() - 1) / 5).map(Some).chain([None]) {
            match at {
                Some(at) => {
                    let mut changed = bytes.clone();
                    changed[at] ^= 1;
                    desk.write(&path, changed);
                }
                None => fs::remove_file(desk.path(&path)).expect("a file"),
            }
            changes += 1;
            let said = desk.clothlab(command);
            if said.code == Some(4) {
                assert!(!said.err.contains("determinism") && said.err.contains("; restore"), "{}", said.err);
            } else {
                untold.push(format!("{name}, byte {at:?}: {:?} {}", said.code, said.err));
            }
        }
        desk.write(&path, bytes);
    }
    (changes, untold)
}

#[test]
fn every_change_of_a_journal_or_a_report_is_told() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    assert_eq!(desk.clothlab(&["report", "out"]).code, Some(0));
    let ours = |name: &str| name.starts_with("parts/") || name.starts_with("REPORT");
    let (changes, untold) = untold(&desk, &["verify", "out"], |name| !ours(name));
    eprintln!("{changes} changes of journals and reports");
    assert_eq!(untold, [""; 0]);
    assert!(changes > 60, "{changes}");
}

#[test]
fn every_change_of_a_simulation_is_told() {
    let desk = Desk::new();
    desk.write("scene.toml", SCENE.replace("frames_per_second = 200.0", "frames_per_second = 20.0"));
    assert_eq!(desk.clothlab(&["simulate", "scene.toml", "--out", "out"]).code, Some(0));
    let (changes, untold) = untold(&desk, &["verify", "out"], |_| false);
    eprintln!("{changes} changes of a simulation");
    // without its checksums it is nothing that can be verified
    let lost = untold.iter().filter(|told| !told.starts_with("SHA256SUMS, byte None: Some(2)"));
    assert_eq!(lost.collect::<Vec<_>>(), [""; 0]);
    assert!(changes > 50, "{changes}");
}

#[test]
fn the_table_of_all_verdicts_is_verified() {
    let desk = Desk::new();
    desk.run("tiny.toml", "results/fb-euler-stability", &[]);
    for command in ["plot", "claims"] {
        assert_eq!(desk.clothlab(&[command]).code, Some(0));
    }
    assert_eq!(desk.clothlab(&["verify", "results"]).code, Some(0), "{}", desk.clothlab(&["verify", "results"]).err);
    let whole = desk.read("results/claims.csv");
    let told = || desk.clothlab(&["verify", "results"]).refusal(4).to_owned();
    for at in (0..6).map(|k| k * (whole.len() - 1) / 5) {
        let mut changed = whole.clone().into_bytes();
        changed[at] ^= 1;
        desk.write("results/claims.csv", changed);
        assert!(told().contains("results/claims.csv differs from the verdicts of its studies: `clothlab claims` writes it"));
    }
    fs::remove_file(desk.path("results/claims.csv")).expect("a file");
    assert!(told().contains("results/claims.csv is missing: `clothlab claims` writes it"));
    assert_eq!(desk.clothlab(&["claims"]).code, Some(0));
    // everything is told, whatever the first folder is like
    desk.write("results/another/SHA256SUMS", "garbage\n");
    desk.write("results/fb-euler-stability/bars.csv", "mine");
    let told = told();
    for part in ["another/SHA256SUMS is no list of checksums", "fb-euler-stability/bars.csv differs"] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn files_of_a_simulation_that_are_gone_with_their_checksums_are_told() {
    let desk = Desk::new();
    let floor = "[[solid]]\nplane = { point = [0, 0, -0.01], normal = [0, 0, 1] }\n";
    let scene = SCENE.replace("fb-euler", "backward-euler").replace("frames_per_second = 200.0", "frames_per_second = 20.0");
    desk.write("scene.toml", format!("{scene}{floor}"));
    assert_eq!(desk.clothlab(&["simulate", "scene.toml", "--out", "out"]).code, Some(0));
    let files = desk.files("out");
    assert!(["contacts.csv", "frames/frame_00004.obj"].iter().all(|file| files.contains_key(*file)), "{:?}", files.keys());
    let sums = desk.read("out/SHA256SUMS");
    for (name, bytes) in files.iter().filter(|(name, _)| *name != "SHA256SUMS") {
        let line = sums.lines().find(|line| line.ends_with(&format!("  {name}"))).expect("its checksum");
        desk.write("out/SHA256SUMS", sums.replace(&format!("{line}\n"), ""));
        fs::remove_file(desk.path(&format!("out/{name}"))).expect("a file");
        let said = desk.clothlab(&["verify", "out"]);
        // without the scene it is no simulation
        let gone = if name == "scene.toml" { "run.json" } else { name };
        assert!(said.refusal(4).contains(&format!("out/{gone} is missing")), "{name}: {}", said.err);
        desk.write(&format!("out/{name}"), bytes);
    }
    desk.write("out/SHA256SUMS", sums);
    assert_eq!(desk.clothlab(&["verify", "out"]).code, Some(0));
}

#[test]
fn every_change_of_the_report_on_all_studies_is_told() {
    let desk = Desk::new();
    desk.run("tiny.toml", "results/fb-euler-stability", &[]);
    for command in ["plot", "report"] {
        assert_eq!(desk.clothlab(&[command]).code, Some(0));
    }
    let verified = || desk.clothlab(&["verify", "results"]);
    assert_eq!(verified().code, Some(0), "{}", verified().err);
    let [page, part, sums] = ["REPORT.html", "results/fb-euler-stability/REPORT.md", "results/SHA256SUMS-of-reports"];
    let described = "results/ro-crate-metadata.json";
    for file in ["REPORT.md", part, page, described, sums] {
        let whole = desk.read(file).into_bytes();
        let mut changes: Vec<Option<Vec<u8>>> = (0..6)
            .map(|k| k * (whole.len() - 1) / 5)
            .map(|at| {
                let mut changed = whole.clone();
                changed[at] ^= 1;
                Some(changed)
            })
            .collect();
        changes.extend([None, Some([&whole[..], b"\n"].concat()), Some(whole[1..].to_vec())]);
        for changed in changes {
            match &changed {
                Some(changed) => desk.write(file, changed),
                None => fs::remove_file(desk.path(file)).expect("a file"),
            }
            let said = verified();
            if file == page && changed.is_none() {
                assert_eq!(said.code, Some(0), "a page is made where somebody wants one: {}", said.err);
                continue;
            }
            let told = said.refusal(4);
            assert!(told.contains(": `clothlab report` writes it; ") && (file == sums || told.starts_with(file)), "{told}");
        }
        desk.write(file, whole);
    }
    assert_eq!(verified().code, Some(0), "{}", verified().err);
    fs::remove_file(desk.path(sums)).expect("a file");
    assert!(verified().refusal(4).contains("REPORT.md has no checksum: "), "{}", verified().err);
    // a report of somebody else is none of the results
    for report in ["REPORT.md", part, page, described] {
        desk.write(report, "mine");
    }
    assert_eq!(verified().code, Some(0), "{}", verified().err);
}

#[test]
fn charts_that_lost_their_checksums_are_told() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let sums = desk.read("out/SHA256SUMS");
    let without =
        |part: &str| sums.lines().filter(|line| !line.contains(part)).map(|line| format!("{line}\n")).collect::<String>();
    let told = || {
        let said = desk.clothlab(&["verify", "out"]);
        said.refusal(4);
        said.out
    };
    desk.write("out/SHA256SUMS", without("plots/"));
    assert!(told().contains("out/plots/bar.svg has no checksum"));
    desk.write("out/SHA256SUMS", without("plots/bar.svg"));
    fs::remove_file(desk.path("out/plots/bar.svg")).expect("a chart");
    assert!(told().contains("out/plots/bar.svg is missing"));
}
