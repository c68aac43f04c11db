use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use kit::Failure;
use lab::files::{FileError, LARGEST, make_folder, read_bytes, write_whole};
use lab::measure::run::{Request as Asked, groups, hold};
use lab::measure::share::{MOST, Share};
use serde::{Deserialize, Serialize};

use super::expected::{expected_seconds, words};
use crate::output::say;
use crate::profile::Profile;
use crate::program::Program;
use crate::whole::Whole;
use crate::workspace::{self, default_jobs, find};

/// A sweep that an engine is to run.
#[derive(clap::Args)]
pub struct Request {
    /// The study, as `clothlab list` names it
    study: String,
    /// What runs the shards
    #[arg(long, value_enum)]
    engine: Engine,
    /// Number of shards [default: so many that each takes half an hour]
    #[arg(long, value_name = "N", value_parser = Whole(1..=MOST), allow_negative_numbers = true)]
    shards: Option<u64>,
    /// Parameter sets of the main group, or of --only; other sampled groups take the same share of theirs, at most as many
    #[arg(long, value_name = "M", value_parser = Whole(1..=1_000_000), allow_negative_numbers = true)]
    sets: Option<u64>,
    /// Base seed of all random sets
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Measure one group only
    #[arg(long, value_name = "GROUP")]
    only: Option<String>,
    /// paper, smoke, or a file that ends in .toml
    #[arg(long, value_name = "P", default_value = "paper")]
    profile: String,
    /// Threads of each task
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = Whole(1..=1024), allow_negative_numbers = true)]
    jobs: u64,
    /// Options for sbatch or parallel as they are, such as "--partition=short --account=cloth"
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pass: String,
    /// Folder of the sweep, which all machines must see [default: out/STUDY-sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Submit it, instead of only writing what would be submitted
    #[arg(long)]
    go: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    Slurm,
    Hyperqueue,
    Parallel,
}

impl Engine {
    /// The program that takes jobs.
    fn program(self) -> &'static str {
        match self {
            Engine::Slurm => "sbatch",
            Engine::Hyperqueue => "python3",
            Engine::Parallel => "parallel",
        }
    }

    fn script(self) -> &'static str {
        match self {
            Engine::Slurm => include_str!("engines/slurm.sh"),
            Engine::Hyperqueue => include_str!("engines/hyperqueue.py"),
            Engine::Parallel => include_str!("engines/parallel.sh"),
        }
    }
}

/// What a folder of a sweep says of itself: `sweep.json`.
#[derive(Debug, Deserialize, Serialize)]
pub struct Sweep {
    pub study: String,
    pub engine: Engine,
    pub shards: u64,
}

/// The name of the file.
pub const SWEEP: &str = "sweep.json";

/// A task that ends sooner spends its time on waiting for its turn; a longer one is stopped by limits of queues \[s\].
const TASK: [f64; 2] = [600.0, 3600.0];
/// What a task takes if nobody says how many there are \[s\].
const USUAL: f64 = 1800.0;
/// How much longer than expected a task may take.
const SLACK: f64 = 3.0;

/// Writes what an engine needs to measure a study in shards, and submits it where that is asked for.
///
/// # Errors
/// As [`Failure`] says.
pub fn submit(program: &Program, request: &Request) -> Result<(), Failure> {
    let profile = Profile::load(program, &request.profile)?;
    let studies = &profile.studies;
    let study = find(studies, &request.study)?;
    let wanted = groups(study, request.only.as_deref())?;
    let identity = program.identity(study, request.seed);
    let folder = request.out.clone().unwrap_or_else(|| workspace::root().join("out").join(format!("{}-sweep", study.name)));
    let only = request.only.as_deref();
    let asked = Asked { sets: request.sets, only, fresh: true, ..Asked::all(&identity, Path::new(""), request.jobs as usize) };
    if request.engine == Engine::Hyperqueue && !request.pass.is_empty() {
        return Err(Failure::Usage("--pass goes with slurm and parallel; HyperQueue takes no options here".into()));
    }
    let (seconds, by) = expected_seconds(program, study, &wanted, &asked)?;
    let shards = request.shards.unwrap_or_else(|| (seconds / USUAL).ceil().clamp(1.0, MOST as f64) as u64);
    let each = seconds / shards as f64;
    if request.go && !is_on_path(request.engine.program()) {
        let program = request.engine.program();
        return Err(Failure::Usage(format!(
            "{program} is not on the PATH; leave --go out, and run the script `submit` where it is"
        )));
    }
    if folder.join(SWEEP).exists() {
        let folder = folder.display();
        return Err(Failure::Usage(format!(
            "{folder} holds a sweep; `{folder}/submit` goes on with it, or choose another --out"
        )));
    }
    make_folder(&folder)?;
    let _hold = hold(&folder)?;
    let folder = folder.canonicalize().map_err(|source| FileError::read(&folder, source))?;
    let written = Written { request, shards, each, folder: &folder };
    written.write_all(study.name)?;
    say(format!("{}: {shards} shards of about {} by {by}, on {} threads each", study.name, words(each), request.jobs))?;
    if let Some(advice) = advice(seconds, each) {
        say(format!("  {advice}"))?;
    }
    let submit = folder.join("submit");
    if !request.go {
        return say(format!("{} submits them; `clothlab status {}` shows how far they are", submit.display(), folder.display()));
    }
    let status = Command::new(&submit).status().map_err(|source| FileError::read(&submit, source))?;
    if status.success() {
        return say(format!("`clothlab status {}` shows how far they are", folder.display()));
    }
    Err(Failure::Usage(format!("{} failed: {status}; what it said stands above, what tasks said in its logs", submit.display())))
}

