use std::path::{Path, PathBuf};

use kit::Failure;
use lab::Table;
use lab::files::{make_folder, sweep};
use lab::judge::sample::Sample;
use lab::measure::merge::{Source, merge as put_together, sources, write_parts};
use lab::measure::run::{Measured, hold};
use lab::part_files;
use lab::provenance::{Machine, OfShards, Provenance};
use lab::publish::{Places, check_foreign, publish};
use lab::study::Study;

use super::run::{say_findings, untimed};
use super::shard::check_folder;
use crate::output::{say, say_measured};
use crate::profile::Profile;
use crate::program::Program;
use crate::workspace::{self, Beginning, find};

/// What is to be merged, and where to.
#[derive(clap::Args)]
pub struct Request {
    /// Folders of shards, or of such folders, in any order
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folder of the output [default: out/STUDY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Put together what is there, and say what is missing; `clothlab run` goes on from it
    #[arg(long)]
    partial: bool,
    /// Replace what is in the folder of the output
    #[arg(long)]
    pub fresh: bool,
    /// The profile of the shards, where its file is not where it was
    #[arg(long, value_name = "P")]
    profile: Option<String>,
}

/// Puts shards together, judges and draws them as if one run had measured all.
///
/// # Errors
/// As [`Failure`] says; shards that do not go together leave everything as it was.
pub fn merge(program: &Program, request: &Request) -> Result<(), Failure> {
    let sources = sources(&request.folders).map_err(refused)?;
    let plan = &sources[0].plan;
    // ranges decide which studies there are, and what their groups are called
    let profile = Profile::load(program, request.profile.as_ref().unwrap_or(&plan.profile))?;
    let studies = &profile.studies;
    let study = find(studies, &plan.identity.study)?;
    if let Some(difference) = plan.identity.difference(&program.identity(study, plan.identity.seed)) {
        let folder = sources[0].folder.display();
        return Err(Failure::Usage(format!("{folder} holds a shard {difference}; merge with the program that measured it")));
    }
    let merged = put_together(study, &sources).map_err(refused)?;
    if !merged.missing.is_empty() && !request.partial {
        let remedy = "measure it, or put together what is there with --partial";
        return Err(refused(merged.missing.iter().map(|line| format!("missing: {line}")).chain([remedy.into()]).collect()));
    }
    let folder = request.out.clone().unwrap_or_else(|| workspace::root().join("out").join(study.name));
    if sources.iter().any(|source| same(&source.folder, &folder)) {
        return Err(Failure::Usage(format!("{} is the folder of a shard; choose another --out", folder.display())));
    }
    let beginning = Beginning::now(program, &workspace::root(), cloth::lanes::InstructionSet::best());
    make_folder(&folder)?;
    let _hold = hold(&folder)?;
    let (parts, plots) = (folder.join("parts"), folder.join("plots"));
    check_folder(&folder, None, false)?;
    if !request.fresh && (folder.join("run.json").exists() || !part_files(&parts).is_empty()) {
        let folder = folder.display();
        return Err(Failure::Usage(format!("{folder} holds a run; choose another --out, or replace it with --fresh")));
    }
    let places = Places { results: &folder, plots: &plots, plots_from_results: "plots/" };
    check_foreign(study, &places)?;
    [&folder, &plots, &parts].into_iter().try_for_each(|folder| sweep(folder))?;
    write_parts(study, &parts, &plan.identity, &merged.groups)?;
    say(format!("{}: {} of {} shards", study.name, sources.len(), plan.share.of))?;
    say_measured(&merged.groups)?;
    if !merged.missing.is_empty() {
        merged.missing.iter().try_for_each(|line| say(format!("  missing: {line}")))?;
        let [name, folder, arguments] = [study.name.into(), folder.display().to_string(), arguments(&sources, study)];
        return say(format!("`clothlab run {name}{arguments} --out {folder}` measures what is missing"));
    }
    let provenance = provenance(&beginning, &sources, &merged.groups);
    let sample = Sample::of(Some(&provenance), study, &program.published()?);
    let findings = publish(study, &sample, &merged.groups, &provenance, &places)?;
    say_findings(&findings, &sample)?;
    say(format!("results in {}", folder.display()))?;
    let is_merged = |group: &&dyn Table| merged.groups.iter().any(|merged| merged.group == group.name());
    let planned: Vec<&dyn Table> = study.groups.iter().map(AsRef::as_ref).filter(is_merged).collect();
    let Some(timed) = untimed(&planned, &merged.groups) else { return Ok(()) };
    let (name, folder, arguments) = (study.name, folder.display(), arguments(&sources, study));
    say(format!(
        "no times yet of {timed}: `clothlab run {name}{arguments} --times --out {folder}` takes them, on this machine alone"
    ))
}

/// Every line on a line of its own, the last one as the message.
fn refused(mut lines: Vec<String>) -> Failure {
    let last = lines.pop().unwrap_or_default();
    // what cannot be said is no reason to say nothing
    lines.iter().for_each(|line| _ = say(line));
    Failure::Usage(last)
}

fn same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The options with which a run goes on from merged shards.
fn arguments(sources: &[Source], study: &Study) -> String {
    let plan = &sources[0].plan;
    let mut arguments = String::new();
    if plan.profile != "paper" {
        arguments += &format!(" --profile {}", plan.profile);
    }
    if plan.identity.seed != 1 {
        arguments += &format!(" --seed {}", plan.identity.seed);
    }
    let planned = |name: &str| plan.groups.iter().find(|planned| planned.group == name).map(|planned| planned.sets);
    if let [only] = plan.groups.as_slice()
        && study.groups.len() > 1
    {
        arguments += &format!(" --only {}", only.group);
    }
    let main = study.groups.iter().find(|group| group.sampled() && planned(group.name()).is_some());
    if let Some(main) = main
        && let Some(sets) = planned(main.name()).filter(|sets| *sets != main.sets())
    {
        arguments += &format!(" --sets {sets}");
    }
    arguments
}

/// One record of all shards.
fn provenance(beginning: &Beginning, sources: &[Source], measured: &[Measured]) -> Provenance {
    let plan = &sources[0].plan;
    let runs: Vec<&Provenance> = sources.iter().filter_map(|source| source.plan.run.as_ref()).collect();
    let mut machines: Vec<OfShards> = vec![];
    for run in &runs {
        // the load was another one in every run
        let machine = Machine { load: None, ..run.machine.clone() };
        match machines.iter_mut().find(|known| known.machine == machine) {
            Some(known) => (known.shards, known.seconds) = (known.shards + 1, known.seconds + run.seconds),
            None => machines.push(OfShards { machine, shards: 1, seconds: run.seconds }),
        }
    }
    let mut of_all = beginning.provenance(plan.identity.clone(), &plan.profile, 1, measured);
    if let Some(first) = runs.first() {
        of_all.sources = first.sources.clone();
        of_all.threads = first.threads;
        of_all.start = runs.iter().map(|run| run.start.clone()).min().unwrap_or_default();
        of_all.seconds = runs.iter().map(|run| run.seconds).sum();
    }
    of_all.machine = match machines.as_slice() {
        [one] => one.machine.clone(),
        _ => Machine { cpu: "several machines".into(), instruction_set: "several".into(), ..Machine::default() },
    };
    of_all.machines = machines;
    of_all
}
