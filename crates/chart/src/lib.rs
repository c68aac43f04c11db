//! Charts and pictures as plain data, drawn to SVG.
//!
//! A [`Figure`] holds panels: charts of two axes and layers, and snapshots of scenes in space. The same figure gives the same
//! bytes on every machine: ticks and logarithms are computed here or by `libm`, and text is measured with a font that is part of
//! the program. The SVG names no font but `sans-serif`, so a viewer shows it with its own; the layout leaves room for wider ones.
//!
//! Nothing is moved to the border of a panel. What a given range does not hold is left out, or cut exactly at the frame,
//! counted by [`Figure::outside`], and noted at the corner of the panel.
//!
//! ```
//! use chart::{Axis, Figure, Layer, Palette, Panel};
//!
//! let (x, y) = (Axis::log("stiffness  [N/m]"), Axis::log("time step  [s]"));
//! let measured = Layer::points("measured", Palette::BLUE, vec![[1.0, 1.9], [100.0, 0.21], [1e4, 0.018]]);
//! let theory = Layer::line("theory", Palette::BLACK, vec![[1.0, 2.0], [1e4, 0.02]]);
//! let figure = Figure::new("limit", "Largest stable step", "", vec![Panel::new(x, y, vec![measured, theory])]);
//! assert!(figure.svg()?.contains("10⁻¹"));
//! # Ok::<(), chart::ChartError>(())
//! ```

mod axis;
mod canvas;
mod compact;
mod depth;
mod extent;
mod frame;
mod layer;
mod legend;
mod names;
mod page;
mod palette;
mod placed;
mod plot;
mod region;
mod scene;
mod snapshot;
mod solid;
mod surround;
mod table;
mod text;
mod theme;
mod ticks;
mod visible;
pub mod vision;

use std::cell::{Cell, RefCell};

use canvas::Pictures;

pub use axis::{Axis, Scale, TickLabels};
pub use layer::{Dash, Direction, Layer, Marker};
pub use palette::{Color, Palette};
pub use snapshot::{Mesh, Snapshot, Surface, View, Wires};
pub use solid::Solid;
pub use theme::dark_style;

/// Panels that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Stem of the files, in kebab case.
    pub name: String,
    /// Title above all panels; none when empty.
    pub title: String,
    /// One or two sentences for the report; not drawn.
    pub caption: String,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row; all of them when 0.
    pub columns: usize,
    /// Whether all panels share one legend, in the room that they leave or below them, or above them where they are narrow. Panels
    /// that would have the same legend below them share it in any case.
    pub one_legend: bool,
    /// Whether it shows times, which differ from run to run.
    pub of_times: bool,
}

/// A chart or a picture, with its title and legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title above the frame; none when empty.
    pub title: String,
    /// What it shows.
    pub body: Body,
    /// Where the legend stands.
    pub legend: Corner,
    /// Whether a unit (a decade, on logarithmic axes) is equally long on both axes of a chart; in a snapshot it is.
    pub equal_aspect: bool,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Data on two axes.
    Chart(Chart),
    /// A scene in space.
    Snapshot(Snapshot),
}

/// A frame with two axes and what is drawn in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Layers, the last one on top.
    pub layers: Vec<Layer>,
}

