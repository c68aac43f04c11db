//! Programs that are killed at any time, with SIGKILL, and go on to the bytes of one that was left alone.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Desk, Files, SMOKE, Working, differing, is_full};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What came of an attack.
#[derive(Debug, Default)]
struct Attack {
    kills: usize,
    compared: usize,
    differences: Vec<String>,
}

impl Attack {
    /// Kills a command `kills` times at times that are drawn from how long it takes alone, each time from where the one before was
    /// killed, and compares what the last one, which ends, leaves with `whole`. All kills together take about half of that time.
    fn on(&mut self, desk: &Desk, command: &[&str], whole: &Files, alone: Duration, kills: usize, seed: u64) {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..kills {
            let mut working = Working::start(desk.program(command));
            let after = alone.mul_f64(stream.random_range(0.0..1.0) / kills as f64);
            let begun = Instant::now();
            if working.wait_until_or_end(|| {
                thread::sleep(Duration::from_micros(200));
                begun.elapsed() >= after
            }) {
                self.kills += 1;
            }
            working.kill_if_there();
        }
        let said = desk.clothlab(command);
        assert_eq!(said.code, Some(0), "{command:?} after {kills} kills of seed {seed}: {}", said.err);
        let left = determined(desk);
        self.compared += left.len();
        self.differences.extend(differing(whole, &left).into_iter().map(|file| format!("{command:?}, seed {seed}: {file}")));
        let verified = desk.clothlab(&["verify", "out"]);
        assert_eq!(verified.code, Some(0), "{command:?}, seed {seed}: {}", verified.err);
    }

    /// Rounds of kills of a study, each in an empty folder.
    fn on_study(&mut self, study: &str, options: &[&str], rounds: u64, kills: usize) {
        let desk = Desk::new();
        desk.write("smoke.toml", SMOKE);
        let command = [&["run", study, "--profile", "smoke.toml", "--out", "out"], options].concat();
        let begun = Instant::now();
        let said = desk.clothlab(&command);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let (whole, alone) = (determined(&desk), begun.elapsed());
        for seed in 0..rounds {
            fs::remove_dir_all(desk.path("out")).expect("a folder");
            self.on(&desk, &command, &whole, alone, kills, seed);
        }
    }

    /// Rounds of kills of a simulation that replaces another one.
    fn on_simulation(&mut self, rounds: u64, kills: usize) {
        let scene = |spacing: f64| {
            format!(
                "step = 0.005\nduration = 0.2\nintegrator = \"fb-euler\"\n[mesh]\nnx = 20\nny = 20\nspacing = {spacing}\n\
                 [material]\nstretch = {{ stiffness = 10, damping = 0.005 }}\nshear = {{ stiffness = 5, damping = 0.005 }}\n\
                 [output]\nframes_per_second = 200.0\n"
            )
        };
        let desk = Desk::new();
        let command = ["simulate", "scene.toml", "--out", "out", "--force"];
        for seed in 0..rounds {
            _ = fs::remove_dir_all(desk.path("out"));
            desk.write("scene.toml", scene(0.05));
            let begun = Instant::now();
            assert_eq!(desk.clothlab(&command).code, Some(0));
            let (whole, alone) = (determined(&desk), begun.elapsed());
            desk.write("scene.toml", scene(0.04));
            assert_eq!(desk.clothlab(&command).code, Some(0));
            desk.write("scene.toml", scene(0.05));
            self.on(&desk, &command, &whole, alone, kills, seed);
        }
    }
}

/// The files of a folder that depend on neither time nor history: those that SHA256SUMS covers, and itself.
fn determined(desk: &Desk) -> Files {
    let mut files = desk.determined("out");
    assert!(!files.keys().any(|name| name.contains(".unfinished")), "{:?}", files.keys());
    let sums = desk.read("out/SHA256SUMS");
    files.retain(|name, _| name == "SHA256SUMS" || sums.contains(&format!("  {name}\n")));
    files
}

/// A dozen kills of four studies and a simulation; a hundred of all studies where everything is tested.
#[test]
fn kills_at_any_time_leave_no_differing_byte() {
    let mut attack = Attack::default();
    let (apart, kills, rounds, fewest) = if is_full() { (1, 9, 6, 100) } else { (5, 3, 2, 8) };
    for study in crate::common::studies_of("smoke").iter().step_by(apart) {
        attack.on_study(study.name, &["--sets", "3"], 1, kills);
        eprintln!("{}: {} kills, {} files, {} differences", study.name, attack.kills, attack.compared, attack.differences.len());
    }
    attack.on_simulation(rounds, 4);
    eprintln!("{} kills, {} files compared, {} differences", attack.kills, attack.compared, attack.differences.len());
    assert_eq!(attack.differences, [""; 0]);
    assert!(attack.kills >= fewest, "{} kills", attack.kills);
}
