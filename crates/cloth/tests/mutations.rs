//! Thousands of damaged scenes, tables and meshes: each is read or refused with one line, and none ends the program.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use cloth::scene::{Scene, read_obj, read_vectors};

/// Damaged texts of each kind.
const CASES: usize = 2_500;

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
fn attack(seed: u64, sound: &[String], read: impl Fn(&str) -> Option<String>) {
    let mut draws = Draws(seed);
    let mut refused = 0;
    for case in 0..CASES {
        let text = damaged(&sound[draws.below(sound.len())], &mut draws);
        let message = catch_unwind(AssertUnwindSafe(|| read(&text)));
        let message = message.unwrap_or_else(|_| panic!("case {case} panicked on\n{text}"));
        if let Some(message) = message {
            refused += 1;
            assert!(!message.trim().is_empty() && !message.contains('\n'), "case {case}: {message:?}");
        }
    }
    assert!(refused > CASES / 10, "only {refused} of {CASES} were refused: the damages are too mild");
}

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
    sound.push(include_str!("../src/scene/every_key.toml").to_owned());
    assert!(sound.len() > 5);
    attack(1, &sound, |text| Scene::parse(text).err().map(|mistake| mistake.to_string()));
}

#[test]
fn damaged_tables_are_read_or_refused_in_one_line() {
    let table: String = (0..12).map(|k| format!("{k},{}.5,-1e-3,{k}e2\n", k * k)).collect();
    let sound = [format!("particle,x,y,z\n{table}")];
    attack(2, &sound, |text| read_vectors(text.as_bytes(), 12).err().map(|error| error.to_string().replace('\n', " ")));
}

#[test]
fn damaged_meshes_are_read_or_refused_in_one_line() {
    let quads = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0.5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 2 0\nf 1/1 2/2 3/3 4/4\nf 2/2 5/5 3/3\n";
    let sound = [
        quads.to_owned(),
        quads.replace("1/1 2/2", "1 2").replace("3/3 4/4", "3 -2"),
        format!("# a mesh\no cloth\n{quads}s off\n"),
    ];
    attack(3, &sound, |text| read_obj(text, 1.0).err().map(|error| error.to_string()));
}
