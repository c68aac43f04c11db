use std::fmt;

use thiserror::Error;

use super::Scene;
use super::key::Key;
use super::nearest::did_you_mean;
use cloth::adjoint::Constant;
use cloth::{ModelError, Pin};

/// Longest piece of a file that a message quotes \[characters\].
const QUOTE: usize = 80;

/// A line of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line itself, shortened where it is long.
    pub text: String,
}

impl Place {
    /// The line that holds the byte `offset` of `text`.
    pub(super) fn at(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        Place::of_line(text, before.matches('\n').count())
    }

    /// The line of number `line`, from 0.
    pub(super) fn of_line(text: &str, line: usize) -> Place {
        Place { line: line + 1, text: one_line(text.lines().nth(line).unwrap_or_default()) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, `{}`", self.line, self.text)
    }
}

/// A piece of a file as it can stand in a message of one line.
pub(super) fn one_line(piece: &str) -> String {
    let mut first = piece.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = first.by_ref().take(QUOTE).collect();
    if first.next().is_some() {
        short.push_str("...");
    }
    short
}

/// What a scene file gets wrong, and on which line; none where something is missing from the whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// The line.
    pub place: Option<Place>,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.problem),
            None => write!(f, "{}", self.problem),
        }
    }
}

impl std::error::Error for SceneError {}

