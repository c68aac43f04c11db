use std::collections::BTreeMap;
use std::path::Path;

use kit::Failure;
use kit::published::ledgers;
use lab::files::read_text;
use lab::judge::claims::{Claim, Ledger};
use lab::judge::sample::PUBLISHED_SEED;
use lab::measure::identity::Identity;
use lab::measure::run::Request as Asked;
use lab::measure::schedule;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES};
use lab::study::Study;
use serde_json::{Value, json};

use super::expected::words;
use crate::output::{say, say_json};
use crate::program::Program;
use crate::whole::Whole;
use crate::workspace::{self, chosen};

/// The subject of a list.
#[derive(clap::Args)]
pub struct Request {
    /// The study whose groups and claims are shown [default: a line for each study]
    study: Option<String>,
    /// Show what a reproduction would take on so many cores, by the times of the published run
    #[arg(long, value_name = "N", value_parser = Whole(1..=100_000), conflicts_with = "json")]
    cores: Option<u64>,
    /// Write one JSON document, whose keys the end of this help names
    #[arg(long)]
    json: bool,
}

/// Shows a line for each study, or the groups and claims of one.
///
/// # Errors
/// A study that does not exist, a standard output that cannot be written.
pub fn list(program: &Program, request: &Request) -> Result<(), Failure> {
    let ledgers = ledgers()?;
    let studies = program.published()?;
    let shown = chosen(&studies, request.study.as_deref())?;
    if request.json {
        let studies: Vec<Value> = shown.iter().map(|study| as_json(program, study, ledgers)).collect();
        return say_json(&json!({ "studies": studies }));
    }
    if let Some(cores) = request.cores {
        return on_cores(&shown, cores as usize);
    }
    if request.study.is_some() {
        return shown.into_iter().try_for_each(|study| in_full(program, study, ledgers));
    }
    let width = shown.iter().map(|study| study.name.len()).max().unwrap_or(0);
    say(format!("{:width$}  {:>5} {:>9}  {:<31} question", "study", "sets", "time", "claims"))?;
    for study in &shown {
        let sets = study.groups.first().map_or(0, |group| group.sets());
        let counts = in_brief(&verdicts(study));
        say(format!("{:width$}  {sets:>5} {:>9}  {counts:<31} {}", study.name, words(program.seconds(study.name)), study.title))?;
    }
    say("")?;
    say("times at paper scale on two cores; `clothlab list STUDY` shows groups and claims")?;
    let studied = |id: &str| studies.iter().any(|study| study.judges.iter().any(|judge| judge.claim == id));
    match ledgers.iter().flat_map(|ledger| &ledger.claims).filter(|claim| !studied(&claim.id)).count() {
        0 => Ok(()),
        1 => say("not yet studied: 1 claim, listed in REPORT.md"),
        open => say(format!("not yet studied: {open} claims, listed in REPORT.md")),
    }
}

/// What rows of the short and of the full size take on so many cores; times, which are taken alone, come on top.
fn on_cores(studies: &[&Study], cores: usize) -> Result<(), Failure> {
    let on = if cores == 1 { "on 1 core".to_owned() } else { format!("on {cores} cores") };
    say(format!("{:<13} {:>9} {on:>12} {:>9}  longest piece", "rows of", "work", "at least"))?;
    for short in [true, false] {
        let mut pieces = vec![];
        for study in studies {
            let folder = workspace::root().join("results").join(study.name);
            let identity = Identity { study: study.name.into(), seed: PUBLISHED_SEED, ..Identity::default() };
            let request = Asked { short, ..Asked::all(&identity, Path::new(""), cores) };
            let known = schedule::pieces(study, &request, &folder)?;
            pieces.extend(known.ok_or_else(|| {
                Failure::Usage(format!("{} holds no times; `clothlab repro --full {}` takes them", folder.display(), study.name))
            })?);
        }
        pieces.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let work: f64 = pieces.iter().map(|piece| piece.seconds).sum();
        let longest = pieces.first().map_or(0.0, |piece| piece.seconds);
        let last = pieces.first().map_or(String::new(), |piece| format!("{longest:.0} s, {}", piece.name));
        let name = if short { "repro" } else { "repro --full" };
        let seconds = [work, schedule::makespan(&pieces, cores), longest.max(work / cores as f64)].map(|s| format!("{s:.0} s"));
        say(format!("{name:<13} {:>9} {:>12} {:>9}  {last}", seconds[0], seconds[1], seconds[2]))?;
    }
    say("")?;
    say("by the times of the published run, each of a thread among others; `--times` comes on top, case by case")
}

