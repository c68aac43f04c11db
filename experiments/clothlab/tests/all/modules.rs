//! Modules of a crate use each other one way, in every crate but those of studies, whose topics and verdicts look at each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clothlab::PROGRAM;

/// Files that are written together, and folders of files, each of which is one module to others.
const UNITS: [&[&str]; 11] = [
    &["cloth::implicit::linear", "cloth::implicit::block_form", "cloth::implicit::grid_form"],
    &["cloth::implicit::stage", "cloth::implicit::line_search"],
    &["cloth::triangles::elements", "cloth::triangles::folds", "cloth::triangles::membranes"],
    &["driver::commands::race"],
    &["driver::simulate"],
    &["lab::judge::article"],
    &["lab::judge::page"],
    &["lab::judge::report"],
    &["linsolve::aggregation::level", "linsolve::aggregation::aggregates"],
    &["linsolve::grid::multigrid::hierarchy", "linsolve::grid::multigrid::single"],
    &["linsolve::schwarz::subdomains", "linsolve::schwarz::coarse"],
];

/// The code of every module but its tests, by its path behind the name of its crate.
fn modules(folder: &Path, above: &str, found: &mut BTreeMap<String, String>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let module = format!("{above}::{}", name.trim_end_matches(".rs"));
        if path.is_dir() {
            modules(&path, &module, found);
        } else if name.ends_with(".rs") && !["lib.rs", "main.rs", "prelude.rs", "tests.rs"].contains(&name.as_str()) {
            let module = module.trim_end_matches("::mod");
            let is_below = |above: &&str| format!("{module}::").starts_with(&format!("{above}::"));
            let unit = UNITS.iter().find(|unit| unit.iter().any(is_below)).map(|unit| unit[0]);
            let code = fs::read_to_string(&path).expect("a source file");
            let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n");
            found.entry(unit.unwrap_or(module).to_owned()).or_default().extend(lines);
        }
    }
}

/// The paths of a tree of `use`, without braces.
fn paths(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in rest.chars().take(rest.rfind('}').unwrap_or(rest.len())) {
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().expect("a part").push(c);
            }
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| paths(part)).map(|part| format!("{}{part}", head.trim())).collect()
}

/// What follows `use ` in a source, tree by tree, and paths elsewhere in its code.
fn named(code: &str) -> Vec<String> {
    let (mut named, mut elsewhere) = (vec![], String::new());
    for (place, part) in code.split("use ").enumerate() {
        let (tree, rest) = if place == 0 { ("", part) } else { part.split_once(';').unwrap_or((part, "")) };
        named.extend(paths(tree));
        elsewhere += rest;
    }
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let starts = ["crate::", "super::"].into_iter().flat_map(|start| elsewhere.match_indices(start));
    named.extend(starts.map(|(at, _)| elsewhere[at..].chars().take_while(|c| is_of_path(*c)).collect::<String>()));
    named
}

/// The modules that each one of a crate uses; what the root hands on counts for where it comes from.
fn arrows(name: &str, folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut sources = BTreeMap::new();
    modules(folder, name, &mut sources);
    let root = fs::read_to_string(folder.join("lib.rs")).expect("the root");
    let handed_on: BTreeMap<String, String> = named(&root)
        .iter()
        .filter_map(|path| path.rsplit_once("::"))
        .map(|(module, item)| (format!("{name}::{item}"), format!("{name}::{module}")))
        .collect();
    let found = |path: &str| {
        let ends = path.match_indices("::").map(|(end, _)| end).chain([path.len()]);
        let of_unit = |module: &str| UNITS.iter().find(|unit| unit.contains(&module)).map_or(module, |unit| unit[0]).to_owned();
        ends.map(|end| of_unit(&path[..end])).filter(|module| sources.contains_key(module)).last()
    };
    let used = |(module, code): (&String, &String)| {
        let absolute = |path: &String| {
            let (mut above, mut rest) = (module.as_str(), path.as_str());
            if let Some(rest) = rest.strip_prefix("crate::") {
                return Some(format!("{name}::{rest}"));
            }
            while let Some(after) = rest.strip_prefix("super::") {
                (above, rest) = (above.rsplit_once("::")?.0, after);
            }
            (rest.len() < path.len()).then(|| format!("{above}::{rest}"))
        };
        let aims = named(code).iter().filter_map(absolute).collect::<Vec<_>>();
        let aims = aims.iter().filter_map(|path| found(handed_on.get(path).unwrap_or(path)));
        (module.clone(), aims.filter(|aim| aim != module).collect())
    };
    sources.iter().map(used).collect()
}

#[test]
fn modules_form_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["crates", "experiments"].map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let crates: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let (mut count, mut circles) = (0, vec![]);
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_study = |path: &PathBuf| PROGRAM.studies.iter().any(|study| study.name == name(path));
    for path in crates.iter().filter(|path| path.join("src/lib.rs").exists() && !is_study(path)) {
        let name = name(path);
        let mut left = arrows(&name, &path.join("src"));
        count += left.values().map(BTreeSet::len).sum::<usize>();
        // those that use none of the others, or are used by none, are taken away until there are none
        let is_out = |left: &BTreeMap<String, BTreeSet<String>>, module: &String| {
            let uses = left[module].iter().any(|used| left.contains_key(used));
            !uses || !left.values().any(|used| used.contains(module))
        };
        while let Some(out) = left.keys().find(|module| is_out(&left, module)).cloned() {
            left.remove(&out);
        }
        circles.extend(left);
    }
    assert!(count > 1000, "{count} arrows are too few to be all");
    assert!(circles.is_empty(), "each of these uses another one: {circles:#?}");
}

#[test]
fn trees_of_use_are_paths() {
    assert_eq!(paths("crate::{a, b::{self, c}, d}"), ["crate::a", "crate::b::self", "crate::b::c", "crate::d"]);
    assert_eq!(named("use crate::a::b;\nfn f() { super::c::d(crate::e) }"), ["", "crate::a::b", "crate::e", "super::c::d"]);
}