/// Where a legend stands. One that is too large for the frame goes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// In the corner where it covers least, or below the panel if it would cover data in every corner.
    Freest,
    /// In the upper left corner.
    UpperLeft,
    /// In the upper right corner.
    UpperRight,
    /// In the lower left corner.
    LowerLeft,
    /// In the lower right corner.
    LowerRight,
    /// Below the panel.
    Outside,
    /// Nowhere.
    None,
}

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum ChartError {
    /// A given range is empty, not finite, or not positive on a logarithmic axis.
    #[error("axis \"{axis}\" cannot show {from} to {to}; give finite ends in rising order, positive ones on a log axis")]
    Range { axis: String, from: f64, to: f64 },
    /// Bars and their sides do not match.
    #[error("bars \"{layer}\" have {edges} edges for {heights} heights; give one edge more than heights")]
    Bars { layer: String, edges: usize, heights: usize },
    /// Cells have no size.
    #[error("cells \"{layer}\" measure {width} by {height}; give positive sides, in decades on a log axis")]
    CellSize { layer: String, width: f64, height: f64 },
    /// A cell is not a whole number of cells, 1e9 at most, from the first.
    #[error("the cell of \"{layer}\" at ({x}, {y}) is off the grid of the first; check the size of the cells")]
    CellsOffGrid { layer: String, x: f64, y: f64 },
    /// A view looks from nowhere.
    #[error("a view from azimuth {azimuth} and elevation {elevation} is none; give finite degrees")]
    View { azimuth: f64, elevation: f64 },
    /// A face has too few corners.
    #[error("a face of \"{surface}\" has {corners} corners; give three at least")]
    Face { surface: String, corners: usize },
    /// A face or segment ends at a vertex that there is not.
    #[error("\"{label}\" ends at vertex {vertex} of a mesh of {vertices}; count vertices from 0")]
    Vertex { label: String, vertex: usize, vertices: usize },
    /// The bundled font cannot be read.
    #[error("the bundled font cannot be read; rebuild with the dejavu crate of Cargo.lock")]
    Font,
    /// The drawing library failed.
    #[error("drawing failed: {cause}")]
    Drawing { cause: String },
    /// The table cannot be written.
    #[error("the table of points cannot be written: {0}")]
    Table(#[from] csv::Error),
}

impl Figure {
    /// Figure with its panels in one row, not of times.
    pub fn new(name: impl Into<String>, title: impl Into<String>, caption: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            caption: caption.into(),
            panels,
            columns: 0,
            one_legend: false,
            of_times: false,
        }
    }

    /// The figure as SVG text: 720 px wide with one column, 480 px per column otherwise, less where all panels are pictures that
    /// are narrower. Where a screen prefers dark, it shows other colours, by a style sheet of its own; see [`dark_style`].
    ///
    /// # Errors
    ///
    /// When a range, bars, cells, a view or a mesh make no sense.
    pub fn svg(&self) -> Result<String, ChartError> {
        Ok(styled(&self.drawn()?))
    }

    /// The figure once more, for narrow screens: 390 px wide, a panel below the other, many names of categories one below the
    /// other.
    ///
    /// # Errors
    ///
    /// As [`Figure::svg`].
    pub fn svg_narrow(&self) -> Result<String, ChartError> {
        Ok(styled(&page::svg(self, true, &Pictures::Drawn)?))
    }

    /// Both drawings for one page, [`Figure::svg`] and [`Figure::svg_narrow`], of which the second shows the pictures of scenes by
    /// reference to the first, also where that is hidden: they are most of the bytes of a drawing. `id` is that of no other
    /// element of the page, and none begins with it and a dash.
    ///
    /// # Errors
    ///
    /// As [`Figure::svg`].
    pub fn svg_pair(&self, id: &str) -> Result<[String; 2], ChartError> {
        let named = Pictures::Named(id, RefCell::default());
        let wide = page::svg(self, false, &named)?;
        let frames = if let Pictures::Named(_, frames) = named { frames.into_inner() } else { Vec::new() };
        let narrow = page::svg(self, true, &Pictures::Elsewhere(id, &frames, Cell::default()))?;
        Ok([styled(&wide), styled(&narrow)])
    }

    /// The picture before it is made smaller, an element a shape.
    fn drawn(&self) -> Result<String, ChartError> {
        page::svg(self, false, &Pictures::Drawn)
    }

    /// Every datum of every layer as CSV text, in the order drawn, numbers to nine digits.
    ///
    /// Columns: number of the panel and of the layer, from 1; label; kind; coordinates; whether all of it is shown.
    ///
    /// | kind | x | y | x2 | y2 |
    /// | --- | --- | --- | --- | --- |
    /// | point, line | x | y | | |
    /// | bar | left | height | right | |
    /// | cell | centre | centre | width | height |
    /// | entry | column | row | | |
    /// | band | from | from | to | to |
    /// | rule | at | at | | |
    /// | error bar, error bar in x | x | y | low | high |
    /// | text, as the label | x | y | | |
    /// | view | azimuth | elevation | | |
    /// | vertex, kept in view | x | y | | |
    /// | face, face of a solid, segment | | | | |
    ///
    /// A figure with snapshots has three columns more: z of vertices; the vertices of faces and segments, by number in
    /// their mesh, from 0; and how those look. A mesh counts as a layer.
    ///
    /// # Errors
    ///
    /// As [`Figure::svg`].
    pub fn points_csv(&self) -> Result<String, ChartError> {
        table::csv(self)
    }

    /// Gives the charts among its panels one range of y, that of all their data.
    pub fn with_one_y(mut self) -> Self {
        let window = |panel: &Panel| match &panel.body {
            Body::Chart(chart) => extent::Window::of(chart, panel.equal_aspect).ok(),
            Body::Snapshot(_) => None,
        };
        let ranges = self.panels.iter().filter_map(window).map(|window| window.y.values());
        let both = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        for panel in &mut self.panels {
            if let Body::Chart(chart) = &mut panel.body {
                chart.y.range = both;
            }
        }
        self
    }

    /// Gives all panels one legend.
    pub fn with_one_legend(self) -> Self {
        Self { one_legend: true, ..self }
    }

    /// Number of data that are left out or cut, because the range of their panel does not hold them or because they have
    /// no place on it (not finite, or not positive on a logarithmic axis); 0 for a figure that cannot be drawn.
    ///
    /// Data are points, vertices of lines and meshes, bars, cells and entries (by their centre), error bars, rules, and
    /// bands of which nothing shows.
    pub fn outside(&self) -> usize {
        self.panels.iter().filter_map(|panel| page::Shown::new(panel).ok()).map(|shown| shown.outside()).sum()
    }
}

