//! How a scene's cloth meets itself and its solids, as it is written: the section `self_collision`, and `contact`.

use serde::Deserialize;

use cloth::contact::{Impacts, Thickness};
use cloth::quantity::{NonNegative, Positive};
use cloth::{Invalid, Vec3};

use super::{BodyMesh, Model, Scene};

/// What is left out of friction is as in [`SelfCollisionSection::FRICTION`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelfCollisionSection {
    thickness: Positive,
    friction: Option<NonNegative>,
}

impl SelfCollisionSection {
    /// mu of cloth on cloth \[-\]: an assumption.
    const FRICTION: f64 = 0.3;

    pub fn thickness(self) -> Thickness {
        let friction = self.friction.map_or(SelfCollisionSection::FRICTION, NonNegative::get);
        Thickness { distance: self.thickness.get(), friction }
    }
}

/// How solids are met.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Meeting {
    /// By the scheme or the constraint method: velocities of particles that touch are prescribed \[Boxerman 2003, 3.4.2\].
    Constraints,
    /// After the step, by positions and impulses, see [`Impacts`] \[Stuyck 2018, 5.8\].
    Positions,
}

impl Scene {
    /// What leads a run from x \[m\], shape \[particle_count\], around collisions; none where the cloth passes through itself and
    /// solids are met in another way.
    pub(super) fn impacts(&self, model: &Model, x: &[Vec3]) -> Result<Option<Impacts>, Invalid> {
        let solids = if self.meeting == Meeting::Positions { self.solids.clone() } else { vec![] };
        let bodies = self.bodies.iter().map(BodyMesh::moving).collect();
        let (masses, held) = (model.system().masses(), model.system().pinned());
        let impacts = match self.self_collision {
            Some(thickness) => Impacts::between(masses, held, model.surface().corners(), x, thickness, bodies)?,
            None if solids.is_empty() => return Ok(None),
            None => Impacts::without(masses, held),
        };
        Ok(Some(impacts.with_solids(solids, self.friction.sliding())))
    }
}

#[cfg(test)]
mod tests {
    use cloth::contact::{Coulomb, Friction, RigidMotion};
    use cloth::{Sinusoid, State};

    use super::super::keys::names;
    use super::*;

    const TOP: &str = "step = 5e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    /// The scene with `top` on its third line and `sections` from its eighth one on.
    fn read(top: &str, sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{top}\n{MESH}{sections}")).map_err(|mistake| mistake.to_string())
    }

    const FLOOR: &str = "[[solid]]\nplane = { point = [0, 0, -0.05], normal = [0, 0, 1] }\n";

    #[test]
    fn every_key_reaches_its_quantity() {
        let scene = read("", "[self_collision]\nthickness = 0.01\nfriction = 0.7").unwrap();
        assert_eq!(scene.self_collision, Some(Thickness { distance: 0.01, friction: 0.7 }));
        assert_eq!(read("", "[self_collision]\nthickness = 0.01").unwrap().self_collision.unwrap().friction, 0.3);
        assert_eq!(read("", "").unwrap().self_collision, None);
        let motion = "motion = { turn = [0, 0, 2], about = [1, 2, 3], velocity = [4, 5, 6], until = 7, \
                      amplitude = [8, 9, 10], period = 11 }";
        let ball = format!("[[solid]]\nsphere = {{ centre = [1, 2, 3], radius = 4, {motion} }}\n");
        let path = Some(Sinusoid { amplitude: Vec3::new(8.0, 9.0, 10.0), period: 11.0, until: 7.0 });
        let expected = RigidMotion {
            centre: Vec3::new(1.0, 2.0, 3.0),
            turn: Vec3::new(0.0, 0.0, 2.0),
            velocity: Vec3::new(4.0, 5.0, 6.0),
            path,
            until: 7.0,
            keyframes: None,
        };
        let scene = read("integrator = \"rk4\"", &ball).unwrap();
        assert_eq!((scene.solids[0].1.clone(), scene.meeting), (expected, Meeting::Positions));
        assert_eq!(Friction::Sticking.sliding(), f64::INFINITY);
        assert_eq!(Friction::Coulomb(Coulomb { sliding: 0.4, ..Coulomb::default() }).sliding(), 0.4);
    }

