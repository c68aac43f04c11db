//! `clothlab sweep scene.toml --vary step=1e-3,2e-3`: a scene with every combination of some values, a simulation each.

mod charts;
mod plan;
mod row;
mod tables;
mod vary;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::Args;
use kit::Failure;
use kit::prelude::short;
use kit::text_table::TextTable;
use lab::files::{LARGEST, make_folder, read_bytes, read_text, sweep as sweep_folder, write_whole};
use lab::measure::run::hold;
use lab::terminal::columns;
use lab::{Progress, unshown};
use race::input::read_as;
use race::memory;
use rayon::ThreadPoolBuilder;

use crate::output::say;
use crate::overrides::{Override, Overrides};
use crate::program::Program;
use crate::simulate::copied::ExtraFiles;
use crate::simulate::folder::{self, DESCRIPTION, Folder};
use crate::simulate::{self, PAGE, beyond, run_into, warn};
use crate::whole::Whole;
use crate::workspace;
use kit::workspace::default_jobs;
use plan::{ROWS, Run, plan};
use row::Row;
use tables::Found;
use vary::{Vary, count};

/// Which keys of which scene are varied, and where the runs go.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file
    scene: PathBuf,
    /// A key of the scene with the values that it takes in turn, separated by commas; may be given more than once: every
    /// combination is a run
    #[arg(long, value_name = "KEY=A,B,..", required = true)]
    vary: Vec<Vary>,
    #[command(flatten)]
    overrides: Overrides,
    /// Runs at a time, each on one thread [default: all cores]
    #[arg(long, value_name = "J", value_parser = Whole(1..=1024), allow_negative_numbers = true)]
    jobs: Option<u64>,
    /// The folder for sweep.csv, sweep.md, sweep.svg, times.csv, index.html, view.html and a folder for each run [default: out/sweep-
    /// and the name of the scene]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the files of another sweep in that folder, and runs of other scenes
    #[arg(long)]
    force: bool,
    /// Write no view.html, neither of each run nor of all, and no pictures
    #[arg(long)]
    no_pages: bool,
    /// Print all rows as one JSON document, and nothing else
    #[arg(long, conflicts_with = "dry_run")]
    json: bool,
    /// Read everything, list the runs with their memory and time, and do nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl Request {
    /// The folder of the results.
    fn folder(&self) -> PathBuf {
        let name = self.scene.file_stem().unwrap_or("scene".as_ref()).to_string_lossy();
        self.out.clone().unwrap_or_else(|| workspace::root().join("out").join(format!("sweep-{name}")))
    }

    /// Runs at a time.
    fn jobs(&self) -> usize {
        self.jobs.map_or_else(default_jobs, |jobs| jobs as usize)
    }

    /// The name of the scene file.
    fn name(&self) -> String {
        self.scene.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Says which sweep a folder holds.
    fn description(&self) -> String {
        let list = |all: Vec<String>| toml::Value::from(all);
        let vary = |vary: &Vary| {
            let values: Vec<&str> = vary.values.iter().map(|value| value.given.as_str()).collect();
            format!("{}={}", vary.key, values.join(","))
        };
        format!(
            "# The sweep of this folder, as it was given to `clothlab sweep`\nscene = {}\nvary = {}\nset = {}\n",
            toml::Value::from(self.name()),
            list(self.vary.iter().map(vary).collect()),
            list(self.overrides.set.iter().map(|one| one.words()).collect())
        )
    }
}

/// Most runs.
const MOST_RUNS: u64 = 1000;
/// Most runs of a page.
const MOST_SHOWN: usize = 12;

const SWEEP: &str = "sweep.toml";
const TABLE: &str = "sweep.csv";
const TIMES: &str = "times.csv";
const REPORT: &str = "sweep.md";
const CHART: &str = "sweep.svg";
const INDEX: &str = "index.html";

/// A line for each file.
const FILES: [(&str, &str); 6] = [
    (TABLE, "a row a run, the same on every machine"),
    (TIMES, "the time that each run took, reading and writing included"),
    (CHART, "largest strain and work against the first key"),
    (INDEX, "the chart, and links to the page of each run"),
    (PAGE, "the first runs side by side, in any browser"),
    (SWEEP, "what was asked for"),
];

