use std::fs;
use std::path::{Path, PathBuf};

use kit::Failure;
use kit::text_table::TextTable;
use lab::files::{FileError, read_text};
use lab::measure::run::is_held;
use lab::measure::shard::Shard;

use super::submit::{SWEEP, Sweep, shard_of, shares};
use crate::output::say;
use crate::workspace;

/// Shards that are listed one by one.
const LISTED: usize = 20;

/// How far a shard is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum State {
    Running,
    Stopped,
    NotBegun,
    Finished,
}

impl State {
    fn words(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped => "not running here",
            State::NotBegun => "not begun",
            State::Finished => "finished",
        }
    }
}

/// A shard and how far it is.
struct Shown {
    name: String,
    folder: PathBuf,
    state: State,
    done: usize,
    cases: usize,
}

/// Says how far sweeps and shards are: those in a folder, or all below out/.
///
/// # Errors
/// A folder that holds neither, or what cannot be read.
pub fn status(folder: Option<PathBuf>) -> Result<(), Failure> {
    let named = folder.is_some();
    let folder = folder.unwrap_or_else(|| workspace::root().join("out"));
    let mut below: Vec<PathBuf> = vec![folder.clone()];
    match fs::read_dir(&folder) {
        Ok(entries) => below.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir())),
        Err(source) if named => return Err(FileError::read(&folder, source).into()),
        Err(_) => {} // nothing was measured here yet
    }
    below[1..].sort();
    let mut found = false;
    for folder in &below {
        if folder.join(SWEEP).exists() {
            found = true;
            sweep(folder)?;
        } else if let Some(plan) = Shard::of(folder)? {
            found = true;
            let shown = of_plan(folder, &plan)?;
            let (study, share) = (&plan.identity.study, plan.share);
            say(format!(
                "{study}, shard {share}: {}, {} of {} cases; {}",
                shown.state.words(),
                shown.done,
                shown.cases,
                folder.display()
            ))?;
        }
    }
    let remedy = "`clothlab run STUDY --shard I/N` makes a shard, `clothlab submit` a sweep";
    match (found, named) {
        (true, _) => Ok(()),
        (false, true) => Err(Failure::Usage(format!("{} holds neither shards nor a sweep; {remedy}", folder.display()))),
        (false, false) => say(format!("there are neither shards nor sweeps in {}; {remedy}", folder.display())),
    }
}

fn of_plan(folder: &Path, plan: &Shard) -> Result<Shown, Failure> {
    let cases = plan.sets().map(|(_, sets)| sets.len()).sum();
    let done = plan.done(folder)?;
    let state = match plan.run {
        Some(_) if done == cases => State::Finished,
        _ if is_held(folder) => State::Running,
        _ => State::Stopped,
    };
    Ok(Shown { name: plan.share.number.to_string(), folder: folder.into(), state, done, cases })
}

fn sweep(folder: &Path) -> Result<(), Failure> {
    let path = folder.join(SWEEP);
    let read: Option<Sweep> = serde_json::from_str(&read_text(&path)?).ok();
    let remedy = "submit the sweep again into another folder";
    let sweep = read.ok_or_else(|| Failure::Usage(format!("{} is damaged; {remedy}", path.display())))?;
    let mut shown = vec![];
    for share in shares(&sweep) {
        let folder = shard_of(folder, share.number);
        let not_begun =
            || Shown { name: share.number.to_string(), folder: folder.clone(), state: State::NotBegun, done: 0, cases: 0 };
        shown.push(match Shard::of(&folder)? {
            Some(plan) => of_plan(&folder, &plan)?,
            None => not_begun(),
        });
    }
    let count = |state: State| shown.iter().filter(|shard| shard.state == state).count();
    let done: usize = shown.iter().map(|shard| shard.done).sum();
    let merged = if folder.join("merged/run.json").exists() { "merged" } else { "not merged" };
    let [finished, running, stopped] = [State::Finished, State::Running, State::Stopped].map(count);
    say(format!(
        "{}: {finished} of {} shards finished, {running} running, {stopped} begun and not running here; {done} cases done; {merged}; {}",
        sweep.study,
        sweep.shards,
        folder.display()
    ))?;
    shown.retain(|shard| shard.state != State::Finished);
    shown.sort_by_key(|shard| shard.state);
    let others = shown.len().saturating_sub(LISTED);
    let line = |shard: &Shown| {
        let cases = if shard.cases > 0 { format!("{} of {}", shard.done, shard.cases) } else { String::new() };
        vec![shard.name.clone(), shard.state.words().into(), cases, shard.folder.display().to_string()]
    };
    let table = TextTable::new(&["shard", "state", "cases", "folder"], shown.iter().take(LISTED).map(line));
    if !table.is_empty() {
        say(table.aligned(usize::MAX).trim_end())?;
    }
    if others > 0 { say(format!("and {others} others that are not finished")) } else { Ok(()) }
}
