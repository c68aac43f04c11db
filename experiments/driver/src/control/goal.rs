//! What a scene wants, from the files that it names.

use std::path::{Path, PathBuf};

use cloth::Vec3;
use cloth::adjoint::KeyFrame;
use cloth::run::Model;
use kit::Failure;
use race::input::{SMALLER, beside, bytes_of, mesh, refused_file, utf8};
use scene::{Control, NamedFile, Reading, Scene, Wanted, read_places};

/// The key frames of a control, and the files that hold them.
pub(super) fn keyframes(
    path: &Path,
    scene: &Scene,
    control: &Control,
    model: &Model,
) -> Result<(Vec<KeyFrame>, Vec<PathBuf>), Failure> {
    let count = model.system().particle_count();
    let read = |Wanted { time, file, weight, .. }: &Wanted| {
        let keyframe = KeyFrame { step: scene.steps_to(*time), places: places(path, file, count)?, weight: *weight };
        Ok((keyframe, beside(path, file)))
    };
    Ok(control.keyframes.iter().map(read).collect::<Result<Vec<_>, Failure>>()?.into_iter().unzip())
}

/// The places in a table or in an OBJ file.
fn places(path: &Path, file: &NamedFile, count: usize) -> Result<Vec<(usize, Vec3)>, Failure> {
    let from = beside(path, file);
    if from.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("obj")) {
        let (obj, _) = mesh(path, file, &Reading::default())?;
        let positions = obj.mesh.positions();
        if positions.len() != count {
            return Err(Failure::Usage(format!(
                "{}, {}: {} has {} vertices, and the mesh has {count}; write it from that mesh",
                path.display(),
                file.place,
                from.display(),
                positions.len()
            )));
        }
        return Ok(positions.iter().copied().enumerate().collect());
    }
    let text = utf8(&from, bytes_of(path, file, "a table or an OBJ file", SMALLER)?)?;
    read_places(&text, count).map_err(|error| refused_file(&from, error.place().is_some(), &error))
}
