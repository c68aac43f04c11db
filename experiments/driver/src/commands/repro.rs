use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kit::Failure;
use kit::published::ledgers;
use lab::Progress;
use lab::files::{LARGEST, read_bytes, read_text};
use lab::judge::claims::Ledger;
use lab::judge::sample::{PUBLISHED_SEED, Sample};
use lab::measure::identity::Identity;
use lab::measure::published_rows::{self, Likeness, adopt, take_over_times};
use lab::measure::run::{Measured, Request as Asked, RunError, groups, hold};
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
use crate::output::{say, say_measured};
use crate::profile::Profile;
use crate::program::Program;
use crate::workspace::{self, Beginning, check_root, hold_results, sweep_results, with_places};

/// What is reproduced.
#[derive(clap::Args)]
pub struct Request {
    /// Studies, or papers: boxerman, goldenthal, bender, parks, stuyck; everything if none is named
    names: Vec<String>,
    /// The full size, which is published in results/: every reading, seed and map, and which-integrator
    #[arg(long)]
    full: bool,
    /// Take times too, at the end and alone on the machine, in place of the published ones
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    machine: Machine,
    /// Forget the cases of an interrupted run
    #[arg(long)]
    pub fresh: bool,
    /// Leave out studies whose results are by the sources of this program; goes with --full
    #[arg(long, requires = "full")]
    only_new: bool,
}

/// Folder of a short reproduction.
const SHORT: &str = "out/repro";

/// Measures the named studies, or every one, draws their charts and writes the report: at the short size into a folder of its own,
/// held against the published rows, or at the full size in their place.
///
/// # Errors
/// As [`Failure`] says; an interrupted run goes on where it stopped when it is called again.
pub fn repro(program: &Program, request: &Request) -> Result<(), Failure> {
    let Request { full, times, only_new, fresh, .. } = *request;
    let (jobs, set) = (request.machine.jobs(), request.machine.instruction_set());
    let checkout = workspace::root();
    let root = if full { checkout.clone() } else { checkout.join(SHORT) };
    let profile = Profile::load(program, "paper")?;
    let studies = &profile.studies;
    let named = named(studies, &request.names)?;
    let is_new = |study: &&Study| !only_new || !is_up_to_date(program, &root, study, studies);
    let (wanted, known): (Vec<&Study>, Vec<&Study>) =
        named.into_iter().filter(|study| full || !is_left_out(study)).partition(is_new);
    if !known.is_empty() {
        let names: Vec<&str> = known.iter().map(|study| study.name).collect();
        say(format!("measured by these sources already: {}", names.join(", ")))?;
    }
    let _hold = if full { hold_results(&checkout, studies)? } else { hold(&root)? };
    sweep_results(&root, studies)?;
    // what the report takes over is looked at before hours of measuring
    let is_wanted = |study: &Study| wanted.iter().any(|wanted| wanted.name == study.name);
    let others =
        studies.iter().filter(|study| !is_wanted(study) && root.join("results").join(study.name).join("run.json").exists());
    intact(&root, others, true)?;
    check_root(&root, wanted.iter().copied(), studies)?;
    // dirty or not is judged before anything is written
    let beginning = Beginning::now(program, &checkout, set);
    let places: Vec<Place> = wanted.iter().map(|study| Place::of(program, &checkout, &root, study)).collect();
    if times && !fresh {
        for (study, place) in
            wanted.iter().zip(&places).filter(|(study, _)| full && is_up_to_date(program, &root, study, studies))
        {
            // its rows stand, and only its times are taken
            let run = Provenance::of(&place.published).unwrap_or_default();
            adopt(study, &run, &place.identity, &place.published, &place.parts)?;
        }
    }
    let asked = |fresh| places.iter().map(|place| place.asked(request, jobs, fresh)).collect::<Vec<_>>();
    let [requests, anew] = [fresh, true].map(asked);
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
    // all times stand at the end, with nothing beside them
    let mut finished = vec![];
    for job in opened {
        let clock = Instant::now();
        let measured = job.finish()?;
        let seconds = measured.iter().map(Measured::seconds).sum::<f64>() / jobs as f64;
        finished.push((measured, seconds + clock.elapsed().as_secs_f64()));
    }
    let mut likenesses = vec![];
    for ((study, (mut measured, seconds)), place) in wanted.iter().zip(finished).zip(&places) {
        let published = Provenance::of(&place.published);
        let taken_over = published.is_some() && take_over_times(study, &mut measured, &place.published)?;
        let provenance = Provenance {
            // as if this study alone had been measured
            seconds,
            times_of: published.filter(|_| taken_over).map(|run| run.times()),
            ..beginning.provenance(place.identity.clone(), &profile.name, jobs, &measured)
        };
        if !full {
            likenesses.push((study.name, published_rows::compare(study, &measured, &place.published)));
        }
        let sample = Sample::of(Some(&provenance), study, studies);
        let findings = with_places(&root, study, |places| publish(study, &sample, &measured, &provenance, places))?;
        say(study.name)?;
        say_measured(&measured)?;
        say_findings(&findings, &sample)?;
        fs::remove_dir_all(&place.parts).map_err(|source| lab::files::FileError::write(&place.parts, source))?;
    }
    let command = if full { "cargo repro --full" } else { "cargo repro" };
    let report = write_report(program, &root, [studies, studies], command)?;
    if full {
        compare(&checkout, wanted.iter().copied())?;
        return say(report);
    }
    let differing = say_likenesses(&likenesses)?;
    say(report)?;
    match differing {
        0 => Ok(()),
        count => Err(Failure::Determinism(format!("{count} cases have other rows than the published ones"))),
    }
}

