//! Tables of key frames, by which pins and solids move, and of gusts.

use std::sync::Arc;

use thiserror::Error;

use super::mistake::{Problem, SceneError, one_line};
use super::{BodyMesh, NamedFile, Place, Scene};
use cloth::contact::{InvalidKeyframes, Keyframe, Keyframes, RigidMotion};
use cloth::quantity::MAGNITUDES;
use cloth::{Gusts, Vec3};

/// Columns of a table of key frames: those of rotation may be left out.
const COLUMNS: [&str; 7] = ["t", "x", "y", "z", "rx", "ry", "rz"];
const WITHOUT_TURN: usize = 4;

/// Largest angle of a turn \[rad\]: what is left of it within a turn is then known to nine digits.
const LARGEST_ANGLE: f64 = 1e6;

/// Why a table is not one of key frames.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum KeyframesError {
    /// The first line names other columns.
    #[error("{place}: the columns must be t,x,y,z or t,x,y,z,rx,ry,rz")]
    Columns { place: Place },
    /// The first line of a table of gusts names other columns.
    #[error("{place}: the columns must be t,x,y,z")]
    ColumnsOfGusts { place: Place },
    /// A row with another number of cells.
    #[error("{place}: a row has a cell a column, {expected} of them, this one {got}")]
    Cells { place: Place, expected: usize, got: usize },
    /// A cell that is no finite number, or beyond [`MAGNITUDES`].
    #[error("{place}: `{column}` must be a finite number of at most 1e20 in magnitude, not `{cell}`")]
    Number { place: Place, column: &'static str, cell: String },
    /// A time that is not after the one before.
    #[error("{place}: `t` must increase from row to row, and {time} s is not after {before} s")]
    Order { place: Place, time: f64, before: f64 },
    /// A turn of so many turns that its angle means nothing.
    #[error("{place}: `rx`, `ry` and `rz` must make an angle of at most {LARGEST_ANGLE:e} rad; leave out whole turns")]
    Angle { place: Place },
    /// No row.
    #[error("it has no key frame: add a row below the columns, like 0,0,0,0")]
    Empty,
    /// No row of gusts.
    #[error("it has no row: add one below the columns, like 0,0,0,0")]
    NoGust,
}

impl KeyframesError {
    /// The line that is wrong, where one is.
    pub fn place(&self) -> Option<&Place> {
        match self {
            KeyframesError::Columns { place }
            | KeyframesError::ColumnsOfGusts { place }
            | KeyframesError::Cells { place, .. }
            | KeyframesError::Number { place, .. }
            | KeyframesError::Order { place, .. }
            | KeyframesError::Angle { place } => Some(place),
            KeyframesError::Empty | KeyframesError::NoGust => None,
        }
    }
}

/// Reads key frames from the text of a CSV table with the columns t \[s\], x, y, z \[m\] and, if it is to turn, rx, ry, rz \[rad\].
///
/// # Errors
/// [`KeyframesError`], with the line.
pub fn read_keyframes(text: &str) -> Result<Keyframes, KeyframesError> {
    let (frames, lines) = frames(text, true)?;
    Keyframes::new(frames).map_err(|invalid| refused(invalid, text, &lines, KeyframesError::Empty))
}

/// Reads gusts from the text of a CSV table with the columns t \[s\], x, y, z \[m/s\].
///
/// # Errors
/// [`KeyframesError`], with the line.
pub fn read_gusts(text: &str) -> Result<Gusts, KeyframesError> {
    let (frames, lines) = frames(text, false)?;
    let rows = frames.into_iter().map(|Keyframe { time, way, .. }| (time, way)).collect();
    Gusts::new(rows).map_err(|invalid| refused(invalid, text, &lines, KeyframesError::NoGust))
}

