//! Constraint methods on meshes of quads and of triangles: quads are a grid without rows, and garments keep their length.

#![allow(clippy::unwrap_used)]

use cloth::contact::Solid;
use cloth::inextensible::EdgeConstraints;
use cloth::run::{Run, Surface};
use cloth::triangles::SpringMaterial;
use cloth::{Family, Figure, Grid, State, Trousers, Vec3};
use scene::{ObjMesh, Reading, Scene, read_keyframes, read_obj, write_obj};

const METHODS: [&str; 9] = [
    "fast-projection",
    "icd",
    "step-and-project",
    "shake",
    "jacobi-limiting",
    "gauss-seidel-limiting",
    "pbd",
    "xpbd",
    "impulse-strips",
];

/// A scene at its start, its mesh from the text of an OBJ file where it names one.
fn begun(text: &str, obj: &str) -> Run {
    let scene = Scene::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    let scene = match scene.obj() {
        Some(_) => {
            let obj = read_obj(obj, &Reading::default()).expect("a mesh");
            Scene::parse_on(text, &obj).unwrap_or_else(|mistake| panic!("{mistake}"))
        }
        None => scene,
    };
    let start = State::at_rest(scene.model().expect("a model").rest());
    scene.run(start).expect("a run")
}

fn obj(surface: Surface<'_>, x: &[Vec3]) -> String {
    let mut bytes = Vec::new();
    write_obj(surface, x, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("text")
}

fn constraints(simulation: &Run) -> &EdgeConstraints {
    simulation.filter().expect("a constraint method").method().constraints()
}

/// A sheet of 7 x 5 particles that falls about a corner, as a grid and as quads.
fn sheets(method: &str) -> [Run; 2] {
    let top = format!("step = 2e-3\nduration = 1\nintegrator = \"fb-euler\"\ninextensible = \"{method}\"\npins = [0]\n");
    let forces = "density = 0.3\nshear = { stiffness = 2.0, damping = 1e-4 }\ncompression = true\ngravity = [1.0, 2.0, -9.0]\n";
    let grid = "[mesh]\nnx = 7\nny = 5\nspacing = 0.1\n[material]\nmasses = \"by-area\"\ndamping = \"plain\"\nbend = 0\n";
    let quads = "[mesh.obj]\nfile = \"a.obj\"\n[material]\nmodel = \"springs\"\nbend = 0\n";
    let sheet = Grid::new(7, 5, 0.1).expect("a sheet");
    let file = obj(Surface::Grid(&sheet), &sheet.flat());
    [grid, quads].map(|mesh| begun(&format!("{top}{mesh}{forces}"), &file))
}

#[test]
fn quads_that_are_a_grid_have_its_constraints_and_run_as_it_does() {
    for method in METHODS {
        let [mut grid, mut quads] = sheets(method);
        let [of_grid, of_quads] = [&grid, &quads].map(|run| constraints(run).clone());
        assert_eq!(of_grid.edges().len(), of_quads.edges().len(), "{method}");
        for (one, other) in of_grid.edges().iter().zip(of_quads.edges()) {
            assert_eq!((one.i, one.j), (other.i, other.j));
            assert!((one.rest - other.rest).abs() < 1e-15, "{one:?} {other:?}");
        }
        let same = |(a, b): (&f64, &f64)| (a / b - 1.0).abs() < 1e-13 || a == b;
        assert!(of_grid.inverse_masses().iter().zip(of_quads.inverse_masses()).all(same), "{method}");
        let (mut apart, mut moved): (f64, f64) = (0.0, 0.0);
        for _ in 0..150 {
            grid.step().unwrap();
            quads.step().unwrap();
            assert!(grid.failed().is_none() && quads.failed().is_none(), "{method}");
            let pairs = grid.state().x.iter().zip(&quads.state().x);
            apart = pairs.map(|(a, b)| (a - b).norm()).fold(apart, f64::max);
            moved = moved.max(grid.state().x[34].z.abs());
        }
        // the strips of a grid are its rows and columns, those of other meshes are trees: within the bound both
        let near = match method {
            "impulse-strips" => 0.01,
            "gauss-seidel-limiting" => 1e-6, // which sweep is the last hangs on rounding
            _ => 1e-11,
        };
        assert!(apart < near && moved > 0.2, "{method}: {apart:e} m apart, {moved} m down");
    }
}

/// Trousers of so many edges around a leg as the text of an OBJ file.
fn garment(around: usize) -> (Trousers, String) {
    let trousers = Trousers::new(around, 0.2).expect("trousers");
    let positions = trousers.rest().iter().map(|x| format!("v {:?} {:?} {:?}\n", x.x, x.y, x.z));
    let faces = trousers.quads().iter().map(|quad| {
        let [a, b, c, d] = quad.map(|corner| corner + 1);
        format!("f {a} {b} {c} {d}\n")
    });
    let text = positions.chain(faces).collect();
    (trousers, text)
}

/// Trousers that hang by their waist in a wind, under a method and of a material.
fn hung(method: &str, material: &str) -> (Trousers, Run) {
    let (trousers, text) = garment(12);
    let top = "step = 1e-3\nduration = 1\nintegrator = \"fb-euler\"\n";
    let pins = format!("inextensible = \"{method}\"\npins = {:?}\n", trousers.waist().collect::<Vec<usize>>());
    let mesh = "[mesh.obj]\nfile = \"a.obj\"\n[material]\ndensity = 0.2\ngravity = [2.0, 1.0, -9.0]\n";
    let simulation = begun(&format!("{top}{pins}{mesh}{material}"), &text);
    (trousers, simulation)
}

#[test]
fn a_garment_keeps_its_length_as_springs_and_as_a_continuum() {
    let springs = "model = \"springs\"\nshear = { stiffness = 0.1, damping = 1e-4 }\n";
    let continuum = "shear = { stiffness = 0.1 }\nbend = 1e-7\n";
    for (material, methods) in [(springs, &METHODS[..]), (continuum, &METHODS[..1])] {
        for method in methods {
            if *method == "icd" {
                continue; // its Newton iteration diverges here, with steps of 0.25 ms too
            }
            let (trousers, mut simulation) = hung(method, material);
            let waist = trousers.waist().len(); // its edges lie between pins
            assert_eq!(constraints(&simulation).edges().len(), trousers.edges().len() - waist, "{method}");
            let (mut candidate, mut kept): (f64, f64) = (0.0, 0.0);
            while simulation.time() < 0.06 {
                simulation.step().unwrap();
                let last = *simulation.filter().unwrap().last();
                assert!(simulation.failed().is_none(), "{method}: {last:?}");
                (candidate, kept) =
                    (candidate.max(last.before), kept.max(constraints(&simulation).largest_strain(&simulation.state().x)));
            }
            let bound = if *method == "xpbd" { 0.05 } else { 0.01 }; // one sweep, which does not aim at it
            assert!(kept <= bound && candidate > 1e-4, "{method}, {material}: {kept} of {candidate}");
            let moved = simulation.state().x.iter().zip(trousers.rest()).map(|(x, rest)| (x - rest).norm()).fold(0.0, f64::max);
            assert!(moved > 5e-3, "{method}: {moved} m");
            assert_eq!(simulation.energies().stretch, 0.0);
        }
    }
}

#[test]
fn quads_have_springs_of_shear_along_both_diagonals_and_rows_that_bend() {
    let sheet = Grid::new(4, 3, 0.5).unwrap();
    let file = obj(Surface::Grid(&sheet), &sheet.flat());
    let ObjMesh { mesh, .. } = read_obj(&file, &Reading::default()).unwrap();
    let net = mesh.springs(&SpringMaterial::default(), &[]).unwrap();
    let of_grid = |family: Family, straight: bool| {
        let springs = sheet.springs().into_iter().filter(move |spring| spring.family == family);
        let mut pairs: Vec<(usize, usize)> =
            springs.filter(|s| !straight || s.rest == 1.0).map(|s| (s.i.min(s.j), s.i.max(s.j))).collect();
        pairs.sort_unstable();
        pairs
    };
    let expected = [of_grid(Family::Stretch, false), of_grid(Family::Shear, false), of_grid(Family::Bend, true)];
    let mut first = 0;
    for (pairs, rest) in expected.iter().zip([0.5, 0.5 * std::f64::consts::SQRT_2, 1.0]) {
        let springs = &net.springs()[first..first + pairs.len()];
        let mut found: Vec<(usize, usize)> = springs.iter().map(|s| (s.i.min(s.j), s.i.max(s.j))).collect();
        found.sort_unstable();
        assert_eq!(found, *pairs);
        assert!(springs.iter().all(|spring| (spring.rest - rest).abs() < 1e-15), "{springs:?}");
        first += pairs.len();
    }
    assert_eq!(first, net.springs().len());
}

#[test]
fn a_side_between_a_quad_and_a_triangle_bends_along_both_of_its_ends() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0.5 0\nf 1 2 3 4\nf 3 2 5\n";
    let net = read_obj(text, &Reading::default()).unwrap().mesh.springs(&SpringMaterial::default(), &[]).unwrap();
    let bend: Vec<(usize, usize, f64)> = net.springs()[8..].iter().map(|s| (s.i, s.j, s.rest)).collect();
    assert_eq!(net.springs().len(), 10, "6 sides, 2 diagonals, 2 across");
    let length = libm::hypot(2.0, 0.5);
    assert!(
        bend.iter().zip([(0, 4), (3, 4)]).all(|(found, pair)| (found.0, found.1) == pair && (found.2 - length).abs() < 1e-15),
        "{bend:?}"
    );
}

