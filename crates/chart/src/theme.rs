//! Theme: how a drawing follows a dark page.
//!
//! Shapes have the colours of a light page as attributes, which every program shows. A style sheet in the drawing gives those that
//! it has others where a screen prefers dark; programs that know no media, such as printers of SVG, leave it out.

use std::collections::BTreeSet;

use super::palette::{Color, DARK_DATA, DARK_GROUND, GROUND};

/// Text, with what a dark page shows in its place.
pub(super) const INK: (Color, Color) = (Color(34, 34, 34), Color(230, 232, 235));
pub(super) const FAINT_INK: (Color, Color) = (Color(105, 105, 105), Color(166, 173, 182));
/// Frames and ticks.
pub(super) const LINE: (Color, Color) = (Color(70, 70, 70), Color(150, 155, 161));
pub(super) const GRID: (Color, Color) = (Color(226, 226, 226), Color(52, 56, 62));
pub(super) const FINE_GRID: (Color, Color) = (Color(242, 242, 242), Color(34, 37, 41));
/// Border of a legend.
pub(super) const BORDER: (Color, Color) = (Color(205, 205, 205), Color(75, 80, 87));

/// Colours of everything but data.
const SURROUND: [(Color, Color); 7] = [(GROUND, DARK_GROUND), INK, FAINT_INK, LINE, GRID, FINE_GRID, BORDER];

/// What a dark page shows in place of every colour that it changes.
fn pairs() -> impl Iterator<Item = (Color, Color)> {
    SURROUND.into_iter().chain(DARK_DATA)
}

/// The nearest colour that a dark page leaves as it is: faces are lit as they are, and wires on them stay as dark.
pub(super) fn fixed(color: Color) -> Color {
    if pairs().any(|(light, _)| light == color) { Color(color.0, color.1, color.2 ^ 1) } else { color }
}

/// A colour as drawings write it.
pub(super) fn hex(Color(r, g, b): Color) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Rules for the colours of a drawing.
fn rules(is_used: impl Fn(&str) -> bool) -> String {
    let mut rules = String::new();
    for (light, dark) in pairs() {
        for property in ["fill", "stroke"] {
            let attribute = format!("{property}=\"{}\"", hex(light));
            if is_used(&attribute) {
                rules += &format!("[{attribute}]{{{property}:{}}}", hex(dark));
            }
        }
    }
    format!("@media screen and (prefers-color-scheme:dark){{{rules}}}")
}

/// The style sheet of a drawing.
pub(super) fn style_of(drawing: &str) -> String {
    let mut used = BTreeSet::new();
    for (at, _) in drawing.match_indices("=\"#") {
        let end = at + "=\"#222222\"".len();
        used.extend(["fill".len(), "stroke".len()].iter().filter_map(|name| drawing.get(at.checked_sub(*name)?..end)));
    }
    format!("<style>{}</style>\n", rules(|attribute| used.contains(attribute)))
}

/// The style sheet of every drawing, for a page that holds many of them.
pub fn dark_style() -> String {
    rules(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_page_changes_each_colour_once_and_no_fixed_one() {
        let pairs: Vec<_> = pairs().collect();
        for (k, (light, _)) in pairs.iter().enumerate() {
            assert!(pairs[..k].iter().all(|(other, _)| other != light), "{light:?} twice");
            assert!(pairs.iter().all(|(other, _)| fixed(*light) != *other), "{light:?} is not fixed");
        }
        assert_eq!(fixed(Color(1, 2, 3)), Color(1, 2, 3));
    }

    #[test]
    fn a_style_names_the_colours_of_its_drawing_and_no_other() {
        let style = style_of("<rect fill=\"#FFFFFF\"/><path stroke=\"#000000\"/>");
        assert!(
            style.contains("[fill=\"#FFFFFF\"]{fill:#15171A}") && style.contains("[stroke=\"#000000\"]{stroke:#E6E8EB}"),
            "{style}"
        );
        assert_eq!(style.matches('[').count(), 2, "{style}");
        assert!(dark_style().matches('[').count() == 2 * pairs().count());
    }
}
