//! `clothlab race` as its users meet it: the same rows however it is run, what is refused and how, and rivals.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(target_os = "linux")]
use std::{
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::common::{Desk, Said};

/// A sheet of 6 x 6 particles that swings down from two corners, smooth.
const SHEET: &str = "step = 0.01\nduration = 0.2\nintegrator = \"backward-euler\"\npins = [\"top-left\", \"top-right\"]\n\
                     mesh = { nx = 6, ny = 6, spacing = 0.1 }\n[material]\ndensity = 0.2\n\
                     stretch = { stiffness = 100.0, damping = 0.02 }\nshear = { stiffness = 50.0, damping = 0.02 }\nbend = 0.01\n\
                     compression = true\ndamping = \"plain\"\n";

/// A desk with the scene.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("sheet.toml", SHEET);
    desk
}

fn race(desk: &Desk, arguments: &[&str]) -> Said {
    desk.program(&[&["race"], arguments].concat()).output().expect("the program starts").into()
}

/// A race that must come to its end.
fn ran(desk: &Desk, arguments: &[&str]) -> Said {
    let said = race(desk, arguments);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    said
}

/// The cells of a column of a table.
fn cells(table: &str, column: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let place = reader.headers().expect("a first line").iter().position(|name| name == column).expect("the column");
    reader.records().map(|record| record.expect("a line")[place].to_owned()).collect()
}

fn errors_of(table: &str, contestant: &str) -> Vec<f64> {
    let all = cells(table, "contestant").into_iter().zip(cells(table, "error_4"));
    all.filter(|(name, _)| name == contestant).filter_map(|(_, error)| error.parse().ok()).collect()
}