/// The rows of a table and their lines; what `may_turn` may have columns of rotation.
fn frames(text: &str, may_turn: bool) -> Result<(Vec<Keyframe>, Vec<usize>), KeyframesError> {
    let text = text.trim_start_matches('\u{feff}'); // as spreadsheets put it there
    let cells = |line: &'_ str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    let head = cells(text.lines().next().unwrap_or_default());
    let columns = &COLUMNS[..if head.len() == WITHOUT_TURN || !may_turn { WITHOUT_TURN } else { COLUMNS.len() }];
    if head != columns {
        let place = Place::of_line(text, 0);
        return Err(if may_turn { KeyframesError::Columns { place } } else { KeyframesError::ColumnsOfGusts { place } });
    }
    let (mut frames, mut lines) = (vec![], vec![]);
    for (line, words) in text.lines().enumerate().skip(1).filter(|(_, words)| !words.trim().is_empty()) {
        frames.push(keyframe(&cells(words), columns, || Place::of_line(text, line))?);
        lines.push(line);
    }
    Ok((frames, lines))
}

/// Why rows of a table, which stand on `lines`, are refused; `empty` where there is none.
fn refused(invalid: InvalidKeyframes, text: &str, lines: &[usize], empty: KeyframesError) -> KeyframesError {
    let place = |row: usize| Place::of_line(text.trim_start_matches('\u{feff}'), lines[row]);
    match invalid {
        InvalidKeyframes::Empty => empty,
        // not of cells within their bounds
        InvalidKeyframes::NotFinite { row } => KeyframesError::Angle { place: place(row) },
        InvalidKeyframes::Order { row, time, before } => KeyframesError::Order { place: place(row), time, before },
    }
}

/// The key frame of the cells of a line.
fn keyframe(cells: &[String], columns: &[&'static str], place: impl Fn() -> Place) -> Result<Keyframe, KeyframesError> {
    if cells.len() != columns.len() {
        return Err(KeyframesError::Cells { place: place(), expected: columns.len(), got: cells.len() });
    }
    let mut numbers = [0.0; COLUMNS.len()];
    for ((number, cell), column) in numbers.iter_mut().zip(cells).zip(columns) {
        let finite = cell.parse().ok().filter(|number: &f64| number.abs() <= MAGNITUDES[1]);
        *number = finite.ok_or_else(|| KeyframesError::Number { place: place(), column, cell: one_line(cell) })?;
    }
    let [time, x, y, z, rx, ry, rz] = numbers;
    let (way, turn) = (Vec3::new(x, y, z), Vec3::new(rx, ry, rz));
    if turn.norm() > LARGEST_ANGLE {
        return Err(KeyframesError::Angle { place: place() });
    }
    Ok(Keyframe { time, way, turn })
}

/// Whose key frames a file holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mover {
    /// Of the pins of a motion.
    Pins(usize),
    /// Of a solid.
    Solid(usize),
    /// Of a mesh.
    Body(usize),
}

/// A file of key frames.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyframesFile {
    /// Its name.
    pub file: NamedFile,
    /// Whose they are.
    pub of: Mover,
}

/// Wind by a table.
#[derive(Clone, Debug, PartialEq)]
pub struct GustsFile {
    /// Its name.
    pub file: NamedFile,
    /// What it holds, once it is read.
    pub series: Option<Arc<Gusts>>,
}

impl GustsFile {
    /// Takes what the file holds.
    pub fn take(&mut self, gusts: Gusts) {
        self.series = Some(Arc::new(gusts));
    }
}

/// Farthest that pins may be from where they start, as they are moved to at time 0 \[m, rad\].
const AT_START: f64 = 1e-9;

impl Scene {
    /// Takes the key frames of a file.
    ///
    /// # Errors
    /// Pins that would not start where they are, with the line of the scene.
    ///
    /// # Panics
    /// Where the scene does not have what they are of.
    pub fn take_keyframes(&mut self, file: &KeyframesFile, keyframes: Keyframes) -> Result<(), SceneError> {
        let motion = match file.of {
            Mover::Pins(k) => &mut self.motions[k].motion,
            Mover::Solid(k) => &mut self.solids[k].1,
            Mover::Body(k) => &mut self.bodies[k].motion,
        };
        *motion = RigidMotion::through(motion.centre, Arc::new(keyframes));
        let [x, y, z, origin] = motion.pose(0.0).columns();
        let moved = [x - Vec3::x(), y - Vec3::y(), z - Vec3::z(), origin].iter().any(|way| way.norm() > AT_START);
        if moved && matches!(file.of, Mover::Pins(_)) {
            return Err(SceneError { place: Some(file.file.place.clone()), problem: Problem::PinsJump });
        }
        Ok(())
    }

