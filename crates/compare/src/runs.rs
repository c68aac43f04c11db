//! Studies measured by two builds in turn.

use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use crate::Mistake;
use crate::control;
use crate::difference::StudyDifference;
use crate::rows;
use crate::side::{Side, Wanted};
use crate::study::StudyResults;
use crate::table::Table;
use crate::times::{Rounds, Times};
use crate::worktree::finish;

/// How studies are measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Parameter sets of the main group.
    pub sets: Option<u64>,
    pub profile: String,
    pub jobs: u16,
    /// Rounds of old, new and old once more; none where rows alone are compared.
    pub rounds: Option<usize>,
}

/// A program that measures, in its checkout.
pub struct Build<'a> {
    /// The revision, as the user named it.
    pub revision: &'a str,
    pub program: &'a Path,
    pub checkout: &'a Path,
}

impl Build<'_> {
    fn run(&self, study: &str, how: &Measurement, out: &Path) -> Result<StudyResults, Mistake> {
        let mut command = Command::new(self.program);
        command.current_dir(self.checkout).args(["run", study, "--profile", &how.profile, "--jobs", &how.jobs.to_string()]);
        if let Some(sets) = how.sets {
            command.args(["--sets", &sets.to_string()]);
        }
        if how.rounds.is_some() && self.asks_for_times() {
            command.arg("--times");
        }
        let failed = |reason: String| Mistake::Run { revision: self.revision.into(), study: study.into(), reason };
        if let Err(said) = finish(command.arg("--out").arg(out))? {
            let line = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it ended without a word");
            return Err(failed(line.trim_start_matches("error: ").to_owned()));
        }
        let wanted = Wanted { studies: &[], times: how.rounds.is_some() };
        let mut side = Side::of_folder(&out.display().to_string(), out, wanted)?;
        let results = side.studies.remove(study).ok_or_else(|| failed("it left no results".into()))?;
        Ok(Rc::unwrap_or_clone(results))
    }

    /// True if this build takes times when they are asked for; earlier ones always took them.
    fn asks_for_times(&self) -> bool {
        let help = Command::new(self.program).args(["run", "--help"]).output();
        help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--times"))
    }
}

/// Measures a study by both builds, the order of the two runs of the old one changing from round to round.
pub fn take_turns(
    study: &str,
    [old, new]: [&Build; 2],
    how: &Measurement,
    folder: &Path,
    say: &dyn Fn(&str),
) -> Result<StudyDifference, Mistake> {
    let mut rounds = Rounds::default();
    let mut first: [Option<StudyResults>; 2] = [None, None];
    let mut unequal = vec![];
    for round in 1..=how.rounds.unwrap_or(1) {
        say(&format!("{study}: round {round} of {}", how.rounds.unwrap_or(1)));
        let order: &[usize] = match (how.rounds, round % 2) {
            (None, _) => &[0, 2],
            (_, 1) => &[0, 2, 1],
            _ => &[1, 2, 0],
        };
        for &turn in order {
            let (build, side) = if turn == 2 { (new, 1) } else { (old, 0) };
            let out = folder.join(format!("{study}-{round}-{turn}"));
            let control = || if how.rounds.is_some() { control::work() } else { 0.0 };
            let before = control();
            let mut results = build.run(study, how, &out)?;
            rounds.control[turn].push((before + control()) / 2.0);
            std::fs::remove_dir_all(&out).map_err(|error| Mistake::Internal(format!("{}: {error}", out.display())))?;
            let timings = std::mem::take(&mut results.timings).to_vec();
            // claims about times rest on one run; the rounds decide
            results.claims_of_times.clear();
            [&mut rounds.old, &mut rounds.again, &mut rounds.new][turn].push(timings);
            match &first[side] {
                None => first[side] = Some(results),
                Some(first) => unequal.extend(
                    differing(first, &results)
                        .map(|file| format!("{} measured {file} differently in round {round} than before", build.revision)),
                ),
            }
        }
    }
    let [Some(of_old), Some(of_new)] = &first else { return Err(Mistake::Internal("nothing was measured".into())) };
    let times = if how.rounds.is_some() { Times::Built(rounds.times(study)) } else { Times::NotAsked };
    let difference = StudyDifference::new(study, of_old, of_new, |_| times);
    Ok(StudyDifference { unequal_runs: unequal, control: how.rounds.and_then(|_| rounds.control()), ..difference })
}

/// The first table that differs between two runs of one program.
fn differing(first: &StudyResults, again: &StudyResults) -> Option<String> {
    let is_same =
        |file: &str, table: &Table| again.tables.get(file).is_some_and(|again| rows::compare(file, table, again, None).is_none());
    first.tables.iter().find(|(file, table)| !is_same(file, table)).map(|(file, _)| file.clone())
}
