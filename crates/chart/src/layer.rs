//! Layers: what is drawn into a panel, one over the other.

use super::palette::Color;

/// One set of marks of a panel. An empty `label` keeps a layer out of the legend; equal labels share an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A mark at every point.
    Points {
        /// Entry in the legend.
        label: String,
        /// Colour of the marks.
        color: Color,
        /// Shape of the marks.
        marker: Marker,
        /// x and y of every point.
        points: Vec<[f64; 2]>,
    },
    /// Straight lines, as seen on the axes, from point to point; a power law on two logarithmic axes needs its two ends
    /// only. A point without a place (NaN) breaks the line.
    Line {
        /// Entry in the legend.
        label: String,
        /// Colour of the line.
        color: Color,
        /// Pattern of the line.
        dash: Dash,
        /// x and y of every vertex.
        points: Vec<[f64; 2]>,
    },
    /// Bars side by side, from zero or, on a logarithmic y axis, from the bottom of the panel; a histogram.
    Bars {
        /// Entry in the legend.
        label: String,
        /// Colour of the bars.
        color: Color,
        /// Sides of the bars in x, one more than bars.
        edges: Vec<f64>,
        /// Height of every bar.
        heights: Vec<f64>,
    },
    /// Filled region, given as cells of a regular grid.
    Cells {
        /// Entry in the legend.
        label: String,
        /// Colour of the region.
        color: Color,
        /// Width and height of a cell, > 0, in the units of the axes; in decades on a logarithmic one.
        size: [f64; 2],
        /// x and y of the centre of every cell, whole numbers of cells apart.
        centres: Vec<[f64; 2]>,
    },
    /// Stored entries of a matrix: a square for each, its column in x, its row in y, from 0.
    Entries {
        /// Entry in the legend.
        label: String,
        /// Colour of the squares.
        color: Color,
        /// Row and column of every entry; one that is given twice shows once.
        entries: Vec<(usize, usize)>,
    },
    /// Shaded band across the panel, such as a published range. An infinite end reaches the frame.
    Band {
        /// Entry in the legend.
        label: String,
        /// Colour of the band.
        color: Color,
        /// Vertical bands are a range of x, horizontal ones a range of y.
        axis: Direction,
        /// One end of the range.
        from: f64,
        /// The other end.
        to: f64,
    },
    /// Straight line across the panel.
    Rule {
        /// Entry in the legend.
        label: String,
        /// Colour of the line.
        color: Color,
        /// Pattern of the line.
        dash: Dash,
        /// Vertical rules stand at an x, horizontal ones at a y.
        axis: Direction,
        /// That x or y.
        at: f64,
    },
    /// Points with an interval in y or in x.
    ErrorBars {
        /// Entry in the legend.
        label: String,
        /// Colour of the bars.
        color: Color,
        /// Shape of the marks.
        marker: Marker,
        /// Vertical bars are intervals in y, horizontal ones in x.
        axis: Direction,
        /// x, y, and the lower and upper end of the interval of every point.
        points: Vec<[f64; 4]>,
    },
    /// Text at points, its middle there, in the colour of all text; in no legend.
    Texts {
        /// x, y and what is written there.
        points: Vec<([f64; 2], String)>,
    },
}

/// Shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Marker {
    Circle,
    Triangle,
    Square,
    Diamond,
    Cross,
    OpenCircle,
    OpenTriangle,
    OpenSquare,
    OpenDiamond,
}

/// Pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dash {
    Solid,
    Dashed,
    Dotted,
    DashDot,
}

/// Direction in which a band or rule crosses the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From bottom to top, at a fixed x.
    Vertical,
    /// From left to right, at a fixed y.
    Horizontal,
}

/// The label of a layer, lent or lent to be changed as the layer is; none of texts.
macro_rules! label_of {
    ($layer:expr) => {
        match $layer {
            Layer::Points { label, .. }
            | Layer::Line { label, .. }
            | Layer::Bars { label, .. }
            | Layer::Cells { label, .. }
            | Layer::Entries { label, .. }
            | Layer::Band { label, .. }
            | Layer::Rule { label, .. }
            | Layer::ErrorBars { label, .. } => Some(label),
            Layer::Texts { .. } => None,
        }
    };
}

impl Layer {
    /// Filled circles.
    pub fn points(label: impl Into<String>, color: Color, points: Vec<[f64; 2]>) -> Self {
        Self::Points { label: label.into(), color, marker: Marker::Circle, points }
    }

    /// Solid line.
    pub fn line(label: impl Into<String>, color: Color, points: Vec<[f64; 2]>) -> Self {
        Self::Line { label: label.into(), color, dash: Dash::Solid, points }
    }

    /// Solid line with a filled circle at each of its points.
    pub fn marked_line(label: impl Into<String>, color: Color, points: Vec<[f64; 2]>) -> [Self; 2] {
        let label = label.into();
        [Self::line(label.clone(), color, points.clone()), Self::points(label, color, points)]
    }

