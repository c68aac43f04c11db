//! `clothlab race scene.toml`: the integrators and constraint methods that a scene can take, over a ladder of steps, ranked for an
//! accuracy.

mod charts;
mod field;
mod films;
mod rival;
mod summary;
mod times;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use kit::Failure;
use kit::text_table::wrapped;
use lab::files::{LARGEST, read_bytes, read_text, remove_file, sweep, write_whole};
use lab::measure::identity::{Identity, sha256};
use lab::measure::run::{self, Measured, RunError, hold};
use lab::measure::work::measure as measure_cases;
use lab::study::Study;
use lab::tables::{rows_of, table_csv};
use lab::terminal::columns;
use lab::{part_files, table as table_of};
use race::choice::{Choice, listed};
use race::contestants::{Contestant, Solves, Template};
use race::input::Input;
use race::ranking::{Standing, Target, Time, Timed, cheapest, ranked};
use race::reference::{Candidate, Reference};
use race::rows::RaceRow;
use race::runs::Measures;
use rayon::ThreadPoolBuilder;

use crate::commands::options::Machine;
use crate::output::{self, relative, say};
use crate::overrides::Overrides;
use crate::program::{Build, Program};
use crate::simulate::copied::{ExtraFiles, copied};
use crate::simulate::folder::{self, DESCRIPTION};
use crate::simulate::read::scene_text;
use crate::simulate::{PAGE, SCENE, copy_scene};
use crate::whole::Whole;
use crate::workspace;
use field::{Field, Rivals, Runs};
use rival::Rival;
use summary::Summary;
use times::Times;

/// Who races in which scene, and how.
#[derive(Args)]
pub struct Request {
    /// The scene file
    scene: PathBuf,
    /// Integrators and constraint methods by their names in `clothlab keys`, separated by commas, with their keys behind colons:
    /// generalized-alpha:rho_inf=0.5; an integrator with a constraint method behind it: rk4+icd [default: every integrator, and
    /// where the scene has a constraint method every one of these]
    #[arg(long, value_name = "NAMES")]
    with: Option<String>,
    /// The error to rank for: distance of particles over the size of the cloth
    #[arg(long, value_name = "E", default_value = "1e-3", value_parser = above_zero, allow_negative_numbers = true)]
    error: f64,
    /// Steps of all contestants \[s\] [default: twice that of the scene, and on by halves; of explicit ones also from the largest
    /// stable one on]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = above_zero, allow_negative_numbers = true)]
    steps: Vec<f64>,
    /// Tolerances of the solver, for contestants with linear systems [default: that of the scene]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = above_zero, allow_negative_numbers = true)]
    tolerances: Vec<f64>,
    /// Steps of each contestant
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = Whole(1..=12), allow_negative_numbers = true)]
    rungs: u64,
    /// Times of each run that is ranked [default: 3, and up to 9 as long as that is quick]
    #[arg(long, value_name = "R", value_parser = Whole(1..=1000), allow_negative_numbers = true)]
    repeats: Option<u64>,
    /// Most work of a run, in billions of nominal operations, which take a second each or less
    #[arg(long, value_name = "W", default_value = "40", value_parser = above_zero, allow_negative_numbers = true)]
    budget: f64,
    /// Another program that races, called as CMD scene.json FOLDER once a step; may be given more than once
    #[arg(long = "rival", value_name = "CMD")]
    rivals: Vec<String>,
    /// The folder for race.md, race.csv, times.csv, reference.csv, race.svg, view.html and scene.toml, the scene as the first runs it
    /// [default: out/race- and the name of the scene]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Open view.html in the browser at the end
    #[arg(long)]
    open: bool,
    /// Forget what is in that folder, instead of going on from it
    #[arg(long)]
    pub fresh: bool,
    /// Print the ranking as one JSON document, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    machine: Machine,
}

/// Reads a finite number above zero.
fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "it must be a finite number above zero".into())
}

/// What it is called in its part files.
const NAME: &str = "race";
const TABLE: &str = "race.csv";
const TIMES: &str = "times.csv";
const REFERENCE: &str = "reference.csv";
const CHART: &str = "race.svg";
const REPORT: &str = "race.md";
const PARTS: &str = "parts";
const KEPT: &str = "reference.states";
const RIVALS: &str = "rivals";

/// The files of a race, but for its part files.
const WRITTEN: [&str; 7] = [REPORT, TABLE, TIMES, REFERENCE, CHART, PAGE, SCENE];

