use std::path::{Path, PathBuf};

use kit::Failure;
use lab::files::sweep;
use lab::measure::run::{Measured, Request, RunError, hold_in_turn};
use lab::measure::shard::Shard;
use lab::measure::share::Share;
use lab::measure::work::measure;
use lab::study::Study;
use lab::{Table, part_files};

use crate::output::{say, say_measured};
use crate::workspace::{self, Beginning};

/// Where a shard goes if nothing is said.
pub fn folder_of(study: &str, share: Share) -> PathBuf {
    workspace::root().join("out").join(format!("{study}-shard-{}-of-{}", share.number, share.of))
}

/// Refuses a folder with another shard, or with something else than shards.
pub fn check_folder(folder: &Path, plan: Option<&Shard>, fresh: bool) -> Result<(), Failure> {
    let other = |what: String| Err(RunError::OtherShard { path: folder.into(), what }.into());
    let (there, parts) = (if fresh { None } else { Shard::of(folder)? }, folder.join("parts"));
    match (there, plan) {
        (Some(there), None) => other(format!("shard {} of {}", there.share, there.identity.study)),
        (None, Some(_)) if folder.join("run.json").exists() => other("finished results".into()),
        (None, Some(_)) if !fresh && !part_files(&parts).is_empty() => other("cases of a run that is no shard".into()),
        (Some(there), Some(plan)) if there.share != plan.share => {
            other(format!("shard {} of {}, not {}", there.share, there.identity.study, plan.share))
        }
        (Some(there), Some(plan)) => match there.difference(plan) {
            Some(difference) => other(format!("a shard {difference}")),
            None => Ok(()),
        },
        (None, _) => Ok(()),
    }
}

/// Measures a share of the cases, for `clothlab merge`. Cases are not timed: times of one machine only stand side by side.
///
/// # Errors
/// As [`Failure`] says.
pub fn shard(
    study: &Study,
    wanted: &[&dyn Table],
    plan: &Shard,
    request: &Request,
    beginning: &Beginning,
    folder: &Path,
) -> Result<(), Failure> {
    // a scheduler that lost sight of a machine starts a shard again while it may still be measured there
    let waits = || _ = say(format!("another run is measuring this shard in {}; this one goes on behind it", folder.display()));
    let _hold = hold_in_turn(folder, waits)?;
    sweep(folder)?;
    check_folder(folder, Some(plan), request.fresh)?;
    // it is there before the first case, and says of no run that it has ended
    plan.write(folder)?;
    let measured = measure(study, request)?;
    let provenance = beginning.provenance(plan.identity.clone(), &plan.profile, request.jobs, &measured);
    let mut finished = plan.clone();
    finished.run = Some(provenance);
    finished.write(folder)?;
    say_measured(&measured)?;
    let timed: Vec<&str> = wanted.iter().filter(|group| group.repeats() > 0).map(|group| group.name()).collect();
    if !timed.is_empty() {
        say(format!("  not timed: {}; times are taken on one machine, after `clothlab merge`", timed.join(", ")))?;
    }
    let cases: usize = measured.iter().map(Measured::case_count).sum();
    say(format!("shard {} of {}: {cases} cases in {:.1} s; {}", plan.share, study.name, beginning.seconds(), folder.display()))
}