/// A number of shards that would be better, where tasks are short or long.
fn advice(seconds: f64, each: f64) -> Option<String> {
    let better = (seconds / USUAL).ceil().max(1.0);
    match each {
        _ if each > TASK[1] => Some(format!("tasks of 10 to 60 minutes fare best in queues: --shards {better}")),
        _ if each < TASK[0] && seconds > TASK[0] => {
            Some(format!("tasks of 10 to 60 minutes waste least on waiting: --shards {better}"))
        }
        _ => None,
    }
}

fn is_on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// A word of a shell script that means what it says.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The files of a sweep.
struct Written<'a> {
    request: &'a Request,
    shards: u64,
    /// Time of a shard \[s\].
    each: f64,
    folder: &'a Path,
}

impl Written<'_> {
    fn write_all(&self, study: &str) -> Result<(), Failure> {
        let Written { request, shards, folder, .. } = self;
        let mut arguments = vec![format!("--jobs {}", request.jobs), format!("--seed {}", request.seed)];
        arguments.extend(request.sets.map(|sets| format!("--sets {sets}")));
        arguments.extend(request.only.as_deref().map(|only| format!("--only {}", quoted(only))));
        if request.profile.ends_with(".toml") {
            let profile = folder.join("profile.toml");
            write_whole(&profile, &read_bytes(Path::new(&request.profile), LARGEST)?)?;
            arguments.push(format!("--profile {}", quoted(&profile.to_string_lossy())));
        } else {
            arguments.push(format!("--profile {}", request.profile));
        }
        for below in ["logs", "shards"] {
            make_folder(&folder.join(below))?;
        }
        // a build in the meantime would make another program of it
        let program = env::current_exe().map_err(|source| FileError::read(Path::new("clothlab"), source))?;
        self.executable("clothlab", &read_bytes(&program, LARGEST)?)?;
        let filled = |script: &str| {
            let minutes = (SLACK * self.each / 60.0).ceil().max(10.0);
            let at_once = (default_jobs() as u64 / request.jobs).max(1);
            let values = [
                ("@HERE@", quoted(&folder.to_string_lossy())),
                ("@HERE_OF_PYTHON@", serde_json::to_string(&folder.to_string_lossy()).unwrap_or_default()),
                ("@ROOT@", quoted(&workspace::root().to_string_lossy())),
                ("@STUDY@", study.to_owned()),
                ("@SHARDS@", shards.to_string()),
                ("@ARGUMENTS@", arguments.join(" ")),
                ("@JOBS@", request.jobs.to_string()),
                ("@MINUTES@", minutes.to_string()),
                ("@AT_ONCE@", at_once.to_string()),
                ("@PASS@", request.pass.clone()),
            ];
            values.into_iter().fold(script.to_owned(), |text, (name, value)| text.replace(name, &value))
        };
        for (name, script) in [("shard", include_str!("engines/shard.sh")), ("merge", include_str!("engines/merge.sh"))] {
            self.executable(name, filled(script).as_bytes())?;
        }
        if request.engine == Engine::Slurm {
            self.executable("array", filled(include_str!("engines/array.sh")).as_bytes())?;
        }
        self.executable("submit", filled(request.engine.script()).as_bytes())?;
        let sweep = Sweep { study: study.into(), engine: request.engine, shards: *shards };
        let text = serde_json::to_string_pretty(&sweep).unwrap_or_default() + "\n";
        Ok(write_whole(&folder.join(SWEEP), text.as_bytes())?)
    }

    fn executable(&self, name: &str, contents: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        write_whole(&path, contents)?;
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .map_err(|source| FileError::write(&path, source))?;
        Ok(())
    }
}

/// Where the shard of a number is, below the folder of a sweep.
pub fn shard_of(sweep: &Path, number: u64) -> PathBuf {
    sweep.join("shards").join(number.to_string())
}

/// The shards of a sweep.
pub fn shares(sweep: &Sweep) -> impl Iterator<Item = Share> {
    let of = sweep.shards;
    (1..=of).map(move |number| Share { number, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_script_mean_what_they_say() {
        let word = "it's $HOME `x` \"y\"";
        let said = Command::new("sh").arg("-c").arg(format!("printf %s {}", quoted(word))).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&said.stdout), word);
    }

    #[test]
    fn advice_is_given_where_tasks_are_short_or_long() {
        assert_eq!(advice(7200.0, 1800.0), None);
        assert!(advice(7200.0, 7200.0).is_some_and(|advice| advice.ends_with("--shards 4")));
        assert!(advice(7200.0, 72.0).is_some_and(|advice| advice.ends_with("--shards 4")));
        assert_eq!(advice(60.0, 15.0), None, "nothing helps a short sweep");
    }
}
