//! Where a scene's cloth tears, as it is written: the section `tearing`.

use toml::Spanned;

use super::key::{named, section};
use super::mistake::{Place, Problem, SceneError};
use super::pins::{Naming, index};
use super::range::Stretch;
use super::section::Keyed;
use cloth::ModelError;
use cloth::run::{Tear, TearMode};
use cloth::tearing::TearLimits;

section! {
    pub(super) struct TearingSection = "a section with limit" {
        limit: Stretch,
        mode: Option<TearMode>,
        #[serde(default)]
        seam: Vec<Spanned<Keyed<SeamSection>>>,
    }
}

section! {
    /// A row of particles, named one by one or as a row or a column of points, and its limit.
    struct SeamSection = "[[tearing.seam]] sections, each with limit and particles, a row or a column" {
        limit: Spanned<Stretch>,
        #[serde(default)]
        particles: Vec<Spanned<toml::Value>>,
        row: Option<Spanned<usize>>,
        column: Option<Spanned<usize>>,
    }
}

named!(TearMode);

impl TearingSection {
    /// The section on a mesh whose particles are named so.
    pub fn tear(self, text: &str, naming: &Naming<'_>) -> Result<Tear, SceneError> {
        let refused = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
        let Stretch(limit) = self.limit;
        let mut limits = TearLimits::new(limit).map_err(|invalid| refused(0, Problem::Mesh(invalid)))?; // never: of its range
        for section in self.seam {
            let start = section.span().start;
            let SeamSection { limit: own, particles, row, column } = section.into_inner().0;
            let (place, Stretch(own)) = (own.span().start, own.into_inner());
            if own >= limit {
                return Err(refused(place, Problem::StrongSeam { seam: own, cloth: limit }));
            }
            let pins = naming.pins(text, "tearing.seam.particles", particles).map_err(of_seam)?;
            let mut named: Vec<usize> = pins.into_iter().filter_map(|(pin, _)| index(pin)).collect();
            let lines = [row.map(|row| (row, "row")), column.map(|column| (column, "column"))];
            for (line, key) in lines.into_iter().flatten() {
                let (offset, line) = (line.span().start, line.into_inner());
                named.extend(naming.line(key, line).map_err(|problem| refused(offset, problem))?);
            }
            if named.is_empty() {
                return Err(refused(start, Problem::EmptySeam));
            }
            limits = limits.with_seam(named, own).map_err(|invalid| refused(place, Problem::Mesh(invalid)))?;
        }
        Ok(Tear { limits, mode: self.mode.unwrap_or_default() })
    }
}

/// A particle outside the mesh as a seam has it.
fn of_seam(mistake: SceneError) -> SceneError {
    match mistake.problem {
        Problem::PinOfMesh(ModelError::PinOfMesh { pin, particles }) => {
            SceneError { problem: Problem::SeamOfMesh { particle: pin, particles }, ..mistake }
        }
        _ => mistake,
    }
}

#[cfg(test)]
mod tests {
    use cloth::{State, System};

    use super::super::{Scene, Subject};
    use super::*;
    use cloth::run::{Model, Run, SolidContact};

    const TOP: &str = "step = 2e-3\nduration = 0.5\n";
    const GRID: &str = "[mesh]\nnx = 5\nny = 4\nspacing = 0.1\n";
    const CENTRED: &str = "[mesh.centred]\nnx = 4\nny = 5\nwidth = 0.3\nheight = 0.4\n";
    const LIMIT: &str = "[tearing]\nlimit = 1.5\n";

