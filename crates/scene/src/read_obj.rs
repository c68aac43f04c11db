use std::str::SplitWhitespace;

use thiserror::Error;

use super::Place;
use cloth::Vec3;
use cloth::triangles::{InvalidMesh, Triangle, TriangleMesh, Vec2};

/// A mesh that was read from an OBJ file.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjMesh {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Triangles without texture coordinates, whose material coordinates are their own shape in space.
    pub untextured: usize,
}

/// Why a text is no mesh of cloth.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum ObjError {
    /// A line that cannot be read.
    #[error("{place}: {mistake}")]
    Line { place: Place, mistake: ObjMistake },
    /// A line that the mesh cannot have.
    #[error(
        "{place}: {invalid}; particles and triangles are counted from 0 in the order of the file, faces with more than three corners as fans"
    )]
    Mesh { place: Place, invalid: InvalidMesh },
    /// Nothing to simulate.
    #[error("it has no faces: a mesh needs lines like `v 0 0 0` and `f 1 2 3`")]
    NoFaces,
    /// A mesh that is wrong as a whole.
    #[error("{0}")]
    Whole(InvalidMesh),
}

impl ObjError {
    /// The line that is wrong, where one is.
    pub fn place(&self) -> Option<&Place> {
        match self {
            ObjError::Line { place, .. } | ObjError::Mesh { place, .. } => Some(place),
            ObjError::NoFaces | ObjError::Whole(_) => None,
        }
    }
}

/// What is wrong with a line of an OBJ file.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum ObjMistake {
    /// Too few numbers.
    #[error("`{keyword}` must be followed by {needed} numbers, not {got}")]
    Numbers { keyword: &'static str, needed: usize, got: usize },
    /// A coordinate that is none.
    #[error("`{word}` must be a finite number")]
    Number { word: String },
    /// A face with fewer than three corners.
    #[error("a face must have at least three corners, not {got}")]
    Corners { got: usize },
    /// A corner that cannot be read.
    #[error(
        "`{word}` must be a corner: whole numbers like 7, 7/3, 7//2 or 7/3/2, counted from 1 or, negative, from the last one back"
    )]
    Corner { word: String },
    /// A corner that names nothing.
    #[error("`{word}` names no `{keyword}` line: there are {count}, counted from 1 or, negative, from the last one above back")]
    Index { word: String, keyword: &'static str, count: usize },
}

/// A corner of a face: indices of a position and of texture coordinates.
type Corner = (usize, Option<usize>);

/// A face with its line, from 0.
struct Face {
    line: usize,
    corners: Vec<Corner>,
}

/// What the lines hold so far.
#[derive(Default)]
struct Lines {
    positions: Vec<Vec3>,
    position_lines: Vec<usize>,
    texture: Vec<Vec2>,
    faces: Vec<Face>,
}