/// Runs a sweep, or with `--dry-run` says what it would run.
///
/// # Errors
/// [`Failure::Usage`] on bad input, values that the scene does not take, a folder that holds something else or that another run is
/// writing into, and where writing fails. A run that blows up is a row.
pub fn sweep(program: &Program, request: &Request) -> Result<(), Failure> {
    check_keys(request)?;
    let out = request.folder();
    check_folder(request, &out)?;
    let pool = ThreadPoolBuilder::new().num_threads(request.jobs()).build();
    let pool = pool.map_err(|error| Failure::Internal(format!("threads cannot be started: {error}")))?;
    let runs = pool.install(|| plan(&program.build, request, request.dry_run))?;
    let inputs: Vec<PathBuf> = runs.iter().flat_map(|run| run.files.iter().cloned()).collect();
    let files = FILES.iter().map(|(name, _)| out.join(name)).chain([out.join(REPORT)]).collect::<Vec<_>>();
    folder::check(&out, "sweep", &files, true, &inputs)?;
    if request.dry_run {
        return say(dry(request, &runs, &out));
    }
    let _hold = hold(&out)?;
    sweep_folder(&out)?;
    make_folder(&out.join(ROWS))?;
    sweep_folder(&out.join(ROWS))?;
    write_whole(&out.join(SWEEP), request.description().as_bytes())?;
    let mut doubts: Vec<&String> = runs.iter().flat_map(|run| &run.doubts).collect();
    doubts.sort();
    doubts.dedup();
    doubts.into_iter().for_each(warn);
    let rows = measure(request, &runs, &out)?;
    write(request, &runs, &rows, &out)
}

/// Refuses keys that are given twice, keys of which one undoes another, and too many combinations.
fn check_keys(request: &Request) -> Result<(), Failure> {
    for (k, vary) in request.vary.iter().enumerate() {
        let key = &vary.key;
        if request.vary[..k].iter().any(|other| other.key == *key) {
            return Err(Failure::Usage(format!("--vary {key} is given twice; give all of its values to one of them")));
        }
        if request.overrides.set.iter().any(|one| one.key == *key) {
            return Err(Failure::Usage(format!("--vary {key} and --set {key} give the same key; take one of them out")));
        }
        let Some(own) = vary.values.first() else { continue }; // it has one at least
        let excluded = |other: &&Override| own.excludes(other);
        let former =
            request.vary[..k].iter().filter_map(|other| other.values.first()).find(excluded).map(|other| ("vary", other));
        let set = || request.overrides.set.iter().find(excluded).map(|other| ("set", other));
        if let Some((option, other)) = former.or_else(set) {
            return Err(Failure::Usage(format!(
                "--vary {key} would undo --{option} {}; take one of them out, or make a scene for each",
                other.key
            )));
        }
    }
    match count(&request.vary) {
        runs if runs > MOST_RUNS => Err(Failure::Usage(format!(
            "these are {runs} combinations, and a sweep has at most {MOST_RUNS}; leave out values of --vary"
        ))),
        _ => Ok(()),
    }
}

/// Refuses a folder that holds something else, or without --force another sweep.
fn check_folder(request: &Request, out: &Path) -> Result<(), Failure> {
    let named = out.display();
    if out.join(DESCRIPTION).exists() || out.join("run.json").exists() || out.join("race.csv").exists() {
        return Err(Failure::Usage(format!(
            "{named} holds a simulation, a race or a run of a study; choose another folder with --out"
        )));
    }
    let former = FILES.iter().map(|(name, _)| *name).chain([REPORT]).find(|name| out.join(name).exists());
    let Some(former) = former.filter(|_| !request.force) else { return Ok(()) };
    match read_text(&out.join(SWEEP)) {
        Ok(text) if text == request.description() => Ok(()),
        Ok(_) => Err(Failure::Usage(format!(
            "{named} holds another sweep, see {SWEEP} in it; choose another folder with --out, or replace its tables with --force"
        ))),
        Err(_) => Err(Failure::Usage(format!(
            "{} is there, and no sweep that it is of; choose another folder with --out, or replace it with --force",
            out.join(former).display()
        ))),
    }
}

/// Runs what is not yet there, each run on a thread of its own; all rows in the order of the runs.
fn measure(request: &Request, runs: &[Run], out: &Path) -> Result<Vec<Row>, Failure> {
    let pending: Vec<&Run> = runs.iter().filter(|run| run.row.is_none()).collect();
    let progress = Progress::new("sweep", "runs", runs.len() as u64);
    (pending.len()..runs.len()).for_each(|_| progress.advance());
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failed: Mutex<Option<(usize, Failure)>> = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = pending.get(k) else { break };
            progress.rename(&format!("sweep, {}", run.name));
            match one(request, run, out) {
                Ok(()) => progress.advance(),
                Err(failure) => {
                    stop.store(true, Ordering::Relaxed);
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if failed.as_ref().is_none_or(|(first, _)| k < *first) {
                        *failed = Some((k, failure));
                    }
                }
            }
        }
    };
    thread::scope(|scope| (0..request.jobs().min(pending.len())).for_each(|_| _ = scope.spawn(work)));
    progress.finish();
    if let Some((_, failure)) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    let lost = |run: &Run| Failure::Internal(format!("the row of {} cannot be read again", run.name));
    let row = |run: &Run| run.row.clone().or_else(|| Row::kept(&run.kept(out), &run.identity)).ok_or_else(|| lost(run));
    runs.iter().map(row).collect()
}