impl Panel {
    /// Chart without a title, its legend in the freest corner.
    pub fn new(x: Axis, y: Axis, layers: Vec<Layer>) -> Self {
        Self::of(Body::Chart(Chart { x, y, layers }))
    }

    /// Picture of a scene without a title, its legend in the freest corner.
    pub fn snapshot(snapshot: Snapshot) -> Self {
        Self::of(Body::Snapshot(snapshot))
    }

    /// The pattern of a square matrix of so many rows: its stored entries by row and column, from 0 at the upper left.
    pub fn sparsity(title: impl Into<String>, rows: usize, entries: &[(usize, usize)]) -> Self {
        let distinct = entries.iter().collect::<std::collections::BTreeSet<_>>().len();
        let axis = |label: String| Axis::linear(label).range(-0.5, rows.max(1) as f64 - 0.5).whole_numbers();
        let (x, y) = (axis(format!("column  ({distinct} entries)")), axis("row".into()).reversed());
        let pattern = Layer::entries("", Palette::BLUE, entries.to_vec());
        Self { equal_aspect: true, ..Self::new(x, y, vec![pattern]).titled(title) }
    }

    fn of(body: Body) -> Self {
        Self { title: String::new(), body, legend: Corner::Freest, equal_aspect: false }
    }

    /// Gives it a title.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Puts its legend beside the frame.
    pub fn legend_outside(self) -> Self {
        Self { legend: Corner::Outside, ..self }
    }
}

/// A drawing in few bytes, with its style sheet.
fn styled(drawn: &str) -> String {
    let drawing = compact::compact(drawn);
    let (head, shapes) = drawing.split_once('\n').unwrap_or_default();
    format!("{head}\n{}{shapes}", theme::style_of(shapes))
}

#[cfg(test)]
mod tests;
