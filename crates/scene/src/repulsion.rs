//! How a scene's sheet repels itself, as it is written: the section `repulsion`.

use super::key::section;
use cloth::Elastic;
use cloth::contact::RepulsionLaw;
use cloth::quantity::{NonNegative, Positive};

section! {
    /// What is left out is as in [`RepulsionLaw::of_mesh`].
    #[derive(Default)]
    pub(super) struct RepulsionSection = "a section" {
        distance: Option<Positive>,
        stiffness["N/m"]: Option<NonNegative>,
        damping["N s/m"]: Option<NonNegative>,
        limit: Option<Positive>,
    }
}

impl RepulsionSection {
    /// The law for a mesh of `spacing` \[m\].
    pub fn law(self, spacing: f64) -> RepulsionLaw {
        let law = RepulsionLaw::of_mesh(spacing);
        RepulsionLaw {
            distance: self.distance.map_or(law.distance, |spacings| spacings.get() * spacing),
            spring: Elastic {
                stiffness: self.stiffness.map_or(law.spring.stiffness, NonNegative::get),
                damping: self.damping.map_or(law.spring.damping, NonNegative::get),
            },
            limit: self.limit.map_or(law.limit, Positive::get),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::super::keys::names;
    use super::*;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.5\n";

    fn read(sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{MESH}{sections}")).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn every_key_of_repulsion_reaches_its_law() {
        let law = |section: &str| read(&format!("[integrator.aimex]\n{section}")).unwrap().repulsion;
        assert_eq!(law(""), None);
        assert_eq!(law("[repulsion]"), Some(RepulsionLaw::of_mesh(0.5)));
        let expected = RepulsionLaw { distance: 2.0, spring: Elastic { stiffness: 5.0, damping: 6.0 }, limit: 7.0 };
        assert_eq!(law("[repulsion]\ndistance = 4\nstiffness = 5\ndamping = 6\nlimit = 7"), Some(expected));
    }

    #[test]
    fn repulsion_is_had_or_refused_by_name() {
        for name in names("integrator") {
            let keys = if ["imex", "sbdf2"].contains(&name) { "implicit = []" } else { "" };
            let read = read(&format!("[integrator.{name}]\n{keys}\n[repulsion]"));
            if ["backward-euler", "imex", "aimex"].contains(&name) {
                let scene = read.unwrap();
                let start = cloth::State::at_rest(scene.model().unwrap().rest());
                let simulation = scene.run(start).unwrap();
                assert_eq!(simulation.repulsion().map(|repulsion| *repulsion.law()), Some(RepulsionLaw::of_mesh(0.5)));
            } else {
                assert_eq!(
                    read.unwrap_err(),
                    format!(
                        "line 9, `[repulsion]`: cloth repels itself under the integrators backward-euler, imex and aimex, not under \
                         {name}: change `integrator`, or take the section out"
                    )
                );
            }
        }
    }

    #[test]
    fn mistakes_in_repulsion_are_named_with_line_and_key() {
        for (line, expected) in [
            ("distance = 0", "`repulsion.distance` must be a finite number above zero, not 0"),
            ("stiffness = -1", "`repulsion.stiffness` [N/m] must be a finite number, zero or above, not -1"),
            ("damping = nan", "`repulsion.damping` [N s/m] must be a finite number, zero or above, not NaN"),
            ("limit = \"low\"", "`repulsion.limit` must be a finite number above zero, not \"low\""),
            ("radius = 1", "unknown key `radius`; known here: distance, stiffness, damping, limit; `radius` belongs in"),
        ] {
            let message = read(&format!("[integrator.aimex]\n[repulsion]\n{line}")).unwrap_err();
            assert!(message.starts_with(&format!("line 9, `{line}`: {expected}")), "{message}");
        }
        let message = Scene::parse(&format!("{TOP}integrator = \"aimex\"\nrepulsion = [0.6]\n{MESH}")).unwrap_err().to_string();
        assert_eq!(message, "line 4, `repulsion = [0.6]`: `repulsion` must be a section, not [0.6]");
    }
}
