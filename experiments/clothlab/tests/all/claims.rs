//! Rules of claims: the page that explains them, rules of one's own, and what the project's come to.

use std::fs;

use driver::workspace::root;
use kit::claimed::Claimed;
use kit::published::ledgers;
use lab::judge::frozen::{Decides, Frozen};
use lab::judge::rule::entry::RULE_KEYS;
use lab::judge::rule::function::{EXAMPLE, Function};
use lab::judge::rule::keys::{KEYS, Keys};
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

#[test]
fn every_claim_is_decided_by_its_rule() {
    let claims = || ledgers().expect("ledgers").iter().flat_map(|ledger| &ledger.claims);
    let without: Vec<&str> = claims().filter(|claim| claim.rule.is_none()).map(|claim| claim.id.as_str()).collect();
    assert_eq!(without, [""; 0], "these have no rule");
    let untold = claims().filter(|claim| claim.measured.is_none() || claim.reason.is_none());
    assert_eq!(untold.map(|claim| claim.id.as_str()).collect::<Vec<_>>(), [""; 0], "these have no words of what was found");
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

#[test]
fn an_open_answer_is_planned_and_a_name_that_is_none_is_refused() {
    let desk = Desk::of_checkout(&["results/speedup", "experiments/profiles"]);
    let said = desk.clothlab(&["claims", "plan", "B-TOTAL", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said.out).expect("a document");
    let answers = document["answers"].as_array().expect("a list");
    assert_eq!(answers.iter().map(|answer| answer["side"].as_str()).collect::<Vec<_>>(), [Some("direction"), Some("size")]);
    assert!(answers.iter().all(|answer| answer["claim"] == "B-TOTAL" && answer["as_found"].as_u64() > Some(5)), "{}", said.out);
    let said = desk.clothlab(&["claims", "plan", "B-TOTALL"]);
    assert!(said.refusal(2).starts_with("there is no study `B-TOTALL`"), "{}", said.err);
}

#[test]
fn held_out_sets_are_those_of_what_was_frozen() {
    const FILE: &str = "experiments/frozen/tearing.toml";
    let desk = Desk::of_checkout(&["experiments/profiles"]);
    let held_out = ["run", "tearing", "--held-out", "--dry-run"];
    assert!(desk.clothlab(&held_out).refusal(2).starts_with("tearing is not frozen"));
    let said = desk.clothlab(&["claims", "freeze", "tearing"]);
    assert!(said.out.starts_with("tearing: 2 claims frozen, seed "), "{}", said.out);
    let whole = desk.read(FILE);
    let frozen = Frozen::read(&whole).expect("what was frozen");
    let said = desk.clothlab(&held_out);
    assert!(said.out.contains(&format!("seed {}, ", frozen.seed())) && said.out.contains("tearing-held-out"), "{}", said.out);
    assert!(desk.clothlab(&["claims", "freeze", "tearing"]).refusal(2).starts_with("tearing is frozen in "));
    // frozen with another rule, as if it had been changed since
    let other = Decides { claims: [("S-TEAR-STRETCH".to_owned(), String::new())].into(), ..frozen.decides };
    desk.write(FILE, toml::to_string(&Frozen::new("tearing", "2026-01-01".into(), other)).expect("text"));
    let said = desk.clothlab(&held_out);
    let changed = "the rule of S-TEAR-STRETCH changed since tearing was frozen on 2026-01-01: go back";
    assert!(said.refusal(2).starts_with(changed), "{}", said.err);
    desk.write(FILE, whole.replace("ties = 100", "ties = 10"));
    let said = desk.clothlab(&held_out);
    assert!(said.refusal(2).contains("tearing.toml: its hash and seed do not follow"), "{}", said.err);
}

#[test]
fn every_number_of_a_claim_that_a_chart_names_is_there() {
    let sources = fs::read_dir(root().join("experiments")).expect("experiments").flatten();
    let files = sources.filter_map(|folder| fs::read_dir(folder.path().join("src")).ok()).flatten().flatten();
    let (mut named, mut unknown) = (0, vec![]);
    for text in files.filter_map(|file| fs::read_to_string(file.path()).ok()) {
        let code = text.split("\n#[cfg(test)]").next().unwrap_or_default().to_owned();
        for part in code.split("Claimed::of(\"").skip(1) {
            let (claim, rest) = part.split_once('"').expect("the id of a claim");
            let number = rest.split('"').nth(1).expect("the name of a number");
            named += 1;
            let says = |keys: &Keys| {
                let bounds = [&keys.size, &keys.direction, &keys.ours];
                keys.published.is_some() || bounds.into_iter().any(Option::is_some)
            };
            if !Claimed::of(claim, number).keys().is_some_and(|keys| says(&keys)) {
                unknown.push(format!("{claim}, {number}"));
            }
        }
    }
    assert_eq!(unknown, [""; 0], "no rule has these numbers, or it says nothing of them");
    assert!(named > 5, "{named} numbers are named");
}