/// Reads a mesh from the text of a Wavefront OBJ file, with `scale` \[m\] a unit of texture: positions `v` \[m\], texture
/// coordinates `vt` along the warp and the weft, faces `f`, those with more than three corners as fans. Other lines are passed
/// over.
///
/// A face some corner of which has no texture coordinates is taken to be cut as it is in space: its triangles are laid into one
/// plane, with the warp along the x axis as seen in that of the first, or the y axis where x is perpendicular to it.
///
/// # Errors
/// The first mistake with its line, or that there are no faces.
pub fn read_obj(text: &str, scale: f64) -> Result<ObjMesh, ObjError> {
    let mut lines = Lines::default();
    let at = |line: usize| Place::of_line(text, line);
    for (line, words) in text.lines().enumerate() {
        lines.read(line, words).map_err(|mistake| ObjError::Line { place: at(line), mistake })?;
    }
    let Lines { positions, position_lines, texture, faces } = lines;
    let (mut triangles, mut triangle_lines, mut untextured) = (Vec::new(), Vec::new(), 0);
    let mut fans = Vec::with_capacity(faces.len());
    for Face { line, corners } in faces {
        let refuse = |corner: usize, keyword, count| {
            let mistake = ObjMistake::Index { word: (corner + 1).to_string(), keyword, count };
            ObjError::Line { place: at(line), mistake }
        };
        for &(position, textured) in &corners {
            if position >= positions.len() {
                return Err(refuse(position, "v", positions.len()));
            }
            if let Some(textured) = textured.filter(|textured| *textured >= texture.len()) {
                return Err(refuse(textured, "vt", texture.len()));
            }
        }
        let cut: Option<Vec<Vec2>> = corners.iter().map(|corner| corner.1.map(|textured| scale * texture[textured])).collect();
        let count = corners.len() - 2;
        untextured += if cut.is_none() { count } else { 0 };
        let material = cut.unwrap_or_else(|| {
            let corners: Vec<Vec3> = corners.iter().map(|corner| positions[corner.0]).collect();
            laid_flat(&corners)
        });
        for k in 1..=count {
            let fan = [0, k, k + 1];
            triangles.push(Triangle { corners: fan.map(|k| corners[k].0), material: fan.map(|k| material[k]) });
            triangle_lines.push(line);
        }
        fans.push(count);
    }
    if triangles.is_empty() {
        return Err(ObjError::NoFaces);
    }
    let refuse = |invalid: InvalidMesh| {
        let triangle = invalid.triangle().and_then(|triangle| triangle_lines.get(triangle));
        let line = triangle.or_else(|| position_lines.get(invalid.particle()?));
        match line {
            Some(&line) => ObjError::Mesh { place: at(line), invalid },
            None => ObjError::Whole(invalid),
        }
    };
    let mesh = TriangleMesh::new(positions, triangles).map_err(refuse)?;
    Ok(ObjMesh { mesh: mesh.with_faces(fans), untextured })
}

/// Bytes that [`read_obj`] takes beside the text, by the triangles and the positions that it holds: what was measured, rounded up.
pub fn obj_memory(text: &str) -> u64 {
    const TRIANGLE: u64 = 500;
    const POSITION: u64 = 100;
    let each = |line: &str| {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => POSITION,
            Some("f") => TRIANGLE * (words.count() as u64).saturating_sub(2),
            _ => 0,
        }
    };
    text.lines().map(each).sum()
}

impl Lines {
    /// Takes in the line of number `line`, from 0.
    fn read(&mut self, line: usize, text: &str) -> Result<(), ObjMistake> {
        let mut words = text.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            Some("v") => {
                let [x, y, z] = numbers("v", words)?;
                self.positions.push(Vec3::new(x, y, z));
                self.position_lines.push(line);
            }
            Some("vt") => {
                let [along, across] = numbers("vt", words)?;
                self.texture.push(Vec2::new(along, across));
            }
            Some("f") => {
                let corners = words.map(|word| self.corner(word)).collect::<Result<Vec<Corner>, ObjMistake>>()?;
                if corners.len() < 3 {
                    return Err(ObjMistake::Corners { got: corners.len() });
                }
                self.faces.push(Face { line, corners });
            }
            _ => {}
        }
        Ok(())
    }

    /// A corner of a face; a number counted from 1 may lead to a line further below.
    fn corner(&self, word: &str) -> Result<Corner, ObjMistake> {
        let none = || ObjMistake::Corner { word: super::mistake::one_line(word) };
        let mut parts = word.split('/');
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let index = |part: &str, keyword, count: usize| {
            let number: i64 = part.parse().map_err(|_| none())?;
            let before = usize::try_from(number.unsigned_abs()).ok().filter(|number| *number > 0);
            let index = before.and_then(|before| if number < 0 { count.checked_sub(before) } else { Some(before - 1) });
            index.ok_or_else(|| ObjMistake::Index { word: super::mistake::one_line(word), keyword, count })
        };
        let position = index(part().ok_or_else(none)?, "v", self.positions.len())?;
        let textured = part().map(|part| index(part, "vt", self.texture.len())).transpose()?;
        let normal = part().map(str::parse::<i64>).transpose(); // not used, but no word either
        if normal.is_err() || parts.next().is_some() { Err(none()) } else { Ok((position, textured)) }
    }
}

