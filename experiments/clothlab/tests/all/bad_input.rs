//! What a user can get wrong: one line that names the place and what to do, exit code 2, and nothing lost.

use std::fs;
use std::io::{BufRead, BufReader, pipe};
use std::process::Stdio;

use crate::common::{Desk, STUDY, Said, Working, changed, differing, run, slow};

/// Runs into the folder `out` with some options, which must be refused before anything is written.
fn refused(desk: &Desk, options: &[&str]) -> String {
    let said = desk.clothlab(&[&["run", STUDY, "--out", "out"], options].concat());
    assert_eq!(said.out, "");
    assert!(!desk.path("out").exists(), "output of a run that was refused");
    said.refusal(2).to_owned()
}

#[test]
fn wrong_usage_is_refused_with_what_is_right() {
    let desk = Desk::new();
    for (options, expected) in [
        (&["--only", "knots"][..], &["no group `knots`", "it has sheets, readings, scans, draws, chains"][..]),
        (&["--profile", "huge"], &["no profile `huge`", "give paper, smoke or a file that ends in .toml"]),
        (&["--sets", "0"], &["invalid value '0' for '--sets <N>': it must be a whole number from 1 to 1000000; --help"]),
        (&["--sets", "-1"], &["'-1' for '--sets <N>': it must be a whole number from 1 to 1000000; --help"]),
        (&["--seed", "-1"], &["'-1' for '--seed <S>': it must be a whole number from 0 on; --help"]),
        (&["--case", "-1"], &["'-1' for '--case <I>': it must be a whole number from 0 on; --help"]),
        (&["--jobs", "-1"], &["'-1' for '--jobs <J>': it must be a whole number from 1 to 1024; --help"]),
        (&["--sets", "many"], &["'many' for '--sets <N>'", "--help"]),
        (&["--jobs", "0"], &["'0' for '--jobs <J>'", "from 1 to 1024"]),
        (&["--seed", "1.5"], &["'1.5' for '--seed <S>'", "--help"]),
        (&["--simd", "abacus"], &["this machine does not run `abacus`", "it has plain, portable"]),
        (&["--only", "spirals", "--case", "99999"], &["the group spirals has the sets 0 to 24, not 99999"]),
        (&["--colour"], &["unexpected argument '--colour'", "--help"]),
        (&["--out"], &["'--out <DIR>'", "--help"]),
        (&["left-over"], &["unexpected argument 'left-over'", "--help"]),
    ] {
        let message = refused(&desk, options);
        for part in expected {
            assert!(message.contains(part), "{options:?}: {message}");
        }
    }
    for (arguments, expected) in [
        (&["run", "fb-eular"][..], "there is no study `fb-eular`; did you mean `fb-euler-stability`?"),
        (&["repro", "fb-eular"], "there is no study or paper `fb-eular`; did you mean `fb-euler-stability`?"),
        (&["repro", "boxermann"], "there is no study or paper `boxermann`; did you mean `boxerman`?"),
        (&["plot", "fb-eular"], "there is no study `fb-eular`; did you mean `fb-euler-stability`?"),
        (&["claims", "fb-eular"], "there is no study `fb-eular`; did you mean `fb-euler-stability`?"),
        (&["run", "cloth"], "there is no study `cloth`; there is fb-euler-stability"),
        (&["list", "aimx"], "there is no study `aimx`; did you mean `aimex`?"),
        (&["run", "aimex", "--only", "time"], "; did you mean `times`?"),
        (&["run", "aimex", "--json"], "unexpected argument '--json' found; --help shows"),
        (&["run", "aimex", "--times", "--shard", "1/2"], "the argument '--times' cannot be used with '--shard <I/N>'"),
        (&["run", "aimex", "--set", "sets"], "`--set sets` has no value; write `--set KEY=VALUE`"),
        (&["run", "aimex", "--set", "=3"], "`--set =3` has no key"),
        (&["run", "aimex", "--set", "sets=[3"], "has a value that is no number, list or word"),
        (
            &["run", "aimex", "--set", "set=3"],
            "there is no key `set` in aimex; see experiments/profiles/paper.toml; did you mean `sets`?",
        ),
        (&["run", "aimex", "--set", "sets=0"], "`--set aimex.runs.sets=0`: `aimex.runs.sets` must be a whole number from 1 to"),
        (&["figure", "boxermann"], "there is no paper `boxermann`; did you mean `boxerman`?"),
        (&["figure", "boxerman", "9.9"], "there is no figure `9.9` of Boxerman 2003; "),
        (&["figure", "boxerman", "5.3"], "holds no results; go to the checkout, or make them with `clothlab repro --full`"),
        (&["completions", "csh"], "invalid value 'csh'"),
        (&["validate", "--method", "backward-eular"], "there is no method `backward-eular`; did you mean `backward-euler`?"),
        (&["run"], "not provided: <STUDY>; --help shows"),
        (&["conduct"], "unrecognized subcommand 'conduct'; --help shows"),
        (&[], "no command given; `clothlab --help` shows them"),
        (&["verify", "."], "there is no SHA256SUMS in . or in a folder of it"),
    ] {
        let message = desk.refused(arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn mistakes_in_a_profile_are_refused_with_line_and_key() {
    let desk = Desk::new();
    let sheets = "fb-euler-stability.sheets";
    for (from, to, key, expected) in [
        ("steps = 200", "stepz = 200", sheets, ".stepz` is an unknown key; here may be sets, side, "),
        ("density = [0.01", "density = [-0.01", "fb-euler-stability.sheets.density", "a finite number above zero, not -0.01"),
        ("damping = [0.0", "damping = [nan", "fb-euler-stability.sheets.damping", "a finite number, zero or above"),
        ("sets = 24", "sets = 0", "fb-euler-stability.sheets.sets", "a whole number from 1 to 1000000, not 0"),
        ("side = [5, 8]", "side = []", "fb-euler-stability.sheets.side", "must hold at least one value"),
        ("side = [5, 8]", "side = [5, 301]", "fb-euler-stability.sheets.side", "a whole number from 2 to 300, not 301"),
        ("mass = [0.01, 100.0]", "mass = [100.0, 0.01]", "fb-euler-stability.springs.mass", "must rise, not go from 100 to 0.01"),
        ("resolution = 1.001", "resolution = 0.5", "fb-euler-stability.chains.resolution", "a ratio from 1.0001 to 10, not 0.5"),
        ("modes = 3", "modes = \"all\"", "fb-euler-stability.bars.modes", "\"all\""),
        ("[fb-euler-stability.scans]", "[fb-euler-stability.scan]", "fb-euler-stability", ".scan` is an unknown key"),
        ("count = 25", "count = ]", "", "`count = ]`"),
    ] {
        let text = changed(&[(from, to)]);
        desk.write("bad.toml", &text);
        let number = text.lines().position(|line| line.starts_with(to)).expect("the mistake") + 1;
        let line = text.lines().nth(number - 1).expect("the mistake").trim();
        let message = refused(&desk, &["--profile", "bad.toml"]);
        assert!(message.starts_with(&format!("bad.toml, line {number}, `{line}`: ")), "{message}");
        assert!(message.contains(key) && message.contains(expected), "{message}");
        assert!(message.contains("; see experiments/profiles/paper.toml"), "{message}");
    }
    for nothing in ["", "# [fb-euler-stability.sheets]\n"] {
        desk.write("bad.toml", nothing);
        let message = refused(&desk, &["--profile", "bad.toml"]);
        assert!(message.starts_with("bad.toml, line 1: it names no key of a study; see "), "{message}");
    }
}

#[test]
fn values_of_another_kind_are_told_in_plain_words() {
    let desk = Desk::new();
    for (from, to, expected) in [
        ("steps_per_decade = 4", "steps_per_decade = 4.5", "a whole number from 1 to 1000000"),
        ("modes = 3", "modes = \"all\"", "a whole number from 1 to 1000000"),
        ("side = [5, 8]", "side = 5", "list"),
        ("resolution = 1.01", "resolution = true", "a ratio from 1.0001 to 10"),
    ] {
        desk.write("bad.toml", changed(&[(from, to)]));
        let message = refused(&desk, &["--profile", "bad.toml"]);
        assert!(message.contains(expected) && !message.contains("i64") && !message.contains("f64"), "{message}");
    }
}

#[test]
fn planes_of_a_profile_are_checked() {
    let desk = Desk::new();
    for (from, to) in [
        ("x = [-3.5, 1.0], y = [0.0, 3.5]", "x = [1.0, -3.5], y = [0.0, 3.5]"), // falling
        ("cell = 0.25", "cell = 25.0"),                                         // no cell at all
        ("cell = 0.25", "cell = 1e-9"),                                         // more of them than anyone can draw
    ] {
        let text = changed(&[(from, to)]);
        desk.write("bad.toml", &text);
        let number = text.lines().position(|line| line.starts_with("test_equation")).expect("the plane") + 1;
        let message = desk.refused(&["run", STUDY, "--profile", "bad.toml", "--only", "regions", "--dry-run"]);
        assert!(message.starts_with(&format!("bad.toml, line {number}, ")) && message.contains("regions"), "{to}: {message}");
    }
}

#[test]
fn files_that_are_no_profile_are_refused_with_what_to_give() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder.toml")).expect("a folder");
    desk.write("latin.toml", b"# caf\xe9\n");
    desk.write("empty.toml", "");
    for file in ["absent.toml", "folder.toml", "latin.toml", "empty.toml"] {
        let message = refused(&desk, &["--profile", file]);
        assert!(message.contains(file) && message.contains("experiments/profiles/paper.toml"), "{message}");
    }
}

#[test]
fn output_that_cannot_be_written_is_refused() {
    let desk = Desk::new();
    desk.write("file", "mine");
    for out in ["file", "file/below"] {
        let message = desk.refused(&run("tiny.toml", out));
        assert!(message.contains(out) && message.contains("choose another place with --out"), "{message}");
    }
    assert_eq!(desk.read("file"), "mine");
}

/// Runs where no file may grow beyond `blocks` of 512 bytes.
#[cfg(unix)]
fn with_little_space(desk: &Desk, blocks: u32, arguments: &[&str]) -> Said {
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_clothlab")]).args(arguments).current_dir(desk.path(""));
    command.output().expect("a shell").into()
}

#[test]
#[cfg(unix)]
fn output_that_fills_up_is_said_and_the_next_run_goes_on() {
    let desk = Desk::new();
    desk.run("tiny.toml", "fresh", &[]);
    let fresh = desk.determined("fresh");
    // within the part file of a group; and within a file of a chart, when all parts are written
    for (blocks, at) in [(4, ".part"), (100, "/plots/")] {
        let out = format!("out-{blocks}");
        let said = with_little_space(&desk, blocks, &run("tiny.toml", &out));
        let message = said.refusal(2);
        assert!(message.starts_with(&format!("cannot write {out}/")) && message.contains(at), "{message}");
        assert!(message.contains("free some space or choose another place with --out"), "{message}");
        assert!(!desk.path(&out).join("run.json").exists(), "results of a run that failed");
        let said = desk.run("tiny.toml", &out, &[]);
        assert!(said.out.contains("from an earlier run"), "{}", said.out);
        assert_eq!(differing(&fresh, &desk.determined(&out)), [""; 0]);
    }
}

#[test]
#[cfg(unix)]
fn former_results_outlive_a_run_that_fails() {
    let desk = Desk::new();
    for (blocks, out) in [(4, "first"), (100, "second")] {
        desk.run("tiny.toml", out, &["--sets", "4"]);
        let former = desk.determined(out);
        with_little_space(&desk, blocks, &run("tiny.toml", out)).refusal(2);
        assert_eq!(differing(&former, &desk.determined(out)), [""; 0]);
        assert_eq!(desk.clothlab(&["verify", out]).code, Some(0));
    }
}

#[test]
fn results_of_another_profile_or_seed_are_kept() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    desk.write("other.toml", crate::common::tiny().replacen("steps = 40", "steps = 41", 1));
    let former = desk.files("out");
    for (options, expected) in [
        ([&run("tiny.toml", "out")[..], &["--seed", "7"]].concat(), "of the seed 1, this run has 7"),
        (run("other.toml", "out").to_vec(), "of a profile with other ranges"),
    ] {
        let message = desk.refused(&options);
        assert!(message.starts_with("out/parts/") && message.contains(expected), "{message}");
        assert!(message.ends_with("choose another --out, or replace them all with --fresh, without --only"), "{message}");
        assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
    }
    desk.run("tiny.toml", "out", &["--seed", "7", "--fresh"]);
    desk.run("tiny.toml", "seven", &["--seed", "7"]);
    assert_eq!(differing(&desk.determined("out"), &desk.determined("seven")), [""; 0]);
}

#[test]
fn results_of_another_version_are_kept() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let header = desk.read("out/parts/sheets.part").lines().next().expect("a header").to_owned();
    let code =
        header.split("\"code\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("the hash of the code").to_owned();
    desk.edit("out/parts/sheets.part", &code, &"0".repeat(code.len()));
    let former = desk.files("out");
    let message = desk.refused(&run("tiny.toml", "out"));
    assert!(message.starts_with("out/parts/sheets.part holds results of another version of the program"), "{message}");
    assert!(message.ends_with("choose another --out, or replace them all with --fresh, without --only"), "{message}");
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
fn results_of_another_seed_are_kept_whichever_group_is_asked_for() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    let former = desk.files("out");
    let message = desk.refused(&[&run("tiny.toml", "out")[..], &["--only", "springs", "--seed", "7"]].concat());
    assert!(message.contains("of the seed 1, this run has 7"), "{message}");
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
fn a_part_file_damaged_before_its_end_is_kept() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let text = desk.read("out/parts/sheets.part");
    let line = text.lines().nth(2).expect("a second case");
    desk.edit("out/parts/sheets.part", line, &line.replacen("\"rows\"", "\"rowz\"", 1));
    let former = desk.files("out");
    let message = desk.refused(&run("tiny.toml", "out"));
    assert!(message.starts_with("out/parts/sheets.part is damaged at line 3; move it away, or"), "{message}");
    assert!(message.contains("--fresh"), "{message}");
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
fn finished_results_without_parts_are_kept() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    fs::remove_dir_all(desk.path("out/parts")).expect("the parts");
    let former = desk.files("out");
    for options in [&[][..], &["--only", "chains"]] {
        let message = desk.refused(&[&run("tiny.toml", "out")[..], options].concat());
        assert_eq!(message, "out holds finished results; choose another --out, or replace them with --fresh");
        assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
    }
}

#[test]
fn finished_results_of_another_seed_are_kept_when_their_parts_are_emptied() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    for part in desk.files("out").keys().filter(|name| name.starts_with("parts/")) {
        fs::remove_file(desk.path("out").join(part)).expect("a part file");
    }
    let former = desk.files("out");
    desk.refused(&[&run("tiny.toml", "out")[..], &["--seed", "7"]].concat());
    assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
}