#[test]
fn rows_are_the_same_on_any_number_of_threads_and_where_a_race_goes_on() {
    let desk = desk();
    let with = ["sheet.toml", "--with", "backward-euler,bdf2,rk4,fb-euler", "--rungs", "3", "--repeats", "1"];
    let said = ran(&desk, &[&with[..], &["--out", "one", "--jobs", "1"]].concat());
    assert!(said.out.contains("Take ") && said.out.contains("Errors are distances to rk4"), "{}", said.out);
    ran(&desk, &[&with[..], &["--out", "two", "--jobs", "2", "--simd", "portable"]].concat());
    let table = desk.read("one/race.csv");
    assert_eq!((desk.read("two/race.csv"), desk.read("two/reference.csv")), (table.clone(), desk.read("one/reference.csv")));

    let part = desk.read("two/parts/race.part");
    let kept: String = part.split_inclusive('\n').take(4).collect();
    desk.write("two/parts/race.part", kept + "{\"check\":"); // torn
    fs::remove_file(desk.path("two/parts/reference.states")).expect("the reference was kept");
    fs::remove_file(desk.path("two/race.csv")).expect("a table");
    ran(&desk, &[&with[..], &["--out", "two", "--error", "1e-2"]].concat());
    assert_eq!(desk.read("two/race.csv"), table);

    let errors = errors_of(&table, "bdf2");
    assert!(errors.len() == 3 && errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
    let explicit: Vec<String> = cells(&table, "contestant").into_iter().filter(|name| name == "rk4").collect();
    assert!(explicit.len() > 3, "an explicit scheme has the steps below its bound too");
    for file in ["race.md", "times.csv", "race.svg", "view.html", "scene.toml"] {
        assert!(!desk.read(&format!("two/{file}")).is_empty());
    }
    assert_eq!(viewer::runs(&desk.read("two/view.html")).len(), 4);
    let again = desk.program(&["simulate", "two/scene.toml", "--out", "again"]).output().expect("the program starts");
    assert!(again.status.success(), "the scene of the first contestant runs");
}

#[test]
fn contestants_have_keys_and_tolerances_and_those_that_cannot_run_are_listed_with_the_reason() {
    let desk = desk();
    desk.write("kept.toml", SHEET.replace("stretch = { stiffness = 100.0, damping = 0.02 }\n", "") + "[inextensible.pbd]\n");
    let said = ran(
        &desk,
        &["kept.toml", "--with", "bdf2,backward-euler+shake:strain=1e-3,fast-projection", "--rungs", "2", "--out", "kept"],
    );
    let table = desk.read("kept/race.csv");
    assert_eq!(cells(&table, "status")[0], "refused");
    assert!(cells(&table, "reason")[0].contains("not those of bdf2"), "{table}");
    assert!(!said.out.contains("line 3"), "no line of a file that is not the user's: {}", said.out);
    assert!(
        !errors_of(&table, "backward-euler+shake:strain=1e-3").is_empty() && !errors_of(&table, "fast-projection").is_empty(),
        "{table}"
    );

    let with = "generalized-alpha:rho_inf=0.5,rk4,fast-projection";
    ran(&desk, &["sheet.toml", "--with", with, "--steps", "0.01,0.005", "--tolerances", "1e-1,1e-3", "--out", "tolerances"]);
    let table = desk.read("tolerances/race.csv");
    let of = |name: &str| cells(&table, "contestant").iter().filter(|contestant| *contestant == name).count();
    assert_eq!([of("generalized-alpha:rho_inf=0.5"), of("rk4")], [4, 2], "{table}");
}

#[test]
fn a_run_beyond_its_budget_says_so() {
    let desk = desk();
    ran(&desk, &["sheet.toml", "--with", "backward-euler", "--steps", "0.01,0.0005", "--budget", "0.005", "--out", "out"]);
    let table = desk.read("out/race.csv");
    assert_eq!(cells(&table, "status"), ["finished", "costs more"], "{table}");
    let said = ran(&desk, &["sheet.toml", "--with", "backward-euler", "--budget", "1e-6", "--out", "dear"]);
    let remedy = "--budget allows more. A shorter race costs less: --set duration=";
    assert!(said.out.contains("There is no reference") && said.out.contains(remedy), "{}", said.out);
}

#[test]
fn bad_input_is_refused_in_a_line() {
    let desk = desk();
    let refusal = |arguments: &[&str]| race(&desk, arguments).refusal(2).to_owned();
    let unknown = refusal(&["sheet.toml", "--with", "leapfrog"]);
    assert!(unknown.contains("no integrator or constraint method `leapfrog`"), "{unknown}");
    for (arguments, expected) in [
        (&["nowhere.toml"][..], "there is no such file"),
        (&["sheet.toml", "--with", ","], "--with names nobody"),
        (&["sheet.toml", "--with", "aimex:threshold"], "no key=value"),
        (&["sheet.toml", "--error", "-1"], "it must be a finite number above zero"),
        (&["sheet.toml", "--steps", "0.1,nan"], "it must be a finite number above zero"),
        (&["sheet.toml", "--rungs", "0"], "whole number from 1 to 12"),
        (&["sheet.toml", "--rival", " "], "--rival names no program"),
    ] {
        let refused = refusal(arguments);
        assert!(refused.contains(expected), "{refused}");
    }
    desk.write("torn.toml", SHEET.to_owned() + "[tearing]\nlimit = 1.5\n");
    assert!(refusal(&["torn.toml"]).contains("cloth that tears"));
    desk.write("broken.toml", "step = 1\n");
    refusal(&["broken.toml"]);
}

#[test]
fn nothing_of_another_run_is_replaced() {
    let desk = desk();
    let with = ["sheet.toml", "--with", "backward-euler", "--rungs", "1", "--repeats", "1"];
    desk.program(&["simulate", "sheet.toml", "--out", "simulated"]).output().expect("the program starts");
    let refused = race(&desk, &[&with[..], &["--out", "simulated"]].concat());
    assert!(refused.refusal(2).contains("holds a simulation"), "{}", refused.err);
    desk.write("mine/race.csv", "mine");
    let refused = race(&desk, &[&with[..], &["--out", "mine"]].concat());
    assert!(refused.refusal(2).contains("no race that it is of"), "{}", refused.err);
    // a copy of a file of the scene would have the name of a file of the user
    let still: String = (0..36).map(|particle| format!("{particle},0,0,0\n")).collect();
    desk.write("still.csv", format!("particle,x,y,z\n{still}"));
    desk.write("still.toml", SHEET.to_owned() + "[initial]\nvelocities = \"still.csv\"\n");
    desk.write("scene-velocities.csv", "mine");
    let still = [&["still.toml"], &with[1..]].concat();
    let refused = race(&desk, &[&still[..], &["--out", "."]].concat());
    assert!(refused.refusal(2).contains("scene-velocities.csv is there"), "{}", refused.err);
    assert_eq!(desk.read("scene-velocities.csv"), "mine");
    for _ in 0..2 {
        ran(&desk, &[&still[..], &["--out", "still"]].concat());
    }
    ran(&desk, &[&with[..], &["--out", "out"]].concat());
    desk.edit("sheet.toml", "density = 0.2", "density = 0.3");
    let refused = race(&desk, &[&with[..], &["--out", "out"]].concat());
    assert!(refused.refusal(2).contains("of another scene, other contestants or other steps"), "{}", refused.err);
    ran(&desk, &[&with[..], &["--out", "out", "--fresh"]].concat());
}

/// A rival that lets every particle stay where it is.
#[cfg(unix)]
const STILL: &str = r#"#!/usr/bin/env python3
import json, struct, sys
scene, out = json.load(open(sys.argv[1])), sys.argv[2]
assert scene["protocol"] == 1 and scene["grid"] == {"nx": 6, "ny": 6, "spacing": 0.1} and scene["pins"] == [30, 35]
assert len(scene["triangles"]) == 50 and len(scene["masses"]) == 36 and scene["springs"][0]["kind"] == "stretch"
x = scene["positions"]
header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d, 3), }\n" % (len(scene["sample_times"]), len(x))
numbers = [q for _ in scene["sample_times"] for p in x for q in p]
with open(out + "/states.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%dd" % len(numbers), *numbers))
steps = round(scene["duration"] / scene["step"])
json.dump({"program": "still", "version": "1", "method": "none", "precision": "double", "threads": 1, "step": scene["step"], "steps": steps,
           "setup_cpu_seconds": 0.25, "step_cpu_seconds": 1e-9, "wall_seconds": 1e-9, "mapping": [], "lacks": ["motion"], "finished": True},
          open(out + "/result.json", "w"))
