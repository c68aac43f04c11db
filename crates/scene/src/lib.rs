//! Scenes as data: the scene file, the tables of a state, and the meshes that other programs read.
//!
//! A scene file is TOML. Every key that it knows, with the value that it has where it is left out; the lines that begin
//! with `#` and no space are sections that do not stand beside all others, and keys without such a value. [`reference()`] has a
//! section for everything in the registries:
//!
//! ```toml
#![doc = include_str!("every_key.toml")]
//! ```

mod collisions;
mod control;
mod document;
pub mod formats;
mod friction;
mod guide;
mod inextensible;
mod key;
mod keyframes;
mod keys;
mod material;
mod mesh;
mod method;
mod mistake;
mod motion;
mod nearest;
mod obj;
mod pins;
mod placement;
mod places;
mod range;
mod read;
mod read_obj;
mod reference;
mod refusal;
mod repulsion;
mod section;
mod sewing;
mod solids;
mod solver;
mod start;
mod subject;
mod table;
mod task;
mod tearing;

pub use control::{Control, Fit, Wanted};
pub use keyframes::{GustsFile, KeyframesError, KeyframesFile, Mover, read_gusts, read_keyframes};
pub use mistake::{Place, Problem, SceneError};
pub use nearest::{did_you_mean, nearest, remedy};
pub use obj::write_obj;
pub use placement::{Placement, Unit, Up};
pub use places::{PlacesError, Recorded, read_motion, read_places};
pub use read_obj::{
    Doubt, ObjError, ObjMesh, ObjMistake, Reading, Texture, corners, likely_unit, obj_memory, obj_text, read_obj,
};
pub use reference::reference;
pub use solids::{BodyMesh, SequenceFile};
pub use start::Buried;
pub use subject::{MeshSource, ObjFile, Subject};
pub use table::{TableError, read_vectors, write_vectors};
pub use task::Undifferentiable;

use std::path::PathBuf;
use std::sync::Arc;

use cloth::contact::{Friction, RepulsionLaw, RigidMotion, SelfCollision, Sequence, Solid};
use cloth::run::{
    LengthConstraint, Model, Motion, PinTerms, Run, Scenario, Scheme, Sewing, Sheet, SolidContact, SolidReach, StretchLimit,
    Tear, Triangles,
};
use cloth::{ModelError, State, Track};

/// Names of all integrators, as scenes know them.
pub fn integrators() -> impl Iterator<Item = &'static str> {
    keys::names("integrator")
}

/// Names of all constraint methods, as scenes know them.
pub fn constraint_methods() -> impl Iterator<Item = &'static str> {
    keys::names("inextensible")
}

/// A run as it is asked for: what is simulated, from where, how, for how long, and what is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What is simulated.
    pub subject: Subject,
    /// The terms on which some of its pins hold, by their particles; the others hold to the end.
    pub pin_terms: Vec<(usize, PinTerms)>,
    /// Which of its particles are drawn together.
    pub sewing: Option<Sewing>,
    /// How some of the held particles move.
    pub motions: Vec<Motion>,
    /// The particles that move along a line or in a plane only.
    pub guides: Vec<(usize, Track)>,
    /// How it is integrated in time.
    pub scheme: Scheme,
    /// How its steps are adapted; without it as in [`Scene::adapting`].
    pub adaptive_steps: Option<StretchLimit>,
    /// The method that keeps warp and weft edges, or those of triangles, at their length; they stretch without. What resists stretch
    /// in the material is then to be without stiffness and damping.
    pub inextensible: Option<LengthConstraint>,
    /// What it may touch, and how that moves.
    pub solids: Vec<(Solid, RigidMotion)>,
    /// Meshes that it meets.
    pub bodies: Vec<BodyMesh>,
    /// Files of key frames of pins, solids and meshes, whose motions are without any until they are read: see
    /// [`Scene::take_keyframes`].
    pub keyframes: Vec<KeyframesFile>,
    /// The wind of its drag where that changes in time.
    pub gusts: Option<GustsFile>,
    /// What happens along their surfaces.
    pub friction: Friction,
    /// Friction of some solids in place of that, by their numbers; meshes have their own.
    pub solid_friction: Vec<(usize, Friction)>,
    /// How solids are met: by constraints only those at rest, under a scheme that has them or behind a constraint method.
    pub solid_contact: SolidContact,
    /// How it meets itself; it passes through itself without.
    pub self_collision: Option<SelfCollision>,
    /// Parts of it that solids meet where it meets itself.
    pub solid_reach: SolidReach,
    /// How it repels itself; not under a scheme that does not have it.
    pub repulsion: Option<RepulsionLaw>,
    /// How it tears; it stays whole without. A grid that tears is [`Subject::Triangles`]: springs on its cells as quads.
    pub tearing: Option<Tear>,
    /// dt \[s\], > 0.
    pub step: f64,
    /// Time to simulate \[s\], rounded to whole steps, > 0.
    pub duration: f64,
    /// Where it starts.
    pub initial: Initial,
    /// What forces are to lead it to.
    pub control: Option<Control>,
    /// What its material is to be found from.
    pub fit: Option<Fit>,
    /// What is written.
    pub output: Output,
    /// Where its pictures look from.
    pub view: View,
}

