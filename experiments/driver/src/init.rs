//! `clothlab init mesh.obj`: writes a scene that runs, with each choice and its reason.

mod borders;
mod choices;
mod draft;

use std::path::{Path, PathBuf};

use clap::Args;
use kit::Failure;
use lab::files::{read_bytes, write_whole};
use race::input::{refuse_memory, refused_file};
use scene::{ObjMesh, Reading, obj_memory, obj_text, read_obj};

use crate::output::say;
use choices::Choices;

/// The mesh of the scene, and the place that it goes to.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The mesh of the cloth, an OBJ file; a square sheet without
    pub mesh: Option<PathBuf>,
    /// The scene file [default: the name of the mesh with .toml, beside it; sheet.toml here]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace that file
    #[arg(long)]
    pub force: bool,
}

/// Writes a scene of a mesh, or of a sheet, and says how to run it.
///
/// # Errors
/// [`Failure::Usage`] on a mesh that is none, a file that is there already unless `force`, and where writing fails.
pub fn init(request: &Request) -> Result<(), Failure> {
    let out = request.out.clone().unwrap_or_else(|| match &request.mesh {
        Some(mesh) => mesh.with_extension("toml"),
        None => PathBuf::from("sheet.toml"),
    });
    if out.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder; name a file in it by --out", out.display())));
    }
    request.mesh.as_deref().map_or(Ok(()), check)?;
    if request.mesh.as_ref().is_some_and(|mesh| *mesh == out) {
        return Err(Failure::Usage(format!("{} is the mesh itself; name a scene file by --out", out.display())));
    }
    if out.exists() && !request.force {
        return Err(Failure::Usage(format!("{} is there already; --force replaces it, --out names another file", out.display())));
    }
    let text = match &request.mesh {
        Some(mesh) => scene_of(mesh, &named_from(mesh, &out)?)?,
        None => draft::SHEET.to_owned(),
    };
    write_whole(&out, text.as_bytes())?;
    say(format!("wrote {0}: each line says why; run it by `clothlab simulate {0}`", out.display()))
}

/// The text of a scene of a mesh, which it calls `name`.
///
/// # Errors
/// [`Failure::Usage`] on a file that cannot be read or holds no mesh of cloth, with its line.
pub(crate) fn scene_of(path: &Path, name: &str) -> Result<String, Failure> {
    check(path)?;
    let text = obj_text(read_bytes(path, u64::MAX)?);
    refuse_memory(path, Some(obj_memory(&text)), "make the mesh smaller")?;
    let read = |reading: &Reading| read_obj(&text, reading).map_err(|error| refused_file(path, error.place().is_some(), &error));
    let choices = Choices::of(&text, &read)?;
    let mesh: ObjMesh = read(&choices.reading())?;
    Ok(draft::draft(name, &choices, &mesh))
}

/// Refuses what cannot be a mesh by its name.
fn check(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder; name an OBJ file in it", path.display())));
    }
    if is_mesh(path) {
        return Ok(());
    }
    Err(Failure::Usage(format!("{} does not end in .obj; export the mesh as Wavefront OBJ", path.display())))
}

/// True for files that are meshes by their name.
pub(crate) fn is_mesh(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("obj"))
}

/// The name of a mesh for a scene file at `scene`: relative where both lie in one folder, whole elsewhere.
fn named_from(mesh: &Path, scene: &Path) -> Result<String, Failure> {
    let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    let name = if folder(mesh) == folder(scene) {
        mesh.file_name().map(PathBuf::from).unwrap_or_default()
    } else {
        std::path::absolute(mesh).map_err(|error| Failure::Usage(format!("{}: {error}", mesh.display())))?
    };
    let Some(name) = name.to_str() else {
        return Err(Failure::Usage(format!("{}: this name is not UTF-8; rename the file", mesh.display())));
    };
    Ok(name.to_owned())
}
