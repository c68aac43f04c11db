//! What the tests of the driver share: a folder for each, the program, small profiles, and what came of a run.
#![allow(dead_code, reason = "a test file uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use clothlab::PROGRAM;
use driver::profile::Profile;
use lab::study::Study;
use tempfile::TempDir;

/// The study that the driver is tested with.
pub const STUDY: &str = "fb-euler-stability";

/// True where everything is tested, with `CLOTHLAB_FULL=1`, and not what finds most mistakes in a tenth of the time.
pub fn is_full() -> bool {
    std::env::var_os("CLOTHLAB_FULL").is_some()
}

/// The smallest shipped profile.
pub const SMOKE: &str = include_str!("../../../profiles/smoke.toml");

/// All studies of a shipped profile.
pub fn studies_of(profile: &str) -> Vec<Study> {
    Profile::load(&PROGRAM, profile).unwrap_or_else(|failure| panic!("{failure}")).studies
}

/// A scene that is filmed, of a fraction of a second.
pub const SCENE: &str = "step = 0.005\nduration = 0.2\nintegrator = \"fb-euler\"\n[material]\nstretch = { stiffness = 10, damping = 0.005 }\nshear = { stiffness = 5, damping = 0.005 }\n[mesh]\nnx = 20\nny = 20\nspacing = 0.05\n\
                     [output]\nframes_per_second = 200.0\n";

/// A profile of a few milliseconds.
pub fn tiny() -> String {
    changed(&[
        ("sets = 24", "sets = 10"),
        ("side = [5, 8]", "side = [3, 4]"),
        ("steps = 200", "steps = 40"),
        ("steps = 3000", "steps = 1000"),
        ("sets = 40", "sets = 8"),
        ("cell = 0.25", "cell = 0.5"),
        ("cell = 0.25", "cell = 0.5"),
        ("cell = 0.125", "cell = 0.5"),
    ])
}

/// A profile that keeps one thread busy for a second or two: long enough to be interrupted.
pub fn slow() -> String {
    changed(&[("sets = 24", "sets = 30"), ("side = [5, 8]", "side = [12, 14, 16]"), ("steps = 200", "steps = 500")])
}

/// The smoke profile without its units, with some of its text replaced.
pub fn changed(changes: &[(&str, &str)]) -> String {
    let lines = SMOKE.lines().map(|line| line.split_once(" # [").map_or(line, |(numbers, _)| numbers));
    let plain: String = lines.map(|line| format!("{line}\n")).collect();
    changes.iter().fold(plain, |text, (from, to)| {
        assert!(text.contains(from), "the smoke profile has no `{from}`");
        text.replacen(from, to, 1)
    })
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a writable folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// A folder of its own for a test, where the program runs. It holds the profile `tiny.toml`.
pub struct Desk(TempDir);

/// What a run of the program said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let is_progress = |line: &str| line.starts_with("simulation: ") && line.ends_with(" s left"); // of a slow machine alone
        let err = text(&output.stderr).split_inclusive('\n').filter(|line| !is_progress(line.trim_end())).collect();
        Said { code: output.status.code(), out: text(&output.stdout), err }
    }
}

impl Said {
    /// The message of a run that had to end with `code`: one line, and nothing that a panic would print.
    pub fn refusal(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("no error line: {}", self.err))
    }
}

/// Every file of a folder by its path in it.
pub type Files = BTreeMap<String, Vec<u8>>;

impl Desk {
    pub fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().expect("a temporary folder"));
        desk.write("tiny.toml", tiny());
        desk
    }

    /// One with folders of the checkout.
    pub fn of_checkout(folders: &[&str]) -> Desk {
        let desk = Desk::new();
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        folders.iter().for_each(|folder| copy(&checkout.join(folder), &desk.path(folder)));
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a writable folder");
        fs::write(path, contents).expect("a writable folder");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Replaces the first `from` in a file, which must have it.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, text.replacen(from, to, 1));
    }

    /// The program, to be started in this folder.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clothlab"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    /// Runs the program in this folder.
    pub fn clothlab(&self, arguments: &[&str]) -> Said {
        self.program(arguments).output().expect("the program starts").into()
    }

    /// Measures the study, which must succeed.
    pub fn run(&self, profile: &str, out: &str, options: &[&str]) -> Said {
        let said = self.clothlab(&[&run(profile, out)[..], options].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    }

    /// Runs what must be refused as bad input.
    pub fn refused(&self, arguments: &[&str]) -> String {
        self.clothlab(arguments).refusal(2).to_owned()
    }

    /// All files of a folder but its lock, which is always empty.
    pub fn files(&self, folder: &str) -> Files {
        let mut files = Files::new();
        gather(&self.path(folder), "", &mut files);
        files.retain(|name, _| !name.ends_with(".lock"));
        files
    }

    /// The files of a finished folder that depend on neither time, nor machine, nor history.
    pub fn determined(&self, folder: &str) -> Files {
        let mut files = self.files(folder);
        files.retain(|name, _| {
            let of_times =
                ["timings.csv", "claims-of-times.csv", "claims-numbers-of-times.csv", "run.json", "SHA256SUMS-of-times"];
            !name.starts_with("parts/") && !of_times.contains(&name.as_str())
        });
        assert!(files.contains_key("SHA256SUMS"), "{folder} is not finished: {:?}", files.keys());
        files
    }
}

/// Arguments that measure the study.
pub fn run<'a>(profile: &'a str, out: &'a str) -> [&'a str; 6] {
    ["run", STUDY, "--profile", profile, "--out", out]
}

fn gather(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let name = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            gather(&path, &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read(&path).expect("a readable file"));
        }
    }
}

/// Names of the files that are not the same in both folders, or in one of them only.
pub fn differing(a: &Files, b: &Files) -> Vec<String> {
    let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
    names.filter(|name| a.get(*name) != b.get(*name)).cloned().collect()
}

/// A program at work, ended with the test.
pub struct Working(Child);

impl Working {
    pub fn start(mut command: Command) -> Working {
        Working(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts"))
    }

    /// Waits until a part file holds `count` finished cases below its header.
    pub fn wait_for(&mut self, part: &Path, count: usize) {
        self.wait_until(|| fs::read_to_string(part).unwrap_or_default().matches('\n').count() > count);
    }

    /// Waits until something is `done`.
    pub fn wait_until(&mut self, done: impl Fn() -> bool) {
        while !done() {
            let ended = self.0.try_wait().expect("a child");
            assert_eq!(ended, None, "the run ended before it could be interrupted");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until something is `done` or the program has ended; whether it is still at work.
    pub fn wait_until_or_end(&mut self, done: impl Fn() -> bool) -> bool {
        loop {
            if done() {
                return true;
            }
            if self.0.try_wait().expect("a child").is_some() {
                return false;
            }
        }
    }

    /// SIGKILL to a program that may have ended.
    pub fn kill_if_there(mut self) {
        _ = self.0.kill();
        self.0.wait().expect("a child");
    }

    /// SIGKILL, or what the system has in its place.
    pub fn kill(mut self) {
        self.0.kill().expect("a child that is still there");
        let status = self.0.wait().expect("a child");
        assert!(!status.success(), "the run was over before it was killed");
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        // it may have ended by itself
        _ = self.0.kill();
        _ = self.0.wait();
    }
}
