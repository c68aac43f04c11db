use cloth::State;
use cloth::run::Run;
use kit::Failure;
use scene::Scene;
use scene::formats::Look;

use super::pictures::{Pictures, solids};

/// A page that plays the scene of a text, which names no files and starts at rest.
///
/// # Errors
/// A mistake in the scene, a picture that cannot be drawn.
pub(crate) fn played(text: &str) -> Result<String, Failure> {
    let refused = |why: &dyn std::fmt::Display| Failure::Usage(why.to_string());
    let scene = Scene::parse(text).map_err(|mistake| refused(&mistake))?;
    let model = scene.model().map_err(|invalid| refused(&invalid))?;
    let start = State::at_rest(model.rest());
    let simulation = scene.run_of(model, start).map_err(|invalid| refused(&invalid))?;
    let pictures = pictured(&scene, simulation);
    let sheet = pictures.sheet(1).svg().map_err(|error| refused(&error))?;
    Ok(pictures.page(&sheet))
}

/// The run of a scene from before its first step, as a page holds it under a name.
pub(crate) fn packed(scene: &Scene, simulation: Run, name: &str) -> String {
    viewer::named(&pictured(scene, simulation).packed(), name)
}

/// What a run shows.
fn pictured(scene: &Scene, mut simulation: Run) -> Pictures {
    let mut look = Look::of(simulation.model());
    let mut pictures = Pictures::new(scene, &simulation, &look, solids(scene, &simulation));
    pictures.watch(&simulation, &look);
    while simulation.steps() < scene.steps() {
        let ended = simulation.step();
        if simulation.torn().is_some() {
            look = Look::of(simulation.model());
        }
        pictures.watch(&simulation, &look);
        if ended.is_err() {
            break;
        }
    }
    pictures.settle(&simulation, &look);
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_played_from_its_text() {
        let scene = "step = 0.01\nduration = 0.1\nintegrator = \"backward-euler\"\npins = [\"left\"]\n[mesh]\nnx = 4\nny = 4\nspacing = 0.1\n[material]\ndensity = 0.2\nstretch = { stiffness = 100.0 }\n";
        let page = played(scene).unwrap();
        assert_eq!((viewer::runs(&page).len(), page.contains("<figure id=\"sheet\"><svg")), (1, true));
        assert_eq!(played(scene).unwrap(), page, "equal scenes give equal bytes");
        assert!(played("step = 1\n").is_err());
    }
}
