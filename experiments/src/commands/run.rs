use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use lab::files::{read_text, sweep};
use lab::judge::sample::Sample;
use lab::measure::run::{self, Measured, Request, RunError, groups, hold, kept, measure, set_count};
use lab::provenance::Provenance;
use lab::publish::{Findings, Places, check_foreign, publish};
use lab::results::table_csv;
use lab::study::Study;
use lab::{Table, part_files};

use super::expected::{self, Asked};
use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, Beginning, find, identity, sample};
use crate::{Failure, studies};

/// What of a study is measured, and where it goes.
pub struct Run {
    /// The study.
    pub study: String,
    /// Sets of the main group.
    pub sets: Option<u64>,
    /// Base seed.
    pub seed: u64,
    /// One group only.
    pub only: Option<String>,
    /// One case only, printed.
    pub case: Option<u64>,
    /// Threads.
    pub jobs: usize,
    /// Profile: a name or a file.
    pub profile: String,
    /// Folder of the output.
    pub out: Option<PathBuf>,
    /// Forget what is there.
    pub fresh: bool,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
    /// What the kernels run on.
    pub instruction_set: InstructionSet,
}

/// Measures a study, or a part of it.
///
/// # Errors
/// As [`Failure`] says.
pub fn run(arguments: &Run) -> Result<(), Failure> {
    let profile = Profile::load(&arguments.profile)?;
    let studies = studies::all(&profile.ranges);
    let study = find(&studies, &arguments.study)?;
    let wanted = groups(study, arguments.only.as_deref())?;
    let folder = arguments.out.clone().unwrap_or_else(|| workspace::root().join("out").join(study.name));
    if arguments.dry_run {
        return dry_run(study, &wanted, arguments, &profile, &folder);
    }
    if let Some(set) = arguments.case {
        return one_case(study, wanted[0], arguments.seed, set, &folder);
    }
    let beginning = Beginning::now(&workspace::root(), arguments.instruction_set);
    // a reader that has gone away is no reason not to measure
    _ = say(format!("{}: {}", study.name, expected(study, &wanted, arguments, &profile, &folder)?));
    let _hold = hold(&folder)?;
    let identity = identity(study, arguments.seed);
    let (parts, plots) = (folder.join("parts"), folder.join("plots"));
    let places = Places { results: &folder, plots: &plots, plots_from_results: "plots/" };
    check_foreign(study, &places)?;
    [&folder, &plots].into_iter().try_for_each(|folder| sweep(folder))?;
    if !arguments.fresh && part_files(&parts).is_empty() {
        refuse_finished(&folder)?;
    }
    let request = Request {
        identity: &identity,
        sets: arguments.sets,
        only: arguments.only.as_deref(),
        jobs: arguments.jobs,
        parts: &parts,
        fresh: arguments.fresh,
        times: true,
        quiet: false,
    };
    let forgets_all = arguments.fresh && arguments.only.is_none();
    let former = read_text(&folder.join("run.json")).ok().filter(|_| !forgets_all).and_then(|text| Provenance::parse(&text));
    let kept = kept(study, &request, &former.map_or(vec![], |former| former.groups))?;
    let mut measured = measure(study, &request)?;
    measured.extend(kept);
    // as if all groups had been measured together
    measured.sort_by_key(|group| study.groups.iter().position(|table| table.name() == group.group));
    let provenance = beginning.provenance(identity, &profile.name, arguments.jobs, &measured);
    let published = studies::all(&Profile::load("paper")?.ranges);
    let sample = sample(&published, study, &provenance);
    let findings = publish(study, &sample, &measured, &provenance, &places)?;
    say_measured(&measured)?;
    say_findings(&findings, &sample)?;
    say(format!("{:.1} s; results in {}", beginning.seconds(), folder.display()))
}

/// Refuses a folder with finished results but without the parts from which they could be extended.
fn refuse_finished(folder: &Path) -> Result<(), Failure> {
    if folder.join("run.json").exists() {
        let folder = folder.display();
        return Err(Failure::Usage(format!(
            "{folder} holds finished results; choose another --out, or replace them with --fresh"
        )));
    }
    Ok(())
}

/// How many cases each group has, and how many of them were there already.
pub fn say_measured(measured: &[Measured]) -> Result<(), Failure> {
    for group in measured {
        let resumed = if group.resumed > 0 { format!(", {} of them from an earlier run", group.resumed) } else { String::new() };
        say(format!("  {:<10} {:>5} cases, {} rows{resumed}", group.group, group.case_count(), group.row_count()))?;
    }
    Ok(())
}

/// A line a verdict; where these are previews, a line that says why before them.
pub fn say_findings(findings: &Findings, sample: &Sample) -> Result<(), Failure> {
    if let (Sample::Preview(difference), false) = (sample, findings.is_empty()) {
        say(format!("  previews, which judge no paper: {difference}"))?;
    }
    for (claim, finding) in findings {
        say(format!("  {claim:<15} {}: {}", sample.verdict(finding.verdict), finding.measured))?;
    }
    Ok(())
}

fn dry_run(study: &Study, wanted: &[&dyn Table], arguments: &Run, profile: &Profile, folder: &Path) -> Result<(), Failure> {
    let (name, seed, jobs) = (study.name, arguments.seed, arguments.jobs);
    say(format!("{name}, profile {}, seed {seed}, {jobs} threads, {} kernels", profile.name, arguments.instruction_set))?;
    for group in wanted {
        say(format!("  {:<10} {:>5} cases  {}", group.name(), set_count(study, *group, arguments.sets), group.about()))?;
    }
    let expected = expected(study, wanted, arguments, profile, folder)?;
    say(format!("{expected}; results would go to {}", folder.display()))
}

/// How long it takes, in words.
fn expected(study: &Study, wanted: &[&dyn Table], arguments: &Run, profile: &Profile, folder: &Path) -> Result<String, Failure> {
    let parts = folder.join("parts");
    let Run { sets, jobs, fresh, .. } = *arguments;
    expected::expected(study, wanted, &Asked { sets, jobs, parts: &parts, fresh, profile: &profile.name })
}

/// Prints the rows of a case, and compares them with finished ones of equal identity.
fn one_case(study: &Study, group: &dyn Table, seed: u64, set: u64, folder: &Path) -> Result<(), Failure> {
    let rows = run::one_case(study, group, seed, set)?;
    let columns: Vec<&str> = group.columns().iter().map(|column| column.name).collect();
    say(columns.join(","))?;
    for row in &rows {
        say(row)?;
    }
    for finished in [folder.to_owned(), workspace::root().join("results").join(study.name)] {
        let Some(provenance) = read_text(&finished.join("run.json")).ok().and_then(|text| Provenance::parse(&text)) else {
            continue;
        };
        let file = finished.join(study.file_of(group.name()));
        if provenance.identity.difference(&identity(study, seed)).is_some() || !file.exists() {
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
