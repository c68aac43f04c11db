//! Nothing of a user's is lost: what `run`, `simulate` and `verify` do with files that are not theirs, with one group of many, with
//! damage, and when they are stopped.

use std::fs;

use crate::common::{Desk, SCENE, STUDY, Working, differing, is_full, run, slow};

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
fn journals_are_not_forgotten_for_a_run_that_is_refused() {
    let desk = Desk::new();
    desk.write("slow.toml", slow());
    let mut working = Working::start(desk.program(&[&run("slow.toml", "out")[..], &["--jobs", "1"]].concat()));
    working.wait_for(&desk.path("out/parts/sheets.part"), 2);
    working.kill();
    let former = desk.files("out");
    assert!(former.contains_key("parts/chains.part") && !former.contains_key("run.json"));
    let message = desk.refused(&[&run("slow.toml", "out")[..], &["--only", "chains", "--fresh", "--seed", "7"]].concat());
    assert!(message.contains("of the seed 1, this run has 7"), "{message}");
    for options in [&[][..], &["--fresh"], &["--fresh", "--only", "times"]] {
        let message = desk.clothlab(&[&["run", "aimex", "--profile", "smoke", "--out", "out"], options].concat());
        assert_eq!(message.code, Some(2), "{}", message.err);
    }
    // groups of the same name
    desk.write("texts/parts/readings.part", &former["parts/readings.part"]);
    for options in [&[][..], &["--fresh"]] {
        let message = desk.refused(&[&["run", "aimex", "--profile", "smoke", "--out", "texts"], options].concat());
        let said =
            "texts/parts/readings.part holds cases of the study fb-euler-stability, this run is of aimex; choose another --out";
        assert_eq!(message, said);
    }
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
    desk.write("mine/parts/chains.part", "mine");
    let message = desk.refused(&[&run("tiny.toml", "mine")[..], &["--fresh"]].concat());
    assert!(message.starts_with("mine/parts/chains.part is no journal of this program; move it away, or"), "{message}");
    assert_eq!(desk.read("mine/parts/chains.part"), "mine");
    desk.run("slow.toml", "out", &["--only", "chains", "--fresh"]);
    let left = desk.files("out");
    assert_eq!(left["parts/sheets.part"], former["parts/sheets.part"]);
}

#[test]
fn charts_of_somebody_else_are_not_replaced() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    desk.write("out/plots/bar.svg", "mine");
    assert!(desk.refused(&run("tiny.toml", "out")).starts_with("out/plots/bar.svg is there, and is not a result of"));
    assert!(desk.refused(&["plot", "out"]).starts_with("out/plots/bar.svg is there, and is not a result of"));
    assert_eq!(desk.read("out/plots/bar.svg"), "mine");
}

#[test]
fn what_a_user_lists_among_our_checksums_is_not_removed() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let listed = "0  mine.csv\n0  plots/mine.svg\n0  plots/../mine.txt\n";
    for name in ["out/mine.csv", "out/plots/mine.svg", "out/mine.txt"] {
        desk.write(name, "mine");
    }
    for command in [&["plot", "out"][..], &run("tiny.toml", "out")] {
        desk.write("out/SHA256SUMS", desk.read("out/SHA256SUMS") + listed);
        let said = desk.clothlab(command);
        assert_eq!(said.code, Some(0), "{}", said.err);
        for name in ["out/mine.csv", "out/plots/mine.svg", "out/mine.txt"] {
            assert!(desk.path(name).exists(), "{name} is lost to {command:?}");
        }
    }
}

#[test]
fn reports_of_somebody_else_are_not_replaced() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    for file in ["REPORT.md", "REPORT.html"] {
        let path = format!("out/{file}");
        desk.write(&path, "mine");
        let message = desk.refused(&["report", "out"]);
        assert!(message.starts_with(&format!("{path} is there, and was not written by this program; ")), "{message}");
        assert_eq!(desk.read(&path), "mine");
        fs::remove_file(desk.path(&path)).expect("a file");
    }
    for file in [
        "REPORT.md",
        "results/aimex/REPORT.md",
        "results/claims.csv",
        "results/ro-crate-metadata.json",
        "results/textbook/cases.csv",
        "plots/fb-euler-stability/bar.svg",
    ] {
        let desk = Desk::new();
        for root in ["", "docs/"] {
            desk.write(&format!("{root}{file}"), "mine");
        }
        for command in [&["smoke", "--out", "docs"][..], &["repro", "--full"]] {
            let message = desk.refused(command);
            assert!(message.contains(&format!("{file} is there, and ")), "{command:?}: {message}");
        }
        assert_eq!([desk.read(file), desk.read(&format!("docs/{file}"))], ["mine", "mine"]);
    }
}

