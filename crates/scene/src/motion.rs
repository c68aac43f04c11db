//! How held particles of a scene move, as it is written: the sections `motion`.

use std::path::PathBuf;
use std::sync::Arc;

use toml::Spanned;

use super::NamedFile;
use super::key::{Takes, section};
use super::mistake::{Place, Problem};
use super::range::Triple;
use cloth::contact::{Keyframes, RigidMotion};
use cloth::quantity::{NonNegative, Positive};
use cloth::{Sinusoid, Vec3};

section! {
    /// How pins or a solid move: along A sin(2 pi t / T), about an axis, at a velocity, or all of these. Without `until` it goes on to the
    /// end of the run. Or by the key frames of a file, about a point.
    #[derive(Default)]
    pub(super) struct WaySection = "a section of amplitude and period, turn and about, velocity, and until, or of keyframes and about" {
        amplitude["m"]: Option<Triple>,
        period["s"]: Option<Positive>,
        turn["rad/s"]: Option<Triple>,
        about["m"]: Option<Triple>,
        velocity["m/s"]: Option<Triple>,
        until["s"]: Option<NonNegative>,
        keyframes: Option<Spanned<PathBuf>> = "the name of a table of key frames in quotes",
    }
}

section! {
    /// The pins, and how they move: the keys of [`WaySection`], which serde cannot both take from here and watch for others.
    pub(super) struct MotionSection = "[[motion]] sections, each with pins, amplitude and period" {
        pins: Vec<Spanned<toml::Value>>,
        amplitude["m"]: Option<Triple>,
        period["s"]: Option<Positive>,
        turn["rad/s"]: Option<Triple>,
        about["m"]: Option<Triple>,
        velocity["m/s"]: Option<Triple>,
        until["s"]: Option<NonNegative>,
        keyframes: Option<Spanned<PathBuf>> = "the name of a table of key frames in quotes",
    }
}

impl MotionSection {
    /// The pins, and their way.
    pub fn parted(self) -> (Vec<Spanned<toml::Value>>, WaySection) {
        let MotionSection { pins, amplitude, period, turn, about, velocity, until, keyframes } = self;
        (pins, WaySection { amplitude, period, turn, about, velocity, until, keyframes })
    }
}

