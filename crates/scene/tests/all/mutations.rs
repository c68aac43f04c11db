//! Thousands of damaged scenes, tables, meshes and key frames: each is read and made a run, or refused with one line, and none ends
//! the program.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use cloth::State;
use scene::{Reading, Scene, read_gusts, read_keyframes, read_motion, read_obj, read_places, read_vectors};

/// Damaged scenes, tables, meshes and key frames; with 500 damaged profiles in `experiments/driver/src/profile.rs` these are more than ten
/// thousand.
const SCENES: usize = 3_500;
const TABLES: usize = 2_500;
const MESHES: usize = 3_500;
const KEYFRAMES: usize = 1_000;
const PLACES: usize = 1_000;

/// Runs of more particles are read, but not made: that takes time, and nothing else.
const MADE: usize = 2_000;

/// A generator of its own, so that the cases stay what they are: splitmix64.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// What numbers and words are replaced by.
const VALUES: [&str; 24] = [
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "nan",
    "inf",
    "9223372036854775807",
    "18446744073709551616",
    "1.5",
    "[]",
    "{}",
    "\"\"",
    "true",
    "1e400",
    "-0.0",
    "\"fb-euler\"",
    "[1, 2",
    "'",
    "\u{1b}[31m",
    "\u{0}",
    "3000000",
    "1_000",
    "0x10",
];

/// A text with one to four damages: characters changed, cut or doubled, lines swapped, values replaced.
fn damaged(text: &str, draws: &mut Draws) -> String {
    let mut text = text.to_owned();
    for _ in 0..=draws.below(4) {
        let characters: Vec<char> = text.chars().collect();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match draws.below(6) {
            0 => {
                let at = draws.below(characters.len());
                text = characters.iter().enumerate().map(|(k, c)| if k == at { '\u{7f}' } else { *c }).collect();
            }
            1 => text = characters[..draws.below(characters.len())].iter().collect(),
            2 if !lines.is_empty() => {
                let (from, to) = (draws.below(lines.len()), draws.below(lines.len()));
                lines.swap(from, to);
                text = lines.join("\n") + "\n";
            }
            3 if !lines.is_empty() => {
                let at = draws.below(lines.len());
                lines.insert(at, lines[at].clone());
                text = lines.join("\n") + "\n";
            }
            4 if !lines.is_empty() => {
                lines.remove(draws.below(lines.len()));
                text = lines.join("\n") + "\n";
            }
            _ if !lines.is_empty() => {
                let at = draws.below(lines.len());
                let value = VALUES[draws.below(VALUES.len())];
                let line = &lines[at];
                lines[at] = match line.split_once('=') {
                    Some((key, _)) => format!("{key}= {value}"),
                    None => {
                        let mut words: Vec<&str> = line.split([' ', ',']).collect();
                        let word = draws.below(words.len());
                        words[word] = value;
                        words.join(if line.contains(',') { "," } else { " " })
                    }
                };
                text = lines.join("\n") + "\n";
            }
            _ => {}
        }
    }
    text
}

/// Reads damaged texts made of some sound ones; `read` gives the message of a refusal.
fn attack(seed: u64, cases: usize, sound: &[String], read: impl Fn(&str) -> Option<String>) {
    let mut draws = Draws(seed);
    let mut refused = 0;
    for case in 0..cases {
        let text = damaged(&sound[draws.below(sound.len())], &mut draws);
        let message = catch_unwind(AssertUnwindSafe(|| read(&text)));
        let message = message.unwrap_or_else(|_| panic!("case {case} panicked on\n{text}"));
        if let Some(message) = message {
            refused += 1;
            assert!(!message.trim().is_empty() && !message.contains(char::is_control), "case {case}: {message:?}");
        }
    }
    assert!(refused > cases / 10, "only {refused} of {cases} were refused: the damages are too mild");
}

/// Makes the run of a scene, whose mesh is read, from rest; the message where that is refused.
fn made(scene: &Scene) -> Option<String> {
    let model = match scene.model() {
        Ok(model) => model,
        Err(invalid) => return Some(invalid.to_string()),
    };
    let start = State::at_rest(model.rest());
    scene.run_of(model, start).err().map(|invalid| invalid.to_string())
}