/// The first numbers of a line.
fn numbers<const N: usize>(keyword: &'static str, mut words: SplitWhitespace<'_>) -> Result<[f64; N], ObjMistake> {
    let mut numbers = [0.0; N];
    for (got, number) in numbers.iter_mut().enumerate() {
        let word = words.next().ok_or(ObjMistake::Numbers { keyword, needed: N, got })?;
        let finite = word.parse().ok().filter(|number: &f64| number.is_finite());
        *number = finite.ok_or_else(|| ObjMistake::Number { word: super::mistake::one_line(word) })?;
    }
    Ok(numbers)
}

/// Least length of an axis as seen in the plane of a triangle, in units of its own.
const LEAST_SEEN: f64 = 1e-3;

/// The corners of a fan of triangles laid into the plane of the first, the first corner at the origin: the warp along the x axis as
/// seen in that plane, or the y axis where x is perpendicular to it. Each further triangle is turned into that plane about the edge
/// that it shares with the one before. All zero where the first has no plane.
fn laid_flat(corners: &[Vec3]) -> Vec<Vec2> {
    let arms: Vec<Vec3> = corners.iter().map(|corner| corner - corners[0]).collect();
    let mut flat = vec![Vec2::zeros(); corners.len()];
    let across = |k: usize| arms[k].cross(&arms[k + 1]);
    let Some(normal) = across(1).try_normalize(0.0) else { return flat };
    let seen = |axis: Vec3| (axis - normal.dot(&axis) * normal).try_normalize(LEAST_SEEN);
    let Some(warp) = seen(Vec3::x()).or_else(|| seen(Vec3::y())) else { return flat };
    let weft = normal.cross(&warp);
    for k in [1, 2] {
        flat[k] = Vec2::new(warp.dot(&arms[k]), weft.dot(&arms[k]));
    }
    let mut side = 1.0; // on which a triangle lies of the edge that it shares: a fan may turn back
    for k in 2..corners.len() - 1 {
        let along = flat[k].normalize();
        side *= if across(k).dot(&across(k - 1)) < 0.0 { -1.0 } else { 1.0 };
        let length = arms[k].norm();
        flat[k + 1] =
            arms[k].dot(&arms[k + 1]) / length * along + side * across(k).norm() / length * Vec2::new(-along.y, along.x);
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::super::obj::{Surface, write_obj};
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> ObjMesh {
        read_obj(text, 1.0).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refused(text: &str) -> String {
        let message = read_obj(text, 1.0).expect_err(text).to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    }

    #[test]
    fn a_file_by_hand() {
        let text = "# a square with a flap\r\nmtllib x.mtl\no square\nv 0 0 1\nv 2 0 1 # right\nv 2 2 1 0.5 0.5 0.5\nv 0 2 1\n\
                    vt 0 0\nvt 10 0 0\nvt 10 10\nvt 0 1e1\nvn 0 0 1\ns off\nf 1/1/1 2/2/1 3/3/1 4/4/1\nv 1 3 1.5\nf -2/-1/-1 -3/-2 -1/2\n";
        let ObjMesh { mesh, untextured } = read_obj(text, 0.5).unwrap();
        assert_eq!(untextured, 0);
        assert_eq!(mesh.positions()[4], Vec3::new(1.0, 3.0, 1.5));
        let corners: Vec<[usize; 3]> = mesh.triangles().iter().map(|triangle| triangle.corners).collect();
        assert_eq!(corners, [[0, 1, 2], [0, 2, 3], [3, 2, 4]]);
        let at = Vec2::new;
        assert_eq!(mesh.triangles()[1].material, [at(0.0, 0.0), at(5.0, 5.0), at(0.0, 5.0)]);
        assert_eq!(mesh.triangles()[2].material, [at(0.0, 5.0), at(5.0, 5.0), at(5.0, 0.0)]);
    }

    #[test]
    fn triangles_without_texture_are_cut_as_they_are_in_space_with_the_warp_along_x() {
        // level and seen from below, upright along x, upright across x
        for (corners, expected) in [
            (["0 0 0", "2 0 0", "0 3 0"], [(2.0, 0.0), (0.0, 3.0)]),
            (["0 0 0", "0 3 0", "2 0 0"], [(0.0, -3.0), (2.0, 0.0)]),
            (["1 5 0", "3 5 0", "1 5 3"], [(2.0, 0.0), (0.0, 3.0)]),
            (["7 0 0", "7 2 0", "7 0 3"], [(2.0, 0.0), (0.0, 3.0)]),
        ] {
            let [a, b, c] = corners;
            let ObjMesh { mesh, untextured } = read(&format!("v {a}\nv {b}\nv {c}\nvt 0 0\nf 1/1 2//1 3"));
            assert_eq!(untextured, 1);
            let [origin, b, c] = mesh.triangles()[0].material;
            let wanted = expected.map(|(along, across)| Vec2::new(along, across));
            assert!(origin == Vec2::zeros() && (b - wanted[0]).norm() < 1e-15 && (c - wanted[1]).norm() < 1e-15, "{b} {c}");
        }
    }

    #[test]
    fn faces_stay_whole_and_are_unfolded_into_one_plane() {
        // a quad folded about its diagonal by a right angle, a pentagon that is flat and turns back at its fourth corner
        let folded = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 0.5 0.7071067811865476\nf 1 2 3 4\n";
        let dented = "v 3 0 0\nv 5 0 0\nv 5 2 0\nv 4 0.5 0\nv 3 2 0\nf 5 6 7 8 9\nf 7 6 2";
        let ObjMesh { mesh, untextured } = read(&(folded.to_owned() + dented));
        assert_eq!((untextured, mesh.has_quads()), (6, true));
        let faces: Vec<Vec<usize>> = mesh.faces().map(|face| face.corners().collect()).collect();
        assert_eq!(faces, [vec![0, 1, 2, 3], vec![4, 5, 6, 7, 8], vec![6, 5, 1]]);
        let at = |triangle: usize, corner: usize| mesh.triangles()[triangle].material[corner];
        assert!((at(1, 2) - Vec2::new(0.0, 1.0)).norm() < 1e-15, "{}", at(1, 2)); // the square that it was
        for (triangle, corner, expected) in [(2, 2, [2.0, 2.0]), (3, 2, [1.0, 0.5]), (4, 2, [0.0, 2.0])] {
            assert!((at(triangle, corner) - Vec2::from(expected)).norm() < 1e-15, "{triangle}: {}", at(triangle, corner));
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let flag = TriangleMesh::centred(4, 3, 0.9, 0.7).unwrap();
        let mut bytes = Vec::new();
        write_obj(Surface::Triangles(&flag), flag.positions(), &mut bytes).unwrap();
        let ObjMesh { mesh, untextured } = read(&String::from_utf8(bytes).unwrap());
        assert_eq!(untextured, flag.triangles().len());
        assert_eq!((mesh.positions(), mesh.edges(), mesh.hinges()), (flag.positions(), flag.edges(), flag.hinges()));
        for (read, written) in mesh.triangles().iter().zip(flag.triangles()) {
            assert_eq!(read.corners, written.corners);
            let shift = written.material[0]; // laid flat from its first corner
            assert!((0..3).all(|k| (read.material[k] + shift - written.material[k]).norm() < 1e-15), "{read:?} {written:?}");
        }
    }

    #[test]
    fn a_file_of_a_million_triangles_is_read() {
        let side = 709;
        let sheet = TriangleMesh::regular(side, side, 1.0, 1.0).unwrap();
        let mut bytes = Vec::new();
        write_obj(Surface::Triangles(&sheet), sheet.positions(), &mut bytes).unwrap();
        let ObjMesh { mesh, untextured } = read(&String::from_utf8(bytes).unwrap());
        assert_eq!((mesh.triangles().len(), untextured), (2 * 708 * 708, 2 * 708 * 708));
        assert_eq!(mesh.edges(), sheet.edges());
    }

    #[test]
    fn pieces_may_stand_apart() {
        let piece = |z: u32| format!("v 0 0 {z}\nv 1 0 {z}\nv 0 1 {z}\nf -3 -2 -1\n");
        assert_eq!(read(&(piece(0) + &piece(1))).mesh.pieces(), 2);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
        for (rest, expected) in [
            ("v 1 2", "line 5, `v 1 2`: `v` must be followed by 3 numbers, not 2"),
            ("vt 1", "line 5, `vt 1`: `vt` must be followed by 2 numbers, not 1"),
            ("v 1 two 3", "line 5, `v 1 two 3`: `two` must be a finite number"),
            ("v 1 nan 3", "line 5, `v 1 nan 3`: `nan` must be a finite number"),
            ("vt 1e999 3", "line 5, `vt 1e999 3`: `1e999` must be a finite number"),
            ("f 1 2", "line 5, `f 1 2`: a face must have at least three corners, not 2"),
            ("f", "line 5, `f`: a face must have at least three corners, not 0"),
            ("f 1 2 x", "line 5, `f 1 2 x`: `x` must be a corner: whole numbers like 7, 7/3, 7//2 or 7/3/2, "),
            ("f 1 2 3/1/1/1", "line 5, `f 1 2 3/1/1/1`: `3/1/1/1` must be a corner"),
            ("f 1 2 3/1/z", "line 5, `f 1 2 3/1/z`: `3/1/z` must be a corner"),
            ("f 1 2 /1", "line 5, `f 1 2 /1`: `/1` must be a corner"),
            (
                "f 1 2 5",
                "line 5, `f 1 2 5`: `5` names no `v` line: there are 4, counted from 1 or, negative, from the last one above",
            ),
            ("f 0 1 2", "line 5, `f 0 1 2`: `0` names no `v` line"),
            ("f -5 1 2", "line 5, `f -5 1 2`: `-5` names no `v` line"),
            ("f 9223372036854775807 1 2", "line 5, `f 9223372036854775807 1 2`: `9223372036854775807` names no `v` line"),
            ("f 1/1 2/1 3/1", "line 5, `f 1/1 2/1 3/1`: `1` names no `vt` line: there are 0"),
            ("", "it has no faces: a mesh needs lines like `v 0 0 0` and `f 1 2 3`"),
            ("\nf 1 2 3 4\nf 2 3 2", "line 7, `f 2 3 2`: triangle 2 has particle 1 as a corner twice"),
            ("f 1 2 3", "line 4, `v 0 1 0`: particle 3 belongs to no triangle: take it out"),
            ("f 1 2 3\nf 3 2 1\nf 1 3 4", "line 6, `f 3 2 1`: the triangles 0 and 1 have the same three corners"),
            ("v 2 0 0\nf 1 2 5\nf 2 3 4", "line 6, `f 1 2 5`: triangle 0 between the particles 0, 1 and 4 is degenerate"),
            (
                "vt 3 3\nf 1/1 2/1 3/1 4/1",
                "line 6, `f 1/1 2/1 3/1 4/1`: triangle 0 between the particles 0, 1 and 2 is degenerate",
            ),
            (
                "f 1 2 3\nf 3 1 4\nv 0 0 1\nf 1 3 5",
                "line 8, `f 1 3 5`: the edge between the particles 0 and 2 belongs to more than two",
            ),
            ("f 1 2 3\nf 1 4 3", "line 6, `f 1 4 3`: the triangles 0 and 1 run round their edge between the particles 0 and 2"),
        ] {
            let message = refused(&format!("{square}{rest}"));
            assert!(message.starts_with(expected), "{message}\ndoes not start with\n{expected}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC*", lines in prop::collection::vec("(v|vt|f|#)( [-0-9./e]{0,4}){0,5}", 0..12)) {
            let _ = read_obj(&text, 1.0);
            let _ = read_obj(&lines.join("\n"), 1.0);
        }

        #[test]
        fn any_faces_are_read_or_refused(faces in prop::collection::vec(prop::collection::vec(-5i32..6, 0..6), 1..8)) {
            let mut text = String::from("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n");
            for face in faces {
                let corners: Vec<String> = face.iter().map(ToString::to_string).collect();
                text += &format!("f {}\n", corners.join(" "));
            }
            if let Ok(ObjMesh { mesh, .. }) = read_obj(&text, 1.0) {
                prop_assert!(mesh.particle_count() == 5 && mesh.pieces() >= 1);
            }
        }
    }
}
