//! Solids that pass through cloth between its particles, told before a run.

use std::fmt;

use cloth::Vec3;
use cloth::contact::Solid;
use cloth::run::Run;
use scene::{Scene, Subject};

use super::limit::short_of;
use super::summary::given;

/// A solid that only particles meet, and whose finest feature is not above the spacing of the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unseen {
    /// Its number among the solids of the scene that are no meshes, from 0.
    number: usize,
    /// What it is, and its radius \[m\]; a sharp edge has none.
    kind: &'static str,
    radius: Option<f64>,
    /// Between particles of the cloth at most \[m\].
    spacing: f64,
}

impl Unseen {
    /// The solids of a scene that its cloth, where it begins, does not see; none where faces are met.
    pub fn all(scene: &Scene, simulation: &Run) -> Vec<Unseen> {
        if scene.solids_meet_faces() {
            return vec![];
        }
        let spacing = spacing(scene, simulation);
        let unseen = |(number, (solid, _)): (usize, &(Solid, _))| {
            let (kind, radius) = feature(solid)?;
            (radius.is_none_or(|radius| radius <= spacing)).then_some(Unseen { number, kind, radius, spacing })
        };
        scene.solids.iter().enumerate().filter_map(unseen).collect()
    }
}

/// A kind by its name in scenes and its radius, if it is round everywhere; none of what has no feature.
fn feature(solid: &Solid) -> Option<(&'static str, Option<f64>)> {
    match *solid {
        Solid::Plane { .. } => None,
        Solid::Cuboid { .. } => Some(("cuboid", None)),
        Solid::Cylinder { .. } => Some(("cylinder", None)),
        Solid::Sphere { radius, .. } => Some(("sphere", Some(radius))),
        Solid::Capsule { radius, .. } => Some(("capsule", Some(radius))),
    }
}

/// The spacing of a grid, or the longest side of a triangle as the run begins \[m\].
fn spacing(scene: &Scene, simulation: &Run) -> f64 {
    if let Subject::Sheet(sheet) = &scene.subject {
        return sheet.grid.spacing();
    }
    let x = &simulation.state().x;
    let length = |i: u32, j: u32| -> f64 { Vec3::norm(&(x[i as usize] - x[j as usize])) };
    let faces = simulation.model().surface().corners();
    faces.iter().flat_map(|&[a, b, c]| [length(a, b), length(b, c), length(c, a)]).fold(0.0, f64::max)
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Unseen { number, kind, radius, spacing } = *self;
        let spacing = given(short_of(spacing));
        write!(f, "solid {}, a {kind}, meets particles alone, which are {spacing} m apart: ", number + 1)?;
        match radius {
            Some(radius) => write!(
                f,
                "faces between them may pass through it, whose radius is {} m; let it meet faces by [self_collision], or take a spacing below that",
                given(radius)
            ),
            None => {
                write!(
                    f,
                    "its edges may stick out of the faces between them by half of that; let it meet faces by [self_collision]"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::State;

    fn told(sections: &str) -> Vec<String> {
        let text = format!("step = 1e-3\nduration = 0.5\n[mesh]\nnx = 4\nny = 4\nspacing = 0.1\n{sections}");
        let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}: {text}"));
        let model = scene.model().unwrap();
        let start = State::at_rest(model.rest());
        let run = scene.run_of(model, start).unwrap();
        Unseen::all(&scene, &run).iter().map(Unseen::to_string).collect()
    }

    #[test]
    fn what_faces_do_not_see_is_told_with_the_spacing_at_which_it_shows() {
        let ball = |radius: f64| format!("[[solid]]\nsphere = {{ centre = [0, 0, -1], radius = {radius} }}\n");
        let table = "[[solid]]\ncuboid = { centre = [0, 0, -1], sides = [1, 1, 1] }\n";
        let plane = "[[solid]]\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n";
        assert_eq!(told(&format!("{plane}{}", ball(0.11))), [""; 0]);
        assert_eq!(
            told(&format!("{plane}{}", ball(0.1))),
            [
                "solid 2, a sphere, meets particles alone, which are 0.1 m apart: faces between them may pass through it, whose radius \
                 is 0.1 m; let it meet faces by [self_collision], or take a spacing below that"
            ]
        );
        assert_eq!(
            told(table),
            [
                "solid 1, a cuboid, meets particles alone, which are 0.1 m apart: its edges may stick out of the faces between them by \
                 half of that; let it meet faces by [self_collision]"
            ]
        );
        let colliding = "[self_collision]\nthickness = 0.01\n";
        assert_eq!(told(&format!("{table}{colliding}")), [""; 0]);
        assert_eq!(told(&format!("{table}{colliding}solids = \"particles\"\n")).len(), 1);
    }
}