/// The state that a run starts from; what no table gives is the mesh at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Initial {
    /// Table of positions \[m\].
    pub positions: Option<NamedFile>,
    /// Table of velocities \[m/s\].
    pub velocities: Option<NamedFile>,
    /// The time of that state \[s\], at which what moves stands where it has come to by then.
    pub time: f64,
}

/// The name of a file, as a scene file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFile {
    /// The file, relative to the scene file.
    pub path: PathBuf,
    /// Where the scene names it.
    pub place: Place,
}

/// What a run writes besides its final state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// Steps from one row of energies to the next, >= 1.
    pub energies_every: u64,
    /// Steps from one entry of contacts to the next, >= 1.
    pub contacts_every: u64,
    /// Meshes a second of simulated time \[1/s\], > 0; none without it.
    pub frames_per_second: Option<f64>,
}

/// A direction to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle in the x-y plane \[degrees\]: 0 shows y to the right and x towards the viewer, -90 x to the right and y away.
    pub azimuth: f64,
    /// Angle above that plane \[degrees\].
    pub elevation: f64,
}

impl Default for View {
    /// From the front, a little from the left and from above.
    fn default() -> View {
        View { azimuth: -60.0, elevation: 20.0 }
    }
}

impl Default for Output {
    /// A row a step, no frames.
    fn default() -> Output {
        Output { energies_every: 1, contacts_every: 1, frames_per_second: None }
    }
}

impl Scene {
    /// Most steps of a run.
    pub const STEP_LIMIT: u64 = 1_000_000_000;

    /// Most frames of a run: their names have five digits.
    pub const FRAME_LIMIT: u64 = 100_000;

    /// Reads a scene file's text. Nothing else is read: tables and OBJ files are only named.
    ///
    /// # Errors
    /// The first mistake, with its line.
    pub fn parse(text: &str) -> Result<Scene, SceneError> {
        read::read(text, None)
    }

    /// Reads a scene file's text on the mesh of the OBJ file that it names, see [`Scene::obj`].
    ///
    /// # Errors
    /// As [`Scene::parse`], and what the mesh does not have: a pin, a group, quads.
    pub fn parse_on(text: &str, mesh: &ObjMesh) -> Result<Scene, SceneError> {
        read::read(text, Some(mesh))
    }

    /// Number of steps: the duration in steps, rounded to the nearest whole number.
    pub fn steps(&self) -> u64 {
        (self.duration / self.step).round() as u64
    }

