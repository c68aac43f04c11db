//! Scene: a panel with a snapshot, as it is seen.

use super::axis::{Scale, Span};
use super::canvas::{Canvas, Pen};
use super::depth::{self, Piece};
use super::extent::Window;
use super::frame::Frame;
use super::legend::{Key, Sample};
use super::palette::Color;
use super::placed::{self, Shape};
use super::snapshot::{Mesh, Snapshot, Surface, View, Wires};
use super::solid::{cross, darker, dot, unit};
use super::surround::{BORDER, Surround};
use super::theme::fixed;
use super::{ChartError, Panel};

/// Share of the picture left free on every side.
const MARGIN: f64 = 0.04;
/// Shortest side of the picture, in terms of the longest.
const SHORTEST: f64 = 0.3;
/// Direction to the light, from the upper left behind the viewer: right, up, toward the viewer; of length one.
const LIGHT: [f64; 3] = [-0.36, 0.6, 0.714];
/// Brightness of what looks away from the light.
const SHADE: f64 = 0.55;
/// Height of a picture at most, in terms of the frames of charts.
const TALLEST: f64 = 1.5;
/// By how much faces overlap, so that no seam shows between them [px].
const OVERLAP: f64 = 0.3;

/// The three directions of a view: right, up, and toward the viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directions([[f64; 3]; 3]);

impl Directions {
    pub fn of(view: View) -> Result<Self, ChartError> {
        if !(view.azimuth.is_finite() && view.elevation.is_finite()) {
            return Err(ChartError::View { azimuth: view.azimuth, elevation: view.elevation });
        }
        let (sin_a, cos_a) = libm::sincos(view.azimuth.to_radians());
        let (sin_e, cos_e) = libm::sincos(view.elevation.to_radians());
        Ok(Self([[-sin_a, cos_a, 0.0], [-sin_e * cos_a, -sin_e * sin_a, cos_e], [cos_e * cos_a, cos_e * sin_a, sin_e]]))
    }

    /// A point as it is seen: right, up, toward the viewer; `None` when it has no place.
    pub fn seen(&self, point: [f64; 3]) -> Option<[f64; 3]> {
        let [x, y, z] = point.map(|value| Scale::Linear.place(value));
        let point = [x?, y?, z?];
        Some(self.0.map(|direction| dot(direction, point)))
    }
}

/// A panel with a snapshot, its vertices as they are seen.
pub(super) struct Scene<'a> {
    panel: &'a Panel,
    snapshot: &'a Snapshot,
    /// Right, up, toward the viewer, of every vertex of every mesh that has a place.
    seen: Vec<Vec<Option<[f64; 3]>>>,
    window: Window,
}

impl<'a> Scene<'a> {
    /// The snapshot of a panel.
    pub fn new(panel: &'a Panel, snapshot: &'a Snapshot) -> Result<Self, ChartError> {
        let directions = Directions::of(snapshot.view)?;
        snapshot.meshes.iter().try_for_each(check)?;
        let look = |points: &[[f64; 3]]| points.iter().map(|&point| directions.seen(point)).collect::<Vec<_>>();
        let seen: Vec<_> = snapshot.meshes.iter().map(|mesh| look(&mesh.vertices)).collect();
        let keep = look(&snapshot.keep);
        let window = framed(seen.iter().flatten().chain(&keep).flatten());
        Ok(Self { panel, snapshot, seen, window })
    }

    /// Of every vertex of a mesh, whether it has a place.
    pub fn inside(&self, mesh: usize) -> Vec<bool> {
        self.seen.get(mesh).into_iter().flatten().map(Option::is_some).collect()
    }

    /// Number of vertices left out.
    pub fn outside(&self) -> usize {
        self.seen.iter().flatten().filter(|vertex| vertex.is_none()).count()
    }

