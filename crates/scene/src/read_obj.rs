mod coincident;
mod lengths;
mod lines;
mod polygons;

pub(super) use lengths::extent;
pub use lengths::{Doubt, corners, likely_unit};
pub use lines::obj_text;

use std::collections::BTreeMap;

use thiserror::Error;

use super::Place;
use super::placement::Placement;
use cloth::Vec3;
use cloth::triangles::{InvalidMesh, Triangle, TriangleMesh, Vec2};
use coincident::{coincidence, merged};
use lengths::{Lengths, size_doubt};
use lines::{Corner, Face, ObjLines, joined_lines};
use polygons::{Cut, cut};

/// A mesh that was read from an OBJ file.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjMesh {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Triangles without texture coordinates, whose material coordinates are their own shape in space.
    pub untextured: usize,
    /// True where the file has texture coordinates.
    pub is_textured: bool,
    /// The particle of each line `v`, both counted from 0.
    pub particle_of: Vec<usize>,
    /// Particles by the names of groups and objects, ascending.
    pub groups: BTreeMap<String, Vec<usize>>,
    /// Pairs of particles that lines `l` join.
    pub sewn: Vec<[usize; 2]>,
    /// The line of each triangle, from 0.
    pub triangle_lines: Vec<usize>,
    /// Lengths by texture coordinates over those that are drawn, of the sides of faces: the least, the median, the largest \[-\].
    pub texture_lengths: Option<[f64; 3]>,
    /// Signs that the file is read in another way than it was meant.
    pub doubts: Vec<Doubt>,
}

impl ObjMesh {
    /// Number of particles that lie on one of another piece, and the distance that joins them \[m\].
    pub fn coincident(&self) -> Option<(usize, f64)> {
        self.doubts.iter().find_map(|doubt| match *doubt {
            Doubt::Coincident { count, merge } => Some((count, merge)),
            _ => None,
        })
    }
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
        "{place}: {invalid}; particles and triangles are counted from 0 in the order of the file, faces with more than three corners as \
         several triangles"
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
    /// A face that has no inside.
    #[error("the corners of this face enclose no plane area, or its sides cross: give it corners in the order of its border")]
    Crossed,
    /// A corner that cannot be read.
    #[error(
        "`{word}` must be a corner: whole numbers like 7, 7/3, 7//2 or 7/3/2, counted from 1 or, negative, from the last one back"
    )]
    Corner { word: String },
    /// A corner that names nothing.
    #[error("`{word}` names no `{keyword}` line: there are {count}, counted from 1 or, negative, from the last one above back")]
    Index { word: String, keyword: &'static str, count: usize },
}

/// The way from the coordinates of a file to those of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The way from positions of the file to the scene.
    pub placement: Placement,
    /// The meaning of texture coordinates.
    pub texture: Texture,
    /// Vertices at most so far apart \[m\] become one particle, > 0; none do without.
    pub merge: Option<f64>,
}

/// The meaning of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texture {
    /// The pattern as it was cut, in units of so many metres, > 0.
    Pattern(f64),
    /// None: cloth is as large as it is drawn.
    Ignored,
}

impl Default for Texture {
    /// The pattern in metres.
    fn default() -> Texture {
        Texture::Pattern(1.0)
    }
}

impl From<Placement> for Reading {
    fn from(placement: Placement) -> Reading {
        Reading { placement, ..Reading::default() }
    }
}

