use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kit::Failure;
use lab::Progress;
use lab::files::{LARGEST, read_bytes, read_text};
use lab::judge::sample::{PUBLISHED_SEED, Sample};
use lab::measure::identity::Identity;
use lab::measure::run::{Request, RunError, groups};
use lab::measure::work::{Job, work};
use lab::provenance::{Provenance, committed, processor_seconds};
use lab::publish::publish;
use lab::study::Study;
use lab::sums::{SUMS, entries};

use super::expected::expected;
use super::options::Machine;
use super::report::write_report;
use super::run::say_findings;
use super::verify::intact;
use crate::output::say;
use crate::output::say_measured;
use crate::profile::Profile;
use crate::program::Program;
use crate::workspace::{self, Beginning, check_root, find, hold_results, with_places};

/// Measures the named studies at paper scale, or every one if none is named, draws their charts, writes the report of all.
///
/// # Errors
/// As [`Failure`] says; an interrupted run goes on where it stopped when it is called again.
pub fn repro(program: &Program, names: &[String], machine: &Machine, fresh: bool, only_new: bool) -> Result<(), Failure> {
    let (jobs, set) = (machine.jobs(), machine.instruction_set());
    let root = workspace::root();
    let profile = Profile::load(program, "paper")?;
    let studies = &profile.studies;
    let mut wanted = vec![];
    for name in names {
        wanted.push(find(studies, name)?.name);
    }
    let is_named = |study: &&Study| wanted.is_empty() || wanted.contains(&study.name);
    let is_new = |study: &&Study| !only_new || !is_up_to_date(program, &root, study, studies);
    let (wanted, known): (Vec<&Study>, Vec<&Study>) = studies.iter().filter(is_named).partition(is_new);
    if !known.is_empty() {
        let names: Vec<&str> = known.iter().map(|study| study.name).collect();
        say(format!("measured by these sources already: {}", names.join(", ")))?;
    }
    let wanted = |study: &&Study| wanted.iter().any(|wanted| wanted.name == study.name);
    let _hold = hold_results(&root, studies)?;
    // what the report takes over is looked at before hours of measuring
    let others = studies.iter().filter(|study| !wanted(study) && root.join("results").join(study.name).join("run.json").exists());
    intact(&root, others, true)?;
    check_root(&root, studies.iter().filter(wanted), studies)?;
    // dirty or not is judged before anything is written
    let beginning = Beginning::now(program, &root, set);
    let wanted: Vec<&Study> = studies.iter().filter(wanted).collect();
    let places: Vec<Place> = wanted.iter().map(|study| Place::of(program, &root, study)).collect();
    let [requests, anew] = [fresh, true].map(|fresh| places.iter().map(|place| place.request(jobs, fresh)).collect::<Vec<_>>());
    let mut opened = vec![];
    for ((study, request), anew) in wanted.iter().zip(&requests).zip(&anew) {
        say(format!("{}: {}", study.name, expected(program, study, &groups(study, None)?, request, &profile.name)?))?;
        opened.push(match Job::open(study, request) {
            Err(error @ (RunError::Foreign { .. } | RunError::Damaged { .. })) => {
                say(format!("  measured anew, since {error}"))?;
                Job::open(study, anew)?
            }
            other => other?,
        });
    }
    measure_all(&opened, jobs)?;
    for ((study, job), place) in wanted.iter().zip(opened).zip(&places) {
        let (clock, busy) = (Instant::now(), job.busy());
        let measured = job.finish()?;
        let mut provenance = beginning.provenance(place.identity.clone(), &profile.name, jobs, &measured);
        // as if this study alone had been measured
        provenance.seconds = busy / jobs as f64 + clock.elapsed().as_secs_f64();
        let sample = Sample::of(Some(&provenance), study, studies);
        let findings = with_places(&root, study, |places| publish(study, &sample, &measured, &provenance, places))?;
        say(study.name)?;
        say_measured(&measured)?;
        say_findings(&findings, &sample)?;
        fs::remove_dir_all(&place.parts).map_err(|source| lab::files::FileError::write(&place.parts, source))?;
    }
    let report = write_report(program, &root, [studies, studies], "cargo repro")?;
    compare(&root, wanted.iter().copied())?;
    say(report)
}

/// Whether the results of a study are those of the published sample, whole, by the sources of this program.
fn is_up_to_date(program: &Program, root: &Path, study: &Study, published: &[Study]) -> bool {
    let run = Provenance::of(&root.join("results").join(study.name));
    run.is_some_and(|run| {
        let sample = Sample::of(Some(&run), study, published);
        run.identity == program.identity(study, PUBLISHED_SEED) && !sample.is_preview() && intact(root, [study], true).is_ok()
    })
}

/// What a study depends on, and where its cases are kept.
struct Place {
    identity: Identity,
    parts: PathBuf,
    results: PathBuf,
}

impl Place {
    fn of(program: &Program, root: &Path, study: &Study) -> Place {
        let [parts, results] = ["out/parts", "results"].map(|folder| root.join(folder).join(study.name));
        Place { identity: program.identity(study, PUBLISHED_SEED), parts, results }
    }

    fn request(&self, jobs: usize, fresh: bool) -> Request<'_> {
        let known = Some(&*self.results);
        Request { fresh, times: true, known, quiet: false, ..Request::all(&self.identity, &self.parts, jobs) }
    }
}

/// Measures what is left of all studies, and says how busy the threads were.
fn measure_all(opened: &[Job], jobs: usize) -> Result<(), Failure> {
    let cases = opened.iter().map(Job::pending).sum::<usize>();
    let (clock, before) = (Instant::now(), processor_seconds());
    work(opened, jobs, Progress::new("repro", "cases", cases as u64))?;
    let wall = clock.elapsed().as_secs_f64();
    if let (Some(before), Some(after)) = (before, processor_seconds()) {
        let used = after - before;
        let ratio = wall * jobs as f64 / used.max(f64::MIN_POSITIVE);
        say(format!(
            "{cases} cases in {wall:.0} s on {jobs} threads, {used:.0} s of processor time: {ratio:.2} times that over the threads"
        ))?;
    }
    Ok(())
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