    /// Entries of its legend.
    pub fn keys(&self) -> Vec<Key<'a>> {
        let keys = self.snapshot.meshes.iter().flat_map(|mesh| {
            let stroke = |wires: &Wires| Pen { dash: wires.dash, ..Pen::new(wires.color, wires.width) };
            let wires = mesh.wires.iter().map(move |wires| Key { label: &wires.label, sample: Sample::Stroke(stroke(wires)) });
            let patch = |surface: &'a Surface| Key { label: &surface.label, sample: Sample::Patch(fixed(surface.color)) };
            mesh.surfaces.iter().map(patch).chain(wires)
        });
        keys.collect()
    }

    /// Size of the picture in a cell of the page, beside frames of a height [px].
    fn size(&self, width: f64, height: f64) -> [f64; 2] {
        let (x, y) = (self.window.x.length(), self.window.y.length());
        let unit = ((width - 2.0 * BORDER) / x).min(TALLEST * height / y);
        [unit * x, unit * y]
    }

    /// Width of the cell that the picture fills, beside frames of a height [px].
    pub fn width(&self, height: f64) -> f64 {
        self.size(f64::INFINITY, height)[0] + 2.0 * BORDER
    }

    /// The scene in a cell of the page, beside frames of a height [px].
    pub fn place(&'a self, width: f64, height: f64) -> Result<Placed<'a>, ChartError> {
        let size = self.size(width, height);
        let surround = Surround::new(self.panel, &self.keys(), width, size, |frame| self.ink(frame))?;
        let bare = self.pieces([0.0, 0.0, size[0], size[1]]).is_empty();
        let surround = surround.noted(self.outside(), ["vertex left out", "vertices left out"], bare);
        Ok(Placed { scene: self, surround, size, width })
    }

    /// How wires look: on a dark page those of a scene without faces are lighter, others stay as dark as they are.
    fn pen(&self, wires: &Wires) -> Pen {
        let on_faces = self.snapshot.meshes.iter().any(|mesh| !mesh.surfaces.is_empty());
        let color = if on_faces { fixed(wires.color) } else { wires.color };
        Pen { dash: wires.dash, ..Pen::new(color, wires.width) }
    }

    /// Vertices of a mesh on the page: right, down, toward the viewer [px].
    fn points(&self, mesh: usize, frame: [f64; 4]) -> Vec<Option<[f64; 3]>> {
        let on = Frame { window: self.window, frame };
        let point = |&[right, up, toward]: &[f64; 3]| {
            let [x, y] = on.pixel([right, up]);
            [x, y, (toward - self.window.x.from) * on.unit()]
        };
        self.seen[mesh].iter().map(|vertex| vertex.as_ref().map(point)).collect()
    }

    /// Faces and segments that are drawn, and how.
    fn pieces(&self, frame: [f64; 4]) -> Vec<(Piece<'a>, Look)> {
        let mut pieces = Vec::new();
        for (m, mesh) in self.snapshot.meshes.iter().enumerate() {
            let points = self.points(m, frame);
            let piece = |vertices: &'a [usize]| {
                let corners = vertices.iter().map(|&vertex| points[vertex]).collect::<Option<Vec<_>>>()?;
                Some(Piece { corners, mesh: m, vertices, closed: mesh.closed })
            };
            for surface in &mesh.surfaces {
                for face in surface.faces.iter().filter_map(|face| piece(face)) {
                    let normal = normal(&face.corners);
                    if !mesh.closed || normal[2] > 1e-9 {
                        pieces.push((face, Look::Filled(fixed(shaded(surface.color, normal)))));
                    }
                }
            }
            for wires in &mesh.wires {
                let pen = self.pen(wires);
                pieces.extend(wires.segments.iter().filter_map(|ends| piece(ends)).map(|segment| (segment, Look::Stroked(pen))));
            }
        }
        pieces
    }

    /// Places on the scene, which a legend had better not cover [px]: vertices, and points some 8 px apart along edges.
    fn ink(&self, frame: [f64; 4]) -> Vec<[f64; 2]> {
        let mut ink = Vec::new();
        for (piece, _) in self.pieces(frame) {
            for (k, from) in piece.corners.iter().enumerate() {
                let to = piece.corners[(k + 1) % piece.corners.len()];
                let parts = ((to[0] - from[0]).abs().max((to[1] - from[1]).abs()) / 8.0).ceil().max(1.0);
                let along = |j: usize| [0, 1].map(|c| from[c] + j as f64 / parts * (to[c] - from[c]));
                ink.extend((0..parts as usize).map(along));
            }
        }
        ink
    }
}

/// How a piece is drawn.
enum Look {
    Filled(Color),
    Stroked(Pen),
}

/// Whether surfaces and wires name vertices that there are.
fn check(mesh: &Mesh) -> Result<(), ChartError> {
    let faces = mesh.surfaces.iter().flat_map(|surface| surface.faces.iter().map(|face| (&surface.label, face.as_slice(), 3)));
    let segments = mesh.wires.iter().flat_map(|wires| wires.segments.iter().map(|ends| (&wires.label, ends.as_slice(), 2)));
    for (label, corners, least) in faces.chain(segments) {
        if corners.len() < least {
            return Err(ChartError::Face { surface: label.clone(), corners: corners.len() });
        }
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex >= mesh.vertices.len()) {
            return Err(ChartError::Vertex { label: label.clone(), vertex, vertices: mesh.vertices.len() });
        }
    }
    Ok(())
}

