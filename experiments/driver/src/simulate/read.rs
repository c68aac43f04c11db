//! A scene file that is named on the command line.

use std::path::Path;

use crate::overrides::Overrides;
use kit::Failure;
use lab::files::{dangling, read_bytes};
use race::input::{Input, read_as, utf8};

use crate::init;

/// The text of a scene file, or of the scene that `clothlab init` makes of a mesh.
pub(crate) fn scene_text(path: &Path) -> Result<String, Failure> {
    let named = path.display();
    if path.is_dir() {
        return Err(Failure::Usage(format!("{named} is a folder; name a scene file in it")));
    }
    if !path.exists() && dangling(path).is_none() {
        return Err(Failure::Usage(format!("{named}: there is no such file; name a scene file, examples are in scenes/")));
    }
    if init::is_mesh(path) {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Failure::Usage(format!("{named}: this name is not UTF-8; rename the file")))?;
        return init::scene_of(path, name);
    }
    let bytes = read_bytes(path, LARGEST_SCENE);
    utf8(path, bytes.map_err(|error| Failure::Usage(format!("{error}; name a scene file, examples are in scenes/")))?)
}

/// Largest scene file \[bytes\].
const LARGEST_SCENE: u64 = 16_000_000;

/// Reads a scene file with keys replaced, and all that it names, for a run with pictures or without.
///
/// # Errors
/// [`Failure::Usage`] with the place of the first mistake, or the option that makes it.
pub(crate) fn read(path: &Path, overrides: &Overrides, pictured: bool) -> Result<Input, Failure> {
    let text = overrides.applied(scene_text(path)?)?;
    read_as(path, text, pictured).map_err(|failure| overrides.told(path, failure))
}
