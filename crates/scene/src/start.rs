//! Starts that no run can begin from: cloth inside of what it meets.

use std::fmt;

use super::Scene;
use super::read_obj::extent;
use cloth::contact::Solid;
use cloth::run::{Model, SolidContact, SolidReach};
use cloth::{ModelError, Vec3};
use collision::Unfit;

/// Depth over the extent of the cloth up to which particles may begin inside a solid \[-\]: the first step puts them out unseen.
const SHALLOW: f64 = 1e-3;

/// Cloth that begins inside of a solid, or crosses itself or a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Buried {
    /// Free particles inside a solid.
    Solid {
        /// Number of the solid among those of the scene that are no meshes, from 0.
        number: usize,
        /// Its kind in scene files.
        kind: &'static str,
        /// Particles inside.
        count: usize,
        /// The deepest of them \[m\].
        depth: f64,
    },
    /// Free faces across a solid that meets faces, all of whose particles are outside.
    Across {
        /// Number of the solid among those of the scene that are no meshes, from 0.
        number: usize,
        /// Its kind in scene files.
        kind: &'static str,
        /// Faces across it.
        count: usize,
        /// The deepest of their places \[m\].
        depth: f64,
    },
    /// A triangle of the cloth and one of a body that cross.
    Body {
        /// Triangle of the cloth, from 0.
        triangle: usize,
        /// Number of the body among the meshes of the scene, from 0.
        number: usize,
        /// Triangle of the body, from 0.
        of_body: usize,
        /// Particles of the cloth inside.
        count: usize,
        /// The deepest of them \[m\].
        depth: f64,
    },
    /// Two triangles of the cloth that cross.
    Itself {
        /// The triangles, from 0.
        triangles: [usize; 2],
    },
    /// Two triangles of bodies that cross.
    Bodies {
        /// Each with the number of its body, from 0.
        triangles: [(usize, usize); 2],
    },
}

impl fmt::Display for Buried {
    /// Without the names of files, which only their reader knows.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Buried::Solid { number, kind, count, depth } => write!(
                f,
                "{count} particles begin inside of solid {}, a {kind}, up to {depth:.3} m deep; move the solid or the cloth until they are \
                 apart",
                number + 1
            ),
            Buried::Across { number, kind, count, depth } => write!(
                f,
                "solid {}, a {kind}, begins across faces of the cloth ({count}), up to {depth:.3} m deep; move it or the cloth until they are apart",
                number + 1
            ),
            Buried::Body { count: 0, .. } => {
                write!(f, "cloth begins across a body; move the body or the cloth until they are apart")
            }
            Buried::Body { count, depth, .. } => write!(
                f,
                "{count} particles begin inside of a body, up to {depth:.3} m deep; move the body or the cloth until they are apart"
            ),
            Buried::Itself { .. } => write!(f, "cloth begins across itself; draw it apart, or leave out [self_collision]"),
            Buried::Bodies { .. } => write!(f, "bodies begin across each other or themselves; move or mend them"),
        }
    }
}

impl Scene {
    /// Tells of a solid that free particles at `x` \[m\], shape \[particle_count\], are inside of at the start, or that meets faces and
    /// has free ones across it.
    pub fn buried(&self, model: &Model, x: &[Vec3]) -> Option<Buried> {
        let pinned = model.system().pinned();
        let shallow = SHALLOW * extent(x);
        self.solids
            .iter()
            .enumerate()
            .find_map(|(number, (solid, motion))| {
                let pose = motion.pose(self.initial.time);
                let free = x.iter().zip(pinned).filter(|(_, pinned)| !**pinned);
                let depths = free.map(|(&x, _)| -solid.distance(pose.back(x)).0).filter(|depth| *depth > shallow);
                let (count, depth) = depths.fold((0, 0.0), |(count, most), depth| (count + 1, depth.max(most)));
                (count > 0).then(|| Buried::Solid { number, kind: kind(solid), count, depth })
            })
            .or_else(|| self.faces_across(model, x, shallow))
    }

    /// Whether its solids meet faces, not particles alone.
    pub fn solids_meet_faces(&self) -> bool {
        let by_positions = self.solid_contact == SolidContact::Positions;
        self.self_collision.is_some() && by_positions && self.solid_reach == SolidReach::Faces
    }

