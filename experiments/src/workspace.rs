use std::env;
use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use lab::files::sweep;
use lab::measure::identity::Identity;
use lab::measure::run::{Hold, Measured, RunError, hold};
use lab::provenance::{GroupCount, Provenance, Sources, checkout, machine, now, peak_memory};
use lab::publish::{CLAIMS, Places, check_foreign, check_reports};
use lab::study::Study;

use crate::commands::report::{files_of_report, path_of};
use crate::output::note;
use crate::profile::Profile;
use crate::{Failure, sources, studies};

/// Folder of the checkout: the nearest one above that holds the experiments; elsewhere the folder that we are in.
pub fn root() -> PathBuf {
    let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let checkout = here.ancestors().find(|folder| folder.join("experiments/profiles").is_dir());
    checkout.map_or(here.clone(), Path::to_owned)
}

/// Threads that the machine offers.
pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Every study at the published sample sizes and ranges.
///
/// # Errors
/// A shipped profile that cannot be read.
pub fn published_studies() -> Result<Vec<Study>, Failure> {
    Ok(studies::all(&Profile::load("paper")?.ranges))
}

/// The study of a name.
///
/// # Errors
/// A name that no study has.
pub fn find<'a>(studies: &'a [Study], name: &str) -> Result<&'a Study, Failure> {
    studies.iter().find(|study| study.name == name).ok_or_else(|| {
        let known = studies.iter().map(|study| study.name);
        Failure::Usage(format!("there is no study `{name}`; {}", scene::remedy(name, known)))
    })
}

/// The study of a name, or all of them without one.
///
/// # Errors
/// A name that no study has.
pub fn chosen<'a>(studies: &'a [Study], name: Option<&str>) -> Result<Vec<&'a Study>, Failure> {
    name.map_or_else(|| Ok(studies.iter().collect()), |name| Ok(vec![find(studies, name)?]))
}

/// Those of the studies that have been measured; says which have not.
///
/// # Errors
/// No study that has been, or one of which the results are unfinished.
pub fn measured<'a>(root: &Path, studies: Vec<&'a Study>) -> Result<Vec<&'a Study>, Failure> {
    let folder = |study: &Study| root.join("results").join(study.name);
    let (there, others): (Vec<_>, Vec<_>) = studies.into_iter().partition(|study| folder(study).exists());
    let needed = if there.is_empty() { &others } else { &there };
    if let Some(study) = needed.iter().find(|study| !folder(study).join("run.json").exists()) {
        let folder = folder(study);
        return Err(Failure::Usage(format!("{} holds no results; make them with `clothlab repro`", folder.display())));
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|study| study.name).collect();
        note(format!("no results yet: {}", names.join(", ")))?;
    }
    Ok(there)
}

/// Holds results, plots and the report of the checkout against other commands that write them, and sweeps them.
///
/// # Errors
/// Another command that is at work, a folder `out` that cannot be written, or what cannot be removed.
pub fn hold_results(root: &Path, studies: &[Study]) -> Result<Hold, Failure> {
    let hold = hold(&root.join("out")).map_err(|error| match error {
        RunError::Busy { .. } => Failure::Usage(format!(
            "another command is writing results/, plots/ or the report of {}; wait for it to end",
            root.display()
        )),
        error => error.into(),
    })?;
    sweep_results(root, studies)?;
    Ok(hold)
}

/// Removes what commands that were stopped left unfinished among results, plots and the report below `root`, which is held.
///
/// # Errors
/// What cannot be removed.
pub fn sweep_results(root: &Path, studies: &[Study]) -> Result<(), Failure> {
    let of = |study: &Study| ["results", "plots"].map(|folder| root.join(folder).join(study.name));
    let mut folders = [root.to_owned(), root.join("results")].into_iter().chain(studies.iter().flat_map(of));
    Ok(folders.try_for_each(|folder| sweep(&folder))?)
}

/// The report below `root` with the table of all verdicts.
pub fn reports(root: &Path, studies: &[Study]) -> Vec<PathBuf> {
    let results = root.join("results");
    let files = files_of_report(studies);
    files.iter().map(|file| path_of(&results, file)).chain([results.join(CLAIMS)]).collect()
}

