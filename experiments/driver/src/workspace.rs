use std::env;
use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use kit::Failure;
use lab::files::sweep;
use lab::measure::identity::Identity;
use lab::measure::run::{Hold, Measured, RunError, hold};
use lab::provenance::{GroupCount, Provenance, Sources, checkout, machine, now, peak_memory};
use lab::publish::{CLAIMS, Places, check_foreign, check_reports};
use lab::study::Study;

use crate::output::note;
use crate::program::Program;
use crate::report_files::{files_of_report, path_of};
use crate::sources;
pub use kit::workspace::{default_jobs, root};

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
        return Err(Failure::Usage(format!("{} holds no results; make them with `clothlab repro --full`", folder.display())));
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

/// What the reproduction found, in sentences that the report fills with what was measured.
pub const HEADLINE: &str = include_str!("../../claims/findings.md");

/// What is known of a run when it begins.
pub struct Beginning {
    /// Commit, compiler and flags.
    pub sources: Sources,
    machine: lab::provenance::Machine,
    start: String,
    clock: std::time::Instant,
}

impl Beginning {
    /// Now; the commit is that of the checkout around `root`, if the program was built from its sources.
    pub fn now(program: &Program, root: &Path, set: InstructionSet) -> Beginning {
        // a checkout of other sources has nothing to say of this program
        let ours = sources::hash_of_program(root) == program.build.sources;
        let (commit, dirty, difference) = if ours { checkout(root) } else { (None, None, None) };
        let sources = Sources {
            commit,
            dirty,
            difference,
            lock: program.build.lock.into(),
            compiler: program.build.compiler.into(),
            flags: program.build.flags.trim().into(),
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
            times_of: None,
            charts: None,
            machines: vec![],
        }
    }

    /// Wall time since the beginning \[s\].
    pub fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }
}
