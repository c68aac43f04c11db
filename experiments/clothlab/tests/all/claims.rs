//! Rules of claims: the page that explains them, rules of one's own, and what the project's come to.

use std::fs;

use clothlab::PROGRAM;
use driver::workspace::root;
use kit::published::ledgers;
use lab::judge::judged::Judged;
use lab::judge::rule::entry::RULE_KEYS;
use lab::judge::rule::finding::find;
use lab::judge::rule::function::{EXAMPLE, Function};
use lab::judge::rule::keys::KEYS;
use lab::judge::rule::tables::{Groups, Tables};
use lab::judge::words::short;
use lab::publish::{CLAIMS, CLAIMS_OF_TIMES};

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

/// Claims whose rules come to another verdict or number than what is published, each with why.
const OTHERWISE: [(&str, &str); 6] = [
    ("B-CP-COST", "a number of a machine of its time has no verdict: it is described"),
    ("G-SCENE", "a number of a machine of its time: that it is met says little"),
    ("D-CORES", "the ratio of medians over repeats, where the median of paired ratios is published; a machine of its time"),
    ("B-ABLOCK-WORSE", "friction decides, where both answers had been taken together"),
    ("S-TEST-EQUATION", "a bound of our own decides nothing"),
    ("S-BEND-FOLDS", "no bound decides"),
];

#[test]
fn rules_come_to_the_published_verdicts() {
    let studies = PROGRAM.published().expect("studies");
    let mut other = vec![];
    let mut rules = 0;
    for claim in ledgers().expect("ledgers").iter().flat_map(|ledger| &ledger.claims) {
        let Some(rule) = claim.rule().expect("a rule") else { continue };
        rules += 1;
        let study = studies.iter().find(|study| study.name == claim.study).expect("a study");
        let folder = root().join("results").join(study.name);
        let (groups, results) = (Groups::of(&study.groups), study.results(&folder));
        let found = find(claim, &rule, &Tables::new(&groups, &results)).unwrap_or_else(|error| panic!("{}: {error}", claim.id));
        let published = [CLAIMS, CLAIMS_OF_TIMES].iter().flat_map(|file| {
            let lines = csv::Reader::from_path(folder.join(file)).expect("verdicts").into_deserialize();
            lines.map(|line| line.expect("a verdict")).collect::<Vec<Judged>>()
        });
        let published = published.into_iter().find(|judged| judged.claim == claim.id).expect("a verdict");
        let near = |value: f64| {
            found.numbers.iter().any(|(_, number)| {
                let estimate = number.found.estimate.value;
                estimate == value || (estimate - value).abs() <= 1e-9 * value.abs()
            })
        };
        if found.verdict != published.verdict || !published.value.is_none_or(near) {
            other.push(claim.id.as_str());
        }
    }
    assert!(rules > 140, "{rules}");
    let known = OTHERWISE.map(|(claim, _)| claim);
    let new: Vec<_> = other.iter().filter(|claim| !known.contains(claim)).collect();
    let gone: Vec<_> = known.iter().filter(|claim| !other.contains(claim)).collect();
    assert!(new.is_empty() && gone.is_empty(), "new {new:?}, no longer {gone:?}");
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