/// Reads a mesh from the text of a Wavefront OBJ file: positions `v`, texture coordinates `vt` along the warp and the weft, faces `f`,
/// sewing `l`, and the groups of `g`, `o` and `vg`. Other lines are passed over. Particles are the lines `v` in their order, but
/// for those that `merge` joins to one before.
///
/// Faces with more than three corners are fans about their first corner where that gives triangles within the face, and cut in
/// their plane elsewhere, into triangles as regular as their sides allow.
///
/// A face some corner of which has no texture coordinates is taken to be cut as it is in space: its triangles are laid into one
/// plane, with the warp along the x axis as seen in that of the first, or the y axis where x is perpendicular to it.
///
/// # Errors
/// The first mistake with its line, or that there are no faces.
pub fn read_obj(text: &str, reading: &Reading) -> Result<ObjMesh, ObjError> {
    let mut lines = ObjLines::default();
    let at = |line: usize| Place::of_line(text, line);
    for (line, words) in joined_lines(text) {
        lines.read(line, &words).map_err(|mistake| ObjError::Line { place: at(line), mistake })?;
    }
    let ObjLines { positions: drawn, position_lines, texture, is_plane, faces, joined, groups, .. } = lines;
    let vertices = drawn.len();
    let refuse = |line: usize, index: usize, keyword, count| {
        let mistake = ObjMistake::Index { word: (index + 1).to_string(), keyword, count };
        ObjError::Line { place: at(line), mistake }
    };
    for (ends, line) in &joined {
        if let Some(&end) = ends.iter().find(|end| **end >= vertices) {
            return Err(refuse(*line, end, "v", vertices));
        }
    }
    let placed: Vec<Vec3> = if reading.placement == Placement::default() {
        drawn
    } else {
        drawn.iter().map(|x| reading.placement.place(x)).collect()
    };
    let (positions, particle_of) = match reading.merge {
        Some(distance) => merged(&placed, distance),
        None => (placed, (0..vertices).collect()),
    };
    let (mut triangles, mut triangle_lines, mut untextured) = (Vec::new(), Vec::new(), 0);
    let (mut fans, mut lengths) = (Vec::with_capacity(faces.len()), Lengths::default());
    for Face { line, mut corners } in faces {
        for &(position, textured) in &corners {
            if position >= vertices {
                return Err(refuse(line, position, "v", vertices));
            }
            if let Some(textured) = textured.filter(|textured| *textured >= texture.len()) {
                return Err(refuse(line, textured, "vt", texture.len()));
            }
        }
        corners.iter_mut().for_each(|corner| corner.0 = particle_of[corner.0]);
        if reading.merge.is_some() {
            collapse(&mut corners);
            if corners.len() < 3 {
                continue; // narrower than what is joined
            }
        }
        let places: Vec<Vec3> = corners.iter().map(|corner| positions[corner.0]).collect();
        let scale = match reading.texture {
            Texture::Pattern(scale) if is_plane => Some(scale),
            Texture::Pattern(_) | Texture::Ignored => None,
        };
        let textured = |corner: &Corner| corner.1.and_then(|textured| Some(scale? * texture[textured]));
        let pattern: Option<Vec<Vec2>> = corners.iter().map(textured).collect();
        let Some(Cut { triangles: parts, is_fan }) = cut(&places) else {
            return Err(ObjError::Line { place: at(line), mistake: ObjMistake::Crossed });
        };
        if let Some(pattern) = &pattern {
            lengths.watch(&places, pattern);
        } else {
            untextured += parts.len();
        }
        let laid = if is_fan && pattern.is_none() { fan_laid_flat(&places, &parts) } else { vec![] };
        fans.extend(if is_fan { vec![parts.len()] } else { vec![1; parts.len()] });
        for part in parts {
            let material = match &pattern {
                Some(pattern) => part.map(|corner| pattern[corner]),
                None if is_fan => part.map(|corner| laid[corner]),
                None => {
                    let flat = laid_flat(&part.map(|corner| places[corner]));
                    [flat[0], flat[1], flat[2]]
                }
            };
            triangles.push(Triangle { corners: part.map(|corner| corners[corner].0), material });
            triangle_lines.push(line);
        }
    }
    if triangles.is_empty() {
        return Err(ObjError::NoFaces);
    }
    let mut doubts: Vec<Doubt> = size_doubt(&positions, &reading.placement).into_iter().collect();
    lengths.sort();
    doubts.extend(lengths.doubt(reading.texture));
    let texture_lengths = lengths.range();
    let refuse = |invalid: InvalidMesh| {
        let triangle = invalid.triangle().and_then(|triangle| triangle_lines.get(triangle));
        let vertex = |particle| particle_of.iter().position(|&of| of == particle);
        let line = triangle.or_else(|| position_lines.get(vertex(invalid.particle()?)?));
        match line {
            Some(&line) => ObjError::Mesh { place: at(line), invalid },
            None => ObjError::Whole(invalid),
        }
    };
    let mesh = TriangleMesh::new(positions, triangles).map_err(refuse)?.with_faces(fans);
    let of_particles = |vertices: Vec<usize>| {
        let mut particles: Vec<usize> = vertices.into_iter().filter_map(|vertex| particle_of.get(vertex).copied()).collect();
        particles.sort_unstable();
        particles.dedup();
        particles
    };
    let groups = groups.into_iter().map(|(name, vertices)| (name, of_particles(vertices))).collect();
    let sewn = joined.into_iter().map(|(ends, _)| ends.map(|end| particle_of[end])).filter(|[i, j]| i != j).collect();
    doubts.extend(coincidence(&mesh));
    Ok(ObjMesh { is_textured: is_plane, mesh, untextured, particle_of, groups, sewn, triangle_lines, texture_lengths, doubts })
}

