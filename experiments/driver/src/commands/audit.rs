use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};

use kit::Failure;
use lab::measure::audit::{Audited, Case, audit as measure_again, cases, draw, largest_share};
use lab::provenance::Provenance;
use lab::study::Study;

use super::options::Machine;
use super::verify::intact;
use crate::output::{note, say};
use crate::program::Program;
use crate::sources;
use crate::whole::Whole;
use crate::workspace::{self, Beginning, chosen, measured};

/// What is to be audited.
#[derive(clap::Args)]
pub struct Request {
    /// Cases that are measured again
    #[arg(default_value_t = 200, value_parser = Whole(1..=1_000_000), allow_negative_numbers = true)]
    cases: u64,
    /// Draw from one study only
    #[arg(long, value_name = "NAME")]
    study: Option<String>,
    /// What the cases are drawn by [default: another one each time]
    #[arg(long, value_name = "S", value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Leave out cases that may take longer than so many seconds
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = Whole(1..=1_000_000), allow_negative_numbers = true)]
    longest: u64,
    #[command(flatten)]
    machine: Machine,
}

/// Share of wrong cases for which the probability to miss all of them is told.
const SHARE: f64 = 0.01;
/// Most files that are named where sources differ.
const SHOWN: usize = 3;
/// Probability to miss them for which a share is told.
const DOUBT: f64 = 0.05;

/// Measures published cases again, drawn at random, and compares their rows byte for byte.
///
/// # Errors
/// [`Failure::Determinism`] where a row differs, after a line for each such case.
pub fn audit(program: &Program, request: &Request) -> Result<(), Failure> {
    let (jobs, set) = (request.machine.jobs(), request.machine.instruction_set());
    let root = workspace::root();
    let results = root.join("results");
    let studies = program.published()?;
    let mut studies = measured(&root, chosen(&studies, request.study.as_deref())?)?;
    if request.study.is_none() {
        let moved = moved(&root)?;
        for (name, Moved { reason }) in &moved {
            let run = Provenance::of(&results.join(name));
            if run.is_none_or(|run| run.identity.code == program.code(name)) {
                let what = "experiments/published/moved.toml names";
                return Err(Failure::Usage(format!("{what} {name}, of which no results are by other sources; take it out")));
            }
            note(format!("{name}: left out, since its rows are to be measured anew: {reason}"))?;
        }
        studies.retain(|study| !moved.contains_key(study.name));
    }
    intact(&root, studies.iter().copied(), false)?;
    let mut all = vec![];
    for study in &studies {
        let folder = results.join(study.name);
        let Some(run) = Provenance::of(&folder) else { continue };
        say_other_version(program, study, &run)?;
        all.extend(cases(study, &folder, &run)?);
    }
    let published = all.len();
    all.retain(|case| case.seconds <= request.longest as f64);
    if all.is_empty() {
        return Err(Failure::Usage(format!("no case takes at most {} s; give another --longest", request.longest)));
    }
    let (eligible, seed) = (all.len(), request.seed.unwrap_or_else(unforeseen));
    let drawn = draw(all, request.cases as usize, seed);
    say(format!(
        "{} of {eligible} cases, drawn by --seed {seed}; {} of {published} may take more than {} s and were left out",
        drawn.len(),
        published - eligible,
        request.longest
    ))?;
    let beginning = Beginning::now(program, &root, set);
    let audited = measure_again(&drawn, &results, jobs)?;
    let wrong: Vec<&Audited> = audited.iter().filter(|audited| audited.difference.is_some()).collect();
    for audited in &wrong {
        say_difference(audited)?;
    }
    let number = audited.len();
    if !wrong.is_empty() {
        let wrong = wrong.len();
        return Err(Failure::Determinism(format!("{wrong} of {number} cases are not what was published")));
    }
    say(format!(
        "all {number} cases are what was published, byte for byte: {:.0} s on {jobs} threads, {set} kernels",
        beginning.seconds()
    ))?;
    let escapes = 100.0 * libm::pow(1.0 - SHARE, number as f64);
    say(format!(
        "if 1 % of the {eligible} were wrong, this audit would have found none with a probability of (1 - 0.01)^{number} = {escapes:.1} %; at most \
         {:.2} % are wrong, with 95 % confidence",
        100.0 * largest_share(number, DOUBT)
    ))
}

/// Why published rows of a study are not those of the sources beside them.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    reason: String,
}

/// The studies that `experiments/published/moved.toml` names.
fn moved(root: &Path) -> Result<BTreeMap<String, Moved>, Failure> {
    let path = root.join("experiments/published/moved.toml");
    let text = fs::read_to_string(&path).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| Failure::Usage(format!("{}: {}", path.display(), error.message())))
}

/// A seed that nobody knows beforehand: hashers of the standard library begin with what the system draws.
fn unforeseen() -> u64 {
    RandomState::new().hash_one(()) >> 32
}

/// Says what decides the rows of a study and differs from this program; nothing where that is the same. Rows are to be the same all
/// the same.
fn say_other_version(program: &Program, study: &Study, run: &Provenance) -> Result<(), Failure> {
    match run.identity.difference(&program.identity(study, run.identity.seed)) {
        Some(difference) if run.identity.code == program.code(study.name) => {
            note(format!("{}: results {difference}, which are to have the same rows", study.name))
        }
        Some(_) => note(format!("{}: {}; its rows are to be the same", study.name, other_sources(program, study, run))),
        None => Ok(()),
    }
}

/// The differences of the compiler, its flags and the sources of a study since its results were measured, in words.
fn other_sources(program: &Program, study: &Study, run: &Provenance) -> String {
    let measured = &run.sources;
    let version = |compiler: &str| compiler.split(['(', ';']).next().unwrap_or_default().trim().to_owned();
    let mut differing = vec![];
    if measured.compiler != program.build.compiler {
        differing.push(format!("by {}, this program by {}", version(&measured.compiler), version(program.build.compiler)));
    }
    match measured.commit.as_deref().and_then(|commit| Some((commit, changed_since(commit, study)?))) {
        Some((commit, files)) if !files.is_empty() => {
            let rest = files.len().saturating_sub(SHOWN);
            let shown = files[..files.len().min(SHOWN)].join(", ");
            let others = if rest > 0 { format!(" and {rest} more files") } else { String::new() };
            differing.push(format!("at {}, since when {shown}{others} changed", commit.get(..9).unwrap_or(commit)));
        }
        Some((commit, _)) if differing.is_empty() => {
            differing
                .push(format!("at {} with changes that were not committed, or other flags", commit.get(..9).unwrap_or(commit)));
        }
        None if differing.is_empty() => differing.push("by other sources".to_owned()),
        _ => {}
    }
    format!("measured {}", differing.join(", "))
}

/// Files that decide the rows of a study and differ from those of a commit; none where git does not know.
fn changed_since(commit: &str, study: &Study) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.arg("-C").arg(workspace::root()).args(["diff", "--name-only", commit, "--"]);
    let output = git.args(sources::of_study(&workspace::root(), study.name)).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn say_difference(Audited { case, difference }: &Audited) -> Result<(), Failure> {
    let Case { study, group, set, .. } = case;
    let [published, now] = difference.clone().unwrap_or_default();
    say(format!(
        "  {}/{}, set {set}: `clothlab run {} --only {} --case {set}`",
        study.name,
        group.name(),
        study.name,
        group.name()
    ))?;
    say(format!("    published {}", if published.is_empty() { "nothing" } else { &published }))?;
    say(format!("    now       {}", if now.is_empty() { "nothing" } else { &now }))
}
