//! `clothlab control scene.toml`: looks for forces that lead the cloth to key frames, and runs it under them.

mod goal;

use std::fmt;
use std::time::Instant;

use cloth::adjoint::{Adjoint, Forces, Goal, NoGradient, Task};
use cloth::{State, Vec3};
use kit::Failure;
use kit::search::{Found, Search, words_of};
use kit::table::Table;
use lab::Progress;
use lab::files::FileError;
use race::input::{self, Input};
use race::memory;
use scene::{SceneError, Undifferentiable};

use crate::simulate::copied::ExtraFiles;
use crate::simulate::folder::{self, Folder};
use crate::simulate::read;
use crate::simulate::{Request, Summary, run_into};

/// How a search went, and the run under what it found; its text is several lines.
pub struct Controlled {
    forces: Forces,
    found: Found,
    /// Root of the mean square of the distances at each key frame \[m\], with its time \[s\]: without forces and with them.
    frames: Vec<(f64, [f64; 2])>,
    summary: Summary,
}

/// A scene with a control, read and found right.
struct Prepared {
    input: Input,
    task: Task,
    iterations: u32,
}

/// Looks for forces that lead the cloth of a scene to its key frames, and runs it under them.
///
/// The folder gets what [`simulate`](crate::simulate::simulate) writes, of the run under the forces, with control.csv, the forces,
/// convergence.csv, what the search came to, and copies of the key frames.
///
/// # Errors
/// [`Failure::Usage`] as [`simulate`](crate::simulate::simulate), on a scene without a control, key frames of another mesh, what
/// has no gradient, and a run that does not converge without forces.
pub fn control(request: &Request) -> Result<Controlled, Failure> {
    let begun = Instant::now();
    let Prepared { input, task, iterations } = prepare(request)?;
    let folder = Folder::claim(&request.folder(), request.force, &input.files)?;
    let (forces, goal, dt) = (task.forces.clone(), task.goal.clone(), task.dt);
    let failed = |refused: NoGradient| Failure::Usage(format!("{}: {refused}", request.scene.display()));
    let model = input.simulation.model().clone();
    let system = model.differentiable();
    let mut adjoint = Adjoint::new(system, task).map_err(failed)?;
    let progress = Progress::new("control", "iterations", iterations.into());
    let found = Search::of(iterations, 3 * forces.count()).minimise(
        |numbers| {
            let gradient = adjoint.gradient(system, &vectors(numbers))?;
            Ok((gradient.value, gradient.by_force.iter().flatten().copied().collect()))
        },
        || progress.advance(),
    );
    progress.finish();
    let found = found.map_err(failed)?;
    let u = vectors(&found.point);
    let before = distances(&mut adjoint, system, &goal, &vec![Vec3::zeros(); forces.count()]).map_err(failed)?;
    let after = distances(&mut adjoint, system, &goal, &u).map_err(failed)?;
    write_forces(&folder, &forces, &u, dt)?;
    found.write(folder.file(folder::CONVERGENCE))?;
    let simulation = input.simulation.with_forces(forces.clone(), u);
    let summary = run_into(request, Input { simulation, ..input }, ExtraFiles::Wanted, folder, begun)?;
    let times = goal.keyframes.iter().map(|keyframe| keyframe.step as f64 * dt);
    let frames = times.zip(before.into_iter().zip(after).map(|(before, after)| [before, after])).collect();
    Ok(Controlled { forces, found, frames, summary })
}

/// Reads a scene and all that it names, and says what would be looked for.
///
/// # Errors
/// As [`control`].
pub fn dry_run(request: &Request) -> Result<String, Failure> {
    let Prepared { input, task, iterations } = prepare(request)?;
    Folder::check(&request.folder(), request.force, &input.files)?;
    let (intervals, particles) = (task.forces.intervals().len(), task.forces.particles().len());
    let (steps, keyframes) = (task.steps, task.goal.keyframes.len());
    Ok(format!(
        "{}: {keyframes} key frames in {steps} steps of {} s by forces on {particles} particles in {intervals} intervals, {} \
         numbers, in at most {iterations} iterations; results would go to {}",
        request.scene.display(),
        crate::simulate::given(task.dt),
        3 * task.forces.count(),
        request.folder().display()
    ))
}

