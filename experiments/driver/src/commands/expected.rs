use kit::Failure;
use lab::Table;
use lab::files::read_text;
use lab::measure::run::{Request, set_count};
use lab::study::Study;

use crate::program::Program;
use crate::workspace;

/// Cores that [`Program::seconds`] is of.
const CORES: f64 = 2.0;

/// How long groups of a study take, in words.
///
/// # Errors
/// A shipped profile that cannot be read.
pub fn expected(
    program: &Program,
    study: &Study,
    wanted: &[&dyn Table],
    asked: &Request,
    profile: &str,
) -> Result<String, Failure> {
    let (seconds, by) = expected_seconds(program, study, wanted, asked)?;
    let other = if profile == "paper" { "" } else { ", whose cases may be longer or shorter" };
    Ok(format!("about {} by {by}{other}", words(seconds)))
}

/// How long groups of a study take \[s\], and how that is known: by what a case of the published run took, or outside of a checkout
/// by the number of cases and what the whole study takes.
///
/// # Errors
/// A shipped profile that cannot be read.
pub fn expected_seconds(
    program: &Program,
    study: &Study,
    wanted: &[&dyn Table],
    asked: &Request,
) -> Result<(f64, &'static str), Failure> {
    let jobs = asked.jobs as f64;
    let results = study.results(&workspace::root().join("results").join(study.name));
    let by_times = |group: &&dyn Table| {
        let [among, alone] = results.seconds_a_case(group.name()).ok()?;
        let repeated = if asked.times { (f64::from(group.repeats()) * alone).min(group.enough() + alone) } else { 0.0 };
        Some(left(study, wanted, *group, asked) * (among / jobs + repeated))
    };
    if let Some(seconds) = wanted.iter().map(by_times).sum::<Option<f64>>() {
        return Ok((seconds, "the times of the published run"));
    }
    let published = program.published()?;
    let published = published.iter().find(|published| published.name == study.name).unwrap_or(study);
    let whole: f64 = published.groups.iter().map(|group| group.sets() as f64 * f64::from(1 + group.repeats())).sum();
    let repeats = |group: &dyn Table| if asked.times { f64::from(group.repeats()) } else { 0.0 };
    let part: f64 = wanted.iter().map(|group| left(study, wanted, *group, asked) * (1.0 + repeats(*group))).sum();
    let seconds = program.seconds(study.name) * CORES / jobs * part / whole;
    Ok((seconds, "the number of cases"))
}

/// Cases that are still to be measured.
fn left(study: &Study, wanted: &[&dyn Table], group: &dyn Table, asked: &Request) -> f64 {
    let part = asked.parts.join(format!("{}.part", group.name()));
    let done = if asked.fresh { 0 } else { read_text(&part).map_or(0, |text| text.lines().count().saturating_sub(1)) };
    let share = asked.share.map_or(1.0, |share| share.of as f64);
    let sets = set_count(wanted, group, asked.sets);
    let sets = if asked.short { study.short.of(group.name(), sets) } else { sets };
    (sets as f64 / share - done as f64).max(0.0)
}

/// A time in words.
pub fn words(seconds: f64) -> String {
    if seconds < 7200.0 { format!("{seconds:.0} s") } else { format!("{:.1} hours", seconds / 3600.0) }
}