/// A line for each file.
const FILES: [&str; 7] = [
    "race.csv: a row a contestant and a step, the same on every machine",
    "times.csv: times of runs alone on one thread; of rivals as they say",
    "reference.csv: the schemes that could be the reference, and what their errors are taken to be",
    "race.svg: error against time, work and step",
    "view.html: the run that each contestant stands for, side by side, in any browser",
    "scene.toml: the scene as the first contestant runs it, for `clothlab simulate`",
    "parts/: finished runs, from which the same command goes on",
];

impl Request {
    /// Most operations of a run.
    fn operations(&self) -> f64 {
        1e9 * self.budget
    }

    /// The name of the scene file.
    fn name(&self) -> String {
        self.scene.file_stem().unwrap_or("scene".as_ref()).to_string_lossy().into_owned()
    }

    /// The folder of the results.
    fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| workspace::root().join("out").join(format!("race-{}", self.name())))
    }

    /// All that rows depend on: what is read, who takes part, and how.
    fn identity(&self, build: &Build, files: &[PathBuf], names: &[String]) -> Identity {
        let contents = |file: &PathBuf| fs::read(file).map(sha256).unwrap_or_default();
        let mut files: Vec<String> = files.iter().map(contents).collect();
        files.sort();
        files.dedup();
        let Request { steps, tolerances, rungs, budget, rivals, .. } = self;
        let ranges = serde_json::json!([files, self.overrides.words(), names, steps, tolerances, rungs, budget, rivals]);
        let code = [build.sources, build.compiler, build.flags].join(" ");
        Identity { study: NAME.into(), seed: 0, ranges: sha256(ranges.to_string()), code: sha256(code) }
    }
}

/// Runs a race.
///
/// # Errors
/// [`Failure::Usage`] on bad input, a name that is not known, a folder that holds something else or that another run is writing
/// into, and where writing fails.
pub fn race(program: &Program, request: &Request) -> Result<(), Failure> {
    let begun = Instant::now();
    request.machine.instruction_set();
    let (template, whole) = template(request)?;
    let contestants = contestants(request, &template)?;
    let out = request.folder();
    let names: Vec<String> = contestants.iter().map(|contestant| contestant.name.clone()).collect();
    let identity = request.identity(&program.build, &whole.files, &names);
    check(&out, &whole, request.fresh)?;
    let _hold = hold(&out)?;
    sweep(&out)?;
    let measures = Measures::of(&whole.scene, whole.simulation.model(), whole.simulation.state());
    let mut field = Field::new(&template, contestants, measures, &whole.scene, request);
    field.rivals = rivals(request, &template, &out)?;
    let reference = find_reference(request, &template, &field, &out, &identity)?;
    let candidates = match &reference {
        Ok(reference) => reference.candidates.clone(),
        Err(candidates) => candidates.clone(),
    };
    field.reference = reference.ok();
    let field = Arc::new(field);
    let (ours, theirs) = measure(&field, request, &out, &identity)?;
    let finished = Finished::new(&field, ours, theirs, request, begun)?;
    write(request, &template, &whole, &field, &candidates, &finished, &out)
}

/// The template of the scene file with keys replaced, and the whole scene.
fn template(request: &Request) -> Result<(Template, Input), Failure> {
    let Request { scene, overrides, .. } = request;
    let text = overrides.applied(scene_text(scene)?)?;
    Template::of(scene, text).map_err(|failure| overrides.told(scene, failure))
}

/// Who takes part.
fn contestants(request: &Request, template: &Template) -> Result<Vec<Contestant>, Failure> {
    let names = request.with.as_ref().map_or_else(|| template.all(), |list| listed(list));
    let mut seen = HashSet::new();
    let mut all = vec![];
    for name in names.into_iter().filter(|name| seen.insert(name.clone())) {
        let choice = Choice::read(&name).map_err(|why| Failure::Usage(format!("--with: {why}")))?;
        all.push(template.contestant(name, choice));
    }
    if all.is_empty() && request.rivals.is_empty() {
        return Err(Failure::Usage("--with names nobody; `clothlab keys` shows all integrators and constraint methods".into()));
    }
    Ok(all)
}

/// The programs of others.
fn rivals(request: &Request, template: &Template, out: &Path) -> Result<Vec<Rival>, Failure> {
    if request.rivals.is_empty() {
        return Ok(vec![]);
    }
    let prepared = template.prepare(&Choice::default(), Solves::AsTheScene);
    let prepared = prepared.map_err(|why| Failure::Usage(format!("{}: {why}", request.scene.display())))?.shared();
    let place = |k: usize| out.join(RIVALS).join(k.to_string());
    let rivals = request.rivals.iter().enumerate();
    rivals.map(|(k, command)| Rival::new(command, place(k), &prepared, &request.name())).collect()
}

