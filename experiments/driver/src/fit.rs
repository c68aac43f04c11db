//! `clothlab fit scene.toml`: looks for constants of the material with which the cloth moves as it was recorded to.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use cloth::adjoint::{Adjoint, Constant, Forces, Goal, KeyFrame, NoGradient};
use cloth::run::Model;
use kit::Failure;
use kit::search::{Found, Search, rounded, words_of};
use kit::table::Table;
use lab::Progress;
use lab::files::{remove_file, sweep};
use lab::measure::run::hold;
use race::input::{self, Input, SMALLER, beside, bytes_of, refused_file, utf8};
use race::memory;
use scene::formats::read_pc2;
use scene::{Fit, Recorded, Scene, Undifferentiable, read_motion};

use crate::overrides::Overrides;
use crate::simulate::copied::{ExtraFiles, is_copy};
use crate::simulate::{copy_scene, folder, read};
use crate::workspace;

/// What is fitted, and where the results go.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file, with a section [fit]
    pub scene: PathBuf,
    /// The folder for fit.csv, the constants, convergence.csv, the course of the search, and copies of what was read
    /// [default: out/ and the name of the scene with -fit]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the files of a former fit in that folder
    #[arg(long)]
    pub force: bool,
    /// Read everything, say what would be looked for, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub overrides: Overrides,
}

const FIT: &str = "fit.csv";

/// What was found; its text is several lines.
pub struct Fitted {
    /// Constants with the values that the search began with and those that it found.
    constants: Vec<(Constant, [f64; 2])>,
    found: Found,
    /// Root of the mean square of the distances from what was recorded \[m\], before and after.
    residuals: [f64; 2],
    folder: PathBuf,
}

/// A scene with a fit, read and found right.
struct Prepared {
    input: Input,
    adjoint: Adjoint,
    /// Constants, with the values that the search begins with.
    constants: Vec<(Constant, f64)>,
    iterations: u32,
    frames: usize,
}

/// Looks for constants of the material with which a scene moves as it was recorded to, among the logarithms of their values.
///
/// # Errors
/// [`Failure::Usage`] on bad input, a scene without a fit, a motion of another mesh, what has no gradient, and a run that does not
/// converge with the values of the scene.
pub fn fit(request: &Request) -> Result<Fitted, Failure> {
    let Prepared { input, mut adjoint, constants, iterations, .. } = prepare(&request.scene, &request.overrides)?;
    let out = request.folder();
    refuse_simulation(&out)?;
    folder::check(&out, "fit", &former(&out), true, &input.files)?; // before a lock is left there
    let hold = hold(&out)?;
    if let Err(refused) = folder::check(&out, "fit", &former(&out), request.force, &input.files) {
        hold.withdraw();
        return Err(refused);
    }
    sweep(&out)?;
    let model = input.simulation.model();
    let progress = Progress::new("fit", "iterations", iterations.into());
    let found = Search::of(iterations, constants.len()).minimise(
        |logarithms| {
            let values = values(&constants, logarithms);
            let model = with_values(model, &constants, &values)?;
            let gradient = adjoint.gradient(model.differentiable(), &[])?;
            let slopes = gradient.by_constant.iter().zip(&values).map(|(slope, value)| slope * value); // dp/dq = p of p = exp q
            Ok((gradient.value, slopes.collect()))
        },
        || progress.advance(),
    );
    progress.finish();
    let found = found.map_err(|refused| Failure::Usage(format!("{}: {refused}", request.scene.display())))?;
    let [first, last] = found.values();
    let after = values(&constants, &found.point);
    let constants: Vec<(Constant, [f64; 2])> =
        constants.iter().zip(after).map(|((constant, before), after)| (*constant, [*before, after])).collect();
    let mut table = Table::create(out.join(FIT), &["parameter", "start", "found"])?;
    for (constant, [before, after]) in &constants {
        table.add((constant.to_string(), before, after))?;
    }
    table.finish()?;
    found.write(out.join(folder::CONVERGENCE))?;
    let copies = copy_scene(&request.scene, &input.text, ExtraFiles::Recorded, |name| out.join(name))?;
    let stale = former(&out).into_iter().filter(|file| !copies.iter().any(|name| file.ends_with(name)));
    stale
        .filter(|file| file.file_name().and_then(|name| name.to_str()).is_some_and(is_copy))
        .try_for_each(|file| remove_file(&file))?;
    Ok(Fitted { constants, found, residuals: [first, last].map(|value| (2.0 * value).sqrt()), folder: out })
}

/// Reads a scene and all that it names, and says what would be looked for.
///
/// # Errors
/// As [`fit`].
pub fn dry_run(request: &Request) -> Result<String, Failure> {
    let Prepared { input, constants, iterations, frames, .. } = prepare(&request.scene, &request.overrides)?;
    let out = request.folder();
    refuse_simulation(&out)?;
    folder::check(&out, "fit", &former(&out), request.force, &input.files)?;
    let names: Vec<String> = constants.iter().map(|(constant, value)| format!("{constant} from {}", words_of(*value))).collect();
    Ok(format!(
        "{}: {} by {frames} frames in {} steps, in at most {iterations} iterations; results would go to {}",
        request.scene.display(),
        names.join(", "),
        input.scene.steps(),
        out.display()
    ))
}

impl Request {
    /// The folder of the results.
    fn folder(&self) -> PathBuf {
        let mut name = self.scene.file_stem().unwrap_or("scene".as_ref()).to_owned();
        name.push("-fit");
        self.out.clone().unwrap_or_else(|| workspace::root().join("out").join(name))
    }
}

