//! `clothlab simulate scene.toml --out DIR`: runs a scene and writes its energies, its final state and its frames.

mod checkpoint;
mod contacts;
pub(crate) mod copied;
mod energies;
pub(crate) mod folder;
mod frames;
mod growth;
mod limit;
mod momentum;
mod parts;
mod pictures;
mod played;
pub(crate) mod read;
mod remedy;
mod shown;
mod strain;
mod summary;
mod unseen;
mod watch;

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use cloth::run::{Ending, Run};
use cloth::triangles::TriangleMesh;
use kit::Failure;
use lab::Progress;
use lab::files::{FileError, read_bytes, write_whole};
use race::input::Input;
use race::memory;
use scene::{Scene, write_vectors};

use crate::output::{self, say};
use crate::overrides::{Override, Overrides};
use crate::workspace;
use checkpoint::{Checkpoints, Former};
use contacts::ContactTable;
use copied::{ExtraFiles, copied};
use energies::{Course, EnergyTable};
use folder::Folder;
pub(crate) use folder::{PAGE, SCENE};
pub use frames::Format;
use limit::Beyond;
pub use parts::{Collided, Sewn, Torn, Triangles};
pub(crate) use played::{packed, played};
use shown::{Seen, Shown};
pub use strain::Locked;
use strain::StrainTable;
pub use summary::{Measured, Outcome, Summary};
pub(crate) use summary::{given, percent};
use unseen::Unseen;
use watch::{Warning, Watch};

/// What is simulated, and where the results go.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The scene file; with --continue the folder of a simulation
    pub scene: PathBuf,
    /// The folder for view.html, which plays the run, pictures.svg, energies.svg, energies.csv, positions.csv, velocities.csv,
    /// contacts.csv, strain.csv, frames/, checkpoint.toml, a copy of the scene with the files that it names, and simulation.toml, which lists them
    /// all [default: out/ and the name of the scene]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the files of a former simulation in that folder
    #[arg(long)]
    pub force: bool,
    /// Frames for other programs, formats separated by commas; 24 a second where the scene does not say [default: obj where it
    /// says]
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    pub frames: Vec<Format>,
    /// Write no view.html, pictures.svg and energies.svg, as for more than a million particles
    #[arg(long)]
    pub no_pictures: bool,
    /// Seconds between two checkpoints, from which a run that was killed goes on
    #[arg(long, value_name = "S", default_value_t = CHECKPOINT_EVERY, value_parser = seconds)]
    pub checkpoint_every: f64,
    /// Read everything, say what would run, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub overrides: Overrides,
}

/// Seconds between two checkpoints if nothing is said.
pub(crate) const CHECKPOINT_EVERY: f64 = 30.0;

/// A number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| "give a number of seconds, zero or above".to_owned())
}

impl Request {
    /// The folder of the results.
    pub(crate) fn folder(&self) -> PathBuf {
        let name = self.scene.file_stem().unwrap_or("simulation".as_ref());
        self.out.clone().unwrap_or_else(|| workspace::root().join("out").join(name))
    }
}

/// A run that is asked for on the command line, and what is done with its summary.
#[derive(Args, Clone, Debug)]
pub struct Asked {
    #[command(flatten)]
    pub request: Request,
    /// Go on where the simulation in a folder ended, or was stopped, into another folder [default: its name and -continued]
    #[arg(long = "continue", conflicts_with = "set")]
    goes_on: bool,
    /// Simulate to this time [s], in place of the scene's duration
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    until: Option<f64>,
    /// Print the summary as one JSON object, and nothing else
    #[arg(long, conflicts_with = "dry_run")]
    json: bool,
    /// Open view.html in the browser at the end
    #[arg(long, conflicts_with_all = ["dry_run", "no_pictures"])]
    open: bool,
    /// Exit with 0 also where the run fails, as it blows up for example
    #[arg(long)]
    keep_going: bool,
}

/// Runs a scene and prints how that went.
///
/// # Errors
/// As [`simulate`], and [`Failure::Lost`] where the run failed, unless that is to be passed over.
pub fn command(asked: &Asked) -> Result<(), Failure> {
    let (request, former) = asked.resolved()?;
    if request.dry_run {
        return dry_run(&request, former.as_ref()).and_then(say);
    }
    let summary = simulate(&request, former.as_ref())?;
    say(if asked.json { summary.json().to_string() } else { summary.to_string() })?;
    match summary.page() {
        Some(page) if asked.open => output::open(&page),
        None if asked.open => warn("there is no page to open, as of more than a million particles"),
        _ => {}
    }
    match summary.lost() {
        Some(lost) if !asked.keep_going => Err(Failure::Lost(format!("{lost} (--keep-going ends with 0)"))),
        _ => Ok(()),
    }
}

