//! Which crates use which: the arrows of ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use clothlab::PROGRAM;

/// Crates of the workspace that each crate may use, studies left out.
const ARROWS: [(&str, &[&str]); 12] = [
    ("analytic", &[]),
    ("chart", &[]),
    ("cloth", &["collision", "linsolve"]),
    ("collision", &["linsolve"]),
    ("compare", &["chart", "lab"]),
    ("lab", &["chart"]),
    ("linsolve", &[]),
    ("scene", &["cloth", "collision", "linsolve"]),
    ("viewer", &[]),
    ("kit", &["chart", "cloth", "lab", "linsolve", "scene", "viewer"]),
    ("race", &["cloth", "kit", "lab", "scene"]),
    ("driver", &["chart", "cloth", "kit", "lab", "linsolve", "race", "scene", "viewer"]),
];

/// Crates that a study may use.
const OF_STUDIES: [&str; 9] = ["analytic", "chart", "cloth", "collision", "kit", "lab", "linsolve", "race", "scene"];

/// Crates of the workspace that each crate uses, tests left out, by the manifests of a folder.
fn arrows(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = |name: &str| fs::read_dir(root.join(name)).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_crate = |path: &Path| path.join("Cargo.toml").exists();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let known: BTreeSet<String> =
        folders("crates").chain(folders("experiments")).filter(|path| is_crate(path)).map(|path| name(&path)).collect();
    let used = |path: &Path| {
        let manifest: toml::Table = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest").parse().expect("TOML");
        let dependencies = manifest["dependencies"].as_table().cloned().unwrap_or_default();
        dependencies.keys().filter(|name| known.contains(*name)).cloned().collect()
    };
    folders(folder).filter(|path| is_crate(path)).map(|path| (name(&path), used(&path))).collect()
}

#[test]
fn every_crate_uses_what_it_may() {
    let mut all = arrows("crates");
    all.append(&mut arrows("experiments"));
    for study in PROGRAM.studies {
        let used = all.remove(study.name).expect("a folder of its name");
        let beyond: Vec<&String> = used.iter().filter(|name| !OF_STUDIES.contains(&name.as_str())).collect();
        assert!(beyond.is_empty(), "{} uses {beyond:?}", study.name);
    }
    all.remove("clothlab").expect("the program, which lists them");
    let allowed = ARROWS.map(|(name, used)| (name.to_owned(), used.iter().map(|name| (*name).to_owned()).collect()));
    assert_eq!(all, BTreeMap::from(allowed));
}
