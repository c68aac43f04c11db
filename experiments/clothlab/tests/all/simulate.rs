//! `clothlab simulate` as its users meet it: what it writes, what it says, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder of its own for a test.
struct Desk(TempDir);

/// What a run of the program said.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).expect("a writable folder");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the program in this folder.
    fn simulate(&self, arguments: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clothlab"));
        let output = command.arg("simulate").args(arguments).current_dir(self.0.path()).output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Runs a scene that must be right.
    fn run(&self, scene: &str, out: &str) -> Said {
        let said = self.simulate(&[scene, "--out", out]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    }

    /// Runs a scene that must be refused: one line, exit code 2, nothing written.
    fn refused(&self, scene: &str) -> String {
        let said = self.simulate(&[scene, "--out", "results"]);
        assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
        assert_eq!((said.out.as_str(), said.err.lines().count()), ("", 1), "{}", said.err);
        assert!(!self.path("results").exists(), "output for a scene that was refused");
        said.err.trim_end().strip_prefix("error: ").expect("an error line").to_owned()
    }

    /// The columns of a table, by name.
    fn table(&self, name: &str) -> Vec<Vec<f64>> {
        let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("{name}: `{cell}` is no number"));
        self.read(name).lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
    }
}

/// A scene of 3 x 2 particles, ten steps, with lines of its own at the top and sections of its own.
fn scene(top: &str, sections: &str) -> String {
    format!("step = 1e-3\nduration = 0.01\n{top}\n[mesh]\nnx = 3\nny = 2\nspacing = 1.0\n{sections}")
}

const TABLES: &str = "[initial]\npositions = \"x.csv\"\nvelocities = \"v.csv\"\n";

#[test]
fn a_run_leaves_a_folder_that_explains_itself() {
    let desk = Desk::new();
    let text = scene(
        "integrator = \"fb-euler\"\npins = [0]",
        "[output] # every third step\nenergies_every = 3\nframes_per_second = 500\n",
    );
    desk.write("a.toml", &text);
    let said = desk.run("a.toml", "results");
    assert_eq!(desk.read("results/scene.toml"), text);
    let steps: Vec<f64> = desk.table("results/energies.csv").iter().map(|row| row[0]).collect();
    assert_eq!(steps, [0.0, 3.0, 6.0, 9.0, 10.0]);
    let header = "step,time,kinetic,gravitational,stretch,shear,bend,total,largest_stretch";
    assert_eq!(desk.read("results/energies.csv").lines().next(), Some(header));
    let mut names: Vec<String> = fs::read_dir(desk.path("results/frames"))
        .expect("a folder of frames")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected: Vec<String> = (0..6).map(|k| format!("frame_{k:05}.obj")).collect(); // after 0, 2, ... 10 steps
    assert_eq!(names, expected);
    for name in names {
        let mesh = desk.read(&format!("results/frames/{name}"));
        let count = |kind: &str| mesh.lines().filter(|line| line.starts_with(kind)).count();
        assert_eq!((count("v "), count("f ")), (3 * 2, 2));
    }
    for expected in [
        "10 steps of 0.001 s, 0.01 s simulated",
        "energy at the start",
        "energy at the end",
        "largest strain",
        "scene.toml, 6 frames, rest.obj to results",
        "Open results/view.html to watch.",
    ] {
        assert!(said.out.contains(expected), "{expected}: {}", said.out);
    }
    assert_eq!(said.err, "");
}

#[test]
fn the_first_row_of_energies_by_hand() {
    let desk = Desk::new();
    let material = "[material]\ndensity = 2\nbend = 3\nstretch = { stiffness = 100 }\nshear = { stiffness = 50 }\n";
    desk.write("a.toml", scene("", &format!("{material}{TABLES}")));
    // the third column lies between the first two: columns 1-2 are stretched to 1.25, columns 1-3 bent to half their length
    desk.write("x.csv", "particle,x,y,z\n0,0,0,0.5\n1,1.25,0,0.5\n2,1,0,0.5\n3,0,1,0.5\n4,1.25,1,0.5\n5,1,1,0.5\n");
    desk.write("v.csv", "particle,x,y,z\n0,0,0,0\n1,0,0,0\n2,0,0,0\n3,0,0,0\n4,1,2,-2\n5,0,0,0\n");
    desk.run("a.toml", "results");
    let diagonal = (1.25_f64 * 1.25 + 1.0).sqrt() - 2.0_f64.sqrt();
    let expected = [
        0.0,
        0.0,
        9.0,                              // 1/2 * 2 * (1 + 4 + 4)
        6.0 * 2.0 * 9.81 * 0.5,           // six particles of 2 kg
        2.0 * 50.0 * 0.25 * 0.25,         // two springs, 1/2 * 100 each; the others are short or at rest
        2.0 * 25.0 * diagonal * diagonal, // two of the four diagonals are extended
        2.0 * 3.0 * 4.0 * BENT,           // two springs, kb L² F(1/2) each
    ];
    let row = &desk.table("results/energies.csv")[0];
    for (found, expected) in row.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12 * (1.0 + expected), "{found} is not {expected} in {row:?}");
    }
    assert!((row[7] - expected.iter().sum::<f64>()).abs() < 1e-12 * row[7]);
    assert!((row[8] - 1.25).abs() < 1e-15);
}