/// Groups and claims of a study.
fn in_full(program: &Program, study: &Study, ledgers: &[Ledger]) -> Result<(), Failure> {
    say(format!("{}  {}", study.name, study.title))?;
    say(format!("  {}; about {} at paper scale on two cores", study.source, words(program.seconds(study.name))))?;
    for group in &study.groups {
        let kind = if group.sampled() { "sets" } else { "cases" };
        say(format!("  group {:<10} {:>5} {kind:<5}  {}", group.name(), group.sets(), group.about()))?;
    }
    for judge in &study.judges {
        say(format!("  claim {:<15} {}", judge.claim, claim(ledgers, judge.claim).map_or("", |claim| claim.quantity.as_str())))?;
    }
    Ok(())
}

fn claim<'a>(ledgers: &'a [Ledger], id: &str) -> Option<&'a Claim> {
    ledgers.iter().flat_map(|ledger| &ledger.claims).find(|claim| claim.id == id)
}

/// Verdicts beside the results of a study, by claim; none outside of a checkout or of what is a preview.
pub fn verdicts(study: &Study) -> BTreeMap<String, String> {
    let folder = workspace::root().join("results").join(study.name);
    let mut found = BTreeMap::new();
    for text in [CLAIMS, CLAIMS_OF_TIMES].iter().filter_map(|file| read_text(&folder.join(file)).ok()) {
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let Ok(heads) = table.headers().cloned() else { continue };
        let place = |name: &str| heads.iter().position(|head| head == name);
        let (Some(claim), Some(verdict), Some(sample)) = (place("claim"), place("verdict"), place("sample")) else { continue };
        let published = table.records().flatten().filter(|record| record.get(sample) == Some("published"));
        found.extend(published.filter_map(|record| Some((record.get(claim)?.to_owned(), record.get(verdict)?.to_owned()))));
    }
    found
}

/// Numbers of verdicts that hold, hold in part, do not hold, and leave the claim open.
fn in_brief(verdicts: &BTreeMap<String, String>) -> String {
    let kinds: [(&str, &[&str]); 3] = [
        ("hold", &["reproduced", "reproduced-as-corrected", "direction-met"]),
        ("in part", &["size-open", "direction-only"]),
        ("not", &["not-reproduced"]),
    ];
    let count = |words: &[&str]| verdicts.values().filter(|verdict| words.contains(&verdict.as_str())).count();
    let counts = kinds.map(|(words, kind)| (words, count(kind)));
    let open = ("open", verdicts.len() - counts.iter().map(|(_, count)| count).sum::<usize>());
    let told = counts.into_iter().chain([open]).filter(|(_, count)| *count > 0);
    let told: Vec<String> = told.map(|(words, count)| format!("{count} {words}")).collect();
    if told.is_empty() { "-".to_owned() } else { told.join(", ") }
}

fn as_json(program: &Program, study: &Study, ledgers: &[Ledger]) -> Value {
    let verdicts = verdicts(study);
    let groups = study.groups.iter().map(|group| {
        let (name, about, cases) = (group.name(), group.about(), group.sets());
        json!({ "name": name, "about": about, "cases": cases, "sampled": group.sampled(), "timed": group.repeats() > 0 })
    });
    let claims = study.judges.iter().map(|judge| {
        let paper = ledgers.iter().find(|ledger| ledger.claims.iter().any(|claim| claim.id == judge.claim));
        let claim = claim(ledgers, judge.claim);
        json!({
            "id": judge.claim,
            "paper": paper.map(|ledger| ledger.paper.as_str()),
            "where": claim.map(|claim| claim.place.as_str()),
            "quantity": claim.map(|claim| claim.quantity.as_str()),
            "published": claim.map(|claim| claim.published.as_str()),
            "of_times": judge.of_times,
            "verdict": verdicts.get(judge.claim),
        })
    });
    json!({
        "name": study.name,
        "question": study.title,
        "source": study.source,
        "seconds": program.seconds(study.name),
        "groups": groups.collect::<Vec<_>>(),
        "claims": claims.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_by_what_they_say() {
        let of = |words: &[&str]| words.iter().enumerate().map(|(k, word)| (format!("B-{k}"), (*word).to_owned())).collect();
        assert_eq!(in_brief(&of(&[])), "-");
        let some = ["reproduced", "reproduced-as-corrected", "direction-met", "direction-only", "size-open", "described", "open"];
        assert_eq!(in_brief(&of(&some)), "3 hold, 2 in part, 2 open");
        assert_eq!(in_brief(&of(&["not-reproduced"])), "1 not");
    }
}
