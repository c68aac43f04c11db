//! How a scene's cloth meets itself and its solids, as it is written: the section `self_collision`, and `contact`.

use super::friction::OwnFriction;
use super::key::{named, section};
use cloth::contact::{Friction, SelfCollision};
use cloth::quantity::Positive;
use cloth::run::SolidReach;

section! {
    /// Collisions of the cloth with itself.
    pub(super) struct SelfCollisionSection = "a section with thickness" {
        thickness["m"]: Positive,
        friction: Option<OwnFriction>,
        pub solids: Option<SolidReach>,
    }
}

named!(SolidReach);

impl SelfCollisionSection {
    /// With friction of cloth on cloth as in the scene where it is left out.
    pub fn thickness(self, friction: Friction) -> SelfCollision {
        let friction = self.friction.map_or(friction, OwnFriction::law);
        SelfCollision { distance: self.thickness.get(), friction }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use cloth::Vec3;
    use cloth::contact::{Coulomb, RigidMotion};
    use cloth::run::SolidContact;
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
        assert_eq!(scene.self_collision, Some(SelfCollision { distance: 0.01, friction: Friction::even(0.7) }));
        let reach =
            |solids: &str| read("", &format!("[self_collision]\nthickness = 0.01\n{solids}")).map(|scene| scene.solid_reach);
        assert_eq!(reach(""), Ok(SolidReach::Faces));
        assert_eq!(reach("solids = \"particles\""), Ok(SolidReach::Particles));
        let refused = reach("solids = \"edges\"").unwrap_err();
        assert!(refused.contains("`self_collision.solids` must be \"faces\" or \"particles\", not \"edges\""), "{refused}");
        let of_cloth = |sections: &str| read("", sections).unwrap().self_collision.unwrap().friction;
        assert_eq!(of_cloth("[self_collision]\nthickness = 0.01"), Friction::default(), "that of the scene");
        let smooth = Friction::Coulomb(Coulomb { still: 0.2, sliding: 0.1, ..Coulomb::default() });
        assert_eq!(of_cloth("[self_collision]\nthickness = 0.01\n[friction.coulomb]\nmu_s = 0.2\nmu_k = 0.1"), smooth);
        assert_eq!(of_cloth("[self_collision]\nthickness = 0.01\nfriction.coulomb = { mu_s = 0.2, mu_k = 0.1 }"), smooth);
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
        assert_eq!((scene.solids[0].1.clone(), scene.solid_contact), (expected, SolidContact::Positions));
        assert_eq!(Friction::Sticking.sliding(), f64::INFINITY);
        assert_eq!(Friction::Coulomb(Coulomb { sliding: 0.4, ..Coulomb::default() }).sliding(), 0.4);
    }

    #[test]
    fn solids_are_met_by_constraints_where_a_scheme_has_them_and_nothing_moves() {
        let solid_contact = |top: &str, sections: &str| read(top, sections).map(|scene| scene.solid_contact);
        let moving = FLOOR.replace(" }", ", motion = { velocity = [0, 0, 1] } }");
        for (integrator, own) in
            [("aimex", SolidContact::Constraints), ("rk4", SolidContact::Positions), ("adaptive-sbdf2", SolidContact::Positions)]
        {
            let top = format!("integrator = \"{integrator}\"");
            assert_eq!(solid_contact(&top, FLOOR), Ok(own));
            assert_eq!(solid_contact(&top, &moving), Ok(SolidContact::Positions));
            assert_eq!(solid_contact(&format!("{top}\ncontact = \"positions\""), FLOOR), Ok(SolidContact::Positions));
            for (name, contact) in [("constraints", SolidContact::Constraints), ("alterations", SolidContact::Alterations)] {
                let asked = format!("{top}\ncontact = \"{name}\"");
                let met = solid_contact(&asked, FLOOR);
                assert_eq!(met.ok(), (own == SolidContact::Constraints).then_some(contact), "{integrator}");
                assert!(solid_contact(&asked, &moving).unwrap_err().contains("take solids to be at rest"));
            }
        }
        let beside = solid_contact("inextensible = \"pbd\"\ncontact = \"alterations\"", FLOOR);
        assert!(beside.unwrap_err().contains("has no linear system whose positions could be altered"));
        assert_eq!(solid_contact("inextensible = \"pbd\"", FLOOR), Ok(SolidContact::Constraints));
        let beside = format!("{FLOOR}[self_collision]\nthickness = 0.01");
        assert_eq!(solid_contact("integrator = \"aimex\"", &beside), Ok(SolidContact::Positions));
        assert_eq!(solid_contact("integrator = \"aimex\"\ncontact = \"constraints\"", &beside), Ok(SolidContact::Constraints));
    }

    #[test]
    fn altered_positions_lead_out_of_a_solid_without_a_velocity() {
        for (contact, leaves) in [("constraints", true), ("alterations", false)] {
            let scene = read(&format!("contact = \"{contact}\""), &FLOOR.replace("-0.05", "0.01")).unwrap();
            let mut run = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
            run.step().unwrap();
            let depth = 0.01 - run.state().x[0].z;
            assert!((depth - 0.001).abs() < 1e-6, "{contact}: {depth}");
            assert_eq!(run.state().v[0].z > 0.1, leaves, "{contact}: {}", run.state().v[0].z);
        }
    }

    /// Cloth that falls on a floor, under every scheme: it comes to rest there, and does not go through.
    #[test]
    fn every_scheme_meets_solids() {
        for name in names("integrator") {
            let keys = if ["imex", "sbdf2"].contains(&name) { "implicit = [\"stretch\"]" } else { "" };
            let soft =
                "[material]\nstretch = { stiffness = 5, damping = 0.1 }\nshear = { stiffness = 1, damping = 0.1 }\nbend = 0";
            let scene = read("contact = \"positions\"", &format!("[integrator.{name}]\n{keys}\n{soft}\n{FLOOR}")).unwrap();
            let mut simulation = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
            assert!(simulation.contacts().is_none() && simulation.collisions().is_some());
            for _ in 0..scene.steps() {
                simulation.step().unwrap();
                if name != "forward-euler" {
                    assert!(simulation.state().x.iter().all(|x| x.z > -0.05 - 1e-12), "{name}");
                }
            }
            assert!(simulation.collisions().unwrap().collision_work().changed > 20, "{name}");
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
            (
                "contact = \"springs\"",
                FLOOR,
                "`contact` must be \"constraints\", \"alterations\" or \"positions\", not \"springs\"",
            ),
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
        let refused = thick.run(State::at_rest(thick.model().unwrap().rest())).map(drop).unwrap_err();
        assert_eq!(refused.to_string(), "a thickness of 0.06 m must be below half of the shortest edge, which is 0.1 m long");
    }
}
