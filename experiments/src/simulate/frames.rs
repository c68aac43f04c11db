//! Meshes of a run along the way, for other programs.

use std::io;
use std::path::{Path, PathBuf};

use chart::Mesh;
use clap::ValueEnum;
use lab::files::{FileError, WholeFile};
use scene::formats::{Body, Look, Pc2, Usda, begin_pc2, texture, write_rest, write_solids, write_vtk};
use scene::{Scene, Simulation, write_obj};

use super::folder::{self, Folder};

/// A format of frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// OBJ, a file a frame, with rest.obj, which has texture coordinates, and solids.obj
    Obj,
    /// Blender's mesh cache, cloth.pc2, on the mesh of rest.obj, with solids.obj
    Pc2,
    /// Universal Scene Description, cloth.usda: Blender, Houdini, usdview
    Usda,
    /// Legacy VTK, a file a frame, with velocity and stretch: ParaView
    Vtk,
}

/// Frames a second where a scene does not say.
const RATE: f64 = 24.0;

/// Frames that are written while a run goes on.
pub(super) struct Frames {
    formats: Vec<Format>,
    /// Frames a second.
    rate: f64,
    taken: u64,
    cache: Option<Pc2<WholeFile>>,
    stage: Option<Usda<WholeFile>>,
}

/// Frames a second: those of the scene, or 24, or one a step if steps are longer.
pub(super) fn rate(scene: &Scene) -> f64 {
    scene.output.frames_per_second.unwrap_or_else(|| RATE.min(1.0 / scene.step))
}

fn written(path: &Path, write: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    write(&mut file).map_err(|error| FileError::write(path, error))?;
    file.finish()
}

impl Frames {
    /// Frames in some formats.
    pub fn begin(
        formats: Vec<Format>,
        scene: &Scene,
        simulation: &Simulation,
        look: &Look,
        solids: &[Mesh],
        folder: &Folder,
    ) -> Result<Frames, FileError> {
        let rate = rate(scene);
        let has = |format| formats.contains(&format);
        let face = |face: &Vec<usize>| face.iter().map(|&corner| corner as u32).collect();
        let faces = |solid: &Mesh| solid.surfaces.iter().flat_map(|surface| &surface.faces).map(face).collect();
        let bodies: Vec<Body> =
            solids.iter().map(|solid| Body { vertices: solid.vertices.clone(), faces: faces(solid) }).collect();
        if has(Format::Obj) || has(Format::Pc2) {
            written(&folder.file(folder::REST), |file| write_rest(look, simulation.model(), file))?;
            if !bodies.is_empty() {
                written(&folder.file(folder::SOLIDS), |file| write_solids(&bodies, file))?;
            }
        }
        let begun = |name: &str| -> Result<(PathBuf, WholeFile), FileError> {
            let path = folder.file(name);
            WholeFile::create(&path).map(|file| (path, file))
        };
        let (mut cache, mut stage) = (None, None);
        if has(Format::Pc2) {
            let (path, file) = begun(folder::CACHE)?;
            let particles = simulation.state().particle_count();
            cache = Some(begin_pc2(file, particles).map_err(|error| FileError::write(&path, error))?);
        }
        if has(Format::Usda) {
            let (path, file) = begun(folder::STAGE)?;
            let begun = Usda::begin(file, look, &texture(simulation.model()), &bodies, rate);
            stage = Some(begun.map_err(|error| FileError::write(&path, error))?);
        }
        Ok(Frames { formats, rate, taken: 0, cache, stage })
    }

    /// Writes the next frame if it is due: after the step that is nearest to it.
    pub fn watch(&mut self, simulation: &Simulation, look: &Look, folder: &Folder) -> Result<(), FileError> {
        if (self.taken as f64 / (self.rate * simulation.step_length())).round() as u64 != simulation.steps() {
            return Ok(());
        }
        let (k, state) = (self.taken, simulation.state());
        for format in &self.formats {
            match format {
                Format::Obj => {
                    written(&folder.frame(k), |file| write_obj(simulation.model().surface(), &state.x, file))?;
                }
                Format::Vtk => {
                    written(&folder.file(&folder::vtk_frame(k)), |file| write_vtk(look, state, simulation.time(), file))?;
                }
                Format::Pc2 | Format::Usda => {}
            }
        }
        if let Some(cache) = &mut self.cache {
            cache.sample(&state.x).map_err(|error| FileError::write(&folder.file(folder::CACHE), error))?;
        }
        if let Some(stage) = &mut self.stage {
            stage.sample(&state.x).map_err(|error| FileError::write(&folder.file(folder::STAGE), error))?;
        }
        self.taken += 1;
        Ok(())
    }

    /// Closes what is open; how many frames there are, and the files beside them.
    pub fn finish(self, folder: &Folder) -> Result<(u64, Vec<&'static str>), FileError> {
        let mut names = vec![];
        if self.formats.iter().any(|format| matches!(format, Format::Obj | Format::Pc2)) {
            names.extend([folder::REST, folder::SOLIDS].into_iter().filter(|name| folder.file(name).exists()));
        }
        let failed = |name: &str| {
            let path = folder.file(name);
            move |error| FileError::write(&path, error)
        };
        if let Some(cache) = self.cache {
            cache.finish().map_err(failed(folder::CACHE))?.finish()?;
            names.push(folder::CACHE);
        }
        if let Some(stage) = self.stage {
            stage.finish().map_err(failed(folder::STAGE))?.finish()?;
            names.push(folder::STAGE);
        }
        Ok((self.taken, names))
    }
}
