//! Plot: a panel with its ranges, ticks and place on the page.

use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Anchor, Canvas, Pen};
use super::extent::Window;
use super::frame::Frame;
use super::legend::{self, Legend};
use super::palette::Color;
use super::text::{Fitted, Type};
use super::ticks::Ticks;
use super::visible::Visible;
use super::{ChartError, Corner, Panel};

const TITLE: Type = Type::new(13.5).bold();
const LABEL: Type = Type::new(13.0);
const TICK: Type = Type::new(12.0);
const NOTE: Type = Type::new(11.0).grey();
const LINE: Color = Color(70, 70, 70);
const GRID: Color = Color(226, 226, 226);
const FINE_GRID: Color = Color(242, 242, 242);
/// Free border of a panel, and between its parts [px].
const BORDER: f64 = 12.0;
const GAP: f64 = 6.0;
/// A legend covers one in so many places on data at most, or goes below the frame.
const MOST_COVERED: usize = 200;
/// Length of a tick [px].
const TICK_LENGTH: f64 = 4.0;

/// A panel with what it shows.
pub(super) struct Plot<'a> {
    panel: &'a Panel,
    window: Window,
    layers: Vec<Visible>,
}

impl<'a> Plot<'a> {
    pub fn new(panel: &'a Panel) -> Result<Self, ChartError> {
        let window = Window::of(panel)?;
        let layers = panel.layers.iter().map(|layer| Visible::of(layer, &window)).collect::<Result<_, _>>()?;
        Ok(Self { panel, window, layers })
    }

    /// What every layer shows.
    pub fn layers(&self) -> &[Visible] {
        &self.layers
    }

    /// Number of data left out or cut by the given ranges.
    pub fn outside(&self) -> usize {
        self.layers.iter().map(Visible::outside).sum()
    }

    fn has_data(&self) -> bool {
        self.panel.layers.iter().zip(&self.layers).any(|(layer, seen)| layer.is_data() && !seen.is_empty())
    }

    fn y_ticks(&self, height: f64) -> Ticks {
        Ticks::new(&self.window.y, ((height / 33.0) as usize).clamp(4, 9))
    }

    fn y_label(&self, height: f64) -> Result<Fitted, ChartError> {
        Fitted::new(&self.panel.y.label, LABEL, height)
    }

    /// Room left of a frame of the given height, for the label and the ticks [px].
    pub fn left(&self, height: f64) -> Result<f64, ChartError> {
        let ticks = self.y_ticks(height);
        let widest = TICK.widest(ticks.major.iter().map(|tick| tick.label.as_str()))?;
        Ok(BORDER + self.y_label(height)?.height() + GAP + widest + 3.0 + TICK_LENGTH)
    }

    /// Where the legend of a frame of the given size goes: below it when there is no room for it in the frame.
    fn corner(&self, legend: &Legend<'_>, [width, height]: [f64; 2]) -> Corner {
        let frame = [0.0, 0.0, width, height];
        let [legend_width, legend_height] = legend.size();
        match self.panel.legend {
            Corner::None => Corner::None,
            _ if legend_height > 0.75 * height || legend_width > 0.9 * width => Corner::Outside,
            Corner::Freest => {
                let ink = self.ink(&Frame { window: self.window, frame });
                let covered = legend::covered(&legend.corner(Corner::Freest, frame, &ink), &ink);
                if covered > ink.len() / MOST_COVERED { Corner::Outside } else { Corner::Freest }
            }
            corner => corner,
        }
    }

    /// Places on data, which a legend had better not cover [px].
    fn ink(&self, on: &Frame) -> Vec<[f64; 2]> {
        let data = self.panel.layers.iter().zip(&self.layers).filter(|(layer, _)| layer.is_data());
        data.flat_map(|(layer, seen)| on.ink(layer, seen)).collect()
    }