/// The kinds of mistakes in a scene file; their messages are one line. A section is its path, empty at the top.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum Problem {
    /// Not TOML.
    #[error("this is not TOML: {0}")]
    Syntax(String),
    /// A key that its section does not have.
    #[error("unknown key `{key}`; {remedy}")]
    UnknownKey { key: String, section: String, remedy: String },
    /// A key or section without which there is no scene.
    #[error("{remedy}")]
    MissingKey { key: String, section: String, remedy: String },
    /// A value of another type or outside its range.
    #[error("`{key}`{unit} {refusal}")]
    Value { key: String, unit: String, refusal: String },
    /// A mesh that the model refuses.
    #[error("{0}")]
    Mesh(ModelError),
    /// A pin that is not on the mesh.
    #[error("{0}; the first particle is 0 or [0, 0]")]
    Pin(ModelError),
    /// A pin that is not on a mesh of triangles.
    #[error("{0}; the first particle is 0")]
    PinOfMesh(ModelError),
    /// A pin by row or name where there are none.
    #[error("a pin on a mesh from a file must be the index of a particle, its place among the lines `v` counted from 0")]
    PinByName,
    /// A pin by a table that says something else.
    #[error(
        "a pin by a table takes one of `index`, `group`, `box` = [[x, y, z], [x, y, z]], `ball` = {{ centre, radius }} and `nearest` = \
         [x, y, z], and beside it `stiffness`, `damping` and `until`: {0}"
    )]
    PinTable(String),
    /// A pin by a group where there is no file.
    #[error("a group is one of an OBJ file, and this mesh is generated: take `box`, `ball`, `nearest` or `index`")]
    GroupOfGrid,
    /// A pin by a group that the file does not have.
    #[error("the OBJ file has no group `{name}`; {}{}", groups(known), did_you_mean(name, known.iter().map(String::as_str)))]
    UnknownGroup { name: String, known: Vec<String> },
    /// A pin by a group without a face.
    #[error("the group `{name}` of the OBJ file has no face and no vertex: name another one")]
    EmptyGroup { name: String },
    /// A pin where there is no particle.
    #[error("no particle is there: the mesh spans x from {} to {}, y from {} to {}, z from {} to {} m", low[0], high[0], low[1], high[1], low[2], high[2])]
    NobodyThere { low: [f64; 3], high: [f64; 3] },
    /// Terms of a pin where particles are only named.
    #[error("`stiffness`, `damping` and `until` are said of a pin in `pins` at the top: take them out here")]
    TermsElsewhere,
    /// A scale that was one of texture.
    #[error(
        "`mesh.obj.scale` enlarges what is drawn, and this cloth is as large as its texture coordinates: give `texture_scale` [m] for \
         their unit, or `texture = \"ignore\"` for cloth as it is drawn"
    )]
    ScaleOfTexture,
    /// A unit of texture that is ignored.
    #[error("`texture_scale` has no use beside `texture = \"ignore\"`: take one of them out")]
    TextureUnused,
    /// Two meshes at once.
    #[error("`mesh` must be one mesh, but {second} stands beside {first}: take one of them out")]
    Meshes { first: &'static str, second: &'static str },
    /// A key of the material of other cloth.
    #[error("`material.{key}` has no meaning for {kind}: take it out, or choose another `mesh` or `material.model`")]
    Meaningless { key: &'static str, kind: &'static str },
    /// Shear springs on a mesh from a file that has no quads.
    #[error(
        "`material.shear` is of the diagonals of quads where `material.model` is \"springs\", and the mesh has triangles only: take it \
         out, or join them to quads"
    )]
    ShearOfTriangles,
    /// A motion of a particle that is not held.
    #[error("`motion` moves pins, and {pin} is no pin: add it to `pins` at the top, or take it out here")]
    MotionOfFree { pin: Pin },
    /// Two motions of a particle.
    #[error("`motion` moves {pin} in two ways: take it out of one of them")]
    MotionTwice { pin: Pin },
    /// A guide of no way, or of two.
    #[error("`guide` takes a line or a plane: give one of them, and only one")]
    GuideWays,
    /// A guide of a particle that is held.
    #[error("`pins` at the top hold {pin} already: take it out of them, or out of `guide`")]
    GuideOfPin { pin: Pin },
    /// Two guides of a particle.
    #[error("`guide` holds {pin} in two ways: take it out of one of them")]
    GuideTwice { pin: Pin },
    /// Guides beside what does not know of them.
    #[error("`guide` and {beside} cannot stand together, which would move particles off their guides: take one of them out")]
    GuideBeside { beside: &'static str },
    /// A single linear system beside iterations.
    #[error("`once` is one linear system a step, and `newton` solves more of them: take one of them out")]
    OnceBesideNewton,
    /// A line search beside forces that have no energy.
    #[error("`line_search` lowers an energy, and {beside}: take one of them out")]
    LineSearchBeside { beside: &'static str },
    /// Another way beside key frames.
    #[error("`keyframes` give the whole way, and `{key}` stands beside them: take one of them out")]
    BesideKeyframes { key: &'static str },
    /// Wind beside gusts.
    #[error("`gusts` are the wind at all times, and `wind` stands beside them: take one of them out")]
    BesideGusts,
    /// Key frames that take pins away from where they start.
    #[error("pins are moved from where they start: the way and the rotation of these key frames must be zero at time 0")]
    PinsJump,
    /// Frames a second of nothing.
    #[error("`frames_per_second` is that of a `sequence`, and there is none: add it, or take this out")]
    RateAlone,
    /// A solver for a scheme that has no linear systems.
    #[error("`solver` has no use beside \"{scheme}\", which {why}: take it out, or choose an implicit `integrator`")]
    Solver { scheme: &'static str, why: &'static str },
    /// Parts where no preconditioner has any.
    #[error("`{key}` has no use but beside `preconditioner = \"schwarz\"`: take it out, or choose that")]
    Parts { key: &'static str },
    /// Cuts where there are no springs.
    #[error("`cut_speed` cuts springs, and the cloth is a continuum: take it out, or `material.model = \"springs\"`")]
    CutContinuum,
    /// Single precision where no solver uses it.
    #[error(
        "`precision = \"single\"` has no use beside {beside}, whose systems are solved in double precision: take one of them out"
    )]
    SinglePrecision { beside: String },
    /// Constraints of solids beside a scheme that does not have them.
    #[error("{0}: take `contact = \"positions\"`, or change `integrator`")]
    Contact(ModelError),
    /// Constraints of solids that move.
    #[error("`constraints` and `alterations` take solids to be at rest, and one of them moves: take `contact = \"positions\"`")]
    ContactOfMoving,
    /// A mesh as a solid without what meets it.
    #[error(
        "a mesh is met by triangles, at a distance that the cloth keeps from itself too: add [self_collision] with a thickness"
    )]
    MeshAlone,
    /// Friction, or how solids are met, without a solid.
    #[error("`{key}` needs something to touch: add a [[solid]], or take it out")]
    TouchAlone { key: &'static str },
    /// A constraint method beside a scheme whose steps it cannot filter.
    #[error("{0}: change `integrator`, or take `inextensible` out")]
    Inextensible(ModelError),
    /// A constraint method without anything to move.
    #[error("{}", ModelError::AllHeld)]
    AllHeld,
    /// Stretch springs beside edges that do not stretch.
    #[error("`material.{key}` has no use beside `inextensible`, whose edges stand in place of the stretch springs: take one out")]
    StretchBeside { key: &'static str },
    /// Steps adapted to the stretch beside edges that do not stretch.
    #[error("`inextensible` keeps the stretch that `adaptive_steps` would adapt the step to: take one of them out")]
    AdaptiveBeside,
    /// Repulsion beside a scheme that does not have it.
    #[error("{0}: change `integrator`, or take the section out")]
    Repulsion(ModelError),
    /// A seam that does not tear before the cloth does.
    #[error("`tearing.seam.limit` must be below the limit of the cloth, which is {cloth}, not {seam}")]
    StrongSeam { seam: f64, cloth: f64 },
    /// A seam along nothing.
    #[error("a [[tearing.seam]] goes along particles: add `particles`, a `row` or a `column`")]
    EmptySeam,
    /// A seam along a row or a column where there are none.
    #[error("`tearing.seam.{key}` is one of points in rows and columns, and a mesh from a file has none: name its `particles`")]
    SeamByLine { key: &'static str },
    /// A seam along a row or a column that is not on the mesh.
    #[error("`tearing.seam.{key}` must be below {count}, the first one is 0, not {number}")]
    SeamOutside { key: &'static str, number: usize, count: usize },
    /// A seam along a particle that is not on the mesh.
    #[error("a seam names the particle {particle}, and the mesh has {particles}; the first one is 0")]
    SeamOfMesh { particle: usize, particles: usize },
    /// Springs to take out where there are none.
    #[error("`mode = \"simple\"` takes springs out, and a continuum has none: take \"open\", or `material.model = \"springs\"`")]
    SimpleContinuum,
    /// What takes particles to be apart beside cloth that tears.
    #[error("`{key}` keeps cloth from itself, and the two sides of a tear begin at one place: take `{key}` or `tearing` out")]
    TearingBeside { key: &'static str },
    /// What is said of particles or borders that a tear makes anew.
    #[error("`{key}` says nothing of the particles and borders that `tearing` makes: take `{key}` or `tearing` out")]
    TearingAnew { key: &'static str },
    /// Ties of particles that a tear splits.
    #[error("`tearing` splits particles, and `{key}` ties some or lets them go: take one of them out")]
    TearingTied { key: &'static str },
    /// A seam of particles that are one.
    #[error("a [[seam]] joins two chains of particles: `first` and `second` name one particle or more each, not the same ones")]
    EmptySewing,
    /// Sewing of cloth that does not say how strong.
    #[error(
        "`sewing.stiffness` is missing, which is ten times that of the cloth against stretch, and this has none: add it [N/m]"
    )]
    SewingStiffness,
    /// Sewing without anything to sew.
    #[error("[sewing] joins nothing: add [[seam]] with first and second, or lines `l` to the OBJ file, or take it out")]
    NothingSewn,
    /// Contacts that are followed from step to step beside cloth that tears.
    #[error(
        "contact by constraints follows each particle, and cloth that tears gets more of them: take `contact = \"positions\"`"
    )]
    ContactOfTearing,
    /// Positions altered inside the step, behind a constraint method.
    #[error("`inextensible` has no linear system whose positions could be altered: take `contact = \"constraints\"`")]
    AlteredBeside,
    /// A control without a key frame.
    #[error("nothing is wanted: add [[control.keyframe]] with time and places")]
    NothingWanted,
    /// A key frame at a time that the run does not have.
    #[error("the run has key frames from {first} s to {last} s, not at {time} s: change `time` or `duration`")]
    WantedOutside { time: f64, first: f64, last: f64 },
    /// A force on a particle that is held.
    #[error("{pin} is a pin, which no force moves: take it out here or of `pins`")]
    ForcedHeld { pin: Pin },
    /// Two forces on a particle.
    #[error("{pin} is named twice: take one of them out")]
    ForcedTwice { pin: Pin },
    /// A control that forces nothing.
    #[error("no particle is free to be forced: name some in `control.particles`, or free some of `pins`")]
    NothingForced,
    /// A fit of nothing.
    #[error("there is nothing to fit; name some of {}", constants())]
    NothingToFit,
    /// A constant that no material has.
    #[error("no material has a constant `{name}`; name some of {}{}", constants(), did_you_mean(name, constants().split(", ")))]
    UnknownParameter { name: String },
    /// A constant that is to be fitted twice.
    #[error("`{name}` is named twice: take one of them out")]
    ParameterTwice { name: String },
    /// Less than a step, or too many.
    #[error(
        "`duration` of {duration} s is {steps:.3e} steps of {step} s; it must be from one step to {limit}: \
         change `duration` or `step`",
        limit = Scene::STEP_LIMIT
    )]
    StepCount { step: f64, duration: f64, steps: f64 },
    /// More frames than steps, or than file names.
    #[error(
        "`output.frames_per_second` [1/s] must be at most {most} here, one frame a step and {limit} in all, not {rate}",
        limit = Scene::FRAME_LIMIT
    )]
    FrameRate { rate: f64, most: f64 },
}

