//! Text: how wide it is, and how it is broken to fit.

use std::sync::OnceLock;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

use super::ChartError;
use super::palette::Color;
use super::theme::{FAINT_INK, INK};

/// Canvas units in a pixel: plotters draws at whole units, which alone would make steps of lines.
pub(super) const FINE: f64 = 10.0;

/// Room for viewers whose font is wider than the one that the layout is made with.
const SLACK: f64 = 1.06;
/// Plotters writes a font of this many times the size that the SVG then names.
const PLOTTERS_SIZE: f64 = 1.24;
/// Size to which text shrinks rather than break, as a share of its own, and in any case [px].
const ONE_LINE: f64 = 0.88;
const LEAST: f64 = 11.0;
/// Smallest size that text shrinks to for its longest word [px].
const SMALLEST: f64 = 6.0;

/// How text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Type {
    /// Size [px].
    pub size: f64,
    pub bold: bool,
    pub color: Color,
}

impl Type {
    pub const fn new(size: f64) -> Self {
        Self { size, bold: false, color: INK.0 }
    }

    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub const fn grey(self) -> Self {
        Self { color: FAINT_INK.0, ..self }
    }

    pub fn sized(self, size: f64) -> Self {
        Self { size, ..self }
    }

    /// Distance of two lines [px].
    pub fn line_height(self) -> f64 {
        (1.3 * self.size).ceil()
    }

    /// The font as plotters names it.
    pub(super) fn font(self) -> FontDesc<'static> {
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::SansSerif, self.size * FINE * PLOTTERS_SIZE, style)
    }

    /// Width of a line of text [px], at least that of any usual font without serifs.
    pub fn width(self, text: &str) -> Result<f64, ChartError> {
        register()?;
        let ((left, _), (right, _)) = self.font().layout_box(&spaced(text)).map_err(|_| ChartError::Font)?;
        Ok(f64::from(right - left) / FINE * SLACK)
    }

    /// Width of the widest line [px].
    pub fn widest<'a>(self, lines: impl IntoIterator<Item = &'a str>) -> Result<f64, ChartError> {
        lines.into_iter().try_fold(0.0_f64, |widest, line| Ok(widest.max(self.width(line)?)))
    }
}

/// Registers the bundled font, once.
pub(super) fn register() -> Result<(), ChartError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| {
        let family = FontFamily::SansSerif;
        register_font(family.as_str(), FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(family.as_str(), FontStyle::Bold, dejavu::sans::bold()).is_ok()
    });
    if *registered { Ok(()) } else { Err(ChartError::Font) }
}

/// Text whose double spaces survive in SVG, which joins spaces: as spaces of half the font size.
pub(super) fn spaced(text: &str) -> String {
    text.replace("  ", "\u{2002}")
}

/// Lines of text that fit a width.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fitted {
    pub lines: Vec<String>,
    pub style: Type,
}

impl Fitted {
    /// Text in one line, a little smaller if that is enough, else in several lines of about the same width, shrunk only
    /// as far as the longest word needs; no line when it is empty.
    pub fn new(text: &str, style: Type, width: f64) -> Result<Self, ChartError> {
        if text.trim().is_empty() {
            return Ok(Self { lines: Vec::new(), style });
        }
        let needed = style.width(text)?;
        let share = ONE_LINE.max(LEAST / style.size).min(1.0);
        if share * needed <= width {
            let style = style.sized(style.size * (width / needed).min(1.0));
            return Ok(Self { lines: vec![text.into()], style });
        }
        let mut lines = broken(text, style, width)?;
        for share in 1..10 {
            let even = broken(text, style, width * (1.0 - 0.05 * f64::from(share)))?;
            let fits = style.widest(even.iter().map(String::as_str))? <= width;
            if even.len() == lines.len() && fits {
                lines = even;
            }
        }
        let widest = style.widest(lines.iter().map(String::as_str))?;
        let size = if widest > width { (style.size * width / widest).max(SMALLEST) } else { style.size };
        Ok(Self { lines, style: style.sized(size) })
    }

    /// Height of all lines [px].
    pub fn height(&self) -> f64 {
        self.lines.len() as f64 * self.style.line_height()
    }

    /// Width of the widest line [px].
    pub fn width(&self) -> Result<f64, ChartError> {
        self.style.widest(self.lines.iter().map(String::as_str))
    }
}

/// Text broken between words, and after the stroke between two, into lines no wider than `width` [px], as far as its words allow.
fn broken(text: &str, style: Type, width: f64) -> Result<Vec<String>, ChartError> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let breaks = word.split('/').all(|part| part.len() > 3); // words, not units
        let parts = if breaks { word.split_inclusive('/').collect() } else { vec![word] };
        for (k, part) in parts.into_iter().enumerate() {
            if let Some(line) = lines.last_mut() {
                let longer = format!("{line}{}{part}", if k == 0 { " " } else { "" });
                if style.width(&longer)? <= width {
                    *line = longer;
                    continue;
                }
            }
            lines.push(part.into());
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_breaks_between_words_and_keeps_them_all() {
        let text = "Largest stable time step of forward and backward Euler against the stiffness";
        let fitted = Fitted::new(text, Type::new(15.0), 200.0).expect("font");
        assert!(fitted.lines.len() > 2);
        assert_eq!(fitted.lines.join(" "), text);
        assert_eq!(fitted.style.size, 15.0);
        assert!(fitted.width().expect("font") <= 200.0);
    }

    #[test]
    fn words_break_after_a_stroke_and_units_do_not() {
        let lines = |text: &str| Fitted::new(text, Type::new(12.0), 60.0).expect("font").lines;
        assert_eq!(lines("implicit/explicit"), ["implicit/", "explicit"]);
        assert_eq!(lines("stiffness N/m"), ["stiffness", "N/m"]);
    }

    #[test]
    fn lines_are_about_equally_wide() {
        let style = Type::new(16.0);
        let fitted = Fitted::new("Largest stable time step of forward and backward Euler against stiffness", style, 500.0);
        let widths: Vec<_> = fitted.expect("font").lines.iter().map(|line| style.width(line).expect("font")).collect();
        assert_eq!(widths.len(), 2);
        assert!(widths[1] > 0.7 * widths[0], "{widths:?}");
    }

    #[test]
    fn a_long_word_shrinks() {
        let fitted = Fitted::new("Donaudampfschifffahrtsgesellschaft", Type::new(15.0), 200.0).expect("font");
        assert_eq!(fitted.lines.len(), 1);
        assert!(fitted.style.size < 15.0 && fitted.width().expect("font") < 202.0);
    }

    #[test]
    fn width_grows_with_size_and_weight() {
        let width = |style: Type| style.width("time step").expect("font");
        assert!((width(Type::new(20.0)) / width(Type::new(10.0)) - 2.0).abs() < 0.02);
        assert!(width(Type::new(10.0).bold()) > width(Type::new(10.0)));
    }
}
