//! Meshes of a run along the way, for other programs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chart::Mesh;
use clap::ValueEnum;
use cloth::State;
use cloth::contact::{RigidMotion, Sequence};
use cloth::run::Run;
use lab::files::{FileError, WholeFile};
use scene::formats::{Body, Look, Pc2, Usda, begin_pc2, texture, write_rest, write_solids, write_solids_vtk, write_vtk};
use scene::{Scene, write_obj};

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

/// The way of cloth from one step to the next, in frames between them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    /// By a cubic in time that has the positions and velocities of both steps.
    Cubic,
    /// Straight, as collisions take it and constraints keep it: a cubic may lead through what bears the cloth.
    Straight,
    /// Not at all: frames show the nearest step. Of cloth that tears, which has other particles after a step.
    Nearest,
}

impl Way {
    fn of(scene: &Scene) -> Way {
        let is_led = !scene.solids.is_empty()
            || !scene.bodies.is_empty()
            || scene.self_collision.is_some()
            || scene.repulsion.is_some()
            || scene.inextensible.is_some();
        match scene.tearing {
            Some(_) => Way::Nearest,
            None if is_led => Way::Straight,
            None => Way::Cubic,
        }
    }

    /// Overwrites `state` with that at the share `s` of a step of `dt` \[s\] from one state to another, 0 < s < 1.
    fn between(self, [from, to]: [&State; 2], s: f64, dt: f64, state: &mut State) {
        state.copy_from(from);
        let bend = if self == Way::Cubic { s * (1.0 - s) * dt } else { 0.0 };
        for (i, x) in state.x.iter_mut().enumerate() {
            let way = to.x[i] - from.x[i];
            let mean = way / dt;
            // Hermite's cubic, as its distance from the straight line
            *x += s * way + bend * ((1.0 - s) * (from.v[i] - mean) - s * (to.v[i] - mean));
            state.v[i] += s * (to.v[i] - from.v[i]);
        }
    }
}

/// Share of a step within which a frame is at its end \[-\].
const AT_STEP: f64 = 1e-6;

/// Frames of a run of so many seconds at so many a second.
pub(super) fn count(rate: f64, duration: f64) -> u64 {
    (rate * duration * (1.0 + 1e-9)) as u64 + 1
}

/// Frames that are written while a run goes on.
pub(super) struct Frames {
    formats: Vec<Format>,
    /// Frames a second.
    rate: f64,
    /// The time at which the run begins \[s\].
    begins: f64,
    /// The number of the first one, and of the next one.
    first: u64,
    next: u64,
    way: Way,
    /// The places in the last frame between two steps.
    between: State,
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

/// A file whose content `write` writes.
pub(super) fn written(path: &Path, write: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    write(&mut file).map_err(|error| FileError::write(path, error))?;
    file.finish()
}

impl Frames {
    /// Frames in some formats.
    pub fn begin(
        formats: Vec<Format>,
        scene: &Scene,
        simulation: &Run,
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
        let (way, between) = (Way::of(scene), State::at_rest(vec![]));
        // the first frame at the start or after it, of a run that goes on too
        let first = (simulation.time() * rate - AT_STEP).ceil() as u64;
        let begins = scene.initial.time;
        Ok(Frames { formats, rate, begins, first, next: first, way, between, bodies, cache, body_caches, stage })
    }

    /// Writes the frames that are due after a step: those since the step before, each at its time. One that falls on a step shows its
    /// state to the last bit.
    pub fn watch(&mut self, simulation: &Run, look: &Look, folder: &Folder) -> Result<(), FileError> {
        let (dt, steps) = (simulation.step_length(), simulation.steps());
        loop {
            let at = self.next as f64 / (self.rate * dt) - self.begins / dt; // in steps
            let nearest = at.round() as u64;
            if self.way == Way::Nearest || (at - at.round()).abs() < AT_STEP {
                if nearest != steps {
                    return Ok(());
                }
                self.write(simulation, simulation.state(), simulation.time(), look, folder)?;
            } else if at < steps as f64 {
                let mut state = std::mem::replace(&mut self.between, State::at_rest(vec![]));
                if state.particle_count() != simulation.state().particle_count() {
                    state = simulation.state().clone();
                }
                let ends = [simulation.before(), simulation.state()];
                self.way.between(ends, at - (steps - 1) as f64, dt, &mut state);
                self.write(simulation, &state, self.begins + at * dt, look, folder)?;
                self.between = state;
            } else {
                return Ok(());
            }
        }
    }

    /// Writes the next frame.
    fn write(&mut self, simulation: &Run, state: &State, t: f64, look: &Look, folder: &Folder) -> Result<(), FileError> {
        let k = self.next;
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
        self.next += 1;
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
        Ok((self.next - self.first, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::Vec3;

    /// x = 1 + 2 t - 3 t² + t³ and its derivative.
    fn at(t: f64) -> State {
        let (x, v) = (1.0 + 2.0 * t - 3.0 * t * t + t * t * t, 2.0 - 6.0 * t + 3.0 * t * t);
        State { x: vec![x * Vec3::x()], v: vec![v * Vec3::x()] }
    }

    #[test]
    fn a_cubic_is_met_between_two_steps_and_a_straight_way_stays_between_their_places() {
        let (dt, s) = (0.5, 0.3);
        let (from, to) = (at(1.0), at(1.5));
        let mut state = from.clone();
        Way::Cubic.between([&from, &to], s, dt, &mut state);
        assert!((state.x[0] - at(1.0 + s * dt).x[0]).norm() < 1e-15, "{:?}", state.x);
        Way::Straight.between([&from, &to], s, dt, &mut state);
        assert!((state.x[0] - (0.7 * from.x[0] + 0.3 * to.x[0])).norm() < 1e-15, "{:?}", state.x);
    }

    #[test]
    fn cloth_among_solids_goes_straight_and_cloth_that_tears_shows_its_steps() {
        let way = |sections: &str| {
            let text = format!("step = 0.01\nduration = 1\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n{sections}");
            Way::of(&Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}")))
        };
        assert_eq!(way(""), Way::Cubic);
        assert_eq!(way("[[solid]]\nsphere = { centre = [0, 0, -9], radius = 1 }\n"), Way::Straight);
        assert_eq!(way("[self_collision]\nthickness = 0.01\n"), Way::Straight);
        assert_eq!(count(24.0, 1.0), 25);
    }
}
