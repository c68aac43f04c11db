//! A scene file with all that it names, ready to run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cloth::implicit::{ConjugateGradients, Newton, Solver, Tolerance};
use cloth::run::{Model, Run};
use cloth::{ModelError, State, Vec3};
use kit::Failure;
use lab::files::{FileError, dangling, is_stream};
use scene::formats::read_pc2;
use scene::{
    Buried, NamedFile, ObjFile, ObjMesh, Reading, Scene, SceneError, SequenceFile, obj_memory, obj_text, read_gusts,
    read_keyframes, read_obj, read_vectors,
};

use crate::memory;

/// Longest row of a table of vectors \[bytes\].
const LONGEST_ROW: u64 = 1_000;

/// The text of a file.
pub fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        Failure::Usage(format!("{}, line {line}: this is not UTF-8 text; save the file as UTF-8", path.display()))
    })
}

/// What a run starts from.
pub struct Input {
    /// The text of the scene file.
    pub text: String,
    /// The scene, with its mesh.
    pub scene: Scene,
    /// The run before its first step.
    pub simulation: Run,
    /// Triangles without texture coordinates.
    pub untextured: usize,
    /// Signs that the mesh of a file is not meant so, a line each.
    pub doubts: Vec<String>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
}

/// Reads the `text` of a scene as if it were that of a file at `path`, and all that it names.
///
/// # Errors
/// [`Failure::Usage`] with the place of the first mistake.
pub fn read_as(path: &Path, text: String, pictured: bool) -> Result<Input, Failure> {
    refuse_memory(path, memory::least_of_text(&text), "make `nx` or `ny` of the mesh smaller")?;
    let Named { scene, obj, files } = scene(path, &text)?;
    refuse_tolerances(path, &scene)?;
    let remedy = if scene.sheet().is_some() { "make `nx` or `ny` of `[mesh]` smaller" } else { "make the mesh smaller" };
    refuse_memory(path, memory::expected(&scene, false), remedy)?;
    if pictured {
        refuse_memory(path, memory::expected(&scene, true), "add --no-pictures")?;
    }
    let refused = |invalid: ModelError| Failure::Usage(format!("{}: {invalid}", path.display()));
    let model = scene.model().map_err(refused)?;
    let start = start(path, &scene, &model)?;
    if let Some(buried) = scene.buried(&model, &start.x) {
        return Err(Failure::Usage(format!("{}: {buried}", path.display())));
    }
    let simulation = scene.run_of(model, start.clone()).map_err(|invalid| {
        let crossing = scene.model().ok().and_then(|model| scene.crossing(&model, &start.x, &invalid));
        crossing.map_or_else(|| refused(invalid), |crossing| crossed(path, &scene, obj.as_ref(), &crossing))
    })?;
    let (untextured, doubts) = obj.map_or((0, vec![]), |(from, obj)| {
        (obj.untextured, obj.doubts.iter().map(|doubt| format!("{}: {doubt}", from.display())).collect())
    });
    Ok(Input { text, scene, simulation, untextured, doubts, files })
}

/// Refuses a start at which faces cross, with their files and lines.
fn crossed(path: &Path, scene: &Scene, obj: Option<&(PathBuf, ObjMesh)>, crossing: &Buried) -> Failure {
    let of_cloth = |triangle: usize| match obj {
        Some((file, obj)) => format!("line {} of {}", obj.triangle_lines[triangle] + 1, file.display()),
        None => format!("triangle {triangle} of the cloth"),
    };
    let of_body = |number: usize, triangle: usize| {
        let body = &scene.bodies[number];
        format!("line {} of {}", body.lines[triangle] + 1, beside(path, &body.file).display())
    };
    let [one, other] = match *crossing {
        Buried::Solid { .. } | Buried::Across { .. } => return Failure::Usage(format!("{}: {crossing}", path.display())),
        Buried::Itself { triangles } => triangles.map(of_cloth),
        Buried::Body { triangle, number, of_body: of, .. } => [of_cloth(triangle), of_body(number, of)],
        Buried::Bodies { triangles } => triangles.map(|(number, triangle)| of_body(number, triangle)),
    };
    Failure::Usage(format!("{}: {crossing}; the faces at {one} and at {other} cross", path.display()))
}