/// F(1/2), the integral of the bending law from 1 to 1/2, worked out from its coefficients outside this program.
const BENT: f64 = 1.6585863896666666;

#[test]
fn a_run_in_two_halves_gives_the_bits_of_one() {
    let halves = scene("pins = [[0, 0]]", "[material]\nshear = { stiffness = 90 }\ndrag = { wind = [3, 0, 1] }\n");
    let direct = |scheme: &str| format!("integrator = \"{scheme}\"\nsolver = \"direct\"");
    let explicit = ["forward-euler", "fb-euler", "rk4"].map(|scheme| format!("integrator = \"{scheme}\""));
    // iterations start from the step before, two-step schemes anew: neither goes on with the same bits
    let implicit = ["backward-euler", "implicit-midpoint", "aimex"].map(direct);
    for scheme in explicit.iter().chain(&implicit) {
        let desk = Desk::new();
        let first = format!("{scheme}\n{halves}");
        desk.write("whole.toml", first.replace("duration = 0.01", "duration = 0.02"));
        desk.write("first.toml", &first);
        desk.run("whole.toml", "whole");
        desk.run("first.toml", "first");
        desk.write(
            "second.toml",
            format!("{first}[initial]\npositions = \"first/positions.csv\"\nvelocities = \"first/velocities.csv\"\n"),
        );
        desk.run("second.toml", "second");
        for table in ["positions.csv", "velocities.csv"] {
            let whole = desk.read(&format!("whole/{table}"));
            assert_eq!(whole, desk.read(&format!("second/{table}")), "{scheme}");
            assert_ne!(whole, desk.read(&format!("first/{table}")), "{scheme}");
        }
    }
}

#[test]
fn a_run_that_blows_up_is_a_result() {
    let desk = Desk::new();
    desk.write(
        "a.toml",
        scene("", "")
            .replace("step = 1e-3\nduration = 0.01", "pins = [0]\nintegrator = \"fb-euler\"\nstep = 1.0\nduration = 10000"),
    );
    let said = desk.simulate(&["a.toml", "--out", "results"]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    let told: Vec<&str> = said.err.lines().filter(|line| !line.starts_with("simulation: ")).collect();
    assert!(told[0].starts_with("warning: step = 1 s is unstable for fb-euler here (limit about 0.0"), "{}", said.err);
    assert!(
        told[1].starts_with("error: the run blew up in step ")
            && told[1].contains("in [integrator.backward-euler]: tried, and it held for "),
        "{}",
        said.err
    );
    let went_on = desk.simulate(&["a.toml", "--out", "results", "--force", "--keep-going"]);
    assert_eq!((went_on.code, went_on.out.lines().next()), (Some(0), said.out.lines().next()), "{}", went_on.err);
    assert!(said.out.starts_with("blew up in step "), "{}", said.out);
    let finite = |table: &str| desk.table(table).iter().flatten().all(|number| number.is_finite());
    assert!(finite("results/positions.csv") && finite("results/velocities.csv"));
    let energies = desk.read("results/energies.csv").to_lowercase();
    assert!(energies.lines().count() > 2 && !energies.contains("nan") && !energies.contains("inf"));
}

#[test]
fn a_duration_that_is_no_whole_number_of_steps_is_rounded_and_said() {
    let desk = Desk::new();
    desk.write("a.toml", scene("", "").replace("duration = 0.01", "duration = 0.0107"));
    let said = desk.run("a.toml", "results");
    assert!(said.out.contains("11 steps of 0.001 s, 0.011 s simulated: the 0.0107 s asked for"), "{}", said.out);
    assert_eq!(desk.table("results/energies.csv").len(), 12);
}

#[test]
fn a_former_simulation_is_replaced_only_by_force() {
    let desk = Desk::new();
    desk.write("a.toml", scene("", "[output]\nframes_per_second = 1000\n"));
    desk.run("a.toml", "results");
    desk.write("results/notes.txt", "mine");
    desk.write("a.toml", scene("pins = [0]", ""));
    let former = desk.read("results/positions.csv");
    let refused = desk.simulate(&["a.toml", "--out", "results"]);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1));
    assert!(
        refused.err.starts_with("error: results/energies.csv is there") && refused.err.contains("--force"),
        "{}",
        refused.err
    );
    assert_eq!(desk.read("results/positions.csv"), former);
    let forced = desk.simulate(&["a.toml", "--out", "results", "--force"]);
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert_ne!(desk.read("results/positions.csv"), former);
    assert!(!desk.path("results/frames/frame_00000.obj").exists(), "a frame of the former simulation");
    assert_eq!(desk.read("results/notes.txt"), "mine");
}