/// Where the results of a study go below `root`, with its charts; `act` on these places.
///
/// # Errors
/// Those of `act`.
pub fn with_places<T, E>(root: &Path, study: &Study, act: impl FnOnce(&Places) -> Result<T, E>) -> Result<T, E> {
    let [results, plots] = ["results", "plots"].map(|folder| root.join(folder).join(study.name));
    let above = format!("../../plots/{}/", study.name);
    act(&Places { results: &results, plots: &plots, plots_from_results: &above })
}

/// Refuses to write results of the `wanted` studies and the report of `all` below `root` where files of somebody else are.
///
/// # Errors
/// The first such file.
pub fn check_root<'a>(root: &Path, mut wanted: impl Iterator<Item = &'a Study>, all: &[Study]) -> Result<(), Failure> {
    wanted.try_for_each(|study| with_places(root, study, |places| check_foreign(study, places)))?;
    Ok(check_reports(reports(root, all).iter().map(PathBuf::as_path))?)
}

/// What the rows of a study depend on.
pub fn identity(study: &Study, seed: u64) -> Identity {
    Identity { study: study.name.into(), seed, ranges: study.ranges.clone(), code: study.code.into() }
}

/// What the reproduction found, in sentences that the report fills with what was measured.
pub const HEADLINE: &str = include_str!("../claims/findings.md");

/// What is known of a run when it begins.
pub struct Beginning {
    sources: Sources,
    machine: lab::provenance::Machine,
    start: String,
    clock: std::time::Instant,
}

impl Beginning {
    /// Now; the commit is that of the checkout around `root`, if the program was built from its sources.
    pub fn now(root: &Path, set: InstructionSet) -> Beginning {
        // a checkout of other sources has nothing to say of this program
        let ours = sources::of_program(root) == env!("BUILD_SOURCES");
        let (commit, dirty, difference) = if ours { checkout(root) } else { (None, None, None) };
        let sources = Sources {
            commit,
            dirty,
            difference,
            lock: env!("BUILD_LOCK").into(),
            compiler: env!("BUILD_COMPILER").into(),
            flags: env!("BUILD_FLAGS").trim().into(),
        };
        Beginning { sources, machine: machine(set.name()), start: now(), clock: std::time::Instant::now() }
    }

    /// The whole provenance, at the end of the measurement.
    pub fn provenance(&self, identity: Identity, profile: &str, threads: usize, measured: &[Measured]) -> Provenance {
        let groups = measured.iter().map(|group| GroupCount {
            group: group.group.into(),
            cases: group.case_count(),
            rows: group.row_count(),
            resumed: group.resumed,
        });
        Provenance {
            identity,
            profile: profile.into(),
            arguments: env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect(),
            threads,
            sources: self.sources.clone(),
            machine: self.machine.clone(),
            groups: groups.collect(),
            start: self.start.clone(),
            end: now(),
            seconds: (self.clock.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            peak_memory: peak_memory(),
            charts: None,
            machines: vec![],
        }
    }

    /// Wall time since the beginning \[s\].
    pub fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn commit(root: &Path) -> Option<String> {
        Beginning::now(root, InstructionSet::Portable).sources.commit
    }

    #[test]
    fn only_a_checkout_of_these_sources_gives_its_commit() {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(sources::of_program(&ours), env!("BUILD_SOURCES"));
        assert_eq!(commit(&ours), checkout(&ours).0);
        let other = tempfile::tempdir().expect("a folder");
        let git = |arguments: &[&str]| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
            let output = Command::new("git").arg("-C").arg(other.path()).args(identity).args(arguments).output();
            assert!(output.expect("git").status.success(), "{arguments:?}");
        };
        std::fs::write(other.path().join("Cargo.lock"), "").expect("a file");
        git(&["init", "--quiet"]);
        git(&["add", "Cargo.lock"]);
        git(&["commit", "--quiet", "--message", "another program"]);
        assert!(checkout(other.path()).0.is_some());
        assert_eq!(commit(other.path()), None);
    }
}
