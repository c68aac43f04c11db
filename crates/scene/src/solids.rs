//! What a scene's sheet may touch, as it is written: the section `solid`.

use std::path::PathBuf;
use std::sync::Arc;

use toml::Spanned;

use super::friction::OwnFriction;
use super::key::section;
use super::mistake::Problem;
use super::motion::WaySection;
use super::placement::{Placement, PlacementKeys, Unit, Up};
use super::range::{Direction, Lengths, Triple};
use super::read_obj::ObjMesh;
use super::section::Keyed;
use super::start::kind;
use super::{NamedFile, Place};
use cloth::Vec3;
use cloth::contact::{Friction, MovingMesh, RigidMotion, Sequence, Solid};
use cloth::quantity::Positive;

section! {
    /// The solids by name.
    pub(super) enum SolidSection = "" {
        Plane("plane", "a section with point and normal") {
            point["m"]: Triple,
            normal: Direction,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
        Cuboid("cuboid", "a section with centre and sides") {
            centre["m"]: Triple,
            sides["m"]: Lengths,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
        Sphere("sphere", "a section with centre and radius") {
            centre["m"]: Triple,
            radius["m"]: Positive,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
        Cylinder("cylinder", "a section with centre, axis, radius and length") {
            centre["m"]: Triple,
            axis: Direction,
            radius["m"]: Positive,
            length["m"]: Positive,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
        Capsule("capsule", "a section with from, to and radius") {
            from["m"]: Triple,
            to["m"]: Triple,
            radius["m"]: Positive,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
        Mesh("mesh", "a section with file") {
            file: Spanned<PathBuf> = "the name of an OBJ file in quotes",
            sequence: Option<Spanned<PathBuf>> = "the name of a PC2 file in quotes",
            frames_per_second["1/s"]: Option<Positive>,
            unit: Option<Unit>,
            up: Option<Up>,
            scale: Option<Positive>,
            rotate["degrees"]: Option<Triple>,
            at["m"]: Option<Triple>,
            friction: Option<OwnFriction>,
            motion: Option<Keyed<WaySection>>,
        },
    }
}

impl SolidSection {
    /// What it is, how it moves, and the file that holds its key frames.
    ///
    /// # Errors
    /// As [`WaySection::motion`].
    pub fn read(self, text: &str) -> Result<(SolidOrMesh, Option<NamedFile>), Problem> {
        let (solid, friction, motion) = match self {
            SolidSection::Plane { point: Triple(point), normal: Direction(normal), friction, motion } => {
                (Solid::Plane { point, normal }, friction, motion)
            }
            SolidSection::Cuboid { centre: Triple(centre), sides: Lengths(sides), friction, motion } => {
                (Solid::Cuboid { centre, half: 0.5 * sides }, friction, motion)
            }
            SolidSection::Sphere { centre: Triple(centre), radius, friction, motion } => {
                (Solid::Sphere { centre, radius: radius.get() }, friction, motion)
            }
            SolidSection::Cylinder { centre: Triple(centre), axis: Direction(axis), radius, length, friction, motion } => {
                (Solid::Cylinder { centre, axis, radius: radius.get(), half_length: 0.5 * length.get() }, friction, motion)
            }
            SolidSection::Capsule { from: Triple(from), to: Triple(to), radius, friction, motion } => {
                (Solid::Capsule { from, to, radius: radius.get() }, friction, motion)
            }
            SolidSection::Mesh { file, sequence, frames_per_second, unit, up, scale, rotate, at, friction, motion } => {
                let name =
                    |file: Spanned<PathBuf>| NamedFile { place: Place::at(text, file.span().start), path: file.into_inner() };
                if sequence.is_none() && frames_per_second.is_some() {
                    return Err(Problem::RateAlone);
                }
                let frames_per_second = frames_per_second.map_or(SequenceFile::RATE, Positive::get);
                let sequence = sequence.map(|file| SequenceFile { file: name(file), frames_per_second });
                let file = name(file);
                let placement = PlacementKeys { unit, up, scale, rotate, at }.placement();
                let (motion, keyframes) = moving(motion, text, "mesh")?;
                let (vertices, faces, lines) = (vec![], vec![], vec![]); // unread
                let friction = friction.map(OwnFriction::law);
                let body = BodyMesh { file, sequence, placement, motion, friction, vertices, faces, lines, shapes: None };
                return Ok((SolidOrMesh::Mesh(Box::new(body)), keyframes));
            }
        };
        let (motion, keyframes) = moving(motion, text, kind(&solid))?;
        let friction = friction.map(OwnFriction::law);
        Ok((SolidOrMesh::Solid(Box::new((solid, motion, friction))), keyframes))
    }
}

/// How a solid of a kind moves.
fn moving(motion: Option<Keyed<WaySection>>, text: &str, kind: &str) -> Result<(RigidMotion, Option<NamedFile>), Problem> {
    let section = format!("solid.{kind}.motion");
    motion.map_or(Ok((RigidMotion::STILL, None)), |Keyed(way)| way.motion(text, &section))
}

/// A solid of either kind.
pub(super) enum SolidOrMesh {
    Solid(Box<(Solid, RigidMotion, Option<Friction>)>),
    Mesh(Box<BodyMesh>),
}

/// A body of triangles from an OBJ file, empty while that is still to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMesh {
    /// The file, relative to the scene file.
    pub file: NamedFile,
    /// The file of its shapes, where it changes.
    pub sequence: Option<SequenceFile>,
    /// The way from the coordinates of the file to the scene.
    pub placement: Placement,
    /// How it moves.
    pub motion: RigidMotion,
    /// Friction along its surface, where that is not the friction of the scene.
    pub friction: Option<Friction>,
    /// Its vertices at time 0, before it is moved \[m\].
    pub vertices: Vec<Vec3>,
    /// Corners of its triangles.
    pub faces: Vec<[u32; 3]>,
    /// The line of each triangle in its file, from 0.
    pub lines: Vec<usize>,
    /// Its vertices from time to time, as many, where it changes.
    pub shapes: Option<Arc<Sequence>>,
}

/// A file of the shapes of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceFile {
    /// A PC2 point cache, relative to the scene file.
    pub file: NamedFile,
    /// Frames a second \[1/s\], > 0.
    pub frames_per_second: f64,
}

impl SequenceFile {
    /// Frames a second where the scene does not say: those of `clothlab simulate` and of Blender.
    const RATE: f64 = 24.0;
}

impl BodyMesh {
    /// With the mesh of its file, read by its placement.
    pub fn take(&mut self, obj: &ObjMesh) {
        self.vertices = obj.mesh.positions().to_vec();
        self.faces = obj.mesh.triangles().iter().map(|triangle| triangle.corners.map(|corner| corner as u32)).collect();
        self.lines = obj.triangle_lines.clone();
    }

    /// With the shapes of its [`SequenceFile`], in the units of that.
    ///
    /// # Panics
    /// Where they have another number of vertices than the mesh.
    pub fn take_shapes(&mut self, sequence: Sequence) {
        assert_eq!(sequence.vertex_count(), self.vertices.len(), "a sequence of another mesh");
        let (linear, at) = self.placement.parts();
        let sequence = sequence.placed(linear, at);
        self.vertices = sequence.places(0.0).collect();
        self.shapes = Some(Arc::new(sequence));
    }

    /// Whether its shapes are still to be read.
    pub(super) fn lacks_sequence(&self) -> bool {
        self.sequence.is_some() && self.shapes.is_none()
    }

    /// As what cloth collides with, along it with `friction` if it has none of its own.
    pub fn moving(&self, friction: Friction) -> MovingMesh {
        let (sequence, motion) = (self.shapes.clone(), self.motion.clone());
        MovingMesh {
            vertices: self.vertices.clone(),
            faces: self.faces.clone(),
            sequence,
            motion,
            friction: self.friction.unwrap_or(friction),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::super::keys::names;
    use super::*;
    use cloth::contact::Coulomb;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    /// The scene with `top` on its third line and `sections` from its eighth one on.
    fn read(top: &str, sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{top}\n{MESH}{sections}")).map_err(|mistake| mistake.to_string())
    }

    const BALL: &str = "[[solid]]\nsphere = { centre = [1, 2, 3], radius = 4 }\n";

    #[test]
    fn every_key_of_a_solid_reaches_its_dimension() {
        let others = "[[solid]]\nplane = { point = [5, 6, 7], normal = [0, -3e19, 4e19] }\n\
                      [[solid]]\ncuboid = { centre = [8, 9, 10], sides = [2, 4, 6] }\n\
                      [[solid]]\n[solid.cylinder]\ncentre = [11, 12, 13]\naxis = [0, 0, 1e-200]\nradius = 14\nlength = 30\n\
                      [[solid]]\ncapsule = { from = [15, 16, 17], to = [18, 19, 20], radius = 21 }\n";
        let scene = read("integrator = \"aimex\"", &format!("{BALL}{others}")).unwrap();
        let Solid::Plane { normal, .. } = scene.solids[1].0 else { panic!("{:?}", scene.solids) };
        assert!((normal - Vec3::new(0.0, -0.6, 0.8)).norm() < 1e-15, "{normal}");
        let expected = [
            Solid::Sphere { centre: Vec3::new(1.0, 2.0, 3.0), radius: 4.0 },
            Solid::Plane { point: Vec3::new(5.0, 6.0, 7.0), normal },
            Solid::Cuboid { centre: Vec3::new(8.0, 9.0, 10.0), half: Vec3::new(1.0, 2.0, 3.0) },
            Solid::Cylinder { centre: Vec3::new(11.0, 12.0, 13.0), axis: Vec3::z(), radius: 14.0, half_length: 15.0 },
            Solid::Capsule { from: Vec3::new(15.0, 16.0, 17.0), to: Vec3::new(18.0, 19.0, 20.0), radius: 21.0 },
        ];
        assert_eq!(scene.solids, expected.map(|solid| (solid, RigidMotion::STILL)));
        assert_eq!(scene.friction, Friction::default());
    }

    /// A square from the origin along x and y as the file of a body.
    fn square(side: f64, body: &BodyMesh) -> ObjMesh {
        let text = format!("v 0 0 0\nv {side} 0 0\nv {side} {side} 0\nv 0 {side} 0\nf 1 2 3 4\n");
        crate::read_obj(&text, &body.placement.into()).unwrap()
    }

    #[test]
    fn meshes_are_named_and_need_a_thickness() {
        let mesh = "[[solid]]\nmesh = { file = 'a.obj', scale = 2, at = [4, 5, 6], motion = { velocity = [1, 0, 0] } }";
        let scene = read("", &format!("{mesh}\n[self_collision]\nthickness = 0.01")).unwrap();
        let [body] = &scene.bodies[..] else { panic!("{:?}", scene.bodies) };
        assert_eq!((body.file.path.to_str(), body.file.place.line), (Some("a.obj"), 9));
        assert_eq!((body.motion.velocity, body.vertices.len()), (Vec3::x(), 0));
        let (mut placed, at) = (body.clone(), Vec3::new(4.0, 5.0, 6.0));
        placed.take(&square(1.0, body));
        assert_eq!((placed.vertices[0], placed.faces.len(), &placed.lines[..]), (at, 2, &[4, 4][..]));
        assert!((placed.vertices[2] - (at + Vec3::new(2.0, 2.0, 0.0))).norm() < 1e-15, "{}", placed.vertices[2]);
        let turned = mesh.replace("scale = 2", "unit = 'cm', up = 'y', rotate = [0, 0, 90]");
        let scene = read("", &format!("{turned}\n[self_collision]\nthickness = 0.01")).unwrap();
        placed.take(&square(100.0, &scene.bodies[0]));
        assert!((placed.vertices[2] - (at + Vec3::new(0.0, 1.0, 1.0))).norm() < 1e-15, "{}", placed.vertices[2]);
        let alone = read("", mesh).unwrap_err();
        assert_eq!(
            alone,
            "line 8, `[[solid]]`: a mesh is met by triangles, at a distance that the cloth keeps from itself too: add [self_collision] with a \
             thickness"
        );
    }

    /// A plate under a sheet that rises, by a sequence and by a velocity; numbers of few bits, so that neither way rounds.
    #[test]
    fn a_sequence_that_is_a_translation_gives_the_run_of_a_velocity() {
        let run = |keys: &str, sequence: Option<Sequence>| {
            let text = format!(
                "step = 0.0078125\nduration = 0.125\nintegrator = \"backward-euler\"\nsolver = \"direct\"\n{MESH}\
                 [[solid]]\nmesh = {{ file = 'a.obj', scale = 2, at = [0, 0, -0.0625]{keys} }}\n\
                 [self_collision]\nthickness = 0.01"
            );
            let mut scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
            let plate = square(4.0, &scene.bodies[0]);
            scene.bodies[0].take(&plate);
            sequence.into_iter().for_each(|sequence| scene.bodies[0].take_shapes(sequence));
            assert_eq!(scene.solids_move(), !keys.is_empty());
            let mut simulation = scene.run(cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
            (0..scene.steps()).for_each(|_| drop(simulation.step().unwrap()));
            assert!(simulation.failed().is_none());
            simulation.state().clone()
        };
        let at = |z: f32| [[0.0, 0.0, z], [4.0, 0.0, z], [4.0, 4.0, z], [0.0, 4.0, z]];
        let samples = [0.0, 0.25, 0.5].map(at).concat(); // 0.5 m in 1/8 s, a unit of 2 m, from time 0 on
        let by = run(", sequence = 'a.pc2'", Some(Sequence::new([0.0, 0.0625], 4, samples)));
        assert_eq!(by, run(", motion = { velocity = [0, 0, 8] }", None));
        assert!(by.x.iter().all(|x| x.z > 0.5), "{:?}", by.x[0]);
        let resting = run("", None);
        assert!(resting.x.iter().all(|x| x.z < 0.0), "on the plate: {:?}", resting.x);
    }

    #[test]
    fn every_key_of_friction_reaches_its_law() {
        let friction = |top: &str, sections: &str| {
            read(&format!("integrator = \"backward-euler\"\n{top}"), &format!("{BALL}{sections}")).unwrap().friction
        };
        assert_eq!(friction("friction = \"sticking\"", ""), Friction::Sticking);
        assert_eq!(friction("", "[friction.sticking]"), Friction::Sticking);
        assert_eq!(friction("friction = \"coulomb\"", ""), Friction::Coulomb(Coulomb::default()));
        let law = Coulomb { still: 1.0, sliding: 2.0, threshold: 3.0 };
        assert_eq!(friction("", "[friction.coulomb]\nmu_s = 1\nmu_k = 2\nthreshold = 3"), Friction::Coulomb(law));
        assert_eq!(friction("", "[friction]\ncoulomb = { mu_s = 1, mu_k = 2, threshold = 3 }"), Friction::Coulomb(law));
        assert_eq!(friction("friction = 0.25", ""), Friction::even(0.25));
        assert_eq!(friction("friction = 2", ""), Friction::even(2.0));
    }

    #[test]
    fn a_solid_may_have_friction_of_its_own() {
        let own = "[[solid]]\nplane = { point = [0, 0, 0], normal = [0, 0, 1], friction = 0.1 }\n\
                   [[solid]]\n[solid.capsule]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nradius = 1\nfriction.coulomb = { mu_s = 0.4 }\n\
                   [[solid]]\nmesh = { file = 'a.obj', friction = \"sticking\" }\n[[solid]]\nmesh = { file = 'b.obj' }\n\
                   [self_collision]\nthickness = 0.01\n";
        let scene = read("friction = 0.7", &format!("{BALL}{own}")).unwrap();
        let law = Friction::Coulomb(Coulomb { still: 0.4, ..Coulomb::default() });
        assert_eq!(scene.solid_friction, [(1, Friction::even(0.1)), (2, law)]);
        assert_eq!((scene.friction, scene.self_collision.unwrap().friction), (Friction::even(0.7), Friction::even(0.7)));
        let bodies: Vec<Friction> = scene.bodies.iter().map(|body| body.moving(scene.friction).friction).collect();
        assert_eq!(bodies, [Friction::Sticking, Friction::even(0.7)]);
    }

    #[test]
    fn the_schemes_that_meet_solids_by_constraints_are_those_that_are_named() {
        for name in names("integrator") {
            let keys = if ["imex", "sbdf2"].contains(&name) { "implicit = []" } else { "" };
            let sections = format!("[integrator.{name}]\n{keys}\n{BALL}");
            let scene = read("", &sections).unwrap();
            let start = cloth::State::at_rest(scene.model().unwrap().rest());
            let simulation = scene.run(start).unwrap();
            let has_constraints = ["backward-euler", "imex", "aimex"].contains(&name);
            assert_eq!(simulation.contacts().map(|contacts| contacts.touches().len()), has_constraints.then_some(12));
            assert_eq!(simulation.collisions().is_some(), !has_constraints);
            let asked = read("contact = \"constraints\"", &sections).map(drop);
            let expected = format!(
                "line 3, `contact = \"constraints\"`: solids are met by constraints under the integrators backward-euler, imex and aimex, \
                 not under {name}: take `contact = \"positions\"`, or change `integrator`"
            );
            assert_eq!(asked, if has_constraints { Ok(()) } else { Err(expected) });
        }
    }

    #[test]
    fn mistakes_in_solids_are_named_with_line_and_key() {
        for (line, expected) in [
            (
                "sphere = { centre = [0, 0, 0], radius = -1 }",
                "`solid.sphere.radius` [m] must be a finite number above zero, not -1",
            ),
            (
                "sphere = { centre = [0, 0], radius = 1 }",
                "`solid.sphere.centre` [m] must be three finite numbers [x, y, z], not 2",
            ),
            (
                "sphere = { centre = [0, 0, 0] }",
                "the key `radius` is missing in [solid.sphere]; add it: a finite number above zero [m]",
            ),
            ("sphere = { centre = [0, 0, 0], size = 1 }", "unknown key `size`; known here: centre, radius, friction, motion"),
            ("plane = { point = [0, 0, 0], normal = [0, 0, 0] }", "`solid.plane.normal` must not be all zero"),
            ("plane = { point = [0, nan, 0], normal = [0, 0, 1] }", "`solid.plane.point` [m] must be a finite number, not NaN"),
            ("cuboid = { centre = [0, 0, 0], sides = [1, 0, 1] }", "`solid.cuboid.sides` [m] must be above zero, not 0"),
            (
                "cylinder = { centre = [0, 0, 0], axis = [0, 0, 1], radius = 1, length = 0 }",
                "`solid.cylinder.length` [m] must be a finite number above zero, not 0",
            ),
            ("mesh = { file = 'a.obj', sequence = 3 }", "`solid.mesh.sequence` must be the name of a PC2 file in quotes, not 3"),
            (
                "cone = {}",
                "`solid` must be [[solid]] sections, each with a plane, a cuboid, a sphere, a cylinder, a capsule or a mesh, not cone",
            ),
        ] {
            let message = read("integrator = \"aimex\"", &format!("[[solid]]\n{line}")).unwrap_err();
            assert_eq!(message, format!("line 9, `{line}`: {expected}"));
        }
        for (top, sections, expected) in [
            ("solid = 3", "", "line 3, `solid = 3`: `solid` must be [[solid]] sections"),
            (
                "radius = 3",
                "",
                "; `radius` belongs in [mesh.disk] or in the sphere of a [[solid]] or in the cylinder of a [[solid]] or elsewhere",
            ),
            ("sphere = 3", "", "; `sphere` belongs in a [[solid]]"),
            ("", "[[solid]]", "line 8, `[[solid]]`: `solid` must be [[solid]] sections"),
            ("", "[[solid]]\nplane = 3\nsphere = 3", "`solid.plane` must be a section with point and normal, not 3"),
            (
                "",
                "[[solid]]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\nsphere = 3",
                "line 8, `[[solid]]`: `solid` must be one choice, but `sphere` stands beside another one",
            ),
            (
                "friction = \"sticking\"",
                "",
                "line 3, `friction = \"sticking\"`: `friction` needs something to touch: add a [[solid]]",
            ),
            (
                "friction = [0.5]",
                "",
                "`friction` must be a number, zero or above, or \"coulomb\" or \"sticking\", or a section [friction.coulomb], not",
            ),
            (
                "",
                "[[solid]]\nplane = { point = [0, 0, 0], normal = [0, 0, 1], friction = [1] }",
                "`solid.plane.friction` must be a number, zero or above, or a law as at the key `friction` of the scene, not",
            ),
            ("friction = -0.5", "", "`friction` must be a finite number, zero or above, not -0.5"),
            (
                "",
                "[friction.coulomb]\nmu_s = -1",
                "line 9, `mu_s = -1`: `friction.coulomb.mu_s` must be a finite number, zero or above, not",
            ),
            ("", "[friction.coulomb]\nmu_k = nan", "`friction.coulomb.mu_k` must be a finite number, zero or above, not NaN"),
            (
                "",
                "[friction.coulomb]\nthreshold = 0",
                "`friction.coulomb.threshold` [m/s] must be a finite number above zero, not 0",
            ),
            ("", "[friction.sticking]\nmu_s = 1", "unknown key `mu_s`; known here: none; `mu_s` belongs in [friction.coulomb]"),
            (
                "",
                "[[solid]]\nmesh = { file = 'a.obj', frames_per_second = 30 }",
                "line 8, `[[solid]]`: `frames_per_second` is that of a `sequence`, and there is none: add it, or take this out",
            ),
            ("", "[output]\ncontacts_every = 0", "`output.contacts_every` must be a whole number from 1 to 1000000000, not 0"),
        ] {
            let message = read(top, sections).expect_err(expected);
            assert!(message.contains(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
    }
}
