//! Two commits, checked out, built and measured in turn.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use lab::files::FileError;

use crate::comparison::{Comparison, Named};
use crate::contents::Blobs;
use crate::git::Repository;
use crate::runs::{Build, Measurement, take_turns};
use crate::side::{Side, Wanted};
use crate::times::{Times, decide};
use crate::worktree::{Workshop, Worktree, finish, outlive_interrupts};
use crate::{Mistake, StudyDifference};

/// Builds both revisions and compares what they measure. Without named studies, those of which both have committed results.
pub fn compare_builds(
    repository: &Repository,
    revisions: [&str; 2],
    studies: &[String],
    how: &Measurement,
    say: &dyn Fn(&str),
) -> Result<Comparison, Mistake> {
    let commit = |revision: &str| repository.commit(revision).ok_or_else(|| Mistake::Unknown(revision.into()));
    let commits = [commit(revisions[0])?, commit(revisions[1])?];
    let studies = if studies.is_empty() { common_studies(repository, revisions)? } else { studies.to_vec() };
    outlive_interrupts()?;
    let workshop = Workshop::open(repository)?;
    let mut checkouts: Vec<(Worktree, PathBuf)> = vec![];
    for ((revision, commit), name) in revisions.into_iter().zip(&commits).zip(["old", "new"]) {
        say(&format!("building {revision} ({})", &commit[..commit.len().min(9)]));
        let worktree = workshop.worktree(repository, name, commit)?;
        let program = build(&workshop, &worktree, revision, name)?;
        checkouts.push((worktree, program));
    }
    let builds = revisions.into_iter().zip(&checkouts);
    let builds: Vec<Build> =
        builds.map(|(revision, (worktree, program))| Build { revision, program, checkout: worktree.path() }).collect();
    let [old, new] = &builds[..] else { return Err(Mistake::Internal("two checkouts make a comparison".into())) };
    let folder = tempfile::tempdir().map_err(|error| Mistake::Internal(error.to_string()))?;
    let mut differences = studies
        .iter()
        .map(|study| take_turns(study, [old, new], how, folder.path(), say))
        .collect::<Result<Vec<StudyDifference>, _>>()?;
    let times = differences.iter_mut().filter_map(|study| match &mut study.times {
        Times::Built(times) => Some(times.iter_mut()),
        _ => None,
    });
    decide(&mut times.flatten().collect::<Vec<_>>());
    differences.iter_mut().for_each(StudyDifference::heed_control);
    let named = |k: usize| Named { name: revisions[k].into(), commit: Some(commits[k].clone()) };
    Ok(Comparison::new(named(0), named(1), vec![], vec![], differences))
}

fn common_studies(repository: &Repository, revisions: [&str; 2]) -> Result<Vec<String>, Mistake> {
    let wanted = Wanted { studies: &[], times: false };
    let mut blobs = Blobs::default();
    let [old, new] = revisions.map(|revision| Side::open(revision, Some(repository), &mut blobs, wanted));
    let (old, new) = (old?, new?);
    Ok(old.known.into_iter().filter(|study| new.known.contains(study)).collect())
}

/// Builds the driver in a worktree and keeps it where the next build leaves it alone.
fn build(workshop: &Workshop, worktree: &Worktree, revision: &str, name: &str) -> Result<PathBuf, Mistake> {
    let target = workshop.path("target");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // by its name alone: packages of commits have other names
    command.current_dir(worktree.path()).args(["build", "--release", "--locked", "--bin", "clothlab"]);
    if let Err(said) = finish(command.arg("--target-dir").arg(&target))? {
        let line = said.lines().find(|line| line.starts_with("error")).or(said.lines().last()).unwrap_or("no answer");
        return Err(Mistake::Build { revision: revision.into(), reason: line.to_owned() });
    }
    let built = target.join("release").join(format!("clothlab{}", std::env::consts::EXE_SUFFIX));
    let kept = workshop.path(&format!("clothlab-{name}{}", std::env::consts::EXE_SUFFIX));
    fs::copy(&built, &kept).map_err(|source| FileError::write(&kept, source))?;
    Ok(kept)
}
