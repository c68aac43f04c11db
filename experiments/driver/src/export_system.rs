//! `clothlab export-system scene.toml --step K --out DIR`: runs a scene to a step and writes the linear system that it solved.

mod description;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use cloth::Vec3;
use cloth::implicit::{LinearSystem, SolvedSystem, Solver};
use cloth::run::{Run, StepError};
use kit::Failure;
use lab::Progress;
use lab::files::{FileError, WholeFile, remove_file, sweep};
use lab::measure::run::hold;
use linsolve::matrix_market::{write_matrix, write_projection, write_vector};
use linsolve::{BlockRows, Operator};
use race::input;
use scene::Scene;

use crate::overrides::Overrides;
use crate::simulate::{folder, read};
use crate::whole::Whole;
use description::Description;

/// Which system is written, and where.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file, with an implicit integrator
    pub scene: PathBuf,
    /// The step whose linear system is written, from 1 on
    #[arg(long, value_name = "K", value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub step: u64,
    /// The folder for A.mtx, b.mtx, z.mtx, constraints.mtx, x.mtx, x_prev.mtx and system.toml
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the files of a former export in that folder
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
}

const MATRIX: &str = "A.mtx";
const RIGHT: &str = "b.mtx";
const PRESCRIBED: &str = "z.mtx";
const CONSTRAINTS: &str = "constraints.mtx";
const SOLUTION: &str = "x.mtx";
const PREVIOUS: &str = "x_prev.mtx";
const DESCRIPTION: &str = "system.toml";

/// The files of an export, and what they hold.
const FILES: [(&str, &str); 7] = [
    (MATRIX, "A [kg], symmetric: its lower triangle, each block that acts whole"),
    (RIGHT, "b [kg m/s]"),
    (PRESCRIBED, "z [m/s]; what S leaves free of it has no meaning"),
    (
        CONSTRAINTS,
        "S [-], symmetric and block diagonal: its lower triangle; a particle without entries is held in all directions",
    ),
    (SOLUTION, "x [m/s] as the solver below left it"),
    (PREVIOUS, "x_prev [m/s], the solution of the step before, or zero: what the solver began with"),
    (DESCRIPTION, "this file"),
];

/// What was written.
pub struct Exported {
    description: Description,
    folder: PathBuf,
    files: Vec<&'static str>,
}

/// Runs a scene to a step and writes the last linear system of that step.
///
/// The folder gets the files of [`Request::out`] when all of them are written; x_prev.mtx only where the solver began with it.
/// Nothing is written before the system is there.
///
/// # Errors
/// [`Failure::Usage`] on bad input, a scene without linear systems, a step that the scene does not have or does not come to, a
/// folder that holds a former export unless `force`, or that another run is writing into, and where writing fails.
pub fn export_system(request: &Request) -> Result<Exported, Failure> {
    let input::Input { scene, mut simulation, files, .. } = read::read(&request.scene, &request.overrides, false)?;
    let refused = |why: String| Failure::Usage(format!("{}: {why}", request.scene.display()));
    let Some(solver) = scene.scheme.solver() else {
        let name = scene.scheme.name();
        return Err(refused(format!(
            "{name} {}; name an `integrator` that has a `solver`, like \"backward-euler\"",
            scene.scheme.without_solver()
        )));
    };
    let (step, steps) = (request.step, scene.steps());
    if !(1..=steps).contains(&step) {
        return Err(refused(format!("its steps are 1 to {steps}; choose one of them with --step, not {step}")));
    }
    // before a lock is left there; what is there from an export at work is not from a former one
    folder::check(&request.out, "export", &former(&request.out), true, &files)?;
    let hold = hold(&request.out)?;
    let exported = folder::check(&request.out, "export", &former(&request.out), request.force, &files)
        .and_then(|()| Ok(sweep(&request.out)?))
        .and_then(|()| solve(request, &scene, &solver, &mut simulation));
    if exported.is_err() {
        hold.withdraw();
    }
    exported
}

/// The files of a former export in a folder.
fn former(folder: &Path) -> Vec<PathBuf> {
    FILES.iter().map(|(name, _)| folder.join(name)).filter(|file| file.exists()).collect()
}