    fn read(parts: &[&str]) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{}", parts.join("\n"))).map_err(|mistake| mistake.to_string())
    }

    fn limits(parts: &[&str]) -> TearLimits {
        read(parts).unwrap().tearing.unwrap().limits
    }

    #[test]
    fn every_key_reaches_its_quantity() {
        assert_eq!(read(&[GRID]).unwrap().tearing, None);
        let tear = read(&[GRID, LIMIT]).unwrap().tearing.unwrap();
        assert_eq!(tear, Tear { limits: TearLimits::new(1.5).unwrap(), mode: TearMode::Open });
        assert_eq!(read(&[GRID, LIMIT, "mode = \"simple\""]).unwrap().tearing.unwrap().mode, TearMode::Simple);
        let seam = "[[tearing.seam]]\nlimit = 1.25\n";
        let with = |particles: &[usize]| TearLimits::new(1.5).unwrap().with_seam(particles.iter().copied(), 1.25).unwrap();
        for mesh in [GRID, CENTRED] {
            let nx = if mesh == GRID { 5 } else { 4 };
            let row: Vec<usize> = (0..nx).map(|i| 2 * nx + i).collect();
            assert_eq!(limits(&[mesh, LIMIT, seam, "row = 2"]), with(&row));
            let column: Vec<usize> = (0..if mesh == GRID { 4 } else { 5 }).map(|j| 1 + j * nx).collect();
            assert_eq!(limits(&[mesh, LIMIT, seam, "column = 1"]), with(&column));
            assert_eq!(limits(&[mesh, LIMIT, seam, "particles = [3, [1, 1]]"]), with(&[3, nx + 1]));
        }
        let two = limits(&[GRID, LIMIT, seam, "row = 1\n[[tearing.seam]]\nlimit = 1.1\nparticles = [\"top\"]"]);
        assert_eq!([two.of(1, 6), two.of(11, 16), two.of(15, 16)], [1.25, 1.1, 1.5]);
    }

    #[test]
    fn a_grid_that_tears_is_springs_on_quads() {
        let scene =
            read(&["pins = [\"top\", [0, 0]]", GRID, LIMIT, "[material]\ndensity = 2\nshear = { stiffness = 7 }"]).unwrap();
        let Model::Springs(net, mesh) = scene.model().unwrap() else { panic!("no springs") };
        assert!(mesh.has_quads() && mesh.faces().count() == 12);
        assert_eq!((net.springs()[31].elastic.stiffness, net.stretch_springs().len()), (7.0, 31));
        let held: Vec<usize> = (0..20).filter(|k| net.pinned()[*k]).collect();
        assert_eq!(held, [0, 15, 16, 17, 18, 19]);
        assert!((net.masses().iter().sum::<f64>() - 2.0 * 0.12).abs() < 1e-15);
        let Subject::Triangles(_) = scene.subject else { panic!("a grid") };
    }

    #[test]
    fn mistakes_are_named_with_line_and_remedy() {
        let seam = |keys: &str| format!("[[tearing.seam]]\n{keys}");
        let obj = "[mesh.obj]\nfile = \"a.obj\"\n";
        let collision = "[self_collision]\nthickness = 0.01\n";
        for (parts, expected) in [
            (vec![GRID, "[tearing]"], "the key `limit` is missing in [tearing]; add it: a finite number above 1"),
            (vec![GRID, "[tearing]\nlimit = 0.9"], "`limit = 0.9`: `tearing.limit` must be a finite number above 1, not 0.9"),
            (vec![GRID, "[tearing]\nlimit = 1"], "`tearing.limit` must be a finite number above 1, not 1"),
            (vec![GRID, LIMIT, "mode = \"rip\""], "`tearing.mode` must be \"open\" or \"simple\", not \"rip\""),
            (vec![GRID, LIMIT, &seam("row = 1")], "the key `limit` is missing in [tearing.seam]"),
            (vec![GRID, LIMIT, &seam("limit = 1.2")], "a [[tearing.seam]] goes along particles: add `particles`, a `row`"),
            (
                vec![GRID, LIMIT, &seam("limit = 1.5\nrow = 1")],
                "`limit = 1.5`: `tearing.seam.limit` must be below the limit of the cloth, which is 1.5, not 1.5",
            ),
            (vec![GRID, LIMIT, &seam("limit = 1.2\nrow = 4")], "`tearing.seam.row` must be below 4, the first one is 0, not 4"),
            (vec![GRID, LIMIT, &seam("limit = 1.2\ncolumn = -1")], "`tearing.seam.column` must be a whole number, zero or above"),
            (vec![GRID, LIMIT, &seam("limit = 1.2\nparticles = [20]")], "a seam names the particle 20, and the mesh has 20"),
            (vec![obj, LIMIT, &seam("limit = 1.2\nrow = 0")], "a mesh from a file has none: name its `particles`"),
            (vec!["pins = [20]", GRID, LIMIT], "the pin 20 lies outside the mesh of 20 particles"),
            (vec![CENTRED, LIMIT, "mode = \"simple\""], "a continuum has none: take \"open\", or `material.model = \"springs\"`"),
            (
                vec![GRID, LIMIT, collision],
                "`self_collision` keeps cloth from itself, and the two sides of a tear begin at one place",
            ),
            (vec!["integrator = \"aimex\"", GRID, LIMIT, "[repulsion]"], "take `repulsion` or `tearing` out"),
            (
                vec![GRID, LIMIT, "[[guide]]\npins = [0]\nline = [1, 0, 0]"],
                "`guide` says nothing of the particles and borders that `tearing` makes: take `guide` or `tearing` out",
            ),
            (
                vec![CENTRED, LIMIT, "[material]\nmodel = \"springs\"\nmasses = { hem = 2 }"],
                "`material.masses` says nothing of the particles and borders that `tearing` makes: take",
            ),
            (
                vec!["integrator = \"aimex\"\ncontact = \"constraints\"", GRID, LIMIT, FLOOR],
                "cloth that tears gets more of them: take `contact = \"positions\"`",
            ),
            (
                vec![GRID, LIMIT, "[material]\nextension_tolerance = 0"],
                "`material.extension_tolerance` has no meaning for springs on a grid that tears",
            ),
            (
                vec![GRID, LIMIT, "[material]\nmasses = \"equal\""],
                "`material.masses` has no meaning for springs on a grid that tears",
            ),
            (vec![GRID, LIMIT, "[material]\nmodel = \"continuum\""], "`material.model` has no meaning for springs on a grid"),
        ] {
            let message = read(&parts).map(drop).expect_err(expected);
            assert!(message.contains(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
        let parts = [obj, LIMIT, &seam("limit = 1.2\nparticles = [9]")];
        assert!(read(&parts).is_ok(), "the mesh is still to be read");
        let mesh = cloth::triangles::TriangleMesh::regular(3, 3, 1.0, 1.0).unwrap();
        let refused = Scene::parse_on(&format!("{TOP}{}", parts.join("\n")), &mesh.into()).map(drop).unwrap_err().to_string();
        assert!(refused.contains("`particles = [9]`: ") && refused.contains("a seam names the particle 9"), "{refused}");
    }

    const FLOOR: &str = "[[solid]]\nplane = { point = [0, 0, -0.3], normal = [0, 0, 1], motion = { velocity = [0, 0, 0.1] } }\n";
    const SOFT: &str =
        "[material]\ndensity = 1\nstretch = { stiffness = 2, damping = 0.02 }\nshear = { stiffness = 2 }\nbend = 1e-4\n";
    const STRIPPED: &str = "[material]\ndensity = 1\nshear = { stiffness = 1 }\nbend = 1e-4\n";

    const DRAWN: &str = "[[motion]]\npins = [\"top\"]\nvelocity = [0, 10, 0]\nuntil = 0.05\n";

    fn run(parts: &[&str]) -> Run {
        let scene = read(parts).unwrap();
        let mut simulation = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
        let mut work = simulation.work();
        for _ in 0..scene.steps() {
            simulation.step().unwrap();
            assert_eq!(simulation.state().particle_count(), simulation.model().system().particle_count());
            assert!(simulation.work().solves >= work.solves); // counts go on over tears
            work = simulation.work();
        }
        assert!(simulation.failed().is_none() && simulation.steps() == scene.steps());
        simulation
    }

    #[test]
    fn a_run_goes_on_over_its_tears() {
        let top = "pins = [\"top\"]\n";
        for (integrator, others) in [
            ("integrator = \"fb-euler\"", ""),
            ("integrator = \"bdf2\"", ""),
            ("integrator = \"backward-euler\"\nsolver = \"direct\"", "[adaptive_steps]\nstretch_limit = 3\n"),
        ] {
            for mesh in [GRID, CENTRED] {
                let simulation = run(&[top, integrator, mesh, SOFT, LIMIT, others, FLOOR]);
                let torn = simulation.torn().unwrap();
                assert!(torn.count > 0 && torn.mode == TearMode::Open, "{integrator}, {mesh}: {torn:?}");
                assert_eq!(torn.parents.len() as u64, torn.count);
                assert!(simulation.model().parts() > 1);
                // what falls lies on the floor, which goes on rising: -0.3 + 0.1 * 0.5
                let lowest = simulation.state().x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
                assert!((lowest + 0.25).abs() < 1e-9, "{integrator}, {mesh}: {lowest}");
                assert_eq!(simulation.collisions().map(|colliding| colliding.collision_work().changed > 50), Some(true));
            }
        }
        assert_eq!(
            read(&["integrator = \"backward-euler\"", GRID, LIMIT, FLOOR]).unwrap().solid_contact,
            SolidContact::Positions
        );
    }

    #[test]
    fn springs_leave_and_particles_stay_in_the_simple_mode() {
        let simulation = run(&["pins = [\"top\"]\nintegrator = \"backward-euler\"", GRID, SOFT, LIMIT, "mode = \"simple\""]);
        let torn = simulation.torn().unwrap();
        assert!(torn.count > 0 && torn.parents.is_empty());
        assert_eq!(simulation.state().particle_count(), 20);
        assert!(simulation.model().parts() > 1);
    }

    /// One sweep a step leaves edges too long beside pins that are drawn away: they tear, and the method goes on with those of the
    /// torn mesh.
    #[test]
    fn a_constraint_method_goes_on_with_the_edges_that_are_left() {
        for mode in ["open", "simple"] {
            let tearing = format!("[tearing]\nlimit = 1.05\nmode = \"{mode}\"\n[inextensible.pbd]\niterations = 1\n{DRAWN}");
            let top = "pins = [\"top\"]\nintegrator = \"backward-euler\"";
            let tall = "[mesh]\nnx = 5\nny = 12\nspacing = 0.1\n";
            let simulation = run(&[top, tall, STRIPPED, &tearing]);
            let (filtered, torn) = (simulation.filter().unwrap(), simulation.torn().unwrap());
            assert!(torn.count > 0, "{mode}");
            assert_eq!(filtered.filter_work().steps, simulation.steps());
            let edges = filtered.method().constraints().edges().len();
            let sides = simulation.model().sides();
            assert_eq!(edges + 4, sides.len(), "{mode}"); // but for those between pins
            assert_eq!(sides.len() > 4 * 12 + 5 * 11, mode == "open");
        }
    }
}
