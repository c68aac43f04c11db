//! The copy of a scene beside its results, which runs from there as the original does.

use std::path::{Path, PathBuf};

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

/// What places that are wanted, section by section, and a recorded motion are called: tables, or files of other formats.
const WANTED: [[&str; 2]; 2] = [["scene-wanted-", ".csv"], ["scene-wanted-", ".obj"]];
const RECORDED: [&str; 2] = ["scene-recorded.csv", "scene-recorded.pc2"];

/// What a command reads beside what every run of a scene does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ExtraFiles {
    /// Nothing.
    Nothing,
    /// The places that are wanted by a control.
    Wanted,
    /// The motion that a fit is to.
    Recorded,
}

/// Whether a name is that of a copy.
pub(crate) fn is_copy(name: &str) -> bool {
    let is_of = |[before, behind]: [&str; 2]| {
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        number.is_some_and(|number| number.parse::<usize>().is_ok_and(|k| k.to_string() == number))
    };
    let several = [SOLID_MESH, SOLID_SEQUENCE, SOLID_KEYFRAMES, PIN_KEYFRAMES].into_iter().chain(WANTED);
    FILES.iter().any(|(_, copy)| *copy == name) || RECORDED.contains(&name) || several.into_iter().any(is_of)
}

/// Whether a value names a file of this kind.
fn is_named(value: Option<&Value<'_>>, kind: &str) -> bool {
    let file = value.and_then(|value| value.get_ref().as_str()).map(Path::new);
    file.and_then(Path::extension).is_some_and(|of| of.eq_ignore_ascii_case(kind))
}

/// The value at some keys below another one.
fn below<'a, 'b>(value: &'a Value<'b>, keys: &[&str]) -> Option<&'a Value<'b>> {
    keys.iter().try_fold(value, |value, key| value.get_ref().as_table()?.get(*key))
}

/// The text of a scene file that names the copies, and the files behind them: as the scene names them, and what they are called.
pub(crate) fn copied(text: &str, beside: ExtraFiles) -> (String, Vec<(PathBuf, String)>) {
    let (mut copy, mut files) = (text.to_owned(), vec![]);
    let Ok(document) = DeTable::parse(text) else { return (copy, files) };
    let mut places = vec![];
    let mut copy_as = |value: Option<&Value<'_>>, name: String| {
        if let Some((value, file)) = value.and_then(|value| Some((value, value.get_ref().as_str()?))) {
            places.push((value.span(), name.clone()));
            files.push((PathBuf::from(file), name));
        }
    };
    for (key, name) in FILES {
        let [sections @ .., last] = key else { continue };
        let section = sections.iter().try_fold(document.get_ref(), |table, section| table.get(*section)?.get_ref().as_table());
        copy_as(section.and_then(|table| table.get(*last)), name.to_owned());
    }
    let mut copy_of = |value: Option<&Value<'_>>, k: usize, [before, behind]: [&str; 2]| {
        copy_as(value, format!("{before}{k}{behind}"));
    };
    let several = |key: &str| document.get_ref().get(key).and_then(|all| all.get_ref().as_array()).into_iter().flatten();
    for (k, solid) in several("solid").enumerate() {
        copy_of(below(solid, &["mesh", "file"]), k, SOLID_MESH);
        copy_of(below(solid, &["mesh", "sequence"]), k, SOLID_SEQUENCE);
        let kinds = solid.get_ref().as_table().into_iter().flat_map(|table| table.values());
        kinds.for_each(|kind| copy_of(below(kind, &["motion", "keyframes"]), k, SOLID_KEYFRAMES));
    }
    several("motion").enumerate().for_each(|(k, motion)| copy_of(below(motion, &["keyframes"]), k, PIN_KEYFRAMES));
    let section = |key: &str| document.get_ref().get(key);
    if beside == ExtraFiles::Wanted {
        let keyframes =
            section("control").and_then(|control| below(control, &["keyframe"])).and_then(|all| all.get_ref().as_array());
        for (k, keyframe) in keyframes.into_iter().flatten().enumerate() {
            let file = below(keyframe, &["places"]);
            copy_of(file, k, WANTED[usize::from(is_named(file, "obj"))]);
        }
    }
    if beside == ExtraFiles::Recorded {
        let motion = section("fit").and_then(|fit| below(fit, &["motion"]));
        copy_as(motion, RECORDED[usize::from(is_named(motion, "pc2"))].to_owned());
    }
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
        let (copy, files) = copied(text, ExtraFiles::Nothing);
        let expected = text.replace("'a/b.obj'", "\"scene-mesh.obj\"").replace("v.csv", VELOCITIES).replace("x.csv", POSITIONS);
        assert_eq!(copy, expected);
        let named = [("x.csv", POSITIONS), ("v.csv", VELOCITIES), ("a/b.obj", MESH)];
        assert_eq!(files, named.map(|(file, name)| (PathBuf::from(file), name.to_owned())));
        let text = "[[solid]]\nplane = 1\n[[solid]]\nmesh = { file = 'b.obj' }\n[[solid]]\n[solid.mesh]\nfile = \"c/d.obj\"\n";
        let (copy, files) = copied(text, ExtraFiles::Nothing);
        assert_eq!(copy, text.replace("'b.obj'", "\"scene-solid-1.obj\"").replace("c/d.obj", "scene-solid-2.obj"));
        assert_eq!(files.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(), ["scene-solid-1.obj", "scene-solid-2.obj"]);
        assert!(files.iter().all(|(_, name)| is_copy(name)) && !is_copy("scene-solid-01.obj") && !is_copy("mine.obj"));
        let text = "[[motion]]\npins = []\n[[motion]]\nkeyframes = 'm.csv'\n[[solid]]\nmesh = { file = 'b.obj', sequence = 's.pc2', motion = { keyframes = 'w.csv' } }\n";
        let (copy, files) = copied(text, ExtraFiles::Nothing);
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
        let (copy, files) = copied("[material]\ndrag = { gusts = 'w.csv' }\n", ExtraFiles::Nothing);
        assert_eq!(copy, "[material]\ndrag = { gusts = \"scene-gusts.csv\" }\n");
        assert!(files == [(PathBuf::from("w.csv"), GUSTS.to_owned())] && is_copy(GUSTS));
        let text =
            "[control]\nkeyframe = [{ time = 1, places = 'a.csv' }, { time = 2, places = 'b.OBJ' }]\n[fit]\nmotion = 'm.pc2'\n";
        assert_eq!(copied(text, ExtraFiles::Nothing), (text.to_owned(), vec![]));
        let (copy, files) = copied(text, ExtraFiles::Wanted);
        assert_eq!(copy, text.replace("'a.csv'", "\"scene-wanted-0.csv\"").replace("'b.OBJ'", "\"scene-wanted-1.obj\""));
        assert!(files.len() == 2 && files.iter().all(|(_, name)| is_copy(name)), "{files:?}");
        let (copy, files) = copied(text, ExtraFiles::Recorded);
        assert_eq!(copy, text.replace("'m.pc2'", "\"scene-recorded.pc2\""));
        assert!(files == [(PathBuf::from("m.pc2"), "scene-recorded.pc2".to_owned())] && is_copy("scene-recorded.pc2"));
        let alone = "step = 1\n[mesh]\nnx = 3\n";
        assert_eq!(copied(alone, ExtraFiles::Nothing), (alone.to_owned(), vec![]));
    }
}
