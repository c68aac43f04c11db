use std::fmt;

use thiserror::Error;

use super::Scene;
use super::keys::{in_unit, instead, known, meant, missing, words};
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
    #[error("unknown key `{key}`; known here: {}{}", known(section), instead(section, key))]
    UnknownKey { key: String, section: String },
    /// A key or section without which there is no scene.
    #[error("{}", missing(section, key))]
    MissingKey { key: String, section: String },
    /// A value of another type or outside its range.
    #[error("`{key}`{} {refusal}", in_unit(key))]
    Value { key: String, refusal: String },
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
    #[error("`contact = \"constraints\"` takes solids to be at rest, and one of them moves: take `contact = \"positions\"`")]
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
        "`contact = \"constraints\"` follows each particle, and cloth that tears gets more of them: take `contact = \"positions\"`"
    )]
    ContactOfTearing,
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
    /// What stands at `key` is no admissible `value`.
    pub(super) fn value(key: &str, value: &str) -> Problem {
        let words = words(key).unwrap_or("something else");
        let refusal = format!("must be {words}, not {}{}", one_line(value), did_you_mean(value.trim_matches('"'), meant(words)));
        Problem::Value { key: key.to_owned(), refusal }
    }
}

/// How messages of `toml` and `serde` begin, and what stands before the path of the key; a test holds their wording.
const UNKNOWN: &str = "unknown field ";
pub(super) const MISSING: &str = "missing field ";
const PATH: &str = "\nin `";

impl SceneError {
    /// The mistake behind an error of reading `text`.
    pub(super) fn of_toml(text: &str, mut error: toml::de::Error) -> SceneError {
        let message = error.message().to_owned();
        let span = error.span().unwrap_or(0..0);
        error.set_input(None); // so that the path of the key is shown
        let shown = error.to_string();
        let path = shown.trim_end().rsplit_once(PATH).map_or("", |(_, path)| path.trim_end_matches('`')).to_owned();
        let quoted = |k: usize| message.split('`').nth(2 * k + 1).map(str::to_owned);
        let named = || quoted(0).unwrap_or_default();
        let problem = if message.starts_with(UNKNOWN) {
            Problem::UnknownKey { key: named(), section: path }
        } else if message.starts_with(MISSING) {
            // of a section that is left out, where the name of the section stands in its place
            let section = quoted(1).map_or(path.clone(), |name| format!("{path}.{name}"));
            Problem::MissingKey { key: named(), section }
        } else if words(&path).is_some() {
            let ranged = message.starts_with("must "); // by the quantity itself
            let value = text.get(span.clone()).unwrap_or_default();
            if ranged { Problem::Value { key: path, refusal: message } } else { Problem::value(&path, value) }
        } else {
            Problem::Syntax(one_line(&message))
        };
        let whole = span.is_empty() && matches!(problem, Problem::MissingKey { .. });
        SceneError { place: (!whole).then(|| Place::at(text, span.start)), problem }
    }
}

#[cfg(test)]
mod tests {
    use cloth::quantity::Positive;
    use serde::Deserialize;

    use super::*;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    fn mistake(text: &str) -> String {
        let message = Scene::parse(text).expect_err(text).to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    }

    /// The message about `lines` after a valid beginning of 6 lines.
    fn after(lines: &str) -> String {
        mistake(&format!("{TOP}{MESH}{lines}"))
    }

    /// The message about `lines` before a valid rest.
    fn before(lines: &str) -> String {
        mistake(&format!("{lines}\n{TOP}{MESH}"))
    }

