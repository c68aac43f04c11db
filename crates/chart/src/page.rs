//! Page: the panels of a figure in rows and columns.

use plotters::style::text_anchor::HPos;
use rayon::prelude::*;

use super::canvas::{self, Pictures};
use super::legend::{Key, Legend};
use super::placed::Placed;
use super::plot::{self, Plot};
use super::scene::Scene;
use super::surround::GAP;
use super::text::{Fitted, Type};
use super::{Axis, Body, ChartError, Corner, Figure, Panel};

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

    fn keys(&self) -> Vec<Key<'a>> {
        match self {
            Self::Plot(plot) => plot.keys(),
            Self::Scene(scene) => scene.keys(),
        }
    }

    /// Height of a frame, `least` or more [px], in which everything can be read.
    fn height(&self, least: f64) -> Result<f64, ChartError> {
        match self {
            Self::Plot(plot) => plot.height(least),
            Self::Scene(_) => Ok(least),
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

/// How panels are laid out [px].
struct Layout {
    columns: usize,
    /// Width of a panel.
    cell: f64,
    /// Height of the frame of a chart at most.
    height: f64,
}

/// A panel of several in a row, and one alone: width and height of its frame [px].
const BESIDE: [f64; 2] = [480.0, 310.0];
const ALONE: [f64; 2] = [720.0, 380.0];
/// A panel of a narrow drawing.
const NARROW: [f64; 2] = [390.0, 250.0];
/// Width of the cell of a picture at least [px].
const LEAST_CELL: f64 = 240.0;

impl Layout {
    /// A panel below the other.
    fn narrow() -> Self {
        Self { columns: 1, cell: NARROW[0], height: NARROW[1] }
    }

    /// As a figure asks for; pictures alone no wider than they are.
    fn wide(figure: &Figure, shown: &[Shown<'_>]) -> Self {
        let columns = if figure.columns == 0 { shown.len() } else { figure.columns.min(shown.len()) };
        if columns == 1 {
            return Self { columns, cell: ALONE[0], height: ALONE[1] };
        }
        let [most, height] = BESIDE;
        let widths = shown.iter().map(|panel| match panel {
            Shown::Plot(_) => most,
            Shown::Scene(scene) => scene.width(height),
        });
        Self { columns, cell: widths.fold(LEAST_CELL, f64::max).min(most).ceil(), height }
    }
}

/// Whether panels whose legends stand below them all have the same entries.
fn have_one_legend(panels: &[Panel]) -> Result<bool, ChartError> {
    let labels = |panel: &Panel| -> Result<Vec<String>, ChartError> {
        let mut labels: Vec<String> = Shown::new(panel)?.keys().iter().map(|key| key.label.to_owned()).collect();
        labels.retain(|label| !label.is_empty());
        labels.dedup();
        Ok(labels)
    };
    let [first, others @ ..] = panels else { return Ok(false) };
    if others.is_empty() || panels.iter().any(|panel| panel.legend != Corner::Outside) {
        return Ok(false);
    }
    let of_first = labels(first)?;
    others.iter().try_fold(true, |alike, panel| Ok(alike && labels(panel)? == of_first))
}

/// The legend of all panels, each entry once.
fn common_legend<'a>(shown: &[Shown<'a>], width: f64) -> Result<Legend<'a>, ChartError> {
    let mut keys: Vec<Key<'a>> = Vec::new();
    for panel in shown {
        let known = keys.len();
        for key in panel.keys() {
            if keys[..known].iter().all(|other| other.label != key.label) {
                keys.push(key);
            }
        }
    }
    Legend::new(&keys, width)
}

/// The SVG text of a figure, as it asks for or with a panel below the other.
pub(super) fn svg(figure: &Figure, narrow: bool, pictures: &Pictures<'_>) -> Result<String, ChartError> {
    let one_legend = figure.one_legend || have_one_legend(&figure.panels)?;
    let mut panels = figure.panels.clone();
    if panels.is_empty() {
        panels.push(Panel::new(Axis::linear(""), Axis::linear(""), Vec::new()));
    }
    for panel in &mut panels {
        panel.legend = if one_legend { Corner::None } else { panel.legend };
        if let Some(beside) = plot::with_names_beside(panel).filter(|_| narrow) {
            *panel = beside;
        }
    }
    let shown = panels.iter().map(Shown::new).collect::<Result<Vec<_>, _>>()?;
    let Layout { columns, cell, height } = if narrow { Layout::narrow() } else { Layout::wide(figure, &shown) };
    let height = |panel: &Shown<'_>| if narrow { panel.height(height) } else { Ok(height) };
    let mut lefts = vec![0.0_f64; columns]; // frames of a column start at the same x
    for (k, panel) in shown.iter().enumerate() {
        lefts[k % columns] = lefts[k % columns].max(panel.left(height(panel)?)?);
    }
    let places = shown.iter().enumerate().map(|(k, panel)| panel.place(cell, lefts[k % columns], height(panel)?));
    let placed = places.collect::<Result<Vec<_>, _>>()?;

    let width = cell * columns as f64;
    let title = Fitted::new(&figure.title, TITLE, width - 2.0 * BORDER)?;
    let title_height = if title.lines.is_empty() { 0.0 } else { BORDER + title.height() };
    let mut total = title_height;
    let mut rows = Vec::new();
    for row in placed.chunks(columns) {
        let top = row.iter().map(|placed| placed.top()).fold(0.0, f64::max);
        rows.push((row, total + top));
        total += top + row.iter().try_fold(0.0_f64, |most, placed| Ok::<_, ChartError>(most.max(placed.rest()?)))?;
    }
    let taken = cell * (shown.len() % columns) as f64; // by the panels of a last row that has room left
    let place = if taken > 0.0 { [taken, rows[rows.len() - 1].1] } else { [0.0, total - BORDER + GAP] };
    let across = [place[0] + BORDER, width - BORDER];
    let legend = one_legend.then(|| common_legend(&shown, across[1] - across[0])).transpose()?;
    let legend = legend.filter(|legend| !legend.is_empty());
    let legend_height = legend.as_ref().map_or(0.0, |legend| legend.height_below(across[1] - across[0]));
    let (legend_top, down) = match narrow {
        true if legend.is_some() => (title_height + BORDER, BORDER + legend_height),
        _ => (place[1], 0.0),
    };
    if narrow {
        total += down;
    } else if legend.is_some() {
        total = total.max(legend_top + legend_height + BORDER);
    }
    let mut cells = Vec::new(); // panels, with the left of their cell and the top of their frame
    for (row, top) in rows {
        cells.extend(row.iter().enumerate().map(|(k, placed)| (placed, cell * k as f64, top + down)));
    }
    let here = !matches!(pictures, Pictures::Elsewhere(..));
    let shapes: Vec<_> = cells.par_iter().map(|(placed, left, top)| here.then(|| placed.shapes(*left, *top))).collect();
    canvas::svg([width, total], pictures, |canvas| {
        canvas.lines(&title, HPos::Center, [width / 2.0, BORDER])?;
        for ((placed, left, top), shapes) in cells.into_iter().zip(shapes) {
            placed.draw(canvas, left, top, shapes)?;
        }
        legend.map_or(Ok(()), |legend| legend.draw_below(canvas, across, legend_top))
    })
}
