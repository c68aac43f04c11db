//! Whether a run is finished is told by `run_watch` alone: what a study says of its own accord is listed here with its reason.

use std::fs;
use std::path::{Path, PathBuf};

use clothlab::PROGRAM;

/// Lines that look at a state by themselves, by file, each with why that is no rule of stability.
const LOOKS: [(&str, &str); 10] = [
    ("collisions/order.rs", "collisions are looked for between finite states"),
    ("fast-projection/chain.rs", "a search: a run that is not finite is refused as any that leaves the bound of strain"),
    ("fast-projection/courses.rs", "what that search sees of a step"),
    ("fast-projection/garment.rs", "how a method ended: trousers on a figure that moves gain energy from it"),
    ("fast-projection/relaxed.rs", "patches that are to come to rest: a speed decides"),
    ("generalized-alpha/flag_run.rs", "a flag that is driven, before the rule begins, and what the rule is told"),
    ("generalized-alpha/orders.rs", "orders of one step and of several: a distance decides"),
    ("projective-dynamics/runs.rs", "the distance from converged steps, which lose energy, decides"),
    ("projective-dynamics/solved.rs", "one step, whose reference has to be a number"),
    ("validation/drape.rs", "fabric that is to come to rest: a speed decides"),
];

/// Files that give a run a status of the rule other than by its course, each with why.
const GIVEN: [(&str, &str); 10] = [
    ("aimex/scenes.rs", "a picture without a state"),
    ("decomposition/figures.rs", "a picture without a state"),
    ("fast-projection/chain.rs", "a search, as above"),
    ("generalized-alpha/courses.rs", "one status for both ways to be lost by the rule, whose reason tells which"),
    ("generalized-alpha/orders.rs", "as in its courses"),
    ("generalized-alpha/runs.rs", "as in its courses"),
    ("generalized-alpha/systems.rs", "as in its courses"),
    ("preconditioners/multigrid.rs", "what counts is what solvers say; sheets of a few steps"),
    ("projective-dynamics/runs.rs", "one step, as above"),
    ("validation/moving.rs", "a distance from what is exact that is no number"),
];

/// Sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Files of studies, below their folder, that have a line before their tests for which `is_found`.
fn having(is_found: impl Fn(&str) -> bool) -> Vec<String> {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let studies = PROGRAM.studies.iter().map(|study| experiments.join(study.name).join("src"));
    let has = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a source");
        text.lines().take_while(|line| *line != "#[cfg(test)]").any(&is_found)
    };
    let mut names: Vec<String> = studies
        .flat_map(|study| sources(&study))
        .filter(|path| has(path))
        .map(|path| path.strip_prefix(&experiments).expect("below it").to_string_lossy().replace("/src/", "/"))
        .collect();
    names.sort();
    names
}

/// A state that is looked at other than for a course.
fn looks(line: &str) -> bool {
    line.contains("state.is_finite()") && !line.contains(".watch_energy(")
}

/// A status of a lost run that is given, not compared or counted.
fn gives(line: &str) -> bool {
    let lost = |word: &str| ["Status::GainsEnergy", "Status::NotFinite", "Status::Unstable"].contains(&word);
    let words = line.split(|c: char| !c.is_alphanumeric() && c != ':').any(lost);
    words && !["== Status::", "!= Status::", "[Status::", "&Status::", "count(Status::"].iter().any(|seen| line.contains(seen))
}

#[test]
fn a_state_is_judged_by_its_course_alone() {
    assert_eq!(having(looks), LOOKS.map(|(file, _)| file), "watch it with a course, or say here why not");
}

#[test]
fn a_status_of_the_rule_is_given_by_its_course_alone() {
    assert_eq!(having(gives), GIVEN.map(|(file, _)| file), "take it from a course, or say here why not");
}

#[test]
fn a_rule_of_its_own_would_be_found() {
    assert!(looks("if !state.is_finite() {") && looks("while run.state.is_finite() {"));
    assert!(!looks("course.watch_energy(state.is_finite(), || net.energy(&state));"));
    assert!(gives("status: Status::Unstable,") && gives("None => Status::NotFinite,"));
    assert!(!gives("if course.status() == Status::NotFinite {") && !gives("status: Status::Finished,"));
}