/// Refuses a folder that holds something else, or an input or any other file that would be replaced and is of no race.
fn check(out: &Path, whole: &Input, fresh: bool) -> Result<(), Failure> {
    let is_ours = out.join(PARTS).join("race.part").exists();
    if out.join(DESCRIPTION).exists() || out.join("run.json").exists() {
        let out = out.display();
        return Err(Failure::Usage(format!("{out} holds a simulation or a run of a study; choose another folder with --out")));
    }
    let there = |name: &str| Some(out.join(name)).filter(|file| file.exists());
    let former: Vec<PathBuf> = WRITTEN.iter().filter_map(|name| there(name)).collect();
    // copies of files of the scene are of a race whose own scene names them
    let copies = |text: &str| copied(text, ExtraFiles::Nothing).1.into_iter().map(|(_, name)| name);
    let known: Vec<String> = read_text(&out.join(SCENE)).ok().filter(|_| is_ours).map_or(vec![], |text| copies(&text).collect());
    let (known, others): (Vec<String>, Vec<String>) = copies(&whole.text).partition(|name| known.contains(name));
    let [known, others] = [known, others].map(|names| names.iter().filter_map(|name| there(name)).collect::<Vec<_>>());
    folder::check(out, "race", &[&former[..], &known, &others].concat(), true, &whole.files)?;
    let foreign = others.first().or(former.first().filter(|_| !is_ours));
    match foreign {
        Some(first) if !fresh => Err(Failure::Usage(format!(
            "{} is there, and no race that it is of; choose another folder with --out, or replace it with --fresh",
            first.display()
        ))),
        _ => Ok(()),
    }
}

/// The reference, from the part files or made and kept there; the candidates where there is none.
fn find_reference(
    request: &Request,
    template: &Template,
    field: &Field,
    out: &Path,
    identity: &Identity,
) -> Result<Result<Reference, Vec<Candidate>>, Failure> {
    let path = out.join(PARTS).join(KEPT);
    let id = serde_json::to_string(identity).unwrap_or_default();
    if request.fresh {
        remove_file(&path)?;
    }
    if let Some(kept) = Reference::kept(&path, &id) {
        return Ok(Ok(kept));
    }
    let pool = ThreadPoolBuilder::new().num_threads(request.machine.jobs()).build();
    let pool = pool.map_err(|error| Failure::Internal(format!("threads cannot be started: {error}")))?;
    let made = pool.install(|| Reference::make(template, &field.measures, field.budget, false));
    if let Ok(reference) = &made {
        reference.keep(&path, &id)?;
    }
    Ok(made)
}

/// Measures what is not yet there, ours on all threads, then rivals one by one.
fn measure(field: &Arc<Field>, request: &Request, out: &Path, identity: &Identity) -> Result<(Measured, Measured), Failure> {
    let study = study(field, identity);
    let parts = out.join(PARTS);
    if request.fresh {
        forget(&parts)?;
    }
    let mut measured = vec![];
    for (group, jobs) in [("race", request.machine.jobs()), ("rivals", 1)] {
        let quiet = group == "rivals" && field.rivals.is_empty();
        let asked = run::Request { only: Some(group), quiet, ..run::Request::all(identity, &parts, jobs) };
        measured.extend(measure_cases(&study, &asked).map_err(refused)?);
    }
    let mut measured = measured.into_iter();
    match (measured.next(), measured.next()) {
        (Some(ours), Some(theirs)) => Ok((ours, theirs)),
        _ => Err(Failure::Internal("a race without tables".into())),
    }
}

/// Removes the runs of a former race, and nothing else.
fn forget(parts: &Path) -> Result<(), Failure> {
    for path in part_files(parts) {
        let text = String::from_utf8_lossy(&read_bytes(&path, LARGEST)?).into_owned();
        let is_ours = text.lines().next().is_some_and(|header| header.contains(&format!("\"study\":\"{NAME}\"")));
        if !is_ours {
            return Err(RunError::NoJournal { path }.into());
        }
        remove_file(&path)?;
    }
    Ok(())
}