#[test]
fn simulations_do_not_replace_a_run_of_a_study() {
    let desk = Desk::new();
    desk.write("tiny-scene.toml", SCENE);
    desk.run("tiny.toml", "out/tiny-scene", &[]);
    let former = desk.files("out");
    fs::create_dir_all(desk.path("killed")).expect("a folder");
    desk.write("killed/parts/chains.part", &former["tiny-scene/parts/chains.part"]);
    for options in [&[][..], &["--force"], &["--out", "killed"], &["--force", "--out", "killed"]] {
        let message = desk.refused(&[&["simulate", "tiny-scene.toml"], options].concat());
        assert!(message.ends_with(" holds a run of a study; choose another folder with --out"), "{message}");
    }
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
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
fn a_run_that_was_killed_while_its_files_got_their_names_is_told_and_completed() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let whole = desk.determined("out");
    for stopped in 0..3 {
        // some files have their names, those of a former run that listed nothing of them are there besides
        for file in ["run.json", "SHA256SUMS", "SHA256SUMS-of-times"].iter().skip(stopped) {
            fs::remove_file(desk.path(&format!("out/{file}"))).expect("a file");
        }
        desk.write("out/bars.csv", "former");
        desk.write("out/.publishing", "fb-euler-stability");
        if stopped > 1 {
            assert!(desk.clothlab(&["verify", "out"]).refusal(4).contains("out/.publishing says that files were getting"));
        }
        desk.run("tiny.toml", "out", &[]);
        assert_eq!(differing(&whole, &desk.determined("out")), [""; 0]);
        assert!(!desk.path("out/.publishing").exists());
    }
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
    desk.write("SHA256SUMS-of-reports", "");
    let message = desk.refused(&["report", "out"]);
    assert_eq!(message, "out is a part of the results of all studies; `clothlab report` writes their report");
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

#[test]
fn every_command_sweeps_its_folder() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    desk.run("tiny.toml", "results/fb-euler-stability", &[]);
    desk.write("implicit.toml", SCENE.replace("fb-euler", "backward-euler"));
    let [half, mine] = [".unfinished-a1B2c3", ".unfinished-thoughts"];
    let export = ["export-system", "implicit.toml", "--step", "1", "--out", "system", "--force"];
    for (command, folder) in [
        (&["plot", "out"][..], "out/plots/"),
        (&["claims", "out"], "out/"),
        (&["report", "out"], "out/"),
        (&["plot"], "plots/fb-euler-stability/"),
        (&["claims"], "results/fb-euler-stability/"),
        (&["report"], ""),
        (&export, "system/"),
    ] {
        for name in [half, mine] {
            desk.write(&format!("{folder}{name}"), "half");
        }
        let said = desk.clothlab(command);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let [half, mine] = [half, mine].map(|name| desk.path(&format!("{folder}{name}")).exists());
        assert!(!half && mine, "{command:?}");
    }
}