#[test]
fn measuring_one_group_again_loses_no_table_of_the_others() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let former = desk.determined("out");
    desk.run("tiny.toml", "out", &["--only", "chains"]);
    assert_eq!(differing(&former, &desk.determined("out")), [""; 0]);
}

#[test]
fn cases_that_are_gone_are_said_before_another_group_is_measured() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &["--sets", "5"]);
    let whole = desk.determined("out");
    let part = "out/parts/sheets.part";
    let text = desk.read(part);
    for (left, said) in [(None, "0"), (text.lines().next(), "0"), (Some(&text[..text.len() - 30]), "4")] {
        fs::remove_file(desk.path(part)).expect("a part file");
        if let Some(left) = left {
            desk.write(part, if left.contains('\n') { left.to_owned() } else { format!("{left}\n") });
        }
        let former = desk.files("out");
        for _ in 0..2 {
            let message = desk.refused(&[&run("tiny.toml", "out")[..], &["--only", "chains", "--sets", "8"]].concat());
            let expected = format!("{part} holds {said} of the 5 cases of the group sheets that stand in the tables beside it; ");
            assert_eq!(
                message,
                expected + "measure the whole study, without --only, with --fresh where its cases are to be forgotten"
            );
            assert_eq!(differing(&former, &desk.files("out")), [""; 0]);
        }
        desk.run("tiny.toml", "out", &["--sets", "5"]);
        assert_eq!(differing(&whole, &desk.determined("out")), [""; 0]);
    }
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_no_text_is_recorded_as_far_as_it_is() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    let out = std::ffi::OsStr::from_bytes(b"caf\xe9");
    let mut command = desk.program(&["run", STUDY, "--profile", "tiny.toml", "--only", "spirals", "--out"]);
    let said: Said = command.arg(out).output().expect("the program starts").into();
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let provenance = fs::read_to_string(desk.path("").join(out).join("run.json")).expect("its run.json");
    assert!(provenance.contains("\"caf\u{fffd}\""), "{provenance}");
}