    /// Solid line through points with intervals: x, y, low, high.
    pub fn line_with_bars(label: impl Into<String>, color: Color, points: Vec<[f64; 4]>) -> [Self; 2] {
        let label = label.into();
        let line = points.iter().map(|&[x, y, ..]| [x, y]).collect();
        [Self::line(label.clone(), color, line), Self::error_bars(label, color, points)]
    }

    /// Histogram: one edge more than heights.
    pub fn bars(label: impl Into<String>, color: Color, edges: Vec<f64>, heights: Vec<f64>) -> Self {
        Self::Bars { label: label.into(), color, edges, heights }
    }

    /// Region of cells of the given size.
    pub fn cells(label: impl Into<String>, color: Color, size: [f64; 2], centres: Vec<[f64; 2]>) -> Self {
        Self::Cells { label: label.into(), color, size, centres }
    }

    /// Stored entries of a matrix, by row and column.
    pub fn entries(label: impl Into<String>, color: Color, entries: Vec<(usize, usize)>) -> Self {
        Self::Entries { label: label.into(), color, entries }
    }

    /// Band over the range `from` to `to`.
    pub fn band(label: impl Into<String>, color: Color, axis: Direction, from: f64, to: f64) -> Self {
        Self::Band { label: label.into(), color, axis, from, to }
    }

    /// Dashed line at `at`; without a label a thin solid one, for a place that needs no entry in the legend.
    pub fn rule(label: impl Into<String>, color: Color, axis: Direction, at: f64) -> Self {
        let label = label.into();
        let dash = if label.is_empty() { Dash::Solid } else { Dash::Dashed };
        Self::Rule { label, color, dash, axis, at }
    }

    /// Points with intervals: x, y, low, high.
    pub fn error_bars(label: impl Into<String>, color: Color, points: Vec<[f64; 4]>) -> Self {
        Self::ErrorBars { label: label.into(), color, marker: Marker::Circle, axis: Direction::Vertical, points }
    }

    /// Points with intervals in x: x, y, low, high.
    pub fn error_bars_across(label: impl Into<String>, color: Color, points: Vec<[f64; 4]>) -> Self {
        Self::ErrorBars { label: label.into(), color, marker: Marker::Circle, axis: Direction::Horizontal, points }
    }

    /// This layer with x and y exchanged; none of layers that have a side or are read from left to right.
    pub(super) fn exchanged(&self) -> Option<Self> {
        let across = |axis: &Direction| match axis {
            Direction::Vertical => Direction::Horizontal,
            Direction::Horizontal => Direction::Vertical,
        };
        let mut layer = self.clone();
        match &mut layer {
            Self::Points { points, .. } | Self::Line { points, .. } => points.iter_mut().for_each(|[x, y]| std::mem::swap(x, y)),
            Self::ErrorBars { points, axis, .. } => {
                points.iter_mut().for_each(|[x, y, ..]| std::mem::swap(x, y));
                *axis = across(axis);
            }
            Self::Band { axis, .. } | Self::Rule { axis, .. } => *axis = across(axis),
            Self::Bars { .. } | Self::Cells { .. } | Self::Entries { .. } | Self::Texts { .. } => return None,
        }
        Some(layer)
    }

    /// Text at points.
    pub fn texts(points: Vec<([f64; 2], String)>) -> Self {
        Self::Texts { points }
    }

    /// Gives points and error bars another mark; other layers stay as they are.
    pub fn marker(mut self, shape: Marker) -> Self {
        if let Self::Points { marker, .. } | Self::ErrorBars { marker, .. } = &mut self {
            *marker = shape;
        }
        self
    }

    /// Gives it another entry in the legend.
    pub fn labelled(mut self, entry: impl Into<String>) -> Self {
        if let Some(label) = label_of!(&mut self) {
            *label = entry.into();
        }
        self
    }

    /// Draws a line or a rule in another pattern; other layers stay as they are.
    pub fn dash(mut self, pattern: Dash) -> Self {
        if let Self::Line { dash, .. } | Self::Rule { dash, .. } = &mut self {
            *dash = pattern;
        }
        self
    }

    /// Entry in the legend; empty when there is none.
    pub fn label(&self) -> &str {
        label_of!(self).map_or("", String::as_str)
    }

    /// Centre of the square of an entry: its column and its row.
    pub(super) fn entry_centre(&(row, column): &(usize, usize)) -> [f64; 2] {
        [column as f64, row as f64]
    }

    /// Whether the layer shows data, rather than a range or value to compare them with, or words.
    pub(super) fn is_data(&self) -> bool {
        !matches!(self, Self::Band { .. } | Self::Rule { .. } | Self::Texts { .. })
    }
}
