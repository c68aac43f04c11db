//! What is seen of a run besides its tables.

use cloth::run::{Run, TearMode};
use kit::Failure;
use lab::files::FileError;
use race::memory::PARTICLES;
use scene::Scene;
use scene::formats::Look;

use super::Request;
use super::folder::Folder;
use super::frames::{Format, Frames};
use super::pictures::{Pictures, solids};
use super::summary::Measured;

/// Pictures and frames while a run goes on.
pub(super) struct Shown {
    look: Look,
    pictures: Option<Pictures>,
    frames: Option<Frames>,
    /// What was torn when it was looked at.
    torn: u64,
}

/// What is torn of a run so far.
fn torn(simulation: &Run) -> u64 {
    simulation.torn().map_or(0, |torn| torn.count)
}

/// What was written of it.
#[derive(Default)]
pub(super) struct Seen {
    /// Frames of each format.
    pub frames: u64,
    /// The files beside them.
    pub meshes: Vec<String>,
    /// Whether there are pictures and a page.
    pub pictured: bool,
}

/// The formats of a run: those that are asked for, or OBJ where the scene has frames.
pub(super) fn formats(request: &Request, scene: &Scene) -> Vec<Format> {
    match scene.output.frames_per_second {
        Some(_) if request.frames.is_empty() => vec![Format::Obj],
        _ => request.frames.clone(),
    }
}

/// Refuses formats that do not hold what a scene becomes.
///
/// # Errors
/// [`Failure::Usage`] for PC2 of cloth that gets more particles.
pub(super) fn check(request: &Request, scene: &Scene) -> Result<(), Failure> {
    let opens = scene.tearing.as_ref().is_some_and(|tear| tear.mode == TearMode::Open);
    if opens && formats(request, scene).contains(&Format::Pc2) {
        let scene = request.scene.display();
        return Err(Failure::Usage(format!(
            "{scene}: cloth that tears gets more particles, and PC2 has room for those of the start only: take --frames usda, obj or vtk"
        )));
    }
    Ok(())
}

impl Shown {
    /// Of a run that begins; none where nothing is wanted.
    pub fn begin(request: &Request, scene: &Scene, simulation: &Run, folder: &Folder) -> Result<Option<Shown>, FileError> {
        let formats = formats(request, scene);
        let pictured = !request.no_pictures && simulation.state().particle_count() <= PARTICLES;
        if formats.is_empty() && !pictured {
            return Ok(None);
        }
        let (look, solids) = (Look::of(simulation.model()), solids(scene, simulation));
        let frames = match formats.is_empty() {
            true => None,
            false => Some(Frames::begin(formats, scene, simulation, &look, &solids, folder)?),
        };
        let pictures = pictured.then(|| Pictures::new(scene, simulation, &look, solids));
        let mut shown = Shown { look, pictures, frames, torn: torn(simulation) };
        shown.watch(simulation, folder)?;
        Ok(Some(shown))
    }

    /// Takes what is due after a step.
    pub fn watch(&mut self, simulation: &Run, folder: &Folder) -> Result<(), FileError> {
        let torn = torn(simulation);
        if torn != self.torn {
            (self.look, self.torn) = (Look::of(simulation.model()), torn);
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.watch(simulation, &self.look);
        }
        self.frames.as_mut().map_or(Ok(()), |frames| frames.watch(simulation, &self.look, folder))
    }

    /// Takes a row of energies.
    pub fn record(&mut self, measured: Measured) {
        self.pictures.iter_mut().for_each(|pictures| pictures.record(measured));
    }

    /// Writes what is not yet written.
    pub fn finish(self, simulation: &Run, folder: &Folder) -> Result<Seen, FileError> {
        let pictured = self.pictures.is_some();
        let settled = |mut pictures: Pictures| {
            pictures.settle(simulation, &self.look);
            pictures.write(simulation, folder)
        };
        self.pictures.map_or(Ok(()), settled)?;
        let (frames, meshes) = self.frames.map_or(Ok((0, vec![])), |frames| frames.finish(folder))?;
        Ok(Seen { frames, meshes, pictured })
    }
}