/// Runs one of them into its folder, on one thread, and keeps its row.
fn one(request: &Request, run: &Run, out: &Path) -> Result<(), Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Failure::Internal(format!("threads cannot be started: {error}")))?;
    pool.install(|| {
        unshown(|| {
            let begun = Instant::now();
            let asked = simulate::Request {
                scene: request.scene.clone(),
                out: Some(out.join(&run.name)),
                force: true, // what may be replaced was looked at when all runs were read
                frames: vec![],
                no_pictures: request.no_pages,
                checkpoint_every: simulate::CHECKPOINT_EVERY,
                dry_run: false,
                overrides: Overrides::default(),
            };
            let input = read_as(&request.scene, run.text.clone(), !request.no_pages)?;
            let folder = Folder::claim(&asked.folder(), true, &input.files)?;
            beyond(&input.scene, &input.simulation).iter().for_each(|beyond| warn(format_args!("{}: {beyond}", run.name)));
            let summary = run_into(&asked, input, ExtraFiles::Nothing, folder, begun)?;
            Ok(Row::of(&summary, &run.counter).keep(&run.kept(out), &run.identity)?)
        })
    })
}

/// Writes all tables, and says what was found.
fn write(request: &Request, runs: &[Run], rows: &[Row], out: &Path) -> Result<(), Failure> {
    let scene = format!("{}{}", request.name(), request.overrides.words());
    let found = Found { scene, varied: &request.vary, runs: runs.iter().zip(rows).collect() };
    let place = |name: &str| out.join(name);
    let (chart, unseen) =
        charts::draw(&found).map_err(|error| Failure::Internal(format!("the chart cannot be drawn: {error}")))?;
    write_whole(&place(TABLE), found.csv().as_bytes())?;
    write_whole(&place(TIMES), found.times().as_bytes())?;
    write_whole(&place(CHART), chart.as_bytes())?;
    let written: Vec<(&str, &str)> =
        FILES.iter().filter(|(name, _)| !(request.no_pages && [PAGE, INDEX].contains(name))).copied().collect();
    let names: Vec<&str> = [REPORT].into_iter().chain(written.iter().map(|(name, _)| *name)).collect();
    write_whole(&place(REPORT), found.markdown(&written).as_bytes())?;
    if !request.no_pages {
        write_whole(&place(PAGE), page(&found, out)?.as_bytes())?;
        write_whole(&place(INDEX), found.index(&names).as_bytes())?;
    }
    if request.json {
        return say(found.json(&out.display().to_string(), &names).to_string());
    }
    say(found.table(str::to_owned).aligned(columns().unwrap_or(usize::MAX)))?;
    say("")?;
    say(found.counted())?;
    if unseen > 0 {
        say(format!("{CHART} leaves out the last {unseen} rows of panels; {TABLE} has all runs"))?;
    }
    let out = out.display();
    say(format!("wrote {} and a folder for each run to {out}", names.join(", ")))?;
    let seen = if request.no_pages { CHART } else { INDEX };
    say(format!("to see it, open {out}/{seen}"))
}

/// The page that plays the first runs side by side.
fn page(found: &Found, out: &Path) -> Result<String, Failure> {
    let mut films = vec![];
    for (run, _) in found.runs.iter().take(MOST_SHOWN) {
        let page = out.join(&run.name).join(PAGE);
        if !page.exists() {
            continue; // as for a run of too many particles
        }
        let text = String::from_utf8_lossy(&read_bytes(&page, LARGEST)?).into_owned();
        films.extend(viewer::runs(&text).iter().map(|film| viewer::named(film, &run.words)));
    }
    Ok(viewer::page(&format!("clothlab: sweep of {}", found.scene), &films, ""))
}

/// The runs that would be made: memory and time of each run, and of all.
fn dry(request: &Request, runs: &[Run], out: &Path) -> String {
    let line = |run: &Run| {
        vec![
            run.name.clone(),
            run.particles.to_string(),
            run.steps.to_string(),
            run.memory.map_or_else(|| "unknown".to_owned(), memory::words),
            run.seconds.map_or_else(String::new, short),
            if run.row.is_some() { "finished".to_owned() } else { String::new() },
        ]
    };
    let table = TextTable::new(&["run", "particles", "steps", "memory", "time [s]", ""], runs.iter().map(line));
    let pending = runs.iter().filter(|run| run.row.is_none());
    let seconds: f64 = pending.clone().filter_map(|run| run.seconds).sum();
    let jobs = request.jobs().min(runs.len()).max(1);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!(
        "{}\n\n{}{}: {} run{}, {} of them to be done, about {} s on {jobs} thread{} by the first steps of each; results would go to {}",
        table.without_empty_columns().aligned(columns().unwrap_or(usize::MAX)),
        request.name(),
        request.overrides.words(),
        runs.len(),
        plural(runs.len()),
        pending.count(),
        short(seconds / jobs as f64),
        plural(jobs),
        out.display()
    )
}