/// What a race measures, as the harness knows it.
fn study(field: &Arc<Field>, identity: &Identity) -> Study {
    Study {
        name: NAME,
        title: "A race",
        source: "",
        about: "A scene by integrators and constraint methods over a ladder of steps.",
        ..Study::of(vec![table_of(Runs(Arc::clone(field))), table_of(Rivals(Arc::clone(field)))], identity.ranges.clone())
    }
}

/// A race has no --only, and its ranges are no profile.
fn refused(error: RunError) -> Failure {
    match error {
        RunError::Foreign { path, difference } => {
            let difference =
                difference.replace("of a profile with other ranges", "of another scene, other contestants or other steps");
            let path = path.display();
            Failure::Usage(format!("{path} holds runs {difference}; choose another --out, or replace them with --fresh"))
        }
        error => error.into(),
    }
}

/// What a race found.
struct Finished {
    /// race.csv.
    table: String,
    /// Runs of each contestant and each rival, in their order.
    runs: Vec<(String, Vec<Timed>)>,
    /// times.csv.
    times: String,
    target: Target,
    standings: Vec<Standing>,
}

impl Finished {
    fn new(field: &Arc<Field>, ours: Measured, theirs: Measured, request: &Request, begun: Instant) -> Result<Finished, Failure> {
        let unread = |why: String| Failure::Internal(format!("rows cannot be read again: {why}"));
        let rows = |measured: &Measured| -> Result<Vec<RaceRow>, Failure> {
            Ok(rows_of(measured).map_err(unread)?.into_iter().map(|row| row.row).collect())
        };
        let [our_rows, their_rows] = [rows(&ours)?, rows(&theirs)?];
        let target = Target::of(request.error, field.reference.as_ref());
        let repeats = request.repeats.map(|repeats| repeats as u32);
        let times = times_of(field, &our_rows, target, repeats, begun)?;
        let mut runs: Vec<(String, Vec<Timed>)> = field.contestants.iter().map(|one| (one.name.clone(), vec![])).collect();
        for (k, (task, row)) in field.tasks.iter().zip(our_rows).enumerate() {
            let times = times.get(&k).cloned().unwrap_or_default();
            runs[task.contestant].1.push(Timed { row, times });
        }
        let mut of_rivals: Vec<(String, Vec<Timed>)> = field.rivals.iter().map(|one| (one.command.clone(), vec![])).collect();
        for ((rival, rung), row) in field.rival_tasks.iter().zip(their_rows) {
            let told = field.rivals[*rival].told(*rung).filter(|_| row.is_finished());
            let time = |told: rival::RivalReply| Time { setup: told.setup_cpu_seconds, seconds: told.step_cpu_seconds };
            of_rivals[*rival].1.push(Timed { row, times: told.map(time).into_iter().collect() });
        }
        runs.extend(of_rivals);
        let mut table = table_csv(&*table_of(Runs(Arc::clone(field))), &ours);
        let behind = table_csv(&*table_of(Rivals(Arc::clone(field))), &theirs);
        table.extend(behind.split_inclusive('\n').skip(1));
        let standings = ranked(runs.clone(), target);
        Ok(Finished { table, times: times_csv(&runs), runs, target, standings })
    }
}

/// Times of the runs that contestants stand for, and of others as far as there is time.
fn times_of(field: &Field, rows: &[RaceRow], target: Target, repeats: Option<u32>, begun: Instant) -> Result<Times, Failure> {
    let of = |contestant: usize| -> Vec<(usize, &RaceRow)> {
        let tasks = field.tasks.iter().zip(rows).enumerate().filter(|(_, (task, _))| task.contestant == contestant);
        tasks.map(|(k, (_, row))| (k, row)).collect()
    };
    let ranked: Vec<usize> = (0..field.contestants.len()).filter_map(|contestant| cheapest(&of(contestant), target)).collect();
    let mut others: Vec<usize> = (0..rows.len()).filter(|k| rows[*k].is_finished() && !ranked.contains(k)).collect();
    others.sort_by(|a, b| rows[*a].operations.total_cmp(&rows[*b].operations));
    times::measure(field, &ranked, &others, repeats, begun)
}

