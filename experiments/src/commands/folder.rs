use std::path::{Path, PathBuf};

use lab::files::read_text;
use lab::provenance::Provenance;
use lab::publish::Places;
use lab::results::{self, Damage};
use lab::run::{Hold, hold};
use lab::study::Study;

use crate::Failure;
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
        let record = read_text(&path.join("run.json")).ok().and_then(|text| Provenance::parse(&text));
        let Some(run) = record else {
            return Err(Failure::Usage(format!("{named} holds no results; make them with `clothlab run STUDY --out {named}`")));
        };
        let study = find(studies, &run.identity.study)?;
        let hold = hold(path)?;
        let is_table = |file: &str| study.groups.iter().any(|group| study.file_of(group.name()) == file);
        let damaged = results::verify(path)?.1.into_iter().find(|found| is_table(&found.file));
        if let Some(damaged) = damaged {
            let what: Damage = damaged.damage;
            let file = path.join(damaged.file);
            return Err(Failure::Usage(format!("{} {}; restore it, or measure it again", file.display(), what.words())));
        }
        Ok(Some(Folder { study, run, results: path.to_owned(), plots: path.join("plots"), _hold: hold }))
    }

    /// Where its files are.
    pub fn places(&self) -> Places<'_> {
        Places { results: &self.results, plots: &self.plots, plots_from_results: "plots/" }
    }
}
