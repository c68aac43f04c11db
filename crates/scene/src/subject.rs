//! What a scene's cloth is: springs on a grid, or triangles whose mesh may still be in a file.

use super::{NamedFile, Reading};
use cloth::ModelError;
use cloth::run::{MeshAndMaterial, Triangles};
use cloth::triangles::{Triangle, TriangleMesh};

/// What a scene simulates.
pub type Subject = MeshAndMaterial<MeshSource>;

/// Where a mesh of triangles comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource {
    /// From an OBJ file that is still to be read: see [`Scene::parse_on`](super::Scene::parse_on).
    Obj(ObjFile),
    /// It is here.
    Mesh(TriangleMesh),
}

/// An OBJ file that holds a scene's mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjFile {
    /// Its name.
    pub file: NamedFile,
    /// The way from its coordinates to those of the scene.
    pub reading: Reading,
}

impl MeshSource {
    /// The mesh, where it is here.
    pub fn mesh(&self) -> Option<&TriangleMesh> {
        match self {
            MeshSource::Obj(_) => None,
            MeshSource::Mesh(mesh) => Some(mesh),
        }
    }
}

/// The cloth of a subject.
///
/// # Errors
/// A mesh that is still to be read.
pub(super) fn cloth(subject: &Subject) -> Result<MeshAndMaterial, ModelError> {
    subject.with_mesh(|source| source.mesh().cloned().ok_or(ModelError::MeshUnread))
}

/// Length of its shortest edge as it was cut \[m\], > 0: the spacing of a grid; none of a mesh that is still to be read.
pub(super) fn spacing(subject: &Subject) -> Option<f64> {
    let shortest = |triangle: &Triangle| {
        let [a, b, c] = triangle.material;
        (b - a).norm().min((c - b).norm()).min((a - c).norm())
    };
    match subject {
        Subject::Sheet(sheet) => Some(sheet.grid.spacing()),
        Subject::Triangles(Triangles { mesh, .. }) => {
            mesh.mesh().map(|mesh| mesh.triangles().iter().map(shortest).fold(f64::INFINITY, f64::min))
        }
    }
}
