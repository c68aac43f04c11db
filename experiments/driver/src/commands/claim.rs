//! Single claims by their rules: what decides, what the published tables come to, and how they are measured again.

use std::path::Path;

use kit::Failure;
use kit::published::ledgers;
use lab::files::read_text;
use lab::judge::claims::{Claim, Finding, Ledger};
use lab::judge::criterion::Answer;
use lab::judge::rule::entry::Rule;
use lab::judge::rule::finding::told;
use lab::judge::rule::outcome::{Judgement, NoOutcome, NumberFound};
use lab::judge::rule::prose::readings_in_words;
use lab::judge::rule::tables::Tables;
use lab::study::Study;
use serde_json::{Value, json};

use crate::output::{say, say_json};
use crate::program::Program;
use crate::workspace::{self, chosen};

/// Claims to show, and where they stand.
pub struct Asked<'a> {
    /// Id of the claim; all of the ledger if there is none.
    pub id: Option<&'a str>,
    /// Ledger in place of those of the project.
    pub ledger: Option<&'a Path>,
    pub json: bool,
}

/// True for the id of a claim of the project.
///
/// # Errors
/// A ledger that cannot be read.
pub fn is_id(word: &str) -> Result<bool, Failure> {
    Ok(ledgers()?.iter().flat_map(|ledger| &ledger.claims).any(|claim| claim.id == word))
}

/// Shows a claim in full, or a line for each claim of a ledger.
///
/// # Errors
/// A ledger or a rule that is wrong, tables that are not there.
pub fn show(program: &Program, asked: &Asked) -> Result<(), Failure> {
    let ledgers = match asked.ledger {
        None => ledgers()?.to_vec(),
        Some(path) => {
            let name = path.display().to_string();
            vec![Ledger::parse(&name, &read_text(path)?).map_err(|error| Failure::Usage(error.to_string()))?]
        }
    };
    let studies = program.published()?;
    let all = ledgers.iter().flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)));
    let shown: Vec<(&Ledger, &Claim)> = all.filter(|(_, claim)| asked.id.is_none_or(|id| claim.id == id)).collect();
    if let (Some(id), []) = (asked.id, &shown[..]) {
        return Err(Failure::Usage(format!("there is no claim {id}; `clothlab list STUDY` shows those of a study")));
    }
    let mut documents = vec![];
    for (ledger, claim) in shown {
        let Some(rule) = claim.rule().map_err(|error| Failure::Usage(error.to_string()))? else {
            if asked.id.is_some() {
                return Err(Failure::Usage(format!(
                    "{} is judged by its study's code: `clothlab claims {}`",
                    claim.id, claim.study
                )));
            }
            continue;
        };
        let study = chosen(&studies, Some(&claim.study))?.remove(0);
        let results = study.results(&workspace::root().join("results").join(study.name));
        let groups = study.tables();
        let tables = Tables::new(&groups, &results);
        let judgement = rule.judge(&claim.id, &tables).map_err(failure)?;
        if asked.json {
            documents.push(as_json(claim, &judgement));
        } else if asked.id.is_none() {
            say(format!("{}: {}", claim.id, judgement.verdict()))?;
        } else {
            say(in_full(ledger, claim, &rule, &judgement, &tables, study)?.trim_end())?;
        }
    }
    if asked.json { say_json(&json!({ "claims": documents })) } else { Ok(()) }
}

fn failure(error: NoOutcome) -> Failure {
    Failure::Usage(error.to_string())
}

fn in_full(
    ledger: &Ledger,
    claim: &Claim,
    rule: &Rule,
    judgement: &Judgement,
    tables: &Tables,
    study: &Study,
) -> Result<String, Failure> {
    let Claim { id, place, quantity, published, .. } = claim;
    let readings = rule.readings(id, tables).map_err(failure)?;
    let Finding { measured, reason, .. } = told(claim, judgement, &readings)?;
    let mut text = format!("{id}, a {} of {}, {place}: {quantity}\n", rule.kind, ledger.paper);
    text += &format!("{}: {published}\n\n", ledger.kind.reference());
    text += &judgement.in_words();
    if claim.measured.is_some() || claim.reason.is_some() {
        text += &format!("\nfound: {measured}\nwhy: {reason}\n");
    }
    text += &format!("\nwhat decides, {}:\n{}", rule.kind.meaning(), rule.in_words());
    if !readings.is_empty() {
        text += &format!("\nreadings, which decide nothing:\n{}", readings_in_words(&readings));
    }
    text += &format!("\nmeasured again by: clothlab repro --full {}\n", study.name);
    Ok(text)
}

fn as_json(claim: &Claim, judgement: &Judgement) -> Value {
    let of = |view: &str, number: &NumberFound| {
        let estimate = &number.found.estimate;
        json!({
            "view": view,
            "number": number.called,
            "stratum": number.stratum,
            "value": Some(estimate.value).filter(|value| value.is_finite()),
            "interval": estimate.interval.map(|interval| [interval.low, interval.high]),
            "cases": estimate.cases,
            "lost": number.found.lost,
            "published": number.published,
            "direction": number.answers.direction_word(),
            "size": number.answers.size_word(),
            "ours": number.ours.map_or("none stated", Answer::word),
        })
    };
    let numbers = judgement.views.iter().flat_map(|view| view.numbers.iter().map(move |number| of(&view.name, number)));
    let views = judgement
        .views
        .iter()
        .map(|view| json!({ "name": view.name, "direction": view.answers.direction_word(), "size": view.answers.size_word() }));
    json!({
        "id": claim.id,
        "study": claim.study,
        "verdict": judgement.verdict(),
        "direction": judgement.answers.direction_word(),
        "size": judgement.answers.size_word(),
        "views": views.collect::<Vec<_>>(),
        "numbers": numbers.collect::<Vec<_>>(),
    })
}
