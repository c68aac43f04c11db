//! The copy of a scene beside its results, which runs from there as the original does.

use std::path::PathBuf;

use toml::de::DeTable;

/// Keys of the files that a scene may name, and the names of their copies.
const FILES: [(&[&str], &str); 3] =
    [(&["initial", "positions"], POSITIONS), (&["initial", "velocities"], VELOCITIES), (&["mesh", "obj", "file"], MESH)];

pub(super) const POSITIONS: &str = "scene-positions.csv";
pub(super) const VELOCITIES: &str = "scene-velocities.csv";
pub(super) const MESH: &str = "scene-mesh.obj";

/// The name of the copy of the mesh of solid `k`.
fn solid_mesh(k: usize) -> String {
    format!("scene-solid-{k}.obj")
}

/// Whether a name is that of a copy.
pub(super) fn is_copy(name: &str) -> bool {
    let number = name.strip_prefix("scene-solid-").and_then(|rest| rest.strip_suffix(".obj"));
    FILES.iter().any(|(_, copy)| *copy == name)
        || number.and_then(|number| number.parse().ok()).is_some_and(|k| solid_mesh(k) == name)
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
    let solids = document.get_ref().get("solid").and_then(|solids| solids.get_ref().as_array()).into_iter().flatten();
    for (k, solid) in solids.enumerate() {
        let file = ["mesh", "file"].iter().try_fold(solid, |value, key| value.get_ref().as_table()?.get(*key));
        if let Some((value, file)) = file.and_then(|value| Some((value, value.get_ref().as_str()?))) {
            let name = solid_mesh(k);
            places.push((value.span(), name.clone()));
            files.push((PathBuf::from(file), name));
        }
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
        let alone = "step = 1\n[mesh]\nnx = 3\n";
        assert_eq!(copied(alone), (alone.to_owned(), vec![]));
    }
}