    /// The first solid that has free faces across it, deeper than `shallow` \[m\], where these are met.
    fn faces_across(&self, model: &Model, x: &[Vec3], shallow: f64) -> Option<Buried> {
        if !self.solids_meet_faces() {
            return None;
        }
        let pinned = model.system().pinned();
        let faces = model.surface().corners();
        let free: Vec<[usize; 3]> = faces
            .iter()
            .map(|corners| corners.map(|corner| corner as usize))
            .filter(|corners| corners.iter().all(|corner| !pinned[*corner]))
            .collect();
        let mut solids = self.solids.iter().enumerate().filter(|(_, (solid, _))| !matches!(solid, Solid::Plane { .. }));
        solids.find_map(|(number, (solid, motion))| {
            let pose = motion.pose(self.initial.time);
            let depth = |corners: &[usize; 3]| -solid.distance_of_face(&corners.map(|corner| pose.back(x[corner])), shallow);
            let depths = free.iter().map(depth).filter(|depth| *depth > shallow);
            let (count, depth) = depths.fold((0, 0.0), |(count, most), depth: f64| (count + 1, depth.max(most)));
            (count > 0).then(|| Buried::Across { number, kind: kind(solid), count, depth })
        })
    }

    /// The crossing at the start behind a refusal of [`Scene::run_of`], where it is one.
    pub fn crossing(&self, model: &Model, x: &[Vec3], refusal: &ModelError) -> Option<Buried> {
        let &ModelError::Collisions(Unfit::Crossing { first, second }) = refusal else { return None };
        let of_cloth = model.surface().corners().len();
        let of = |face: usize| {
            let mut before = of_cloth;
            self.bodies.iter().enumerate().find_map(|(number, body)| {
                let within = face.checked_sub(before)?;
                before += body.faces.len();
                (within < body.faces.len()).then_some((number, within))
            })
        };
        Some(match (of(first), of(second)) {
            (None, None) => Buried::Itself { triangles: [first, second] },
            (Some(one), Some(other)) => Buried::Bodies { triangles: [one, other] },
            (None, Some((number, of_body))) => self.in_body(x, first, number, of_body),
            (Some((number, of_body)), None) => self.in_body(x, second, number, of_body),
        })
    }

    /// The crossing of a triangle of cloth at `x` \[m\] with one of a body, and the particles that are inside of that.
    fn in_body(&self, x: &[Vec3], triangle: usize, number: usize, of_body: usize) -> Buried {
        let body = self.bodies[number].moving(self.friction);
        let mut places = vec![Vec3::zeros(); body.vertices.len()];
        body.place(self.initial.time, &mut places);
        let triangles: Vec<[Vec3; 3]> = body.faces.iter().map(|face| face.map(|corner| places[corner as usize])).collect();
        let inside = x.iter().filter(|x| winds_around(&triangles, x));
        let depth_of = |x: &Vec3| triangles.iter().map(|triangle| distance(triangle, x)).fold(f64::INFINITY, f64::min);
        let (count, depth) =
            inside.map(depth_of).fold((0, 0.0), |(count, most): (usize, f64), depth| (count + 1, depth.max(most)));
        Buried::Body { triangle, number, of_body, count, depth }
    }
}

/// The kind of a solid in scene files.
pub(super) fn kind(solid: &Solid) -> &'static str {
    match solid {
        Solid::Plane { .. } => "plane",
        Solid::Cuboid { .. } => "cuboid",
        Solid::Sphere { .. } => "sphere",
        Solid::Cylinder { .. } => "cylinder",
        Solid::Capsule { .. } => "capsule",
    }
}

/// Tells whether a closed mesh winds around a point: by the sum of the solid angles of its triangles \[van Oosterom & Strackee 1983\].
fn winds_around(triangles: &[[Vec3; 3]], x: &Vec3) -> bool {
    let angle = |[a, b, c]: &[Vec3; 3]| {
        let [a, b, c] = [a - x, b - x, c - x];
        let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
        2.0 * libm::atan2(a.dot(&b.cross(&c)), la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb)
    };
    let sum: f64 = triangles.iter().map(angle).sum();
    sum.abs() > std::f64::consts::TAU // half of the whole sphere
}