/// The groups that a file has, in words.
fn groups(known: &[String]) -> String {
    const SHOWN: usize = 12;
    match known.len() {
        0 => "it has none: lines `g NAME` or `o NAME` before faces make some".to_owned(),
        _ => {
            let rest = if known.len() > SHOWN { " and others" } else { "" };
            one_line(&format!("it has {}{rest}", known[..known.len().min(SHOWN)].join(", ")))
        }
    }
}

/// The constants of all materials, in words.
fn constants() -> String {
    Constant::all().map(|constant| constant.to_string()).collect::<Vec<_>>().join(", ")
}

impl Problem {
    /// A key that its section lacks.
    pub(super) fn missing(section: &str, key: &Key) -> Problem {
        let Key { name, words, .. } = key;
        let remedy = match (section, words.starts_with("a section")) {
            ("", true) => format!("the section `[{name}]` is missing; add it: {words}"),
            ("", false) => {
                format!("the key `{name}` is missing; add it at the top, before the first [section]: {words}{}", key.in_unit())
            }
            _ => format!("the key `{name}` is missing in [{section}]; add it: {words}{}", key.in_unit()),
        };
        Problem::MissingKey { key: (*name).to_owned(), section: section.to_owned(), remedy }
    }

    /// What stands at the path of a key is no admissible `value`.
    pub(super) fn value(path: &str, key: &Key, value: &str) -> Problem {
        let words = &key.words;
        let meant = words.split('"').skip(1).step_by(2); // in quotes
        let refusal = format!("must be {words}, not {}{}", one_line(value), did_you_mean(value.trim_matches('"'), meant));
        Problem::refused(path, key, refusal)
    }

    /// What stands at the path of a key is refused.
    pub(super) fn refused(path: &str, key: &Key, refusal: String) -> Problem {
        Problem::Value { key: path.to_owned(), unit: key.in_unit(), refusal }
    }
}

/// How messages of `serde` about a key that is missing begin.
pub(super) const MISSING: &str = "missing field ";
