//! The copy of a scene beside its results, which runs from there as the original does.

use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value where it stands.
type Value<'a> = Spanned<DeValue<'a>>;

/// Keys of the files that a scene may name, and the names of their copies.
const FILES: [(&[&str], &str); 4] = [
    (&["initial", "positions"], POSITIONS),
    (&["initial", "velocities"], VELOCITIES),
    (&["mesh", "obj", "file"], MESH),
    (&["material", "drag", "gusts"], GUSTS),
];

pub(super) const POSITIONS: &str = "scene-positions.csv";
pub(super) const VELOCITIES: &str = "scene-velocities.csv";
pub(super) const MESH: &str = "scene-mesh.obj";
const GUSTS: &str = "scene-gusts.csv";

/// What copies of files of sections that there may be several of are called, before and behind the number of the section: meshes,
/// their sequences and key frames of solids, key frames of pins.
const SOLID_MESH: [&str; 2] = ["scene-solid-", ".obj"];
const SOLID_SEQUENCE: [&str; 2] = ["scene-solid-", ".pc2"];
const SOLID_KEYFRAMES: [&str; 2] = ["scene-solid-", ".csv"];
const PIN_KEYFRAMES: [&str; 2] = ["scene-motion-", ".csv"];

/// Whether a name is that of a copy.
pub(super) fn is_copy(name: &str) -> bool {
    let is_of = |[before, behind]: [&str; 2]| {
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        number.is_some_and(|number| number.parse::<usize>().is_ok_and(|k| k.to_string() == number))
    };
    FILES.iter().any(|(_, copy)| *copy == name)
        || [SOLID_MESH, SOLID_SEQUENCE, SOLID_KEYFRAMES, PIN_KEYFRAMES].into_iter().any(is_of)
}

/// The value at some keys below another one.
fn below<'a, 'b>(value: &'a Value<'b>, keys: &[&str]) -> Option<&'a Value<'b>> {
    keys.iter().try_fold(value, |value, key| value.get_ref().as_table()?.get(*key))
}

/// The text of a scene file that names the copies, and the files behind them: as the scene names them, and what they are called.
pub(super) fn copied(text: &str) -> (String, Vec<(PathBuf, String)>) {
    let (mut copy, mut files) = (text.to_owned(), vec![]);
    let Ok(document) = DeTable::parse(text) else { return (copy, files) };
    let mut places = vec![];
    for (key, name) in FILES {
        let [sections @ .., last] = key else { continue };
        let section = sections.iter().try_fold(document.get_ref(), |table, section| table.get(*section)?.get_ref().as_table());
        let Some(value) = section.and_then(|table| table.get(*last)) else { continue };
        if let Some(file) = value.get_ref().as_str() {
            places.push((value.span(), name.to_owned()));
            files.push((PathBuf::from(file), name.to_owned()));
        }
    }
    let mut copy_of = |value: Option<&Value<'_>>, k: usize, [before, behind]: [&str; 2]| {
        if let Some((value, file)) = value.and_then(|value| Some((value, value.get_ref().as_str()?))) {
            let name = format!("{before}{k}{behind}");
            places.push((value.span(), name.clone()));
            files.push((PathBuf::from(file), name));
        }
    };
    let several = |key: &str| document.get_ref().get(key).and_then(|all| all.get_ref().as_array()).into_iter().flatten();
    for (k, solid) in several("solid").enumerate() {
        copy_of(below(solid, &["mesh", "file"]), k, SOLID_MESH);
        copy_of(below(solid, &["mesh", "sequence"]), k, SOLID_SEQUENCE);
        let kinds = solid.get_ref().as_table().into_iter().flat_map(|table| table.values());
        kinds.for_each(|kind| copy_of(below(kind, &["motion", "keyframes"]), k, SOLID_KEYFRAMES));
    }
    several("motion").enumerate().for_each(|(k, motion)| copy_of(below(motion, &["keyframes"]), k, PIN_KEYFRAMES));
    places.sort_by_key(|(span, _)| span.start);
    for (span, name) in places.into_iter().rev() {
        copy.replace_range(span, &format!("\"{name}\""));
    }
    (copy, files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_where_they_stand() {
        let text = "step = 1e-3 # s\nmesh.obj = { file = 'a/b.obj', scale = 2 }\n[initial]\nvelocities = \"v.csv\" # fast\npositions = \"x.csv\"\n";
        let (copy, files) = copied(text);
        let expected = text.replace("'a/b.obj'", "\"scene-mesh.obj\"").replace("v.csv", VELOCITIES).replace("x.csv", POSITIONS);
        assert_eq!(copy, expected);
        let named = [("x.csv", POSITIONS), ("v.csv", VELOCITIES), ("a/b.obj", MESH)];
        assert_eq!(files, named.map(|(file, name)| (PathBuf::from(file), name.to_owned())));
        let text = "[[solid]]\nplane = 1\n[[solid]]\nmesh = { file = 'b.obj' }\n[[solid]]\n[solid.mesh]\nfile = \"c/d.obj\"\n";
        let (copy, files) = copied(text);
        assert_eq!(copy, text.replace("'b.obj'", "\"scene-solid-1.obj\"").replace("c/d.obj", "scene-solid-2.obj"));
        assert_eq!(files.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(), ["scene-solid-1.obj", "scene-solid-2.obj"]);
        assert!(files.iter().all(|(_, name)| is_copy(name)) && !is_copy("scene-solid-01.obj") && !is_copy("mine.obj"));
        let text = "[[motion]]\npins = []\n[[motion]]\nkeyframes = 'm.csv'\n[[solid]]\nmesh = { file = 'b.obj', sequence = 's.pc2', motion = { keyframes = 'w.csv' } }\n";
        let (copy, files) = copied(text);
        let named = [
            ("b.obj", "scene-solid-0.obj"),
            ("s.pc2", "scene-solid-0.pc2"),
            ("w.csv", "scene-solid-0.csv"),
            ("m.csv", "scene-motion-1.csv"),
        ];
        let expected =
            named.iter().fold(text.to_owned(), |text, (file, name)| text.replace(&format!("'{file}'"), &format!("\"{name}\"")));
        assert_eq!((copy, files), (expected, named.map(|(file, name)| (PathBuf::from(file), name.to_owned())).to_vec()));
        assert!(named.iter().all(|(_, name)| is_copy(name)) && !is_copy("scene-motion-x.csv") && !is_copy("scene-motion-1.obj"));
        let (copy, files) = copied("[material]\ndrag = { gusts = 'w.csv' }\n");
        assert_eq!(copy, "[material]\ndrag = { gusts = \"scene-gusts.csv\" }\n");
        assert!(files == [(PathBuf::from("w.csv"), GUSTS.to_owned())] && is_copy(GUSTS));
        let alone = "step = 1\n[mesh]\nnx = 3\n";
        assert_eq!(copied(alone), (alone.to_owned(), vec![]));
    }
}
