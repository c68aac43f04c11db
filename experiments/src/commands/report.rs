use std::path::{Path, PathBuf};

use cloth::lanes::InstructionSet;
use lab::files::write_whole;
use lab::publish::judge;
use lab::report::Report;
use lab::study::Study;

use super::run::say_findings;
use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, chosen, finished, ledgers};
use crate::{Failure, studies};

/// Writes `REPORT.md` anew from the results at hand.
///
/// # Errors
/// A file that cannot be written.
pub fn report() -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
    for study in &studies {
        finished(&root, study)?;
    }
    let report = write_report(&root, "results".as_ref(), "plots".as_ref(), &studies, "cargo repro")?;
    say(format!("the report is {}", report.display()))
}

/// Judges the claims of a study, or of all, from the results at hand.
///
/// # Errors
/// A study that does not exist, or results that cannot be read.
pub fn claims(study: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
    for study in chosen(&studies, study)? {
        let findings = judge(study, &finished(&root, study)?)?;
        say(study.name)?;
        say_findings(&findings)?;
    }
    Ok(())
}

/// Writes the report into `root`, from folders below it.
pub fn write_report(root: &Path, results: &Path, plots: &Path, studies: &[Study], command: &str) -> Result<PathBuf, Failure> {
    let ledgers = ledgers()?;
    let report = Report { studies, ledgers: &ledgers, root, results: results.into(), plots: plots.into(), command };
    let path = root.join("REPORT.md");
    write_whole(&path, report.markdown().as_bytes())?;
    Ok(path)
}