    /// Whether key frames, a sequence of a mesh, or gusts are still to be read.
    pub(super) fn lacks_motion(&self) -> bool {
        let pins = self.motions.iter().map(|motion| &motion.motion);
        let mut keyframes = pins.chain(self.moves()).filter_map(|motion| motion.keyframes.as_ref());
        keyframes.any(|keyframes| keyframes.is_empty())
            || self.bodies.iter().any(BodyMesh::lacks_sequence)
            || self.gusts.as_ref().is_some_and(|gusts| gusts.series.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::{ModelError, State};
    use std::f64::consts::FRAC_PI_2;

    const TOP: &str = "step = 0.0078125\nduration = 0.5\npins = [0, 1]\nintegrator = \"backward-euler\"\nsolver = \"direct\"\n\
                       [mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    #[test]
    fn a_table_by_hand() {
        let read = read_keyframes("t, x,y,z\r\n-1,0,0,0\n\n2,3,-4,5e-1\n").unwrap();
        assert_eq!((read.pose(Vec3::zeros(), 0.5).moved(Vec3::x()), read.end()), (Vec3::new(2.5, -2.0, 0.25), 2.0));
        let turned = read_keyframes(&format!("t,x,y,z,rx,ry,rz\n0,0,0,0,0,{FRAC_PI_2},0")).unwrap();
        assert!((turned.pose(Vec3::x(), 7.0).moved(Vec3::zeros()) - Vec3::new(1.0, 0.0, 1.0)).norm() < 1e-15);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let head = "t,x,y,z\n";
        for (text, expected) in [
            (String::new(), "line 1, ``: the columns must be t,x,y,z or t,x,y,z,rx,ry,rz"),
            ("t,x,y\n0,0,0".into(), "line 1, `t,x,y`: the columns must be"),
            ("time,x,y,z\n0,0,0,0".into(), "line 1, `time,x,y,z`: the columns must be"),
            ("t,x,y,z,rx,ry\n0,0,0,0,0,0".into(), "line 1, `t,x,y,z,rx,ry`: the columns must be"),
            (head.into(), "it has no key frame: add a row below the columns, like 0,0,0,0"),
            (format!("{head}0,1,2\n"), "line 2, `0,1,2`: a row has a cell a column, 4 of them, this one 3"),
            (format!("{head}0,1,2,3,0,0,0\n"), "line 2, `0,1,2,3,0,0,0`: a row has a cell a column, 4 of them, this one 7"),
            (
                format!("{head}0,1,2,3\n\n1,1,two,3\n"),
                "line 4, `1,1,two,3`: `y` must be a finite number of at most 1e20 in magnitude, not `two`",
            ),
            (format!("{head}0,1,2,1e300\n"), "line 2, `0,1,2,1e300`: `z` must be a finite number of at most 1e20 in magnitude"),
            (
                format!("{head}nan,1,2,3\n"),
                "line 2, `nan,1,2,3`: `t` must be a finite number of at most 1e20 in magnitude, not `nan`",
            ),
            (
                format!("{head}0,1,2,3\n0.5,1,2,3\n0.5,2,2,3\n"),
                "line 4, `0.5,2,2,3`: `t` must increase from row to row, and 0.5 s is not after 0.5 s",
            ),
            (
                "t,x,y,z,rx,ry,rz\n0,0,0,0,1e6,1e6,0".into(),
                "line 2, `0,0,0,0,1e6,1e6,0`: `rx`, `ry` and `rz` must make an angle of",
            ),
        ] {
            let error = read_keyframes(&text).expect_err(expected);
            let message = error.to_string();
            assert!(message.starts_with(expected), "{message}\nis not\n{expected}");
            assert_eq!(error.place().is_some(), message.starts_with("line"), "{message}");
        }
    }

    /// The scene with `sections`, all of whose files hold `table`.
    fn read(sections: &str, table: &str) -> Result<Scene, String> {
        let mut scene = Scene::parse(&format!("{TOP}{sections}")).map_err(|mistake| mistake.to_string())?;
        for file in scene.keyframes.clone() {
            scene.take_keyframes(&file, read_keyframes(table).unwrap()).map_err(|mistake| mistake.to_string())?;
        }
        Ok(scene)
    }

    fn run(scene: &Scene) -> State {
        let mut simulation = scene.run(State::at_rest(scene.model().unwrap().rest())).unwrap();
        (0..scene.steps()).for_each(|_| drop(simulation.step().unwrap()));
        assert!(simulation.failed().is_none());
        simulation.state().clone()
    }

    #[test]
    fn every_solid_and_pins_have_key_frames_about_a_point() {
        let motion = "motion = { keyframes = 'walk.csv', about = [1, 2, 3] }";
        let sections: String = [
            "plane = { point = [0, 0, -9], normal = [0, 0, 1]",
            "cuboid = { centre = [0, 0, -9], sides = [1, 1, 1]",
            "mesh = { file = 'a.obj'",
            "sphere = { centre = [0, 0, -9], radius = 1",
            "cylinder = { centre = [0, 0, -9], axis = [0, 0, 1], radius = 1, length = 1",
            "capsule = { from = [0, 0, -9], to = [0, 0, -8], radius = 1",
        ]
        .iter()
        .map(|solid| format!("[[solid]]\n{solid}, {motion} }}\n"))
        .collect();
        let sections = format!("{sections}[self_collision]\nthickness = 0.01\n");
        let pins = "[[motion]]\npins = [0]\nkeyframes = \"walk.csv\"\nabout = [1, 2, 3]\n";
        let scene = read(&format!("{sections}{pins}"), "t,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n0.4,1,0,0,0,0,2\n").unwrap();
        let movers: Vec<Mover> = scene.keyframes.iter().map(|file| file.of).collect();
        let solids = [0, 1].map(Mover::Solid).into_iter().chain([Mover::Body(0)]).chain([2, 3, 4].map(Mover::Solid));
        assert_eq!(movers, [Mover::Pins(0)].into_iter().chain(solids).collect::<Vec<_>>());
        assert_eq!(scene.keyframes[0].file.place.text, "keyframes = \"walk.csv\"");
        for motion in scene.moves().chain([&scene.motions[0].motion]) {
            assert_eq!((motion.centre, motion.until), (Vec3::new(1.0, 2.0, 3.0), 0.4));
            let steady = RigidMotion { turn: 5.0 * Vec3::z(), velocity: 2.5 * Vec3::x(), keyframes: None, ..motion.clone() };
            for t in [0.0, 0.1, 0.33, 0.4, 2.0] {
                assert!((motion.pose(t).moved(Vec3::y()) - steady.pose(t).moved(Vec3::y())).norm() < 1e-14, "{t}");
            }
        }
        assert!(scene.solids_move() && !scene.lacks_motion());
        let unread = Scene::parse(&format!("{TOP}{pins}")).unwrap();
        let refused = unread.run(State::at_rest(unread.model().unwrap().rest())).map(drop);
        assert_eq!(refused, Err(ModelError::MotionUnread));
    }

    #[test]
    fn a_run_by_key_frames_is_that_by_velocity() {
        let sections = |motion: &str| {
            format!(
                "[[motion]]\npins = [0, 1]\n{motion}\n[[solid]]\n[solid.sphere]\ncentre = [0.2, 0.1, -0.25]\nradius = 0.2\n\
                 [solid.sphere.motion]\n{motion}\n"
            )
        };
        // numbers of few bits, so that neither way rounds
        let steady = run(&read(&sections("velocity = [0.125, 0, 0.25]\nuntil = 0.375"), "").unwrap());
        let by = |table: &str| run(&read(&sections("keyframes = \"walk.csv\""), table).unwrap());
        assert_eq!(by("t,x,y,z\n0,0,0,0\n0.125,0.015625,0,0.03125\n0.375,0.046875,0,0.09375\n"), steady);
        assert!(by("t,x,y,z\n0,0,0,0\n").x.iter().zip(&steady.x).any(|(a, b)| (a - b).norm() > 0.01));
    }

    #[test]
    fn gusts_by_hand_and_their_mistakes() {
        let gusts = read_gusts("\u{feff}t,x,y,z\n0,1,2,3\n\n2,3,2,1\n").unwrap();
        assert_eq!(gusts.at(0.5), Vec3::new(1.5, 2.0, 2.5));
        for (text, expected) in [
            ("t,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0", "line 1, `t,x,y,z,rx,ry,rz`: the columns must be t,x,y,z"),
            ("t,x,y,z\n", "it has no row: add one below the columns, like 0,0,0,0"),
            ("t,x,y,z\n0,1,2\n", "line 2, `0,1,2`: a row has a cell a column, 4 of them, this one 3"),
            ("t,x,y,z\n1,0,0,0\n0,0,0,0\n", "line 3, `0,0,0,0`: `t` must increase from row to row, and 0 s is not after 1 s"),
            ("t,x,y,z\n0,inf,0,0\n", "line 2, `0,inf,0,0`: `x` must be a finite number of at most 1e20 in magnitude"),
        ] {
            let error = read_gusts(text).expect_err(expected);
            assert!(error.to_string().starts_with(expected), "{error}\nis not\n{expected}");
            assert_eq!(error.place().is_some(), expected.starts_with("line"), "{error}");
        }
    }

    #[test]
    fn gusts_are_read_before_a_run_and_blow_in_it() {
        let drag = |key: &str| format!("{TOP}[material]\ndrag = {{ coefficient = 3, {key} }}\n");
        let scene = Scene::parse(&drag("gusts = 'wind.csv'")).unwrap();
        let start = State::at_rest(scene.model().unwrap().rest());
        assert_eq!(scene.run(start).map(drop), Err(ModelError::MotionUnread));
        let blown = |table: &str| {
            let mut scene = scene.clone();
            scene.gusts.as_mut().unwrap().take(read_gusts(table).unwrap());
            run(&scene)
        };
        let steady = run(&Scene::parse(&drag("wind = [0, 2, 6]")).unwrap());
        assert_eq!(blown("t,x,y,z\n0,0,2,6\n"), steady);
        assert!(blown("t,x,y,z\n0,0,2,6\n0.5,0,0,0\n").x.iter().zip(&steady.x).any(|(a, b)| (a - b).norm() > 1e-3));
        let both = Scene::parse(&drag("gusts = 'wind.csv', wind = [1, 0, 0]")).unwrap_err().to_string();
        let expected = "`gusts` are the wind at all times, and `wind` stands beside them: take one of them out";
        assert!(both.starts_with("line 11, `drag = { coefficient = 3, gusts =") && both.ends_with(expected), "{both}");
    }

    #[test]
    fn mistakes_in_a_scene_are_named_with_their_line() {
        let at = "line 12, `keyframes = 'walk.csv'`: ";
        let pins = "[[motion]]\npins = [0]\nkeyframes = 'walk.csv'\n";
        let jump = "pins are moved from where they start: the way and the rotation of these key frames must be zero at time 0";
        for table in ["t,x,y,z\n0,0,0,1\n", "t,x,y,z\n3,0,0,1\n", "t,x,y,z,rx,ry,rz\n0,0,0,0,1,0,0\n"] {
            assert_eq!(read(pins, table).unwrap_err(), format!("{at}{jump}"));
        }
        assert!(read(pins, "t,x,y,z\n-1,0,0,-1\n1,0,0,1\n").is_ok());
        let beside = read(&format!("{pins}velocity = [1, 0, 0]"), "").unwrap_err();
        assert_eq!(
            beside,
            "line 10, `[[motion]]`: `keyframes` give the whole way, and `velocity` stands beside them: take one of them out"
        );
        let sphere = "[[solid]]\nsphere = { centre = [0, 0, -9], radius = 1, motion = { keyframes = 'a.csv', until = 3 } }";
        assert!(read(sphere, "").unwrap_err().contains("`until` stands beside them"));
        let none = read("[[motion]]\npins = [0]\nkeyframes = 3", "").unwrap_err();
        assert_eq!(
            none,
            "line 12, `keyframes = 3`: `motion.keyframes` must be the name of a table of key frames in quotes, not 3"
        );
    }
}
