//! Page: the panels of a figure in rows and columns.

use super::canvas;
use super::plot::{self, Plot};
use super::text::{Fitted, Type};
use super::{Axis, ChartError, Figure, Panel};

const TITLE: Type = Type::new(16.0).bold();
/// Space above, below and beside the title [px].
const BORDER: f64 = 12.0;

/// The SVG text of a figure.
pub(super) fn svg(figure: &Figure) -> Result<String, ChartError> {
    let blank = [Panel::new(Axis::linear(""), Axis::linear(""), Vec::new())];
    let panels = if figure.panels.is_empty() { &blank[..] } else { &figure.panels };
    let columns = if figure.columns == 0 { panels.len() } else { figure.columns.min(panels.len()) };
    let (cell, height) = if columns == 1 { (720.0, 380.0) } else { (480.0, 310.0) }; // cell width, frame height [px]

    let plots = panels.iter().map(Plot::new).collect::<Result<Vec<_>, _>>()?;
    let mut lefts = vec![0.0_f64; columns]; // frames of a column start at the same x
    for (k, plot) in plots.iter().enumerate() {
        lefts[k % columns] = lefts[k % columns].max(plot.left(height)?);
    }
    let places = plots.iter().enumerate().map(|(k, plot)| plot.place(cell, lefts[k % columns], height));
    let placed = places.collect::<Result<Vec<_>, _>>()?;

    let width = cell * columns as f64;
    let title = Fitted::new(&figure.title, TITLE, width - 2.0 * BORDER)?;
    let mut total = if title.lines.is_empty() { 0.0 } else { BORDER + title.height() };
    let mut rows = Vec::new();
    for row in placed.chunks(columns) {
        let top = row.iter().map(plot::Placed::top).fold(0.0, f64::max);
        rows.push((row, total + top));
        total += top + row.iter().map(plot::Placed::rest).fold(0.0, f64::max);
    }
    canvas::svg(width, total, |canvas| {
        plot::lines(canvas, &title, [width / 2.0, BORDER])?;
        for (row, top) in rows {
            for (k, placed) in row.iter().enumerate() {
                placed.draw(canvas, cell * k as f64, top)?;
            }
        }
        Ok(())
    })
}