/// What is shown of right and up: all points, with a margin, neither side much shorter than the other.
fn framed<'a>(points: impl Iterator<Item = &'a [f64; 3]>) -> Window {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for point in points {
        ends = [0, 1].map(|k| [ends[k][0].min(point[k]), ends[k][1].max(point[k])]);
    }
    if ends[0][0] > ends[0][1] {
        ends = [[0.0, 1.0], [0.0, 0.6]];
    }
    let middle = ends.map(|[low, high]| 0.5 * low + 0.5 * high);
    let lengths = ends.map(|[low, high]| high - low);
    let longest = lengths[0].max(lengths[1]).max(1e-12 * middle[0].abs().max(middle[1].abs()));
    let longest = if longest > 1e-300 { longest } else { 1.0 };
    let [x, y] = [0, 1].map(|k| {
        let half = (0.5 + MARGIN) * lengths[k].max(SHORTEST * longest);
        Span::new(Scale::Linear, middle[k] - half, middle[k] + half)
    });
    Window { x, y }
}

/// Direction in which a face looks that is given right, down, toward the viewer: right, up, toward; of length one.
fn normal(corners: &[[f64; 3]]) -> [f64; 3] {
    let apart = |from: [f64; 3], to: [f64; 3]| [to[0] - from[0], from[1] - to[1], to[2] - from[2]];
    let fans = (2..corners.len()).map(|k| cross(apart(corners[0], corners[k - 1]), apart(corners[0], corners[k])));
    unit(fans.fold([0.0; 3], |sum, part| [0, 1, 2].map(|k| sum[k] + part[k])))
}

/// Colour of a face that looks in a direction, or away from it [Lambert 1760].
fn shaded(color: Color, normal: [f64; 3]) -> Color {
    let facing = if normal[2] < 0.0 { -1.0 } else { 1.0 };
    let bright = SHADE + (1.0 - SHADE) * (facing * dot(normal, LIGHT)).clamp(0.0, 1.0);
    darker(color, bright)
}

/// A polygon with its sides moved outward a little, its corners not much farther than those.
fn widened(corners: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let count = corners.len();
    let area: f64 = (0..count).map(|k| (k, (k + 1) % count)).map(|(k, j)| cross(corners[k], corners[j])[2]).sum();
    let side = if area < 0.0 { -1.0 } else { 1.0 };
    let outward = |from: [f64; 3], to: [f64; 3]| unit([side * (to[1] - from[1]), side * (from[0] - to[0]), 0.0]);
    let moved = |k: usize| {
        let (before, at, after) = (corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]);
        let (one, other) = (outward(before, at), outward(at, after));
        let step = OVERLAP / (1.0 + dot(one, other)).max(0.5);
        [at[0] + step * (one[0] + other[0]), at[1] + step * (one[1] + other[1])]
    };
    (0..count).map(moved).collect()
}

/// A scene with its measures.
pub(super) struct Placed<'a> {
    scene: &'a Scene<'a>,
    surround: Surround<'a>,
    size: [f64; 2],
    width: f64,
}

impl Placed<'_> {
    /// Its frame in a cell that starts at `left`, from `top` on [px].
    fn frame(&self, left: f64, top: f64) -> [f64; 4] {
        let start = left + (self.width - self.size[0]) / 2.0;
        [start, top, start + self.size[0], top + self.size[1]]
    }
}

