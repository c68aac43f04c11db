//! EQUATIONS.md keeps its word: every function and every test that it names is there.

use std::fs;
use std::path::Path;

/// The columns of the table.
const HEADER: [&str; 4] = ["equation", "formula", "function", "test"];

/// The cells of a line of a table; none for other text.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// Lines of the table below its header, with their numbers.
fn rows(text: &str) -> Vec<(usize, Vec<&str>)> {
    let from_header = (1..).zip(text.lines()).skip_while(|(_, line)| cells(line).is_none_or(|cells| cells != HEADER));
    from_header.map_while(|(number, line)| Some((number, cells(line)?))).skip(2).collect()
}

/// The place that a text names, `` `path`: `name` ``.
fn place(text: &str) -> Option<(&str, &str)> {
    let (path, name) = text.trim().strip_prefix('`')?.strip_suffix('`')?.split_once("`: `")?;
    (!path.is_empty() && !name.is_empty()).then_some((path, name))
}

/// Lines of a source, from 0, that define `name` by one of the keywords.
fn definitions(source: &str, keywords: &[&str], name: &str) -> Vec<usize> {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let defines = |line: &str, keyword: &str| {
        let searched = format!("{keyword} {name}");
        let mut found = line.match_indices(&searched).map(|(start, _)| (&line[..start], &line[start + searched.len()..]));
        found.any(|(before, after)| apart(before.chars().last()) && apart(after.chars().next()))
    };
    let code = source.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.filter(|(_, line)| keywords.iter().any(|keyword| defines(line, keyword))).map(|(index, _)| index).collect()
}

fn has_function(source: &str, name: &str) -> bool {
    !definitions(source, &["fn", "struct", "const"], name).is_empty()
}

/// Whether `name` is run as a test: among the attributes above it is `#[test]`, without which a property is not run either.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    definitions(source, &["fn"], name).into_iter().any(|index| {
        let above = lines[..index].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.into_iter().any(|line| *line == "#[test]")
    })
}

/// All that a document promises and the sources below `root` do not keep.
fn mistakes(root: &Path, document: &str) -> Vec<String> {
    let mut mistakes = vec![];
    let rows = rows(document);
    if rows.is_empty() {
        mistakes.push(format!("there is no equation in a table with the columns {}", HEADER.join(", ")));
    }
    for (number, row) in rows {
        if row.len() != HEADER.len() || row.iter().any(|cell| cell.is_empty()) {
            mistakes.push(format!("line {number} has {} cells, or empty ones", row.len()));
            continue;
        }
        for (cell, kept) in [(row[2], has_function as fn(&str, &str) -> bool), (row[3], has_test)] {
            for text in cell.split(';') {
                match place(text).map(|(path, name)| (path, name, fs::read_to_string(root.join(path)))) {
                    None => mistakes.push(format!("line {number}: {text} names no file and function")),
                    Some((path, _, Err(error))) => mistakes.push(format!("line {number}: {path}: {error}")),
                    Some((path, name, Ok(source))) if !kept(&source, name) => {
                        mistakes.push(format!("line {number}: {path} has no `{name}`, or it is no test"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    mistakes
}

#[test]
fn every_function_and_test_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("EQUATIONS.md")).expect("EQUATIONS.md at the root");
    let mistakes = mistakes(&root, &document);
    assert!(mistakes.is_empty(), "EQUATIONS.md:\n{}", mistakes.join("\n"));
}

/// A source with a function, a constant, a test, a property, and what only looks like them.
const SOURCE: &str = "
pub const STAGES: usize = 4;
pub struct Chain;
// fn dropped() is gone
fn pull(x: f64) -> f64 { x }
fn pull_harder() {}

proptest! {
    #[test]
    /// What holds.
    fn holds(x in 0.0..1.0) {}
    fn forgotten(x in 0.0..1.0) {}
}

#[test]
#[should_panic]
fn pulls() {}
";

fn document(rows: &str) -> String {
    format!("# Equations\n\n| equation | formula | function | test |\n| --- | --- | --- | --- |\n{rows}\nText after it.\n")
}

#[test]
fn what_is_not_there_is_told() {
    let root = tempfile::tempdir().expect("a temporary folder");
    fs::write(root.path().join("a.rs"), SOURCE).expect("a source");
    let found = |rows: &str| mistakes(root.path(), &document(rows));
    for function in ["`a.rs`: `pull`", "`a.rs`: `Chain`; `a.rs`: `STAGES`"] {
        for test in ["`a.rs`: `pulls`", "`a.rs`: `holds`; `a.rs`: `pulls`"] {
            assert_eq!(found(&format!("| 1 | f = x | {function} | {test} |")), [""; 0]);
        }
    }
    for (rows, expected) in [
        ("", "there is no equation in a table with the columns equation, formula, function, test"),
        ("| 1 | f = |x| | `a.rs`: `pull` | `a.rs`: `pulls` |", "line 5 has 6 cells, or empty ones"),
        ("| 1 | f = x | `a.rs`: `pull` | |", "line 5 has 4 cells, or empty ones"),
        ("| 1 | f = x | pull in a.rs | `a.rs`: `pulls` |", "line 5: pull in a.rs names no file and function"),
        ("| 1 | f = x | `b.rs`: `pull` | `a.rs`: `pulls` |", "line 5: b.rs: "),
        ("| 1 | f = x | `a.rs`: `pul` | `a.rs`: `pulls` |", "line 5: a.rs has no `pul`"),
        ("| 1 | f = x | `a.rs`: `dropped` | `a.rs`: `pulls` |", "line 5: a.rs has no `dropped`"),
        ("| 1 | f = x | `a.rs`: `pull`; `a.rs`: `push` | `a.rs`: `pulls` |", "line 5: a.rs has no `push`"),
        ("| 1 | f = x | `a.rs`: `pull` | `a.rs`: `pull` |", "line 5: a.rs has no `pull`, or it is no test"),
        ("| 1 | f = x | `a.rs`: `pull` | `a.rs`: `forgotten` |", "line 5: a.rs has no `forgotten`, or it is no test"),
        ("| 1 | f = x | `a.rs`: `pull` | `a.rs`: `Chain` |", "line 5: a.rs has no `Chain`, or it is no test"),
    ] {
        let found = found(rows);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{rows}: {found:?}");
    }
    let other = document("| 1 | f = x | `a.rs`: `pull` | `a.rs`: `pulls` |").replace("formula", "what");
    assert_eq!(mistakes(root.path(), &other).len(), 1, "another header is no such table");
}
