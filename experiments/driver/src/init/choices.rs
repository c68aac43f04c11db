use cloth::Vec3;
use kit::Failure;
use scene::{ObjMesh, Placement, Reading, Texture, Unit, Up, corners, likely_unit};

use super::borders::{borders, enclosed, length};

/// The reading of the coordinates of a file, each key with the reason in a few words.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    pub unit: (Unit, String),
    pub up: (Up, String),
    /// The scale of what is drawn, where no unit makes it cloth.
    pub scale: Option<f64>,
    pub texture: Option<(Texture, String)>,
    pub merge: Option<(f64, String)>,
}

/// Texture lengths over drawn ones, once both have one unit, between which the pattern is taken \[-\]: beyond, cloth would begin with
/// strains that no fabric has.
const PATTERN: [f64; 2] = [0.87, 1.15];

/// Height of the lowest point over the largest size from which cloth hangs above the ground, as a garment that is worn \[-\].
const ABOVE: f64 = 0.3;
/// Extents at which metres are believed \[m\].
const METRES: [f64; 2] = [0.05, 5.0];

/// Programs that export y up unless they are told otherwise, by words of their comments.
const Y_UP: [&str; 7] = ["blender", "clo virtual", "marvelous", "style3d", "maya", "houdini", "three.js"];

impl Choices {
    /// The choices that fit the `text` of a file, which `read` reads.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn of(text: &str, read: &impl Fn(&Reading) -> Result<ObjMesh, Failure>) -> Result<Choices, Failure> {
        let drawn = read(&Reading { texture: Texture::Ignored, ..Reading::default() })?;
        let size = extents(drawn.mesh.positions()).max();
        let (unit, scale) = match likely_unit(size) {
            _ if (METRES[0]..=METRES[1]).contains(&size) => ((Unit::Metre, format!("the cloth is {} m long", short(size))), None),
            Some(unit) => {
                let metres = unit.metres() * size;
                ((unit, format!("{} units are {} m so", short(size), short(metres))), None)
            }
            None => ((Unit::Metre, "no unit makes cloth of it".to_owned()), Some(1.0 / size)),
        };
        let mut choices = Choices { unit, up: (Up::Z, String::new()), scale, texture: None, merge: None };
        choices.up = upright(text, &drawn);
        choices.merge = merging(&choices, &drawn, read);
        choices.texture = texture(&choices, read)?;
        Ok(choices)
    }

    /// The reading that they make.
    pub fn reading(&self) -> Reading {
        let placement = Placement::new(self.unit.0, self.up.0, self.scale.unwrap_or(1.0), Vec3::zeros(), Vec3::zeros());
        let texture = self.texture.as_ref().map_or(Texture::default(), |(texture, _)| *texture);
        Reading { placement, texture, merge: self.merge.as_ref().map(|(merge, _)| *merge) }
    }
}

/// The axis that points up: across the longest border of what is open at two ends or more, that along which the cloth is above the
/// origin as if worn, or as the program exports that wrote the file.
fn upright(text: &str, drawn: &ObjMesh) -> (Up, String) {
    let x = drawn.mesh.positions();
    let borders = borders(&drawn.mesh);
    if borders.len() > drawn.mesh.pieces() {
        let longest = borders.iter().max_by(|a, b| length(a, x).total_cmp(&length(b, x)));
        let across = longest.map_or(Vec3::zeros(), |border| enclosed(border, x).abs());
        if across.z.max(across.y) > across.x {
            let up = if across.y > across.z { Up::Y } else { Up::Z };
            return (up, "its longest border is level so".to_owned());
        }
    }
    let [low, high] = corners(x);
    let is_above = |axis: usize| low[axis] > ABOVE * (high - low).max();
    match [is_above(1), is_above(2)] {
        [true, false] => return (Up::Y, "it is high above the origin so".to_owned()),
        [false, true] => return (Up::Z, "it is high above the origin so".to_owned()),
        _ => {}
    }
    let comments = text.lines().take(20).filter(|line| line.starts_with('#')).map(str::to_lowercase);
    let program = comments.filter_map(|line| Y_UP.into_iter().find(|program| line.contains(program))).next();
    match program {
        Some(program) => (Up::Y, format!("as {program} exports it; \"z\" where it was told otherwise")),
        None => (Up::Z, "as in scenes; most programs export \"y\"".to_owned()),
    }
}

/// The distance that joins pieces whose vertices lie on each other, where that gives a mesh.
fn merging(choices: &Choices, drawn: &ObjMesh, read: &impl Fn(&Reading) -> Result<ObjMesh, Failure>) -> Option<(f64, String)> {
    let mut reading = choices.reading();
    reading.texture = Texture::Ignored;
    let placed = read(&reading).ok()?;
    let (count, merge) = placed.coincident()?;
    reading.merge = Some(merge);
    let joined = read(&reading).ok()?;
    let pieces = [drawn.mesh.pieces(), joined.mesh.pieces()];
    Some((merge, format!("{count} vertices of {} pieces lie on each other; joined they are {}", pieces[0], pieces[1])))
}

/// The meaning of texture coordinates, where there are any.
fn texture(
    choices: &Choices,
    read: &impl Fn(&Reading) -> Result<ObjMesh, Failure>,
) -> Result<Option<(Texture, String)>, Failure> {
    let mut reading = choices.reading();
    reading.texture = Texture::Ignored;
    if !read(&reading)?.is_textured {
        return Ok(None);
    }
    reading.texture = Texture::default();
    let ignored = |why: &str| Ok(Some((Texture::Ignored, why.to_owned())));
    let Ok(textured) = read(&reading) else { return ignored("texture coordinates of some faces enclose nothing") };
    let Some([lowest, middle, highest]) = textured.texture_lengths else { return ignored("texture coordinates have no lengths") };
    if lowest < PATTERN[0] * middle || highest > PATTERN[1] * middle {
        return ignored("texture coordinates do not fit what is drawn, as of a picture");
    }
    let fits = (PATTERN[0]..=PATTERN[1]).contains(&middle);
    let scale = if fits { 1.0 } else { rounded(1.0 / middle) };
    let why = if fits { "the pattern as it was cut" } else { "the pattern is as large as what is drawn so" };
    Ok(Some((Texture::Pattern(scale), why.to_owned())))
}

/// The sides of the box around points \[m\].
pub(super) fn extents(x: &[Vec3]) -> Vec3 {
    let [low, high] = corners(x);
    high - low
}

/// A number to three digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A number to three digits in words.
pub(super) fn short(value: f64) -> String {
    let value = rounded(value);
    if value == 0.0 || (1e-4..1e6).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}
