//! Names of categories at an axis: broken into lines, or upright where they have not enough room.

use plotters::style::text_anchor::{HPos, VPos};

use super::ChartError;
use super::canvas::{Anchor, Canvas};
use super::text::{Fitted, Type};
use super::ticks::Tick;

/// Size to which a name shrinks rather than stand upright, as a share of its own.
const SMALLER: f64 = 0.91;
/// Lines of a name below an axis at most; more stand upright.
const MOST_LINES: usize = 4;
/// Length of upright names, tried in turn [px].
const UPRIGHT: [f64; 5] = [140.0, 190.0, 240.0, 290.0, 340.0];
/// Sizes of upright names, tried in turn, as shares of their own.
const SIZES: [f64; 5] = [1.0, 0.92, 0.85, 0.7, 0.55];
/// Space between two names [px].
const BETWEEN: f64 = 6.0;

/// The names at the ticks of an axis, all of the same size.
pub(super) struct Names {
    texts: Vec<Fitted>,
    upright: bool,
}

impl Names {
    /// Names below an axis with so much room for each [px].
    pub fn below(ticks: &[Tick], room: f64, style: Type) -> Result<Self, ChartError> {
        let level = fitted(ticks, style, room - BETWEEN)?;
        let lines = level.iter().map(|text| text.lines.len()).max().unwrap_or(0);
        if size(&level, style) >= SMALLER * style.size && lines <= MOST_LINES {
            return Ok(Self { texts: level, upright: false });
        }
        let sizes = SIZES.iter().flat_map(|share| UPRIGHT.map(|length| (share * style.size, length)));
        let mut texts = Vec::new();
        for (size, length) in sizes {
            texts = fitted(ticks, style.sized(size), length)?;
            if texts.iter().all(|text| text.height() <= room) {
                break;
            }
        }
        Ok(Self { texts, upright: true })
    }

    /// Names left of an axis, no wider than `width`, with so much room for each [px].
    pub fn beside(ticks: &[Tick], width: f64, room: f64, style: Type) -> Result<Self, ChartError> {
        let texts = fitted(ticks, style, width)?;
        let level = Self { texts, upright: false };
        let shrunk = size(&level.texts, style) * (room / level.thickness().max(1e-9)).clamp(0.5, 1.0);
        Ok(Self { texts: resized(level.texts, shrunk), upright: false })
    }

    /// Width of the names as they stand left of an axis [px].
    pub fn width(&self) -> Result<f64, ChartError> {
        self.texts.iter().try_fold(0.0_f64, |widest, text| Ok(widest.max(text.width()?)))
    }

    /// Height of the thickest of the names as they stand left of an axis [px].
    pub fn thickness(&self) -> f64 {
        self.texts.iter().map(Fitted::height).fold(0.0, f64::max)
    }

    /// Height of the names as they stand below an axis [px].
    pub fn height(&self) -> Result<f64, ChartError> {
        if self.upright { self.width() } else { Ok(self.thickness()) }
    }

    /// Draws the names below a line at `top`, each under its x [px].
    pub fn draw_below(&self, canvas: &Canvas<'_>, middles: &[f64], top: f64) -> Result<(), ChartError> {
        for (text, &middle) in self.texts.iter().zip(middles) {
            if !self.upright {
                canvas.lines(text, HPos::Center, [middle, top])?;
                continue;
            }
            let line = text.style.line_height();
            for (k, name) in text.lines.iter().enumerate() {
                let at = [middle + (k as f64 + 0.5) * line - text.height() / 2.0, top];
                canvas.upward(name, at, HPos::Right, text.style)?;
            }
        }
        Ok(())
    }

    /// Draws the names left of a line at `right`, each beside its y [px].
    pub fn draw_beside(&self, canvas: &Canvas<'_>, middles: &[f64], right: f64) -> Result<(), ChartError> {
        for (text, &middle) in self.texts.iter().zip(middles) {
            let line = text.style.line_height();
            for (k, name) in text.lines.iter().enumerate() {
                let at = [right, middle + (k as f64 + 0.5) * line - text.height() / 2.0];
                canvas.text(name, at, Anchor(HPos::Right, VPos::Center), text.style)?;
            }
        }
        Ok(())
    }
}

/// The names broken to a width [px], all of the size of the smallest.
fn fitted(ticks: &[Tick], style: Type, width: f64) -> Result<Vec<Fitted>, ChartError> {
    let texts = ticks.iter().map(|tick| Fitted::new(&tick.label, style, width.max(1.0))).collect::<Result<Vec<_>, _>>()?;
    let smallest = size(&texts, style);
    Ok(resized(texts, smallest))
}

/// Size of the smallest of some texts [px].
fn size(texts: &[Fitted], style: Type) -> f64 {
    texts.iter().map(|text| text.style.size).fold(style.size, f64::min)
}

fn resized(texts: Vec<Fitted>, size: f64) -> Vec<Fitted> {
    texts.into_iter().map(|text| Fitted { style: text.style.sized(size), ..text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Type = Type::new(12.0);

    fn names(labels: &[&str], room: f64) -> Names {
        let ticks: Vec<Tick> = labels.iter().map(|&label| Tick { at: 1.0, label: label.into() }).collect();
        Names::below(&ticks, room, STYLE).expect("font")
    }

    #[test]
    fn names_break_before_they_stand_upright() {
        let labels = ["springs with bending", "damping"];
        let [wide, narrow, thin] = [300.0, 80.0, 30.0].map(|room| names(&labels, room));
        assert_eq!((wide.texts[0].lines.len(), wide.upright), (1, false));
        assert_eq!((narrow.upright, narrow.texts[0].lines.join(" ").as_str()), (false, labels[0]));
        assert!(narrow.texts[0].lines.len() > 1 && narrow.width().expect("font") <= 74.0);
        assert!(thin.upright && thin.height().expect("font") > narrow.height().expect("font"));
    }

    #[test]
    fn upright_names_are_no_thicker_than_their_room() {
        for room in [10.0, 18.0, 35.0] {
            let upright = names(&["exact Jacobian, with pre- and post-stabilisation of constraints", "b"], room);
            assert!(upright.upright, "{room}");
            assert!(upright.texts.iter().all(|text| text.height() <= room), "{room}");
        }
    }
}
