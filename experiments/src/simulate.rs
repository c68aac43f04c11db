//! `clothlab simulate scene.toml --out DIR`: runs a scene and writes its energies, its final state and its frames.

mod folder;
mod input;
mod summary;

use std::path::{Path, PathBuf};

use clap::Args;
use cloth::scene::{Scene, write_obj, write_vectors};
use cloth::{Energies, Simulation};
use lab::Progress;
use lab::files::{FileError, WholeFile, write_whole};
use serde::Serialize;

use crate::Failure;
use folder::Folder;
pub use summary::{Measured, Summary};

/// What is simulated, and where the results go.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file
    pub scene: PathBuf,
    /// The folder for energies.csv, positions.csv, velocities.csv, frames/ and a copy of the scene
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the files of a former simulation in that folder
    #[arg(long)]
    pub force: bool,
}

/// A row of energies.csv. What is too large for a number is an empty cell.
#[derive(Serialize)]
struct Row {
    step: u64,
    time: f64,                    // [s]
    kinetic: Option<f64>,         // [J], as all energies
    gravitational: Option<f64>,   // zero at the origin
    stretch: Option<f64>,         // in the stretch springs
    shear: Option<f64>,           // in the shear springs
    bend: Option<f64>,            // in the bend springs
    total: Option<f64>,           // the sum
    largest_stretch: Option<f64>, // |x| / L over stretch and shear springs
}

/// energies.csv while it is written.
struct EnergyTable {
    path: PathBuf,
    csv: csv::Writer<WholeFile>,
    last: Option<(u64, Measured)>,
    largest_stretch: f64,
}

/// Runs a scene.
///
/// The folder gets energies.csv, positions.csv and velocities.csv (the final state), frames/frame_00000.obj and on, and
/// scene.toml, a copy of the scene. Nothing is written before all input has been read and found right. A run that blows up
/// is written up to its last finite state.
///
/// # Errors
/// [`Failure::Usage`] on bad input, on a folder that holds a former simulation unless `force`, and where writing fails.
pub fn simulate(request: &Request) -> Result<Summary, Failure> {
    let text = input::scene_text(&request.scene)?;
    let scene = input::scene(&request.scene, &text)?;
    let start = input::start(&request.scene, &scene)?;
    let mut simulation = scene.simulation(start).map_err(|invalid| Failure::Usage(invalid.to_string()))?;
    let folder = Folder::claim(&request.out, request.force, &input::files(&request.scene, &scene))?;
    write_whole(&folder.file(folder::SCENE), text.as_bytes())?;
    run(&scene, &mut simulation, &folder)
}

/// Steps to the end, or until it blows up, and writes along the way.
fn run(scene: &Scene, simulation: &mut Simulation, folder: &Folder) -> Result<Summary, Failure> {
    let steps = scene.steps();
    let mut energies = EnergyTable::create(folder.file(folder::ENERGIES))?;
    let start = energies.record(simulation)?;
    let mut frames = 0;
    write_frame(scene, simulation, folder, &mut frames)?;
    let progress = Progress::new("simulation", "steps", steps);
    while simulation.steps() < steps {
        simulation.step();
        if simulation.blew_up() {
            break;
        }
        if simulation.steps().is_multiple_of(scene.output.energies_every) {
            energies.record(simulation)?;
        }
        write_frame(scene, simulation, folder, &mut frames)?;
        progress.advance();
    }
    progress.finish();
    let end = energies.record(simulation)?;
    let largest_stretch = energies.finish()?;
    write_table(&folder.file(folder::POSITIONS), &simulation.state().x)?;
    write_table(&folder.file(folder::VELOCITIES), &simulation.state().v)?;
    Ok(Summary {
        folder: folder.path().to_owned(),
        step: scene.step,
        steps: simulation.steps(),
        asked: scene.duration,
        blew_up: simulation.blew_up(),
        start,
        end,
        largest_stretch,
        frames,
        excess: summary::excess(scene, simulation.cloth()),
    })
}

/// Writes the next frame if it is due.
fn write_frame(scene: &Scene, simulation: &Simulation, folder: &Folder, frames: &mut u64) -> Result<(), FileError> {
    if scene.frame_step(*frames) == Some(simulation.steps()) {
        let path = folder.frame(*frames);
        let mut file = WholeFile::create(&path)?;
        write_obj(simulation.cloth().grid(), &simulation.state().x, &mut file).map_err(|error| FileError::write(&path, error))?;
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

impl EnergyTable {
    fn create(path: PathBuf) -> Result<EnergyTable, FileError> {
        let csv = csv::Writer::from_writer(WholeFile::create(&path)?);
        Ok(EnergyTable { path, csv, last: None, largest_stretch: 0.0 })
    }

    /// Adds a row for the present step, unless it is there.
    fn record(&mut self, simulation: &Simulation) -> Result<Measured, FileError> {
        let step = simulation.steps();
        if let Some((last, measured)) = self.last
            && last == step
        {
            return Ok(measured);
        }
        let (energies, stretch) = (simulation.energies(), simulation.largest_stretch());
        let Energies { kinetic, gravitational, stretch: in_stretch, shear, bend } = energies;
        let finite = |value: f64| value.is_finite().then_some(value);
        self.csv
            .serialize(Row {
                step,
                time: simulation.time(),
                kinetic: finite(kinetic),
                gravitational: finite(gravitational),
                stretch: finite(in_stretch),
                shear: finite(shear),
                bend: finite(bend),
                total: finite(energies.total()),
                largest_stretch: finite(stretch),
            })
            .map_err(|error| FileError::write(&self.path, error.into()))?;
        self.largest_stretch = self.largest_stretch.max(stretch);
        let measured = Measured { time: simulation.time(), energies };
        self.last = Some((step, measured));
        Ok(measured)
    }

    /// Ends the table; the largest stretch of its rows.
    fn finish(self) -> Result<f64, FileError> {
        let EnergyTable { path, csv, largest_stretch, .. } = self;
        csv.into_inner().map_err(|error| FileError::write(&path, error.into_error()))?.finish()?;
        Ok(largest_stretch)
    }
}