impl Asked {
    /// The request with the scene, the folder and the duration that its options lead to, and the simulation that goes on.
    fn resolved(&self) -> Result<(Request, Option<Former>), Failure> {
        let mut request = self.request.clone();
        let former = if self.goes_on { Some(Former::find(&request.scene)?) } else { None };
        if let Some(former) = &former {
            request.out.get_or_insert_with(|| former.folder());
            request.scene = former.scene();
        }
        if let Some(until) = self.until {
            let text = request.overrides.applied(read::scene_text(&request.scene)?)?;
            let begins = Scene::parse(&text).map_or(0.0, |scene| scene.initial.time); // mistakes are told where it is read
            let duration = until - begins;
            if !(duration.is_finite() && duration > 0.0) {
                let begins = given(begins);
                return Err(Failure::Usage(format!("--until {until}: the run begins at {begins} s; give a later time [s]")));
            }
            request.overrides.set.push(Override::of("duration", &duration.to_string()).map_err(Failure::Usage)?);
        }
        Ok((request, former))
    }
}

/// Tells a warning on the standard error; a message that nobody can read is no reason to stop.
pub(crate) fn warn(warning: impl Display) {
    _ = writeln!(stderr(), "warning: {warning}");
}

/// Runs a scene, from where a `former` simulation was left.
///
/// The folder gets view.html, which plays the run, pictures.svg and energies.svg, energies.csv, positions.csv and velocities.csv
/// (the final state), where there are solids contacts.csv, behind a constraint method strain.csv, frames/frame_00000.obj and on,
/// and scene.toml, a copy of the scene that runs as it does, with copies of the files that it names, checkpoint.toml with
/// checkpoint.bin, from which another run goes on, and simulation.toml, which says what there is. Nothing is written before all input has been read and found right, and the files get their places when all
/// of them are written: until then those of a former simulation stay. A run that blows up is written up to its last finite state.
///
/// # Errors
/// [`Failure::Usage`] on bad input, on a folder that holds a former simulation unless `force`, or that another run is writing into,
/// and where writing fails.
pub fn simulate(request: &Request, former: Option<&Former>) -> Result<Summary, Failure> {
    let begun = Instant::now();
    let mut input = read::read(&request.scene, &request.overrides, !request.no_pictures)?;
    former.map_or(Ok(()), |former| former.recall(&mut input))?;
    shown::check(request, &input.scene)?;
    let folder = Folder::claim(&request.folder(), request.force, &input.files)?;
    input.doubts.iter().for_each(warn);
    beyond(&input.scene, &input.simulation).iter().for_each(warn);
    Unseen::all(&input.scene, &input.simulation).iter().for_each(warn);
    run_into(request, input, ExtraFiles::Nothing, folder, begun)
}

/// Writes the copy of a scene, and of the files that it names, to where `place` says; what the latter are called.
///
/// # Errors
/// A file that cannot be read, or written.
pub(crate) fn copy_scene(
    scene: &Path,
    text: &str,
    beside: ExtraFiles,
    place: impl Fn(&str) -> PathBuf,
) -> Result<Vec<String>, FileError> {
    let (text, named) = copied(text, beside);
    write_whole(&place(SCENE), text.as_bytes())?;
    for (file, name) in &named {
        let file = scene.parent().unwrap_or(Path::new("")).join(file);
        write_whole(&place(name), &read_bytes(&file, u64::MAX)?)?;
    }
    Ok(named.into_iter().map(|(_, name)| name).collect())
}

/// Runs what was read, writes its files to a folder, beside what is there, and publishes them; the copy of the scene has copies of
/// what a command reads `beside` a run.
///
/// # Errors
/// [`Failure::Usage`] where reading the files that the scene names, or writing, fails.
pub(crate) fn run_into(
    request: &Request,
    input: Input,
    beside: ExtraFiles,
    folder: Folder,
    begun: Instant,
) -> Result<Summary, Failure> {
    let Input { text, scene, mut simulation, untextured, .. } = input;
    let (start, begins) = (simulation.state().clone(), simulation.steps() == 0);
    let copies = copy_scene(&request.scene, &text, beside, |name| folder.file(name))?;
    let shown = Shown::begin(request, &scene, &simulation, &folder)?;
    // what other commands add to a run is not in its scene
    let checkpoints = match beside {
        ExtraFiles::Nothing => Some(Checkpoints::begin(&folder, &copies, request.checkpoint_every)?),
        ExtraFiles::Wanted | ExtraFiles::Recorded => None,
    };
    let summary = run(&scene, &mut simulation, &folder, untextured, shown, checkpoints)?;
    folder.publish()?;
    let took = begun.elapsed();
    let failed = match summary.outcome() {
        Outcome::BlewUp => Some(summary.end.time),
        Outcome::Wrong => summary.wrong_from().map(|step| step as f64 * scene.step),
        Outcome::Done | Outcome::Unconstrained | Outcome::Unresolved => None,
    };
    let remedy = failed.filter(|_| begins).map(|at| remedy::remedy(&scene, &start, at, took));
    Ok(Summary { copies, seconds: took.as_secs_f64(), remedy, ..summary })
}

