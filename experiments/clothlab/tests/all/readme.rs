//! README's transcripts: every command that stands there behind `$` runs, and prints what README says that it prints.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use kit::published::ledgers;

use crate::common::Desk;

/// A command and the lines that are printed below it.
type Transcript = (String, Vec<String>);

/// The transcripts of a text: in its blocks of code, a command a line behind `$ ` and its output up to the next one.
fn transcripts(text: &str) -> Vec<Transcript> {
    let mut all: Vec<Transcript> = vec![];
    for block in text.split("```").skip(1).step_by(2) {
        let mut begun = false;
        for line in block.lines().skip(1) {
            match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => {
                    all.push((command.to_owned(), vec![]));
                    begun = true;
                }
                (None, Some((_, lines))) if begun => lines.push(line.to_owned()),
                _ => {}
            }
        }
    }
    all
}

/// True for a line that is as a pattern says, in which `...` stands for anything.
fn line_fits(pattern: &str, line: &str) -> bool {
    let mut rest = line;
    let mut parts = pattern.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// True for lines that are as patterns say, of which `...` alone stands for any number of them.
fn fits(patterns: &[String], lines: &[&str]) -> bool {
    match patterns.split_first() {
        None => lines.is_empty(),
        Some((any, rest)) if any == "..." => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((pattern, rest)) => lines.split_first().is_some_and(|(line, others)| line_fits(pattern, line) && fits(rest, others)),
    }
}

#[test]
fn every_command_of_the_readme_prints_what_is_said() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(checkout.join("README.md")).expect("README.md");
    let transcripts = transcripts(&readme);
    assert!(transcripts.len() >= 3, "{transcripts:?}");
    let desk = Desk::of_checkout(&["scenes", "results", "experiments/profiles"]);
    for (command, patterns) in transcripts {
        let arguments =
            command.strip_prefix("cargo clothlab ").unwrap_or_else(|| panic!("`{command}` is no command of the driver"));
        let said = desk.clothlab(&arguments.split_whitespace().collect::<Vec<_>>());
        assert_eq!(said.code, Some(0), "{command}\n{}", said.err);
        let lines: Vec<&str> = said.out.lines().collect();
        assert!(fits(&patterns, &lines), "{command}\nprints\n{}\nwhich is not\n{}", said.out, patterns.join("\n"));
    }
}

#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &Path| fs::read_to_string(name).unwrap_or_else(|error| panic!("{}: {error}", name.display()));
    let readme = read(&checkout.join("README.md"));
    let words = readme.split_whitespace().count();
    assert!(words <= 700, "{words} words");
    let mut pages: Vec<_> =
        fs::read_dir(checkout.join("docs")).expect("docs").map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|kind| kind == "md"));
    pages.push(checkout.join("README.md"));
    assert!(pages.len() > 8);
    for page in pages {
        let folder = page.parent().expect("a folder").to_owned();
        for link in read(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                assert!(folder.join(file).exists(), "{}: {link} leads nowhere", page.display());
            }
        }
    }
}

#[test]
fn patterns_stand_for_what_they_leave_out() {
    let lines = ["a 12 b", "c", "d"];
    let fits_all = |patterns: &[&str]| fits(&patterns.iter().map(|&pattern| pattern.to_owned()).collect::<Vec<_>>(), &lines);
    assert!(fits_all(&["a ... b", "...", "d"]) && fits_all(&["...", "c", "..."]) && fits_all(&["a 12 b", "c", "d"]));
    assert!(!fits_all(&["a ... c", "..."]) && !fits_all(&["a 12 b", "c"]) && !fits_all(&["...", "e"]));
}

#[test]
fn the_table_of_the_readme_counts_the_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let mut claims = csv::Reader::from_path(root.join("results/claims.csv")).expect("claims.csv");
    let judged: HashMap<String, String> =
        claims.records().flatten().map(|line| (line[0].to_owned(), line[2].to_owned())).collect();
    for ledger in ledgers().expect("ledgers") {
        let verdicts: Vec<&str> = ledger.claims.iter().map(|claim| judged[&claim.id].as_str()).collect();
        let count = |words: &[&str]| verdicts.iter().filter(|verdict| words.contains(*verdict)).count();
        let hold = count(&["reproduced", "reproduced-as-corrected", "direction-met"]);
        let counts = [hold, count(&["direction-only", "size-open"]), count(&["not-reproduced"])];
        let open = verdicts.len() - counts.iter().sum::<usize>();
        let [hold, another, not] = counts;
        let cells = format!(" | {hold} | {another} | {not} | {open} |");
        let name = ledger.paper.split(' ').next().unwrap_or_default().to_lowercase();
        let line =
            readme.lines().find(|line| line.to_lowercase().starts_with(&format!("| {name}"))).expect("a line of the ledger");
        assert!(line.ends_with(&cells), "{line} is not …{cells}");
    }
}