impl WaySection {
    /// The way, as it stands in a `section` of a scene's `text`, with the file that holds its key frames.
    ///
    /// # Errors
    /// A key that is missing: an amplitude or its period; one that stands beside key frames.
    pub fn motion(self, text: &str, section: &str) -> Result<(RigidMotion, Option<NamedFile>), Problem> {
        let of = |triple: Option<Triple>| triple.map_or(Vec3::zeros(), |Triple(vector)| vector);
        if let Some(file) = self.keyframes {
            let beside = [
                ("amplitude", self.amplitude.is_some()),
                ("period", self.period.is_some()),
                ("turn", self.turn.is_some()),
                ("velocity", self.velocity.is_some()),
                ("until", self.until.is_some()),
            ];
            if let Some((key, _)) = beside.into_iter().find(|(_, stands)| *stands) {
                return Err(Problem::BesideKeyframes { key });
            }
            let file = NamedFile { place: Place::at(text, file.span().start), path: file.into_inner() };
            return Ok((RigidMotion::through(of(self.about), Arc::new(Keyframes::default())), Some(file)));
        }
        let missing = |key| Problem::missing(section, &WaySection::key(key));
        let until = self.until.map_or(f64::INFINITY, NonNegative::get);
        let path = match (self.amplitude, self.period) {
            (Some(Triple(amplitude)), Some(period)) => Some(Sinusoid { amplitude, period: period.get(), until }),
            (Some(_), None) => return Err(missing("period")),
            (None, None) if self.turn.is_some() || self.velocity.is_some() => None,
            (None, _) => return Err(missing("amplitude")),
        };
        let (centre, turn, velocity) = (of(self.about), of(self.turn), of(self.velocity));
        Ok((RigidMotion { centre, turn, velocity, path, until, keyframes: None }, None))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::*;
    use cloth::Pin;
    use cloth::State;
    use cloth::run::Motion;

    const TOP: &str =
        "step = 0.01\nduration = 0.5\npins = [\"top-left\", \"top-right\", 0]\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";
    const WAY: &str = "amplitude = [0, 0.02, 0]\nperiod = 0.4";

    fn read(sections: &str) -> Result<Scene, String> {
        Scene::parse(&format!("{TOP}{sections}")).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn every_key_of_a_motion_reaches_its_path() {
        assert_eq!(read("").unwrap().motions, []);
        let scene =
            read(&format!("[[motion]]\npins = [\"top-left\", [3, 2]]\n{WAY}\nuntil = 0.25\n[[motion]]\npins = [0]\n{WAY}"))
                .unwrap();
        let path = Sinusoid { amplitude: Vec3::new(0.0, 0.02, 0.0), period: 0.4, until: 0.25 };
        let along = RigidMotion::from;
        let first = Motion { pins: vec![Pin::At(0, 2), Pin::At(3, 2)], motion: along(path) };
        let second = Motion { pins: vec![Pin::Index(0)], motion: along(Sinusoid { until: f64::INFINITY, ..path }) };
        assert_eq!(scene.motions, [first, second]);
    }

    #[test]
    fn a_run_moves_its_pins_along_the_path() {
        let scene = read(&format!("[[motion]]\npins = [\"top-left\"]\n{WAY}\nuntil = 0.25")).unwrap();
        let start = State::at_rest(scene.model().unwrap().rest());
        let mut simulation = scene.run(start.clone()).unwrap();
        let corner = 2 * 4;
        for _ in 0..scene.steps() {
            simulation.step().unwrap();
            let way = simulation.state().x[corner] - start.x[corner];
            assert!((way - scene.motions[0].motion.path.unwrap().at(simulation.time())).norm() < 1e-12, "{}", simulation.time());
            assert_eq!((simulation.state().x[0], simulation.state().x[corner + 3]), (start.x[0], start.x[corner + 3]));
        }
        assert_eq!(simulation.state().v[corner], Vec3::zeros());
        assert!(simulation.state().x[corner] != start.x[corner]);
    }

    #[test]
    fn pins_turn_about_an_axis() {
        let scene =
            read("[[motion]]\npins = [\"top-left\", \"top-right\"]\nturn = [0, 2, 0]\nabout = [0.1, 0, 0]\nvelocity = [0, 1, 0]");
        let scene = scene.unwrap();
        let start = State::at_rest(scene.model().unwrap().rest());
        let mut simulation = scene.run(start.clone()).unwrap();
        for _ in 0..scene.steps() {
            simulation.step().unwrap();
        }
        for corner in [8, 11] {
            let (sin, cos) = libm::sincos(2.0 * 0.5);
            let arm = start.x[corner].x - 0.1;
            let expected = Vec3::new(0.1 + cos * arm, start.x[corner].y + 0.5, -sin * arm);
            assert!((simulation.state().x[corner] - expected).norm() < 1e-12, "{corner}");
        }
        let alone = read("[[motion]]\npins = [0]\namplitude = [0, 0, 1]").unwrap_err();
        assert_eq!(
            alone,
            "line 8, `[[motion]]`: the key `period` is missing in [motion]; add it: a finite number above zero [s]"
        );
    }

    #[test]
    fn triangles_are_moved_as_a_grid_is() {
        let flag = "step = 0.01\nduration = 0.5\nintegrator = \"backward-euler\"\npins = [\"top\"]\n[mesh.centred]\nnx = 3\nny = 4\n\
                    width = 1\nheight = 1\n[[motion]]\npins = [\"top-left\", 11]\n";
        let scene = Scene::parse(&format!("{flag}{WAY}")).unwrap();
        assert_eq!(scene.motions[0].pins, [Pin::Index(9), Pin::Index(11)]);
        let start = State::at_rest(scene.model().unwrap().rest());
        let mut simulation = scene.run(start.clone()).unwrap();
        for _ in 0..scene.steps() {
            simulation.step().unwrap();
        }
        let way = |particle: usize| simulation.state().x[particle] - start.x[particle];
        let end = scene.motions[0].motion.path.unwrap().at(0.5);
        assert!((way(9) - end).norm() < 1e-12 && (way(11) - end).norm() < 1e-12 && end.norm() > 0.01, "{end}");
        assert!(way(10) == Vec3::zeros() && way(0).norm() > 0.01);
        let free = Scene::parse(&format!("{}{WAY}", flag.replace("11", "12"))).unwrap_err().to_string();
        assert!(free.contains("`motion` moves pins, and 12 is no pin"), "{free}");
    }

    #[test]
    fn mistakes_in_a_motion_are_named_with_line_and_key() {
        for (lines, expected) in [
            (
                format!("[[motion]]\npins = [1]\n{WAY}"),
                "line 9, `pins = [1]`: `motion` moves pins, and 1 is no pin: add it to `pins` at the top, or take it out here",
            ),
            (
                format!("[[motion]]\npins = [\"left\"]\n{WAY}"),
                "line 9, `pins = [\"left\"]`: `motion` moves pins, and [0, 1] is no pin: add it to `pins` at the top, or take it out here",
            ),
            (
                format!("[[motion]]\npins = [0]\n{WAY}\n[[motion]]\npins = [[0, 0]]\n{WAY}"),
                "line 13, `pins = [[0, 0]]`: `motion` moves [0, 0] in two ways: take it out of one of them",
            ),
            (
                format!("[[motion]]\npins = [99]\n{WAY}"),
                "line 9, `pins = [99]`: the pin 99 lies outside the mesh of 4 x 3 particles;",
            ),
            (
                format!("[[motion]]\npins = [\"middle\"]\n{WAY}"),
                "line 9, `pins = [\"middle\"]`: `motion.pins` must be a list of whole numbers from 0, pairs [i, j], corners like",
            ),
            (
                "[[motion]]\npins = [0]\namplitude = [0, 1]\nperiod = 1".to_owned(),
                "line 10, `amplitude = [0, 1]`: `motion.amplitude` [m] must be three finite numbers [x, y, z], not 2",
            ),
            (
                "[[motion]]\npins = [0]\namplitude = [0, 1, 0]\nperiod = 0".to_owned(),
                "line 11, `period = 0`: `motion.period` [s] must be a finite number above zero, not 0",
            ),
            (
                format!("[[motion]]\npins = [0]\n{WAY}\nuntil = -1"),
                "line 12, `until = -1`: `motion.until` [s] must be a finite number, zero or above, not -1",
            ),
            (
                "[[motion]]\npins = [0]\nperiod = 1".to_owned(),
                "line 8, `[[motion]]`: the key `amplitude` is missing in [motion]; add it: three finite numbers [x, y, z]",
            ),
            (format!("[[motion]]\npins = [0]\n{WAY}\nphase = 1"), "line 12, `phase = 1`: unknown key `phase`; known here: pins,"),
        ] {
            let message = read(&lines).expect_err(expected);
            assert!(message.starts_with(expected) && !message.contains('\n'), "{message}\nis not\n{expected}");
        }
        let message = Scene::parse(&format!("motion = 1\n{TOP}")).unwrap_err().to_string();
        assert!(
            message.starts_with("line 1, `motion = 1`: `motion` must be [[motion]] sections, each with pins, amplitude and"),
            "{message}"
        );
    }
}