    /// The reason why a step has no energy that a line search could lower, none where it has one.
    pub fn without_energy(&self) -> Option<&'static str> {
        let by_constraints = !self.solids.is_empty() && self.solid_contact.is_by_constraints();
        let reasons = [
            (self.scheme.splits(), "springs that are taken explicitly do not enter it"),
            (by_constraints, "contact by constraints does not enter it"),
            (!self.subject.has_potential(), "these dampers have none: plain ones have, of springs that resist compression"),
        ];
        reasons.into_iter().find(|(lacks, _)| *lacks).map(|(_, reason)| reason)
    }

    /// How steps are adapted, none where they are not: as the scene says, or for Newton iterations alone where the scheme has them.
    pub fn adapting(&self) -> Option<StretchLimit> {
        self.adaptive_steps.or_else(|| self.scheme.converges().then_some(StretchLimit::NONE))
    }

    /// Whether steps, or parts of them, may be rejected: where they are adapted, or follow their error.
    pub fn may_reject(&self) -> bool {
        self.adapting().is_some() || self.scheme.follows_its_error()
    }

    /// How what it meets moves: its solids, then its meshes.
    pub fn moves(&self) -> impl Iterator<Item = &RigidMotion> {
        self.solids.iter().map(|(_, motion)| motion).chain(self.bodies.iter().map(|body| &body.motion))
    }

    /// The shapes of each of them in the same order, where it changes its shape.
    pub fn shapes(&self) -> impl Iterator<Item = Option<&Arc<Sequence>>> {
        self.solids.iter().map(|_| None).chain(self.bodies.iter().map(|body| body.shapes.as_ref()))
    }

    /// Whether any of them moves or changes its shape.
    pub fn solids_move(&self) -> bool {
        self.moves().any(|motion| *motion != RigidMotion::STILL) || self.bodies.iter().any(|body| body.sequence.is_some())
    }

    /// Whether contacts with solids are followed from step to step: where the scheme meets them by constraints of its own.
    pub fn has_contacts(&self) -> bool {
        !self.solids.is_empty() && self.solid_contact.is_by_constraints() && self.inextensible.is_none()
    }

    /// The sheet, where the cloth is springs on a grid.
    pub fn sheet(&self) -> Option<&Sheet> {
        match &self.subject {
            Subject::Sheet(sheet) => Some(sheet),
            Subject::Triangles(_) => None,
        }
    }

    /// The OBJ file that holds the mesh, where it is still to be read.
    pub fn obj(&self) -> Option<&ObjFile> {
        match &self.subject {
            Subject::Triangles(Triangles { mesh: MeshSource::Obj(obj), .. }) => Some(obj),
            _ => None,
        }
    }

    /// The cloth.
    ///
    /// # Errors
    /// [`ModelError::MeshUnread`], a pin outside the mesh or a quantity outside its range; never of the latter two after
    /// [`Scene::parse`].
    pub fn model(&self) -> Result<Model, ModelError> {
        subject::cloth(&self.subject)?.model()
    }

    /// What is simulated from `start`, and how.
    ///
    /// # Errors
    /// [`ModelError::MeshUnread`], [`ModelError::MotionUnread`].
    pub fn scenario(&self, start: State) -> Result<Scenario, ModelError> {
        if self.lacks_motion() {
            return Err(ModelError::MotionUnread);
        }
        Ok(Scenario {
            cloth: subject::cloth(&self.subject)?,
            start: Some(start),
            begins: self.initial.time,
            step: self.step,
            scheme: self.scheme,
            adaptation: self.adaptive_steps,
            length_constraint: self.inextensible,
            pin_terms: self.pin_terms.clone(),
            sewing: self.sewing.clone(),
            motions: self.motions.clone(),
            guides: self.guides.clone(),
            gusts: self.gusts.as_ref().and_then(|gusts| gusts.series.clone()),
            loads: None,
            solids: self.solids.clone(),
            bodies: self.bodies.iter().map(|body| body.moving(self.friction)).collect(),
            friction: self.friction,
            solid_friction: self.solid_friction.clone(),
            solid_contact: self.solid_contact,
            self_collision: self.self_collision,
            solid_reach: self.solid_reach,
            repulsion: self.repulsion,
            tearing: self.tearing.clone(),
        })
    }

    /// The run from `start`, before its first step.
    ///
    /// # Errors
    /// As [`Scene::scenario`] and [`Scenario::run`].
    pub fn run(&self, start: State) -> Result<Run, ModelError> {
        self.scenario(start)?.run()
    }

    /// The run from `start` of a `model` that is [`Scene::model`], before its first step.
    ///
    /// # Errors
    /// As [`Scene::run`].
    pub fn run_of(&self, model: Model, start: State) -> Result<Run, ModelError> {
        self.scenario(start)?.run_of(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::Vec3;
    use cloth::{Grid, Material, Pin};

    const MINIMAL: &str = "step = 1e-3\nduration = 0.5\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    fn parse(text: &str) -> Scene {
        Scene::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"))
    }

    #[test]
    fn what_is_left_out_is_the_default_material_at_rest_under_backward_euler() {
        let scene = parse(MINIMAL);
        let sheet = scene.sheet().unwrap();
        assert_eq!(sheet.material, Material::default());
        assert_eq!(sheet.grid, Grid::new(4, 3, 0.1).unwrap());
        assert_eq!((sheet.pins.len(), scene.scheme, scene.steps()), (0, Scheme::default(), 500));
        assert_eq!((scene.scheme.name(), scene.scheme.solver()), ("backward-euler", Some(cloth::implicit::Solver::automatic())));
        assert_eq!((scene.initial, scene.output), (Initial::default(), Output::default()));
    }

    #[test]
    fn the_documented_defaults_are_the_defaults() {
        let documented = parse(&reference());
        let bare = parse("step = 2e-4\nduration = 2.0\n[mesh]\nnx = 40\nny = 40\nspacing = 0.025");
        assert_eq!(documented, bare);
    }

    #[test]
    fn every_key_reaches_its_quantity() {
        let scene = parse(
            r#"
            step = 0.5
            duration = 4
            integrator = "rk4"
            pins = [1, [2, 1], "top-left"]
            mesh = { nx = 4, ny = 3, spacing = 0.1 }
            initial = { positions = "x.csv", velocities = "v.csv" }
            output = { energies_every = 7, contacts_every = 8, frames_per_second = 1 }
            [material]
            density = 2
            stretch = { stiffness = 3, damping = 4 }
            shear = { stiffness = 5 }
            bend = 6
            damping = "plain"
            extension_tolerance = 0
            compression = true
            stiffening = { strain = 0.1, factor = 7 }
            masses = { hem = 8 }
            air = 9
            drag = { air_density = 10, coefficient = 11, wind = [12, 13, 14] }
            gravity = [15, 16, 17]
            "#,
        );
        let material = Material {
            density: 2.0,
            stretch: cloth::Elastic { stiffness: 3.0, damping: 4.0 },
            shear: cloth::Elastic { stiffness: 5.0, ..Material::default().shear },
            bend: 6.0,
            bend_law: cloth::BendLaw::default(),
            rigidity: None,
            damping: cloth::DampingForm::Plain,
            extension_tolerance: 0.0,
            compression: true,
            stiffening: Some(cloth::Stiffening { strain: 0.1, factor: 7.0 }),
            masses: cloth::Masses::Hem(8.0),
            air: 9.0,
            drag: Some(cloth::Drag { air_density: 10.0, coefficient: 11.0, wind: Vec3::new(12.0, 13.0, 14.0) }),
            gravity: Vec3::new(15.0, 16.0, 17.0),
        };
        let sheet = scene.sheet().unwrap();
        assert_eq!(sheet.material, material);
        assert_eq!(sheet.pins, [Pin::Index(1), Pin::At(2, 1), Pin::At(0, 2)]);
        assert_eq!((scene.scheme.name(), scene.steps()), ("rk4", 8));
        assert_eq!(scene.initial.positions.unwrap().path, PathBuf::from("x.csv"));
        let velocities = scene.initial.velocities.unwrap();
        assert_eq!((velocities.path, velocities.place.line), (PathBuf::from("v.csv"), 7));
        assert_eq!(scene.output, Output { energies_every: 7, contacts_every: 8, frames_per_second: Some(1.0) });
    }

    #[test]
    fn an_edge_is_all_its_particles() {
        let pins = |name: &str| parse(&format!("pins = ['{name}']\n{MINIMAL}")).sheet().unwrap().pins.clone();
        assert_eq!(pins("left"), [Pin::At(0, 0), Pin::At(0, 1), Pin::At(0, 2)]);
        assert_eq!(pins("right"), [Pin::At(3, 0), Pin::At(3, 1), Pin::At(3, 2)]);
        assert_eq!(pins("bottom"), [Pin::At(0, 0), Pin::At(1, 0), Pin::At(2, 0), Pin::At(3, 0)]);
        assert_eq!(pins("top"), [Pin::At(0, 2), Pin::At(1, 2), Pin::At(2, 2), Pin::At(3, 2)]);
        let corners = ["bottom-left", "bottom-right", "top-left", "top-right"].map(|name| pins(name)[0]);
        assert_eq!(corners, [Pin::At(0, 0), Pin::At(3, 0), Pin::At(0, 2), Pin::At(3, 2)]);
    }

    #[test]
    fn steps_are_rounded_to_the_nearest() {
        let scene = Scene { step: 3e-3, duration: 0.01, ..parse(MINIMAL) };
        assert_eq!((scene.steps(), Scene { duration: 0.011, ..scene }.steps()), (3, 4));
    }
}