impl From<TriangleMesh> for ObjMesh {
    /// The mesh as if a file had it, without texture coordinates, groups and sewing.
    fn from(mesh: TriangleMesh) -> ObjMesh {
        let triangles = mesh.triangles().len();
        ObjMesh {
            particle_of: (0..mesh.particle_count()).collect(),
            untextured: triangles,
            triangle_lines: vec![0; triangles],
            is_textured: false,
            groups: BTreeMap::new(),
            sewn: vec![],
            texture_lengths: None,
            doubts: vec![],
            mesh,
        }
    }
}

/// Takes corners out that name the particle before them again.
fn collapse(corners: &mut Vec<Corner>) {
    corners.dedup_by_key(|corner| corner.0);
    if corners.len() > 1 && corners.first().map(|corner| corner.0) == corners.last().map(|corner| corner.0) {
        corners.pop();
    }
}

/// Bytes that [`read_obj`] takes beside the text, by the triangles and the positions that it holds: what was measured, rounded up.
pub fn obj_memory(text: &str) -> u64 {
    const TRIANGLE: u64 = 500;
    const POSITION: u64 = 200;
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

/// Least length of an axis as seen in the plane of a triangle, in units of its own.
const LEAST_SEEN: f64 = 1e-3;

/// Each corner of a face laid flat with the fan that it is cut into.
fn fan_laid_flat(places: &[Vec3], fan: &[[usize; 3]]) -> Vec<Vec2> {
    let order: Vec<usize> = fan[0][..2].iter().copied().chain(fan.iter().map(|part| part[2])).collect();
    let flat = laid_flat(&order.iter().map(|&corner| places[corner]).collect::<Vec<Vec3>>());
    let mut laid = vec![Vec2::zeros(); places.len()];
    order.iter().zip(flat).for_each(|(&corner, flat)| laid[corner] = flat);
    laid
}

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
    use super::super::obj::write_obj;
    use super::super::placement::{Unit, Up};
    use super::*;
    use cloth::run::Surface;
    use proptest::prelude::*;

    fn read(text: &str) -> ObjMesh {
        read_obj(text, &Reading::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refused(text: &str) -> String {
        let message = read_obj(text, &Reading::default()).expect_err(text).to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    }

    #[test]
    fn a_file_by_hand() {
        let text = "# a square with a flap\r\nmtllib x.mtl\no square\nv 0 0 1\nv 2 0 1 # right\nv 2 2 1 0.5 0.5 0.5\nv 0 2 1\n\
                    vt 0 0\nvt 10 0 0\nvt 10 10\nvt 0 1e1\nvn 0 0 1\ns off\nf 1/1/1 2/2/1 3/3/1 4/4/1\nv 1 3 1.5\nf -2/-1/-1 -3/-2 -1/2\n";
        let ObjMesh { mesh, untextured, .. } =
            read_obj(text, &Reading { texture: Texture::Pattern(0.5), ..Reading::default() }).unwrap();
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
            let ObjMesh { mesh, untextured, .. } = read(&format!("v {a}\nv {b}\nv {c}\nvt 0 0\nf 1/1 2//1 3"));
            assert_eq!(untextured, 1);
            let [origin, b, c] = mesh.triangles()[0].material;
            let wanted = expected.map(|(along, across)| Vec2::new(along, across));
            assert!(origin == Vec2::zeros() && (b - wanted[0]).norm() < 1e-15 && (c - wanted[1]).norm() < 1e-15, "{b} {c}");
        }
    }

    #[test]
    fn faces_stay_whole_and_are_unfolded_into_one_plane() {
        // a quad folded about its diagonal by a right angle, a pentagon that is flat and seen whole from its first corner
        let folded = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 0.5 0.7071067811865476\nf 1 2 3 4\n";
        let dented = "v 3 0 0\nv 5 0 0\nv 5 2 0\nv 4 1.5 0\nv 3 2 0\nf 5 6 7 8 9\nf 7 6 2";
        let ObjMesh { mesh, untextured, .. } = read(&(folded.to_owned() + dented));
        assert_eq!((untextured, mesh.has_quads()), (6, true));
        let faces: Vec<Vec<usize>> = mesh.faces().map(|face| face.corners().collect()).collect();
        assert_eq!(faces, [vec![0, 1, 2, 3], vec![4, 5, 6, 7, 8], vec![6, 5, 1]]);
        let at = |triangle: usize, corner: usize| mesh.triangles()[triangle].material[corner];
        assert!((at(1, 2) - Vec2::new(0.0, 1.0)).norm() < 1e-15, "{}", at(1, 2)); // the square that it was
        for (triangle, corner, expected) in [(2, 2, [2.0, 2.0]), (3, 2, [1.0, 1.5]), (4, 2, [0.0, 2.0])] {
            assert!((at(triangle, corner) - Vec2::from(expected)).norm() < 1e-15, "{triangle}: {}", at(triangle, corner));
        }
    }

    #[test]
    fn concave_faces_have_their_area_and_stay_one_sheet() {
        // a panel with a V neck, and a triangle on its notch that begins in the middle of a side
        let panel = "v 0 0 0\nv 0.8 0 0\nv 0.8 1.2 0\nv 0.6 1.2 0\nv 0.4 0.8 0\nv 0.2 1.2 0\nv 0 1.2 0\n";
        for first in 0..7 {
            let corners: Vec<String> = (0..7).map(|k| ((first + k) % 7 + 1).to_string()).collect();
            let ObjMesh { mesh, untextured, .. } = read(&format!("{panel}f {}\n", corners.join(" ")));
            let area: f64 = mesh.triangles().iter().map(Triangle::area).sum();
            assert!((area - 0.88).abs() < 1e-12 && untextured == 5, "{first}: {area}");
            let cut = read(&format!("{panel}vt 0 0\nvt 1 0\nvt 0 1\nf {}\n", corners.join(" "))).mesh;
            assert_eq!(cut.edges().len(), 7 + 4, "{first}");
        }
        let crossed = refused("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 2 0\nv -1 1 0\nf 1 2 3 4 5");
        assert!(crossed.starts_with("line 6, `f 1 2 3 4 5`: the corners of this face enclose no plane area"), "{crossed}");
    }

    #[test]
    fn a_file_is_placed_merged_and_doubted() {
        // two squares in millimetres, y up, that have a side in common but no vertices
        let squares = "o front\nv 0 0 0\nv 500 0 0\nv 500 500 0\nv 0 500 0\nf 1 2 3 4\no back\nv 500 0 0\nv 900 0 0\nv 900 500 0\n\
                       v 500 500 0.0001\nf 5 6 7 8\nl 1 6\n";
        let apart = read(squares);
        assert_eq!((apart.mesh.pieces(), &apart.sewn[..]), (2, &[[0, 5]][..]));
        let doubts: Vec<String> = apart.doubts.iter().map(ToString::to_string).collect();
        assert!(doubts[0].contains("900 m long") && doubts[0].contains("0.9 m with `unit = \"mm\"`"), "{doubts:?}");
        assert_eq!(doubts[1], "4 vertices lie on one of another piece; `merge = 1e-3` in [mesh.obj] joins them");
        let placement = Placement::new(Unit::Millimetre, Up::Y, 1.0, Vec3::zeros(), Vec3::zeros());
        let reading = Reading { placement, merge: Some(1e-6), ..Reading::default() };
        let joined = read_obj(squares, &reading).unwrap();
        assert_eq!((joined.mesh.pieces(), joined.mesh.particle_count(), joined.doubts.len()), (1, 6, 0));
        assert_eq!(joined.particle_of, [0, 1, 2, 3, 1, 4, 5, 2]);
        assert_eq!((&joined.groups["back"][..], &joined.sewn[..]), (&[1, 2, 4, 5][..], &[[0, 4]][..]));
        assert!((joined.mesh.positions()[2] - Vec3::new(0.5, 0.0, 0.5)).norm() < 1e-15);
        assert!(joined.mesh.has_quads());
    }

    #[test]
    fn texture_of_another_unit_is_told_and_ignored_where_asked() {
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0\nvt 1000\nvt 1000 1000\nvt 0 1000\nf 1/1 2/2 3/3 4/4";
        let ObjMesh { doubts, is_textured, .. } = read(square);
        assert_eq!((&doubts[..], is_textured), (&[Doubt::Factor { factor: 1000.0, texture_scale: 0.001 }][..], true));
        let ignored = read_obj(square, &Reading { texture: Texture::Ignored, ..Reading::default() }).unwrap();
        let area: f64 = ignored.mesh.triangles().iter().map(Triangle::area).sum();
        assert!((area - 1.0).abs() < 1e-15 && ignored.untextured == 2 && ignored.doubts.is_empty(), "{area}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let flag = TriangleMesh::centred(4, 3, 0.9, 0.7).unwrap();
        let mut bytes = Vec::new();
        write_obj(Surface::Triangles(&flag), flag.positions(), &mut bytes).unwrap();
        let ObjMesh { mesh, untextured, .. } = read(&String::from_utf8(bytes).unwrap());
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
        let ObjMesh { mesh, untextured, .. } = read(&String::from_utf8(bytes).unwrap());
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
            ("vt", "line 5, `vt`: `vt` must be followed by 1 numbers, not 0"),
            ("l 1 9", "line 5, `l 1 9`: `9` names no `v` line: there are 4"),
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
            let _ = read_obj(&text, &Reading::default());
            let _ = read_obj(&lines.join("\n"), &Reading::default());
        }

        #[test]
        fn any_faces_are_read_or_refused(faces in prop::collection::vec(prop::collection::vec(-5i32..6, 0..6), 1..8)) {
            let mut text = String::from("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n");
            for face in faces {
                let corners: Vec<String> = face.iter().map(ToString::to_string).collect();
                text += &format!("f {}\n", corners.join(" "));
            }
            if let Ok(ObjMesh { mesh, .. }) = read_obj(&text, &Reading::default()) {
                prop_assert!(mesh.particle_count() == 5 && mesh.pieces() >= 1);
            }
        }
    }
}