/// Refuses a need of memory that there is not, before it is taken; with a remedy.
pub fn refuse_memory(path: &Path, needed: Option<u64>, remedy: &str) -> Result<(), Failure> {
    match (needed, memory::available()) {
        (Some(needed), Some(available)) if needed > available => {
            let (needed, available) = (memory::words(needed), memory::words(available));
            let path = path.display();
            Err(Failure::Usage(format!("{path}: this needs about {needed} of memory, and {available} are left; {remedy}")))
        }
        _ => Ok(()),
    }
}

/// Smallest change and residual over what they are measured by that double precision can come to \[-\].
const SMALLEST_TOLERANCE: f64 = 1e-14;

/// Refuses tolerances that no iteration comes to.
fn refuse_tolerances(path: &Path, scene: &Scene) -> Result<(), Failure> {
    let Some(settings) = scene.scheme.settings() else { return Ok(()) };
    let newton = match settings.newton {
        Newton::Converged { tolerance, .. } | Newton::Descending { tolerance, .. } => Some(("newton", tolerance)),
        Newton::Once | Newton::Foreseen { .. } => None,
    };
    let fixed = match settings.solver {
        Solver::ConjugateGradients(ConjugateGradients { tolerance: Tolerance::Fixed(tolerance), .. }) => {
            Some(("solver.conjugate-gradients", tolerance))
        }
        _ => None,
    };
    match newton.into_iter().chain(fixed).find(|(_, tolerance)| *tolerance < SMALLEST_TOLERANCE) {
        Some((section, tolerance)) => Err(Failure::Usage(format!(
            "{}: a tolerance of {tolerance:e} in `{section}` is below what double precision comes to; give {SMALLEST_TOLERANCE:e} or more",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// A scene with all that its file names but its start.
struct Named {
    scene: Scene,
    /// Its OBJ file, and the mesh of that.
    obj: Option<(PathBuf, ObjMesh)>,
    /// The files that were read or are to be.
    files: Vec<PathBuf>,
}

/// The scene of a file's text with the meshes and key frames that it names.
fn scene(path: &Path, text: &str) -> Result<Named, Failure> {
    let refused = |mistake: SceneError| {
        let joint = if mistake.place.is_some() { "," } else { ":" };
        Failure::Usage(format!("{}{joint} {mistake}", path.display()))
    };
    let mut scene = Scene::parse(text).map_err(refused)?;
    let tables = [&scene.initial.positions, &scene.initial.velocities];
    let mut files: Vec<PathBuf> = tables.into_iter().flatten().map(|name| beside(path, name)).collect();
    files.push(path.to_owned());
    let mut obj = None;
    if let Some(ObjFile { file, reading }) = scene.obj() {
        let (read, from) = mesh(path, file, reading)?;
        scene = Scene::parse_on(text, &read).map_err(refused)?;
        files.push(from.clone());
        obj = Some((from, read));
    }
    for body in &mut scene.bodies {
        let (obj, from) = mesh(path, &body.file, &body.placement.into())?;
        body.take(&obj);
        files.push(from);
        let Some(SequenceFile { file, frames_per_second }) = &body.sequence else { continue };
        let from = beside(path, file);
        let bytes = bytes_of(path, file, "a PC2 file", "leave out samples of the sequence")?;
        let shapes = read_pc2(&bytes, body.vertices.len(), *frames_per_second);
        body.take_shapes(shapes.map_err(|error| refused_file(&from, false, &error))?);
        files.push(from);
    }
    for keyed in scene.keyframes.clone() {
        let from = beside(path, &keyed.file);
        let table = utf8(&from, bytes_of(path, &keyed.file, "a table", SMALLER)?)?;
        let keyframes = read_keyframes(&table).map_err(|error| refused_file(&from, error.place().is_some(), &error))?;
        scene.take_keyframes(&keyed, keyframes).map_err(refused)?;
        files.push(from);
    }
    if let Some(gusts) = &mut scene.gusts {
        let from = beside(path, &gusts.file);
        let table = utf8(&from, bytes_of(path, &gusts.file, "a table", SMALLER)?)?;
        gusts.take(read_gusts(&table).map_err(|error| refused_file(&from, error.place().is_some(), &error))?);
        files.push(from);
    }
    Ok(Named { scene, obj, files })
}

/// The mesh of an OBJ file that the scene at `path` names, and where that is.
pub fn mesh(path: &Path, file: &NamedFile, reading: &Reading) -> Result<(ObjMesh, PathBuf), Failure> {
    let from = beside(path, file);
    let text = obj_text(bytes_of(path, file, "an OBJ file", "make the mesh smaller")?);
    refuse_memory(&from, Some(obj_memory(&text)), "make the mesh smaller")?;
    let obj = read_obj(&text, reading).map_err(|error| refused_file(&from, error.place().is_some(), &error))?;
    Ok((obj, from))
}

/// The state that the `model` of a scene starts from.
fn start(path: &Path, scene: &Scene, model: &Model) -> Result<State, Failure> {
    let mut state = State::at_rest(model.rest());
    if let Some(name) = &scene.initial.positions {
        state.x = table(path, name, state.particle_count())?;
    }
    if let Some(name) = &scene.initial.velocities {
        state.v = table(path, name, state.particle_count())?;
        let mut held = state.v.iter().zip(model.system().pinned());
        if let Some(held) = held.position(|(v, pinned)| *pinned && *v != Vec3::zeros()) {
            let table = beside(path, name);
            let table = table.display();
            return Err(Failure::Usage(format!(
                "{table}: particle {held} is held by a pin; write 0,0,0 for its velocity or take it from `pins`"
            )));
        }
    }
    Ok(state)
}

fn table(scene: &Path, name: &NamedFile, count: usize) -> Result<Vec<Vec3>, Failure> {
    let file = named(scene, name, "a table", |path| File::open(path))?;
    let rows = file.take(LONGEST_ROW * (count as u64 + 2));
    read_vectors(rows, count).map_err(|error| refused_file(&beside(scene, name), error.line().is_some(), &error))
}

/// An error in a file, on a line of it or not.
pub fn refused_file(path: &Path, is_on_line: bool, error: &dyn std::error::Error) -> Failure {
    let joint = if is_on_line { "," } else { ":" };
    Failure::Usage(format!("{}{joint} {error}", path.display()))
}

/// Remedy for a table that takes too much memory.
pub const SMALLER: &str = "make the table smaller";

/// Bytes of a file that a scene names, which is to be `kind`. It is refused with the `remedy` where it takes more memory than
/// there is, twice: what is read from it is no larger.
pub fn bytes_of(scene: &Path, name: &NamedFile, kind: &str, remedy: &str) -> Result<Vec<u8>, Failure> {
    let from = beside(scene, name);
    refuse_memory(&from, memory::of_text(&from).map(|bytes| 2 * bytes), remedy)?;
    named(scene, name, kind, |path| fs::read(path))
}

/// What `open` makes of a file that a scene names, which is to be `kind`.
pub fn named<T>(scene: &Path, name: &NamedFile, kind: &str, open: impl Fn(&Path) -> io::Result<T>) -> Result<T, Failure> {
    let path = beside(scene, name);
    let named = path.display();
    let refused = |why: String| Failure::Usage(format!("{}, {}: {why}", scene.display(), name.place));
    if path.is_dir() {
        return Err(refused(format!("{named} is a folder; name {kind} in it")));
    }
    if is_stream(&path) {
        return Err(refused(format!("{named} is a pipe or a device; name {kind} in a file")));
    }
    open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if dangling(&path).is_none() => {
            refused(format!("there is no file {named}; the name is relative to the scene file"))
        }
        _ => refused(format!("{}; make it readable or name another file", FileError::read(&path, error))),
    })
}

/// The path of a named file, beside the scene file.
pub fn beside(scene: &Path, name: &NamedFile) -> PathBuf {
    scene.parent().unwrap_or(Path::new("")).join(&name.path)
}