impl placed::Placed for Placed<'_> {
    fn top(&self) -> f64 {
        self.surround.above()
    }

    fn rest(&self) -> Result<f64, ChartError> {
        Ok(self.size[1] + self.surround.below())
    }

    /// Faces and segments from the farthest to the nearest.
    fn shapes(&self, left: f64, top: f64) -> Vec<Shape> {
        let (pieces, looks): (Vec<_>, Vec<_>) = self.scene.pieces(self.frame(left, top)).into_iter().unzip();
        let shape = |k: usize| match (&looks[k], pieces[k].corners.as_slice()) {
            (Look::Stroked(pen), [[x1, y1, _], [x2, y2, _]]) => Some(Shape::Segment([[*x1, *y1], [*x2, *y2]], *pen)),
            (Look::Filled(color), corners) => Some(Shape::Face(widened(corners), *color)),
            (Look::Stroked(_), _) => None, // segments have two ends
        };
        depth::order(&pieces).into_iter().filter_map(shape).collect()
    }

    fn draw(&self, canvas: &Canvas<'_>, left: f64, top: f64, shapes: Option<Vec<Shape>>) -> Result<(), ChartError> {
        let frame = self.frame(left, top);
        canvas.picture(frame, || {
            shapes.unwrap_or_else(|| self.shapes(left, top)).into_iter().try_for_each(|shape| match shape {
                Shape::Segment(ends, pen) => canvas.segment(ends, pen),
                Shape::Face(corners, color) => canvas.polygon(&corners, color, 1.0),
            })
        })?;
        self.surround.draw_notes(canvas, frame, left)?;
        self.surround.draw_legend(canvas, frame, [left, frame[3]], || self.scene.ink(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The point (1, 2, 3) as it is seen.
    fn seen(azimuth: f64, elevation: f64) -> [f64; 3] {
        let directions = Directions::of(View::new(azimuth, elevation)).expect("finite");
        directions.seen([1.0, 2.0, 3.0]).expect("finite").map(|value| (1e9 * value).round() / 1e9)
    }

    #[test]
    fn quarter_turns_show_the_axes() {
        assert_eq!(seen(0.0, 0.0), [2.0, 3.0, 1.0]);
        assert_eq!(seen(90.0, 0.0), [-1.0, 3.0, 2.0]);
        assert_eq!(seen(-90.0, 0.0), [1.0, 3.0, -2.0]);
        assert_eq!(seen(0.0, 90.0), [2.0, -1.0, 3.0]);
        assert_eq!(seen(90.0, 90.0), [-1.0, -2.0, 3.0]);
        assert_eq!(seen(-90.0, 90.0), [1.0, 2.0, 3.0]);
        assert_eq!(seen(0.0, -90.0), [2.0, 1.0, -3.0]);
    }

    #[test]
    fn the_frame_leaves_a_margin_and_is_never_a_line() {
        let window = framed([[0.0, 1.0, 9.0], [10.0, 6.0, -9.0]].iter());
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(window.x.from, -0.4) && near(window.x.to, 10.4), "{window:?}");
        assert!(near(window.y.from, 0.8) && near(window.y.to, 6.2), "{window:?}");
        let level = framed([[0.0, 1.0, 0.0], [10.0, 1.0, 0.0]].iter());
        assert!(near(level.y.length(), 3.0 * 1.08) && near(level.y.fraction(1.0), 0.5), "{level:?}");
        for point in [[0.0; 3], [1e300, -1e300, 0.0], [5e-324, 0.0, 0.0]] {
            let window = framed([point].iter());
            assert!(window.x.length() > 0.0 && window.x.length().is_finite() && window.holds([point[0], point[1]]), "{point:?}");
        }
    }

    #[test]
    fn both_sides_of_a_face_are_lit_alike() {
        let faces = [[[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [4.0, 3.0, 2.0], [0.0, 3.0, 1.0]]];
        let back: Vec<_> = faces[0].into_iter().rev().collect();
        let (front, back) = (normal(&faces[0]), normal(&back));
        assert_eq!(front, back.map(|part| -part));
        let base = Color(200, 100, 50);
        assert_eq!(shaded(base, front), shaded(base, back));
        assert_eq!(shaded(base, LIGHT), base);
        assert_eq!(shaded(base, unit([0.9, -0.1, 0.1])), Color(110, 55, 28));
    }

    #[test]
    fn widened_sides_are_moved_by_the_overlap() {
        let square = [[0.0, 0.0, 7.0], [2.0, 0.0, 7.0], [2.0, 2.0, 7.0], [0.0, 2.0, 7.0]];
        let wide = [[-0.3, -0.3], [2.3, -0.3], [2.3, 2.3], [-0.3, 2.3]];
        let apart = |a: &[[f64; 2]], b: &[[f64; 2]]| {
            a.iter().zip(b).map(|(p, q)| (p[0] - q[0]).abs().max((p[1] - q[1]).abs())).fold(0.0, f64::max)
        };
        assert!(apart(&widened(&square), &wide) < 1e-12);
        let (back, wide_back): (Vec<_>, Vec<_>) = (square.into_iter().rev().collect(), wide.into_iter().rev().collect());
        assert!(apart(&widened(&back), &wide_back) < 1e-12);
    }
}