/// Refuses a folder with a simulation, whose copy of its scene has the name of ours.
fn refuse_simulation(folder: &Path) -> Result<(), Failure> {
    if folder.join(folder::DESCRIPTION).exists() {
        return Err(Failure::Usage(format!("{} holds a simulation; choose another folder with --out", folder.display())));
    }
    Ok(())
}

/// The files of a former fit in a folder.
fn former(folder: &Path) -> Vec<PathBuf> {
    let tables = [FIT, folder::CONVERGENCE, folder::SCENE].iter().map(|name| folder.join(name)).filter(|file| file.exists());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut copies: Vec<PathBuf> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_copy)).map(|entry| entry.path()).collect();
    copies.sort();
    tables.chain(copies).collect()
}

/// Reads and checks.
fn prepare(path: &Path, overrides: &Overrides) -> Result<Prepared, Failure> {
    let mut input = read::read(path, overrides, false)?;
    let refused = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let Some(fit) = input.scene.fit.clone() else {
        return Err(refused("it has no [fit]; add one with motion and parameters".to_owned()));
    };
    let model = input.simulation.model();
    let mut constants = vec![];
    for (constant, place) in &fit.parameters {
        let misplaced = |why: String| Failure::Usage(format!("{}, {place}: {why}", path.display()));
        match model.differentiable().constant(*constant) {
            None => {
                let known = Constant::all().filter(|constant| model.differentiable().constant(*constant).is_some());
                let known: Vec<String> = known.map(|constant| constant.to_string()).collect();
                return Err(misplaced(format!("the material has no constant `{constant}`; name some of {}", known.join(", "))));
            }
            Some(value) if value > 0.0 => constants.push((*constant, value)),
            Some(_) => {
                return Err(misplaced(format!(
                    "`{constant}` is zero, and the search begins with the value in [material]: give it one above zero"
                )));
            }
        }
    }
    let needed = memory::searching(&input.scene, model.system().particle_count(), 0);
    input::refuse_memory(path, needed, "shorten `duration`")?;
    let goal = recorded(path, &input.scene, &fit, model)?;
    let frames = goal.keyframes.len();
    let parameters = constants.iter().map(|(constant, _)| *constant).collect();
    let task = input.scene.task(model, input.simulation.state().clone(), goal, Forces::default(), parameters);
    let task = task.map_err(|unfit: Undifferentiable| refused(unfit.to_string()))?;
    let adjoint = Adjoint::new(model.differentiable(), task).map_err(|none| refused(none.to_string()))?;
    input.files.push(beside(path, &fit.motion));
    Ok(Prepared { input, adjoint, constants, iterations: fit.iterations, frames })
}

/// The recorded motion as what is wanted: half of the mean square of all distances. What was recorded at the start says nothing.
fn recorded(path: &Path, scene: &Scene, fit: &Fit, model: &Model) -> Result<Goal, Failure> {
    let (count, from) = (model.system().particle_count(), beside(path, &fit.motion));
    let bytes = bytes_of(path, &fit.motion, "a table or a PC2 file", SMALLER)?;
    let frames: Recorded = if from.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("pc2")) {
        let sequence = read_pc2(&bytes, count, fit.frames_per_second).map_err(|error| refused_file(&from, false, &error))?;
        sequence.times().map(|time| (time, sequence.places(time).enumerate().collect())).collect()
    } else {
        read_motion(&utf8(&from, bytes)?, count).map_err(|error| refused_file(&from, error.place().is_some(), &error))?
    };
    let (mut keyframes, steps) = (vec![], scene.steps() as usize);
    for (time, places) in frames {
        let step = scene.steps_to(time);
        if time < 0.0 || step > steps {
            return Err(Failure::Usage(format!(
                "{}: a frame at {} s lies outside the run, which ends at {} s; leave it out or change `duration`",
                from.display(),
                words_of(time),
                words_of(steps as f64 * scene.step)
            )));
        }
        if step > 0 {
            keyframes.push(KeyFrame { step, places, weight: 1.0 });
        }
    }
    let places: usize = keyframes.iter().map(|keyframe: &KeyFrame| keyframe.places.len()).sum();
    if places == 0 {
        return Err(Failure::Usage(format!(
            "{}: it has no frame after the start, which tells nothing; add some",
            from.display()
        )));
    }
    keyframes.iter_mut().for_each(|keyframe| keyframe.weight = 1.0 / places as f64);
    Ok(Goal { keyframes, effort: 0.0 })
}

/// The values of constants whose logarithms have changed by so much.
fn values(constants: &[(Constant, f64)], logarithms: &[f64]) -> Vec<f64> {
    constants.iter().zip(logarithms).map(|((_, start), by)| start * libm::exp(*by)).collect()
}

/// The cloth with these values.
fn with_values(model: &Model, constants: &[(Constant, f64)], values: &[f64]) -> Result<Model, NoGradient> {
    constants
        .iter()
        .zip(values)
        .try_fold(model.clone(), |model, ((constant, _), value)| Ok(model.with_constant(*constant, *value)?))
}

impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.found)?;
        for (constant, [before, after]) in &self.constants {
            writeln!(f, "{constant} = {}, from {}", rounded(*after, 6), words_of(*before))?;
        }
        let [before, after] = self.residuals.map(words_of);
        writeln!(f, "{after} m away from the recorded motion in the root mean square, {before} m with the values of the scene")?;
        write!(f, "wrote {FIT} and {} to {}", folder::CONVERGENCE, self.folder.display())
    }
}