/// Steps that a dry run takes to tell how long one takes.
const PROBED: u64 = 3;

/// Reads a scene and all that it names, takes some steps, writes nothing, and says what would run, its memory and its time.
///
/// # Errors
/// As [`simulate`].
pub fn dry_run(request: &Request, former: Option<&Former>) -> Result<String, Failure> {
    let mut input = read::read(&request.scene, &request.overrides, !request.no_pictures)?;
    former.map_or(Ok(()), |former| former.recall(&mut input))?;
    let Input { scene, mut simulation, files, doubts, .. } = input;
    shown::check(request, &scene)?;
    Folder::check(&request.folder(), request.force, &files)?;
    let beyond = beyond(&scene, &simulation).map(|beyond| beyond.to_string());
    let unseen: Vec<String> = Unseen::all(&scene, &simulation).iter().map(Unseen::to_string).collect();
    let (particles, steps) = (simulation.state().particle_count(), scene.steps() - simulation.steps());
    let begun = Instant::now();
    let probed = PROBED.min(steps);
    simulation.follow(simulation.steps() + probed, &mut Warning::default());
    let seconds = begun.elapsed().as_secs_f64() / probed.max(1) as f64 * steps as f64;
    let kept = scene.inextensible.map_or_else(String::new, |kept| format!(" behind {}", kept.method.name()));
    let frames = match shown::formats(request, &scene)[..] {
        [] => 0,
        _ => frames::count(frames::rate(&scene), scene.duration),
    };
    let expected = memory::expected(&scene, !request.no_pictures);
    let memory = match (expected, memory::lying(&scene, particles)) {
        (Some(bytes), None) => format!("about {} of memory", memory::words(bytes)),
        (Some(bytes), Some([lying, crowded])) => {
            let [bytes, lying, most] = [bytes, bytes + lying, bytes + crowded].map(memory::words);
            format!("about {bytes} of memory, {lying} where all of the cloth lies on itself, {most} at most")
        }
        (None, _) => "memory unknown".to_owned(),
    };
    let locked = Locked::of(&simulation).map(|locked| locked.to_string());
    let warnings: String =
        doubts.into_iter().chain(locked).chain(beyond).chain(unseen).map(|doubt| format!("\nwarning: {doubt}")).collect();
    Ok(format!(
        "{}: {particles} particles, {steps} steps of {} s by {}{kept}, {frames} frames\n{memory}, about {} s by its first {probed} \
         steps; results would go to {}{warnings}",
        request.scene.display(),
        given(scene.step),
        scene.scheme.name(),
        summary::brief(seconds, if seconds < 0.1 { 3 } else { 1 }),
        request.folder().display()
    ))
}

/// The limit of a step that lies above it, as the run begins.
pub(crate) fn beyond(scene: &Scene, simulation: &Run) -> Option<Beyond> {
    simulation.with_system(|system| Beyond::of(scene, system, simulation.state()))
}

/// The pieces of a mesh, those that the sewing of a scene joins as one.
fn sewn_pieces(mesh: &TriangleMesh, scene: &Scene) -> usize {
    let pairs = scene.sewing.as_ref().map_or(&[][..], |sewing| &sewing.pairs);
    mesh.piece_of(pairs).into_iter().collect::<HashSet<_>>().len()
}