#[test]
fn faces_of_more_corners_shear_along_their_fan_and_across_it() {
    let pentagon = read_obj("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 2 0\nv -1 1 0\nf 1 2 3 4 5\n", &Reading::default()).unwrap().mesh;
    let net = pentagon.springs(&SpringMaterial::default(), &[]).unwrap();
    assert_eq!(pentagon.sides().len(), 5);
    let shear: Vec<(usize, usize)> = net.springs()[5..].iter().map(|s| (s.i.min(s.j), s.i.max(s.j))).collect();
    assert_eq!(shear, [(0, 2), (0, 3), (1, 3), (2, 4)]);
}

#[test]
fn triangles_lock_and_quads_do_not() {
    let triangles =
        begun("step = 1\nduration = 1\ninextensible = \"pbd\"\n[mesh.regular]\nnx = 12\nny = 12\nwidth = 1\nheight = 1\n", "");
    let (quads, trousers) = (&sheets("pbd")[1], hung("pbd", "").1);
    // flat sheets of triangles keep three directions and one a border edge
    assert_eq!(constraints(&triangles).freedom(), 3 + 4 * 11);
    assert!(constraints(&triangles).locks() && !constraints(quads).locks() && !constraints(&trousers).locks());
}

#[test]
fn what_does_not_apply_is_refused_in_a_line() {
    let top = "step = 1e-3\nduration = 1\ninextensible = \"pbd\"\n";
    let mesh = "[mesh.obj]\nfile = \"a.obj\"\n[material]\n";
    let triangle = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &Reading::default()).unwrap();
    for (key, value) in [("stretch", "{}"), ("warp", "{}"), ("weft", "{ stiffness = 1 }")] {
        let refused = Scene::parse(&format!("{top}{mesh}{key} = {value}")).unwrap_err().to_string();
        let expected = format!("line 7, `{key} = {value}`: `material.{key}` has no use beside `inextensible`, whose edges");
        assert!(refused.starts_with(&expected), "{refused}");
    }
    let sheared = format!("{top}{mesh}model = \"springs\"\nshear = {{ stiffness = 1 }}");
    assert!(Scene::parse(&sheared).is_ok(), "the mesh may have quads");
    let refused = Scene::parse_on(&sheared, &triangle).unwrap_err().to_string();
    let expected = "line 8, `shear = { stiffness = 1 }`: `material.shear` is of the diagonals of quads where `material.model` is \
                    \"springs\", and the mesh has triangles only: take it out, or join them to quads";
    assert_eq!(refused, expected);
    let refused = Scene::parse_on(&format!("{top}pins = [0, 1, 2]\n{mesh}"), &triangle).unwrap_err().to_string();
    let expected = "line 3, `inextensible = \"pbd\"`: `inextensible` has no edge to act on: every particle is held by a pin; free some of them";
    assert_eq!(refused, expected);
    let regular = "pins = [\"bottom\", \"top\"]\n[mesh.regular]\nnx = 2\nny = 2\nwidth = 1\nheight = 1";
    let refused = Scene::parse(&format!("{top}{regular}")).unwrap_err().to_string();
    assert!(refused.starts_with("line 3, `inextensible = \"pbd\"`: `inextensible` has no edge to act on"), "{refused}");
}

