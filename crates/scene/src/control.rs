//! What is wanted of a run, by its forces or by its material, as it is written: the sections `control` and `fit`.

use std::path::PathBuf;

use toml::Spanned;

use super::NamedFile;
use super::key::section;
use super::mistake::{Place, Problem, SceneError};
use super::range::Count;
use super::section::Keyed;
use cloth::Pin;
use cloth::adjoint::Constant;
use cloth::quantity::{NonNegative, Positive};

/// Forces that are to lead the cloth to key frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The particles that are forced, and where the scene names each; none where all that are free are.
    pub particles: Option<Vec<(Pin, Place)>>,
    /// How long each force is constant \[s\], > 0; a step where it is shorter.
    pub interval: f64,
    /// r, what forces cost \[1/N²\], >= 0.
    pub effort: f64,
    /// Most iterations of the search, >= 1.
    pub iterations: u32,
    /// What is wanted, in the order of the file.
    pub keyframes: Vec<Wanted>,
}

/// A key frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// When \[s\], > 0.
    pub time: f64,
    /// Where the scene says so.
    pub place: Place,
    /// The table of places, or the OBJ file, that holds it.
    pub file: NamedFile,
    /// w \[1/m²\], >= 0.
    pub weight: f64,
}

/// Constants of the material that are to make the run a recorded one.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The table, or the PC2 file, of the recorded motion.
    pub motion: NamedFile,
    /// Frames a second of a PC2 file \[1/s\], > 0.
    pub frames_per_second: f64,
    /// The constants, and where the scene names each.
    pub parameters: Vec<(Constant, Place)>,
    /// Most iterations of the search, >= 1.
    pub iterations: u32,
}

/// Each force is constant over this time if nothing is said \[s\].
const INTERVAL: f64 = 0.1;
/// Cost of forces if nothing is said \[1/N²\].
const EFFORT: f64 = 1e-3;
/// Iterations of a search if nothing is said.
const ITERATIONS: u32 = 100;
/// Frames a second if nothing is said, as of frames that are written \[1/s\].
const FRAMES_PER_SECOND: f64 = 24.0;

section! {
    pub(super) struct ControlSection = "a section with [[control.keyframe]] sections" {
        particles: Option<Vec<Spanned<toml::Value>>>,
        interval["s"]: Option<Positive>,
        effort["1/N²"]: Option<NonNegative>,
        iterations: Option<Count>,
        #[serde(default)]
        keyframe: Vec<Keyed<WantedSection>>,
    }
}

section! {
    struct WantedSection = "[[control.keyframe]] sections, each with time and places" {
        time["s"]: Spanned<Positive>,
        places: Spanned<PathBuf> = "the name of a table of places or of an OBJ file in quotes",
        weight["1/m²"]: Option<NonNegative>,
    }
}

section! {
    pub(super) struct FitSection = "a section with motion and parameters" {
        motion: Spanned<PathBuf> = "the name of a table or of a PC2 file in quotes",
        frames_per_second["1/s"]: Option<Positive>,
        parameters: Spanned<Vec<Spanned<String>>> = "a list of constants of the material like \"stretch.stiffness\"",
        iterations: Option<Count>,
    }
}

impl ControlSection {
    /// What it says; `start` is where it begins in the text. The particles are named as pins by `named`.
    pub fn control(
        self,
        text: &str,
        start: usize,
        named: impl FnOnce(Vec<Spanned<toml::Value>>) -> Result<Vec<(Pin, usize)>, SceneError>,
    ) -> Result<Control, SceneError> {
        let mistake = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
        if self.keyframe.is_empty() {
            return Err(mistake(start, Problem::NothingWanted));
        }
        let wanted = |Keyed(section): Keyed<WantedSection>| {
            let at = |offset| Place::at(text, offset);
            let file = NamedFile { place: at(section.places.span().start), path: section.places.into_inner() };
            let place = at(section.time.span().start);
            Wanted { time: section.time.into_inner().get(), place, file, weight: section.weight.map_or(1.0, NonNegative::get) }
        };
        let placed = |pins: Vec<(Pin, usize)>| pins.into_iter().map(|(pin, offset)| (pin, Place::at(text, offset))).collect();
        Ok(Control {
            particles: self.particles.map(named).transpose()?.map(placed),
            interval: self.interval.map_or(INTERVAL, Positive::get),
            effort: self.effort.map_or(EFFORT, NonNegative::get),
            iterations: self.iterations.map_or(ITERATIONS, |Count(count)| count),
            keyframes: self.keyframe.into_iter().map(wanted).collect(),
        })
    }
}