#[test]
fn repro_and_smoke_sweep_what_was_left_before_they_measure() {
    let [half, mine] = [".unfinished-a1B2c3", ".unfinished-thoughts"];
    for (command, root, parts) in [
        (&["repro", "--full", STUDY, "--jobs", "1"][..], "", "out/parts/"),
        (&["smoke", "--out", "docs", "--jobs", "1"], "docs/", "docs/parts/"),
    ] {
        let desk = Desk::new();
        let folders = [String::new(), "results/".into(), format!("results/{STUDY}/"), format!("plots/{STUDY}/")];
        let folders = folders.map(|folder| format!("{root}{folder}"));
        for folder in &folders {
            for name in [half, mine] {
                desk.write(&format!("{folder}{name}"), "half");
            }
        }
        desk.write(&format!("{parts}{STUDY}/{half}"), "half");
        let mut working = Working::start(desk.program(command));
        working.wait_until(|| desk.path(&format!("{parts}{STUDY}/sheets.part")).exists());
        for folder in &folders {
            let [half, mine] = [half, mine].map(|name| desk.path(&format!("{folder}{name}")).exists());
            assert!(!half && mine, "{command:?}: {folder}");
        }
        assert!(!desk.path(&format!("{parts}{STUDY}/{half}")).exists(), "{command:?}");
        working.kill();
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_command_says_what_is_left_with_the_code_of_the_signal() {
    use std::process::{Command, Stdio};

    // what this test itself was started to ignore, as in the background of a script, its children ignore too
    let ignored = ignored();
    let heard = [("INT", 2), ("TERM", 15), ("HUP", 1)].into_iter().filter(|(_, number)| ignored & (1 << (number - 1)) == 0);
    for (signal, number) in heard.take(if is_full() { 3 } else { 1 }) {
        let desk = Desk::new();
        desk.write("slow.toml", slow());
        desk.write("long.toml", SCENE.replace("duration = 0.2", "duration = 400.0"));
        let run = [&run("slow.toml", "out")[..], &["--jobs", "1"]].concat();
        let fresh = [&run[..], &["--fresh"]].concat();
        let cases =
            |desk: &Desk| fs::read_to_string(desk.path("out/parts/sheets.part")).unwrap_or_default().matches('\n').count();
        let measuring = |desk: &Desk| (2..30).contains(&cases(desk));
        let simulating = |desk: &Desk| {
            let entries = fs::read_dir(desk.path("film")).into_iter().flatten().flatten();
            entries.map(|entry| entry.path().join("frames/frame_00001.obj")).any(|frame| frame.exists())
        };
        let smoking = |desk: &Desk| desk.path("docs/parts/fb-euler-stability/sheets.part").exists();
        for (command, begun, said) in [
            (&run[..], &measuring as &dyn Fn(&Desk) -> bool, "stopped; the same command goes on where it was"),
            (&["simulate", "long.toml", "--out", "film"], &simulating, "removes what was not finished"),
            (&["smoke", "--out", "docs"], &smoking, "stopped; the same command begins anew"),
            (&fresh, &measuring, "stopped; the same command without --fresh goes on where it was"),
        ] {
            if command == fresh {
                assert!(desk.run("slow.toml", "out", &[]).out.contains("from an earlier run"));
            }
            let mut program = desk.program(command);
            let child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
            while !begun(&desk) {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().expect("a shell");
            assert!(sent.success());
            let output = child.wait_with_output().expect("a child");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(128 + number), "{signal}: {told}");
            assert!(told.trim_end().ends_with(said), "{signal}: {told}");
        }
        // what the words promise
        desk.write("long.toml", SCENE);
        assert_eq!(desk.clothlab(&["simulate", "long.toml", "--out", "film"]).code, Some(0));
        assert!(!desk.files("film").keys().any(|name| name.contains("unfinished")));
    }
}

/// The signals that this process ignores, a bit each; none where the system does not say.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).expect("a mask in hexadecimal"))
}

/// Without the shell's own care for the signal: a limit on files that ends the program where it is not a failed write.
#[cfg(unix)]
#[test]
fn a_limit_of_file_size_is_a_full_disk() {
    let desk = Desk::new();
    desk.write("long.toml", SCENE.replace("duration = 0.2", "duration = 400.0"));
    let simulate = ["simulate", "long.toml", "--out", "film"];
    for arguments in [&run("tiny.toml", "out")[..], &simulate] {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -f 4; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_clothlab")]).args(arguments);
        let said: crate::common::Said = command.current_dir(desk.path("")).output().expect("a shell").into();
        assert!(
            said.err.trim_end().ends_with("free some space or choose another place with --out"),
            "{:?} {}",
            said.code,
            said.err
        );
        assert_eq!(said.code, Some(2));
    }
}

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
