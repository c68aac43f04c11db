//! The lines of an OBJ file, before they are a mesh.

use std::collections::BTreeMap;
use std::str::SplitWhitespace;

use super::ObjMistake;
use crate::mistake::one_line;
use cloth::Vec3;
use cloth::triangles::Vec2;

/// A corner of a face: indices of a position and of texture coordinates.
pub(super) type Corner = (usize, Option<usize>);

/// A face with its line, from 0.
pub(super) struct Face {
    pub line: usize,
    pub corners: Vec<Corner>,
}

/// The content of a file.
#[derive(Default)]
pub(super) struct ObjLines {
    pub positions: Vec<Vec3>,
    pub position_lines: Vec<usize>,
    pub texture: Vec<Vec2>,
    /// True where some texture coordinates have two numbers: with one each they lie along a line, and are no pattern.
    pub is_plane: bool,
    pub faces: Vec<Face>,
    /// Consecutive vertices of `l` lines, with their line.
    pub joined: Vec<([usize; 2], usize)>,
    /// Vertices by the names of `g`, `o` and `vg` lines: those of the faces that follow, or those that `vg` lists.
    pub groups: BTreeMap<String, Vec<usize>>,
    /// Names of the faces that follow: of `o`, and of `g`.
    object: Vec<String>,
    group: Vec<String>,
}

/// The text of a file whose bytes may be UTF-8, with a mark at their beginning or not, or of another encoding: names alone are
/// concerned, since all other words of the format are ASCII. Other bytes are taken as Latin-1.
pub fn obj_text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// The lines of a text, those that end with `\` joined to what follows, each with the number of its first line, from 0.
pub(super) fn joined_lines(text: &str) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate();
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let Some(begun) = first.trim_end().strip_suffix('\\') else { return Some((number, first.into())) };
        let mut whole = begun.to_owned();
        for (_, next) in lines.by_ref() {
            whole.push(' ');
            let Some(part) = next.trim_end().strip_suffix('\\') else {
                whole.push_str(next);
                break;
            };
            whole.push_str(part);
        }
        Some((number, whole.into()))
    })
}

impl ObjLines {
    /// Takes in the line of number `line`, from 0.
    pub fn read(&mut self, line: usize, text: &str) -> Result<(), ObjMistake> {
        let mut words = text.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            Some("v") => {
                let [x, y, z] = numbers("v", &mut words)?;
                self.positions.push(Vec3::new(x, y, z));
                self.position_lines.push(line);
            }
            Some("vt") => {
                let [along] = numbers("vt", &mut words)?;
                let across = words.next().map(number).transpose()?; // may be left out
                self.is_plane |= across.is_some();
                self.texture.push(Vec2::new(along, across.unwrap_or(0.0)));
            }
            Some("f") => {
                let corners = words.map(|word| self.corner(word)).collect::<Result<Vec<Corner>, ObjMistake>>()?;
                if corners.len() < 3 {
                    return Err(ObjMistake::Corners { got: corners.len() });
                }
                for name in self.object.iter().chain(&self.group) {
                    if let Some(vertices) = self.groups.get_mut(name) {
                        vertices.extend(corners.iter().map(|corner| corner.0));
                    }
                }
                self.faces.push(Face { line, corners });
            }
            Some("l") => {
                let ends = words.map(|word| Ok(self.corner(word)?.0)).collect::<Result<Vec<usize>, ObjMistake>>()?;
                self.joined.extend(ends.windows(2).map(|ends| ([ends[0], ends[1]], line)));
            }
            Some("g") => self.group = self.named(words),
            Some("o") => (self.object, self.group) = (self.named(words), vec![]),
            Some("vg") => {
                if let Some(name) = words.next() {
                    let vertices = words.map(|word| Ok(self.corner(word)?.0)).collect::<Result<Vec<usize>, ObjMistake>>()?;
                    self.groups.entry(name.to_owned()).or_default().extend(vertices);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Names that are known from now on.
    fn named(&mut self, words: SplitWhitespace<'_>) -> Vec<String> {
        let names: Vec<String> = words.map(str::to_owned).collect();
        for name in &names {
            self.groups.entry(name.clone()).or_default();
        }
        names
    }

    /// A corner of a face; a number counted from 1 may lead to a line further below.
    fn corner(&self, word: &str) -> Result<Corner, ObjMistake> {
        let none = || ObjMistake::Corner { word: one_line(word) };
        let mut parts = word.split('/');
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let index = |part: &str, keyword, count: usize| {
            let number: i64 = part.parse().map_err(|_| none())?;
            let before = usize::try_from(number.unsigned_abs()).ok().filter(|number| *number > 0);
            let index = before.and_then(|before| if number < 0 { count.checked_sub(before) } else { Some(before - 1) });
            index.ok_or_else(|| ObjMistake::Index { word: one_line(word), keyword, count })
        };
        let position = index(part().ok_or_else(none)?, "v", self.positions.len())?;
        let textured = part().map(|part| index(part, "vt", self.texture.len())).transpose()?;
        let normal = part().map(str::parse::<i64>).transpose(); // not used, but no word either
        if normal.is_err() || parts.next().is_some() { Err(none()) } else { Ok((position, textured)) }
    }
}

/// The first numbers of a line.
fn numbers<const N: usize>(keyword: &'static str, words: &mut SplitWhitespace<'_>) -> Result<[f64; N], ObjMistake> {
    let mut numbers = [0.0; N];
    for (got, slot) in numbers.iter_mut().enumerate() {
        *slot = number(words.next().ok_or(ObjMistake::Numbers { keyword, needed: N, got })?)?;
    }
    Ok(numbers)
}

/// A coordinate.
fn number(word: &str) -> Result<f64, ObjMistake> {
    let finite = word.parse().ok().filter(|number: &f64| number.is_finite());
    finite.ok_or_else(|| ObjMistake::Number { word: one_line(word) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_behind_a_backslash_and_a_mark_is_no_line() {
        let lines: Vec<(usize, String)> =
            joined_lines("\u{feff}v 0 0 0\nf 1 \\\n 2 \\ \n 3\nl 1 2\\").map(|(line, text)| (line, text.into_owned())).collect();
        let expected = [(0, "v 0 0 0"), (1, "f 1   2   3"), (4, "l 1 2")].map(|(line, text)| (line, text.to_owned()));
        assert_eq!(lines, expected);
        assert_eq!(obj_text(b"\xef\xbb\xbfv 0".to_vec()), "v 0");
        assert_eq!(obj_text(b"o Stra\xdfe\nv 0".to_vec()), "o Stra\u{df}e\nv 0");
    }

    #[test]
    fn groups_have_the_vertices_of_their_faces_or_those_that_are_listed() {
        let mut lines = ObjLines::default();
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no shirt\nf 1 2 3\ng hem back\nf 2 4 3\no other\ng\nvg waist 1 4\nl 1 2 4\nvt 0.5";
        for (line, words) in joined_lines(text) {
            lines.read(line, &words).expect(&words);
        }
        let of = |name: &str| lines.groups[name].clone();
        assert_eq!((of("shirt"), of("hem")), (vec![0, 1, 2, 1, 3, 2], vec![1, 3, 2]));
        assert_eq!((of("back"), of("waist"), of("other")), (vec![1, 3, 2], vec![0, 3], vec![]));
        assert_eq!(lines.joined, [([0, 1], 11), ([1, 3], 11)]);
        assert_eq!(lines.texture, [Vec2::new(0.5, 0.0)]);
    }
}
