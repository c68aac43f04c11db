//! What stands around the frame of any panel: title, note, legend.

use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Anchor, Canvas};
use super::legend::{self, Key, Legend};
use super::text::{Fitted, Type};
use super::{ChartError, Corner, Panel};

const TITLE: Type = Type::new(13.5).bold();
const NO_DATA: Type = Type::new(13.0).grey();
const NOTE: Type = Type::new(11.0).grey();
/// Free border of a panel, and between its parts [px].
pub(super) const BORDER: f64 = 12.0;
pub(super) const GAP: f64 = 6.0;
/// A legend covers one in so many places on data at most, or goes below the frame.
const MOST_COVERED: usize = 200;

/// Title, note and legend of a panel.
pub(super) struct Surround<'a> {
    title: Fitted,
    /// About data that are not shown; empty when all are.
    note: String,
    /// Whether there is nothing to show.
    bare: bool,
    legend: Legend<'a>,
    corner: Corner,
    /// Width of the panel's cell of the page [px].
    width: f64,
}

impl<'a> Surround<'a> {
    /// What surrounds a frame of the given size in a cell of the given width [px]; `ink` gives the places on data in a
    /// frame at the origin, which the legend had better not cover.
    pub fn new(
        panel: &'a Panel,
        keys: &[Key<'a>],
        width: f64,
        size: [f64; 2],
        ink: impl FnOnce([f64; 4]) -> Vec<[f64; 2]>,
    ) -> Result<Self, ChartError> {
        let mut legend = Legend::new(keys, 0.7 * size[0])?;
        let corner = if legend.is_empty() { Corner::None } else { corner(panel.legend, &legend, size, ink) };
        if corner == Corner::Outside {
            legend = Legend::new(keys, width - 2.0 * BORDER)?;
        }
        let title = Fitted::new(&panel.title, TITLE, width - 2.0 * BORDER)?;
        Ok(Self { title, note: String::new(), bare: false, legend, corner, width })
    }

    /// Adds a note of how many data are not shown, in words for one and for more, and with "no data" in the
    /// frame if it is bare.
    pub fn noted(self, count: usize, [singular, plural]: [&str; 2], bare: bool) -> Self {
        let note = match count {
            0 => String::new(),
            1 => format!("1 {singular}"),
            _ => format!("{count} {plural}"),
        };
        Self { note, bare, ..self }
    }

    /// Height above the frame [px].
    pub fn above(&self) -> f64 {
        let note = if self.note.is_empty() { 0.0 } else { NOTE.line_height() };
        let title = if self.title.lines.is_empty() { 0.0 } else { self.title.height() + GAP };
        BORDER + title + note
    }

    /// Height of a legend below the frame, and of the border [px].
    pub fn below(&self) -> f64 {
        let legend = match self.corner {
            Corner::Outside => GAP + self.legend.height_below(self.width - 2.0 * BORDER),
            _ => 0.0,
        };
        legend + BORDER
    }

    /// Draws title and note above the frame, in a cell that starts at `cell` [px], and "no data" into one that is bare.
    pub fn draw_notes(&self, canvas: &Canvas<'_>, [left, top, right, bottom]: [f64; 4], cell: f64) -> Result<(), ChartError> {
        let mut title_bottom = top - GAP;
        if !self.note.is_empty() {
            canvas.text(&self.note, [right, top - 3.0 - NOTE.size / 2.0], Anchor(HPos::Right, VPos::Center), NOTE)?;
            title_bottom -= NOTE.line_height();
        }
        let middle = (left + right) / 2.0;
        // over the frame, unless that pushes a long title beyond the cell
        let half = self.title.width()? / 2.0;
        let centre = middle.min(cell + self.width - BORDER - half).max(cell + BORDER + half);
        canvas.lines(&self.title, HPos::Center, [centre, title_bottom - self.title.height()])?;
        if self.bare {
            let at = [middle, (top + bottom) / 2.0];
            canvas.text("no data", at, Anchor(HPos::Center, VPos::Center), NO_DATA)?;
        }
        Ok(())
    }

    /// Draws the legend: in the frame, or from `below` on, in a cell that starts at `left` [px].
    pub fn draw_legend(
        &self,
        canvas: &Canvas<'_>,
        frame: [f64; 4],
        [left, below]: [f64; 2],
        ink: impl FnOnce() -> Vec<[f64; 2]>,
    ) -> Result<(), ChartError> {
        match self.corner {
            Corner::None => Ok(()),
            Corner::Outside => {
                let across = [left + BORDER, left + self.width - BORDER];
                self.legend.draw_below(canvas, across, below + GAP)
            }
            corner => self.legend.draw(canvas, self.legend.corner(corner, frame, &ink())),
        }
    }
}

/// Where a legend goes: below the frame when there is no room for it in the frame.
fn corner(wanted: Corner, legend: &Legend<'_>, [width, height]: [f64; 2], ink: impl FnOnce([f64; 4]) -> Vec<[f64; 2]>) -> Corner {
    let frame = [0.0, 0.0, width, height];
    let [legend_width, legend_height] = legend.size();
    match wanted {
        Corner::None => Corner::None,
        _ if legend_height > 0.75 * height || legend_width > 0.9 * width => Corner::Outside,
        Corner::Freest => {
            let ink = ink(frame);
            let covered = legend::covered(&legend.corner(Corner::Freest, frame, &ink), &ink);
            if covered > ink.len() / MOST_COVERED { Corner::Outside } else { Corner::Freest }
        }
        corner => corner,
    }
}
