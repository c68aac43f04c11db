//! Page: the panels of a figure in rows and columns.

use plotters::style::text_anchor::HPos;

use super::canvas;
use super::canvas::Canvas;
use super::plot::Plot;
use super::scene::Scene;
use super::surround;
use super::text::{Fitted, Type};
use super::{Axis, Body, ChartError, Figure, Panel};

const TITLE: Type = Type::new(16.0).bold();
/// Space above, below and beside the title [px].
const BORDER: f64 = 12.0;

/// A panel with what it shows.
pub(super) enum Shown<'a> {
    Plot(Plot<'a>),
    Scene(Scene<'a>),
}

impl<'a> Shown<'a> {
    pub fn new(panel: &'a Panel) -> Result<Self, ChartError> {
        Ok(match &panel.body {
            Body::Chart(chart) => Self::Plot(Plot::new(panel, chart)?),
            Body::Snapshot(snapshot) => Self::Scene(Scene::new(panel, snapshot)?),
        })
    }

    /// Number of data left out or cut.
    pub fn outside(&self) -> usize {
        match self {
            Self::Plot(plot) => plot.outside(),
            Self::Scene(scene) => scene.outside(),
        }
    }

    /// Room left of a frame of the given height [px].
    fn left(&self, height: f64) -> Result<f64, ChartError> {
        match self {
            Self::Plot(plot) => plot.left(height),
            Self::Scene(_) => Ok(0.0),
        }
    }

    /// The panel in a cell of the page, `left` [px] kept free beside axes of at most `height` [px].
    fn place(&'a self, width: f64, left: f64, height: f64) -> Result<Box<dyn Placed + 'a>, ChartError> {
        Ok(match self {
            Self::Plot(plot) => Box::new(plot.place(width, left, height)?),
            Self::Scene(scene) => Box::new(scene.place(width, height)?),
        })
    }
}

/// A panel with its measures.
pub(super) trait Placed {
    /// Height above the frame [px].
    fn top(&self) -> f64;

    /// Height of the frame and of all below it [px].
    fn rest(&self) -> Result<f64, ChartError>;

    /// Draws the panel; its cell starts at `left`, its frame at `top` [px].
    fn draw(&self, canvas: &Canvas<'_>, left: f64, top: f64) -> Result<(), ChartError>;
}

/// The SVG text of a figure.
pub(super) fn svg(figure: &Figure) -> Result<String, ChartError> {
    let blank = [Panel::new(Axis::linear(""), Axis::linear(""), Vec::new())];
    let panels = if figure.panels.is_empty() { &blank[..] } else { &figure.panels };
    let columns = if figure.columns == 0 { panels.len() } else { figure.columns.min(panels.len()) };
    let (cell, height) = if columns == 1 { (720.0, 380.0) } else { (480.0, 310.0) }; // cell width, frame height [px]

    let shown = panels.iter().map(Shown::new).collect::<Result<Vec<_>, _>>()?;
    let mut lefts = vec![0.0_f64; columns]; // frames of a column start at the same x
    for (k, panel) in shown.iter().enumerate() {
        lefts[k % columns] = lefts[k % columns].max(panel.left(height)?);
    }
    let places = shown.iter().enumerate().map(|(k, panel)| panel.place(cell, lefts[k % columns], height));
    let placed = places.collect::<Result<Vec<_>, _>>()?;

    let width = cell * columns as f64;
    let title = Fitted::new(&figure.title, TITLE, width - 2.0 * BORDER)?;
    let mut total = if title.lines.is_empty() { 0.0 } else { BORDER + title.height() };
    let mut rows = Vec::new();
    for row in placed.chunks(columns) {
        let top = row.iter().map(|placed| placed.top()).fold(0.0, f64::max);
        rows.push((row, total + top));
        total += top + row.iter().try_fold(0.0_f64, |most, placed| Ok::<_, ChartError>(most.max(placed.rest()?)))?;
    }
    canvas::svg(width, total, |canvas| {
        surround::lines(canvas, &title, HPos::Center, [width / 2.0, BORDER])?;
        for (row, top) in rows {
            for (k, placed) in row.iter().enumerate() {
                placed.draw(canvas, cell * k as f64, top)?;
            }
        }
        Ok(())
    })
}
