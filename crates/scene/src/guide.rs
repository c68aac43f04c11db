//! Particles of a scene that move along a line or in a plane only, as it is written: the sections `guide`.

use std::collections::HashSet;

use toml::Spanned;

use super::key::section;
use super::mistake::{Place, Problem, SceneError};
use super::pins::Naming;
use super::range::Direction;
use super::section::Keyed;
use super::subject::Subject;
use cloth::Track;

section! {
    pub(super) struct GuideSection = "[[guide]] sections, each with pins, and line or plane" {
        pins: Vec<Spanned<toml::Value>>,
        line: Option<Direction>,
        plane: Option<Direction>,
    }
}

/// The guided particles of a scene.
#[derive(Default)]
pub(super) struct Guided {
    /// Each with its track.
    pub tracks: Vec<(usize, Track)>,
    /// Where the first section stands that has some.
    pub place: Option<usize>,
}

/// The guided particles of a scene.
pub(super) fn guides(
    subject: &Subject,
    text: &str,
    naming: &Naming<'_>,
    sections: Vec<Spanned<Keyed<GuideSection>>>,
) -> Result<Guided, SceneError> {
    let (held, mut guided) = (subject.held(), HashSet::new());
    let mut found = Guided::default();
    for section in sections {
        let start = section.span().start;
        let mistake = |offset, problem| SceneError { place: Some(Place::at(text, offset)), problem };
        let GuideSection { pins, line, plane } = section.into_inner().0;
        let track = match (line, plane) {
            (Some(Direction(along)), None) => Track::Line(along),
            (None, Some(Direction(across))) => Track::Plane(across),
            _ => return Err(mistake(start, Problem::GuideWays)),
        };
        for (pin, offset) in naming.pins(text, "guide.pins", pins)? {
            let Ok(particle) = subject.particle(pin) else { continue }; // each of them has one
            if held.contains(&particle) {
                return Err(mistake(offset, Problem::GuideOfPin { pin }));
            }
            if !guided.insert(particle) {
                return Err(mistake(offset, Problem::GuideTwice { pin }));
            }
            found.place.get_or_insert(start);
            found.tracks.push((particle, track));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::*;
    use cloth::triangles::TriangleMesh;
    use cloth::{ModelError, State, Vec3};

    const TOP: &str = "step = 0.005\nduration = 0.5\npins = [8]\n";
    const GRID: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";
    const RAIL: &str = "[[guide]]\npins = ['top-right', [1, 2]]\nline = [3, 0, 0]\n";

    fn read(sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{sections}")).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn rings_slide_on_a_rail_under_explicit_and_implicit_integrators() {
        let wall = "[[guide]]\npins = [3]\nplane = [0, 0, 0.5]\n";
        let scene = read(&format!("{GRID}{RAIL}{wall}")).unwrap();
        assert_eq!(scene.guides, [(11, Track::Line(Vec3::x())), (9, Track::Line(Vec3::x())), (3, Track::Plane(Vec3::z()))]);
        for integrator in ["rk4", "backward-euler", "bogacki-shampine"] {
            let scene = Scene::parse(&format!("integrator = '{integrator}'\n{TOP}{GRID}{RAIL}{wall}")).unwrap();
            let start = State::at_rest(scene.model().unwrap().rest());
            let mut simulation = scene.run(start.clone()).unwrap();
            (0..scene.steps()).for_each(|_| drop(simulation.step().unwrap()));
            let (x, rest) = (&simulation.state().x, &start.x);
            assert!([9, 11].iter().all(|&i| x[i].y == rest[i].y && x[i].z == 0.0 && x[i].x != rest[i].x), "{integrator} {x:?}");
            assert!(x[3].z == 0.0 && x[3].y != rest[3].y && x[2].z < -0.01, "{integrator} {x:?}");
            let fast = State { v: vec![Vec3::z(); 12], ..start };
            let refused = scene.run(fast).map(drop);
            assert_eq!(refused, Err(ModelError::OffGuide { particle: 11 }));
        }
    }

    #[test]
    fn guides_of_a_mesh_from_a_file_are_checked_when_it_is_read() {
        let obj = "[mesh.obj]\nfile = 'a.obj'\n[[guide]]\npins = [11]\nline = [1, 0, 0]\n";
        let text = format!("{TOP}{obj}");
        let on = |mesh: TriangleMesh| Scene::parse_on(&text, &mesh.into());
        let refused = on(TriangleMesh::regular(2, 5, 1.0, 1.0).unwrap()).unwrap_err().to_string();
        assert_eq!(refused, "line 7, `pins = [11]`: the pin 11 lies outside the mesh of 10 particles; the first particle is 0");
        let scene = on(TriangleMesh::regular(3, 4, 1.0, 1.0).unwrap()).unwrap();
        assert!(scene.run(State::at_rest(scene.model().unwrap().rest())).is_ok());
    }

    #[test]
    fn contradictory_pins_are_refused_with_their_line() {
        let alone = "[[guide]]\npins = [1]\n";
        let ways = "line 8, `[[guide]]`: `guide` takes a line or a plane: give one of them, and only one";
        let held = "line 9, `pins = [0, 8]`: `pins` at the top hold 8 already: take it out of them, or out of `guide`";
        for (sections, expected) in [
            (alone.to_owned(), ways),
            (format!("{alone}line = [1, 0, 0]\nplane = [1, 0, 0]"), ways),
            ("[[guide]]\npins = [0, 8]\nline = [1, 0, 0]".to_owned(), held),
            (
                format!("{alone}line = [1, 0, 0]\n{alone}plane = [0, 1, 0]"),
                "line 12, `pins = [1]`: `guide` holds 1 in two ways: take it out of one of them",
            ),
            (format!("{alone}line = [0, 0, 0]"), "line 10, `line = [0, 0, 0]`: `guide.line` must not be all zero"),
            ("[[guide]]\nline = [1, 0, 0]".to_owned(), "line 8, `[[guide]]`: the key `pins` is missing in [guide]; add it"),
            (format!("{alone}along = 1"), "line 10, `along = 1`: unknown key `along`; known here: pins, line, plane"),
            (
                format!("{RAIL}[self_collision]\nthickness = 0.01"),
                "line 8, `[[guide]]`: `guide` and [self_collision] cannot stand together, which would move particles off their",
            ),
            (
                format!("{RAIL}[[solid]]\nsphere = {{ centre = [0, 0, -9], radius = 1, motion = {{ velocity = [0, 0, 1] }} }}"),
                "line 8, `[[guide]]`: `guide` and `contact = \"positions\"` cannot stand together",
            ),
            (format!("{RAIL}[inextensible.pbd]"), "line 8, `[[guide]]`: `guide` and `inextensible` cannot stand together"),
        ] {
            let message = read(&format!("{GRID}{sections}")).expect_err(expected);
            assert!(message.starts_with(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
    }
}
