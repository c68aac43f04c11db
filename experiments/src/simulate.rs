//! `clothlab simulate scene.toml --out DIR`: runs a scene and writes its energies, its final state and its frames.

mod contacts;
mod copied;
mod energies;
pub(crate) mod folder;
pub(crate) mod input;
mod strain;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use cloth::Simulation;
use cloth::scene::{Scene, write_obj, write_vectors};
use lab::Progress;
use lab::files::{FileError, WholeFile, write_whole};

use crate::Failure;
use contacts::ContactTable;
pub use contacts::Touching;
use copied::copied;
use energies::{Course, EnergyTable};
use folder::Folder;
use input::Input;
use strain::StrainTable;
pub use strain::{Failed, Kept};
pub use summary::{Measured, Summary, Triangles};

/// What is simulated, and where the results go.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file
    pub scene: PathBuf,
    /// The folder for energies.csv, positions.csv, velocities.csv, contacts.csv, strain.csv, frames/ and a copy of the scene with the files that it names
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the files of a former simulation in that folder
    #[arg(long)]
    pub force: bool,
}

/// Runs a scene.
///
/// The folder gets energies.csv, positions.csv and velocities.csv (the final state), where there are solids contacts.csv,
/// behind a constraint method strain.csv, frames/frame_00000.obj and on, and scene.toml, a copy of the scene that
/// runs as it does, with copies of the files that it names. Nothing is written
/// before all input has been read and found right, and the files get their places when all of them are written: until then those of
/// a former simulation stay. A run that blows up is written up to its last finite state.
///
/// # Errors
/// [`Failure::Usage`] on bad input, on a folder that holds a former simulation unless `force`, or that another run is writing into,
/// and where writing fails.
pub fn simulate(request: &Request) -> Result<Summary, Failure> {
    let Input { text, scene, mut simulation, untextured, files } = input::read(&request.scene)?;
    let folder = Folder::claim(&request.out, request.force, &files)?;
    let (text, named) = copied(&text);
    write_whole(&folder.file(folder::SCENE), text.as_bytes())?;
    let copies = named.iter().map(|(_, name)| *name).collect();
    for (file, name) in named {
        let file = request.scene.parent().unwrap_or(Path::new("")).join(file);
        write_whole(&folder.file(name), &fs::read(&file).map_err(|source| FileError::read(&file, source))?)?;
    }
    let summary = run(&scene, &mut simulation, &folder, untextured)?;
    folder.publish()?;
    Ok(Summary { copies, ..summary })
}

/// Steps to the end, or until it blows up, and writes along the way; `untextured` triangles have no texture coordinates.
fn run(scene: &Scene, simulation: &mut Simulation, folder: &Folder, untextured: usize) -> Result<Summary, Failure> {
    let steps = scene.steps();
    let mut energies = EnergyTable::create(folder.file(folder::ENERGIES), scene)?;
    let mut contacts = ContactTable::create(folder.file(folder::CONTACTS), scene)?;
    let mut strain = StrainTable::create(folder.file(folder::STRAIN), scene)?;
    let mut course = Course::default();
    let start = energies.record(simulation, course)?;
    let mut frames = 0;
    write_frame(scene, simulation, folder, &mut frames)?;
    let progress = Progress::new("simulation", "steps", steps);
    while simulation.steps() < steps {
        simulation.step();
        if simulation.blew_up() {
            strain.record(simulation, true)?;
            break;
        }
        course = Course::of(simulation);
        if simulation.steps().is_multiple_of(scene.output.energies_every) {
            energies.record(simulation, course)?;
        }
        let due = simulation.steps().is_multiple_of(scene.output.energies_every) || simulation.steps() == steps;
        strain.record(simulation, due)?;
        if simulation.steps().is_multiple_of(scene.output.contacts_every) || simulation.steps() == steps {
            contacts.record(simulation)?;
        }
        write_frame(scene, simulation, folder, &mut frames)?;
        progress.advance();
    }
    progress.finish();
    let end = energies.record(simulation, course)?;
    let largest_stretch = energies.finish()?;
    contacts.finish()?;
    let kept = strain.finish()?;
    write_table(&folder.file(folder::POSITIONS), &simulation.state().x)?;
    write_table(&folder.file(folder::VELOCITIES), &simulation.state().v)?;
    Ok(Summary {
        folder: folder.path().to_owned(),
        copies: vec![],
        step: scene.step,
        steps: simulation.steps(),
        asked: scene.duration,
        blew_up: simulation.blew_up(),
        start,
        end,
        largest_stretch,
        frames,
        solver: scene.scheme.solver(),
        adapted: scene.adapting().is_some(),
        work: simulation.work(),
        touching: (!scene.solids.is_empty() && kept.is_none()).then_some(course.touching),
        kept,
        excess: simulation.model().cloth().and_then(|cloth| summary::excess(scene, cloth)),
        triangles: simulation.model().triangles().map(|mesh| Triangles {
            particles: mesh.particle_count(),
            triangles: mesh.triangles().len(),
            pieces: mesh.pieces(),
            untextured,
        }),
    })
}

/// Writes the next frame if it is due.
fn write_frame(scene: &Scene, simulation: &Simulation, folder: &Folder, frames: &mut u64) -> Result<(), FileError> {
    if scene.frame_step(*frames) == Some(simulation.steps()) {
        let path = folder.frame(*frames);
        let mut file = WholeFile::create(&path)?;
        write_obj(simulation.model().surface(), &simulation.state().x, &mut file)
            .map_err(|error| FileError::write(&path, error))?;
        file.finish()?;
        *frames += 1;
    }
    Ok(())
}

/// Writes a table of vectors.
fn write_table(path: &Path, vectors: &[cloth::Vec3]) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    write_vectors(vectors, &mut file).map_err(|error| FileError::write(path, error))?;
    file.finish()
}
