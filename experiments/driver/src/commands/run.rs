use std::path::Path;

use kit::Failure;
use lab::files::{read_text, sweep};
use lab::judge::sample::Sample;
use lab::measure::run::{self, Measured, Request, RunError, groups, hold, kept, set_count};
use lab::measure::shard::Shard;
use lab::measure::work::measure;
use lab::provenance::Provenance;
use lab::publish::{Findings, Places, check_foreign, publish};
use lab::study::Study;
use lab::tables::table_csv;
use lab::{Table, part_files};

use super::expected::expected;
use super::freeze;
use super::options::Options;
use super::shard::{check_folder, folder_of, shard};
use crate::output::{note, say, say_measured, say_verdict};
use crate::profile::Profile;
use crate::program::Program;
use crate::workspace::{self, Beginning, find};

/// Measures a study, or a part of it.
///
/// # Errors
/// As [`Failure`] says.
pub fn run(program: &Program, name: &str, options: &Options) -> Result<(), Failure> {
    let (jobs, set) = (options.machine.jobs(), options.machine.instruction_set());
    // a study that does not exist is told before its settings
    let published = program.published()?;
    let frozen = find(&published, name)?;
    let named = frozen.name;
    let seed = if options.held_out { freeze::seed(program, frozen)? } else { options.seed };
    let profile = Profile::with(program, &options.profile, &options.settings, &[named])?;
    let studies = &profile.studies;
    let study = find(studies, name)?;
    let without = for_times(study, options);
    let mut wanted = groups(study, options.only.as_deref())?;
    wanted.retain(|group| !without.contains(&group.name()));
    let whole = if options.held_out { format!("{}-held-out", study.name) } else { study.name.into() };
    let unnamed =
        || options.shard.map_or_else(|| workspace::root().join("out").join(whole), |share| folder_of(study.name, share));
    let folder = options.out.clone().unwrap_or_else(unnamed);
    let identity = program.identity(study, seed);
    let (parts, plots) = (folder.join("parts"), folder.join("plots"));
    let Options { sets, fresh, .. } = *options;
    let only = options.only.as_deref();
    let known = workspace::root().join("results").join(study.name);
    let request = Request {
        identity: &identity,
        sets,
        short: false,
        only,
        without: &without,
        share: options.shard,
        jobs,
        parts: &parts,
        fresh,
        times: options.times,
        known: Some(&known),
        quiet: false,
    };
    if let (Some(told), None) = (profile.told(study.name), options.case) {
        _ = note(format!("{}: {told}", study.name));
    }
    if options.dry_run {
        say(format!("{name}, profile {}, seed {seed}, {jobs} threads, {set} kernels", profile.name))?;
        for group in &wanted {
            say(format!("  {:<10} {:>5} cases  {}", group.name(), set_count(&wanted, *group, sets), group.about()))?;
        }
        let expected = expected(program, study, &wanted, &request, &profile.name)?;
        return say(format!("{expected}; results would go to {}", folder.display()));
    }
    if let Some(case) = options.case {
        return one_case(program, study, wanted[0], options.seed, case, &folder);
    }
    let beginning = Beginning::now(program, &workspace::root(), set);
    // a reader that has gone away is no reason not to measure
    _ = note(format!("{}: {}", study.name, expected(program, study, &wanted, &request, &profile.name)?));
    if let Some(share) = options.shard {
        let plan = Shard::plan(&wanted, sets, share, &identity, &profile.name);
        return shard(study, &wanted, &plan, &request, &beginning, &folder);
    }
    let _hold = hold(&folder)?;
    check_folder(&folder, None, false)?;
    let places = Places { results: &folder, plots: &plots, plots_from_results: "plots/" };
    check_foreign(study, &places)?;
    [&folder, &plots].into_iter().try_for_each(|folder| sweep(folder))?;
    if !fresh && part_files(&parts).is_empty() && folder.join("run.json").exists() {
        let folder = folder.display();
        return Err(Failure::Usage(format!(
            "{folder} holds finished results; choose another --out, or replace them with --fresh"
        )));
    }
    let forgets_all = fresh && only.is_none();
    let former = if forgets_all { None } else { Provenance::of(&folder) };
    let kept = kept(study, &request, &former.map_or(vec![], |former| former.groups))?;
    let mut measured = measure(study, &request)?;
    measured.extend(kept);
    // as if all groups had been measured together
    measured.sort_by_key(|group| study.groups.iter().position(|table| table.name() == group.group));
    let provenance = beginning.provenance(identity.clone(), &profile.name, jobs, &measured);
    let sample = Sample::of(Some(&provenance), study, &published);
    let findings = publish(study, &sample, &measured, &provenance, &places)?;
    say_measured(&measured)?;
    say_findings(&findings, &sample)?;
    let asked = groups(study, only)?;
    if let (false, Some(groups)) = (options.times, untimed(&asked, &measured)) {
        note(format!("no times of {groups}: the same command with --times takes them too, case by case, on this machine alone"))?;
    }
    note(format!("{:.1} s; results in {}", beginning.seconds(), folder.display()))
}