/// Reads and checks.
fn prepare(request: &Request) -> Result<Prepared, Failure> {
    let mut input = read::read(&request.scene, &request.overrides, !request.no_pictures)?;
    let scene = &input.scene;
    let named = request.scene.display();
    let Some(control) = &scene.control else {
        return Err(Failure::Usage(format!("{named}: it has no [control]; add one with [[control.keyframe]] sections")));
    };
    let misplaced = |mistake: SceneError| {
        let joint = if mistake.place.is_some() { "," } else { ":" };
        Failure::Usage(format!("{named}{joint} {mistake}"))
    };
    let refused = |refused: Undifferentiable| Failure::Usage(format!("{named}: {refused}"));
    let model = input.simulation.model();
    let (keyframes, files) = goal::keyframes(&request.scene, scene, control, model)?;
    let last = control.keyframes.iter().map(|wanted| wanted.time).fold(0.0, f64::max);
    let intervals = (last / control.interval.max(scene.step)) as u64 + 1;
    let particles = model.system().particle_count();
    let forced = control.particles.as_ref().map_or(particles, Vec::len) as u64;
    let needed = memory::searching(scene, particles, intervals.saturating_mul(forced));
    input::refuse_memory(&request.scene, needed, "shorten `duration`, or lengthen `control.interval`")?;
    let forces = scene.forces(control, model).map_err(misplaced)?;
    let (goal, iterations) = (Goal { keyframes, effort: control.effort }, control.iterations);
    let task = scene.task(model, input.simulation.state().clone(), goal, forces, vec![]).map_err(refused)?;
    input.files.extend(files);
    Ok(Prepared { input, task, iterations })
}

/// Numbers as vectors.
fn vectors(numbers: &[f64]) -> Vec<Vec3> {
    numbers.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

/// Root of the mean square of the distances at each key frame \[m\].
fn distances(
    adjoint: &mut Adjoint,
    system: &dyn cloth::adjoint::Differentiable,
    goal: &Goal,
    u: &[Vec3],
) -> Result<Vec<f64>, NoGradient> {
    let (mut distances, mut step) = (vec![0.0; goal.keyframes.len()], 0);
    adjoint.run(system, u, |state: &State| {
        for (distance, keyframe) in distances.iter_mut().zip(&goal.keyframes).filter(|(_, keyframe)| keyframe.step == step) {
            *distance = (keyframe.square(&state.x) / keyframe.places.len().max(1) as f64).sqrt();
        }
        step += 1;
    })?;
    Ok(distances)
}

/// Writes control.csv: each force \[N\], on whom, and from when to when \[s\].
fn write_forces(folder: &Folder, forces: &Forces, u: &[Vec3], dt: f64) -> Result<(), FileError> {
    let mut table = Table::create(folder.file(folder::CONTROL), &["from", "until", "particle", "fx", "fy", "fz"])?;
    for (steps, u) in forces.intervals().iter().zip(u.chunks(forces.particles().len().max(1))) {
        let [from, until] = [steps.start, steps.end].map(|step| step as f64 * dt);
        for (particle, u) in forces.particles().iter().zip(u) {
            table.add((from, until, particle, u.x, u.y, u.z))?;
        }
    }
    table.finish()
}

impl fmt::Display for Controlled {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (particles, intervals) = (self.forces.particles().len(), self.forces.intervals().len());
        writeln!(f, "control: forces on {particles} particles in {intervals} intervals, {} numbers", 3 * self.forces.count())?;
        writeln!(f, "{}", self.found)?;
        for (time, [before, after]) in &self.frames {
            let [before, after] = [before, after].map(|distance| words_of(*distance));
            writeln!(f, "key frame at {} s: {after} m away in the root mean square, {before} m without forces", words_of(*time))?;
        }
        writeln!(f, "{} and {} have the forces and the course of the search", folder::CONTROL, folder::CONVERGENCE)?;
        write!(f, "{}", self.summary)
    }
}
