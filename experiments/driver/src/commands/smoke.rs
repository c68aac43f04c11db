use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use kit::Failure;
use lab::judge::sample::Sample;
use lab::measure::run::{Request, hold};
use lab::measure::work::measure;
use lab::publish::{Findings, publish};

use super::options::Machine;
use super::report::write_report;
use super::run::tables;
use crate::output::{say, say_measured};
use crate::profile::Profile;
use crate::program::Program;
use crate::workspace::{self, Beginning, check_root, sweep_results, with_places};

/// The profile of the command.
const SMOKE: &str = "smoke";

/// Runs every study on a small sample, then once more on one thread with portable kernels, and compares the rows.
///
/// # Errors
/// As [`Failure`] says; [`Failure::Determinism`] where a row differs.
pub fn smoke(program: &Program, machine: &Machine, out: Option<PathBuf>) -> Result<(), Failure> {
    let (jobs, set) = (machine.jobs(), machine.instruction_set());
    let root = out.unwrap_or_else(|| workspace::root().join("out/smoke"));
    let sized = || Profile::load(program, SMOKE).map(|profile| profile.studies);
    let (studies, portable) = (sized()?, sized()?);
    let published = program.published()?;
    let _hold = hold(&root)?;
    sweep_results(&root, &studies)?;
    check_root(&root, studies.iter(), &studies)?;
    for (study, portable) in studies.iter().zip(&portable) {
        let beginning = Beginning::now(program, &workspace::root(), set);
        let identity = program.identity(study, 1);
        let measured_with = |study, jobs, folder: &Path, times| {
            let parts = folder.join(identity.study.as_str());
            measure(study, &Request { fresh: true, times, ..Request::all(&identity, &parts, jobs) })
        };
        let measured = measured_with(study, jobs, &root.join("parts"), true)?;
        let provenance = beginning.provenance(identity.clone(), SMOKE, jobs, &measured);
        let sample = Sample::of(Some(&provenance), study, &published);
        let findings = with_places(&root, study, |places| publish(study, &sample, &measured, &provenance, places))?;
        say(format!("{}: {:.1} s", study.name, beginning.seconds()))?;
        say_measured(&measured)?;
        say_previews(&findings)?;
        InstructionSet::Portable.limit();
        let again = measured_with(portable, 1, &root.join("parts-portable"), false);
        set.limit();
        let again = again?;
        let pairs = tables(study, &measured)?.into_iter().zip(tables(portable, &again)?);
        let differing: Vec<String> = pairs.filter(|(first, second)| first != second).map(|((file, _), _)| file).collect();
        if !differing.is_empty() {
            let files = differing.join(", ");
            let message = format!("{}: {files} depend on threads or on the instruction set ({set} against portable)", study.name);
            return Err(Failure::Determinism(message));
        }
        say(format!("  the same rows on {jobs} threads with {set} kernels and on one thread with portable ones"))?;
    }
    let report = write_report(program, &root, [&studies, &published], "cargo smoke")?;
    say(report)
}

/// The number of claims that have a preview: so few cases judge none of them.
fn say_previews(findings: &Findings) -> Result<(), Failure> {
    match findings.len() {
        0 => Ok(()),
        1 => say("  1 claim has a preview, which judges no paper"),
        count => say(format!("  {count} claims have previews, which judge no paper")),
    }
}