/// Groups of a study that are there for their times alone, where no times are wanted. A shard leaves out none, since times are taken
/// after the merge.
fn for_times(study: &Study, options: &Options) -> Vec<&'static str> {
    if options.times || options.only.is_some() || options.shard.is_some() || options.case.is_some() {
        return vec![];
    }
    study.groups.iter().filter(|group| group.times_alone()).map(|group| group.name()).collect()
}

/// Groups among those `asked` for that are timed, but were not in this run, by their names; none where there is none.
pub fn untimed(asked: &[&dyn Table], measured: &[Measured]) -> Option<String> {
    let is_timed = |name: &str| measured.iter().any(|group| group.group == name && group.is_timed());
    let timed = asked.iter().filter(|group| group.repeats() > 0).map(|group| group.name());
    let names: Vec<&str> = timed.filter(|name| !is_timed(name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A line a verdict; where these are previews, a line that says why before them.
pub fn say_findings(findings: &Findings, sample: &Sample) -> Result<(), Failure> {
    if let (Sample::Preview(difference), false) = (sample, findings.is_empty()) {
        say(format!("  previews, which judge no paper: {difference}"))?;
    }
    for (claim, finding) in findings {
        let (verdict, measured) = (sample.verdict(finding.verdict), format!(": {}", finding.measured));
        say_verdict(&format!("  {claim:<15} "), finding.verdict, &verdict, &measured)?;
    }
    Ok(())
}

/// Prints the rows of a case, and compares them with finished ones of equal identity.
fn one_case(program: &Program, study: &Study, group: &dyn Table, seed: u64, set: u64, folder: &Path) -> Result<(), Failure> {
    let rows = run::one_case(study, group, seed, set)?;
    let columns: Vec<&str> = group.columns().iter().map(|column| column.name).collect();
    say(columns.join(","))?;
    for row in &rows {
        say(row)?;
    }
    for finished in [folder.to_owned(), workspace::root().join("results").join(study.name)] {
        let Some(provenance) = Provenance::of(&finished) else { continue };
        let file = finished.join(study.file_of(group.name()));
        if provenance.identity.difference(&program.identity(study, seed)).is_some() || !file.exists() {
            continue;
        }
        let text = read_text(&file)?;
        let prefix = format!("{set},");
        let kept: Vec<&str> = text.lines().skip(1).filter(|line| line.starts_with(&prefix)).collect();
        if !kept.is_empty() && kept != rows {
            return Err(Failure::Determinism(format!("set {set} differs from {}, which has the same identity", file.display())));
        }
    }
    Ok(())
}

/// The tables of measured groups, for comparisons.
pub fn tables(study: &Study, measured: &[Measured]) -> Result<Vec<(String, String)>, RunError> {
    let table = |group: &Measured| Ok((study.file_of(group.group), table_csv(groups(study, Some(group.group))?[0], group)));
    measured.iter().map(table).collect()
}
