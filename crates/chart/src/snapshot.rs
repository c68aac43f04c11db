//! Snapshots: pictures of a scene in space, as plain data.

use super::layer::Dash;
use super::palette::Color;

/// Picture of a scene in space, z up, without perspective.
///
/// What is in front is found from the places of faces and segments, not from their order.
///
/// ```
/// use chart::{Color, Figure, Mesh, Palette, Panel, Snapshot, Solid, View, Wires};
///
/// let corners = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 1.2], [1.0, 1.0, 1.0], [0.0, 1.0, 1.2]];
/// let springs = Wires::new("implicit springs", Palette::BLACK, vec![[0, 1], [1, 2], [2, 3], [3, 0]]);
/// let cloth = Mesh::new(corners).surface("", Color(245, 242, 236), &[[0, 1, 2, 3]]).wires(springs);
/// let ball = Solid::sphere([0.5, 0.5, 0.5], 0.4, Palette::ORANGE);
/// let picture = Snapshot::new(View::new(-60.0, 25.0), vec![cloth, ball]);
/// let figure = Figure::new("cloth", "", "", vec![Panel::snapshot(picture).titled("step 1")]);
/// assert!(figure.svg()?.contains("implicit springs"));
/// # Ok::<(), chart::ChartError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Snapshot {
    /// What is seen.
    pub meshes: Vec<Mesh>,
    /// From where.
    pub view: View,
    /// Points that the picture keeps in view besides the vertices; the same ones give the pictures of a sequence the
    /// same scale.
    pub keep: Vec<[f64; 3]>,
}

/// Direction from the scene to the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle in the x-y plane \[degrees\]: 0 shows y to the right and x towards the viewer, -90 x to the right and y away.
    pub azimuth: f64,
    /// Angle above that plane \[degrees\]: 0 is level, 90 from above.
    pub elevation: f64,
}

/// Vertices with the surfaces and wires between them, which name their vertices by number, from 0.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mesh {
    /// x, y, z of every vertex. One that is not finite is left out, with all that ends there.
    pub vertices: Vec<[f64; 3]>,
    /// Filled faces.
    pub surfaces: Vec<Surface>,
    /// Segments.
    pub wires: Vec<Wires>,
    /// Whether the faces enclose a volume and run counterclockwise as seen from outside: those that look away are then
    /// not drawn. Faces of an open mesh show both sides.
    pub closed: bool,
}

/// Faces of one colour, shaded by the direction they look in.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Entry in the legend; none when empty.
    pub label: String,
    /// Colour of a face that looks into the light.
    pub color: Color,
    /// Corners of every face in order, at least three; a face is taken to be flat and convex, or nearly so.
    pub faces: Vec<Vec<usize>>,
}

/// Segments that look alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Wires {
    /// Entry in the legend; none when empty.
    pub label: String,
    /// Colour of the lines.
    pub color: Color,
    /// Width of the lines \[px\], > 0.
    pub width: f64,
    /// Pattern of the lines, fitted to every segment.
    pub dash: Dash,
    /// Both ends of every segment.
    pub segments: Vec<[usize; 2]>,
}

impl Snapshot {
    /// Picture of some meshes.
    pub fn new(view: View, meshes: Vec<Mesh>) -> Self {
        Self { meshes, view, keep: Vec::new() }
    }

    /// Keeps room for further points.
    pub fn keeping(self, keep: Vec<[f64; 3]>) -> Self {
        Self { keep, ..self }
    }
}

impl View {
    /// View from an azimuth and an elevation \[degrees\].
    pub const fn new(azimuth: f64, elevation: f64) -> Self {
        Self { azimuth, elevation }
    }
}

impl Default for View {
    /// From the front, a little from the right and from above.
    fn default() -> Self {
        Self::new(-60.0, 25.0)
    }
}

impl Mesh {
    /// Open mesh without surfaces and wires.
    pub fn new(vertices: Vec<[f64; 3]>) -> Self {
        Self { vertices, ..Self::default() }
    }

    /// Moves its vertices to whole multiples of `unit` > 0, so that the table of the figure is no longer than what can be
    /// seen.
    pub fn rounded(mut self, unit: f64) -> Self {
        let multiples = (1.0 / unit).round();
        self.vertices.iter_mut().flatten().for_each(|q| *q = (*q * multiples).round() / multiples);
        self
    }

    /// Adds a surface.
    pub fn surface<const N: usize>(mut self, label: impl Into<String>, color: Color, faces: &[[usize; N]]) -> Self {
        self.surfaces.push(Surface { label: label.into(), color, faces: faces.iter().map(|face| face.to_vec()).collect() });
        self
    }

    /// Adds a group of segments.
    pub fn wires(mut self, wires: Wires) -> Self {
        self.wires.push(wires);
        self
    }
}

impl Wires {
    /// Thin solid lines.
    pub fn new(label: impl Into<String>, color: Color, segments: Vec<[usize; 2]>) -> Self {
        Self { label: label.into(), color, width: 0.9, dash: Dash::Solid, segments }
    }

    /// Draws lines of another width \[px\].
    pub fn width(self, width: f64) -> Self {
        Self { width, ..self }
    }

    /// Draws lines in another pattern.
    pub fn dash(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }
}