/// Makes the run of the text of a scene, for whose file the text of its mesh stands in; the message where that is refused.
fn made_of(text: &str, mesh: &str) -> Option<String> {
    let scene = match Scene::parse(text) {
        Ok(scene) => scene,
        Err(mistake) => return Some(mistake.to_string()),
    };
    if scene.obj().is_none() {
        let small = scene.sheet().is_none_or(|sheet| sheet.grid.particle_count() <= MADE);
        return if small { made(&scene) } else { None };
    }
    match read_obj(mesh, &Reading::default()) {
        Ok(obj) => match Scene::parse_on(text, &obj) {
            Ok(scene) => made(&scene),
            Err(mistake) => Some(mistake.to_string()),
        },
        Err(error) => Some(error.to_string()),
    }
}

const QUADS: &str =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0.5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 2 0\nf 1/1 2/2 3/3 4/4\nf 2/2 5/5 3/3\n";

/// A scene of a mesh from a file.
const OF_MESH: &str =
    "step = 0.01\nduration = 0.1\nintegrator = \"backward-euler\"\npins = [1, 3]\n[mesh.obj]\nfile = \"a.obj\"\n";

fn shipped_scenes() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<_> = fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "toml"));
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a scene")).collect()
}

#[test]
fn damaged_scenes_are_read_or_refused_in_one_line() {
    let mut sound = shipped_scenes();
    sound.push(include_str!("../../src/every_key.toml").to_owned());
    sound.push(OF_MESH.to_owned());
    assert!(sound.len() > 6);
    attack(1, SCENES, &sound, |text| made_of(text, QUADS));
}

#[test]
fn damaged_tables_are_read_or_refused_in_one_line() {
    let table: String = (0..12).map(|k| format!("{k},{}.5,-1e-3,{k}e2\n", k * k)).collect();
    let sound = [format!("particle,x,y,z\n{table}")];
    attack(2, TABLES, &sound, |text| read_vectors(text.as_bytes(), 12).err().map(|error| error.to_string()));
}

#[test]
fn damaged_key_frames_are_read_or_refused_in_one_line() {
    let rows: String = (0..9).map(|k| format!("{k},{}.5,-1e-3,{k}e2\n", k * k)).collect();
    let sound = [format!("t,x,y,z\n{rows}"), format!("t,x,y,z,rx,ry,rz\n{}", rows.replace('\n', ",0,1,2\n"))];
    attack(4, KEYFRAMES, &sound, |text| read_keyframes(text).err().map(|error| error.to_string()));
}

#[test]
fn damaged_gusts_are_read_or_refused_in_one_line() {
    let rows: String = (0..9).map(|k| format!("{k},{}.5,-1e-3,{k}e2\n", k * k)).collect();
    attack(5, KEYFRAMES, &[format!("t,x,y,z\n{rows}")], |text| read_gusts(text).err().map(|error| error.to_string()));
}

#[test]
fn damaged_places_are_read_or_refused_in_one_line() {
    let rows = |begins: &str| (0..9).map(|k| format!("{begins}{k},{}.5,-1e-3,{k}e2\n", k * k)).collect::<String>();
    let sound = [format!("t,particle,x,y,z\n{}{}", rows("0.1,"), rows("0.2,")), format!("particle,x,y,z\n{}", rows(""))];
    attack(6, PLACES, &sound, |text| match read_motion(text, 12) {
        Ok(_) => None,
        Err(of_motion) => Some(read_places(text, 12).err().unwrap_or(of_motion).to_string()),
    });
}

#[test]
fn damaged_meshes_are_read_or_refused_in_one_line() {
    let sound = [
        QUADS.to_owned(),
        QUADS.replace("1/1 2/2", "1 2").replace("3/3 4/4", "3 -2"),
        format!("# a mesh\no cloth\n{QUADS}s off\n"),
    ];
    attack(3, MESHES, &sound, |text| made_of(OF_MESH, text));
}