/// Runs a scene to the step, and writes its system.
fn solve(request: &Request, scene: &Scene, solver: &Solver, simulation: &mut Run) -> Result<Exported, Failure> {
    let refused = |why: String| Failure::Usage(format!("{}: {why}", request.scene.display()));
    let (step, former) = (request.step, former(&request.out));
    let previous = advance(simulation, step);
    if let Some(StepError { step: failed, .. }) = simulation.failed() {
        return Err(refused(format!("the run fails in step {failed}; choose a step before that with --step, or shorten `step`")));
    }
    let Some(solved) = simulation.last_system() else {
        return Err(Failure::Internal(format!("{} left no linear system", scene.scheme.name())));
    };
    let matrix = solved.system.matrix();
    if !is_finite(&matrix, &solved.system) {
        return Err(refused(format!(
            "the system of step {step} holds a number that is not finite; choose an earlier one, or shorten `step`"
        )));
    }
    let description = Description::new(&request.scene, scene, step, solver, &solved, previous.systems);
    let corrected = matches!(solver, Solver::ConjugateGradients(gradients) if gradients.start.is_warm() && !solved.starts_anew);
    let start = (corrected && previous.systems == 1).then_some(&previous.solution[..]);
    let files = write(&request.out, &matrix, &solved, start, &description)?;
    former.iter().filter(|file| !files.iter().any(|name| file.ends_with(name))).try_for_each(|stale| remove_file(stale))?;
    Ok(Exported { description, folder: request.out.clone(), files })
}

/// Writes the files of a system with its matrix in block rows and the `start` that its solver began with; their names.
fn write(
    folder: &Path,
    matrix: &BlockRows,
    solved: &SolvedSystem,
    start: Option<&[Vec3]>,
    description: &Description,
) -> Result<Vec<&'static str>, Failure> {
    let system = &solved.system;
    let mut files = Files { folder, files: vec![] };
    files.write(MATRIX, |out| write_matrix(matrix, "A [kg]", out))?;
    files.write(RIGHT, |out| write_vector(system.b(), "b [kg m/s]", out))?;
    files.write(PRESCRIBED, |out| write_vector(system.z(), "z [m/s]", out))?;
    files.write(CONSTRAINTS, |out| write_projection(system.constraints(), "S [-]", out))?;
    files.write(SOLUTION, |out| write_vector(solved.solution, "x [m/s]", out))?;
    if let Some(start) = start {
        files.write(PREVIOUS, |out| write_vector(start, "x_prev [m/s]", out))?;
    }
    let names: Vec<&'static str> = files.files.iter().map(|(name, _)| *name).chain([DESCRIPTION]).collect();
    let text = description.text(&names)?;
    files.write(DESCRIPTION, |out| out.write_all(text.as_bytes()))?;
    files.finish()?;
    Ok(names)
}

/// Whether A, b and z are made of finite numbers.
fn is_finite(matrix: &BlockRows, system: &LinearSystem) -> bool {
    let vectors = system.b().iter().chain(system.z()).flatten();
    let blocks =
        (0..matrix.rows()).flat_map(|row| matrix.filled_above(row).map(|(_, block)| block).chain([matrix.diagonal(row)]));
    vectors.chain(blocks.flatten()).all(|number| number.is_finite())
}

/// What a step began with.
struct Previous {
    /// The solution before, with which its solver begins where the step has but one system; the last one of several begins with
    /// another, as each iteration of Newton does after the first.
    solution: Vec<Vec3>,
    /// Linear systems of the step.
    systems: u64,
}

/// Takes steps up to the one of number `step`, or until one fails.
fn advance(simulation: &mut Run, step: u64) -> Previous {
    let mut previous = Previous { solution: vec![Vec3::zeros(); simulation.state().particle_count()], systems: 0 };
    let progress = Progress::new("simulation", "steps", step);
    while simulation.steps() < step {
        if let (true, Some(last)) = (simulation.steps() + 1 == step, simulation.last_system()) {
            previous.solution.copy_from_slice(last.solution);
        }
        let before = simulation.work();
        let ended = simulation.step();
        previous.systems = (simulation.work() - before).solves;
        progress.advance();
        if ended.is_err() {
            break;
        }
    }
    progress.finish();
    previous
}

/// Files of a folder that appear together.
struct Files<'a> {
    folder: &'a Path,
    files: Vec<(&'static str, WholeFile)>,
}

impl Files<'_> {
    /// Writes a file that does not yet have its name.
    fn write(&mut self, name: &'static str, write: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), FileError> {
        let path = self.folder.join(name);
        let mut file = WholeFile::create(&path)?;
        write(&mut file).and_then(|()| file.flush()).map_err(|source| FileError::write(&path, source))?;
        self.files.push((name, file));
        Ok(())
    }

    /// Gives all of them their names.
    fn finish(self) -> Result<(), FileError> {
        self.files.into_iter().try_for_each(|(_, file)| file.finish())
    }
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Exported { description, folder, files } = self;
        writeln!(f, "{description}")?;
        let Some((last, others)) = files.split_last() else { return Ok(()) };
        write!(f, "wrote {} and {last} to {}", others.join(", "), folder.display())
    }
}