#[test]
fn checksums_that_cover_nothing_are_told() {
    let desk = Desk::new();
    for text in ["", "garbage\n"] {
        desk.write("out/SHA256SUMS", text);
        let said = desk.clothlab(&["verify", "out"]);
        assert!(said.refusal(4).contains("out/SHA256SUMS is no list of checksums"), "{}", said.err);
    }
}

#[test]
fn files_of_the_user_are_left_alone() {
    let desk = Desk::new();
    for name in ["out/mine.csv", "out/mine.svg", "out/plots/mine.svg", "out/notes.txt"] {
        desk.write(name, "mine");
    }
    desk.run("tiny.toml", "out", &[]);
    for name in ["out/mine.csv", "out/mine.svg", "out/plots/mine.svg", "out/notes.txt"] {
        assert!(desk.path(name).exists(), "{name} is lost");
        assert_eq!(desk.read(name), "mine");
    }
}

#[test]
fn charts_and_verdicts_need_results() {
    let desk = Desk::new();
    let chart = format!("plots/{STUDY}/bar.svg");
    desk.write(&chart, "drawn earlier");
    for command in ["plot", "claims"] {
        let said = desk.clothlab(&[command]);
        assert!(desk.path(&chart).exists(), "{command} without results has removed a chart");
        assert!(said.refusal(2).contains("results"), "{command}: {}", said.err);
    }
}

