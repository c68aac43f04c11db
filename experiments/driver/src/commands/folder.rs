use std::path::{Path, PathBuf};

use kit::Failure;
use lab::files::sweep;
use lab::measure::run::{Hold, hold};
use lab::provenance::Provenance;
use lab::publish::Places;
use lab::study::Study;
use lab::sums::{SUMS, verify};

use crate::workspace::find;

/// A folder that `clothlab run` wrote, held and found whole: its charts and verdicts can be made anew.
pub struct Folder<'a> {
    /// The study that it holds.
    pub study: &'a Study,
    /// The record of its run.
    pub run: Provenance,
    results: PathBuf,
    plots: PathBuf,
    _hold: Hold,
}

impl<'a> Folder<'a> {
    /// The folder that is meant where the name of a study may stand, if one is: a path, or what no study is called and is a folder.
    ///
    /// # Errors
    /// A folder without results, with damaged ones, or in which another command is at work.
    pub fn of(wanted: Option<&str>, studies: &'a [Study]) -> Result<Option<Folder<'a>>, Failure> {
        let Some(wanted) = wanted else { return Ok(None) };
        let path = Path::new(wanted);
        if !wanted.contains(std::path::MAIN_SEPARATOR) && (!path.is_dir() || studies.iter().any(|study| study.name == wanted)) {
            return Ok(None);
        }
        let named = path.display();
        let Some(run) = Provenance::of(path) else {
            return Err(Failure::Usage(format!("{named} holds no results; make them with `clothlab run STUDY --out {named}`")));
        };
        let study = find(studies, &run.identity.study)?;
        let hold = hold(path)?;
        let plots = path.join("plots");
        [path, &plots].into_iter().try_for_each(sweep)?;
        let counts = |file: &str| file == SUMS || study.groups.iter().any(|group| study.file_of(group.name()) == file);
        if let Some(damaged) = verify(path).1.into_iter().find(|found| counts(&found.file)) {
            let (file, what) = (path.join(damaged.file), damaged.damage.words());
            return Err(Failure::Usage(format!("{} {what}; restore it, or measure it again", file.display())));
        }
        Ok(Some(Folder { study, run, results: path.to_owned(), plots, _hold: hold }))
    }

    /// Where its files are.
    pub fn places(&self) -> Places<'_> {
        Places { results: &self.results, plots: &self.plots, plots_from_results: "plots/" }
    }
}
