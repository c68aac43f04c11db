//! Cases that open answers would take.

use kit::Failure;
use kit::published::ledgers;
use kit::text_table::TextTable;
use lab::judge::rule::plan::{Planned, Wanted, plan};
use lab::judge::rule::tables::Tables;
use serde_json::{Value, json};

use crate::output::{say, say_json};
use crate::program::Program;
use crate::workspace::{chosen, root};

/// Columns of the terminal.
const WIDTH: usize = 120;

/// Plans the claims of a study, one claim, or all: a line for each answer that is open, or for each of a claim.
///
/// # Errors
/// A name that neither a study nor a claim has, tables that are not there, a reader that is gone.
pub fn show(program: &Program, name: Option<&str>, json: bool) -> Result<(), Failure> {
    let studies = program.published()?;
    let claims = || ledgers().map(|ledgers| ledgers.iter().flat_map(|ledger| &ledger.claims));
    let claim = claims()?.find(|claim| Some(claim.id.as_str()) == name);
    let chosen = chosen(&studies, claim.map_or(name, |claim| Some(&claim.study)))?;
    let mut planned: Vec<(&str, Planned)> = vec![];
    for study in chosen {
        let results = study.results(&root().join("results").join(study.name));
        let groups = study.tables();
        let of_study = claims()?.filter(|of| of.study == study.name && claim.is_none_or(|claim| claim.id == of.id));
        for claim in of_study {
            let Some(rule) = claim.rule().map_err(|error| Failure::Usage(error.to_string()))? else { continue };
            let judgement = rule.judge(&claim.id, &Tables::new(&groups, &results));
            let judgement = judgement.map_err(|error| Failure::Usage(error.to_string()))?;
            planned.extend(plan(&judgement).into_iter().map(|planned| (claim.id.as_str(), planned)));
        }
    }
    if claim.is_none() {
        planned.retain(|(_, planned)| planned.is_open());
    }
    if json {
        return say_json(
            &json!({ "answers": planned.iter().map(|(claim, planned)| as_json(claim, planned)).collect::<Vec<_>>() }),
        );
    }
    if planned.is_empty() {
        return say("no answer is open for want of cases");
    }
    let heads = ["claim", "number", "answer", "cases", "as found", "as published"];
    say(TextTable::new(&heads, planned.iter().map(|(claim, planned)| line(claim, planned))).aligned(WIDTH))?;
    say(
        "\ncases that decide with 90 %, if the truth is what was found, or what is published; never: as many cases as now are lost",
    )
}

fn line(claim: &str, planned: &Planned) -> Vec<String> {
    let cases = if planned.lost > 0 { format!("{}, {} lost", planned.cases, planned.lost) } else { planned.cases.to_string() };
    let words = |wanted: Wanted| match wanted {
        Wanted::Cases(cases) => cases.to_string(),
        Wanted::Never => "never".into(),
    };
    let answer = format!("{} {}", planned.side, planned.word());
    vec![
        claim.into(),
        planned.name.clone(),
        answer,
        cases,
        words(planned.as_found),
        planned.as_published.map_or(String::new(), words),
    ]
}

fn as_json(claim: &str, planned: &Planned) -> Value {
    let cases = |wanted: Wanted| match wanted {
        Wanted::Cases(cases) => json!(cases),
        Wanted::Never => json!("never"),
    };
    json!({
        "claim": claim,
        "number": planned.name,
        "side": planned.side,
        "answer": planned.word(),
        "cases": planned.cases,
        "lost": planned.lost,
        "as_found": cases(planned.as_found),
        "as_published": planned.as_published.map(cases),
    })
}
