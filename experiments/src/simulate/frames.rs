//! Meshes of a run along the way, for other programs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chart::Mesh;
use clap::ValueEnum;
use cloth::contact::{RigidMotion, Sequence};
use lab::files::{FileError, WholeFile};
use scene::formats::{Body, Look, Pc2, Usda, begin_pc2, texture, write_rest, write_solids, write_solids_vtk, write_vtk};
use scene::{Scene, Simulation, write_obj};

use super::folder::{self, Folder};

/// A format of frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// OBJ, a file a frame, with rest.obj, which has texture coordinates, and solids.obj; of solids that move also a file a frame
    Obj,
    /// Blender's mesh cache, cloth.pc2, on the mesh of rest.obj, with solids.obj; solid_0.pc2 and on of those that move
    Pc2,
    /// Universal Scene Description, cloth.usda, with solids as they move: Blender, Houdini, usdview
    Usda,
    /// Legacy VTK, a file a frame, with velocity and stretch: ParaView; solids as with OBJ
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
    bodies: Vec<Body>,
    cache: Option<Pc2<WholeFile>>,
    /// Caches of bodies that move, by their numbers.
    body_caches: Vec<(usize, Pc2<WholeFile>)>,
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
        let body = |((solid, shapes), motion): ((&Mesh, Option<&Arc<Sequence>>), &RigidMotion)| Body {
            vertices: solid.vertices.clone(),
            faces: faces(solid),
            shapes: shapes.cloned(),
            motion: motion.clone(),
        };
        let bodies: Vec<Body> = solids.iter().zip(scene.shapes()).zip(scene.moves()).map(body).collect();
        if has(Format::Obj) || has(Format::Pc2) {
            written(&folder.file(folder::REST), |file| write_rest(look, simulation.model(), file))?;
        }
        if !bodies.is_empty() && formats.iter().any(|format| *format != Format::Usda) {
            written(&folder.file(folder::SOLIDS), |file| write_solids(&bodies, 0.0, file))?;
        }
        let begun = |name: &str| -> Result<(PathBuf, WholeFile), FileError> {
            let path = folder.file(name);
            WholeFile::create(&path).map(|file| (path, file))
        };
        let (mut cache, mut body_caches, mut stage) = (None, vec![], None);
        if has(Format::Pc2) {
            let (path, file) = begun(folder::CACHE)?;
            let particles = simulation.state().particle_count();
            cache = Some(begin_pc2(file, particles).map_err(|error| FileError::write(&path, error))?);
            for (k, body) in bodies.iter().enumerate().filter(|(_, body)| body.moves()) {
                let (path, file) = begun(&folder::solid_cache(k))?;
                let begun = begin_pc2(file, body.vertices.len());
                body_caches.push((k, begun.map_err(|error| FileError::write(&path, error))?));
            }
        }
        if has(Format::Usda) {
            let (path, file) = begun(folder::STAGE)?;
            let begun = Usda::begin(file, look, &texture(simulation.model()), bodies.clone(), rate);
            stage = Some(begun.map_err(|error| FileError::write(&path, error))?);
        }
        Ok(Frames { formats, rate, taken: 0, bodies, cache, body_caches, stage })
    }

    /// Writes the next frame if it is due: after the step that is nearest to it.
    pub fn watch(&mut self, simulation: &Simulation, look: &Look, folder: &Folder) -> Result<(), FileError> {
        if (self.taken as f64 / (self.rate * simulation.step_length())).round() as u64 != simulation.steps() {
            return Ok(());
        }
        let (k, t, state) = (self.taken, simulation.time(), simulation.state());
        let moves = self.bodies.iter().any(Body::moves);
        for format in &self.formats {
            match format {
                Format::Obj => {
                    written(&folder.frame(k), |file| write_obj(simulation.model().surface(), &state.x, file))?;
                    if moves {
                        written(&folder.file(&folder::solids_frame(k)), |file| write_solids(&self.bodies, t, file))?;
                    }
                }
                Format::Vtk => {
                    written(&folder.file(&folder::vtk_frame(k)), |file| write_vtk(look, state, t, file))?;
                    if moves {
                        let path = folder.file(&folder::vtk_solids_frame(k));
                        written(&path, |file| write_solids_vtk(&self.bodies, t, file))?;
                    }
                }
                Format::Pc2 | Format::Usda => {}
            }
        }
        if let Some(cache) = &mut self.cache {
            cache.sample(&state.x).map_err(|error| FileError::write(&folder.file(folder::CACHE), error))?;
        }
        for (k, cache) in &mut self.body_caches {
            let sampled = cache.sample(&self.bodies[*k].places(t));
            sampled.map_err(|error| FileError::write(&folder.file(&folder::solid_cache(*k)), error))?;
        }
        if let Some(stage) = &mut self.stage {
            stage.sample(t, look, &state.x).map_err(|error| FileError::write(&folder.file(folder::STAGE), error))?;
        }
        self.taken += 1;
        Ok(())
    }

    /// Closes what is open; how many frames there are, and the files beside them.
    pub fn finish(self, folder: &Folder) -> Result<(u64, Vec<String>), FileError> {
        let mut names: Vec<String> = vec![];
        names.extend([folder::REST, folder::SOLIDS].map(str::to_owned).into_iter().filter(|name| folder.file(name).exists()));
        let failed = |name: &str| {
            let path = folder.file(name);
            move |error| FileError::write(&path, error)
        };
        if let Some(cache) = self.cache {
            cache.finish().map_err(failed(folder::CACHE))?.finish()?;
            names.push(folder::CACHE.to_owned());
        }
        for (k, cache) in self.body_caches {
            let name = folder::solid_cache(k);
            cache.finish().map_err(failed(&name))?.finish()?;
            names.push(name);
        }
        if let Some(stage) = self.stage {
            stage.finish().map_err(failed(folder::STAGE))?.finish()?;
            names.push(folder::STAGE.to_owned());
        }
        Ok((self.taken, names))
    }
}
