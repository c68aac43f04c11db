//! Modules of the harness use each other one way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Folders whose files are one module to others.
const UNITS: [&str; 3] = ["judge::article", "judge::page", "judge::report"];

/// The code of every module but its tests, by its path; what only gathers others is left out.
fn modules(folder: &Path, above: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let stem = name.trim_end_matches(".rs");
        let module = if above.is_empty() { stem.to_owned() } else { format!("{above}::{stem}") };
        if path.is_dir() {
            modules(&path, &module, found);
        } else if name.ends_with(".rs") && !["lib.rs", "prelude.rs", "tests.rs"].contains(&name.as_str()) {
            let unit = UNITS.iter().find(|unit| module.starts_with(*unit));
            let code = fs::read_to_string(&path).expect("a source file");
            let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            found.entry(unit.map_or(module, |unit| (*unit).to_owned())).or_default().push_str(code);
        }
    }
    found.retain(|module, _| !module.ends_with("::mod"));
}

/// The modules that each one uses; what the root hands on counts for where it comes from.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = BTreeMap::new();
    modules(&src, "", &mut sources);
    let root = fs::read_to_string(src.join("lib.rs")).expect("the root");
    let mut handed_on = BTreeMap::new();
    for line in root.lines().filter_map(|line| line.strip_prefix("pub use ")) {
        let (module, names) = line.trim_end_matches(';').rsplit_once("::").expect("names of a module");
        names.trim_matches(['{', '}']).split(", ").for_each(|name| _ = handed_on.insert(name.to_owned(), module.to_owned()));
    }
    let used = |source: &str, itself: &str| {
        let mut used = BTreeSet::new();
        for rest in source.split("crate::").skip(1) {
            let path = rest.split([';', ' ', '(', ')', ',', '\n', '<', '>']).next().unwrap_or_default();
            let listed = path.strip_prefix('{').map(|_| rest[1..].split('}').next().unwrap_or_default().split(", ").collect());
            for path in listed.unwrap_or_else(|| vec![path]) {
                let module = sources.keys().filter(|module| format!("{path}::").starts_with(&format!("{module}::"))).max();
                used.extend(
                    module.or_else(|| handed_on.get(path.split("::").next()?)).filter(|module| *module != itself).cloned(),
                );
            }
        }
        used
    };
    sources.iter().map(|(module, source)| (module.clone(), used(source, module))).collect()
}

#[test]
fn modules_form_no_circle() {
    let mut left = arrows();
    assert!(left.len() > 25 && left["publish"].contains("places") && left["results"].contains("measure::group"), "{left:?}");
    // those that use none of the others are taken away until there are none
    while let Some(last) = left.iter().find(|(_, used)| !used.iter().any(|module| left.contains_key(module))) {
        let last = last.0.clone();
        left.remove(&last);
    }
    assert!(left.is_empty(), "each of these uses another one: {left:?}");
}
