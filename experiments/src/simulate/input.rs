use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use cloth::scene::{Scene, TableName, read_vectors};
use cloth::{State, Vec3};
use lab::files::FileError;

use crate::Failure;

/// The text of a scene file.
pub(super) fn scene_text(path: &Path) -> Result<String, Failure> {
    let named = path.display();
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Failure::Usage(format!("{named}: there is no such file; name a scene file, examples are in scenes/"))
        }
        _ if path.is_dir() => Failure::Usage(format!("{named} is a folder; name a scene file in it")),
        _ => FileError::read(path, error).into(),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        Failure::Usage(format!("{named}, line {line}: this is not UTF-8 text; save the file as UTF-8"))
    })
}

/// The scene of a file's text.
pub(super) fn scene(path: &Path, text: &str) -> Result<Scene, Failure> {
    Scene::parse(text).map_err(|mistake| {
        let joint = if mistake.place.is_some() { "," } else { ":" };
        Failure::Usage(format!("{}{joint} {mistake}", path.display()))
    })
}

/// The state that a scene starts from.
pub(super) fn start(path: &Path, scene: &Scene) -> Result<State, Failure> {
    let mut state = State::at_rest(scene.grid.flat());
    if let Some(name) = &scene.initial.positions {
        state.x = table(path, name, state.particle_count())?;
    }
    if let Some(name) = &scene.initial.velocities {
        state.v = table(path, name, state.particle_count())?;
        for &pin in &scene.pins {
            let held = scene.grid.pinned(pin).map_err(|invalid| Failure::Usage(invalid.to_string()))?;
            if state.v[held] != Vec3::zeros() {
                let table = beside(path, name);
                let table = table.display();
                return Err(Failure::Usage(format!(
                    "{table}: particle {held} is held by a pin; write 0,0,0 for its velocity or take it from `pins`"
                )));
            }
        }
    }
    Ok(state)
}

/// The files that a run reads.
pub(super) fn files(path: &Path, scene: &Scene) -> Vec<PathBuf> {
    let tables = [&scene.initial.positions, &scene.initial.velocities];
    let tables = tables.into_iter().flatten().map(|name| beside(path, name));
    std::iter::once(path.to_owned()).chain(tables).collect()
}

/// A table that a scene names.
fn table(scene: &Path, name: &TableName, count: usize) -> Result<Vec<Vec3>, Failure> {
    let path = beside(scene, name);
    let named = path.display();
    let refused = |why: String| Failure::Usage(format!("{}, {}: {why}", scene.display(), name.place));
    if path.is_dir() {
        return Err(refused(format!("{named} is a folder; name a table in it")));
    }
    let file = File::open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => refused(format!("there is no file {named}; the name is relative to the scene file")),
        _ => refused(format!("cannot read {named}: {error}; make it readable or name another file")),
    })?;
    read_vectors(file, count).map_err(|error| {
        let joint = if error.line().is_some() { "," } else { ":" };
        Failure::Usage(format!("{named}{joint} {error}"))
    })
}

/// The path of a table, beside the scene file.
fn beside(scene: &Path, name: &TableName) -> PathBuf {
    scene.parent().unwrap_or(Path::new("")).join(&name.path)
}
