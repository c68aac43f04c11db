use lab::Table;
use lab::files::read_text;
use lab::measure::run::{Request, set_count};
use lab::study::Study;

use crate::Failure;
use crate::workspace::{self, published_studies};

/// Cores that [`Study::expected_seconds`] is of.
const CORES: f64 = 2.0;

/// How long groups of a study take, in words: by what a case of the published run took, or outside of a checkout by the number of
/// cases and what the whole study takes.
///
/// # Errors
/// A shipped profile that cannot be read.
pub fn expected(study: &Study, wanted: &[&dyn Table], asked: &Request, profile: &str) -> Result<String, Failure> {
    let jobs = asked.jobs as f64;
    let results = study.results(&workspace::root().join("results").join(study.name));
    let by_times = |group: &&dyn Table| {
        let [among, alone] = results.seconds_a_case(group.name()).ok()?;
        let repeated = (f64::from(group.repeats()) * alone).min(group.enough() + alone);
        Some(left(study, *group, asked) * (among / jobs + repeated))
    };
    let other = if profile == "paper" { "" } else { ", whose cases may be longer or shorter" };
    if let Some(seconds) = wanted.iter().map(by_times).sum::<Option<f64>>() {
        return Ok(format!("about {} by the times of the published run{other}", words(seconds)));
    }
    let published = published_studies()?;
    let published = published.iter().find(|published| published.name == study.name).unwrap_or(study);
    let measurements = |group: &dyn Table, sets: f64| sets * f64::from(1 + group.repeats());
    let whole: f64 = published.groups.iter().map(|group| measurements(group.as_ref(), group.sets() as f64)).sum();
    let part: f64 = wanted.iter().map(|group| measurements(*group, left(study, *group, asked))).sum();
    let seconds = study.expected_seconds * CORES / jobs * part / whole;
    Ok(format!("about {} by the number of cases{other}", words(seconds)))
}

/// Cases that are still to be measured.
fn left(study: &Study, group: &dyn Table, asked: &Request) -> f64 {
    let part = asked.parts.join(format!("{}.part", group.name()));
    let done = if asked.fresh { 0 } else { read_text(&part).map_or(0, |text| text.lines().count().saturating_sub(1)) };
    set_count(study, group, asked.sets).saturating_sub(done as u64) as f64
}

/// A time in words.
fn words(seconds: f64) -> String {
    if seconds < 7200.0 { format!("{seconds:.0} s") } else { format!("{:.1} hours", seconds / 3600.0) }
}