/// times.csv.
fn times_csv(runs: &[(String, Vec<Timed>)]) -> String {
    let mut csv = csv::Writer::from_writer(vec![]);
    // what is written to memory can be written
    _ = csv.write_record(["contestant", "step", "tolerance", "repeat", "setup_seconds", "seconds"]);
    for (name, runs) in runs {
        for Timed { row, times } in runs {
            for (repeat, Time { setup, seconds }) in times.iter().enumerate() {
                _ = csv.serialize((name, row.step, row.tolerance, repeat + 1, setup, seconds));
            }
        }
    }
    String::from_utf8(csv.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// reference.csv.
fn reference_csv(candidates: &[Candidate], reference: Option<&Reference>) -> String {
    let mut csv = csv::Writer::from_writer(vec![]);
    // what is written to memory can be written
    _ = csv.write_record(["scheme", "chosen", "step", "own_distance", "own_velocity_distance", "other_distance", "reason"]);
    for (k, Candidate { name, step, own, own_velocity, other, reason }) in candidates.iter().enumerate() {
        let chosen = reference.is_some_and(|reference| reference.chosen == k);
        _ = csv.serialize((name, chosen, step, own, own_velocity, other, reason));
    }
    String::from_utf8(csv.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Writes all files, and says what was found.
fn write(
    request: &Request,
    template: &Template,
    whole: &Input,
    field: &Field,
    candidates: &[Candidate],
    finished: &Finished,
    out: &Path,
) -> Result<(), Failure> {
    let Finished { table, runs, times, target, standings } = finished;
    let name = request.scene.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{name}{}", request.overrides.words());
    let reference = field.reference.as_ref();
    let notes = notes(request, template);
    let summary = Summary {
        scene: &name,
        particles: whole.simulation.state().particle_count(),
        size: field.measures.size,
        duration: field.duration,
        runs: runs.iter().flat_map(|(_, runs)| runs).filter(|run| run.row.step.is_some()).count(),
        target: *target,
        reference: reference.ok_or(candidates),
        standings,
        notes: &notes,
    };
    let place = |name: &str| out.join(name);
    write_whole(&place(TABLE), table.as_bytes())?;
    write_whole(&place(TIMES), times.as_bytes())?;
    write_whole(&place(REFERENCE), reference_csv(candidates, reference).as_bytes())?;
    let chart = charts::draw(runs, reference, *target, &format!("Race of {name}"));
    let chart = chart.map_err(|error| Failure::Internal(format!("the chart cannot be drawn: {error}")))?;
    write_whole(&place(CHART), chart.as_bytes())?;
    if let Some(text) = winner(template, field, standings) {
        copy_scene(&request.scene, &text, ExtraFiles::Nothing, place)?;
    }
    let page = films::page(
        field,
        standings,
        |row| summary.error_of(row),
        &format!("{name}, a race - clothlab"),
        request.machine.jobs(),
    )?;
    write_whole(&place(PAGE), page.as_bytes())?;
    write_whole(&place(REPORT), summary.markdown(&FILES).as_bytes())?;
    if request.json {
        return say(summary.json(out, &WRITTEN).to_string());
    }
    let most = columns().unwrap_or(usize::MAX);
    let paragraph = |text: &str| say(wrapped(text, most).join("\n"));
    paragraph(&summary.head())?;
    paragraph(&summary.reference())?;
    notes.iter().try_for_each(|note| paragraph(note))?;
    say("")?;
    say(summary.table().aligned(most))?;
    say("")?;
    paragraph(&summary.answer())?;
    let page = out.join(PAGE);
    let out = relative(out);
    let out = out.display();
    let [rest @ .., last] = WRITTEN;
    say(format!("wrote {} and {last} to {out}", rest.join(", ")))?;
    say(format!("to see it, open {out}/{PAGE} and {out}/{CHART}"))?;
    if request.open {
        output::open(&page);
    }
    Ok(())
}

/// What was decided for all contestants.
fn notes(request: &Request, template: &Template) -> Vec<String> {
    let mut notes = vec![];
    if template.one_contact {
        notes.push("All contestants meet solids by `contact = \"positions\"`, since the scene does not say how: not all have the other way.".into());
    }
    if request.with.is_none() && !template.is_inextensible() {
        notes.push(
            "Constraint methods, which keep edges at their length in place of stretch springs, take part where --with names them.".into(),
        );
    }
    notes
}

/// The scene as the first contestant runs it, where it is one of ours.
fn winner(template: &Template, field: &Field, standings: &[Standing]) -> Option<String> {
    let first = standings.first()?;
    let contestant = field.contestants.iter().find(|contestant| contestant.name == first.name)?;
    let row = &first.best.as_ref()?.row;
    let solves = row.tolerance.map_or(Solves::AsTheScene, Solves::To);
    let choice = contestant.entry.as_ref().ok()?;
    Some(template.text_in_steps(choice, solves, row.step?))
}
