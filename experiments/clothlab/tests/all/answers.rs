//! Every mistake is answered at once, and a run that is wrong says so.

use crate::common::{Desk, run};

/// The canonical sheet, whose systems are solved as the thesis prints its tolerance: it comes apart.
const APART: &str = "step = 0.01\nduration = 0.5\n[mesh]\nnx = 64\nny = 64\nspacing = 0.015873\n\
                     [material]\ndensity = 0.2\nstretch = { stiffness = 1000.0 }\nshear = { stiffness = 1000.0 }\nbend = 0.01\n\
                     [solver.conjugate-gradients]\nrule = \"root-of-step\"\ntolerance = 0.01\n\
                     [integrator.backward-euler]\nonce = true\n";

fn scene(lines: &str) -> String {
    format!("step = 0.005\nduration = 0.05\n{lines}[mesh]\nnx = 5\nny = 5\nspacing = 0.1\n")
}

#[test]
fn energy_out_of_nothing_is_told_with_its_step_and_a_remedy() {
    let desk = Desk::new();
    desk.write("apart.toml", format!("pins = [[0, 0], [63, 0]]\n{APART}"));
    let said = desk.clothlab(&["simulate", "apart.toml", "--out", "apart"]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    assert!(said.err.contains("error: the run is wrong from step "), "{}", said.err);
    let warning =
        said.out.lines().find(|line| line.contains("grows though nothing does work")).unwrap_or_else(|| panic!("{}", said.out));
    assert!(
        warning.starts_with("warning: from step ")
            && warning.contains("use solver = \"automatic\"")
            && warning.contains(": tried, and it held for "),
        "{warning}"
    );
    desk.write("sound.toml", scene(""));
    let said = desk.clothlab(&["simulate", "sound.toml", "--out", "sound"]);
    assert!(said.code == Some(0) && !said.out.contains("grows though"), "{}", said.out);
}

#[test]
fn what_has_no_end_is_no_input() {
    let desk = Desk::new();
    desk.write("endless.toml", scene("").replace("[mesh]", "[initial]\npositions = \"/dev/zero\"\n[mesh]"));
    let message = desk.refused(&["simulate", "endless.toml", "--out", "out"]);
    assert!(message.contains("/dev/zero is a pipe or a device; name a table in a file"), "{message}");
    let message = desk.refused(&["simulate", "/dev/zero", "--out", "out"]);
    assert!(message.contains("/dev/zero: it is a pipe or a device, no file; name a scene file"), "{message}");
    #[cfg(target_os = "linux")]
    for told in ["/proc/self/environ", "/proc/kmsg"] {
        let message = desk.refused(&["simulate", told, "--out", "out"]);
        assert!(message.contains("it is a pipe or a device, no file"), "{message}");
    }
    desk.write("long.toml", scene("").replace("[mesh]", "[initial]\npositions = \"long.csv\"\n[mesh]"));
    desk.write("long.csv", format!("particle,x,y,z\n{}", "1".repeat(200_000)));
    desk.refused(&["simulate", "long.toml", "--out", "out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_beyond_the_memory_is_refused_before_it_is_read() {
    let desk = Desk::new();
    desk.write("fit.toml", scene("") + "[fit]\nmotion = \"m.csv\"\nparameters = [\"bend.stiffness\"]\n");
    desk.write("moved.toml", scene("pins = [\"top-left\"]\n") + "[[motion]]\npins = [\"top-left\"]\nkeyframes = \"m.csv\"\n");
    let file = std::fs::File::create(desk.path("m.csv")).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    for arguments in [["fit", "fit.toml", "--out", "out"], ["simulate", "moved.toml", "--out", "out"]] {
        let message = desk.refused(&arguments);
        assert!(message.contains("m.csv: this needs about ") && message.ends_with("make the table smaller"), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_mesh_beyond_the_memory_is_refused_before_it_is_made() {
    let desk = Desk::new();
    desk.write("large.toml", scene("").replace("nx = 5\nny = 5", "nx = 3000\nny = 3000"));
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_clothlab")]);
    command.args(["simulate", "large.toml", "--out", "out"]).current_dir(desk.path(""));
    let said: crate::common::Said = command.output().expect("a shell").into();
    let message = said.refusal(2);
    assert!(
        message.contains("this needs about ") && message.contains(" GB of memory") && message.contains("`nx` or `ny`"),
        "{message}"
    );
    assert!(!desk.path("out").exists());
}

#[test]
fn a_dry_run_of_a_scene_reads_everything_and_writes_nothing() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    let said = desk.clothlab(&["simulate", "scene.toml", "--dry-run"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(
        said.out.contains("25 particles, 10 steps of 0.005 s by backward-euler") && said.out.contains("of memory, about "),
        "{}",
        said.out
    );
    assert!(!desk.path("out").exists());
    desk.write(
        "colliding.toml",
        scene("").replace("nx = 5\nny = 5", "nx = 100\nny = 100") + "[self_collision]\nthickness = 0.001\n",
    );
    let colliding = desk.clothlab(&["simulate", "colliding.toml", "--dry-run", "--no-pictures"]);
    assert!(
        colliding
            .out
            .contains("\nabout 0.03 GB of memory, 0.16 GB where all of the cloth lies on itself, 2.76 GB at most, about "),
        "{}",
        colliding.out
    );
    desk.write("mistaken.toml", scene("stepp = 1\n"));
    assert!(desk.refused(&["simulate", "mistaken.toml", "--dry-run"]).contains("`stepp`"));
}

#[test]
fn a_simulation_has_a_folder_of_its_own_and_says_how_long_it_took() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    let said = desk.clothlab(&["simulate", "scene.toml"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(desk.path("out/scene/energies.csv").exists() && said.out.contains("s of cloth) in 0."), "{}", said.out);
}

#[test]
fn tolerances_that_nothing_comes_to_are_refused() {
    let desk = Desk::new();
    for (section, line) in [
        ("newton", "[integrator.backward-euler]\nnewton = { tolerance = 1e-20 }\n"),
        (
            "solver.conjugate-gradients",
            "integrator = \"backward-euler\"\n[solver.conjugate-gradients]\nrule = \"fixed\"\ntolerance = 1e-18\n",
        ),
    ] {
        desk.write("scene.toml", scene("").replace("[mesh]", &format!("{line}[mesh]")));
        let message = desk.refused(&["simulate", "scene.toml", "--out", "out"]);
        assert!(message.contains(&format!("in `{section}`")) && message.ends_with("give 1e-14 or more"), "{message}");
    }
}

#[test]
fn messages_show_no_control_character_and_end() {
    let desk = Desk::new();
    let message = desk.refused(&["simulate", "a\u{1b}[31mb.toml", "--out", "out"]);
    assert!(message.contains("a\\u{1b}[31mb.toml"), "{message}");
    desk.write("scene.toml", scene(&format!("integrator = \"{}\"\n", "x".repeat(100_000))));
    let message = desk.refused(&["simulate", "scene.toml", "--out", "out"]);
    assert!(message.chars().count() < 500 && message.starts_with("scene.toml, line "), "{message}");
}

#[test]
fn a_plane_of_broken_cells_is_refused_at_reading() {
    let desk = Desk::new();
    desk.write("cells.toml", crate::common::changed(&[("y = [0.0, 3.5], cell = 0.25", "y = [0.1, 3.5], cell = 0.25")]));
    let message = desk.refused(&run("cells.toml", "out"));
    assert!(message.contains("y must be a whole number of cells") && message.contains("line "), "{message}");
}

#[test]
fn a_profile_may_hold_one_study_alone() {
    let desk = Desk::new();
    let study: String = crate::common::tiny().split_inclusive('\n').take_while(|line| !line.starts_with("[aimex")).collect();
    desk.write("one.toml", study);
    desk.run("one.toml", "out", &["--only", "chains"]);
    desk.run("tiny.toml", "all", &["--only", "chains"]);
    assert_eq!(desk.read("out/chains.csv"), desk.read("all/chains.csv"));
}

/// Runs what must end by itself; a run that hangs is ended, and fails.
#[cfg(unix)]
fn at_once(mut command: std::process::Command) -> crate::common::Said {
    let piped = std::process::Stdio::piped;
    let mut child = command.stdin(std::process::Stdio::null()).stdout(piped()).stderr(piped()).spawn().expect("it starts");
    for _ in 0..300 {
        if child.try_wait().expect("a child").is_some() {
            return child.wait_with_output().expect("its output").into();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    child.kill().expect("a child that hangs");
    panic!("it did not end");
}

/// Runs where a process may take two GB.
#[cfg(target_os = "linux")]
fn within_two_gigabytes(desk: &Desk, arguments: &[&str]) -> crate::common::Said {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_clothlab")]);
    command.args(arguments).current_dir(desk.path(""));
    at_once(command)
}

#[cfg(target_os = "linux")]
#[test]
fn no_file_of_any_kind_may_be_a_pipe_or_a_device() {
    for endless in ["pipe", "zero"] {
        let desk = Desk::new();
        desk.run("tiny.toml", "measured", &["--only", "springs"]);
        let again = ["run", crate::common::STUDY, "--profile", "tiny.toml", "--only", "springs", "--out", "measured"];
        for (file, arguments) in [
            ("measured/parts/springs.part", &again[..]),
            ("p.toml", &["run", crate::common::STUDY, "--profile", "p.toml", "--out", "out"]),
            ("s.toml", &["simulate", "s.toml", "--out", "out"]),
            ("x.csv", &["simulate", "table.toml", "--out", "out"]),
            ("m.obj", &["simulate", "mesh.toml", "--out", "out"]),
            ("measured/run.json", &["report", "measured"]),
            ("measured/SHA256SUMS", &["verify", "measured"]),
        ] {
            desk.write("table.toml", scene("").replace("[mesh]", "[initial]\npositions = \"x.csv\"\n[mesh]"));
            desk.write("mesh.toml", "step = 0.005\nduration = 0.05\nintegrator = \"fb-euler\"\n[mesh.obj]\nfile = \"m.obj\"\n");
            let path = desk.path(file);
            _ = std::fs::remove_file(&path);
            if endless == "zero" {
                std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
            } else {
                assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
            }
            let said = within_two_gigabytes(&desk, arguments);
            let code = if arguments[0] == "verify" { 4 } else { 2 }; // verify tells it among all other damage
            assert!(said.refusal(code).len() < 600, "{}", said.err);
            if !file.starts_with("measured") {
                assert!(said.err.contains(file) && said.err.contains("is a pipe or a device"), "{}", said.err);
            }
            assert!(!desk.path("out").exists());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_results_are_made_of_may_be_no_pipe_either() {
    let desk = Desk::new();
    desk.run("tiny.toml", "results/fb-euler-stability", &[]);
    let folder = "results/fb-euler-stability/";
    std::fs::remove_file(desk.path(&format!("{folder}SHA256SUMS-of-times"))).expect("a file");
    for (file, arguments) in [("results/claims.csv", ["verify", "results"]), ("timings.csv", ["plot", folder])] {
        let file = if file.contains('/') { file.to_owned() } else { format!("{folder}{file}") };
        _ = std::fs::remove_file(desk.path(&file));
        assert!(std::process::Command::new("mkfifo").arg(desk.path(&file)).status().expect("mkfifo").success());
        let said = at_once(desk.program(&arguments));
        assert_eq!(said.code != Some(0), arguments[0] == "verify", "{}{}", said.out, said.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn messages_fit_the_terminal_and_keep_their_remedy() {
    let desk = Desk::new();
    desk.write("bad.toml", crate::common::changed(&[("density = [0.01", "density = [-0.01")]));
    let long = format!("./{}bad.toml", "./".repeat(150));
    for (columns, set) in
        [(80, "stty rows 24 cols 80; unset COLUMNS"), (90, "stty rows 24 cols 200; export COLUMNS=90"), (120, "unset COLUMNS")]
    {
        let program = env!("CARGO_BIN_EXE_clothlab");
        let line = format!("export NO_COLOR=1; {set}; exec '{program}' run {} --profile {long} --out out", crate::common::STUDY);
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(desk.path("")).stdin(std::process::Stdio::null());
        let said: crate::common::Said = command.output().expect("script").into();
        let shown = said.out.trim_end();
        assert_eq!((said.code, shown.lines().count()), (Some(2), 1), "{shown}");
        assert!(shown.chars().count() <= columns && shown.chars().count() > columns - 3, "{columns}: {shown}");
        assert!(shown.ends_with("; see experiments/profiles/paper.toml"), "{shown}");
    }
    let message = desk.refused(&["run", crate::common::STUDY, "--profile", &long]);
    assert!(message.ends_with("; see experiments/profiles/paper.toml") && message.chars().count() < 480, "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn every_mesh_beyond_the_memory_is_refused_before_it_is_made() {
    let desk = Desk::new();
    for kind in ["regular", "centred"] {
        let side = if kind == "regular" { 3000 } else { 2200 };
        let mesh = format!("[mesh.{kind}]\nnx = {side}\nny = {side}\nwidth = 1\nheight = 1\n");
        desk.write("large.toml", format!("step = 0.005\nduration = 0.05\nintegrator = \"fb-euler\"\n{mesh}"));
        let said = within_two_gigabytes(&desk, &["simulate", "large.toml", "--out", "out"]);
        assert!(said.refusal(2).contains("this needs about ") && said.err.contains("`nx` or `ny`"), "{}", said.err);
    }
    desk.write("mesh.toml", "step = 0.005\nduration = 0.05\nintegrator = \"fb-euler\"\n[mesh.obj]\nfile = \"m.obj\"\n");
    let obj = std::fs::File::create(desk.path("m.obj")).expect("a file");
    obj.set_len(3_000_000_000).expect("a sparse file");
    let said = within_two_gigabytes(&desk, &["simulate", "mesh.toml", "--out", "out"]);
    assert!(said.refusal(2).contains("m.obj: this needs about 6.00 GB of memory"), "{}", said.err);
    // a small file of more triangles than there is memory for
    desk.write("m.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "f 1 2 3\n".repeat(5_000_000)));
    let said = within_two_gigabytes(&desk, &["simulate", "mesh.toml", "--out", "out"]);
    assert!(said.refusal(2).contains("m.obj: this needs about 2."), "{}", said.err);
    assert!(!desk.path("out").exists());
}

#[test]
fn a_run_that_blows_up_says_so_in_a_few_characters() {
    let desk = Desk::new();
    let soft = "integrator = \"forward-euler\"\npins = [0]\n";
    let stiff = "[material]\nstretch = { stiffness = 1e18 }\nshear = { stiffness = 1e18 }\n";
    desk.write("wild.toml", format!("{}{stiff}", scene(soft).replace("duration = 0.05", "duration = 5")));
    desk.write(
        "kappa.toml",
        format!("{}{stiff}", scene("integrator = \"fb-euler\"\n").replace("duration = 0.05", "duration = 5")),
    );
    desk.write("long.toml", scene("").replace("0.005", "1e-18").replace("0.05", "4e-18"));
    for name in ["wild", "kappa", "long"] {
        let said = desk.clothlab(&["simulate", &format!("{name}.toml"), "--out", name]);
        assert_eq!(said.code, Some(if name == "long" { 0 } else { 5 }), "{}", said.err);
        assert!(said.out.contains("blew up in step ") || name == "long", "{}", said.out);
        assert!(!said.out.contains("inf"), "{}", said.out);
        for line in said.out.lines().chain(said.err.lines()) {
            assert!(line.chars().count() <= 230, "{line}");
            let digits = line.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
            assert!(digits.is_none_or(|digits| digits < 14), "{line}");
        }
    }
}

#[test]
fn newton_that_does_not_converge_is_told_in_the_midst_of_its_first_step() {
    let desk = Desk::new();
    let newton = "[integrator.backward-euler]\nnewton = { tolerance = 1e-14, limit = 2 }\n";
    desk.write("scene.toml", scene("pins = [0]\n").replace("[mesh]", &format!("{newton}[mesh]")));
    let said = desk.clothlab(&["simulate", "scene.toml", "--out", "out"]);
    let warning = said.err.lines().find(|line| line.starts_with("warning: ")).unwrap_or_else(|| panic!("{}", said.err));
    assert!(warning.contains("in step ") && warning.ends_with("or shorten `step`"), "{warning}");
    assert_eq!(said.err.matches("warning: ").count(), 1, "{}", said.err);
    assert!(said.out.contains("steps were accepted beyond"), "{}", said.out);
}

#[test]
fn work_of_wind_and_pins_is_counted_and_hides_no_energy_out_of_nothing() {
    let desk = Desk::new();
    let wind = "[material]\ndrag = { air_density = 1.2, coefficient = 1.0, wind = [1, 0, 0] }\n";
    desk.write("wind.toml", format!("{}{wind}", scene("")));
    let said = desk.clothlab(&["simulate", "wind.toml", "--out", "wind"]);
    assert!(said.out.contains("given by what moves ") && !said.out.contains("warning"), "{}{}", said.out, said.err);
    let motion = |until: &str| format!("[[motion]]\npins = [[0, 0]]\namplitude = [0, 0.01, 0]\nperiod = 0.4\n{until}");
    let apart = APART.replace("[mesh]", "pins = [[0, 0], [63, 0]]\n[mesh]");
    for (name, until) in [("moved", "until = 0.01\n"), ("moving", "")] {
        desk.write(&format!("{name}.toml"), format!("{apart}{}", motion(until)));
        let said = desk.clothlab(&["simulate", &format!("{name}.toml"), "--out", name]);
        assert!(said.out.contains("the energy grows beyond what it is given"), "{name}: {}{}", said.out, said.err);
    }
}

#[test]
fn work_that_is_not_known_is_named() {
    let desk = Desk::new();
    let top = "pins = [\"top-left\", \"top-right\"]\n";
    let motion = "[[motion]]\npins = [\"top-left\"]\namplitude = [0, 0.01, 0]\nperiod = 0.4\n";
    for (until, is_named) in [("", true), ("until = 0.01\n", false)] {
        let kept = "inextensible = \"fast-projection\"\nintegrator = \"fb-euler\"\n";
        desk.write("moving.toml", format!("{kept}{}{motion}{until}", scene(top)));
        let said = desk.clothlab(&["simulate", "moving.toml", "--out", "moving", "--force"]);
        let named = said.out.contains("would not be told: pins move cloth that a constraint method keeps at its length");
        assert_eq!(named, is_named, "{}{}", said.out, said.err);
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_called_that() {
    let desk = Desk::new();
    for link in ["s.toml", "x.csv"] {
        std::os::unix::fs::symlink(desk.path("gone"), desk.path(link)).expect("a link");
    }
    desk.write("table.toml", scene("").replace("[mesh]", "[initial]\npositions = \"x.csv\"\n[mesh]"));
    for (scene, link) in [("s.toml", "s.toml"), ("table.toml", "x.csv")] {
        let message = desk.refused(&["simulate", scene, "--out", "out"]);
        assert!(message.contains(&format!("{link} is a link that leads nowhere; ")), "{message}");
    }
}

#[test]
fn one_word_stands_for_strain_in_a_summary() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    let said = desk.clothlab(&["simulate", "scene.toml", "--out", "out"]);
    assert!(said.out.contains("largest strain ") && !said.out.contains("largest stretch"), "{}", said.out);
}

#[test]
fn a_dry_run_of_a_scene_refuses_the_folder_that_the_run_would() {
    let desk = Desk::new();
    desk.write("scene.toml", scene(""));
    assert_eq!(desk.clothlab(&["simulate", "scene.toml", "--out", "out"]).code, Some(0));
    let message = desk.refused(&["simulate", "scene.toml", "--out", "out", "--dry-run"]);
    assert!(message.contains("is there from a former simulation; add --force"), "{message}");
    assert_eq!(desk.clothlab(&["simulate", "scene.toml", "--out", "out", "--dry-run", "--force"]).code, Some(0));
    desk.write("file", "mine");
    assert!(desk.refused(&["simulate", "scene.toml", "--out", "file", "--dry-run"]).contains("file is a file"));
}

/// Seconds that a dry run tells.
fn told(desk: &Desk, study: &str, options: &[&str]) -> f64 {
    let said = desk.clothlab(&[&["run", study, "--dry-run"], options].concat());
    let mut words = said.out.split("about ").nth(1).unwrap_or_else(|| panic!("{}{}", said.out, said.err)).split(' ');
    let number: f64 = words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{}", said.out));
    if words.next() == Some("s") { number } else { 3600.0 * number }
}

#[test]
fn expected_times_follow_what_is_asked_for() {
    let desk = Desk::new();
    let whole = told(&desk, crate::common::STUDY, &["--jobs", "1"]);
    assert!(whole > 10.0, "{whole} s");
    for options in [&["--jobs", "4"][..], &["--jobs", "1", "--only", "chains"], &["--jobs", "1", "--sets", "5"]] {
        assert!(told(&desk, crate::common::STUDY, options) < 0.7 * whole, "{options:?}");
    }
    let other = ["--profile", "tiny.toml", "--jobs", "1"];
    let said = desk.clothlab(&[&["run", crate::common::STUDY, "--dry-run"], &other[..]].concat());
    assert!(said.out.contains("whose cases may be longer or shorter"), "{}", said.out);
    let begun = [&other[..], &["--out", "out"]].concat();
    let before = told(&desk, crate::common::STUDY, &begun);
    desk.run("tiny.toml", "out", &[]);
    assert!(before > 0.0 && told(&desk, crate::common::STUDY, &begun) == 0.0, "{before} s");
}

/// The first line that a command says, which is stopped then.
fn first_line(desk: &Desk, arguments: &[&str]) -> String {
    let (piped, null) = (std::process::Stdio::piped, std::process::Stdio::null);
    let mut child = desk.program(arguments).stdout(piped()).stderr(null()).spawn().expect("it starts");
    let out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    // behind what a profile has otherwise
    let mut lines = std::io::BufRead::lines(out).map(|line| line.expect("a line"));
    let first = lines.find(|line| !line.contains("as published but for")).unwrap_or_default();
    child.kill().expect("a command that takes long");
    child.wait().expect("its end");
    first
}

#[test]
fn repro_tells_the_time_of_the_studies_that_it_is_to_measure() {
    let desk = Desk::new();
    let told = |arguments: &[&str]| {
        let line = first_line(&desk, &[&["repro", "--full"], arguments].concat());
        let seconds = line.split("about ").nth(1).and_then(|rest| rest.split_once(" s by the number of cases"));
        let seconds: f64 = seconds.and_then(|(number, _)| number.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        (line.split(':').next().unwrap_or_default().to_owned(), seconds)
    };
    let (first, one) = told(&["--jobs", "1"]);
    assert!(first == crate::common::STUDY && one > 20.0, "{first}: {one} s");
    let (_, four) = told(&["--jobs", "4", "--fresh"]);
    assert!((0.9..1.1).contains(&(one / four / 4.0)), "{one} s and {four} s");
    let (named, seconds) = told(&["preconditioners", "--jobs", "1"]);
    assert!(named == "preconditioners" && seconds > 2.0 * one, "{named}: {seconds} s");
    // what an interrupted run has measured is not told again
    for group in ["sheets", "springs", "bars", "chains", "scans"] {
        desk.write(&format!("out/parts/{}/{group}.part", crate::common::STUDY), "\n".repeat(1000));
    }
    let (_, rest) = told(&["--jobs", "1"]);
    assert!(rest < 0.9 * one, "{rest} s");
}

#[test]
fn a_million_repeats_are_told_at_the_start() {
    let desk = Desk::new();
    desk.write(
        "many.toml",
        crate::common::changed(&[("sheets = 1\nseeds = 1\nrepeats = 2", "sheets = 1\nseeds = 1\nrepeats = 1000000")]),
    );
    let few = told(&desk, "aimex", &["--profile", "many.toml"]);
    let many = told(&desk, "aimex", &["--profile", "many.toml", "--times"]);
    assert!(many > 3600.0 && few < 1000.0, "{few} s and {many} s");
    let first = first_line(&desk, &["run", "aimex", "--profile", "many.toml", "--times", "--out", "out"]);
    assert!(first.starts_with("aimex: about ") && first.contains(" hours "), "{first}");
}