#[test]
fn a_run_does_not_replace_what_it_reads() {
    let desk = Desk::new();
    desk.write("scene.toml", scene("", ""));
    let said = desk.simulate(&["scene.toml", "--out", ".", "--force"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.starts_with("error: scene.toml is read by this run"), "{}", said.err);
    assert_eq!(desk.read("scene.toml"), scene("", ""));
}

#[test]
fn mistakes_in_a_scene_are_refused_with_line_and_key() {
    let desk = Desk::new();
    for (text, expected) in [
        (
            scene("", "[material]\ndensty = 3"),
            "a.toml, line 9, `densty = 3`: unknown key `densty`; known here: fabric, model, density,",
        ),
        (scene("wind = 1", ""), "a.toml, line 3, `wind = 1`: unknown key `wind`; known here: step, duration,"),
        (
            scene("", "[material]\ndensity = -0.5"),
            "a.toml, line 9, `density = -0.5`: `material.density` [kg/m²] must be a finite number above",
        ),
        (
            scene("", "[material]\nbend = nan"),
            "line 9, `bend = nan`: `material.bend` [N/m, on a continuum J] must be a finite number, zero or above, not",
        ),
        (
            scene("", "[material]\nstretch = { stiffness = -1 }"),
            "`material.stretch.stiffness` [N/m] must be a finite number, zero or above",
        ),
        (
            scene("", "[material]\ndensity = \"light\""),
            "`material.density` [kg/m²] must be a finite number above zero, not \"light\"",
        ),
        (scene("", "").replace("1e-3", "0"), "a.toml, line 1, `step = 0`: `step` [s] must be a finite number above zero, not 0"),
        (
            scene("", "").replace("1e-3", "inf"),
            "a.toml, line 1, `step = inf`: `step` [s] must be a finite number above zero, not inf",
        ),
        (scene("", "").replace("1e-3", "1e-13"), "a.toml, line 2, `duration = 0.01`: `duration` of 0.01 s is 1.000e11 steps"),
        (scene("", "").replace("step = 1e-3\n", ""), "a.toml: the key `step` is missing; add it at the top"),
        (
            scene("", "").replace("nx = 3\n", ""),
            "a.toml, line 4, `[mesh]`: the key `nx` is missing in [mesh]; add it: a whole number",
        ),
        (scene("", "").replace("nx = 3", "nx = 3001"), "`mesh.nx` must be a whole number from 2 to 3000, not 3001"),
        (scene("pins = [6]", ""), "a.toml, line 3, `pins = [6]`: the pin 6 lies outside the mesh of 3 x 2 particles"),
        (scene("pins = [[3, 0]]", ""), "a.toml, line 3, `pins = [[3, 0]]`: the pin [3, 0] lies outside the mesh"),
        (
            scene("integrator = \"euler\"", ""),
            "a.toml, line 3, `integrator = \"euler\"`: `integrator` must be \"forward-euler\", \"fb-euler\", \"rk4\", \"backward-euler\",",
        ),
        (
            scene("", "[output]\nframes_per_second = 0"),
            "`output.frames_per_second` [1/s] must be a finite number above zero, not 0",
        ),
        (scene("", "[material"), "a.toml, line 8, `[material`: this is not TOML: "),
        (String::new(), "a.toml: the key `step` is missing"),
    ] {
        desk.write("a.toml", &text);
        let message = desk.refused("a.toml");
        assert!(message.starts_with("a.toml") && message.contains(expected), "{message}\nis not\n{expected}");
    }
}

#[test]
fn files_that_are_no_scene_are_refused() {
    let desk = Desk::new();
    assert_eq!(desk.refused("absent.toml"), "absent.toml: there is no such file; name a scene file, examples are in scenes/");
    fs::create_dir(desk.path("folder")).expect("a folder");
    assert_eq!(desk.refused("folder"), "folder is a folder; name a scene file in it");
    desk.write("latin.toml", b"step = 1e-3\n# caf\xe9\n");
    assert_eq!(desk.refused("latin.toml"), "latin.toml, line 2: this is not UTF-8 text; save the file as UTF-8");
    desk.write("a.toml", scene("", ""));
    desk.write("file", "");
    let said = desk.simulate(&["a.toml", "--out", "file"]);
    assert_eq!((said.code, said.err.as_str()), (Some(2), "error: file is a file; choose a folder with --out\n"));
}

#[test]
fn mistakes_in_a_table_are_refused_with_line_and_column() {
    let desk = Desk::new();
    fs::create_dir(desk.path("scenes")).expect("a folder");
    desk.write("scenes/a.toml", scene("pins = [5]", TABLES));
    let named = "scenes/a.toml, line 9, `positions = \"x.csv\"`: ";
    assert_eq!(
        desk.refused("scenes/a.toml"),
        format!("{named}there is no file scenes/x.csv; the name is relative to the scene file")
    );
    fs::create_dir(desk.path("scenes/x.csv")).expect("a folder");
    assert_eq!(desk.refused("scenes/a.toml"), format!("{named}scenes/x.csv is a folder; name a table in it"));
    fs::remove_dir(desk.path("scenes/x.csv")).expect("an empty folder");
    let good: String = (0..6).map(|particle| format!("{particle},{},{},0\n", particle % 3, particle / 3)).collect();
    for (text, expected) in [
        (format!("i,x,y,z\n{good}"), ", line 1, `i,x,y,z`: the columns must be particle,x,y,z"),
        (format!("particle,x,y,z\n{good}6,0,0,0\n"), ": the table must have 6 rows, one for each particle of the mesh, not 7"),
        ("particle,x,y,z\n0,0,0,0\n".into(), ": the table must have 6 rows, one for each particle of the mesh, not 1"),
        (
            format!("particle,x,y,z\n{good}").replace("4,1,1,0", "4,1,one,0"),
            ", line 6, `4,1,one,0`: `y` must be a finite number, not `one`",
        ),
        (
            format!("particle,x,y,z\n{good}").replace("4,1,1,0", "4,1,1,inf"),
            ", line 6, `4,1,1,inf`: `z` must be a finite number, not `inf`",
        ),
    ] {
        desk.write("scenes/x.csv", text);
        assert_eq!(desk.refused("scenes/a.toml"), format!("scenes/x.csv{expected}"));
    }
    desk.write("scenes/x.csv", format!("particle,x,y,z\n{good}"));
    desk.write("scenes/v.csv", format!("particle,x,y,z\n{good}"));
    assert!(desk.refused("scenes/a.toml").starts_with("scenes/v.csv: particle 5 is held by a pin; write 0,0,0"));
}

#[test]
fn the_shipped_scenes_run() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let desk = Desk::new();
    let mut scenes = Vec::new();
    for entry in fs::read_dir(&shipped).expect("the folder of scenes") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        fs::copy(&path, desk.path(&name)).expect("a copy");
        scenes.extend(name.ends_with(".toml").then_some(name));
    }
    assert!(scenes.len() >= 3, "{scenes:?}");
    for name in scenes {
        let text = desk.read(&name);
        assert!(
            text.contains(&format!("clothlab simulate scenes/{name} --out out/{}", name.trim_end_matches(".toml"))),
            "{name}"
        );
        let step: f64 = value(&text, "step").parse().expect("a number");
        let short = format!("duration = {}", 5.0 * step);
        desk.write(&name, text.replace(&format!("duration = {}", value(&text, "duration")), &short));
        let said = desk.run(&name, &format!("out-{name}"));
        assert!(said.out.starts_with("5 steps of") && !said.out.contains("warning"), "{name}: {}", said.out);
        let energies = desk.table(&format!("out-{name}/energies.csv"));
        let [first, last] = [&energies[0], &energies[energies.len() - 1]];
        assert!(last[0] == 5.0 && last[2] > 0.0 && last[2] != first[2], "{name}: nothing moves");
    }
}

/// The value of a key at the beginning of a line.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")).expect("a key of the scene");
    line.split_whitespace().next().expect("a value")
}