    /// The plot in a cell of the page, `left` [px] kept free beside a frame of at most `height` [px].
    pub fn place(&'a self, width: f64, left: f64, height: f64) -> Result<Placed<'a>, ChartError> {
        let (x, y) = (&self.window.x, &self.window.y);
        let mut right = BORDER + 6.0;
        let mut size = [0.0, height];
        let mut x_ticks = Ticks::new(x, 2);
        // The last label may stand out beyond the frame, which narrows it, which may need fewer labels.
        for _ in 0..3 {
            size = [(width - left - right).max(40.0), height];
            if self.panel.equal_aspect {
                let unit = (size[0] / x.length()).min(size[1] / y.length());
                size = [unit * x.length(), unit * y.length()];
            }
            x_ticks = fitting(&self.window, size[0])?;
            let beyond = match x_ticks.major.last() {
                Some(tick) => TICK.width(&tick.label)? / 2.0 - (1.0 - x.fraction(tick.at)) * size[0],
                None => 0.0,
            };
            right = right.max(beyond + GAP);
        }
        let mut legend = Legend::new(&self.panel.layers, 0.7 * size[0])?;
        let corner = if legend.is_empty() { Corner::None } else { self.corner(&legend, size) };
        if corner == Corner::Outside {
            legend = Legend::new(&self.panel.layers, width - 2.0 * BORDER)?;
        }
        let offset = (width - left - right - size[0]).max(0.0) / 2.0;
        Ok(Placed {
            title: Fitted::new(&self.panel.title, TITLE, width - 2.0 * BORDER)?,
            x_label: Fitted::new(&self.panel.x.label, LABEL, width - 2.0 * BORDER)?,
            y_label: self.y_label(size[1].max(60.0))?,
            y_ticks: self.y_ticks(size[1]),
            y_label_at: offset + BORDER,
            left: left + offset,
            plot: self,
            x_ticks,
            size,
            width,
            legend,
            corner,
        })
    }
}

/// Ticks of the x axis, as many as have room for their labels.
fn fitting(window: &Window, width: f64) -> Result<Ticks, ChartError> {
    let mut most = ((width / 50.0) as usize).clamp(3, 10);
    loop {
        let ticks = Ticks::new(&window.x, most);
        let mut free = f64::NEG_INFINITY; // right end of the label before
        let mut fits = true;
        for tick in &ticks.major {
            let (middle, label) = (window.x.fraction(tick.at) * width, TICK.width(&tick.label)?);
            fits &= middle - label / 2.0 >= free;
            free = middle + label / 2.0 + 8.0;
        }
        if fits || most <= 2 {
            return Ok(ticks);
        }
        most -= 1;
    }
}

/// A plot with its measures.
pub(super) struct Placed<'a> {
    plot: &'a Plot<'a>,
    title: Fitted,
    x_label: Fitted,
    y_label: Fitted,
    x_ticks: Ticks,
    y_ticks: Ticks,
    y_label_at: f64,
    left: f64,
    size: [f64; 2],
    width: f64,
    legend: Legend<'a>,
    corner: Corner,
}