impl FitSection {
    /// What it says.
    pub fn fit(self, text: &str) -> Result<Fit, SceneError> {
        let mistake = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
        let offset = self.parameters.span().start;
        let mut parameters: Vec<(Constant, Place)> = Vec::new();
        for name in self.parameters.into_inner() {
            let (offset, name) = (name.span().start, name.into_inner());
            let Some(constant) = Constant::named(&name) else {
                return Err(mistake(offset, Problem::UnknownParameter { name }));
            };
            if parameters.iter().any(|(other, _)| *other == constant) {
                return Err(mistake(offset, Problem::ParameterTwice { name }));
            }
            parameters.push((constant, Place::at(text, offset)));
        }
        if parameters.is_empty() {
            return Err(mistake(offset, Problem::NothingToFit));
        }
        Ok(Fit {
            motion: NamedFile { place: Place::at(text, self.motion.span().start), path: self.motion.into_inner() },
            frames_per_second: self.frames_per_second.map_or(FRAMES_PER_SECOND, Positive::get),
            parameters,
            iterations: self.iterations.map_or(ITERATIONS, |Count(count)| count),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::*;
    use cloth::adjoint::Part;

    const TOP: &str = "step = 0.01\nduration = 0.5\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    fn read(sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{sections}")).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn every_key_of_control_is_read() {
        let keyframe = "[[control.keyframe]]\ntime = 0.3\nplaces = 'a.csv'\n";
        let bare = read(&format!("[control]\n{keyframe}")).unwrap().control.unwrap();
        assert_eq!((bare.particles, bare.interval, bare.effort, bare.iterations), (None, 0.1, 1e-3, 100));
        let section = "[control]\nparticles = ['top-left', 1]\ninterval = 0.02\neffort = 0\niterations = 7\n";
        let control = read(&format!("{section}{keyframe}weight = 2\n{keyframe}")).unwrap().control.unwrap();
        let pins: Vec<Pin> = control.particles.unwrap().into_iter().map(|(pin, _)| pin).collect();
        assert_eq!((pins, control.interval, control.effort), (vec![Pin::At(0, 2), Pin::Index(1)], 0.02, 0.0));
        assert_eq!(control.iterations, 7);
        let [first, second] = &control.keyframes[..] else { panic!("two key frames") };
        assert_eq!((first.time, first.weight, second.weight), (0.3, 2.0, 1.0));
        assert_eq!((first.file.path.to_str(), first.file.place.line), (Some("a.csv"), 14));
    }

    #[test]
    fn every_key_of_fit_is_read() {
        let fit = read("[fit]\nmotion = 'm.pc2'\nparameters = ['shear.damping', 'density']").unwrap().fit.unwrap();
        let names: Vec<Constant> = fit.parameters.iter().map(|(constant, _)| *constant).collect();
        assert_eq!(names, [Constant::Damping(Part::Shear), Constant::Density]);
        assert_eq!((fit.frames_per_second, fit.iterations), (24.0, 100));
        let fit = read("[fit]\nmotion = 'm.pc2'\nparameters = ['air']\nframes_per_second = 50\niterations = 3").unwrap().fit;
        assert_eq!(fit.map(|fit| (fit.frames_per_second, fit.iterations)), Some((50.0, 3)));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let key = "[control]\n[[control.keyframe]]\nplaces = 'a.csv'\n";
        for (sections, expected) in [
            (
                "[control]\neffort = 1".to_owned(),
                "line 7, `[control]`: nothing is wanted: add [[control.keyframe]] with time and places",
            ),
            (
                format!("{key}time = -1"),
                "line 10, `time = -1`: `control.keyframe.time` [s] must be a finite number above zero, not -1",
            ),
            ("[control]\nparticles = [99]".to_owned(), "line 7, `[control]`: nothing is wanted"),
            (format!("{key}time = 0.1\nnear = 3"), "line 11, `near = 3`: unknown key `near`; known here: time, places, weight"),
            (format!("{key}time = 0.1\n[control]\nparticles = [99]"), "line 11, `[control]`: this is not TOML: duplicate key"),
            (
                format!("control.particles = ['middle']\n{}time = 0.1", &key[10..]),
                "line 7, `control.particles = ['middle']`: unknown key",
            ),
            (
                "[fit]\nmotion = 'a.csv'\nparameters = ['stiffness']".to_owned(),
                "line 9, `parameters = ['stiffness']`: no material has a constant `stiffness`; name some of density, air, \
                 stretch.stiffness, ",
            ),
            (
                "[fit]\nmotion = 'a.csv'\nparameters = []".to_owned(),
                "line 9, `parameters = []`: there is nothing to fit; name some of density, ",
            ),
            (
                "[fit]\nmotion = 'a.csv'\nparameters = ['air', 'air']".to_owned(),
                "line 9, `parameters = ['air', 'air']`: `air` is named twice: take one of them out",
            ),
            (
                "[fit]\nmotion = 'a.csv'".to_owned(),
                "line 7, `[fit]`: the key `parameters` is missing in [fit]; add it: a list of",
            ),
        ] {
            let message = read(&sections).unwrap_err();
            assert!(message.starts_with(expected), "{message}\nis not\n{expected}");
        }
    }
}