    /// Where this fails, `toml` or `serde` words its messages in another way than [`SceneError::of_toml`] reads.
    #[test]
    fn mistakes_are_told_apart_by_the_words_of_toml() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "it is only refused")]
        struct Outer {
            inner: Inner,
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "it is only refused")]
        struct Inner {
            x: Positive,
        }
        for (text, place, message, path) in [
            ("[inner]\nx = 1\ny = 2", "y", "unknown field `y`, expected `x`", "inner"),
            ("[inner]", "[inner]", "missing field `x`", "inner"),
            ("[inner]\nx = \"a\"", "\"a\"", "invalid type: string \"a\", expected f64", "inner.x"),
            ("[inner]\nx = -1", "-1", "must be a finite number above zero, not -1", "inner.x"),
        ] {
            let mut error = toml::from_str::<Outer>(text).unwrap_err();
            assert_eq!((error.message(), error.span().and_then(|span| text.get(span))), (message, Some(place)));
            error.set_input(None);
            assert_eq!(error.to_string(), format!("{message}\nin `{path}`\n"));
        }
        let missing = toml::from_str::<Outer>("").unwrap_err();
        assert_eq!((missing.message(), missing.span()), ("missing field `inner`", Some(0..0)));
    }

    #[test]
    fn unknown_keys_are_named_with_those_known() {
        assert_eq!(
            after("[material]\n densty = 3 # heavy"),
            "line 8, `densty = 3 # heavy`: unknown key `densty`; known here: fabric, model, density, stretch, warp, weft, shear, \
             bend, damping, extension_tolerance, compression, stiffening, masses, air, drag, gravity; did you mean `density`?"
        );
        assert_eq!(
            after("[material]\nstretch = { stifness = 3 }"),
            "line 8, `stretch = { stifness = 3 }`: unknown key `stifness`; known here: stiffness, damping; did you mean \
             `stiffness`?"
        );
        let lost = after("pins = [0]");
        assert!(
            lost.starts_with(
                "line 7, `pins = [0]`: unknown key `pins`; known here: nx, ny, spacing, obj, regular, centred, disk; `pins` belongs at"
            ),
            "{lost}"
        );
        let early = before("nx = 4");
        assert!(
            early.starts_with("line 1, `nx = 4`: unknown key `nx`; known here: step, ")
                && early.ends_with("`nx` belongs in [mesh] or in [mesh.regular] or in [mesh.centred]")
        );
    }

    #[test]
    fn missing_keys_are_named_with_their_section() {
        assert_eq!(
            mistake("duration = 1\n"),
            "the key `step` is missing; add it at the top, before the first [section]: a finite number above zero [s]"
        );
        assert_eq!(
            mistake(TOP),
            "the section `[mesh]` is missing; add it: a section with nx, ny and spacing, or one section like [mesh.centred]"
        );
        assert_eq!(
            mistake(&format!("{TOP}[mesh]\nny = 4\nspacing = 1")),
            "line 3, `[mesh]`: the key `nx` is missing in [mesh]; add it: a whole number from 2 to 3000"
        );
        assert_eq!(
            after("[material]\nstiffening = { factor = 2 }"),
            "line 8, `stiffening = { factor = 2 }`: the key `strain` is missing in [material.stiffening]; add it: a finite \
             number above zero"
        );
    }

    #[test]
    fn values_are_refused_by_key_and_in_words() {
        for (line, expected) in [
            ("density = -3", "`material.density` [kg/m²] must be a finite number above zero, not -3"),
            ("density = nan", "`material.density` [kg/m²] must be a finite number above zero, not NaN"),
            ("density = \"3\"", "`material.density` [kg/m²] must be a finite number above zero, not \"3\""),
            ("bend = inf", "`material.bend` [N/m, on a continuum J] must be a finite number, zero or above, not inf"),
            ("stretch = { stiffness = -1 }", "`material.stretch.stiffness` [N/m] must be a finite number, zero or above, not -1"),
            ("shear.damping = []", "`material.shear.damping` [N s/m] must be a finite number, zero or above, not []"),
            ("stretch = [1000, 0.1]", "`material.stretch` must be a section { stiffness, damping }, not [1000, 0.1]"),
            ("damping = \"none\"", "`material.damping` must be \"projected\" or \"plain\", not \"none\""),
            ("masses = { hem = -2 }", "`material.masses` must be a finite number above zero, not -2"),
            ("compression = 1", "`material.compression` must be true or false, not 1"),
            ("extension_tolerance = 1", "`material.extension_tolerance` must be a number from -1 to below 1, not 1"),
            ("gravity = [0, 1]", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 2"),
            ("gravity = [0, 1, 2, 3]", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 4"),
            ("gravity = 9.81", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 9.81"),
            ("drag = { wind = [0, nan, 1] }", "`material.drag.wind` [m/s] must be a finite number, not NaN"),
        ] {
            assert_eq!(after(&format!("[material]\n{line}")), format!("line 8, `{line}`: {expected}"));
        }
        for masses in ["\"hem\"", "{ hem = 2, more = 1 }", "{ hemm = 2 }", "{}", "3", "\"half\""] {
            let message = after(&format!("[material]\nmasses = {masses}"));
            assert!(message.contains("`material.masses` must be \"equal\", \"by-area\" or { hem = 2.0 }"), "{message}");
        }
        for (line, expected) in [
            ("step = 0", "`step` [s] must be a finite number above zero, not 0"),
            ("step = -1e-3", "`step` [s] must be a finite number above zero, not -0.001"),
            ("step = \"fast\"", "`step` [s] must be a finite number above zero, not \"fast\""),
        ] {
            assert_eq!(mistake(&format!("duration = 1\n{line}\n{MESH}")), format!("line 2, `{line}`: {expected}"));
        }
        for (line, expected) in [
            ("nx = 1", "`mesh.nx` must be a whole number from 2 to 3000, not 1"),
            ("nx = 3001", "`mesh.nx` must be a whole number from 2 to 3000, not 3001"),
            ("nx = -4", "`mesh.nx` must be a whole number from 2 to 3000, not -4"),
            ("nx = 4.5", "`mesh.nx` must be a whole number from 2 to 3000, not 4.5"),
        ] {
            assert_eq!(mistake(&format!("{TOP}[mesh]\n{line}\nny = 3\nspacing = 1")), format!("line 4, `{line}`: {expected}"));
        }
        for (message, value) in [(before("integrator = \"leapfrog\""), "\"leapfrog\""), (after("[integrator.rk5]"), "rk5")] {
            assert!(message.contains("`integrator` must be \"forward-euler\", \"fb-euler\", \"rk4\", "), "{message}");
            let last = "\"generalized-alpha\", \"imex\", \"aimex\", \"sbdf2\", \"adaptive-sbdf2\" or \"projective-dynamics\", or one section like [integrator.imex], not";
            assert!(message.ends_with(&format!("{last} {value}")), "{message}");
        }
        assert!(
            mistake(&format!("{TOP}mesh = [4, 4, 0.1]")).contains(
                "`mesh` must be a section with nx, ny and spacing, or one section like [mesh.centred], not [4, 4, 0.1]"
            )
        );
        assert!(
            after("[output]\nenergies_every = 0")
                .contains("`output.energies_every` must be a whole number from 1 to 1000000000, not 0")
        );
        assert!(after("[initial]\npositions = 3").contains("`initial.positions` must be the name of a table in quotes, not 3"));
    }

    #[test]
    fn misspelt_words_are_answered_with_the_near_one() {
        assert!(before("integrator = \"backward-eular\"").ends_with("not \"backward-eular\"; did you mean `backward-euler`?"));
        assert!(after("[integrator.sbdf]").ends_with("not sbdf; did you mean `sbdf2`?"));
        assert!(after("[material]\ndamping = \"projekted\"").ends_with("; did you mean `projected`?"));
        assert!(before("durations = 1").ends_with("; did you mean `duration`?"));
        let elsewhere = before("pin = [0]");
        assert!(elsewhere.ends_with("; did you mean `pins`?"), "{elsewhere}");
    }

    #[test]
    fn pins_are_refused_where_they_stand() {
        assert_eq!(
            before("pins = [\n 0,\n 12,\n]"),
            "line 3, `12,`: the pin 12 lies outside the mesh of 4 x 3 particles; the first particle is 0 or [0, 0]"
        );
        assert!(before("pins = [[4, 0]]").contains("`pins = [[4, 0]]`: the pin [4, 0] lies outside the mesh"));
        for pin in ["-1", "[1, 2, 3]", "[1]", "\"middle\"", "1.5"] {
            let message = before(&format!("pins = [{pin}]"));
            assert!(message.starts_with("line 1, ") && message.contains("`pins` must be a list of whole numbers"), "{message}");
            assert!(message.ends_with(&format!(", not {pin}")), "{message}");
        }
    }

    #[test]
    fn steps_and_frames_have_limits() {
        let run = |step: &str, duration: &str| mistake(&format!("step = {step}\nduration = {duration}\n{MESH}"));
        assert!(run("1e-9", "10").starts_with("line 2, `duration = 10`: `duration` of 10 s is 1.000e10 steps of"));
        assert!(run("1.0", "0.4").contains("must be from one step to 1000000000"));
        assert!(run("1e-20", "1e20").contains("is 1.000e40 steps"));
        let message = after("[output]\nframes_per_second = 1001");
        assert_eq!(
            message,
            "line 8, `frames_per_second = 1001`: `output.frames_per_second` [1/s] must be at most 1000 here, one frame a step and \
             100000 in all, not 1001"
        );
        let long = format!("step = 1\nduration = 1e6\n{MESH}[output]\nframes_per_second = 0.1");
        assert!(mistake(&long).contains("must be at most 0.1 here"));
    }

    #[test]
    fn what_is_not_toml_is_named_with_its_line() {
        assert_eq!(after("[material\n"), "line 7, `[material`: this is not TOML: unclosed table, expected `]`");
        assert!(before("step = 1,5").starts_with("line 1, `step = 1,5`: this is not TOML: "));
        assert!(before("step = 1e-3").starts_with("line 2, `step = 1e-3`: this is not TOML: duplicate key"));
        let long = after(&format!("x = \"{}", "y".repeat(300)));
        assert!(long.len() < 200 && long.contains("..."), "{long}");
    }
}