impl Placed<'_> {
    /// Height above the frame [px].
    pub fn top(&self) -> f64 {
        let note = if self.plot.outside() > 0 { NOTE.line_height() } else { 0.0 };
        let title = if self.title.lines.is_empty() { 0.0 } else { self.title.height() + GAP };
        BORDER + title + note
    }

    /// Height of the frame and of all below it [px].
    pub fn rest(&self) -> f64 {
        let legend = match self.corner {
            Corner::Outside => GAP + self.legend.height_below(self.width - 2.0 * BORDER),
            _ => 0.0,
        };
        self.size[1] + self.below() + legend + BORDER
    }

    /// Height of the ticks and label of the x axis [px].
    fn below(&self) -> f64 {
        let label = if self.x_label.lines.is_empty() { 0.0 } else { GAP + self.x_label.height() };
        TICK_LENGTH + 3.0 + TICK.line_height() + label
    }

    /// Draws the plot; its cell starts at `left`, its frame at `top` [px].
    pub fn draw(&self, canvas: &Canvas<'_>, left: f64, top: f64) -> Result<(), ChartError> {
        let frame = [left + self.left, top, left + self.left + self.size[0], top + self.size[1]];
        let on = Frame { window: self.plot.window, frame };
        self.draw_grid(canvas, &on)?;
        for (layer, seen) in self.plot.panel.layers.iter().zip(&self.plot.layers) {
            on.draw(canvas, layer, seen)?;
        }
        canvas.frame(frame, Pen::new(LINE, 1.0))?;
        self.draw_axes(canvas, &on, left)?;
        self.draw_notes(canvas, frame)?;
        match self.corner {
            Corner::None => Ok(()),
            Corner::Outside => {
                let across = [left + BORDER, left + self.width - BORDER];
                self.legend.draw_below(canvas, across, frame[3] + self.below() + GAP)
            }
            corner => self.legend.draw(canvas, self.legend.corner(corner, frame, &self.plot.ink(&on))),
        }
    }

    fn draw_grid(&self, canvas: &Canvas<'_>, on: &Frame) -> Result<(), ChartError> {
        let Window { x, y } = self.plot.window;
        let major = |ticks: &Ticks| ticks.major.iter().map(|tick| tick.at).collect::<Vec<_>>();
        let kinds = [
            (FINE_GRID, self.x_ticks.minor.clone(), self.y_ticks.minor.clone()),
            (GRID, major(&self.x_ticks), major(&self.y_ticks)),
        ];
        for (color, columns, rows) in kinds {
            for u in columns {
                canvas.path(&[on.pixel([u, y.from]), on.pixel([u, y.to])], Pen::new(color, 0.8))?;
            }
            for v in rows {
                canvas.path(&[on.pixel([x.from, v]), on.pixel([x.to, v])], Pen::new(color, 0.8))?;
            }
        }
        Ok(())
    }

    fn draw_axes(&self, canvas: &Canvas<'_>, on: &Frame, cell: f64) -> Result<(), ChartError> {
        let [left, top, right, bottom] = on.frame;
        let Window { x, y } = self.plot.window;
        let pen = Pen::new(LINE, 1.0);
        let down = |u: f64, length: f64| {
            let [at, _] = on.pixel([u, y.from]);
            canvas.path(&[[at, bottom], [at, bottom + length]], pen)
        };
        let out = |v: f64, length: f64| {
            let [_, at] = on.pixel([x.from, v]);
            canvas.path(&[[left - length, at], [left, at]], pen)
        };
        for tick in &self.x_ticks.major {
            down(tick.at, TICK_LENGTH)?;
            let at = [on.pixel([tick.at, y.from])[0], bottom + TICK_LENGTH + 3.0];
            canvas.text(&tick.label, at, Anchor(HPos::Center, VPos::Top), TICK)?;
        }
        for tick in &self.y_ticks.major {
            out(tick.at, TICK_LENGTH)?;
            let at = [left - TICK_LENGTH - 3.0, on.pixel([x.from, tick.at])[1]];
            canvas.text(&tick.label, at, Anchor(HPos::Right, VPos::Center), TICK)?;
        }
        self.x_ticks.minor.iter().try_for_each(|&u| down(u, 0.55 * TICK_LENGTH))?;
        self.y_ticks.minor.iter().try_for_each(|&v| out(v, 0.55 * TICK_LENGTH))?;
        // Centred on the frame, unless that pushes a long label beyond the cell.
        let half = self.x_label.width()? / 2.0;
        let centre = ((left + right) / 2.0).min(cell + self.width - BORDER - half).max(cell + BORDER + half);
        let below = bottom + TICK_LENGTH + 3.0 + TICK.line_height() + GAP;
        lines(canvas, &self.x_label, [centre, below])?;
        let line = self.y_label.style.line_height();
        for (k, text) in self.y_label.lines.iter().enumerate() {
            let at = [cell + self.y_label_at + (k as f64 + 0.5) * line, (top + bottom) / 2.0];
            canvas.upward(text, at, self.y_label.style)?;
        }
        Ok(())
    }

    fn draw_notes(&self, canvas: &Canvas<'_>, [left, top, right, bottom]: [f64; 4]) -> Result<(), ChartError> {
        let outside = self.plot.outside();
        let mut title_bottom = top - GAP;
        if outside > 0 {
            let note = if outside == 1 { "1 point outside".into() } else { format!("{outside} points outside") };
            canvas.text(&note, [right, top - 3.0 - NOTE.size / 2.0], Anchor(HPos::Right, VPos::Center), NOTE)?;
            title_bottom -= NOTE.line_height();
        }
        let middle = (left + right) / 2.0;
        lines(canvas, &self.title, [middle, title_bottom - self.title.height()])?;
        if !self.plot.has_data() {
            let at = [middle, (top + bottom) / 2.0];
            canvas.text("no data", at, Anchor(HPos::Center, VPos::Center), LABEL.grey())?;
        }
        Ok(())
    }
}

/// Draws lines of text below each other, the middle of the first one's top at the given place.
pub(super) fn lines(canvas: &Canvas<'_>, text: &Fitted, [centre, top]: [f64; 2]) -> Result<(), ChartError> {
    let height = text.style.line_height();
    for (k, line) in text.lines.iter().enumerate() {
        let at = [centre, top + (k as f64 + 0.5) * height];
        canvas.text(line, at, Anchor(HPos::Center, VPos::Center), text.style)?;
    }
    Ok(())
}
