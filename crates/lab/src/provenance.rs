//! Where results come from: commit, compiler, machine, arguments, times.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::read_text;
use crate::measure::identity::{Identity, sha256};

/// State of the sources when a run began.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Sources {
    /// Commit, if the program ran in the checkout that it was built from.
    pub commit: Option<String>,
    /// Whether the checkout differed from the commit, results, plots and the report aside.
    pub dirty: Option<bool>,
    /// Hash of that difference.
    pub difference: Option<String>,
    /// Hash of Cargo.lock.
    pub lock: String,
    /// `rustc -vV` of the build.
    pub compiler: String,
    /// Flags and profile of the build.
    pub flags: String,
}

/// The machine, as far as times depend on it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Machine {
    /// Model name of the processor.
    pub cpu: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// Instruction set of the kernels.
    pub instruction_set: String,
    /// Load average over a minute when the run began.
    pub load: Option<f64>,
}

/// Everything about a run that its rows do not depend on, and the identity on which they do: `run.json`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Provenance {
    /// What the rows depend on.
    pub identity: Identity,
    /// Name of the profile.
    pub profile: String,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    pub threads: usize,
    pub sources: Sources,
    pub machine: Machine,
    /// Cases by group.
    pub groups: Vec<GroupCount>,
    /// When the run began.
    pub start: String,
    /// When it ended.
    pub end: String,
    /// Wall time \[s\].
    pub seconds: f64,
    /// Largest memory of the process \[MB\].
    pub peak_memory: Option<f64>,
    /// The run that times were taken over from; none where they are this run's own, or there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_of: Option<TimesOf>,
    /// Files of the charts that were drawn, as seen from the folder of results; none in records of former versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charts: Option<Vec<String>>,
    /// The machines that measured shards of it; none where one run measured all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<OfShards>,
}

/// A run that took times.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct TimesOf {
    pub machine: Machine,
    /// Commit of its sources.
    pub commit: Option<String>,
    /// When it ended.
    pub end: String,
}

/// Shards that machines of one kind measured.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct OfShards {
    pub machine: Machine,
    pub shards: usize,
    /// Wall time of all of them \[s\].
    pub seconds: f64,
}

impl Provenance {
    /// Cases taken over from an earlier run, of how many.
    pub(crate) fn resumed(&self) -> [usize; 2] {
        let counts = self.groups.iter().map(|group| [group.resumed, group.cases]);
        counts.fold([0, 0], |[resumed, cases], [r, c]| [resumed + r, cases + c])
    }

    /// The run that the times of this one are of.
    pub fn times(&self) -> TimesOf {
        let own = || TimesOf { machine: self.machine.clone(), commit: self.sources.commit.clone(), end: self.end.clone() };
        self.times_of.clone().unwrap_or_else(own)
    }

    /// As `run.json` holds it.
    pub fn json(&self) -> String {
        // plain fields can always be serialised
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// From the `run.json` of a folder; none where it is missing, damaged, or of another version.
    pub fn of(folder: &Path) -> Option<Provenance> {
        serde_json::from_str(&read_text(&folder.join("run.json")).ok()?).ok()
    }
}

/// How much of a group was measured.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct GroupCount {
    pub group: String,
    pub cases: usize,
    pub rows: usize,
    /// Cases taken over from an earlier run.
    pub resumed: usize,
}

/// The present time, RFC 3339.
pub fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// What git is asked about where results, plots and the report leave a checkout clean: everything else.
pub const BUT_RESULTS: [&str; 5] = [".", ":!results", ":!plots", ":!REPORT.md", ":!REPORT.html"];

/// What git says of the checkout around `root`, which holds a Cargo.lock: commit, dirty, hash of the difference.
pub fn checkout(root: &Path) -> (Option<String>, Option<bool>, Option<String>) {
    // a folder that only lies in the checkout of something else has no commit
    let tracked = git(root, &["ls-files", "--error-unmatch", "Cargo.lock"]);
    let Some(commit) = tracked.and_then(|_| git(root, &["rev-parse", "HEAD"])) else { return (None, None, None) };
    let arguments = |first: &[&'static str]| [first, &["--"], &BUT_RESULTS].concat();
    let status = git(root, &arguments(&["status", "--porcelain"])).unwrap_or_default();
    let difference = (!status.is_empty()).then(|| {
        let patch = git(root, &arguments(&["diff", "HEAD"])).unwrap_or_default();
        sha256(format!("{status}\n{patch}"))
    });
    (Some(commit), Some(!status.is_empty()), difference)
}

/// The committed content of a file, if there is one.
pub fn committed(root: &Path, file: &str) -> Option<Vec<u8>> {
    let output = Command::new("git").arg("-C").arg(root).args(["show", &format!("HEAD:./{file}")]).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The machine as the system describes it.
pub fn machine(instruction_set: &str) -> Machine {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(':'));
    let load = fs::read_to_string("/proc/loadavg").ok();
    Machine {
        cpu: model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instruction_set: instruction_set.into(),
        load: load.and_then(|load| load.split_whitespace().next()?.parse().ok()),
    }
}

/// Processor time of this process so far, of all of its threads \[s\]; none where the system does not say.
pub fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // the name of the program, in parentheses, may hold anything
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    // in hundredths of a second on every Linux
    Some((next()? + next()?) / 100.0)
}

/// A clock of the processor time of one thread: work of other programs beside it does not count. Where the system does not say,
/// it is the time on the wall.
pub struct ThreadClock {
    wall: Instant,
    used: Option<f64>,
}

impl ThreadClock {
    /// Begins now, in the thread that will ask.
    pub fn start() -> Self {
        Self { wall: Instant::now(), used: thread_seconds() }
    }

    /// Processor time of this thread since the start \[s\].
    pub fn seconds(&self) -> f64 {
        let used = self.used.and_then(|before| Some(thread_seconds()? - before));
        used.unwrap_or_else(|| self.wall.elapsed().as_secs_f64())
    }
}

/// Processor time of this thread so far \[s\].
#[cfg(unix)]
fn thread_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

#[cfg(not(unix))]
fn thread_seconds() -> Option<f64> {
    None
}

/// Largest memory of this process so far \[MB\].
pub fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes: f64 = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())?;
    Some((kilobytes / 100.0).round() / 10.0)
}
