//! Nothing of a user's is lost: what `run`, `simulate` and `verify` do with files that are not theirs, with one group of many, with
//! damage, and when they are stopped.

mod common;

use std::fs;

use common::{Desk, Working, differing, run, slow};

#[test]
fn one_group_measured_afresh_leaves_the_others() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let former = desk.determined("out");
    let said = desk.run("tiny.toml", "out", &["--only", "chains", "--fresh"]);
    assert!(!said.out.contains("chains        12 cases, 12 rows, 12 of them"), "{}", said.out);
    assert_eq!(differing(&former, &desk.determined("out")), [""; 0]);
    // of another seed they would be mixed
    let message = desk.refused(&[&run("tiny.toml", "out")[..], &["--only", "chains", "--fresh", "--seed", "7"]].concat());
    assert!(message.contains("of the seed 1, this run has 7") && message.ends_with("without --only"), "{message}");
    assert_eq!(differing(&former, &desk.determined("out")), [""; 0]);
}

#[test]
fn files_of_somebody_else_are_not_replaced() {
    for file in ["bars.csv", "claims.csv", "run.json", "plots/critical-stiffness.csv"] {
        let desk = Desk::new();
        desk.write(&format!("out/{file}"), "mine");
        for options in [&[][..], &["--fresh"], &["--only", "chains"]] {
            let message = desk.refused(&[&run("tiny.toml", "out")[..], options].concat());
            assert!(message.starts_with(&format!("out/{file} is there, and is not a result of")), "{message}");
            assert!(message.ends_with("move it away, or choose another --out"), "{message}");
        }
        assert_eq!(desk.read(&format!("out/{file}")), "mine");
    }
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    for file in ["out/notes.txt", "out/parts/notes.part"] {
        desk.write(file, "mine");
    }
    desk.run("tiny.toml", "out", &["--fresh"]);
    assert_eq!([desk.read("out/notes.txt"), desk.read("out/parts/notes.part")], ["mine", "mine"]);
    // a table that the former run did not make is not ours because others are
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    desk.write("out/bars.csv", "mine");
    assert!(desk.refused(&run("tiny.toml", "out")).starts_with("out/bars.csv is there"));
}

#[test]
fn a_line_that_is_torn_within_a_character_is_measured_again() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let former = desk.determined("out");
    let torn = [desk.read("out/parts/sheets.part").as_bytes(), b"{\"check\":\"\xff\xfe"].concat();
    desk.write("out/parts/sheets.part", torn);
    desk.run("tiny.toml", "out", &[]);
    assert_eq!(differing(&former, &desk.determined("out")), [""; 0]);
}

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
    desk.write("out/more.csv", "mine");
    assert!(verified().refusal(4).contains("out/more.csv has no checksum"));
    fs::remove_file(desk.path("out/more.csv")).expect("a file");
    assert_eq!(verified().code, Some(0), "{}", verified().err);
}

#[test]
fn charts_and_verdicts_of_any_folder_can_be_made_anew() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let former = desk.files("out");
    desk.write("out/plots/bar.svg", "spoilt");
    for command in ["plot", "claims"] {
        let said = desk.clothlab(&[command, "out"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
    let said = desk.clothlab(&["report", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report = desk.read("out/REPORT.md");
    assert!(report.contains("](plots/bar.svg)") && report.contains("](bars.csv)") && report.contains("Preview"), "{report}");
    assert_eq!(desk.clothlab(&["verify", "out"]).code, Some(0));
    assert!(desk.refused(&["plot", "./nowhere"]).contains("holds no results"));
}

#[test]
fn what_a_kill_left_is_swept() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let former = desk.determined("out");
    for file in ["out/parts/.unfinished-a1B2c3", "out/.unfinished-d4E5f6", "out/plots/.unfinished-g7H8i9"] {
        desk.write(file, "half");
    }
    desk.run("tiny.toml", "out", &[]);
    assert_eq!(differing(&former, &desk.determined("out")), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_stopped_command_says_what_is_left_with_the_code_of_the_signal() {
    use std::process::{Command, Stdio};

    // what this test itself was started to ignore, as in the background of a script, its children ignore too
    let ignored = ignored();
    for (signal, number) in
        [("INT", 2), ("TERM", 15), ("HUP", 1)].into_iter().filter(|(_, number)| ignored & (1 << (number - 1)) == 0)
    {
        let code = 128 + number;
        let desk = Desk::new();
        desk.write("slow.toml", slow());
        let mut command = desk.program(&[&run("slow.toml", "out")[..], &["--jobs", "1"]].concat());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let part = desk.path("out/parts/sheets.part");
        while fs::read_to_string(&part).unwrap_or_default().matches('\n').count() < 2 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().expect("a shell");
        assert!(sent.success());
        let output = child.wait_with_output().expect("a child");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{signal}: {said}");
        assert!(said.trim_end().ends_with("stopped; the same command goes on where it was"), "{signal}: {said}");
        assert!(desk.run("slow.toml", "out", &[]).out.contains("from an earlier run"));
    }
}

/// The signals that this process ignores, a bit each; none where the system does not say.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).expect("a mask in hexadecimal"))
}

const SCENE: &str = "step = 0.005\nduration = 0.2\nintegrator = \"fb-euler\"\n[mesh]\nnx = 20\nny = 20\nspacing = 0.05\n\
                     [output]\nframes_per_second = 200.0\n";

#[test]
fn simulations_that_are_killed_are_told_from_whole_ones_and_completed() {
    let desk = Desk::new();
    desk.write("scene.toml", SCENE);
    let simulate = ["simulate", "scene.toml", "--out", "out", "--force"];
    for _ in 0..2 {
        assert_eq!(desk.clothlab(&simulate).code, Some(0));
    }
    let whole = desk.files("out");
    assert_eq!(desk.clothlab(&["verify", "out"]).code, Some(0), "{}", desk.clothlab(&["verify", "out"]).err);
    let mut mixed = 0;
    for delay in 0..20 {
        desk.write("scene.toml", SCENE.replace("0.05\n", if delay % 2 == 0 { "0.04\n" } else { "0.05\n" }));
        let mut working = Working::start(desk.program(&simulate));
        let out = desk.path("out");
        let staged = || {
            fs::read_dir(&out)
                .into_iter()
                .flatten()
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with(".replacing"))
        };
        if working.wait_until_or_end(staged) {
            std::thread::sleep(std::time::Duration::from_micros(100 * delay));
            working.kill_if_there();
        }
        let verified = desk.clothlab(&["verify", "out"]);
        let marked = desk.path("out/.replacing").exists();
        mixed += usize::from(marked);
        assert_eq!(verified.code == Some(0), !marked, "{}", verified.err);
    }
    desk.write("scene.toml", SCENE);
    assert_eq!(desk.clothlab(&simulate).code, Some(0));
    assert_eq!(differing(&whole, &desk.files("out")), [""; 0], "{mixed} of 20 were stopped in between");
}