"#;

/// One whose words and numbers are not to be believed: what it says replaces the mark.
#[cfg(unix)]
const LIES: &str = r#"json.dump({"program": "<b>", "version": "1", "method": "none", "precision": "double", "threads": 1, "step": scene["step"], "steps": steps,
           "setup_cpu_seconds": 0, "step_cpu_seconds": MARK, "wall_seconds": 1, "lacks": ["=1+1\n\u001b[31m<script>", "x" * 5000], "finished": True},
          open(out + "/result.json", "w"))
"#;

/// One that cannot express any scene.
#[cfg(unix)]
const CANNOT: &str = "#!/bin/sh\necho no springs here >&2\nexit 3\n";

#[cfg(unix)]
#[test]
fn rivals_race_beside_ours() {
    let desk = desk();
    for (name, text) in [("still.py", STILL), ("cannot.sh", CANNOT), ("silent.sh", "#!/bin/sh\nexit 0\n")] {
        desk.write(name, text);
        fs::set_permissions(desk.path(name), fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let rivals = ["--rival", "python3 still.py", "--rival", "./cannot.sh", "--rival", "./silent.sh", "--rival", "./nowhere"];
    let said = ran(&desk, &[&["sheet.toml", "--with", "rk4", "--rungs", "2", "--out", "out"], &rivals[..]].concat());
    let table = desk.read("out/race.csv");
    let of = |name: &str, column: &str| -> Vec<String> {
        let all = cells(&table, "contestant").into_iter().zip(cells(&table, column));
        all.filter(|(contestant, _)| contestant == name).map(|(_, cell)| cell).collect()
    };
    assert_eq!(of("python3 still.py", "status"), ["finished"; 2], "{table}");
    assert_eq!(of("python3 still.py", "reason"), ["lacks: motion"; 2]);
    let errors = errors_of(&table, "python3 still.py");
    assert!(errors.len() == 2 && errors[0] == errors[1] && errors[0] > 0.01, "{errors:?}");
    assert_eq!(of("python3 still.py", "velocity_error"), [""; 2]);
    assert!(of("./cannot.sh", "reason")[0].contains("cannot express the scene: no springs here"), "{table}");
    assert!(of("./silent.sh", "reason")[0].contains("result.json"), "{table}");
    assert!(of("./nowhere", "reason")[0].contains("cannot be started"), "{table}");
    assert!(said.out.contains("no springs here"), "{}", said.out);
    let (honest, _) = STILL.split_once("json.dump").expect("an answer");
    for (name, seconds) in [("below.py", "-5"), ("none.py", "0"), ("beyond.py", "1e308"), ("words.py", "1e-9")] {
        desk.write(name, honest.to_owned() + &LIES.replace("MARK", seconds));
    }
    desk.write("far.py", STILL.replace("for q in p]", "for q in (1e200, 0, 0)]"));
    desk.write("a folder/still.py", STILL);
    let lying = ["below", "none", "beyond", "words", "far"].map(|name| format!("python3 {name}.py"));
    let quoted = "python3 'a folder/still.py'";
    let rivals = lying.iter().map(String::as_str).chain([quoted]).flat_map(|rival| ["--rival", rival]);
    let arguments: Vec<&str> =
        ["sheet.toml", "--with", "rk4", "--rungs", "1", "--out", "lies"].into_iter().chain(rivals).collect();
    ran(&desk, &arguments);
    let table = desk.read("lies/race.csv");
    let of = |name: &str, column: &str| -> String {
        let mut all = cells(&table, "contestant").into_iter().zip(cells(&table, column));
        all.find(|(contestant, _)| contestant == name).map(|(_, cell)| cell).expect("a row")
    };
    for name in &lying[..3] {
        assert_eq!(of(name, "status"), "refused", "{table}");
        assert!(of(name, "reason").contains("step_cpu_seconds is") && of(name, "reason").contains("it must be above zero"));
    }
    let lacks = of(&lying[3], "reason");
    assert!(lacks.starts_with("lacks: =1+1 \\u{1b}[31m<script>; xxx") && lacks.len() < 500, "{lacks}");
    assert_eq!([of(&lying[4], "status"), of(quoted, "status")], ["not finite", "finished"]);
    let report = desk.read("lies/race.md");
    assert!(report.contains("&lt;script>") && !report.contains("<script"), "{report}");
    for (rival, why) in [("python3 'x.py", "a quotation mark without its end"), ("=cmd", "begins with a sign")] {
        let refused = race(&desk, &["sheet.toml", "--rival", rival, "--out", "none"]);
        assert!(refused.refusal(2).contains(why), "{}", refused.err);
    }
    let times = desk.read("out/times.csv");
    assert!(times.contains("python3 still.py,") && times.contains(",0.25,"), "{times}");
    assert_eq!(viewer::runs(&desk.read("out/view.html")).len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_race_ends_its_rival_and_what_that_started() {
    let desk = desk();
    desk.write("slow.sh", "#!/bin/sh\nsleep 600 &\necho $! > pid.part && mv pid.part pid\nwait\n");
    fs::set_permissions(desk.path("slow.sh"), fs::Permissions::from_mode(0o755)).expect("a program");
    let arguments = ["race", "sheet.toml", "--with", "rk4", "--rungs", "1", "--rival", "./slow.sh", "--out", "out"];
    let mut racing = desk.program(&arguments).spawn().expect("the program starts");
    let soon = |holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() && begun.elapsed() < Duration::from_secs(120) {
            sleep(Duration::from_millis(10));
        }
        holds()
    };
    assert!(soon(&|| desk.path("pid").exists()));
    let started = desk.read("pid");
    assert!(Command::new("kill").args(["-INT", &racing.id().to_string()]).status().expect("kill").success());
    assert_eq!(racing.wait().expect("an end").code(), Some(130));
    // one that has ended may wait as a zombie for whoever asks how
    let state = || fs::read_to_string(format!("/proc/{}/stat", started.trim())).unwrap_or_default();
    let has_ended = || state().rsplit(')').next().is_none_or(|rest| rest.is_empty() || rest.trim().starts_with('Z'));
    assert!(soon(&has_ended), "{}", state());
}