/// Distance of a point from a triangle \[m\].
fn distance(&[a, b, c]: &[Vec3; 3], x: &Vec3) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let within = [[a, b], [b, c], [c, a]].iter().all(|[from, to]| normal.dot(&(to - from).cross(&(x - from))) >= 0.0);
    if let (true, Some(normal)) = (within, normal.try_normalize(0.0)) {
        return normal.dot(&(x - a)).abs();
    }
    let along = |[from, to]: [Vec3; 2]| {
        let way = to - from;
        let share = if way.norm_squared() > 0.0 { ((x - from).dot(&way) / way.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
        (x - from - share * way).norm()
    };
    [[a, b], [b, c], [c, a]].map(along).into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::read_obj;
    use super::*;
    use cloth::State;

    const TOP: &str = "step = 1e-3\nduration = 0.5\nintegrator = 'backward-euler'\n[mesh]\nnx = 21\nny = 21\nspacing = 0.04\n";
    const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
                        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

    #[test]
    fn particles_inside_of_a_solid_are_counted_by_hand() {
        let of = |solid: &str, top: &str| {
            let scene = Scene::parse(&format!("{top}{TOP}[[solid]]\n{solid}")).unwrap();
            let model = scene.model().unwrap();
            scene.buried(&model, &model.rest())
        };
        // the sheet cuts the ball 15 cm above its lowest... 5 cm above its centre: a circle of radius sqrt(0.2² - 0.05²)
        let ball = "sphere = { centre = [0.4, 0.4, -0.05], radius = 0.2 }";
        let Some(Buried::Solid { number: 0, kind: "sphere", count, depth }) = of(ball, "") else { panic!("not inside") };
        assert!(count == 69 && (depth - 0.15).abs() < 1e-12, "{count} {depth}");
        assert_eq!(of("sphere = { centre = [0.4, 0.4, -0.2005], radius = 0.2 }", ""), None);
        assert_eq!(of("sphere = { centre = [0.4, 0.4, -0.1995], radius = 0.2 }", ""), None, "half a millimetre");
        assert_eq!(of("plane = { point = [0, 0, 0], normal = [0, 0, 1] }", ""), None);
        let corner = "cuboid = { centre = [0, 0, 0], sides = [0.02, 0.02, 0.02] }";
        assert!(matches!(of(corner, ""), Some(Buried::Solid { count: 1, .. })));
        assert_eq!(of(corner, "pins = [0]\n"), None, "a pin may be where it likes");
    }

    #[test]
    fn faces_across_a_solid_are_refused_where_it_meets_faces() {
        let of = |solid: &str, collision: &str| {
            let scene = Scene::parse(&format!("{TOP}{collision}[[solid]]\n{solid}")).unwrap();
            let model = scene.model().unwrap();
            scene.buried(&model, &model.rest())
        };
        let itself = "[self_collision]\nthickness = 1e-3\n";
        // a rod through the middle of a cell, and the corner of a box 5 mm above another
        let rod = "capsule = { from = [0.42, 0.41, -1], to = [0.42, 0.41, 1], radius = 5e-3 }";
        let corner = "cuboid = { centre = [0.42, 0.42, -0.005], sides = [0.02, 0.02, 0.02] }";
        for (solid, expected) in [(rod, "capsule"), (corner, "cuboid")] {
            let Some(Buried::Across { number: 0, kind, count, depth }) = of(solid, itself) else { panic!("not across: {solid}") };
            assert!(kind == expected && count > 0 && count <= 2 && depth > 2e-3 && depth < 5.001e-3, "{count} {depth}");
            assert_eq!(of(solid, ""), None);
            assert_eq!(of(solid, &format!("{itself}solids = \"particles\"\n")), None);
        }
        assert_eq!(of(&corner.replace("-0.005", "-0.0105"), itself), None, "half a millimetre below");
    }

    #[test]
    fn a_crossing_with_a_body_names_both_triangles() {
        let text = format!(
            "{TOP}[self_collision]\nthickness = 1e-3\n[[solid]]\nmesh = {{ file = 'a.obj', scale = 0.1, at = [0.41, 0.41, -0.03] }}"
        );
        let mut scene = Scene::parse(&text).unwrap();
        let cube = read_obj(CUBE, &scene.bodies[0].placement.into()).unwrap();
        scene.bodies[0].take(&cube);
        let model = scene.model().unwrap();
        let x = model.rest();
        let refusal = scene.run_of(model.clone(), State::at_rest(x.clone())).map(drop).unwrap_err();
        let buried = scene.crossing(&model, &x, &refusal).unwrap();
        let Buried::Body { triangle, number: 0, of_body, count, depth } = buried else { panic!("{buried:?}") };
        assert!(count == 25 && (depth - 0.07).abs() < 1e-12, "{count} {depth}"); // from 0.31 to 0.51 m, 7 cm below its top
        assert!(triangle < 800 && of_body < 12, "{triangle} {of_body}");
        assert_eq!(scene.crossing(&model, &x, &ModelError::AllHeld), None);
    }
}