/// Results and charts of the one study, as all commands find them.
fn measured() -> Desk {
    let desk = Desk::new();
    desk.run("tiny.toml", &format!("results/{STUDY}"), &[]);
    for command in ["plot", "claims", "report"] {
        let said = desk.clothlab(&[command]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{command}");
        let line = said.out.lines().next().expect("a line");
        assert!(line.starts_with("no results yet: projected-damping, ") && !line.contains(STUDY), "{command}: {line}");
    }
    desk
}

#[test]
fn damaged_results_are_neither_judged_nor_drawn() {
    let desk = measured();
    let cases = desk.read(&format!("results/{STUDY}/cases.csv"));
    let first: String = cases.lines().take(5).map(|line| format!("{line}\n")).collect();
    for (file, left, said) in [
        ("cases.csv", Some(first.as_str()), "differs"),
        ("cases.csv", Some(""), "differs"),
        ("bars.csv", None, "is missing"),
        ("timings.csv", None, "is missing"),
        ("run.json", Some("[]"), "is no record of a run"),
        ("SHA256SUMS", None, "is missing"),
    ] {
        let path = format!("results/{STUDY}/{file}");
        let text = desk.read(&path);
        match left {
            Some(left) => desk.write(&path, left),
            None => fs::remove_file(desk.path(&path)).expect("a result"),
        }
        let former = desk.files("");
        for command in [&["plot"][..], &["plot", STUDY], &["claims"], &["report"], &["repro", "--full", "speedup"]] {
            let message = desk.refused(command);
            let expected =
                format!("{path} {said}; restore it, or measure the study again with `clothlab repro --full fb-euler-stability`");
            assert!(message.ends_with(&expected), "{command:?}: {message}");
            assert_eq!(differing(&former, &desk.files("")), [""; 0], "{command:?}");
        }
        desk.write(&path, text);
    }
    assert_eq!(desk.clothlab(&["report"]).code, Some(0));
}

#[test]
fn changed_charts_are_drawn_again() {
    let desk = measured();
    let chart = format!("plots/{STUDY}/bar.svg");
    let drawn = desk.read(&chart);
    desk.write(&chart, "<svg/>");
    let message = desk.refused(&["report"]);
    assert!(message.contains(&format!("{chart} differs; ")) && message.contains("`clothlab plot`"), "{message}");
    for command in ["claims", "plot", "report"] {
        let said = desk.clothlab(&[command]);
        assert_eq!(said.code, Some(0), "{command}: {}", said.err);
    }
    assert_eq!(desk.read(&chart), drawn);
}

#[test]
fn verify_tells_studies_without_results_or_checksums() {
    let desk = measured();
    let said = desk.clothlab(&["verify"]);
    let message = said.refusal(4);
    assert!(message.contains("decomposition has no results; ") && !message.contains(STUDY), "{message}");
    desk.write("results/decomposition/run.json", "[]");
    for arguments in [&["verify"][..], &["verify", "results"]] {
        let said = desk.clothlab(arguments);
        assert!(said.refusal(4).contains("decomposition has no SHA256SUMS"), "{}", said.err);
    }
    fs::remove_file(desk.path("results/decomposition/run.json")).expect("a file");
    let said = desk.clothlab(&["verify"]);
    assert!(said.refusal(4).contains("decomposition has no SHA256SUMS"), "{}", said.err);
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let desk = Desk::new();
    desk.write("slow.toml", slow());
    let mut working = Working::start(desk.program(&[&run("slow.toml", "out")[..], &["--jobs", "1"]].concat()));
    working.wait_for(&desk.path("out/parts/sheets.part"), 1);
    for options in [&[][..], &["--fresh"], &["--only", "chains"]] {
        let message = desk.refused(&[&run("slow.toml", "out")[..], options].concat());
        assert_eq!(message, "another run is writing into out; wait for it, or choose another --out");
    }
    working.kill();
    desk.run("slow.toml", "out", &["--only", "chains"]);
}

#[test]
fn results_are_not_renewed_while_another_command_writes_them() {
    let desk = Desk::new();
    for study in crate::common::studies_of("smoke") {
        desk.write(&format!("results/{}/run.json", study.name), "");
    }
    let _hold = lab::measure::run::hold(&desk.path("out")).expect("a folder of its own");
    let former = desk.files("");
    for command in [&["plot"][..], &["claims", STUDY], &["report"], &["repro", "--full", STUDY]] {
        let message = desk.refused(command);
        assert!(message.starts_with("another command is writing results/, plots/ or the report of "), "{message}");
        assert!(message.ends_with("; wait for it to end"), "{message}");
        assert_eq!(differing(&former, &desk.files("")), [""; 0]);
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let desk = Desk::new();
    desk.run("tiny.toml", "out", &[]);
    let again = run("tiny.toml", "again");
    for arguments in [&["list"][..], &["--help"], &["run", "--help"], &["--version"], &["verify", "out"], &again] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let said: Said = desk.program(arguments).stdout(writer).output().expect("the program starts").into();
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
    assert_eq!(differing(&desk.determined("out"), &desk.determined("again")), [""; 0], "the work was done all the same");

    let mut child = desk.program(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
    assert!(first.starts_with("study "), "{first}");
    let said: Said = child.wait_with_output().expect("the program ends").into();
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_said() {
    let desk = Desk::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
    let said: Said = desk.program(&["list"]).stdout(full).output().expect("the program starts").into();
    assert!(said.refusal(2).starts_with("cannot write to the standard output: "), "{}", said.err);
}
