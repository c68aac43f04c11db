//! Rules of claims: the page that explains them, rules of one's own, and what the project's come to.

use std::collections::BTreeSet;
use std::fs;

use driver::workspace::root;
use kit::published::ledgers;
use lab::judge::rule::entry::RULE_KEYS;
use lab::judge::rule::function::{EXAMPLE, Function};
use lab::judge::rule::keys::KEYS;
use lab::judge::words::short;

use crate::common::Desk;

fn page() -> String {
    fs::read_to_string(root().join("docs/claims.md")).expect("docs/claims.md")
}

#[test]
fn the_page_on_claims_has_every_word_of_the_language() {
    let page = page();
    let key = |(key, meaning): &(&str, &str)| format!("| `{key}` | {meaning} |");
    let function = |function: Function| {
        let (example, value) = function.example();
        let value = Some(value.to_string()).filter(|value| value.len() <= 6).unwrap_or_else(|| short(value));
        format!("| `{}` | {} | `{}` | {} |", function.name(), function.meaning(), example.replace('|', "\\|"), value)
    };
    let example = |line: &str| format!("| {} |", line.replace(',', " | ").replace("|  |", "| |"));
    let lines =
        KEYS.iter().chain(&RULE_KEYS).map(key).chain(Function::ALL.map(function)).chain(EXAMPLE.lines().skip(1).map(example));
    let missing: Vec<String> = lines.filter(|line| !page.lines().any(|of_page| of_page == line)).collect();
    assert!(missing.is_empty(), "docs/claims.md lacks\n{}", missing.join("\n"));
}

/// Claims that the language of rules cannot say: a test of counts, orders of medians of frames, a strain left out, standings of methods,
/// growth over longer runs, time at equal error.
const IN_CODE: [&str; 8] =
    ["B-AIMEX-SHARE", "G-RESIDUAL", "G-CHAIN-STRAIN", "G-DRAPE-STRAIN", "G-DRAPE-N", "G-ICD-COST", "D-TIME", "S-BE-WORTH"];

#[test]
fn every_other_claim_is_decided_by_its_rule() {
    let claims = || ledgers().expect("ledgers").iter().flat_map(|ledger| &ledger.claims);
    let without: Vec<&str> = claims().filter(|claim| claim.rule.is_none()).map(|claim| claim.id.as_str()).collect();
    assert_eq!(without.iter().collect::<BTreeSet<_>>(), IN_CODE.iter().collect());
    let told = claims().filter(|claim| claim.rule.is_some() && (claim.measured.is_none() || claim.reason.is_none()));
    assert_eq!(told.map(|claim| claim.id.as_str()).collect::<Vec<_>>(), [""; 0], "these have no words of what was found");
}

/// The claim that the page makes, as a ledger.
pub fn example() -> String {
    page().split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a ledger in docs/claims.md").to_owned()
}

#[test]
fn a_claim_on_columns_that_are_there_is_an_entry_and_no_more() {
    let desk = Desk::of_checkout(&["results/preconditioners", "experiments/profiles"]);
    desk.write("mine.toml", example());
    let said = desk.clothlab(&["claims", "--ledger", "mine.toml", "SAVES"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let head = "SAVES, a claim of mine, 1: iterations that the constrained preconditioner saves on large sheets\npublished: more than a third\n";
    assert!(said.out.starts_with(head), "{}", said.out);
    assert!(said.out.contains("\ndirection met (direction met; size none published)\n  saving: 0.4"), "{}", said.out);
    let said = desk.clothlab(&["claims", "--ledger", "mine.toml", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said.out).expect("a document");
    assert_eq!(document["claims"][0]["direction"], "met");
    assert_eq!(document["claims"][0]["numbers"][0]["number"], "saving");
}

#[test]
fn a_ledger_with_a_mistake_judges_nothing() {
    let desk = Desk::of_checkout(&["results/preconditioners", "experiments/profiles"]);
    for (from, to, message) in [
        (
            "quantity = \"1 - cp / none\"",
            "quantity = \"1 - cp / nonne\"",
            "SAVES: number `saving`, `quantity`: no column `nonne`; there are a_block, ",
        ),
        (
            "direction = ",
            "directoin = ",
            "the ledger mine.toml: SAVES: number `saving`, `directoin`: there is no such key; there are called, table",
        ),
        ("study = \"preconditioners\"", "study = \"preconditioner\"", "there is no study"),
        ("[claim.rule]", "[claim.rules]", "the ledger mine.toml: unknown field `rules`"),
    ] {
        let text = example();
        assert!(text.contains(from), "{text}");
        desk.write("mine.toml", text.replace(from, to));
        let said = desk.clothlab(&["claims", "--ledger", "mine.toml", "SAVES"]);
        assert!(said.refusal(2).starts_with(message), "{}", said.err);
    }
    let said = desk.clothlab(&["claims", "--ledger", "gone.toml"]);
    assert!(said.refusal(2).contains("gone.toml"), "{}", said.err);
}
