use std::fs;
use std::path::Path;

use lab::files::{LARGEST, read_bytes, read_text};
use lab::judge::sample::Sample;
use lab::measure::run::{Request, RunError, groups, measure};
use lab::provenance::committed;
use lab::publish::publish;
use lab::study::Study;
use lab::sums::{SUMS, entries};

use super::expected::expected;
use super::options::Machine;
use super::report::write_report;
use super::run::{say_findings, say_measured};
use super::verify::intact;
use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, Beginning, check_root, find, hold_results, identity, with_places};
use crate::{Failure, studies};

/// Measures the named studies at paper scale, or every one if none is named, draws their charts, writes the report of all.
///
/// # Errors
/// As [`Failure`] says; an interrupted run goes on where it stopped when it is called again.
pub fn repro(names: &[String], machine: &Machine, fresh: bool) -> Result<(), Failure> {
    let (jobs, set) = (machine.jobs(), machine.instruction_set());
    let root = workspace::root();
    let profile = Profile::load("paper")?;
    let studies = studies::all(&profile.ranges);
    let mut wanted = vec![];
    for name in names {
        wanted.push(find(&studies, name)?.name);
    }
    let wanted = |study: &&Study| wanted.is_empty() || wanted.contains(&study.name);
    let _hold = hold_results(&root, &studies)?;
    // what the report takes over is looked at before hours of measuring
    let others = studies.iter().filter(|study| !wanted(study) && root.join("results").join(study.name).join("run.json").exists());
    intact(&root, others, true)?;
    check_root(&root, studies.iter().filter(wanted), &studies)?;
    for study in studies.iter().filter(wanted) {
        // dirty or not is judged before anything is written
        let beginning = Beginning::now(&root, set);
        let identity = identity(study, 1);
        let parts = root.join("out/parts").join(study.name);
        let mut request =
            Request { identity: &identity, sets: None, only: None, jobs, parts: &parts, fresh, times: true, quiet: false };
        say(format!("{}: {}", study.name, expected(study, &groups(study, None)?, &request, &profile.name)?))?;
        let measured = match measure(study, &request) {
            Err(error @ (RunError::Foreign { .. } | RunError::Damaged { .. })) => {
                say(format!("  measured anew, since {error}"))?;
                request.fresh = true;
                measure(study, &request)?
            }
            other => other?,
        };
        let provenance = beginning.provenance(identity.clone(), &profile.name, jobs, &measured);
        let sample = Sample::of(Some(&provenance), study, &studies);
        let findings = with_places(&root, study, |places| publish(study, &sample, &measured, &provenance, places))?;
        say_measured(&measured)?;
        say_findings(&findings, &sample)?;
        fs::remove_dir_all(&parts).map_err(|source| lab::files::FileError::write(&parts, source))?;
    }
    let report = write_report(&root, [&studies, &studies], "cargo repro")?;
    compare(&root, studies.iter().filter(wanted))?;
    say(report)
}

/// Says which deterministic files equal the committed ones.
fn compare<'a>(root: &Path, studies: impl Iterator<Item = &'a Study>) -> Result<(), Failure> {
    for study in studies {
        let folder = format!("results/{}", study.name);
        let sums = read_text(&root.join(&folder).join(SUMS))?;
        let files = entries(&sums).map(|(_, file)| match file.strip_prefix("../../") {
            Some(file) => file.to_owned(),
            None => format!("{folder}/{file}"),
        });
        let (mut equal, mut others) = (0, vec![]);
        for file in files {
            match committed(root, &file) {
                Some(bytes) if read_bytes(&root.join(&file), LARGEST).is_ok_and(|now| now == bytes) => equal += 1,
                Some(_) => others.push(format!("  {file} differs from the committed one")),
                None => others.push(format!("  {file} is not committed")),
            }
        }
        say(format!("{}: {equal} of {} deterministic files equal the committed ones", study.name, equal + others.len()))?;
        for line in others {
            say(line)?;
        }
    }
    Ok(())
}