    #[test]
    fn solids_are_met_by_constraints_where_a_scheme_has_them_and_nothing_moves() {
        let meeting = |top: &str, sections: &str| read(top, sections).map(|scene| scene.meeting);
        let moving = FLOOR.replace(" }", ", motion = { velocity = [0, 0, 1] } }");
        for (integrator, own) in
            [("aimex", Meeting::Constraints), ("rk4", Meeting::Positions), ("adaptive-sbdf2", Meeting::Positions)]
        {
            let top = format!("integrator = \"{integrator}\"");
            assert_eq!(meeting(&top, FLOOR), Ok(own));
            assert_eq!(meeting(&top, &moving), Ok(Meeting::Positions));
            assert_eq!(meeting(&format!("{top}\ncontact = \"positions\""), FLOOR), Ok(Meeting::Positions));
            let asked = format!("{top}\ncontact = \"constraints\"");
            assert_eq!(meeting(&asked, FLOOR).is_ok(), own == Meeting::Constraints, "{integrator}");
            assert!(meeting(&asked, &moving).unwrap_err().contains("takes solids to be at rest"));
        }
        assert_eq!(meeting("inextensible = \"pbd\"", FLOOR), Ok(Meeting::Constraints));
        let beside = format!("{FLOOR}[self_collision]\nthickness = 0.01");
        assert_eq!(meeting("integrator = \"aimex\"", &beside), Ok(Meeting::Positions));
        assert_eq!(meeting("integrator = \"aimex\"\ncontact = \"constraints\"", &beside), Ok(Meeting::Constraints));
    }

    /// Cloth that falls on a floor, under every scheme: it comes to rest there, and does not go through.
    #[test]
    fn every_scheme_meets_solids() {
        for name in names("integrator") {
            let keys = if ["imex", "sbdf2"].contains(&name) { "implicit = [\"stretch\"]" } else { "" };
            let soft =
                "[material]\nstretch = { stiffness = 5, damping = 0.1 }\nshear = { stiffness = 1, damping = 0.1 }\nbend = 0";
            let scene = read("contact = \"positions\"", &format!("[integrator.{name}]\n{keys}\n{soft}\n{FLOOR}")).unwrap();
            let mut simulation = scene.simulation(State::at_rest(scene.model().unwrap().rest())).unwrap();
            assert!(simulation.contacts().is_none() && simulation.colliding().is_some());
            for _ in 0..scene.steps() {
                simulation.step();
                if name != "forward-euler" {
                    assert!(simulation.state().x.iter().all(|x| x.z > -0.05 - 1e-12), "{name}");
                }
            }
            assert!(simulation.colliding().unwrap().collision_work().changed > 20, "{name}");
        }
    }

    #[test]
    fn mistakes_are_named_with_line_and_key() {
        for (top, sections, expected) in [
            (
                "",
                "[self_collision]",
                "the key `thickness` is missing in [self_collision]; add it: a finite number above zero [m]",
            ),
            ("", "[self_collision]\nthickness = 0", "`self_collision.thickness` [m] must be a finite number above zero, not 0"),
            (
                "",
                "[self_collision]\nthickness = 0.1\nfriction = -1",
                "`self_collision.friction` must be a finite number, zero or above",
            ),
            (
                "contact = \"positions\"",
                "",
                "line 3, `contact = \"positions\"`: `contact` needs something to touch: add a [[solid]]",
            ),
            ("contact = \"springs\"", FLOOR, "`contact` must be \"constraints\" or \"positions\", not \"springs\""),
            (
                "",
                "[[solid]]\nsphere = { centre = [0, 0, 0], radius = 1, motion = { amplitude = [0, 0, 1] } }",
                "line 8, `[[solid]]`: the key `period` is missing in [solid.sphere.motion]; add it: a finite number above zero [s]",
            ),
            ("", "[[solid]]\nsphere = { centre = [0, 0, 0], radius = 1, motion = 3 }", "`solid.sphere.motion` must be a section"),
        ] {
            let message = read(top, sections).map(drop).expect_err(expected);
            assert!(message.contains(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
        let thick = read("", "[self_collision]\nthickness = 0.06").unwrap();
        let refused = thick.simulation(State::at_rest(thick.model().unwrap().rest())).map(drop).unwrap_err();
        assert_eq!(refused.to_string(), "a thickness of 0.06 m must be below half of the shortest edge, which is 0.1 m long");
    }
}