/// The studies of these names, which may be words of papers; all of them without a name.
fn named<'a>(studies: &'a [Study], names: &[String]) -> Result<Vec<&'a Study>, Failure> {
    let ledgers = ledgers()?;
    let mut wanted = vec![];
    let word = |ledger: &Ledger| ledger.paper.split(' ').next().unwrap_or_default().to_lowercase();
    let papers: Vec<String> = ledgers.iter().map(word).collect();
    for name in names {
        if let Some(paper) = papers.iter().position(|paper| paper == name) {
            wanted.extend(ledgers[paper].claims.iter().map(|claim| claim.study.as_str()));
        } else if let Some(study) = studies.iter().find(|study| study.name == name) {
            wanted.push(study.name);
        } else {
            let known = studies.iter().map(|study| study.name).chain(papers.iter().map(String::as_str));
            return Err(Failure::Usage(format!("there is no study or paper `{name}`; {}", scene::remedy(name, known))));
        }
    }
    Ok(studies.iter().filter(|study| names.is_empty() || wanted.contains(&study.name)).collect())
}

/// Whether a short reproduction leaves out all groups of a study.
fn is_left_out(study: &Study) -> bool {
    study.groups.iter().all(|group| study.short.of(group.name(), group.sets()) == 0)
}

/// Whether the results of a study are those of the published sample, whole, by the sources of this program.
fn is_up_to_date(program: &Program, root: &Path, study: &Study, published: &[Study]) -> bool {
    let run = Provenance::of(&root.join("results").join(study.name));
    run.is_some_and(|run| {
        let sample = Sample::of(Some(&run), study, published);
        let is_same = run.identity == program.identity(study, PUBLISHED_SEED);
        is_same && sample == Sample::Published && intact(root, [study], true).is_ok()
    })
}

/// What a study depends on, and where its cases are kept.
struct Place {
    identity: Identity,
    parts: PathBuf,
    /// Its published results.
    published: PathBuf,
}

impl Place {
    fn of(program: &Program, checkout: &Path, root: &Path, study: &Study) -> Place {
        let parts = if root == checkout { checkout.join("out/parts") } else { root.join("parts") };
        let published = checkout.join("results").join(study.name);
        Place { identity: program.identity(study, PUBLISHED_SEED), parts: parts.join(study.name), published }
    }

    fn asked(&self, request: &Request, jobs: usize, fresh: bool) -> Asked<'_> {
        let Request { full, times, .. } = *request;
        let known = Some(&*self.published);
        Asked { fresh, times, known, short: !full, quiet: false, ..Asked::all(&self.identity, &self.parts, jobs) }
    }
}

/// Measures what is left of all studies, and says how busy the threads were.
fn measure_all(opened: &[Job], jobs: usize) -> Result<(), Failure> {
    let cases = opened.iter().map(Job::pending).sum::<usize>();
    let (clock, before) = (Instant::now(), processor_seconds());
    work(opened, jobs, Progress::new("repro", "cases", cases as u64))?;
    let wall = clock.elapsed().as_secs_f64();
    let used = before.zip(processor_seconds()).map_or(0.0, |(before, after)| after - before);
    if cases > 0 && used > 0.0 {
        let ratio = wall * jobs as f64 / used;
        say(format!(
            "{cases} cases in {wall:.0} s on {jobs} threads, {used:.0} s of processor time: {ratio:.2} times that over the threads"
        ))?;
    }
    Ok(())
}

/// Says how many rows equal the published ones, and which do not; the number of cases that do not.
fn say_likenesses(studies: &[(&str, Result<Vec<Likeness>, RunError>)]) -> Result<usize, Failure> {
    let (mut equal, mut others) = (0, 0);
    for (study, likenesses) in studies {
        for Likeness { group, equal: of_group, differing } in likenesses.iter().flatten() {
            equal += of_group;
            if let Some(first) = differing.first() {
                let count = differing.len();
                others += count;
                say(format!("{study}/{group}: {count} cases have other rows than the published ones, case {first} the first"))?;
            }
        }
        if let Err(error) = likenesses {
            say(format!("{study}: cannot be compared: {error}"))?;
        }
    }
    say(format!("{equal} rows equal the published ones"))?;
    Ok(others)
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