/// A file beside the shipped scenes.
fn shipped(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_shipped_trousers_and_their_figure_are_those_of_the_study() {
    let mut scene = Scene::parse(&shipped("trousers.toml")).unwrap();
    for keyed in scene.keyframes.clone() {
        let keyframes = read_keyframes(&shipped(keyed.file.path.to_str().unwrap())).unwrap();
        scene.take_keyframes(&keyed, keyframes).unwrap();
    }
    assert_eq!(scene.solids.len(), Figure::CAPSULES);
    for step in 0..=scene.steps() / 10 {
        let t = 0.01 * step as f64; // at the key frames
        for ((solid, motion), limb) in scene.solids.iter().zip(Figure::default().capsules(t)) {
            let Solid::Capsule { from, to, radius } = *solid else { panic!("{solid:?}") };
            let pose = motion.pose(t);
            let apart = [(from, limb.from.0), (to, limb.to.0)].map(|(end, expected)| (pose.moved(end) - expected).norm());
            assert!(apart.iter().all(|apart| *apart < 5e-6) && radius == limb.radius, "{t}: {apart:?}");
        }
    }
    let mesh = read_obj(&shipped("trousers.obj"), &Reading::default()).unwrap().mesh;
    let trousers = Trousers::new(28, 0.2).unwrap();
    assert!(mesh.positions().iter().zip(trousers.rest()).all(|(a, b)| (a - b).norm() < 1e-6));
    assert_eq!(mesh.particle_count(), trousers.rest().len());
    let corners: Vec<Vec<usize>> = mesh.faces().map(|face| face.corners().collect()).collect();
    assert_eq!(corners, trousers.quads());
}