/// Steps to the end, or until it blows up, and writes along the way; `untextured` triangles have no texture coordinates.
fn run(
    scene: &Scene,
    simulation: &mut Run,
    folder: &Folder,
    untextured: usize,
    mut shown: Option<Shown>,
    mut checkpoints: Option<Checkpoints>,
) -> Result<Summary, Failure> {
    let steps = scene.steps();
    let mut energies = EnergyTable::create(folder.file(folder::ENERGIES), scene)?;
    let mut contacts = ContactTable::create(folder.file(folder::CONTACTS), scene)?;
    let mut strain = StrainTable::create(folder.file(folder::STRAIN), scene, simulation)?;
    let mut course = Course::default();
    let (begun, start) = (simulation.steps(), energies.record(simulation, course)?);
    let mut watch = Watch::new(scene, simulation);
    let triangles = simulation.model().triangles().map(|mesh| Triangles {
        particles: mesh.particle_count(),
        triangles: mesh.triangles().len(),
        pieces: mesh.pieces(),
        sewn: sewn_pieces(mesh, scene),
        untextured,
    });
    watch.look(simulation, &start, false);
    let mut finite = None;
    let mut note = |step: u64, measured: Measured| {
        if measured.energies.total().is_finite() {
            finite = Some((step, measured));
        }
    };
    note(begun, start);
    shown.iter_mut().for_each(|shown| shown.record(start));
    let [mut strain_left, mut unforeseen] = [None; 2];
    let progress = Progress::new("simulation", "steps", steps - begun);
    while simulation.steps() < steps {
        if !matches!(simulation.follow(simulation.steps() + 1, &mut watch), Ending::Finished) {
            strain.record(simulation, true)?;
            break;
        }
        course = Course::of(simulation);
        if let Some(solved) = simulation.last_system() {
            let most = |so_far: Option<f64>, now: Option<f64>| so_far.into_iter().chain(now).reduce(f64::max);
            (strain_left, unforeseen) = (most(strain_left, solved.strain_left), most(unforeseen, solved.unforeseen));
        }
        if simulation.steps().is_multiple_of(scene.output.energies_every) {
            let measured = energies.record(simulation, course)?;
            watch.look(simulation, &measured, false);
            note(simulation.steps(), measured);
            shown.iter_mut().for_each(|shown| shown.record(measured));
        }
        let due = simulation.steps().is_multiple_of(scene.output.energies_every) || simulation.steps() == steps;
        strain.record(simulation, due)?;
        if simulation.steps().is_multiple_of(scene.output.contacts_every) || simulation.steps() == steps {
            contacts.record(simulation)?;
        }
        shown.iter_mut().try_for_each(|shown| shown.watch(simulation, folder))?;
        checkpoints.iter_mut().try_for_each(|checkpoints| checkpoints.watch(simulation, false, folder))?;
        progress.advance();
    }
    progress.finish();
    let end = energies.record(simulation, course)?;
    watch.look(simulation, &end, true);
    let strained = energies.finish()?;
    contacts.finish()?;
    let kept = strain.finish()?;
    checkpoints.iter_mut().try_for_each(|checkpoints| checkpoints.watch(simulation, true, folder))?;
    let (x, v) = (simulation.state().x.clone(), simulation.state().v.clone());
    let Seen { frames, meshes, pictured } = std::thread::scope(|scope| {
        // beside the pictures, which take longer
        let tables = scope.spawn(|| {
            frames::written(&folder.file(folder::POSITIONS), |file| write_vectors(&x, file))?;
            frames::written(&folder.file(folder::VELOCITIES), |file| write_vectors(&v, file))
        });
        let seen = shown.map_or_else(|| Ok(Seen::default()), |shown| shown.finish(simulation, folder));
        tables.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).and(seen)
    })?;
    Ok(Summary {
        folder: folder.path().to_owned(),
        copies: vec![],
        step: scene.step,
        begins: scene.initial.time,
        begun,
        steps: simulation.steps(),
        checkpoint: checkpoints.is_some() && simulation.failed().is_none(),
        seconds: 0.0,
        grown: watch.growth.grown(),
        given: watch.growth.given(),
        unwatched: watch.growth.unwatched(),
        pushed: watch.momentum.and_then(|momentum| momentum.pushed()),
        asked: scene.duration,
        blew_up: simulation.failed().is_some(),
        start,
        end,
        finite,
        strained,
        frames,
        meshes,
        pictured,
        solver: scene.scheme.solver(),
        strain_left,
        unforeseen,
        adapted: scene.may_reject(),
        evaluations: simulation.evaluations(),
        work: simulation.work(),
        touching: scene.has_contacts().then_some(course.touching),
        collided: simulation.collisions().map(|colliding| Collided::of(scene, colliding)),
        kept,
        sewn: Sewn::of(simulation),
        remedy: None,
        triangles,
        torn: simulation.torn().map(|torn| Torn { mode: torn.mode, count: torn.count, pieces: simulation.model().parts() }),
    })
}
